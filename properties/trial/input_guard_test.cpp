// Whoever changes an object of its cache is noticed, wherever in the object it is; whoever copies first is not.
#include "properties/trial/input_guard.h"

#include "properties/invariants/moment_test.h"

namespace ordeal::properties::testing {
namespace {

using Touch = std::function<void(const View&)>;

template <class T>
T& grabbed(const T& object) {
  return const_cast<T&>(object);
}

TEST(InputGuard, NoticesEveryChange) {
  const Scenario scenario = hand_made("replicas: 2", {settle});
  const std::vector<Touch> touches{
      [](const View& seen) { grabbed(*seen.pods.all.front()).ready ^= true; },
      [](const View& seen) { ++grabbed(*seen.revisions.all.front()).number; },
      [](const View& seen) { ++grabbed(*seen.sets.all.front()).status.replicas; },
      [](const View& seen) { grabbed(*seen.sets.all.front()->spec).service_name = "elsewhere"; },
      [](const View& seen) { grabbed(*seen.pods.all.front()->meta.labels).set("touched", "yes"); },
      [](const View& seen) { grabbed(*seen.pods.all.front()->meta.owners).clear(); },
  };
  for (std::size_t n = 0; n < touches.size(); ++n) {
    bool touched = false;
    Followed touching([&](const View& seen, Api&, SyncResult&) {
      if (touched || seen.pods.all.empty() || seen.revisions.all.empty()) return;
      touched = true;
      touches[n](seen);
    });
    Court court;
    const Invariant* promise = find_invariant("economy.inputs-untouched");
    EXPECT_EQ(court.try_scenario(scenario, touching, {.only = promise}).breaches.size(), 1u) << "touch " << n;
  }
}

TEST(InputGuard, EqualContentHasEqualDigests) {
  const Scenario scenario = hand_made("replicas: 2", {settle});
  Followed copying([&](const View& seen, Api&, SyncResult&) {
    std::vector<Pod> copies;
    for (const Pod* pod : seen.pods.all) copies.push_back(*pod);
    std::vector<const Pod*> pointers;
    for (Pod& copy : copies) {
      if (copy.meta.labels) copy.meta.labels = std::make_shared<const StringMap>(*copy.meta.labels);
      pointers.push_back(&copy);
    }
    View same = seen;
    same.pods.all = pointers;
    EXPECT_EQ(digest_of(same), digest_of(seen));
  });
  Court court;
  EXPECT_EQ(court.try_scenario(scenario, copying, {.guards_inputs = true}).verdict, Verdict::held);
}

TEST(InputGuard, CampaignsThatDoNotGuardSayNothing) {
  const Scenario scenario = hand_made("replicas: 2", {settle});
  const auto reference = make_reference(strict_rules(), {});
  Court court;
  const std::size_t place = static_cast<std::size_t>(find_invariant("economy.inputs-untouched") - catalogue.data());
  EXPECT_FALSE(court.try_scenario(scenario, *reference).situations.test(situation_of_invariant(place)));
  EXPECT_TRUE(
      court.try_scenario(scenario, *reference, {.guards_inputs = true}).situations.test(situation_of_invariant(place)));
}

}  // namespace
}  // namespace ordeal::properties::testing
