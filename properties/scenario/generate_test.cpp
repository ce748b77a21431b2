#include "properties/scenario/generate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>

#include "properties/scenario/scenario_json.h"

namespace ordeal::properties {
namespace {

StatefulSet drawn_set(std::uint64_t seed) {
  Seeded choices(seed);
  return generate_set(choices);
}

Scenario drawn(std::uint64_t seed, std::size_t steps_at_most = 64) {
  Seeded choices(seed_of_trial(1, seed));
  return generate_scenario(choices, nullptr, steps_at_most);
}

FieldErrors refused(StatefulSet set) {
  apply_defaults(set);
  return validate_create(set);
}

std::string texts(const FieldErrors& errors) {
  std::string all;
  for (const FieldError& error : errors) all += error.text() + "\n";
  return all;
}

// --- sets -----------------------------------------------------------------------------------------------------------

TEST(GenerateSet, TheApiServerTakesEachOfThem) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const FieldErrors errors = refused(drawn_set(seed));
    ASSERT_TRUE(errors.empty()) << "seed " << seed << "\n" << texts(errors);
  }
}

TEST(GenerateInvalidSet, TheApiServerTakesNoneOfThem) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Seeded choices(seed);
    ASSERT_FALSE(refused(generate_invalid_set(choices)).empty()) << "seed " << seed;
  }
}

TEST(GenerateInvalidSet, IsWrongInManyWays) {
  std::set<std::string> paths;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Seeded choices(seed);
    for (const FieldError& error : refused(generate_invalid_set(choices))) paths.insert(error.path);
  }
  EXPECT_GE(paths.size(), 9u);
}

