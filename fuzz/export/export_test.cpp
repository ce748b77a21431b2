// What is exported of a real finding: a release that leaves the broken pod of a Parallel set where it is. What is
// written is run, too: the script with a kubectl that only notes what it is asked, the GoogleTest as it was built. The
// Go test is run by ci/try-export.
#include "fuzz/export/export.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/api/codec.h"
#include "fuzz/engine/files.h"
#include "fuzz/engine/test_shell.h"
#include "fuzz/export/go_test.h"
#include "fuzz/export/provoke.h"
#include "properties/invariants/catalogue.h"
#include "properties/scenario/scenario_json.h"
#include "properties/trial/hand_made.h"

namespace ordeal::fuzz {
namespace {

namespace fs = std::filesystem;
using namespace properties;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* accused = "kubernetes-1.35.0";

/// A finding as the command makes it of a scenario that breaks this promise.
struct Evidence {
  Shown shown;
  Report report;
  Dock dock;

  Evidence(const Scenario& scenario, const char* controller, const char* invariant)
      : dock(*find_controller(controller)) {
    Court court;
    const TrialResult result = try_in(
        dock, court, scenario, {.level = Level::promised, .relations = relations(), .only = find_invariant(invariant)});
    if (result.breaches.empty()) throw std::logic_error(std::string(controller) + " keeps " + invariant);
    report.controller = controller;
    report.level = Level::promised;
    shown.finding.invariant = result.breaches.front().invariant;
    shown.finding.scenario = scenario;
    shown.finding.breach = result.breaches.front();
    shown.file = "out/finding.1.json";
    shown.timeline = record_timeline(scenario, dock, &shown.finding.breach);
  }
};

Scenario stored(const std::string& name) {
  return read_scenario(read_file(std::string(ORDEAL_SOURCE) + "/corpus/releases/" + name, 1 << 20).value()).value();
}

Evidence stuck_rollout() {
  return {stored("parallel-rollout-behind-a-broken-pod.json"), accused, "update.replaces-broken-revision"};
}

Ended shell(const std::string& line) { return run_shell("{ " + line + "\n} 2>&1"); }

// --- prose -----------------------------------------------------------------------------------------------------------

TEST(ExportProse, IsAnIssueReportInItsUsualOrder) {
  Evidence evidence = stuck_rollout();
  const std::string text = export_prose(evidence.shown, evidence.report, evidence.dock);
  EXPECT_THAT(text, StartsWith("# StatefulSet: pod web-0 is broken, outdated, and nothing replaces it\n"));
  std::size_t at = 0;
  for (const char* section : {"## What happened", "## What was expected", "## Environment", "## Steps",
                              "## What the controller was shown and did", "## To see it again"}) {
    const std::size_t found = text.find(section);
    ASSERT_NE(found, text.npos) << section;
    EXPECT_GT(found, at) << section;
    at = found;
  }
  EXPECT_THAT(text, HasSubstr(std::string(evidence.shown.finding.invariant->promise)));
  EXPECT_THAT(text, HasSubstr("Source: " + std::string(evidence.shown.finding.invariant->source)));
  EXPECT_THAT(text, HasSubstr("MaxUnavailableStatefulSet=true"));
  EXPECT_THAT(text, HasSubstr("\n2. `user.edit-template image=0 flavour=unready`: A user changes the pod template"));
  EXPECT_THAT(text, HasSubstr("\nThen nothing is done to it any more"));
  EXPECT_THAT(text, HasSubstr("a good template is given"));
  EXPECT_THAT(text, HasSubstr("<<<"));
  EXPECT_THAT(text, HasSubstr("replay out/finding.1.json --controller kubernetes-1.35.0 --level promised\n"));
}

/// The set in the text is one that can be applied.
TEST(ExportProse, HasTheManifest) {
  Evidence evidence = stuck_rollout();
  const std::string text = export_prose(evidence.shown, evidence.report, evidence.dock);
  const std::size_t begin = text.find("```json\n") + 8;
  const auto manifest = nlohmann::json::parse(text.substr(begin, text.find("\n```", begin) - begin));
  EXPECT_EQ(manifest["kind"], "StatefulSet");
  EXPECT_EQ(manifest["spec"]["podManagementPolicy"], "Parallel");
}

TEST(ExportProse, NamesTheSectionsOfDocumentsThatSaySo) {
  Evidence evidence(hand_made("replicas: 2", {{.kind = StepKind::settle}}), "mutant:identity-no-hostname",
                    "identity.hostname");
  EXPECT_THAT(export_prose(evidence.shown, evidence.report, evidence.dock), HasSubstr(", section "));
}

// --- kubectl ---------------------------------------------------------------------------------------------------------

class ExportKubectl : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(directory_);
    ASSERT_TRUE(write_file((directory_ / "kubectl").string(),
                           "#!/bin/bash\necho \"kubectl $*\"\nif [[ $* == *'-f -'* ]]; then cat; fi\n"));
    fs::permissions(directory_ / "kubectl", fs::perms::owner_all);
  }
  void TearDown() override { fs::remove_all(directory_); }

