#include "properties/invariants/revisions.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "core/api/names.h"
#include "properties/evidence/history.h"
#include "properties/evidence/lookup.h"
#include "properties/evidence/removal.h"
#include "properties/evidence/turn.h"
#include "properties/evidence/waits.h"
#include "properties/invariants/words.h"
#include "properties/scenario/counted.h"

namespace ordeal::properties::revisions {
namespace {

/// In the very bytes that this controller writes.
bool same_bytes(const Moment& m, const Revision& held) { return same(held.data.bytes, m.facts->template_bytes); }
const PodTemplate& wanted(const Moment& m) { return *m.facts->set->spec->pod_template; }

/// Some revision holds the template in its very bytes: it is preferred to a newer one that only means the same, and
/// that is a return.
bool was_recorded(const Moment& m) {
  return std::ranges::any_of(m.facts->history, [&](const Revision* held) { return same_bytes(m, *held); });
}

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

std::int32_t creations(std::span<const Call> calls) {
  return static_cast<std::int32_t>(
      std::ranges::count_if(calls, [](const Call& call) { return call.is(Verb::create, Kind::revision); }));
}

/// Whether the sync, before `calls` ended, asked to delete the revision, and was not refused.
bool was_deleted(std::span<const Call> calls, const Text& name) {
  return std::ranges::any_of(calls, [&](const Call& call) {
    const bool refused = call.failed() && call.reply.code != Code::not_found;
    return call.is(Verb::remove, Kind::revision) && call.request.name == name && !refused;
  });
}

std::uint32_t fnv1(std::string_view bytes, std::uint32_t hash = 2166136261u) {
  for (const char byte : bytes) hash = (hash * 16777619u) ^ static_cast<unsigned char>(byte);
  return hash;
}
/// Data never changes, and mostly it is asked about as often as there are checks: the last answer is kept.
std::uint32_t hash_of(const Shared<std::string>& data) {
  thread_local Shared<std::string> last;
  thread_local std::uint32_t hash = 0;
  if (last != data) hash = fnv1(*(last = data));
  return hash;
}
/// FNV-1 over data and collision count, its decimal digits spelt in ten letters and digits that make no words.
std::string suffix_of(const Shared<std::string>& data, std::int32_t collisions) {
  std::string suffix = std::to_string(fnv1(std::to_string(collisions), hash_of(data)));
  for (char& digit : suffix) digit = "456789bcdf"[digit - '0'];
  return suffix;
}
std::int32_t collisions_seen(const Moment& m) { return m.facts->set->status.collision_count.value_or(0); }
Text name_after(const Moment& m, const Shared<std::string>& data, std::int32_t collisions) {
  return words(m.facts->set->meta.name.view().substr(0, 223), "-", suffix_of(data, collisions));
}
/// How many names were taken, as answers told: of all, and without those that turned out to be free all the same, for
/// whoever looked.
struct Collisions {
  std::int32_t told = 0, proven = 0;
};
/// After a refusal because the name is taken: a look found nothing there, or the very same request then succeeded.
bool was_free_after_all(const Sync& sync, const Call& refused) {
  return std::ranges::any_of(calls_after(sync, refused), [&](const Call& later) {
    if (later.request.kind != Kind::revision || later.request.name != refused.request.name) return false;
    const bool found_nothing = later.request.verb == Verb::get && later.reply.code == Code::not_found;
    return found_nothing || (later.request.verb == Verb::create && !later.failed());
  });
}
bool was_refused_a_name(const Call& call) {
  return call.is(Verb::create, Kind::revision) && call.reply.code == Code::already_exists;
}
/// A look at whoever holds the name shows that it was recorded before.
bool holds_the_same(const Sync& sync, const Call& creation) {
  return std::ranges::any_of(calls_after(sync, creation), [&](const Call& look) {
    const Revision* held = look.is(Verb::get, Kind::revision) ? look.reply.as<Revision>() : nullptr;
    return held != nullptr && held->meta.name == creation.request.name &&
           same(held->data.bytes, creation.request.revision().data.bytes);
  });
}
/// Of those calls the last that looked for a name has found one.
Collisions collisions_met(const Moment& m, std::span<const Call> calls) {
  const auto was_taken = [&](const Call& call) {
    return was_refused_a_name(call) && !was_free_after_all(*m.sync, call) && !holds_the_same(*m.sync, call);
  };
  const auto more = [&](auto counts) {
    return wrapping_sum(collisions_seen(m), static_cast<std::int32_t>(std::ranges::count_if(calls, counts)));
  };
  return {.told = more(was_refused_a_name), .proven = more(was_taken)};
}
/// With those that the cache shows besides, to whoever does not ask in vain for a name for `data`.
std::int32_t collisions_shown(const Moment& m, std::int32_t told, const Shared<std::string>& data) {
  std::int32_t shown = told;
  const auto is_shown_taken = [&] {
    const Revision* held = data != nullptr ? m.sync->seen.revisions.find(name_after(m, data, shown)) : nullptr;
    return held != nullptr && !same(held->data.bytes, data);
  };
  while (is_shown_taken()) shown = wrapping_sum(shown, 1);
  return shown;
}
/// Up to the last attempt to create a revision, which may have been answered that the very data are there.
std::span<const Call> before_last_creation(std::span<const Call> calls) {
  while (!calls.empty() && !calls.back().is(Verb::create, Kind::revision)) calls = calls.first(calls.size() - 1);
  return calls.first(calls.empty() ? 0 : calls.size() - 1);
}

/// A deletion of one of the set's revisions whose use is known: what pruning is judged by.
const Revision* pruned(const Moment& m) {
  if (m.facts->set == nullptr || m.facts->update == nullptr || choice_failed(*m.sync, calls_before(m))) return nullptr;
  const auto at = std::ranges::find_if(m.facts->history,
                                       [&](const Revision* held) { return held->meta.name == m.call->request.name; });
  return at == m.facts->history.end() ? nullptr : *at;
}

/// A pod is at it, or the status that was shown names it.
bool is_needed(const Facts& facts, const Revision& held) {
  const StatefulSetStatus& told = facts.set->status;
  return facts.is_live(held) || held.meta.name == told.current_revision || held.meta.name == told.update_revision;
}

const Text* revision_label_of(const Pod& pod) { return pod.meta.label(label_revision); }

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
  if (m.history.set_recreated) return Judgement::not_applicable();  // revisions of an earlier set keep their numbers
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
  if (!m.history.undisturbed() || m.history.touched_revisions) return Judgement::not_applicable();
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

// --- names and labels --------------------------------------------------------------------------------------------------

Judgement named_by_content(const Moment& m) {
  const Revision& made = m.call->request.revision();
  if (m.facts->set == nullptr || made.data.bytes == nullptr) return Judgement::not_applicable();
  const Collisions met = collisions_met(m, calls_before(m));
  const auto is_named_after = [&](std::int32_t collisions) {
    return m.call->request.name == name_after(m, made.data.bytes, collisions);
  };
  const Text expected = name_after(m, made.data.bytes, met.told);
  const bool fine = m.call->request.name == expected || is_named_after(met.proven) ||
                    is_named_after(collisions_shown(m, met.told, made.data.bytes));
  return Judgement::of(fine, [&] {
    return words("revision ", m.call->request.name, " should be called ", expected, " (", met.told, " collisions)");
  });
}

/// By a revision that is no set's, or another one's: to take the next name then is as good as to use what is not one's
/// own.
bool is_held_by_another(const Moment& m, const Text& name, Uid set) {
  const Revision* held = m.truth.revisions().find(name);
  return held != nullptr && !held->meta.controlled_by(set);
}

Judgement same_template_same_name(const Moment& m) {
  const auto& [before, after, version] = *m.revision_change;
  if (before != nullptr || after == nullptr || m.history.touched_revisions) return Judgement::not_applicable();
  const OwnerReference* owner = after->meta.controller();
  if (owner == nullptr) return Judgement::not_applicable();
  for (const Change<Revision>& earlier : m.truth.revisions().log()) {
    if (earlier.version == version) break;
    if (earlier.before != nullptr || !same(earlier.after->data.bytes, after->data.bytes)) continue;
    const OwnerReference* its_owner = earlier.after->meta.controller();
    if (its_owner == nullptr || its_owner->uid != owner->uid || earlier.after->meta.name == after->meta.name) continue;
    if (is_held_by_another(m, earlier.after->meta.name, owner->uid)) continue;
    return Judgement::broken(
        words("the template of revision ", earlier.after->meta.name, " was recorded again as ", after->meta.name));
  }
  return Judgement::held();
}

namespace {

/// A look after the last attempt to create a revision showed that the name is held by what is not the set's to use. Who
/// counts that first takes the next name in a later turn.
bool last_name_is_a_strangers(const Moment& m) {
  const std::span<const Call> calls = calls_before(m);
  const std::span<const Call> since = calls.subspan(before_last_creation(calls).size());
  if (since.empty() || !was_refused_a_name(since.front())) return false;
  return std::ranges::any_of(since, [&](const Call& look) {
    const Revision* held = look.is(Verb::get, Kind::revision) ? look.reply.as<Revision>() : nullptr;
    return held != nullptr && held->meta.name == since.front().request.name &&
           !held->meta.controlled_by(m.facts->set->meta.uid);
  });
}

}  // namespace

Judgement collisions_counted(const Moment& m) {
  if (m.facts->set == nullptr) return Judgement::not_applicable();
  const Collisions met = collisions_met(m, before_last_creation(calls_before(m)));
  const std::int32_t written = m.call->request.status().collision_count.value_or(0);
  const bool counts_the_last = last_name_is_a_strangers(m) && written == collisions_met(m, calls_before(m)).proven;
  const bool fine = counts_the_last || written == met.told || written == met.proven ||
                    written == collisions_shown(m, met.told, m.facts->template_bytes);
  return Judgement::of(fine, [&] {
    return words("status.collisionCount was written as ", written, " after ", met.told, " collisions");
  });
}

Judgement collision_count_never_falls(const Moment& m) {
  const StatefulSet* set = m.facts->set;
  if (set == nullptr) return Judgement::not_applicable();
  const StatefulSet* known = as_known<StatefulSet>(*m.sync, calls_before(m), set->meta.name);
  const bool is_anothers = known == nullptr || known->meta.uid != set->meta.uid;  // one of its name begins anew
  if (is_anothers) return Judgement::not_applicable();
  const std::int32_t was = set->status.collision_count.value_or(0);
  const std::int32_t is = m.call->request.status().collision_count.value_or(0);
  return Judgement::of(is >= was, [&] { return words("a status lowers collisionCount from ", was, " to ", is); });
}

/// The hash is a part of the name, between dashes: names of one's own make have it where they like.
bool has_part(std::string_view name, std::string_view hash) {
  return !hash.empty() && ("-" + std::string(name) + "-").contains("-" + std::string(hash) + "-");
}

/// This turn has asked for a revision with that hash in its name: this one, or the one before a collision.
bool was_asked_for(const Moment& m, const Text& hash) {
  const auto asks = [&](const Call& call) {
    return call.is(Verb::create, Kind::revision) && has_part(call.request.name.view(), hash.view());
  };
  return asks(*m.call) || std::ranges::any_of(calls_before(m), asks);
}

Judgement labels(const Moment& m) {
  const Revision& made = m.call->request.revision();
  if (m.facts->set == nullptr || made.data.bytes == nullptr) return Judgement::not_applicable();
  for (const auto& [key, value] : wanted(m).labels)
    if (key != label_revision_hash && (!made.meta.labels || !made.meta.labels->has(key, value)))
      return Judgement::broken(words("revision ", m.call->request.name, " lacks the template's label ", key));
  for (const auto& [key, value] : made.meta.labels ? *made.meta.labels : StringMap())
    if (wanted(m).labels.find(key) == nullptr && is_of_the_set(m.facts->set->meta.labels, key, value))
      return Judgement::broken(words("revision ", m.call->request.name, " has the label ", key,
                                     ", which is the set's and not its template's"));
  const Text* hash = made.meta.label(label_revision_hash);
  // After a collision the name has a new suffix, while the label may keep the first one.
  const std::int32_t collisions_since = wrapping_sum(collisions_seen(m), creations(calls_before(m)));
  const bool known =
      hash != nullptr && (*hash == suffix_of(made.data.bytes, collisions_seen(m)) ||
                          *hash == suffix_of(made.data.bytes, collisions_since) || was_asked_for(m, *hash));
  return Judgement::of(known, [&] {
    return words("revision ", m.call->request.name, " has the hash label ", hash ? hash->view() : "(none)", ", not ",
                 suffix_of(made.data.bytes, collisions_seen(m)));
  });
}

Judgement annotations(const Moment& m) {
  if (m.facts->set == nullptr) return Judgement::not_applicable();
  const auto &wanted = m.facts->set->meta.annotations, &given = m.call->request.revision().meta.annotations;
  const auto is_missing = [&](const StringMap::Entry& entry) {
    return given == nullptr || !given->has(entry.first, entry.second);
  };
  const Text* missing = nullptr;
  if (wanted != nullptr)
    if (const auto at = std::ranges::find_if(*wanted, is_missing); at != wanted->end()) missing = &at->first;
  return Judgement::of(missing == nullptr, [&] {
    return words("revision ", m.call->request.name, " does not carry the annotation ", *missing, " of its set");
  });
}

// --- what is kept ------------------------------------------------------------------------------------------------------

Judgement pruned_beyond_limit(const Moment& m) {
  if (pruned(m) == nullptr) return Judgement::not_applicable();
  const std::int32_t limit = history_limit_of(*m.facts->set);
  std::int64_t unused = 0;
  for (const Revision* held : m.facts->history)
    if (!m.facts->is_live(*held) && !was_deleted(calls_before(m), held->meta.name)) ++unused;
  return Judgement::of(limit >= 0 && unused > limit, [&] {
    return words("revision ", m.call->request.name, " was deleted with ", counted(unused, "unused revision"),
                 " left and a limit of ", limit);
  });
}

namespace {

/// It was asked for, and what became of it may not be known.
bool was_to_go(std::span<const Call> calls, const Text& revision) {
  return std::ranges::any_of(
      calls, [&](const Call& call) { return call.is(Verb::remove, Kind::revision) && call.request.name == revision; });
}

/// Somebody may take it for needed: it is, or a pod that was shown as the set's bears it, though it is released by now.
bool may_be_kept(const Moment& m, const Revision& held) {
  if (is_needed(*m.facts, held)) return true;
  return std::ranges::any_of(m.sync->seen.pods.all, [&](const Pod* pod) {
    const Text* label = revision_label_of(*pod);
    return label != nullptr && *label == held.meta.name && pod->meta.controlled_by(m.facts->set->meta.uid);
  });
}

}  // namespace

Judgement oldest_pruned_first(const Moment& m) {
  const Revision* gone = pruned(m);
  if (gone == nullptr || m.facts->is_live(*gone)) return Judgement::not_applicable();
  for (const Revision* held : m.facts->history) {
    if (held == gone) return Judgement::held();
    if (!may_be_kept(m, *held) && !was_to_go(calls_before(m), held->meta.name))
      return Judgement::broken(
          words("revision ", gone->meta.name, " was deleted before the older unused ", held->meta.name));
  }
  return Judgement::held();
}

Judgement prunes_the_incarnation(const Moment& m) {
  const Revision* seen = m.sync->seen.revisions.find(m.call->request.name);
  if (seen == nullptr) return Judgement::not_applicable();
  const bool named = m.call->request.uid == seen->meta.uid || m.call->request.version == seen->meta.version;
  return Judgement::of(named, [&] { return words("revision ", seen->meta.name, " was deleted by its name alone"); });
}

Judgement negative_limit_keeps_all(const Moment& m) {
  if (m.facts->set == nullptr || history_limit_of(*m.facts->set) >= 0) return Judgement::not_applicable();
  for (const Call& call : m.sync->calls)
    if (call.is(Verb::remove, Kind::revision))
      return Judgement::broken(words("revision ", call.request.name, " was deleted though revisionHistoryLimit is ",
                                     *m.facts->set->spec->revision_history_limit));
  return Judgement::held();
}

Judgement kept_for_pods(const Moment& m) {
  if (m.facts->set == nullptr) return Judgement::not_applicable();
  for (const Pod* pod : m.facts->claimed) {
    const Text* label = revision_label_of(*pod);
    if (label != nullptr && *label == m.call->request.name)
      return Judgement::broken(
          words("revision ", m.call->request.name, " was deleted while pod ", pod->meta.name, " is at it"));
  }
  return Judgement::held();
}

Judgement current_and_update_kept(const Moment& m) {
  if (pruned(m) == nullptr) return Judgement::not_applicable();
  const Text& name = m.call->request.name;
  if (name == m.facts->update_name) return Judgement::broken(words("the update revision ", name, " was deleted"));
  return Judgement::of(name != m.facts->current_name,
                       [&] { return words("the current revision ", name, " was deleted"); });
}

Judgement current_kept_on_errors(const Moment& m) {
  if (m.facts->set == nullptr || !choice_failed(*m.sync, m.sync->calls)) return Judgement::not_applicable();
  const StatefulSetStatus& told = m.facts->set->status;
  bool applied = false;
  for (const Text* name : {&told.current_revision, &told.update_revision}) {
    if (m.sync->seen.revisions.find(*name) == nullptr) continue;
    applied = true;
    if (was_deleted(m.sync->calls, *name))
      return Judgement::broken(
          words("revision ", *name, ", which the status names, was deleted after the newest could not be recorded"));
  }
  return applied ? Judgement::held() : Judgement::not_applicable();
}

Judgement limit_holds_on_errors(const Moment& m) {
  const Facts& facts = *m.facts;
  const std::span<const Call> before = calls_before(m);
  if (facts.set == nullptr || !choice_failed(*m.sync, before)) return Judgement::not_applicable();
  const Revision *gone = nullptr, *holds_template = nullptr;  // the youngest that does
  std::int64_t unused = 0;
  for (const Revision* held : facts.history) {
    if (held->meta.name == m.call->request.name) gone = held;
    if (same_bytes(m, *held)) holds_template = held;
    if (!is_needed(facts, *held) && !was_deleted(before, held->meta.name)) ++unused;
  }
  if (gone == nullptr) return Judgement::not_applicable();
  if (gone == holds_template || is_needed(facts, *gone))
    return Judgement::broken(words("revision ", gone->meta.name, ", which ",
                                   gone == holds_template ? "holds the set's template" : "is in use",
                                   ", was deleted after the newest could not be recorded"));
  const std::int32_t limit = history_limit_of(*facts.set);
  return Judgement::of(limit >= 0 && unused > limit, [&] {
    return words("revision ", m.call->request.name, " was deleted with ", counted(unused, "unused revision"),
                 " left and a limit of ", limit);
  });
}

namespace {

/// After a turn, one that failed or one that did not. `needed` says of a revision whether it may stay.
template <class Needed>
Judgement judge_limit(const Moment& m, Needed needed) {
  const Facts& facts = *m.facts;
  if (facts.set == nullptr || facts.deleting || m.sync->died) return Judgement::not_applicable();
  const std::int32_t limit = history_limit_of(*facts.set);
  if (limit < 0 || facts.history.size() <= static_cast<std::size_t>(limit)) return Judgement::not_applicable();
  std::int64_t unused = 0;
  for (const Revision* held : facts.history)
    if (!needed(*held) && !was_deleted(m.sync->calls, held->meta.name)) ++unused;
  return Judgement::of(unused <= limit,
                       [&] { return words(counted(unused, "unused revision"), " kept with a limit of ", limit); });
}
Judgement judge_limit(const Moment& m) {
  return judge_limit(m, [&](const Revision& held) { return m.facts->is_live(held); });
}

}  // namespace

Judgement history_within_limit(const Moment& m) {
  return m.facts->clean && !m.sync->wrote() ? judge_limit(m) : Judgement::not_applicable();
}

Judgement history_within_limit_in_each_turn(const Moment& m) {
  return m.facts->clean ? judge_limit(m) : Judgement::not_applicable();
}

Judgement history_within_limit_on_errors(const Moment& m) {
  if (!m.sync->result.failed || asks_at_once(*m.sync)) return Judgement::not_applicable();
  const Sync* last = last_turn(m);
  const bool last_failed_for_its_status = last != nullptr && std::ranges::any_of(last->calls, [](const Call& c) {
                                            return c.writes_status() && c.failed();
                                          });
  const auto comes_after_the_choice = [&](const Call& call) {
    if (!call.writes_status()) return is_work(*m.sync, call);
    // A conflict tells it that its view is old; and who writes the status first has done nothing else yet.
    return call.reply.code != Code::conflict && last_failed_for_its_status;
  };
  bool any = false;  // and nothing else, such as what the history is known by
  for (const Call& call : m.sync->calls) {
    if (!call.failed() && (!call.writes() || call.request.kind == Kind::revision)) continue;
    if (!call.failed() || !comes_after_the_choice(call))
      return Judgement::not_applicable();  // other work that was done is enough for a turn that fails
    any = true;
  }
  if (!any && !fails_for_a_place(m)) return Judgement::not_applicable();
  const auto prunes = [](const Call& call) { return call.is(Verb::remove, Kind::revision); };
  const bool prunes_one = std::ranges::any_of(m.sync->calls, prunes);  // which will do, turn by turn
  Judgement judged = judge_limit(m, [&](const Revision& held) { return may_be_kept(m, held); });
  if (judged.violation() != nullptr && prunes_one) return Judgement::held();
  return judged;
}

Judgement named_ones_exist(const Moment& m) {
  const auto& [before, after, version] = *m.set_change;
  if (before == nullptr || after == nullptr || after->meta.terminating()) return Judgement::not_applicable();
  if (before->status.update_revision == after->status.update_revision &&
      before->status.current_revision == after->status.current_revision)
    return Judgement::not_applicable();
  if (!m.history.undisturbed() || m.history.touched_revisions) return Judgement::not_applicable();
  for (const Text* name : {&after->status.update_revision, &after->status.current_revision})
    if (!name->empty() && m.truth.revisions().find(*name) == nullptr)
      return Judgement::broken(words("the status names revision ", *name, ", which does not exist"));
  return Judgement::held();
}

Judgement no_restart_without_change(const Moment& m) {
  const Removed removed = removed_by(m, *m.call);
  const bool for_update = removed.why == Removal::outdated || removed.why == Removal::current;
  if (!for_update || m.facts->deleting || removed.pod->meta.terminating()) return Judgement::not_applicable();
  const Text* label = revision_label_of(*removed.pod);
  if (label == nullptr || m.facts->history.empty()) return Judgement::not_applicable();
  // Only the newest revision is compared by meaning; a return to older bytes is a change.
  const Revision& newest = *m.facts->history.back();
  if (!same_bytes(m, newest) && was_recorded(m)) return Judgement::not_applicable();
  const bool holds = newest.meta.name == *label &&
                     (m.environment.gates.semantic_revisions ? newest.data.holds(wanted(m)) : same_bytes(m, newest));
  return Judgement::of(!holds, [&] {
    return words("pod ", removed.pod->meta.name, " was deleted though its revision ", *label,
                 " holds the set's template");
  });
}

}  // namespace ordeal::properties::revisions
