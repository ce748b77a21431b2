// Programs behind the protocol: one that keeps to it, and many that do not.
#include "fuzz/adapter/external.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "fuzz/adapter/kinds.h"
#include "fuzz/engine/files.h"
#include "fuzz/engine/run.h"
#include "fuzz/engine/shell.h"
#include "fuzz/engine/silent_watcher.h"
#include "properties/invariants/catalogue.h"
#include "properties/scenario/scenario_json.h"

namespace ordeal::fuzz {
namespace {

using namespace properties;
using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::StartsWith;

FirstSets some_sets() { return {.given = corpus_sets(), .drawn_too = true}; }

TrialResult try_kind(const ControllerKind& kind, std::uint64_t trial, Level level = Level::promised) {
  Court court;
  Dock dock(kind);
  return try_in(dock, court, scenario_of_trial(some_sets(), 1, trial), {.level = level});
}

// --- the reference behind the protocol -------------------------------------------------------------------------------

std::vector<std::string_view> broken_in(const TrialResult& result) {
  std::vector<std::string_view> ids;
  for (const Breach& breach : result.breaches) ids.push_back(breach.invariant->id);
  return ids;
}

void expect_equal_trials(const char* table, const char* option, std::uint64_t trials, bool same_reasons) {
  const ControllerKind& in_process = *find_controller(table);
  const ControllerKind echo = make_external_kind("exec:echo", std::string(ORDEAL_ECHO) + " " + table + option);
  Court court;
  Dock here(in_process), there(echo);
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    const Scenario scenario = scenario_of_trial(some_sets(), 7, trial);
    const TrialResult expected = try_in(here, court, scenario, {.level = Level::strict});
    const TrialResult result = try_in(there, court, scenario, {.level = Level::strict});
    ASSERT_EQ(result.inconclusive, "") << "trial " << trial;
    EXPECT_EQ(result.calls, expected.calls) << "trial " << trial;
    EXPECT_EQ(broken_in(result), broken_in(expected)) << "trial " << trial;
    if (same_reasons) ASSERT_EQ(result.digest, expected.digest) << "trial " << trial;
  }
}

TEST(Echo, TrialsAreEqualCallByCall) {
  expect_equal_trials("strict", "", 150, true);
  expect_equal_trials("kubernetes-1.37", "", 150, true);
}

TEST(Echo, IsServedAndJudgedLikeTheReleaseThatItSaysItIsLike) { expect_equal_trials("kubernetes-1.31", "", 150, true); }

TEST(Echo, TrialsAreEqualWhenItIsToldTheLatestAlone) { expect_equal_trials("kubernetes-1.37", " --latest", 150, true); }

TEST(Echo, TrialsAreEqualWhenItsEventHandlersAreItsOwn) {
  expect_equal_trials("strict", " --handlers", 150, true);
  expect_equal_trials("kubernetes-1.31", " --handlers", 50, true);
}

TEST(Echo, TrialsAreEqualWhenAnotherWorkerServesAnotherSetMeanwhile) {
  expect_equal_trials("strict", " --workers", 150, true);
}

TEST(Echo, TrialsAreEqualWhenItsWorkQueueIsItsOwn) {
  expect_equal_trials("strict", " --queue", 100, true);
  expect_equal_trials("kubernetes-1.31", " --queue", 100, true);
}

std::set<std::string_view> broken_by_echo(const std::string& option, std::uint64_t trials) {
  const ControllerKind kind = make_external_kind("exec:echo", std::string(ORDEAL_ECHO) + " strict " + option);
  std::set<std::string_view> broken;
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    const TrialResult result = try_kind(kind, trial);
    EXPECT_EQ(result.inconclusive, "");
    for (const std::string_view id : broken_in(result)) broken.insert(id);
  }
  return broken;
}

TEST(Echo, EventHandlersMayGatherEventsForAMoment) { EXPECT_THAT(broken_by_echo("--late", 60), IsEmpty()); }

TEST(Echo, MayWorkOnListsInPlaceOfItsCaches) { EXPECT_THAT(broken_by_echo("--lists", 200), IsEmpty()); }

TEST(Echo, MayWriteItsEventsItself) { EXPECT_THAT(broken_by_echo("--posts", 100), IsEmpty()); }

TEST(Echo, MayWriteByServerSideApply) { EXPECT_THAT(broken_by_echo("--applies", 200), IsEmpty()); }

TEST(Echo, MayAdoptForTheSetThatAListHasShown) {
  const ControllerKind kind = make_external_kind("exec:echo", std::string(ORDEAL_ECHO) + " strict --lists");
  Court court;
  Dock dock(kind);
  const std::vector<Step> steps{{.kind = StepKind::add_pod, .b = static_cast<int>(ForeignPod::orphan)},
                                {.kind = StepKind::deliver_all},
                                {.kind = StepKind::delete_set},
                                {.kind = StepKind::create_set},  // which no cache shows
                                {.kind = StepKind::sync}};
  const TrialResult result = try_in(dock, court, {corpus_sets().front(), {}, steps}, {.level = Level::promised});
  EXPECT_EQ(result.inconclusive, "");
  EXPECT_THAT(broken_in(result), IsEmpty());
}

