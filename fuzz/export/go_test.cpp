#include "fuzz/export/go_test.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/api/codec.h"
#include "core/api/encode.h"
#include "fuzz/adapter/answer.h"
#include "fuzz/adapter/hello.h"
#include "fuzz/adapter/http.h"
#include "fuzz/adapter/target.h"
#include "fuzz/export/export.h"
#include "properties/invariants/economy.h"
#include "properties/scenario/gate_names.h"
#include "properties/trial/listeners.h"

namespace ordeal::fuzz {

using namespace properties;

namespace {

using nlohmann::json;
constexpr std::string_view upstream = "kubernetes@";

// --- the syncs of the trial ------------------------------------------------------------------------------------------

template <class T>
json listed(const View& seen) {
  json out = json::array();
  for (const View* view : {&seen, seen.elsewhere}) {
    if (view == nullptr) continue;
    for (const T* object : view->of<T>().all) {
      out.push_back(to_json(*object));
      out.back()["metadata"]["namespace"] = sent_namespace(object->meta.ns).str();
    }
  }
  return out;
}

std::string_view go_verb(Verb verb) {
  switch (verb) {
    case Verb::get: return "get";
    case Verb::create: return "create";
    case Verb::update:
    case Verb::update_status: return "update";
    case Verb::remove: return "delete";
    case Verb::patch_owners:
    case Verb::patch: return "patch";
  }
  return "get";
}

json recorded(const Call& call, const Text& ns) {
  const json asked = call_of(call.request, ns), answer = answer_to(call.request, call.reply, ns);
  const bool ok = call.reply.ok();
  return {{"Verb", go_verb(call.request.verb)},
          {"Resource",
           std::string(resource_of(call.request.kind)) + (call.request.verb == Verb::update_status ? "/status" : "")},
          {"Name", call.request.name.str()},
          {"Body", asked.contains("body") ? asked["body"] : json(nullptr)},
          {"Status", is_lost(call.request, call.reply) ? json(0) : answer["status"]},
          {"Reason", ok ? "" : std::string(reason_of(call.reply.code))},
          {"Reply", ok ? answer["body"] : json(nullptr)}};
}

/// What the caches have taken by the time that a call of a sync is answered; null: nothing is left of it.
json taken_with(std::size_t call, const Sync& sync) {
  json out = json::array();
  for (const Taken& taken : sync.taken) {
    if (taken.calls != call) continue;
    std::visit(
        [&]<class T>(const T* now) {
          out.push_back({{"Resource", resource_of(kind_v<T>)},
                         {"Key", sent_namespace(sync.key.ns).str() + "/" + taken.news.name.str()},
                         {"Object", now != nullptr ? to_json(*now) : json(nullptr)}});
          if (now != nullptr) out.back()["Object"]["metadata"]["namespace"] = sent_namespace(sync.key.ns).str();
        },
        taken.news.now);
  }
  return out;
}

/// A sync of the program on trial, as the test will see it.
struct Recorded {
  json sync;
  std::vector<On> triggers;  // of its calls, in order
  bool waits = false, by_other = false;
};

/// Numbers syncs as the judge does: those of the program, from 1.
class Recorder final : public Witness {
 public:
  std::vector<Recorded> syncs;

