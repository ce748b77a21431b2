// Findings as files: <directory>/<invariant>.<n>.json, each a scenario that can be replayed.
//
// The present findings of an invariant are numbered from 1, in the order of their trials. They may change while a run
// goes on: a file of this run whose finding is no longer among them is removed. A file of an older run that has the
// name of a new one is not written over; it is renamed to the next free number, and goes when this run finds the very
// same. A file is there whole or not at all.
// Covered by keeper_test.cpp.
#pragma once

#include <expected>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "fuzz/engine/files.h"
#include "fuzz/report/finding_file.h"

namespace ordeal::fuzz {

class Keeper {
 public:
  /// Findings are of this run. Touches nothing yet: the directory is made with the first finding.
  Keeper(std::string directory, Run run) : directory_(std::move(directory)), run_(std::move(run)) {}

  /// Makes the files of one invariant those of its findings, which must all be given, and at least one. The error says
  /// what was not written first, and why; the others were tried all the same.
  Done keep(std::span<const Finding* const> findings);
  /// Where a finding is stored as it was last given; empty when that could not be written.
  std::string path_of(const Finding& finding) const;

 private:
  /// File number n, at place n - 1.
  struct Held {
    std::uint64_t trial = 0;
    std::string text;      // empty: it could not be written
    bool is_ours = false;  // this run wrote a file of that name
  };
  struct Older {
    std::string path, text;
  };

  std::string numbered(const properties::Invariant& invariant, std::size_t n) const;
  Done store(const Finding& finding, std::size_t n, std::size_t taken, Held& held);
  Done make_room(const properties::Invariant& invariant, std::size_t n, std::size_t taken, const Origin& origin);
  Done drop_last(const properties::Invariant& invariant, std::vector<Held>& held);
  void note_older(const properties::Invariant& invariant);
  Done drop_copies(const std::string& text);

  std::string directory_;
  Run run_;
  std::map<std::string_view, std::vector<Held>> held_;  // by invariant
  std::vector<Older> older_;                            // files of runs before
};

}  // namespace ordeal::fuzz
