#include "properties/evidence/informed.h"

#include <algorithm>
#include <ranges>

#include "properties/evidence/before.h"
#include "properties/evidence/lookup.h"

namespace ordeal::properties {

namespace {

/// In the place of another one of its name, taken out, or added behind the others.
template <class T>
void put(std::vector<const T*>& list, const T* shown, const T* live) {
  const auto at = std::ranges::find(list, shown);
  if (at == list.end()) list.push_back(live);
  else if (live != nullptr) *at = live;
  else list.erase(at);
}

/// What is stored by a write that succeeded; null: nothing any more.
template <class T>
std::optional<const T*> made_by(const Call& call) {
  const T* stored = call.writes() && call.reply.ok() ? call.reply.as<T>() : nullptr;
  if (stored == nullptr) return std::nullopt;
  const bool is_gone = call.request.verb == Verb::remove && !stored->meta.terminating();
  return is_gone ? nullptr : stored;
}

/// The object as the answer to this call describes it; null: it is gone; nullopt: the answer says nothing of it. A
/// status that was written counts for all that is judged afterwards, any other write for the later calls of the turn
/// (`asked`) only.
template <class T>
std::optional<const T*> told_by(const Call& call, const Call* asked) {
  const Verb verb = call.request.verb;
  const bool adopts = verb == Verb::patch_owners && call.request.owner_patch().add;
  if (&call != asked && !adopts && (asked != nullptr || call.writes_status()))
    if (const auto made = made_by<T>(call)) return made;
  if (call.reply.code == Code::not_found && verb != Verb::create) return nullptr;
  if (call.request.partial) return stored_before<T>(call);
  const T* before = stored_before<T>(call);
  const OwnerReference* holder = before != nullptr ? before->meta.controller() : nullptr;
  const bool is_theft = holder != nullptr && adopts && holder->uid != call.request.owner_patch().add->uid;
  const bool shows = verb == Verb::get || (verb == Verb::patch_owners && !is_theft);
  const T* answered = shows && call.reply.ok() ? call.reply.as<T>() : nullptr;
  return answered != nullptr ? std::optional(answered) : std::nullopt;
}

template <class T>
bool is_news(const T* told, const T* shown) {
  return told != shown && (told == nullptr || shown == nullptr || told->meta.version != shown->meta.version);
}

/// The object is as the turn itself, in its last write of it, was answered that it left it: to read that back tells
/// nothing.
template <class T>
bool is_its_own(std::span<const Call> before, const Text& name, const T* told) {
  for (const Call& call : std::views::reverse(before)) {
    if (call.request.kind != kind_v<T> || call.request.name != name) continue;
    if (const auto made = made_by<T>(call)) return !is_news(told, *made);
  }
  return false;
}

/// It reads something that its turn was not shown, and did not make so itself.
bool reads_news(const Sync& sync, const Call& call) {
  return call.request.verb == Verb::get && with_type(call.request.kind, [&]<class T>(std::type_identity<T>) {
           const Text& name = call.request.name;
           const auto told = told_by<T>(call, nullptr);
           return told && is_news(*told, sync.seen.of<T>().find(name)) &&
                  !is_its_own(calls_until(sync, call), name, *told);
         });
}

}  // namespace

template <class T>
void Informed::put_over(Listing<T>& listing, const T* shown, const T* live) {
  auto& [all, by_name] = lists_.of<T>();
  if (listing.all.data() != all.data()) {
    all.assign(listing.all.begin(), listing.all.end());
    by_name.assign(listing.by_name.begin(), listing.by_name.end());
  }
  put(all, shown, live);
  put(by_name, shown, live);
  std::ranges::sort(by_name, {}, [](const T* held) -> const Text& { return held->meta.name; });
  listing = {all, by_name};
}

/// In the order in which it was told.
void Informed::gather(const Sync& sync, const Call* asked) {
  news_.clear();
  auto taken = sync.taken.begin();
  const auto take_until = [&](std::size_t calls) {
    for (; taken != sync.taken.end() && taken->calls < calls; ++taken) news_.push_back(taken->news);
  };
  for (std::size_t i = 0; i < sync.calls.size(); ++i) {
    const Call& call = sync.calls[i];
    take_until(i);
    with_type(call.request.kind, [&]<class T>(std::type_identity<T>) {
      const Text& name = call.request.name;
      const auto told = told_by<T>(call, asked);
      const bool finds = call.request.verb == Verb::get || call.failed();
      if (told && !(finds && is_its_own(sync.calls.first(i), name, *told))) news_.push_back({name, *told});
    });
    if (&call == asked) return;
  }
  take_until(sync.calls.size());
}

bool Informed::is_of(Kind kind, const News& piece) {
  return std::visit([&]<class T>(const T*) { return kind == kind_v<T>; }, piece.now);
}

/// Whether it is news.
bool Informed::learn(const News& piece) {
  return std::visit(
      [&]<class T>(const T* told) {
        Listing<T>& listing = sync_.seen.of<T>();
        const T* shown = listing.find(piece.name);
        if (!is_news(told, shown)) return false;
        put_over(listing, shown, told);
        return true;
      },
      piece.now);
}

/// Whether it is news.
template <class T>
bool Informed::recall(const Learnt& write, const Store<T>& store, Version reached, Listing<T>& listing) {
  const T* shown = listing.find(write.name);
  if (write.stored == Version::none) {
    if (shown == nullptr || shown->meta.uid != write.uid) return false;
    put_over<T>(listing, shown, nullptr);
    return true;
  }
  if (write.stored <= reached) return false;
  const auto at = std::ranges::lower_bound(store.log(), write.stored, {}, &Change<T>::version);
  if (at == store.log().end() || at->version != write.stored || at->after == nullptr) return false;
  put_over(listing, shown, at->after);
  return true;
}

const Sync* Informed::remembering(const Sync& sync, const Cluster& truth, std::span<const Learnt> learnt,
                                  std::optional<Kind> only) {
  sync_ = sync;
  View& seen = sync_.seen;
  bool news = false;
  for (const Learnt& piece : learnt) {
    if (only && piece.kind != *only) continue;
    const Version reached = seen.reached[static_cast<std::size_t>(piece.kind)];
    news |= with_type(piece.kind, [&]<class T>(std::type_identity<T>) {
      return recall(piece, truth.store<T>(), reached, sync_.seen.of<T>());
    });
  }
  return news ? &sync_ : nullptr;
}

bool teaches(const Call& call) {
  const bool is_gone =
      call.reply.code == Code::not_found && call.request.verb != Verb::create && call.request.uid != Uid::none;
  return !call.failed() || is_gone;
}

Learnt learnt_from(const Call& call) {
  Learnt write{.kind = call.request.kind, .name = call.request.name};
  with_type(call.request.kind, [&]<class T>(std::type_identity<T>) {
    const T* stored = call.reply.as<T>();
    if (stored == nullptr) return;
    write.uid = stored->meta.uid;
    if (call.request.verb != Verb::remove || stored->meta.terminating()) write.stored = stored->meta.version;
  });
  if (write.uid == Uid::none) write.uid = call.request.uid;
  return write;
}

bool Sync::has_read_news() const { return has_read_news(calls); }

bool Sync::has_read_news(std::span<const Call> until) const {
  return std::ranges::any_of(until, [&](const Call& call) { return reads_news(*this, call); });
}

}  // namespace ordeal::properties
