#include "fuzz/report/verdicts.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "fuzz/report/columns.h"
#include "fuzz/report/json_text.h"
#include "properties/scenario/counted.h"

namespace ordeal::fuzz {

namespace {

using Json = nlohmann::ordered_json;
using properties::grouped;

std::string why_unclear(const Report& replay) {
  if (replay.result.inconclusive.empty()) return {};
  const std::string& reason = replay.result.inconclusive.front().reason;
  return reason.substr(0, reason.find('\n'));
}

Json verdict_of(const Report& replay) {
  Json broken = Json::array();
  for (const Shown& shown : replay.findings)
    broken.push_back(Json{{"invariant", shown.finding.invariant->id},
                          {"claim", shown.finding.breach.violation.claim},
                          {"step", shown.finding.breach.step},
                          {"thread", shown.known != nullptr ? Json(shown.known->thread) : Json(nullptr)}});
  const std::string why = why_unclear(replay);
  return Json{{"controller", replay.controller},
              {"level", name_of(replay.level)},
              {"verdict", name_of(replay.result.verdict)},
              {"inconclusive", why.empty() ? Json(nullptr) : Json(why)},
              {"broken", broken}};
}

/// What it was found to break, or the first thing broken, and how much else; else why there is no verdict, or that it
/// is mended.
std::string what_broke(const Replayed& one) {
  const auto& findings = one.report.findings;
  if (findings.empty() && one.report.result.verdict == properties::Verdict::inconclusive)
    return why_unclear(one.report);
  const auto again =
      std::ranges::find(findings, one.found, [](const Shown& shown) { return shown.finding.invariant->id; });
  const bool mended = !one.found.empty() && again == findings.end();
  std::string text = mended ? one.found + " is kept" : "";
  if (findings.empty()) return text;
  const Shown& told = again != findings.end() ? *again : findings.front();
  text += (mended ? ", broken: " : "") + std::string(told.finding.invariant->id);
  return findings.size() == 1 ? text : text + ", and " + std::to_string(findings.size() - 1) + " more";
}

}  // namespace

std::string verdicts_text(std::span<const Report> replays) {
  std::size_t names = std::string_view("controller").size();
  for (const Report& replay : replays) names = std::max(names, replay.controller.size());
  const auto line = [&](std::string_view controller, std::string_view level, std::string_view verdict,
                        std::string_view rest) {
    std::string text =
        padded(controller, names) + "  " + padded(level, 8) + "  " + padded(verdict, 12) + "  " + std::string(rest);
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  };
  std::string text = line("controller", "level", "verdict", "broken");
  for (const Report& replay : replays) {
    if (replay.findings.empty())
      text += line(replay.controller, name_of(replay.level), name_of(replay.result.verdict), why_unclear(replay));
    for (const Shown& shown : replay.findings) {
      const bool first = &shown == replay.findings.data();
      const std::string thread = shown.known != nullptr ? " (" + std::string(shown.known->thread) + ")" : "";
      text += line(first ? replay.controller : "", first ? name_of(replay.level) : "",
                   first ? name_of(replay.result.verdict) : "", std::string(shown.finding.invariant->id) + thread);
    }
  }
  return text;
}

std::string verdicts_json(std::span<const Report> replays) {
  Json array = Json::array();
  for (const Report& replay : replays) array.push_back(verdict_of(replay));
  return json_text(array);
}

std::string replayed_text(std::span<const Replayed> all) {
  std::size_t names = 0;
  for (const Replayed& one : all) names = std::max(names, one.file.size());
  std::string text;
  std::map<std::string_view, std::size_t> counts;
  std::set<std::string> tried;
  for (const Replayed& one : all) {
    const std::string_view verdict = name_of(one.report.result.verdict);
    std::string line = "  " + padded(verdict, 12) + "  " + padded(one.file, names) + "  " + what_broke(one);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
    ++counts[verdict];
    tried.insert(one.report.controller + ", level " + std::string(name_of(one.report.level)));
  }
  text += "\n" + grouped(all.size()) + " stories:";
  for (const auto& [verdict, count] : counts)
    text += (text.ends_with(':') ? " " : ", ") + grouped(count) + " " + std::string(verdict);
  for (const std::string& who : tried) text += "\n  controller  " + who;
  return text + "\n";
}

std::string replayed_json(std::span<const Replayed> all) {
  Json array = Json::array();
  for (const Replayed& one : all) {
    Json entry{{"file", one.file}, {"found", one.found.empty() ? Json(nullptr) : Json(one.found)}};
    entry.update(verdict_of(one.report));
    array.push_back(std::move(entry));
  }
  return json_text(array);
}

}  // namespace ordeal::fuzz
