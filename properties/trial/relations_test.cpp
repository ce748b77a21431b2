// Relations hold of the reference for any scenario, and a controller for which the way matters is noticed by each.
#include "properties/trial/relations.h"

#include <rapidcheck.h>

#include "properties/invariants/moment_test.h"
#include "properties/scenario/rapidcheck_bridge.h"

namespace ordeal::properties::testing {
namespace {

TEST(Relations, AreThoseOfTheCatalogue) {
  std::vector<std::string_view> asked, held;
  for (const Invariant& invariant : catalogue)
    if (invariant.on == on_twins) asked.push_back(invariant.id);
  for (const Relation& relation : relations()) held.push_back(relation.invariant);
  EXPECT_EQ(held, asked);
}

TEST(Relations, HoldOfTheReference) {
  Court court;
  const bool fine = rc::check("twins end alike", [&] {
    const Scenario scenario = *any_scenario(48);
    const auto reference = make_reference(strict_rules(), scenario.environment.gates);
    for (const Relation& relation : relations()) {
      const Invariant* invariant = find_invariant(relation.invariant);
      const TrialResult result = court.try_scenario(scenario, *reference, {.only = invariant});
      RC_ASSERT(result.verdict == Verdict::held);
    }
  });
  EXPECT_TRUE(fine);
}

// --- each can fail -----------------------------------------------------------------------------------------------------

Tried by_relation(std::string_view id, const Scenario& scenario, Controller& controller) {
  Court court;
  return {court.try_scenario(scenario, controller, {.only = find_invariant(id)})};
}

void expect_noticed(std::string_view id, const Scenario& scenario, Controller& wrong) {
  SCOPED_TRACE(id);
  const auto reference = make_reference(strict_rules(), scenario.environment.gates);
  const Tried good = by_relation(id, scenario, *reference);
  EXPECT_TRUE(good.applied(id)) << "the relation never applied";
  EXPECT_FALSE(good.broke(id)) << good.why(id);
  EXPECT_TRUE(by_relation(id, scenario, wrong).broke(id)) << "nobody noticed";
}

/// Makes pods of another template than their label says, when `wrong` says so. The reference looks at labels alone.
Edit making_others_when(std::function<bool(const View&)> wrong) {
  const auto variants = std::make_shared<TemplateVariants>();
  return changing_new_pods([=](Pod& pod, const View& seen) {
    if (wrong(seen)) pod.made_from = variants->of(pod.made_from, 5, TemplateFlavour::with_env);
  });
}

TEST(Relations, NoticeAPodThatDependsOnTheWay) {
  const Scenario scenario =
      hand_made("replicas: 2", {settle, step(StepKind::scale, 3), settle, step(StepKind::edit_template, 1), settle});
  Tampered many_templates(making_others_when([](const View& seen) { return seen.revisions.all.size() > 3; }));
  expect_noticed("equivalence.rollback", scenario, many_templates);
  Tampered template_first(making_others_when(
      [](const View& seen) { return set_in(seen).meta.generation > 1 && set_in(seen).spec->replicas == 2; }));
  expect_noticed("equivalence.order-of-edits", scenario, template_first);
  Tampered parallel(making_others_when(
      [](const View& seen) { return set_in(seen).spec->pod_management == PodManagement::parallel; }));
  expect_noticed("equivalence.management-policies", scenario, parallel);
}

TEST(Relations, NoticeWhatDependsOnFailures) {
  const Scenario scenario = hand_made("replicas: 2", {settle});
  bool unanswered = false, died = false;
  const Edit making_after_timeout = making_others_when([&](const View&) { return unanswered; });
  Tampered after_timeout([&](Request request, const View& seen, Api& api) {
    const Reply reply = making_after_timeout(std::move(request), seen, api);
    unanswered = unanswered || reply.code == Code::timeout;
    return reply;
  });
  expect_noticed("equivalence.lost-replies", scenario, after_timeout);
  const Edit making_after_death = making_others_when([&](const View&) { return died; });
  Tampered after_death([&](Request request, const View& seen, Api& api) {
    try {
      return making_after_death(std::move(request), seen, api);
    } catch (ControllerDied&) {
      died = true;
      throw;
    }
  });
  expect_noticed("equivalence.crashes", scenario, after_death);
}

TEST(Relations, NoticeWhatDependsOnTheOrderOfLists) {
  Followed first_listed([](const View& seen, Api& api, SyncResult&) {
    if (seen.pods.all.size() > 1) api.call(request_of(Verb::get, Kind::pod, seen.pods.all.front()->meta.name.view()));
  });
  expect_noticed("equivalence.list-order", hand_made("replicas: 3", {settle}), first_listed);
}

TEST(Relations, NoticeWritesThatNothingCalledFor) {
  Followed restless([](const View& seen, Api& api, SyncResult&) {
    if (seen.revisions.all.empty()) return;
    Request as_it_is = request_of(Verb::update, Kind::revision, seen.revisions.all.front()->meta.name.view());
    as_it_is.body = *seen.revisions.all.front();
    api.call(std::move(as_it_is));
  });
  expect_noticed("equivalence.resync", hand_made("replicas: 2", {settle}), restless);
}

}  // namespace
}  // namespace ordeal::properties::testing
