// Scenario files as the commands that take one need them.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "fuzz/command/arguments.h"
#include "fuzz/report/finding_file.h"
#include "fuzz/report/report.h"

namespace ordeal::fuzz {

struct Stored {
  properties::Scenario scenario;
  std::optional<Origin> origin;
  std::string file;
};
/// The error names the file, and every field that is wrong.
std::expected<Stored, std::string> read_stored(const std::string& path);
/// Of a file that was read already.
std::expected<Stored, std::string> stored_in(const std::string& path, std::string_view bytes);

/// Who is tried, and at which level: what the user says, else what the file says, else strict. A controller that the
/// file does not name is tried at the level at which the story was found, since that may decide what is asked, and at
/// one that asks for the promise which the file names.
struct Tried {
  const ControllerKind* controller = nullptr;
  properties::Level level = properties::Level::strict;
  properties::Promises except{};  // not asked
};
std::expected<Tried, std::string> tried_at(const Stored& stored, const ControllerKind& controller,
                                           const std::string& level, const properties::Promises& except = {});
std::expected<Tried, std::string> choose_tried(const Stored& stored, const std::string& controller,
                                               const std::string& level, const properties::Promises& except = {});

/// The report of one trial of a stored scenario, without timelines. What the API server of who is tried does not know
/// is left out of the scenario first, as it is said.
Report try_stored(Stored& stored, const Tried& tried);

/// Of its findings: what the user names, else what the file was found to break, else the first thing broken. Null when
/// that held.
Finding* choose_finding(Report& report, const Stored& stored, const std::string& invariant);
/// In words: "strict keeps what the file says it breaks".
std::string what_held(const Report& report, const Stored& stored, const std::string& invariant);

}  // namespace ordeal::fuzz
