// What the readers and writers of single objects share. Covered by codec_test.cpp.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "core/api/fields.h"

namespace ordeal {

/// A member of a map; null where there is none, or no map.
const nlohmann::json& member_of(const nlohmann::json& map, const char* name);
/// Empty where it is no text.
std::string text_at(const nlohmann::json& map, const char* name);

/// metadata, its members checked; unknown ones are faults when `strict`.
void read_meta(const Field& metadata, ObjectMeta& out, bool strict);
nlohmann::json meta_json(const ObjectMeta& meta);

/// A volume that is nothing but a claim by name has no JSON of its own, so that volumes made by a controller and
/// volumes read from a text compare equal.
Volume volume_of(const nlohmann::json& volume);
nlohmann::json volume_json(const Volume& volume);

/// A condition's or a word's text, by position in its enumeration.
inline constexpr std::initializer_list<std::string_view> phase_words = {"",          "Pending", "Running",
                                                                        "Succeeded", "Failed",  "Unknown"};
inline constexpr std::initializer_list<std::string_view> claim_phase_words = {"", "Pending", "Bound", "Lost"};
inline constexpr std::initializer_list<std::string_view> management_words = {"OrderedReady", "Parallel"};
inline constexpr std::initializer_list<std::string_view> strategy_words = {"RollingUpdate", "OnDelete", "Recreate"};
inline constexpr std::initializer_list<std::string_view> retention_words = {"Retain", "Delete"};
inline constexpr std::initializer_list<std::string_view> operator_words = {"In", "NotIn", "Exists", "DoesNotExist"};

/// What OpenKruise's Advanced StatefulSet has of its own, in its spec and in its rolling update: read by nobody here.
inline constexpr std::initializer_list<std::string_view> own_of_kruise = {"lifecycle", "scaleStrategy",
                                                                          "volumeClaimUpdateStrategy"};
inline constexpr std::initializer_list<std::string_view> own_of_kruise_rolling = {
    "inPlaceUpdateStrategy", "paused", "podUpdatePolicy", "priorityStrategy", "unorderedUpdate"};

template <class Enumeration>
nlohmann::json word_json(std::initializer_list<std::string_view> words, Enumeration value) {
  return std::string(words.begin()[static_cast<std::size_t>(value)]);
}
template <class Enumeration>
void read_enum(const Field& field, std::initializer_list<std::string_view> words, Enumeration& out) {
  if (const auto position = field.read_word(words)) out = static_cast<Enumeration>(*position);
}

nlohmann::json string_map_json(const StringMap& map);
nlohmann::json texts_json(const std::vector<Text>& texts);

}  // namespace ordeal
