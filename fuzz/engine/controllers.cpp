#include "fuzz/engine/controllers.h"

#include "core/controller/reference.h"
#include "properties/mutants/mutants.h"

namespace ordeal::fuzz {

namespace {

using properties::Level;
constexpr std::string_view mutant_prefix = "mutant:";

std::vector<ControllerKind> make_list() {
  std::vector<ControllerKind> list;
  list.push_back({"strict",
                  "the reference controller, which keeps every promise, also those Kubernetes documents as limits",
                  Level::strict, [](const Gates& gates) { return make_reference(strict_rules(), gates); }});
  list.push_back({"kubernetes-1.37", "the reference controller deciding exactly as Kubernetes 1.37 does",
                  Level::promised, [](const Gates& gates) { return make_reference(kubernetes_1_37_rules(), gates); }});
  for (const properties::Mutant& mutant : properties::mutants())
    list.push_back({std::string(mutant_prefix) + std::string(mutant.id), std::string(mutant.about), Level::strict,
                    [&mutant](const Gates& gates) { return make_reference(mutant.rules, gates); }});
  return list;
}

}  // namespace

std::span<const ControllerKind> controllers() {
  static const std::vector<ControllerKind> list = make_list();
  return list;
}

const ControllerKind* find_controller(std::string_view name) {
  for (const ControllerKind& kind : controllers())
    if (kind.name == name) return &kind;
  return nullptr;
}

std::string controller_names(bool with_mutants) {
  std::string names;
  for (const ControllerKind& kind : controllers())
    if (with_mutants || !kind.name.starts_with(mutant_prefix)) names += (names.empty() ? "" : ", ") + kind.name;
  return names;
}

Controller* Dock::process(std::size_t which, const Gates& gates) {
  for (const Made& made : made_)
    if (made.process == which && made.gates == gates) return made.controller.get();
  while (makers_.size() <= which) makers_.push_back(kind_->open ? kind_->open() : kind_->make);
  return made_.emplace_back(Made{which, gates, makers_[which](gates)}).controller.get();
}

properties::TrialResult try_in(Dock& dock, properties::Court& court, const properties::Scenario& scenario,
                               properties::TrialOptions options) {
  properties::TrialResult result = court.try_scenario(scenario, dock, options);
  if (!dock.kind().external || result.verdict != properties::Verdict::inconclusive) return result;
  properties::TrialResult second = court.try_scenario(scenario, dock, options);
  return second.verdict == properties::Verdict::inconclusive ? result : second;
}

}  // namespace ordeal::fuzz
