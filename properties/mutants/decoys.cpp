#include "properties/mutants/decoys.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/controller/decisions.h"
#include "properties/mutants/around.h"
#include "properties/mutants/decoys_guarding.h"
#include "properties/mutants/decoys_informed.h"
#include "properties/mutants/wrong.h"

namespace ordeal::properties {

namespace {

// --- calls -------------------------------------------------------------------------------------------------------------

/// Looks at the set itself before anything else.
class LooksFirst final : public Around {
 public:
  using Around::Around;
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    look_at(api, Kind::set, key.name);
    return Around::sync(key, seen, api, now);
  }
};

/// Looks at a pod itself before it deletes it.
class LooksAtPods final : public Around {
 public:
  using Around::Around;

 private:
  Reply call(Request request) override {
    if (request.verb == Verb::remove && request.kind == Kind::pod) look_at(*api_, Kind::pod, request.name);
    return Around::call(std::move(request));
  }
};

/// Looks at every pod itself before anything else.
class LooksAtAllPods final : public Around {
 public:
  using Around::Around;
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    if (const StatefulSet* set = seen.sets.find(key.name))
      for (const Pod* pod : seen.pods.all)
        if (pod->meta.controlled_by(set->meta.uid) && set->spec->selector.matches(pod->meta.labels.get()))
          look_at(api, Kind::pod, pod->meta.name);
    return Around::sync(key, seen, api, now);
  }
};

/// Asks once more when a deletion or a change of owners met a conflict.
class AsksAgain final : public Around {
 public:
  using Around::Around;

 private:
  Reply call(Request request) override {
    const bool repeats = request.verb == Verb::remove || request.verb == Verb::patch_owners;
    const Request again = request;
    Reply reply = Around::call(std::move(request));
    return repeats && reply.code == Code::conflict ? Around::call(again) : reply;
  }
};

/// Does not ask for a pod whose name is taken by another one that it is shown.
class SeesTakenNames final : public Around {
 public:
  using Around::Around;
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    removed_.clear();
    return Around::sync(key, seen, api, now);
  }

 private:
  Reply call(Request request) override {
    if (request.verb == Verb::create && request.kind == Kind::pod && seen_->pods.find(request.name) != nullptr &&
        !was_removed(request.name))
      return Reply{Code::already_exists, {}};
    if (request.verb == Verb::remove && request.kind == Kind::pod) removed_.push_back(request.name);
    return Around::call(std::move(request));
  }
  bool was_removed(const Text& name) const { return std::ranges::find(removed_, name) != removed_.end(); }
  std::vector<Text> removed_;
};

/// Takes an answer that what was to be changed is gone for the end of the matter.
class IgnoresWhatIsGone final : public Around {
 public:
  using Around::Around;
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    failed_otherwise_ = false;
    SyncResult result = Around::sync(key, seen, api, now);
    if (result.failed && result.code == Code::not_found && !failed_otherwise_) result.failed = false;
    return result;
  }

 private:
  Reply call(Request request) override {
    const bool changes = request.verb == Verb::update || request.verb == Verb::update_status;
    Reply reply = Around::call(std::move(request));
    if (!reply.ok() && !(changes && reply.code == Code::not_found)) failed_otherwise_ = true;
    return reply;
  }
  bool failed_otherwise_ = false;
};

/// Deletes only the very version it was shown.
class DeletesVersions final : public Around {
 public:
  using Around::Around;

 private:
  Reply call(Request request) override {
    const Pod* pod = seen_->pods.find(request.name);
    if (request.verb == Verb::remove && request.kind == Kind::pod && pod != nullptr)
      request.version = pod->meta.version;
    return Around::call(std::move(request));
  }
};

/// Reads its lists from the end.
class ReadsBackwards final : public Around {
 public:
  using Around::Around;
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    View turned = seen;
    pods_.assign(seen.pods.all.rbegin(), seen.pods.all.rend());
    revisions_.assign(seen.revisions.all.rbegin(), seen.revisions.all.rend());
    turned.pods.all = pods_;
    turned.revisions.all = revisions_;
    return Around::sync(key, turned, api, now);
  }

 private:
  std::vector<const Pod*> pods_;
  std::vector<const Revision*> revisions_;
};

