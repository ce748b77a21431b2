#include "properties/invariants/revisions.h"

#include "core/api/codec.h"
#include "properties/invariants/moment_test.h"
#include "properties/mutants/decoys.h"

namespace ordeal::properties::testing {
namespace {

Step edit(std::int32_t image) { return step(StepKind::edit_template, image); }
const Step back = step(StepKind::roll_back, 0);

void rename_revision(Request& request, const Text& name) {
  request.name = name;
  std::get<Revision>(request.body).meta.name = name;
}
Request create_revision(const Revision& like, const Text& name) {
  Request request = request_of(Verb::create, Kind::revision, name);
  Revision made = like;
  made.meta = ObjectMeta{};
  made.meta.ns = like.meta.ns;
  made.meta.labels = like.meta.labels;
  made.meta.owners = like.meta.owners;
  made.meta.name = name;
  request.body = std::move(made);
  return request;
}
/// Two rollouts and back to the first template: revisions 1, 2 and, renumbered, 3.
Scenario there_and_back() { return hand_made("replicas: 2", {settle, edit(1), settle, edit(0), settle}); }
Scenario rollouts(std::string limit) {
  return hand_made("replicas: 2\nrevisionHistoryLimit: " + limit,
                   {settle, edit(1), settle, edit(2), settle, edit(3), settle});
}

const Revision* youngest(const View& seen) {
  const Revision* found = nullptr;
  for (const Revision* held : seen.revisions.all)
    if (found == nullptr || held->number > found->number) found = held;
  return found;
}
/// Records what is recorded already under another name, when the status is written.
Edit recording_again() {
  return when_writing_status([](const View& seen, Api& api) {
    if (const Revision* held = youngest(seen)) api.call(create_revision(*held, held->meta.name.str() + "x"));
  });
}
Edit recording_twice() {
  return adding(Verb::create, Kind::revision, [](const Request& request, const View&, Api& api) {
    Request more = request;
    rename_revision(more, request.name.str() + "x");
    api.call(std::move(more));
  });
}
Edit pruning_all() {
  return adding(Verb::remove, Kind::revision, [](const Request& request, const View& seen, Api& api) {
    for (const Revision* held : seen.revisions.all)
      if (held->meta.name != request.name) api.call(request_of(Verb::remove, Kind::revision, held->meta.name));
  });
}
/// Prunes the next younger one instead.
Edit pruning_a_younger_one() {
  return [](Request request, const View& seen, Api& api) {
    const Revision* asked = request.verb == Verb::remove ? seen.revisions.find(request.name) : nullptr;
    const Revision* next = nullptr;
    for (const Revision* held : seen.revisions.all)
      if (asked != nullptr && held->number > asked->number && (next == nullptr || held->number < next->number))
        next = held;
    if (next != nullptr) request.name = next->meta.name;
    return api.call(std::move(request));
  };
}
Edit pruning_when_writing_status() {
  return when_writing_status([](const View& seen, Api& api) {
    for (const Revision* held : seen.revisions.all) api.call(request_of(Verb::remove, Kind::revision, held->meta.name));
  });
}
/// After a failed creation the revision that the status calls the current one goes.
Edit pruning_after_a_failure() {
  return [](Request request, const View& seen, Api& api) {
    const bool records = request.verb == Verb::create && request.kind == Kind::revision;
    const Reply reply = api.call(std::move(request));
    if (records && !reply.ok())
      api.call(request_of(Verb::remove, Kind::revision, set_in(seen).status.current_revision));
    return reply;
  };
}

/// Prunes nothing, and looks for a pod that nobody has.
Edit keeping_all_and_looking() {
  return [](Request request, const View&, Api& api) {
    if (request.verb != Verb::remove || request.kind != Kind::revision) return api.call(std::move(request));
    api.call(request_of(Verb::get, Kind::pod, "web-9"));
    return Reply{};
  };
}

std::vector<Case> cases() {
  const Scenario first = hand_made("replicas: 2", {settle}),
                 rollout = hand_made("replicas: 2", {settle, edit(1), settle});
  const Scenario older = hand_made(
      "replicas: 2", {step(StepKind::add_revision, 0, static_cast<int>(ForeignRevision::older_encoder)), settle});
  const Scenario failing =
      hand_made("replicas: 2",
                {settle, edit(1), deliver, step(StepKind::fault, static_cast<int>(Fault::internal)), sync, settle});
  const Scenario pruned_too =
      hand_made("replicas: 2", {settle, edit(1), settle, edit(2), settle, edit(3), step(StepKind::set_history_limit, 0),
                                deliver, step(StepKind::fault, static_cast<int>(Fault::internal)), sync, settle});
  const Scenario refused = hand_made(
      "replicas: 1\nrevisionHistoryLimit: 0",
      {settle,
       step(StepKind::outage, static_cast<int>(OutageOf::pod_creates), static_cast<int>(OutageReply::forbidden)),
       step(StepKind::force_delete_pod, 0), edit(1), settle, edit(2), settle});
  return {
      {"revisions.data-replaces", first, changing_new_revisions([](Revision& made) {
         std::string bytes = *made.data.bytes;
         bytes.replace(bytes.find("replace"), 7, "merge__");
         made.data.bytes = std::make_shared<const std::string>(std::move(bytes));
       })},
      {"revisions.records-template", first, changing_new_revisions([](Revision& made) {
         made.data = {std::make_shared<const std::string>("{}"), nullptr};
       })},
      {"revisions.recorded-once", there_and_back(), recording_again()},
      {"revisions.same-meaning-same-revision", older, recording_again()},
      {"revisions.unchanged-template-writes-nothing", first, recording_again()},
      {"revisions.one-per-template", first, recording_twice()},
      {"revisions.one-per-template",  // whatever a user does to pods
       hand_made("replicas: 2", {step(StepKind::add_pod, 0, static_cast<int>(ForeignPod::orphan)),
                                 step(StepKind::delete_pod, 0), settle}),
       recording_twice()},
      {"revisions.same-template-same-name", first, recording_twice()},
      {"revisions.new-number-is-next", first, changing_new_revisions([](Revision& made) { made.number += 5; })},
      {"revisions.update-is-newest", rollout, changing_status([](StatefulSetStatus& status, const View&) {
         status.update_revision = status.current_revision;
       })},
      {"revisions.return-becomes-newest", there_and_back(),
       changing(Verb::update, Kind::revision, [](Request& r, const View&) { std::get<Revision>(r.body).number += 3; })},
      {"revisions.only-returned-to-moves", there_and_back(),
       changing(Verb::update, Kind::revision,
                [](Request& request, const View& seen) { rename_revision(request, youngest(seen)->meta.name); })},
      {"revisions.number-never-lowered", there_and_back(),
       changing(Verb::update, Kind::revision, [](Request& r, const View&) { std::get<Revision>(r.body).number = 0; })},
      {"revisions.update-changes-number-only", there_and_back(),
       changing(Verb::update, Kind::revision,
                [](Request& r, const View&) { std::get<Revision>(r.body).meta.labels.reset(); })},
      {"revisions.data-immutable", there_and_back(),
       changing(Verb::update, Kind::revision,
                [](Request& r, const View& seen) {
                  for (const Revision* other : seen.revisions.all)
                    if (!(other->meta.name == r.name)) std::get<Revision>(r.body).data = other->data;
                })},
      {"revisions.collision-count-never-falls",
       hand_made("replicas: 2", {step(StepKind::add_revision, 1, static_cast<int>(ForeignRevision::colliding_name)),
                                 edit(1), settle, edit(2), settle}),
       changing_status([](StatefulSetStatus& status, const View& seen) {
         if (set_in(seen).status.collision_count) status.collision_count.reset();
       })},
      {"revisions.update-number-never-falls", rollout, changing_status([](StatefulSetStatus& status, const View& seen) {
         if (status.updated_replicas > 0) status.update_revision = set_in(seen).status.current_revision;
       })},
      {"revisions.named-by-content", first,
       changing(Verb::create, Kind::revision,
                [](Request& request, const View&) { rename_revision(request, "web-one"); })},
      {"revisions.collisions-counted", first, changing_status([](StatefulSetStatus& status, const View&) {
         status.collision_count = status.collision_count.value_or(0) + 1;
       })},
      {"revisions.labels", first, changing_new_revisions([](Revision& made) {
         made.meta.labels = std::make_shared<const StringMap>(StringMap{{"app", "web"}});
       })},
      {"revisions.annotations", hand_made("replicas: 2", {step(StepKind::edit_metadata, 1), settle}),
       changing_new_revisions([](Revision& made) {
         made.meta.annotations = std::make_shared<const StringMap>(StringMap{{"made-by", "nobody"}});
       })},
      {"revisions.pruned-beyond-limit", rollouts("1"), pruning_all()},
      {"revisions.oldest-pruned-first", rollouts("1"), pruning_a_younger_one()},
      {"revisions.prunes-the-incarnation", rollouts("1"),
       changing(Verb::remove, Kind::revision, [](Request& request, const View&) { request.uid = Uid::none; })},
      {"revisions.negative-limit-keeps-all", rollouts("-1"), pruning_when_writing_status()},
      {"revisions.kept-for-pods", rollouts("1"), pruning_all()},
      {"revisions.current-and-update-kept", rollouts("1"), pruning_all()},
      {"revisions.current-kept-on-errors", failing, pruning_after_a_failure()},
      {"revisions.limit-holds-on-errors", pruned_too, pruning_after_a_failure()},
      {"revisions.history-within-limit", rollouts("0"),
       swallowing(Verb::remove, Kind::revision, [](const Request&, const View&) { return true; })},
      {"revisions.history-within-limit-in-each-turn", rollouts("0"),
       swallowing(Verb::remove, Kind::revision, [](const Request&, const View&) { return true; })},
      {"revisions.history-within-limit-on-errors", refused,
       swallowing(Verb::remove, Kind::revision, [](const Request&, const View&) { return true; })},
      {"revisions.history-within-limit-on-errors", refused, keeping_all_and_looking()},
      {"revisions.history-within-limit-on-errors",
       with_a_leaving_claim("replicas: 1\nrevisionHistoryLimit: 0",
                            {edit(1), deliver, sync, edit(2), deliver, sync, deliver, sync}),
       swallowing(Verb::remove, Kind::revision, [](const Request&, const View&) { return true; })},
      {"revisions.history-within-limit-on-errors",
       hand_made(
           "replicas: 1\nrevisionHistoryLimit: 0",
           {settle,
            step(StepKind::outage, static_cast<int>(OutageOf::status_writes), static_cast<int>(OutageReply::forbidden)),
            edit(1), deliver, sync, edit(2), deliver, sync, edit(3), deliver, sync}),
       swallowing(Verb::remove, Kind::revision, [](const Request&, const View&) { return true; })},
      {"revisions.named-ones-exist", rollout,
       changing_status([](StatefulSetStatus& status, const View&) { status.update_revision = "web-none"; })},
      {"revisions.no-restart-without-change", rollout, when_writing_status([](const View& seen, Api& api) {
         for (const char* name : {"web-0", "web-1"})
           if (pod_in(seen, name) && pod_in(seen, name)->ready) api.call(remove_pod(seen, name));
       })},
  };
}

TEST(Revisions, EveryPromiseIsKeptAndCanBeBroken) {
  for (const Case& c : cases()) expect_kept_and_breakable(c);
}

/// It writes the status before anything else, and ends its turn where that fails.
class StatusFirst final : public Forwarding {
 public:
  StatusFirst() : Forwarding(make_reference(strict_rules(), {})) {}
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    StatefulSetStatus status = set_in(seen).status;
    status.observed_generation = set_in(seen).meta.generation;
    if (!api.call(put_status(set_in(seen), status)).ok()) return SyncResult{.failed = true};
    return inner_.sync(key, seen, api, now);
  }
  std::string_view name() const override { return "status first"; }
};

TEST(Revisions, WhoWritesTheStatusFirstPrunesOnceItIsWritten) {
  const char* id = "revisions.history-within-limit-on-errors";
  const Step forbidden =
      step(StepKind::outage, static_cast<int>(OutageOf::status_writes), static_cast<int>(OutageReply::forbidden));
  const auto with_turns = [&](int turns) {
    std::vector<Step> steps{settle, edit(1), settle, step(StepKind::set_history_limit, 0), deliver, forbidden};
    steps.insert(steps.end(), static_cast<std::size_t>(turns), sync);
    return hand_made("replicas: 1", std::move(steps));
  };
  StatusFirst controller;
  EXPECT_FALSE(try_by_hand(with_turns(1), controller).broke(id));
  EXPECT_TRUE(try_by_hand(with_turns(2), controller).broke(id)) << "its history grows as long as that fails";
}

TEST(Revisions, EveryPromiseIsTested) { expect_all_covered(revisions::invariants, cases()); }

TEST(Revisions, WhoPrunesLaterKeepsOnlyWhatIsPromised) {
  const auto later = find_decoy("prunes-when-idle")->make({});
  const Tried tried = try_by_hand(
      hand_made("replicas: 2\nrevisionHistoryLimit: 0", {settle, edit(1), deliver, sync, edit(2), settle}), *later);
  EXPECT_FALSE(tried.broke("revisions.history-within-limit")) << tried.why("revisions.history-within-limit");
  EXPECT_TRUE(tried.broke("revisions.history-within-limit-in-each-turn"));
}

TEST(Revisions, NotesOfTheControllersOwnAreNoFault) {
  Tampered noting(changing_new_revisions([](Revision& made) {
    StringMap notes = made.meta.annotations != nullptr ? *made.meta.annotations : StringMap{};
    notes.set("example.com/made-by", "somebody");
    made.meta.annotations = std::make_shared<const StringMap>(std::move(notes));
  }));
  const Tried tried = try_by_hand(hand_made("replicas: 2", {step(StepKind::edit_metadata, 1), settle}), noting);
  EXPECT_TRUE(tried.applied("revisions.annotations"));
  EXPECT_FALSE(tried.broke("revisions.annotations"));
}

TEST(Revisions, ATakenNameIsACollisionAndNoFault) {
  const Step colliding = step(StepKind::add_revision, 1, static_cast<int>(ForeignRevision::colliding_name));
  const auto reference = make_reference(strict_rules(), {});
  const Tried tried = try_by_hand(hand_made("replicas: 2", {settle, colliding, edit(1), settle}), *reference);
  for (const char* id : {"revisions.named-by-content", "revisions.collisions-counted", "revisions.labels"})
    EXPECT_FALSE(tried.broke(id)) << tried.why(id);
}

TEST(Revisions, ANameThatHoldsTheVeryDataIsNoCollision) {
  const auto counts = [](std::string_view held, std::int32_t written) {
    StatefulSet set = hand_made("replicas: 1", {}).set;
    const std::vector<const StatefulSet*> sets{&set};
    Revision asked, found;
    asked.meta.name = found.meta.name = "web-one";
    asked.data.bytes = std::make_shared<const std::string>("one");
    found.data.bytes = std::make_shared<const std::string>(held);
    ByHand turn;
    turn.sync.key = Key{Text("default"), Text("web")};
    turn.sync.seen.sets = {sets, sets};
    const auto ask = [&](Verb verb, Text name, Reply reply) {
      Call& call = turn.calls.emplace_back();
      call.request = {.verb = verb, .kind = Kind::revision, .name = name};
      if (verb == Verb::create) call.request.body = asked;
      call.reply = std::move(reply);
    };
    ask(Verb::create, "web-one", Reply{Code::already_exists, {}});
    ask(Verb::get, "web-one", Reply{Code::ok, &found});
    ask(Verb::create, "web-two", Reply{});
    StatefulSetStatus status;
    status.collision_count = written;
    turn.calls.emplace_back().request = put_status(set, status);
    return turn.holds("revisions.collisions-counted");
  };
  EXPECT_TRUE(counts("one", 0));
  EXPECT_FALSE(counts("another", 0));
  EXPECT_TRUE(counts("another", 1));
}

}  // namespace
}  // namespace ordeal::properties::testing
