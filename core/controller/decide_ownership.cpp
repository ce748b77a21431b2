#include "core/controller/decisions.h"

namespace ordeal::decide {

bool any_digits_are_a_member(std::string_view set, std::string_view, const Member& parsed) {
  return parsed.parent == set;
}

/// `web-01` and numbers past 32 bits are names the set would never give.
bool canonical_names_are_members(std::string_view set, std::string_view pod, const Member& parsed) {
  if (parsed.parent != set || parsed.ordinal == Ordinal::none) return false;
  const std::string_view digits = pod.substr(set.size() + 1);
  return digits.size() == 1 || digits.front() != '0';
}

namespace {

Claiming claiming(const ObjectMeta& set, const ObjectMeta& pod, Fit fit, bool keeps) {
  const bool matches = fit.selected && fit.member;
  const OwnerReference* owner = pod.controller();
  if (owner == nullptr) return matches && !set.terminating() && !pod.terminating() ? Claiming::adopt : Claiming::ignore;
  if (owner->uid != set.uid) return Claiming::ignore;
  if (matches) return Claiming::claim;
  if (keeps) return Claiming::keep;
  return set.terminating() ? Claiming::ignore : Claiming::release;
}

}  // namespace

Claiming claim_adopt_or_release(const ObjectMeta& set, const ObjectMeta& pod, Fit fit) {
  return claiming(set, pod, fit, false);
}

/// Keeps what is selected and bears the set's name, be it no member: it goes when its set goes.
Claiming claim_adopt_or_release_strangers(const ObjectMeta& set, const ObjectMeta& pod, Fit fit) {
  return claiming(set, pod, fit, fit.selected && fit.named);
}

bool same_and_staying(const StatefulSet& seen, const StatefulSet& live) {
  return seen.meta.uid == live.meta.uid && !live.meta.terminating();
}

bool same_uid(const StatefulSet& seen, const StatefulSet& live) { return seen.meta.uid == live.meta.uid; }

bool gone_or_refused(Code reply) { return reply == Code::ok || reply == Code::not_found || reply == Code::invalid; }

bool unless_deleting(const StatefulSet& set) { return !set.meta.terminating(); }

std::optional<std::size_t> by_start_and_replicas(const StatefulSetSpec& spec, Ordinal ordinal, std::size_t places) {
  const auto index = spec.index_of(ordinal);
  if (!index || static_cast<std::size_t>(*index) >= places) return std::nullopt;
  return static_cast<std::size_t>(*index);
}

}  // namespace ordeal::decide