/// Asks to be woken a second early, and looks again.
class WakesEarly final : public Around {
 public:
  using Around::Around;
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    SyncResult result = Around::sync(key, seen, api, now);
    if (result.requeue_after && result.requeue_after->ms > 2000) result.requeue_after->ms -= 1000;
    return result;
  }
};

/// Looks at every set it is asked about again before long, whatever it waits for.
class Polls final : public Around {
 public:
  Polls(Made inner, Time every) : Around(std::move(inner)), every_(every) {}
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    SyncResult result = Around::sync(key, seen, api, now);
    if (seen.sets.find(key.name) != nullptr)
      result.requeue_after = std::min(result.requeue_after.value_or(every_), every_);
    return result;
  }

 private:
  const Time every_;
};

bool removes_a_pod(const Request& request) { return request.kind == Kind::pod && request.verb == Verb::remove; }

/// Some requests, once they have succeeded, end a turn in which nothing was refused; how it ends then is said. A batch
/// of an OrderedReady set is never broken off: the rest would have to wait until its pods are back. Nor is any turn
/// where updates go by the counts of the status, without a rollingUpdate block: it is to be written in the same turn.
class EndsAfter : public Around {
 public:
  using Ends = bool (*)(const Request&);
  EndsAfter(Made inner, Ends ends, SyncResult end) : Around(std::move(inner)), ends_(ends), end_(std::move(end)) {}
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    const StatefulSet* set = seen.sets.find(key.name);
    is_ordered_ = set != nullptr && set->spec->pod_management == PodManagement::ordered_ready;
    goes_by_counts_ = set != nullptr && set->spec->strategy == Strategy::rolling_update && !set->spec->rolling_update;
    is_over_ = was_refused_ = false;
    try {
      return Around::sync(key, seen, api, now);
    } catch (const Enough&) {
      return end_;
    }
  }

 private:
  struct Enough {};
  Reply call(Request request) override {
    if (is_over_) throw Enough{};
    const bool ends = ends_(request) && !goes_by_counts_ && !(is_ordered_ && removes_a_pod(request));
    Reply reply = Around::call(std::move(request));
    was_refused_ = was_refused_ || !reply.ok();
    is_over_ = ends && !was_refused_;
    return reply;
  }
  const Ends ends_;
  const SyncResult end_;
  bool is_over_ = false, was_refused_ = false, is_ordered_ = false, goes_by_counts_ = false;
};

bool makes_or_removes_pods(const Request& request) {
  return request.kind == Kind::pod && (request.verb == Verb::create || request.verb == Verb::remove);
}
/// Whatever pods need: adoption, revisions, claims, repairs.
bool prepares(const Request& request) {
  return request.verb != Verb::get && request.verb != Verb::update_status && !makes_or_removes_pods(request);
}
bool writes_a_pod(const Request& request) { return request.kind == Kind::pod && request.verb != Verb::get; }

Made ending_after(const Gates& gates, EndsAfter::Ends ends, SyncResult end = {.requeue_after = Time::seconds(1)}) {
  return std::make_unique<EndsAfter>(strict(gates), ends, std::move(end));
}

/// One write of a pod, and the event of that brings the turn that goes on.
class GoesOnByEvents final : public EndsAfter {
 public:
  explicit GoesOnByEvents(Made inner) : EndsAfter(std::move(inner), writes_a_pod, SyncResult{}) {}
  Traits traits() const override {
    Traits traits = EndsAfter::traits();
    traits.rest_by_events = true;
    return traits;
  }
};

/// Tells of the pods that a turn has made as soon as it has.
class CountsAtOnce final : public Around {
 public:
  using Around::Around;
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    made_ = 0;
    return Around::sync(key, seen, api, now);
  }

 private:
  Reply call(Request request) override {
    const bool makes = request.verb == Verb::create && request.kind == Kind::pod;
    if (request.verb == Verb::update_status) {
      std::get<StatefulSetStatus>(request.body).replicas += made_;
      if (says_what_is_shown(request, *seen_)) return {};
    }
    Reply reply = Around::call(std::move(request));
    made_ += makes && reply.ok() ? 1 : 0;
    return reply;
  }
  std::int32_t made_ = 0;
};

