#include <exception>

#include "properties/invariants/catalogue.h"
#include "properties/invariants/economy.h"
#include "properties/trial/input_guard.h"
#include "properties/trial/judge.h"

namespace ordeal::properties {

Court::Court() : world_(std::make_unique<World>()), judge_(std::make_unique<Judge>()) {}
Court::~Court() = default;

TrialResult Court::try_scenario(const Scenario& scenario, Controller& controller, TrialOptions options) {
  OneProcess program(controller);
  return try_scenario(scenario, program, options);
}

TrialResult Court::try_scenario(const Scenario& scenario, Program& program, TrialOptions options) {
  judge_->begin(scenario, options);
  world_->end_when(options.is_over);
  try {
    if (options.only == nullptr || relation_of(*options.only) == nullptr) try_itself(scenario, program, options);
    try_relations(scenario, program, options);
    return judge_->take_result();
  } catch (const std::exception& error) {
    TrialResult result = judge_->take_result();
    result.verdict = Verdict::inconclusive;
    result.inconclusive = error.what();
    forget_judged(result.situations);
    return result;
  }
}

void Court::try_itself(const Scenario& scenario, Program& program, const TrialOptions& options) {
  const bool guards =
      options.only != nullptr ? options.only->check == economy::inputs_untouched : options.guards_inputs;
  if (!guards) return simulate(*world_, scenario, program, *judge_);
  InputGuard guard(program);
  simulate(*world_, scenario, guard, *judge_);
}

void Court::try_relations(const Scenario& scenario, Program& program, const TrialOptions& options) {
  const Relation* needed = options.only != nullptr ? relation_of(*options.only) : nullptr;
  const auto wanted = options.only == nullptr ? options.relations : std::span(needed, needed != nullptr ? 1 : 0);
  for (const Relation& relation : wanted) {
    const Invariant& invariant = *find_invariant(relation.invariant);
    if (options.only == nullptr && !promises_at(options.level, options.except).test(place_of(invariant))) continue;
    if (const auto twins = try_twins(relation, *world_, scenario, program))
      judge_->on_twins(*world_, invariant, *twins);
  }
}

}  // namespace ordeal::properties
