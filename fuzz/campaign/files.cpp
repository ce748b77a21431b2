#include "fuzz/campaign/files.h"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/api/codec.h"
#include "fuzz/engine/files.h"
#include "fuzz/report/finding_file.h"
#include "fuzz/report/report.h"
#include "properties/scenario/cause.h"
#include "properties/scenario/scenario_json.h"
#include "properties/trial/digest.h"

namespace ordeal::fuzz {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using namespace properties;

constexpr std::string_view campaign_format = "ordeal/campaign/1";

// --- bits as hexadecimal digits, the lowest first ----------------------------------------------------------------------

std::string digits_of(const Encounters::Bits& bits) {
  std::string digits;
  for (std::size_t i = 0; i < Encounters::size; i += 4) {
    unsigned value = 0;
    for (std::size_t j = 0; j < 4 && i + j < Encounters::size; ++j) value |= unsigned{bits[i + j]} << j;
    digits += "0123456789abcdef"[value];
  }
  return digits;
}

Encounters::Bits bits_of(const std::string& digits) {
  Encounters::Bits bits;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const std::size_t value = std::string_view("0123456789abcdef").find(digits[i]);
    for (std::size_t j = 0; value < 16 && j < 4 && 4 * i + j < Encounters::size; ++j)
      bits[4 * i + j] = ((value >> j) & 1) != 0;
  }
  return bits;
}

// --- the state ---------------------------------------------------------------------------------------------------------

json engine_json(Engine engine, const EngineRecord& r) {
  return {{"engine", name_of(engine)},  {"stints", r.stints},     {"trials", r.trials}, {"syncs", r.syncs},
          {"encounters", r.encounters}, {"findings", r.findings}, {"yield", r.yield}};
}

EngineRecord engine_from(const json& j) {
  return {.stints = j.at("stints"),
          .trials = j.at("trials"),
          .syncs = j.at("syncs"),
          .encounters = j.at("encounters"),
          .findings = j.at("findings"),
          .yield = j.at("yield")};
}

/// Null for none, as in a campaign that was begun when there was no such choice.
json in_order(const Promises& promises) { return promises.none() ? json() : json(ids_of(promises)); }

json whose(const CampaignOptions& options) {
  std::string sets;
  for (const StatefulSet& set : options.sets.given) sets += to_json(set).dump();
  return {{"controller", options.controller->name},
          {"level", name_of(options.level)},
          {"except", in_order(options.except)},
          {"against", options.against != nullptr ? json(options.against->name) : json()},
          {"seed", options.seed},
          {"stint_trials", options.stint_trials},
          {"sets", hex_digest(sets)}};
}

/// Of what can meet what, in order: bits that were stored under another list are not these.
std::string list_of_encounters() {
  std::string names;
  for (std::size_t bit = 0; bit < Encounters::size; ++bit) names += Encounters::name_of(bit) + "\n";
  return hex_digest(names);
}

json state_json(const CampaignState& state, const CampaignOptions& options) {
  json engines = json::array();
  for (std::size_t e = 0; e < engine_count; ++e)
    engines.push_back(engine_json(static_cast<Engine>(e), state.engines[e]));
  return {{"campaign", whose(options)},
          {"stints", state.stints},
          {"engines", engines},
          {"met", digits_of(state.tally.met)},
          {"again", digits_of(state.tally.again)},
          {"encounters", list_of_encounters()},
          {"counted", state.counted},
          {"findings", state.finding_ids}};
}

/// False: what met before can be told no more, and is counted anew.
bool read_into(CampaignState& state, const json& stored) {
  state.stints = stored.at("stints");
  const json& engines = stored.at("engines");
  for (std::size_t e = 0; e < std::min(engine_count, engines.size()); ++e) state.engines[e] = engine_from(engines[e]);
  state.finding_ids = stored.at("findings").get<std::vector<std::string>>();
  if (stored.value("encounters", "") != list_of_encounters()) return false;
  state.tally = {bits_of(stored.at("met")), bits_of(stored.at("again"))};
  std::uint64_t all = 0;
  for (const EngineRecord& record : state.engines) all += record.trials;
  state.counted = stored.value("counted", all);
  return true;
}