TEST(Echo, ThatHearsOfNoPodIsFoundOut) {
  EXPECT_THAT(broken_by_echo("--deaf", 30), IsSupersetOf({"waking.by-events", "identity.whole-range-at-rest"}));
}

TEST(Echo, ThatDoesNotWaitForItsCachesIsFoundOut) {
  EXPECT_THAT(broken_by_echo("--hasty", 90), Contains("waking.waits-for-caches"));
}

TEST(Echo, WhoseQueueLosesWhatFailedIsFoundOut) {
  EXPECT_THAT(broken_by_echo("--lossy", 30), Contains("waking.after-failures"));
}

TEST(Echo, StoredStoriesFindOutEventHandlersThatHearOfNoPod) {
  const ControllerKind kind = make_external_kind("exec:echo", std::string(ORDEAL_ECHO) + " strict --deaf");
  Dock deaf(kind);
  Court court;
  int stories = 0;
  for (const std::string& file : files_in(ORDEAL_SOURCE "/corpus/killers/upstream").value()) {
    if (!file.contains("waking-by-events") || file.ends_with("-8.json")) continue;  // that one is about a set's handler
    ++stories;
    const auto scenario = read_scenario(read_file(file, 1 << 20).value());
    ASSERT_TRUE(scenario) << file;
    EXPECT_THAT(broken_in(try_in(deaf, court, *scenario, {})), Contains("waking.by-events")) << file;
  }
  EXPECT_EQ(stories, 14);
}

TEST(Echo, VerdictsDoNotDependOnReasons) { expect_equal_trials("kubernetes-1.37", " --silent", 150, false); }

// --- watch events ----------------------------------------------------------------------------------------------------

/// What an adapter is told of one object of a trial, as far as a cache cares.
struct Told {
  std::string type, object;
  std::int64_t version;
};

/// What the echo, so started, is told in a trial: by turn.
std::vector<std::vector<Told>> told_in(const Scenario& scenario, const std::string& option) {
  const auto log = std::filesystem::temp_directory_path() / ("ordeal-told-" + std::to_string(::getpid()));
  const ControllerKind kind = make_external_kind(
      "exec:echo",
      "bash -c " + shell_quoted("tee " + shell_quoted(log.string()) + " | " + ORDEAL_ECHO + " strict" + option));
  {
    Court court;
    Dock dock(kind);
    EXPECT_EQ(try_in(dock, court, scenario, {}).inconclusive, "");
  }
  std::vector<std::vector<Told>> turns(1);
  std::ifstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    const auto message = nlohmann::json::parse(line);
    if (message.at("type") == "sync") turns.emplace_back();
    if (message.at("type") == "reset") turns.back().push_back({"reset", "", 0});
    if (!message.contains("object")) continue;
    const auto& meta = message.at("object").at("metadata");
    turns.back().push_back({message.at("type").get<std::string>() + (message.contains("unknown") ? " by a list" : ""),
                            meta.at("namespace").get<std::string>() + " " +
                                message.at("object").at("kind").get<std::string>() + " " +
                                meta.at("name").get<std::string>(),
                            std::stoll(meta.at("resourceVersion").get<std::string>())});
  }
  std::filesystem::remove(log);
  return turns;
}

/// Pod web-0 is there and ready; then it fails, is deleted by force, and the cache hears of each before the next turn.
Scenario failing_and_gone(Step between) {
  return {corpus_sets().front(),
          {},
          {{.kind = StepKind::settle},
           {.kind = StepKind::fail_pod},
           {.kind = StepKind::force_delete_pod},
           between,
           {.kind = StepKind::sync}}};
}
const std::string web_0 = "default Pod " + corpus_sets().front().meta.name.str() + "-0";
std::vector<std::string> about_web_0(const std::vector<std::vector<Told>>& turns) {
  std::vector<std::string> types;
  for (const auto& turn : turns)
    if (std::ranges::any_of(
            turn, [](const Told& told) { return told.type.starts_with("DELETED") && told.object == web_0; })) {
      for (const Told& told : turn)
        if (told.object == web_0) types.push_back(told.type);
      break;
    }
  return types;
}

TEST(Told, IsEachEventUnlessTheCacheListedAnewOrNobodyWantsIt) {
  const Step delivered{.kind = StepKind::deliver_all},
      relisted{.kind = StepKind::relist, .a = static_cast<std::int32_t>(Kind::pod)};
  EXPECT_THAT(about_web_0(told_in(failing_and_gone(delivered), "")), ElementsAre("MODIFIED", "DELETED"));
  EXPECT_THAT(about_web_0(told_in(failing_and_gone(relisted), "")), ElementsAre("DELETED"));
  EXPECT_THAT(about_web_0(told_in(failing_and_gone(delivered), " --latest")), ElementsAre("DELETED"));
  EXPECT_THAT(about_web_0(told_in(failing_and_gone(delivered), " --handlers")), ElementsAre("MODIFIED", "DELETED"));
  EXPECT_THAT(about_web_0(told_in(failing_and_gone(relisted), " --handlers")), ElementsAre("DELETED by a list"));
}

