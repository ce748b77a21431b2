// A script of kubectl commands for a live cluster.
//
// What users do is a command, worked out from what became of the objects in the simulated cluster: so it names the pod
// that a step means by "the third". What kubelets, caches and the network do is a comment that says how to bring it
// about (provoke.h).
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/api/codec.h"
#include "core/cluster/patch.h"
#include "fuzz/engine/shell.h"
#include "fuzz/export/export.h"
#include "fuzz/export/provoke.h"
#include "fuzz/report/decisions.h"
#include "properties/scenario/scenario_json.h"
#include "properties/world/adversary.h"
#include "properties/world/simulate.h"

namespace ordeal::fuzz {

using namespace properties;

namespace {

using nlohmann::json;
constexpr std::size_t decisions_shown = 12;

/// What a user may write of an object.
template <class T>
json writable(const T& object) {
  json out = to_json(object);
  out.erase("status");
  for (const char* field : {"namespace", "uid", "resourceVersion", "generation", "creationTimestamp",
                            "deletionTimestamp", "deletionGracePeriodSeconds"})
    out["metadata"].erase(field);
  return out;
}

std::string resource(const StatefulSet&) { return "statefulset"; }
std::string resource(const Pod&) { return "pod"; }
std::string resource(const Claim&) { return "pvc"; }
std::string resource(const Revision&) { return "controllerrevision"; }

template <class T>
std::string create_command(const T& object) {
  return "kubectl create -n \"$namespace\" -f - <<'EOF'\n" + writable(object).dump(2) + "\nEOF";
}

std::string delete_flags(const Step& step) {
  constexpr std::string_view cascades[] = {"background", "foreground", "orphan"};
  if (step.kind == StepKind::force_delete_pod) return " --grace-period=0 --force";
  if (step.kind == StepKind::delete_set)
    return " --cascade=" + std::string(cascades[static_cast<std::size_t>(step.a) % 3]);
  return {};
}

template <class T>
std::string command_of(const Change<T>& change, const Step& step) {
  if (change.before == nullptr) return create_command(*change.after);
  const std::string what = resource(change.object()) + " " + shell_quoted(change.object().meta.name.str());
  const bool goes = change.after == nullptr || (change.after->meta.terminating() && !change.before->meta.terminating());
  if (goes) return "kubectl delete -n \"$namespace\" " + what + " --wait=false" + delete_flags(step);
  const std::string patches = "kubectl patch -n \"$namespace\" " + what + " --type=merge";
  if constexpr (std::is_same_v<T, StatefulSet>)
    if (change.before->status.conditions != change.after->status.conditions)
      return patches + " --subresource=status -p " +
             shell_quoted(json{{"status", {{"conditions", to_json(change.after->status)["conditions"]}}}}.dump());
  const json patch = merge_patch_between(writable(*change.before), writable(*change.after));
  return patch.empty() ? "" : patches + " -p " + shell_quoted(patch.dump());
}

/// One step, as somebody at a terminal would go about it.
struct Act {
  int number = 0;
  std::string title;
  std::optional<Step> step;
  std::vector<std::string> commands, pods;  // `pods`: whose state the step changed
  std::vector<std::string> decisions;       // what the controller then did
  std::string after;                        // the pods at the end of it
  bool heals = false;                       // not in the story, but what a promise about the end takes for granted
  Marks since;                              // what was changed from here on is its doing, or the controller's
};

/// The environment that heals does what users would: gives a good template, lifts the partition, deletes what is in the
/// way.
bool is_a_users(const Act& act) { return act.heals || (act.step && info(act.step->kind).name.starts_with("user.")); }

class Prompter final : public Witness {
 public:
  explicit Prompter(const Scenario& scenario) : steps_(static_cast<int>(scenario.steps.size())) {}
  std::vector<Act> acts;

  /// Inside a sync only a mark is set: its calls, and so whose change is whose, are known when it ends.
  void on_step(const World& world, const TakenStep* step, std::string_view note) override {
    if (step == nullptr || step->at_call == 0) take_changes(world, {});
    Act& act = acts.emplace_back();
    act.number = step == nullptr ? steps_ + 1 : static_cast<int>(step->number);
    act.title = step == nullptr ? std::string(note) : describe(*step);
    if (step != nullptr) act.step = *step;
    act.heals = step == nullptr && acts.size() > 1 && acts[acts.size() - 2].number <= steps_;
    act.since = world.marks();
  }
  void on_change(const World& world) override {
    if (acts.empty()) begin_with_the_set();
    take_changes(world, {});
  }
  void on_sync(const World& world, const Sync& sync) override {
    take_changes(world, sync.calls);
    if (acts.empty()) return;
    for (const Call& call : sync.calls) acts.back().decisions.push_back(decision_text(call));
    if (const std::string outcome = outcome_text(sync); !outcome.empty()) acts.back().decisions.push_back(outcome);
  }
  void on_rest(const World& world, const Sync& sync) override { on_sync(world, sync); }
  void on_settled(const World&, bool rested, int, int) override {
    acts.back().decisions.push_back(rested ? "nothing moves any more" : "it is still moving");
  }

 private:
  void begin_with_the_set() {
    Act& act = acts.emplace_back();
    act.title = "the set is created";
    act.step = Step{StepKind::create_set};
  }

