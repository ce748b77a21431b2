// Which revisions a sync works with, and which the history may lose: semantics.md 5.
#include <algorithm>

#include "core/controller/phases.h"

namespace ordeal {

Candidate Phases::wanted_revision() const {
  const PodTemplate& pod_template = *set_->spec->pod_template;
  return {pod_template, rules_.revision_data(pod_template), collisions_};
}

Next Phases::choose_revisions() {
  if (set_->meta.terminating() && !rules_.records_while_deleting) {
    choose_without_writing();
    return Next::go_on;
  }
  const Candidate candidate = wanted_revision();
  const RevisionChoice choice = rules_.choose_revision(listed_, candidate, rules_, gates_);
  if (choice.action != RevisionChoice::Action::create) wanted_ = listed_[choice.index];
  switch (choice.action) {
    case RevisionChoice::Action::keep: return use_update_revision(*wanted_);
    case RevisionChoice::Action::bump: return bump_revision(*wanted_, rules_.next_number(listed_));
    case RevisionChoice::Action::create: break;
  }
  return record_revision(candidate, rules_.next_number(listed_));
}

/// For a set that is going away names are enough: nothing is built from templates any more.
void Phases::choose_without_writing() {
  const Candidate candidate = wanted_revision();
  const RevisionChoice choice = rules_.choose_revision(listed_, candidate, rules_, gates_);
  const bool known = choice.action != RevisionChoice::Action::create;
  update_name_ = known ? &listed_[choice.index]->meta.name : &set_->status.update_revision;
  const Revision* current = rules_.current_revision(listed_, set_->status.current_revision);
  current_name_ = current != nullptr ? &current->meta.name : update_name_;
}

/// A name that is taken by other data is a collision: counted, and tried again under the next name. The label keeps the
/// hash that the first name was made of.
Next Phases::record_revision(const Candidate& candidate, std::int64_t number) {
  const std::uint32_t hash = fnv1_32(*candidate.data);
  const auto suffix = [&] { return revision_suffix(hash, collisions_); };
  Revision revision = rules_.build_revision(*set_, candidate, suffix(), number);
  for (;;) {
    Request request = request_for(Verb::create, Kind::revision, Reason::record_revision, revision.meta.name);
    request.body = revision;
    const Reply reply = call(std::move(request));
    if (reply.ok() && reply.as<Revision>() != nullptr) return use_update_revision(*reply.as<Revision>());
    if (reply.code != Code::already_exists) return fail(reply.code, "a revision could not be recorded");
    bool taken = false;
    if (const Next resolved = resolve_collision(revision, taken); !taken) return resolved;
    collisions_ = wrapping_sum(collisions_, 1);
    revision.meta.name = revision_name(set_->meta.name, suffix());
  }
}

Next Phases::resolve_collision(const Revision& wanted, bool& taken) {
  const Reply reply = call(request_for(Verb::get, Kind::revision, Reason::record_revision, wanted.meta.name));
  const Revision* held = reply.as<Revision>();
  if (!reply.ok() || held == nullptr) return fail(reply.code, "the revision that holds a name could not be read");
  const bool is_anothers = !rules_.reuses(*held, *set_);
  // What is the set's own stays in its history, also where it is never used again.
  if (is_anothers && !held->meta.controlled_by(set_->meta.uid))
    std::erase_if(listed_, [&](const Revision* own) { return own->meta.uid == held->meta.uid; });
  taken = is_anothers || !same(held->data.bytes, wanted.data.bytes);
  return taken ? Next::go_on : use_update_revision(*held);
}

/// A return to an earlier template makes its revision the newest again. The view stays what it is during a sync, so
/// that a conflict is tried again with the same version.
Next Phases::bump_revision(const Revision& held, std::int64_t number) {
  Reply reply;
  for (int attempt = 0; attempt < rules_.bump_attempts; ++attempt) {
    Revision bumped = held;
    bumped.number = number;
    Request request = request_for(Verb::update, Kind::revision, Reason::bump_revision, held.meta.name);
    request.body = std::move(bumped);
    request.version = held.meta.version;
    request.uid = held.meta.uid;
    reply = call(std::move(request));
    if (reply.code != Code::conflict) break;
  }
  const Revision* stored = reply.as<Revision>();
  if (!reply.ok() || stored == nullptr) return fail(reply.code, "a revision could not be made the newest");
  return use_update_revision(*stored);
}

Next Phases::use_update_revision(const Revision& update) {
  const Revision* listed = rules_.current_revision(listed_, set_->status.current_revision);
  const Revision& current = listed != nullptr ? *listed : update;
  update_name_ = &update.meta.name;
  current_name_ = &current.meta.name;
  update_template_ = update.data.decoded;
  current_template_ = current.data.decoded;
  if (!update_template_ || !current_template_) return fail(Code::ok, "the data of a revision cannot be read");
  return Next::go_on;
}

// --- history -----------------------------------------------------------------------------------------------------------

Next Phases::truncate_history() {
  if (set_->meta.terminating() && !rules_.records_while_deleting) return Next::go_on;
  const auto limit = set_->spec->revision_history_limit;
  if (rules_.surplus_revisions(listed_.size(), limit) == 0) return Next::go_on;
  mark_live();
  const auto unused = static_cast<std::size_t>(std::count(live_.begin(), live_.end(), char{false}));
  std::size_t surplus = rules_.surplus_revisions(unused, limit);
  if (surplus > listed_.size()) throw ControllerDied{};  // the list has never had room for so many
  for (std::size_t i = 0; i < listed_.size() && surplus > 0; ++i) {
    if (live_[i]) continue;
    if (delete_revision(*listed_[i]) == Next::fail) return Next::fail;
    --surplus;
  }
  if (surplus > 0) throw ControllerDied{};  // it reads past the end of the list, where there is room and nothing in it
  return Next::go_on;
}

Next Phases::delete_revision(const Revision& unused) {
  Request request = request_for(Verb::remove, Kind::revision, Reason::truncate_history, unused.meta.name);
  if (rules_.precondition == Precondition::uid) request.uid = unused.meta.uid;
  const Code reply = call(std::move(request)).code;
  const bool gone =
      reply == Code::ok || (reply == Code::not_found && rules_.missing_is_deleted(Reason::truncate_history, gates_));
  return gone ? Next::go_on : fail(reply, "an old revision could not be deleted");
}

/// When the choice of revisions failed, neither of them is known: then only the table may still protect them.
void Phases::mark_live() {
  live_.assign(listed_.size(), false);
  if (update_name_ != nullptr) keep(*update_name_);
  if (current_name_ != nullptr) keep(*current_name_);
  if (rules_.status_keeps_revisions && update_name_ == nullptr) {
    keep(set_->status.current_revision);
    keep(set_->status.update_revision);
    if (wanted_ != nullptr) keep(wanted_->meta.name);
  }
  for (const Text* label : labels_)
    if (label != nullptr && rules_.pods_keep_revisions) keep(*label);
}

void Phases::keep(const Text& name) {
  for (std::size_t i = 0; i < listed_.size(); ++i)
    if (listed_[i]->meta.name == name) live_[i] = true;
}

}  // namespace ordeal