  void on_step(const World&, const TakenStep* step, std::string_view) override {
    if (step != nullptr &&
        (step->kind == StepKind::restart || step->kind == StepKind::turn_gate || step->kind == StepKind::hand_over))
      restarted_ = true;
  }
  void on_change(const World&) override {}
  void on_sync(const World&, const Sync& sync) override {
    if (sync.by_other) {
      restarted_ = true;
      return;
    }
    Recorded& made = syncs.emplace_back();
    made.waits = sync.waits && !sync.fresh;  // else it failed for something else
    made.sync = {{"Number", syncs.size()},
                 {"Key", sent_namespace(sync.key.ns).str() + "/" + sync.key.name.str()},
                 {"Time", time_text(sync.now)},
                 {"Restart", restarted_ || sync.process != process_},
                 {"Gates", gates_json(sync.gates)},
                 {"Caches",
                  {{"StatefulSets", listed<StatefulSet>(sync.seen)},
                   {"Pods", listed<Pod>(sync.seen)},
                   {"PersistentVolumeClaims", listed<Claim>(sync.seen)},
                   {"ControllerRevisions", listed<Revision>(sync.seen)}}},
                 {"Reached", reached_json(sync.seen)},
                 {"Calls", json::array()},
                 {"Failed", sync.result.failed},
                 {"Died", sync.died},
                 {"Requeue", sync.result.requeue_after.has_value()}};
    for (const Call& call : sync.calls) {
      json& asked = made.sync["Calls"].emplace_back(recorded(call, sync.key.ns));
      if (json taken = taken_with(made.triggers.size(), sync); !taken.empty()) asked["Taken"] = std::move(taken);
      made.triggers.push_back(trigger_of(call.request));
    }
    restarted_ = sync.died;
    process_ = sync.process;
  }
  void on_settled(const World&, bool, int, int) override {}
  void on_rest(const World& world, const Sync& sync) override { on_sync(world, sync); }

 private:
  bool restarted_ = true;
  std::size_t process_ = 0;
};

// --- what is accused -------------------------------------------------------------------------------------------------

/// Of the calls that the promise speaks of, those that the claim names, or all when it names none. None at all: the
/// promise is about more than a call.
std::vector<std::size_t> accused_calls(const Breach& breach, const Recorded& sync) {
  std::vector<std::size_t> asked, named;
  for (std::size_t i = 0; i < sync.triggers.size(); ++i) {
    if ((breach.invariant->on & on_any_call & sync.triggers[i]) == 0) continue;
    asked.push_back(i);
    if (breach.violation.claim.find(sync.sync["Calls"][i]["Name"].get<std::string>()) != std::string::npos)
      named.push_back(i);
  }
  return named.empty() ? asked : named;
}

/// The syncs that a test replays and the calls it accuses; an error when there are none.
std::expected<json, std::string> accusation(const Breach& breach, std::span<const Recorded> syncs) {
  const auto at = static_cast<std::size_t>(std::max(breach.sync, 1));
  if (at > syncs.size()) return std::unexpected("the promise is not broken by a sync of this trial");
  json story = {{"Accused", json::array()}, {"Syncs", json::array()}};
  const bool at_the_end = (breach.invariant->on & on_settled) != 0 && breach.invariant->when == When::settled;
  for (std::size_t i = at_the_end ? 0 : at - 1; i < at; ++i) {
    if (syncs[i].waits)
      return std::unexpected("the controller waited for its caches in sync " + std::to_string(i + 1) +
                             ", and the informers of a test never know how far they are");
    story["Syncs"].push_back(syncs[i].sync);
  }
  story["Syncs"][0]["Restart"] = true;
  if (!at_the_end) story["Accused"] = accused_calls(breach, syncs[at - 1]);
  return story;
}

// --- the file --------------------------------------------------------------------------------------------------------

/// Where releases differ in what an exported test needs: by their minor number.
struct Dialect {
  std::string_view queue, key, context;
};

Dialect dialect_of(int minor) {
  constexpr int typed_since = 31, context_since = 27;
  return {minor >= typed_since ? "workqueue.TypedRateLimitingInterface[string]" : "workqueue.RateLimitingInterface",
          minor >= typed_since ? "string" : "interface{}", minor >= context_since ? "context.Background(), " : ""};
}

constexpr std::string_view imports = R"(
package statefulset

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/component-base/featuregate"
)
)";

std::string dialect_text(int minor) {
  const Dialect dialect = dialect_of(minor);
  return "\n// ordealQueueOf is the work queue of this release.\ntype ordealQueueOf = " + std::string(dialect.queue) +
         "\n\n// ordealQueue notes whether a sync wants to be run again.\ntype ordealQueue struct {\n\tordealQueueOf\n\tasked bool\n}\n\n"
         "func (q *ordealQueue) AddAfter(" +
         std::string(dialect.key) +
         ", time.Duration) { q.asked = true }\n"
         "func (q *ordealQueue) Add(" +
         std::string(dialect.key) +
         ")                     {}\n\n"
         "func newOrdealController(i informers.SharedInformerFactory, client *fake.Clientset) *StatefulSetController {\n"
         "\treturn NewStatefulSetController(" +
         std::string(dialect.context) +
         "i.Core().V1().Pods(), i.Apps().V1().StatefulSets(),\n"
         "\t\ti.Core().V1().PersistentVolumeClaims(), i.Apps().V1().ControllerRevisions(), client)\n}\n\n";
}