/// What differs between the campaign that is stored and the one that is asked for, or nothing.
std::string difference(const json& stored, const json& asked) {
  for (const auto& [key, value] : asked.items())
    if (stored.value(key, json()) != value)
      return key == "sets" ? "the manifests are not those that it began with"
                           : key + " is " + stored.value(key, json()).dump() + " there, and " + value.dump() + " now";
  return {};
}

// --- corpus ------------------------------------------------------------------------------------------------------------

std::string corpus_name(const Kept& kept, const std::string& text) {
  char name[64];
  std::snprintf(name, sizeof name, "%08llu-%08llu-", static_cast<unsigned long long>(kept.stint),
                static_cast<unsigned long long>(kept.trial));
  return name + hex_digest(text) + ".json";
}

/// The path, or the first of those with .2, .3 ... added at which there is nothing.
fs::path free_name(const fs::path& path) {
  std::error_code error;
  fs::path free = path;
  for (int n = 2; fs::exists(free, error); ++n) free = path.string() + "." + std::to_string(n);
  return free;
}

/// Why this text is of no use to a campaign of this controller; empty when it is. A promise or a step that only another
/// version of ordeal knows is no fault: whoever tries the finding again says that it could not.
std::string fault_of_finding(const std::string& text, const std::string& controller) {
  const auto origin = read_origin(text);
  if (!origin) return "it is not what was written";
  if (origin->controller != controller) return "it is no finding of " + controller;
  return {};
}

std::string other_format(const json& stored) {
  const json format = stored.is_object() ? stored.value("format", json()) : json();
  const bool is_other = format.is_string() && format != campaign_format &&
                        format.get<std::string>().starts_with(campaign_format.substr(0, campaign_format.rfind('/')));
  return is_other ? format.get<std::string>() : std::string();
}

bool is_whole(const json& stored) {
  return stored.is_object() && stored.value("format", json()) == campaign_format && stored.contains("state") &&
         stored.value("checksum", json()) == hex_digest(stored["state"].dump());
}

struct Timelined {
  std::uint64_t stint = 0;
  bool is_stint = false;
};
Timelined timelined(const std::string& line) {
  const json read = json::parse(line, nullptr, false);
  const bool is_stint = read.is_object() && read.contains("stint") && read["stint"].is_number_unsigned();
  return {is_stint ? read["stint"].get<std::uint64_t>() : 0, is_stint};
}

}  // namespace

/// A file or a folder. Nothing is written over there, and nothing is left to be written over here.
Done CampaignFiles::set_aside(const std::string& path, std::string_view why, std::vector<std::string>& notes) {
  std::error_code error;
  const fs::path to = free_name(fs::path(directory_) / "damaged" / fs::path(path).filename());
  fs::create_directories(to.parent_path(), error);
  if (!error) fs::rename(path, to, error);
  if (error) return std::unexpected(path + " cannot be set aside as " + to.string() + ": " + error.message());
  notes.push_back(path + (why.empty() ? "" : " is damaged (" + std::string(why) + ") and") + " was set aside as " +
                  to.string());
  return {};
}

std::expected<CampaignState, std::string> CampaignFiles::load(std::vector<std::string>& notes) {
  CampaignState state;
  std::error_code error;
  fs::create_directories(directory_, error);
  if (error) return std::unexpected(directory_ + ": " + error.message());
  if (auto locked = lock(); !locked) return std::unexpected(locked.error());
  drop_half_written();
  if (auto read = read_state(state, notes); !read) return std::unexpected(read.error());
  drop_closed(state);
  if (auto read = drop_unreadable(state, notes); !read) return std::unexpected(read.error());
  if (auto read = read_corpus(state, notes); !read) return std::unexpected(read.error());
  if (auto dropped = drop_unfinished(state); !dropped) return std::unexpected(dropped.error());
  return state;
}

