#include "core/controller/phases.h"

#include <algorithm>
#include <utility>

namespace ordeal {

/// Ownership and the choice of revisions come before everything; after that the status is written and the history
/// truncated whatever became of the pods.
SyncResult Phases::run(const Key& key, const StatefulSet& set, const View& seen, Api& api, Time now) {
  begin(key, set, seen, api, now);
  list_revisions();
  if (adopt_revisions() == Next::fail || claim_pods() == Next::fail) return result();
  list_revisions_again();
  if (choose_revisions() != Next::fail) {
    relate_to_revisions();
    work_and_tell();
  }
  if (!failure_.failed || rules_.prunes_after_failure) truncate_history();
  return result();
}

void Phases::work_and_tell() {
  const bool rules_it_out =
      set_->spec->strategy == Strategy::recreate && !gates_.recreate && rules_.recreate_needs_gate;
  if (rules_it_out) {
    fail(Code::ok, "the strategy Recreate needs its gate");
    return;
  }
  const Next work = work_on_pods();
  if (work != Next::fail || rules_.status_after_failure) write_status();
}

void Phases::begin(const Key& key, const StatefulSet& set, const View& seen, Api& api, Time now) {
  key_ = &key;
  set_ = &set;
  seen_ = &seen;
  api_ = &api;
  now_ = now;
  reached_ = seen.reached;
  failure_ = {};
  recorded_.clear();
  ordered_ = set.spec->pod_management == PodManagement::ordered_ready;
  confirmed_.reset();
  update_name_ = current_name_ = nullptr;
  wanted_ = nullptr;
  collisions_ = set.status.collision_count.value_or(0);
  recreation_.reset();
  lowered_ = updated_lowered_ = 0;
  label_writers_raced_ = false;
  waiting_ = {.min_ready_seconds = set.spec->min_ready_seconds,
              .replicas = set.spec->replicas.value_or(1),
              .ready = 0,
              .available = 0,
              .soonest = {},
              .for_collector = false};
  places_wanted_ = static_cast<std::size_t>(set.spec->places());
  claimed_.clear();
  labels_.assign(1, nullptr);
  hints_.assign(set.spec->claim_templates.size(), 0);
  places_.clear();
  condemned_.clear();
}

/// The cache of a kind has taken something since the turn began.
bool Phases::has_moved(Kind kind) const {
  return seen_->reached[static_cast<std::size_t>(kind)] != reached_[static_cast<std::size_t>(kind)];
}

SyncResult Phases::result() {
  SyncResult done = failure_;
  done.events = std::exchange(recorded_, {});
  if (!done.failed) done.requeue_after = rules_.requeue(waiting_);
  // One thread does it all; what several would do is known.
  done.races = label_writers_raced_ ? Text::lasting("write of a claim template's labels, twice") : Text{};
  return done;
}

Next Phases::fail(Code code, const char* what) {
  if (!failure_.failed) failure_ = {.failed = true, .code = code, .what = Text::lasting(what), .requeue_after = {}};
  return Next::fail;
}

/// The set that a write was made for; a status may have reached a later set of the name.
Uid Phases::owner_of(const Reply& reply) const {
  const StatefulSet* written = reply.as<StatefulSet>();
  return written != nullptr ? written->meta.uid : set_->meta.uid;
}

Reply Phases::call(Request request) {
  const Verb verb = request.verb;
  const Kind kind = request.kind;
  const Text name = request.name;
  const bool remembered = gates_.stale_guard && rules_.remembers(request);
  const Reply reply = api_->call(std::move(request));
  if (remembered && reply.ok()) writes_.note(*key_, owner_of(reply), kind, reply.version());
  record(verb, kind, name, reply.code);
  return reply;
}

namespace {
/// As Kubernetes has them.
const char* reason_of(Verb verb, bool failed) {
  if (verb == Verb::create) return failed ? "FailedCreate" : "SuccessfulCreate";
  if (verb == Verb::remove) return failed ? "FailedDelete" : "SuccessfulDelete";
  return failed ? "FailedUpdate" : "SuccessfulUpdate";
}
}  // namespace

/// The message is no more than the name: nobody reads on here.
void Phases::record(Verb verb, Kind kind, const Text& name, Code answer) {
  const Telling telling = rules_.telling(verb, kind, answer);
  if (telling == Telling::nothing) return;
  const bool failed = telling == Telling::failure;
  recorded_.push_back(
      {.warning = failed, .reason = Text::lasting(reason_of(verb, failed)), .message = name, .about = set_->meta.name});
}

}  // namespace ordeal
