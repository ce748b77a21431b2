#include "fuzz/engine/touched.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <set>

#include "properties/invariants/catalogue.h"

namespace ordeal::fuzz {

namespace {

constexpr std::string_view invariants_room = "properties/invariants/";
constexpr std::string_view of_every_part = "convergence economy equivalence errors events waking";
constexpr std::string_view pods = "deletion identity ordering scaling status storage update";
constexpr std::string_view claims =
    "identity ordering scaling storage update";  // one that may not be used is a pod that is not made, or not replaced
constexpr std::string_view ownership = "identity lifecycle ownership revisions scaling";
constexpr std::string_view revisions = "lifecycle ownership revisions status update";
constexpr std::string_view removals = "deletion ordering scaling status storage update";
constexpr std::string_view status = "identity status";
constexpr std::string_view made = "identity lifecycle ownership revisions storage update";

constexpr std::array table{
    Area{"core/controller/build", "what is made", made},
    Area{"core/controller/decide_claims.", "claims", claims},
    Area{"core/controller/decide_ownership.", "ownership", ownership},
    Area{"core/controller/decide_pods.", "pods", pods},
    Area{"core/controller/decide_revisions.", "revisions", revisions},
    Area{"core/controller/decide_status.", "status", status},
    Area{"core/controller/decide_updates.", "updates", removals},
    Area{"core/controller/phase_claims.", "claims", claims},
    Area{"core/controller/phase_ownership.", "ownership", ownership},
    Area{"core/controller/phase_pods.", "pods", pods},
    Area{"core/controller/phase_removals.", "removals", removals},
    Area{"core/controller/phase_revisions.", "revisions", revisions},
    Area{"core/controller/phase_status.", "status", status},
    Area{"core/controller/test_world.", "tests", ""},
    Area{"properties/explore/", "the explorer", ""},
    Area{"properties/sources/", "sources", ""},
    Area{"fuzz/export/", "reports", ""},
    Area{"fuzz/report/", "reports", ""},
    Area{"fuzz/targets/", "fuzz targets", ""},
    Area{"ci/", "scripts", ""},
    Area{".ci/", "scripts", ""},
    Area{".github/", "scripts", ""},
    Area{".clusterfuzzlite/", "scripts", ""},
    Area{"CHANGELOG", "documents", ""},
    Area{"LICENSE", "documents", ""},
};

/// Of reports these alone are more than words: they say what of a fork is accepted.
constexpr std::array decides_what_fails{std::string_view("fuzz/report/known"), std::string_view("fuzz/report/report.")};

bool is_document_or_test(std::string_view file) {
  return file.ends_with(".md") || file.ends_with("_test.cpp") || file.ends_with("_test.h");
}

/// "update" for properties/invariants/update_truth.cpp; nothing when the file is none of a family's own.
std::string_view family_of(std::string_view file) {
  if (!file.starts_with(invariants_room)) return {};
  file.remove_prefix(invariants_room.size());
  const std::string_view word = file.substr(0, file.find_first_of("_."));
  const auto is_family = [&](const properties::Invariant& invariant) { return invariant.family() == word; };
  return std::ranges::any_of(properties::catalogue, is_family) ? word : std::string_view();
}

void add_words(std::string_view words, std::set<std::string>& to) {
  for (const auto word : std::views::split(words, ' '))
    if (!word.empty()) to.emplace(word.begin(), word.end());
}

void count(Touched& touched, std::string_view area) {
  const auto at =
      std::ranges::find(touched.areas, area, [](const auto& counted) { return std::string_view(counted.first); });
  if (at != touched.areas.end()) ++at->second;
  else touched.areas.emplace_back(area, 1);
}

void add_file(std::string_view file, Touched& touched, std::set<std::string>& families) {
  ++touched.files;
  const auto begins = [&](const Area& area) { return file.starts_with(area.path); };
  const bool can_fail_anything =
      std::ranges::any_of(decides_what_fails, [&](std::string_view path) { return file.starts_with(path); });
  const auto area = can_fail_anything ? table.end() : std::ranges::find_if(table, begins);
  if (is_document_or_test(file) || (area != table.end() && area->families.empty())) {
    ++touched.idle;
    return;
  }
  if (area != table.end()) {
    count(touched, area->name);
    add_words(area->families, families);
    add_words(of_every_part, families);
  } else if (const std::string_view family = family_of(file); !family.empty()) {
    count(touched, "promises of " + std::string(family));
    families.emplace(family);
  } else {
    count(touched, "everything");
    touched.everything = true;
  }
}

}  // namespace

std::span<const Area> areas() { return table; }

bool Touched::has(std::string_view family) const {
  return everything || std::ranges::find(families, family) != families.end();
}

Touched touched_by(std::span<const std::string> files) {
  Touched touched;
  std::set<std::string> families;
  for (const std::string& file : files) add_file(file, touched, families);
  if (!touched.everything) touched.families.assign(families.begin(), families.end());
  return touched;
}

Touched touched_elsewhere(std::span<const std::string> files) {
  Touched touched{.everything = true, .families = {}, .areas = {}, .files = files.size()};
  if (!files.empty()) touched.areas.emplace_back("another project", files.size());
  return touched;
}

}  // namespace ordeal::fuzz
