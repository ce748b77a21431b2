#include "fuzz/explore/explore.h"

#include <gtest/gtest.h>

#include "core/api/codec.h"
#include "properties/invariants/catalogue.h"

namespace ordeal::fuzz {
namespace {

const std::atomic<bool> go_on = false;

class Quiet final : public ExploreWatcher {
 public:
  void on_level(std::uint32_t, std::uint64_t, std::uint64_t, double) override {}
};

constexpr std::string_view web = R"(apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web}
spec:
  serviceName: web
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: web}]}
)";

ExploreOptions world(int replicas, int edits, std::string_view controller = "strict") {
  ExploreOptions options;
  options.controller = find_controller(controller);
  options.level = options.controller->level;
  StatefulSet set = read_sets("web.yaml", web).sets.at(0);
  auto spec = *set.spec;
  spec.replicas = replicas;
  set.spec = std::make_shared<const StatefulSetSpec>(std::move(spec));
  options.scope.start.set = std::move(set);
  options.scope.replicas = static_cast<std::uint8_t>(replicas);
  options.scope.templates = 2;
  options.scope.edits = static_cast<std::uint8_t>(edits);
  return options;
}
void allow(ExploreOptions& options, properties::Mishap mishap) {
  options.scope.mishaps[static_cast<std::size_t>(mishap)] = 1;
}
Certificate explored(const ExploreOptions& options) {
  Quiet quiet;
  return explore(options, quiet, go_on);
}

// A changed number is a changed meaning: of a move, of what a state is, or of what the controller does.
TEST(Explore, CountsOfSmallWorlds) {
  ExploreOptions options = world(2, 2);
  const Certificate calm = explored(options);
  EXPECT_EQ(calm.verdict, properties::Verdict::held);
  EXPECT_EQ(calm.reach, Reach::all);
  EXPECT_EQ(calm.states, 870u);
  EXPECT_EQ(calm.transitions, 1659u);
  EXPECT_EQ(calm.levels, 31u);
  allow(options, properties::Mishap::crash);
  const Certificate crashing = explored(options);
  EXPECT_EQ(crashing.states, 3755u);
  EXPECT_EQ(crashing.transitions, 9311u);
}

TEST(Explore, AStateThatIsTooBigIsNoVerdict) {
  ExploreOptions options = world(8, 0);
  StatefulSet& set = options.scope.start.set;
  auto spec = *set.spec;
  for (int i = 0; i < 256; ++i) {
    ClaimTemplate one;
    one.name = "d" + std::to_string(i);
    spec.claim_templates.push_back(one);
  }
  set.spec = std::make_shared<const StatefulSetSpec>(std::move(spec));
  for (const unsigned jobs : {1u, 2u}) {
    options.jobs = jobs;
    const Certificate certificate = explored(options);
    EXPECT_EQ(certificate.verdict, properties::Verdict::inconclusive);
    EXPECT_EQ(certificate.reach, Reach::too_big);
    ASSERT_EQ(certificate.unclear.size(), 1u);
    EXPECT_NE(certificate.unclear.front().find("up to 255 objects"), std::string::npos) << certificate.unclear.front();
  }
}

TEST(Explore, IsTheSameForAnyJobs) {
  ExploreOptions options = world(2, 1);
  allow(options, properties::Mishap::crash);
  allow(options, properties::Mishap::stale);
  const Certificate one = explored(options);
  options.jobs = 2;
  const Certificate two = explored(options);
  EXPECT_EQ(one.states, two.states);
  EXPECT_EQ(one.transitions, two.transitions);
  EXPECT_EQ(one.levels, two.levels);
  EXPECT_EQ(one.digest, two.digest);
  EXPECT_EQ(one.ends, two.ends);
  EXPECT_EQ(one.situations, two.situations);
}

// However many jobs play the same end at once: campaigns go by these numbers.
TEST(Explore, CountsTurnsAlikeForAnyJobs) {
  ExploreOptions options = world(2, 2);
  allow(options, properties::Mishap::crash);
  const std::uint64_t one = explored(options).syncs;
  EXPECT_GT(one, 1000u);
  for (const unsigned jobs : {4u, 8u, 16u}) {
    options.jobs = jobs;
    EXPECT_EQ(explored(options).syncs, one) << jobs << " jobs";
  }
}

TEST(Explore, ANarrowerWorldHasAnotherDigest) { EXPECT_NE(explored(world(1, 1)).digest, explored(world(1, 2)).digest); }

TEST(Explore, FindsTheShortestStoryOfASeededBug) {
  ExploreOptions options = world(2, 2, "mutant:revisions-never-new");
  const Certificate certificate = explored(options);
  EXPECT_EQ(certificate.verdict, properties::Verdict::violated);
  EXPECT_EQ(certificate.reach, Reach::violation);
  ASSERT_FALSE(certificate.findings.empty());
  EXPECT_EQ(certificate.moves.front(), 2u);
  EXPECT_TRUE(certificate.unclear.empty());
  options.depth = 1;
  EXPECT_EQ(explored(options).verdict, properties::Verdict::held);  // no story is shorter
}

TEST(Explore, WhatTheEndAloneBreaksTakesNoMove) {
  const Certificate certificate = explored(world(2, 0, "mutant:ordering-waits-for-nobody"));
  ASSERT_FALSE(certificate.findings.empty());
  EXPECT_EQ(certificate.findings.front().invariant->id, "ordering.predecessors-ready");
  EXPECT_EQ(certificate.moves.front(), 0u);
}

TEST(Explore, GoesOnPastWhatIsNotAsked) {
  ExploreOptions options = world(2, 2, "mutant:revisions-never-new");
  const Certificate stopped = explored(options);
  for (const Finding& finding : stopped.findings) options.except.set(properties::place_of(*finding.invariant));
  const Certificate gone_on = explored(options);
  EXPECT_GT(gone_on.states, stopped.states);
  for (const Finding& finding : gone_on.findings)
    EXPECT_FALSE(options.except.test(properties::place_of(*finding.invariant))) << finding.invariant->id;
}

TEST(Explore, StopsWhenTheMemoryIsFull) {
  ExploreOptions options = world(2, 2);
  options.memory = 10'000;
  const Certificate certificate = explored(options);
  EXPECT_EQ(certificate.verdict, properties::Verdict::inconclusive);
  EXPECT_EQ(certificate.reach, Reach::memory);
  EXPECT_GT(certificate.states, 1u);
}

TEST(Explore, StopsAtADepth) {
  ExploreOptions options = world(2, 2);
  options.depth = 3;
  const Certificate certificate = explored(options);
  EXPECT_EQ(certificate.verdict, properties::Verdict::held);
  EXPECT_EQ(certificate.reach, Reach::depth);
  EXPECT_EQ(certificate.levels, 4u);
}

}  // namespace
}  // namespace ordeal::fuzz
