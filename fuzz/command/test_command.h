// The real program, as a user calls it: exit status, output, files. What the tests of this room share.
#pragma once

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "fuzz/engine/files.h"
#include "fuzz/engine/test_shell.h"

namespace ordeal::fuzz {

class Command : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(directory_); }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  /// Runs a line of shell in a directory of its own, where $ordeal is the program.
  Ended shell(const std::string& line) const {
    const std::string whole = "cd " + shell_quoted(directory_.string()) + " && ordeal=" + shell_quoted(ORDEAL_BINARY) +
                              " && unset ORDEAL_COMMAND && { " + line + "\n}";
    return run_shell(whole);
  }
  Ended ordeal(const std::string& arguments) const { return shell("\"$ordeal\" " + arguments + " 2>&1"); }
  void write(const std::string& name, std::string_view bytes) const {
    ASSERT_TRUE(write_file((directory_ / name).string(), bytes));
  }
  std::string read(const std::string& name) const { return read_file((directory_ / name).string(), 1 << 20).value(); }

  const std::filesystem::path directory_ =
      std::filesystem::temp_directory_path() / ("ordeal-command-" + std::to_string(::getpid()));
};

inline constexpr std::string_view web = R"(apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: web
spec:
  serviceName: web
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: web:1}]}
)";
// Enough trials of a mutant to break something, and few promises to shrink for.
#define BREAKS_SOMETHING "run --controller mutant:update-ignores-partition --trials 200 --seed 1 "
inline constexpr const char* broken = BREAKS_SOMETHING "--quiet ";

}  // namespace ordeal::fuzz
