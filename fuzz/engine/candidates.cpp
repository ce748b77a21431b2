#include "fuzz/engine/candidates.h"

#include <algorithm>

namespace ordeal::fuzz {

namespace {

/// Whether `other` tells the story of `finding` as well or better.
bool tells_for(const Finding& other, const Finding& finding) {
  if (!other.cause) return false;
  return properties::is_noisier(*finding.cause, *other.cause) ||
         (other.cause == finding.cause && other.trial < finding.trial);
}

}  // namespace

bool Candidates::put(Finding finding) {
  if (finding.again == Again::held) return refute(std::move(finding));
  if (finding.trial >= bar() && finding.trial != by_trial_.back().trial) return false;
  const auto at = std::ranges::lower_bound(by_trial_, finding.trial, {}, &Finding::trial);
  if (at != by_trial_.end() && at->trial == finding.trial) *at = std::move(finding);
  else by_trial_.insert(at, std::move(finding));
  if (by_trial_.size() > candidates_at_most) by_trial_.pop_back();
  return true;
}

/// What no scenario can be blamed for takes no place of one that can.
bool Candidates::refute(Finding finding) {
  std::erase_if(by_trial_, [&](const Finding& held) { return held.trial == finding.trial; });
  refuted_.insert(std::ranges::upper_bound(refuted_, finding.trial, {}, &Finding::trial), std::move(finding));
  if (refuted_.size() > candidates_at_most) refuted_.pop_back();
  return true;
}

std::uint64_t Candidates::bar() const {
  return by_trial_.size() < candidates_at_most ? ~std::uint64_t{0} : by_trial_.back().trial;
}

bool Candidates::is_finding(std::uint64_t trial) const {
  const std::vector<const Finding*> standing = findings();
  return std::ranges::find(standing, trial, &Finding::trial) != standing.end();
}

std::vector<const Finding*> Candidates::findings() const {
  std::vector<const Finding*> standing;
  for (const Finding& finding : by_trial_) {
    const auto tells = [&](const Finding& other) { return tells_for(other, finding); };
    if (finding.cause && std::ranges::none_of(by_trial_, tells)) standing.push_back(&finding);
  }
  if (!standing.empty()) return standing;
  const auto sure = std::ranges::find_if(by_trial_, &Finding::is_reproduced);
  if (sure != by_trial_.end()) standing.push_back(&*sure);
  else if (!by_trial_.empty()) standing.push_back(&by_trial_.front());
  else if (!refuted_.empty()) standing.push_back(&refuted_.front());
  return standing;
}

}  // namespace ordeal::fuzz
