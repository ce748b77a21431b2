// Files in and out, with errors a user can act on. Covered by files_test.cpp.
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::fuzz {

/// A file, or standard input for "-". The error names the file and the reason, such as that it has more bytes than
/// `limit`.
std::expected<std::string, std::string> read_file(const std::string& path, std::size_t limit);

/// A path that is no directory is itself; of a directory all regular files below it, by name. The error names what
/// cannot be looked into: files that are not seen are not files that are not there.
std::expected<std::vector<std::string>, std::string> files_below(const std::string& path);

/// The regular files in a directory itself, by name; none where there is no such directory. The error is the same.
std::expected<std::vector<std::string>, std::string> files_in(const std::string& directory);

/// Of a path those below it that hold stored scenarios: of a directory only files whose names end in .json.
std::expected<std::vector<std::string>, std::string> scenario_files_below(const std::string& path);

/// It was done, or a sentence says what could not be.
using Done = std::expected<void, std::string>;

/// Writes a file so that it is there whole or not at all: to a neighbour first, then renamed. Makes missing
/// directories. A link to a file stays one, and what is there and no file (/dev/null, a pipe) is written to as it is.
Done write_file(const std::string& path, std::string_view bytes);

}  // namespace ordeal::fuzz
