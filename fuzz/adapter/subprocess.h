// A program of somebody else's, spoken to in lines over its standard input and output.
//
// It is taken to be hostile: it may end, hang, write without end or read nothing. Each of that ends in Broken, with a
// reason for people, within the patience given; never in a crash, a hang or unbounded memory. What it writes to
// standard error is drained all the time and the end of it kept. The program runs on the core of the thread that starts
// it, and that thread stays there as long as the program lives: a pair that takes turns is about ten times faster on
// one core than on two. Real time is used for patience only: it decides whether there is an answer, never which.
// Covered by subprocess_test.cpp.
#pragma once

#include <sched.h>
#include <sys/types.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>

#include "fuzz/engine/descriptor.h"

namespace ordeal::fuzz {

/// The other side did not keep to the protocol, or is no more. The text is a sentence about it.
struct Broken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Patience {
  std::chrono::milliseconds answer{10'000};       // for a line, and for room to write one
  std::size_t line_bytes = std::size_t{4} << 20;  // of one line
};

/// Ends every program that runs, and all that these have started, without waiting for it. For signal handlers.
void end_all_programs();

/// Keeps the thread on one core until it goes. Nothing happens when the system does not allow it.
class OneCore {
 public:
  OneCore();
  ~OneCore();
  OneCore(const OneCore&) = delete;
  OneCore& operator=(const OneCore&) = delete;

 private:
  cpu_set_t before_;
  bool pinned_ = false;
};

class Subprocess {
 public:
  /// Starts `command` with sh. Broken when there can be no further process.
  Subprocess(const std::string& command, Patience patience);
  /// Ends the program and all it started.
  ~Subprocess();
  Subprocess(const Subprocess&) = delete;
  Subprocess& operator=(const Subprocess&) = delete;

  void write(std::string_view bytes);
  /// The next line without its end; valid until the next call.
  std::string_view read_line();
  /// It said something that was not read yet.
  bool has_unread();
  /// The end of what it wrote to standard error.
  std::string last_words();

 private:
  using Deadline = std::chrono::steady_clock::time_point;
  void start(const std::string& command);
  void wait(bool for_room, Deadline until);
  bool take_output();
  void take_errors();
  [[noreturn]] void fail_ended();
  std::string how_it_ended();

  OneCore core_;
  Patience patience_;
  pid_t pid_ = -1;
  Descriptor in_, out_, errors_;  // its standard streams, as seen from here
  std::string unread_, kept_errors_;
  std::size_t taken_ = 0;     // bytes of `unread_` that were returned
  std::size_t searched_ = 0;  // bytes of `unread_` that hold no further end of line
};

}  // namespace ordeal::fuzz
