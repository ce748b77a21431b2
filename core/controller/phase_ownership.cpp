// Whose are the pods and the revisions: semantics.md 3. Adoption asks the API server first whether the set still lives;
// nothing is worked on while ownership is in doubt.
#include <algorithm>

#include "core/controller/decisions.h"
#include "core/controller/phases.h"

namespace ordeal {

namespace {

Request patch_owners(Kind kind, Reason reason, const ObjectMeta& meta) {
  Request request;
  request.verb = Verb::patch_owners;
  request.kind = kind;
  request.reason = reason;
  request.name = meta.name;
  return request;
}

Request adoption(Kind kind, Reason reason, const ObjectMeta& orphan, const ObjectMeta& set) {
  Request request = patch_owners(kind, reason, orphan);
  request.body = OwnerPatch{decide::controlled_by(set), std::nullopt, orphan.uid};
  return request;
}

}  // namespace

/// The set's own revisions and those of nobody, which it adopts.
void Phases::list_revisions() {
  listed_.clear();
  for (const Revision* revision : seen_->revisions.all) {
    const OwnerReference* owner = revision->meta.controller();
    if (owner != nullptr && owner->uid != set_->meta.uid) continue;
    if (set_->spec->selector.matches(revision->meta.labels.get())) listed_.push_back(revision);
  }
}

/// After all that is to be adopted was, oldest first.
void Phases::list_revisions_again() {
  if (has_moved(Kind::revision)) list_revisions();
  if (!std::is_sorted(listed_.begin(), listed_.end(), rules_.precedes))
    std::sort(listed_.begin(), listed_.end(), rules_.precedes);
}

Next Phases::adopt_revisions() {
  if (set_->meta.terminating() && !rules_.records_while_deleting) return Next::go_on;
  const auto is_orphan = [](const Revision* revision) { return revision->meta.controller() == nullptr; };
  const bool any = std::any_of(listed_.begin(), listed_.end(), is_orphan);
  for (const Revision* revision : listed_) {
    const bool tries = is_orphan(revision) || (any && rules_.adopts_owned_revisions);
    if (tries && adopt_revision(*revision) == Next::fail) return Next::fail;
  }
  return Next::go_on;
}

Next Phases::adopt_revision(const Revision& orphan) {
  if (confirm_set(rules_.confirms_revisions) == Next::fail) return Next::fail;
  if (orphan.meta.controller() != nullptr) return fail(Code::ok, "a revision that is owned was to be adopted");
  const Reply reply = call(adoption(Kind::revision, Reason::adopt_revision, orphan.meta, set_->meta));
  return reply.ok() ? Next::go_on : fail(reply.code, "a revision could not be adopted");
}

/// All pods are tried before a failure ends the sync.
Next Phases::claim_pods() {
  if (!rules_.confirms_once) confirmed_.reset();
  pods_.assign(seen_->pods.all.begin(), seen_->pods.all.end());
  Next outcome = Next::go_on;
  bool orphans_wait = false;
  const auto try_pod = [&](const Pod& pod) {
    if (claim_pod(pod) == Next::fail) outcome = Next::fail;
  };
  for (const Pod* pod : pods_) {
    const bool waits = rules_.own_pods_first && pod->meta.controller() == nullptr;
    orphans_wait |= waits;
    if (!waits) try_pod(*pod);
  }
  if (!orphans_wait) return outcome;
  for (const Pod* pod : pods_)
    if (pod->meta.controller() == nullptr) try_pod(*pod);
  return outcome;
}

Next Phases::claim_pod(const Pod& pod) {
  const Member parsed = parse_member(pod.meta.name);
  Fit fit;
  fit.named = parsed.parent == set_->meta.name.view();
  fit.member = rules_.is_member(set_->meta.name, pod.meta.name, parsed);
  fit.selected = set_->spec->selector.matches(pod.meta.labels.get());
  switch (rules_.claiming(set_->meta, pod.meta, fit)) {
    case Claiming::ignore: return Next::go_on;
    case Claiming::keep: label_of(pod); return Next::go_on;
    case Claiming::release: return release_pod(pod);
    case Claiming::adopt:
      if (const Next adopted = adopt_pod(pod); adopted != Next::go_on) return adopted;
      break;
    case Claiming::claim: break;
  }
  look_at(pod, parsed.ordinal);
  return Next::go_on;
}

/// `stop`: the pod is gone, there is nothing to adopt.
Next Phases::adopt_pod(const Pod& orphan) {
  if (confirm_set(rules_.confirms) == Next::fail) return Next::fail;
  const Reply reply = call(adoption(Kind::pod, Reason::adopt_pod, orphan.meta, set_->meta));
  if (reply.code == Code::not_found) return Next::stop;
  return reply.ok() ? Next::go_on : fail(reply.code, "a pod could not be adopted");
}

Next Phases::release_pod(const Pod& pod) {
  Request request = patch_owners(Kind::pod, Reason::release_pod, pod.meta);
  request.body = OwnerPatch{std::nullopt, set_->meta.uid, pod.meta.uid};
  const Code reply = call(std::move(request)).code;
  return rules_.released(reply) ? Next::go_on : fail(reply, "a pod could not be released");
}

/// A cache may not know yet that the set is gone, or another one of its name.
Next Phases::confirm_set(bool (*confirms)(const StatefulSet& seen, const StatefulSet& live)) {
  if (!confirmed_) {
    Request request;
    request.verb = Verb::get;
    request.kind = Kind::set;
    request.reason = Reason::confirm_set;
    request.name = set_->meta.name;
    const Reply reply = call(std::move(request));
    const StatefulSet* live = reply.as<StatefulSet>();
    const bool lives = reply.ok() && live != nullptr && confirms(*set_, *live);
    confirmed_ = reply.ok() && !lives ? Code::conflict : reply.code;
  }
  return *confirmed_ == Code::ok ? Next::go_on : fail(*confirmed_, "the set may not adopt: it is gone or going");
}

}  // namespace ordeal
