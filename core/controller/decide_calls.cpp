#include <algorithm>

#include "core/controller/decisions.h"

namespace ordeal::decide {

bool missing_pods_are_deleted(Reason reason, const Gates&) { return reason != Reason::truncate_history; }
bool all_missing_are_deleted(Reason, const Gates&) { return true; }
bool missing_outdated_pods_are_deleted(Reason reason, const Gates&) {
  return reason == Reason::update_pod || reason == Reason::replace_broken;
}
/// An update that deletes one at a time fails.
bool missing_outdated_pods_are_deleted_in_a_budget(Reason reason, const Gates& gates) {
  return gates.max_unavailable && missing_outdated_pods_are_deleted(reason, gates);
}
bool nothing_missing_is_deleted(Reason, const Gates&) { return false; }

/// Slow start: if the first call fails, so would the next thousand.
std::size_t doubling_to_500(std::size_t previous, std::size_t remaining) {
  constexpr std::size_t largest = 500;
  return std::min({std::max<std::size_t>(1, 2 * previous), remaining, largest});
}

/// The next one only when the one before it went well.
std::size_t one_after_the_other(std::size_t, std::size_t remaining) { return std::min<std::size_t>(1, remaining); }

bool pods_claims_and_sets(const Request& request) {
  return request.verb != Verb::get && request.kind != Kind::revision;
}
bool pods_claims_and_sets_but_losses(const Request& request) {
  const bool releases = request.verb == Verb::patch_owners && request.owner_patch().remove;
  return request.verb != Verb::remove && !releases && pods_claims_and_sets(request);
}

bool nothing_is_remembered(const Request&) { return false; }

bool older_than_written(Version reached, Version written) { return reached < written; }

Telling told_of_pods_and_claims(Verb verb, Kind kind, Code answer) {
  if (kind != Kind::pod && kind != Kind::claim) return Telling::nothing;
  if (verb != Verb::create && verb != Verb::update && verb != Verb::remove) return Telling::nothing;
  if (answer == Code::ok) return kind == Kind::pod || verb == Verb::create ? Telling::success : Telling::nothing;
  const bool is_old_news = answer == Code::conflict || answer == Code::already_exists || answer == Code::not_found;
  return is_old_news ? Telling::nothing : Telling::failure;
}

}  // namespace ordeal::decide
