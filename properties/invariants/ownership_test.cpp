#include "properties/invariants/ownership.h"

#include "properties/invariants/moment_test.h"

namespace ordeal::properties::testing {
namespace {

const Step edit = step(StepKind::edit_template, 1);
Step add_pod(std::int32_t ordinal, ForeignPod as) { return step(StepKind::add_pod, ordinal, static_cast<int>(as)); }
Step scale(std::int32_t replicas) { return step(StepKind::scale, replicas); }
const Step stray = step(StepKind::edit_labels, 1, static_cast<int>(LabelEdit::break_selector));  // of web-1
const Step stranger = step(StepKind::add_revision, 0, static_cast<int>(ForeignRevision::owned_by_other));

Scenario two(std::vector<Step> steps) { return hand_made("replicas: 2", std::move(steps)); }

OwnerPatch adopting(const View& seen) { return {.add = owned_by_set(set_in(seen)), .remove = {}}; }
/// Adopts every pod of the view for which `when`, whenever a request of this kind is made.
Edit adopting_pods(Verb verb, Kind kind, std::function<bool(const Pod&)> when) {
  return adding(verb, kind, [=](const Request&, const View& seen, Api& api) {
    for (const Pod* pod : seen.pods.all)
      if (when(*pod)) api.call(patch_owner(Kind::pod, pod->meta, adopting(seen)));
  });
}
Edit changing_patches(Kind kind, std::function<void(OwnerPatch&)> change) {
  return changing(Verb::patch_owners, kind, [=](Request& r, const View&) { change(std::get<OwnerPatch>(r.body)); });
}
Edit never_patching(Kind kind) {
  return swallowing(Verb::patch_owners, kind, [](const Request&, const View&) { return true; });
}
Shared<Owners> with_another(Owners owners) {
  owners.push_back({.api_version = "v1", .kind = "ConfigMap", .name = "settings", .uid = Uid{0xFFFFFF}});
  return std::make_shared<const Owners>(std::move(owners));
}
Shared<Owners> controlled_twice(const Owners& owners) {
  Owners both = *with_another(owners);
  both.back().controller = true;
  return std::make_shared<const Owners>(std::move(both));
}
/// Believes the cache instead of asking.
Edit not_asking() {
  return [](Request request, const View& seen, Api& api) {
    if (request.verb == Verb::get && request.kind == Kind::set) return Reply{Code::ok, &set_in(seen)};
    return api.call(std::move(request));
  };
}

std::vector<Case> cases() {
  const Scenario orphan = two({add_pod(0, ForeignPod::orphan), settle});
  const Scenario strangers = two({add_pod(0, ForeignPod::orphan), add_pod(1, ForeignPod::owned_by_other), settle});
  const Scenario beside =
      two({settle, step(StepKind::apply_neighbour, static_cast<int>(Neighbour::alike_after), 1), settle});
  const Scenario misfit = two({add_pod(0, ForeignPod::orphan), add_pod(1, ForeignPod::other_labels), settle});
  const Scenario surplus = two({settle, add_pod(5, ForeignPod::orphan), settle});
  const Scenario dying = two({add_pod(0, ForeignPod::orphan), settle, step(StepKind::drop_owner, 1),
                              step(StepKind::delete_pod, 1), scale(3), deliver, sync, settle});
  const Scenario left = two({settle, stray, settle}), left_above = two({settle, stray, scale(1), settle});
  const Scenario overtaken =
      two({settle, step(StepKind::drop_owner, 0), deliver, at_call(1, StepKind::delete_set, 0), sync});
  const Scenario history = two({settle, edit, settle, step(StepKind::orphan_revision, 0), scale(3), settle});
  const Scenario pruning = hand_made("replicas: 2\nrevisionHistoryLimit: 0", {stranger, settle, edit, settle});
  const Scenario watched = two({settle, step(StepKind::own_pod, 0, static_cast<int>(PodOwner::bystander)),
                                step(StepKind::edit_labels, 0, static_cast<int>(LabelEdit::drop_pod_name)), settle});
  const auto dies = [](const Pod& pod) { return pod.meta.terminating() && pod.meta.controller() == nullptr; };
  return {
      {"ownership.foreign-pods-untouched", strangers,
       when_writing_status([](const View& seen, Api& api) { api.call(remove_pod(seen, "web-1")); })},
      {"ownership.foreign-pods-untouched",
       two({settle, step(StepKind::edit_labels, 0, static_cast<int>(LabelEdit::drop_pod_name)), deliver,
            at_call(0, StepKind::own_pod, 0), sync}),
       [](Request request, const View&, Api& api) {  // again, with the version that a read tells
         const Request again = request;
         Reply reply = api.call(std::move(request));
         if (again.verb != Verb::update || again.kind != Kind::pod || reply.code != Code::conflict) return reply;
         Request fresh = again;
         const Reply read = api.call(request_of(Verb::get, Kind::pod, again.name.view()));
         std::get<Pod>(fresh.body).meta.version = read.as<Pod>()->meta.version;
         return api.call(std::move(fresh));
       }},
      {"ownership.sets-apart", beside,
       adding(Verb::update_status, Kind::set,
              [](const Request& request, const View& seen, Api& api) {
                if (request.name == "web-1") api.call(remove_pod(seen, "web-0"));
              })},
      {"ownership.namespaces-apart", orphan, when_writing_status([](const View& seen, Api& api) {
         Request request = remove_pod(seen, "web-0");
         request.name = "elsewhere/web-0";
         api.call(request);
       })},
      {"ownership.orphan-adopted-first", surplus, never_patching(Kind::pod)},
      {"ownership.adopts-only-matching", misfit,
       adopting_pods(Verb::patch_owners, Kind::pod, [](const Pod& pod) { return pod.meta.name == "web-1"; })},
      {"ownership.adopts-nothing-dying", dying, adopting_pods(Verb::update_status, Kind::set, dies)},
      {"ownership.adopts-in-its-own-name", orphan,
       changing_patches(Kind::pod,
                        [](OwnerPatch& patch) {
                          if (patch.add) patch.add->controller = false;
                        })},
      {"ownership.confirms-before-adopting", orphan, not_asking()},
      {"ownership.confirms-before-adopting", orphan,
       changing(Verb::get, Kind::set, [](Request& request, const View&) { request.may_be_old = true; })},
      {"ownership.names-the-incarnation", orphan,
       changing_patches(Kind::pod, [](OwnerPatch& patch) { patch.object_uid = Uid::none; })},
      {"ownership.names-the-incarnation", history,
       changing_patches(Kind::revision, [](OwnerPatch& patch) { patch.object_uid = Uid::none; })},
      {"ownership.stops-without-its-set", overtaken,
       [](Request request, const View& seen, Api& api) {
         const bool asks = request.verb == Verb::get && request.kind == Kind::set;
         const Reply reply = api.call(std::move(request));
         if (asks) api.call(remove_pod(seen, "web-1"));
         return reply;
       }},
      {"ownership.releases-only-mismatched", left, when_writing_status([](const View& seen, Api& api) {
         if (const Pod* pod = pod_in(seen, "web-0"))
           api.call(patch_owner(Kind::pod, pod->meta, {.add = {}, .remove = set_in(seen).meta.uid}));
       })},
      {"ownership.adopted-at-once", orphan, never_patching(Kind::pod)},
      {"ownership.released-at-once", left_above, never_patching(Kind::pod)},
      {"ownership.refusal-holds-up-no-other",
       two({add_pod(0, ForeignPod::orphan), add_pod(1, ForeignPod::orphan), deliver,
            at_call(2, StepKind::fault, static_cast<int>(Fault::forbidden)), sync}),
       swallowing(Verb::patch_owners, Kind::pod, "web-1")},
      {"ownership.releases-only-itself", left,
       changing_patches(Kind::pod,
                        [](OwnerPatch& patch) {
                          if (patch.remove) patch.remove = Uid{5};
                        })},
      {"ownership.other-owners-kept", watched,
       changing(Verb::update, Kind::pod,
                [](Request& request, const View& seen) {
                  Owners own = {*std::get<Pod>(request.body).meta.controller()};
                  ASSERT_EQ(own.front().uid, set_in(seen).meta.uid);
                  std::get<Pod>(request.body).meta.owners = std::make_shared<const Owners>(std::move(own));
                })},
      {"ownership.foreign-revisions-untouched", pruning, when_writing_status([](const View& seen, Api& api) {
         for (const Revision* held : seen.revisions.all)
           if (held->meta.controller() && held->meta.controller()->uid != set_in(seen).meta.uid)
             api.call(request_of(Verb::remove, Kind::revision, held->meta.name));
       })},
      {"ownership.adopts-only-orphan-revisions", history,
       adding(Verb::patch_owners, Kind::revision,
              [](const Request& request, const View& seen, Api& api) {
                for (const Revision* held : seen.revisions.all)
                  if (held->meta.name != request.name)
                    api.call(patch_owner(Kind::revision, held->meta, adopting(seen)));
              })},
      {"ownership.one-controller", two({settle}),
       changing_new_revisions([](Revision& made) { made.meta.owners = controlled_twice(*made.meta.owners); })},
      {"ownership.one-controller", two({settle}),
       changing_new_pods([](Pod& made, const View&) { made.meta.owners = controlled_twice(*made.meta.owners); })},
      {"ownership.new-revision-is-owned", two({settle}),
       changing_new_revisions([](Revision& made) { made.meta.owners.reset(); })},
      {"ownership.new-revision-is-owned", two({settle}), changing_new_revisions([](Revision& made) {
         Owners owners = *made.meta.owners;
         owners.front().api_version = "apps/v1beta1";
         made.meta.owners = std::make_shared<const Owners>(std::move(owners));
       })},
      {"ownership.adopts-in-its-own-name", history,
       changing_patches(Kind::revision,
                        [](OwnerPatch& patch) {
                          if (patch.add) patch.add->block_owner_deletion = false;
                        })},
      {"ownership.no-owner-beside-the-set", two({settle}),
       changing_new_revisions([](Revision& made) { made.meta.owners = with_another(*made.meta.owners); })},
      {"ownership.no-owner-beside-the-set", two({settle}),
       changing(Verb::create, Kind::pod,
                [](Request& request, const View&) {
                  Pod& made = std::get<Pod>(request.body);
                  made.meta.owners = with_another(*made.meta.owners);
                })},
      {"ownership.orphans-adopted-at-rest", two({settle, step(StepKind::drop_owner, 0), settle}),
       never_patching(Kind::pod)},
      {"ownership.mismatched-released-at-rest", left_above, never_patching(Kind::pod)},
      {"ownership.revisions-adopted-at-rest", history, never_patching(Kind::revision)},
  };
}

TEST(Ownership, EveryPromiseIsKeptAndCanBeBroken) {
  for (const Case& c : cases()) expect_kept_and_breakable(c);
}

/// A claim that somebody else takes just before the set is added by a patch: the API server refuses it, and nobody
/// could have known.
TEST(Ownership, APatchIsBlamedForTheControllersItWasShown) {
  OwnerReference other, own;
  other.uid = Uid{99}, own.uid = Uid{7};
  other.controller = own.controller = true;
  Claim free, taken, patched;
  free.meta.name = taken.meta.name = patched.meta.name = "data-web-0";
  taken.meta.owners = std::make_shared<const Owners>(Owners{other});
  patched.meta.owners = std::make_shared<const Owners>(Owners{other, own});
  const auto breaks = [&](const Claim& shown, bool partial) {
    ByHand turn;
    const Claim* claims[] = {&shown};
    turn.sync.seen.claims = {claims, claims};
    Call& call = turn.calls.emplace_back();
    call.request = request_of(Verb::update, Kind::claim, "data-web-0");
    call.request.partial = partial;
    call.request.body = patched;
    call.claim_before = &taken;
    return turn.breaks("ownership.one-controller");
  };
  EXPECT_FALSE(breaks(free, /*partial=*/true));
  EXPECT_TRUE(breaks(taken, /*partial=*/true));
  EXPECT_TRUE(breaks(free, /*partial=*/false)) << "an update says itself what is to be stored";
}

TEST(Ownership, EveryPromiseIsTested) {
  expect_all_covered(ownership::invariants, cases(), {"ownership.never-steals"});
}

TEST(Ownership, NobodysPodIsStolen) {
  Scenario scenario = two({});
  StatefulSet set = scenario.set;
  set.meta.uid = Uid{1};
  Pod pod;
  pod.meta.name = "web-0";
  const StatefulSet* sets[] = {&set};
  ByHand by_hand;
  by_hand.sync.key = {set.meta.ns, set.meta.name};
  by_hand.sync.seen.sets = {sets, sets};
  Call& call = by_hand.calls.emplace_back();
  call.request = patch_owner(Kind::pod, pod.meta, {.add = owned_by_set(set), .remove = {}});
  call.committed = true;
  call.pod_before = &pod;
  EXPECT_TRUE(by_hand.holds("ownership.never-steals"));
  pod.meta.owners = std::make_shared<const Owners>(Owners{{"apps/v1", "ReplicaSet", "other", Uid{2}, true, true}});
  EXPECT_TRUE(by_hand.breaks("ownership.never-steals"));
  Pod taken = pod;
  taken.meta.owners = std::make_shared<const Owners>(Owners{owned_by_set(set)});
  call.request.verb = Verb::update;
  call.request.body = taken;
  EXPECT_TRUE(by_hand.breaks("ownership.never-steals")) << "sent back with another owner";
  pod.meta.owners = taken.meta.owners;
  EXPECT_TRUE(by_hand.holds("ownership.never-steals")) << "its own all the time";
}

}  // namespace
}  // namespace ordeal::properties::testing
