#include "fuzz/engine/optimum.h"

#include <gtest/gtest.h>

#include "core/controller/reference.h"
#include "fuzz/engine/first_sets.h"
#include "properties/invariants/catalogue.h"
#include "properties/mutants/mutants.h"

namespace ordeal::fuzz {
namespace {

using namespace properties;

struct Case {
  std::unique_ptr<Controller> controller = make_reference(find_mutant("identity-no-hostname")->rules, {});
  OneProcess program{*controller};
  const Invariant& invariant = *find_invariant("identity.hostname");
  Scenario scenario;
  Case(std::vector<Step> steps) { scenario = {corpus_sets().front(), {}, std::move(steps)}; }
  Optimum found(std::size_t trials) { return find_optimum(scenario, invariant, program, Level::strict, trials); }
};

TEST(Optimum, TheEmptyStoryIsShorterThanAny) {  // the epilogue alone makes pods
  const Optimum optimum = Case({{.kind = StepKind::sync}}).found(10);
  EXPECT_TRUE(optimum.proved);
  ASSERT_TRUE(optimum.shorter);
  EXPECT_TRUE(optimum.shorter->steps.empty());
  EXPECT_EQ(optimum.trials, 1u);
}

TEST(Optimum, NothingIsShorterThanNothing) {
  const Optimum optimum = Case({}).found(10);
  EXPECT_TRUE(optimum.proved);
  EXPECT_FALSE(optimum.shorter);
}

TEST(Optimum, ALongStoryIsNotProved) {
  const Optimum optimum = Case(std::vector<Step>(8, {.kind = StepKind::sync})).found(100);
  EXPECT_FALSE(optimum.proved);
  EXPECT_EQ(optimum.trials, 0u);
}

}  // namespace
}  // namespace ordeal::fuzz
