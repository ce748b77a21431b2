#include "fuzz/report/coverage.h"

#include <array>

#include "fuzz/report/columns.h"

namespace ordeal::fuzz {

using namespace properties;

namespace {

constexpr std::size_t call_column = 17;
constexpr std::array<std::string_view, plight_count> heads = {"delete", "ended", "miss", "stop", "extra",
                                                              "broken", "young", "old",  "fine"};

std::string cell(const Encounters::Bits& met, Plight plight, Reason reason) {
  std::size_t faults = 0;
  for (std::size_t fault = 1; fault < fault_count; ++fault)
    faults += met[Encounters::of(plight, reason, static_cast<Fault>(fault))] ? 1 : 0;
  const bool plain = met[Encounters::of(plight, reason, Fault::none)];
  return faults == 0 && !plain ? "." : std::to_string(faults);
}

std::string row(const Encounters::Bits& met, Reason reason) {
  std::string line = padded(name_of(reason), call_column);
  for (std::size_t p = 0; p < plight_count; ++p)
    line += right(cell(met, static_cast<Plight>(p), reason), heads[p].size() + 1);
  return line + "\n";
}

std::string pairs_met(const Encounters::Bits& met, Reason reason) {
  std::size_t count = 0;
  for (std::size_t second = 0; second < trait_count; ++second)
    for (std::size_t first = 0; first <= second; ++first) count += met[Encounters::of(first, second, reason)] ? 1 : 0;
  return std::to_string(count);
}

}  // namespace

std::string coverage_text(const Encounters::Bits& met) {
  std::string text = padded("calls by plight", call_column);
  for (const std::string_view head : heads) text.append(" ").append(head);
  text += " pairs of " + std::to_string(Encounters::pairs) + "\n";
  for (std::size_t r = 1; r < reason_count; ++r) {
    std::string line = row(met, static_cast<Reason>(r));
    line.pop_back();
    text += line + right(pairs_met(met, static_cast<Reason>(r)), 6) + "\n";
  }
  return text;
}

std::string missing_text(const Encounters::Bits& met) {
  std::string text;
  for (std::size_t bit = 0; bit < Encounters::size; ++bit)
    if (!met[bit]) text += Encounters::name_of(bit) + "\n";
  return text;
}

}  // namespace ordeal::fuzz
