// The form in which object versions that make no difference are one. What is renamed, and why nobody can tell:
//
// - UIDs: by kind, name, and which incarnation of that name it is among those the state speaks of, older ones first.
//   UIDs are only compared for equality, and ordered only among processes of one pod.
// - resourceVersions: what a cache shows has one of three fixed ones, for sets, for pods of the present spec, and for
//   all else (version_of() in state.cpp). Events still to come to the cache that is behind are numbered from there.
//   They are only compared for equality, with a version of the same name, and with what a cache has reached.
// - generations: all less by what the oldest status has observed before the last; only their differences matter.
// - numbers of revisions: their rank, equal ones equal. Only order, equality and "one more than the highest" matter.
// - creation: only which revisions are older than which, and than now. Nothing else reads it.
// - deletion: that it was asked for; nobody looks at when.
// - readiness: since when, up to the moment at which minReadySeconds are over; with none, not at all.
// - nodes: that there is one.
//
// Names of revisions are hashes of what they hold, and stay. Not here: what else a state is (state.h). Covered by
// walk_test.cpp, in which an independent walk writes states down in another way and must find as many.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "core/cluster/cluster.h"
#include "properties/explore/library.h"

namespace ordeal::properties {

// What is kept has small versions and UIDs; what a move commits gets higher ones, and so is known to be new.
inline constexpr Version newest_kept{std::uint64_t{1} << 40};
inline constexpr Uid youngest_kept{std::uint64_t{1} << 61};
inline constexpr Time now_of_walks = Time::seconds(1'000'000);

class Canon {
 public:
  Canon(Library& library, std::int32_t min_ready_seconds);

  /// From here on it is about this world. `others`: object versions that no store holds as live any more, but some
  /// cache or event to come does.
  void look_at(const Cluster& truth, std::span<const Pod* const> other_pods,
               std::span<const StatefulSet* const> other_sets, std::span<const Revision* const> other_revisions,
               std::span<const Claim* const> other_claims);
  /// The object in this form, with this resourceVersion.
  const Kept<StatefulSet>& of(const StatefulSet& set, Version version);
  const Kept<Pod>& of(const Pod& pod, Version version);
  const Kept<Claim>& of(const Claim& claim, Version version);
  const Kept<Revision>& of(const Revision& revision, Version version);
  /// A process whose object is gone, as a pod that has nothing but name and UID.
  const Kept<Pod>& of(const Instance& stray);
  /// What has to be remembered of a revision that is gone: name, owner, data.
  const Kept<Revision>& memory_of(const Revision& gone);

  Reader<StatefulSet> sets;
  Reader<Pod> pods;
  Reader<Claim> claims;
  Reader<Revision> revisions;

 private:
  struct Incarnation {
    std::uint64_t name;  // of kind and name (canonical.cpp)
    Uid uid;
    friend auto operator<=>(const Incarnation&, const Incarnation&) = default;
  };
  void name_all(const Cluster& truth, std::span<const Pod* const>, std::span<const StatefulSet* const>,
                std::span<const Revision* const>, std::span<const Claim* const>);
  template <class T>
  bool owners_are_live(const Cluster& truth, std::span<const T* const> all) const;
  template <class T>
  void name(Kind kind, const T& object);
  void name_owners(const ObjectMeta& meta);
  void name(Kind kind, const Text& name, Uid uid);
  unsigned incarnation_of(Kind kind, const Text& name, Uid uid) const;  // from 1
  Uid uid_of(Kind kind, const Text& name, Uid uid) const;
  Uid uid_of(const OwnerReference& owner) const;
  bool keeps_names(const ObjectMeta& meta, Kind kind) const;
  ObjectMeta meta_of(const ObjectMeta& meta, Kind kind, Version version) const;
  Time ready_since(Time changed) const;
  Time created_at(Time created) const;
  std::int64_t number_of(std::int64_t number) const;
  void add(Hasher& hasher, const ObjectMeta& meta, Kind kind, Version version) const;
  Hash128 hash_of(const Shared<PodTemplate>& pod_template);

  const std::int32_t min_ready_seconds_;
  bool one_each_ = true;  // every name has one incarnation
  std::vector<Incarnation> incarnations_;
  Time now_{};
  std::int64_t observed_before_ = 0;
  std::vector<std::int64_t> numbers_;  // of revisions, ascending, each once
  std::vector<Time> created_;          // of revisions, descending, each once, `now` first
  std::unordered_map<const PodTemplate*, std::pair<Shared<PodTemplate>, Hash128>> templates_;
};

}  // namespace ordeal::properties
