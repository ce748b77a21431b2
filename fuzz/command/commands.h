// The commands of `ordeal`. Each adds itself to the parser; what it does when chosen returns the exit status.
//
// Everything that touches the outside (arguments, files, terminals, signals, exit codes) is in this room and nowhere
// else. Covered by command_test.cpp, which runs the real program.
#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <functional>
#include <string>

#include "fuzz/report/report.h"

namespace ordeal::fuzz {

/// What the exit status says. Ctrl-C: `violated` if something was, `interrupted` otherwise.
enum Exit : int { exit_held = 0, exit_violated = 1, exit_bad_input = 2, exit_inconclusive = 3, exit_interrupted = 130 };

/// What the chosen command will do.
using Action = std::function<int()>;

void add_run(CLI::App& app, Action& chosen);
void add_replay(CLI::App& app, Action& chosen);
void add_shrink(CLI::App& app, Action& chosen);
void add_list(CLI::App& app, Action& chosen);
void add_validate(CLI::App& app, Action& chosen);
void add_bench(CLI::App& app, Action& chosen);

/// How to call this program again, as the user called it.
const std::string& program();
void set_program(std::string name);

}  // namespace ordeal::fuzz
