// Equivalence: different ways to the same spec end in the same set. semantics.md 10.12, LIV-10 to LIV-12, and ERR-5.
// Covered by equivalence_test.cpp and ../trial/relations_test.cpp.
//
// Each compares two variants of a scenario (../trial/relations.h) by what they left behind (../evidence/outcome.h), and
// only when both ended whole and with the same spec: that they do is a matter of convergence. Not judged here, because:
// that claims are there is storage.claims-at-rest; revision numbers, unused history and pods below a partition may
// depend on the way (LIV-11); so may pods that only a user replaces (OnDelete).
#pragma once

#include <array>

#include "properties/invariants/invariant.h"

namespace ordeal::properties::equivalence {

Judgement rollback(const Moment&);
Judgement order_of_edits(const Moment&);
Judgement management_policies(const Moment&);
Judgement crashes(const Moment&);
Judgement lost_replies(const Moment&);
Judgement list_order(const Moment&);
Judgement resync(const Moment&);

inline constexpr std::array invariants{
    Invariant{.id = "equivalence.rollback",
              .promise = "An update that is rolled back leaves the set as if it had never been.",
              .source = "StatefulSet Update proposal, section Rollbacks",
              .when = When::settled,
              .judges = Judges::truth,
              .property = "LIV-10",
              .on = on_twins,
              .check = rollback},
    Invariant{.id = "equivalence.order-of-edits",
              .promise = "It does not matter in which order, and how fast, independent fields of the spec are edited.",
              .source = "StatefulSet Update proposal, section Target State",
              .when = When::settled,
              .judges = Judges::truth,
              .property = "LIV-11",
              .on = on_twins,
              .check = order_of_edits},
    Invariant{.id = "equivalence.management-policies",
              .promise = "OrderedReady and Parallel differ in the way, not in the end.",
              .source = "Kubernetes v1.24 StatefulSets, section Pod Management Policies",
              .when = When::settled,
              .judges = Judges::truth,
              .property = "LIV-12",
              .on = on_twins,
              .check = management_policies},
    Invariant{.id = "equivalence.crashes",
              .promise = "A controller that dies at any request and starts anew ends where it would have ended.",
              .source = "stateful-apps proposal, section How identities are managed",
              .when = When::settled,
              .judges = Judges::truth,
              .property = "ERR-5, LIV-11",
              .on = on_twins,
              .check = crashes},
    Invariant{
        .id = "equivalence.lost-replies",
        .promise = "A controller that is not told whether a request was carried out ends where it would have ended.",
        .source = "stateful-apps proposal, section Controller behavior",
        .when = When::settled,
        .judges = Judges::truth,
        .property = "ERR-5, LIV-11",
        .on = on_twins,
        .check = lost_replies},
    Invariant{.id = "equivalence.list-order",
              .promise = "In which order a list returns its objects makes no difference to what is asked for.",
              .source = "StatefulSet Update proposal, section Revised Controller Algorithm",
              .when = When::settled,
              .property = "FIX-3",
              .on = on_twins,
              .check = list_order},
    Invariant{.id = "equivalence.resync",
              .promise = "Lists and turns that bring no news lead to no write.",
              .source = "StatefulSet Update proposal, section Target State",
              .level = Level::strict,  // what never rests (kubernetes/kubernetes#78209) writes once more in each turn
              .when = When::settled,
              .property = "FIX-1, FIX-2",
              .on = on_twins,
              .check = resync},
};

}  // namespace ordeal::properties::equivalence
