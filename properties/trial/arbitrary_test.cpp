// Whatever a controller does, a trial ends with a verdict, and twice with the same: requests that make no sense, for
// objects that were never there, with numbers at the ends of their ranges, between turns of the reference, which gets
// the world somewhere.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>
#include <memory>

#include "core/controller/forwarding.h"
#include "properties/invariants/promise_test.h"
#include "properties/scenario/rapidcheck_bridge.h"
#include "properties/trial/relations.h"
#include "properties/trial/trial.h"

namespace ordeal::properties::testing {
namespace {

/// Draws requests: kinds and verbs at random, objects from what is shown, changed a little or much.
class Requests {
 public:
  explicit Requests(std::uint64_t seed) : choices_(seed) {}
  Choices& choices() { return choices_; }

  Request draw(const View& seen) {
    Request request;
    request.verb = static_cast<Verb>(choices_.up_to(static_cast<std::uint32_t>(Verb::patch)));
    request.kind = static_cast<Kind>(choices_.up_to(kind_count - 1));
    const bool of_status = request.kind == Kind::set && request.verb != Verb::get && request.verb != Verb::remove &&
                           request.verb != Verb::patch;
    if (of_status != (request.verb == Verb::update_status))
      request.verb = of_status ? Verb::update_status : Verb::update;
    request.reason = static_cast<Reason>(choices_.up_to(reason_count - 1));
    if (choices_.one_in(4)) request.grace = choices_.between(-1, 60);
    switch (request.kind) {
      case Kind::set: fill(request, seen.sets); break;
      case Kind::pod: fill(request, seen.pods); break;
      case Kind::claim: fill(request, seen.claims); break;
      case Kind::revision: fill(request, seen.revisions); break;
    }
    return request;
  }

 private:
  template <class T>
  void fill(Request& request, const Listing<T>& listing) {
    T object;
    if (!listing.all.empty() && !choices_.one_in(5))
      object = *listing.all[choices_.up_to(static_cast<std::uint32_t>(listing.all.size() - 1))];
    if (choices_.one_in(4)) object.meta.name = name();
    if (choices_.one_in(2)) request.version = object.meta.version;
    if (choices_.one_in(2)) request.uid = object.meta.uid;
    request.name = choices_.one_in(16) ? name() : object.meta.name;
    if (request.verb == Verb::patch_owners) request.body = owner_patch(object.meta);
    else if (request.verb == Verb::patch) request.body = patch();
    else if constexpr (std::is_same_v<T, StatefulSet>)
      request.body = changed(object.status);  // nothing more of a set is a controller's
    else request.body = changed(std::move(object));
  }

  Text name() {
    static constexpr std::array names = {
        "web", "web-0",      "web-1",      "web-01",          "web-9", "web-2147483647", "web-99999999999", "web-", "-",
        "x",   "data-web-0", "data-web-7", "elsewhere/web-0", "",      "web-0/"};
    return names[choices_.up_to(static_cast<std::uint32_t>(names.size() - 1))];
  }
  std::int32_t count() {
    static constexpr std::array counts = {
        0, 1, 3, -1, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min()};
    return counts[choices_.up_to(static_cast<std::uint32_t>(counts.size() - 1))];
  }

