// ordeal list: the catalogue of promises.
#include <algorithm>

#include "fuzz/command/commands.h"
#include "fuzz/command/outside.h"
#include "fuzz/report/json.h"
#include "properties/invariants/catalogue.h"

namespace ordeal::fuzz {

namespace {

using properties::catalogue;
using properties::Invariant;

std::string text_table() {
  std::size_t width = 0;
  for (const Invariant& invariant : catalogue) width = std::max(width, invariant.id.size());
  std::string text;
  std::string_view family;
  for (const Invariant& invariant : catalogue) {
    if (invariant.family() != family) {
      family = invariant.family();
      text += (text.empty() ? "" : "\n") + std::string(family) + "\n";
    }
    std::string id(invariant.id);
    id.append(width - id.size(), ' ');
    text += "  " + id + "  " + (invariant.level == properties::Level::strict ? "strict    " : "promised  ") +
            std::string(invariant.promise) + "\n";
  }
  return text + "\n" + std::to_string(catalogue.size()) + " promises\n";
}

}  // namespace

int list_command(bool json) { return print(json ? list_json() : text_table()) ? exit_held : exit_inconclusive; }

}  // namespace ordeal::fuzz