TEST(Told, ComesInTheOrderOfVersionsAndOfWhatWasToldBefore) {
  for (std::uint64_t trial = 0; trial < 40; ++trial) {
    std::map<std::string, std::int64_t> held;
    Scenario scenario = scenario_of_trial(some_sets(), 11, trial);
    std::erase_if(scenario.steps, [](const Step& step) {
      return step.kind == StepKind::hand_over || step.kind == StepKind::rival_sync;
    });  // one process at a time
    for (const auto& turn : told_in(scenario, ""))
      for (const Told& told : turn) {
        if (told.type == "reset") held.clear();
        if (told.type == "reset") continue;
        const auto at = held.find(told.object);
        ASSERT_EQ(told.type == "ADDED", at == held.end()) << told.object << " in trial " << trial;
        if (at != held.end()) EXPECT_GE(told.version, at->second) << told.object << " in trial " << trial;
        if (told.type == "DELETED") held.erase(at);
        else held[told.object] = told.version;
      }
  }
}

/// Trials in a world where another namespace has objects of the same names.
Verdict verdict_beside_namesakes(const std::string& command) {
  const ControllerKind kind = make_external_kind("exec:echo", command);
  Court court;
  Dock dock(kind);
  Scenario scenario{corpus_sets().front(), {}, {{.kind = StepKind::settle}}};
  scenario.environment.namesakes = true;
  return try_in(dock, court, scenario, {}).verdict;
}

TEST(Echo, TellsNamespacesApart) {
  EXPECT_EQ(verdict_beside_namesakes(std::string(ORDEAL_ECHO) + " strict"), Verdict::held);
  const std::string to_default = R"(sed -u 's/"namespace":"elsewhere"/"namespace":"default"/' | )";
  EXPECT_EQ(verdict_beside_namesakes("bash -c " + shell_quoted(to_default + ORDEAL_ECHO + " strict")),
            Verdict::violated);
}

/// One settle of the corpus' first set.
TrialResult settled_with(const ControllerKind& kind, const TrialOptions& asked = {}) {
  Court court;
  Dock dock(kind);
  return try_in(dock, court, {corpus_sets().front(), {}, {{.kind = StepKind::settle}}}, asked);
}

/// What is found of that promise when each `done` of the echo has this besides.
TrialResult when_done_says(const std::string& members, const char* promise, const std::string& option = "") {
  const std::string says = "sed -u 's/\"type\":\"done\"/" + members + "\"type\":\"done\"/'";
  const std::string echo = std::string(ORDEAL_ECHO) + " strict " + option;
  const ControllerKind kind = make_external_kind("exec:echo", "bash -c " + shell_quoted(echo + " | " + says));
  return settled_with(kind, {.guards_inputs = true, .only = find_invariant(promise)});
}

bool applied(const TrialResult& result, const char* promise) {
  return result.situations.test(situation_of_invariant(place_of(*find_invariant(promise))));
}

TEST(Echo, IsBelievedWhatItSaysOfItsCaches) {
  constexpr const char* promise = "economy.inputs-untouched";
  const TrialResult silent = when_done_says("", promise), clean = when_done_says(R"("touched":[],)", promise),
                    dirty = when_done_says(R"("touched":["Pod web-0","Pod web-1"],)", promise);
  EXPECT_EQ(silent.verdict, Verdict::held);
  EXPECT_FALSE(applied(silent, promise)) << "nobody can see what a program does with its own caches";
  EXPECT_EQ(clean.verdict, Verdict::held);
  EXPECT_TRUE(applied(clean, promise));
  ASSERT_EQ(dirty.breaches.size(), 1u);
  EXPECT_EQ(dirty.breaches[0].violation.claim, "the turn changed Pod web-0, Pod web-1 of its cache instead of a copy");
}

TEST(Echo, IsBelievedWhatItsRaceDetectorSays) {
  constexpr const char* promise = "economy.no-data-race";
  const TrialResult silent = when_done_says("", promise), clean = when_done_says(R"("races":[],)", promise),
                    racing = when_done_says(R"("races":["write at a.go:1, read at a.go:2"],)", promise);
  EXPECT_FALSE(applied(silent, promise)) << "nobody watches its threads";
  EXPECT_EQ(clean.verdict, Verdict::held);
  EXPECT_TRUE(applied(clean, promise));
  ASSERT_EQ(racing.breaches.size(), 1u);
  EXPECT_THAT(racing.breaches[0].violation.claim, testing::HasSubstr("write at a.go:1, read at a.go:2"));
}

