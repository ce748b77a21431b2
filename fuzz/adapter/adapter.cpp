#include "fuzz/adapter/adapter.h"

#include <nlohmann/json.hpp>
#include <ranges>

#include "core/api/codec.h"
#include "fuzz/adapter/message.h"
#include "fuzz/engine/legible.h"

namespace ordeal::fuzz {

using nlohmann::json;

namespace {

/// No line is longer than a report can use: a program may put whatever it likes into a path or an error.
std::string fit_for_a_report(std::string_view text) {
  constexpr std::size_t line_at_most = 400;
  std::string out;
  for (const auto part : text | std::views::split('\n')) {
    const std::string_view line(part.begin(), part.end());
    out += (out.empty() ? "" : "\n") + std::string(line.substr(0, line_at_most));
    if (line.size() > line_at_most) out += "...";
  }
  return legible(out);
}

}  // namespace

void Adapter::start_if_needed() {
  if (process_) return;
  if (failed_starts_ >= starts_at_most) throw Broken(why_not_started_);
  ++starts_;
  turn_ = 0;
  try {
    start();
    failed_starts_ = 0;
  } catch (const Broken& broken) {
    ++failed_starts_;
    why_not_started_ = broken.what();
    throw;
  }
}

void Adapter::start() {
  try {
    process_ = std::make_unique<Subprocess>(command_, patience_);
    std::string line;
    append_line(line, {{"type", "hello"}, {"protocol", protocol_version}});
    send(line);
    hello_ = read_hello(receive());
  } catch (const Broken& broken) {
    give_up(broken.what());
  }
}

const Hello& Adapter::hello() {
  start_if_needed();
  return hello_;
}

void Adapter::send(std::string_view lines) {
  try {
    process_->write(lines);
  } catch (const Broken& broken) {
    give_up(broken.what());
  }
}

json Adapter::receive() {
  std::string_view line;
  try {
    line = process_->read_line();
  } catch (const Broken& broken) {
    give_up(broken.what());
  }
  json message;
  FieldErrors errors;
  if (!parse_json(line, message, errors) || !message.is_object())
    give_up("the adapter wrote what is no JSON object: " + excerpt(line));
  return message;
}

void Adapter::expect_silence() {
  if (process_->has_unread()) give_up("the adapter spoke without being asked");
}

void Adapter::give_up(const std::string& reason) {
  std::string said = process_ ? process_->last_words() : std::string();
  process_.reset();
  while (!said.empty() && said.back() == '\n') said.pop_back();
  throw Broken(fit_for_a_report(said.empty() ? reason : reason + "\nits standard error ends:\n" + said));
}

}  // namespace ordeal::fuzz
