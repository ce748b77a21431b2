#include "properties/evidence/turn.h"

#include "properties/evidence/lookup.h"

namespace ordeal::properties {

bool went_wrong(const Sync& sync, const Call& call) {
  const Request& asked = call.request;
  if (asked.verb != Verb::get || call.reply.code != Code::not_found) return call.failed();
  return with_type(asked.kind, [&]<class T>(std::type_identity<T>) {
    const bool is_shown = sync.seen.of<T>().find(asked.name) != nullptr;
    return is_shown && as_known<T>(sync, calls_until(sync, call), asked.name) != nullptr;
  });
}

}  // namespace ordeal::properties
