// What messages of the protocol are made of and read by (PROTOCOL.md): lines of JSON, whose members may be missing or
// of a wrong type. Internal to this room.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/api/object_json.h"  // member_of, text_at
#include "core/api/values.h"

namespace ordeal::fuzz {

void append_line(std::string& lines, const nlohmann::json& message);

/// A member that is null is as good as none.
bool says(const nlohmann::json& message, const char* key);
/// Nothing when there is no whole number.
std::optional<std::int64_t> number_at(const nlohmann::json& message, const char* key);
/// No, when it does not say. Broken when it says neither, with `what` it was to say.
bool says_yes(const nlohmann::json& message, const char* key, const std::string& what);
/// A time in milliseconds; nothing when it does not say. Broken for more than a hundred years: the clock of the trial
/// goes as far as it is asked to, so nobody may ask for the end of time.
std::optional<Time> delay_in(const nlohmann::json& message, const char* key);

/// The beginning of something an adapter wrote, so many bytes of it, fit for a message to people.
std::string excerpt(std::string_view text, std::size_t shown = 80);
/// What a member says that is a text, or should be one.
std::string words_in(const nlohmann::json& member);

}  // namespace ordeal::fuzz