TEST(GenerateSet, EveryFieldTakesEveryValueAControllerMayTreatDifferently) {
  using Is = std::function<bool(const StatefulSet&)>;
  const auto rolling = [](auto test) {
    return [test](const StatefulSet& s) { return s.spec->rolling_update && test(*s.spec->rolling_update, s); };
  };
  const std::map<std::string, Is> wanted = {
      {"replicas absent", [](auto& s) { return !s.spec->replicas; }},
      {"no replicas", [](auto& s) { return s.spec->replicas == 0; }},
      {"one replica", [](auto& s) { return s.spec->replicas == 1; }},
      {"seven replicas", [](auto& s) { return s.spec->replicas == 7; }},
      {"many replicas", [](auto& s) { return s.spec->replicas.value_or(1) > 7; }},
      {"Parallel", [](auto& s) { return s.spec->pod_management == PodManagement::parallel; }},
      {"OrderedReady", [](auto& s) { return s.spec->pod_management == PodManagement::ordered_ready; }},
      {"OnDelete", [](auto& s) { return s.spec->strategy == Strategy::on_delete; }},
      {"Recreate", [](auto& s) { return s.spec->strategy == Strategy::recreate; }},
      {"RollingUpdate without block",
       [](auto& s) { return s.spec->strategy == Strategy::rolling_update && !s.spec->rolling_update; }},
      {"partition absent", rolling([](auto& r, auto&) { return !r.partition; })},
      {"partition 0", rolling([](auto& r, auto&) { return r.partition == 0; })},
      {"partition inside", rolling([](auto& r, auto& s) { return r.partition > 0 && r.partition < s.spec->replicas; })},
      {"partition at the end",
       rolling([](auto& r, auto& s) { return r.partition > 3 && r.partition == s.spec->replicas; })},
      {"partition beyond", rolling([](auto& r, auto& s) { return r.partition > s.spec->replicas; })},
      {"maxUnavailable number",
       rolling([](auto& r, auto&) { return r.max_unavailable && !r.max_unavailable->percent; })},
      {"maxUnavailable percent",
       rolling([](auto& r, auto&) { return r.max_unavailable && r.max_unavailable->percent; })},
      {"minReadySeconds", [](auto& s) { return s.spec->min_ready_seconds >= 10; }},
      {"history absent", [](auto& s) { return !s.spec->revision_history_limit; }},
      {"history 0", [](auto& s) { return s.spec->revision_history_limit == 0; }},
      {"history 1", [](auto& s) { return s.spec->revision_history_limit == 1; }},
      {"history negative", [](auto& s) { return s.spec->revision_history_limit.value_or(0) < 0; }},
      {"retention absent", [](auto& s) { return !s.spec->retention; }},
      {"retain retain", [](auto& s) { return s.spec->retention == RetentionPolicy{}; }},
      {"retain delete",
       [](auto& s) { return s.spec->retention == RetentionPolicy{Retention::retain, Retention::remove}; }},
      {"delete retain",
       [](auto& s) { return s.spec->retention == RetentionPolicy{Retention::remove, Retention::retain}; }},
      {"delete delete",
       [](auto& s) { return s.spec->retention == RetentionPolicy{Retention::remove, Retention::remove}; }},
      {"start absent", [](auto& s) { return !s.spec->ordinals_start; }},
      {"start 0", [](auto& s) { return s.spec->ordinals_start == 0; }},
      {"start above", [](auto& s) { return s.spec->ordinals_start > 0; }},
      {"none reserved", [](auto& s) { return s.spec->reserve_ordinals.empty(); }},
      {"the first reserved", [](auto& s) { return s.spec->covers(Ordinal{1}) && !s.spec->covers(Ordinal{0}); }},
      {"two reserved", [](auto& s) { return s.spec->reserve_ordinals.size() == 2; }},
      {"no claims", [](auto& s) { return s.spec->claim_templates.empty(); }},
      {"one claim", [](auto& s) { return s.spec->claim_templates.size() == 1; }},
      {"two claims", [](auto& s) { return s.spec->claim_templates.size() == 2; }},
      {"five claims", [](auto& s) { return s.spec->claim_templates.size() == 5; }},
      {"labels only", [](auto& s) { return s.spec->selector.match_expressions.empty(); }},
      {"labels and expressions",
       [](auto& s) { return !s.spec->selector.match_labels.empty() && !s.spec->selector.match_expressions.empty(); }},
      {"expressions only", [](auto& s) { return s.spec->selector.match_labels.empty(); }},
      {"template with volumes", [](auto& s) { return s.spec->pod_template->volumes.size() == 2; }},
      {"a volume of the second claim's name",
       [](auto& s) {
         const auto& claims = s.spec->claim_templates;
         return claims.size() > 1 && std::ranges::any_of(s.spec->pod_template->volumes, [&](const Volume& volume) {
                  return volume.name == claims[1].name;
                });
       }},
      {"a claim template of another namespace",
       [](auto& s) {
         return std::ranges::any_of(s.spec->claim_templates, [](auto& c) { return c.ns == "elsewhere"; });
       }},
      {"a template with a hostname",
       [](auto& s) { return s.spec->pod_template->document.contains("\"hostname\":\"rich\""); }},
      {"template with annotations", [](auto& s) { return !s.spec->pod_template->annotations.empty(); }},
      {"annotations", [](auto& s) { return s.meta.annotations != nullptr; }},
      {"another namespace", [](auto& s) { return s.meta.ns == "prod"; }},
      {"name like a pod", [](auto& s) { return s.meta.name == "web-1"; }},
      {"long name", [](auto& s) { return s.meta.name.size() == 52; }},
      {"too long for pod labels", [](auto& s) { return s.meta.name.size() == 60; }},
  };
  std::map<std::string, int> seen;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const StatefulSet set = drawn_set(seed);
    for (const auto& [what, is] : wanted) seen[what] += is(set) ? 1 : 0;
  }
  for (const auto& [what, is] : wanted) EXPECT_GE(seen[what], 20) << what;
}

TEST(GenerateSet, ThePlainestSetIsTheFirst) {
  Recorded zeros({});
  const StatefulSet set = generate_set(zeros);
  EXPECT_EQ(set.meta.name, "web");
  EXPECT_EQ(set.meta.ns, "default");
  EXPECT_EQ(set.spec->replicas, 1);
  EXPECT_TRUE(set.spec->claim_templates.empty());
  EXPECT_EQ(set.spec->rolling_update, RollingUpdate{});
}

// --- scenarios ------------------------------------------------------------------------------------------------------

