// What a campaign has to say when it pauses. Covered by text_test.cpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fuzz/campaign/campaign.h"

namespace ordeal::fuzz {

struct CampaignNews {
  std::vector<CampaignFinding> found;  // since it was started or went on
  std::vector<std::string> closed;     // ids of findings that hold by now
  double seconds = 0;                  // since then
  std::uint64_t trials = 0;            // since then
  properties::Promises shared{};       // broken since then, by the controller that this one is held against, too
};

/// Engines and what they found for their work, the chance of news, and findings: new ones with file, cause and thread,
/// old ones counted. `file_of` says where a finding is stored.
std::string campaign_text(const CampaignOptions& options, const CampaignState& state, const CampaignNews& news,
                          const std::function<std::string(const std::string& id)>& file_of);

/// Its parts.
std::string engines_text(const CampaignState& state);
std::string outlook_text(const CampaignState& state, const CampaignNews& news);
std::string found_text(const CampaignOptions& options, const CampaignFinding& found, const std::string& file);

}  // namespace ordeal::fuzz