TEST(Echo, IsJudgedByTheEventsThatItRecords) {
  constexpr const char* promise = "events.tells-of-pods";
  const auto tried = [](const std::string& option, const std::string& change) {
    const std::string echo = std::string(ORDEAL_ECHO) + " strict " + option;
    const ControllerKind kind =
        make_external_kind("exec:echo", "bash -c " + shell_quoted(echo + " | sed -u " + shell_quoted(change)));
    return settled_with(kind, {.only = find_invariant(promise)});
  };
  for (const std::string option : {"", "--posts"}) {
    EXPECT_TRUE(applied(tried(option, ""), promise)) << option;
    const TrialResult vague = tried(option, "s/\"message\":\"[a-z0-9-]*\"/\"message\":\"a pod\"/");
    ASSERT_EQ(vague.breaches.size(), 1u) << option;
    EXPECT_THAT(vague.breaches[0].violation.claim,
                testing::HasSubstr("was created, and no event of the turn names it"));
  }
  const TrialResult silent = tried("--posts", "s/,\"recordsEvents\":true//");
  EXPECT_FALSE(applied(silent, promise)) << "nobody knows whether these are all that it records";
  EXPECT_EQ(silent.verdict, Verdict::held);
}

TEST(Echo, IsBelievedWhatItSaysOfItsWorkers) {
  constexpr const char* promise = "waking.one-worker-at-a-time";
  const TrialResult silent = when_done_says("", promise), shared = when_done_says(R"("alone":false,)", promise);
  EXPECT_EQ(silent.verdict, Verdict::held) << "the queue is the harness's";
  EXPECT_TRUE(applied(silent, promise));
  EXPECT_EQ(shared.verdict, Verdict::violated);
  EXPECT_FALSE(applied(when_done_says("", promise, "--queue"), promise)) << "nobody can see into a queue of its own";
}

// --- programs that do not keep to it ---------------------------------------------------------------------------------

/// A shell program that says this hello, reads until it is sent a message of this type, and then does `then`.
std::string polite_until(const std::string& type, const std::string& hello, const std::string& then) {
  return "bash -c " + shell_quoted("read -r line; echo " + shell_quoted(hello) +
                                   "\nwhile read -r line; do case $line in *'\"type\":\"" + type + "\"'*) " + then +
                                   ";; esac; done");
}
std::string polite_until_sync(const std::string& then) {
  return polite_until("sync", R"({"type":"hello","protocol":1})", then);
}

std::string reason_of_trial(const std::string& command, Patience patience = {}) {
  const TrialResult result = try_kind(make_external_kind("bad", command, patience), 0);
  EXPECT_EQ(result.verdict, Verdict::inconclusive) << command;
  return result.inconclusive;
}

