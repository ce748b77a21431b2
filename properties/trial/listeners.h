// Which promises are asked about what happens: looked up by trigger, so that a moment costs only those that concern it.
// Covered by judge_test.cpp.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "properties/invariants/catalogue.h"
#include "properties/trial/trial.h"

namespace ordeal::properties {

/// What an invariant has to listen to, to be asked about this request.
On trigger_of(const Request& request);

class Listeners {
 public:
  struct Listener {
    Judgement (*check)(const Moment&);
    std::size_t place;    // in the catalogue
    std::uint32_t given;  // what has to be so
  };

  /// Those that trials by these options ask.
  void choose(const TrialOptions& options);
  std::span<const Listener> at(On trigger) const;

 private:
  static constexpr std::size_t trigger_count = 24;
  struct Wanted {
    Level level;
    Promises except;
    const Invariant* only;
    bool asks_all;
    bool operator==(const Wanted&) const = default;
  };

  std::optional<Wanted> chosen_for_;
  std::array<std::vector<Listener>, trigger_count> by_trigger_;
};

}  // namespace ordeal::properties
