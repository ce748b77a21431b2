// Generators: sets valid by construction and invalid on purpose, steps and faults with swarm selection.
// Covered by generate_test.cpp, which also tests the distribution.
#pragma once

#include "properties/scenario/choices.h"
#include "properties/scenario/scenario.h"
#include "properties/scenario/template_memo.h"

namespace ordeal::properties {

/// A set the API server accepts, with every field a controller reads drawn from its range.
StatefulSet generate_set(Choices& choices);
/// A set with one to three things wrong.
StatefulSet generate_invalid_set(Choices& choices);

/// A set like this one in what nobody can change of it later: the other management of pods, or one claim more where it
/// has fewer than three.
StatefulSet generate_set_like(Choices& choices, const StatefulSet& set);

/// Which gates are on, how lists are ordered, and what else there is. The API server knows the set's strategy.
Environment draw_environment(Choices& choices, const StatefulSet& set);
/// Turns on what an API server needs to take the set: one that knew no Recreate knows it on both sides then.
void know_strategy_of(const StatefulSet& set, Environment& environment);
/// A whole scenario. First the swarm: which kinds of step exist here and how heavy each is; then the steps.
/// With `first`, the set is that one instead of a drawn one, or one like it in one scenario of four.
Scenario generate_scenario(Choices& choices, const StatefulSet* first = nullptr, std::size_t steps_at_most = 64);
/// Adds steps to a scenario, by a swarm of its own, until it has so many.
void continue_scenario(Choices& choices, Scenario& scenario, std::size_t steps);
/// Total: every byte string is a scenario, equal bytes an equal one.
Scenario decode_scenario(std::span<const std::uint8_t> bytes, const StatefulSet* first = nullptr);

/// One step of this kind, its arguments drawn from their ranges, but for ordinals to reserve, and at_call 0. For
/// generators and mutators.
Step generate_step(Choices& choices, StepKind kind);

/// Parts of a byte string before the steps: two for the set, one for the environment, three for the swarm. After them
/// each part of Bytes::part_size bytes is one beat: a step, or a few that belong together.
inline constexpr std::size_t header_parts = 6;

/// Template `edit` of a family: the base with another image and one more thing. Memoised per caller, pure.
/// Image n is "<the base's image>:v<n>", with "-unready", "-crashing", "-completing", "-unstarted" or "-unpulled" for
/// templates whose pods are never ready; image 0 keeps the base's own tag. Image 0, plain, is the base itself.
/// Covered by template_variants_test.cpp.
class TemplateVariants {
 public:
  Shared<PodTemplate> of(const Shared<PodTemplate>& base, std::int32_t image, TemplateFlavour flavour);
  /// The base with the annotation that `kubectl rollout restart` sets.
  Shared<PodTemplate> restarted(const Shared<PodTemplate>& base, std::int32_t at);

 private:
  TemplateMemo<Shared<PodTemplate>> made_;
};

/// The same with these labels.
Shared<PodTemplate> relabelled(const PodTemplate& base, const StringMap& labels);
/// The same labels and first container, and nothing else.
Shared<PodTemplate> bare_template(const PodTemplate& full);

}  // namespace ordeal::properties
