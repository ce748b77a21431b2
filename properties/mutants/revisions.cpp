// Revisions: what is recorded, which one is chosen, which side a new pod gets, and what the history keeps.
#include <algorithm>

#include "core/api/names.h"
#include "properties/mutants/wrong.h"

namespace ordeal::properties {

namespace {

using Listed = std::span<const Revision* const>;
using enum RevisionChoice::Action;

template <auto change>
Revision built_but(const StatefulSet& set, const Candidate& candidate, const Text& suffix, std::int64_t number) {
  Revision revision = decide::build_revision(set, candidate, suffix, number);
  change(revision, set);
  return revision;
}

void drop_data(Revision& revision, const StatefulSet&) {
  revision.data = {std::make_shared<const std::string>(R"({"spec":{}})"), nullptr};
}
void merge_only(Revision& revision, const StatefulSet&) {
  constexpr std::string_view replaces = R"("$patch":"replace",)";
  std::string bytes = *revision.data.bytes;
  if (const std::size_t at = bytes.find(replaces); at != bytes.npos) bytes.erase(at, replaces.size());
  revision.data.bytes = std::make_shared<const std::string>(std::move(bytes));
}
void name_by_number(Revision& revision, const StatefulSet& set) {
  revision.meta.name = revision_name(set.meta.name, decimal(revision.number));
}

bool by_name(const Revision* a, const Revision* b) { return a->meta.name < b->meta.name; }
bool newest_first(const Revision* a, const Revision* b) { return decide::by_number_age_and_name(b, a); }

std::int64_t count_plus_one(Listed listed) { return static_cast<std::int64_t>(listed.size()) + 1; }

bool same_image(const Revision& held, const Candidate& candidate) {
  return held.data.decoded != nullptr && held.data.decoded->image == candidate.pod_template.image;
}

RevisionChoice strict_choice(Listed listed, const Candidate& candidate, const Rules& rules, const Gates& gates) {
  return decide::newest_in_meaning_then_earlier(listed, candidate, rules, gates);
}
/// The strict answer, unless it is `from`: then `to`, of the same revision.
template <RevisionChoice::Action from, RevisionChoice::Action to>
RevisionChoice instead(Listed listed, const Candidate& candidate, const Rules& rules, const Gates& gates) {
  RevisionChoice choice = strict_choice(listed, candidate, rules, gates);
  if (choice.action == from) choice.action = to;
  return choice;
}
RevisionChoice newest_in_any_case(Listed listed, const Candidate& candidate, const Rules& rules, const Gates& gates) {
  if (!listed.empty()) return {keep, listed.size() - 1};
  return strict_choice(listed, candidate, rules, gates);
}

const Revision* newest(Listed listed, const Text&) { return listed.empty() ? nullptr : listed.back(); }
const Revision* oldest(Listed listed, const Text&) { return listed.empty() ? nullptr : listed.front(); }

Side at_partition_too(const StatefulSetSpec& spec, std::size_t index, Ordinal ordinal, std::int32_t count) {
  if (!spec.rolling_update) return decide::below_partition_or_count(spec, index, ordinal, count);
  return static_cast<std::int64_t>(index) <= decide::partition_or_zero(spec) ? Side::current : Side::update;
}
Side ordinal_below_partition(const StatefulSetSpec& spec, std::size_t index, Ordinal ordinal, std::int32_t count) {
  if (!spec.rolling_update) return decide::below_partition_or_count(spec, index, ordinal, count);
  return number(ordinal) < decide::partition_or_zero(spec) ? Side::current : Side::update;
}
Side partition_only(const StatefulSetSpec& spec, std::size_t index, Ordinal, std::int32_t) {
  return static_cast<std::int64_t>(index) < decide::partition_or_zero(spec) ? Side::current : Side::update;
}

/// With the limit shifted by `more`.
template <int more>
std::size_t surplus(std::size_t unused, std::optional<std::int32_t> limit) {
  const std::int32_t kept = limit.value_or(10);
  return kept < 0 ? 0 : decide::beyond_limit_unless_negative(unused, std::max(kept + more, 0));
}
std::size_t negative_is_zero(std::size_t unused, std::optional<std::int32_t> limit) {
  return decide::beyond_limit_unless_negative(unused, std::max(limit.value_or(10), 0));
}

constexpr Wrong rows[] = {
    {"revisions-no-labels", "New revisions lack the labels of the template.", "revisions.labels",
     [](Rules& r) {
       r.build_revision = built_but<[](Revision& made, const StatefulSet& set) {
         const Text hash = *made.meta.label(label_revision_hash);
         StringMap labels = set.spec->selector.match_labels;
         labels.set(label_revision_hash, hash);
         made.meta.labels = std::make_shared<const StringMap>(std::move(labels));
       }>;
     }},
    {"revisions-no-hash-label", "New revisions lack the label with their hash.", "revisions.labels",
     [](Rules& r) {
       r.build_revision = built_but<[](Revision& made, const StatefulSet&) {
         edit_labels(made.meta, [](StringMap& labels) { labels.erase(label_revision_hash); });
       }>;
     }},
    {"revisions-no-annotations", "New revisions lack the annotations of the set.", "revisions.annotations",
     [](Rules& r) {
       r.build_revision = built_but<[](Revision& made, const StatefulSet&) { made.meta.annotations = nullptr; }>;
     }},
    {"ownership-revision-of-nobody", "New revisions belong to nobody.", "ownership.new-revision-is-owned",
     [](Rules& r) {
       r.build_revision = built_but<[](Revision& made, const StatefulSet&) { made.meta.owners = nullptr; }>;
     }},
    {"revisions-data-merges", "What a revision holds does not say that it replaces a template.",
     "revisions.data-replaces", [](Rules& r) { r.build_revision = built_but<merge_only>; }},
    {"revisions-empty-data", "New revisions do not hold the template.", "revisions.records-template",
     [](Rules& r) { r.build_revision = built_but<drop_data>; }},
    {"revisions-named-by-number", "Revisions are named after their number, not their content.",
     "revisions.named-by-content", [](Rules& r) { r.build_revision = built_but<name_by_number>; }},
    {"revisions-ordered-by-name", "The history is ordered by name.", "revisions.update-is-newest",
     [](Rules& r) { r.precedes = by_name; }},
    {"revisions-ordered-backwards", "The history is read from its newest end.", "revisions.new-number-is-next",
     [](Rules& r) { r.precedes = newest_first; }},
    {"revisions-number-is-count", "A new revision's number is how many there are, and one.",
     "revisions.new-number-is-next", [](Rules& r) { r.next_number = count_plus_one; }},
    {"revisions-number-stays", "A new revision gets the number of the newest.", "revisions.new-number-is-next",
     [](Rules& r) { r.next_number = [](Listed listed) { return decide::last_number_plus_one(listed) - 1; }; }},
    {"revisions-all-different", "Revisions never count as equal, so every turn records the template again.",
     "revisions.recorded-once",
     [](Rules& r) { r.same_revision = r.same_meaning = [](const Revision&, const Candidate&) { return false; }; }},
    {"revisions-image-decides", "Templates with the same image count as the same.", "status.update-revision",
     [](Rules& r) { r.same_revision = r.same_meaning = same_image; }},
    {"revisions-bytes-decide", "Templates of other bytes count as different, though they mean the same.",
     "revisions.same-meaning-same-revision",
     [](Rules& r) { r.same_meaning = [](const Revision&, const Candidate&) { return false; }; }},
    {"revisions-record-again", "An earlier template is recorded a second time.", "revisions.recorded-once",
     [](Rules& r) { r.choose_revision = instead<bump, create>; }},
    {"revisions-return-in-place", "A return to an earlier template leaves its revision where it is.",
     "revisions.update-is-newest", [](Rules& r) { r.choose_revision = instead<bump, keep>; }},
    {"revisions-always-bump", "The newest revision is renumbered in every turn.",
     "revisions.unchanged-template-writes-nothing", [](Rules& r) { r.choose_revision = instead<keep, bump>; }},
    {"revisions-never-new", "Once there is a revision, a new template is not recorded.", "status.update-revision",
     [](Rules& r) { r.choose_revision = newest_in_any_case; }},
    {"convergence-reuses-foreign", "A revision that somebody else controls is used when its data fit.",
     "convergence.no-calls-at-rest", [](Rules& r) { r.reuses = decide::reuse_whoevers; }},
    {"revisions-never-reuses", "A revision that is there under the name already is never used, but worked around.",
     "revisions.same-template-same-name",
     [](Rules& r) { r.reuses = [](const Revision&, const StatefulSet&) { return false; }; }},
    {"status-current-is-newest", "The current revision is always the newest.", "status.completion-needs-all-updated",
     [](Rules& r) { r.current_revision = newest; }},
    {"status-current-is-oldest", "The current revision is always the oldest.", "status.current-revision",
     [](Rules& r) { r.current_revision = oldest; }},
    {"update-creates-newest-only", "Pods below the partition are recreated at the update revision.",
     "update.recreates-current-below-partition",
     [](Rules& r) {
       r.side_of_missing = [](const StatefulSetSpec&, std::size_t, Ordinal, std::int32_t) { return Side::update; };
     }},
    {"update-creates-current-only", "All pods are recreated at the current revision.", "update.creates-updated",
     [](Rules& r) {
       r.side_of_missing = [](const StatefulSetSpec&, std::size_t, Ordinal, std::int32_t) { return Side::current; };
     }},
    {"update-creates-old-at-partition", "The pod at the partition is recreated at the current revision, too.",
     "update.creates-updated", [](Rules& r) { r.side_of_missing = at_partition_too; }},
    {"update-partition-by-ordinal",
     "When a pod is recreated its ordinal, not its place, is held against the partition.",
     "update.recreates-current-below-partition", [](Rules& r) { r.side_of_missing = ordinal_below_partition; }},
    {"update-ignores-count", "Without a rollingUpdate block all pods are recreated at the update revision.",
     "update.creates-by-count", [](Rules& r) { r.side_of_missing = partition_only; }},
    {"revisions-negative-is-zero", "A negative revisionHistoryLimit keeps nothing.",
     "revisions.negative-limit-keeps-all", [](Rules& r) { r.surplus_revisions = negative_is_zero; }},
    {"revisions-keeps-one-more", "The history keeps one revision more than its limit.",
     "revisions.history-within-limit", [](Rules& r) { r.surplus_revisions = surplus<1>; }},
    {"revisions-keeps-one-less", "The history keeps one revision less than its limit.", "revisions.pruned-beyond-limit",
     [](Rules& r) { r.surplus_revisions = surplus<-1>; }},
    {"revisions-forgets-live", "Revisions that pods were made from are pruned.", "revisions.kept-for-pods",
     [](Rules& r) { r.pods_keep_revisions = false; }},
    {"revisions-failure-costs-current", "When the template cannot be recorded, the current revision may be pruned.",
     "revisions.current-kept-on-errors", [](Rules& r) { r.status_keeps_revisions = false; }},
    {"lifecycle-records-while-deleting", "Revisions are recorded and pruned for a set that is going away.",
     "lifecycle.deleting-leaves-revisions", [](Rules& r) { r.records_while_deleting = true; }},
    {"ownership-adopts-owned-revisions",
     "With one orphan among them all revisions are to be adopted, which fails for owned ones.",
     "convergence.comes-to-rest", [](Rules& r) { r.adopts_owned_revisions = true; }},
    {"revisions-kept-after-failures", "A turn that fails prunes no history.",
     "revisions.history-within-limit-on-errors", [](Rules& r) { r.prunes_after_failure = false; }},
    {"equivalence-history-as-listed", "The newest revision is the one a list ends with.", "equivalence.list-order",
     [](Rules& r) { r.precedes = [](const Revision*, const Revision*) { return false; }; }},
};

}  // namespace

std::span<const Wrong> wrong_revisions() { return rows; }

}  // namespace ordeal::properties
