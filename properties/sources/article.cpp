// The article that introduced maxUnavailable, sentence by sentence.
#include "properties/sources/sources.h"

namespace ordeal::properties {

namespace {

constexpr Sentence rows[] = {
    {"Introduction", "Stateful sets give stable identity, storage per pod, ordered deployment, scaling and updates.",
     "identity.canonical-name storage.replacement-keeps-data ordering.lowest-first update.largest-ordinal-first"},
    {"Introduction", "Some users need more than one pod updated at a time.", "update.uses-the-budget"},
    {"Introduction", "Identity stays unique per pod all the same.", "identity.one-process"},
    {"Example", "The field takes effect when its gate is on.", "update.one-at-a-time update.uses-the-budget"},
    {"Example", "The default is 1, which is how it is without the gate.",
     "update.respects-budget update.one-at-a-time"},
    {"Example", "OrderedReady has to be set.", {}, "it need not be, and the article says itself what Parallel does"},
    {"Example", "A changed image updates the pods two at a time.",
     "update.uses-the-budget scenarios/max-unavailable-two-at-a-time"},
    {"Example", "A number, or a percentage of the pods wanted, rounded up.",
     "update.respects-budget update.rounds-down",
     "every release rounds down, to at least 1: promised is that neither is exceeded"},
    {"Example", "The two highest stop at the same time.",
     "update.uses-the-budget update.largest-ordinal-first scenarios/max-unavailable-two-at-a-time"},
    {"Example",
     "They become ready at their own pace.",
     {},
     "with OrderedReady the lower one is made and ready first; that the range is filled from below is ordering.lowest-first"},
    {"Example", "The next two stop only when both are ready.",
     "update.waits-for-all scenarios/max-unavailable-two-at-a-time"},
    {"Example", "The last one stops when those two are ready.",
     "update.waits-for-all scenarios/max-unavailable-two-at-a-time"},
    {"Ordering", "Updates go in strict order from the highest down.", "update.largest-ordinal-first"},
    {"Ordering",
     "With more than 1 a lower pod may be ready before a higher one; applications have to cope.",
     {},
     "asks it of the application, not of the controller"},
    {"Ordering", "Between batches the order is guaranteed.", "update.waits-for-all update.unavailable-within-budget"},
    {"Parallel", "With Parallel as many are also created at the same time.",
     "ordering.parallel-creates-all scenarios/max-unavailable-parallel-bursts"},
    {"Questions", "What Parallel and partitions do is left for readers to try.",
     "update.replaces-broken-at-once update.respects-partition",
     "promises nothing; what is judged follows from later issues"},
};

}  // namespace

const std::span<const Sentence> article = rows;

}  // namespace ordeal::properties
