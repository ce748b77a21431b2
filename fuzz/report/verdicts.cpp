#include "fuzz/report/verdicts.h"

#include "fuzz/report/columns.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ordeal::fuzz {

namespace {

using Json = nlohmann::ordered_json;

std::string why_unclear(const Report& replay) {
  if (replay.result.inconclusive.empty()) return {};
  const std::string& reason = replay.result.inconclusive.front().reason;
  return reason.substr(0, reason.find('\n'));
}

}  // namespace

std::string verdicts_text(std::span<const Report> replays) {
  std::size_t names = std::string_view("controller").size();
  for (const Report& replay : replays) names = std::max(names, replay.controller.size());
  const auto line = [&](std::string_view controller, std::string_view level, std::string_view verdict, std::string_view rest) {
    std::string text = padded(controller, names) + "  " + padded(level, 8) + "  " + padded(verdict, 12) + "  " + std::string(rest);
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
      text += line(first ? replay.controller : "", first ? name_of(replay.level) : "", first ? name_of(replay.result.verdict) : "",
                   std::string(shown.finding.invariant->id) + thread);
    }
  }
  return text;
}

std::string verdicts_json(std::span<const Report> replays) {
  Json array = Json::array();
  for (const Report& replay : replays) {
    Json broken = Json::array();
    for (const Shown& shown : replay.findings)
      broken.push_back(Json{{"invariant", shown.finding.invariant->id},
                            {"claim", shown.finding.breach.violation.claim},
                            {"step", shown.finding.breach.step},
                            {"thread", shown.known != nullptr ? Json(shown.known->thread) : Json(nullptr)}});
    const std::string why = why_unclear(replay);
    array.push_back(Json{{"controller", replay.controller},
                         {"level", name_of(replay.level)},
                         {"verdict", name_of(replay.result.verdict)},
                         {"inconclusive", why.empty() ? Json(nullptr) : Json(why)},
                         {"broken", broken}});
  }
  return array.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace ordeal::fuzz
