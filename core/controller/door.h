// The door between a controller and its world: what it is shown (View), how it acts (Api), and what it answers.
//
// A sync reads only the View and acts only through Api, one call at a time. Any call can fail, be lost after it was
// committed, or be the last thing the controller does; the world may move between any two calls. Whatever stands behind
// this door is tried in the same way: the reference, a release table, a mutant, a program behind a pipe.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "core/api/each_kind.h"
#include "core/controller/gates.h"

namespace ordeal {

struct Key {
  Text ns, name;
  friend auto operator<=>(const Key&, const Key&) = default;
};

/// One event of a watch: created (no before), changed, or removed (no after).
template <class T>
struct Change {
  const T* before = nullptr;
  const T* after = nullptr;
  Version version = Version::none;
  const T& object() const { return after ? *after : *before; }
};

/// What one cache of a controller holds of one kind. Objects live as long as the trial.
template <class T>
struct Listing {
  std::span<const T* const> all;        // in the order a list returns them
  std::span<const T* const> by_name;    // the same, sorted by name
  Version listed = Version::none;       // the newest event that the cache knows by a list alone
  std::span<const Change<T>> events{};  // those it was told since, one by one; valid until the first call

  /// Most lists are short, and then quicker looked through than searched.
  const T* find(const Text& name) const {
    constexpr std::size_t few = 8;
    if (by_name.size() > few) return search(name);
    for (const T* held : by_name)
      if (held->meta.name == name) return held;
    return nullptr;
  }

 private:
  const T* search(const Text& name) const {
    auto at = std::lower_bound(by_name.begin(), by_name.end(), name,
                               [](const T* held, const Text& n) { return held->meta.name < n; });
    return at != by_name.end() && (*at)->meta.name == name ? *at : nullptr;
  }
};

/// The caches of a controller, each kind possibly behind the truth: what they hold of the namespace of the set that is
/// synced.
struct View : EachKind<Listing> {
  std::array<Version, kind_count> reached{};  // per kind: the newest event the cache has seen
  const View* elsewhere = nullptr;            // what they hold of another namespace; null: nothing
};

/// `patch` is what a program may ask for; what it comes to is one of the others (Cluster::resolve), if it comes to
/// anything.
enum class Verb : std::uint8_t { get, create, update, update_status, remove, patch_owners, patch };

/// Why a controller makes a call. Reports show it, and situations are counted by it. External controllers: `unstated`.
enum class Reason : std::uint8_t {
  unstated,
  confirm_set,  // live read before the first adoption
  adopt_pod,
  release_pod,
  adopt_revision,
  record_revision,
  bump_revision,
  truncate_history,
  provide_claim,  // before its pod
  restore_claim,  // for a pending or mismatching pod
  retain_claim,   // owner references after the retention policy
  create_pod,
  repair_pod,
  replace_terminal,  // a Failed or Succeeded pod
  scale_down,
  update_pod,      // outdated, within the budget
  replace_broken,  // outdated and unavailable: costs no availability
  recreate_pod,    // strategy Recreate
  write_status,
};
inline constexpr std::size_t reason_count = static_cast<std::size_t>(Reason::write_status) + 1;
std::string_view name_of(Reason reason);
std::string_view name_of(Verb verb);
std::string_view name_of(Kind kind);

/// patch_owners: adds one owner reference, or removes the one with this UID; refused unless the object's UID is
/// `object_uid` (none: any). Neither: nobody can tell which of the two was wanted. `remove` is Uid::none when the
/// reference was already gone.
struct OwnerPatch {
  std::optional<OwnerReference> add{};
  std::optional<Uid> remove{};
  Uid object_uid = Uid::none;
  // false: it came in a form that what is stored by now refuses, as a JSON patch of a list that is gone
  bool applies = true;
};

/// patch: JSON, in one of the three forms that an API server applies to what is stored: RFC 7386, the same with lists
/// that are merged by a key, and RFC 6902.
enum class PatchType : std::uint8_t { merge, strategic, operations };
struct Patch {
  PatchType type = PatchType::merge;
  Shared<std::string> json{};
};

struct Request;
struct Reply;

/// patch: server-side apply. What it comes to depends on who manages which fields of what is stored.
struct Apply {
  Text manager{};
  bool forces = false;         // takes fields that others manage
  Shared<std::string> json{};  // what the manager wants: a part of the object, or all of it
  Shared<Request> creation{};  // what it comes to where there is no such object; null: see `unreadable`
  Text unreadable{};           // why nothing can be made of it
};
/// A field that an apply was to change, and who manages it.
struct FieldConflict {
  Text manager, field;
  friend bool operator==(const FieldConflict&, const FieldConflict&) = default;
};

/// What becomes of the dependents of an object that is deleted: the collector deletes them when it is gone, or before,
/// or it takes their owner away. Foreground and orphan are finalizers of the object until the collector has done its
/// part, as in Kubernetes.
enum class Propagation : std::uint8_t { background, foreground, orphan };
inline constexpr std::size_t propagation_count = static_cast<std::size_t>(Propagation::orphan) + 1;

/// A list is a read of each object that is in it: of the first, and of the others at the same moment.
enum class OfList : std::uint8_t { no, first, further };

/// One request. `version` is metadata.resourceVersion of an update (none: unconditional) or a delete's precondition.
struct Request {
  Verb verb = Verb::get;
  Kind kind = Kind::set;
  Reason reason = Reason::unstated;
  Text name;  // NAMESPACE/NAME in any other namespace than that of the set, where nothing is served
  std::variant<std::monostate, Pod, Claim, Revision, StatefulSetStatus, OwnerPatch, Patch, Apply> body{};
  Version version = Version::none;
  Uid uid = Uid::none;                  // delete precondition; update: the object's uid, none to accept any
  std::optional<std::int64_t> grace{};  // delete: seconds; absent means the object's own
  Propagation propagation = Propagation::background;  // delete
  Shared<ObjectMeta> meta{};  // update_status: what came with it, as of a whole object; null: nothing, or nobody knows
  bool partial = false;       // it came as a patch: what it does not speak of is as it was stored
  Shared<Managers> managers{};  // it came as an apply: those of the object when it is done; null: as they are
  Shared<Reply> refused{};      // whatever is stored: the answer
  bool may_be_old = false;      // get: what the API server has at hand will do, as any resourceVersion says
  bool together = false;        // with the one before it: asked before that was answered
  OfList of_list = OfList::no;  // get
  Text line{};                  // of the controller's code that asks, "file.go:612", if it says so; for reports