/// Two at work in one directory would take each other's files for what a killed one left. A file system without locks
/// has none.
Done CampaignFiles::lock() {
  const std::string path = directory_ + "/campaign.lock";
  lock_ = Descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (lock_.get() < 0) return std::unexpected(path + ": " + std::strerror(errno));
  if (::flock(lock_.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return {};
  return std::unexpected(
      directory_ +
      " is being used by another process; a campaign is one process, with --jobs as many as there are cores");
}

/// Those that were moved to findings/closed by a process that did not come to say so.
void CampaignFiles::drop_closed(CampaignState& state) const {
  std::error_code error;
  std::erase_if(state.finding_ids, [&](const std::string& id) {
    return !fs::exists(path_of(id), error) && fs::exists(closed_path_of(id), error);
  });
}

/// Whether it is a finding of this campaign; what is none was set aside. What cannot be read today may be sound:
/// nothing is moved, and nothing forgotten.
std::expected<bool, std::string> CampaignFiles::keep_if_ours(const fs::path& path, std::vector<std::string>& notes) {
  std::error_code error;
  std::string fault = "it is a folder";
  if (!fs::is_directory(path, error)) {
    const auto text = read_file(path.string(), max_document_bytes);
    if (!text) return std::unexpected(text.error());
    fault = fault_of_finding(*text, options_.controller->name);
  }
  if (fault.empty()) return true;
  if (auto aside = set_aside(path.string(), fault, notes); !aside) return std::unexpected(aside.error());
  return false;
}

/// They count no more, so that whatever they told is stored again when it is found again.
Done CampaignFiles::drop_unreadable(CampaignState& state, std::vector<std::string>& notes) {
  std::vector<std::string> ours;
  std::error_code error;
  for (const std::string& id : state.finding_ids) {
    const std::string path = path_of(id);
    if (fs::status(path, error).type() == fs::file_type::not_found) {
      notes.push_back(path + " is missing; what it told is looked for again");
      continue;
    }
    const auto one = keep_if_ours(path, notes);
    if (!one) return std::unexpected(one.error());
    if (*one) ours.push_back(id);
  }
  if (ours.size() == state.finding_ids.size()) return {};
  state.finding_ids = std::move(ours);
  return write_state(state);
}

/// What a process that was killed had not renamed yet (files.h).
void CampaignFiles::drop_half_written() {
  std::error_code error;
  for (const char* folder : {".", "corpus", "findings", "findings/unfinished"})
    for (const fs::path path : files_in(directory_ + "/" + folder).value_or(std::vector<std::string>{}))
      if (path.extension().string().starts_with(".part-")) fs::remove(path, error);
}

Done CampaignFiles::read_state(CampaignState& state, std::vector<std::string>& notes) {
  const std::string path = directory_ + "/campaign.json";
  std::error_code error;
  if (!fs::exists(path, error)) {
    const auto begun = has_whole_stints();
    if (!begun) return std::unexpected(begun.error());
    if (!*begun) return {};
    notes.push_back(path + " is missing");
    return begin_anew(state, notes);
  }
  const auto text = read_file(path, std::size_t{64} << 20);
  if (!text) return std::unexpected(text.error());
  const json stored = json::parse(*text, nullptr, false);
  if (const std::string format = other_format(stored); !format.empty())
    return std::unexpected(path + ": format " + format + " is not known to this version of ordeal, which writes " +
                           std::string(campaign_format));
  if (!is_whole(stored)) {
    if (auto aside = set_aside(path, "its checksum is wrong", notes); !aside) return aside;
    return begin_anew(state, notes);
  }
  const std::string differs = difference(stored["state"].at("campaign"), whose(options_));
  if (!differs.empty()) return std::unexpected(directory_ + " holds another campaign: " + differs);
  if (!read_into(state, stored["state"]))
    notes.push_back(path + ": this version of ordeal tells encounters apart in another way; they are counted anew");
  return {};
}

/// Of a campaign that was killed in its first stint there is no state yet, and that is no damage.
std::expected<bool, std::string> CampaignFiles::has_whole_stints() const {
  const auto lines = timeline();
  if (!lines) return std::unexpected(lines.error());
  return std::ranges::any_of(*lines, [](const std::string& line) { return timelined(line).stint > 0; });
}

/// None when there is no such file.
std::expected<std::vector<std::string>, std::string> CampaignFiles::timeline() const {
  const std::string path = directory_ + "/timeline.jsonl";
  std::vector<std::string> lines;
  std::error_code error;
  if (!fs::exists(path, error) && !error) return lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  if (!file.eof()) return std::unexpected(path + ": cannot be read");
  return lines;
}

/// Findings need no state: each is a file of its own that is tried again whenever the campaign goes on. Corpus and
/// timeline do, they go by numbers of stints that are about to be given again.
Done CampaignFiles::begin_anew(CampaignState& state, std::vector<std::string>& notes) {
  std::error_code error;
  for (const char* name : {"/corpus", "/timeline.jsonl"})
    if (fs::exists(directory_ + name, error))
      if (auto aside = set_aside(directory_ + name, "", notes); !aside) return aside;
  const auto findings = files_in(directory_ + "/findings");
  if (!findings) return std::unexpected(findings.error());
  for (const fs::path path : *findings)
    if (path.extension() == ".json") {
      const auto one = keep_if_ours(path, notes);
      if (!one) return std::unexpected(one.error());
      if (*one) state.finding_ids.push_back(path.stem().string());
    }
  if (!state.finding_ids.empty())
    notes.push_back(directory_ + "/findings: " + std::to_string(state.finding_ids.size()) +
                    " of them stay in the campaign, which begins anew");
  return write_state(state);
}

/// Of whole stints only: what an unfinished one left will be written again.
Done CampaignFiles::read_corpus(CampaignState& state, std::vector<std::string>& notes) {
  const auto files = files_in(directory_ + "/corpus");
  if (!files) return std::unexpected(files.error());
  for (const fs::path path : *files) {
    const std::string name = path.filename().string();
    unsigned long long stint = 0, trial = 0;
    if (!name.ends_with(".json") || std::sscanf(name.c_str(), "%18llu-%18llu-", &stint, &trial) != 2) continue;
    if (stint >= state.stints) continue;
    const auto text = read_file(path.string(), max_document_bytes);
    if (!text) return std::unexpected(text.error());  // it may be sound: as with findings, nothing is moved
    auto scenario = read_scenario(*text);
    if (scenario && corpus_name({stint, trial, {}}, *text) == name)
      state.corpus.push_back({stint, trial, std::move(*scenario)});
    else if (auto aside = set_aside(path.string(), "it is not what was written", notes); !aside) return aside;
  }
  return {};
}

/// Lines of stints that are not whole, or cut off, go; the rest stays as it is.
Done CampaignFiles::drop_unfinished(const CampaignState& state) {
  const auto lines = timeline();
  if (!lines) return std::unexpected(lines.error());
  std::string kept;
  for (const std::string& line : *lines) {
    const Timelined read = timelined(line);
    const bool closed = line.starts_with("{\"closed\"") && line.ends_with("}");
    if (closed || (read.is_stint && read.stint < state.stints)) kept += line + "\n";
  }
  return lines->empty() ? Done() : write_file(directory_ + "/timeline.jsonl", kept);
}

std::string CampaignFiles::path_of(const std::string& finding_id) const {
  return directory_ + "/findings/" + finding_id + ".json";
}

std::string CampaignFiles::closed_path_of(const std::string& finding_id) const {
  return directory_ + "/findings/closed/" + finding_id + ".json";
}

std::string CampaignFiles::unfinished() const { return directory_ + "/findings/unfinished"; }

Done CampaignFiles::store_unfinished(const CampaignFinding& found) {
  const std::string path = unfinished() + "/" + found.id + ".json";
  std::error_code error;
  if (!fs::exists(path, error)) of_this_stint_.insert(found.id);
  return write(found, path);
}

Done CampaignFiles::write(const CampaignFinding& found, const std::string& path) {
  const Origin origin = origin_of(found.finding, {options_.controller->name, options_.level, found.seed});
  return write_file(path, finding_file(found.finding, origin));
}

Done CampaignFiles::append(const std::string& line) {
  const std::string path = directory_ + "/timeline.jsonl";
  std::ofstream file(path, std::ios::app);
  file << line << "\n" << std::flush;
  if (!file) return std::unexpected(path + ": cannot be written");
  return {};
}

namespace {

/// The stint breaks the same promise for the same cause, or for a plainer one.
bool tells(const Stint& stint, const std::string& stored) {
  const auto origin = read_origin(stored);
  const auto scenario = read_scenario(stored);
  if (!origin || !scenario) return false;
  const Cause cause = cause_of(*scenario);
  return std::ranges::any_of(stint.result.findings, [&](const Finding& finding) {
    const Cause told = cause_of(finding.scenario);
    return finding.invariant->id == origin->invariant && (told == cause || is_noisier(cause, told));
  });
}

}  // namespace

/// What a stint that was broken off had found is found again when it is run again, or was noise. Not so when the state
/// was lost meanwhile, by another version of ordeal, or by a program that is not deterministic. What this stint found
/// itself and does not tell has given way to an earlier trial's, or has no verdict.
Done CampaignFiles::keep_untold(const Stint& stint, CampaignState& after) {
  const auto files = files_in(unfinished());
  if (!files) return std::unexpected(files.error());
  for (const fs::path path : *files) {
    const std::string id = path.stem().string();
    if (of_this_stint_.contains(id)) continue;
    if (path.extension() != ".json" || std::ranges::find(after.finding_ids, id) != after.finding_ids.end()) continue;
    const auto text = read_file(path.string(), max_document_bytes);
    if (!text) return std::unexpected(text.error());
    if (!fault_of_finding(*text, options_.controller->name).empty() || tells(stint, *text)) continue;
    if (auto kept = write_file(path_of(id), *text); !kept) return kept;
    after.finding_ids.push_back(id);
  }
  return {};
}

Done CampaignFiles::store(const Stint& stint, CampaignState& after) {
  for (const Kept& kept : stint.kept) {
    const std::string text = write_scenario(kept.scenario);
    if (auto done = write_file(directory_ + "/corpus/" + corpus_name(kept, text), text); !done) return done;
  }
  for (const CampaignFinding& found : stint.findings)
    if (auto done = write(found, path_of(found.id)); !done) return done;
  if (auto done = keep_untold(stint, after); !done) return done;
  const nlohmann::ordered_json line = {{"stint", stint.number},
                                       {"engine", name_of(stint.engine)},
                                       {"trials", stint.result.trials},
                                       {"syncs", stint.result.syncs},
                                       {"seconds", stint.result.seconds},
                                       {"new_encounters", stint.encounters},
                                       {"encounters", after.tally.met.count()},
                                       {"new_findings", stint.findings.size()},
                                       {"findings", after.finding_ids.size()}};
  if (auto done = append(line.dump()); !done) return done;
  if (auto done = write_state(after); !done) return done;
  std::error_code error;
  fs::remove_all(unfinished(), error);
  of_this_stint_.clear();
  return {};
}

Done CampaignFiles::write_state(const CampaignState& state) {
  const json stored = state_json(state, options_);
  const nlohmann::ordered_json file = {
      {"format", campaign_format}, {"checksum", hex_digest(stored.dump())}, {"state", stored}};
  return write_file(directory_ + "/campaign.json", file.dump(1) + "\n");
}

Done CampaignFiles::close(const std::string& id, std::string_view commit, CampaignState& state) {
  const fs::path to = closed_path_of(id);
  std::error_code error;
  fs::create_directories(to.parent_path(), error);
  fs::rename(path_of(id), to, error);
  if (error) return std::unexpected(path_of(id) + ": " + error.message());
  std::erase(state.finding_ids, id);
  const nlohmann::ordered_json line = {{"closed", id}, {"by", commit}};
  if (auto done = append(line.dump()); !done) return done;
  return write_state(state);
}

}  // namespace ordeal::fuzz
