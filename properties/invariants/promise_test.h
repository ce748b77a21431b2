// How a family is tested: each promise with a trace that keeps it and one that breaks it.
//
// A case is a scenario and a way to spoil the strict reference. The reference must keep the promise, and the promise
// must have applied; the spoiled one must break it. So "all is well but for one thing" is one line.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/names.h"
#include "properties/invariants/invariant.h"
#include "properties/trial/hand_made.h"

namespace ordeal::properties::testing {

using Edit = Tampered::Edit;

struct Case {
  std::string_view id;
  Scenario scenario;
  Edit spoil;
};

inline void expect_kept_and_breakable(const Case& c) {
  SCOPED_TRACE(c.id);
  const auto reference = make_reference(strict_rules(), c.scenario.environment.gates);
  const Tried good = try_by_hand(c.scenario, *reference);
  EXPECT_TRUE(good.applied(c.id)) << "the promise never applied";
  EXPECT_FALSE(good.broke(c.id)) << good.why(c.id);
  Tampered spoiled(c.spoil, c.scenario.environment.gates);
  EXPECT_TRUE(try_by_hand(c.scenario, spoiled).broke(c.id)) << "nobody noticed";
}

/// Every promise of the family has a case, or is named in `elsewhere`.
inline void expect_all_covered(std::span<const Invariant> family, std::span<const Case> cases,
                               std::set<std::string_view> elsewhere = {}) {
  for (const Case& c : cases) elsewhere.insert(c.id);
  for (const Invariant& i : family) EXPECT_TRUE(elsewhere.contains(i.id)) << i.id << " is not tested";
}

// --- steps ----------------------------------------------------------------------------------------------------------

inline Step step(StepKind kind, std::int32_t a = 0, std::int32_t b = 0) { return {kind, 0, a, b}; }
inline Step at_call(int call, StepKind kind, std::int32_t a = 0, std::int32_t b = 0) {
  return {kind, static_cast<std::uint8_t>(call), a, b};
}
inline const Step settle = step(StepKind::settle), deliver = step(StepKind::deliver_all), sync = step(StepKind::sync);
inline const Step a_call_fails = at_call(1, StepKind::fault, static_cast<std::int32_t>(Fault::conflict));

/// Of a spec: its pods have a claim each.
constexpr const char* one_claim =
    "\nvolumeClaimTemplates:\n- metadata:\n    name: data\n  spec:\n    accessModes: [ReadWriteOnce]\n    resources:\n"
    "      requests:\n        storage: 1Gi";

/// A pod of a set that had come to rest is gone, and its claim is leaving, but held: turns fail for it, and ask
/// nothing.
inline Scenario with_a_leaving_claim(std::string_view spec, std::vector<Step> then, int ordinal = 0) {
  std::vector<Step> steps{settle, step(StepKind::edit_claim, ordinal, static_cast<int>(ClaimEdit::hold)),
                          step(StepKind::delete_claim, ordinal), step(StepKind::force_delete_pod, ordinal), deliver};
  steps.insert(steps.end(), then.begin(), then.end());
  return hand_made(std::string(spec) + one_claim, std::move(steps));
}

inline Scenario with_gate_off(Scenario scenario) {
  scenario.environment.gates.max_unavailable = false;
  return scenario;
}

// --- ways to spoil a controller -------------------------------------------------------------------------------------

/// Changes what is asked for by one kind of request.
inline Edit changing(Verb verb, Kind kind, std::function<void(Request&, const View&)> change) {
  return [=](Request request, const View& seen, Api& api) {
    if (request.verb == verb && request.kind == kind) change(request, seen);
    return api.call(std::move(request));
  };
}
inline Edit changing_new_pods(std::function<void(Pod&, const View&)> change) {
  return changing(Verb::create, Kind::pod,
                  [=](Request& request, const View& seen) { change(std::get<Pod>(request.body), seen); });
}
/// Asks for something more, before a request of this kind is forwarded.
inline Edit adding(Verb verb, Kind kind, std::function<void(const Request&, const View&, Api&)> add) {
  return [=](Request request, const View& seen, Api& api) {
    if (request.verb == verb && request.kind == kind) add(request, seen, api);
    return api.call(std::move(request));
  };
}
/// The same with every status the controller writes: its only call when it waits.
inline Edit when_writing_status(std::function<void(const View&, Api&)> add) {
  return adding(Verb::update_status, Kind::set, [=](const Request&, const View& seen, Api& api) { add(seen, api); });
}
/// Pretends that requests were carried out, when `which` says so.
inline Edit swallowing(Verb verb, Kind kind, std::function<bool(const Request&, const View&)> which) {
  return [=](Request request, const View& seen, Api& api) {
    if (request.verb == verb && request.kind == kind && which(request, seen)) return Reply{};
    return api.call(std::move(request));
  };
}
inline Edit swallowing(Verb verb, Kind kind, std::string name) {
  return swallowing(verb, kind, [=](const Request& request, const View&) { return request.name == name; });
}

/// So spoilt, and each turn that succeeds asks for another one.
class ComingAgain final : public Forwarding {
 public:
  ComingAgain(Time wait, Edit how) : Forwarding(std::make_unique<Tampered>(std::move(how))), wait_(wait) {}
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    SyncResult result = inner_.sync(key, seen, api, now);
    if (!result.failed) result.requeue_after = wait_;
    return result;
  }
  std::string_view name() const override { return "coming again"; }

