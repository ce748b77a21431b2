#include "properties/explore/state.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <utility>

#include "properties/evidence/lookup.h"

namespace ordeal::properties {

namespace {

// Marks beside an object's number.
constexpr std::uint32_t of_spec = 1u << 31;           // a pod created for the present spec
constexpr std::uint32_t runs = 1u << 30;              // a pod whose instance runs
constexpr std::uint32_t removal = 1u << 29;           // an event: the object goes
constexpr std::uint32_t lost = of_spec, gone = runs;  // of an instance without a pod
constexpr std::uint32_t number_mask = removal - 1;

// When what an unpacked world holds is said to have been committed: enough to tell what came before what.
constexpr std::uint64_t long_ago = 1000, with_the_spec = 2000, after_the_spec = 3000;

/// Of the version that is event number `event` of a cache that is behind (from 1), or that a cache shows (0). It is the
/// object's resourceVersion, too, since controllers compare both. `is_new`: a pod created for the present spec.
Version version_of(Kind kind, bool is_new, std::size_t event) {
  const std::uint64_t since = kind == Kind::set             ? with_the_spec
                              : kind == Kind::pod && is_new ? after_the_spec
                                                            : long_ago;
  return Version{since + event};
}

constexpr std::size_t header_words = 5;

/// Throws std::length_error: a count too big for its byte would be read as part of the next one. Worlds that could get
/// there are refused beforehand (scope.h), but a controller may do what no correct one does.
std::uint32_t four(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  const std::uint32_t most = std::max({a, b, c, d});
  if (most > 0xFF)
    throw std::length_error(
        "a state counts up to 255 objects of a kind and events to come (found: " + std::to_string(most) + ")");
  return a | b << 8 | c << 16 | d << 24;
}
std::uint8_t byte_of(std::uint32_t word, int place) { return static_cast<std::uint8_t>(word >> (8 * place)); }

std::uint32_t flags_of(const History& h) {
  return (h.calm ? 1u : 0u) | (h.interfered ? 2u : 0u) | (h.was_stale ? 4u : 0u) | (h.had_faults ? 8u : 0u) |
         (h.force_deleted ? 16u : 0u) | (h.set_recreated ? 32u : 0u) | (h.touched_revisions ? 64u : 0u) |
         (h.evicted ? 128u : 0u);
}
History history_of(std::uint32_t flags) {
  History h;
  h.calm = flags & 1u;
  h.interfered = flags & 2u;
  h.was_stale = flags & 4u;
  h.had_faults = flags & 8u;
  h.force_deleted = flags & 16u;
  h.set_recreated = flags & 32u;
  h.touched_revisions = flags & 64u;
  h.evicted = flags & 128u;
  return h;
}

bool has_instance(const Cluster& truth, const Pod& pod) {
  return truth.kubelets().find(pod.meta.name, pod.meta.uid) != nullptr;
}

}  // namespace

// --- packing -----------------------------------------------------------------------------------------------------------

void Packer::put(std::uint32_t word) { words_->push_back(word); }

template <class T>
void Packer::put(const Kept<T>& kept, std::uint32_t marks) {
  if (kept.number > number_mask) throw std::length_error("more object versions than a walk can number");
  put(kept.number | marks);
  hasher_.add(kept.hash.high ^ marks);
  hasher_.add(kept.hash.low);
}

/// Whether an instance of the pod runs is told beside its live version.
template <class T>
std::uint32_t Packer::marks_of(const Cluster& truth, const Store<T>& store, const T& object) const {
  if constexpr (std::is_same_v<T, Pod>) {
    const bool is_new = std::ranges::find(of_spec_, object.meta.uid) != of_spec_.end();
    const bool is_live = store.find(object.meta.name) == &object;
    return (is_new ? of_spec : 0u) | (is_live && has_instance(truth, object) ? runs : 0u);
  }
  return 0;
}

template <class T>
void Packer::put_live(const Cluster& truth, Kind kind, const Store<T>& store, std::uint32_t& count) {
  for (const T* object : store.live().all()) {
    const std::uint32_t marks = marks_of(truth, store, *object);
    put(canon_.of(*object, version_of(kind, (marks & of_spec) != 0, 0)), marks);
  }
  count = static_cast<std::uint32_t>(store.live().size());
}

/// What the cache holds, then the events it has not seen. Returns how many of these are older than, or are, the
/// controller's newest write of its own.
template <class T>
std::uint32_t Packer::put_behind(const Cluster& truth, Kind kind, const Store<T>& store, const Listing<T>& held,
                                 std::size_t behind, Version own, std::uint32_t& count) {
  bool is_new = false;  // once a pod of the present spec was created, all that follows came after it
  for (const T* object : held.all) {
    const std::uint32_t marks = marks_of(truth, store, *object);
    is_new = is_new || (marks & of_spec) != 0;
    put(canon_.of(*object, version_of(kind, (marks & of_spec) != 0, 0)), marks);
  }
  count = static_cast<std::uint32_t>(held.all.size());
  std::uint32_t known = 0;
  const auto events = store.log().last(behind);
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Change<T>& event = events[i];
    const std::uint32_t marks = event.after ? marks_of(truth, store, event.object()) : removal;
    is_new = is_new || (marks & of_spec) != 0;
    put(canon_.of(event.object(), version_of(kind, is_new, i + 1)), marks);
    if (event.version <= own) known = static_cast<std::uint32_t>(i + 1);
  }
  return known;
}

