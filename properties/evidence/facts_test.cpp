#include "properties/evidence/facts.h"

#include <gmock/gmock.h>

#include <deque>

#include "core/api/codec.h"
#include "core/api/validation.h"
#include "properties/evidence/at_rest.h"
#include "properties/trial/hand_made.h"

namespace ordeal::properties {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Uid web{7}, stranger{8};

Shared<Owners> controlled(Uid by) {
  OwnerReference owner;
  owner.api_version = group_version_apps;
  owner.kind = kind_stateful_set;
  owner.name = "web";
  owner.uid = by;
  owner.controller = true;
  return std::make_shared<const Owners>(Owners{owner});
}

/// A view put together by hand, and what the facts say of it.
class Scene {
 public:
  explicit Scene(std::string_view spec) {
    set = hand_made(spec).set;
    apply_defaults(set);
    set.meta.uid = web;
  }

  Pod& pod(std::string_view name, Uid owner = web) {
    Pod& pod = pods.emplace_back();
    pod.meta.name = name;
    pod.meta.labels = std::make_shared<const StringMap>(StringMap{{"app", "web"}, {label_revision, "web-new"}});
    if (owner != Uid::none) pod.meta.owners = controlled(owner);
    pod.phase = Phase::running;
    pod.ready = true;
    pod.ready_changed = Time{};
    return pod;
  }
  Pod& outdated(std::string_view name) {
    Pod& made = pod(name);
    made.meta.labels = std::make_shared<const StringMap>(StringMap{{"app", "web"}, {label_revision, "web-old"}});
    return made;
  }
  Revision& revision(std::string_view name, std::int64_t number, const RevisionData& data) {
    Revision& made = revisions.emplace_back();
    made.meta.name = name;
    made.meta.labels = std::make_shared<const StringMap>(StringMap{{"app", "web"}});
    made.meta.owners = controlled(web);
    made.data = data;
    made.number = number;
    return made;
  }
  RevisionData wanted() const { return revision_of(set.spec->pod_template); }
  static RevisionData other(std::string bytes) {
    return {std::make_shared<const std::string>(std::move(bytes)), nullptr};
  }

  const Facts& facts() {
    Sync sync;
    sync.key.name = "web";
    sync.now = Time::seconds(100);
    sync.calls = calls;
    set_pointers_ = {&set};
    sync.seen.sets = {set_pointers_, set_pointers_};
    sync.seen.pods = listing(pods, pod_pointers_);
    sync.seen.revisions = listing(revisions, revision_pointers_);
    facts_.only_canonical = strict;
    facts_.work_out(sync, gates);
    return facts_;
  }

  StatefulSet set;
  std::deque<Pod> pods;
  std::deque<Revision> revisions;
  std::vector<Call> calls;
  Gates gates;
  bool strict = false;

