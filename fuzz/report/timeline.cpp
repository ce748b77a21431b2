#include "fuzz/report/timeline.h"

#include <algorithm>
#include <exception>
#include <set>

#include "core/api/names.h"
#include "fuzz/report/decisions.h"
#include "properties/scenario/scenario_json.h"
#include "properties/world/simulate.h"

namespace ordeal::fuzz {

namespace {

using namespace properties;

// A row remembers this many pods, which is more than a report ever shows; a large set would cost too much otherwise.
constexpr std::size_t pods_remembered = 64;

constexpr std::string_view nothing_came_of_it = "(nothing changes)";

bool waits_for_a_call(const Step& step) {
  return step.at_call > 0 && (info(step.kind).between_calls || step.kind == StepKind::fault);
}

/// Done to objects, and to nothing else: when none is another one afterwards, nothing came of it.
bool is_about_objects(StepKind kind) { return kind < StepKind::lose_node; }

/// What somebody did to sets and pods, in words.
std::vector<std::string> changes_since(const World& world, const Marks& since) {
  std::vector<std::string> changes;
  for (const Change<StatefulSet>& change : world.cluster().sets().log().subspan(since.sets)) {
    if (change.before == nullptr || change.after == nullptr) continue;
    const StatefulSetSpec &before = *change.before->spec, &after = *change.after->spec;
    if (!same(before.pod_template, after.pod_template)) changes.push_back("  a good template is given");
    if (before.rolling_update != after.rolling_update) changes.push_back("  the partition is lifted");
  }
  for (const Change<Pod>& change : world.cluster().pods().log().subspan(since.pods)) {
    const bool was_leaving = change.before == nullptr || change.before->meta.terminating();
    const bool is_leaving = change.after == nullptr || change.after->meta.terminating();
    if (is_leaving && !was_leaving) changes.push_back("  " + change.object().meta.name.str() + " is deleted");
  }
  return changes;
}

/// Revisions are called r1, r2, ... in the order in which they were created.
class RevisionNumbers {
 public:
  explicit RevisionNumbers(const World& world) {
    for (const Change<Revision>& change : world.cluster().revisions().log())
      if (change.before == nullptr) of(change.object().meta.name.view());
  }
  std::string of(std::string_view name) {
    const auto at = std::ranges::find(names, name);
    const auto place = at - names.begin();
    if (at == names.end()) names.emplace_back(name);
    return "r" + std::to_string(place + 1);
  }
  std::vector<std::string> names;
};

/// Which revision a step chose that names one by its place among them: "r2", by what has changed since.
std::string revision_chosen(const World& world, const Marks& since) {
  const auto changed = world.cluster().revisions().log().subspan(since.revisions);
  if (!changed.empty()) return RevisionNumbers(world).of(changed.front().object().meta.name.view());
  for (const Change<StatefulSet>& change : world.cluster().sets().log().subspan(since.sets))
    for (const Revision* held : world.cluster().revisions().live().all())
      if (change.after != nullptr && held->meta.controlled_by(change.after->meta.uid) && held->data.decoded &&
          *held->data.decoded == *change.after->spec->pod_template)
        return RevisionNumbers(world).of(held->meta.name.view());
  return {};
}

/// Writes down what it is told; pods as pointers, which the world keeps alive until it is reset.
class Scribe final : public Witness {
 public:
  Scribe(const Scenario& scenario, const Breach* breach)
      : steps_in_scenario_(static_cast<int>(scenario.steps.size())), breach_(breach) {}

  struct Recorded {
    TimelineRow row;
    std::vector<const Pod*> pods;
    bool settled = false;  // the end of the final settle, where what must hold at rest is judged
  };
  std::vector<Recorded> rows;

  void on_step(const World& world, const TakenStep* step, std::string_view note) override {
    if (step == nullptr) {
      step_ = steps_in_scenario_ + 1;
      begin_row(world, std::string(note), 0);
      epilogue_began_ = world.marks();
      ++notes_;
      return;
    }
    step_ = std::max(step_, static_cast<int>(step->number));
    if (waits_for_a_call(*step)) {
      before_calls_.push_back(*step);
    } else {
      begin_row(world, describe(*step), static_cast<int>(step->number));
      awaits_sync_ = step->kind == StepKind::sync;
      if (is_about_objects(step->kind)) rows.back().row.lines.front().decision = nothing_came_of_it;
      chooses_a_revision_ = info(step->kind).a.name == "revision";
      step_began_ = world.marks();
    }
  }

