#include "properties/mutants/decoys_informed.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "core/api/names.h"
#include "core/controller/decisions.h"

namespace ordeal::properties {

namespace {

template <class T>
Made made_of(const Gates& gates) {
  return std::make_unique<T>(strict(gates));
}

const Owners& owners_in(const ObjectMeta& meta) {
  static const Owners none;
  return meta.owners ? *meta.owners : none;
}

class RedoesAfterConflicts final : public Around {
 public:
  using Around::Around;

 private:
  Reply call(Request request) override {
    const Request asked = request;
    const Reply reply = Around::call(std::move(request));
    const bool redoes = asked.verb == Verb::update && asked.kind == Kind::claim && reply.code == Code::conflict;
    const Claim* shown = redoes ? seen_->claims.find(asked.name) : nullptr;
    return shown != nullptr ? redo(asked, *shown, reply) : reply;
  }
  Reply redo(Request again, const Claim& shown, const Reply& refused) {
    const Claim* live = look_at(*api_, Kind::claim, again.name).as<Claim>();
    if (live == nullptr || live->meta.uid != shown.meta.uid || live->meta.terminating()) return refused;
    if (owners_in(live->meta) != owners_in(shown.meta)) return refused;  // whose it is has to be thought about anew
    Claim next = *live;
    next.meta.owners = again.claim().meta.owners;
    again.body = std::move(next);
    again.version = live->meta.version;
    return Around::call(std::move(again));
  }
};

class LooksBeforeCreating final : public Around {
 public:
  using Around::Around;

 private:
  Reply call(Request request) override {
    if (request.verb != Verb::create || (request.kind != Kind::claim && request.kind != Kind::pod))
      return Around::call(std::move(request));
    Reply there = look_at(*api_, request.kind, request.name);
    if (there.code == Code::not_found) return Around::call(std::move(request));
    if (!there.ok()) return there;
    const Claim* claim = there.as<Claim>();  // whose it is, if anybody's, the caches will tell
    const bool is_free = claim != nullptr && !claim->meta.terminating() && owners_in(claim->meta).empty();
    return is_free ? there : Reply{Code::already_exists, {}, {}};
  }
};

class LooksBeforeDeleting final : public Around {
 public:
  using Around::Around;

 private:
  Reply call(Request request) override {
    const bool deletes = request.verb == Verb::remove && request.kind == Kind::pod;
    const bool is_gone = deletes && look_at(*api_, Kind::pod, request.name).code == Code::not_found;
    return is_gone ? Reply{Code::not_found, {}, {}} : Around::call(std::move(request));
  }
};

class LooksBeforeTheStatus final : public Around {
 public:
  using Around::Around;

 private:
  Reply call(Request request) override {
    if (request.verb != Verb::update_status) return Around::call(std::move(request));
    const Reply read = look_at(*api_, Kind::set, request.name);
    const StatefulSet* live = read.as<StatefulSet>();
    const StatefulSet* shown = seen_->sets.find(request.name);
    const bool is_right = live != nullptr && shown != nullptr && live->meta.uid == request.uid &&
                          live->status == request.status() && live->meta.generation == shown->meta.generation;
    return is_right ? read : Around::call(std::move(request));
  }
};

/// Asks for the set first, and hands the answer on.
class BeginsWithTheStoredSet : public Around {
 public:
  using Around::Around;
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    const StatefulSet* shown = seen.sets.find(key.name);
    const Reply read = shown != nullptr ? look_at(api, Kind::set, key.name) : Reply{};
    if (!read.ok() && read.code != Code::not_found)
      return {.failed = true, .code = read.code, .what = "the set could not be read", .requeue_after = {}};
    return go_on(key, seen, shown, read.as<StatefulSet>(), api, now);
  }

 private:
  virtual SyncResult go_on(const Key& key, const View& seen, const StatefulSet* shown, const StatefulSet* live,
                           Api& api, Time now) = 0;
};

class WorksOnTheStoredSet final : public BeginsWithTheStoredSet {
 public:
  using BeginsWithTheStoredSet::BeginsWithTheStoredSet;

