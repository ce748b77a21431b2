// What was made of a pod template, found by the template's address, which the key keeps alive. When there are many all
// are forgotten: what they held is made again, equal but at another address, so that a campaign over many manifests
// stays small. Covered by template_variants_test.cpp.
#pragma once

#include <unordered_map>

#include "core/api/objects.h"

namespace ordeal::properties {

template <class Made>
class TemplateMemo {
 public:
  /// What `make()` gave for this base and edit when it was asked for first. Valid until the next call.
  template <class Make>
  const Made& get(const Shared<PodTemplate>& base, std::int64_t edit, Make make) {
    if (const auto at = made_.find({base, edit}); at != made_.end()) return at->second;
    if (made_.size() == held_at_most) made_.clear();
    return made_.emplace(Asked{base, edit}, make()).first->second;
  }

 private:
  // A run without a manifest asks for about two thousand editions, and now and then for one more restart.
  static constexpr std::size_t held_at_most = 4096;

  struct Asked {
    Shared<PodTemplate> base;
    std::int64_t edit = 0;
    friend bool operator==(const Asked&, const Asked&) = default;
  };
  struct Hash {
    std::size_t operator()(const Asked& asked) const {
      return std::hash<const PodTemplate*>()(asked.base.get()) ^
             static_cast<std::size_t>(asked.edit) * 0x9E3779B97F4A7C15u;
    }
  };
  std::unordered_map<Asked, Made, Hash> made_;
};

}  // namespace ordeal::properties
