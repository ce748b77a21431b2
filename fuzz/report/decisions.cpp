#include "fuzz/report/decisions.h"

#include "properties/evidence/lookup.h"

namespace ordeal::fuzz {

namespace {

using namespace properties;

std::string verb_text(const Call& call) {
  switch (call.request.verb) {
    case Verb::update_status: return "status of";
    case Verb::remove: return "delete";
    case Verb::get: return call.request.of_list == OfList::no ? "get" : "list";
    case Verb::patch_owners:
      if (call.request.owner_patch().add) return "own";
      return call.request.owner_patch().remove ? "disown" : "patch owners of";
    default: return std::string(name_of(call.request.verb));
  }
}

void append_change(std::string& text, std::string_view name, std::int64_t before, std::int64_t after) {
  if (before == after) return;
  text += " ";
  text += name;
  text += "=" + std::to_string(after);
}

/// What a status write changes.
std::string status_text(const Call& call) {
  const StatefulSetStatus& after = call.request.status();
  const StatefulSetStatus before = call.set_before ? call.set_before->status : StatefulSetStatus{};
  std::string text;
  append_change(text, "replicas", before.replicas, after.replicas);
  append_change(text, "ready", before.ready_replicas, after.ready_replicas);
  append_change(text, "available", before.available_replicas, after.available_replicas);
  append_change(text, "current", before.current_replicas, after.current_replicas);
  append_change(text, "updated", before.updated_replicas, after.updated_replicas);
  append_change(text, "collisionCount", before.collision_count.value_or(0), after.collision_count.value_or(0));
  append_change(text, "generation", before.observed_generation, after.observed_generation);
  if (!(before.current_revision == after.current_revision)) text += " currentRevision";
  if (!(before.update_revision == after.update_revision)) text += " updateRevision";
  if (!(before.conditions == after.conditions)) text += " conditions";
  if (call.request.meta && call.set_before && !same_meta(*call.request.meta, call.set_before->meta))
    text += " metadata";
  return text.empty() ? " unchanged" : text;
}

/// Whose a claim is to be from now on, where that is what the update is about.
std::string owners_text(const Call& call) {
  const Shared<Owners>& after = call.request.claim().meta.owners;
  if (call.claim_before != nullptr && alike(call.claim_before->meta.owners, after)) return {};
  std::string text;
  for (const OwnerReference& owner : owners_of(call.request.claim().meta))
    text += (text.empty() ? "" : ", ") + owner.kind.str() + " " + owner.name.str() +
            (owner.controller ? "" : " (no controller)");
  return " owners: " + (text.empty() ? "none" : text);
}

/// What a deletion asks for besides.
std::string options_text(const Request& request) {
  std::string text;
  if (request.grace) text += " grace=" + std::to_string(*request.grace);
  if (request.propagation == Propagation::foreground) text += " foreground";
  if (request.propagation == Propagation::orphan) text += " orphaning";
  return text;
}

/// Of "path: sentence (found: value)"; the whole where it names none.
std::string_view path_in(std::string_view why) { return why.substr(0, why.find(": ")); }

bool is_killed(const Call& call) { return call.fault == Fault::crash_before || call.fault == Fault::crash_after; }

std::string reply_text(const Call& call) {
  std::string text;
  const bool is_not_listed = call.request.of_list != OfList::no && call.reply.code == Code::not_found;
  if (is_not_listed) text = " -> not in it";
  else if (call.failed() || call.fault != Fault::none) text = " -> " + std::string(name_of(call.reply.code));
  if (!call.reply.why.empty()) text += ", " + std::string(path_in(call.reply.why));
  if (is_killed(call)) text = " -> controller dies";
  if (call.committed && call.writes() && call.fault != Fault::none) text += " (but it took effect)";
  return text;
}

/// Of one that was killed at a call that call says so.
std::string death_text(const Sync& sync) {
  if (!sync.calls.empty() && is_killed(sync.calls.back())) return {};
  return "controller dies" + (sync.result.what.empty() ? "" : ": " + std::string(sync.result.what));
}

}  // namespace

std::string decision_text(const Call& call) {
  std::string text = verb_text(call) + " " + call.request.name.str();
  if (call.request.verb == Verb::update_status) text += status_text(call);
  else if (call.request.reason != Reason::unstated) text += " (" + std::string(name_of(call.request.reason)) + ")";
  if (call.is(Verb::update, Kind::claim)) text += owners_text(call);
  if (call.request.verb == Verb::remove) text += options_text(call.request);
  return text + reply_text(call);
}

std::string outcome_text(const Sync& sync) {
  if (sync.died) return death_text(sync);
  if (sync.result.failed)
    return "failed: " +
           (sync.result.what.empty() ? std::string(name_of(sync.result.code)) : std::string(sync.result.what));
  if (sync.result.requeue_after) return "again in " + seconds_text(*sync.result.requeue_after);
  return {};
}

std::string seconds_text(Time time) {
  const bool negative = time.ms < 0;
  const auto ms = negative ? -static_cast<std::uint64_t>(time.ms) : static_cast<std::uint64_t>(time.ms);
  std::string text = (negative ? "-" : "") + std::to_string(ms / 1000);
  if (ms % 1000 != 0) text += "." + std::to_string(1000 + ms % 1000).substr(1);
  return text + " s";
}

std::string_view pod_state(const Pod& pod) {
  if (pod.meta.terminating()) return "stopping";
  switch (pod.phase) {
    case Phase::none:
    case Phase::pending: return "pending";
    case Phase::running: return pod.ready ? "ready" : "running";
    case Phase::succeeded: return "done";
    case Phase::failed: return "failed";
    case Phase::unknown: return "unknown";
  }
  return "unknown";
}

}  // namespace ordeal::fuzz