  /// What somebody else than the controller changed since the last time.
  void take_changes(const World& world, std::span<const Call> calls) {
    take(world.cluster().sets().log(), &Marks::sets, &Call::set_before, calls);
    take(world.cluster().pods().log(), &Marks::pods, &Call::pod_before, calls);
    take(world.cluster().claims().log(), &Marks::claims, &Call::claim_before, calls);
    take(world.cluster().revisions().log(), &Marks::revisions, &Call::revision_before, calls);
    seen_ = world.marks();
    if (acts.empty()) return;
    acts.back().after.clear();
    for (const Pod* pod : world.cluster().pods().live().all())
      acts.back().after += " " + pod->meta.name.str() + "=" + std::string(pod_state(*pod));
  }

  template <class T>
  void take(std::span<const Change<T>> log, std::size_t Marks::* place, const T* Call::* before,
            std::span<const Call> calls) {
    for (std::size_t i = seen_.*place; i < log.size(); ++i) {
      const Change<T>& change = log[i];
      const auto made_it = [&](const Call& call) {
        return call.committed && call.writes() && call.*before == change.before &&
               (change.before != nullptr || (change.after != nullptr && call.request.name == change.after->meta.name));
      };
      const auto began_before = [&](const Act& act) { return act.since.*place <= i; };
      const auto act = std::ranges::find_if(acts.rbegin(), acts.rend(), began_before);
      if (act == acts.rend() || std::ranges::any_of(calls, made_it)) continue;
      if (is_a_users(*act)) add_command(*act, command_of(change, act->step.value_or(Step{})));
      else if constexpr (std::is_same_v<T, Pod>) act->pods.push_back(change.object().meta.name.str());
    }
  }

  static void add_command(Act& act, std::string command) {
    if (!command.empty()) act.commands.push_back(std::move(command));
  }

  int steps_;
  Marks seen_;
};

std::string watch_text(const Act& act) {
  std::string text;
  const std::size_t shown = std::min(act.decisions.size(), decisions_shown);
  for (std::size_t i = 0; i < shown; ++i) text += prefixed("watch for: " + act.decisions[i], "#   ");
  if (act.decisions.size() > shown) text += "#   ... and " + std::to_string(act.decisions.size() - shown) + " more\n";
  if (!act.after.empty()) text += "#   pods then:" + act.after + "\n";
  return text;
}

std::string act_text(const Act& act) {
  std::string text =
      "\n# " + (act.number > 0 ? "step " + std::to_string(act.number) + ": " : std::string()) + act.title + "\n";
  if (act.step && act.step->at_call > 0)
    text += "# (just before call " + std::to_string(act.step->at_call) +
            " of the controller's next sync: a matter of milliseconds)\n";
  for (const std::string& command : act.commands) text += command + "\n";
  if (act.step && !is_a_users(act)) text += provoke(*act.step, act.pods);
  if (is_a_users(act) && act.commands.empty()) text += "# nothing to do: it is so already, or is refused\n";
  if (!act.step && !act.heals) text += "settle\n";
  return text + watch_text(act);
}

constexpr std::string_view preamble = R"(
set -u
namespace=${NAMESPACE:-ordeal}

# Waits until nothing has changed for ten seconds, for five minutes at most.
settle() {
  local before= now
  for _ in $(seq 30); do
    now=$(kubectl get statefulset,pod,pvc,controllerrevision -n "$namespace" \
      -o jsonpath='{range .items[*]}{.metadata.uid}:{.metadata.resourceVersion} {end}')
    if [ "$now" = "$before" ]; then return; fi
    before=$now
    sleep "${ORDEAL_PAUSE:-10}"
  done
  echo "it is still moving"
}

kubectl create namespace "$namespace"
)";

}  // namespace

std::string export_kubectl(const Shown& shown, const Report& report, Program& program) {
  const Finding& finding = shown.finding;
  World world;
  Prompter prompter(finding.scenario);
  simulate(world, finding.scenario, program, prompter);
  std::string text =
      "#!/usr/bin/env bash\n# Exported by ordeal " + std::string(version) + ": " + report.controller + " breaks " +
      std::string(finding.invariant->id) + ".\n#\n" + prefixed(finding.invariant->promise, "#   ") +
      prefixed(finding.invariant->source, "#   ") +
      "#\n# For a cluster of your own: it makes a namespace and sets nothing else up. Images are those of the story; put one\n"
      "# in their place that your nodes can pull. What no user can do is a comment.\n";
  text += prefixed("The " + acting_gates(finding.scenario.environment, program) + ".", "# ");
  for (const Trouble* trouble : troubles_around(finding.scenario))
    text += prefixed("In the story: " + std::string(trouble->about) + ".", "# ");
  text += preamble;
  for (const Act& act : prompter.acts) {
    if (act.number > finding.breach.step) break;
    text += act_text(act);
  }
  text += "\nkubectl get statefulset,pod,pvc,controllerrevision -n \"$namespace\" -o wide\n" +
          prefixed("Now the promise is broken: " + finding.breach.violation.claim, "# ");
  for (const std::string& fact : finding.breach.violation.evidence) text += prefixed(fact, "#   ");
  return text;
}

}  // namespace ordeal::fuzz
