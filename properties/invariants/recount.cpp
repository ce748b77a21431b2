#include "properties/invariants/recount.h"

#include "core/api/names.h"
#include "properties/evidence/history.h"

namespace ordeal::properties::status {
namespace {

/// By the answer to its deletion there is none any more.
bool is_told_gone(const Call& call) {
  if (!call.is(Verb::remove, Kind::pod)) return false;
  const Pod* answered = call.reply.as<Pod>();
  return call.reply.code == Code::not_found ||
         (call.reply.ok() && answered != nullptr && !answered->meta.terminating());
}
/// The pod it made is none of those that are shown, and counted: a view by answers shows it (Moment::as_told).
bool makes_one_more(const View& seen, const Call& call) {
  if (!call.is(Verb::create, Kind::pod) || call.failed()) return false;
  const Pod *made = call.reply.as<Pod>(), *shown = seen.pods.find(call.request.name);
  return made == nullptr || shown == nullptr || shown->meta.uid != made->meta.uid;
}
/// The same of what it removes: a view by answers shows it gone or going, or the one made in its place.
bool makes_one_less(const Moment& m, std::span<const Call> calls, const Call& removal) {
  if (!m.as_told) return true;
  const Pod* shown = m.sync->seen.pods.find(removal.request.name);
  return shown != nullptr && !shown->meta.terminating() && std::ranges::none_of(calls, [&](const Call& call) {
           const Pod* made = call.is(Verb::create, Kind::pod) && !call.failed() ? call.reply.as<Pod>() : nullptr;
           return made != nullptr && made->meta.uid == shown->meta.uid;
         });
}

template <class Makes, class Removes>
Turnover turnover_by(const Moment& m, std::span<const Call> calls, Makes makes, Removes removes) {
  Turnover turnover;
  for (const Call& call : calls) {
    turnover.made += makes_one_more(m.sync->seen, call) && makes(call) ? 1 : 0;
    turnover.removed += removes(call) && makes_one_less(m, calls, call) ? 1 : 0;
  }
  return turnover;
}
bool any(const Call&) { return true; }
/// One that was refused has removed nothing; after a timeout nobody knows.
bool removes_a_pod(const Call& call) {
  const bool refused = call.failed() && call.reply.code != Code::not_found && call.reply.code != Code::timeout;
  return call.is(Verb::remove, Kind::pod) && !refused;
}
/// One that was made again in the same turn is there again.
bool removes_for_now(std::span<const Call> calls, const Call& call) {
  const auto makes_it_again = [&](const Call& made) {
    return made.is(Verb::create, Kind::pod) && !made.failed() && made.request.name == call.request.name;
  };
  return removes_a_pod(call) && std::ranges::none_of(calls, makes_it_again);
}

}  // namespace

bool is_countable(const Facts& facts) {
  if (facts.set == nullptr || facts.irregular) return false;
  return !facts.deleting || std::ranges::none_of(facts.claimed, [](const Pod* pod) {
    return parse_member(pod->meta.name).ordinal == Ordinal::none;
  });
}

bool counts_are_promised(const Facts& facts) { return is_countable(facts) && !facts.deleting; }

bool rests_counted(const Moment& m) { return m.history.came_to_rest && counts_are_promised(*m.facts); }

bool writes_status(const Sync& sync) {
  return std::ranges::any_of(sync.calls, [](const Call& call) { return call.writes_status(); });
}

Turnover turnover_of(const Moment& m, std::span<const Call> calls) { return turnover_by(m, calls, any, is_told_gone); }

Turnover turnover_of_updated(const Moment& m, std::span<const Call> calls) {
  // A pod of another revision is none of them, before and after.
  const auto is_updated = [&](const Pod& pod) { return is_at(pod, m.facts->update_name); };
  const auto makes = [&](const Call& call) { return is_updated(call.request.pod()); };
  const auto removes = [&](const Call& call) {
    const Pod* shown = m.sync->seen.pods.find(call.request.name);
    return removes_for_now(calls, call) && (shown == nullptr || is_updated(*shown));
  };
  return turnover_by(m, calls, makes, removes);
}

Turnover turnover_of_current(const Moment& m, std::span<const Call> calls) {
  return turnover_by(m, calls, any, removes_a_pod);
}

Turnover turnover_of_readiness(const View& seen, std::span<const Call> calls) {
  return {.unlike = static_cast<std::int32_t>(std::ranges::count_if(calls, [&](const Call& call) {
            const Pod* told = call.reply.as<Pod>();
            const Pod* shown = told == nullptr ? nullptr : seen.pods.find(told->meta.name);
            return shown != nullptr && shown->meta.uid == told->meta.uid &&
                   Facts::running_and_ready(*shown) != Facts::running_and_ready(*told);
          }))};
}

bool tells_available(const Facts& facts, const StatefulSetStatus& told, Turnover readiness) {
  const Recount& counted = facts.recount;
  return told.available_replicas <= counted.available + readiness.unlike &&
         told.available_replicas >= counted.surely_available - readiness.unlike;
}

const Text& current_one(const Facts& facts, const StatefulSetStatus& written) {
  return written.current_revision == facts.update_name ? facts.update_name : facts.current_name;
}

std::int32_t at_current(const Facts& facts, const StatefulSetStatus& written) {
  return written.current_revision == facts.update_name ? facts.recount.updated : facts.recount.current;
}

bool holds_template(const Revision* revision, const StatefulSet& set) {
  return revision != nullptr && revision->data.holds(*set.spec->pod_template);
}

bool is_done(const Facts& facts) {
  if (!facts.condemned.empty() || facts.deleting || nobody_is_above_the_partition(facts)) return false;
  return first_unlike(facts, [&](const Pod& pod) { return facts.surely_healthy(pod) && !facts.outdated(pod); }) ==
         nullptr;
}

}  // namespace ordeal::properties::status