 private:
  Time wait_;
};

// --- what they ask for ----------------------------------------------------------------------------------------------

inline void rename(Request& request, std::string_view name) {
  request.name = name;
  if (auto* pod = std::get_if<Pod>(&request.body)) pod->meta.name = name;
}
inline Request renamed(Request request, std::string_view name) {
  rename(request, name);
  return request;
}
inline void set_label(Pod& pod, const Text& key, std::string_view value) {
  StringMap labels = pod.meta.labels ? *pod.meta.labels : StringMap{};
  labels.set(key, value);
  pod.meta.labels = std::make_shared<const StringMap>(std::move(labels));
}
inline void drop_label(Pod& pod, const Text& key) {
  StringMap labels = *pod.meta.labels;
  labels.erase(key);
  pod.meta.labels = std::make_shared<const StringMap>(std::move(labels));
}
inline Request request_about(std::string_view pod, Verb verb) {
  Request request;
  request.verb = verb;
  request.kind = Kind::pod;
  request.name = pod;
  return request;
}
/// A creation of another pod like this one.
inline Request create_like(const Pod& pod, std::string_view name) {
  Request request = request_about(name, Verb::create);
  Pod made;
  made.meta.name = name;
  made.meta.ns = pod.meta.ns;
  made.meta.labels = pod.meta.labels;
  made.meta.owners = pod.meta.owners;
  made.made_from = pod.made_from;
  request.body = std::move(made);
  return request;
}
/// The deletion of a pod as shown; of its very incarnation when there is one.
inline Request remove_pod(const View& seen, std::string_view name) {
  Request request = request_about(name, Verb::remove);
  if (const Pod* pod = seen.pods.find(request.name)) request.uid = pod->meta.uid;
  return request;
}
inline const Pod* pod_in(const View& seen, std::string_view name) { return seen.pods.find(Text(name)); }
inline const StatefulSet& set_in(const View& seen) { return *seen.sets.all.front(); }
/// Turns of a set whose pods are not shown anew between the last two, without the gate that would have it wait.
inline Scenario with_pods_unseen(std::string_view spec, std::vector<Step> before) {
  for (const Kind kind : {Kind::set, Kind::revision})
    before.push_back(step(StepKind::deliver, static_cast<int>(kind), 9));
  before.push_back(step(StepKind::sync));
  Scenario scenario = hand_made(spec, std::move(before));
  scenario.environment.gates.stale_guard = false;
  return scenario;
}
/// Once it has told of the newest spec, what was asked of one pod is asked of the next: the first is remembered.
inline Edit remembering(Verb verb, std::string_view first, std::string_view next) {
  return [=](Request request, const View& seen, Api& api) {
    const StatefulSet& set = set_in(seen);
    const bool again = request.verb == verb && request.kind == Kind::pod && request.name == first &&
                       set.status.observed_generation == set.meta.generation;
    if (!again) return api.call(std::move(request));
    if (verb == Verb::remove) return api.call(remove_pod(seen, next));
    return api.call(renamed(std::move(request), next));
  };
}
inline bool is_updated(const View& seen, std::string_view name) {
  const Pod* pod = pod_in(seen, name);
  return pod != nullptr && pod->meta.label(label_revision) != nullptr &&
         *pod->meta.label(label_revision) == set_in(seen).status.update_revision;
}

}  // namespace ordeal::properties::testing
