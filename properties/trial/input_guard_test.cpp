// Whoever changes an object of its cache is noticed, wherever in the object it is; whoever copies first is not.
#include "properties/trial/input_guard.h"

#include "properties/invariants/moment_test.h"
#include "properties/invariants/words.h"

namespace ordeal::properties::testing {
namespace {

using Touch = std::function<void(const View&)>;

template <class T>
T& grabbed(const T& object) {
  return const_cast<T&>(object);
}

TEST(InputGuard, NoticesEveryChange) {
  const Scenario scenario = hand_made("replicas: 2", {settle});
  const std::vector<Touch> touches{
      [](const View& seen) { grabbed(*seen.pods.all.front()).ready ^= true; },
      [](const View& seen) { ++grabbed(*seen.revisions.all.front()).number; },
      [](const View& seen) { ++grabbed(*seen.sets.all.front()).status.replicas; },
      [](const View& seen) { grabbed(*seen.sets.all.front()->spec).service_name = "elsewhere"; },
      [](const View& seen) { grabbed(*seen.pods.all.front()->meta.labels).set("touched", "yes"); },
      [](const View& seen) { grabbed(*seen.pods.all.front()->meta.owners).clear(); },
  };
  for (std::size_t n = 0; n < touches.size(); ++n) {
    bool touched = false;
    Followed touching([&](const View& seen, Api&, SyncResult&) {
      if (touched || seen.pods.all.empty() || seen.revisions.all.empty()) return;
      touched = true;
      touches[n](seen);
    });
    Court court;
    const Invariant* promise = find_invariant("economy.inputs-untouched");
    EXPECT_EQ(court.try_scenario(scenario, touching, {.only = promise}).breaches.size(), 1u) << "touch " << n;
  }
}

/// One object of each kind, every part of it there.
struct Shown {
  StatefulSet set = whole_set();
  Pod pod;
  Claim claim;
  Revision revision;
  const StatefulSet* sets[1] = {&set};
  const Pod* pods[1] = {&pod};
  const Claim* claims[1] = {&claim};
  const Revision* revisions[1] = {&revision};

  Shown() {
    for (ObjectMeta* meta : {&set.meta, &pod.meta, &claim.meta, &revision.meta}) {
      meta->name = "web";
      meta->deletion = Time{};
      meta->labels = std::make_shared<const StringMap>();
      meta->annotations = std::make_shared<const StringMap>();
      meta->owners = std::make_shared<const Owners>(1);
      meta->finalizers = std::make_shared<const std::vector<Text>>(1);
    }
    pod.made_from = revision.data.decoded = set.spec->pod_template;
    pod.volumes = std::make_shared<const std::vector<Volume>>(1);
    pod.ready_changed = Time{};
    claim.spec = std::make_shared<const std::string>("{}");
    revision.data.bytes = std::make_shared<const std::string>("{}");
  }
  View view() const { return {{{sets, sets}, {pods, pods}, {claims, claims}, {revisions, revisions}}}; }

