// The control loop going round.
#include "properties/scenario/idioms/idioms.h"

namespace ordeal::properties::idioms {

using enum StepKind;

void go_on(Draft& d) { d.turns(3); }

void wait(Draft& d) {
  d.draw(advance);
  d.see_and_sync();
}

}  // namespace ordeal::properties::idioms