/// A Parallel set has its own table.
class ByPolicy final : public Around {
 public:
  ByPolicy(Made ordered, Made parallel) : Around(std::move(ordered)), parallel_(std::move(parallel)) {}
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    const StatefulSet* set = seen.sets.find(key.name);
    const bool bursts = set != nullptr && set->spec->pod_management == PodManagement::parallel;
    return bursts ? parallel_->sync(key, seen, api, now) : Around::sync(key, seen, api, now);
  }
  void restart() override {
    Around::restart();
    parallel_->restart();
  }

 private:
  Made parallel_;
};

// --- decisions ---------------------------------------------------------------------------------------------------------

Pod with_volumes_turned(const StatefulSet& set, const Shared<PodTemplate>& from, const Text& revision,
                        Ordinal ordinal) {
  Pod pod = decide::build_pod(set, from, revision, ordinal);
  if (pod.volumes == nullptr) return pod;
  std::vector<Volume> volumes(pod.volumes->rbegin(), pod.volumes->rend());
  pod.volumes = std::make_shared<const std::vector<Volume>>(std::move(volumes));
  return pod;
}
Pod with_a_note(const StatefulSet& set, const Shared<PodTemplate>& from, const Text& revision, Ordinal ordinal) {
  Pod pod = decide::build_pod(set, from, revision, ordinal);
  StringMap annotations = pod.meta.annotations ? *pod.meta.annotations : StringMap{};
  annotations.set("example.com/made-by", "decoy");
  pod.meta.annotations = std::make_shared<const StringMap>(std::move(annotations));
  return pod;
}
Revision built_by_another_hash(const StatefulSet& set, const Candidate& candidate, const Text& suffix,
                               std::int64_t number) {
  const std::string_view digits = suffix.view();
  return decide::build_revision(set, candidate, Text(std::string(digits.rbegin(), digits.rend())), number);
}
std::size_t one_by_one(std::size_t, std::size_t remaining) { return std::min<std::size_t>(1, remaining); }
std::size_t in_threes(std::size_t, std::size_t remaining) { return std::min<std::size_t>(3, remaining); }
bool lowest_ordinal_first(const PodState& a, const PodState& b) { return a.ordinal < b.ordinal; }

