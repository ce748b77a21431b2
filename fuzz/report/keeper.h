// Findings as files: <directory>/<invariant>.<n>.json, each a scenario that can be replayed.
//
// A finding is always written as number 1. A file of that name with another origin (an older run's) is never written
// over: it moves on to the next free number. A file is there whole or not at all. Covered by keeper_test.cpp.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "fuzz/report/json.h"

namespace ordeal::fuzz {

class Keeper {
 public:
  /// Touches nothing yet: the directory is made with the first finding.
  explicit Keeper(std::string directory) : directory_(std::move(directory)) {}

  /// Where findings of this invariant are stored.
  std::string path_of(const properties::Invariant& invariant) const;
  /// Stores a finding, over an earlier state of the same one. The error says what was not written, and why.
  std::expected<void, std::string> keep(const Finding& finding, const Origin& origin);

 private:
  std::string numbered(const properties::Invariant& invariant, int n) const;
  std::expected<void, std::string> make_room(const properties::Invariant& invariant, const Origin& origin) const;

  std::string directory_;
  std::vector<const properties::Invariant*> written_;  // by this run, so that a lower trial may replace a higher one
};

}  // namespace ordeal::fuzz
