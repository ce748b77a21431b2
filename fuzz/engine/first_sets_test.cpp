#include "fuzz/engine/first_sets.h"

#include <gmock/gmock.h>

#include "core/api/validation.h"

namespace ordeal::fuzz {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr std::string_view web = R"(apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: web
spec:
  serviceName: web
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: web:1}]}
)";

std::string with(std::string text, std::string_view from, std::string_view to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(FirstSets, AreReadAsTheirUserWroteThem) {
  const ReadSets read = read_sets("web.yaml", web);
  EXPECT_THAT(read.errors, IsEmpty());
  ASSERT_THAT(read.sets, SizeIs(1));
  EXPECT_EQ(read.sets[0].spec->replicas, 3);
  EXPECT_FALSE(read.sets[0].spec->revision_history_limit.has_value()) << "not defaulted yet";
}

TEST(FirstSets, WhatTheApiServerRefusesIsNamedByFileLineAndField) {
  const ReadSets read = read_sets("web.yaml", with(std::string(web), "replicas: 3", "replicas: -3"));
  EXPECT_THAT(read.sets, IsEmpty());
  EXPECT_THAT(read.errors, ElementsAre(AllOf(StartsWith("web.yaml:7: spec.replicas: "), HasSubstr("(found: -3)"))));
}

TEST(FirstSets, EveryErrorIsThereAtOnce) {
  const std::string bad =
      with(with(std::string(web), "replicas: 3", "replicas: -3"), "{app: web}}\n  template", "{app: x}}\n  template");
  EXPECT_THAT(read_sets("web.yaml", bad).errors, SizeIs(2));
}

TEST(FirstSets, AFileWithoutASetIsRefused) {
  EXPECT_THAT(read_sets("a.yaml", "").errors, ElementsAre(HasSubstr("the file is empty")));
  const ReadSets read = read_sets("a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n");
  EXPECT_THAT(read.errors, ElementsAre(HasSubstr("no StatefulSet")));
  EXPECT_THAT(read.notes, ElementsAre(HasSubstr("ConfigMap settings")));
}

TEST(FirstSets, WhatOpenKruiseAloneHasIsNamed) {
  const std::string advanced = with(with(std::string(web), "apps/v1", "apps.kruise.io/v1beta1"), "replicas: 3",
                                    "replicas: 3\n  lifecycle: {preDelete: {}}");
  const ReadSets read = read_sets("a.yaml", advanced);
  EXPECT_THAT(read.errors, IsEmpty());
  EXPECT_THAT(read.sets, SizeIs(1));
  EXPECT_THAT(read.notes,
              ElementsAre("a.yaml: spec.lifecycle of StatefulSet web is OpenKruise's own, and is not simulated"));
}

TEST(FirstSets, MoreReplicasThanCanBeSimulatedAreRefused) {
  const ReadSets read = read_sets("web.yaml", with(std::string(web), "replicas: 3", "replicas: 2000000000"));
  EXPECT_THAT(read.errors, ElementsAre(HasSubstr("at most 100000 replicas")));
}

TEST(FirstSets, FilesThatAreMissingAreErrors) {
  EXPECT_THAT(read_set_files({"no/such/file.yaml"}).errors, ElementsAre(HasSubstr("no/such/file.yaml: No such file")));
}

TEST(FirstSets, ManifestsAreTakenInTurn) {
  FirstSets sets{.given = {StatefulSet{}, StatefulSet{}, StatefulSet{}}};
  for (std::uint64_t trial = 0; trial < 9; ++trial) EXPECT_EQ(sets.of_trial(trial), &sets.given[trial % 3]);
  sets.drawn_too = true;
  EXPECT_EQ(sets.of_trial(0), &sets.given[0]);
  EXPECT_EQ(sets.of_trial(1), nullptr);
  EXPECT_EQ(sets.of_trial(2), &sets.given[1]);
  EXPECT_EQ(FirstSets{}.of_trial(0), nullptr);
}

TEST(FirstSets, TheCorpusIsInTheProgram) {
  const std::vector<StatefulSet> sets = corpus_sets();
  EXPECT_GE(sets.size(), 6u);
  for (StatefulSet set : sets) {
    apply_defaults(set);
    EXPECT_THAT(validate_create(set), IsEmpty()) << set.meta.name;
  }
}

TEST(FirstSets, ASetOfTheCorpusByItsFile) {
  const auto rolling = corpus_set("corpus/manifests/web.yaml").spec->rolling_update;
  EXPECT_FALSE(rolling && rolling->partition);
  EXPECT_THROW(corpus_set("wep.yaml"), std::logic_error);
}

}  // namespace
}  // namespace ordeal::fuzz
