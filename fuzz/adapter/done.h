// How a program ends a turn: what its `done` says (PROTOCOL.md). Covered by external_test.cpp.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/controller/door.h"

namespace ordeal::fuzz {

/// Of a program that keeps a queue of its own, a failed turn names when it comes again. Broken when a member makes no
/// sense.
SyncResult read_done(const nlohmann::json& done, bool keeps_queue);
/// It wants to be run again after a time that grows as long as it asks for it turn after turn.
bool wants_back_off(const nlohmann::json& done);

}  // namespace ordeal::fuzz
