#include "fuzz/report/matrix.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "fuzz/report/test_report.h"
#include "properties/invariants/catalogue.h"

namespace ordeal::fuzz {
namespace {

using properties::catalogue;
using properties::find_invariant;
using properties::Level;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const properties::Invariant& hostname = *find_invariant("identity.hostname");
const properties::Invariant& counted = *find_invariant("status.replicas");

Report a_run(std::string controller, Level level = Level::promised) {
  Report run;
  run.controller = std::move(controller);
  run.level = level;
  run.seed = 7;
  run.result.trials = 1000;
  run.result.verdict = properties::Verdict::held;
  run.result.occasions.assign(catalogue.size(), 0);
  return run;
}

Report& with_occasions(Report& run, const properties::Invariant& invariant, std::uint64_t occasions) {
  run.result.occasions[static_cast<std::size_t>(&invariant - catalogue.data())] = occasions;
  return run;
}

Report& breaking(Report& run, const properties::Invariant& invariant, const Known* known = nullptr) {
  Shown shown = test_report().findings.front();
  shown.finding.invariant = &invariant;
  shown.known = known;
  shown.file = "out/" + run.controller + "/" + std::string(invariant.id) + ".1.json";
  run.findings.push_back(std::move(shown));
  run.result.verdict = properties::Verdict::violated;
  return with_occasions(run, invariant, 12);
}

/// A release that is well, an older one that breaks a known promise, and one that breaks two.
std::vector<Report> three() {
  std::vector<Report> runs{a_run("kubernetes-1.37"), a_run("kubernetes-1.9"), a_run("kubernetes@1.35.0")};
  with_occasions(runs[0], hostname, 999);
  breaking(runs[1], hostname, &test_known);
  breaking(breaking(runs[2], hostname), counted, &test_known);
  return runs;
}

std::string lines_with(std::string_view word, const std::string& text) {
  std::istringstream lines(text);
  std::string found;
  for (std::string line; std::getline(lines, line);)
    if (line.find(word) != line.npos) found += line + "\n";
  return found;
}

TEST(MatrixCell, IsViolatedHeldWithoutOccasionOrNotAsked) {
  const std::vector<Report> runs = three();
  EXPECT_EQ(cell_of(hostname, runs[0]).verdict, CellVerdict::held);
  EXPECT_EQ(cell_of(hostname, runs[0]).occasions, 999u);
  EXPECT_EQ(cell_of(hostname, runs[1]).verdict, CellVerdict::violated);
  EXPECT_EQ(cell_of(hostname, runs[1]).findings.size(), 1u);
  EXPECT_EQ(cell_of(counted, runs[1]).verdict, CellVerdict::no_occasion);
  const auto strict = std::ranges::find(catalogue, Level::strict, &properties::Invariant::level);
  EXPECT_EQ(cell_of(*strict, runs[0]).verdict, CellVerdict::not_applicable);
}

TEST(FirstBad, IsTheOldestByNumberInEachLineOfReleases) {
  std::vector<Report> runs = three();
  EXPECT_THAT(first_bad(hostname, runs), ElementsAre("kubernetes-1.9", "kubernetes@1.35.0"));
  EXPECT_THAT(first_bad(counted, runs), ElementsAre("kubernetes@1.35.0"));
  breaking(runs.emplace_back(a_run("kubernetes-1.10")), hostname);
  breaking(runs.emplace_back(a_run("kubernetes@1.35.0.1")), hostname);
  breaking(runs.emplace_back(a_run("kubernetes@1.4.12")), hostname);
  breaking(runs.emplace_back(a_run("exec:./mine-1.0")), hostname);
  breaking(runs.emplace_back(a_run("strict")), hostname);
  EXPECT_THAT(first_bad(hostname, runs), ElementsAre("kubernetes-1.9", "kubernetes@1.4.12"))
      << "1.9 is older than 1.10, and what is no release has no age";
}

TEST(MatrixText, HasARowForWhatIsBrokenAndALetterForEachController) {
  const std::string text = matrix_text(three(), false);
  EXPECT_THAT(text, HasSubstr("\nA kubernetes-1.37             promised      1,000        0         0\n"));
  EXPECT_THAT(text, HasSubstr("\nC kubernetes@1.35.0           promised      1,000        2         0\n"));
  EXPECT_EQ(lines_with("identity.", text), "identity.hostname                             .xX\n");
  EXPECT_EQ(lines_with("status.", text), "status.replicas                               ??x\n");
  EXPECT_THAT(
      text,
      HasSubstr("\n    first bad: kubernetes-1.9, kubernetes@1.35.0, some/thread#1, without a\n    known thread\n"));
  EXPECT_THAT(text, HasSubstr(std::to_string(catalogue.size()) +
                              " promises, 2 of them broken by at least one of 3 controllers\n"));
}

TEST(MatrixText, ShowsEveryPromiseWhenAsked) {
  const std::string text = matrix_text(three(), true);
  for (const properties::Invariant& invariant : catalogue)
    EXPECT_THAT(text, HasSubstr("\n" + std::string(invariant.id) + " "));
}

TEST(MatrixText, FitsATerminalWhateverTheNumberOfControllers) {
  std::vector<Report> runs;
  for (int i = 0; i < 70; ++i)
    breaking(runs.emplace_back(a_run("kubernetes-1." + std::to_string(i))), hostname, &test_known);
  runs[3].result.inconclusive = {{std::string(300, 'y') + "\nmore", 3, 2}};
  const std::string text = matrix_text(runs, true);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
  EXPECT_EQ(std::ranges::count(lines_with("identity.hostname ", text), 'x'), 70) << "in several tables";
}

TEST(MatrixText, TellsHowManyTrialsHadNoVerdict) {
  std::vector<Report> runs{a_run("exec:false")};
  runs[0].result.inconclusive = {{"the adapter died", 3, 2}, {"it lied", 5, 1}};
  EXPECT_THAT(
      matrix_text(runs, false),
      HasSubstr("A exec:false                  promised      1,000        0         3\n    the adapter died\n"));
}

TEST(MatrixJson, HasAllPromisesAndAllCells) {
  const auto json = nlohmann::json::parse(matrix_json(three()));
  EXPECT_EQ(json["seed"], 7);
  ASSERT_EQ(json["controllers"].size(), 3u);
  EXPECT_EQ(json["controllers"][1]["name"], "kubernetes-1.9");
  ASSERT_EQ(json["promises"].size(), catalogue.size());
  for (const auto& promise : json["promises"]) EXPECT_EQ(promise["cells"].size(), 3u);
  const auto at =
      std::ranges::find_if(json["promises"], [](const auto& promise) { return promise["id"] == "identity.hostname"; });
  EXPECT_EQ((*at)["first_bad"], nlohmann::json::parse(R"(["kubernetes-1.9", "kubernetes@1.35.0"])"));
  EXPECT_EQ((*at)["cells"][0], nlohmann::json::parse(R"({"controller": "kubernetes-1.37", "verdict": "held",
    "trials_with_occasion": 999, "findings": []})"));
  EXPECT_EQ((*at)["cells"][1]["verdict"], "violated");
  EXPECT_EQ((*at)["cells"][1]["findings"][0]["thread"], "some/thread#1");
  EXPECT_EQ((*at)["cells"][2]["findings"][0]["thread"], nullptr);
  EXPECT_EQ((*at)["cells"][2]["findings"][0]["file"], "out/kubernetes@1.35.0/identity.hostname.1.json");
}

TEST(MatrixMarkdown, LinksEachFinding) {
  const std::string text = matrix_markdown(three(), false);
  EXPECT_THAT(
      text,
      HasSubstr(
          "| promise | first bad | kubernetes-1.37 | kubernetes-1.9 | kubernetes@1.35.0 |\n| --- | --- | --- | --- | --- |\n"));
  EXPECT_THAT(text, HasSubstr("| identity.hostname | kubernetes-1.9 kubernetes@1.35.0 | held (999) | **violated**, "
                              "[2 steps](out/kubernetes-1.9/identity.hostname.1.json) some/thread#1 | "));
  EXPECT_THAT(lines_with("identity.canonical-name", text), IsEmpty());
  EXPECT_THAT(matrix_markdown(three(), true), HasSubstr("| identity.canonical-name |"));
}

}  // namespace
}  // namespace ordeal::fuzz
