// How revisions are named and labelled, and collisions of names counted.
#include <algorithm>
#include <string>

#include "core/api/names.h"
#include "properties/evidence/history.h"
#include "properties/evidence/lookup.h"
#include "properties/invariants/recorded.h"
#include "properties/invariants/revisions.h"
#include "properties/invariants/words.h"
#include "properties/scenario/counted.h"

namespace ordeal::properties::revisions {
namespace {

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

}  // namespace

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

}  // namespace ordeal::properties::revisions
