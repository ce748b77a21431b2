// Generators: sets valid by construction and invalid on purpose, steps and faults with swarm selection.
// Covered by generate_test.cpp, which also tests the distribution.
#pragma once

#include "properties/scenario/choices.h"
#include "properties/scenario/scenario.h"

namespace ordeal::properties {

/// A set the API server accepts, with every field a controller reads drawn from its range.
StatefulSet generate_set(Choices& choices);
/// A set with one to three things wrong.
StatefulSet generate_invalid_set(Choices& choices);

/// A whole scenario. First the swarm: which kinds of step exist here and how heavy each is; then the steps.
/// With `first`, the set is that one instead of a drawn one.
Scenario generate_scenario(Choices& choices, const StatefulSet* first = nullptr, std::size_t steps_at_most = 64);
/// Total: every byte string is a scenario, equal bytes an equal one.
Scenario decode_scenario(std::span<const std::uint8_t> bytes, const StatefulSet* first = nullptr);

/// Template `edit` of a family: the base with another image and one more thing. Memoised per caller, pure.
class TemplateVariants {
 public:
  Shared<PodTemplate> of(const Shared<PodTemplate>& base, std::int32_t image, TemplateFlavour flavour);
  Shared<PodTemplate> restarted(const Shared<PodTemplate>& base, std::int32_t at);

 private:
  struct Entry { Shared<PodTemplate> base, made; std::int64_t edit; };
  std::vector<Entry> made_;
};

}  // namespace ordeal::properties
