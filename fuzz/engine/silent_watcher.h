// For tests: a run that nobody watches.
#pragma once

#include "fuzz/engine/run.h"

namespace ordeal::fuzz {

class SilentWatcher final : public RunWatcher {
 public:
  void on_found(const Finding&) override {}
  void on_shrunk(const Finding&) override {}
  void on_standing(std::span<const Finding* const>) override {}
  void on_progress(const Progress&) override {}
  std::chrono::milliseconds progress_every() const override { return std::chrono::milliseconds(100); }
};

}  // namespace ordeal::fuzz
