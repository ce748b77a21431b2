// The manifests in corpus/manifests read, hold a set each, and are admitted.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/api/codec.h"
#include "core/api/validation.h"

namespace ordeal {
namespace {

std::vector<std::filesystem::path> manifests() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(ORDEAL_SOURCE_DIR "/corpus/manifests"))
    if (entry.path().extension() == ".yaml" || entry.path().extension() == ".json") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string text_of(const FieldErrors& errors) {
  std::string text;
  for (const FieldError& error : errors) text += error.text() + "\n";
  return text;
}

std::vector<StatefulSet> sets_of(const Documents& documents) {
  std::vector<StatefulSet> sets;
  for (const Document& document : documents.read)
    if (const auto* set = std::get_if<StatefulSet>(&document.object)) sets.push_back(*set);
  return sets;
}

TEST(Manifests, OfTheCorpusAreAdmitted) {
  const auto files = manifests();
  ASSERT_GE(files.size(), 14u);
  for (const auto& file : files) {
    SCOPED_TRACE(file.filename().string());
    const Documents documents = read_manifest(contents(file));
    EXPECT_EQ(text_of(documents.errors), "");
    auto sets = sets_of(documents);
    ASSERT_EQ(sets.size(), 1u);
    apply_defaults(sets[0]);
    EXPECT_EQ(text_of(validate_create(sets[0])), "");
  }
}

TEST(Manifests, OfTheCorpusComeBackUnchanged) {
  for (const auto& file : manifests()) {
    SCOPED_TRACE(file.filename().string());
    for (const StatefulSet& set : sets_of(read_manifest(contents(file)))) {
      const nlohmann::json written = to_json(set);
      StatefulSet again;
      FieldErrors errors;
      EXPECT_TRUE(from_json(written, again, errors)) << text_of(errors);
      EXPECT_EQ(to_json(again), written);
      EXPECT_TRUE(*again.spec == *set.spec);
    }
  }
}

TEST(Manifests, KeepWhatTheirCommentsPromise) {
  const auto set = [](const char* name) {
    return sets_of(read_manifest(contents(std::string(ORDEAL_SOURCE_DIR "/corpus/manifests/") + name))).at(0);
  };
  EXPECT_EQ(set("web-canary.yaml").spec->rolling_update->partition, 2);
  EXPECT_EQ(set("web-staged.yaml").spec->rolling_update->partition, 1);
  EXPECT_EQ(set("web-canary-scaled.yaml").spec->replicas, 4);
  EXPECT_EQ(set("cache.yaml").spec->rolling_update->max_unavailable, (IntOrPercent{25, true}));
  EXPECT_EQ(set("two-claims-deleted.yaml").spec->claim_templates.size(), 2u);
  EXPECT_EQ(set("second-half.json").spec->ordinals_start, 8);
  EXPECT_EQ(set("log-broker.yaml").spec->strategy, Strategy::on_delete);
  EXPECT_TRUE(set("singleton.yaml").spec->rolling_update.has_value());
  EXPECT_EQ(set("web-documented.yaml").spec->min_ready_seconds, 10);
}

}  // namespace
}  // namespace ordeal
