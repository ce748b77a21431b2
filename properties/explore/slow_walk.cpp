#include "properties/explore/slow_walk.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "core/controller/reference.h"
#include "core/controller/remembering.h"
#include "properties/trial/judge.h"

namespace ordeal::properties::testing {

namespace {

/// What has been done so far: steps with a delivery of everything that is not held back after each, so caches are as
/// the walk has them.
struct Path {
  std::vector<Step> steps;
  int edits = 0;
  std::map<Mishap, int> left;
  std::optional<Kind> behind;
  std::size_t behind_since = 0;  // number of steps before
  std::size_t received = 0;
};

/// Plays a path and looks at the world where its steps end.
class Look final : public Witness {
 public:
  Look(const Scope& scope, const Path& path)
      : path_(path), controller_(make_reference(strict_rules(), scope.start.environment.gates)) {
    Scenario scenario = scope.start;
    scenario.steps = path.steps;
    judge_.begin(scenario, {});
    World world;
    simulate(world, scenario, *controller_, *this);
  }
  std::string text;
  std::size_t pods = 0, calls = 0;
  bool died = false, changed = false;
  bool is_behind = false;
  std::vector<std::optional<StepKind>> next_stage;  // of each pod, as its kubelet goes about it
  std::vector<bool> can_fail, can_be_unready, can_be_removed;
  bool can_collect = false;

  void on_step(const World& world, const TakenStep* step, std::string_view note) override {
    if (seen_ == path_.behind_since && path_.behind) log_at_fall_ = log_size(world, *path_.behind);
    if (step != nullptr) {
      if (seen_ == last_move()) before_ = world.marks();
      ++seen_;
      judge_.on_step(world, step, note);
    } else if (!ended_) {
      ended_ = true;
      look(world);
    }
  }
  void on_change(const World& world) override {
    if (!ended_) judge_.on_change(world);
  }
  void on_sync(const World& world, const Sync& sync) override {
    if (ended_) return;
    judge_.on_sync(world, sync);
    calls = sync.calls.size();
    died = sync.died;
  }
  void on_settled(const World&, bool, int, int) override {}
  void on_rest(const World&, const Sync&) override {}
  bool enough() const override { return ended_; }

 private:
  /// The place of the last step that is no delivery.
  std::size_t last_move() const {
    for (std::size_t i = path_.steps.size(); i-- > 0;)
      if (path_.steps[i].kind != StepKind::deliver_all && path_.steps[i].kind != StepKind::deliver) return i;
    return path_.steps.size();
  }
  static std::size_t log_size(const World& world, Kind kind) {
    const Marks marks = world.marks();
    return std::array{marks.sets, marks.pods, marks.claims, marks.revisions}[static_cast<std::size_t>(kind)];
  }

  void look(const World& world) {
    const Cluster& truth = world.cluster();
    changed = before_ != world.marks();
    std::ostringstream out;
    out << "edits " << path_.edits;
    for (const auto& [mishap, times] : path_.left) out << " " << static_cast<int>(mishap) << ":" << times;
    const History& h = judge_.history();
    out << " calm" << h.calm << " interfered" << h.interfered << " stale" << h.was_stale << " faults" << h.had_faults
        << "\n";
    const bool left_alone = h.left_alone();
    for (const Kind kind : every_kind)
      with_type(kind,
                [&]<class T>(std::type_identity<T>) { write_kind(out, truth.store<T>(), kind, truth, left_alone); });
    text = out.str();
    note_moves(truth);
  }

  void note_moves(const Cluster& truth) {
    for (const Pod* pod : truth.pods().live().all()) {
      ++pods;
      next_stage.push_back(pod->meta.terminating()                       ? std::optional(StepKind::stop_pod)
                           : pod->phase == Phase::pending                ? std::optional(StepKind::start_pod)
                           : pod->phase == Phase::running && !pod->ready ? std::optional(StepKind::make_ready)
                                                                         : std::nullopt);
      can_fail.push_back(pod->phase == Phase::running);
      can_be_unready.push_back(pod->ready);
      can_be_removed.push_back(!pod->meta.terminating());
    }
    can_collect = truth.claims().live().size() > 0;
  }

