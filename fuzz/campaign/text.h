// What a campaign has to say when it pauses. Covered by text_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "fuzz/campaign/campaign.h"

namespace ordeal::fuzz {

struct CampaignNews {
  std::vector<CampaignFinding> found;  // since it was started or went on
  std::vector<std::string> closed;     // ids of findings that hold by now
  double seconds = 0;                  // since then
  std::uint64_t trials = 0;            // since then
};

/// Engines and what they found for their work, the chance of news, and findings: new ones with file, cause and thread, old ones
/// counted. `file_of` says where a finding is stored.
template <class FileOf>
std::string campaign_text(const CampaignOptions& options, const CampaignState& state, const CampaignNews& news, FileOf file_of);

std::string engines_text(const CampaignState& state);
std::string outlook_text(const CampaignState& state, const CampaignNews& news);
std::string found_text(const CampaignOptions& options, const CampaignFinding& found, const std::string& file);

template <class FileOf>
std::string campaign_text(const CampaignOptions& options, const CampaignState& state, const CampaignNews& news, FileOf file_of) {
  std::string text = engines_text(state) + outlook_text(state, news);
  for (const CampaignFinding& found : news.found) text += found_text(options, found, file_of(found.id));
  for (const std::string& id : news.closed) text += "\nclosed     " + id + ": it holds by now\n";
  const std::size_t earlier = state.finding_ids.size() - news.found.size();
  text += "\nfindings   " + std::to_string(news.found.size()) + " new, " + std::to_string(earlier) + " from before\n";
  return text;
}

}  // namespace ordeal::fuzz
