#include "fuzz/campaign/text.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "fuzz/report/known.h"
#include "fuzz/report/report.h"
#include "properties/scenario/counted.h"

namespace ordeal::fuzz {

namespace {

using properties::counted;

template <class... Values>
std::string formatted(const char* format, Values... values) {
  std::array<char, 240> line{};
  std::snprintf(line.data(), line.size(), format, values...);
  return line.data();
}

using ull = unsigned long long;

const Known* known_of(const CampaignOptions& options, const CampaignFinding& found) {
  const properties::Cause cause = properties::cause_of(found.finding.scenario);
  return find_known(options.controller->name, found.finding.invariant->id, &cause);
}

}  // namespace

std::string engines_text(const CampaignState& state) {
  std::string text = "engine       stints      trials         syncs  encounters  findings\n";
  for (std::size_t e = 0; e < engine_count; ++e) {
    const EngineRecord& r = state.engines[e];
    text += formatted("%-10s %8llu %11llu %13llu %11llu %9llu\n", std::string(name_of(static_cast<Engine>(e))).c_str(),
                      ull{r.stints}, ull{r.trials}, ull{r.syncs}, ull{r.encounters}, ull{r.findings});
  }
  return text + formatted("\nencounters %zu of %zu, %zu of them in one trial only; %zu scenarios kept\n",
                          state.tally.met.count(), properties::Encounters::size, state.tally.once(),
                          state.corpus.size());
}

std::string outlook_text(const CampaignState& state, const CampaignNews& news) {
  const double chance = chance_of_news(state);
  if (news.trials == 0 || chance <= 0) return {};
  const double an_hour = 3600 * static_cast<double>(news.trials) / std::max(news.seconds, 1e-3);
  const double some = 1 - std::exp(-chance * an_hour);
  std::string text = formatted(
      "outlook    1 trial in %.0f meets something new; an hour of %.0f trials does with a chance of %.0f %%\n",
      1 / chance, an_hour, 100 * some);
  if (chance * an_hour < 1)
    text += "           less than one new encounter is to be expected of an hour: time to stop, or to try other sets\n";
  return text;
}

std::string found_text(const CampaignOptions& options, const CampaignFinding& found, const std::string& file) {
  const Finding& finding = found.finding;
  const Known* known = known_of(options, found);
  std::string text = "\nVIOLATED   " + std::string(finding.invariant->id) + ", " +
                     counted(finding.scenario.steps.size(), "step") + "\n  promise  " +
                     std::string(finding.invariant->promise) + "\n  cause    " +
                     properties::told_cause(finding.scenario) + "\n";
  if (known != nullptr) text += "  known    " + std::string(known->thread) + ": " + std::string(known->about) + "\n";
  return text + "  file     " + file + "\n";
}

std::string campaign_text(const CampaignOptions& options, const CampaignState& state, const CampaignNews& news,
                          const std::function<std::string(const std::string& id)>& file_of) {
  std::string text = engines_text(state) + outlook_text(state, news), last;
  std::size_t known = 0;
  for (const CampaignFinding& found : news.found) {
    const bool is_known = known_of(options, found) != nullptr;
    known += is_known;
    (is_known ? last : text) += found_text(options, found, file_of(found.id));
  }
  text += last;
  for (const std::string& id : news.closed) text += "\nclosed     " + id + ": it holds by now\n";
  if (options.against != nullptr) text += "\nagainst    " + against_text(options.against->name, news.shared) + "\n";
  const std::size_t earlier = state.finding_ids.size() - news.found.size();
  return text + "\nfindings   " + std::to_string(news.found.size()) + " new" +
         (known > 0 ? " (" + std::to_string(known) + " of them known here)" : "") + ", " + std::to_string(earlier) +
         " from before\n";
}

}  // namespace ordeal::fuzz
