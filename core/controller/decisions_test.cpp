// Decisions as tables: what goes in, what comes out.
#include "core/controller/decisions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/cluster/test_objects.h"
#include "core/controller/releases.h"

namespace ordeal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// --- ownership ---------------------------------------------------------------------------------------------------------

TEST(Membership, StrictKnowsCanonicalNamesOnly) {
  struct Case {
    const char* pod;
    bool kubernetes, strict;
  };
  const Case cases[] = {{"web-0", true, true},    {"web-10", true, true},    {"web-01", true, false},
                        {"web-007", true, false}, {"web-00", true, false},   {"web-abc", false, false},
                        {"web", false, false},    {"web-1-2", false, false}, {"web-99999999999", true, false},
                        {"other-1", false, false}};
  for (const auto& [pod, kubernetes, strict] : cases) {
    EXPECT_EQ(kubernetes_1_37_rules().is_member("web", pod, parse_member(pod)), kubernetes) << pod;
    EXPECT_EQ(strict_rules().is_member("web", pod, parse_member(pod)), strict) << pod;
  }
}

TEST(ClaimingPods, IsDecidedByOwnerFitAndDeletion) {
  using enum Claiming;
  struct Case {
    int owner;  // 0: nobody, 1: the set, 2: another
    Fit fit;
    bool set_deleting, pod_deleting;
    Claiming kubernetes, strict;
  };
  constexpr Fit fits{true, true, true}, unselected{false, true, true}, misnamed{true, false, false},
      lookalike{true, true, false};
  const Case cases[] = {{1, fits, false, false, claim, claim},           {1, fits, true, true, claim, claim},
                        {1, unselected, false, false, release, release}, {1, misnamed, false, true, release, release},
                        {1, unselected, true, false, ignore, ignore},    {1, lookalike, false, false, release, keep},
                        {1, lookalike, true, false, ignore, keep},       {0, fits, false, false, adopt, adopt},
                        {0, fits, true, false, ignore, ignore},          {0, fits, false, true, ignore, ignore},
                        {0, unselected, false, false, ignore, ignore},   {0, lookalike, false, false, ignore, ignore},
                        {2, fits, false, false, ignore, ignore},         {2, unselected, false, false, ignore, ignore}};
  for (const Case& c : cases) {
    ObjectMeta set = test::meta("web"), pod = test::meta("web-0");
    set.uid = Uid{7};
    if (c.owner > 0)
      pod.owners = test::owners({{"apps/v1", "StatefulSet", "web", c.owner == 1 ? Uid{7} : Uid{8}, true, true}});
    if (c.set_deleting) set.deletion = Time{1};
    if (c.pod_deleting) pod.deletion = Time{1};
    EXPECT_EQ(kubernetes_1_37_rules().claiming(set, pod, c.fit), c.kubernetes) << &c - cases;
    EXPECT_EQ(strict_rules().claiming(set, pod, c.fit), c.strict) << &c - cases;
  }
}

TEST(PlaceOf, CountsFromTheStartOrdinal) {
  StatefulSetSpec spec;
  EXPECT_EQ(decide::by_start_and_replicas(spec, Ordinal{0}, 3), 0u);
  EXPECT_EQ(decide::by_start_and_replicas(spec, Ordinal{3}, 3), std::nullopt);
  spec.ordinals_start = 5;
  EXPECT_EQ(decide::by_start_and_replicas(spec, Ordinal{4}, 3), std::nullopt);
  EXPECT_EQ(decide::by_start_and_replicas(spec, Ordinal{7}, 3), 2u);
}

TEST(PlaceOf, PassesOverReservedOrdinals) {
  StatefulSetSpec spec;
  spec.ordinals_start = 5;
  spec.reserve_ordinals = {1, 6, 8};
  EXPECT_EQ(decide::by_start_and_replicas(spec, Ordinal{5}, 3), 0u);
  EXPECT_EQ(decide::by_start_and_replicas(spec, Ordinal{6}, 3), std::nullopt);
  EXPECT_EQ(decide::by_start_and_replicas(spec, Ordinal{7}, 3), 1u);
  EXPECT_EQ(decide::by_start_and_replicas(spec, Ordinal{9}, 3), 2u);
  EXPECT_EQ(decide::by_start_and_replicas(spec, Ordinal{10}, 3), std::nullopt);
}

// --- availability ------------------------------------------------------------------------------------------------------