  /// What the script asks of kubectl.
  Ended run(const std::string& script) const {
    EXPECT_TRUE(write_file((directory_ / "script").string(), script));
    return shell("cd " + shell_quoted(directory_.string()) + " && PATH=$PWD:$PATH ORDEAL_PAUSE=0 bash ./script");
  }

  const fs::path directory_ = fs::temp_directory_path() / ("ordeal-export-" + std::to_string(::getpid()));
};

TEST_F(ExportKubectl, IsAScriptThatDoesWhatUsersDid) {
  Evidence evidence = stuck_rollout();
  const std::string script = export_kubectl(evidence.shown, evidence.report, evidence.dock);
  EXPECT_THAT(script, StartsWith("#!/usr/bin/env bash\n# Exported by ordeal"));
  EXPECT_THAT(script, HasSubstr("\n# step 1: user.edit-template image=0 flavour=unready\nkubectl patch "));
  EXPECT_THAT(script, HasSubstr("\n# step 2: settle\nsettle\n#   watch for: create web-"));
  EXPECT_THAT(script, HasSubstr("\n#   pods then: web-0=running\n"));
  EXPECT_THAT(script,
              HasSubstr("\n# Now the promise is broken: pod web-0 is broken, outdated, and nothing replaces it\n"));
  const Ended ended = run(script);
  EXPECT_EQ(ended.status, 0) << ended.out;
  EXPECT_THAT(
      ended.out,
      HasSubstr("kubectl create -n ordeal -f -\n{\n  \"apiVersion\": \"apps/v1\",\n  \"kind\": \"StatefulSet\""));
  EXPECT_THAT(ended.out, HasSubstr("kubectl patch -n ordeal statefulset web --type=merge -p {\"spec\":{\"template\":"));
  const std::size_t healed = script.find("\n# step 3: faults stop, the environment heals\nkubectl patch ");
  EXPECT_NE(healed, script.npos) << "the good template has to be given by somebody";
}

TEST_F(ExportKubectl, SaysWhatKindOfClusterTheStoryIsAbout) {
  Evidence evidence = stuck_rollout();
  evidence.shown.finding.scenario.environment.injects = evidence.shown.finding.scenario.environment.namesakes = true;
  const std::string script = export_kubectl(evidence.shown, evidence.report, evidence.dock);
  EXPECT_THAT(
      script,
      HasSubstr(
          "\n# In the story: webhooks add a label, a volume and a container to each new pod and set what it asks for.\n# In the story: another namespace, "));
  EXPECT_THAT(
      export_prose(evidence.shown, evidence.report, evidence.dock),
      HasSubstr(
          "\n- webhooks add a label, a volume and a container to each new pod and set what it asks for\n- another namespace, "));
}

/// Relative arguments are resolved, and what befell pods inside a sync is told apart from what the controller did.
TEST_F(ExportKubectl, NamesTheObjectsThatStepsMean) {
  const Scenario scenario =
      hand_made("replicas: 3\npodManagementPolicy: Parallel", {{.kind = StepKind::settle},
                                                               {.kind = StepKind::force_delete_pod, .a = 4},
                                                               {.kind = StepKind::scale, .a = 1},
                                                               {.kind = StepKind::deliver_all},
                                                               {.kind = StepKind::delete_pod, .at_call = 1, .a = 0},
                                                               {.kind = StepKind::sync},
                                                               {.kind = StepKind::make_unready, .a = 0},
                                                               {.kind = StepKind::advance, .a = 7},
                                                               {.kind = StepKind::delete_set, .a = 2}});
  Evidence evidence(scenario, "mutant:identity-no-hostname", "identity.hostname");
  evidence.shown.finding.breach.step = static_cast<int>(scenario.steps.size());  // tell it to the end
  const std::string script = export_kubectl(evidence.shown, evidence.report, evidence.dock);
  EXPECT_THAT(script, HasSubstr("kubectl delete -n \"$namespace\" pod web-1 --wait=false --grace-period=0 --force\n"));
  EXPECT_THAT(
      script,
      HasSubstr("kubectl patch -n \"$namespace\" statefulset web --type=merge -p '{\"spec\":{\"replicas\":1}}'\n"));
  EXPECT_THAT(
      script,
      HasSubstr(
          "# (just before call 1 of the controller's next sync: a matter of milliseconds)\nkubectl delete -n \"$namespace\" pod web-0 --wait=false\n"));
  EXPECT_THAT(script, Not(HasSubstr("pod web-2"))) << "the controller deletes that one";
  EXPECT_THAT(script, HasSubstr("\nsleep 7\n"));
  EXPECT_THAT(script, HasSubstr("kubectl delete -n \"$namespace\" statefulset web --wait=false --cascade=orphan\n"));
}