 private:
  template <class T>
  static Listing<T> listing(const std::deque<T>& of, std::vector<const T*>& pointers) {
    pointers.clear();
    for (const T& object : of) pointers.push_back(&object);
    std::ranges::sort(pointers, {}, [](const T* object) { return object->meta.name.view(); });
    return {pointers, pointers};
  }
  Facts facts_;
  std::vector<const StatefulSet*> set_pointers_;
  std::vector<const Pod*> pod_pointers_;
  std::vector<const Revision*> revision_pointers_;
};

template <class Pods>
std::vector<std::string> names(const Pods& pods) {
  std::vector<std::string> out;
  for (const Pod* pod : pods) out.push_back(pod->meta.name.str());
  return out;
}
std::vector<std::string> places(const Facts& facts) {
  std::vector<std::string> out;
  for (const Slot& slot : facts.slots) out.push_back(slot.pod ? slot.pod->meta.name.str() : "-");
  return out;
}

TEST(Facts, PodsHaveTheirPlaces) {
  Scene scene("replicas: 3\nordinals:\n  start: 1");
  for (const char* name : {"web-0", "web-1", "web-3", "web-4", "web-11", "web-99999999999"}) scene.pod(name);
  scene.pod("web-2", stranger);
  scene.pod("db-2");
  scene.pod("web-2-2");
  const Facts& facts = scene.facts();
  EXPECT_THAT(places(facts), ElementsAre("web-1", "-", "web-3"));
  EXPECT_THAT(names(facts.condemned), ElementsAre("web-11", "web-4", "web-0"));
  EXPECT_EQ(facts.claimed.size(), 6u);
  EXPECT_EQ(facts.unavailable, 1);
  EXPECT_FALSE(facts.irregular);
}

TEST(Facts, ReservedOrdinalsHaveNoPlace) {
  Scene scene("replicas: 3\nreserveOrdinals: [1, 4, 0]\nordinals:\n  start: 1");
  for (const char* name : {"web-1", "web-2", "web-4", "web-5", "web-6"}) scene.pod(name);
  const Facts& facts = scene.facts();
  EXPECT_THAT(places(facts), ElementsAre("web-2", "-", "web-5"));
  EXPECT_THAT(names(facts.condemned), ElementsAre("web-6", "web-4", "web-1"));
  EXPECT_EQ(facts.place_of(Ordinal{5}), 2);
  EXPECT_EQ(facts.place_of(Ordinal{4}), std::nullopt);
  EXPECT_EQ(facts.range_text(), "3 replicas from 1, without 0, without 1, without 4");
}

TEST(Facts, ANameWithLeadingZerosHoldsNoPlace) {
  Scene scene("replicas: 2");
  scene.pod("web-0");
  scene.pod("web-01");
  EXPECT_THAT(places(scene.facts()), ElementsAre("web-0", "-"));
  EXPECT_TRUE(scene.facts().irregular);
  EXPECT_EQ(scene.facts().claimed.size(), 2u);
}

TEST(Facts, AtLevelStrictItIsNobodys) {
  Scene scene("replicas: 2");
  scene.strict = true;
  scene.pod("web-0");
  scene.pod("web-01");
  scene.pod("web-02", Uid::none);
  const Facts& facts = scene.facts();
  EXPECT_FALSE(facts.irregular);
  EXPECT_THAT(names(facts.claimed), ElementsAre("web-0"));
  EXPECT_THAT(names(facts.lookalikes), ElementsAre("web-01"));
  EXPECT_TRUE(facts.orphans.empty());
  EXPECT_FALSE(facts.claims(scene.pods[1]));
}

TEST(Facts, APodThatDoesNotMatchIsNotClaimed) {
  Scene scene("replicas: 1");
  scene.pod("web-0").meta.labels = std::make_shared<const StringMap>(StringMap{{"app", "db"}});
  EXPECT_THAT(places(scene.facts()), ElementsAre("-"));
  EXPECT_FALSE(scene.facts().claims(scene.pods[0]));
}

TEST(Facts, AnOrphanIsClaimedOnceAdopted) {
  Scene scene("replicas: 1");
  scene.pod("web-0", Uid::none);
  EXPECT_THAT(names(scene.facts().orphans), ElementsAre("web-0"));
  EXPECT_THAT(places(scene.facts()), ElementsAre("-"));
  Call& adoption = scene.calls.emplace_back();
  adoption.request.verb = Verb::patch_owners;
  adoption.request.kind = Kind::pod;
  adoption.request.name = "web-0";
  adoption.request.body = OwnerPatch{controlled(web)->front(), std::nullopt, Uid::none};
  EXPECT_THAT(places(scene.facts()), ElementsAre("web-0"));
  EXPECT_TRUE(scene.facts().claims(scene.pods[0]));
  adoption.reply.code = Code::conflict;
  EXPECT_THAT(places(scene.facts()), ElementsAre("-"));
}

TEST(Facts, ASetThatIsNotThereHasNoFacts) {
  Scene scene("replicas: 2");
  scene.pod("web-0");
  scene.facts();
  scene.set.meta.name = "db";
  const Facts& facts = scene.facts();
  EXPECT_EQ(facts.set, nullptr);
  EXPECT_THAT(facts.slots, IsEmpty());
  EXPECT_THAT(facts.claimed, IsEmpty());
  EXPECT_EQ(facts.unavailable, 0);
}

TEST(Facts, HistoryIsOldestFirstAndOnlyOfTheSet) {
  Scene scene("replicas: 0");
  scene.revision("web-b", 2, Scene::other("b"));
  scene.revision("web-a", 1, Scene::other("a"));
  scene.revision("web-c", 3, Scene::other("c")).meta.owners = controlled(stranger);
  scene.revision("web-d", 4, Scene::other("d")).meta.labels = nullptr;
  scene.revision("web-e", 2, Scene::other("e")).meta.owners = nullptr;
  scene.revision("web-f", 2, Scene::other("f")).meta.created = Time{-1};
  std::vector<std::string> found;
  for (const Revision* r : scene.facts().history) found.push_back(r->meta.name.str());
  EXPECT_THAT(found, ElementsAre("web-a", "web-f", "web-b", "web-e"));
}

TEST(Facts, UpdateAndCurrentAreFoundInTheView) {
  Scene scene("replicas: 0");
  scene.revision("web-old", 1, Scene::other("old"));
  scene.revision("web-new", 2, scene.wanted());
  EXPECT_EQ(scene.facts().update_name, "web-new");
  EXPECT_EQ(scene.facts().current_name, "web-new") << "nothing is current yet";
  scene.set.status.current_revision = "web-old";
  EXPECT_EQ(scene.facts().current_name, "web-old");
  EXPECT_EQ(scene.facts().revision_named("web-old"), &scene.revisions[0]);
  EXPECT_EQ(scene.facts().revision_named("web-other"), nullptr);
}

TEST(Facts, EqualMeaningCountsOnlyForTheNewestAndWithItsGate) {
  Scene scene("replicas: 0");
  RevisionData older_bytes = scene.wanted();
  older_bytes.bytes = std::make_shared<const std::string>("other bytes");
  scene.revision("web-new", 2, older_bytes);
  EXPECT_EQ(scene.facts().update_name, "web-new");
  scene.gates.semantic_revisions = false;
  EXPECT_EQ(scene.facts().update_name, "");
  scene.gates.semantic_revisions = true;
  scene.revision("web-newer", 3, Scene::other("newer"));
  EXPECT_EQ(scene.facts().update, nullptr);
}

TEST(Facts, UpdateIsWhatTheSyncRecorded) {
  Scene scene("replicas: 0");
  Revision stored;
  stored.meta.name = "web-made";
  stored.data = scene.wanted();
  Call& call = scene.calls.emplace_back();
  call.request.verb = Verb::create;
  call.request.kind = Kind::revision;
  call.reply.object = &std::as_const(stored);
  EXPECT_EQ(scene.facts().update_name, "web-made");
  call.reply.code = Code::timeout;
  EXPECT_EQ(scene.facts().update, nullptr);
}

TEST(Facts, ARevisionOfSomebodyElsesIsReadForAnyReason) {
  Scene scene("replicas: 0");
  Revision others;
  others.meta.name = "web-made";
  others.meta.owners = controlled(stranger);
  others.data = scene.wanted();
  Call reading;
  reading.request.verb = Verb::get;
  reading.request.kind = Kind::revision;
  reading.request.name = others.meta.name;
  reading.reply.object = &std::as_const(others);
  scene.calls = {reading};
  EXPECT_EQ(scene.facts().update, nullptr);

  Call refused = reading;
  refused.request.verb = Verb::create;
  refused.reply = {.code = Code::already_exists};
  scene.calls = {refused, reading};
  EXPECT_EQ(scene.facts().update_name, "web-made") << "it was in the way";

  Revision own = others;
  own.meta.name = "web-instead";
  own.meta.owners = controlled(web);
  Call recording = reading;
  recording.request.verb = Verb::create;
  recording.request.name = own.meta.name;
  recording.reply.object = &std::as_const(own);
  scene.calls = {refused, reading, recording, reading};
  EXPECT_EQ(scene.facts().update_name, "web-instead");
  Call listed = recording;
  listed.request.verb = Verb::get;
  scene.calls = {listed};
  EXPECT_EQ(scene.facts().update_name, "web-instead") << "read by its name, it was looked for";
  listed.request.of_list = OfList::further;
  scene.calls = {listed};
  EXPECT_EQ(scene.facts().update, nullptr) << "in a list there is whatever there is";

  own.meta.owners = controlled(stranger);
  Call refused_again = recording, reading_again = recording;
  refused_again.reply = {.code = Code::already_exists};
  reading_again.request.verb = Verb::get;
  scene.calls = {refused, reading, refused_again, reading_again};
  EXPECT_EQ(scene.facts().update_name, "web-instead") << "the last that was in the way";
}

TEST(Facts, UnavailablePlacesAreCounted) {
  Scene scene("replicas: 6\nminReadySeconds: 10");
  scene.revision("web-new", 1, scene.wanted());
  scene.pod("web-0");
  scene.pod("web-1").ready_changed = Time::seconds(95);
  scene.outdated("web-2").ready = false;
  scene.outdated("web-3").meta.deletion = Time{};
  scene.outdated("web-4");
  const Facts& facts = scene.facts();
  EXPECT_EQ(facts.unavailable, 4) << "1 too early, 2 not ready, 3 terminating, 5 missing";
  EXPECT_TRUE(facts.healthy(scene.pods[0]));
  EXPECT_FALSE(facts.healthy(scene.pods[1]));
  EXPECT_FALSE(facts.outdated(scene.pods[0]));
  EXPECT_TRUE(facts.outdated(scene.pods[4]));
}

TEST(Facts, EveryDeletionHasItsKind) {
  Scene scene("replicas: 4");
  scene.revision("web-new", 1, scene.wanted());
  scene.pod("web-0");
  scene.outdated("web-1");
  scene.outdated("web-2").phase = Phase::succeeded;
  scene.pod("web-4");
  scene.pod("web-99999999999");
  scene.pod("web-5", stranger);
  struct Row {
    const char* pod;
    Removal why;
    std::int32_t index;
  };
  const std::vector<Row> rows{{"web-0", Removal::current, 0},    {"web-1", Removal::outdated, 1},
                              {"web-2", Removal::terminal, 2},   {"web-3", Removal::unseen, -1},
                              {"web-4", Removal::condemned, -1}, {"web-99999999999", Removal::nameless, -1},
                              {"web-5", Removal::foreign, -1}};
  for (const Row& row : rows) {
    Call& call = scene.calls.emplace_back();
    call.request.verb = Verb::remove;
    call.request.kind = Kind::pod;
    call.request.name = row.pod;
  }
  const Facts& facts = scene.facts();
  ASSERT_EQ(facts.removals.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(facts.removals[i].why, rows[i].why) << rows[i].pod;
    EXPECT_EQ(facts.removals[i].index, rows[i].index) << rows[i].pod;
    EXPECT_EQ(facts.removals[i].call, &scene.calls[i]);
  }
}

TEST(Facts, AtTheVeryMomentOfMinReadySecondsAPodMayBeSeenEitherWay) {
  struct Row {
    Time now;
    std::int32_t seconds;
    bool at_least, longer;
  };
  Pod pod;
  pod.ready = true;
  pod.ready_changed = Time::seconds(10);
  for (const Row& row : {Row{Time{14'999}, 5, false, false}, Row{Time{15'000}, 5, true, false},
                         Row{Time{15'001}, 5, true, true}, Row{Time{10'000}, 0, true, true}}) {
    EXPECT_EQ(Facts::ready_for_at_least(pod, row.seconds, row.now), row.at_least) << row.now.ms;
    EXPECT_EQ(Facts::ready_for_longer(pod, row.seconds, row.now), row.longer) << row.now.ms;
  }
  pod.ready_changed.reset();
  for (const auto available : {Facts::ready_for_at_least, Facts::ready_for_longer}) {
    EXPECT_FALSE(available(pod, 5, Time::seconds(99)));
    EXPECT_TRUE(available(pod, 0, Time::seconds(99)));
  }
}

TEST(Facts, TheBudgetIsRoundedEitherWayAndNeverZero) {
  struct Row {
    std::optional<IntOrPercent> most;
    std::int32_t replicas, down, up;
  };
  for (const Row& row : {Row{std::nullopt, 10, 1, 1}, Row{IntOrPercent{3, false}, 10, 3, 3},
                         Row{IntOrPercent{30, true}, 9, 2, 3}, Row{IntOrPercent{30, true}, 10, 3, 3},
                         Row{IntOrPercent{1, true}, 10, 1, 1}, Row{IntOrPercent{0, false}, 10, 1, 1},
                         Row{IntOrPercent{100, true}, 2'000'000'000, 2'000'000'000, 2'000'000'000},
                         Row{IntOrPercent{7, false}, 2, 7, 7}}) {
    StatefulSetSpec spec;
    spec.replicas = row.replicas;
    spec.rolling_update = RollingUpdate{0, row.most};
    EXPECT_EQ(Facts::budget_of(spec).rounded_down, row.down);
    EXPECT_EQ(Facts::budget_of(spec).rounded_up, row.up);
  }
  Scene scene("replicas: 4\nupdateStrategy:\n  rollingUpdate:\n    maxUnavailable: 3");
  EXPECT_EQ(scene.facts().budget.rounded_down, 3);
  scene.gates.max_unavailable = false;
  EXPECT_EQ(scene.facts().budget.rounded_up, 1) << "without its gate maxUnavailable means nothing";
}

TEST(Facts, OrdinalsNearTheEndOfTheirRangeDoNotOverflow) {
  Scene scene("replicas: 5\nordinals:\n  start: 2147483646");
  scene.pod("web-2147483647");
  EXPECT_THAT(places(scene.facts()), ElementsAre("-", "web-2147483647"));
  EXPECT_TRUE(scene.facts().in_range(Ordinal{2147483647}));
}

// A pod of an older revision that is broken holds back what an OrderedReady set comes to after it, and nothing else.
TEST(PlacesFree, AreThoseBeforeTheOneThatIsWaitedFor) {
  Scene scene("replicas: 4");
  scene.pod("web-1");
  scene.outdated("web-2").ready = false;
  scene.set.status.update_revision = scene.revision("web-new", 1, scene.wanted()).meta.name;
  const auto free = [&] { return places_free(scene.facts()).size(); };
  EXPECT_EQ(free(), 2u) << "web-0 is missing, and nothing is in its way";
  EXPECT_TRUE(needs_a_human(scene.facts()));
  scene.pods.back().ready = true;
  EXPECT_EQ(free(), 4u);
  scene.pods.back().phase = Phase::failed;
  EXPECT_EQ(free(), 4u) << "one that has ended is replaced";
}

TEST(PlacesFree, AreAllOfAParallelSet) {
  Scene scene("replicas: 2\npodManagementPolicy: Parallel");
  scene.outdated("web-0").ready = false;
  EXPECT_EQ(places_free(scene.facts()).size(), 2u);
}

TEST(PlacesFree, AreAllWhereOnlySurplusPodsAreBroken) {
  Scene scene("replicas: 1");
  for (const char* name : {"web-3", "web-4"}) scene.pod(name).ready = false;
  EXPECT_TRUE(needs_a_human(scene.facts()));
  EXPECT_EQ(places_free(scene.facts()).size(), 1u);
}

// A surplus pod makes up for one that is not available yet, and nobody looks again: what comes after that one waits.
TEST(PlacesFree, AreThoseBeforeTheOneThatNobodyLooksAtAgain) {
  Scene scene("replicas: 2\nminReadySeconds: 10");
  for (const char* name : {"web-0", "web-1", "web-2"}) scene.pod(name);
  EXPECT_EQ(places_free(scene.facts()).size(), 2u);
  scene.pods.front().ready_changed = scene.facts().now;
  EXPECT_TRUE(needs_a_human(scene.facts()));
  EXPECT_EQ(places_free(scene.facts()).size(), 0u);
  scene.pods.front().ready_changed = scene.facts().now - Time::seconds(10);
  EXPECT_EQ(places_free(scene.facts()).size(), 0u) << "on the stroke nobody can tell";
}

TEST(PlacesFree, AreThoseBeforeTheOneThatWaitsForAClaimOfNobodys) {
  Scene scene("replicas: 3");
  for (const char* name : {"web-0", "web-1", "web-2"}) scene.pod(name);
  Pod& waiting = scene.pods[1];
  waiting.volumes = std::make_shared<const std::vector<Volume>>(std::vector<Volume>{{"further", "further-web-1", {}}});
  EXPECT_EQ(places_free(scene.facts()).size(), 3u) << "it runs: the claim is there";
  EXPECT_FALSE(needs_a_human(scene.facts()));
  waiting.phase = Phase::pending;
  waiting.ready = false;
  EXPECT_EQ(places_free(scene.facts()).size(), 1u);
  EXPECT_TRUE(needs_a_human(scene.facts()));
}

}  // namespace
}  // namespace ordeal::properties
