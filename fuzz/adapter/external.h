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
#include "fuzz/adapter/adapter.h"
#include "fuzz/adapter/list.h"

namespace ordeal::fuzz {

class External final : public Controller, private Handlers {
 public:
  External(std::shared_ptr<Adapter> adapter, const Gates& gates, std::string name)
      : adapter_(std::move(adapter)), gates_(gates), name_(std::move(name)) {}

  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override;
  void restart() override;
  Traits traits() const override;  // of the release that it says it is like, else of the one that it is called
  Handlers* handlers() override { return adapter_->hello().has_handlers ? this : nullptr; }
  Gates acting(const Gates& started_with) const override { return acting_under(adapter_->hello(), started_with); }
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
    std::int64_t id = 0;            // an answer to another one is a lie
    const View* seen = nullptr;     // by the sync
    std::size_t events = 0;         // that it wrote, which are no calls of the controller's
    std::vector<Event> recorded{};  // by these
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
  std::string answer_list(const List& list, bool together, const Key& key, Api& api);
  bool loses(const Request& request, const Reply& reply) const;
  SyncResult result_of(const nlohmann::json& done, const Key& key);

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