TEST(GenerateScenario, EveryKindAndEveryWordAppears) {
  std::map<StepKind, int> kinds;
  std::map<std::pair<StepKind, std::int32_t>, int> words_a, words_b;
  constexpr std::string_view never = "not-found";  // world/faults.cpp
  std::set<std::uint8_t> calls, calls_alone;       // advance is in no idiom that sets at_call
  for (std::uint64_t seed = 0; seed < 1500; ++seed)
    for (const Step& step : drawn(seed).steps) {
      ++kinds[step.kind];
      ++words_a[{step.kind, step.a}];
      ++words_b[{step.kind, step.b}];
      calls.insert(step.at_call);
      if (step.kind == StepKind::advance) calls_alone.insert(step.at_call);
    }
  for (const StepInfo& row : step_table()) {
    EXPECT_GE(kinds[row.kind], 50) << row.name;
    for (std::int32_t v = row.a.low; v <= row.a.high && !row.a.words.empty(); ++v)
      if (row.a.words[static_cast<std::size_t>(v)] != never)
        EXPECT_GE((words_a[{row.kind, v}]), 5) << row.name << " " << row.a.name << " " << v;
    for (std::int32_t v = row.b.low; v <= row.b.high && !row.b.words.empty(); ++v)
      if (row.b.words[static_cast<std::size_t>(v)] != never)
        EXPECT_GE((words_b[{row.kind, v}]), 5) << row.name << " " << row.b.name << " " << v;
  }
  for (std::uint8_t call = 0; call <= 8; ++call) EXPECT_TRUE(calls.contains(call)) << int{call};
  EXPECT_GE(calls_alone.size(), 5u);
}

TEST(GenerateScenario, StepsAreWhatTheTableAllows) {
  const auto allows = [](const Argument& argument, std::int32_t value) {
    return value >= argument.low && value <= argument.high;
  };
  for (std::uint64_t seed = 0; seed < 500; ++seed)
    for (const Step& step : drawn(seed).steps) {
      const StepInfo& row = info(step.kind);
      EXPECT_TRUE(allows(row.a, step.a) && allows(row.b, step.b)) << describe(step);
      EXPECT_TRUE(step.at_call == 0 || row.between_calls) << describe(step);
    }
}

/// What a life can hold, in the order of its steps; a letter for each of a few kinds.
std::string letters(const Scenario& scenario) {
  std::string text;
  for (const Step& step : scenario.steps) switch (step.kind) {
      case StepKind::settle: text += 'S'; break;
      case StepKind::edit_template: text += is_broken(static_cast<TemplateFlavour>(step.b)) ? 'b' : 'e'; break;
      case StepKind::scale: text += 's'; break;
      case StepKind::roll_back: text += 'r'; break;
      case StepKind::fail_pod: text += 'f'; break;
      default: break;
    }
  return text;
}

bool in_order(std::string_view text, std::string_view wanted) {
  for (const char c : text)
    if (!wanted.empty() && c == wanted.front()) wanted.remove_prefix(1);
  return wanted.empty();
}

TEST(GenerateScenario, LivesAreLong) {
  std::map<std::string, int> seen;
  const std::vector<std::string> lives = {"SeSeSeS", "Sber", "Sebe", "Ses", "Sesf", "SeS", "eee", "SsSsS"};
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const std::string text = letters(drawn(seed));
    for (const std::string& life : lives) seen[life] += in_order(text, life) ? 1 : 0;
  }
  for (const std::string& life : lives) EXPECT_GE(seen[life], 15) << life;
}

/// What an idiom puts side by side, single steps hardly ever would.
TEST(GenerateScenario, SomeStepsComeTogether) {
  int collisions = 0, replaced = 0, vanished = 0, left_behind = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const std::vector<Step> steps = drawn(seed).steps;
    for (std::size_t i = 1; i < steps.size(); ++i) {
      const Step &before = steps[i - 1], &step = steps[i];
      collisions += before.kind == StepKind::add_revision && step.kind == StepKind::edit_template &&
                    before.a == step.a && before.b == static_cast<int>(ForeignRevision::colliding_name);
      vanished += before.kind == StepKind::deliver_all && step.kind == StepKind::force_delete_pod && step.at_call > 0;
      left_behind += before.kind == StepKind::delete_set && step.kind == StepKind::orphan_revision;
      replaced += before.kind == StepKind::create_set && step.kind == StepKind::edit_template;
    }
  }
  EXPECT_GE(collisions, 20) << "a revision's name is taken before its template comes";
  EXPECT_GE(vanished, 20) << "a pod is gone between what a turn is shown and what it does";
  EXPECT_GE(left_behind, 5) << "a revision becomes nobody's while its set is on its way out";
  EXPECT_GE(replaced, 10) << "a set comes back with another template";
}

