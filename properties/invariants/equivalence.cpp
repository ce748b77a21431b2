#include "properties/invariants/equivalence.h"

#include <algorithm>

#include "properties/evidence/outcome.h"
#include "properties/invariants/words.h"

namespace ordeal::properties::equivalence {
namespace {

/// Equal specs, whatever the management policy.
bool want_the_same(const Outcome& one, const Outcome& other) {
  if (one.spec->pod_management == other.spec->pod_management) return *one.spec == *other.spec;
  StatefulSetSpec alike = *other.spec;
  alike.pod_management = one.spec->pod_management;
  return *one.spec == alike;
}
bool comparable(const Outcome& one, const Outcome& other) {
  return one.whole && other.whole && want_the_same(one, other);
}

std::string said_of(const Outcome::ClaimLeft& claim) {
  if (!claim.of_set && !claim.of_pod) return "has no owner of the set's";
  return claim.of_set && claim.of_pod ? "belongs to set and pod"
         : claim.of_set               ? "belongs to the set"
                                      : "belongs to its pod";
}

/// What the second place differs in, or an empty string.
std::string differs(const Outcome::Place& one, const Outcome::Place& other) {
  if (one.pod != other.pod) return words("pod ", one.pod, " became ", other.pod);
  if (one.settled_by_spec && !one.revision.is_like(other.revision))
    return words("pod ", one.pod, " is at ", one.revision.name, " one way and at ", other.revision.name, " the other");
  if (one.settled_by_spec && !same(one.made_from, other.made_from))
    return words("pod ", one.pod, " is made from another template the other way");
  for (std::size_t i = 0; i < one.claims.size() && i < other.claims.size(); ++i)
    if (one.claims[i].there && other.claims[i].there && one.claims[i] != other.claims[i])
      return words("claim ", one.claims[i].name, " ", said_of(one.claims[i]), " one way and ", said_of(other.claims[i]),
                   " the other");
  return {};
}

struct Count {
  std::string_view name;
  std::int32_t StatefulSetStatus::* value;
};
constexpr std::array counts{Count{"replicas", &StatefulSetStatus::replicas},
                            Count{"readyReplicas", &StatefulSetStatus::ready_replicas},
                            Count{"availableReplicas", &StatefulSetStatus::available_replicas},
                            Count{"updatedReplicas", &StatefulSetStatus::updated_replicas}};

std::string differs(const StatefulSetStatus& one, const StatefulSetStatus& other, bool all_settled) {
  for (const Count& count : counts) {
    if (count.value == &StatefulSetStatus::updated_replicas && !all_settled) continue;
    if (one.*count.value != other.*count.value)
      return words("status.", count.name, " is ", one.*count.value, " one way and ", other.*count.value, " the other");
  }
  return {};
}

std::string first_difference(const Outcome& one, const Outcome& other) {
  for (std::size_t i = 0; i < one.places.size() && i < other.places.size(); ++i)
    if (std::string found = differs(one.places[i], other.places[i]); !found.empty()) return found;
  if (!one.update_revision.is_like(other.update_revision))
    return words("status.updateRevision is ", one.update_revision.name, " one way and ", other.update_revision.name,
                 " the other");
  return differs(one.status, other.status, std::ranges::all_of(one.places, &Outcome::Place::settled_by_spec));
}

Judgement end_alike(const Moment& m, std::string_view other_way) {
  const TwinOutcomes& twins = *m.twins;
  if (!comparable(twins.one, twins.other)) return Judgement::not_applicable();
  std::string found = first_difference(twins.one, twins.other);
  return found.empty() ? Judgement::held() : Judgement::broken(std::move(found), {words("the other way: ", other_way)});
}

}  // namespace

Judgement rollback(const Moment& m) {
  return end_alike(m, "the last template is followed by another one and given again");
}
Judgement order_of_edits(const Moment& m) { return end_alike(m, "the edits are made one by one, the last one first"); }
Judgement management_policies(const Moment& m) { return end_alike(m, "the other podManagementPolicy"); }
Judgement crashes(const Moment& m) {
  return end_alike(m, "in each settle and sync the controller dies at its first, second, ... fifth request");
}
Judgement lost_replies(const Moment& m) {
  return end_alike(m, "in each settle and sync the first, second, ... fifth request times out");
}

Judgement list_order(const Moment& m) {
  const TwinOutcomes& twins = *m.twins;
  if (twins.one.requests != twins.other.requests)
    return Judgement::broken("with lists in another order other requests are made",
                             {words("writes: ", twins.one.writes, " and ", twins.other.writes)});
  return end_alike(m, "lists are in another order");
}

Judgement resync(const Moment& m) {
  const TwinOutcomes& twins = *m.twins;
  if (comparable(twins.one, twins.other) && twins.one.writes != twins.other.writes)
    return Judgement::broken(
        words("it takes ", twins.one.writes, " writes one way and ", twins.other.writes, " the other"),
        {"the other way: each settle is followed by new lists and a turn"});
  return end_alike(m, "each settle is followed by new lists and a turn");
}

}  // namespace ordeal::properties::equivalence
