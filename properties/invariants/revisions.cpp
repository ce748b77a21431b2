#include "properties/invariants/revisions.h"

#include <algorithm>
#include <charconv>

#include "core/api/names.h"
#include "properties/evidence/history.h"
#include "properties/evidence/lookup.h"
#include "properties/invariants/recorded.h"
#include "properties/invariants/words.h"

namespace ordeal::properties::revisions {
namespace {

/// By a controller that writes the template in other bytes than the newest revision holds: an encoder of another age.
bool wrote_in_other_bytes(const Moment& m, const Revision& newest) {
  return std::ranges::any_of(m.sync->calls, [&](const Call& call) {
    return call.is(Verb::create, Kind::revision) && !same(call.request.revision().data.bytes, newest.data.bytes);
  });
}

/// A hash label that reads as a number of 32 bits is compared as one, and unequal numbers hide equal data.
bool is_number(const Text* hash) {
  if (hash == nullptr) return false;
  const std::string_view text = hash->view();
  std::int32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}
bool hidden_by_hashes(const Revision& a, const Revision& b) {
  const Text *left = a.meta.label(label_revision_hash), *right = b.meta.label(label_revision_hash);
  return is_number(left) && is_number(right) && *left != *right;
}

std::int64_t highest_number(const Facts& facts) { return facts.history.empty() ? 0 : facts.history.back()->number; }
std::int64_t number_after_all(const Facts& facts) { return wrapping_sum<std::int64_t>(highest_number(facts), 1); }

}  // namespace

// --- what is recorded, and when ----------------------------------------------------------------------------------------

Judgement data_immutable(const Moment& m) {
  const Request& request = m.call->request;
  const Revision* known = as_known<Revision>(*m.sync, calls_before(m), request.name, request.uid);
  if (known == nullptr) return Judgement::not_applicable();
  return Judgement::of(same(known->data.bytes, request.revision().data.bytes),
                       [&] { return words("the update of revision ", request.name, " gives it other data"); });
}

Judgement records_template(const Moment& m) {
  if (m.facts->set == nullptr) return Judgement::not_applicable();
  return Judgement::of(m.call->request.revision().data.holds(wanted(m)), [&] {
    return words("revision ", m.call->request.name, " was created with something else than the set's template");
  });
}

Judgement data_replaces(const Moment& m) {
  const Shared<std::string>& bytes = m.call->request.revision().data.bytes;
  if (bytes == nullptr) return Judgement::not_applicable();
  return Judgement::of(bytes->contains(R"("$patch":"replace")"), [&] {
    return words("the data of revision ", m.call->request.name,
                 " lacks \"$patch\":\"replace\": applied as a patch it leaves in a template what it does not name");
  });
}

Judgement recorded_once(const Moment& m) {
  if (m.facts->set == nullptr) return Judgement::not_applicable();
  const Revision& made = m.call->request.revision();
  for (const Revision* held : m.facts->history)
    if (same(held->data.bytes, made.data.bytes) && !hidden_by_hashes(*held, made))
      return Judgement::broken(words("revision ", m.call->request.name, " was created though ", held->meta.name,
                                     " holds the same template"));
  return Judgement::held();
}

Judgement same_meaning_same_revision(const Moment& m) {
  const Facts& facts = *m.facts;
  if (facts.set == nullptr || facts.history.empty() || !m.environment.gates.semantic_revisions)
    return Judgement::not_applicable();
  const Revision& newest = *facts.history.back();
  if (!newest.data.holds(wanted(m))) return Judgement::not_applicable();
  if (same_bytes(m, newest) ? !wrote_in_other_bytes(m, newest) : was_recorded(m)) return Judgement::not_applicable();
  return Judgement::of(creations(m.sync->calls) == 0, [&] {
    return words("a revision was created though the newest one, ", newest.meta.name, ", means the same");
  });
}

Judgement unchanged_template_writes_nothing(const Moment& m) {
  const Facts& facts = *m.facts;
  if (facts.set == nullptr || facts.history.empty() || !same_bytes(m, *facts.history.back()))
    return Judgement::not_applicable();
  for (const Call& call : m.sync->calls)
    if (call.is(Verb::create, Kind::revision) || call.is(Verb::update, Kind::revision)) {
      const Revision& written = call.request.revision();
      if (!same(written.data.bytes, facts.history.back()->data.bytes) && written.data.holds(wanted(m))) continue;
      if (call.is(Verb::create, Kind::revision) && hidden_by_hashes(*facts.history.back(), written)) continue;
      return Judgement::broken(words("revision ", call.request.name, " was written though the newest one, ",
                                     facts.history.back()->meta.name, ", holds the set's template"));
    }
  return Judgement::held();
}

Judgement one_per_template(const Moment& m) {
  const auto& [before, after, version] = *m.revision_change;
  if (before != nullptr || after == nullptr || m.history.touched_revisions) return Judgement::not_applicable();
  const OwnerReference* owner = after->meta.controller();
  if (owner == nullptr) return Judgement::not_applicable();
  for (const Revision* other : m.truth.revisions().live().all())
    if (other->meta.uid != after->meta.uid && other->meta.controlled_by(owner->uid) &&
        same(other->data.bytes, after->data.bytes))
      return Judgement::broken(words("revisions ", other->meta.name, " and ", after->meta.name, " of set ", owner->name,
                                     " hold the same template"));
  return Judgement::held();
}

// --- numbers -----------------------------------------------------------------------------------------------------------

Judgement new_number_is_next(const Moment& m) {
  if (m.facts->set == nullptr) return Judgement::not_applicable();
  const std::int64_t number = m.call->request.revision().number, next = number_after_all(*m.facts);
  return Judgement::of(number == next, [&] {
    return words("revision ", m.call->request.name, " was to be created with number ", number, " where ", next,
                 " is next");
  });
}

Judgement update_is_newest(const Moment& m) {
  const Facts& facts = *m.facts;
  if (facts.set == nullptr || facts.deleting) return Judgement::not_applicable();  // nothing is raised any more
  const Revision* update = as_known<Revision>(*m.sync, calls_before(m), m.call->request.status().update_revision);
  if (update == nullptr) return Judgement::not_applicable();
  // A revision found under a name that was taken keeps the number it has, low as it may be.
  const bool listed =
      std::ranges::any_of(facts.history, [&](const Revision* held) { return held->meta.uid == update->meta.uid; });
  const bool made = std::ranges::any_of(calls_before(m), [&](const Call& call) {
    return call.is(Verb::create, Kind::revision) && !call.failed() && call.request.name == update->meta.name;
  });
  if (!listed && !made) return Judgement::not_applicable();
  return Judgement::of(update->number >= highest_number(facts), [&] {
    return words("the update revision ", update->meta.name, " has number ", update->number, ", but ",
                 facts.history.back()->meta.name, " has ", highest_number(facts));
  });
}

Judgement return_becomes_newest(const Moment& m) {
  if (m.facts->set == nullptr) return Judgement::not_applicable();
  const std::int64_t number = m.call->request.revision().number, next = number_after_all(*m.facts);
  return Judgement::of(number == next, [&] {
    return words("revision ", m.call->request.name, " was given number ", number, " where ", next, " is next");
  });
}

Judgement only_returned_to_moves(const Moment& m) {
  if (m.facts->set == nullptr) return Judgement::not_applicable();
  const RevisionData& moved = m.call->request.revision().data;
  const Revision* youngest = nullptr;
  for (const Revision* held : m.facts->history)
    if (same(held->data.bytes, moved.bytes) && moved.holds(wanted(m))) youngest = held;
  return Judgement::of(youngest != nullptr && youngest->meta.name == m.call->request.name, [&] {
    return words("revision ", m.call->request.name, " was renumbered, ",
                 youngest != nullptr ? "but the youngest with the set's template is " + youngest->meta.name.str()
                                     : std::string("but no revision holds the set's template"));
  });
}

Judgement number_never_lowered(const Moment& m) {
  const Revision* known = m.sync->seen.revisions.find(m.call->request.name);
  if (known == nullptr) return Judgement::not_applicable();
  const std::int64_t number = m.call->request.revision().number;
  return Judgement::of(number >= known->number, [&] {
    return words("the number of revision ", m.call->request.name, " was lowered from ", known->number, " to ", number);
  });
}

Judgement update_changes_number_only(const Moment& m) {
  const Revision& sent = m.call->request.revision();
  const auto unchanged = [&](const Revision* held) {
    return held != nullptr && same(held->data.bytes, sent.data.bytes) && same(held->meta.owners, sent.meta.owners) &&
           alike(held->meta.labels, sent.meta.labels) && alike(held->meta.annotations, sent.meta.annotations);
  };
  const Revision* shown = m.sync->seen.revisions.find(m.call->request.name);
  const Revision* known = as_known<Revision>(*m.sync, calls_before(m), m.call->request.name);
  if (known == nullptr) return Judgement::not_applicable();
  return Judgement::of(unchanged(shown) || unchanged(known), [&] {
    return words("the update of revision ", m.call->request.name, " changes more than its number");
  });
}

Judgement update_number_never_falls(const Moment& m) {
  const auto& [before, after, version] = *m.set_change;
  if (before == nullptr || after == nullptr || before->meta.uid != after->meta.uid) return Judgement::not_applicable();
  if (after->meta.terminating()) return Judgement::not_applicable();
  if (!leaves_revisions_alone(m.history)) return Judgement::not_applicable();
  if (m.history.set_recreated) return Judgement::not_applicable();  // revisions of an earlier set keep their numbers
  const Text &from = before->status.update_revision, &to = after->status.update_revision;
  if (from == to) return Judgement::not_applicable();
  const Revision *old = m.truth.revisions().find(from), *now = m.truth.revisions().find(to);
  if (old == nullptr || now == nullptr) return Judgement::not_applicable();
  return Judgement::of(now->number > old->number, [&] {
    return words("the update revision went from ", from, " (number ", old->number, ") to ", to, " (number ",
                 now->number, ")");
  });
}

}  // namespace ordeal::properties::revisions
