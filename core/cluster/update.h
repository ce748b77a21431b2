// What an update of a pod, a claim or a revision is: its conditions, and what of the object it may change at all.
#pragma once

#include "core/controller/door.h"

namespace ordeal {

/// The stored object is not the one that was meant; a version or UID of none is any.
bool conflicts(const ObjectMeta& stored, Version version, Uid uid);

/// An update takes labels, annotations, owners, finalizers, and a revision's number; all else of `wanted` is passed
/// over.
bool changes_nothing(const Pod& wanted, const Pod& stored);
bool changes_nothing(const Claim& wanted, const Claim& stored);
bool changes_nothing(const Revision& wanted, const Revision& stored);
void take_changes(Pod& next, const Pod& wanted);
void take_changes(Claim& next, const Claim& wanted);
void take_changes(Revision& next, const Revision& wanted);
/// What of `wanted` any write may change: an empty list of finalizers is none.
void take_meta(ObjectMeta& next, const ObjectMeta& wanted);

/// The owners after a patch of them; lists of owners are merged by UID. None at all is absence.
Shared<Owners> owners_after(const Owners* owners, const OwnerPatch& patch);

}  // namespace ordeal
