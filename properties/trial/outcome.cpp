#include "properties/trial/outcome.h"

#include <algorithm>

#include "properties/trial/digest.h"

namespace ordeal::properties {

namespace {

bool owned_by(const Claim& claim, Uid uid) {
  if (claim.meta.owners == nullptr) return false;
  return std::ranges::any_of(*claim.meta.owners, [&](const OwnerReference& owner) { return owner.uid == uid; });
}

Outcome::ClaimLeft left_of(const Cluster& truth, const Facts& facts, const ClaimTemplate& from, const Slot& slot) {
  Outcome::ClaimLeft left{.name = claim_name(from.name, facts.set->meta.name, slot.ordinal)};
  const Claim* claim = truth.claims().find(left.name);
  left.there = claim != nullptr && !claim->meta.terminating();
  left.of_set = claim != nullptr && owned_by(*claim, facts.set->meta.uid);
  left.of_pod = claim != nullptr && owned_by(*claim, slot.pod->meta.uid);
  return left;
}

Outcome::Named named(const Cluster& truth, const Text& name) {
  const Revision* stored = truth.revisions().find(name);
  return {name, stored != nullptr ? stored->data : RevisionData{}};
}

Outcome::Place place_of(const Cluster& truth, const Facts& facts, std::size_t index) {
  const Slot& slot = facts.slots[index];
  const Strategy strategy = facts.set->spec->strategy;
  Outcome::Place place{.pod = slot.pod->meta.name};
  place.settled_by_spec =
      facts.recreates || (strategy == Strategy::rolling_update && static_cast<std::int32_t>(index) >= facts.partition);
  const Text* revision = slot.pod->meta.label(label_revision);
  if (revision != nullptr) place.revision = named(truth, *revision);
  place.made_from = slot.pod->made_from;
  for (const ClaimTemplate& from : facts.set->spec->claim_templates)
    place.claims.push_back(left_of(truth, facts, from, slot));
  return place;
}

bool is_whole(const Facts& facts) {
  if (facts.set == nullptr || facts.deleting || facts.irregular || !facts.condemned.empty()) return false;
  return std::ranges::all_of(facts.slots,
                             [&](const Slot& slot) { return slot.pod != nullptr && facts.healthy(*slot.pod); });
}

/// Waits for the end of the trial and writes down what is there.
class Registrar final : public Witness {
 public:
  Outcome outcome;

  void on_step(const World&, const TakenStep*, std::string_view) override {}
  void on_change(const World&) override {}
  void on_sync(const World&, const Sync& sync) override {
    gates_ = sync.gates;
    null_times_ = sync.null_times;
    for (const Call& call : sync.calls) {
      Digest digest;
      digest.add(call);
      outcome.requests += digest.value();
      outcome.writes += call.writes() && call.reply.ok() ? 1 : 0;
    }
  }
  void on_settled(const World& world, bool rested, int, int) override {
    ended_ = true;
    const Cluster& truth = world.cluster();
    Facts facts;
    facts.work_out_truth(truth, world.key(), gates_, null_times_);
    outcome.whole = rested && is_whole(facts);
    if (facts.set == nullptr) return;
    outcome.spec = facts.set->spec;
    outcome.status = facts.set->status;
    outcome.update_revision = named(truth, facts.set->status.update_revision);
    if (!outcome.whole) return;
    for (std::size_t index = 0; index < facts.slots.size(); ++index)
      outcome.places.push_back(place_of(truth, facts, index));
  }
  void on_rest(const World&, const Sync&) override {}
  bool enough() const override { return ended_; }

 private:
  Gates gates_;  // of the last sync: they may be turned
  bool null_times_ = false;
  bool ended_ = false;
};

}  // namespace

Outcome outcome_of(World& world, const Scenario& scenario, Program& program) {
  Registrar registrar;
  simulate(world, scenario, program, registrar);
  return std::move(registrar.outcome);
}

}  // namespace ordeal::properties