TEST(BadAdapter, IsInconclusiveWithTheReason) {
  const auto says = [](const std::string& line) {
    return "bash -c " + shell_quoted("read -r line; echo " + shell_quoted(line) + "; sleep 100");
  };
  const auto answers = [](const std::string& line) { return polite_until_sync("echo " + shell_quoted(line)); };
  const auto handles = [](const std::string& line) {
    return polite_until("handle", R"({"type":"hello","protocol":1,"handlers":true})", "echo " + shell_quoted(line));
  };
  const struct {
    std::string command;
    const char* reason;
  } cases[] = {
      {"./no-such-program", "the adapter ended with status 127"},
      {"false", "the adapter ended with status 1"},
      {polite_until_sync("exit 4"), "the adapter ended with status 4"},
      {polite_until_sync("kill -SEGV $$"), "the adapter was ended by signal 11"},
      {says("hello"), "the adapter wrote what is no JSON object: hello"},
      {says("[1]"), "the adapter wrote what is no JSON object: [1]"},
      {says(R"({"type":"done"})"), "the adapter did not say hello but:"},
      {says(R"({"type":"hello","protocol":2})"), "the adapter speaks protocol 2, and this is protocol 1"},
      {says(R"({"type":"hello"})"), "the adapter speaks protocol ?, and this is protocol 1"},
      {says(R"({"type":"hello","protocol":1,"like":"openshift-4"})"),
       R"(the adapter says that it is like "openshift-4", which is no release known here; one is "kubernetes@1.31.14")"},
      {says(R"({"type":"hello","protocol":1,"like":1.31})"),
       "the adapter says that it is like 1.31, which is no release known here"},
      {says(R"({"type":"hello","protocol":1,"gates":["Recreate"]})"),
       R"(the adapter says what gates it has in no object: ["Recreate"])"},
      {says(R"({"type":"hello","protocol":1,"gates":{"Recreate":true}})"),
       "the adapter says how a gate is that is none of those in reset: Recreate"},
      {says(R"({"type":"hello","protocol":1,"gates":{"MaxUnavailableStatefulSet":"on"}})"),
       R"(the adapter says that gate MaxUnavailableStatefulSet is neither true nor false: "on")"},
      {says(R"({"type":"hello","protocol":1,"events":"some"})"),
       R"(the adapter wants neither each event nor the latest, but "some")"},
      {says(R"({"type":"hello","protocol":1,"events":true})"),
       "the adapter wants neither each event nor the latest, but true"},
      {says(R"({"type":"hello","protocol":1,"handlers":"own"})"),
       R"(the adapter says whether it has event handlers by neither true nor false: "own")"},
      {says(R"({"type":"hello","protocol":1,"queue":"mine"})"),
       R"(the adapter says whether its work queue is its own by neither true nor false: "mine")"},
      {says(R"({"type":"hello","protocol":1,"startsWithout":"pods"})"),
       R"(the adapter names the caches that it starts without in no list: "pods")"},
      {says(R"({"type":"hello","protocol":1,"startsWithout":["nodes"]})"),
       R"(the adapter starts without a cache of what it is told nothing of: "nodes")"},
      {says(R"({"type":"hello","protocol":1,"liveCaches":1})"),
       "the adapter says whether its caches are live by neither true nor false: 1"},
      {says(R"({"type":"hello","protocol":1,"severalWorkers":3})"),
       "the adapter says whether it has several workers by neither true nor false: 3"},
      {says(R"({"type":"hello","protocol":1,"lostConnections":0})"),
       "the adapter says whether its connections can be lost by neither true nor false: 0"},
      {says(R"({"type":"hello","protocol":1,"restByEvents":"yes"})"),
       R"(the adapter says whether it leaves the rest to events by neither true nor false: "yes")"},
      {handles(R"({"type":"done","id":1})"), "the adapter was to run its event handlers, and wrote:"},
      {handles(R"({"type":"handled","id":9})"), "the adapter was to run its event handlers, and wrote:"},
      {handles(R"({"type":"handled","id":1,"wakes":5})"), "the adapter names the sets to be woken in no list: 5"},
      {handles(R"({"type":"handled","id":1,"wakes":["default/web"]})"),
       R"(the adapter wakes no set NAMESPACE/NAME: "default/web")"},
      {handles(R"({"type":"handled","id":1,"wakes":[{"key":"web"}]})"),
       R"(the adapter wakes no set NAMESPACE/NAME: {"key":"web"})"},
      {polite_until(
           "handle", R"({"type":"hello","protocol":1,"handlers":true})",
           R"(printf '{"type":"handled","id":1,"wakes":[{"key":"a/b"}'; for i in {1..10000}; do printf ',{"key":"a/b"}'; done; echo ]})"),
       "the adapter wakes 10001 sets at once, and 10000 are the most"},
      {handles(R"({"type":"handled","id":1,"wakes":[{"key":"default/web","afterMs":-1}]})"),
       "the adapter asks to be run again after -1 ms"},
      {answers(R"({"type":"gossip","id":1})"), "the adapter wrote a message of no known type:"},
      {answers(R"({"type":"done","id":99})"), "the adapter answered what it was not asked:"},
      {answers(R"({"type":"done"})"), "the adapter answered what it was not asked:"},
      {answers(R"({"type":"calls","id":1,"calls":[]})"), "the adapter made a call of nothing"},
      {answers(R"({"type":"calls","id":1,"calls":[5]})"), "the adapter made a call that is no object: 5"},
      {answers(R"({"type":"calls","id":1,"calls":[{"method":"GET","path":"/version"}]})"),
       "the adapter called GET /version, a path"},
      {answers(R"({"type":"done","id":1,"requeueAfterMs":9223372036854775807})"),
       "the adapter asks to be run again after 9223372036854775807 ms, which is no whole number from 0 to a hundred years (3153600000000)"},
      {answers(R"({"type":"done","id":1,"touched":"web-0"})"),
       R"(the adapter names what was changed in its caches in no list of texts: "web-0")"},
      {answers(R"({"type":"done","id":1,"alone":"yes"})"),
       R"(the adapter says whether no other worker could have had the set by neither true nor false: "yes")"},
      {answers(R"({"type":"done","id":1,"events":5})"), "the adapter tells of events in no list: 5"},
      {answers(R"({"type":"done","id":1,"events":[{"type":"Error"}]})"),
       R"(the adapter tells of an event without a reason, or of a type that is neither Normal nor Warning: {"type":"Error"})"},
      {answers(R"({"type":"done","id":1,"races":{}})"), "the adapter names data races in no list of texts: {}"},
      {answers(R"({"type":"done","id":1,"touched":[5]})"),
       "the adapter names what was changed in its caches in no list of texts: [5]"},
      {answers(R"({"type":"done","id":1,"requeueAfterMs":18446744073709551615})"),
       "the adapter asks to be run again after 18446744073709551615 ms"},
      {answers(R"({"type":"done","id":1,"requeueAfterMs":3153600000001})"),
       "the adapter asks to be run again after 3153600000001 ms"},
      {answers(R"({"type":"done","id":1,"requeueAfterMs":-1})"), "the adapter asks to be run again after -1 ms"},
      {answers(R"({"type":"done","id":1,"requeueAfterMs":1.5})"), "the adapter asks to be run again after 1.5 ms"},
      {answers(R"({"type":"done","id":1,"requeueAfterMs":"5s"})"), "the adapter asks to be run again after \"5s\" ms"},
      {answers(R"({"type":"done","id":1,"requeueRateLimited":"yes"})"),
       R"(the adapter says whether it is to be run again with back-off by neither true nor false: "yes")"},
      {polite_until_sync("head -c 8000000 /dev/zero; sleep 100"),
       "the adapter wrote a line of more than 4194304 bytes"},
      {"bash -c " +
           shell_quoted(
               R"(read -r line; printf '{"type":"hello","protocol":1}\nunasked\n' | dd bs=4k iflag=fullblock status=none; sleep 100)"),  // both at once
       "the adapter spoke without being asked"},
  };
  for (const auto& c : cases) EXPECT_THAT(reason_of_trial(c.command), StartsWith(c.reason)) << c.command;
}