 private:
  SyncResult go_on(const Key& key, const View& seen, const StatefulSet* shown, const StatefulSet* live, Api& api,
                   Time now) override {
    if (shown == nullptr || live == nullptr || live->meta.uid != shown->meta.uid)
      return shown == nullptr ? Around::sync(key, seen, api, now) : SyncResult{};
    sets_.assign(seen.sets.by_name.begin(), seen.sets.by_name.end());
    std::ranges::replace(sets_, shown, live);
    View better = seen;
    better.sets = {sets_, sets_};
    return Around::sync(key, better, api, now);
  }
  std::vector<const StatefulSet*> sets_;
};

class WaitsForTheStoredSet final : public BeginsWithTheStoredSet {
 public:
  using BeginsWithTheStoredSet::BeginsWithTheStoredSet;

 private:
  SyncResult go_on(const Key& key, const View& seen, const StatefulSet* shown, const StatefulSet* live, Api& api,
                   Time now) override {
    if (shown != live) return {.failed = false, .code = Code::ok, .what = {}, .requeue_after = Time::seconds(1)};
    return Around::sync(key, seen, api, now);
  }
};

/// As client-go's expectations do: nothing is done, and nothing asked for, until the event of the last write has come.
class WaitsForItsWrites final : public Around {
 public:
  using Around::Around;
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    present_ = &written_[key];
    for (const Kind kind : {Kind::set, Kind::pod})
      if (seen.reached[place_of(kind)] < (*present_)[place_of(kind)]) return {};
    return Around::sync(key, seen, api, now);
  }
  void restart() override {
    Around::restart();
    written_.clear();
  }

 private:
  using Versions = std::array<Version, kind_count>;
  static std::size_t place_of(Kind kind) { return static_cast<std::size_t>(kind); }
  Reply call(Request request) override {
    const bool reads = request.verb == Verb::get;
    Version& newest = (*present_)[place_of(request.kind)];
    const Reply reply = Around::call(std::move(request));
    if (!reads && reply.ok()) newest = std::max(newest, reply.version());
    return reply;
  }
  std::map<Key, Versions> written_;  // others' events wake others
  Versions* present_ = nullptr;      // of the set that is served
};

/// As guards by UID do: a turn fails while a pod that was deleted is shown as it was.
class FailsUntilDeletionsShow final : public Around {
 public:
  using Around::Around;
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    present_ = &deleted_[key];
    std::erase_if(*present_, [&](const Deleted& pod) {
      const Pod* shown = seen.pods.find(pod.name);
      return shown == nullptr || shown->meta.uid != pod.uid || shown->meta.terminating();
    });
    if (present_->empty()) return Around::sync(key, seen, api, now);
    return {.failed = true, .what = "the deletion of a pod is not shown yet", .requeue_after = {}};
  }
  void restart() override {
    Around::restart();
    deleted_.clear();
  }

 private:
  struct Deleted {
    Text name;
    Uid uid;
  };
  Reply call(Request request) override {
    const bool removes = request.verb == Verb::remove && request.kind == Kind::pod;
    const Text name = request.name;
    const Reply reply = Around::call(std::move(request));
    if (const Pod* pod = reply.as<Pod>(); removes && reply.ok() && pod != nullptr)
      present_->push_back({name, pod->meta.uid});
    return reply;
  }
  std::map<Key, std::vector<Deleted>> deleted_;
  std::vector<Deleted>* present_ = nullptr;  // of the set that is served
};

class MakesSureAfterTimeouts final : public Around {
 public:
  using Around::Around;

 private:
  Reply call(Request request) override {
    const Request asked = request;
    const Reply reply = Around::call(std::move(request));
    if (reply.code != Code::timeout || asked.kind != Kind::pod) return reply;
    if (asked.verb == Verb::remove) {
      const Reply there = look_at(*api_, Kind::pod, asked.name);
      const Pod* pod = there.as<Pod>();
      const bool goes =
          there.code == Code::not_found || (pod != nullptr && (pod->meta.terminating() || pod->meta.uid != asked.uid));
      return goes ? Reply{} : reply;
    }
    const auto* patch = std::get_if<OwnerPatch>(&asked.body);
    if (patch == nullptr || !patch->add) return reply;
    const Pod* pod = look_at(*api_, Kind::pod, asked.name).as<Pod>();
    const bool is_ours =
        pod != nullptr && pod->meta.uid == patch->object_uid && pod->meta.controlled_by(patch->add->uid);
    return is_ours ? Reply{Code::ok, pod, {}} : reply;
  }
};

