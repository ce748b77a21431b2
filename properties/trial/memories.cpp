#include "properties/trial/memories.h"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

namespace ordeal::properties {

namespace {

bool shows(const View& seen, const Told::Versions& written) {
  for (std::size_t kind = 0; kind < kind_count; ++kind)
    if (seen.reached[kind] < written[kind]) return false;
  return true;
}

/// Nobody waits for removals, and what is released is nobody's business any more.
bool is_awaited(const Request& request) {
  if (request.verb == Verb::get || request.verb == Verb::remove || request.kind == Kind::revision) return false;
  return request.verb != Verb::patch_owners || !request.owner_patch().remove;
}

void note_written(const Sync& sync, Told& told) {
  for (const Call& call : sync.calls)
    if (!call.failed() && call.writes())
      Told::raise(call.request.verb == Verb::remove ? told.removed : told.written, call);
}

/// What a guard against stale caches has to wait for, at the least.
void note_awaited(const Sync& sync, const StatefulSet& present, Memory& memory) {
  Told::Versions& awaited = memory.told.awaited;
  for (const Call& call : sync.calls) {
    if (call.failed() || !is_awaited(call.request)) continue;
    const auto* written = call.reply.as<StatefulSet>();
    const Uid set = written != nullptr ? written->meta.uid : present.meta.uid;
    if (set != std::exchange(memory.awaited_for, set)) awaited = {};
    Told::raise(awaited, call);
  }
}

}  // namespace

void Memories::begin_anywhere() { forget(Version{std::numeric_limits<std::underlying_type_t<Version>>::max()}); }

void Memories::forget(Version past) {
  last_syncs_.fill(nullptr);
  latest_ = nullptr;
  for (Memory& memory : memories_) {
    memory.started = 0;
    memory.told = {};
    memory.awaited_for = Uid::none;
    memory.learnt.clear();
  }
  past_.fill(past);
}

Memory& Memories::of(const Sync& sync) {
  Memory& memory = memories_[sync.process];
  if (memory.started == sync.started) return memory;
  memory.started = sync.started;
  memory.told = {.touched = past_};
  memory.awaited_for = Uid::none;
  memory.learnt.clear();  // its room stays
  return memory;
}

void Memories::note(const Sync& sync, const StatefulSet* set) {
  Memory& memory = of(sync);
  if (set == nullptr) memory.told.written = memory.told.removed = {};  // the next set of that name is another one
  note_written(sync, memory.told);
  note_learnt(sync);
  if (set == nullptr || shows(sync.seen, memory.told.awaited)) memory.told.awaited = {};
  if (set != nullptr) note_awaited(sync, *set, memory);  // what is written all the same is written for nobody
  last_syncs_[sync.process] = latest_ = &sync;
}

void Memories::note_learnt(const Sync& sync) {
  Memory& memory = of(sync);
  for (const Call& call : sync.calls) {
    if (!call.failed()) Told::raise(memory.told.touched, call);
    if (teaches(call)) memory.learnt.push_back(learnt_from(call));
  }
}

}  // namespace ordeal::properties
