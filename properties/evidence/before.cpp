#include "properties/evidence/before.h"

#include "core/cluster/update.h"

namespace ordeal::properties {
namespace {

/// Besides what an update may change.
bool same_rest(const Pod& sent, const Pod& seen) {
  return alike(sent.volumes, seen.volumes) && sent.hostname == seen.hostname && sent.subdomain == seen.subdomain &&
         same(sent.made_from, seen.made_from);
}
bool same_rest(const Claim& sent, const Claim& seen) { return same(sent.spec, seen.spec); }
bool same_rest(const Revision& sent, const Revision& seen) { return same(sent.data.bytes, seen.data.bytes); }

}  // namespace

bool writes_as_shown(const View& seen, const Request& update) {
  return with_type(update.kind, [&]<class T>(std::type_identity<T>) {
    if constexpr (std::is_same_v<T, StatefulSet>) return false;
    else {
      const T* shown = seen.of<T>().find(update.name);
      if (shown == nullptr) return false;
      const T& sent = std::get<T>(update.body);
      return sent.meta.name == shown->meta.name && changes_nothing(sent, *shown) && same_rest(sent, *shown);
    }
  });
}

}  // namespace ordeal::properties