 private:
  static StatefulSet whole_set() {
    StatefulSet made = hand_made("replicas: 2").set;
    StatefulSetSpec spec = *made.spec;
    spec.pod_template = std::make_shared<const PodTemplate>(*spec.pod_template);  // to be touched: nobody else's
    spec.selector.match_expressions.emplace_back();
    spec.claim_templates.emplace_back();
    spec.claim_templates.back().spec = std::make_shared<const std::string>("{}");
    spec.rolling_update = {.partition = 0, .max_unavailable = IntOrPercent{}};
    spec.revision_history_limit = spec.ordinals_start = 0;
    spec.retention.emplace();
    made.spec = std::make_shared<const StatefulSetSpec>(std::move(spec));
    made.status.collision_count = 0;
    made.status.conditions.emplace_back();
    return made;
  }
};

void expect_noticed(std::function<void(Shown&)> touch, const std::string& what) {
  Shown shown;
  const std::uint64_t before = digest_of(shown.view());
  touch(shown);
  EXPECT_NE(digest_of(shown.view()), before) << what;
}

TEST(InputGuard, LooksAtEachPartOfWhatAllObjectsHave) {
  const std::function<void(ObjectMeta&)> touches[] = {
      [](ObjectMeta& m) { m.name = "other"; },
      [](ObjectMeta& m) { m.ns = "other"; },
      [](ObjectMeta& m) { m.uid = Uid{9}; },
      [](ObjectMeta& m) { m.version = Version{9}; },
      [](ObjectMeta& m) { m.generation = 9; },
      [](ObjectMeta& m) { m.created = Time{9}; },
      [](ObjectMeta& m) { m.deletion.reset(); },
      [](ObjectMeta& m) { m.labels = nullptr; },
      [](ObjectMeta& m) { grabbed(*m.labels).set("a", "b"); },
      [](ObjectMeta& m) { grabbed(*m.annotations).set("a", "b"); },
      [](ObjectMeta& m) { grabbed(*m.owners).clear(); },
      [](ObjectMeta& m) { grabbed(*m.owners)[0].api_version = "v2"; },
      [](ObjectMeta& m) { grabbed(*m.owners)[0].kind = "Other"; },
      [](ObjectMeta& m) { grabbed(*m.owners)[0].name = "other"; },
      [](ObjectMeta& m) { grabbed(*m.owners)[0].uid = Uid{9}; },
      [](ObjectMeta& m) { grabbed(*m.owners)[0].controller = true; },
      [](ObjectMeta& m) { grabbed(*m.owners)[0].block_owner_deletion = true; },
      [](ObjectMeta& m) { grabbed(*m.finalizers)[0] = "other"; },
  };
  for (std::size_t n = 0; n < std::size(touches); ++n)
    for (std::size_t kind = 0; kind < kind_count; ++kind)
      expect_noticed(
          [&](Shown& s) { touches[n](*std::array{&s.set.meta, &s.pod.meta, &s.claim.meta, &s.revision.meta}[kind]); },
          words("touch ", n, " of kind ", kind));
}

TEST(InputGuard, LooksAtEachPartOfEachKind) {
  const std::function<void(Shown&)> touches[] = {
      [](Shown& s) { s.pod.generate_name = "other"; },
      [](Shown& s) { s.pod.hostname = "other"; },
      [](Shown& s) { s.pod.subdomain = "other"; },
      [](Shown& s) { s.pod.node = "other"; },
      [](Shown& s) { s.pod.made_from = nullptr; },
      [](Shown& s) { grabbed(*s.pod.volumes)[0].name = "other"; },
      [](Shown& s) { grabbed(*s.pod.volumes)[0].claim = "other"; },
      [](Shown& s) { grabbed(*s.pod.volumes)[0].json = "other"; },
      [](Shown& s) { s.pod.phase = Phase::failed; },
      [](Shown& s) { s.pod.ready = true; },
      [](Shown& s) { s.pod.ready_changed = Time{9}; },
      [](Shown& s) { grabbed(*s.claim.spec) = "[]"; },
      [](Shown& s) { s.claim.phase = ClaimPhase::bound; },
      [](Shown& s) { grabbed(*s.revision.data.bytes) = "[]"; },
      [](Shown& s) { s.revision.data.decoded = nullptr; },
      [](Shown& s) { s.revision.number = 9; },
      [](Shown& s) { grabbed(*s.set.spec).replicas = 9; },
      [](Shown& s) { grabbed(*s.set.spec).selector.match_labels.set("a", "b"); },
      [](Shown& s) { grabbed(*s.set.spec).selector.match_expressions[0].key = "other"; },
      [](Shown& s) { grabbed(*s.set.spec).selector.match_expressions[0].values.emplace_back("other"); },
      [](Shown& s) { grabbed(*s.set.spec).selector.match_expressions[0].op = SelectorRequirement::Operator::exists; },
      [](Shown& s) { grabbed(*s.set.spec).claim_templates[0].name = "other"; },
      [](Shown& s) { grabbed(*s.set.spec).claim_templates[0].labels.set("a", "b"); },
      [](Shown& s) { grabbed(*s.set.spec).claim_templates[0].annotations.set("a", "b"); },
      [](Shown& s) { grabbed(*s.set.spec).claim_templates[0].spec = nullptr; },
      [](Shown& s) { grabbed(*s.set.spec).claim_templates[0].owners = std::make_shared<const Owners>(1); },
      [](Shown& s) {
        grabbed(*s.set.spec).claim_templates[0].finalizers = std::make_shared<const std::vector<Text>>(1);
      },
      [](Shown& s) { grabbed(*s.set.spec).service_name = "other"; },
      [](Shown& s) { grabbed(*s.set.spec).pod_management = PodManagement::parallel; },
      [](Shown& s) { grabbed(*s.set.spec).strategy = Strategy::on_delete; },
      [](Shown& s) { grabbed(*s.set.spec).rolling_update.reset(); },
      [](Shown& s) { grabbed(*s.set.spec).rolling_update->partition = 9; },
      [](Shown& s) { grabbed(*s.set.spec).rolling_update->max_unavailable->value = 9; },
      [](Shown& s) { grabbed(*s.set.spec).rolling_update->max_unavailable->percent = true; },
      [](Shown& s) { grabbed(*s.set.spec).revision_history_limit = 9; },
      [](Shown& s) { grabbed(*s.set.spec).min_ready_seconds = 9; },
      [](Shown& s) { grabbed(*s.set.spec).retention->when_deleted = Retention::remove; },
      [](Shown& s) { grabbed(*s.set.spec).retention->when_scaled = Retention::remove; },
      [](Shown& s) { grabbed(*s.set.spec).ordinals_start = 9; },
      [](Shown& s) { grabbed(*s.set.spec->pod_template).labels.set("a", "b"); },
      [](Shown& s) { grabbed(*s.set.spec->pod_template).annotations.set("a", "b"); },
      [](Shown& s) { grabbed(*s.set.spec->pod_template).finalizers.emplace_back("other"); },
      [](Shown& s) { grabbed(*s.set.spec->pod_template).volumes.emplace_back(); },
      [](Shown& s) { grabbed(*s.set.spec->pod_template).image = "other"; },
      [](Shown& s) { grabbed(*s.set.spec->pod_template).termination_grace = 9; },
      [](Shown& s) { grabbed(*s.set.spec->pod_template).document = "{}"; },
      [](Shown& s) { s.set.status.observed_generation = 9; },
      [](Shown& s) { s.set.status.replicas = 9; },
      [](Shown& s) { s.set.status.ready_replicas = 9; },
      [](Shown& s) { s.set.status.current_replicas = 9; },
      [](Shown& s) { s.set.status.updated_replicas = 9; },
      [](Shown& s) { s.set.status.available_replicas = 9; },
      [](Shown& s) { s.set.status.current_revision = "other"; },
      [](Shown& s) { s.set.status.update_revision = "other"; },
      [](Shown& s) { s.set.status.collision_count = 9; },
      [](Shown& s) { s.set.status.conditions[0].type = "other"; },
      [](Shown& s) { s.set.status.conditions[0].status = "other"; },
      [](Shown& s) { s.set.status.conditions[0].reason = "other"; },
      [](Shown& s) { s.set.status.conditions[0].message = "other"; },
      [](Shown& s) { s.set.status.conditions[0].last_transition = Time{9}; },
  };
  for (std::size_t n = 0; n < std::size(touches); ++n) expect_noticed(touches[n], words("touch ", n));
}

TEST(InputGuard, EqualContentHasEqualDigests) {
  const Scenario scenario = hand_made("replicas: 2", {settle});
  Followed copying([&](const View& seen, Api&, SyncResult&) {
    std::vector<Pod> copies;
    for (const Pod* pod : seen.pods.all) copies.push_back(*pod);
    std::vector<const Pod*> pointers;
    for (Pod& copy : copies) {
      if (copy.meta.labels) copy.meta.labels = std::make_shared<const StringMap>(*copy.meta.labels);
      pointers.push_back(&copy);
    }
    View same = seen;
    same.pods.all = pointers;
    EXPECT_EQ(digest_of(same), digest_of(seen));
  });
  Court court;
  EXPECT_EQ(court.try_scenario(scenario, copying, {.guards_inputs = true}).verdict, Verdict::held);
}

TEST(InputGuard, CachesThatGoOnInTheMidstOfATurnAreNobodysDoing) {
  const Scenario scenario =
      hand_made("replicas: 2", {settle, step(StepKind::make_unready, 0), deliver, step(StepKind::edit_metadata),
                                at_call(1, StepKind::deliver_all), sync});
  const auto live = make_reference(kubernetes_1_37_rules(), {});
  Court court;
  EXPECT_EQ(court.try_scenario(scenario, *live, {.guards_inputs = true}).verdict, Verdict::held);
}

TEST(InputGuard, CampaignsThatDoNotGuardSayNothing) {
  const Scenario scenario = hand_made("replicas: 2", {settle});
  const auto reference = make_reference(strict_rules(), {});
  Court court;
  const std::size_t place = place_of(*find_invariant("economy.inputs-untouched"));
  EXPECT_FALSE(court.try_scenario(scenario, *reference).situations.test(situation_of_invariant(place)));
  EXPECT_TRUE(
      court.try_scenario(scenario, *reference, {.guards_inputs = true}).situations.test(situation_of_invariant(place)));
}

}  // namespace
}  // namespace ordeal::properties::testing
