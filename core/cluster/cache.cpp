#include "core/cluster/cache.h"

#include "core/cluster/cluster.h"

namespace ordeal {

namespace {

constexpr std::size_t all_there_is = static_cast<std::size_t>(-1);

}  // namespace

template <class T>
void Caches::tell(const Change<T>& event, WorkQueue& queue) {
  if (Handlers* own = queue.handlers()) own->on(event, view());
  else if constexpr (std::is_same_v<T, StatefulSet>) queue.on_set(event.before, event.after);
  else if constexpr (std::is_same_v<T, Pod>) queue.on_pod(event.before, event.after, view(), cluster_->now());
}

View Caches::view() const {
  const auto& [sets, pods, claims, revisions] = cursors_;
  return {{listing(sets), listing(pods), listing(claims), listing(revisions)},
          {sets.reached, pods.reached, claims.reached, revisions.reached}};
}

View Caches::shuffled_view(std::uint64_t seed) {
  return {{shuffled<StatefulSet>(seed), shuffled<Pod>(seed), shuffled<Claim>(seed), shuffled<Revision>(seed)},
          view().reached};
}

View Caches::kept(const View& view) {
  return {{keep(view.sets), keep(view.pods), keep(view.claims), keep(view.revisions)}, view.reached, view.elsewhere};
}

std::size_t Caches::deliver(Kind kind, std::size_t n, WorkQueue& queue) {
  const std::size_t delivered =
      with_type(kind, [&]<class T>(std::type_identity<T>) { return deliver_kind<T>(n, queue); });
  queue.hear(cluster_->now());
  return delivered;
}

std::size_t Caches::deliver_all(WorkQueue& queue) {
  std::size_t delivered = 0;
  for_each_type([&]<class T>(std::type_identity<T>) { delivered += deliver_kind<T>(all_there_is, queue); });
  queue.hear(cluster_->now());
  return delivered;
}

void Caches::relist(Kind kind, WorkQueue& queue) {
  with_type(kind, [&]<class T>(std::type_identity<T>) { relist_kind<T>(queue); });
  queue.hear(cluster_->now());
}

void Caches::restart(Kind kind, std::size_t back, WorkQueue& queue) {
  with_type(kind, [&]<class T>(std::type_identity<T>) { restart_kind<T>(back, queue); });
  queue.hear(cluster_->now());
}

void Caches::await_list(Kind kind, WorkQueue& queue) {
  restart(kind, all_there_is, queue);
  with_type(kind, [&]<class T>(std::type_identity<T>) { cursors_.of<T>().awaits_list = true; });
}

std::optional<Kind> Caches::unlisted() const {
  const auto awaits = [&](Kind kind) {
    return with_type(kind, [&]<class T>(std::type_identity<T>) { return cursors_.of<T>().awaits_list; });
  };
  const auto kind = std::ranges::find_if(every_kind, awaits);
  return kind != std::end(every_kind) ? std::optional(*kind) : std::nullopt;
}

std::size_t Caches::behind(Kind kind) const {
  return with_type(kind, [&]<class T>(std::type_identity<T>) {
    return cluster_->store<T>().log().size() - cursors_.of<T>().position;
  });
}

bool Caches::fresh() const {
  return behind(Kind::set) + behind(Kind::pod) + behind(Kind::claim) + behind(Kind::revision) == 0;
}

Caches::Positions Caches::positions() const {
  Positions positions{};
  for_each_type([&]<class T>(std::type_identity<T>) {
    positions[static_cast<std::size_t>(kind_v<T>)] = cursors_.of<T>().position;
  });
  return positions;
}

void Caches::clear() {
  for_each_type([&]<class T>(std::type_identity<T>) {
    cursors_.of<T>().held.clear();
    list_to(cursors_.of<T>(), 0);
  });
}

void Caches::follow(Kind kind) {
  with_type(kind, [&]<class T>(std::type_identity<T>) {
    if (cursors_.of<T>().position == cluster_->store<T>().log().size()) return;
    cursors_.of<T>().held = cluster_->store<T>().live();
    list_to(cursors_.of<T>(), cluster_->store<T>().log().size());
  });
}

void Caches::mark(Mark& at) const {
  for_each_type([&]<class T>(std::type_identity<T>) { mark_kind(cursors_.of<T>(), at.of<T>()); });
}

void Caches::rewind(const Mark& to) {
  for_each_type([&]<class T>(std::type_identity<T>) { rewind_kind(cursors_.of<T>(), to.of<T>()); });
}

template <class T>
void Caches::mark_kind(const Cursor<T>& cursor, Point<T>& at) {
  at.held.assign(cursor.held.all().begin(), cursor.held.all().end());
  at.position = cursor.position;
  at.reached = cursor.reached;
  at.awaits_list = cursor.awaits_list;
}

template <class T>
void Caches::rewind_kind(Cursor<T>& cursor, const Point<T>& to) {
  cursor.awaits_list = to.awaits_list;
  if (cursor.position == to.position) return;  // between marks a cache only goes on
  cursor.held.assign(to.held);
  cursor.position = cursor.listed = to.position;
  cursor.reached = to.reached;
}

template <class T>
Listing<T> Caches::keep(const Listing<T>& listing) {
  Cursor<T>& at = cursors_.of<T>();
  at.kept.assign(listing.all.begin(), listing.all.end());
  at.kept_by_name.assign(listing.by_name.begin(), listing.by_name.end());
  return {at.kept, at.kept_by_name, listing.listed, listing.events};
}

/// By a hash of the UIDs, which differ.
template <class T>
Listing<T> Caches::shuffled(std::uint64_t seed) {
  Cursor<T>& at = cursors_.of<T>();
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
  const auto log = cluster_->store<T>().log();
  const Version listed = cursor.listed == 0 ? Version::none : log[cursor.listed - 1].version;
  return {cursor.held.all(), cursor.held.all(), listed, log.subspan(cursor.listed, cursor.position - cursor.listed)};
}

template <class T>
void Caches::move_to(Cursor<T>& cursor, std::size_t position) {
  cursor.position = position;
  cursor.reached = position == 0 ? Version::none : cluster_->store<T>().log()[position - 1].version;
}

template <class T>
void Caches::list_to(Cursor<T>& cursor, std::size_t position) {
  move_to(cursor, position);
  cursor.listed = position;
  cursor.awaits_list = false;
}

template <class T>
std::size_t Caches::deliver_kind(std::size_t n, WorkQueue& queue) {
  Cursor<T>& at = cursors_.of<T>();
  const auto log = cluster_->store<T>().log();
  const std::size_t count = std::min(n, log.size() - at.position);
  if (at.awaits_list) {
    relist_kind<T>(queue);
    return count;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Change<T>& change = log[at.position];
    if (change.after) at.held.put(change.after);
    else at.held.erase(change.before->meta.name);
    move_to(at, at.position + 1);
    tell(change, queue);
  }
  return count;
}

/// Both listings are sorted by name, so one walk over the two finds what was added, changed and removed.
template <class T>
void Caches::relist_kind(WorkQueue& queue) {
  Cursor<T>& at = cursors_.of<T>();
  std::swap(at.replaced, at.held);
  at.held = cluster_->store<T>().live();
  list_to(at, cluster_->store<T>().log().size());
  const auto old = at.replaced.all(), now = at.held.all();
  std::size_t i = 0, j = 0;
  while (i < old.size() || j < now.size()) {
    const bool only_old = j == now.size() || (i < old.size() && old[i]->meta.name < now[j]->meta.name);
    const bool only_new = !only_old && (i == old.size() || now[j]->meta.name < old[i]->meta.name);
    const T* before = only_new ? nullptr : old[i++];
    const T* after = only_old ? nullptr : now[j++];
    if (before != after) tell<T>({before, after, Version::none}, queue);
  }
}

/// The state at an older point is the present one with the changes since then taken back.
template <class T>
void Caches::restart_kind(std::size_t back, WorkQueue& queue) {
  Cursor<T>& at = cursors_.of<T>();
  const auto log = cluster_->store<T>().log();
  const std::size_t position = log.size() - std::min(back, log.size());
  at.held = cluster_->store<T>().live();
  for (std::size_t i = log.size(); i-- > position;) {
    if (log[i].before) at.held.put(log[i].before);
    else at.held.erase(log[i].after->meta.name);
  }
  list_to(at, position);
  for (const T* object : at.held.all()) tell<T>({nullptr, object, Version::none}, queue);
}

}  // namespace ordeal
