// The small values that objects are made of: identifiers, time, maps of strings, owner references.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/api/text.h"

namespace ordeal {

/// A part of an object that never changes once made, shared by all versions of the object. Null means absent.
template <class T>
using Shared = std::shared_ptr<const T>;

/// Identifies one incarnation of an object. Written as a UUID in JSON. `none` before the API server has given one.
enum class Uid : std::uint64_t { none = 0 };

/// metadata.resourceVersion: one counter for the whole cluster. `none` in a request means "whatever is stored".
enum class Version : std::uint64_t { none = 0 };

/// The number in a pod's name. An index is an ordinal minus spec.ordinals.start, and a plain int.
enum class Ordinal : std::int32_t { none = -1 };
constexpr std::int32_t number(Ordinal ordinal) { return static_cast<std::int32_t>(ordinal); }

/// A point of virtual time, or a span of it, in milliseconds. Time zero is the full second in which the trial starts.
struct Time {
  std::int64_t ms = 0;
  static constexpr Time seconds(std::int64_t s) { return {s * 1000}; }
  constexpr std::int64_t whole_seconds() const { return ms / 1000; }
  friend constexpr auto operator<=>(Time, Time) = default;
  friend constexpr Time operator+(Time a, Time b) { return {a.ms + b.ms}; }
  friend constexpr Time operator-(Time a, Time b) { return {a.ms - b.ms}; }
};

enum class Kind : std::uint8_t { set, pod, claim, revision };
inline constexpr std::size_t kind_count = 4;
inline constexpr Kind every_kind[kind_count] = {Kind::set, Kind::pod, Kind::claim, Kind::revision};

/// Labels or annotations: few entries, kept sorted by key.
class StringMap {
 public:
  using Entry = std::pair<Text, Text>;
  StringMap() = default;
  StringMap(std::initializer_list<Entry> entries) {
    for (const Entry& e : entries) set(e.first, e.second);
  }

  /// The same key is nearly always the same text, so that is tried first.
  const Text* find(const Text& key) const {
    for (const Entry& e : entries_)
      if (e.first.is(key)) return &e.second;
    return key.is_short() ? nullptr : find_long(key);
  }
  bool has(const Text& key, const Text& value) const {
    const Text* held = find(key);
    return held != nullptr && *held == value;
  }
  void set(Text key, Text value) {
    auto at = std::lower_bound(entries_.begin(), entries_.end(), key,
                               [](const Entry& e, const Text& k) { return e.first < k; });
    if (at != entries_.end() && at->first == key) {
      at->second = std::move(value);
    } else {
      entries_.insert(at, Entry{std::move(key), std::move(value)});
    }
  }
  bool erase(const Text& key) {
    return std::erase_if(entries_, [&](const Entry& e) { return e.first == key; }) > 0;
  }
  void reserve(std::size_t n) { entries_.reserve(n); }
  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  friend bool operator==(const StringMap&, const StringMap&) = default;

 private:
  [[gnu::noinline]] const Text* find_long(const Text& key) const {
    for (const Entry& e : entries_)
      if (e.first == key) return &e.second;
    return nullptr;
  }
  std::vector<Entry> entries_;
};

/// Two shared parts are equal when they are the same or hold equal values; absent equals absent only.
template <class T>
bool same(const Shared<T>& a, const Shared<T>& b) {
  return a == b || (a && b && *a == *b);
}

/// Equal as the API server sees it: absent and empty are the same.
template <class T>
bool alike(const Shared<T>& a, const Shared<T>& b) {
  if (a == b) return true;
  const bool nothing_in_a = !a || a->empty(), nothing_in_b = !b || b->empty();
  return nothing_in_a || nothing_in_b ? nothing_in_a == nothing_in_b : *a == *b;
}

/// As the integers of Kubernetes add up, whatever somebody stored: after the last comes the first.
template <std::signed_integral T>
constexpr T wrapping_sum(T a, T b) {
  return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
}

struct OwnerReference {
  Text api_version, kind, name;
  Uid uid = Uid::none;
  bool controller = false;
  bool block_owner_deletion = false;
  friend bool operator==(const OwnerReference&, const OwnerReference&) = default;
};
using Owners = std::vector<OwnerReference>;

/// Who manages which fields, as server-side apply knows it (core/cluster/managers.h).
struct Managers;

struct ObjectMeta {
  Text name, ns;
  Uid uid = Uid::none;
  Version version = Version::none;  // resourceVersion
  std::int64_t generation = 0;
  Time created{};
  std::optional<Time> deletion;  // deletionTimestamp: set means terminating
  Shared<StringMap> labels, annotations;
  Shared<Owners> owners;
  Shared<std::vector<Text>> finalizers;
  Shared<Managers> managers{};  // as of the version that came with them; null: nobody has applied anything

  bool terminating() const { return deletion.has_value(); }
  const Text* label(const Text& key) const { return labels ? labels->find(key) : nullptr; }
  bool has_finalizers() const { return finalizers && !finalizers->empty(); }
  bool has_finalizer(const Text& which) const {
    return finalizers && std::find(finalizers->begin(), finalizers->end(), which) != finalizers->end();
  }
  /// The one owner with controller=true, or null.
  const OwnerReference* controller() const {
    if (!owners) return nullptr;
    for (const OwnerReference& o : *owners)
      if (o.controller) return &o;
    return nullptr;
  }
  bool controlled_by(Uid who) const {
    const OwnerReference* owner = controller();
    return owner != nullptr && owner->uid == who;
  }
};
/// Owner references, where absent means none.
inline std::span<const OwnerReference> owners_of(const ObjectMeta& meta) {
  return meta.owners ? std::span<const OwnerReference>(*meta.owners) : std::span<const OwnerReference>{};
}

/// In all that a request may change of them.
bool same_meta(const ObjectMeta& a, const ObjectMeta& b);

}  // namespace ordeal
