// What a change can break: from the files it touches to the families of promises worth asking first about.
//
// A small table, read from the top: the first area whose path begins that of a file is the file's. A file in no area
// can break everything, so what somebody adds is never overlooked. The table errs to the wide side, and no seeded bug
// of an area breaks a promise that the area does not name (touched_test.cpp, which covers this, has them all).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::fuzz {

struct Area {
  std::string_view path;  // what the names of its files begin with, from the root of the repository
  std::string_view name;  // the phase, or what the rules of it decide: "claims"
  std::string_view
      families;  // words, besides those that all of the controller can break; none: no verdict depends on it
};
std::span<const Area> areas();

struct Touched {
  bool everything = false;            // some file can break any promise
  std::vector<std::string> families;  // in the order of the alphabet; of a change that cannot break everything
  std::vector<std::pair<std::string, std::size_t>>
      areas;                        // names, in the order first met, each with its number of files
  std::size_t files = 0, idle = 0;  // idle: no verdict depends on them

  bool nothing() const { return !everything && families.empty(); }
  bool has(std::string_view family) const;
};
/// Files are named from the root of the repository, as git does.
Touched touched_by(std::span<const std::string> files);
/// The same where a controller is not Ordeal's own: nothing is known of what its files, or what git does not see,
/// decide.
Touched touched_elsewhere(std::span<const std::string> files);

}  // namespace ordeal::fuzz