/// Counts surplus pods by asking for one name after the other until there is nobody.
class LooksForSurplusPods final : public Around {
 public:
  using Around::Around;
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    const StatefulSet* set = seen.sets.find(key.name);
    const std::int64_t end =
        set != nullptr ? set->spec->ordinals_start.value_or(0) + std::int64_t{set->spec->replicas.value_or(1)} : past;
    for (std::int64_t next = end; next < past && next < end + 8; ++next)
      if (!look_at(api, Kind::pod, pod_name(key.name, Ordinal{static_cast<std::int32_t>(next)})).ok()) break;
    return Around::sync(key, seen, api, now);
  }

 private:
  static constexpr std::int64_t past = std::int64_t{1} << 31;  // all ordinals
};

/// Makes sure that there is no more of the revision which the status names when its cache does not show it; waits for
/// the cache if there is.
class LooksForTheCurrentRevision final : public Around {
 public:
  using Around::Around;
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    const StatefulSet* set = seen.sets.find(key.name);
    const Text current = set != nullptr ? set->status.current_revision : Text();
    if (current.empty() || seen.revisions.find(current) != nullptr) return Around::sync(key, seen, api, now);
    const Code code = look_at(api, Kind::revision, current).code;
    if (code == Code::not_found) return Around::sync(key, seen, api, now);
    if (code == Code::ok) return {.failed = false, .code = code, .what = {}, .requeue_after = Time::seconds(1)};
    return {.failed = true, .code = code, .what = "a revision could not be read", .requeue_after = {}};
  }
};

/// Asks for all claims of a pod that it is to make, and takes an answer that one is there for the claim itself.
class AsksForAllClaims final : public Around {
 public:
  using Around::Around;
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    set_ = seen.sets.find(key.name);
    return Around::sync(key, seen, api, now);
  }

 private:
  Reply call(Request request) override {
    if (request.verb == Verb::create && request.kind == Kind::pod)
      for (const ClaimTemplate& from : set_->spec->claim_templates)
        if (Reply refused = ask_for(*set_, from, request.name); !refused.ok()) return refused;
    return Around::call(std::move(request));
  }
  Reply ask_for(const StatefulSet& set, const ClaimTemplate& from, const Text& pod) {
    Request create;
    create.verb = Verb::create;
    create.kind = Kind::claim;
    create.name = claim_name(from.name, set.meta.name, parse_member(pod).ordinal);
    if (seen_->claims.find(create.name) == nullptr) return {};  // the inner one asks for it
    create.body = decide::build_claim(set, from, create.name);
    Reply reply = Around::call(std::move(create));
    return reply.code == Code::already_exists ? Reply{} : reply;
  }
  const StatefulSet* set_ = nullptr;  // in each turn the one that it makes pods for
};

class TakesClaimsThatAreThere final : public Around {
 public:
  using Around::Around;

 private:
  Reply call(Request request) override {
    const bool creates_claim = request.verb == Verb::create && request.kind == Kind::claim;
    Reply reply = Around::call(std::move(request));
    return creates_claim && reply.code == Code::already_exists ? Reply{} : reply;
  }
};

class SaysTheGracePeriod final : public Around {
 public:
  using Around::Around;

 private:
  Reply call(Request request) override {
    const bool deletes = request.verb == Verb::remove && request.kind == Kind::pod;
    if (const Pod* pod = deletes ? seen_->pods.find(request.name) : nullptr)
      request.grace = pod->made_from->termination_grace;
    return Around::call(std::move(request));
  }
};

