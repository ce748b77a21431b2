#include "properties/invariants/lifecycle.h"

#include "properties/invariants/moment_test.h"

namespace ordeal::properties::testing {
namespace {

const Step going = step(StepKind::delete_set, static_cast<int>(Propagation::foreground));
const Step gone = step(StepKind::delete_set, static_cast<int>(Propagation::background));

/// One turn that makes this one request and nothing else.
Scripted asking_for(Request request) {
  return Scripted({[=](const View&, Api& api, Time) {
    api.call(request);
    return SyncResult{};
  }});
}

TEST(Lifecycle, ASetOnItsWayOutIsLeftAlone) {
  const Scenario scenario = hand_made("replicas: 2", {going, deliver, sync, settle});
  struct Row {
    const char* id;
    Verb verb;
    Kind kind;
  };
  for (const Row& row : {Row{"lifecycle.deleting-leaves-pods", Verb::remove, Kind::pod},
                         Row{"lifecycle.deleting-leaves-claims", Verb::update, Kind::claim},
                         Row{"lifecycle.deleting-leaves-owners", Verb::patch_owners, Kind::pod},
                         Row{"lifecycle.deleting-leaves-owners", Verb::patch_owners, Kind::revision},
                         Row{"lifecycle.deleting-leaves-revisions", Verb::remove, Kind::revision}}) {
    Request request = request_of(row.verb, row.kind, "web-0");
    if (row.verb == Verb::update) request.body = Claim{};
    if (row.verb == Verb::patch_owners) request.body = OwnerPatch{};
    Scripted scripted = asking_for(request);
    expect_broken_by(row.id, scenario, scripted);
  }
}

TEST(Lifecycle, KubernetesStillRecordsRevisionsOfASetOnItsWayOut) {
  const auto kubernetes = make_reference(kubernetes_1_37_rules(), {});
  const Tried tried = try_by_hand(hand_made("replicas: 2", {going, deliver, sync, settle}), *kubernetes);
  EXPECT_TRUE(tried.broke("lifecycle.deleting-leaves-revisions"));
  EXPECT_FALSE(tried.broke("lifecycle.deleting-leaves-pods"));
}

TEST(Lifecycle, NothingIsWrittenForASetThatIsGone) {
  Scripted scripted = asking_for(request_of(Verb::remove, Kind::pod, "web-0"));
  expect_broken_by("lifecycle.gone-means-nothing", hand_made("replicas: 2", {gone, deliver, sync}), scripted);
}

/// New pods have a finalizer of its own. First of all in its turns it writes those that still have it though their set
/// is going or gone, or though nobody controls them, so changed; when that fails, the turn ends.
class Guarding final : public Forwarding {
 public:
  using Change = std::function<void(Pod&)>;
  explicit Guarding(Change change)
      : Forwarding(std::make_unique<Tampered>(
            changing_new_pods([](Pod& pod, const View&) { pod.meta.finalizers = finalizers({guard}); }), Gates{})),
        change_(std::move(change)) {}
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    const StatefulSet* set = seen.sets.find(key.name);
    const bool goes = set == nullptr || set->meta.terminating();
    for (const Pod* pod : seen.pods.all) {
      if (!pod->meta.has_finalizer(Text(guard)) || (!goes && pod->meta.controller() != nullptr)) continue;
      Request request = request_of(Verb::update, Kind::pod, pod->meta.name);
      request.version = pod->meta.version;
      Pod next = *pod;
      change_(next);
      request.body = std::move(next);
      if (!api.call(std::move(request)).ok()) return SyncResult{.failed = true};
    }
    return inner_.sync(key, seen, api, now);
  }
  std::string_view name() const override { return "guarding"; }
  static Shared<std::vector<Text>> finalizers(std::vector<Text> held) {
    return std::make_shared<const std::vector<Text>>(std::move(held));
  }
  static void let_go(Pod& pod) {
    std::vector<Text> rest = *pod.meta.finalizers;
    std::erase(rest, Text(guard));
    pod.meta.finalizers = finalizers(std::move(rest));
  }

