// The small texts of the codec: errors, line tables, UIDs and times.
#include "core/api/codec.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>

#include "core/api/names.h"

namespace ordeal {

namespace {

/// The path one field up: "a.b[2].c" -> "a.b[2]" -> "a.b" -> "a" -> "".
std::string_view parent_of(std::string_view path) {
  if (path.ends_with(']')) return path.substr(0, path.rfind('['));
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? std::string_view{} : path.substr(0, dot);
}

constexpr std::chrono::sys_seconds epoch = std::chrono::sys_days{std::chrono::year{2026} / std::chrono::January / 1};
constexpr std::int64_t ms_per_second = 1000;

/// Reads exactly `digits` digits at `at` and the byte after them; advances `at`.
std::optional<int> read_digits(std::string_view text, std::size_t& at, std::size_t digits, char then) {
  if (at + digits >= text.size() || text[at + digits] != then) return std::nullopt;
  int value = 0;
  const char* const end = text.data() + at + digits;
  const auto [stopped, error] = std::from_chars(text.data() + at, end, value);
  if (error != std::errc{} || stopped != end || value < 0) return std::nullopt;
  at += digits + 1;
  return value;
}

/// ".250Z" -> 250, "Z" -> 0; finer digits are cut off. None when something else stands there.
std::optional<std::int64_t> read_fraction(std::string_view rest) {
  if (rest == "Z") return 0;
  if (rest.size() < 3 || rest.front() != '.' || rest.back() != 'Z') return std::nullopt;
  rest = rest.substr(1, rest.size() - 2);
  std::int64_t ms = 0, weight = 100;
  for (const char c : rest) {
    if (c < '0' || c > '9') return std::nullopt;
    ms += (c - '0') * weight;
    weight /= 10;
  }
  return ms;
}

/// Eight hexadecimal digits.
std::optional<std::uint64_t> read_hex(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::string FieldError::text() const {
  std::string text;
  if (line > 0) text += "line " + std::to_string(line) + ": ";
  if (!path.empty()) text += path + ": ";
  text += message;
  if (!value.empty()) text += " (found: " + value + ")";
  return text;
}

int Lines::of(std::string_view path) const {
  const auto before = [](const std::pair<std::string, int>& entry, std::string_view wanted) {
    return entry.first < wanted;
  };
  while (true) {
    const auto at = std::lower_bound(of_path.begin(), of_path.end(), path, before);
    if (at != of_path.end() && at->first == path) return at->second;
    if (path.empty()) return 0;
    path = parent_of(path);
  }
}

// The number sits in the first and the last group of a version 4 UUID, whatever its size.
std::string uid_text(Uid uid) {
  if (uid == Uid::none) return {};
  const auto value = static_cast<std::uint64_t>(uid);
  std::array<char, 40> buffer;
  const int size = std::snprintf(buffer.data(), buffer.size(), "%08x-0000-4000-8000-0000%08x",
                                 static_cast<unsigned>(value >> 32), static_cast<unsigned>(value & 0xffffffffu));
  return {buffer.data(), static_cast<std::size_t>(size)};
}

Uid read_uid(std::string_view text) {
  if (text.empty()) return Uid::none;
  if (text.size() == 36 && text.substr(8, 20) == "-0000-4000-8000-0000") {
    const auto high = read_hex(text.substr(0, 8)), low = read_hex(text.substr(28));
    if (high && low) return static_cast<Uid>(*high << 32 | *low);
  }
  constexpr std::uint64_t foreign = std::uint64_t{1} << 63;  // the API server counts up from 1 and never gets there
  const std::uint64_t high = fnv1_32(text), low = fnv1_32(text, static_cast<std::uint32_t>(high));
  return static_cast<Uid>(foreign | high << 32 | low);
}

std::string time_text(Time time) {
  using namespace std::chrono;
  constexpr sys_seconds first = sys_days{year{0} / January / 1}, end = sys_days{year{10000} / January / 1};
  const Time earliest = Time::seconds((first - epoch).count()), latest = Time::seconds((end - epoch).count() - 1);
  const auto since = milliseconds(std::clamp(time, earliest, latest).ms);
  const auto at = sys_time<milliseconds>(epoch) + since;
  const auto day = floor<days>(at);
  const year_month_day date{day};
  const hh_mm_ss clock{at - day};
  std::array<char, 80> buffer;
  const int size = std::snprintf(buffer.data(), buffer.size(), "%04d-%02u-%02uT%02d:%02d:%02d",
                                 static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                                 static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
                                 static_cast<int>(clock.minutes().count()), static_cast<int>(clock.seconds().count()));
  std::string text(buffer.data(), static_cast<std::size_t>(size));
  const auto fraction = static_cast<int>(clock.subseconds().count());
  if (fraction != 0) {
    const int digits = std::snprintf(buffer.data(), buffer.size(), ".%03d", fraction);
    text.append(buffer.data(), static_cast<std::size_t>(digits));
  }
  return text + 'Z';
}

namespace {

/// "+01:00" at the end of a time, in milliseconds; nothing when there is none such.
std::optional<std::int64_t> read_offset(std::string_view text) {
  constexpr std::size_t length = 6;
  if (text.size() < length) return std::nullopt;
  const std::string_view tail = text.substr(text.size() - length);
  std::size_t at = 1;
  const auto hours = read_digits(tail, at, 2, ':'), minutes = read_digits(std::string(tail) + "Z", at, 2, 'Z');
  if ((tail[0] != '+' && tail[0] != '-') || !hours || !minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  return (tail[0] == '-' ? -1 : 1) * (*hours * 60 + *minutes) * std::int64_t{60} * ms_per_second;
}

}  // namespace

std::optional<Time> read_time(std::string_view text) {
  using namespace std::chrono;
  if (const auto offset = read_offset(text)) {
    const std::optional<Time> there = read_time(std::string(text.substr(0, text.size() - 6)) + "Z");
    return there ? std::optional(Time{there->ms - *offset}) : std::nullopt;
  }
  std::size_t at = 0;
  const auto years = read_digits(text, at, 4, '-'), months = read_digits(text, at, 2, '-');
  const auto day_of_month = read_digits(text, at, 2, 'T');
  const auto hour = read_digits(text, at, 2, ':'), minute = read_digits(text, at, 2, ':');
  if (!years || !months || !day_of_month || !hour || !minute) return std::nullopt;
  if (text.size() < at + 3) return std::nullopt;
  const auto fraction = read_fraction(text.substr(at + 2));
  const auto second = read_digits(text, at, 2, text[at + 2]);
  const year_month_day date{year{*years}, month{static_cast<unsigned>(*months)},
                            day{static_cast<unsigned>(*day_of_month)}};
  if (!second || !fraction || !date.ok() || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  const auto moment = sys_seconds{sys_days{date}} + hours{*hour} + minutes{*minute} + seconds{*second};
  return Time{(moment - epoch).count() * ms_per_second + *fraction};
}

}  // namespace ordeal
