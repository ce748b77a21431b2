// The watch log: per kind, every version of every object ever stored, in commit order, and the live objects by name.
//
// The log owns all versions; they are immutable and live until `clear`, so everyone else passes plain pointers. A cache
// (cache.h) is a position in the log. Memory is kept across trials. Covered by store_test.cpp.
#pragma once

#include <deque>
#include <span>
#include <vector>

#include "core/controller/door.h"

namespace ordeal {

/// The live objects of one kind, sorted by name. Iteration order is the order of names, never of addresses.
template <class T>
class Index {
 public:
  std::span<const T* const> all() const { return items_; }
  const T* find(const Text& name) const { return listing().find(name); }
  Listing<T> listing() const { return {items_, items_}; }
  void put(const T* object) {
    auto at = place(object->meta.name);
    if (at != items_.end() && (*at)->meta.name == object->meta.name) *at = object;
    else items_.insert(at, object);
  }
  void erase(const Text& name) {
    auto at = place(name);
    if (at != items_.end() && (*at)->meta.name == name) items_.erase(at);
  }
  void clear() { items_.clear(); }
  std::size_t size() const { return items_.size(); }

 private:
  auto place(const Text& name) {
    return std::lower_bound(items_.begin(), items_.end(), name,
                            [](const T* held, const Text& n) { return held->meta.name.view() < n.view(); });
  }
  std::vector<const T*> items_;
};

/// One entry of the log. `before` is null for a creation, `after` null for a removal.
template <class T>
struct Change {
  const T* before = nullptr;
  const T* after = nullptr;
  Version version = Version::none;
  const T& object() const { return after ? *after : *before; }
};

template <class T>
class Store {
 public:
  const Index<T>& live() const { return live_; }
  const T* find(const Text& name) const { return live_.find(name); }
  std::span<const Change<T>> log() const { return log_; }

  /// Commits a new version (`object.meta.version` set to `version`) and returns where it now lives.
  const T* commit(T object, Version version) {
    object.meta.version = version;
    const T* before = live_.find(object.meta.name);
    const T* after = &keep(std::move(object));
    live_.put(after);
    log_.push_back({before, after, version});
    return after;
  }
  void remove(const Text& name, Version version) {
    const T* before = live_.find(name);
    if (before == nullptr) return;
    live_.erase(name);
    log_.push_back({before, nullptr, version});
  }
  void clear() {
    live_.clear();
    log_.clear();
    used_ = 0;
  }

 private:
  const T& keep(T object) {  // slots are reused from trial to trial, so that a trial allocates little
    if (used_ == slots_.size()) return slots_.emplace_back(std::move(object)), slots_[used_++];
    T& slot = slots_[used_++];
    slot = std::move(object);
    return slot;
  }
  Index<T> live_;
  std::vector<Change<T>> log_;
  std::deque<T> slots_;
  std::size_t used_ = 0;
};

}  // namespace ordeal