TEST(Available, NeedsMinReadySecondsAndInOlderReleasesMore) {
  for (const auto available : {decide::ready_for_at_least, decide::ready_for_longer}) {
    Pod pod;
    EXPECT_FALSE(available(pod, 0, {}));
    pod.ready = true;
    EXPECT_TRUE(available(pod, 0, {}));
    EXPECT_FALSE(available(pod, 5, Time::seconds(100))) << "no transition time";
    pod.ready_changed = Time::seconds(10);
    EXPECT_FALSE(available(pod, 5, Time{14'999}));
    EXPECT_EQ(available(pod, 5, Time{15'000}), available == decide::ready_for_at_least);
    EXPECT_TRUE(available(pod, 5, Time{15'001}));
  }
}

// --- revisions ---------------------------------------------------------------------------------------------------------

StatefulSetSpec rolling(std::optional<RollingUpdate> block) {
  StatefulSetSpec spec = *test::set().spec;
  spec.rolling_update = block;
  return spec;
}

TEST(SideOfMissing, FollowsThePartitionOrWithoutABlockTheCount) {
  const auto side = strict_rules().side_of_missing;
  EXPECT_EQ(side(rolling(RollingUpdate{2, {}}), 1, Ordinal{1}, 0), Side::current);
  EXPECT_EQ(side(rolling(RollingUpdate{2, {}}), 2, Ordinal{2}, 9), Side::update);
  EXPECT_EQ(side(rolling(RollingUpdate{2, {}}), 1, Ordinal{6}, 0), Side::current) << "the partition is an index";
  EXPECT_EQ(side(rolling(RollingUpdate{{}, {}}), 0, Ordinal{0}, 9), Side::update);
  EXPECT_EQ(side(rolling({}), 1, Ordinal{1}, 2), Side::current);
  EXPECT_EQ(side(rolling({}), 2, Ordinal{2}, 2), Side::update);
  StatefulSetSpec on_delete = rolling({});
  on_delete.strategy = Strategy::on_delete;
  EXPECT_EQ(side(on_delete, 0, Ordinal{0}, 9), Side::update);
}

TEST(SurplusRevisions, AreThoseBeyondTheLimitAndNoneWhenItIsNegative) {
  const auto surplus = strict_rules().surplus_revisions;
  EXPECT_EQ(surplus(5, 2), 3u);
  EXPECT_EQ(surplus(2, 2), 0u);
  EXPECT_EQ(surplus(3, 0), 3u);
  EXPECT_EQ(surplus(3, -1), 0u);
  EXPECT_EQ(surplus(11, std::nullopt), 1u);
}

Revision revision_of(const PodTemplate& from, std::string_view hash) {
  Revision revision = test::revision("r");
  revision.data.bytes = from.patch;
  revision.meta.labels = test::labels({{label_revision_hash, hash}});
  return revision;
}

TEST(SameRevision, KubernetesLookedAtNumericHashesFirst) {
  // Some collision count gives this template a suffix that reads as a number.
  PodTemplate pod_template = *test::pod_template();
  std::int32_t collisions = -1;
  for (std::int32_t c = 0; c < 5000 && collisions < 0; ++c) {
    const Text suffix = revision_suffix(fnv1_32(*pod_template.patch), c);
    const bool digits = suffix.view().find_first_not_of("0123456789") == std::string_view::npos;
    if (digits && suffix.size() <= 9) collisions = c;
  }
  ASSERT_GE(collisions, 0);
  const Candidate candidate{pod_template, decide::encoded(pod_template), collisions};
  const Revision other_hash = revision_of(pod_template, "12345"), letters = revision_of(pod_template, "7b9d");
  EXPECT_FALSE(decide::same_bytes_unless_hashes_differ(other_hash, candidate));
  EXPECT_TRUE(strict_rules().same_revision(other_hash, candidate));
  EXPECT_TRUE(kubernetes_1_37_rules().same_revision(other_hash, candidate));
  EXPECT_TRUE(decide::same_bytes_unless_hashes_differ(letters, candidate));
}

struct ChoiceTest : testing::Test {
  Revision with(std::string_view name, const Shared<std::string>& bytes, Shared<PodTemplate> decoded = nullptr) {
    Revision revision = test::revision(name);
    revision.data = {bytes, std::move(decoded)};
    return revision;
  }
  RevisionChoice choose(std::vector<const Revision*> listed, Gates gates = {}, const Rules& rules = strict_rules()) {
    return rules.choose_revision(listed, {*wanted, decide::encoded(*wanted), 0}, rules, gates);
  }
  Shared<PodTemplate> wanted = test::pod_template("web:2");
  Shared<std::string> old_bytes = std::make_shared<const std::string>("older encoder");
  Revision other = with("a", test::pod_template("web:1")->patch), equal = with("b", wanted->patch),
           alike = with("c", old_bytes, wanted);
};

TEST_F(ChoiceTest, NewestEarlierMeaningNone) {
  using Action = RevisionChoice::Action;
  EXPECT_EQ(choose({}).action, Action::create);
  EXPECT_EQ(choose({&other}).action, Action::create);
  EXPECT_EQ(choose({&other, &equal}).action, Action::keep);
  EXPECT_EQ(choose({&equal, &other}).action, Action::bump);
  EXPECT_EQ(choose({&equal, &equal, &other}).index, 1u) << "the last equal one";
  EXPECT_EQ(choose({&other, &alike}).action, Action::keep);
  EXPECT_EQ(choose({&other, &alike}, {.semantic_revisions = false}).action, Action::create);
  EXPECT_EQ(choose({&alike, &other}).action, Action::create) << "only the newest is compared by meaning";
  EXPECT_EQ(choose({&equal, &alike}, {}, kubernetes_1_37_rules()).action, Action::bump) << "bytes before meaning";
  EXPECT_EQ(choose({&equal, &alike}).action, Action::keep) << "pods at it hold the template: no restart";
  EXPECT_EQ(choose({&equal, &alike}, {.semantic_revisions = false}).action, Action::bump);
}

TEST(SurplusRevisions, OfOldAreMoreThanThereAreWhenTheLimitIsNegative) {
  EXPECT_EQ(decide::beyond_limit(3, 2), 1u);
  EXPECT_EQ(decide::beyond_limit(2, 3), 0u);
  EXPECT_EQ(decide::beyond_limit(11, std::nullopt), 1u);
  EXPECT_EQ(decide::beyond_limit(2, -1), 3u);
}

TEST(Reuse, StrictTakesOnlyWhatItWillFindAgain) {
  const StatefulSet set = [] {
    StatefulSet made = test::set();
    made.meta.uid = Uid{7};
    return made;
  }();
  const auto held = [&](Owners owners, const char* app) {
    Revision revision = test::revision("r");
    revision.meta.labels = test::labels({{"app", app}});
    revision.meta.owners = test::owners(std::move(owners));
    return revision;
  };
  const OwnerReference earlier{group_version_apps, kind_stateful_set, "web", Uid{3}, true, true};
  EXPECT_TRUE(strict_rules().reuses(held({}, "web"), set));
  EXPECT_TRUE(strict_rules().reuses(held({test::owner(set)}, "web"), set));
  EXPECT_TRUE(strict_rules().reuses(held({earlier}, "web"), set)) << "it goes soon";
  EXPECT_FALSE(strict_rules().reuses(held({}, "elsewhere"), set));
  EXPECT_FALSE(strict_rules().reuses(held({test::stranger(true)}, "web"), set));
  EXPECT_TRUE(kubernetes_1_37_rules().reuses(held({test::stranger(true)}, "elsewhere"), set));
}

// --- claims ------------------------------------------------------------------------------------------------------------

struct ClaimTest : testing::Test {
  static constexpr Uid set_uid{7}, pod_uid{9};
  const Text web = "web", pod = "web-1";
  ClaimSide side(Retention deleted, Retention scaled, bool in_range, Uid uid = pod_uid) const {
    return {web, set_uid, pod, uid, {deleted, scaled}, in_range};
  }
  static OwnerReference ref(const Text& kind, const Text& name, Uid uid, bool controller = true) {
    return {kind == kind_pod ? group_version_core : group_version_apps, kind, name, uid, controller, true};
  }
  OwnerReference set_ref(Uid uid = set_uid, bool controller = true) const {
    return ref(kind_stateful_set, web, uid, controller);
  }
  OwnerReference pod_ref(Uid uid = pod_uid, bool controller = true) const {
    return ref(kind_pod, pod, uid, controller);
  }
  bool right(const Owners& owners, const ClaimSide& s) const {
    return strict_rules().claim_is_right(&owners, s, strict_rules());
  }
  Owners after(const Owners& owners, const ClaimSide& s) const {
    return strict_rules().claim_owners(&owners, s, strict_rules());
  }
};
constexpr Retention keep = Retention::retain, go = Retention::remove;

TEST_F(ClaimTest, TargetsOfAllFourPolicies) {
  const auto target = strict_rules().claim_target;
  EXPECT_EQ(target({keep, keep}, true), (ClaimTarget{false, false}));
  EXPECT_EQ(target({keep, keep}, false), (ClaimTarget{false, false}));
  EXPECT_EQ(target({go, keep}, true), (ClaimTarget{true, false}));
  EXPECT_EQ(target({go, keep}, false), (ClaimTarget{true, false}));
  EXPECT_EQ(target({keep, go}, true), (ClaimTarget{false, false}));
  EXPECT_EQ(target({keep, go}, false), (ClaimTarget{false, true}));
  EXPECT_EQ(target({go, go}, true), (ClaimTarget{true, false}));
  EXPECT_EQ(target({go, go}, false), (ClaimTarget{false, true}));
}

TEST_F(ClaimTest, RightOwners) {
  const OwnerReference foreign = test::stranger(true), plain = test::stranger(false);
  EXPECT_TRUE(right({}, side(keep, keep, true)));
  EXPECT_FALSE(right({}, side(go, keep, true)));
  EXPECT_TRUE(right({set_ref()}, side(go, keep, true)));
  EXPECT_FALSE(right({set_ref()}, side(go, go, false))) << "the pod, and not the set";
  EXPECT_TRUE(right({pod_ref()}, side(go, go, false)));
  EXPECT_FALSE(right({set_ref(set_uid, false)}, side(go, keep, true))) << "not as controller";
  EXPECT_FALSE(right({set_ref()}, side(keep, keep, true))) << "to be cleaned";
  EXPECT_TRUE(right({plain, set_ref()}, side(go, keep, true)));
  EXPECT_TRUE(right({set_ref(Uid{1})}, side(go, keep, true))) << "an earlier set's: hands off";
  EXPECT_TRUE(right({pod_ref(Uid{1})}, side(keep, go, false))) << "an earlier pod's";
  EXPECT_FALSE(right({set_ref(), set_ref(Uid{1})}, side(go, keep, true))) << "ours comes first, and is in the way";
  EXPECT_TRUE(right({foreign}, side(go, keep, true))) << "somebody else's";
  EXPECT_FALSE(right({foreign, set_ref(set_uid, false)}, side(go, keep, true))) << "ours has to go";
  EXPECT_TRUE(right({foreign}, side(keep, keep, true)));
}

TEST_F(ClaimTest, OwnersAfterwards) {
  const OwnerReference foreign = test::stranger(true), plain = test::stranger(false);
  EXPECT_THAT(after({plain}, side(go, keep, true)), ElementsAre(plain, set_ref()));
  EXPECT_THAT(after({set_ref(), plain}, side(go, go, false)), ElementsAre(plain, pod_ref()));
  EXPECT_THAT(after({set_ref()}, side(keep, keep, true)), IsEmpty());
  EXPECT_THAT(after({foreign, set_ref(set_uid, false)}, side(go, keep, true)), ElementsAre(foreign));

  const Owners with_an_earlier_one{set_ref(), set_ref(Uid{1})};
  const ClaimSide in_range = side(go, keep, true);
  EXPECT_THAT(after(with_an_earlier_one, in_range), ElementsAre(set_ref()));
  const Rules& release = kubernetes_1_37_rules();
  EXPECT_THAT(release.claim_owners(&with_an_earlier_one, in_range, release), IsEmpty())
      << "the right one comes in another turn";
}

TEST_F(ClaimTest, StaleWhenItBelongsToAnEarlierPod) {
  const Owners earlier{pod_ref(Uid{1})}, own{pod_ref()}, earlier_set{set_ref(Uid{1})}, of_set{set_ref()};
  for (const Rules* rules : {&strict_rules(), &kubernetes_1_37_rules()}) {
    const auto stale = rules->claim_is_stale;
    EXPECT_TRUE(stale(&earlier, side(keep, go, true, Uid::none)));
    EXPECT_TRUE(stale(&own, side(keep, go, true, Uid::none)));
    EXPECT_FALSE(stale(&own, side(keep, go, true)));
    EXPECT_FALSE(stale(&of_set, side(keep, go, true)));
    EXPECT_FALSE(stale(nullptr, side(keep, go, true, Uid::none)));
    const bool strict = rules == &strict_rules();
    EXPECT_EQ(stale(&earlier, side(go, keep, true, Uid::none)), strict) << "the policy was another once";
    EXPECT_EQ(stale(&earlier_set, side(keep, go, true)), strict);
  }
}

/// A member's lookalike, web-01, goes by the member's name once it is to be renamed.
TEST_F(ClaimTest, APodIsAnOwnerByItsUidUnderAnotherName) {
  const Owners under_its_old_name{ref(kind_pod, "web-01", pod_uid)};
  const Rules& release = kubernetes_1_37_rules();
  const ClaimSide in_range = side(keep, go, true);
  EXPECT_FALSE(release.claim_is_right(&under_its_old_name, in_range, release));
  EXPECT_EQ(release.claim_owners(&under_its_old_name, in_range, release), under_its_old_name)
      << "and every turn asks for it again";
}

TEST_F(ClaimTest, OfOldOwnersAreReadByUidAlone) {
  const Rules& old = find_release("kubernetes-1.28")->rules;
  const ClaimSide taken = side(Retention::remove, Retention::retain, true);
  const Owners others{test::stranger(true)};
  EXPECT_FALSE(old.claim_is_right(&others, taken, old));
  EXPECT_EQ(old.claim_owners(&others, taken, old).size(), 2u) << "beside somebody else who controls it";
  EXPECT_TRUE(strict_rules().claim_is_right(&others, taken, strict_rules()));
  EXPECT_TRUE(old.claim_is_right(nullptr, side(Retention::retain, Retention::retain, true), old));
}

TEST(NewClaim, HasTheOwnersOfItsTemplateBesideThoseOfThePolicy) {
  StatefulSet set = test::set();
  StatefulSetSpec spec = *set.spec;
  spec.retention = RetentionPolicy{.when_deleted = Retention::remove};
  set.spec = std::make_shared<const StatefulSetSpec>(spec);
  ClaimTemplate from{.name = "data", .labels = {}, .annotations = {}, .spec = {}, .owners = {}, .finalizers = {}};
  from.finalizers = test::finalizers({"example.org/backed-up"});
  from.owners = test::owners({test::stranger()});
  const Claim made = strict_rules().build_claim(set, from, "data-web-0");
  EXPECT_THAT(*made.meta.owners, ElementsAre(test::stranger(), decide::controlled_by(set.meta)));
  EXPECT_EQ(made.meta.finalizers, from.finalizers);
  EXPECT_THAT(*kubernetes_1_37_rules().build_claim(set, from, "data-web-0").meta.owners, ElementsAre(test::stranger()));
  from.owners = test::owners({test::stranger(true)});
  EXPECT_THAT(*strict_rules().build_claim(set, from, "data-web-0").meta.owners, ElementsAre(test::stranger(true)))
      << "whose it is, the policy is not for";
}

TEST(Claim, ThatLeavesIsNotWaitedForByThePodThatHoldsIt) {
  const auto strict = strict_rules().claim_is_usable, kubernetes = kubernetes_1_37_rules().claim_is_usable;
  Claim claim = test::claim("data-web-0");
  Pod pod = test::pod_on("web-0", "data-web-0"), other = test::pod_on("web-0", "log-web-0"), bare = test::pod("web-0");
  EXPECT_TRUE(strict(claim, nullptr));
  claim.meta.deletion = Time{};
  EXPECT_FALSE(strict(claim, nullptr)) << "one that is to be made waits";
  EXPECT_FALSE(strict(claim, &pod)) << "it has no node, and holds nothing";
  for (Pod* placed : {&pod, &other, &bare}) placed->node = "node-1";
  EXPECT_TRUE(strict(claim, &pod));
  EXPECT_FALSE(strict(claim, &other));
  EXPECT_FALSE(strict(claim, &bare));
  EXPECT_FALSE(kubernetes(claim, &pod));
}

TEST(ClaimName, IsComparedPieceByPiece) {
  EXPECT_TRUE(decide::is_claim_name("data-web-12", "data", "web", Ordinal{12}));
  for (const char* wrong :
       {"data-web-1", "data-web-012", "data-wab-12", "dota-web-12", "data.web-12", "data-web.12", "12", ""})
    EXPECT_FALSE(decide::is_claim_name(wrong, "data", "web", Ordinal{12})) << wrong;
}

// --- updates -----------------------------------------------------------------------------------------------------------

TEST(Budget, IsRoundedDownAndNeverZero) {
  struct Case {
    std::int32_t value;
    bool percent;
    std::int32_t replicas, expected;
  };
  for (const Case& c : {Case{2, false, 1, 2},
                        {15, true, 10, 1},
                        {20, true, 3, 1},
                        {50, true, 5, 2},
                        {100, true, 7, 7},
                        {0, false, 5, 1}}) {
    StatefulSetSpec spec = rolling(RollingUpdate{0, IntOrPercent{c.value, c.percent}});
    spec.replicas = c.replicas;
    EXPECT_EQ(decide::floor_at_least_one(spec), c.expected) << c.value;
  }
  EXPECT_EQ(decide::floor_at_least_one(rolling({})), 1);
  EXPECT_EQ(decide::floor_at_least_one(rolling(RollingUpdate{})), 1);
}

/// Places in letters, index 0 first. Old: o fine, b broken, y young, t terminating, f failed and deleted in this sync.
/// New: n fine, p pending, k terminating. Missing: -.
struct Places {
  explicit Places(std::string_view letters, RollingUpdate block = RollingUpdate{0, {}}) {
    StatefulSetSpec spec = *set.spec;
    spec.rolling_update = block;
    spec.replicas = static_cast<std::int32_t>(letters.size());
    set.spec = std::make_shared<const StatefulSetSpec>(spec);
    pods.resize(letters.size());
    for (std::size_t i = 0; i < letters.size(); ++i) states.push_back(state(letters[i], i));
  }
  PodState state(char letter, std::size_t i) {
    PodState s;
    s.ordinal = Ordinal{static_cast<std::int32_t>(i)};
    s.in_range = true;
    s.at_update = std::string_view("npk-").find(letter) != std::string_view::npos;
    if (letter == '-') return s;
    s.pod = &pods[i];
    pods[i].phase = letter == 'f' ? Phase::failed : letter == 'p' ? Phase::pending : Phase::running;
    s.created = true;
    s.at_current = !s.at_update;
    s.running_ready = std::string_view("oyntk").find(letter) != std::string_view::npos;
    s.available = s.running_ready && letter != 'y';
    s.terminating = letter == 't' || letter == 'k';
    s.deleted = letter == 'f';
    return s;
  }
  Rollout rollout(const Rules& rules, bool ordered, std::int32_t budget = 1) const {
    return {rules, set, states, condemned, rules.partition(*set.spec), budget, ordered};
  }
  StatefulSet set = test::set();
  std::vector<Pod> pods;
  std::vector<PodState> states, condemned;
};

enum class Way { one_by_one, in_order, in_parallel };
/// "2 1b": indices in order, b for broken.
std::string chosen(const Rules& rules, Way way, const Places& places, bool ordered, std::int32_t budget = 1) {
  std::vector<Replacement> replaced;
  const auto choose = way == Way::one_by_one ? rules.updates_one_by_one
                      : way == Way::in_order ? rules.updates_in_order
                                             : rules.updates_in_parallel;
  choose(places.rollout(rules, ordered, budget), replaced);
  std::string text;
  for (const auto& [index, reason] : replaced)
    text += (text.empty() ? "" : " ") + std::to_string(index) + (reason == Reason::replace_broken ? "b" : "");
  return text;
}

TEST(Updates, OneByOneFromTheTop) {
  struct Case {
    const char *places, *kubernetes, *strict;
  };
  const Case cases[] = {{"ooo", "2", "2"},  {"oon", "1", "1"}, {"oop", "", ""},     {"ook", "", ""},
                        {"oot", "", ""},    {"oo-", "", ""},   {"oob", "2b", "2b"}, {"nnn", "", ""},
                        {"boo", "2", "0b"}, {"poo", "2", ""},  {"oyn", "1b", "1b"}, {"obn", "1b", "1b"},
                        {"bop", "", "0b"},  {"oof", "2b", ""}};
  for (const auto& [places, kubernetes, strict] : cases) {
    EXPECT_EQ(chosen(kubernetes_1_37_rules(), Way::one_by_one, Places(places), false), kubernetes) << places;
    EXPECT_EQ(chosen(strict_rules(), Way::one_by_one, Places(places), false), strict) << places;
  }
  EXPECT_EQ(chosen(strict_rules(), Way::one_by_one, Places("ooo", {2, {}}), true), "2");
  EXPECT_EQ(chosen(strict_rules(), Way::one_by_one, Places("oon", {2, {}}), true), "");
  EXPECT_EQ(chosen(strict_rules(), Way::one_by_one, Places("ooo", {9, {}}), true), "");
}

TEST(Updates, InOrderAsManyAsTheBudget) {
  const auto in_order = [](const char* places, std::int32_t budget) {
    return chosen(strict_rules(), Way::in_order, Places(places), true, budget);
  };
  EXPECT_EQ(in_order("ooooo", 2), "4 3");
  EXPECT_EQ(in_order("oooon", 2), "3 2");
  EXPECT_EQ(in_order("on", 9), "0");
  EXPECT_EQ(in_order("nnn", 2), "");
  EXPECT_EQ(chosen(strict_rules(), Way::in_order, Places("oooo", {3, {}}), true, 2), "3");
}

TEST(Updates, InParallelBrokenOnesFirstThenTheBudget) {
  struct Case {
    const char* places;
    std::int32_t budget;
    const char* expected;
  };
  const Case cases[] = {{"ooooo", 2, "4 3"},   {"ooonp", 2, "2"},   {"oonpp", 2, ""}, {"ob", 1, "1b"}, {"boo", 1, "0b"},
                        {"bob", 3, "2b 0b 1"}, {"ytb", 1, "2b 0b"}, {"o-o", 1, ""},   {"o-o", 2, "2"}};
  for (const auto& [places, budget, expected] : cases)
    for (const Rules* rules : {&strict_rules(), &kubernetes_1_37_rules()})
      EXPECT_EQ(chosen(*rules, Way::in_parallel, Places(places), false, budget), expected) << places << rules->name;
  EXPECT_EQ(chosen(strict_rules(), Way::in_parallel, Places("bbo", {1, {}}), false, 1), "1b")
      << "not below the partition";
  EXPECT_EQ(chosen(kubernetes_1_37_rules(), Way::in_parallel, Places("of"), false), "1b") << "deleted twice";
  EXPECT_EQ(chosen(strict_rules(), Way::in_parallel, Places("of"), false), "");
}

TEST(Updates, WithoutABlockStrictReplacesOnlyWhatWouldChange) {
  Places places("boo");
  StatefulSetSpec spec = *places.set.spec;
  spec.rolling_update.reset();
  places.set.spec = std::make_shared<const StatefulSetSpec>(spec);
  EXPECT_EQ(chosen(kubernetes_1_37_rules(), Way::in_parallel, places, false), "0b") << "and again, and again";
  EXPECT_EQ(chosen(strict_rules(), Way::in_parallel, places, false), "");
  for (PodState& state : places.states) state.running_ready = state.available = false;
  EXPECT_EQ(chosen(strict_rules(), Way::in_parallel, places, false), "2b 1b 0b");
}

TEST(Updates, OfKruiseCountedOnlyWhatTheyHadComePast) {
  const Rules& kruise = find_release("kruise-1.5.1")->rules;
  EXPECT_EQ(chosen(kruise, Way::in_parallel, Places("boo"), false, 1), "2") << "the broken one is below";
  EXPECT_EQ(chosen(strict_rules(), Way::in_parallel, Places("boo"), false, 1), "0b");
  EXPECT_EQ(chosen(kruise, Way::in_parallel, Places("oop"), false, 1), "");
  EXPECT_EQ(chosen(find_release("kruise-0.3.0")->rules, Way::in_parallel, Places("oon"), false, 0), "");
}

TEST(ForcedRollback, StrictDeletesTheHighestBrokenOutdatedPod) {
  struct Case {
    const char* places;
    std::size_t stopped_at;
    std::optional<std::size_t> expected;
  };
  const Case cases[] = {
      {"oob", 2, 2}, {"obb", 1, 2}, {"obo", 1, 1}, {"opb", 1, std::nullopt}, {"oyb", 1, std::nullopt}};
  for (const auto& [letters, stopped_at, expected] : cases) {
    const Places places(letters);
    EXPECT_EQ(strict_rules().forced_rollback(places.rollout(strict_rules(), true), stopped_at), expected) << letters;
    EXPECT_EQ(kubernetes_1_37_rules().forced_rollback(places.rollout(strict_rules(), true), stopped_at), std::nullopt);
  }
  const Places held_back("bo", {1, {}});
  EXPECT_EQ(strict_rules().forced_rollback(held_back.rollout(strict_rules(), true), 0), std::nullopt);
}

TEST(Condemned, HighestFirstAndTwoBrokenOnesDoNotBlockStrict) {
  struct Case {
    const char* condemned;  // highest first
    bool kubernetes, strict;
  };
  const Case cases[] = {{"o", true, true},  {"b", true, true},   {"t", false, false}, {"ob", true, true},
                        {"bo", true, true}, {"bb", false, true}, {"yb", false, true}, {"tb", false, false}};
  for (const auto& [letters, kubernetes, strict] : cases) {
    const Places places(letters);
    EXPECT_EQ(kubernetes_1_37_rules().condemned_choice(places.states, kubernetes_1_37_rules()).has_value(), kubernetes)
        << letters;
    EXPECT_EQ(strict_rules().condemned_choice(places.states, strict_rules()).has_value(), strict) << letters;
  }
}

TEST(Recreation, StopsAllOldOnesThenWaitsForThem) {
  const auto stage = [](const char* letters) {
    const Places places(letters);
    return strict_rules().recreation(places.rollout(strict_rules(), true));
  };
  EXPECT_EQ(stage("oto"), RecreateStage::stop_all);
  EXPECT_EQ(stage("ntn"), RecreateStage::wait);
  EXPECT_EQ(stage("n-p"), RecreateStage::done);
  EXPECT_EQ(stage("k-n"), RecreateStage::done);
}

// --- status ------------------------------------------------------------------------------------------------------------

TEST(Tally, CountsWhatExists) {
  StatefulSetStatus counted;
  for (const PodState& state : Places("ooybtnpk-").states) strict_rules().tally(state, counted);
  EXPECT_EQ(counted.replicas, 8);
  EXPECT_EQ(counted.ready_replicas, 6);
  EXPECT_EQ(counted.available_replicas, 5);
  EXPECT_EQ(counted.current_replicas, 4);
  EXPECT_EQ(counted.updated_replicas, 2);
}

TEST(Completion, ByCountsOrByPlaces) {
  struct Case {
    const char *places, *condemned;
    bool kubernetes, strict;
  };
  const Case cases[] = {{"nn", "", true, true},   {"on", "", false, false},  {"np", "", false, false},
                        {"-n", "n", true, false}, {"nn", "n", false, false}, {"nk", "", false, false},
                        {"", "", true, true}};
  for (const auto& [letters, condemned, kubernetes, strict] : cases) {
    Places places(letters);
    const Places others(condemned);
    places.condemned = others.states;
    StatefulSetStatus counted;
    for (const auto* states : {&places.states, &places.condemned})
      for (const PodState& state : *states) strict_rules().tally(state, counted);
    EXPECT_EQ(kubernetes_1_37_rules().completes(places.rollout(strict_rules(), true), counted), kubernetes) << letters;
    EXPECT_EQ(strict_rules().completes(places.rollout(strict_rules(), true), counted), strict) << letters;
  }
  Places young("nn");
  young.states[1].available = false;
  StatefulSetStatus counted{.replicas = 2,
                            .ready_replicas = 2,
                            .updated_replicas = 2,
                            .current_revision = {},
                            .update_revision = {},
                            .collision_count = {}};
  EXPECT_TRUE(kubernetes_1_37_rules().completes(young.rollout(strict_rules(), true), counted));
  EXPECT_FALSE(strict_rules().completes(young.rollout(strict_rules(), true), counted));
}

TEST(Completion, OfOldWasAgainstThePodsThereAre) {
  const Places places("nn-");
  const StatefulSetStatus counted{.replicas = 2,
                                  .ready_replicas = 2,
                                  .updated_replicas = 2,
                                  .current_revision = {},
                                  .update_revision = {},
                                  .collision_count = {}};
  EXPECT_TRUE(find_release("kubernetes-1.28")->rules.completes(places.rollout(strict_rules(), true), counted));
  EXPECT_FALSE(find_release("kubernetes-1.31")->rules.completes(places.rollout(strict_rules(), true), counted));
}

TEST(StatusDiffers, KubernetesOverlooksTheCollisionCount) {
  StatefulSetStatus told, counted;
  counted.collision_count = 0;
  EXPECT_FALSE(strict_rules().status_differs(told, counted));
  counted.collision_count = 1;
  EXPECT_TRUE(strict_rules().status_differs(told, counted));
  EXPECT_FALSE(kubernetes_1_37_rules().status_differs(told, counted));
  counted.available_replicas = 1;
  EXPECT_TRUE(kubernetes_1_37_rules().status_differs(told, counted));
}

TEST(Requeue, WhenTheFirstYoungPodIsOldEnough) {
  const auto ask = [](const Rules& rules, std::int32_t available, std::optional<Time> soonest, bool collector = false,
                      std::int32_t ready = 2) {
    return rules.requeue({.min_ready_seconds = 30,
                          .replicas = 2,
                          .ready = ready,
                          .available = available,
                          .soonest = soonest,
                          .for_collector = collector});
  };
  const Rules &strict = strict_rules(), &kubernetes = kubernetes_1_37_rules();
  EXPECT_EQ(ask(kubernetes, 1, Time{500}), Time{500});
  EXPECT_EQ(ask(kubernetes, 1, std::nullopt), Time::seconds(30));
  EXPECT_EQ(ask(kubernetes, 2, Time{500}), std::nullopt);
  EXPECT_EQ(ask(kubernetes, 2, Time{500}, false, 3), Time{500}) << "a surplus pod makes up the number";
  const Rules& older = find_release("kubernetes-1.35.0")->rules;
  EXPECT_EQ(ask(older, 1, Time{500}), Time::seconds(30)) << "all of it";
  EXPECT_EQ(ask(older, 2, Time{500}, false, 3), std::nullopt);
  EXPECT_EQ(ask(strict, 2, Time{500}), Time{500});
  EXPECT_EQ(ask(strict, 1, std::nullopt), std::nullopt);
  EXPECT_EQ(ask(strict, 1, Time{5000}, true), Time::seconds(1));
}

TEST(Tally, OfOldCountsItsOwnWorkAtOnce) {
  const auto tally = [](PodState state, const Rules& rules) {
    StatefulSetStatus counted;
    rules.tally(state, counted);
    return std::array{counted.replicas, counted.current_replicas, counted.updated_replicas};
  };
  const Rules &now = strict_rules(), &old = find_release("kubernetes-1.24")->rules,
              &older = find_release("kubernetes-1.11")->rules;
  const PodState made{.in_range = true, .at_update = true, .made = true};
  EXPECT_EQ(tally(made, now), (std::array{0, 0, 0}));
  EXPECT_EQ(tally(made, old), (std::array{1, 0, 1}));
  const PodState scaled_away{.created = true, .at_current = true, .deleted = true};
  EXPECT_EQ(tally(scaled_away, now), (std::array{1, 1, 0}));
  EXPECT_EQ(tally(scaled_away, old), (std::array{1, 0, 0}));
  const PodState both{.in_range = true, .created = true, .at_current = true, .at_update = true};
  EXPECT_EQ(tally(both, old), (std::array{1, 1, 1}));
  EXPECT_EQ(tally(both, older), (std::array{1, 1, 0})) << "a finished update counts none as updated";
}

TEST(Batches, DoubleUpTo500) {
  std::vector<std::size_t> sizes;
  std::size_t batch = 0;
  for (std::size_t left = 1500; left > 0; left -= batch) sizes.push_back(batch = decide::doubling_to_500(batch, left));
  EXPECT_THAT(sizes, ElementsAre(1, 2, 4, 8, 16, 32, 64, 128, 256, 500, 489));
}

}  // namespace
}  // namespace ordeal