  void on_change(const World& world) override {
    if (rows.empty()) begin_row(world, "the set is created", 0);
    if (std::string& decision = rows.back().row.lines.front().decision; decision == nothing_came_of_it)
      decision = chooses_a_revision_ ? revision_chosen(world, step_began_) : std::string();
    if (notes_ == 1) {  // what the environment does by itself when the epilogue begins is no step of the scenario
      for (std::string& change : changes_since(world, epilogue_began_))
        rows.back().row.lines.push_back({0, std::move(change), {}});
      epilogue_began_ = world.marks();
    }
    end_row(world);
  }

  void on_sync(const World& world, const Sync& sync) override {
    if (!sync.by_other) ++syncs_;  // as the judge counts them
    if (!awaits_sync_ || sync.for_neighbour) {
      begin_row(world, sync.for_neighbour ? "for " + sync.key.name.str() : std::string(), 0);
      rows.back().row.quiet = sync.calls.empty() && before_calls_.empty();
    }
    awaits_sync_ = false;
    TimelineRow& row = rows.back().row;
    row.at = sync.now;
    row.shown = shown_in(sync);
    write_calls(sync, row);
    end_row(world);
  }

  void on_rest(const World& world, const Sync& sync) override {
    on_sync(world, sync);
    rows.back().row.lines.front().event = "sync at rest";
    rows.back().row.quiet = false;
  }

  void on_settled(const World& world, bool rested, int rounds, int bound) override {
    begin_row(world, rested ? "nothing moves any more" : "it is still moving", 0);
    rows.back().row.lines.front().decision =
        "after " + std::to_string(rounds) + " of at most " + std::to_string(bound) + " rounds";
    rows.back().settled = true;
    end_row(world);
  }

  /// What comes after the breach is not told.
  bool enough() const override { return breach_ != nullptr && (step_ > breach_->step || syncs_ > breach_->sync); }

 private:
  void begin_row(const World& world, std::string event, int number) {
    TimelineRow row;
    row.lines.push_back({number, std::move(event), {}});
    row.at = world.cluster().now();
    rows.push_back({std::move(row), {}, false});
    awaits_sync_ = false;
    end_row(world);
  }

  void end_row(const World& world) {
    Recorded& last = rows.back();
    last.row.step = step_;
    last.row.sync = syncs_;
    const auto live = world.cluster().pods().live().all();
    last.pods.assign(live.begin(), live.begin() + static_cast<std::ptrdiff_t>(std::min(live.size(), pods_remembered)));
  }

  static std::string shown_in(const Sync& sync) {
    const Version newest = *std::ranges::max_element(sync.seen.reached);
    return "rv " + std::to_string(static_cast<std::uint64_t>(newest)) + (sync.fresh ? "" : " (stale)") +
           (sync.by_other ? " (other)" : "");
  }

  /// One line per call; a step that happened just before a call stands on its line.
  void write_calls(const Sync& sync, TimelineRow& row) {
    std::vector<TimelineLine>& lines = row.lines;
    for (std::size_t i = 0; i < std::max(sync.calls.size(), std::size_t{1}); ++i) {
      if (i > 0) lines.emplace_back();
      if (i < sync.calls.size()) lines.back().decision = decision_text(sync.calls[i]);
      for (const TakenStep& before : before_calls_)
        if (before.at_call == i + 1) write_before_call(before, lines);
    }
    const std::string outcome = outcome_text(sync);
    if (sync.calls.empty()) lines.back().decision = outcome.empty() ? "nothing" : outcome;
    else if (!outcome.empty()) lines.push_back({0, {}, outcome});
    before_calls_.clear();
  }

  /// The step takes the line of its call; when that line has an event already, a line of its own just above the call's.
  static void write_before_call(const TakenStep& before, std::vector<TimelineLine>& lines) {
    const std::string event = "  " + describe(before);
    TimelineLine& line = lines.back();
    if (line.event.empty()) {
      line.step = static_cast<int>(before.number);
      line.event = event;
      return;
    }
    std::string decision = std::move(line.decision);
    line.decision.clear();
    lines.push_back({static_cast<int>(before.number), event, std::move(decision)});
  }