// --- idioms: how one is recognised ------------------------------------------------------------------------------------

using Steps = std::span<const Step>;

bool begins_with(Steps steps, std::initializer_list<StepKind> kinds) {
  return steps.size() >= kinds.size() && std::equal(kinds.begin(), kinds.end(), steps.begin(),
                                                    [](StepKind kind, const Step& s) { return s.kind == kind; });
}
bool is_seen_and_synced(Steps steps) { return begins_with(steps, {StepKind::deliver_all, StepKind::sync}); }
/// Where the first step is that is not of this kind.
Steps past(Steps steps, StepKind kind) {
  const auto other = std::ranges::find_if(steps, [&](const Step& step) { return step.kind != kind; });
  return steps.subspan(static_cast<std::size_t>(other - steps.begin()));
}
bool edits(const Step& step, LabelEdit edit) {
  return step.kind == StepKind::edit_labels && step.b == static_cast<std::int32_t>(edit);
}

/// The limit falls when all is at rest, and one call of the next turn fails, or two that follow each other.
bool pruning_is_refused(Steps s) {
  if (!begins_with(s, {StepKind::settle, StepKind::set_history_limit, StepKind::fault})) return false;
  const Steps after = past(s.subspan(2), StepKind::fault);
  return s[1].a >= 0 && s[1].a <= 1 && s[2].at_call >= 1 && is_seen_and_synced(after);
}
/// Three are lost, and before or at a call of the next turn something is in the way of one.
template <StepKind lost>
bool adoption_is_refused(Steps s) {
  if (!begins_with(s, {lost, lost, lost}) || s.size() < 6) return false;
  return s[0].a == 0 && s[1].a == 1 && s[2].a == 2 && s[3].at_call >= 1 && is_seen_and_synced(s.subspan(4));
}
/// At least three calls in a row conflict.
bool update_is_refused(Steps s) {
  if (!begins_with(s, {StepKind::fault, StepKind::fault, StepKind::fault})) return false;
  const auto conflicts = [](const Step& step) { return step.a == static_cast<std::int32_t>(Fault::conflict); };
  return std::ranges::all_of(s.first(3), conflicts) && s[0].at_call + 2 == s[2].at_call;
}
/// And the pod changes before the first of them, and the caches are told in time for another one.
bool pod_changes_meanwhile(Steps s) {
  const Steps after = past(s, StepKind::fault);
  return update_is_refused(s) && begins_with(after, {StepKind::edit_labels, StepKind::deliver_all}) &&
         after[0].at_call == s[0].at_call && after[1].at_call >= s[0].at_call;
}
bool is_written_beside(Steps s) {
  return s.size() >= 3 && edits(s[0], LabelEdit::annotate) && edits(s[1], LabelEdit::beside_selector) &&
         (edits(s[2], LabelEdit::drop_pod_name) || edits(s[2], LabelEdit::other_pod_name)) && s[0].a == s[2].a;
}
/// Of several templates' claims those of the first come first.
template <bool of_the_second>
bool claim_is_lost(Steps s) {
  if (!begins_with(s, {StepKind::scale, StepKind::settle})) return false;
  const Steps after = past(s.subspan(2), StepKind::force_delete_pod);
  const Steps lost = is_seen_and_synced(after) ? after.subspan(2) : after;
  return begins_with(lost, {StepKind::delete_claim}) && (lost[0].a >= s[0].a) == of_the_second;
}
bool surplus_pod_lost_its_claim(Steps s) {
  if (!begins_with(s, {StepKind::force_delete_pod, StepKind::deliver_all, StepKind::sync, StepKind::delete_claim}))
    return false;
  const Steps after = past(s.subspan(4), StepKind::collect);
  return begins_with(after, {StepKind::scale}) && after[0].a == s[0].a;
}
bool unwell_are_updated(Steps s) {
  return begins_with(s, {StepKind::settle, StepKind::make_unready, StepKind::edit_template, StepKind::deliver_all});
}
bool are_ready_apart(Steps s) {
  return begins_with(s, {StepKind::set_min_ready, StepKind::settle, StepKind::make_unready, StepKind::make_unready,
                         StepKind::make_ready, StepKind::advance, StepKind::make_ready});
}
bool held_surplus_changes_its_policy(Steps s) {
  return begins_with(s, {StepKind::hold_pod, StepKind::scale}) && s.size() > 4 && is_seen_and_synced(s.subspan(2)) &&
         s[4].kind == StepKind::set_retention;
}
bool partition_comes_late(Steps s) {
  return begins_with(
      s, {StepKind::edit_template, StepKind::deliver_all, StepKind::sync, StepKind::set_partition, StepKind::settle});
}
bool is_lost_under_way(Steps s) {
  constexpr std::int32_t without_a_block = -1;
  if (!begins_with(s, {StepKind::set_partition, StepKind::edit_template}) || s[0].a != without_a_block) return false;
  Steps after = s.subspan(2);
  while (is_seen_and_synced(after) && after.size() > 2 && after[2].kind == StepKind::run_kubelets)
    after = after.subspan(3);
  return !after.empty() && after[0].a == 0 && is_seen_and_synced(after.subspan(1));
}
bool are_lost_unseen(Steps s) {
  return s.size() >= 6 && s[0].kind == StepKind::settle && s[1].kind == s[3].kind && s[1].a == 2 && s[3].a == 0 &&
         begins_with(s.subspan(4), {StepKind::restart, StepKind::settle}) && s[4].a == 0;
}
bool flaps_when_available(Steps s) {
  return begins_with(s, {StepKind::set_min_ready, StepKind::settle, StepKind::sync, StepKind::advance,
                         StepKind::make_unready, StepKind::make_ready, StepKind::relist, StepKind::sync});
}
bool claim_comes_before_its_pod(Steps s) {
  return begins_with(s, {StepKind::scale, StepKind::add_claim, StepKind::scale}) && s[1].a == s[0].a &&
         s[2].a == s[0].a + 1;
}
bool claims_are_refused(Steps s) {
  return begins_with(s, {StepKind::settle, StepKind::set_retention, StepKind::force_delete_pod, StepKind::outage}) &&
         (s[3].a == static_cast<std::int32_t>(OutageOf::claim_writes) ||
          s[3].a == static_cast<std::int32_t>(OutageOf::some_claims));
}
bool what_is_due_is_refused(Steps s) {
  return begins_with(s.subspan(std::min<std::size_t>(s.size(), 2)),
                     {StepKind::outage, StepKind::deliver_all, StepKind::sync, StepKind::end_outage}) &&
         s[0].kind == StepKind::settle && s[2].b >= static_cast<std::int32_t>(OutageReply::unavailable);
}
bool stops_before_it_starts(Steps s) {
  return begins_with(s, {StepKind::force_delete_pod, StepKind::deliver_all, StepKind::sync, StepKind::hold_pod,
                         StepKind::delete_pod}) &&
         s[0].a == s[4].a;
}
bool unwell_surplus_is_shed(Steps s) {
  if (!begins_with(s, {StepKind::scale, StepKind::settle, StepKind::make_unready})) return false;
  const Steps after = past(s.subspan(2), StepKind::make_unready);
  return begins_with(after, {StepKind::scale}) && after[0].a <= s[2].a && is_seen_and_synced(after.subspan(1));
}
bool looks_again_too_soon(Steps s) {
  return begins_with(s,
                     {StepKind::drop_owner, StepKind::deliver_all, StepKind::sync, StepKind::deliver, StepKind::sync});
}
bool is_acted_upon_too_late(Steps s) {
  return begins_with(s, {StepKind::settle, StepKind::scale, StepKind::deliver_all, StepKind::force_delete_pod}) &&
         s[1].a == s[3].a;
}
bool set_ends_unseen(Steps s) {
  return begins_with(s, {StepKind::delete_set, StepKind::collect, StepKind::relist, StepKind::sync}) &&
         s[2].a == static_cast<std::int32_t>(Kind::set);
}
bool surplus_pod_shall_lose_claims_one_of_which_is_lost(Steps s) {
  return begins_with(s, {StepKind::scale, StepKind::settle, StepKind::delete_claim, StepKind::scale}) &&
         s[2].a >= s[3].a && s[3].a + 1 == s[0].a;
}
bool comes_back_to_what_is_left_of_its_claims(Steps s) {
  return begins_with(s, {StepKind::stop_pod, StepKind::delete_claim, StepKind::scale}) && s[0].a + 1 == s[2].a;
}
bool comes_again_as_another(Steps s) {
  const auto is_another = [](const Step& step) { return step.kind == StepKind::create_set && step.a > 0; };
  return begins_with(s, {StepKind::delete_set}) && s.size() > 6 && std::ranges::any_of(s.first(7), is_another);
}
bool ends_slowly(Steps s) {
  return s.size() >= 6 && s[0].kind == StepKind::delete_set && is_seen_and_synced(s.subspan(2)) &&
         s[4].kind != StepKind::create_set && is_seen_and_synced(s.subspan(5));
}

