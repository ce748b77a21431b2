#include "fuzz/report/junit.h"

#include <gmock/gmock.h>

#include "fuzz/report/test_report.h"
#include "properties/invariants/catalogue.h"

namespace ordeal::fuzz {
namespace {

using properties::catalogue;
using ::testing::HasSubstr;

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t n = 0;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++n;
  return n;
}

/// A run that broke the first promise, kept the second and had no occasion for the others.
Report some_run() {
  Report report = test_report();
  report.findings[0].finding.invariant = &catalogue[0];
  report.findings[0].finding.breach.violation.claim = "a < b & \"c\"";
  report.result.situations.set(properties::situation_of_invariant(0));
  report.result.situations.set(properties::situation_of_invariant(1));
  return report;
}

TEST(Junit, OneCasePerPromise) {
  const std::string xml = run_junit(some_run());
  EXPECT_EQ(count(xml, "<testcase classname=\""), catalogue.size() + 1);
  EXPECT_EQ(count(xml, "<failure "), 1u);
  EXPECT_EQ(count(xml, "<skipped "), catalogue.size() - 2);
  EXPECT_THAT(xml, HasSubstr("name=\"" + std::string(catalogue[1].id) + "\"/>"));
  EXPECT_THAT(xml, HasSubstr("tests=\"" + std::to_string(catalogue.size() + 1) + "\" failures=\"1\" errors=\"1\""));
  EXPECT_THAT(xml, HasSubstr("<property name=\"seed\" value=\"9177\"/>"));
}

TEST(Junit, WhatIsKnownOfTheReleaseIsNoFailureOfItsFork) {
  Report report = test_report();
  Finding& finding = report.findings[0].finding;
  finding.invariant = properties::find_invariant("update.replaces-broken-revision-in-order");
  finding.cause = properties::Cause{{"user.edit-template flavour=unready"}, {}};
  EXPECT_THAT(run_junit(report), HasSubstr("failures=\"1\""));
  report.known_of = "kubernetes-1.37";
  report.findings[0].accepted = true;
  EXPECT_TRUE(is_all_accepted(report));
  const std::string xml = run_junit(report);
  EXPECT_THAT(xml, HasSubstr("failures=\"0\""));
  EXPECT_THAT(xml, HasSubstr("<skipped message=\"known of kubernetes-1.37\"/>"));
  report.findings.push_back(report.findings[0]);
  report.findings[1].finding.invariant = properties::find_invariant("identity.hostname");
  report.findings[1].accepted = false;
  EXPECT_FALSE(is_all_accepted(report)) << "nobody knows that";
  EXPECT_THAT(run_junit(report), HasSubstr("failures=\"1\""));
}

TEST(Junit, TwoCausesOfOnePromiseAreOneFailureWithBothStories) {
  Report report = some_run();
  report.findings.push_back(report.findings[0]);
  report.findings[1].finding.scenario.steps = {{.kind = properties::StepKind::fail_pod}};
  const std::string xml = run_junit(report);
  EXPECT_EQ(count(xml, "<failure "), 1u);
  EXPECT_THAT(xml, HasSubstr("failures=\"1\""));
  EXPECT_THAT(xml, HasSubstr("  cause       user.scale; partition\n"));
  EXPECT_THAT(xml, HasSubstr("  cause       pod.fail; partition\n"));
}

TEST(Junit, TextIsEscaped) {
  const std::string xml = run_junit(some_run());
  EXPECT_THAT(xml, HasSubstr("message=\"a &lt; b &amp; &quot;c&quot;\""));
  EXPECT_THAT(xml, HasSubstr("failed: no luck &lt;&lt;&lt;"));
}

TEST(Junit, IsWellFormedWhateverBytesAnAdapterWrote) {
  const auto marks = [](std::size_t n) { return std::string(n, '?'); };
  Report report = some_run();
  const std::string bytes{"a\x1b[31m\xff\x00\xc3(\xed\xa0\x80\xef\xbf\xbe\xe2\x82", 18};
  report.result.inconclusive[0].reason = bytes + " \xc3\xa4\n\tb\r";
  EXPECT_THAT(run_junit(report),
              HasSubstr("<error message=\"a?[31m" + marks(3) + "(" + marks(6) + " \xc3\xa4\n\tb?\"/>"));
}

TEST(Junit, WhatHasNoVerdictIsAnError) {
  EXPECT_THAT(run_junit(some_run()), HasSubstr("<error message=\"the adapter died\"/>"));
}

TEST(Junit, PromisesOfAnotherLevelAreNotInIt) {
  Report report = some_run();
  report.level = properties::Level::promised;
  const std::string xml = run_junit(report);
  for (const properties::Invariant& invariant : catalogue)
    EXPECT_EQ(xml.find("name=\"" + std::string(invariant.id) + "\"") == xml.npos,
              invariant.level == properties::Level::strict)
        << invariant.id;
}

}  // namespace
}  // namespace ordeal::fuzz
