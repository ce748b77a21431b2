// What git says of the repository one works in. Covered by command_test.cpp.
#pragma once

#include <expected>
#include <string>
#include <vector>

namespace ordeal::fuzz {

/// The commit that is checked out, in hexadecimal. The error is git's own sentence.
std::expected<std::string, std::string> current_commit();
/// The directory of the repository. The error is git's own sentence.
std::expected<std::string, std::string> root_of_repository();
/// Files that differ between `base` and the working tree, named from the root of the repository; what git does not
/// track yet is among them. The error is git's own sentence.
std::expected<std::vector<std::string>, std::string> files_changed_since(const std::string& base);

}  // namespace ordeal::fuzz