TEST(GenerateScenario, WhatIsRefusedLostOrWrittenBesideComesUpWhole) {
  const std::map<std::string, bool (*)(Steps)> idioms = {
      {"pruning is refused", pruning_is_refused},
      {"adoption of pods is refused", adoption_is_refused<StepKind::drop_owner>},
      {"adoption of revisions is refused", adoption_is_refused<StepKind::orphan_revision>},
      {"release of pods is refused", adoption_is_refused<StepKind::edit_labels>},
      {"an update conflicts again and again", update_is_refused},
      {"and its pod changes meanwhile", pod_changes_meanwhile},
      {"others write beside", is_written_beside},
      {"a first claim is lost", claim_is_lost<false>},
      {"a second claim is lost", claim_is_lost<true>},
      {"a surplus pod lost its claim", surplus_pod_lost_its_claim},
      {"unwell pods are updated", unwell_are_updated},
      {"a set ends slowly", ends_slowly},
      {"pods are ready apart", are_ready_apart},
      {"a held surplus pod changes its policy", held_surplus_changes_its_policy},
      {"a partition comes late", partition_comes_late},
      {"a set comes again as another", comes_again_as_another},
      {"a rollout without a block loses a pod", is_lost_under_way},
      {"all pods are lost unseen", are_lost_unseen},
      {"an available pod flaps", flaps_when_available},
      {"a claim comes before its pod", claim_comes_before_its_pod},
      {"claims are refused", claims_are_refused},
      {"an overloaded API server refuses what is due", what_is_due_is_refused},
      {"a pod is stopped before it starts", stops_before_it_starts},
      {"surplus pods that are not well are shed", unwell_surplus_is_shed},
      {"the controller looks again too soon", looks_again_too_soon},
      {"a surplus pod is gone before it is deleted", is_acted_upon_too_late},
      {"a set ends unseen", set_ends_unseen},
      {"one of the claims that go with a surplus pod is lost", surplus_pod_shall_lose_claims_one_of_which_is_lost},
      {"a pod comes back to what is left of its claims", comes_back_to_what_is_left_of_its_claims},
  };
  std::map<std::string, int> seen;
  for (std::uint64_t seed = 0; seed < 8000; ++seed) {
    const std::vector<Step> steps = drawn(seed).steps;
    for (std::size_t i = 0; i < steps.size(); ++i)
      for (const auto& [what, is] : idioms) seen[what] += is(Steps(steps).subspan(i)) ? 1 : 0;
  }
  for (const auto& [what, is] : idioms) EXPECT_GE(seen[what], 20) << what;
}

