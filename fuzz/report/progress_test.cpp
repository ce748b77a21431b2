#include "fuzz/report/progress.h"

#include <gtest/gtest.h>

#include <array>

namespace ordeal::fuzz {
namespace {

std::string written(bool live, auto act) {
  std::FILE* file = std::tmpfile();
  {
    ProgressOutput output(file, live, 230);
    act(output);
  }
  std::rewind(file);
  std::array<char, 1000> text{};
  const std::size_t size = std::fread(text.data(), 1, text.size(), file);
  std::fclose(file);
  return {text.data(), size};
}

constexpr Progress some{.trials = 12345, .syncs = 700000, .situations = 210, .violations = 1, .seconds = 7};

TEST(Progress, SaysHowFarItIs) {
  EXPECT_EQ(progress_line(some, 230), "    7s  12,345 trials  100,000 syncs/s  210/230 situations  1 broken");
}

TEST(Progress, FitsATerminalForADay) {
  const Progress much{
      .trials = 1'999'999'999, .syncs = 86'399ull * 9'999'999, .situations = 300, .violations = 119, .seconds = 86399};
  EXPECT_LT(progress_line(much, 300).size(), 80u) << progress_line(much, 300);
}

TEST(Progress, StartsWithoutARate) {
  EXPECT_EQ(progress_line({}, 230), "    0s  0 trials  0 syncs/s  0/230 situations  0 broken");
}

TEST(Progress, OnATerminalTheLineIsWrittenOverAndGone) {
  const std::string text = written(true, [](ProgressOutput& out) {
    out.show(some);
    out.say("found it");
  });
  EXPECT_EQ(text, "\r\033[K" + progress_line(some, 230) + "\r\033[Kfound it\n");
}

TEST(Progress, ElsewhereEachLineIsWhole) {
  const std::string text = written(false, [](ProgressOutput& out) {
    out.show(some);
    out.say("found it");
    out.show(some);
  });
  EXPECT_EQ(text, progress_line(some, 230) + "\nfound it\n" + progress_line(some, 230) + "\n");
}

}  // namespace
}  // namespace ordeal::fuzz
