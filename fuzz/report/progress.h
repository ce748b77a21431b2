// What a run says on standard error while it runs: one live line on a terminal, plain lines elsewhere.
// Covered by progress_test.cpp.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

#include "fuzz/engine/run.h"

namespace ordeal::fuzz {

/// "   12s  1,234,567 trials  1,024,000 syncs/s  201/231 situations  2 broken", at most 79 bytes for any run that
/// lasts less than a day.
std::string progress_line(const Progress& progress, std::size_t situations_total);

/// Where progress goes. Not a terminal: a line every few seconds, each complete.
class ProgressOutput {
 public:
  ProgressOutput(std::FILE* out, bool live, std::size_t situations_total)
      : out_(out), live_(live), situations_total_(situations_total) {}
  ~ProgressOutput() { clear(); }
  ProgressOutput(const ProgressOutput&) = delete;
  ProgressOutput& operator=(const ProgressOutput&) = delete;

  void show(const Progress& progress);
  /// A line that stays.
  void say(const std::string& line);
  void clear();
  std::chrono::milliseconds every() const { return std::chrono::milliseconds(live_ ? 200 : 5000); }

 private:
  std::FILE* out_;
  bool live_;
  std::size_t situations_total_;
  bool shown_ = false;
};

}  // namespace ordeal::fuzz
