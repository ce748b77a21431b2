// Runs a line of shell, for tests of programs.
#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

#include "fuzz/engine/shell.h"

namespace ordeal::fuzz {

struct Ended {
  int status = -1;  // as a shell has it: 128 and more for a signal
  std::string out;
};

/// By bash. What goes to standard error is not in `out`.
inline Ended run_shell(const std::string& line) {
  std::FILE* pipe = ::popen(("bash -c " + shell_quoted(line)).c_str(), "r");
  Ended ended;
  std::array<char, 4096> block{};
  while (const std::size_t n = std::fread(block.data(), 1, block.size(), pipe)) ended.out.append(block.data(), n);
  const int raw = ::pclose(pipe);
  ended.status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
  return ended;
}

}  // namespace ordeal::fuzz
