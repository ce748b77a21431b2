// The API server, rule by rule: a request and the code it gets; then what an admitted request makes of the object.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "core/cluster/test_objects.h"

namespace ordeal {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::StartsWith;

class ServerTest : public testing::Test {
 protected:
  void SetUp() override { fill(); }
  void fill() {
    cluster_.reset();
    ASSERT_EQ(cluster_.create_set(test::set()), Code::ok);
    ASSERT_EQ(cluster_.create_pod(test::owned_by(test::pod("web-0"), {test::owner(set())})), Code::ok);
    ASSERT_EQ(cluster_.create_pod(test::pod("orphan-0")), Code::ok);
    ASSERT_EQ(cluster_.create_claim(test::claim("data-web-0")), Code::ok);
    ASSERT_EQ(cluster_.create_revision(test::revision("web-r1")), Code::ok);
  }

  const StatefulSet& set() const { return *cluster_.sets().find("web"); }
  const Pod& pod(const Text& name = "web-0") const { return *cluster_.pods().find(name); }
  const Claim& claim() const { return *cluster_.claims().find("data-web-0"); }
  const Revision& revision() const { return *cluster_.revisions().find("web-r1"); }
  Shared<Owners> two_controllers() const { return test::owners({test::owner(set()), test::stranger(true)}); }
  std::size_t writes() const {
    return cluster_.sets().log().size() + cluster_.pods().log().size() + cluster_.claims().log().size() +
           cluster_.revisions().log().size();
  }

  static Request request(Verb verb, Kind kind, Text name) {
    Request made;
    made.verb = verb;
    made.kind = kind;
    made.name = std::move(name);
    return made;
  }
  template <class T>
  static Request with_body(Verb verb, Kind kind, Text name, T body) {
    Request made = request(verb, kind, std::move(name));
    made.body = std::move(body);
    return made;
  }
  static Request create(Pod p) { return with_body(Verb::create, Kind::pod, p.meta.name, p); }
  static Request create(Claim c) { return with_body(Verb::create, Kind::claim, c.meta.name, c); }
  static Request create(Revision r) { return with_body(Verb::create, Kind::revision, r.meta.name, r); }
  static Request update(Pod p) { return with_body(Verb::update, Kind::pod, p.meta.name, p); }
  static Request update(Claim c) { return with_body(Verb::update, Kind::claim, c.meta.name, c); }
  static Request update(Revision r) { return with_body(Verb::update, Kind::revision, r.meta.name, r); }
  static Request status(StatefulSetStatus s) { return with_body(Verb::update_status, Kind::set, "web", s); }
  static Request patch(Text name, OwnerPatch p) { return with_body(Verb::patch_owners, Kind::pod, std::move(name), p); }

  /// The object after an edit.
  template <class T, class Edit>
  static T edited(T object, Edit edit) {
    edit(object);
    return object;
  }
  static Shared<StringMap> label(const std::string& key, const std::string& value) {
    return test::labels({{key, value}});
  }
  static Request at(Version version, Request made) { return made.version = version, made; }
  static Request of(Uid uid, Request made) { return made.uid = uid, made; }

  struct Row {
    const char* what;
    Request asked;
    Code expected;
  };
  /// Each row is tried on its own: a refused one changes nothing, an admitted one is undone by filling again.
  void expect(const std::function<std::vector<Row>()>& rows) {
    const std::size_t count = rows().size();
    for (std::size_t i = 0; i < count; ++i) {
      fill();
      const Row row = rows()[i];
      const std::size_t before = writes();
      const Reply reply = cluster_.handle(row.asked);
      EXPECT_EQ(name_of(reply.code), name_of(row.expected)) << row.what;
      if (!reply.ok()) EXPECT_EQ(writes(), before) << row.what;
      EXPECT_EQ(reply.ok(), reply.object.index() != 0) << row.what;
    }
  }