TEST(Provoke, SaysForEveryKindOfStepHowToBringItAbout) {
  for (const StepInfo& row : step_table()) {
    if (row.name.starts_with("user.")) continue;
    const std::string text = provoke({.kind = row.kind, .a = 1, .b = 1}, {"web-0"});
    EXPECT_THAT(text, ::testing::EndsWith("\n")) << row.name;
    EXPECT_THAT(text,
                ::testing::AnyOf(StartsWith("# "), StartsWith("kubectl "), StartsWith("sleep "), StartsWith("settle")))
        << row.name;
  }
  EXPECT_EQ(
      provoke({.kind = StepKind::deliver, .a = 1, .b = 2}, {}),
      "# the controller's watch of kind pod delivers 3 of the events due, and no more: a proxy before the API server holds the rest back\n");
  EXPECT_EQ(provoke({.kind = StepKind::make_ready}, {"web-3"}),
            "kubectl wait -n \"$namespace\" --timeout=120s --for=condition=Ready pod/web-3\n");
}

// --- gtest -----------------------------------------------------------------------------------------------------------

TEST(ExportGtest, HoldsTheScenarioAndAsksForThePromise) {
  const Evidence evidence = stuck_rollout();
  const std::string text = export_gtest(evidence.shown, evidence.report);
  EXPECT_THAT(text,
              AllOf(HasSubstr("#define ORDEAL_CONTROLLER \"kubernetes-1.35.0\"\n"),
                    HasSubstr("TEST(Exported, UpdateReplacesBrokenRevision) {"),
                    HasSubstr("find_invariant(\"update.replaces-broken-revision\")"), HasSubstr("Level::promised")));
  const std::size_t begin = text.find("R\"json(") + 7;
  EXPECT_EQ(text.substr(begin, text.find(")json\"", begin) - begin), write_scenario(evidence.shown.finding.scenario));
}

/// Built twice (CMakeLists.txt): as it was exported, and against another controller.
TEST(ExportGtest, FailsForTheAccusedAndPassesForTheReference) {
  const Ended broken = shell(ORDEAL_EXPORTED_ACCUSED);
  EXPECT_EQ(broken.status, 1) << broken.out;
  EXPECT_THAT(broken.out, HasSubstr("pod web-0 is broken, outdated, and nothing replaces it"));
  const Ended kept = shell(ORDEAL_EXPORTED_MENDED);
  EXPECT_EQ(kept.status, 0) << kept.out;
  EXPECT_THAT(kept.out, HasSubstr("[  PASSED  ] 1 test."));
}

// --- go-test ---------------------------------------------------------------------------------------------------------

/// The story that a Go test tells, as JSON.
nlohmann::json story_in(const std::string& text) {
  const std::size_t begin = text.find("ordealText = `") + 14;
  return nlohmann::json::parse(text.substr(begin, text.find('`', begin) - begin));
}

/// As if the table were the release it was read from; what real releases do is asked by ci/try-export.
std::string go_test_of(Evidence& evidence) {
  evidence.report.controller = "kubernetes@1.35.0";
  const auto text = export_go_test(evidence.shown, evidence.report, evidence.dock);
  EXPECT_TRUE(text.has_value()) << text.error();
  return text.value_or("");
}

TEST(ExportGoTest, OfAPromiseAboutTheEndReplaysEverySync) {
  Evidence evidence = stuck_rollout();
  const std::string text = go_test_of(evidence);
  EXPECT_THAT(text, HasSubstr("\npackage statefulset\n"));
  EXPECT_THAT(text, HasSubstr("\nfunc TestOrdealUpdateReplacesBrokenRevision(t *testing.T) {"));
  EXPECT_THAT(text, HasSubstr("type ordealQueueOf = workqueue.TypedRateLimitingInterface[string]\n"));
  EXPECT_THAT(text, ::testing::EndsWith(std::string(go_test_support())));
  const nlohmann::json story = story_in(text);
  EXPECT_EQ(story["Promise"], std::string(evidence.shown.finding.invariant->promise));
  EXPECT_TRUE(story["Accused"].empty());
  EXPECT_EQ(story["Syncs"].size(), static_cast<std::size_t>(evidence.shown.finding.breach.sync));
  const nlohmann::json& first = story["Syncs"].front();
  EXPECT_EQ(first["Restart"], true);
  EXPECT_EQ(first["Key"], "default/web");
  EXPECT_EQ(first["Caches"]["StatefulSets"][0]["metadata"]["name"], "web");
  EXPECT_EQ(first["Calls"][0]["Verb"], "create");
  EXPECT_EQ(first["Calls"][0]["Resource"], "controllerrevisions");
  EXPECT_EQ(first["Calls"][0]["Status"], 201);
  EXPECT_EQ(first["Calls"][0]["Body"]["metadata"]["name"], first["Calls"][0]["Name"]);
  const nlohmann::json& last = story["Syncs"].back();
  EXPECT_TRUE(last["Calls"].empty()) << "nothing is done any more";
  EXPECT_EQ(last["Caches"]["Pods"].size(), 1u);
}

