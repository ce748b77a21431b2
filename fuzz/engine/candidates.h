// Of one invariant, the few lowest trials that broke it, and which of them are findings.
//
// A second cause of a broken promise must not hide behind the first, and one cause must not be told eight times. So
// each of the lowest trials is shrunk, and of those with the same cause (properties/scenario/cause.h) the lowest is the
// finding. Of two causes of which one has all fields and steps of the other and more, both are the same bug, and the
// plainer story is told, even if its trial is the higher one.
//
// The lowest trials of a run do not depend on the order they are put in, and findings are a function of those, as long
// as each breaks again when it is run again, which it does unless the controller is no function of its trials. What is
// not shrunk (yet) has no cause: it is a finding only as long as nothing better is known of its invariant. Covered by
// candidates_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fuzz/engine/finding.h"

namespace ordeal::fuzz {

/// So many are shrunk of one invariant; bounds what a run pays for a promise that is broken all the time.
inline constexpr std::size_t candidates_at_most = 8;

class Candidates {
 public:
  /// Takes a finding, over an earlier state of the same trial; false when lower trials leave it no room. One that did
  /// not break again leaves its room to another.
  bool put(Finding finding);
  /// Trials from this one on are not taken any more.
  std::uint64_t bar() const;
  /// The lowest trial; something must have been put.
  std::uint64_t lowest() const { return by_trial_.front().trial; }
  /// Whether the finding of this trial is among `findings`.
  bool is_finding(std::uint64_t trial) const;
  /// By trial.
  std::span<const Finding> all() const { return by_trial_; }
  /// The lowest of those that did not break again.
  std::span<const Finding> refuted() const { return refuted_; }
  /// One per cause, by trial; at least one when anything was put. They point into this object, until the next put.
  std::vector<const Finding*> findings() const;

 private:
  bool refute(Finding finding);

  std::vector<Finding> by_trial_;
  std::vector<Finding> refuted_;
};

}  // namespace ordeal::fuzz
