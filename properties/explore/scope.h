// A small world, as a value: what it starts from, what may happen in it, and how often.
//
// Not here: how a walk goes through it (walker.h), how states are told apart (canonical.h). Covered by walk_test.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "properties/invariants/invariant.h"
#include "properties/scenario/known_fields.h"
#include "properties/scenario/scenario.h"

namespace ordeal::properties {

/// What does not happen by itself, each so often at most.
enum class Mishap : std::uint8_t {
  crash,     // the controller dies, between turns or in one, after any of its calls
  timeout,   // a call is carried out and its reply is lost
  conflict,  // a call is answered with a conflict (a creation: with an internal error)
  fail,      // a running pod ends in phase Failed
  unready,   // a ready pod is no longer ready
  remove,    // a user deletes a pod
  stale,     // the cache of one kind falls behind, until it has caught up
};
inline constexpr std::size_t mishap_count = static_cast<std::size_t>(Mishap::stale) + 1;
/// As users type them, in the order of Mishap.
std::span<const std::string_view, mishap_count> mishap_names();

struct Scope {
  Scenario start;                             // set and environment; its steps are not read
  std::uint8_t replicas = 2;                  // users scale to 0 .. replicas
  std::uint8_t templates = 1;                 // editions of the template users choose from, the first one among them
  std::vector<std::int32_t> partitions;       // users choose from; none: they leave it alone
  std::vector<std::int32_t> max_unavailable;  // the same
  std::uint8_t edits = 2;                     // by users, of all these fields together
  std::array<std::uint8_t, mishap_count> mishaps{};

  std::uint8_t of(Mishap mishap) const { return mishaps[static_cast<std::size_t>(mishap)]; }
};

inline constexpr std::uint8_t replicas_walked_at_most = 8, templates_walked_at_most = 8;
inline constexpr std::size_t choices_walked_at_most = 16;  // of partitions, of maxUnavailable
/// Pods times claim templates. A state counts objects of a kind, and a move the calls of a turn, in one byte. A turn
/// may create a claim and update it, and has calls for pods and revisions beside; so far fewer than 255 / 2 claims.
inline constexpr std::size_t claims_walked_at_most = 100;

/// Leaves out of its start, and of what users choose from, what an API server of that age does not know.
void leave_out_unknown(Scope& scope, const KnownFields& known);
/// Why this world cannot be walked, a sentence with field and value; empty when it can.
std::string why_not_walked(const Scope& scope);
/// "replicas 0..2, 2 templates, 2 edits, crash 1": all that may happen.
std::string text_of(const Scope& scope);

}  // namespace ordeal::properties
