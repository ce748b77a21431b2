// Stored objects as clients get them, each written once: what a reply shows comes back as a watch event.
//
// Objects are told apart by where they are, so this lasts as long as they stay there: a trial at most. Covered by
// written_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "core/controller/door.h"

namespace ordeal::fuzz {

class Written {
 public:
  /// JSON in Go's encoding, since the bytes of a revision's data are compared, and come back as they are sent. Valid
  /// until `clear`.
  template <class T>
  std::string_view of(const T& object);
  /// Of the object in a reply; empty when there is none.
  std::string_view of(const Reply& reply);
  /// Before objects move: between trials they do.
  void clear() { known_.clear(); }

 private:
  struct Known {
    Uid uid;
    Version version;
    std::string json;
  };
  std::unordered_map<const void*, Known> known_;
};

}  // namespace ordeal::fuzz