  /// The kind whose cache is behind: what it holds and what is to come; any other: what there is.
  template <class T>
  void write_kind(std::ostringstream& out, const Store<T>& store, Kind kind, const Cluster& truth, bool left_alone) {
    std::map<std::string, std::string> held;
    const auto log = store.log();
    const bool behind = path_.behind == kind;
    const std::size_t seen = behind ? log_at_fall_ + path_.received : log.size();
    for (std::size_t i = 0; i < seen; ++i) {
      const std::string name = log[i].object().meta.name.str();
      if (log[i].after) held[name] = written(*log[i].after, truth, left_alone);
      else held.erase(name);
    }
    for (const auto& [name, content] : held) out << name << " " << content << "\n";
    if (!behind) return;
    const auto own =
        dynamic_cast<Remembering&>(*controller_).remembered({"default", "web"})[static_cast<std::size_t>(kind)];
    out << "behind in kind " << static_cast<int>(kind) << "\n";
    is_behind = seen < log.size();
    for (std::size_t i = seen; i < log.size(); ++i) {
      const auto& change = log[i];
      out << (change.version <= own ? "own? " : "new  ") << change.object().meta.name << " "
          << (change.after ? written(*change.after, truth, left_alone) : std::string("goes")) << "\n";
    }
  }

  std::string meta(const ObjectMeta& m, const Cluster& truth) const {
    std::ostringstream out;
    out << (m.terminating() ? "terminating " : "");
    if (m.labels)
      for (const auto& [key, value] : *m.labels) out << key << "=" << value << " ";
    if (m.owners)
      for (const OwnerReference& o : *m.owners) {
        const auto* set = truth.sets().find(o.name);
        out << "of " << o.kind << " " << o.name
            << (o.kind == "StatefulSet" && set && set->meta.uid == o.uid ? " live" : " gone") << o.controller
            << o.block_owner_deletion << " ";
      }
    return out.str();
  }
  std::string written(const StatefulSet& s, const Cluster& truth, bool) const {
    std::ostringstream out;
    const auto& r = s.spec->rolling_update;
    out << meta(s.meta, truth) << "replicas " << *s.spec->replicas << " image " << s.spec->pod_template->image;
    if (r)
      out << " partition " << r->partition.value_or(-7) << " most "
          << (r->max_unavailable ? r->max_unavailable->value : -7);
    const auto& t = s.status;
    out << " generation " << s.meta.generation << " observed " << t.observed_generation << " counts " << t.replicas
        << "/" << t.ready_replicas << "/" << t.current_replicas << "/" << t.updated_replicas << "/"
        << t.available_replicas << " " << t.current_revision << " " << t.update_revision << " "
        << t.collision_count.value_or(-1);
    return out.str();
  }
  std::string written(const Pod& p, const Cluster& truth, bool left_alone) const {
    std::ostringstream out;
    out << meta(p.meta, truth) << static_cast<int>(p.phase) << (p.ready ? " ready" : "") << " image "
        << p.made_from->image << (p.ready_changed ? " was-ready" : "") << " volumes "
        << (p.volumes ? p.volumes->size() : 0);
    if (truth.pods().find(p.meta.name) != &p) return out.str();
    out << (truth.kubelets().runs(p.meta.uid) ? " runs" : "");
    if (left_alone && created_for_present_spec(p, truth)) out << " of-this-spec";
    return out.str();
  }
  std::string written(const Claim& c, const Cluster& truth, bool) const { return meta(c.meta, truth); }
  std::string written(const Revision& r, const Cluster& truth, bool) const {
    std::ostringstream out;
    std::set<std::int64_t> below;
    for (const Revision* other : truth.revisions().live().all())
      if (other->number < r.number) below.insert(other->number);
    out << meta(r.meta, truth) << "number "
        << (path_.behind == Kind::revision ? static_cast<std::size_t>(r.number) : below.size() + 1) << " "
        << *r.data.bytes;
    return out.str();
  }
  static bool created_for_present_spec(const Pod& pod, const Cluster& truth) {
    Version spec = Version::none, made = Version::none;
    for (const auto& change : truth.sets().log())
      if (change.after && (!change.before || change.before->meta.generation != change.after->meta.generation))
        spec = change.version;
    for (const auto& change : truth.pods().log())
      if (!change.before && change.after->meta.uid == pod.meta.uid) made = change.version;
    return made > spec;
  }

  const Path& path_;
  std::unique_ptr<Controller> controller_;
  Judge judge_;
  Marks before_;
  std::size_t seen_ = 0, log_at_fall_ = 0;
  bool ended_ = false;
};

class Walk {
 public:
  explicit Walk(const Scope& scope) : scope_(scope) {}
  SlowWalk run() {
    Path start;
    start.edits = scope_.edits;
    for (std::size_t t = 0; t < mishap_count; ++t) start.left[static_cast<Mishap>(t)] = scope_.mishaps[t];
    start.steps.push_back({.kind = StepKind::deliver_all});
    visit(start, Look(scope_, start));
    while (!open_.empty()) {
      const Path path = std::move(open_.back());
      open_.pop_back();
      go_on(path);
    }
    return std::move(found_);
  }

