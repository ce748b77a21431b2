// The watch log: per kind, every version of every object ever stored, in commit order, and the live objects by name.
//
// The log owns all versions; they are immutable and live until `clear`, so everyone else passes plain pointers. A cache
// (cache.h) is a position in the log. Memory is kept across trials. Whoever walks to and fro in time
// (properties/explore) places versions of its own and takes back what came after. Not here: who may write what
// (server.cpp). Covered by store_test.cpp.
#pragma once

#include <algorithm>
#include <deque>
#include <span>
#include <utility>
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
  /// Returns what held the name until now, or null.
  const T* put(const T* object) {
    auto at = place(object->meta.name);
    if (at != items_.end() && (*at)->meta.name == object->meta.name) return std::exchange(*at, object);
    items_.insert(at, object);
    return nullptr;
  }
  /// Returns what held the name, or null.
  const T* erase(const Text& name) {
    auto at = place(name);
    if (at == items_.end() || !((*at)->meta.name == name)) return nullptr;
    const T* held = *at;
    items_.erase(at);
    return held;
  }
  void clear() { items_.clear(); }
  void assign(std::span<const T* const> sorted) { items_.assign(sorted.begin(), sorted.end()); }
  std::size_t size() const { return items_.size(); }

 private:
  auto place(const Text& name) {
    return std::lower_bound(items_.begin(), items_.end(), name,
                            [](const T* held, const Text& n) { return held->meta.name < n; });
  }
  std::vector<const T*> items_;
};

template <class T>
class Store {
 public:
  const Index<T>& live() const { return live_; }
  const T* find(const Text& name) const { return live_.find(name); }
  std::span<const Change<T>> log() const { return log_; }

  /// Commits a version made of a copy of `from` as changed by `edit(T&)`, which must keep the name. `meta.version` is
  /// set to `version`. `from` may be a stored version. Returns where the new one lives.
  template <class Edit>
  const T* commit(const T& from, Version version, Edit edit) {
    T& object = keep(from);
    edit(object);
    object.meta.version = version;
    log_.push_back({live_.put(&object), &object, version});
    return &object;
  }
  /// Removes the live object of that name, if there is one.
  void remove(const Text& name, Version version) {
    if (const T* before = live_.erase(name)) log_.push_back({before, nullptr, version});
  }
  void clear() {
    live_.clear();
    log_.clear();
    used_ = 0;
  }

  /// Logs an object that somebody else keeps alive as if it had been committed; `meta.version` stays what it is.
  void place(const T* object, Version version) { log_.push_back({live_.put(object), object, version}); }
  struct Mark {
    std::size_t log = 0, used = 0;
  };
  Mark mark() const { return {log_.size(), used_}; }
  /// Takes back what was logged since; its object versions are no more.
  void rewind(const Mark& to) {
    for (; log_.size() > to.log; log_.pop_back()) {
      if (log_.back().before) live_.put(log_.back().before);
      else live_.erase(log_.back().after->meta.name);
    }
    used_ = to.used;
  }

 private:
  T& keep(const T& from) {  // slots are reused from trial to trial, so that a trial allocates little
    if (used_ == slots_.size()) slots_.push_back(from);
    else slots_[used_] = from;
    return slots_[used_++];
  }
  Index<T> live_;
  std::vector<Change<T>> log_;
  std::deque<T> slots_;  // a deque, since versions never move
  std::size_t used_ = 0;
};

}  // namespace ordeal
