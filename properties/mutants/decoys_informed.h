// Decoys that make sure before they act, and act upon what they were told. Rows of the list in decoys.cpp.
#pragma once

#include "properties/mutants/around.h"

namespace ordeal::properties {

Made redoes_after_conflicts(const Gates& gates);
Made looks_before_creating(const Gates& gates);
Made looks_before_deleting(const Gates& gates);
Made looks_before_the_status(const Gates& gates);
Made works_on_the_stored_set(const Gates& gates);
Made waits_for_the_stored_set(const Gates& gates);
Made waits_for_its_writes(const Gates& gates);
Made fails_until_deletions_show(const Gates& gates);
Made makes_sure_after_timeouts(const Gates& gates);
Made looks_for_surplus_pods(const Gates& gates);
Made looks_for_the_current_revision(const Gates& gates);
Made asks_for_all_claims(const Gates& gates);
Made takes_claims_that_are_there(const Gates& gates);
Made says_the_grace_period(const Gates& gates);
Made prunes_one_by_one(const Gates& gates);
Made prunes_when_idle(const Gates& gates);
Made leaves_others_revisions(const Gates& gates);
Made counts_what_it_removed(const Gates& gates);
Made remembers_its_writes(const Gates& gates);

}  // namespace ordeal::properties
