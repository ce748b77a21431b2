#include "core/cluster/cache.h"

#include "core/cluster/cluster.h"

namespace ordeal {

namespace {

/// Calls `act` with a null pointer of the type that goes with the kind.
template <class Act>
auto with_type(Kind kind, Act act) {
  switch (kind) {
    case Kind::set: return act(static_cast<const StatefulSet*>(nullptr));
    case Kind::pod: return act(static_cast<const Pod*>(nullptr));
    case Kind::claim: return act(static_cast<const Claim*>(nullptr));
    case Kind::revision: break;
  }
  return act(static_cast<const Revision*>(nullptr));
}

}  // namespace

template <>
const Store<StatefulSet>& Caches::store() const {
  return cluster_->sets();
}
template <>
const Store<Pod>& Caches::store() const {
  return cluster_->pods();
}
template <>
const Store<Claim>& Caches::store() const {
  return cluster_->claims();
}
template <>
const Store<Revision>& Caches::store() const {
  return cluster_->revisions();
}
template <>
Caches::Cursor<StatefulSet>& Caches::cursor() {
  return sets_;
}
template <>
Caches::Cursor<Pod>& Caches::cursor() {
  return pods_;
}
template <>
Caches::Cursor<Claim>& Caches::cursor() {
  return claims_;
}
template <>
Caches::Cursor<Revision>& Caches::cursor() {
  return revisions_;
}

template <>
void Caches::tell(const StatefulSet* before, const StatefulSet* after, WorkQueue& queue) {
  queue.on_set(before, after);
}
template <>
void Caches::tell(const Pod* before, const Pod* after, WorkQueue& queue) {
  queue.on_pod(before, after, view(), cluster_->now());
}
template <>
void Caches::tell(const Claim*, const Claim*, WorkQueue&) {}
template <>
void Caches::tell(const Revision*, const Revision*, WorkQueue&) {}

View Caches::view() const {
  return {listing(sets_),
          listing(pods_),
          listing(claims_),
          listing(revisions_),
          {sets_.reached, pods_.reached, claims_.reached, revisions_.reached}};
}

View Caches::shuffled_view(std::uint64_t seed) {
  return {shuffled<StatefulSet>(seed), shuffled<Pod>(seed), shuffled<Claim>(seed), shuffled<Revision>(seed),
          view().reached};
}

View Caches::kept(const View& view) {
  return {keep(view.sets), keep(view.pods), keep(view.claims), keep(view.revisions), view.reached, view.elsewhere};
}

std::size_t Caches::deliver(Kind kind, std::size_t n, WorkQueue& queue) {
  return with_type(kind, [&]<class T>(const T*) { return deliver_kind<T>(n, queue); });
}

std::size_t Caches::deliver_all(WorkQueue& queue) {
  std::size_t delivered = 0;
  for (const Kind kind : every_kind) delivered += deliver(kind, behind(kind), queue);
  return delivered;
}

void Caches::relist(Kind kind, WorkQueue& queue) {
  with_type(kind, [&]<class T>(const T*) { relist_kind<T>(queue); });
}

void Caches::restart(Kind kind, std::size_t back, WorkQueue& queue) {
  with_type(kind, [&]<class T>(const T*) { restart_kind<T>(back, queue); });
}

std::size_t Caches::behind(Kind kind) const {
  switch (kind) {
    case Kind::set: return cluster_->sets().log().size() - sets_.position;
    case Kind::pod: return cluster_->pods().log().size() - pods_.position;
    case Kind::claim: return cluster_->claims().log().size() - claims_.position;
    case Kind::revision: break;
  }
  return cluster_->revisions().log().size() - revisions_.position;
}

bool Caches::fresh() const {
  return behind(Kind::set) + behind(Kind::pod) + behind(Kind::claim) + behind(Kind::revision) == 0;
}

void Caches::clear() {
  for (const Kind kind : every_kind)
    with_type(kind, [&]<class T>(const T*) {
      cursor<T>().held.clear();
      list_to(cursor<T>(), 0);
    });
}

void Caches::follow(Kind kind) {
  with_type(kind, [&]<class T>(const T*) {
    if (cursor<T>().position == store<T>().log().size()) return;
    cursor<T>().held = store<T>().live();
    list_to(cursor<T>(), store<T>().log().size());
  });
}

void Caches::mark(Mark& at) const {
  mark_kind(sets_, at.sets);
  mark_kind(pods_, at.pods);
  mark_kind(claims_, at.claims);
  mark_kind(revisions_, at.revisions);
}

void Caches::rewind(const Mark& to) {
  rewind_kind(sets_, to.sets);
  rewind_kind(pods_, to.pods);
  rewind_kind(claims_, to.claims);
  rewind_kind(revisions_, to.revisions);
}

template <class T>
void Caches::mark_kind(const Cursor<T>& cursor, Point<T>& at) {
  at.held.assign(cursor.held.all().begin(), cursor.held.all().end());
  at.position = cursor.position;
  at.reached = cursor.reached;
}

template <class T>
void Caches::rewind_kind(Cursor<T>& cursor, const Point<T>& to) {
  if (cursor.position == to.position) return;  // between marks a cache only goes on
  cursor.held.assign(to.held);
  cursor.position = cursor.listed = to.position;
  cursor.reached = to.reached;
}

template <class T>
Listing<T> Caches::keep(const Listing<T>& listing) {
  Cursor<T>& at = cursor<T>();
  at.kept.assign(listing.all.begin(), listing.all.end());
  at.kept_by_name.assign(listing.by_name.begin(), listing.by_name.end());
  return {at.kept, at.kept_by_name, listing.listed, listing.events};
}

/// By a hash of the UIDs, which differ.
template <class T>
Listing<T> Caches::shuffled(std::uint64_t seed) {
  Cursor<T>& at = cursor<T>();
  const auto rank = [&](const T* object) {
    const std::uint64_t mixed = (static_cast<std::uint64_t>(object->meta.uid) ^ seed) * 0x9E3779B97F4A7C15u;
    return mixed ^ mixed >> 32;
  };
  at.shuffled.assign(at.held.all().begin(), at.held.all().end());
  std::ranges::sort(at.shuffled, {}, rank);
  Listing<T> turned = listing(at);
  turned.all = at.shuffled;
  return turned;
}

template <class T>
Listing<T> Caches::listing(const Cursor<T>& cursor) const {
  const auto log = store<T>().log();
  const Version listed = cursor.listed == 0 ? Version::none : log[cursor.listed - 1].version;
  return {cursor.held.all(), cursor.held.all(), listed, log.subspan(cursor.listed, cursor.position - cursor.listed)};
}

template <class T>
void Caches::move_to(Cursor<T>& cursor, std::size_t position) {
  cursor.position = position;
  cursor.reached = position == 0 ? Version::none : store<T>().log()[position - 1].version;
}

template <class T>
void Caches::list_to(Cursor<T>& cursor, std::size_t position) {
  move_to(cursor, position);
  cursor.listed = position;
}

template <class T>
std::size_t Caches::deliver_kind(std::size_t n, WorkQueue& queue) {
  Cursor<T>& at = cursor<T>();
  const auto log = store<T>().log();
  const std::size_t count = std::min(n, log.size() - at.position);
  for (std::size_t i = 0; i < count; ++i) {
    const Change<T>& change = log[at.position];
    if (change.after) at.held.put(change.after);
    else at.held.erase(change.before->meta.name);
    move_to(at, at.position + 1);
    tell(change.before, change.after, queue);
  }
  return count;
}

/// Both listings are sorted by name, so one walk over the two finds what was added, changed and removed.
template <class T>
void Caches::relist_kind(WorkQueue& queue) {
  Cursor<T>& at = cursor<T>();
  std::swap(at.replaced, at.held);
  at.held = store<T>().live();
  list_to(at, store<T>().log().size());
  const auto old = at.replaced.all(), now = at.held.all();
  std::size_t i = 0, j = 0;
  while (i < old.size() || j < now.size()) {
    const bool only_old = j == now.size() || (i < old.size() && old[i]->meta.name < now[j]->meta.name);
    const bool only_new = !only_old && (i == old.size() || now[j]->meta.name < old[i]->meta.name);
    const T* before = only_new ? nullptr : old[i++];
    const T* after = only_old ? nullptr : now[j++];
    if (before != after) tell(before, after, queue);
  }
}

/// The state at an older point is the present one with the changes since then taken back.
template <class T>
void Caches::restart_kind(std::size_t back, WorkQueue& queue) {
  Cursor<T>& at = cursor<T>();
  const auto log = store<T>().log();
  const std::size_t position = log.size() - std::min(back, log.size());
  at.held = store<T>().live();
  for (std::size_t i = log.size(); i-- > position;) {
    if (log[i].before) at.held.put(log[i].before);
    else at.held.erase(log[i].after->meta.name);
  }
  list_to(at, position);
  for (const T* object : at.held.all()) tell<T>(nullptr, object, queue);
}

}  // namespace ordeal