 private:
  static constexpr std::string_view guard = "example.com/guard";
  const Change change_;
};

TEST(Lifecycle, WhoGuardsPodsLetsGoOfThem) {
  const Step held = step(StepKind::hold_pod, 0), orphaned = step(StepKind::drop_owner, 0),
             refused = at_call(1, StepKind::fault, static_cast<int>(Fault::conflict));
  const std::pair<const char*, Scenario> rows[] = {
      {"lifecycle.deleting-leaves-pods", hand_made("replicas: 2", {settle, held, going, deliver, sync})},
      {"lifecycle.gone-means-nothing", hand_made("replicas: 2", {settle, held, gone, deliver, sync})},
      {"identity.update-only-own-pods", hand_made("replicas: 2", {settle, held, gone, deliver, sync})},
      {"ownership.orphan-adopted-first", hand_made("replicas: 2", {settle, held, orphaned, deliver, sync})},
      {"status.written-despite-failure", hand_made("replicas: 2", {settle, held, orphaned, deliver, refused, sync})},
      {"revisions.history-within-limit-on-errors",
       hand_made("replicas: 2\nupdateStrategy: {type: OnDelete}",
                 {settle, held, step(StepKind::edit_template, 1), settle, step(StepKind::edit_template, 2), settle,
                  step(StepKind::set_history_limit, 0), orphaned, deliver, refused, sync})}};
  for (const auto& [id, scenario] : rows) {
    Guarding guarding(Guarding::let_go);
    EXPECT_FALSE(try_by_hand(scenario, guarding).broke(id)) << id;
    Guarding lets_all_go([](Pod& pod) { pod.meta.finalizers = nullptr; });
    EXPECT_TRUE(try_by_hand(scenario, lets_all_go).broke(id)) << id << ": the other one is somebody else's";
    Guarding relabels([](Pod& pod) {
      Guarding::let_go(pod);
      set_label(pod, label_pod_name, "other");
    });
    EXPECT_TRUE(try_by_hand(scenario, relabels).broke(id)) << id << ": it says something besides";
  }
}

TEST(Lifecycle, AStatusBringsNoOtherMetadata) {
  const Scenario scenario = hand_made("replicas: 2", {settle});
  const auto bringing = [](void (*change)(ObjectMeta&)) {
    return changing(Verb::update_status, Kind::set, [=](Request& request, const View& seen) {
      ObjectMeta meta = seen.sets.find("web")->meta;
      change(meta);
      request.meta = std::make_shared<const ObjectMeta>(std::move(meta));
    });
  };
  Tampered same(bringing([](ObjectMeta&) {}));
  EXPECT_FALSE(try_by_hand(scenario, same).broke("lifecycle.set-untouched"));
  Tampered annotated(bringing(
      [](ObjectMeta& meta) { meta.annotations = std::make_shared<const StringMap>(StringMap{{"seen", "true"}}); }));
  expect_broken_by("lifecycle.set-untouched", scenario, annotated);
  Tampered holding(bringing([](ObjectMeta& meta) {
    meta.finalizers = std::make_shared<const std::vector<Text>>(std::vector<Text>{"example.com/mine"});
  }));
  expect_broken_by("lifecycle.set-untouched", scenario, holding);
}

TEST(Lifecycle, OnlyTheStatusOfTheSetItselfIsWritten) {
  const Scenario scenario = hand_made("replicas: 2", {deliver, sync, settle});
  Scripted removing = asking_for(request_of(Verb::remove, Kind::set, "web"));
  expect_broken_by("lifecycle.set-untouched", scenario, removing);
  for (const Verb verb : {Verb::update, Verb::create}) {
    Scripted writing = asking_for(request_of(verb, Kind::set, "web"));
    expect_broken_by("lifecycle.set-untouched", scenario, writing);
  }
  StatefulSet other;
  other.meta.name = "other";
  Scripted elsewhere = asking_for(put_status(other, {}));
  expect_broken_by("lifecycle.only-its-own-status", scenario, elsewhere);
}

TEST(Lifecycle, ASetDeletedInTheForegroundOutlivesWhatItControls) {
  Tampered careless(changing_new_pods([](Pod& pod, const View&) {
                      Owners owners = *pod.meta.owners;
                      owners.front().block_owner_deletion = false;
                      pod.meta.owners = std::make_shared<const Owners>(std::move(owners));
                    }),
                    {});
  expect_broken_by("lifecycle.foreground-waits", hand_made("replicas: 2", {settle, going, settle}), careless);
}

TEST(Lifecycle, AStatusDoesNotReachALaterSet) {
  const Scenario scenario = hand_made("replicas: 2", {deliver, gone, step(StepKind::create_set), sync, settle});
  StatefulSet set;
  set.meta.name = "web";
  StatefulSetStatus status;
  status.observed_generation = 1;
  Scripted scripted = asking_for(put_status(set, status));
  expect_broken_by("lifecycle.status-of-the-same-set", scenario, scripted);
}

}  // namespace
}  // namespace ordeal::properties::testing
