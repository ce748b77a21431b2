// Several campaigns of one controller as one: the union of their findings, and a minimal corpus of all they kept.
//
//   OUT/findings/<id>.json  one per promise and cause: of several campaigns' stories the shorter, in whatever order
//
//   OUT/corpus/*.json       the few scenarios in which all meets that meets in any
//
// What OUT holds already is merged, too, and only that is ever changed: merging again changes nothing, and a campaign
// that is still running is read as far as it is. All that is ever removed are scenarios of OUT/corpus that the few make
// superfluous; folders in it, other files and whatever was passed over stay. `ordeal ci --corpus OUT` tries what came
// out. Covered by merge_test.cpp.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <vector>

#include "fuzz/engine/controllers.h"

namespace ordeal::fuzz {

struct Merged {
  std::size_t findings = 0, corpus = 0, corpus_before = 0;  // files; scenarios that all campaigns together had kept
  std::size_t encounters = 0;                               // what met what in them
  std::vector<std::string> notes;                           // files that were passed over, and why
  std::string unclear;                                      // unclear_text of all that they had kept
};

/// The controller whose campaigns these are; an error when they are of several, or none of them says.
std::expected<std::string, std::string> controller_of(std::span<const std::string> campaigns);

/// `dock` is of that controller. The error names what could not be written.
std::expected<Merged, std::string> merge_campaigns(std::span<const std::string> campaigns, const std::string& out,
                                                   Dock& dock);

}  // namespace ordeal::fuzz
