#include "properties/evidence/turn.h"

namespace ordeal::properties {

bool finds_nothing_as_shown(const Sync& sync, const Call& call) {
  const Request& asked = call.request;
  return asked.verb == Verb::get && call.reply.code == Code::not_found &&
         with_type(asked.kind,
                   [&]<class T>(std::type_identity<T>) { return sync.seen.of<T>().find(asked.name) == nullptr; });
}

}  // namespace ordeal::properties
