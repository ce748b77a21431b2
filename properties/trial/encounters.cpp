#include "properties/trial/encounters.h"

#include <algorithm>
#include <array>

namespace ordeal::properties {

namespace {

struct Trait {
  std::string_view name;
  bool (*has)(const Facts&);
};
constexpr std::array<Trait, trait_count> traits = {{
    {"Parallel", [](const Facts& f) { return !f.ordered; }},
    {"OnDelete", [](const Facts& f) { return f.set->spec->strategy == Strategy::on_delete; }},
    {"Recreate", [](const Facts& f) { return f.set->spec->strategy == Strategy::recreate; }},
    {"no rollingUpdate", [](const Facts& f) { return !f.has_rolling_update; }},
    {"a partition", [](const Facts& f) { return f.partition > 0; }},
    {"maxUnavailable above 1", [](const Facts& f) { return f.budget.rounded_down > 1; }},
    {"minReadySeconds", [](const Facts& f) { return f.min_ready_seconds > 0; }},
    {"a first ordinal", [](const Facts& f) { return f.start > 0; }},
    {"claims", [](const Facts& f) { return !f.set->spec->claim_templates.empty(); }},
    {"whenScaled Delete",
     [](const Facts& f) { return f.set->spec->retention && f.set->spec->retention->when_scaled == Retention::remove; }},
}};

using Traits = std::bitset<trait_count>;
Traits traits_of(const Facts& facts) {
  Traits held;
  for (std::size_t i = 0; i < trait_count; ++i) held[i] = traits[i].has(facts);
  return held;
}

/// Of two traits, the first not after the second, in the order (0,0), (0,1), (1,1), (0,2), ...
constexpr std::size_t pair_of(std::size_t first, std::size_t second) { return second * (second + 1) / 2 + first; }

template <class Holds>
bool any(const Facts& facts, Holds holds) {
  return std::ranges::any_of(facts.slots, [&](const Slot& slot) { return slot.pod != nullptr && holds(*slot.pod); });
}

}  // namespace

Plight plight_of(const Facts& facts) {
  if (facts.deleting) return Plight::deleting;
  if (any(facts, Facts::terminal)) return Plight::ended;
  if (std::ranges::any_of(facts.slots, [](const Slot& slot) { return slot.pod == nullptr; })) return Plight::missing;
  if (any(facts, [](const Pod& pod) { return pod.meta.terminating(); })) return Plight::stopping;
  if (!facts.condemned.empty()) return Plight::surplus;
  if (any(facts, [](const Pod& pod) { return !Facts::running_and_ready(pod); })) return Plight::broken;
  if (any(facts, [&](const Pod& pod) { return !facts.available(pod); })) return Plight::young;
  if (any(facts, [&](const Pod& pod) { return facts.outdated(pod); })) return Plight::outdated;
  return Plight::none;
}

std::string_view name_of(Plight plight) {
  static constexpr std::array<std::string_view, plight_count> names = {
      "deleting", "ended", "missing", "stopping", "surplus", "broken", "young", "outdated", "no trouble"};
  return names[static_cast<std::size_t>(plight)];
}

std::string_view name_of_trait(std::size_t trait) { return traits[trait].name; }

std::size_t Encounters::of(Plight plight, Reason reason, Fault fault) {
  const auto row = static_cast<std::size_t>(plight) * reason_count + static_cast<std::size_t>(reason);
  return row * fault_count + static_cast<std::size_t>(fault);
}

std::size_t Encounters::of(std::size_t trait, std::size_t other, Reason reason) {
  const auto [first, second] = std::minmax(trait, other);
  return meetings + pair_of(first, second) * reason_count + static_cast<std::size_t>(reason);
}

void Encounters::note(const Facts& facts, const Sync& sync) {
  if (facts.set == nullptr || sync.calls.empty()) return;
  const Plight plight = plight_of(facts);
  const Traits held = traits_of(facts);
  for (const Call& call : sync.calls) {
    bits_.set(of(plight, call.request.reason, call.fault));
    for (std::size_t second = 0; second < trait_count; ++second)
      for (std::size_t first = 0; held[second] && first <= second; ++first)
        if (held[first]) bits_.set(of(first, second, call.request.reason));
  }
}

std::string Encounters::name_of(std::size_t bit) {
  std::string name;
  const auto add = [&](std::string_view word, std::string_view before = {}) { name.append(before).append(word); };
  if (bit < meetings) {
    add(properties::name_of(static_cast<Plight>(bit / fault_count / reason_count)));
    add(ordeal::name_of(static_cast<Reason>(bit / fault_count % reason_count)), ", ");
    add(properties::name_of(static_cast<Fault>(bit % fault_count)), ", ");
    return name;
  }
  const std::size_t pair = (bit - meetings) / reason_count;
  std::size_t second = 0;
  while (pair_of(0, second + 1) <= pair) ++second;
  const std::size_t first = pair - pair_of(0, second);
  add(name_of_trait(first));
  if (first != second) add(name_of_trait(second), " and ");
  add(ordeal::name_of(static_cast<Reason>((bit - meetings) % reason_count)), ", ");
  return name;
}

}  // namespace ordeal::properties
