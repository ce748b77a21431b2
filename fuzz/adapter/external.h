// A controller behind the protocol (PROTOCOL.md): a program that is shown watch events, asked for one sync at a time,
// and makes its calls through the harness, to the same API server that serves the reference.
//
// What is not as the protocol says ends in Broken, and so in a trial without a verdict; the program is then ended, and
// started anew for the next sync. Covered by external_test.cpp.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/cluster/store.h"
#include "core/controller/door.h"
#include "core/controller/rules.h"
#include "fuzz/adapter/subprocess.h"
#include "fuzz/adapter/written.h"

namespace ordeal {
struct Release;
}

namespace ordeal::fuzz {

inline constexpr int protocol_version = 1;

/// The gates of a controller by name, as `reset` has them.
nlohmann::json gates_json(const Gates& gates);

/// One program, started when it is first needed. Shared by the controllers of one simulated
/// process, which differ in gates only.
class Adapter {
 public:
  explicit Adapter(std::string command, Patience patience = {}) : command_(std::move(command)), patience_(patience) {}

  /// Sends whole lines.
  void send(std::string_view lines);
  /// The next message.
  nlohmann::json receive();
  /// Broken when it has spoken without being asked.
  void expect_silence();
  /// Ends the program and throws Broken, with what it last wrote to standard error. The text is fit for people
  /// (legible.h).
  [[noreturn]] void give_up(const std::string& reason);
  /// Changes with every start: what was told to an earlier program is lost.
  int starts() const { return starts_; }
  /// The number of the next sync this program is asked for, from 1.
  std::int64_t next_turn() { return ++turn_; }
  /// The release that the program, which is started for that if need be, says it is like; null when it says none.
  const Release* like();
  /// It wants only the latest of each object, as if every cache had listed anew.
  bool wants_latest() const { return wants_latest_; }
  /// The program, which is started for that if need be, has event handlers of its own.
  bool has_handlers();
  /// Its caches take events in the midst of a sync, too.
  bool has_live_caches();
  /// It takes another key's sync while it waits for an answer.
  bool has_several_workers();
  /// When its next turn comes is for its own work queue to say.
  bool keeps_queue();
  /// A turn that has written to a pod or the set may leave the rest to the turn that the event of this makes.
  bool rests_by_events();
  /// Caches that it does not wait for when it starts; nothing, when it does not say.
  std::optional<Kinds> starts_without();
  /// The gates it acts under when it is told these: those that it does not know are as its hello says.
  Gates acting(Gates told);
  void start_if_needed();
  /// No, when it does not say.
  bool says_yes(const nlohmann::json& message, const char* member, const std::string& what);
  /// Objects of the trial that it was told.
  Written& written() { return written_; }

 private:
  static constexpr int starts_at_most = 6;  // that fail one after the other: each may take as long as there is patience
  void start();
  void greet();
  void take_likeness(const nlohmann::json& hello);
  void take_gates(const nlohmann::json& hello);
  void take_wish(const nlohmann::json& hello);
  void take_start(const nlohmann::json& hello);
  std::string command_;
  Patience patience_;
  std::unique_ptr<Subprocess> process_;
  Written written_;
  int starts_ = 0, failed_starts_ = 0;
  std::string why_not_started_;
  std::int64_t turn_ = 0;
  const Release* like_ = nullptr;
  bool wants_latest_ = false, has_handlers_ = false, has_live_caches_ = false, keeps_queue_ = false,
       has_several_workers_ = false, rests_by_events_ = false;
  std::optional<Kinds> starts_without_{};
  std::vector<std::pair<bool Gates::*, bool>> fixed_gates_;
};

class External final : public Controller, private Handlers {
 public:
  External(std::shared_ptr<Adapter> adapter, const Gates& gates, std::string name)
      : adapter_(std::move(adapter)), gates_(gates), name_(std::move(name)) {}

  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override;
  void restart() override;
  Traits traits() const override;  // of the release that it says it is like, else of the one that it is called
  Handlers* handlers() override { return adapter_->has_handlers() ? this : nullptr; }
  Gates acting(const Gates& started_with) const override { return adapter_->acting(started_with); }
  std::string_view name() const override { return name_; }

 private:
  /// What the program's cache of a kind holds, by name, and the newest event it has taken; nothing before it was first
  /// told.
  template <class T>
  struct Shown {
    Index<T> held;
    std::optional<Version> reached;
  };

  /// A sync, or a question to the event handlers.
  struct Turn {
    std::int64_t id = 0;         // an answer to another one is a lie
    const View* seen = nullptr;  // by the sync
    std::size_t events = 0;      // that it wrote, which are no calls of the controller's
    bool lasts = false;
  };

  void on(const Change<StatefulSet>& event, const View& seen) override { hear_of(event, seen); }
  void on(const Change<Pod>& event, const View& seen) override { hear_of(event, seen); }
  void on(const Change<Claim>& event, const View& seen) override { hear_of(event, seen); }
  void on(const Change<Revision>& event, const View& seen) override { hear_of(event, seen); }
  std::vector<Wake> asked(Time now) override;
  template <class T>
  void hear_of(const Change<T>& event, const View& seen);
  std::vector<Wake> wakes_in(const nlohmann::json& handled);
  std::optional<Wake> wake_in(const nlohmann::json& said);
  void forget();
  void begin_telling();
  void ask(const Key& key, const View& seen, Time now);
  template <class T>
  void tell(const char* type, const T& object, bool by_list = false);
  template <class T>
  void tell_gone(const Change<T>& event);
  void send_lines();
  void show(const View& seen);
  void show_all(const View& elsewhere);
  template <class T>
  void show(const Listing<T>& listing);
  template <class T>
  void tell_each(std::span<const Change<T>> events, Version after);
  template <class T>
  void tell_differences(std::span<const T* const> before, std::span<const T* const> now);
  SyncResult serve(const Key& key, Api& api);
  void answer(const nlohmann::json& calls, const Key& key, Api& api);
  std::string answer_one(const nlohmann::json& call, bool together, const Key& key, Api& api);
  SyncResult result_of(const nlohmann::json& done, const Key& key);
  void back_off_if_asked(const nlohmann::json& done, const Key& key, std::optional<Time>& requeue_after);
  std::optional<Text> touched_in(const nlohmann::json& done);
  std::optional<bool> alone_in(const nlohmann::json& done);
  std::optional<Time> delay_in(const nlohmann::json& message, const char* member);

  std::shared_ptr<Adapter> adapter_;
  const Gates gates_;
  const std::string name_;
  EachKind<Shown> shown_;
  const View* elsewhere_ = nullptr;    // what they hold of another namespace
  decltype(View::reached) reached_{};  // by the caches, when they were last shown
  std::string lines_;                  // yet to be sent
  std::string replies_;                // being written, after what the caches have taken since
  bool reset_ = true;                  // to be sent before anything else
  Text ns_{};                          // of the events
  std::map<Key, int> requeues_{};      // with back-off, in a row
  std::size_t unheard_ = 0;            // events whose handlers were not run yet
  std::optional<Text> died_{};         // of what it said its handlers died: its next turn is its last
  int told_ = -1;                      // the start of the program that was told what is above
  Turn turn_;                          // the present one, or the last
};

}  // namespace ordeal::fuzz