  const Pod& pod() const { return std::get<Pod>(body); }
  const Claim& claim() const { return std::get<Claim>(body); }
  const Revision& revision() const { return std::get<Revision>(body); }
  const StatefulSetStatus& status() const { return std::get<StatefulSetStatus>(body); }
  const OwnerPatch& owner_patch() const { return std::get<OwnerPatch>(body); }
  const Patch& patch() const { return std::get<Patch>(body); }
};

enum class Code : std::uint8_t {
  ok,
  conflict,
  already_exists,
  not_found,
  forbidden,
  invalid,
  timeout,
  internal,
  unavailable,
  too_many_requests,
  bad_request,  // to what contradicts itself, or its URL; no fault
};
std::string_view name_of(Code code);
/// What a too_many_requests says of when to come again: details.retryAfterSeconds, as of the API server's flow control.
constexpr int retry_after_seconds = 1;

/// The answer: a code, and for ok the stored object (of the request's kind). `why`: what an invalid or bad request was
/// refused for, for people: "path: sentence (found: value)".
struct Reply {
  Code code = Code::ok;
  std::variant<std::monostate, const StatefulSet*, const Pod*, const Claim*, const Revision*> object{};
  Text why{};
  bool created = false;                             // there was no such object
  Shared<std::vector<FieldConflict>> managed_by{};  // what an apply was refused for, by a conflict
  bool ok() const { return code == Code::ok; }
  template <class T>
  const T* as() const {
    auto held = std::get_if<const T*>(&object);
    return held ? *held : nullptr;
  }
  /// Of the object that came with it; none when none did.
  Version version() const {
    return std::visit(
        []<class Held>(Held held) {
          if constexpr (std::is_pointer_v<Held>) return held != nullptr ? held->meta.version : Version::none;
          else return Version::none;
        },
        object);
  }
};

class Api {
 public:
  virtual ~Api() = default;
  /// Carries out one request. Throws ControllerDied when the trial decides that the controller dies here.
  virtual Reply call(Request request) = 0;
  /// Of all objects of a kind that are stored by now, in the order of their names: what a list of them is made of.
  /// Valid until the next call.
  virtual std::vector<const ObjectMeta*> stored(Kind) const { return {}; }
};

/// Thrown through a controller's sync by the trial: the process ends at this call. Never caught by a controller.
struct ControllerDied {
  Text what{};  // of one that was not killed: for reports
};

/// An Event of the API: what a controller has its recorder tell people of a set.
struct Event {
  bool warning = false;  // of type Warning; else Normal
  Text reason{};         // CamelCase
  Text message{};
  Text about{};  // the name of the object that it is attached to
  friend bool operator==(const Event&, const Event&) = default;
};

struct SyncResult {
  bool failed = false;   // retried with back-off
  Code code = Code::ok;  // of the call that made it fail, if one did
  Text what{};           // for reports
  std::optional<Time> requeue_after{};
  bool rate_limited = false;  // it asked for the next turn at once, and requeue_after is what a rate limiter made of it
  /// After a failure, if its work queue is its own (Traits::keeps_queue): when that tries the set again.
  std::optional<Time> retry_after{};
  /// What it changed of the objects that it was shown, in words, as somebody says who watches; empty: nothing.
  std::optional<Text> touched{};
  /// What its threads used at the same time with nothing to order them, in words, as a race detector says; empty:
  /// nothing.
  std::optional<Text> races{};
  /// The events that it recorded, in their order. Nothing: nobody knows whether it records any.
  std::optional<std::vector<Event>> events{};
  /// No other worker could have been handed the same set in the midst of it, as somebody says who watches its queue.
  std::optional<bool> alone{};
};

/// Some of the kinds, by Kind.
using Kinds = std::array<bool, kind_count>;

/// What whoever serves or judges a controller has to know of it.
struct Traits {
  /// When a pod has become ready its event handler wants the set looked at after minReadySeconds, and so much more.
  /// Nothing: it leaves that to the turn which the event wakes.
  std::optional<Time> wake_margin = Time::seconds(1);
  /// Its encoder writes a creation time that nobody has set as null, into the data of revisions, too (Kubernetes
  /// until 1.33).
  bool null_times = false;
  /// Its event handlers wake the set that controls a pod, whichever set of that name it is, and nobody else: orphans
  /// wake none (OpenKruise). Otherwise they are those of Kubernetes.
  bool wakes_owners_only = false;
  /// It keeps caches of its own, of every namespace: a program.
  bool watches_every_namespace = false;
  /// It takes the turn of another key while it waits for the answer to a call: a program with several workers.
  bool several_workers = false;
  /// Under the guard against stale caches it waits until they have shown what it was told it created or changed
  /// (Kubernetes from 1.36 on).
  bool waits_for_writes = false;
  /// A turn that has written to a pod or to the set may leave the rest to the turn that the event of this makes.
  bool rest_by_events = false;
  /// It looks into its caches anew in the course of a turn, and then finds what they have taken since it began.
  /// Otherwise a turn has one view.
  bool live_caches = false;
  /// Its work queue is its own, too: after a turn, failed or not, another one comes when the turn asks for it, and for
  /// no other reason than events.
  bool keeps_queue = false;
  /// Caches that a new process does not wait for: its first turns may find them empty, whatever there is.
  /// Nothing: nobody knows, and none is.
  std::optional<Kinds> starts_without{};
};

/// A set that event handlers ask to be looked at, after so long.
struct Wake {
  Key key;
  Time after{};
};

/// Event handlers of a controller's own. They hear of each event of any kind once the caches have taken it, as an
/// informer tells it: a cache that has listed anew tells one for each object that differs, `before` and `after` may
/// then be two objects of one name, and a deletion has no version.
class Handlers {
 public:
  virtual ~Handlers() = default;
  virtual void on(const Change<StatefulSet>& event, const View& seen) = 0;
  virtual void on(const Change<Pod>& event, const View& seen) = 0;
  virtual void on(const Change<Claim>& event, const View& seen) = 0;
  virtual void on(const Change<Revision>& event, const View& seen) = 0;
  /// What they ask for since this was last asked. Nothing in the midst of a sync: it is asked again at its end.
  virtual std::vector<Wake> asked(Time now) = 0;
};

/// Brings one StatefulSet one step closer to its spec.
/// Reads only `seen`, acts only through `api`; no clock, no randomness. What it remembers, `restart` takes away.
class Controller {
 public:
  virtual ~Controller() = default;
  /// With live caches `seen` may be another one whenever a call returns; lists taken from it before are not valid then.
  virtual SyncResult sync(const Key& key, const View& seen, Api& api, Time now) = 0;
  /// A new process: everything remembered is gone.
  virtual void restart() {}
  virtual Traits traits() const { return {}; }
  /// Null: its event handlers are those of Kubernetes, as its traits have them (queue.h).
  virtual Handlers* handlers() { return nullptr; }
  /// The gates it acts under when it is started with these: who does not know one acts as if it were always on, or
  /// always off.
  virtual Gates acting(const Gates& started_with) const { return started_with; }
  virtual std::string_view name() const = 0;
};

}  // namespace ordeal
