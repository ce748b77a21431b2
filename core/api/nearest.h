// What was probably meant by a name that nobody knows. Covered by nearest_test.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ordeal {

/// The known name with the fewest insertions, removals and replacements from `wrong`, capitals ignored; the first of
/// several. Empty when there is none near: when it takes more of them than a third of its length (than one, for a short
/// name), or when `wrong` is longer than anybody mistypes a name.
std::string_view nearest(std::string_view wrong, std::span<const std::string_view> known);

/// The end of an error about `wrong`: "; did you mean \"replicas\"?", or nothing.
std::string did_you_mean(std::string_view wrong, std::span<const std::string_view> known);

}  // namespace ordeal