TEST(BadAdapter, ThatHangsIsWaitedForOnlySoLong) {
  const Patience short_one{.answer = 400ms};
  EXPECT_THAT(reason_of_trial(polite_until_sync("sleep 1000"), short_one),
              StartsWith("the adapter did not answer for 400 ms"));
  EXPECT_THAT(reason_of_trial("sleep 1000", short_one), StartsWith("the adapter did not answer for 400 ms"));
}

TEST(BadAdapter, ThatAsksWithoutEndIsStopped) {
  const std::string get =
      R"(echo '{"type":"calls","id":1,"calls":[{"method":"GET","path":"/api/v1/namespaces/default/pods/x"}]}')";
  const ControllerKind endless =
      make_external_kind("endless", polite_until_sync("while " + get + "; read -r line; do :; done"));
  Scenario alone = scenario_of_trial(some_sets(), 1, 0);
  alone.environment.namesakes = false;
  Court court;
  Dock dock(endless);
  const TrialResult result = try_in(dock, court, alone, {.level = Level::promised});
  EXPECT_EQ(result.inconclusive, "");
  EXPECT_THAT(broken_in(result), Contains("economy.bounded-turn"));
}

TEST(BadAdapter, ThatWritesEventsWithoutEndIsStopped) {
  std::string events = R"({"method":"POST","path":"/api/v1/namespaces/default/events","body":{}})";
  for (int doubled = 0; doubled < 10; ++doubled) events += "," + events;
  const std::string many = "echo '{\"type\":\"calls\",\"id\":1,\"calls\":[" + events + "]}'";
  EXPECT_EQ(reason_of_trial(polite_until_sync("while " + many + "; read -r line; do :; done")),
            "the adapter wrote more than 100000 events in one sync");
}

TEST(BadAdapter, IsQuotedFromItsStandardError) {
  EXPECT_EQ(reason_of_trial("bash -c 'echo out of cheese >&2; exit 5'"),
            "the adapter ended with status 5\nits standard error ends:\nout of cheese");
}

