// The loop, opened up: steps and processes are in simulate.cpp, a turn of the controller in turn.cpp, fairness and the
// epilogue in settle.cpp. Only for these, and for stepper.cpp.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>

#include "properties/world/faults.h"
#include "properties/world/simulate.h"

namespace ordeal::properties {

class Simulation final : private Api {
 public:
  Simulation(World& world, const Scenario& scenario, Program& program, Witness& witness)
      : w_(world), scenario_(scenario), program_(program), witness_(witness) {}

  void run();

  // For who goes back to an earlier moment (stepper.h).
  void begin();
  void take(const Step& step);
  void end();
  /// Asked once, in the final settle, when the controller is next; true ends it there.
  void ask_in_the_end(std::function<bool()> knows) { knows_the_end_ = std::move(knows); }
  Cluster& cluster() { return w_.cluster_; }
  Process& leader() { return w_.processes_[leading_]; }
  /// The world was sent back to an earlier moment, at which nothing waited.
  void rewound();

 private:
  bool is_over() const { return endless_ || witness_.enough(); }

  // Steps.
  void happen(const TakenStep& step);
  void act(const Step& step);
  void let_through(Process& p, const Step& step);
  void race(const Step& step);
  bool can_move(std::size_t contender);
  bool makes_move(std::size_t contender);
  bool moves_world(std::size_t contender);
  bool kubelet_moves(std::size_t pod);
  /// What a witness is told of when it changes: the watch logs, and the instances that run.
  struct Standing {
    Marks marks;
    std::size_t running = 0;
    friend bool operator==(const Standing&, const Standing&) = default;
  };
  Standing standing() const { return {w_.marks(), w_.cluster_.kubelets().running().size()}; }
  void skew_clock(Time ahead);
  void tell_change(const Standing& before);

  // Processes.
  Process& rival() { return w_.processes_[1 - leading_]; }
  std::size_t number_of(const Process& p) const { return static_cast<std::size_t>(&p - w_.processes_.data()); }
  bool load(Process& p, const Gates& wanted);
  void give(Process& p, Controller& controller);
  void restart(Process& p, std::size_t back, Kind fresh);
  void turn_gate(const Step& step);
  void run_release(const Step& step);
  bool rival_is_there(const Step& step);
  void hand_over(const Step& step);
  void rival_sync(const Step& step);

  // A turn.
  void resync(Process& p);
  bool take_and_sync(Process& p);
  void sync(Process& p, const Key& key, bool queued);
  void put_off(Process& p, Sync& done);
  std::size_t place_of_namesake(const Process& p) const;
  void serve_namesake(Process& p);
  Sync& run_controller(Process& p, const Key& key);
  Sync& begin_turn(Process& p, const Key& key);
  void end_turn(Process& p, Sync& now);
  View view_of(Process& p) const;
  bool caches_move(const Process& p) const;
  void take_in_turn(Process& p, const Step& step);
  Reply call(Request request) override;
  std::vector<const ObjectMeta*> stored(Kind kind) const override { return w_.cluster_.stored(kind); }
  [[noreturn]] void break_off(const Process& p);
  void commit(Call& made);
  void note_before(Call& made) const;
  Fault happen_before(Process& p, std::size_t call);
  void run_left_over(Process& p);

  // Fairness.
  struct Settled {
    bool rested = false;
    int rounds = 0, bound = 0;
  };
  struct Patience;
  Settled settle(bool looks_again = false);  // once at the set, whether anything asks for that or not
  std::optional<bool> wait(Patience& patience);
  void wait_until(Time moment);
  void progress();
  bool exhausts_the_queue();
  bool is_content();
  std::optional<Time> next_availability() const;
  int pods_wanted_or_there() const;

  World& w_;
  const Scenario& scenario_;
  Program& program_;
  Witness& witness_;
  std::size_t leading_ = 0;
  std::size_t taken_ = 0;  // steps of the scenario
  Process* syncing_ = nullptr;
  Outage outage_;
  Time skew_{};                      // of the controller's clock against the API server's
  std::uint32_t views_ = 0;          // shown so far, when lists are shuffled
  const View* elsewhere_ = nullptr;  // what caches hold of another namespace
  bool healed_ = false;              // the epilogue has begun
  bool resting_ = false;
  bool endless_ = false;  // a turn was
  std::function<bool()> knows_the_end_;
};

/// The same step, waiting for this call; 0: for none.
inline TakenStep with_call(TakenStep step, std::uint8_t call) {
  step.at_call = call;
  return step;
}

/// Turns in a row that ask for nothing, without news between them: more of the same instant will not ask for anything
/// either.
inline constexpr int quiet_turns_at_most = 8;

/// An argument of a step that counts something: a negative one counts nothing.
inline std::size_t not_negative(std::int32_t number) { return static_cast<std::size_t>(std::max(number, 0)); }

}  // namespace ordeal::properties
