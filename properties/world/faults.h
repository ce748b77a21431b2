// What can go wrong with a call: what an API server can answer, and outages, during which it answers so to every call
// of a sort.
#pragma once

#include "properties/scenario/scenario.h"

namespace ordeal::properties {

/// The fault as an API server could answer to such a request; one that it cannot is an internal error instead.
Fault plausible(Fault fault, Verb verb);
/// The code a controller is told. Not for `none` and the crashes.
Code code_of(Fault fault);

/// A sort of calls that fail in one way until the outage ends.
class Outage {
 public:
  void begin(OutageOf calls, OutageReply reply);
  void end() { on_ = false; }
  /// The fault of this call, `none` when the outage does not concern it.
  Fault strikes(const Request& request) const;

 private:
  bool on_ = false;
  OutageOf calls_ = OutageOf::writes;
  Fault fault_ = Fault::none;
};

}  // namespace ordeal::properties