TEST(ExportGoTest, OfAPromiseAboutACallAccusesThatCall) {
  Evidence evidence(hand_made("replicas: 2", {{.kind = StepKind::settle}}), "mutant:identity-no-hostname",
                    "identity.hostname");
  const nlohmann::json story = story_in(go_test_of(evidence));
  ASSERT_EQ(story["Syncs"].size(), 1u);
  ASSERT_EQ(story["Accused"].size(), 1u);
  const nlohmann::json& call = story["Syncs"][0]["Calls"][story["Accused"][0].get<std::size_t>()];
  EXPECT_EQ(call["Verb"], "create");
  EXPECT_EQ(call["Resource"], "pods");
  EXPECT_EQ(call["Name"], "web-0");
}

TEST(ExportGoTest, SpeaksTheDialectOfTheRelease) {
  Evidence evidence = stuck_rollout();
  const auto text_for = [&](const char* release) {
    evidence.report.controller = release;
    return export_go_test(evidence.shown, evidence.report, evidence.dock).value();
  };
  EXPECT_THAT(text_for("kubernetes@1.28.2"), AllOf(HasSubstr("= workqueue.RateLimitingInterface\n"),
                                                   HasSubstr("NewStatefulSetController(context.Background(), ")));
  EXPECT_THAT(text_for("kubernetes@1.24.17"), AllOf(HasSubstr("= workqueue.RateLimitingInterface\n"),
                                                    Not(HasSubstr("Controller(context.Background(), "))));
}

TEST(ExportGoTest, IsWrittenForAnotherReleaseInItsDialect) {
  Evidence evidence = stuck_rollout();
  evidence.report.controller = "kubernetes@1.27.4";
  const std::string text = export_go_test(evidence.shown, evidence.report, evidence.dock, "1.37.1").value();
  EXPECT_THAT(
      text, AllOf(HasSubstr("Kubernetes 1.27.4 breaks "), HasSubstr("= workqueue.TypedRateLimitingInterface[string]\n"),
                  HasSubstr("ci/go-test 1.37.1 FILE")));
  EXPECT_EQ(export_go_test(evidence.shown, evidence.report, evidence.dock, "newest").error(),
            "--for: must be a release such as 1.35.0 (found: newest)");
}

TEST(ExportGoTest, IsRefusedWhereItWouldProveNothing) {
  Evidence evidence = stuck_rollout();
  EXPECT_EQ(export_go_test(evidence.shown, evidence.report, evidence.dock).error(),
            "a Go test accuses a release of Kubernetes: --controller kubernetes@RELEASE (found: kubernetes-1.35.0)");
  evidence.report.controller = "kubernetes@1.35.0";
  evidence.shown.finding.invariant = find_invariant("equivalence.resync");
  EXPECT_EQ(export_go_test(evidence.shown, evidence.report, evidence.dock).error(),
            "equivalence.resync compares two trials, which no Go test can show");
  evidence.shown.finding.invariant = find_invariant("status.transition-times");
  EXPECT_EQ(
      export_go_test(evidence.shown, evidence.report, evidence.dock).error(),
      "status.transition-times: the controller takes the times of conditions from the machine's clock, which no test can set");
}

TEST(ExportGoTest, NoBackquoteEndsTheStoryEarly) {
  Scenario scenario = stored("parallel-rollout-behind-a-broken-pod.json");
  scenario.set.meta.annotations = std::make_shared<const StringMap>(StringMap{{"note", "a ` in a manifest"}});
  Evidence evidence(scenario, accused, "update.replaces-broken-revision");
  const nlohmann::json story = story_in(go_test_of(evidence));
  EXPECT_EQ(story["Syncs"][0]["Caches"]["StatefulSets"][0]["metadata"]["annotations"]["note"], "a ` in a manifest");
}

TEST(ExportNames, AreThoseOfTests) {
  EXPECT_EQ(test_name(*find_invariant("update.replaces-broken-at-once")), "UpdateReplacesBrokenAtOnce");
  EXPECT_EQ(prefixed("a\nb\n", "# "), "# a\n# b\n");
}

}  // namespace
}  // namespace ordeal::fuzz