 private:
  void visit(const Path& path, const Look& look) {
    if (found_.states.insert(look.text).second) open_.push_back(path);
  }
  /// Then caches that are not behind catch up.
  void deliver(Path& path) {
    if (!path.behind) return path.steps.push_back({.kind = StepKind::deliver_all});
    for (const Kind kind : every_kind)
      if (kind != path.behind)
        path.steps.push_back({.kind = StepKind::deliver, .a = static_cast<std::int32_t>(kind), .b = 999});
  }
  void follow(Path path, std::vector<Step> steps, bool only_if_changed = false) {
    path.steps.insert(path.steps.end(), steps.begin(), steps.end());
    deliver(path);
    const Look look(scope_, path);
    if (only_if_changed && !look.changed) return;
    if (look.text == here_) return;
    ++found_.transitions;
    visit(path, look);
  }
  void receive(Path path) {
    ++path.received;
    path.steps.push_back({.kind = StepKind::deliver, .a = static_cast<std::int32_t>(*path.behind)});
    if (!Look(scope_, path).is_behind) path.behind.reset();  // it has caught up
    follow(path, {});
  }

  void go_on(const Path& path) {
    const Look here(scope_, path);
    here_ = here.text;
    follow(path, {{.kind = StepKind::sync}});
    if (path.edits > 0) edit(path);
    for (std::size_t i = 0; i < here.pods; ++i) {
      const auto pod = static_cast<std::int32_t>(i);
      if (here.next_stage[i]) follow(path, {{.kind = *here.next_stage[i], .a = pod}}, true);
      if (here.can_fail[i]) mishap(path, Mishap::fail, {{.kind = StepKind::fail_pod, .a = pod}});
      if (here.can_be_unready[i]) mishap(path, Mishap::unready, {{.kind = StepKind::make_unready, .a = pod}});
      if (here.can_be_removed[i]) mishap(path, Mishap::remove, {{.kind = StepKind::delete_pod, .a = pod}});
    }
    if (here.can_collect) follow(path, {{.kind = StepKind::collect}}, true);
    at_calls(path, Mishap::crash, Fault::crash_after);
    at_calls(path, Mishap::timeout, Fault::timeout_after);
    at_calls(path, Mishap::conflict, Fault::conflict);
    Path restarted = path;
    restarted.behind.reset();
    mishap(restarted, Mishap::crash, {{.kind = StepKind::restart}});
    if (here.is_behind) receive(path);
    if (!path.behind && path.left.at(Mishap::stale) > 0) fall_behind(path);
  }

  void edit(const Path& path) {
    Path next = path;
    --next.edits;
    const auto try_it = [&](StepKind kind, std::int32_t a) { follow(next, {{.kind = kind, .a = a}}, true); };
    for (std::int32_t r = 0; r <= scope_.replicas; ++r) try_it(StepKind::scale, r);
    if (scope_.templates > 1)
      for (std::int32_t t = 0; t < scope_.templates; ++t) try_it(StepKind::edit_template, t);
    for (const std::int32_t p : scope_.partitions) try_it(StepKind::set_partition, p);
    for (const std::int32_t m : scope_.max_unavailable) try_it(StepKind::set_max_unavailable, m);
  }
  void mishap(Path next, Mishap which, std::vector<Step> steps) {
    if (next.left[which]-- > 0) follow(next, std::move(steps));
  }
  void at_calls(const Path& path, Mishap which, Fault fault) {
    if (path.left.at(which) == 0) return;
    Path probe = path;
    probe.steps.push_back({.kind = StepKind::sync});
    const std::size_t calls = Look(scope_, probe).calls;
    for (std::size_t call = 1; call <= calls; ++call) {
      Path next = path;
      if (which == Mishap::crash) next.behind.reset();
      mishap(
          next, which,
          {{.kind = StepKind::fault, .at_call = static_cast<std::uint8_t>(call), .a = static_cast<std::int32_t>(fault)},
           {.kind = StepKind::sync}});
    }
  }
  void fall_behind(const Path& path) {
    for (const Kind kind : every_kind) {
      if (kind == Kind::claim && scope_.start.set.spec->claim_templates.empty()) continue;
      Path next = path;
      --next.left[Mishap::stale];
      next.behind = kind;
      next.behind_since = next.steps.size();
      next.received = 0;
      follow(next, {});
    }
  }

  const Scope& scope_;
  SlowWalk found_;
  std::vector<Path> open_;
  std::string here_;
};

}  // namespace

SlowWalk slow_walk(const Scope& scope) { return Walk(scope).run(); }

}  // namespace ordeal::properties::testing
