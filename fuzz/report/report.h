// What a run or a replay has to say, as one value; text.h, json.h and junit.h write it down.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fuzz/engine/baseline.h"
#include "fuzz/engine/explain.h"
#include "fuzz/engine/run.h"
#include "fuzz/report/known.h"
#include "fuzz/report/timeline.h"

namespace ordeal::fuzz {

inline constexpr std::string_view version = ORDEAL_VERSION;  // of the CMake project
inline constexpr std::size_t unclear_listed = 10;  // reasons that people are shown; those for machines have all

/// A finding with what a report adds to it.
struct Shown {
  Finding finding;
  std::string file;              // where it was stored; empty when it was not
  std::string from;              // the stored scenario it was found in; empty when its trial was drawn by the seed
  const Known* known = nullptr;  // the public thread that describes it, when there is one
  bool accepted = false;  // it is known of the release that the controller is a fork of, and no fault of the fork's
  Timeline timeline;
  std::vector<const properties::Invariant*> breaks = {};  // every promise its scenario breaks; none when nobody looked
  std::optional<Explanation> explanation;                 // when it was asked for
};

/// A finding of this controller, with what is known of its cause. The second tries it once more, for the
/// timeline and for what else of this level it breaks.
Shown shown_of(Finding finding, std::string file, std::string_view controller);
Shown shown_of(Finding finding, std::string file, Dock& dock, properties::Level level);

struct Report {
  std::string controller;
  properties::Level level = properties::Level::strict;
  properties::Promises except{};      // not asked, since the user said so
  std::optional<std::uint64_t> seed;  // none for a replay of a file that does not name one
  std::string program = "ordeal";     // as the user called it
  std::string arguments;              // that a run needs besides --seed and --trials, each with a space before it
  bool expects_coverage = true;       // false: of one story, not of a run
  std::string against;                // whose faults are none of the controller's; empty: nobody's
  std::string known_of;               // a release, of which the controller is a fork: what is known of it is accepted
  RunResult result;                   // its findings are moved to `findings`
  std::vector<Shown> findings;
};

/// Accepts a finding that is known of the report's `known_of`, for the same cause if its cause is known at all, and
/// that the release shows in this very story, too: a fork may break the same promise for a reason of its own.
void accept_if_known(Shown& shown, const Report& report, Baseline& release);
bool is_all_accepted(const Report& report);
/// How many of the findings are, in words; empty when none is.
std::string accepted_text(const Report& report);
/// What is accepted leaves the verdict to the rest.
properties::Verdict verdict_but_for_accepted(const Report& report);

/// What shows a stored finding again. A program has to be named anew: no file starts one.
std::string replay_command(const Shown& shown, const Report& report);

std::string_view name_of(properties::Verdict verdict);
std::string_view name_of(properties::Level level);
std::string_view name_of(properties::When when);
std::string_view name_of(properties::Judges judges);

/// The promises that were asked, by place in the catalogue.
inline properties::Promises asked_by(const Report& report) {
  return properties::promises_at(report.level, report.except);
}
/// The ids of those that were not, though they are of the report's level.
std::vector<std::string_view> left_unasked(const Report& report);

/// A promise that a finding is of.
bool has_finding(const Report& report, const properties::Invariant& invariant);
/// Promises that were broken, but only where the controller that this one is held against breaks them, too.
properties::Promises shared_by(const Report& report);
/// Whom it is held against, and what both break, in words; empty when it is nobody.
std::string against_text(const std::string& whom, const properties::Promises& shared);

/// How many promises were broken, kept, or never came into question, for all (family empty) or one family.
struct Tally {
  std::size_t held = 0, violated = 0, without_occasion = 0;
  std::size_t known = 0;   // broken, but only as is known of the release named by --known-of
  std::size_t shared = 0;  // broken, but only where the controller it is held against breaks them, too
  std::size_t asked() const { return held + violated + known + shared + without_occasion; }
};
Tally tally(const Report& report, std::string_view family = {});
/// Names of the situations this level expects and the run did not see.
std::vector<std::string> missing_situations(const Report& report);
/// What the run could have met at its level. A program that gives no reasons for its calls meets none of those that go
/// by them.
properties::Situations expected_of(const Report& report);

}  // namespace ordeal::fuzz
