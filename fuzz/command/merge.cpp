// ordeal merge: several campaigns as one.
#include "fuzz/campaign/merge.h"

#include <filesystem>

#include "fuzz/command/commands.h"
#include "fuzz/command/outside.h"
#include "properties/scenario/counted.h"

namespace ordeal::fuzz {

namespace {

using properties::counted;

std::expected<const ControllerKind*, std::string> controller_asked(const MergeArguments& arguments) {
  if (!arguments.controller.empty()) return parse_controller(arguments.controller);
  const auto name = controller_of(arguments.campaigns);
  return name ? controller_in_file(*name, arguments.campaigns.front()) : std::unexpected(name.error());
}

}  // namespace

int merge_command(const MergeArguments& arguments) {
  std::error_code unreadable;
  for (const std::string& campaign : arguments.campaigns)
    if (!std::filesystem::is_directory(campaign, unreadable)) return refuse("DIR: there is no directory " + campaign);
  if (std::filesystem::exists(arguments.out + "/campaign.json", unreadable))
    return refuse("--out: a campaign lives in this directory, and what others found is not its own (found: " +
                  arguments.out + ")");
  const auto controller = controller_asked(arguments);
  if (!controller) return refuse(controller.error());
  Dock dock(**controller);
  const auto merged = merge_campaigns(arguments.campaigns, arguments.out, dock);
  if (!merged) {
    complain(merged.error());
    return exit_inconclusive;
  }
  for (const std::string& note : merged->notes) complain("passed over: " + note);
  if (!merged->unclear.empty()) complain(merged->unclear);
  const std::string text = arguments.out + ": " + counted(merged->findings, "finding") + "; " +
                           std::to_string(merged->corpus) + " of " + std::to_string(merged->corpus_before) +
                           " scenarios, in which " + std::to_string(merged->encounters) +
                           " encounters occur as in all\n";
  if (!print(text)) return exit_inconclusive;
  if (merged->findings > 0) return exit_violated;
  // What was passed over may be a finding.
  return merged->notes.empty() && merged->unclear.empty() ? exit_held : exit_inconclusive;
}

}  // namespace ordeal::fuzz
