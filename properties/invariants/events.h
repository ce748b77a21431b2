// Events: what people are told of a set by Events of the API, if its controller records any.
// Beyond semantics.md, which calls them not semantic: they are all that a user sees of a refusal, since no release
// tells it in the status. Covered by events_test.cpp.
//
// Only asked of who says what it records: tables do, adapters in Go, and programs whose hello or `done` does
// (fuzz/adapter/PROTOCOL.md). Not judged here: what an event is called and how it is worded, but for the reasons by
// which all controllers of Kubernetes tell what they made and deleted; whether it was delivered, which nobody promises.
#pragma once

#include <array>

#include "properties/invariants/invariant.h"

namespace ordeal::properties::events {

Judgement tells_of_pods(const Moment&);
Judgement tells_of_refusals(const Moment&);
Judgement tells_what_was_done(const Moment&);
Judgement told_once(const Moment&);

inline constexpr std::array invariants{
    Invariant{.id = "events.tells-of-pods",
              .promise = "Each pod that a turn creates or deletes is told of by an event that names it.",
              .source = "Kubernetes API conventions, section Events",
              .level = Level::strict,
              .property = "beyond",
              .on = on_acted,
              .check = tells_of_pods},
    Invariant{.id = "events.tells-of-refusals",
              .promise = "When the API server refuses a pod or a claim as invalid or forbidden, a warning says so.",
              .source = "stateful-apps proposal, section Controller behavior",
              .level = Level::strict,
              .property = "beyond",
              .on = on_acted,
              .given = call_failed,
              .check = tells_of_refusals},
    Invariant{.id = "events.tells-what-was-done",
              .promise = "An event tells that a pod or claim was created or deleted only of one that the turn did so.",
              .source = "Kubernetes API conventions, section Events",
              .level = Level::strict,
              .property = "beyond",
              .on = on_sync | on_rest,
              .check = tells_what_was_done},
    Invariant{.id = "events.told-once",
              .promise = "A turn that finds nothing new and changes nothing tells nothing again but warnings.",
              .source = "Kubernetes API conventions, section Events",
              .level = Level::strict,
              .property = "beyond",
              .on = on_sync | on_rest,
              .given = shown_nothing_new | turn_is_quiet,
              .check = told_once},
};

}  // namespace ordeal::properties::events