void Packer::look_at(const Cluster& truth, const Caches& caches, const std::optional<Kind>& behind) {
  pods_.clear();
  sets_.clear();
  revisions_.clear();
  claims_.clear();
  const View view = caches.view();
  const auto gather = [&](auto& into, const auto& listing, const auto& store, std::size_t events) {
    into.assign(listing.all.begin(), listing.all.end());
    for (const auto& event : store.log().last(events)) into.push_back(&event.object());
  };
  if (behind) {
    const std::size_t events = caches.behind(*behind);
    switch (*behind) {
      case Kind::set: gather(sets_, view.sets, truth.sets(), events); break;
      case Kind::pod: gather(pods_, view.pods, truth.pods(), events); break;
      case Kind::claim: gather(claims_, view.claims, truth.claims(), events); break;
      case Kind::revision: gather(revisions_, view.revisions, truth.revisions(), events); break;
    }
  }
  canon_.look_at(truth, pods_, sets_, revisions_, claims_);
}

/// Only asked for by promises that speak of lives that were left alone (convergence.never-undoes-itself).
void Packer::note_pods_of_spec(const Cluster& truth) {
  of_spec_.clear();
  if (!remembers_spec_ || truth.sets().live().all().empty()) return;
  const Version since = spec_since(truth, *truth.sets().live().all().front());
  const auto pods = truth.pods().log();
  for (auto change = std::ranges::upper_bound(pods, since, {}, &Change<Pod>::version); change != pods.end(); ++change)
    if (change->before == nullptr)
      if (const Pod* pod = truth.pods().find(change->after->meta.name);
          pod != nullptr && pod->meta.uid == change->after->meta.uid)
        of_spec_.push_back(pod->meta.uid);
}

std::uint32_t Packer::put_strays(const Cluster& truth) {
  std::uint32_t count = 0;
  for (const Instance& instance : truth.kubelets().running()) {
    const Pod* pod = truth.pods().find(instance.pod);
    if (pod != nullptr && pod->meta.uid == instance.uid) continue;
    put(canon_.of(instance), (instance.on_lost_node ? lost : 0u) | (instance.object_gone ? gone : 0u));
    ++count;
  }
  return count;
}

/// Only asked for by promises about revisions nobody else touched (revisions.same-template-same-name). In the order of
/// their hashes, since nothing depends on when they went.
std::uint32_t Packer::put_gone_revisions(const Cluster& truth) {
  const auto log = truth.revisions().log();
  if (!remembers_revisions_ || log.size() == truth.revisions().live().size()) return 0;
  std::vector<const Kept<Revision>*> found;
  for (const Change<Revision>& change : log) {
    if (change.before != nullptr || truth.revisions().find(change.after->meta.name) != nullptr) continue;
    found.push_back(&canon_.memory_of(*change.after));
  }
  std::ranges::sort(found, {}, [](const Kept<Revision>* r) { return r->hash; });
  found.erase(std::ranges::unique(found).begin(), found.end());
  for (const Kept<Revision>* kept : found) put(*kept, 0);
  return static_cast<std::uint32_t>(found.size());
}

