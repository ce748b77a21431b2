// Who writes by patches is judged as who writes by updates: the strict reference keeps every promise when each of its
// updates, status writes and owner patches goes out in one of the forms that clients have for them.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/api/codec.h"
#include "core/cluster/patch.h"
#include "core/cluster/update.h"
#include "properties/invariants/promise_test.h"
#include "properties/scenario/rapidcheck_bridge.h"
#include "properties/trial/trial.h"

namespace ordeal::properties::testing {
namespace {

using nlohmann::json;

/// What leads from the one to the other if the version is still that of the first.
Patch conditional(PatchType type, const json& before, const json& after, Version version) {
  const std::string number = std::to_string(static_cast<std::uint64_t>(version));
  json patch = type == PatchType::merge ? merge_patch_between(before, after) : json::diff(before, after);
  if (version == Version::none) return {type, std::make_shared<const std::string>(patch.dump())};
  if (type == PatchType::merge) patch["metadata"]["resourceVersion"] = number;
  else patch.push_back({{"op", "add"}, {"path", "/metadata/resourceVersion"}, {"value", number}});
  return {type, std::make_shared<const std::string>(patch.dump())};
}

/// Turns requests into patches, the forms in turn.
class Patching {
 public:
  std::size_t made() const { return made_; }

  Reply operator()(Request request, const View& seen, Api& api) {
    if (request.verb == Verb::update_status) patch_status(request, seen);
    else if (request.verb == Verb::patch_owners && request.kind == Kind::pod)
      change_owners(request, seen.pods.find(request.name));
    else if (request.verb == Verb::patch_owners) change_owners(request, seen.revisions.find(request.name));
    else if (request.verb == Verb::update && request.kind == Kind::pod)
      patch(request, seen.pods.find(request.name), request.pod());
    else if (request.verb == Verb::update && request.kind == Kind::claim)
      patch(request, seen.claims.find(request.name), request.claim());
    else if (request.verb == Verb::update && request.kind == Kind::revision)
      patch(request, seen.revisions.find(request.name), request.revision());
    return api.call(std::move(request));
  }

 private:
  void send(Request& request, Patch patch) {
    ++made_;
    request.verb = Verb::patch;
    request.version = Version::none;
    request.uid = Uid::none;
    request.body = std::move(patch);
  }
  PatchType next() { return made_ % 2 == 0 ? PatchType::merge : PatchType::operations; }

  template <class T>
  void patch(Request& request, const T* base, T wanted) {
    if (base == nullptr || base->meta.version != request.version) return;  // made from an answer, which nobody kept
    wanted.meta.version = base->meta.version;
    send(request, conditional(next(), to_json(*base), to_json(wanted), base->meta.version));
  }
  void patch_status(Request& request, const View& seen) {
    const StatefulSet* base = seen.sets.find(request.name);
    if (base == nullptr) return;
    json before = to_json(*base), after = before;
    before["status"] = to_json(base->status);
    after["status"] = to_json(request.status());
    send(request, conditional(next(), before, after, request.version));
  }
  /// By UID alone, and by version: as a merge patch, a JSON patch and an update. Whether that is stale is the server's
  /// to say.
  template <class T>
  void change_owners(Request& request, const T* base) {
    const OwnerPatch owners = request.owner_patch();
    if (base == nullptr || base->meta.uid != owners.object_uid || made_ % 4 == 0) return send_by_uid(request, owners);
    T wanted = *base;
    wanted.meta.owners = owners_after(base->meta.owners.get(), owners);
    if (made_ % 4 != 3)
      return send(request, conditional(made_ % 4 == 1 ? PatchType::merge : PatchType::operations, to_json(*base),
                                       to_json(wanted), base->meta.version));
    ++made_;
    request.verb = Verb::update;
    request.version = base->meta.version;
    request.uid = base->meta.uid;
    request.body = std::move(wanted);
  }
  void send_by_uid(Request& request, const OwnerPatch& owners) {
    json entry =
        owners.remove ? json{{"$patch", "delete"}, {"uid", uid_text(*owners.remove)}} : to_json(Owners{*owners.add})[0];
    const json document = {
        {"metadata", {{"uid", uid_text(owners.object_uid)}, {"ownerReferences", json::array({std::move(entry)})}}}};
    send(request, {PatchType::strategic, std::make_shared<const std::string>(document.dump())});
  }

  std::size_t made_ = 0;
};

TEST(Patches, WhoWritesByThemIsJudgedAsWhoUpdates) {
  Court court;
  std::size_t made = 0;
  const bool fine = rc::check("every promise is kept by patches", [&] {
    const Scenario scenario = *any_scenario(48);
    const auto patching = std::make_shared<Patching>();
    Tampered controller(
        [=](Request request, const View& seen, Api& api) { return (*patching)(std::move(request), seen, api); },
        scenario.environment.gates);
    const TrialResult result = court.try_scenario(scenario, controller, {});
    for (const Breach& breach : result.breaches)
      RC_LOG() << breach.invariant->id << ": " << breach.violation.claim << "\n";
    RC_ASSERT(result.verdict == Verdict::held);
    made += patching->made();
  });
  EXPECT_TRUE(fine);
  EXPECT_GT(made, 1000u);
}

// An adoption that names neither UID nor version may be of another pod than the one that was seen, whatever its form.
TEST(Patches, ACarelessAdoptionIsNoticedInEveryForm) {
  const Scenario scenario = hand_made("replicas: 1", {settle, step(StepKind::drop_owner), settle});
  const auto by = [&](PatchType type) {
    return Tampered([type](Request request, const View&, Api& api) {
      if (request.verb != Verb::patch_owners || !request.owner_patch().add) return api.call(std::move(request));
      const json owners = to_json(Owners{*request.owner_patch().add});
      json document = {{"metadata", {{"ownerReferences", owners}}}};
      if (type == PatchType::operations)
        document = json::array({{{"op", "add"}, {"path", "/metadata/ownerReferences"}, {"value", owners}}});
      request.verb = Verb::patch;
      request.body = Patch{type, std::make_shared<const std::string>(document.dump())};
      return api.call(std::move(request));
    });
  };
  for (const PatchType type : {PatchType::merge, PatchType::strategic, PatchType::operations}) {
    Tampered careless = by(type);
    EXPECT_TRUE(try_by_hand(scenario, careless).broke("ownership.names-the-incarnation")) << static_cast<int>(type);
  }
}

}  // namespace
}  // namespace ordeal::properties::testing
