// Events that a program records for people: those it writes as any client does, and those it tells of when a turn ends.
// The API server accepts each, and keeps none: nobody here ever reads them but who judges
// (properties/invariants/events.h). Covered by recorded_test.cpp and external_test.cpp.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "core/controller/door.h"

namespace ordeal::fuzz {

/// A call that creates or changes one, of either API.
bool is_event(const nlohmann::json& call);
/// What it creates; nothing when it changes one. Members that make no sense are as good as none.
std::optional<Event> event_in(const nlohmann::json& call);
nlohmann::json answer_to_event(const nlohmann::json& call);

/// What `done` says of them; nothing when it says nothing. Broken when it is no list of events.
std::optional<std::vector<Event>> events_in(const nlohmann::json& done);
/// The other side.
nlohmann::json events_json(const std::vector<Event>& events);

}  // namespace ordeal::fuzz
