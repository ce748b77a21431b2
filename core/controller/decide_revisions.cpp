#include <algorithm>
#include <charconv>

#include "core/controller/decisions.h"

namespace ordeal::decide {

bool by_number_age_and_name(const Revision* a, const Revision* b) {
  if (a->number != b->number) return a->number < b->number;
  if (a->meta.created != b->meta.created) return a->meta.created < b->meta.created;
  return a->meta.name < b->meta.name;
}

std::int64_t last_number_plus_one(std::span<const Revision* const> listed) {
  return listed.empty() ? 1 : wrapping_sum<std::int64_t>(listed.back()->number, 1);
}

Shared<std::string> encoded(const PodTemplate& pod_template) { return pod_template.patch; }

Shared<std::string> encoded_with_null_times(const PodTemplate& pod_template) { return pod_template.older_patch; }

// --- equality ----------------------------------------------------------------------------------------------------------

namespace {

/// The label when it reads as a 32-bit number, as Kubernetes tries to read it.
std::optional<std::int32_t> as_number(const Text* label) {
  if (label == nullptr) return std::nullopt;
  const std::string_view text = label->view();
  std::int32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

}  // namespace

bool same_bytes(const Revision& held, const Candidate& candidate) { return same(held.data.bytes, candidate.data); }

/// The shortcut can misjudge equal data that was hashed under different collision counts.
bool same_bytes_unless_hashes_differ(const Revision& held, const Candidate& candidate) {
  if (const auto hash = as_number(held.meta.label(label_revision_hash))) {
    const Text suffix = revision_suffix(fnv1_32(*candidate.data), candidate.collisions);
    const auto own = as_number(&suffix);
    if (own && *own != *hash) return false;
  }
  return same_bytes(held, candidate);
}

bool same_patch_when_decoded(const Revision& held, const Candidate& candidate) {
  return held.data.decoded != nullptr && same(held.data.decoded->patch, candidate.pod_template.patch);
}

// --- choice ------------------------------------------------------------------------------------------------------------

RevisionChoice newest_then_earlier(std::span<const Revision* const> listed, const Candidate& candidate,
                                   const Rules& rules, const Gates&) {
  return newest_then_earlier_then_meaning(listed, candidate, rules, {.semantic_revisions = false});
}

RevisionChoice newest_then_earlier_then_meaning(std::span<const Revision* const> listed, const Candidate& candidate,
                                                const Rules& rules, const Gates& gates) {
  using enum RevisionChoice::Action;
  if (listed.empty()) return {create};
  const std::size_t newest = listed.size() - 1;
  if (rules.same_revision(*listed[newest], candidate)) return {keep, newest};
  for (std::size_t i = newest; i-- > 0;)
    if (rules.same_revision(*listed[i], candidate)) return {bump, i};
  if (gates.semantic_revisions && rules.same_meaning(*listed[newest], candidate)) return {keep, newest};
  return {create};
}

RevisionChoice newest_in_meaning_then_earlier(std::span<const Revision* const> listed, const Candidate& candidate,
                                              const Rules& rules, const Gates& gates) {
  using enum RevisionChoice::Action;
  const bool meant = gates.semantic_revisions && !listed.empty() && rules.same_meaning(*listed.back(), candidate);
  if (meant) return {keep, listed.size() - 1};
  return newest_then_earlier_then_meaning(listed, candidate, rules, gates);
}

bool reuse_whoevers(const Revision&, const StatefulSet&) { return true; }
bool reuse_nothing(const Revision&, const StatefulSet&) { return false; }

/// What somebody else controls, or the selector misses, would never be listed, and be asked for in every sync. One of
/// an earlier set of this name is on its way out: it does until then.
bool reuse_what_will_be_listed(const Revision& held, const StatefulSet& set) {
  const OwnerReference* owner = held.meta.controller();
  if (owner != nullptr && owner->uid != set.meta.uid)
    return owner->api_version == group_version_apps && owner->kind == kind_stateful_set && owner->name == set.meta.name;
  return set.spec->selector.matches(held.meta.labels.get());
}

const Revision* named_by_status(std::span<const Revision* const> listed, const Text& name) {
  const auto at =
      std::find_if(listed.begin(), listed.end(), [&](const Revision* held) { return held->meta.name == name; });
  return at == listed.end() ? nullptr : *at;
}

Side below_partition_or_count(const StatefulSetSpec& spec, std::size_t index, Ordinal, std::int32_t current_replicas) {
  if (spec.strategy == Strategy::rolling_update && !spec.rolling_update)
    return static_cast<std::int64_t>(index) < current_replicas ? Side::current : Side::update;
  return static_cast<std::int64_t>(index) < partition_or_zero(spec) ? Side::current : Side::update;
}

/// Takes the number in the pod's name for its place in the range.
Side below_partition_by_ordinal(const StatefulSetSpec& spec, std::size_t, Ordinal ordinal,
                                std::int32_t current_replicas) {
  return below_partition_or_count(spec, static_cast<std::size_t>(number(ordinal)), ordinal, current_replicas);
}

// --- history -----------------------------------------------------------------------------------------------------------

namespace {

constexpr std::int32_t default_history_limit = 10;

}  // namespace

std::size_t beyond_limit_unless_negative(std::size_t unused, std::optional<std::int32_t> limit) {
  const std::int32_t kept = limit.value_or(default_history_limit);
  if (kept < 0 || unused <= static_cast<std::size_t>(kept)) return 0;
  return unused - static_cast<std::size_t>(kept);
}

std::size_t beyond_limit(std::size_t unused, std::optional<std::int32_t> limit) {
  const std::int64_t kept = limit.value_or(default_history_limit);
  return static_cast<std::size_t>(std::max<std::int64_t>(0, static_cast<std::int64_t>(unused) - kept));
}

}  // namespace ordeal::decide
