#include "fuzz/engine/corpus.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "fuzz/adapter/kinds.h"
#include "fuzz/engine/files.h"
#include "properties/scenario/generate.h"
#include "properties/scenario/scenario_json.h"

namespace ordeal::fuzz {
namespace {

using namespace properties;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

CorpusEntry entry(std::size_t bytes, std::initializer_list<std::size_t> met) {
  CorpusEntry made{.file = "f", .bytes = bytes, .scenario = {}};
  for (const std::size_t bit : met) made.met.set(bit);
  return made;
}

TEST(Cover, TakesFewThatMeetAsMuchAndTheSmallerOfEquals) {
  const std::vector<CorpusEntry> corpus = {entry(10, {1, 2}), entry(10, {2, 3}), entry(90, {1, 2, 3}),
                                           entry(10, {4}),    entry(9, {4}),     entry(1, {})};
  EXPECT_THAT(cover(corpus), ElementsAre(2, 4));
  EXPECT_TRUE(cover({}).empty());
}

TEST(Cover, TakesAllOfWhichNobodyKnowsWhatTheyMeet) {
  std::vector<CorpusEntry> corpus = {entry(10, {1}), entry(10, {1}), entry(10, {})};
  corpus[1].unclear = corpus[2].unclear = "why not";
  EXPECT_THAT(cover(corpus), ElementsAre(0, 1, 2));
}

TEST(ScenarioOf, TakesStoredScenariosAndAnyBytes) {
  Seeded choices(1);
  const std::string text = write_scenario(generate_scenario(choices, nullptr, 24));
  EXPECT_EQ(write_scenario(scenario_of(text)), text);
  const std::string looks_stored = "{\n  \"format\": \"something else\"";
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(looks_stored.data());
  EXPECT_EQ(write_scenario(scenario_of(looks_stored)), write_scenario(decode_scenario({bytes, looks_stored.size()})));
}

class CorpusFiles : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(directory_); }
  void TearDown() override { fs::remove_all(directory_); }
  void write(const std::string& name, std::string_view bytes) {
    ASSERT_TRUE(write_file((directory_ / name).string(), bytes));
  }
  auto read() { return read_corpus(std::vector{directory_.string()}); }
  const fs::path directory_ =
      fs::path(::testing::TempDir()) /
      ("corpus-" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
};

TEST_F(CorpusFiles, AreReadByNameWithoutReadmes) {
  Seeded choices(2);
  write("b.json", write_scenario(generate_scenario(choices, nullptr, 8)));
  write("a", "some bytes");
  write("README.md", "words");
  const auto corpus = read();
  ASSERT_TRUE(corpus) << corpus.error();
  ASSERT_EQ(corpus->size(), 2u);
  EXPECT_EQ((*corpus)[0].bytes, 10u);
  EXPECT_TRUE((*corpus)[1].file.ends_with("b.json"));
}

TEST_F(CorpusFiles, ThatAreDamagedAreAllNamed) {
  write("a.json", "{");
  write("b.json", "[]");
  const auto corpus = read();
  ASSERT_FALSE(corpus);
  EXPECT_THAT(corpus.error(), HasSubstr("a.json: "));
  EXPECT_THAT(corpus.error(), HasSubstr("b.json: "));
}

TEST_F(CorpusFiles, ExerciseWhatTheirScenariosDo) {
  Seeded choices(3);
  write("a.json", write_scenario(generate_scenario(choices, nullptr, 24)));
  auto corpus = read();
  Dock dock(*find_controller("strict"));
  exercise(*corpus, dock);
  EXPECT_TRUE(met_by(*corpus)[Encounters::of(Plight::missing, Reason::create_pod, Fault::none)]);
  EXPECT_EQ((*corpus)[0].unclear, "");
  EXPECT_EQ(unclear_text(*corpus), "");
}

TEST_F(CorpusFiles, AreUnclearWhenAProgramBreaksDown) {
  Seeded choices(3);
  write("a.json", write_scenario(generate_scenario(choices, nullptr, 24)));
  auto corpus = read();
  Dock dock(**external_controller("exec:false"));
  exercise(*corpus, dock);
  EXPECT_THAT((*corpus)[0].unclear, HasSubstr("the adapter ended with status 1"));
  EXPECT_THAT(unclear_text(*corpus),
              AllOf(HasSubstr("1 of 1 scenario without a verdict; of "), HasSubstr("a.json: the adapter ended")));
}

}  // namespace
}  // namespace ordeal::fuzz