  Cluster cluster_;
};

constexpr Uid other_uid{999};
constexpr Version other_version{999};

TEST_F(ServerTest, RequestsThatMakeNoSenseAreInvalid) {
  expect([&]() -> std::vector<Row> {
    return {
        {"a pod's name, a claim's body", with_body(Verb::create, Kind::pod, "x", test::claim("x")), Code::invalid},
        {"no body", request(Verb::update, Kind::pod, "web-0"), Code::invalid},
        {"another name in the body", with_body(Verb::create, Kind::pod, "x", test::pod("y")), Code::invalid},
        {"status of a pod", with_body(Verb::update_status, Kind::pod, "web-0", StatefulSetStatus{}), Code::invalid},
        {"update of a set", request(Verb::update, Kind::set, "web"), Code::forbidden},
        {"another set", request(Verb::create, Kind::set, "db"), Code::forbidden},
        {"status without status", request(Verb::update_status, Kind::set, "web"), Code::invalid},
        {"patch without patch", request(Verb::patch_owners, Kind::pod, "web-0"), Code::invalid},
    };
  });
}

TEST_F(ServerTest, AnObjectToBeMadeHasNoVersion) {
  expect([&]() -> std::vector<Row> {
    return {{"a copy of what was read", at(other_version, create(test::pod("web-1"))), Code::internal}};
  });
}

TEST_F(ServerTest, FinalizersSayWhoseTheyAre) {
  const auto held = [&](const char* finalizer) {
    return create(edited(test::pod("web-1"), [&](Pod& p) { p.meta.finalizers = test::finalizers({finalizer}); }));
  };
  expect([&]() -> std::vector<Row> {
    return {
        {"somebody's", held("example.com/mine"), Code::ok},
        {"Kubernetes' own", held("foregroundDeletion"), Code::ok},
        {"nobody's", held("cleanup"), Code::invalid},
        {"no name", held("example.com/a b"), Code::invalid},
    };
  });
}

TEST_F(ServerTest, AnnotationsAreNamedAndBounded) {
  const auto noted = [&](const std::string& key, std::size_t bytes) {
    return create(edited(test::pod("web-1"),
                         [&](Pod& p) { p.meta.annotations = test::labels({{key, std::string(bytes, 'a')}}); }));
  };
  expect([&]() -> std::vector<Row> {
    return {
        {"short", noted("Example.com/Seen", 10), Code::ok},
        {"as long as can be", noted("a", 256 * 1024 - 1), Code::ok},
        {"longer", noted("a", 256 * 1024), Code::invalid},
        {"no name", noted("example.com/a/b c", 1), Code::invalid},
    };
  });
}

TEST_F(ServerTest, Get) {
  expect([&]() -> std::vector<Row> {
    return {
        {"a set", request(Verb::get, Kind::set, "web"), Code::ok},
        {"a pod", request(Verb::get, Kind::pod, "web-0"), Code::ok},
        {"a claim", request(Verb::get, Kind::claim, "data-web-0"), Code::ok},
        {"a revision", request(Verb::get, Kind::revision, "web-r1"), Code::ok},
        {"no such set", request(Verb::get, Kind::set, "db"), Code::not_found},
        {"no such pod", request(Verb::get, Kind::pod, "web-9"), Code::not_found},
    };
  });
  EXPECT_EQ(cluster_.handle(request(Verb::get, Kind::set, "web")).as<StatefulSet>(), &set());
}

TEST_F(ServerTest, CreatePod) {
  const std::string long_value(64, 'a'), longest_value(63, 'a');
  expect([&]() -> std::vector<Row> {
    const Pod fine = test::pod("web-1");
    const OwnerReference two[] = {test::owner(set()), test::stranger(true)};
    OwnerReference nobody = two[0];
    nobody.uid = Uid::none;
    return {
        {"a pod", create(fine), Code::ok},
        {"name taken", create(test::pod("web-0")), Code::already_exists},
        {"no name", create(test::pod("")), Code::invalid},
        {"a bad name", create(test::pod("Web_1")), Code::invalid},
        {"no containers", create(edited(fine, [](Pod& p) { p.made_from.reset(); })), Code::invalid},
        {"a label of 63", create(edited(fine, [&](Pod& p) { p.meta.labels = label("a", longest_value); })), Code::ok},
        {"a label of 64", create(edited(fine, [&](Pod& p) { p.meta.labels = label("a", long_value); })), Code::invalid},
        {"a bad label", create(edited(fine, [&](Pod& p) { p.meta.labels = label("a", "-"); })), Code::invalid},
        {"a bad key", create(edited(fine, [&](Pod& p) { p.meta.labels = label("a/", "b"); })), Code::invalid},
        {"a bad host name", create(edited(fine, [](Pod& p) { p.hostname = "a.b"; })), Code::invalid},
        {"another namespace", create(edited(fine, [](Pod& p) { p.meta.ns = "other"; })), Code::invalid},
        {"one controller", create(test::owned_by(fine, {two[0], test::stranger()})), Code::ok},
        {"two controllers", create(test::owned_by(fine, {two[0], two[1]})), Code::invalid},
        {"an owner without UID", create(test::owned_by(fine, {nobody})), Code::invalid},
    };
  });
}

TEST_F(ServerTest, SaysWhatIsInvalid) {
  const auto why = [&](const Request& request) { return cluster_.handle(request).why.str(); };
  StatefulSetStatus counts;
  counts.replicas = 1;
  counts.ready_replicas = 2;
  const Pod fine = test::pod("web-1");
  EXPECT_EQ(why(create(fine)), "");
  EXPECT_EQ(why(create(test::pod("web-0"))), "") << "a name that is taken is another answer";
  EXPECT_THAT(why(create(edited(test::pod("web-2"), [](Pod& p) { p.hostname = "a.b"; }))),
              AllOf(StartsWith("spec.hostname: must be a DNS label"), EndsWith("(found: a.b)")));
  EXPECT_THAT(why(create(edited(test::pod("web-2"), [](Pod& p) { p.meta.labels = label("a", "-"); }))),
              StartsWith("metadata.labels.a: "));
  EXPECT_THAT(why(update(edited(pod(), [](Pod& p) { p.subdomain = "x"; }))), StartsWith("spec: must not be changed"));
  EXPECT_THAT(why(update(edited(revision(), [](Revision& r) { r.number = -1; }))), EndsWith("(found: -1)"));
  EXPECT_THAT(why(create(test::revision("web-r2", "[]"))), StartsWith("data: must be an object"));
  EXPECT_THAT(why(update(edited(pod(), [&](Pod& p) { p.meta.owners = two_controllers(); }))),
              StartsWith("metadata.ownerReferences: at most one"));
  EXPECT_THAT(why(status(counts)), StartsWith("status.readyReplicas: "));
}

TEST_F(ServerTest, TemplatesWithFaultsMakeNoPods) {
  PodTemplate broken = *test::pod_template();
  broken.faults = {"spec.containers: is required"};
  Pod wanted = test::pod("web-1");
  wanted.made_from = std::make_shared<const PodTemplate>(std::move(broken));
  EXPECT_EQ(cluster_.create_pod(wanted), Code::invalid);
}

TEST_F(ServerTest, ANewPodIsPendingWhateverWasSent) {
  Pod wanted = test::pod("web-1");
  wanted.phase = Phase::running;
  wanted.ready = true;
  wanted.ready_changed = Time::seconds(1);
  wanted.node = "somewhere";
  wanted.meta.uid = other_uid;
  wanted.meta.version = other_version;
  wanted.meta.generation = 7;
  wanted.meta.deletion = Time::seconds(1);
  wanted.meta.ns = {};
  cluster_.advance({61'900});
  const Pod* made = cluster_.handle(create(wanted)).as<Pod>();
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(made, &pod("web-1"));
  EXPECT_EQ(made->phase, Phase::pending);
  EXPECT_FALSE(made->ready);
  EXPECT_FALSE(made->ready_changed);
  EXPECT_TRUE(made->node.empty());
  EXPECT_NE(made->meta.uid, other_uid);
  EXPECT_NE(made->meta.version, other_version);
  EXPECT_EQ(made->meta.generation, 0);
  EXPECT_FALSE(made->meta.terminating());
  EXPECT_EQ(made->meta.ns, "default");
  EXPECT_EQ(made->meta.created, Time::seconds(61));
}

TEST_F(ServerTest, UidsAndVersionsAreNeverUsedTwice) {
  const Uid first = pod("orphan-0").meta.uid;
  const Version then = pod("orphan-0").meta.version;
  EXPECT_LT(pod("web-0").meta.uid, first);
  EXPECT_LT(then, claim().meta.version) << "one counter for all kinds";
  cluster_.delete_pod("orphan-0");
  cluster_.create_pod(test::pod("orphan-0"));
  EXPECT_GT(pod("orphan-0").meta.uid, first);
  EXPECT_GT(pod("orphan-0").meta.version, then);
}

TEST_F(ServerTest, UpdatePod) {
  expect([&]() -> std::vector<Row> {
    const Pod held = pod();
    const auto renamed = [&] { return with_body(Verb::update, Kind::pod, "web-0", test::pod("web-1")); };
    const auto change = [&](auto edit) { return update(edited(held, edit)); };
    const auto relabel = [&] { return change([](Pod& p) { p.meta.labels = label("app", "db"); }); };
    return {
        {"labels", relabel(), Code::ok},
        {"labels at its version", at(held.meta.version, relabel()), Code::ok},
        {"labels at another version", at(other_version, relabel()), Code::conflict},
        {"labels of its UID", of(held.meta.uid, relabel()), Code::ok},
        {"labels of another UID", of(other_uid, relabel()), Code::conflict},
        {"a label too long", change([](Pod& p) { p.meta.labels = label("app", std::string(64, 'a')); }), Code::invalid},
        {"no such pod", update(test::pod("web-9")), Code::not_found},
        {"a new name", renamed(), Code::invalid},
        {"a new namespace", change([](Pod& p) { p.meta.ns = "other"; }), Code::invalid},
        {"a template", change([](Pod& p) { p.made_from = test::pod_template("web:2"); }), Code::invalid},
        {"an equal template", change([](Pod& p) { p.made_from = test::pod_template(); }), Code::ok},
        {"volumes", change([](Pod& p) { p.volumes = test::pod_on("x", "c").volumes; }), Code::invalid},
        {"a host name", change([](Pod& p) { p.hostname = "x"; }), Code::invalid},
        {"a subdomain", change([](Pod& p) { p.subdomain = "x"; }), Code::invalid},
        {"a node", change([](Pod& p) { p.node = "x"; }), Code::invalid},
        {"a second controller", change([&](Pod& p) { p.meta.owners = two_controllers(); }), Code::invalid},
        {"no owners", change([](Pod& p) { p.meta.owners.reset(); }), Code::ok},
    };
  });
}

TEST_F(ServerTest, AnUpdateKeepsWhatIsTheServers) {
  test::run(cluster_, test::pod("web-1"));
  const Pod before = pod("web-1");
  Pod wanted = before;
  wanted.meta.labels = label("app", "db");
  wanted.meta.uid = other_uid;
  wanted.meta.created = Time::seconds(9);
  wanted.phase = Phase::failed;
  wanted.ready = false;
  ASSERT_TRUE(cluster_.handle(update(wanted)).ok());
  const Pod& after = pod("web-1");
  EXPECT_TRUE(after.meta.labels->has("app", "db"));
  EXPECT_EQ(after.meta.uid, before.meta.uid);
  EXPECT_EQ(after.meta.created, before.meta.created);
  EXPECT_FALSE(after.meta.terminating());
  EXPECT_EQ(after.phase, Phase::running);
  EXPECT_TRUE(after.ready);
  EXPECT_GT(after.meta.version, before.meta.version);
}

TEST_F(ServerTest, AnUpdateDeletesNothing) {
  test::run(cluster_, test::pod("web-1"));
  const auto ended = [&] { return update(edited(pod("web-1"), [](Pod& p) { p.meta.deletion = Time::seconds(9); })); };
  EXPECT_EQ(cluster_.handle(ended()).code, Code::invalid);
  ASSERT_EQ(cluster_.delete_pod("web-1"), Code::ok);
  const std::optional<Time> end = pod("web-1").meta.deletion;
  ASSERT_TRUE(end);
  EXPECT_TRUE(cluster_.handle(ended()).ok());  // of one on its way out it is passed over
  EXPECT_EQ(pod("web-1").meta.deletion, end);
}

TEST_F(ServerTest, AnUpdateTakesEachPartOfTheMetadata) {
  const auto arrives = [&](auto change, auto has_arrived) {
    Claim wanted = claim();
    change(wanted.meta);
    EXPECT_TRUE(cluster_.handle(update(wanted)).ok());
    return has_arrived(claim().meta);
  };
  const OwnerReference web = test::owner(set());
  EXPECT_TRUE(arrives([](ObjectMeta& m) { m.labels = label("a", "b"); },
                      [](const ObjectMeta& m) { return m.labels->has("a", "b"); }));
  EXPECT_TRUE(arrives([](ObjectMeta& m) { m.annotations = label("a", "b"); },
                      [](const ObjectMeta& m) { return m.annotations->has("a", "b"); }));
  EXPECT_TRUE(arrives([&](ObjectMeta& m) { m.owners = test::owners({web}); },
                      [&](const ObjectMeta& m) { return *m.owners == Owners{web}; }));
  EXPECT_TRUE(arrives([](ObjectMeta& m) { m.finalizers = test::finalizers({"example.com/keep"}); },
                      [](const ObjectMeta& m) { return m.finalizers->size() == 1; }));
}

TEST_F(ServerTest, WritesThatChangeNothingMakeNoVersion) {
  const std::size_t before = writes();
  Pod same = pod();
  same.meta.labels = test::labels({{"app", "web"}});
  same.meta.annotations = test::labels({});
  Request unconditional[] = {update(same),
                             update(claim()),
                             update(revision()),
                             status(set().status),
                             patch("web-0", {.add = test::owner(set()), .remove = {}, .object_uid = pod().meta.uid}),
                             patch("web-0", {.add = {}, .remove = other_uid, .object_uid = pod().meta.uid})};
  for (const Request& asked : unconditional) EXPECT_TRUE(cluster_.handle(asked).ok());
  EXPECT_EQ(cluster_.update_set("web", *set().spec), Code::ok);
  EXPECT_EQ(writes(), before);
}

TEST_F(ServerTest, ClaimsAndRevisions) {
  expect([&]() -> std::vector<Row> {
    const auto larger = std::make_shared<const std::string>("{1}");
    const auto change_claim = [&](auto edit) { return update(edited(claim(), edit)); };
    const auto change_revision = [&](auto edit) { return update(edited(revision(), edit)); };
    const auto new_revision = [&](auto edit) { return create(edited(test::revision("web-r2"), edit)); };
    return {
        {"a claim", create(test::claim("data-web-1")), Code::ok},
        {"a claim twice", create(test::claim("data-web-0")), Code::already_exists},
        {"a claim without name", create(test::claim("")), Code::invalid},
        {"a claim's owner", change_claim([&](Claim& c) { c.meta.owners = pod().meta.owners; }), Code::ok},
        {"two controllers", change_claim([&](Claim& c) { c.meta.owners = two_controllers(); }), Code::invalid},
        {"a claim's size", change_claim([&](Claim& c) { c.spec = larger; }), Code::invalid},
        {"a claim at another version", at(other_version, update(claim())), Code::conflict},
        {"no such claim", update(test::claim("data-web-9")), Code::not_found},
        {"a revision", create(test::revision("web-r2")), Code::ok},
        {"a revision twice", create(test::revision("web-r1")), Code::already_exists},
        {"a revision without data", new_revision([](Revision& r) { r.data.bytes.reset(); }), Code::invalid},
        {"revision -1", new_revision([](Revision& r) { r.number = -1; }), Code::invalid},
        {"revision 0", new_revision([](Revision& r) { r.number = 0; }), Code::ok},
        {"a number", change_revision([](Revision& r) { r.number = 4; }), Code::ok},
        {"a number below 0", change_revision([](Revision& r) { r.number = -4; }), Code::invalid},
        {"other data", change_revision([](Revision& r) { r.data = test::revision("x", "{1}").data; }), Code::invalid},
        {"the same data again", change_revision([](Revision& r) { r.data = test::revision("x").data; }), Code::ok},
        {"no data", change_revision([](Revision& r) { r.data.bytes.reset(); }), Code::invalid},
        {"no such revision", update(test::revision("web-r9")), Code::not_found},
    };
  });
  ASSERT_TRUE(cluster_.handle(update(edited(revision(), [](Revision& r) { r.number = 4; }))).ok());
  EXPECT_EQ(revision().number, 4);
}

TEST_F(ServerTest, PatchOwners) {
  expect([&]() -> std::vector<Row> {
    const Uid uid = pod().meta.uid, orphan = pod("orphan-0").meta.uid;
    const OwnerReference web = test::owner(set());
    const auto add = [](OwnerReference o, Uid object) { return OwnerPatch{std::move(o), {}, object}; };
    const auto drop = [&](Uid object) { return OwnerPatch{{}, web.uid, object}; };
    Request revisions = patch("web-r1", add(web, revision().meta.uid));
    revisions.kind = Kind::revision;
    return {
        {"adopt", patch("orphan-0", add(web, orphan)), Code::ok},
        {"adopt a revision", revisions, Code::ok},
        {"adopt what was replaced", patch("orphan-0", add(web, other_uid)), Code::invalid},
        {"adopt whatever is there", patch("orphan-0", add(web, Uid::none)), Code::ok},
        {"a second controller", patch("web-0", add(test::stranger(true), uid)), Code::invalid},
        {"a second owner", patch("web-0", add(test::stranger(), uid)), Code::ok},
        {"one for the other", patch("web-0", OwnerPatch{test::stranger(true), web.uid, uid}), Code::ok},
        {"release", patch("web-0", drop(uid)), Code::ok},
        {"release what was replaced", patch("web-0", drop(other_uid)), Code::invalid},
        {"release what is gone", patch("web-9", drop(uid)), Code::not_found},
        {"at another version", at(other_version, patch("web-0", drop(uid))), Code::conflict},
    };
  });
  cluster_.handle(patch("orphan-0", {.add = test::owner(set()), .remove = {}, .object_uid = pod("orphan-0").meta.uid}));
  ASSERT_NE(pod("orphan-0").meta.controller(), nullptr);
  EXPECT_EQ(pod("orphan-0").meta.controller()->uid, set().meta.uid);
  cluster_.handle(patch("orphan-0", {.add = {}, .remove = set().meta.uid, .object_uid = pod("orphan-0").meta.uid}));
  EXPECT_EQ(pod("orphan-0").meta.owners, nullptr);
}

TEST_F(ServerTest, UpdateStatus) {
  expect([&]() -> std::vector<Row> {
    const auto with = [](auto edit) { return edited(StatefulSetStatus{}, edit); };
    const StatefulSetStatus fine = with([](StatefulSetStatus& s) { s.replicas = 2, s.ready_replicas = 1; });
    const Version version = set().meta.version;
    Request missing = status(fine);
    missing.name = "db";
    return {
        {"a status", status(fine), Code::ok},
        {"at its version", at(version, status(fine)), Code::ok},
        {"at another version", at(other_version, status(fine)), Code::conflict},
        {"of another UID", of(other_uid, status(fine)), Code::conflict},
        {"no such set", missing, Code::not_found},
        {"below 0", status(with([](StatefulSetStatus& s) { s.current_replicas = -1; })), Code::invalid},
        {"more ready than there", status(with([](StatefulSetStatus& s) { s.ready_replicas = 1; })), Code::invalid},
    };
  });
}

TEST_F(ServerTest, AStatusChangesTheStatusOnly) {
  const StatefulSet before = set();
  StatefulSetStatus wanted;
  wanted.replicas = 2;
  wanted.collision_count = 1;
  const StatefulSet* after = cluster_.handle(status(wanted)).as<StatefulSet>();
  ASSERT_EQ(after, &set());
  EXPECT_EQ(after->status, wanted);
  EXPECT_EQ(after->spec, before.spec);
  EXPECT_EQ(after->meta.generation, 1);
  EXPECT_GT(after->meta.version, before.meta.version);
  wanted.collision_count = 0;
  EXPECT_EQ(cluster_.handle(status(wanted)).code, Code::invalid) << "collisionCount may not decrease";
}

TEST_F(ServerTest, CreateSet) {
  EXPECT_EQ(set().meta.generation, 1);
  EXPECT_EQ(set().spec->revision_history_limit, 10) << "not defaulted";
  EXPECT_EQ(cluster_.create_set(test::set()), Code::already_exists);
  StatefulSet wanted = test::set("db");
  wanted.status.replicas = 4;
  wanted.meta.generation = 5;
  EXPECT_EQ(cluster_.create_set(wanted), Code::ok);
  EXPECT_EQ(cluster_.sets().find("db")->status.replicas, 0);
  EXPECT_EQ(cluster_.sets().find("db")->meta.generation, 1);
  EXPECT_EQ(cluster_.create_set(test::set("Bad.Name")), Code::invalid);
  wanted.spec.reset();
  EXPECT_EQ(cluster_.create_set(wanted), Code::invalid);
}

TEST_F(ServerTest, AnEditOfTheSpecRaisesTheGeneration) {
  StatefulSetStatus told;
  told.replicas = 3;
  cluster_.handle(status(told));
  StatefulSetSpec spec = *set().spec;
  spec.replicas = 5;
  EXPECT_EQ(cluster_.update_set("web", spec), Code::ok);
  EXPECT_EQ(set().meta.generation, 2);
  EXPECT_EQ(set().spec->replicas, 5);
  EXPECT_EQ(set().status, told);
  spec.pod_template = test::pod_template();  // equal, though another object
  EXPECT_EQ(cluster_.update_set("web", spec), Code::ok);
  EXPECT_EQ(set().meta.generation, 2);
  spec.service_name = "other";
  EXPECT_EQ(cluster_.update_set("web", spec), Code::invalid);
  EXPECT_EQ(cluster_.update_set("db", spec), Code::not_found);
  EXPECT_EQ(set().spec->service_name, "web");
}

TEST_F(ServerTest, AnEditOfMetadataOrConditionsRaisesTheVersionAlone) {
  StatefulSet wanted = set();
  wanted.meta.annotations = test::labels({{"kubernetes.io/change-cause", "a"}});
  wanted.spec.reset();  // is not looked at
  const Version before = set().meta.version;
  EXPECT_EQ(cluster_.edit_set(wanted), Code::ok);
  EXPECT_TRUE(set().meta.annotations->has("kubernetes.io/change-cause", "a"));
  EXPECT_NE(set().spec, nullptr);
  EXPECT_EQ(set().meta.generation, 1);
  const Version after = set().meta.version;
  EXPECT_GT(after, before);
  EXPECT_EQ(cluster_.edit_set(wanted), Code::ok);
  EXPECT_EQ(set().meta.version, after) << "what is so already";
  wanted.status.conditions.push_back({"example.org/BackedUp", "True", "", "", {}});
  EXPECT_EQ(cluster_.edit_set(wanted), Code::ok);
  EXPECT_EQ(set().status.conditions, wanted.status.conditions);
  wanted.meta.name = "db";
  EXPECT_EQ(cluster_.edit_set(wanted), Code::not_found);
}

TEST_F(ServerTest, GatesDecideWhatASetMaySay) {
  cluster_.reset({.max_unavailable = false, .recreate = false});
  StatefulSet wanted = test::set();
  StatefulSetSpec spec = *wanted.spec;
  spec.rolling_update = RollingUpdate{0, IntOrPercent{2, false}};
  wanted.spec = std::make_shared<const StatefulSetSpec>(spec);
  ASSERT_EQ(cluster_.create_set(wanted), Code::ok);
  EXPECT_FALSE(set().spec->rolling_update->max_unavailable) << "dropped while its gate is off";
  spec.rolling_update.reset();
  spec.strategy = Strategy::recreate;
  EXPECT_EQ(cluster_.update_set("web", spec), Code::invalid);
}

TEST_F(ServerTest, AdmissionMayAddToNewPods) {
  cluster_.reset({}, {.injects = true});
  cluster_.create_pod(test::pod_on("web-0", "data-web-0"));
  const Pod* pod = cluster_.pods().find("web-0");
  ASSERT_NE(pod, nullptr);
  EXPECT_TRUE(pod->meta.labels->has("app", "web"));
  EXPECT_TRUE(pod->meta.labels->has("sidecar.example.org/injected", "true"));
  ASSERT_EQ(pod->volumes->size(), 2u);
  EXPECT_EQ(pod->volumes->back().name, "injected-proxy");
  cluster_.reset();
  cluster_.create_pod(test::pod("web-0"));
  EXPECT_EQ(cluster_.pods().find("web-0")->volumes, nullptr);
}

TEST_F(ServerTest, VersionsGoOnFromWhatWasWrittenBefore) {
  constexpr std::uint64_t past_words = std::uint64_t{1} << 32;
  cluster_.reset({}, {.versions_from = past_words});
  cluster_.create_set(test::set());
  EXPECT_EQ(set().meta.version, Version{past_words + 1});
}

TEST_F(ServerTest, ResetForgetsEverything) {
  test::run(cluster_, test::pod("web-1"));
  const Uid first = set().meta.uid;
  cluster_.advance(Time::seconds(5));
  cluster_.reset();
  EXPECT_EQ(writes(), 0u);
  EXPECT_TRUE(cluster_.kubelets().running().empty());
  EXPECT_EQ(cluster_.now(), Time{});
  cluster_.create_set(test::set());
  EXPECT_EQ(set().meta.uid, first) << "a trial depends on the one before";
}

}  // namespace
}  // namespace ordeal
