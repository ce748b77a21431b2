// Claims of one pod: there before it, and owned as the retention policy says. semantics.md 6.6, 8.
//
// A quiet sync builds no name: a pod that has its volumes names its claims already.
#include <algorithm>

#include "core/controller/decisions.h"
#include "core/controller/phases.h"

namespace ordeal {

namespace {

RetentionPolicy policy_of(const StatefulSet& set) { return set.spec->retention.value_or(RetentionPolicy{}); }

}  // namespace

/// All claims of the pod are tried, even after a failure.
Next Phases::provide_claims(const PodState& place, Reason reason) {
  if (rules_.shares_claim_labels && !ordered_) write_shared_labels();
  Next outcome = Next::go_on;
  for (const ClaimTemplate& from : set_->spec->claim_templates)
    if (provide_claim(from, name_of_claim(from, place), place.pod, reason) == Next::fail) outcome = Next::fail;
  return outcome;
}

/// Written through a map that the template already has: threads would do it at the same time.
void Phases::write_shared_labels() {
  const auto has_labels = [](const ClaimTemplate& from) { return !from.labels.empty(); };
  if (set_->spec->selector.match_labels.empty() || !std::ranges::any_of(set_->spec->claim_templates, has_labels))
    return;
  label_writers_raced_ |= ++label_writers_ > 1;
}

Next Phases::provide_claim(const ClaimTemplate& from, const Text& name, const Pod* pod, Reason reason) {
  if (const Claim* held = seen_->claims.find(name))
    return rules_.claim_is_usable(*held, pod) ? Next::go_on : fail(Code::ok, "a claim is being deleted");
  Request request = request_for(Verb::create, Kind::claim, reason, name);
  request.body = rules_.build_claim(*set_, from, name);
  const Code reply = call(std::move(request)).code;
  return reply == Code::ok ? Next::go_on : fail(reply, "a claim could not be created");
}

Next Phases::retain_claims(const PodState& state, Uid pod) {
  const Code code = write_claim_owners(state, pod);
  return code == Code::ok ? Next::go_on : fail(code, "the owners of a claim could not be written");
}

bool Phases::dies_of_claims() const { return rules_.dies_without_policy && !set_->spec->retention; }

/// Up to the first that is refused, with its code. Claims that the cache does not show yet get their owners in a later
/// sync.
Code Phases::write_claim_owners(const PodState& state, Uid pod) {
  const Text name = name_for_claims(state);
  const ClaimSide side = side_of(state, name, pod);
  for (const ClaimTemplate& from : set_->spec->claim_templates) {
    const Claim* held = seen_->claims.find(name_of_claim(from, state));
    if (held != nullptr && dies_of_claims()) throw ControllerDied{};
    if (held == nullptr || rules_.claim_is_right(claim_cache_.owners(*held), side, rules_)) continue;
    Claim owned = *held;
    owned.meta.owners = std::make_shared<const Owners>(rules_.claim_owners(claim_cache_.owners(*held), side, rules_));
    if (rules_.writes_into_cache) claim_cache_.write(*held, owned.meta.owners);
    Request request = request_for(Verb::update, Kind::claim, Reason::retain_claim, held->meta.name);
    request.body = std::move(owned);
    request.version = held->meta.version;
    request.uid = held->meta.uid;
    if (const Code reply = call(std::move(request)).code; reply != Code::ok) return reply;
  }
  return Code::ok;
}

/// A claim that still belongs to an earlier pod of this name is about to be collected.
bool Phases::waits_for_collector(const PodState& place) {
  const auto& templates = set_->spec->claim_templates;
  if (templates.empty()) return false;
  const Text name = pod_name(set_->meta.name, place.ordinal);
  const ClaimSide side = side_of(place, name, Uid::none);
  return std::any_of(templates.begin(), templates.end(), [&](const ClaimTemplate& from) {
    const Claim* held = seen_->claims.find(name_of_claim(from, place));
    return held != nullptr && rules_.claim_is_stale(claim_cache_.owners(*held), side);
  });
}

/// The name as a volume of the pod has it, else built; valid until the next call.
const Text& Phases::name_of_claim(const ClaimTemplate& from, const PodState& state) {
  if (state.pod != nullptr && state.pod->volumes != nullptr)
    for (const Volume& volume : *state.pod->volumes)
      if (volume.name == from.name && decide::is_claim_name(volume.claim, from.name, set_->meta.name, state.ordinal))
        return volume.claim;
  built_name_ = claim_name(from.name, set_->meta.name, state.ordinal);
  return built_name_;
}

/// A pod of the range has been given its right name, to be written, before its claims are looked at: web-07 goes by
/// web-7.
Text Phases::name_for_claims(const PodState& state) const {
  const bool as_it_is = state.pod != nullptr && (state.named || !state.in_range);
  return as_it_is ? state.pod->meta.name : pod_name(set_->meta.name, state.ordinal);
}

/// By start and replicas alone a pod behind reserved ordinals is a surplus one, and a reserved one is none.
bool Phases::is_in_range_for_claims(const PodState& state) const {
  if (rules_.claims_pass_over_reserved) return state.in_range;
  StatefulSetSpec unreserved = *set_->spec;
  unreserved.reserve_ordinals.clear();
  return unreserved.covers(state.ordinal);
}

ClaimSide Phases::side_of(const PodState& state, const Text& pod_name, Uid pod) const {
  return {set_->meta.name, set_->meta.uid, pod_name, pod, policy_of(*set_), is_in_range_for_claims(state)};
}

}  // namespace ordeal
