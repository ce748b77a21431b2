// One job's way through a small world: from a state to all its neighbours, each by one move, with the real controller,
// the real cluster and the judge of trials.
//
// A move is made, judged, written down as a state and taken back; so a step costs what it changes, not what is there.
// From every state the end is judged, too: the environment heals and is fair, as in the epilogue of a trial, until the
// world is one from which that was done before.
//
// Promises that need a second trial (equivalence) or a guard (economy.inputs-untouched) are not judged here.
// Not here: which states were met before (fuzz/explore/explore.h). Covered by walk_test.cpp.
#pragma once

#include <span>
#include <vector>

#include "properties/explore/ends.h"
#include "properties/explore/move.h"
#include "properties/explore/repeater.h"
#include "properties/explore/state.h"
#include "properties/trial/judge.h"

namespace ordeal::properties {

/// Told what a state leads to.
class Surveyor {
 public:
  virtual ~Surveyor() = default;
  /// `move` leads to another state; `words` are only lent.
  virtual void on_next(Move move, const Hash128& hash, std::span<const std::uint32_t> words) = 0;
  /// After these moves from the state (none: at its end) an invariant is broken.
  virtual void on_broken(std::span<const Move> moves, const Invariant& invariant) = 0;
};

class Walker {
 public:
  /// Throws std::invalid_argument when the API server refuses the first set, or the controller cannot be sent back.
  Walker(const Scope& scope, Program& program, const TrialOptions& asked, Library& library, Ends& ends);
  Walker(const Walker&) = delete;
  Walker& operator=(const Walker&) = delete;

  /// The first state.
  Hash128 first(Words& words);
  /// Throws std::length_error when a state or a turn is bigger than can be written down.
  void survey(std::span<const std::uint32_t> state, const Hash128& hash, Surveyor& surveyor);
  /// The path from the first state as a scenario.
  Scenario story(std::span<const Move> path);
  /// Promises that came into question, and turns taken, those aside that another job has played to the same end. Asked
  /// last.
  TrialResult take_summary();

 private:
  /// Lets the judge hear what happens, and go on hearing it: a walk has no end at which it has heard enough.
  class Clerk final : public Witness {
   public:
    explicit Clerk(Judge& judge) : judge_(judge) {}
    void on_step(const World& world, const TakenStep* step, std::string_view note) override {
      judge_.on_step(world, step, note);
    }
    void on_change(const World& world) override { judge_.on_change(world); }
    void on_sync(const World& world, const Sync& sync) override { judge_.on_sync(world, sync); }
    void on_settled(const World& world, bool rested, int rounds, int bound) override {
      judge_.on_settled(world, rested, rounds, bound);
    }
    void on_rest(const World& world, const Sync& sync) override { judge_.on_rest(world, sync); }

   private:
    Judge& judge_;
  };

  void go_to(std::span<const std::uint32_t> state);
  void go_back();
  void find_moves(std::vector<Move>& moves);
  void find_edits(std::vector<Move>& moves);
  void find_mishaps(std::vector<Move>& moves);
  bool left(Mishap mishap) const { return rest_.mishaps[static_cast<std::size_t>(mishap)] > 0; }
  void spend(Mishap mishap) { --rest_.mishaps[static_cast<std::size_t>(mishap)]; }
  /// The steps that carry out a move in this world, without deliveries.
  void steps_of(Move move, std::vector<Step>& steps) const;
  Step kubelet_step(std::uint8_t pod) const;
  std::int32_t seconds_to_wait() const;
  void make(Move move);
  void pay(Move move);
  void catch_up(Move move);
  void try_move(Move move, Surveyor& surveyor);
  void note_turn();
  void try_turn_again(Move move, Surveyor& surveyor);
  void try_end(Surveyor& surveyor);
  Hash128 hash_of_end();
  void report(std::span<const Move> moves, Surveyor& surveyor);
  const StatefulSet* set() const;

  const Scope scope_;
  Ends& ends_;
  World world_;
  Judge judge_;
  Clerk clerk_;
  Repeater repeater_;
  Stepper stepper_;
  Packer packer_;
  Rest rest_;
  Stepper::Mark mark_;
  Marks marks_;
  Rest rest_at_mark_;
  Hash128 here_;
  Words words_, first_;
  std::vector<Move> moves_;
  std::vector<Step> steps_;
  std::size_t calls_of_turn_ = 0;
  std::uint64_t syncs_played_again_ = 0;  // so that the sum over all jobs does not depend on who was first
};

}  // namespace ordeal::properties
