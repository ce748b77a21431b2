// A campaign as a directory:
//
//   campaign.json      whose campaign it is, what its whole stints did, and a checksum
//   campaign.lock      held by the one process that works here
//   corpus/            scenarios in which something met for the first time: <stint>-<trial>-<checksum>.json
//   findings/          one scenario per broken promise and minimal cause: <id>.json; closed/ those that hold by now,
//                      unfinished/ those of a stint that is not whole yet: an earlier trial may yet break the same
//   timeline.jsonl     a line per stint
//   damaged/           files that could not be read, and corpus/ and timeline.jsonl of a state that could not be
//
// Every file is there whole or not at all, and campaign.json last: whatever an unfinished stint left behind is written
// again, the same, when the campaign goes on. Without a whole campaign.json it begins anew, with the findings that it
// has: none is lost. Covered by files_test.cpp.
#pragma once

#include <expected>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "fuzz/campaign/campaign.h"
#include "fuzz/engine/descriptor.h"
#include "fuzz/engine/files.h"

namespace ordeal::fuzz {

class CampaignFiles {
 public:
  CampaignFiles(std::string directory, const CampaignOptions& options)
      : directory_(std::move(directory)), options_(options) {}

  /// The state of the last whole stint, or that before the first, which has findings when the state was lost. Damaged
  /// files are set aside, each with a note. An error: the directory is another campaign's, another process is at work
  /// in it, or it cannot be used. From now on it is this process's, until the files go.
  std::expected<CampaignState, std::string> load(std::vector<std::string>& notes);
  /// Stores a finding the moment it is known, in findings/unfinished: which of them stand depends on what the rest of
  /// the stint brings, and if that is never run, on when each was found.
  Done store_unfinished(const CampaignFinding& finding);
  /// Stores a whole stint, and the state with it added. Of what was in findings/unfinished stays what the stint does
  /// not tell: it joins the findings, also in `after`.
  Done store(const Stint& stint, CampaignState& after);

  std::string path_of(const std::string& finding_id) const;
  /// A finding that holds by now: it is moved to findings/closed, with a line in the timeline.
  Done close(const std::string& finding_id, std::string_view commit, CampaignState& state);

 private:
  Done lock();
  Done read_state(CampaignState& state, std::vector<std::string>& notes);
  Done begin_anew(CampaignState& state, std::vector<std::string>& notes);
  std::expected<bool, std::string> has_whole_stints() const;
  std::expected<std::vector<std::string>, std::string> timeline() const;
  Done read_corpus(CampaignState& state, std::vector<std::string>& notes);
  void drop_half_written();
  std::expected<bool, std::string> keep_if_ours(const std::filesystem::path& path, std::vector<std::string>& notes);
  Done drop_unreadable(CampaignState& state, std::vector<std::string>& notes);
  void drop_closed(CampaignState& state) const;
  Done drop_unfinished(const CampaignState& state);
  Done keep_untold(const Stint& stint, CampaignState& after);
  Done append(const std::string& line);
  Done write_state(const CampaignState& state);
  std::string unfinished() const;
  std::string closed_path_of(const std::string& finding_id) const;
  Done write(const CampaignFinding& finding, const std::string& path);
  Done set_aside(const std::string& path, std::string_view why, std::vector<std::string>& notes);

  const std::string directory_;
  const CampaignOptions& options_;
  Descriptor lock_;
  std::set<std::string> of_this_stint_;  // findings stored in unfinished/ that were not there
};

}  // namespace ordeal::fuzz