  int steps_in_scenario_, step_ = 0, syncs_ = 0, notes_ = 0;
  const Breach* breach_;
  Marks epilogue_began_, step_began_;
  bool awaits_sync_ = false, chooses_a_revision_ = false;
  std::vector<TakenStep> before_calls_;
};

/// The row of the breach: the last one in which the judge's counts were those of the breach.
std::size_t row_of(const std::vector<Scribe::Recorded>& rows, const Breach& breach) {
  const bool at_rest = (breach.invariant->on & on_settled) != 0;
  for (std::size_t i = rows.size(); i-- > 0;) {
    if (rows[i].row.step != breach.step || rows[i].row.sync != breach.sync) continue;
    if (!at_rest || rows[i].settled || breach.invariant->when != When::settled) return i;
  }
  for (std::size_t i = rows.size(); i-- > 0;)
    if (rows[i].row.step == breach.step && rows[i].row.sync == breach.sync) return i;
  return rows.empty() ? 0 : rows.size() - 1;
}

bool is_named(std::string_view pod, const Breach* breach) {
  if (breach == nullptr) return false;
  const auto names = [&](std::string_view text) {
    for (std::size_t at = text.find(pod); at != text.npos; at = text.find(pod, at + 1)) {
      const std::size_t end = at + pod.size();
      if (end == text.size() || text[end] < '0' || text[end] > '9') return true;  // web-1 is not in "web-12"
    }
    return false;
  };
  return names(breach->violation.claim) || std::ranges::any_of(breach->violation.evidence, names);
}

/// Order of ordinals, then of names.
bool stands_before(const std::string& a, const std::string& b) {
  const Member one = parse_member(a), other = parse_member(b);
  return std::tuple(one.parent, number(one.ordinal), a) < std::tuple(other.parent, number(other.ordinal), b);
}

void choose_columns(const std::vector<Scribe::Recorded>& rows, const Breach* breach, Timeline& out) {
  std::set<std::string> seen;
  for (const Scribe::Recorded& r : rows)
    for (const Pod* pod : r.pods) seen.insert(pod->meta.name.str());
  std::vector<std::string> names(seen.begin(), seen.end());
  std::ranges::sort(names, [&](const std::string& a, const std::string& b) {
    const bool a_named = is_named(a, breach), b_named = is_named(b, breach);
    return a_named != b_named ? a_named : stands_before(a, b);
  });
  if (names.size() > pod_columns_at_most) {
    out.pods_not_shown = names.size() - pod_columns_at_most;
    names.resize(pod_columns_at_most);
  }
  std::ranges::sort(names, stands_before);
  out.pods = std::move(names);
}

std::string state_of(const Pod& pod, RevisionNumbers& revisions) {
  const Text* revision = pod.meta.label(label_revision);
  return (revision ? revisions.of(revision->view()) + " " : "") + std::string(pod_state(pod));
}

void fill_cells(std::vector<Scribe::Recorded>& rows, const World& world, Timeline& out) {
  RevisionNumbers revisions(world);
  for (Scribe::Recorded& r : rows) {
    for (const std::string& name : out.pods) {
      const auto pod = std::ranges::find_if(r.pods, [&](const Pod* p) { return p->meta.name == name; });
      r.row.pods.push_back(pod == r.pods.end() ? "-" : state_of(**pod, revisions));
    }
    out.rows.push_back(std::move(r.row));
  }
  out.revisions = std::move(revisions.names);
}

Timeline record_once(const Scenario& scenario, Program& program, const Breach* breach) {
  Timeline out;
  World world;
  Scribe scribe(scenario, breach);
  try {
    simulate(world, scenario, program, scribe);
  } catch (const std::exception& error) {
    out.ended = error.what();
  }
  if (breach != nullptr && !scribe.rows.empty()) {
    const std::size_t offending = row_of(scribe.rows, *breach);
    scribe.rows.resize(offending + 1);
    scribe.rows.back().row.offending = true;
  }
  choose_columns(scribe.rows, breach, out);
  fill_cells(scribe.rows, world, out);
  return out;
}

}  // namespace

Timeline record_timeline(const Scenario& scenario, Program& program, const Breach* breach) {
  Timeline told = record_once(scenario, program, breach);
  return told.ended.empty() ? told : record_once(scenario, program, breach);
}

}  // namespace ordeal::fuzz
