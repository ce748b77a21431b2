#include "core/controller/reference.h"

#include "core/controller/decisions.h"
#include "core/controller/phases.h"

namespace ordeal {

namespace {

/// A selector that cannot be read selects nothing, and no retry helps.
bool is_readable(const LabelSelector& selector) {
  using enum SelectorRequirement::Operator;
  for (const SelectorRequirement& requirement : selector.match_expressions) {
    const bool takes_values = requirement.op == in || requirement.op == not_in;
    if (requirement.key.empty() || takes_values == requirement.values.empty()) return false;
  }
  return !selector.match_labels.empty() || !selector.match_expressions.empty();
}

class Reference : public Controller {
 public:
  Reference(const Rules& rules, const Gates& gates)
      : rules_(rules), gates_(gates), phases_(rules_, gates_, writes_, claim_cache_) {}
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;

  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    claim_cache_.keep_only(seen.claims);
    if (gates_.stale_guard && writes_.are_behind(key, seen, rules_))
      return {.failed = true,
              .code = Code::ok,
              .what = Text::lasting("a cache does not show this controller's own writes yet"),
              .requeue_after = {}};
    if (rules_.remembers_until_seen) writes_.forget(key);
    const StatefulSet* set = seen.sets.find(key.name);
    if (set == nullptr) {
      writes_.forget(key);
      return {};
    }
    if (!set->spec || !set->spec->pod_template || !is_readable(set->spec->selector)) return {};
    return phases_.run(key, *set, seen, api, now);
  }
  void restart() override {
    writes_.clear();
    claim_cache_.clear();
  }
  Traits traits() const override { return traits_of(rules_); }
  std::string_view name() const override { return rules_.name; }

 protected:
  OwnWrites writes_;

 private:
  const Rules rules_;
  const Gates gates_;
  ClaimCache claim_cache_;
  Phases phases_;
};

/// What one remembers that leaves its caches alone is a few numbers.
class Rewindable final : public Reference, public Remembering {
 public:
  using Reference::Reference;
  OwnVersions remembered(const Key& key) const override { return writes_.newest(key); }
  void remember(const Key& key, const OwnVersions& newest) override { writes_.become(key, newest); }
};

}  // namespace

Traits traits_of(const Rules& rules) {
  return {.wake_margin = Time::seconds(rules.wake_margin),
          .null_times = rules.revision_data == decide::encoded_with_null_times,
          .waits_for_writes = rules.remembers != decide::nothing_is_remembered,
          .live_caches = rules.live_caches,
          .starts_without = Kinds{}};  // it waits for all
}

std::unique_ptr<Controller> make_reference(const Rules& rules, const Gates& gates) {
  if (rules.writes_into_cache) return std::make_unique<Reference>(rules, gates);
  return std::make_unique<Rewindable>(rules, gates);
}

}  // namespace ordeal