class PrunesOneByOne final : public Around {
 public:
  using Around::Around;
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    pruned_ = 0;
    SyncResult result = Around::sync(key, seen, api, now);
    if (pruned_ > 1) result.requeue_after = std::min(result.requeue_after.value_or(Time::seconds(1)), Time::seconds(1));
    return result;
  }

 private:
  Reply call(Request request) override {
    const bool prunes = request.verb == Verb::remove && request.kind == Kind::revision;
    return prunes && ++pruned_ > 1 ? Reply{} : Around::call(std::move(request));
  }
  int pruned_ = 0;
};

class PrunesWhenIdle final : public Around {
 public:
  using Around::Around;
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    wrote_ = failed_ = false;
    put_off_.clear();
    SyncResult result = Around::sync(key, seen, api, now);
    if (put_off_.empty()) return result;
    if (result.failed) prune_now();
    else result.requeue_after = std::min(result.requeue_after.value_or(soon), soon);
    return result;
  }

 private:
  static constexpr Time soon = Time::seconds(2);

  /// Until one fails: a younger one must not go before an older one.
  void prune_now() {
    for (Request& prune : put_off_)
      if (!Around::call(std::move(prune)).ok()) return;
  }
  Reply call(Request request) override {
    const bool prunes = request.verb == Verb::remove && request.kind == Kind::revision,
               reads = request.verb == Verb::get;
    if (prunes && wrote_ && !failed_) {
      put_off_.push_back(std::move(request));
      return {};
    }
    Reply reply = Around::call(std::move(request));
    wrote_ = wrote_ || !(reads || prunes);
    failed_ = failed_ || !reply.ok();
    return reply;
  }
  bool wrote_ = false, failed_ = false;
  std::vector<Request> put_off_;
};

/// In the place of a revision that is not the set's it reads one of other data: a collision.
class LeavesOthersRevisions final : public Around {
 public:
  using Around::Around;
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    key_ = key;
    return Around::sync(key, seen, api, now);
  }

 private:
  Reply call(Request request) override {
    const bool looks = request.verb == Verb::get && request.kind == Kind::revision;
    const StatefulSet* set = looks ? seen_->sets.find(key_.name) : nullptr;
    const Reply reply = Around::call(std::move(request));
    const Revision* held = set != nullptr ? reply.as<Revision>() : nullptr;
    if (held == nullptr || held->meta.controlled_by(set->meta.uid)) return reply;
    other_ = *held;
    other_.data = {std::make_shared<const std::string>("{}"), nullptr};
    return {Code::ok, &other_, {}};
  }
  Key key_;
  Revision other_;
};

class CountsWhatItRemoved final : public Around {
 public:
  using Around::Around;
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    removed_.clear();
    return Around::sync(key, seen, api, now);
  }

 private:
  Reply call(Request request) override {
    const Pod* pod =
        request.verb == Verb::remove && request.kind == Kind::pod ? seen_->pods.find(request.name) : nullptr;
    if (request.verb == Verb::update_status) {
      auto& told = std::get<StatefulSetStatus>(request.body);
      told.updated_replicas -= removed_at(told.update_revision);
      if (says_what_is_shown(request, *seen_)) return {};
    }
    Reply reply = Around::call(std::move(request));
    if (pod != nullptr && reply.ok() && !pod->meta.terminating()) removed_.push_back(pod);
    return reply;
  }
  std::int32_t removed_at(const Text& revision) const {
    return static_cast<std::int32_t>(std::ranges::count_if(removed_, [&](const Pod* pod) {
      const Text* label = pod->meta.label(label_revision);
      return label != nullptr && *label == revision;
    }));
  }
  std::vector<const Pod*> removed_;
};

/// What was written of one kind and no cache has shown yet; null: an object that is gone.
template <class T>
class Written {
 public:
  void note(const Text& name, const T* object, Uid uid) {
    std::erase_if(kept_, [&](const Kept& kept) { return kept.name == name; });
    kept_.push_back({name, object, uid});
  }
  Listing<T> over(const Listing<T>& shown, Version reached) {
    std::erase_if(kept_, [&](const Kept& kept) {
      if (kept.object != nullptr) return kept.object->meta.version <= reached;
      const T* there = shown.find(kept.name);
      return there != nullptr && there->meta.uid != kept.uid;  // one that was made later
    });
    if (kept_.empty()) return shown;
    list_.assign(shown.by_name.begin(), shown.by_name.end());
    for (const Kept& kept : kept_) {
      std::erase_if(list_, [&](const T* held) { return held->meta.name == kept.name; });
      if (kept.object != nullptr) list_.push_back(kept.object);
    }
    std::ranges::sort(list_, {}, [](const T* held) -> const Text& { return held->meta.name; });
    return {list_, list_};
  }
  void clear() { kept_.clear(); }