  void change(ObjectMeta& meta) {
    if (choices_.one_in(4)) meta.labels = nullptr;
    if (choices_.one_in(4)) meta.owners = nullptr;
    if (choices_.one_in(8)) meta.owners = std::make_shared<const Owners>(Owners{owner(meta)});
    if (choices_.one_in(8)) meta.annotations = std::make_shared<const StringMap>(StringMap{{"a", "b"}});
    if (choices_.one_in(8))
      meta.finalizers = std::make_shared<const std::vector<Text>>(std::vector<Text>{"example.org/hold"});
    if (choices_.one_in(16)) meta.uid = Uid{choices_.up_to(40)};
  }
  Pod changed(Pod pod) {
    change(pod.meta);
    if (choices_.one_in(8)) pod.volumes = nullptr;
    if (choices_.one_in(8)) pod.hostname = name();
    if (choices_.one_in(16)) pod.made_from = nullptr;
    return pod;
  }
  Claim changed(Claim claim) {
    change(claim.meta);
    if (choices_.one_in(8)) claim.spec = nullptr;
    return claim;
  }
  Revision changed(Revision revision) {
    change(revision.meta);
    if (choices_.one_in(2)) revision.number = choices_.one_in(2) ? count() : std::numeric_limits<std::int64_t>::max();
    if (choices_.one_in(8)) revision.data = {};
    return revision;
  }
  StatefulSetStatus changed(StatefulSetStatus status) {
    std::int32_t* const counts[] = {&status.replicas, &status.ready_replicas, &status.available_replicas,
                                    &status.current_replicas, &status.updated_replicas};
    for (std::int32_t* one : counts)
      if (choices_.one_in(3)) *one = count();
    if (choices_.one_in(2))
      status.replicas = std::max({*counts[0], *counts[1], *counts[2], *counts[3], *counts[4]});  // may be taken
    if (choices_.one_in(3))
      status.observed_generation = choices_.one_in(2) ? count() : std::numeric_limits<std::int64_t>::max();
    if (choices_.one_in(3)) status.collision_count = count();
    if (choices_.one_in(4)) status.current_revision = name();
    if (choices_.one_in(4)) status.update_revision = name();
    return status;
  }
  OwnerReference owner(const ObjectMeta& meta) {
    const bool known = meta.controller() != nullptr && !choices_.one_in(2);
    OwnerReference made =
        known ? *meta.controller() : OwnerReference{.api_version = "apps/v1", .kind = "StatefulSet", .name = name()};
    if (choices_.one_in(2)) made.uid = Uid{choices_.up_to(8)};
    made.controller = choices_.one_in(2);
    return made;
  }
  OwnerPatch owner_patch(const ObjectMeta& meta) {
    OwnerPatch made;
    if (choices_.one_in(2)) made.add = owner(meta);
    else if (!choices_.one_in(4)) made.remove = owner(meta).uid;
    if (choices_.one_in(2)) made.object_uid = meta.uid;
    return made;
  }
  Patch patch() {
    static const std::array documents = {
        Patch{PatchType::merge,
              std::make_shared<const std::string>(R"({"metadata":{"labels":{"app":null},"ownerReferences":[]}})")},
        Patch{PatchType::merge,
              std::make_shared<const std::string>(R"({"status":{"replicas":1},"revision":9223372036854775807})")},
        Patch{PatchType::operations, std::make_shared<const std::string>(
                                         R"([{"op":"move","from":"/metadata/ownerReferences","path":"/metadata/x"}])")},
        Patch{PatchType::operations, std::make_shared<const std::string>(R"([{"op":"remove","path":""}])")},
        Patch{PatchType::strategic, std::make_shared<const std::string>(
                                        R"({"metadata":{"ownerReferences":[{"$patch":"delete","uid":"7"}]}})")}};
    return documents[choices_.up_to(static_cast<std::uint32_t>(documents.size() - 1))];
  }

  Seeded choices_;
};

class Arbitrary final : public Forwarding {
 public:
  Arbitrary(const Gates& gates, std::uint64_t seed)
      : Forwarding(make_reference(strict_rules(), gates)), requests_(seed) {}
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    Choices& choices = requests_.choices();
    SyncResult result;
    if (!choices.one_in(3)) result = inner_.sync(key, seen, api, now);
    const std::uint32_t many = choices.up_to(3);
    for (std::uint32_t i = 0; i < many; ++i) api.call(requests_.draw(seen));
    if (choices.one_in(8))
      result = {
          .failed = true, .code = static_cast<Code>(choices.up_to(7)), .what = "so it wished", .requeue_after = {}};
    if (choices.one_in(8)) result.requeue_after = Time::seconds(choices.up_to(100));
    return result;
  }

 private:
  Requests requests_;
};

TEST(Arbitrary, WhateverAControllerDoesIsJudged) {
  Court court;
  std::size_t violated = 0;
  const bool fine = rc::check("a trial of anything ends with the same verdict twice", [&] {
    const Scenario scenario = *any_scenario(48);
    const std::uint64_t seed = *any_seed();
    const auto once = [&] {
      Arbitrary controller(scenario.environment.gates, seed);
      return court.try_scenario(scenario, controller, {.relations = relations(), .guards_inputs = true});
    };
    const TrialResult first = once(), second = once();
    RC_ASSERT(first.inconclusive == "");
    RC_ASSERT(first.verdict == second.verdict);
    RC_ASSERT(first.digest == second.digest);
    RC_ASSERT(first.breaches.size() == second.breaches.size());
    violated += first.verdict == Verdict::violated ? 1 : 0;
  });
  EXPECT_TRUE(fine);
  EXPECT_GT(violated, 90u) << "of a hundred";
}

}  // namespace
}  // namespace ordeal::properties::testing