TEST(GenerateScenario, ASwarmLeavesKindsOutAltogether) {
  std::map<StepKind, int> without;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    std::set<StepKind> seen;
    for (const Step& step : drawn(seed, 200).steps) seen.insert(step.kind);
    for (const StepKind kind : {StepKind::edit_template, StepKind::scale, StepKind::fault, StepKind::deliver})
      without[kind] += seen.contains(kind) ? 0 : 1;
  }
  for (const auto& [kind, count] : without) {
    EXPECT_GE(count, 60) << info(kind).name;
    EXPECT_LE(count, 240) << info(kind).name;
  }
}

TEST(GenerateScenario, LengthsVaryUpToTheLimit) {
  std::set<std::size_t> lengths;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    lengths.insert(drawn(seed, 32).steps.size());
    EXPECT_LE(drawn(seed, 1000).steps.size(), max_steps);
  }
  EXPECT_EQ(*lengths.rbegin(), 32u);
  EXPECT_EQ(*lengths.begin(), 4u);
  EXPECT_TRUE(drawn(1, 0).steps.empty());
}

TEST(GenerateScenario, AnApiServerKnowsTheStrategyOfItsSet) {
  StatefulSet set = drawn(1).set;
  auto spec = std::make_shared<StatefulSetSpec>(*set.spec);
  spec->strategy = Strategy::recreate;
  set.spec = std::move(spec);
  Environment both_off;
  both_off.api.recreate = both_off.gates.recreate = false;
  know_strategy_of(set, both_off);
  EXPECT_TRUE(both_off.api.recreate && both_off.gates.recreate);
  Environment controller_behind;
  controller_behind.gates.recreate = false;
  know_strategy_of(set, controller_behind);
  EXPECT_TRUE(controller_behind.api.recreate);
  EXPECT_FALSE(controller_behind.gates.recreate) << "which is tried as it is";
}

