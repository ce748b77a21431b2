// Moments made by hand, for promises that no controller can break because the API server keeps them; and controllers
// that do something after each turn of the strict reference, for those that need more than one changed request.
#pragma once

#include <functional>
#include <utility>

#include "core/controller/forwarding.h"
#include "properties/evidence/facts.h"
#include "properties/evidence/history.h"
#include "properties/invariants/catalogue.h"
#include "properties/invariants/promise_test.h"

namespace ordeal::properties::testing {

/// Everything a moment points to. Fill in what the promise looks at, then ask.
struct ByHand {
  Cluster truth;
  Environment environment;
  History history;
  Facts facts;
  Sync sync;
  std::vector<Call> calls;
  Change<StatefulSet> set_change;
  Change<Pod> pod_change;
  Change<Claim> claim_change;
  Change<Revision> revision_change;

  Judgement ask(std::string_view id) {
    Moment m{.truth = truth, .environment = environment, .history = history};
    sync.calls = calls;
    facts.work_out(sync, environment.gates);
    m.sync = &sync;
    m.facts = &facts;
    m.call = calls.empty() ? nullptr : &calls.back();
    const std::uint32_t on = find_invariant(id)->on;
    if (on & on_change_set) m.set_change = &set_change;
    if (on & on_change_pod) m.pod_change = &pod_change;
    if (on & on_change_claim) m.claim_change = &claim_change;
    if (on & on_change_revision) m.revision_change = &revision_change;
    return find_invariant(id)->check(m);
  }
  bool holds(std::string_view id) {
    const Judgement judgement = ask(id);
    return judgement.applied() && judgement.violation() == nullptr;
  }
  bool breaks(std::string_view id) { return ask(id).violation() != nullptr; }
};

/// The strict reference, and after each of its turns something more.
class Followed final : public Forwarding {
 public:
  using Then = std::function<void(const View&, Api&, SyncResult&)>;
  explicit Followed(Then then) : Forwarding(make_reference(strict_rules(), {})), then_(std::move(then)) {}
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    SyncResult result = inner_.sync(key, seen, api, now);
    then_(seen, api, result);
    return result;
  }
  std::string_view name() const override { return "followed"; }

 private:
  Then then_;
};

/// The strict reference, but where it would fail it succeeds, and asks to come again after this time, if any.
inline Followed coming_again_instead_of_failing(std::optional<Time> wait) {
  return Followed([wait](const View&, Api&, SyncResult& result) {
    if (!result.failed) return;
    result = {};
    result.requeue_after = wait;
  });
}

/// Does nothing while a claim of the namespace is leaving, whoever's, and ends its turn so.
class StoppedByAClaim final : public Forwarding {
 public:
  explicit StoppedByAClaim(SyncResult end) : Forwarding(make_reference(strict_rules(), {})), end_(std::move(end)) {}
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    const auto leaves = [](const Claim* claim) { return claim->meta.terminating(); };
    return std::ranges::any_of(seen.claims.all, leaves) ? end_ : inner_.sync(key, seen, api, now);
  }
  std::string_view name() const override { return "stopped by a claim"; }

 private:
  SyncResult end_;
};

/// The reference keeps the promise, which applied; with `then` after each turn it is broken.
inline void expect_broken_by(std::string_view id, const Scenario& scenario, Controller& spoiled) {
  SCOPED_TRACE(id);
  const auto reference = make_reference(strict_rules(), scenario.environment.gates);
  const Tried good = try_by_hand(scenario, *reference);
  EXPECT_TRUE(good.applied(id)) << "the promise never applied";
  EXPECT_FALSE(good.broke(id)) << good.why(id);
  EXPECT_TRUE(try_by_hand(scenario, spoiled).broke(id)) << "nobody noticed";
}

// --- requests about other kinds ----------------------------------------------------------------------------------------

inline Request request_of(Verb verb, Kind kind, std::string_view name) {
  Request request;
  request.verb = verb;
  request.kind = kind;
  request.name = name;
  return request;
}
inline const Edit& forwarding() {
  static const Edit edit = [](Request request, const View&, Api& api) { return api.call(std::move(request)); };
  return edit;
}
inline Request put_claim(const Claim& claim, Owners owners) {
  Request request = request_of(Verb::update, Kind::claim, claim.meta.name);
  Claim changed = claim;
  changed.meta.owners = std::make_shared<const Owners>(std::move(owners));
  request.body = std::move(changed);
  return request;
}
inline Request put_status(const StatefulSet& set, StatefulSetStatus status) {
  Request request = request_of(Verb::update_status, Kind::set, set.meta.name);
  request.body = std::move(status);
  return request;
}
inline Request patch_owner(Kind kind, const ObjectMeta& object, OwnerPatch patch) {
  Request request = request_of(Verb::patch_owners, kind, object.name);
  patch.object_uid = object.uid;
  request.body = std::move(patch);
  return request;
}
inline OwnerReference owned_by_set(const StatefulSet& set) {
  return {"apps/v1", "StatefulSet", set.meta.name, set.meta.uid, true, true};
}
inline OwnerReference owned_by_pod(const Pod& pod, bool controller = true) {
  return {"v1", "Pod", pod.meta.name, pod.meta.uid, controller, true};
}
inline Edit changing_status(std::function<void(StatefulSetStatus&, const View&)> change) {
  return changing(Verb::update_status, Kind::set,
                  [=](Request& request, const View& seen) { change(std::get<StatefulSetStatus>(request.body), seen); });
}
inline Edit changing_new_revisions(std::function<void(Revision&)> change) {
  return changing(Verb::create, Kind::revision,
                  [=](Request& request, const View&) { change(std::get<Revision>(request.body)); });
}

}  // namespace ordeal::properties::testing
