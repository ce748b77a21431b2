// Keeps the findings of a run as they come, and shows how it goes.
#pragma once

#include <string>

#include "fuzz/report/keeper.h"
#include "fuzz/report/progress.h"

namespace ordeal::fuzz {

class Watcher final : public RunWatcher {
 public:
  Watcher(const RunOptions& options, const std::string& directory, bool quiet);

  void on_found(const Finding& finding) override;
  void on_shrunk(const Finding& finding) override;
  void on_standing(std::span<const Finding* const> findings) override;
  void on_progress(const Progress& progress) override;
  std::chrono::milliseconds progress_every() const override { return output_.every(); }

  void finish() { output_.clear(); }
  const Keeper& keeper() const { return keeper_; }

 private:
  void say(const std::string& line);

  Keeper keeper_;
  bool quiet_;
  ProgressOutput output_;
};

}  // namespace ordeal::fuzz
