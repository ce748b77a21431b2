// Campaigns and what they keep, mutants, corpora.
#include "fuzz/command/test_command.h"

namespace ordeal::fuzz {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;

TEST_F(Command, AFindingThatOnlyAnotherVersionKnowsStaysOpenAndIsNamed) {
  const std::string campaign =
      "campaign --dir c --controller mutant:update-ignores-partition --seed 1 --quiet --stints 1";
  ASSERT_EQ(ordeal(campaign + " --stint-trials 200").status, 1);
  const std::string rename = "cd c/findings && f=$(ls | head -1) && sed -i 's/\"invariant\": \"/&later./' $f";
  ASSERT_EQ(shell(rename).status, 0);
  const Ended again = ordeal(campaign + " --stint-trials 200");
  EXPECT_EQ(again.status, 1);
  EXPECT_THAT(again.out, HasSubstr("this version of ordeal knows no promise later."));
  EXPECT_FALSE(fs::exists(directory_ / "c/findings/closed"));
}

TEST_F(Command, AMergeThatPassedAFindingOverHasNotSeenThatAllHolds) {
  ASSERT_EQ(ordeal("campaign --dir c --stints 1 --stint-trials 20 --quiet").status, 0);
  EXPECT_EQ(ordeal("merge c --out m").status, 0);
  write("c/findings/0123456789abcdef.json", "{");
  const Ended merged = ordeal("merge c --out n");
  EXPECT_THAT(merged.out, AllOf(HasSubstr("passed over: "), HasSubstr("n: 0 findings")));
  EXPECT_EQ(merged.status, 3);
}

// What was whole in an earlier invocation says nothing about today's controller.
TEST_F(Command, ACampaignThatGotNoWhereIsInconclusive) {
  ASSERT_EQ(ordeal("campaign --dir c --stints 1 --stint-trials 20 --quiet").status, 0);
  const Ended ended = ordeal("campaign --dir c --time 0 --stint-trials 20 --quiet");
  EXPECT_EQ(ended.status, 3) << ended.out;
}

TEST_F(Command, MutantsThatAreFoundAreZero) {
  const Ended text = ordeal("mutants identity-no-hostname update-ignores-partition");
  EXPECT_EQ(text.status, 0) << text.out;
  EXPECT_THAT(text.out, HasSubstr("\nidentity.hostname\n  identity-no-hostname "));
  EXPECT_THAT(text.out, HasSubstr("2 of 2 mutants found"));
  const json array = json::parse(shell("\"$ordeal\" mutants --json --jobs 2 update-ignores-partition").out);
  ASSERT_EQ(array.size(), 1u);
  for (const char* key : {"id", "about", "found", "invariant", "trials", "seconds", "steps"})
    EXPECT_TRUE(array[0].contains(key)) << key;
  EXPECT_EQ(array[0]["found"], true);
}

TEST_F(Command, MutantsKeepTakesAwayOnlyWhatItHasWritten) {
  const std::string hunt = "mutants --time-each 20s --keep kept ";
  ASSERT_EQ(ordeal(hunt + "update-ignores-partition").status, 0);
  ASSERT_EQ(
      shell(
          "mkdir kept/mine && cp kept/update-ignores-partition.json kept/mine/ && cp kept/update-ignores-partition.json kept/other.json")
          .status,
      0);
  ASSERT_EQ(ordeal(hunt + "storage-claim-without-spec").status, 0);
  EXPECT_TRUE(fs::exists(directory_ / "kept/storage-claim-without-spec.json"));
  EXPECT_FALSE(fs::exists(directory_ / "kept/update-ignores-partition.json"));
  EXPECT_TRUE(fs::exists(directory_ / "kept/other.json")) << "not called as a mutant";
  EXPECT_TRUE(fs::exists(directory_ / "kept/mine/update-ignores-partition.json")) << "in a directory of somebody's own";
}

TEST_F(Command, AMutantThatSurvivesIsOne) {
  const Ended ended = ordeal("mutants --time-each 0 identity-no-hostname");
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.out, HasSubstr("SURVIVED"));
  EXPECT_THAT(ordeal("mutants none").out, HasSubstr("identity-no-hostname")) << "the choices are named";
}

TEST_F(Command, CorpusTellsWhatIsExercisedAndKeepsTheFewThatExerciseAsMuch) {
  const Ended whole = ordeal("corpus " ORDEAL_SOURCE "/corpus/scenarios --out kept");
  EXPECT_EQ(whole.status, 0) << whole.out;
  EXPECT_THAT(whole.out, AllOf(HasSubstr(" encounters\nkept in kept: "), HasSubstr("update-pod")));
  const std::string met = whole.out.substr(whole.out.find("; "), whole.out.find("\n") - whole.out.find("; "));
  EXPECT_THAT(ordeal("corpus kept").out, HasSubstr(met));
  EXPECT_THAT(ordeal("corpus kept --missing").out, HasSubstr("adopt-pod"));
}

TEST_F(Command, ACorpusThatNobodyCouldTryIsInconclusive) {
  const Ended unclear = ordeal("corpus " ORDEAL_SOURCE "/corpus/scenarios --controller exec:false");
  EXPECT_EQ(unclear.status, 3);
  EXPECT_THAT(unclear.out, AllOf(HasSubstr("; 0 of "), HasSubstr(" without a verdict; of "),
                                 HasSubstr(".json: the adapter ended with status 1")));
}

TEST_F(Command, CorpusRefusesWhatItCannotRead) {
  EXPECT_EQ(ordeal("corpus").status, 2);
  const Ended absent = ordeal("corpus absent");
  EXPECT_EQ(absent.status, 2);
  EXPECT_THAT(absent.out, HasSubstr("absent"));
  write("damaged.json", "{\"format\": 1");
  EXPECT_THAT(ordeal("corpus damaged.json").out, HasSubstr("damaged.json: "));
  EXPECT_THAT(ordeal("corpus damaged.json --controller stric").out, HasSubstr("strict"));
}

}  // namespace
}  // namespace ordeal::fuzz
