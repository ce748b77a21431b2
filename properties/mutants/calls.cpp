// Calls: what a deletion names, how often a call is tried, batches, and what is remembered of own writes.
#include "properties/mutants/wrong.h"

namespace ordeal::properties {

namespace {

bool claims_and_sets(const Request& request) {
  return request.kind != Kind::pod && decide::pods_claims_and_sets(request);
}
template <Verb verb>
bool all_but_claims(const Request& request) {
  return (request.kind != Kind::claim || request.verb != verb) && decide::pods_claims_and_sets(request);
}

Telling told_but_deletions(Verb verb, Kind kind, Code answer) {
  return verb == Verb::remove ? Telling::nothing : decide::told_of_pods_and_claims(verb, kind, answer);
}
Telling told_but_failures(Verb verb, Kind kind, Code answer) {
  return answer == Code::ok ? decide::told_of_pods_and_claims(verb, kind, answer) : Telling::nothing;
}
Telling told_as_asked_for(Verb verb, Kind kind, Code) { return decide::told_of_pods_and_claims(verb, kind, Code::ok); }

constexpr Wrong rows[] = {
    {"deletion-by-name", "Pods are deleted by name alone.", "deletion.the-pod-it-saw",
     [](Rules& r) { r.precondition = Precondition::none; }},
    {"errors-missing-is-failure", "A pod that is gone already makes its deletion fail.",
     "errors.missing-pod-is-no-error",
     [](Rules& r) { r.missing_is_deleted = [](Reason, const Gates&) { return false; }; }},
    {"errors-missing-revision-is-failure", "A revision that is gone already makes its deletion fail.",
     "errors.missing-revision-is-no-error", [](Rules& r) { r.missing_is_deleted = decide::missing_pods_are_deleted; }},
    {"errors-all-in-one-batch", "Parallel works on all pods in one batch, however many calls fail.",
     "errors.parallel-slow-start",
     [](Rules& r) { r.next_batch = [](std::size_t, std::size_t remaining) { return remaining; }; }},
    {"errors-many-attempts", "A pod or a revision that meets a conflict is tried nine times.", "errors.few-retries",
     [](Rules& r) { r.update_attempts = r.bump_attempts = 9; }},
    {"status-many-attempts", "A status that meets a conflict is tried nine times.", "status.few-attempts",
     [](Rules& r) { r.status_attempts = 9; }},
    {"events-deletions-untold", "No event tells of a pod that was deleted.", "events.tells-of-pods",
     [](Rules& r) { r.telling = told_but_deletions; }},
    {"events-refusals-untold", "No event tells of what was refused.", "events.tells-of-refusals",
     [](Rules& r) { r.telling = told_but_failures; }},
    {"events-told-before-the-answer", "What was asked for is told as done, whatever the answer.",
     "events.tells-what-was-done", [](Rules& r) { r.telling = told_as_asked_for; }},
    {"convergence-waits-for-more", "Caches have to show more than what was written.", "convergence.comes-to-rest",
     [](Rules& r) { r.behind = [](Version reached, Version written) { return reached <= written; }; }},
    {"waking-pods-made-forgotten", "A process does not remember which pods it made or changed.", "waking.guard-waits",
     [](Rules& r) { r.remembers = claims_and_sets; }},
    {"waking-claims-made-forgotten", "A process does not remember which claims it made.", "waking.guard-waits",
     [](Rules& r) { r.remembers = all_but_claims<Verb::create>; }},
    {"waking-claims-changed-forgotten", "A process does not remember which claims it gave to other owners.",
     "waking.guard-waits", [](Rules& r) { r.remembers = all_but_claims<Verb::update>; }},
    {"waking-own-writes-forgotten", "A process does not remember what it wrote.", "waking.own-writes-first",
     [](Rules& r) { r.remembers = decide::nothing_is_remembered; }},
    {"waking-own-deletions-forgotten", "A process does not remember what it deleted.", "waking.own-deletions-first",
     [](Rules& r) { r.remembers = decide::pods_claims_and_sets_but_losses; }},
};

}  // namespace

std::span<const Wrong> wrong_calls() { return rows; }

}  // namespace ordeal::properties
