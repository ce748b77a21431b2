// What a controller process remembers of its own writes: per set and kind the newest version, so that it can wait until
// its caches show them (read your own writes). Lost in a restart, as it may be.
#pragma once

#include <algorithm>
#include <vector>

#include "core/controller/remembering.h"
#include "core/controller/rules_table.h"

namespace ordeal {

class OwnWrites {
 public:
  /// A write for the set `owner`. What was written for an earlier one of the name is forgotten.
  void note(const Key& key, Uid owner, Kind kind, Version version) {
    Entry& of_set = entry(key);
    if (of_set.owner != owner && of_set.owner != Uid::none) of_set.newest = {};
    of_set.owner = owner;
    Version& newest = of_set.newest[static_cast<std::size_t>(kind)];
    newest = std::max(newest, version);
  }
  /// Some cache has not reached what was written for this set.
  bool are_behind(const Key& key, const View& seen, const Rules& rules) const {
    const auto held = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.key == key; });
    if (held == entries_.end()) return false;
    for (std::size_t kind = 0; kind < kind_count; ++kind)
      if (rules.behind(seen.reached[kind], held->newest[kind])) return true;
    return false;
  }
  void forget(const Key& key) {
    std::erase_if(entries_, [&](const Entry& e) { return e.key == key; });
  }
  void clear() { entries_.clear(); }
  OwnVersions newest(const Key& key) const {
    const auto held = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.key == key; });
    return held != entries_.end() ? held->newest : OwnVersions{};
  }
  void become(const Key& key, const OwnVersions& newest) {
    clear();
    if (newest != OwnVersions{}) entries_.push_back({key, Uid::none, newest});
  }

 private:
  struct Entry {
    Key key;
    Uid owner = Uid::none;  // none: not known yet
    OwnVersions newest{};
  };
  Entry& entry(const Key& key) {
    const auto held = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.key == key; });
    return held != entries_.end() ? *held : entries_.emplace_back(Entry{key, Uid::none, {}});
  }
  std::vector<Entry> entries_;
};

}  // namespace ordeal
