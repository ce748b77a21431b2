#include "fuzz/adapter/done.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "fuzz/adapter/answer.h"
#include "fuzz/adapter/message.h"
#include "fuzz/adapter/recorded.h"
#include "fuzz/adapter/subprocess.h"

namespace ordeal::fuzz {

using nlohmann::json;

namespace {

/// Whether its work queue kept the set from all other workers. Nothing when it does not say.
std::optional<bool> alone_in(const json& done) {
  if (!says(done, "alone")) return std::nullopt;
  return says_yes(done, "alone", "whether no other worker could have had the set");
}

/// A list of texts as one, "Pod web-0, Pod web-1". Nothing when the adapter does not look for these.
std::optional<Text> list_in(const json& done, const char* member, const char* of_what) {
  if (!says(done, member)) return std::nullopt;
  const json& names = done[member];
  const auto is_text = [](const json& name) { return name.is_string(); };
  if (!names.is_array() || !std::ranges::all_of(names, is_text))
    throw Broken("the adapter names " + std::string(of_what) + " in no list of texts: " + excerpt(names.dump()));
  std::string text;
  for (const json& name : names) text += (text.empty() ? "" : ", ") + name.get<std::string>();
  return Text(excerpt(text, 400));
}

void read_error(const json& done, SyncResult& result) {
  if (!says(done, "error")) return;
  result.failed = true;
  result.what = words_in(done["error"]);
  const auto status = number_at(done, "status");
  if (!status) return;
  result.code = code_of_answer(std::in_range<int>(*status) ? static_cast<int>(*status) : 0, text_at(done, "reason"));
}

}  // namespace

SyncResult read_done(const json& done, bool keeps_queue) {
  SyncResult result;
  read_error(done, result);
  (result.failed && keeps_queue ? result.retry_after : result.requeue_after) = delay_in(done, "requeueAfterMs");
  result.touched = list_in(done, "touched", "what was changed in its caches");
  result.races = list_in(done, "races", "data races");
  result.events = events_in(done);
  result.alone = alone_in(done);
  return result;
}

bool wants_back_off(const json& done) {
  return says_yes(done, "requeueRateLimited", "whether it is to be run again with back-off");
}

}  // namespace ordeal::fuzz