 private:
  struct Kept {
    Text name;
    const T* object;
    Uid uid;
  };
  std::vector<Kept> kept_;
  std::vector<const T*> list_;
};

class RemembersItsWrites final : public Around {
 public:
  using Around::Around;
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    View better = seen;
    for (const Kind kind : every_kind)
      with_type(kind, [&]<class T>(std::type_identity<T>) {
        better.of<T>() = written_.of<T>().over(seen.of<T>(), seen.reached[static_cast<std::size_t>(kind)]);
      });
    return Around::sync(key, better, api, now);
  }
  void restart() override {
    Around::restart();
    for_each_type([&]<class T>(std::type_identity<T>) { written_.of<T>().clear(); });
  }

 private:
  Reply call(Request request) override {
    const Kind kind = request.kind;
    const bool reads = request.verb == Verb::get, removes = request.verb == Verb::remove;
    const Text name = request.name;
    const Reply reply = Around::call(std::move(request));
    with_type(kind, [&]<class T>(std::type_identity<T>) {
      const T* stored = reply.as<T>();
      if (reads || !reply.ok() || stored == nullptr) return;
      const bool is_gone = removes && !stored->meta.terminating();
      written_.of<T>().note(name, is_gone ? nullptr : stored, stored->meta.uid);
    });
    return reply;
  }
  EachKind<Written> written_;
};

}  // namespace

Made redoes_after_conflicts(const Gates& gates) { return made_of<RedoesAfterConflicts>(gates); }
Made looks_before_creating(const Gates& gates) { return made_of<LooksBeforeCreating>(gates); }
Made looks_before_deleting(const Gates& gates) { return made_of<LooksBeforeDeleting>(gates); }
Made looks_before_the_status(const Gates& gates) { return made_of<LooksBeforeTheStatus>(gates); }
Made works_on_the_stored_set(const Gates& gates) { return made_of<WorksOnTheStoredSet>(gates); }
Made waits_for_the_stored_set(const Gates& gates) { return made_of<WaitsForTheStoredSet>(gates); }
Made waits_for_its_writes(const Gates& gates) { return made_of<WaitsForItsWrites>(gates); }
Made fails_until_deletions_show(const Gates& gates) { return made_of<FailsUntilDeletionsShow>(gates); }
Made makes_sure_after_timeouts(const Gates& gates) { return made_of<MakesSureAfterTimeouts>(gates); }
Made looks_for_surplus_pods(const Gates& gates) { return made_of<LooksForSurplusPods>(gates); }
Made looks_for_the_current_revision(const Gates& gates) { return made_of<LooksForTheCurrentRevision>(gates); }
Made asks_for_all_claims(const Gates& gates) {
  if (gates.stale_guard) return strict(gates);  // it would have to remember what it makes besides
  return made_of<AsksForAllClaims>(gates);
}
Made takes_claims_that_are_there(const Gates& gates) { return made_of<TakesClaimsThatAreThere>(gates); }
Made says_the_grace_period(const Gates& gates) { return made_of<SaysTheGracePeriod>(gates); }
Made remembers_its_writes(const Gates& gates) { return made_of<RemembersItsWrites>(gates); }
Made prunes_when_idle(const Gates& gates) { return made_of<PrunesWhenIdle>(gates); }
Made leaves_others_revisions(const Gates& gates) { return made_of<LeavesOthersRevisions>(gates); }
Made counts_what_it_removed(const Gates& gates) { return made_of<CountsWhatItRemoved>(gates); }
Made prunes_one_by_one(const Gates& gates) { return made_of<PrunesOneByOne>(gates); }

}  // namespace ordeal::properties
