// ordeal: puts StatefulSet controllers on trial.
#include <cstdlib>
#include <exception>

#include "fuzz/command/commands.h"
#include "fuzz/command/outside.h"

namespace ordeal::fuzz {

namespace {

constexpr const char* about =
    "Ordeal puts StatefulSet controllers on trial: it surrounds a controller with a simulated cluster that misbehaves, "
    "checks\n"
    "every promise Kubernetes makes about StatefulSets after every step, and hands back the shortest story in which "
    "one is broken.";
constexpr const char* exit_codes =
    "Exit status: 0 held, 1 violated, 2 bad usage or bad input, 3 inconclusive, 130 interrupted with nothing violated.";

/// ci/ordeal and other wrappers say how they were called; otherwise the program's own name is typed again.
std::string how_called(const char* argv0) {
  const char* wrapper = std::getenv("ORDEAL_COMMAND");
  if (wrapper != nullptr && *wrapper != '\0') return wrapper;
  return argv0 != nullptr && *argv0 != '\0' ? argv0 : "ordeal";
}

int main_of(int argc, char** argv) {
  set_program(how_called(argc > 0 ? argv[0] : nullptr));
  CLI::App app(about, "ordeal");
  app.footer(exit_codes);
  app.set_version_flag("--version", "ordeal " + std::string(version));
  app.require_subcommand(1);
  Action chosen;
  for (const auto add : {add_run, add_replay, add_shrink, add_list, add_validate, add_bench}) add(app, chosen);
  for (CLI::App* command : app.get_subcommands({})) command->footer(exit_codes);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help, --version
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    app.exit(error);
    return exit_bad_input;
  }
  return chosen();
}

}  // namespace

}  // namespace ordeal::fuzz

int main(int argc, char** argv) {
  try {
    return ordeal::fuzz::main_of(argc, argv);
  } catch (const std::exception& error) {  // a mistake of ours: no verdict
    ordeal::fuzz::complain(error.what());
    return ordeal::fuzz::exit_inconclusive;
  }
}
