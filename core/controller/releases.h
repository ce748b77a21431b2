// Releases: tables of rules that real controllers decided by, with what their API servers knew. releases.cpp has those
// of Kubernetes, releases_kruise.cpp those of OpenKruise. README.md says how they are made and what they leave out.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "core/controller/door.h"
#include "core/controller/rules_table.h"

namespace ordeal {

/// What the API server of a release knows of a set. The rest it leaves out, as it does with any unknown field.
struct KnownFields {
  bool rolling_update = true;  // any strategy but OnDelete
  bool parallel = true;        // podManagementPolicy
  bool recreate = true;        // as a strategy
  bool max_unavailable = true, min_ready_seconds = true, ordinals_start = true, retention = true;
  bool reserve_ordinals = false;      // a field of OpenKruise's
  bool max_unavailable_gated = true;  // else maxUnavailable counts without a gate
  bool bare_rolling_update = true;    // without a rollingUpdate block; else the block is filled in
  bool volume_attributes = true;      // volumeAttributesClassName of a claim
  friend bool operator==(const KnownFields&, const KnownFields&) = default;
};

struct Release {
  Rules rules;
  std::string_view about;  // a sentence
  KnownFields known{};
  std::string_view based_on{};  // the table whose defects it has, too; empty: none outside its own family
};

/// Newest first.
std::span<const Release> kubernetes_releases();
std::span<const Release> kruise_releases();
inline std::array<std::span<const Release>, 2> release_families() { return {kubernetes_releases(), kruise_releases()}; }
/// The table of this name; for the controller of a release, "kubernetes@1.35.2", or of a clone that is built with its
/// parts, "kubernetes@1.35.2+mine", the one that was read from it, or else the newest that is not of a later minor
/// release. Null when there is none.
const Release* find_release(std::string_view name);

/// What the API server knows where the controller of this name is tried: that of its table; of OpenKruise's own
/// ("kruise@1.8.0"), which no table was read from, what its releases have in common; of any other all.
KnownFields known_fields(std::string_view controller);
/// What has to be known of an outside controller of this name, in the same way.
Traits outside_traits(std::string_view controller);

}  // namespace ordeal
