#include "properties/invariants/events.h"

#include <algorithm>
#include <ranges>
#include <span>

#include "properties/evidence/history.h"
#include "properties/evidence/lookup.h"
#include "properties/invariants/words.h"

namespace ordeal::properties::events {
namespace {

bool is_of_a_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
}

/// As a word of its own: "data-web-1" does not name web-1, nor does "web-10".
bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_of_a_name(text[at - 1]), ends = end == text.size() || !is_of_a_name(text[end]);
    if (begins && ends) return true;
  }
  return false;
}

bool names(const Event& event, const Text& object) { return event.about == object || has_word(event.message, object); }

/// What it recorded; null when nobody knows, or the turn did not come to its end.
const std::vector<Event>* recorded_in(const Sync& sync) {
  const bool is_known = sync.result.events && !sync.died && !sync.endless;
  return is_known ? &*sync.result.events : nullptr;
}

bool is_about_a_pod_or_claim(const Call& call) {
  return call.request.kind == Kind::pod || call.request.kind == Kind::claim;
}

bool makes_or_deletes_a_pod(const Call& call) {
  if (call.failed() || call.request.kind != Kind::pod) return false;
  if (call.request.verb == Verb::remove) return call.pod_before == nullptr || !call.pod_before->meta.terminating();
  return call.request.verb == Verb::create;
}

bool is_refused(const Call& call) {
  const bool makes = call.request.verb == Verb::create && is_about_a_pod_or_claim(call);
  return makes && (call.reply.code == Code::forbidden || call.reply.code == Code::invalid);
}

/// It happened, whatever was answered, or there was nothing left to be done.
bool was_done(const Call& call, Verb verb) {
  if (call.request.verb != verb || !is_about_a_pod_or_claim(call)) return false;
  return !call.failed() || call.committed || (verb == Verb::remove && call.reply.code == Code::not_found);
}

/// What it says was done, if it says so in the words of Kubernetes' controllers.
std::optional<Verb> done_as_told(const Event& event) {
  if (event.warning) return std::nullopt;
  if (event.reason == "SuccessfulCreate") return Verb::create;
  if (event.reason == "SuccessfulDelete") return Verb::remove;
  return std::nullopt;
}

/// Some pod or claim is named that the turn asked about or was shown.
bool names_something(const Event& event, const Sync& sync) {
  const auto is_named = [&](const auto* object) { return names(event, object->meta.name); };
  const auto is_named_by = [&](const Call& call) {
    return is_about_a_pod_or_claim(call) && names(event, call.request.name);
  };
  return std::ranges::any_of(sync.calls, is_named_by) || std::ranges::any_of(sync.seen.pods.all, is_named) ||
         std::ranges::any_of(sync.seen.claims.all, is_named);
}

/// The first from there on that is so, and then from the beginning: events mostly come in the order of the calls that
/// they tell of, and of both there may be ten thousand. Null: none is.
template <class T, class Is>
const T* next_from(std::span<const T> all, std::size_t& from, Is is) {
  for (std::size_t n = 0; n < all.size(); ++n) {
    const std::size_t at = (from + n) % all.size();
    if (!is(all[at])) continue;
    from = at + 1;
    return &all[at];
  }
  return nullptr;
}

bool is_true(const Event& event, Verb verb, const Sync& sync, std::size_t& from) {
  if (next_from(sync.calls, from,
                [&](const Call& call) { return was_done(call, verb) && names(event, call.request.name); }) != nullptr)
    return true;
  const bool did_any = std::ranges::any_of(sync.calls, [&](const Call& call) { return was_done(call, verb); });
  return did_any && !names_something(event, sync);
}

std::string_view past_of(Verb verb) { return verb == Verb::create ? "created" : "deleted"; }

std::string quoted(const Event& event) { return words(event.reason, " \"", event.message, "\""); }

}  // namespace

Judgement tells_of_pods(const Moment& m) {
  const auto* recorded = recorded_in(*m.sync);
  if (recorded == nullptr || m.sync->result.failed) return Judgement::not_applicable();
  bool applies = false;
  std::size_t from = 0;
  for (const Call& call : m.sync->calls | std::views::filter(makes_or_deletes_a_pod)) {
    applies = true;
    const auto names_it = [&](const Event& event) { return names(event, call.request.name); };
    if (next_from(std::span(*recorded), from, names_it) == nullptr)
      return Judgement::broken(
          words("pod ", call.request.name, " was ", past_of(call.request.verb), ", and no event of the turn names it"));
  }
  return applies ? Judgement::held() : Judgement::not_applicable();
}

Judgement tells_of_refusals(const Moment& m) {
  const auto* recorded = recorded_in(*m.sync);
  const auto refused = std::ranges::find_if(m.sync->calls, is_refused);
  if (recorded == nullptr || refused == m.sync->calls.end()) return Judgement::not_applicable();
  return Judgement::of(std::ranges::any_of(*recorded, &Event::warning), [&] {
    return words(name_of(refused->request.kind), " ", refused->request.name, " was refused (",
                 name_of(refused->reply.code), "), and no event of type Warning was recorded in the turn");
  });
}

Judgement tells_what_was_done(const Moment& m) {
  const auto* recorded = recorded_in(*m.sync);
  if (recorded == nullptr) return Judgement::not_applicable();
  bool applies = false;
  std::size_t from = 0;
  for (const Event& event : *recorded) {
    const auto verb = done_as_told(event);
    if (!verb) continue;
    applies = true;
    if (!is_true(event, *verb, *m.sync, from))
      return Judgement::broken(words("the event ", quoted(event), " was recorded, and nothing of that name was ",
                                     past_of(*verb), " in the turn"));
  }
  return applies ? Judgement::held() : Judgement::not_applicable();
}

/// A warning may come again for as long as there is reason for it.
Judgement told_once(const Moment& m) {
  const auto* recorded = recorded_in(*m.sync);
  const Sync* last = last_turn(m);
  if (recorded == nullptr || last == nullptr || !last->result.events) return Judgement::not_applicable();
  const Sync& sync = *m.sync;
  if (sync.result.failed || sync.wrote() || sync.has_read_news() || !saw_the_same_as_before(m))
    return Judgement::not_applicable();
  const auto again = std::ranges::find_if(*recorded, [&](const Event& event) {
    return !event.warning && std::ranges::find(*last->result.events, event) != last->result.events->end();
  });
  return Judgement::of(again == recorded->end(), [&] {
    return words("the event ", quoted(*again), " was recorded in the turn before, too, and nothing has changed since");
  });
}

}  // namespace ordeal::properties::events
