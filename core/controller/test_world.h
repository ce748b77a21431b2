// A cluster, a controller with fresh caches, and a note of each call it makes, for the tests of this room.
//
// Calls read "delete pod web-2 (update-pod)". A fault answers the n-th call of the next sync instead of the cluster.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "core/cluster/test_objects.h"
#include "core/controller/reference.h"
#include "core/controller/rules_table.h"

namespace ordeal::test {

using Calls = std::vector<std::string>;

inline Shared<PodTemplate> hashed_template(std::string_view image, std::vector<Volume> volumes = {}) {
  PodTemplate made = *pod_template(image);
  made.patch_hash = fnv1_32(*made.patch);
  made.volumes = std::move(volumes);
  return std::make_shared<const PodTemplate>(std::move(made));
}

class World : public Api {
 public:
  explicit World(const Rules& rules = strict_rules(), Gates gates = {}) : controller(make_reference(rules, gates)) {
    cluster.reset();
  }

  // --- the user ---
  using Edit = std::function<void(StatefulSetSpec&)>;
  World& with(Edit edit = {}) {
    StatefulSet made = set();
    StatefulSetSpec spec = *made.spec;
    spec.pod_template = hashed_template("web:1");
    if (edit) edit(spec);
    made.spec = std::make_shared<const StatefulSetSpec>(std::move(spec));
    EXPECT_EQ(cluster.create_set(made), Code::ok);
    return *this;
  }
  void edit(const Edit& edit) {
    StatefulSetSpec spec = *live().spec;
    edit(spec);
    EXPECT_EQ(cluster.update_set("web", std::move(spec)), Code::ok);
  }
  void image(std::string_view name) {
    edit([&](StatefulSetSpec& spec) { spec.pod_template = hashed_template(name); });
  }

  // --- the controller ---
  SyncResult sync() {
    calls.clear();
    requests.clear();
    const auto sets = cluster.sets().live();  // copies: caches keep still while the truth moves
    const auto pods_seen = cluster.pods().live();
    const auto claims = cluster.claims().live();
    const auto revisions = cluster.revisions().live();
    View seen{{sets.listing(), pods_seen.listing(), claims.listing(), revisions.listing()}};
    seen.reached.fill(reached);
    if (shown) seen.sets = Listing<StatefulSet>{std::span(&shown, 1), std::span(&shown, 1)};
    result = controller->sync({"default", "web"}, seen, *this, cluster.now());
    faults.clear();
    return result;
  }
  /// Kubelets, collector and syncs in turn until a sync finds nothing to do.
  void settle(int rounds = 60) {
    bool moves = true;
    while (moves && rounds-- > 0) {
      moves = cluster.run_kubelets() + cluster.collect() > 0;
      sync();
      moves = moves || !calls.empty();
    }
  }
  Reply call(Request request) override {
    const std::string kind = request.verb == Verb::update_status ? "" : std::string(name_of(request.kind)) + " ";
    calls.push_back(std::string(name_of(request.verb)) + " " + kind + request.name.str() + " (" +
                    std::string(name_of(request.reason)) + ")");
    requests.push_back(request);
    if (before_call) before_call(calls.size());
    if (const auto fault = faults.find(calls.size()); fault != faults.end()) return {fault->second, {}};
    return cluster.handle(request);
  }

  // --- what there is ---
  const StatefulSet& live() const { return *cluster.sets().find("web"); }
  const StatefulSetStatus& status() const { return live().status; }
  /// "web-0@1" for image web:1; a star when it is not ready, a minus when it is terminating.
  std::string pods() const {
    std::string text;
    for (const Pod* pod : cluster.pods().live().all()) {
      const std::string image = pod->made_from->image.str();
      text += (text.empty() ? "" : " ") + pod->meta.name.str() + "@" + image.substr(image.find(':') + 1);
      text += pod->meta.terminating() ? "-" : pod->ready ? "" : "*";
    }
    return text;
  }
  Calls calls_of(std::string_view kind) const {
    Calls found;
    for (const std::string& made : calls)
      if (made.find(" " + std::string(kind) + " ") != std::string::npos) found.push_back(made);
    return found;
  }

  Cluster cluster;
  std::unique_ptr<Controller> controller;
  Calls calls;
  std::vector<Request> requests;
  SyncResult result;
  std::map<std::size_t, Code> faults;            // by number of the call, from 1
  std::function<void(std::size_t)> before_call;  // the environment may move
  const StatefulSet* shown = nullptr;            // an older version of the set, if any
  Version reached{std::numeric_limits<std::uint64_t>::max()};
};

}  // namespace ordeal::test