TEST(GenerateScenario, GatesAreMostlyOnAndListsMostlyInOrder) {
  int off = 0, ahead = 0, shuffled = 0, injected = 0, beside_namesakes = 0, bound_late = 0, old = 0, ruled_out = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Scenario scenario = drawn(seed);
    shuffled += scenario.environment.list_order != 0 ? 1 : 0;
    injected += scenario.environment.injects ? 1 : 0;
    beside_namesakes += scenario.environment.namesakes ? 1 : 0;
    bound_late += scenario.environment.binds_late ? 1 : 0;
    old += scenario.environment.versions_from != 0 ? 1 : 0;
    const bool all_on = scenario.environment.api == ApiGates{} && scenario.environment.gates == Gates{};
    off += all_on ? 0 : 1;
    ahead += !scenario.environment.api.max_unavailable && scenario.environment.gates.max_unavailable ? 1 : 0;
    EXPECT_TRUE(scenario.environment.api.recreate || !scenario.environment.gates.recreate);
    if (scenario.set.spec->strategy == Strategy::recreate) {
      EXPECT_TRUE(scenario.environment.api.recreate);
      ruled_out += scenario.environment.gates.recreate ? 0 : 1;
    }
  }
  EXPECT_GE(off, 100);
  EXPECT_LE(off, 450);
  EXPECT_GE(ahead, 10);
  EXPECT_LE(ahead, 60);
  EXPECT_GE(shuffled, 150);
  EXPECT_LE(shuffled, 350);
  EXPECT_GE(injected, 150);
  EXPECT_LE(injected, 350);
  EXPECT_GE(ruled_out, 1);
  EXPECT_GE(beside_namesakes, 80);
  EXPECT_LE(beside_namesakes, 180);
  EXPECT_GE(bound_late, 180);
  EXPECT_LE(bound_late, 320);
  EXPECT_GE(old, 130);
  EXPECT_LE(old, 260);
}

TEST(GenerateScenario, EqualSeedsGiveEqualScenarios) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) ASSERT_EQ(write_scenario(drawn(seed)), write_scenario(drawn(seed)));
  EXPECT_NE(write_scenario(drawn(1)), write_scenario(drawn(2)));
}

TEST(GenerateScenario, ARecordedRunComesOutTheSame) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Seeded seeded(seed);
    Recorder recorder(seeded);
    const Scenario scenario = generate_scenario(recorder);
    Recorded recorded(recorder.answers());
    ASSERT_EQ(write_scenario(generate_scenario(recorded)), write_scenario(scenario));
  }
}

TEST(GenerateScenario, StartsFromTheGivenSet) {
  StatefulSet first = drawn_set(3);
  first.meta.name = "mine";
  int as_it_is = 0, other_management = 0, more_claims = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Seeded choices(seed);
    const StatefulSet set = generate_scenario(choices, &first).set;
    ASSERT_EQ(set.meta.name, "mine");
    ASSERT_THAT(validate_create(set), ::testing::IsEmpty());
    StatefulSetSpec rest = *set.spec;
    as_it_is += rest == *first.spec ? 1 : 0;
    other_management += rest.pod_management != first.spec->pod_management ? 1 : 0;
    more_claims += rest.claim_templates.size() == first.spec->claim_templates.size() + 1 ? 1 : 0;
    rest.pod_management = first.spec->pod_management;
    rest.claim_templates = first.spec->claim_templates;
    ASSERT_EQ(rest, *first.spec) << "nothing else is changed";
  }
  EXPECT_GT(as_it_is, 260);
  EXPECT_GT(other_management, 40);
  EXPECT_GT(more_claims, 15);
  EXPECT_EQ(as_it_is + other_management + more_claims, 400);
}

