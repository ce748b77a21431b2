// The judge: a witness that asks every invariant about every moment it speaks of, and remembers what broke first.
//
// Invariants are looked up by trigger, so that a moment costs only those that concern it, and what a view says (Facts)
// is worked out at most once per sync. Covered by judge_test.cpp.
#pragma once

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "properties/evidence/facts.h"
#include "properties/evidence/given.h"
#include "properties/evidence/history.h"
#include "properties/evidence/informed.h"
#include "properties/invariants/catalogue.h"
#include "properties/trial/digest.h"
#include "properties/trial/listeners.h"
#include "properties/trial/memories.h"
#include "properties/trial/trial.h"

namespace ordeal::properties {

class Judge final : public Witness {
 public:
  /// Forgets the last trial and judges the next by these options.
  void begin(const Scenario& scenario, const TrialOptions& options);
  /// What came out, once the simulation has ended.
  TrialResult take_result();

  void on_step(const World& world, const TakenStep* step, std::string_view note) override;
  void on_change(const World& world) override;
  void on_interrupted(const World& world, const Sync& sync) override;
  void on_sync(const World& world, const Sync& sync) override;
  void on_settled(const World& world, bool rested, int rounds, int bound) override;
  void on_rest(const World& world, const Sync& sync) override;
  /// Twins of the scenario were tried: asks the invariant of their relation, and no other.
  void on_twins(const World& world, const Invariant& invariant, const TwinOutcomes& twins);
  const History& history() const { return history_; }
  std::span<const Breach> breaches() const { return result_.breaches; }
  /// The world is at another moment of the same trial, of which so much is remembered; nothing is broken yet, and no
  /// sync was just before (properties/explore).
  void resume(const World& world, const History& history);
  /// A controller that piles things up is not watched for ever: it has broken a promise long before.
  bool enough() const override {
    return !result_.breaches.empty() && (options_.only != nullptr || result_.syncs > plenty_of_syncs);
  }

 private:
  static constexpr std::uint64_t plenty_of_syncs = 4000;  // a trial has about a hundred
  void ask(On trigger, const Moment& moment);
  void ask(const Listeners::Listener& listener, const Moment& moment);
  [[gnu::cold, gnu::noinline]] bool is_kept_by_what_was_told(const Listeners::Listener& listener, const Moment& moment);
  void ask_about_changes(const World& world);
  void ask_about_calls(const Sync& sync, Moment& moment);
  void on_sync_beside(const World& world, const Sync& sync);
  void note_disturbance(const Step& step);
  void note_interference(const Step& step);
  void note_sync(const Sync& sync);
  void note_faults(const Sync& sync);
  void note_calm(const Sync& sync);
  void note_turn(const Moment& m);
  void note_stopping(const Sync& sync);
  void pass_over(const World& world, const Sync& sync);
  void pass_over_changes(const World& world);
  [[gnu::cold, gnu::noinline]] void record(const Invariant& invariant, const Violation& violation,
                                           const Moment& moment);
  bool ended() const { return steps_ > static_cast<int>(scenario_->steps.size()); }  // the scenario's own steps
  Moment moment(const World& world) const;
  Moment moment(const World& world, const Sync& sync);

  TrialOptions options_;
  Listeners listeners_;
  const Scenario* scenario_ = nullptr;
  Environment environment_;  // with the gates of the last sync
  bool null_times_ = false;  // of its controller
  Memories memories_;
  TrialResult result_;
  std::array<bool, catalogue.size()> broken_{}, applied_{};  // by place in the catalogue
  Facts facts_;
  Informed informed_, remembering_;
  Facts informed_facts_;  // of that
  History history_;
  Digest digest_;
  Marks judged_;  // changes up to here were asked about
  int steps_ = 0;
  bool healing_ = false;
  bool has_neighbours_ = false;
  std::optional<Step> happening_;  // of those that take place between turns: what it comes to is seen next
};

}  // namespace ordeal::properties
