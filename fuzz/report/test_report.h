// A made-up run with one finding, for the tests of reports.
#pragma once

#include "fuzz/engine/first_sets.h"
#include "fuzz/report/report.h"

namespace ordeal::fuzz {

inline const properties::Invariant test_invariant{.id = "test.promise",
                                                  .promise = "A pod below the partition keeps its revision.",
                                                  .source = "StatefulSets, section Partitions",
                                                  .property = "",
                                                  .check = nullptr};
inline const Known test_known{"strict", "test.promise", "some/thread#1", "it is known"};

inline Timeline test_timeline() {
  const auto row = [](std::vector<TimelineLine> lines, std::string shown, Time at, std::vector<std::string> pods) {
    TimelineRow made;
    made.lines = std::move(lines);
    made.shown = std::move(shown);
    made.at = at;
    made.pods = std::move(pods);
    return made;
  };
  Timeline timeline;
  timeline.pods = {"web-0", "web-1"};
  timeline.revisions = {"web-aaa", "web-bbb"};
  timeline.rows.push_back(row({{0, "the set is created", ""}}, "", {}, {"-", "-"}));
  timeline.rows.push_back(row({{1, "sync", "create web-0 (create-pod)"}}, "rv 7", {}, {"r1 ready", "-"}));
  timeline.rows.push_back(
      row({{2, "  user.scale replicas=5", "create web-1 (create-pod) -> conflict"}, {0, "", "failed: no luck"}},
          "rv 9 (stale)", Time::seconds(10), {"r1 ready", "r2 pending"}));
  timeline.rows.back().offending = true;
  return timeline;
}

inline Report test_report() {
  const ReadSets read =
      read_sets("web", R"({"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "web"},
    "spec": {"serviceName": "web", "replicas": 3, "updateStrategy": {"rollingUpdate": {"partition": 2}},
             "selector": {"matchLabels": {"a": "b"}},
             "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}}})");
  Shown shown;
  shown.finding.invariant = &test_invariant;
  shown.finding.trial = 57;
  shown.finding.scenario.set = read.sets.at(0);
  shown.finding.scenario.steps = {{.kind = properties::StepKind::sync}, {.kind = properties::StepKind::scale, .a = 5}};
  shown.finding.breach = {&test_invariant, {"web-1 was created at r2", {"partition=2 in the set it was shown"}}, 2, 2};
  shown.finding.steps_found = 212;
  shown.finding.minimal = true;
  shown.finding.cause = properties::cause_of(shown.finding.scenario);
  shown.file = "out/test.promise.1.json";
  shown.known = &test_known;
  shown.timeline = test_timeline();
  shown.breaks = {&test_invariant};

  Report report;
  report.controller = "strict";
  report.seed = 9177;
  report.program = "./ordeal";
  report.arguments = " web.yaml";
  report.result.verdict = properties::Verdict::violated;
  report.result.trials = 1000;
  report.result.syncs = 60000;
  report.result.calls = 90000;
  report.result.digest = 0xABC;
  report.result.seconds = 2.5;
  report.result.inconclusive = {{"the adapter died", 3, 2}};
  report.findings.push_back(std::move(shown));
  return report;
}

}  // namespace ordeal::fuzz
