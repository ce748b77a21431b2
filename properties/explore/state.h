// A state of a walk: a world as a few numbers, and back.
//
// In it is all that what follows depends on: every object version a store or a cache holds (as numbers of the library),
// events still to come to the cache that is behind, instances that run without an object, what the controller remembers
// of its own writes, what is left of the budgets, and what the judge remembers: the flags of its history, which pods
// were created for the present spec, and which revisions there have been. The log of an unpacked world tells just that
// much of the past.
//
// Left out, since a turn may come at any moment and the end is judged after a resync: the work queue and its back-off.
// What the last sync was shown and did: the walker asks what depends on it right after each turn.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "properties/evidence/history.h"
#include "properties/explore/canonical.h"
#include "properties/explore/scope.h"
#include "properties/world/stepper.h"

namespace ordeal::properties {

/// What a state holds beside the cluster.
struct Rest {
  std::uint8_t edits = 0;                            // left
  std::array<std::uint8_t, mishap_count> mishaps{};  // left
  std::optional<Kind> behind;                        // the kind whose cache is
  History history;                                   // only its flags
};

using Words = std::vector<std::uint32_t>;

class Packer {
 public:
  Packer(Library& library, const Scope& scope)
      : canon_(library, scope.start.set.spec->min_ready_seconds),
        ns_(scope.start.set.meta.ns),
        api_(scope.start.environment.api) {}

  /// The state of the world as words, which mean something to this library only, and its hash, which means the same
  /// everywhere. The caches that are not behind must be up to date.
  Hash128 pack(const Cluster& truth, const Caches& caches, const OwnVersions& own, const Rest& rest, Words& words);
  /// Makes the world that of the state.
  Rest unpack(std::span<const std::uint32_t> words, Stepper& stepper, const Key& key);
  /// The words of the world right after its first set was created.
  Hash128 pack_first(const StatefulSet& set, Stepper& stepper, const Key& key, const Rest& rest, Words& words);

 private:
  struct Layout;

  void put(std::uint32_t word);
  template <class T>
  void put(const Kept<T>& kept, std::uint32_t marks);
  template <class T>
  void put_live(const Cluster& truth, Kind kind, const Store<T>& store, std::uint32_t& count);
  template <class T>
  std::uint32_t put_behind(const Cluster& truth, Kind kind, const Store<T>& store, const Listing<T>& held,
                           std::size_t behind, Version own, std::uint32_t& count);
  template <class T>
  std::uint32_t marks_of(const Cluster& truth, const Store<T>& store, const T& object) const;
  void look_at(const Cluster& truth, const Caches& caches, const std::optional<Kind>& behind);
  void note_pods_of_spec(const Cluster& truth);
  std::uint32_t put_strays(const Cluster& truth);
  std::uint32_t put_gone_revisions(const Cluster& truth);
  static Layout read_layout(std::span<const std::uint32_t> words);
  static void start_instance(const Pod& pod, std::uint32_t word, Cluster& truth);
  void place_memories(const Layout& layout, Cluster& truth);
  void place_live(const Layout& layout, Cluster& truth);
  OwnVersions replay_events(const Layout& layout, Cluster& truth);
  void place_strays(const Layout& layout, Cluster& truth);

  Canon canon_;
  Text ns_;
  ApiGates api_;
  bool remembers_spec_ = false, remembers_revisions_ = false;
  std::vector<Uid> of_spec_;  // pods created since the spec became what it is
  std::vector<const Pod*> pods_;
  std::vector<const StatefulSet*> sets_;
  std::vector<const Revision*> revisions_;
  std::vector<const Claim*> claims_;
  Words* words_ = nullptr;
  Hasher hasher_;
};

}  // namespace ordeal::properties