Hash128 Packer::pack(const Cluster& truth, const Caches& caches, const OwnVersions& own, const Rest& rest,
                     Words& words) {
  words_ = &words;
  words.assign(header_words, 0);
  hasher_ = Hasher();
  remembers_spec_ = rest.history.left_alone();
  remembers_revisions_ = !rest.history.touched_revisions;
  look_at(truth, caches, rest.behind);
  note_pods_of_spec(truth);
  const View view = caches.view();
  std::array<std::uint32_t, kind_count> counts{};
  std::uint32_t known = 0, events = 0;
  const auto put_kind = [&]<class T>(Kind kind, const Store<T>& store, const Listing<T>& held) {
    std::uint32_t& count = counts[static_cast<std::size_t>(kind)];
    if (rest.behind != kind) return put_live(truth, kind, store, count);
    events = static_cast<std::uint32_t>(caches.behind(kind));
    known = put_behind(truth, kind, store, held, events, own[static_cast<std::size_t>(kind)], count);
  };
  put_kind(Kind::set, truth.sets(), view.sets);
  put_kind(Kind::pod, truth.pods(), view.pods);
  put_kind(Kind::claim, truth.claims(), view.claims);
  put_kind(Kind::revision, truth.revisions(), view.revisions);
  const std::uint32_t strays = put_strays(truth), memories = put_gone_revisions(truth);
  const auto& left = rest.mishaps;
  words[0] = four(rest.edits, left[0], left[1], left[2]);
  words[1] = four(left[3], left[4], left[5], left[6]);
  words[2] =
      four(flags_of(rest.history), rest.behind ? static_cast<std::uint32_t>(*rest.behind) + 1 : 0, known, events);
  words[3] = four(counts[0], counts[1], counts[2], counts[3]);
  words[4] = four(strays, memories, 0, 0);
  for (std::size_t i = 0; i < header_words; ++i) hasher_.add(words[i]);
  return hasher_.value();
}
static_assert(mishap_count == 7, "the header has room for these");

// --- unpacking ---------------------------------------------------------------------------------------------------------

/// The words of a state by what they speak of.
struct Packer::Layout {
  Rest rest;
  std::uint32_t known = 0;  // events that are older than, or are, the controller's newest write of its own
  std::array<std::span<const std::uint32_t>, kind_count>
      held;  // live, or, of the kind that is behind, what its cache holds
  std::span<const std::uint32_t> events, strays, memories;

  std::span<const std::uint32_t> of(Kind kind) const { return held[static_cast<std::size_t>(kind)]; }
};

/// Throws std::logic_error when the header speaks of more or fewer words than there are.
Packer::Layout Packer::read_layout(std::span<const std::uint32_t> words) {
  std::size_t at = header_words;
  const auto next = [&](std::size_t count) {
    if (at > words.size() || count > words.size() - at)
      throw std::logic_error("a state of " + std::to_string(words.size()) + " words speaks of " +
                             std::to_string(at + count));
    return words.subspan(std::exchange(at, at + count), count);
  };
  next(0);  // the header is there
  Layout layout;
  Rest& rest = layout.rest;
  rest.edits = byte_of(words[0], 0);
  for (int i = 0; i < 3; ++i) rest.mishaps[static_cast<std::size_t>(i)] = byte_of(words[0], i + 1);
  for (int i = 0; i < 4; ++i) rest.mishaps[static_cast<std::size_t>(i + 3)] = byte_of(words[1], i);
  rest.history = history_of(byte_of(words[2], 0));
  if (const std::uint8_t behind = byte_of(words[2], 1)) rest.behind = static_cast<Kind>(behind - 1);
  layout.known = byte_of(words[2], 2);
  for (const Kind kind : every_kind) {  // in the order in which pack() puts them
    layout.held[static_cast<std::size_t>(kind)] = next(byte_of(words[3], static_cast<int>(kind)));
    if (rest.behind == kind) layout.events = next(byte_of(words[2], 3));
  }
  layout.strays = next(byte_of(words[4], 0));
  layout.memories = next(byte_of(words[4], 1));
  if (at != words.size())
    throw std::logic_error("a state of " + std::to_string(words.size()) + " words speaks of " + std::to_string(at));
  return layout;
}

/// Revisions that there have been: they come and go before all else.
void Packer::place_memories(const Layout& layout, Cluster& truth) {
  for (const std::uint32_t word : layout.memories) {
    const Kept<Revision>& memory = canon_.revisions.at(word & number_mask);
    truth.place<Revision>(&memory, Version{1});
    truth.take_away<Revision>(memory.meta.name, Version{1});
  }
}

