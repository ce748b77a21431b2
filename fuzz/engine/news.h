// What a stint of trials met: what was met once, what more often, and in which scenarios something met for the first
// time.
//
// The same for any number of jobs: everything but the fresh scenarios is a sum, and those are chosen by trial number
// when all are there. Covered by news_test.cpp.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "properties/scenario/scenario.h"
#include "properties/trial/encounters.h"

namespace ordeal::fuzz {

/// Encounters that occurred in at least one trial, and in at least two.
struct Encountered {
  properties::Encounters::Bits met, again;

  void add(const properties::Encounters::Bits& trial) {
    again |= met & trial;
    met |= trial;
  }
  void add(const Encountered& other) {
    again |= other.again | (met & other.met);
    met |= other.met;
  }
  std::size_t once() const { return (met & ~again).count(); }
  friend bool operator==(const Encountered&, const Encountered&) = default;
};

class News {
 public:
  explicit News(const properties::Encounters::Bits& known) : known_(known) {}

  /// From any thread.
  void note(std::uint64_t trial, const properties::Scenario& scenario, const properties::Encounters::Bits& met);

  struct Fresh {
    std::uint64_t trial = 0;
    properties::Scenario scenario;
    properties::Encounters::Bits met{};
  };
  /// By trial: each meets something that neither was known before nor met in one before it.
  std::vector<Fresh> fresh() const;
  const Encountered& tally() const { return tally_; }

 private:
  const properties::Encounters::Bits known_;
  std::mutex mutex_;
  Encountered tally_;
  std::vector<Fresh> candidates_;
};

}  // namespace ordeal::fuzz
