// What a program says of itself when it is greeted, once for each start (PROTOCOL.md, Greeting).
// Covered by external_test.cpp.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "core/controller/door.h"
#include "core/controller/rules.h"

namespace ordeal {
struct Release;
}

namespace ordeal::fuzz {

inline constexpr int protocol_version = 1;

/// What it does not say is as here.
struct Hello {
  const Release* like = nullptr;  // the release that it is like
  std::vector<std::pair<bool Gates::*, bool>> fixed_gates{};
  bool wants_latest = false;         // of each object only, as if every cache had listed anew
  bool has_handlers = false;         // of events, of its own
  bool has_live_caches = false;      // they take events in the midst of a sync, too
  bool has_several_workers = false;  // it takes another key's sync while it waits for an answer
  bool keeps_queue = false;          // when its next turn comes is for its own work queue to say
  bool loses_connections = false;    // it has calls that nobody answers
  bool records_events = false;       // all that it tells people are the events that it writes
  bool rests_by_events = false;  // a turn that has written may leave the rest to the one that the event of this makes
  std::optional<Kinds> starts_without{};  // caches that it does not wait for when it starts; nothing: unsaid
};

/// Broken when a member makes no sense.
Hello read_hello(const nlohmann::json& message);

/// The gates it acts under when it is told these.
Gates acting_under(const Hello& hello, Gates told);

/// The gates of a controller by name, as `reset` has them.
nlohmann::json gates_json(const Gates& gates);

}  // namespace ordeal::fuzz
