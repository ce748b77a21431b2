// Object versions of walked worlds, each content kept once and named by a number: a state is then a few numbers.
//
// Shared by all jobs of a walk. Numbers depend on who came first, hashes on content alone. Entries live as long as the
// library.
#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <unordered_map>

#include "core/api/objects.h"
#include "properties/explore/hash.h"

namespace ordeal::properties {

/// An object version in the form in which all that are alike are one (canonical.h).
template <class T>
struct Kept : T {
  Kept(T object, const Hash128& of, std::uint32_t at) : T(std::move(object)), hash(of), number(at) {}
  Hash128 hash;
  std::uint32_t number;
};

template <class T>
class Shelf {
 public:
  /// `object` is only asked for when there is none of this hash.
  template <class Make>
  const Kept<T>& keep(const Hash128& hash, Make object) {
    const std::scoped_lock lock(mutex_);
    const auto [at, is_new] = by_hash_.try_emplace(hash, static_cast<std::uint32_t>(kept_.size()));
    if (is_new) kept_.emplace_back(object(), hash, at->second);
    return kept_[at->second];
  }
  const Kept<T>& at(std::uint32_t number) const {
    const std::scoped_lock lock(mutex_);
    return kept_[number];
  }
  std::size_t size() const {
    const std::scoped_lock lock(mutex_);
    return kept_.size();
  }
  /// About, with what finds them; texts and lists, which versions mostly share, aside.
  std::size_t bytes() const { return size() * (sizeof(Kept<T>) + sizeof(Hash128) + 5 * sizeof(void*)); }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<Hash128, std::uint32_t, HashOfHash> by_hash_;
  std::deque<Kept<T>> kept_;
};

struct Library {
  Shelf<StatefulSet> sets;
  Shelf<Pod> pods;
  Shelf<Claim> claims;
  Shelf<Revision> revisions;
  std::size_t size() const { return sets.size() + pods.size() + claims.size() + revisions.size(); }
  std::size_t bytes() const { return sets.bytes() + pods.bytes() + claims.bytes() + revisions.bytes(); }
};

/// One job's way to a shelf: what it has met before it finds without asking the others.
template <class T>
class Reader {
 public:
  explicit Reader(Shelf<T>& shelf) : shelf_(shelf) {}
  template <class Make>
  const Kept<T>& keep(const Hash128& hash, Make object) {
    const Kept<T>*& known = by_hash_[hash];
    if (known == nullptr) note(*(known = &shelf_.keep(hash, object)));
    return *known;
  }
  const Kept<T>& at(std::uint32_t number) {
    if (number >= by_number_.size() || by_number_[number] == nullptr) note(shelf_.at(number));
    return *by_number_[number];
  }

 private:
  void note(const Kept<T>& kept) {
    if (kept.number >= by_number_.size()) by_number_.resize(kept.number + std::size_t{1});
    by_number_[kept.number] = &kept;
  }
  Shelf<T>& shelf_;
  std::unordered_map<Hash128, const Kept<T>*, HashOfHash> by_hash_;
  std::vector<const Kept<T>*> by_number_;
};

}  // namespace ordeal::properties
