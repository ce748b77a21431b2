#include "core/api/nearest.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <numeric>
#include <vector>

namespace ordeal {

namespace {

constexpr std::size_t guessed_bytes_at_most = 40;  // longer names are no typing errors

bool same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (const char letter : a) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (same_letter(letter, b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string_view nearest(std::string_view wrong, std::span<const std::string_view> known) {
  if (wrong.size() > guessed_bytes_at_most) return {};
  std::string_view best;
  std::size_t least = std::max<std::size_t>(1, wrong.size() / 3) + 1;
  for (const std::string_view name : known)
    if (const std::size_t d = distance(wrong, name); d < least) best = name, least = d;
  return best;
}

std::string did_you_mean(std::string_view wrong, std::span<const std::string_view> known) {
  const std::string_view meant = nearest(wrong, known);
  return meant.empty() ? "" : "; did you mean \"" + std::string(meant) + "\"?";
}

}  // namespace ordeal
