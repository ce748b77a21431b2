#include "fuzz/command/watcher.h"

#include <unistd.h>

#include "fuzz/command/outside.h"
#include "properties/scenario/counted.h"

namespace ordeal::fuzz {

using properties::counted;

Watcher::Watcher(const RunOptions& options, const std::string& directory, bool quiet)
    : keeper_(directory, {options.controller->name, options.level, options.seed}),
      quiet_(quiet),
      output_(stderr, ::isatty(STDERR_FILENO) != 0,
              situations_expected(properties::promises_at(options.level, options.except)).count()) {}

void Watcher::on_found(const Finding& finding) {
  say(std::string(finding.invariant->id) + " is broken in trial " + std::to_string(finding.trial) + ", of " +
      counted(finding.steps_found, "step"));
}

void Watcher::on_shrunk(const Finding& finding) {
  if (!finding.is_reproduced()) return say(why_unclear(finding) + ": " + keeper_.path_of(finding));
  say(std::string(finding.invariant->id) + " takes " + counted(finding.scenario.steps.size(), "step") + ": " +
      keeper_.path_of(finding));
}

void Watcher::on_standing(std::span<const Finding* const> findings) {
  const auto done = keeper_.keep(findings);
  if (done) return;
  output_.clear();
  complain("a finding could not be stored: " + done.error());
}

void Watcher::on_progress(const Progress& progress) {
  if (!quiet_) output_.show(progress);
}

void Watcher::say(const std::string& line) {
  if (!quiet_) output_.say(line);
}

}  // namespace ordeal::fuzz