void Packer::start_instance(const Pod& pod, std::uint32_t word, Cluster& truth) {
  if (word & runs) truth.place(Instance{.pod = pod.meta.name, .uid = pod.meta.uid});
}

void Packer::place_live(const Layout& layout, Cluster& truth) {
  const auto place_all = [&]<class T>(Kind kind, Reader<T>& library) {
    for (const std::uint32_t word : layout.of(kind))
      truth.place<T>(&library.at(word & number_mask), version_of(kind, false, 0));
  };
  place_all(Kind::set, canon_.sets);
  for (const bool is_new : {false, true})  // the log is in the order of versions
    for (const std::uint32_t word : layout.of(Kind::pod)) {
      if (((word & of_spec) != 0) != is_new) continue;
      const Kept<Pod>& pod = canon_.pods.at(word & number_mask);
      truth.place<Pod>(&pod, version_of(Kind::pod, is_new, 0));
      start_instance(pod, word, truth);
    }
  place_all(Kind::claim, canon_.claims);
  place_all(Kind::revision, canon_.revisions);
}

/// What the cache that is behind has not seen. Returns what the controller remembers of its own writes.
OwnVersions Packer::replay_events(const Layout& layout, Cluster& truth) {
  OwnVersions own{};
  if (!layout.rest.behind) return own;
  const Kind kind = *layout.rest.behind;
  bool is_new = std::ranges::any_of(layout.of(Kind::pod), [](std::uint32_t word) { return (word & of_spec) != 0; });
  for (std::size_t i = 0; i < layout.events.size(); ++i) {
    const std::uint32_t word = layout.events[i], number = word & number_mask;
    is_new = is_new || (kind == Kind::pod && (word & removal) == 0 && (word & of_spec) != 0);
    const Version version = version_of(kind, is_new, i + 1);
    if (i + 1 == layout.known) own[static_cast<std::size_t>(kind)] = version;
    const auto happen = [&]<class T>(const Kept<T>& object) {
      if (word & removal) truth.take_away<T>(object.meta.name, version);
      else truth.place<T>(&object, version);
    };
    switch (kind) {
      case Kind::set: happen(canon_.sets.at(number)); break;
      case Kind::pod:
        happen(canon_.pods.at(number));
        start_instance(canon_.pods.at(number), word, truth);
        break;
      case Kind::claim: happen(canon_.claims.at(number)); break;
      case Kind::revision: happen(canon_.revisions.at(number)); break;
    }
  }
  return own;
}

/// Instances that run without a pod.
void Packer::place_strays(const Layout& layout, Cluster& truth) {
  for (const std::uint32_t word : layout.strays) {
    const Kept<Pod>& stray = canon_.pods.at(word & number_mask);
    truth.place(Instance{.pod = stray.meta.name,
                         .uid = stray.meta.uid,
                         .on_lost_node = (word & lost) != 0,
                         .object_gone = (word & gone) != 0});
  }
}

Rest Packer::unpack(std::span<const std::uint32_t> words, Stepper& stepper, const Key& key) {
  const Layout layout = read_layout(words);
  Cluster& truth = stepper.cluster();
  truth.reset(api_);
  stepper.caches().clear();
  place_memories(layout, truth);
  place_live(layout, truth);
  for (const Kind kind : every_kind) stepper.caches().follow(kind);
  const OwnVersions own = replay_events(layout, truth);
  place_strays(layout, truth);
  truth.resume(ns_, now_of_walks, newest_kept, youngest_kept);
  stepper.memory()->remember(key, own);
  return layout.rest;
}

Hash128 Packer::pack_first(const StatefulSet& set, Stepper& stepper, const Key& key, const Rest& rest, Words& words) {
  StatefulSet first = set;
  first.meta.version = Version{static_cast<std::uint64_t>(newest_kept) + 1};
  first.meta.uid = Uid{static_cast<std::uint64_t>(youngest_kept) + 1};
  Cluster& truth = stepper.cluster();
  truth.reset(api_);
  stepper.caches().clear();
  truth.place(&first, first.meta.version);
  for (const Kind kind : every_kind) stepper.caches().follow(kind);
  const Hash128 hash = pack(truth, stepper.caches(), {}, rest, words);
  unpack(words, stepper, key);
  return hash;
}

}  // namespace ordeal::properties
