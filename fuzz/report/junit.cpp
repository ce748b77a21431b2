#include "fuzz/report/junit.h"

#include <algorithm>

#include "fuzz/engine/legible.h"
#include "fuzz/report/text.h"
#include "properties/invariants/catalogue.h"
#include "properties/scenario/counted.h"

namespace ordeal::fuzz {

namespace {

using namespace properties;

/// Whatever the bytes are, XML can hold what comes out.
std::string escaped(std::string_view text) {
  std::string out;
  for (char c : legible(text)) {
    switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + escaped(value) + "\"";
}

std::string property(std::string_view name, std::string_view value) {
  return "    <property" + attribute("name", name) + attribute("value", value) + "/>\n";
}

std::string unasked_xml(const Report& report) {
  const auto unasked = left_unasked(report);
  return unasked.empty() ? "" : property("not asked", joined(unasked));
}

std::string properties_xml(const Report& report) {
  return "  <properties>\n" + property("controller", report.controller) + property("level", name_of(report.level)) +
         (report.seed ? property("seed", std::to_string(*report.seed)) : "") + unasked_xml(report) +
         property("trials", std::to_string(report.result.trials)) +
         property("syncs", std::to_string(report.result.syncs)) + property("ordeal", version) + "  </properties>\n";
}

/// The findings of one invariant in one failure: the first one's claim, and every story. Not those that are accepted.
std::string failure_xml(const Report& report, const Invariant& invariant) {
  std::string claim, stories;
  for (const Shown& shown : report.findings) {
    if (shown.finding.invariant != &invariant || shown.accepted) continue;
    if (stories.empty()) claim = shown.finding.breach.violation.claim;
    stories += (stories.empty() ? "" : "\n") + finding_text(shown, report);
  }
  if (stories.empty()) return {};
  return "    <failure" + attribute("message", claim) + ">" + escaped(stories) + "</failure>\n";
}

std::string case_xml(const Report& report, std::size_t place) {
  const Invariant& invariant = catalogue[place];
  const std::string open = "  <testcase" + attribute("classname", invariant.family()) + attribute("name", invariant.id);
  if (const std::string failure = failure_xml(report, invariant); !failure.empty())
    return open + ">\n" + failure + "  </testcase>\n";
  if (has_finding(report, invariant))
    return open + ">\n    <skipped" + attribute("message", "known of " + report.known_of) + "/>\n  </testcase>\n";
  if (shared_by(report).test(properties::place_of(invariant)))
    return open + ">\n    <skipped" + attribute("message", "broken by " + report.against + ", too") +
           "/>\n  </testcase>\n";
  if (report.result.situations.test(situation_of_invariant(place))) return open + "/>\n";
  return open + ">\n    <skipped message=\"no occasion\"/>\n  </testcase>\n";
}

std::string unclear_xml(const Report& report) {
  std::string text;
  for (const Unclear& unclear : report.result.inconclusive)
    text += "  <testcase classname=\"run\" name=\"trial " + std::to_string(unclear.trial) + "\">\n    <error" +
            attribute("message", unclear.reason) + "/>\n  </testcase>\n";
  return text;
}

}  // namespace

std::string run_junit(const Report& report) {
  const Tally all = tally(report);
  const std::size_t unclear = report.result.inconclusive.size();
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite" + attribute("name", "ordeal " + report.controller);
  text += attribute("tests", std::to_string(all.asked() + unclear));
  text += attribute("failures", std::to_string(all.violated)) + attribute("errors", std::to_string(unclear));
  text += attribute("skipped", std::to_string(all.without_occasion + all.shared + all.known));
  text += attribute("time", with_decimals(report.result.seconds, 3)) + ">\n" + properties_xml(report);
  const Promises asked = asked_by(report);
  for (std::size_t i = 0; i < catalogue.size(); ++i)
    if (asked.test(i)) text += case_xml(report, i);
  return text + unclear_xml(report) + "</testsuite>\n";
}

}  // namespace ordeal::fuzz
