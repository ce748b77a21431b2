// What met what in a trial: finer than situations, for engines that look for news and for the question what was never
// tried.
//
// A call meets the plight its set was in and what befell the call; and it meets each pair of traits of the set. Each
// meeting is one bit with a name. Covered by encounters_test.cpp.
#pragma once

#include <bitset>
#include <string>
#include <string_view>

#include "properties/evidence/facts.h"

namespace ordeal::properties {

/// What a view shows to be wrong with a set: the first of these that holds.
enum class Plight : std::uint8_t {
  deleting,  // the set is on its way out
  ended,     // a pod of the range has failed or succeeded
  missing,   // a place of the range is empty
  stopping,  // a pod is terminating
  surplus,   // there are pods outside the range
  broken,    // a pod is not running and ready
  young,     // a pod is ready, for less than minReadySeconds
  outdated,  // a pod is at another revision than the newest
  none,
};
inline constexpr std::size_t plight_count = static_cast<std::size_t>(Plight::none) + 1;
Plight plight_of(const Facts& facts);
std::string_view name_of(Plight plight);

/// What a set was made to be, each a yes or no.
inline constexpr std::size_t trait_count = 10;
std::string_view name_of_trait(std::size_t trait);

class Encounters {
 public:
  static constexpr std::size_t meetings = plight_count * reason_count * fault_count;
  static constexpr std::size_t pairs = trait_count * (trait_count + 1) / 2;  // a trait with itself: it alone
  static constexpr std::size_t size = meetings + pairs * reason_count;
  using Bits = std::bitset<size>;

  /// Facts are those of the sync. Without a set in its view nothing is noted.
  void note(const Facts& facts, const Sync& sync);
  void clear() { bits_.reset(); }
  const Bits& bits() const { return bits_; }

  static std::size_t of(Plight plight, Reason reason, Fault fault);
  static std::size_t of(std::size_t trait, std::size_t other, Reason reason);
  /// "outdated, update-pod, timeout-after" or "Parallel and minReadySeconds, update-pod".
  static std::string name_of(std::size_t bit);

 private:
  Bits bits_;
};

}  // namespace ordeal::properties