TEST(BadAdapter, IsQuotedAsTextThatATerminalAndAReportCanHold) {
  EXPECT_EQ(
      reason_of_trial("bash -c 'printf \"\\x1b[31mred\\xff \\xc3\\xa4 \\xc2\\x9b \\x7f\\r\\n\\tat\" >&2; exit 5'"),
      "the adapter ended with status 5\nits standard error ends:\n?[31mred? \xc3\xa4 ? ??\n\tat");
  EXPECT_THAT(
      reason_of_trial(polite_until_sync(
          "echo " + shell_quoted(R"({"type":"calls","id":1,"calls":[{"method":"GET","path":"/\u001b[31m"}]})"))),
      StartsWith("the adapter called GET /?[31m, a path that is not served"));
}

TEST(BadAdapter, ThatDiesOnceIsTriedAgain) {
  const auto mark = std::filesystem::temp_directory_path() / ("ordeal-adapter-" + std::to_string(::getpid()));
  const std::string command =
      "bash -c " +
      shell_quoted("if mkdir " + mark.string() + " 2> /dev/null; then exit 1; fi; exec " + ORDEAL_ECHO + " strict");
  const TrialResult result = try_kind(make_external_kind("unlucky", command), 0);
  std::filesystem::remove(mark);
  EXPECT_EQ(result.inconclusive, "");
  EXPECT_EQ(result.calls, try_kind(*find_controller("strict"), 0).calls);
}

TEST(BadAdapter, ThatDiesAThousandTimesCostsAThousandTrialsAndNothingElse) {
  const auto descriptors = [] {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return std::distance(begin(all), end(all));
  };
  const ControllerKind kind = make_external_kind("dying", "false");
  const auto before = descriptors();
  SilentWatcher watcher;
  const std::atomic<bool> stop = false;
  RunOptions options;
  options.controller = &kind;
  options.level = Level::promised;
  options.sets = some_sets();
  options.trials = 1000;
  options.jobs = 2;
  const RunResult result = run(options, watcher, stop);
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  EXPECT_EQ(result.trials, 1000u);
  ASSERT_EQ(result.inconclusive.size(), 1u);
  EXPECT_EQ(result.inconclusive[0].times, 1000u);
  EXPECT_EQ(result.inconclusive[0].reason, "the adapter ended with status 1");
  EXPECT_EQ(descriptors(), before);
}

/// A day of trials of a program that cannot be started would tell no more.
TEST(BadAdapter, ThatNeverComesToATurnEndsARunThatOnlyTimeLimits) {
  const ControllerKind kind = make_external_kind("missing", "/nonexistent");
  SilentWatcher watcher;
  const std::atomic<bool> stop = false;
  RunOptions options;
  options.controller = &kind;
  options.sets = some_sets();
  options.time = std::chrono::hours(24);
  options.jobs = 2;
  options.ends_without_turns = true;
  const RunResult result = run(options, watcher, stop);
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  EXPECT_GE(result.trials, 1000u);
  EXPECT_LE(result.trials, 2000u);
  ASSERT_EQ(result.inconclusive.size(), 2u);
  EXPECT_THAT(result.inconclusive[0].reason, HasSubstr("/nonexistent"));
  EXPECT_EQ(result.inconclusive[1].reason, "no trial came to a turn: no further one was begun");
}

// --- names -----------------------------------------------------------------------------------------------------------

TEST(ExternalController, TellsOfItsOwnDeath) {
  const std::string dies = polite_until_sync(
      R"(id=${line#*\"id\":}; id=${id%%,*}; echo "{\"type\":\"done\",\"id\":$id,\"died\":\"panic\"}")");
  const ControllerKind kind = make_external_kind("dying", dies);
  const TrialResult result = settled_with(kind);
  EXPECT_EQ(result.inconclusive, "");
  const auto broken = broken_in(result);
  EXPECT_NE(std::ranges::find(broken, "errors.never-dies"), broken.end());
  for (const Breach& breach : result.breaches)
    if (breach.invariant->id == "errors.never-dies")
      EXPECT_EQ(breach.violation.claim, "the process died, and nobody had killed it: panic");
}

TEST(ExternalController, IsToldOfLostConnectionsWhereItKnowsThem) {
  const auto death = [](const std::string& hello) {
    const std::string asks = polite_until(
        "sync", hello,
        R"(id=${line#*\"id\":}; id=${id%%,*}; echo '{"type":"calls","id":'$id',"calls":[{"method":"GET","path":)"
        R"("/apis/apps/v1/namespaces/default/statefulsets/web"}]}'; read -r line; case $line in *'"status":0}'*) why=lost;; )"
        R"(*'"status":504}'*) why=refused;; esac; echo '{"type":"done","id":'$id',"died":"'$why'"}')");
    const ControllerKind kind = make_external_kind("asking", asks);
    Court court;
    Dock dock(kind);
    const std::vector<Step> steps{{.kind = StepKind::deliver_all},
                                  {.kind = StepKind::fault, .at_call = 1, .a = static_cast<int>(Fault::timeout_before)},
                                  {.kind = StepKind::sync}};
    const TrialResult result = try_in(dock, court, {corpus_sets().front(), {}, steps}, {});
    return result.breaches.empty() ? result.inconclusive : result.breaches.front().violation.claim;
  };
  const std::string died = "the process died, and nobody had killed it: ";
  EXPECT_EQ(death(R"({"type":"hello","protocol":1,"lostConnections":true})"), died + "lost");
  EXPECT_EQ(death(R"({"type":"hello","protocol":1})"), died + "refused");
}

TEST(ExternalController, TakesAMemberThatIsNullForNone) {
  const std::string says_nothing = polite_until(
      "sync",
      R"({"type":"hello","protocol":1,"handlers":null,"queue":null,"liveCaches":null,"severalWorkers":null,"restByEvents":null,"recordsEvents":null,"lostConnections":null,)"
      R"("startsWithout":null,"events":null,"gates":null,"like":null})",
      R"(id=${line#*\"id\":}; id=${id%%,*}; echo "{\"type\":\"done\",\"id\":$id}")");
  const ControllerKind kind = make_external_kind("sparing", says_nothing);
  const TrialResult result = settled_with(kind);
  EXPECT_EQ(result.inconclusive, "");
  EXPECT_GT(result.syncs, 0u);
}

TEST(ExternalController, TellsOfItsDeathInAnEventHandler) {
  const std::string dies = polite_until(
      "handle", R"({"type":"hello","protocol":1,"handlers":true})",
      R"(id=${line#*\"id\":}; id=${id%%,*}; echo "{\"type\":\"handled\",\"id\":$id,\"wakes\":null,\"died\":\"nil map\"}")");
  const ControllerKind kind = make_external_kind("dying", dies);
  const TrialResult result = settled_with(kind);
  EXPECT_EQ(result.inconclusive, "");
  const auto at = std::ranges::find(result.breaches, "errors.never-dies",
                                    [](const Breach& breach) { return breach.invariant->id; });
  ASSERT_NE(at, result.breaches.end());
  EXPECT_EQ(at->violation.claim, "the process died, and nobody had killed it: nil map");
}

TEST(ExternalController, LooksAgainWhenItsReleaseDoes) {
  const auto margin = [](const char* name) {
    return make_external_kind(name, "cat").open()(Gates{})->traits().wake_margin;
  };
  EXPECT_EQ(margin("kubernetes@1.37.1"), Time{});
  EXPECT_EQ(margin("kubernetes@1.35.0"), Time::seconds(1));
  EXPECT_EQ(margin("exec:cat"), Time::seconds(1)) << "of a program nothing is known";
}

TEST(ExternalController, HasTheTraitsOfWhatItSaysItIsLike) {
  const auto traits = [](const char* name, const std::string& word) {
    const std::string hello = R"({"type":"hello","protocol":1)" + word + "}";
    return make_external_kind(name,
                              "bash -c " + shell_quoted("read -r line; echo " + shell_quoted(hello) + "; read -r line"))
        .open()(Gates{})
        ->traits();
  };
  EXPECT_TRUE(traits("exec:fork", R"(,"like":"kubernetes@1.33.2")").null_times);
  EXPECT_TRUE(traits("exec:fork", R"(,"like":"kubernetes-1.31")").null_times) << "the name of a table will do";
  EXPECT_FALSE(traits("exec:fork", R"(,"like":"kubernetes@1.34.0")").null_times);
  EXPECT_EQ(traits("exec:fork", R"(,"like":"kubernetes@1.36.0")").wake_margin, Time{});
  EXPECT_FALSE(traits("exec:fork", "").null_times) << "as an adapter that knows no such word";
  EXPECT_TRUE(traits("kubernetes@1.31.14", "").null_times) << "built before there was such a word";
}

// A controller that compares templates by meaning and has no gate for it is not to be judged as if it had turned it
// off.
TEST(ExternalController, ActsAsItSaysWhereItHasNoGate) {
  const auto acting = [](const std::string& word, const Gates& told) {
    const std::string hello = R"({"type":"hello","protocol":1)" + word + "}";
    return make_external_kind("exec:mine",
                              "bash -c " + shell_quoted("read -r line; echo " + shell_quoted(hello) + "; read -r line"))
        .open()(told)
        ->acting(told);
  };
  const Gates off{.max_unavailable = false, .semantic_revisions = false, .stale_guard = false, .recreate = false};
  EXPECT_EQ(acting("", off), off);
  const Gates by_meaning =
      acting(R"(,"gates":{"StatefulSetSemanticRevisionComparison":true,"MaxUnavailableStatefulSet":false})", off);
  EXPECT_TRUE(by_meaning.semantic_revisions);
  EXPECT_FALSE(by_meaning.recreate);
  EXPECT_FALSE(acting(R"(,"gates":{"MaxUnavailableStatefulSet":false})", Gates{}).max_unavailable);
}

/// Who does not know a strategy is given no set that asks for it; who breaks down says so in its trials.
TEST(ExternalController, WithoutRecreateIsGivenNoSetThatAsksForIt) {
  const auto knows_recreate = [](const std::string& hello) {
    const std::string says = hello.empty() ? "exit 1" : "read -r line; echo " + shell_quoted(hello) + "; read -r line";
    const ControllerKind kind = make_external_kind("exec:mine", "bash -c " + shell_quoted(says));
    return Dock(kind).known_fields().recreate;
  };
  EXPECT_FALSE(knows_recreate(R"({"type":"hello","protocol":1,"gates":{"StatefulSetRecreateStrategy":false}})"));
  EXPECT_TRUE(knows_recreate(R"({"type":"hello","protocol":1,"gates":{"MaxUnavailableStatefulSet":false}})"));
  EXPECT_TRUE(knows_recreate(R"({"type":"hello","protocol":1})"));
  EXPECT_TRUE(knows_recreate(""));
}

TEST(ExternalController, IsNamedByACommandOrARelease) {
  const auto kind = external_controller("exec:cat -u");
  ASSERT_TRUE(kind.has_value());
  EXPECT_EQ((*kind)->name, "exec:cat -u");
  EXPECT_EQ(*external_controller("exec:cat -u"), *kind);
  EXPECT_THAT(external_controller("exec: ").error(), HasSubstr("takes a command (found: exec: )"));
  EXPECT_THAT(external_controller("kubernetes@newest").error(), HasSubstr("takes a release such as 1.35.0"));
  EXPECT_THAT(external_controller("kubernetes@1.2.3").error(), HasSubstr("`ci/upstream 1.2.3` builds it"));
  EXPECT_THAT(external_controller("kubernetes@1.2.3-rc.1").error(), HasSubstr("`ci/upstream 1.2.3-rc.1` builds it"));
  for (const char* none : {"kubernetes@1.2.3-beta.0/../x", "kubernetes@1.2.3-", "kubernetes@1.2.3-mine.0"})
    EXPECT_THAT(external_controller(none).error(), HasSubstr("takes a release such as 1.35.0")) << none;
  EXPECT_THAT(external_controller("kubernetes@1.2.3+mine").error(),
              HasSubstr("`ci/upstream --from CLONE 1.2.3+mine` builds it"));
  EXPECT_THAT(external_controller("kubernetes@1.2.3+race").error(), HasSubstr("`ci/upstream --race 1.2.3` builds it"));
  EXPECT_THAT(external_controller("kubernetes@1.2.3+mine+race").error(),
              HasSubstr("`ci/upstream --race --from CLONE 1.2.3+mine` builds it"));
  EXPECT_THAT(external_controller("kubernetes@1.2.3+../mine").error(), HasSubstr("or RELEASE+NAME of a clone"));
  EXPECT_THAT(external_controller("kruise@").error(), HasSubstr("kruise@ takes a release such as 1.8.0"));
  EXPECT_THAT(external_controller("kruise@0.0.9").error(),
              HasSubstr("OpenKruise 0.0.9 is not built; `ci/upstream kruise@0.0.9` builds it"));
  EXPECT_FALSE(is_external("kubernetes-1.37"));
  EXPECT_FALSE(is_external("kruise-1.7.0"));
}

}  // namespace
}  // namespace ordeal::fuzz