// --- bytes ----------------------------------------------------------------------------------------------------------

std::vector<std::uint8_t> random_bytes(std::uint64_t seed, std::size_t size) {
  Seeded choices(seed);
  std::vector<std::uint8_t> bytes(size);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(choices.up_to(255));
  return bytes;
}

TEST(DecodeScenario, EveryByteStringIsAScenario) {
  for (std::size_t size = 0; size < 400; ++size) {
    const Scenario scenario = decode_scenario(random_bytes(size, size));
    ASSERT_TRUE(refused(scenario.set).empty()) << size;
    ASSERT_LE(scenario.steps.size(), max_steps);
    ASSERT_TRUE(read_scenario(write_scenario(scenario)).has_value()) << size;
  }
  EXPECT_EQ(decode_scenario(std::vector<std::uint8_t>(100'000, 0xFF)).steps.size() <= max_steps, true);
}

TEST(DecodeScenario, EqualBytesGiveEqualScenarios) {
  const auto bytes = random_bytes(1, 300);
  EXPECT_EQ(write_scenario(decode_scenario(bytes)), write_scenario(decode_scenario(bytes)));
}

/// Without a length limit of its own and with every kind of step.
std::vector<std::uint8_t> whole_vocabulary(std::size_t parts) {
  auto bytes = random_bytes(parts, (header_parts + parts) * Bytes::part_size);
  std::fill(bytes.begin(), bytes.begin() + header_parts * Bytes::part_size, std::uint8_t{0});
  return bytes;
}

TEST(DecodeScenario, AChangedPartChangesOnlyItsOwnBeat) {
  const auto bytes = whole_vocabulary(20);
  const std::vector<Step> steps = decode_scenario(bytes).steps;
  for (std::size_t part = 0; part < 20; ++part) {
    auto changed = bytes;
    changed[(header_parts + part) * Bytes::part_size] ^= 0x55;
    const std::vector<Step> other = decode_scenario(changed).steps;
    // All but a stretch is the same: a common beginning and a common end.
    const auto begin = std::mismatch(steps.begin(), steps.end(), other.begin(), other.end()).first - steps.begin();
    const auto end = std::mismatch(steps.rbegin(), steps.rend(), other.rbegin(), other.rend()).first - steps.rbegin();
    EXPECT_LE(static_cast<std::ptrdiff_t>(steps.size()) - begin - end, 16) << "part " << part;
  }
}

TEST(DecodeScenario, ALongerStringGoesOnFromAShorterOne) {
  const auto bytes = whole_vocabulary(30);
  const auto shorter = std::span(bytes).first((header_parts + 10) * Bytes::part_size);
  const std::vector<Step> all = decode_scenario(bytes).steps, some = decode_scenario(shorter).steps;
  ASSERT_LT(some.size(), all.size());
  EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin()));
}

TEST(DecodeScenario, TheGivenSetLeavesTheStepsAlone) {
  const auto bytes = whole_vocabulary(10);
  const StatefulSet first = drawn_set(8);
  EXPECT_EQ(decode_scenario(bytes).steps, decode_scenario(bytes, &first).steps);
}

TEST(GenerateStep, StaysInsideTheTableForTheHighestAnswersToo) {
  for (const StepInfo& row : step_table()) {
    Recorded highest({~0u, ~0u, ~0u, ~0u});
    const Step step = generate_step(highest, row.kind);
    EXPECT_EQ(step.kind, row.kind);
    EXPECT_EQ(step.a, row.a.high) << row.name;
    EXPECT_EQ(step.b, row.kind == StepKind::set_start ? 0 : row.b.high) << row.name;  // drawn with the whole scenario
  }
}

TEST(GenerateScenario, WhoEditsTheStartReservesOrdinalsToo) {
  std::map<std::int32_t, int> reserved;
  for (std::uint64_t seed = 0; seed < 1500; ++seed)
    for (const Step& step : drawn(seed).steps)
      if (step.kind == StepKind::set_start) ++reserved[step.b];
  for (std::int32_t index = 0; index <= 4; ++index) EXPECT_GE(reserved[index], 50) << index;
}

}  // namespace
}  // namespace ordeal::properties
