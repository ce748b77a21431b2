#include "fuzz/engine/finding.h"

#include <gtest/gtest.h>

#include "fuzz/engine/run.h"
#include "fuzz/engine/silent_watcher.h"

namespace ordeal::fuzz {
namespace {

const ControllerKind& accused() { return *find_controller("kubernetes-1.34"); }

/// What the accused broke, as it was drawn.
Finding drawn() {
  SilentWatcher nobody;
  const std::atomic<bool> never = false;
  const RunResult result = run(
      {.controller = &accused(), .sets = {}, .trials = 50, .time = {}, .shrinking = Shrinking::never}, nobody, never);
  Finding finding = result.findings.at(0);
  finding.again = Again::not_tried;
  return finding;
}

Again confirmed(const Deadline& deadline) {
  Finding finding = drawn();
  confirm(finding, Dock(accused()), properties::Level::strict, deadline);
  return finding.again;
}

TEST(Deadline, IsPassedALittleByWhatMakesSure) {
  EXPECT_EQ(confirmed(Deadline([] { return false; }, {})), Again::broken);
  EXPECT_EQ(confirmed(Deadline([] { return true; })), Again::broken);
}

TEST(Deadline, IsOverForGoodForAllFindingsAtOnce) {
  const Deadline exhausted([] { return true; }, {});
  for (int finding = 0; finding < 2; ++finding) EXPECT_EQ(confirmed(exhausted), Again::not_tried);
}

TEST(Deadline, IsOverForGoodSomeTimeAfterItWasFirstOver) {
  bool over = false;
  const Deadline deadline([&] { return over; }, std::chrono::hours(1));
  EXPECT_FALSE(deadline.is_over());
  over = true;
  EXPECT_TRUE(deadline.is_over());
  EXPECT_FALSE(deadline.is_over_for_good());
}

}  // namespace
}  // namespace ordeal::fuzz
