// One program that keeps to the protocol, or is ended: started when it is first needed, greeted, sent whole lines and
// read message by message. Shared by the controllers of one simulated process, which differ in gates only. Covered by
// external_test.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "fuzz/adapter/hello.h"
#include "fuzz/adapter/subprocess.h"
#include "fuzz/adapter/written.h"

namespace ordeal::fuzz {

class Adapter {
 public:
  explicit Adapter(std::string command, Patience patience = {}) : command_(std::move(command)), patience_(patience) {}

  void start_if_needed();
  /// What the program, which is started for that if need be, has said of itself.
  const Hello& hello();
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
  /// Objects of the trial that it was told.
  Written& written() { return written_; }

 private:
  static constexpr int starts_at_most = 6;  // that fail one after the other: each may take as long as there is patience
  void start();
  std::string command_;
  Patience patience_;
  std::unique_ptr<Subprocess> process_;
  Hello hello_{};
  Written written_;
  int starts_ = 0, failed_starts_ = 0;
  std::string why_not_started_;
  std::int64_t turn_ = 0;
};

}  // namespace ordeal::fuzz
