#include "properties/trial/listeners.h"

#include <algorithm>
#include <bit>

namespace ordeal::properties {

On trigger_of(const Request& request) {
  const Verb verb = request.verb;
  if (verb == Verb::get) return on_get;
  if (verb == Verb::update_status) return on_write_status;
  if (verb == Verb::patch) return on_other_call;
  switch (request.kind) {
    case Kind::pod:
      if (verb == Verb::create) return on_create_pod;
      if (verb == Verb::update) return on_update_pod;
      if (verb == Verb::remove) return on_delete_pod;
      return on_patch_pod;
    case Kind::claim:
      if (verb == Verb::create) return on_create_claim;
      if (verb == Verb::update) return on_update_claim;
      if (verb == Verb::remove) return on_delete_claim;
      return on_other_call;
    case Kind::revision:
      if (verb == Verb::create) return on_create_revision;
      if (verb == Verb::update) return on_update_revision;
      if (verb == Verb::remove) return on_delete_revision;
      return on_patch_revision;
    case Kind::set: return on_other_call;
  }
  return on_other_call;
}

void Listeners::choose(const TrialOptions& options) {
  static_assert(std::ranges::all_of(catalogue, [](const Invariant& i) { return i.on >> trigger_count == 0; }),
                "every trigger has its listeners");
  const Wanted wanted{options.level, options.except, options.only, options.asks_all};
  if (chosen_for_ == wanted) return;
  chosen_for_ = wanted;
  for (std::vector<Listener>& listeners : by_trigger_) listeners.clear();
  const Promises asked = promises_at(wanted.level, wanted.except);
  for (std::size_t place = 0; place < catalogue.size(); ++place) {
    const Invariant& invariant = catalogue[place];
    if (wanted.only != nullptr ? wanted.only != &invariant : !asked.test(place)) continue;
    for (std::size_t bit = 0; bit < trigger_count; ++bit)
      if (invariant.on >> bit & 1u)
        by_trigger_[bit].push_back({invariant.check, place, wanted.asks_all ? 0 : invariant.given});
  }
}

std::span<const Listeners::Listener> Listeners::at(On trigger) const {
  return by_trigger_[static_cast<std::size_t>(std::countr_zero(static_cast<std::uint32_t>(trigger)))];
}

}  // namespace ordeal::properties
