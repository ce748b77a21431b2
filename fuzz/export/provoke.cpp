#include "fuzz/export/provoke.h"

#include <algorithm>

#include "fuzz/engine/shell.h"

namespace ordeal::fuzz {

using namespace properties;

namespace {

std::string wait_for(const std::vector<std::string>& pods, std::string_view condition) {
  std::string text;
  for (const std::string& pod : pods)
    text += "kubectl wait -n \"$namespace\" --timeout=120s --for=" + std::string(condition) + " pod/" +
            shell_quoted(pod) + "\n";
  return text.empty() ? "# nothing to do: no pod is in the state for it\n" : text;
}

std::string note(std::string_view text) { return "# " + std::string(text) + "\n"; }

std::string named(const std::vector<std::string>& pods) { return pods.empty() ? "no pod" : pods.front(); }

std::string word(const Argument& argument, std::int32_t value) {
  const auto at = static_cast<std::size_t>(std::max(value, 0));
  return at < argument.words.size() ? std::string(argument.words[at]) : std::to_string(value);
}

std::string of_kubelets(const Step& step, const std::vector<std::string>& pods) {
  switch (step.kind) {
    case StepKind::start_pod: return wait_for(pods, "jsonpath='{.status.phase}'=Running");
    case StepKind::make_ready: return wait_for(pods, "condition=Ready");
    case StepKind::stop_pod: return wait_for(pods, "delete");
    case StepKind::make_unready:
      return note("make the readiness probe of " + named(pods) + " fail") + wait_for(pods, "condition=Ready=false");
    case StepKind::fail_pod:
      return note("end " + named(pods) +
                  " in phase Failed: shut its node down gracefully, or patch its status by the status subresource");
    case StepKind::declare_failed:
      return note("end " + named(pods) +
                  " with its node: the pod collector declares it Failed, and its condition Ready stays");
    case StepKind::succeed_pod:
      return note("end " + named(pods) + " in phase Succeeded: patch its status by the status subresource");
    case StepKind::evict_pod:
      return note("put the node of " + named(pods) + " under disk or memory pressure until its kubelet evicts the pod");
    case StepKind::become_unknown:
      return note("patch the phase of " + named(pods) +
                  " to Unknown by the status subresource; its kubelet makes it Running again");
    case StepKind::lose_node:
      return note("stop the kubelet on the node of " + named(pods) + " and leave its containers running");
    case StepKind::recover_nodes: return note("start the stopped kubelets again");
    default: return note("every pod goes one stage on by itself: starts, becomes ready, or ends");
  }
}

std::string of_control_plane(const Step& step) {
  const StepInfo& row = info(step.kind);
  const std::string a = word(row.a, step.a), b = word(row.b, step.b);
  switch (step.kind) {
    case StepKind::deliver:
      return note("the controller's watch of kind " + a + " delivers " +
                  std::to_string(std::int64_t{std::max(step.b, 0)} + 1) +
                  " of the events due, and no more: a proxy before the API server holds the rest back");
    case StepKind::deliver_all: return note("every event due reaches the controller, as it does by itself");
    case StepKind::relist: return note("break the controller's watch of kind " + a + ", so that it lists anew");
    case StepKind::restart:
      return note("restart kube-controller-manager; its first lists come from an API server " + a + " events behind");
    case StepKind::turn_gate:
      return note("restart kube-controller-manager with --feature-gates=" + a + (step.b != 0 ? "=true" : "=false"));
    case StepKind::run_release: return note("from here on run the kube-controller-manager of: " + a);
    case StepKind::hand_over:
      return note(
          "kubectl delete lease -n kube-system kube-controller-manager: another controller manager leads, its caches " +
          a + " events behind");
    case StepKind::rival_sync:
      return note("pause the process that led before, and let it go on now with what it had in its caches (" + a +
                  " events behind)");
    case StepKind::collect: return note("the garbage collector works, as it does by itself");
    case StepKind::fault:
      return note("call " + std::to_string(std::max<int>(step.at_call, 1)) +
                  " of the controller's next sync ends so: " + a + "; a proxy or an admission webhook can answer that");
    case StepKind::outage:
      return note("from here on all " + a + " of the controller are answered: " + b +
                  "; by a proxy, an admission webhook or a quota");
    case StepKind::end_outage: return note("calls are answered as usual again");
    default: return note("the controller syncs the set, as it does by itself after any event of it");
  }
}

}  // namespace

std::string provoke(const Step& step, const std::vector<std::string>& pods) {
  switch (step.kind) {
    case StepKind::settle: return "settle\n";
    case StepKind::race:
      return note("deliveries, syncs, kubelets and the collector go on in some order for a moment") + "settle\n";
    case StepKind::advance: return "sleep " + std::to_string(std::max(step.a, 0)) + "\n";
    case StepKind::skew_clock:
      return note("set the clock of the controller's machine " + std::to_string(step.a) + " s off the API server's");
    default: break;
  }
  return info(step.kind).name.starts_with("pod.") || info(step.kind).name.starts_with("node.") ? of_kubelets(step, pods)
                                                                                               : of_control_plane(step);
}

}  // namespace ordeal::fuzz
