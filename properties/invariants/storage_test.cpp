#include "properties/invariants/storage.h"

#include "core/controller/decisions.h"
#include "core/controller/rules_table.h"
#include "properties/evidence/claims.h"
#include "properties/invariants/moment_test.h"

namespace ordeal::properties::testing {
namespace {

const Step edit = step(StepKind::edit_template, 1);
Step scale(std::int32_t replicas) { return step(StepKind::scale, replicas); }
constexpr const char* when_deleted = "\npersistentVolumeClaimRetentionPolicy:\n  whenDeleted: Delete";
constexpr const char* when_scaled = "\npersistentVolumeClaimRetentionPolicy:\n  whenScaled: Delete";

Scenario with_claims(std::string more, std::vector<Step> steps) {
  return hand_made(
      "replicas: 2\nvolumeClaimTemplates:\n- metadata:\n    name: data\n    labels:\n      disk: fast\n    annotations:\n      backup: \"no\"\n  spec:\n"
      "    accessModes: [ReadWriteOnce]\n    resources:\n      requests:\n        storage: 1Gi" +
          more,
      std::move(steps));
}
const Claim* claim_in(const View& seen, std::string_view name) { return seen.claims.find(Text(name)); }
Request create_claim(const View& seen, std::string_view name) {
  Request request = request_of(Verb::create, Kind::claim, name);
  Claim made = *seen.claims.all.front();
  made.meta = ObjectMeta{};
  made.meta.name = name;
  made.meta.ns = set_in(seen).meta.ns;
  request.body = std::move(made);
  return request;
}
Edit creating_pod_when_missing(std::string name) {
  return when_writing_status([=](const View& seen, Api& api) {
    if (!pod_in(seen, name) && claim_in(seen, "data-" + name) && set_in(seen).status.observed_generation > 0)
      api.call(create_like(*seen.pods.all.front(), name));
  });
}
/// The claims of both pods, before there is any.
Edit providing_all_first() {
  return [](Request request, const View&, Api& api) {
    if (request.verb != Verb::create || request.name != "data-web-0") return api.call(std::move(request));
    Request other = request;
    other.name = std::get<Claim>(other.body).meta.name = "data-web-1";
    api.call(std::move(other));
    return api.call(std::move(request));
  };
}
Edit changing_new_claims(std::function<void(Claim&)> change) {
  return changing(Verb::create, Kind::claim, [=](Request& r, const View&) { change(std::get<Claim>(r.body)); });
}
Edit changing_claims(std::function<void(Claim&)> change) {
  return changing(Verb::update, Kind::claim, [=](Request& r, const View&) { change(std::get<Claim>(r.body)); });
}
void with_no_owners(Claim& claim) { claim.meta.owners.reset(); }
void with_foreign_owner(Claim& claim) {
  claim.meta.owners = std::make_shared<const Owners>(Owners{{"v1", "ConfigMap", "other", Uid{77}, false, false}});
}
/// Makes a pod the owner of its claim before it is deleted, whatever the policy.
Edit binding_claim_to_pod(std::string pod) {
  return adding(Verb::remove, Kind::pod, [=](const Request&, const View& seen, Api& api) {
    const Claim* claim = claim_in(seen, "data-" + pod);
    if (claim && pod_in(seen, pod)) api.call(put_claim(*claim, {owned_by_pod(*pod_in(seen, pod))}));
  });
}
Edit touching_claim(std::string name, std::function<bool(const Claim&)> when, bool add_set) {
  return when_writing_status([=](const View& seen, Api& api) {
    const Claim* claim = claim_in(seen, name);
    if (!claim || !when(*claim)) return;
    Owners owners = claim->meta.owners ? *claim->meta.owners : Owners{};
    if (add_set) owners.push_back({"apps/v1", "StatefulSet", "web", set_in(seen).meta.uid, false, false});
    api.call(put_claim(*claim, std::move(owners)));
  });
}
Edit never_marking() {
  return swallowing(Verb::update, Kind::claim, [](const Request&, const View&) { return true; });
}
/// That a claim's name is taken is as good as that the claim was made.
Edit taking_refusals_for_creations() {
  return [](Request request, const View&, Api& api) {
    const bool claim = request.verb == Verb::create && request.kind == Kind::claim;
    Reply reply = api.call(std::move(request));
    if (claim && reply.code == Code::already_exists) reply.code = Code::ok;
    return reply;
  };
}
/// Reads the claim that is there already, and takes it, whatever the answer says of it.
Edit reading_refused_claims() {
  return [](Request request, const View&, Api& api) {
    const Request made = request;
    Reply reply = api.call(std::move(request));
    if (made.verb != Verb::create || made.kind != Kind::claim || reply.code != Code::already_exists) return reply;
    api.call(request_of(Verb::get, Kind::claim, made.name.view()));
    return Reply{};
  };
}
bool has_owner(const Claim& claim) { return claim.meta.owners && !claim.meta.owners->empty(); }

std::vector<Case> cases() {
  const Scenario plain = with_claims("", {settle}),
                 owned = with_claims("", {settle, step(StepKind::set_retention, 1, 0), settle}),
                 owned_while_unwell =
                     with_claims("", {settle, step(StepKind::make_unready, 0), step(StepKind::set_retention, 1, 0),
                                      deliver, sync, deliver, sync}),
                 owned_meanwhile =
                     with_claims("", {settle, step(StepKind::set_retention, 1, 0), deliver,
                                      at_call(0, StepKind::add_claim_owner, 0, static_cast<int>(ClaimOwner::bystander)),
                                      sync, settle});
  const Scenario enlarged =
      with_claims("", {settle, step(StepKind::edit_claim, 0, static_cast<int>(ClaimEdit::enlarge)),
                       step(StepKind::set_retention, 1, 0), settle});
  const auto owning_no_claims = [](Request request, const View&, Api& api) {
    if (auto* claim = std::get_if<Claim>(&request.body)) with_no_owners(*claim);
    return api.call(std::move(request));
  };
  const Scenario gone = with_claims(when_deleted, {settle, step(StepKind::delete_set, 0), settle});
  const Scenario gone_before_a_neighbour =
      with_claims(when_deleted, {step(StepKind::apply_neighbour, 0, 0), settle, step(StepKind::delete_set, 0), settle});
  const Scenario down = with_claims(when_scaled, {settle, scale(1), settle}),
                 none = with_claims(when_scaled, {settle, scale(0), settle});
  const Scenario surplus_for_a_moment =
      with_claims(when_scaled, {settle, scale(3), settle, scale(1), deliver, sync, scale(3),
                                step(StepKind::fail_pod, 1), deliver, sync, settle});
  const Scenario surplus_then_outdated =
      with_claims(when_scaled, {settle, scale(3), settle, scale(1), deliver, sync, scale(3), settle, edit, settle});
  const Scenario of_an_operator = hand_made(
      "replicas: 2\nvolumeClaimTemplates:\n- metadata:\n    name: data\n    finalizers: [example.org/backed-up]\n"
      "    ownerReferences: [{apiVersion: example.org/v1, kind: Store, name: store, uid: a}]\n"
      "  spec:\n    accessModes: [ReadWriteOnce]\n    resources: {requests: {storage: 1Gi}}",
      {settle});
  const Scenario unseen = with_claims("", {deliver, step(StepKind::add_claim, 0), sync, settle});
  const Scenario dying =
      with_claims("", {settle, step(StepKind::delete_claim, 0), deliver, step(StepKind::delete_pod, 0),
                       step(StepKind::stop_pod, 0), deliver, sync, settle});
  const Scenario dying_unseen = with_claims(
      "", {deliver, step(StepKind::add_claim, 0), step(StepKind::edit_claim, 0, static_cast<int>(ClaimEdit::hold)),
           step(StepKind::delete_claim, 0), sync, settle});
  const Scenario stale =
      with_claims(when_scaled, {settle, scale(1), deliver, sync, deliver, sync, step(StepKind::stop_pod, 1), deliver,
                                scale(2), deliver, sync, settle});
  const Scenario retained_by_now =
      with_claims(when_scaled, {settle, scale(1), deliver, sync, deliver, sync, step(StepKind::stop_pod, 1), deliver,
                                step(StepKind::set_retention, 0, 0), scale(2), deliver, sync, settle});
  const Scenario pending =
      with_claims("", {deliver, sync, deliver, step(StepKind::delete_claim, 0), deliver, sync, settle});
  const Scenario unstarted =
      with_claims("", {deliver, sync, deliver, step(StepKind::set_retention, 1, 0), deliver, sync, settle});
  const Scenario replaced =
      with_claims("", {deliver, sync, deliver, step(StepKind::delete_claim, 0), settle, edit, settle});
  const Scenario retained = with_claims("", {settle, scale(1), deliver, sync, step(StepKind::stop_pod, 1),
                                             step(StepKind::collect), settle, step(StepKind::delete_claim, 1), settle});
  const Scenario again = with_claims(
      when_deleted, {settle, step(StepKind::set_retention, 0, 0), settle, step(StepKind::set_retention, 1, 0), settle,
                     step(StepKind::delete_set, 0), step(StepKind::create_set), deliver, sync, settle});
  const Scenario earlier =
      with_claims(when_deleted, {settle, step(StepKind::delete_set, 0), step(StepKind::force_delete_pod, 0),
                                 step(StepKind::create_set), deliver, sync, settle});
  const Scenario taken = with_claims(when_deleted, {settle, step(StepKind::own_claim, 0), scale(3), settle});
  const Scenario strange = with_claims(
      "", {settle, step(StepKind::add_pod, 4, static_cast<int>(ForeignPod::other_claims)), scale(5), settle});
  return {
      {"storage.claims-before-pod", plain, swallowing(Verb::create, Kind::claim, "data-web-1")},
      {"storage.no-pod-on-unseen-claim", unseen, taking_refusals_for_creations()},
      {"storage.no-pod-on-dying-claim", dying, creating_pod_when_missing("web-0")},
      {"storage.no-pod-on-dying-claim", dying_unseen, reading_refused_claims()},
      {"storage.no-pod-on-stale-claim", stale, creating_pod_when_missing("web-1")},
      {"storage.no-pod-on-claim-of-earlier-pod", retained_by_now, creating_pod_when_missing("web-1")},
      {"storage.no-pod-on-claim-of-earlier-set", earlier, when_writing_status([](const View& seen, Api& api) {
         const bool left_behind = claim_in(seen, "data-web-0") && !pod_in(seen, "web-0") && !seen.pods.all.empty();
         if (left_behind) api.call(create_like(*seen.pods.all.front(), "web-0"));
       })},
      {"storage.claims-follow-policy",  // web-1 is wanted again before it has gone
       with_claims(std::string(when_scaled) + "\npodManagementPolicy: Parallel",
                   {settle, scale(1), deliver, sync, deliver, scale(2), deliver, sync}),
       swallowing(Verb::update, Kind::claim,
                  [](const Request& request, const View& seen) {
                    return request.name == "data-web-1" && *set_in(seen).spec->replicas == 2;
                  })},
      {"storage.never-deletes-claims", plain, when_writing_status([](const View&, Api& api) {
         api.call(request_of(Verb::remove, Kind::claim, "data-web-0"));
       })},
      {"storage.never-deletes-claims", enlarged,
       when_writing_status([](const View& seen, Api& api) {  // to make it as its template says
         const Claim* held = claim_in(seen, "data-web-0");
         if (held != nullptr && held->spec->find("1Ti") != std::string::npos)
           api.call(request_of(Verb::remove, Kind::claim, "data-web-0"));
       })},
      {"storage.existing-claim-is-used", plain,
       adding(Verb::create, Kind::pod,
              [](const Request&, const View& seen, Api& api) {
                if (claim_in(seen, "data-web-0")) api.call(create_claim(seen, "data-web-0"));
              })},
      {"storage.claims-only-for-pods", plain,
       adding(Verb::create, Kind::pod,
              [](const Request&, const View& seen, Api& api) {
                if (claim_in(seen, "data-web-0")) api.call(create_claim(seen, "data-web-9"));
              })},
      {"storage.no-claims-before-their-turn", plain, providing_all_first()},
      {"storage.no-claims-for-running-pods", plain,
       adding(Verb::create, Kind::pod,
              [](const Request&, const View& seen, Api& api) {
                if (pod_in(seen, "web-0")) api.call(create_claim(seen, "data-web-0"));
              })},
      {"storage.claim-name", plain,
       adding(Verb::create, Kind::pod,
              [](const Request&, const View& seen, Api& api) {
                if (claim_in(seen, "data-web-0")) api.call(create_claim(seen, "logs-web-1"));
              })},
      {"storage.claim-spec", plain,
       changing_new_claims([](Claim& claim) { claim.spec = std::make_shared<const std::string>("{}"); })},
      {"storage.claim-labels", plain, changing_new_claims([](Claim& claim) {
         claim.meta.labels = std::make_shared<const StringMap>(StringMap{{"app", "web"}});
       })},
      {"storage.claim-labels", plain, changing_new_claims([](Claim& claim) {
         StringMap labels = *claim.meta.labels;
         labels.set("edition", "v1");
         claim.meta.labels = std::make_shared<const StringMap>(std::move(labels));
       })},
      {"storage.claim-annotations", plain, changing_new_claims([](Claim& claim) { claim.meta.annotations.reset(); })},
      {"storage.claim-owners-of-template", of_an_operator, changing_new_claims(with_no_owners)},
      {"storage.claim-owners-of-template", of_an_operator,
       changing_new_claims([](Claim& claim) { claim.meta.finalizers.reset(); })},
      {"storage.new-claim-owners", of_an_operator, changing_new_claims(with_foreign_owner)},
      {"storage.new-claim-owners", plain, changing_new_claims(with_foreign_owner)},
      {"storage.pending-pod-gets-claims", pending,
       swallowing(Verb::create, Kind::claim, [](const Request&, const View& seen) { return !seen.pods.all.empty(); })},
      {"storage.claims-follow-policy", unstarted, never_marking()},
      {"storage.update-changes-owners-only", owned, changing_claims([](Claim& claim) { claim.meta.labels.reset(); })},
      {"storage.update-changes-owners-only", enlarged, changing_claims([](Claim& claim) {
         claim.spec = std::make_shared<const std::string>(
             R"({"resources":{"requests":{"storage":"1Gi"}}})");  // as the template has it
       })},
      {"storage.updates-own-claims-only",  // a user's own, labelled like the set's
       with_claims("", {step(StepKind::add_claim, 0, static_cast<int>(ForeignClaim::of_no_template)), settle,
                        step(StepKind::set_retention, 1, 0), settle}),
       touching_claim(
           "scratch-web-0", [](const Claim& c) { return !has_owner(c); }, true)},
      {"storage.updates-own-claims-only",  // one that was left behind
       with_claims("", {settle, scale(1), settle, step(StepKind::set_retention, 1, 0), settle}),
       touching_claim(
           "data-web-1", [](const Claim& c) { return !has_owner(c); }, true)},
      {"storage.foreign-owners-kept", owned, changing_claims(with_foreign_owner)},
      {"storage.foreign-owners-kept", owned_meanwhile,
       changing(Verb::update, Kind::claim, [](Request& request, const View&) { request.version = Version::none; })},
      {"storage.owners-by-policy", owned, changing_claims(with_no_owners)},
      {"storage.owners-wait-for-their-claim", owned, changing_claims([](Claim& claim) {
         Owners owners = *claim.meta.owners;
         for (OwnerReference& owner : owners) owner.block_owner_deletion = false;
         claim.meta.owners = std::make_shared<const Owners>(std::move(owners));
       })},
      {"storage.earlier-owner-untouched", again,
       touching_claim(
           "data-web-0", [](const Claim& c) { return has_owner(c); }, false)},
      {"storage.taken-claim-gets-no-owner", taken,
       touching_claim(
           "data-web-0", [](const Claim& c) { return has_owner(c) && c.meta.owners->front().name == "other"; }, true)},
      {"storage.marked-before-scale-down", down, never_marking()},
      {"storage.owners-while-quiet", owned, never_marking()},
      {"storage.owners-control-at-rest", owned, changing_claims([](Claim& claim) {
         Owners owners = *claim.meta.owners;
         for (OwnerReference& owner : owners) owner.controller = false;
         claim.meta.owners = std::make_shared<const Owners>(std::move(owners));
       })},
      {"storage.owners-while-unwell", owned_while_unwell, never_marking()},
      {"storage.freed-before-scale-down",
       with_claims(when_scaled,
                   {scale(3), settle, scale(1), deliver, sync, step(StepKind::set_retention, 0, 0), settle}),
       swallowing(Verb::update, Kind::claim,
                  [](const Request& request, const View&) { return !has_owner(request.claim()); })},
      {"storage.freed-before-updated", surplus_then_outdated,
       swallowing(Verb::update, Kind::claim,
                  [](const Request& request, const View&) { return !has_owner(request.claim()); })},
      {"storage.freed-before-replaced", surplus_for_a_moment,
       swallowing(Verb::update, Kind::claim,
                  [](const Request& request, const View&) { return !has_owner(request.claim()); })},
      {"storage.all-marked-before-first", none, swallowing(Verb::update, Kind::claim, "data-web-0")},
      {"storage.retain-never-collects", retained, binding_claim_to_pod("web-1")},
      {"storage.replacement-keeps-data", replaced, binding_claim_to_pod("web-0")},
      {"storage.claims-at-rest", plain, swallowing(Verb::create, Kind::claim, "data-web-1")},
      {"storage.claims-at-rest",
       with_claims("", {step(StepKind::delete_pod, 0), settle, step(StepKind::delete_pod, 0), settle}),
       swallowing(Verb::create, Kind::claim, "data-web-1")},
      {"storage.strange-volumes-not-accepted", strange, swallowing(Verb::update, Kind::pod, "web-4")},
      {"storage.owners-at-rest", owned, never_marking()},
      {"storage.taken-claim-loses-our-owners",
       with_claims(when_deleted, {settle, step(StepKind::own_claim, 2), settle}),
       swallowing(Verb::update, Kind::claim,
                  [](const Request&, const View& seen) {
                    const Claim* taken = claim_in(seen, "data-web-0");
                    return taken != nullptr && has_owner(*taken) && taken->meta.owners->back().name == "other";
                  })},
      {"storage.scaled-down-claims-go", down, changing_claims(with_no_owners)},
      {"storage.scaled-down-claims-go", with_claims(when_scaled, {a_call_fails, settle, scale(1), settle}),
       changing_claims(with_no_owners)},
      {"storage.deleted-sets-claims-go", gone, owning_no_claims},
      {"storage.deleted-sets-claims-go",
       with_claims(when_deleted,
                   {settle, step(StepKind::delete_pod, 0), settle, step(StepKind::delete_set, 0), settle}),
       owning_no_claims},
      {"storage.deleted-sets-claims-go", gone_before_a_neighbour, owning_no_claims},
  };
}

TEST(Storage, EveryPromiseIsKeptAndCanBeBroken) {
  for (const Case& c : cases()) expect_kept_and_breakable(c);
}

TEST(Storage, WhoComesAgainForStrangeVolumesMindsThem) {
  const Step strange = step(StepKind::add_pod, 4, static_cast<int>(ForeignPod::other_claims));
  const Scenario scenario = with_claims("", {settle, strange, scale(5), settle});
  ComingAgain telling(Time::seconds(10), swallowing(Verb::update, Kind::pod, "web-4"));
  EXPECT_FALSE(try_by_hand(scenario, telling).broke("storage.strange-volumes-not-accepted"));
}

/// The update that is to replace it waits for a human to remove web-1, which is of an older revision and broken.
TEST(Storage, APodWithoutItsVolumesThatIsToBeUpdatedIsNotPassedOver) {
  const auto added = [](std::int32_t ordinal, ForeignPod as) {
    return step(StepKind::add_pod, ordinal, static_cast<int>(as));
  };
  const Scenario stuck = with_claims(
      "", {added(0, ForeignPod::other_claims),
           step(StepKind::edit_template, 0, static_cast<int>(TemplateFlavour::unready)), added(1, ForeignPod::orphan)});
  Rules waiting = strict_rules();
  waiting.forced_rollback = decide::no_forced_rollback;
  const auto controller = make_reference(waiting, {});
  EXPECT_FALSE(try_by_hand(stuck, *controller).broke("storage.strange-volumes-not-accepted"));
}

/// Marks claims only when their pods are gone, and then looks at what has become of them.
Edit marking_late() {
  return [late = std::make_shared<std::vector<Request>>()](Request request, const View&, Api& api) {
    if (request.verb == Verb::update && request.kind == Kind::claim) {
      late->push_back(std::move(request));
      return Reply{};
    }
    const bool removes = request.verb == Verb::remove && request.kind == Kind::pod;
    const Reply reply = api.call(std::move(request));
    if (!removes) return reply;
    for (const Request& put : std::exchange(*late, {})) {
      api.call(put);
      api.call(request_of(Verb::get, Kind::claim, put.name.view()));
    }
    return reply;
  };
}

TEST(Storage, WhatIsReadAfterwardsExcusesNothing) {
  Tampered late(marking_late());
  const Scenario down = with_claims(when_scaled, {settle, scale(1), settle});
  EXPECT_TRUE(try_by_hand(down, late).broke("storage.marked-before-scale-down"));
}

TEST(Storage, EveryPromiseIsTested) { expect_all_covered(storage::invariants, cases()); }

/// Whose claim is it, as the retention policy says: semantics.md 8.3.
TEST(Storage, OwnersFollowTheTable) {
  using enum Retention;
  struct Row {
    RetentionPolicy policy;  // whenDeleted, whenScaled
    bool in_range, set, pod;
  };
  for (const Row& row : {Row{{retain, retain}, true, false, false}, Row{{retain, retain}, false, false, false},
                         Row{{remove, retain}, true, true, false}, Row{{remove, retain}, false, true, false},
                         Row{{retain, remove}, true, false, false}, Row{{retain, remove}, false, false, true},
                         Row{{remove, remove}, true, true, false}, Row{{remove, remove}, false, false, true}}) {
    const ClaimOwners owners{.set_name = "web",
                             .pod_name = "web-1",
                             .set = Uid{1},
                             .pod = Uid{2},
                             .in_range = row.in_range,
                             .policy = row.policy};
    EXPECT_EQ(owners.wants_set(), row.set);
    EXPECT_EQ(owners.wants_pod(), row.pod);
  }
}

TEST(Storage, ClaimsOfOthersAreLeftAlone) {
  const OwnerReference set{"apps/v1", "StatefulSet", "web", Uid{1}, true, true},
      pod{"v1", "Pod", "web-1", Uid{2}, true, true};
  const OwnerReference earlier{"v1", "Pod", "web-1", Uid{9}, true, true}, other{"v1", "Job", "x", Uid{7}, true, true};
  OwnerReference plain = set;
  plain.controller = false;
  const ClaimOwners wanted{.set_name = "web",
                           .pod_name = "web-1",
                           .set = Uid{1},
                           .pod = Uid{2},
                           .in_range = true,
                           .policy = {Retention::remove, Retention::remove}};
  const auto right = [&](Owners owners) {
    Claim claim;
    claim.meta.owners = std::make_shared<const Owners>(std::move(owners));
    return wanted.are_right(claim);
  };
  EXPECT_TRUE(right({set}));
  EXPECT_FALSE(right({}));
  EXPECT_FALSE(right({pod}));
  EXPECT_TRUE(right({plain})) << "that it controls nothing is another promise's";
  EXPECT_TRUE(right({other})) << "somebody else controls it";
  EXPECT_TRUE(right({other, plain})) << "what is left of ours in it is nobody's promise";
  EXPECT_TRUE(right({earlier})) << "an earlier pod of the name: the collector's";
}

}  // namespace
}  // namespace ordeal::properties::testing
