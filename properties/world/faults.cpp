#include "properties/world/faults.h"

#include "core/api/names.h"

namespace ordeal::properties {

namespace {

Fault fault_of(OutageReply reply) {
  switch (reply) {
    case OutageReply::internal: return Fault::internal;
    case OutageReply::forbidden: return Fault::forbidden;
    case OutageReply::conflict: return Fault::conflict;
    case OutageReply::not_found: return Fault::not_found;
    case OutageReply::timeout_before: return Fault::timeout_before;
    case OutageReply::timeout_after: return Fault::timeout_after;
    case OutageReply::invalid: return Fault::invalid;
    case OutageReply::unavailable: return Fault::unavailable;
    case OutageReply::too_many_requests: return Fault::too_many_requests;
  }
  return Fault::internal;
}

/// Of one template's claims every other one; of one pod's, as their names fall (the last letter of a name hardly
/// changes the upper half of its hash).
bool is_one_of_some(const Text& name) {
  return ((fnv1_32(name.view()) >> 16) + static_cast<std::uint32_t>(number(parse_member(name).ordinal))) % 2 == 0;
}

bool concerns(OutageOf calls, const Request& request) {
  const Verb verb = request.verb;
  switch (calls) {
    case OutageOf::writes: return verb != Verb::get;
    case OutageOf::pod_creates: return request.kind == Kind::pod && verb == Verb::create;
    case OutageOf::pod_deletes: return request.kind == Kind::pod && verb == Verb::remove;
    case OutageOf::claim_writes: return request.kind == Kind::claim && verb != Verb::get;
    case OutageOf::revision_writes: return request.kind == Kind::revision && verb != Verb::get;
    case OutageOf::status_writes: return verb == Verb::update_status;
    case OutageOf::reads: return verb == Verb::get;
    case OutageOf::even_pods:
      return request.kind == Kind::pod && verb != Verb::get && number(parse_member(request.name).ordinal) % 2 == 0;
    case OutageOf::some_claims: return request.kind == Kind::claim && verb != Verb::get && is_one_of_some(request.name);
  }
  return false;
}

}  // namespace

Fault plausible(Fault fault, Verb verb) {
  const bool creates = verb == Verb::create;
  switch (fault) {
    case Fault::conflict: return creates || verb == Verb::get ? Fault::internal : fault;
    case Fault::already_exists: return creates ? fault : Fault::internal;
    // Of what is there no API server says so, and of what is not it says so itself. To a creation it may: the namespace
    // is gone.
    case Fault::not_found: return creates ? fault : Fault::internal;
    case Fault::invalid: return verb == Verb::get ? Fault::internal : fault;
    default: return fault;
  }
}

Code code_of(Fault fault) {
  switch (fault) {
    case Fault::conflict: return Code::conflict;
    case Fault::already_exists: return Code::already_exists;
    case Fault::not_found: return Code::not_found;
    case Fault::forbidden: return Code::forbidden;
    case Fault::invalid: return Code::invalid;
    case Fault::timeout_before:
    case Fault::timeout_after: return Code::timeout;
    case Fault::unavailable: return Code::unavailable;
    case Fault::too_many_requests: return Code::too_many_requests;
    default: return Code::internal;
  }
}

void Outage::begin(OutageOf calls, OutageReply reply) {
  on_ = true;
  calls_ = calls;
  fault_ = fault_of(reply);
}

Fault Outage::strikes(const Request& request) const {
  return on_ && concerns(calls_, request) ? plausible(fault_, request.verb) : Fault::none;
}

}  // namespace ordeal::properties