/// A raw string of Go, which may not hold its own quote.
std::string go_literal(const json& story) {
  std::string text = "`{\n", syncs;
  for (const auto& [key, value] : story.items())
    if (key != "Syncs") text += "\"" + key + "\": " + go_encode(value) + ",\n";
  for (const json& sync : story["Syncs"]) {
    syncs += syncs.empty() ? "{" : ",\n{";
    for (const auto& [key, value] : sync.items()) {
      if (&value != &sync.front()) syncs += ",\n ";
      syncs += "\"" + key + "\": " + go_encode(value);
    }
    syncs += "}";
  }
  text += "\"Syncs\": [\n" + syncs + "]}`";
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i)
    out += text[i] == '`' && i > 0 && i + 1 < text.size() ? std::string("\\u0060") : std::string(1, text[i]);
  return out;
}

/// 35 of "1.35.0"; none of what is no release.
std::optional<int> minor_of(std::string_view release) {
  constexpr std::string_view major = "1.";
  int minor = 0;
  if (!release.starts_with(major)) return std::nullopt;
  const auto [end, error] = std::from_chars(release.data() + major.size(), release.data() + release.size(), minor);
  return error == std::errc{} ? std::optional(minor) : std::nullopt;
}

}  // namespace

std::expected<std::string, std::string> export_go_test(const Shown& shown, const Report& report, Program& program,
                                                       const std::string& wanted_release) {
  const Finding& finding = shown.finding;
  const Invariant& invariant = *finding.invariant;
  const std::string accused = report.controller.starts_with(upstream) ? report.controller.substr(upstream.size()) : "";
  if (!minor_of(accused))
    return std::unexpected("a Go test accuses a release of Kubernetes: --controller kubernetes@RELEASE (found: " +
                           report.controller + ")");
  const std::string& release = wanted_release.empty() ? accused : wanted_release;
  const auto minor = minor_of(release);
  if (!minor) return std::unexpected("--for: must be a release such as 1.35.0 (found: " + release + ")");
  if ((invariant.on & on_twins) != 0)
    return std::unexpected(std::string(invariant.id) + " compares two trials, which no Go test can show");
  if (invariant.id == "status.transition-times")
    return std::unexpected(
        std::string(invariant.id) +
        ": the controller takes the times of conditions from the machine's clock, which no test can set");
  World world;
  Recorder recorder;
  simulate(world, finding.scenario, program, recorder);
  auto story = accusation(finding.breach, recorder.syncs);
  if (!story) return std::unexpected(std::string(invariant.id) + ": " + story.error());
  (*story)["Promise"] = invariant.promise;
  if (finding.breach.invariant->check == economy::inputs_untouched) (*story)["Touches"] = true;
  (*story)["Claim"] = finding.breach.violation.claim;
  (*story)["Evidence"] = finding.breach.violation.evidence;
  return "// Exported by ordeal " + std::string(version) + ": Kubernetes " + accused + " breaks " +
         std::string(invariant.id) + ".\n//\n" + prefixed(invariant.promise, "//   ") +
         prefixed(invariant.source, "//   ") +
         "//\n// A file of k8s.io/kubernetes/pkg/controller/statefulset: put it there in a checkout of v" + release +
         " and run\n//   go test ./pkg/controller/statefulset -run TestOrdeal" + test_name(invariant) +
         "\n// or, without a checkout, ci/go-test " + release + " FILE. It fails as long as the story can happen.\n" +
         std::string(imports) + "\nfunc TestOrdeal" + test_name(invariant) +
         "(t *testing.T) { runOrdealStory(t, ordealText) }\n\nconst ordealText = " + go_literal(*story) + "\n" +
         dialect_text(*minor) + std::string(go_test_support());
}

}  // namespace ordeal::fuzz
