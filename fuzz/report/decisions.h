// Calls, outcomes and pods in a few words each, for the columns of a timeline. Covered by timeline_test.cpp.
#pragma once

#include <string>
#include <string_view>

#include "properties/evidence/trace.h"

namespace ordeal::fuzz {

/// "create web-2 (create-pod)", "delete web-1 (scale-down) -> conflict"
std::string decision_text(const properties::Call& call);
/// How a sync ended, when that is worth a line: "controller dies", "failed: ...", "again in 10 s".
std::string outcome_text(const properties::Sync& sync);
/// "10 s", "0.005 s", "-29.995 s": a controller's clock may be behind the beginning of a trial.
std::string seconds_text(Time time);
/// "pending", "running", "ready", "failed", "done", "stopping".
std::string_view pod_state(const Pod& pod);

}  // namespace ordeal::fuzz
