#include "fuzz/engine/controllers.h"

#include "core/controller/reference.h"
#include "properties/mutants/canary.h"
#include "properties/mutants/decoys.h"

namespace ordeal::fuzz {

namespace {

using properties::Level;
constexpr std::string_view mutant_prefix = "mutant:", decoy_prefix = "decoy:";

std::vector<ControllerKind> make_list() {
  std::vector<ControllerKind> list;
  list.push_back({"strict",
                  "the reference controller, which keeps every promise, also those Kubernetes documents as limits",
                  Level::strict, [](const Gates& gates) { return make_reference(strict_rules(), gates); }});
  for (const std::span<const Release> family : release_families())
    for (const Release& release : family)
      list.push_back({std::string(release.rules.name), std::string(release.about), Level::promised,
                      [&release](const Gates& gates) { return make_reference(release.rules, gates); }});
  list.push_back({"canary", "the reference controller, which does one thing wrong in about one trial in a hundred",
                  Level::strict, properties::make_canary});
  for (const properties::Mutant& mutant : properties::mutants()) list.push_back(kind_of(mutant));
  for (const properties::Decoy& decoy : properties::decoys())
    list.push_back(
        {std::string(decoy_prefix) + std::string(decoy.id), std::string(decoy.about), decoy.level, decoy.make});
  return list;
}

/// "mutant:" or "decoy:", which have many members; empty for any other controller.
std::string_view family_of(std::string_view name) {
  for (const std::string_view family : {mutant_prefix, decoy_prefix})
    if (name.starts_with(family)) return family;
  return {};
}

}  // namespace

ControllerKind kind_of(const properties::Mutant& mutant) {
  return {.name = std::string(mutant_prefix) + std::string(mutant.id),
          .about = std::string(mutant.about),
          .level = Level::strict,
          .make = [&mutant](const Gates& gates) { return make_reference(mutant.rules, gates); }};
}

std::span<const ControllerKind> controllers() {
  static const std::vector<ControllerKind> list = make_list();
  return list;
}

const ControllerKind* find_controller(std::string_view name) {
  for (const ControllerKind& kind : controllers())
    if (kind.name == name) return &kind;
  return nullptr;
}

std::string controller_names(std::string_view like) {
  std::string names;
  for (const ControllerKind& kind : controllers())
    if (family_of(kind.name) == family_of(like)) names += (names.empty() ? "" : ", ") + kind.name;
  return family_of(like).empty() ? names + ", mutant:ID, decoy:ID" : names;
}

Controller* Dock::process(std::size_t which, const Gates& gates) {
  for (const Made& made : made_)
    if (made.process == which && made.gates == gates) return made.controller.get();
  while (makers_.size() <= which) makers_.push_back(kind_->open ? kind_->open() : kind_->make);
  return made_.emplace_back(Made{which, gates, makers_[which](gates)}).controller.get();
}

const KnownFields& Dock::known_fields() {
  if (known_) return *known_;
  known_ = ordeal::known_fields(kind_->name);
  if (!kind_->external) return *known_;
  try {
    known_->recreate &= process(0, Gates{})->acting(Gates{}).recreate;
  } catch (const std::exception&) {  // it breaks down: so do its trials, which say why
  }
  return *known_;
}

properties::TrialResult try_in(Dock& dock, properties::Court& court, const properties::Scenario& scenario,
                               properties::TrialOptions options) {
  properties::TrialResult result = court.try_scenario(scenario, dock, options);
  if (!result.breaches.empty()) return result;  // what was broken before it broke down
  const bool is_over = options.is_over != nullptr && (*options.is_over)();
  if (!dock.kind().external || result.verdict != properties::Verdict::inconclusive || is_over) return result;
  properties::TrialResult second = court.try_scenario(scenario, dock, options);
  const bool tells_nothing = second.verdict == properties::Verdict::inconclusive && second.breaches.empty();
  return tells_nothing ? result : second;
}

}  // namespace ordeal::fuzz
