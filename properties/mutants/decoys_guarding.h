// The decoy that guards its pods by a finalizer of its own.
#pragma once

#include "properties/mutants/around.h"

namespace ordeal::properties {

Made guards_its_pods(const Gates& gates);

}  // namespace ordeal::properties