constexpr std::array list{
    Decoy{"looks-at-the-set-first", "Every turn begins with a read of the set that nothing comes of.",
          "what is read is not promised, only what is written; that a turn at rest asks for nothing is strict",
          Level::promised, [](const Gates& gates) -> Made { return std::make_unique<LooksFirst>(strict(gates)); }},
    Decoy{"looks-at-pods-before-deleting", "Each deletion of a pod is preceded by a read of it.",
          "what is read is not promised", Level::strict,
          [](const Gates& gates) -> Made { return std::make_unique<LooksAtPods>(strict(gates)); }},
    Decoy{"deletes-the-version-it-saw", "Deletions name the resourceVersion, and fail when the pod has changed since.",
          "DEL-3 asks for the same pod; a failed deletion is tried again", Level::strict,
          [](const Gates& gates) -> Made { return std::make_unique<DeletesVersions>(strict(gates)); }},
    Decoy{"deletes-by-name", "Deletions name the pod alone.", "DEL-3 is promised of fresh views only", Level::promised,
          [](const Gates& gates) { return strict_but(gates, [](Rules& r) { r.precondition = Precondition::none; }); }},
    Decoy{"looks-at-all-pods", "Every turn begins with a read of each of the set's pods.",
          "GUIDE: a turn may make sure", Level::promised,
          [](const Gates& gates) -> Made { return std::make_unique<LooksAtAllPods>(strict(gates)); }},
    Decoy{"asks-again", "A deletion or a change of owners that meets a conflict is asked for once more.",
          "ERR-3: attempts are bounded", Level::promised,
          [](const Gates& gates) -> Made { return std::make_unique<AsksAgain>(strict(gates)); }},
    Decoy{"sees-taken-names", "A pod whose name is taken in the view is not asked for; the turn fails.",
          "ERR-1 speaks of calls that are made", Level::promised,
          [](const Gates& gates) -> Made { return std::make_unique<SeesTakenNames>(strict(gates)); }},
    Decoy{"ignores-what-is-gone", "A turn that is told that something to be changed is gone ends well.",
          "ERR-2: what is gone needs no other turn", Level::promised,
          [](const Gates& gates) -> Made { return std::make_unique<IgnoresWhatIsGone>(strict(gates)); }},
    Decoy{"reads-lists-backwards", "Pods and revisions are read from the end of their lists.",
          "FIX-3: equal views lead to equal calls up to their order", Level::strict,
          [](const Gates& gates) -> Made { return std::make_unique<ReadsBackwards>(strict(gates)); }},
    Decoy{"wakes-early", "A turn that waits for minReadySeconds asks to be woken a second early, and looks again.",
          "LIV-7 says no later than", Level::strict,
          [](const Gates& gates) -> Made { return std::make_unique<WakesEarly>(strict(gates)); }},
    Decoy{"polls-each-second",
          "Every turn asks to be woken in a second, whether or not there is something to wait for.",
          "LIV-7 says no later than", Level::strict,
          [](const Gates& gates) -> Made { return std::make_unique<Polls>(strict(gates), Time::seconds(1)); }},
    Decoy{"prepares-in-turns",
          "A turn that adopts, records, provides or repairs ends there, and asks for the next one in a second.",
          "Writing Controllers: what a turn leaves to the next is its own business", Level::strict,
          [](const Gates& gates) { return ending_after(gates, prepares); }},
    Decoy{
        "writes-pods-as-its-rate-limiter-allows",
        "A turn that has written to a pod ends there, and asks for the next one of a rate limiter that has had enough.",
        "Writing Controllers: what a turn leaves to the next is its own business", Level::promised,
        [](const Gates& gates) {
          return ending_after(gates, writes_a_pod, {.requeue_after = Time::seconds(2), .rate_limited = true});
        }},
    Decoy{"removes-pods-in-turns",
          "A turn that has deleted a pod of a Parallel set ends there, and asks for the next one in a second.",
          "Writing Controllers: what a turn leaves to the next is its own business", Level::promised,
          [](const Gates& gates) { return ending_after(gates, removes_a_pod); }},
    Decoy{"goes-on-by-events", "A turn that has written to a pod ends there: the event of that brings the next one.",
          "Writing Controllers: what a turn leaves to the next is its own business", Level::promised,
          [](const Gates& gates) -> Made { return std::make_unique<GoesOnByEvents>(strict(gates)); }},
    Decoy{"counts-what-it-made", "The pods that a turn has made are in status.replicas at once.",
          "StatefulSetStatus: the number of pods created", Level::strict,
          [](const Gates& gates) -> Made { return std::make_unique<CountsAtOnce>(strict(gates)); }},
    Decoy{"polls-now-and-then", "Every turn asks to be woken in five minutes at the latest.",
          "LIV-7 says no later than", Level::strict,
          [](const Gates& gates) -> Made { return std::make_unique<Polls>(strict(gates), Time::seconds(300)); }},
    Decoy{
        "available-a-moment-later", "Pods become available only after the moment at which minReadySeconds are over.",
        "ready for minReadySeconds at least: whether that moment counts is not said", Level::strict,
        [](const Gates& gates) { return strict_but(gates, [](Rules& r) { r.available = decide::ready_for_longer; }); }},
    Decoy{"parallel-one-by-one", "Parallel sends one request at a time and stops at the first that fails.",
          "ORD-6: in which batches is not promised", Level::strict,
          [](const Gates& gates) { return strict_but(gates, [](Rules& r) { r.next_batch = one_by_one; }); }},
    Decoy{"parallel-in-threes", "Parallel works in batches of three.", "ORD-6: in which batches is not promised",
          Level::promised,
          [](const Gates& gates) { return strict_but(gates, [](Rules& r) { r.next_batch = in_threes; }); }},
    Decoy{"parallel-removes-lowest-first", "Parallel deletes surplus pods from the lowest ordinal up.",
          "SCL-6: Parallel imposes no order", Level::strict,
          [](const Gates& gates) -> Made {
            return std::make_unique<ByPolicy>(
                strict(gates), strict_but(gates, [](Rules& r) { r.condemned_before = lowest_ordinal_first; }));
          }},
    Decoy{"volumes-in-another-order", "New pods have their volumes in reverse order.",
          "ID-4 says which volumes, not in which order", Level::strict,
          [](const Gates& gates) { return strict_but(gates, [](Rules& r) { r.build_pod = with_volumes_turned; }); }},
    Decoy{"pods-carry-a-note", "New pods have an annotation besides those of the template.",
          "ID-3 says what a pod has at least", Level::strict,
          [](const Gates& gates) { return strict_but(gates, [](Rules& r) { r.build_pod = with_a_note; }); }},
    Decoy{"redoes-after-conflicts", "An update that meets a conflict is made again from what is stored by then.",
          "API conventions, section Concurrency Control and Consistency", Level::promised, redoes_after_conflicts},
    Decoy{"guards-its-pods",
          "New pods have a finalizer, which is taken off those that are to go, though their set is going or gone.",
          "API conventions, section Metadata: who has set a finalizer takes it off", Level::promised, guards_its_pods},
    Decoy{"looks-before-creating",
          "A claim or a pod is asked for before it is created, and not created when it is there.",
          "A resource that exists already counts as created", Level::promised, looks_before_creating},
    Decoy{"looks-before-deleting", "A pod is asked for before it is deleted, and not deleted when it is gone.",
          "DEL-2, DEL-3", Level::promised, looks_before_deleting},
    Decoy{"looks-before-the-status",
          "The set is asked for before its status is written, which is left out when it is right.", "ST-3",
          Level::promised, looks_before_the_status},
    Decoy{"works-on-what-is-stored", "Every turn works on the set as it is stored, whatever its cache shows.", "FIX-3",
          Level::promised, works_on_the_stored_set},
    Decoy{"waits-for-the-stored-set",
          "A turn whose cache does not show the set as it is stored asks to be made again in a second.",
          "Writing Controllers: what a turn leaves to the next is its own business", Level::promised,
          waits_for_the_stored_set},
    Decoy{"waits-for-its-writes",
          "A turn whose caches do not show what the process wrote of sets and pods does nothing: events are to come.",
          "GUIDE: a turn may wait for what it knows to come", Level::promised, waits_for_its_writes},
    Decoy{"fails-until-deletions-show", "A turn fails while a pod that the process deleted is shown as it was.",
          "GUIDE: a turn may wait for what it knows to come", Level::promised, fails_until_deletions_show},
    Decoy{"makes-sure-after-timeouts",
          "What became of an adoption or a deletion that timed out is looked up, and the turn goes on.",
          "ERR-1 speaks of what failed", Level::promised, makes_sure_after_timeouts},
    Decoy{"looks-for-surplus-pods", "Every turn asks for one pod after the other past the range, until there is none.",
          "GUIDE: a turn may make sure", Level::promised, looks_for_surplus_pods},
    Decoy{"looks-for-the-current-revision", "A current revision that the cache does not show is asked for.",
          "GUIDE: a turn may make sure", Level::promised, looks_for_the_current_revision},
    Decoy{"asks-for-all-claims", "All claims of a new pod are asked for, whether or not they are there.",
          "A resource that exists already counts as created", Level::promised, asks_for_all_claims},
    Decoy{"takes-claims-that-are-there", "That a claim to be created is there already is no failure.",
          "A resource that exists already counts as created", Level::promised, takes_claims_that_are_there},
    Decoy{"says-the-grace-period", "Deletions name the grace period that the pod has anyway.", "DEL-5: the default one",
          Level::strict, says_the_grace_period},
    Decoy{"prunes-one-by-one", "A turn prunes one revision, and asks for the next turn in a second.",
          "REV-9 speaks of error-free turns at rest", Level::promised, prunes_one_by_one},
    Decoy{"prunes-when-idle", "Revisions are pruned only by a turn that has written nothing else, or fails.",
          "REV-9 speaks of a set at rest", Level::promised, prunes_when_idle},
    Decoy{"leaves-others-revisions",
          "A revision of the same template that is not the set's is not used: the next name is taken.",
          "REV-12: a taken name is a collision", Level::promised, leaves_others_revisions},
    Decoy{"counts-what-it-removed", "The pods that a turn has deleted are out of status.updatedReplicas at once.",
          "ST-2: a pod that terminates is at no revision", Level::promised, counts_what_it_removed},
    Decoy{"remembers-its-writes", "What the process wrote is taken for stored before any cache shows it.",
          "ERR-5: what is remembered only makes things faster", Level::promised, remembers_its_writes},
    Decoy{"another-hash", "Revisions are named by another hash.", "REV-12 promises one name of one content, not which",
          Level::promised,
          [](const Gates& gates) {
            return strict_but(gates, [](Rules& r) { r.build_revision = built_by_another_hash; });
          }},
    Decoy{"never-retries-within-a-turn", "A conflict ends the turn at once; the next one begins with a fresh view.",
          "ERR-3, ST-11: attempts are bounded from above only", Level::strict,
          [](const Gates& gates) {
            return strict_but(gates, [](Rules& r) { r.update_attempts = r.bump_attempts = r.status_attempts = 1; });
          }},
    Decoy{"forgets-its-own-writes",
          "Nothing is remembered of earlier turns, so that lagging caches are not waited for.",
          "ERR-5: what is remembered only makes things faster", Level::promised,
          [](const Gates& gates) {
            return strict_but(gates, [](Rules& r) { r.remembers = decide::nothing_is_remembered; });
          }},
    Decoy{"marks-claims-one-by-one", "whenScaled Delete: claims of a surplus pod are marked just before that pod goes.",
          "a document promises it of each pod; of all before the first is strict", Level::promised,
          [](const Gates& gates) { return strict_but(gates, [](Rules& r) { r.marks_claims_first = false; }); }},
    Decoy{"scaling-waits-for-broken", "A broken surplus pod is not deleted while another one is broken.",
          "SCL-3, SCL-4: promised is neither that it goes nor that it waits", Level::promised,
          [](const Gates& gates) {
            return strict_but(gates, [](Rules& r) { r.condemned_choice = decide::highest_if_healthy_or_only_broken; });
          }},
    Decoy{"update-ignores-lower-pods", "Parallel without maxUnavailable does not look at pods with lower ordinals.",
          "UPD-19: no guarantee", Level::promised,
          [](const Gates& gates) {
            return strict_but(gates, [](Rules& r) { r.updates_one_by_one = decide::next_from_the_top; });
          }},
    Decoy{"rounds-up", "A percentage of maxUnavailable is rounded up.", "U46: documents say up, releases round down",
          Level::promised,
          [](const Gates& gates) {
            return strict_but(gates, [](Rules& r) {
              r.budget = [](const StatefulSetSpec& spec) { return budget_rounded(spec, 99, 1); };
            });
          }},
    Decoy{"budget-of-the-update", "maxUnavailable is about the pods that the partition does not hold back.",
          "KEP-961, and Kubernetes from 1.38 on; the documentation speaks of all pods", Level::promised,
          [](const Gates& gates) {
            return strict_but(gates, [](Rules& r) {
              r.budget = decide::floor_of_those_to_update;
              r.used_up = decide::unhealthy_from_the_partition_on;
            });
          }},
    Decoy{"no-forced-rollback", "OrderedReady waits for a broken pod of an old revision until somebody deletes it.",
          "documented under Forced rollback", Level::promised,
          [](const Gates& gates) {
            return strict_but(gates, [](Rules& r) { r.forced_rollback = decide::no_forced_rollback; });
          }},
    Decoy{"status-by-the-release", "Counters, completion and their limits are those of Kubernetes 1.37.",
          "ST-2, ST-8, ST-9, ST-13: what they leave open", Level::promised,
          [](const Gates& gates) {
            return strict_but(gates, [](Rules& r) {
              r.completes = decide::complete_by_counts;
              r.lowers_current = decide::always_lowers;
            });
          }},
    Decoy{"live-caches", "Caches are looked into anew in the course of a turn.",
          "what every informer does: a turn need not have one view", Level::promised,
          [](const Gates& gates) { return strict_but(gates, [](Rules& r) { r.live_caches = true; }); }},
    Decoy{"touches-repaired-pods", "A pod whose claims got other owners is written, too, unchanged.",
          "what Kubernetes does; that it need not is strict", Level::promised,
          [](const Gates& gates) { return strict_but(gates, [](Rules& r) { r.touches_pod_for_claims = true; }); }},
};

}  // namespace

std::span<const Decoy> decoys() { return list; }

const Decoy* find_decoy(std::string_view id) {
  const auto at = std::ranges::find(list, id, &Decoy::id);
  return at == list.end() ? nullptr : &*at;
}

}  // namespace ordeal::properties
