// What is known of releases, a row for each thing that one does wrong: the data behind known.h.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace ordeal::fuzz {

/// A Known is made of it for each of its lines of releases and each of its promises.
struct Fact {
  std::vector<std::string_view> controllers;
  std::string_view thread, about;
  std::vector<std::string_view> promises;
  std::array<std::string_view, 4> needs = {};
};

/// Of two facts about one promise of one release the first whose needs are met is told.
std::span<const Fact> known_facts();

}  // namespace ordeal::fuzz
