#include "properties/trial/informed.h"

#include <algorithm>

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

}  // namespace

/// Whether the answer is news.
template <class T>
bool Informed::learn(const Call& read, Listing<T>& listing) {
  const T* live = read.reply.as<T>();
  const T* shown = listing.find(read.request.name);
  if (live == nullptr && read.reply.code != Code::not_found) return false;
  if (live == shown || (live != nullptr && shown != nullptr && live->meta.version == shown->meta.version)) return false;
  auto& [all, by_name] = std::get<Lists<T>>(lists_);
  if (listing.all.data() != all.data()) {
    all.assign(listing.all.begin(), listing.all.end());
    by_name.assign(listing.by_name.begin(), listing.by_name.end());
  }
  put(all, shown, live);
  put(by_name, shown, live);
  std::ranges::sort(by_name, {}, [](const T* held) -> const Text& { return held->meta.name; });
  listing = {all, by_name};
  return true;
}

const Sync* Informed::of(const Sync& sync) {
  if (std::ranges::none_of(sync.calls, [](const Call& call) { return call.request.verb == Verb::get; })) return nullptr;
  sync_ = sync;
  bool news = false;
  for (const Call& call : sync.calls) {
    if (call.request.verb != Verb::get) continue;
    switch (call.request.kind) {
      case Kind::set: news |= learn(call, sync_.seen.sets); break;
      case Kind::pod: news |= learn(call, sync_.seen.pods); break;
      case Kind::claim: news |= learn(call, sync_.seen.claims); break;
      case Kind::revision: news |= learn(call, sync_.seen.revisions); break;
    }
  }
  return news ? &sync_ : nullptr;
}

}  // namespace ordeal::properties
