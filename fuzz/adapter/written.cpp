#include "fuzz/adapter/written.h"

#include <nlohmann/json.hpp>

#include "core/api/codec.h"
#include "core/api/encode.h"
#include "core/cluster/admitted.h"
#include "fuzz/adapter/target.h"

namespace ordeal::fuzz {

template <class T>
std::string_view Written::of(const T& object) {
  Known& known = known_[&object];
  const bool same = !known.json.empty() && known.uid == object.meta.uid && known.version == object.meta.version;
  if (same) return known.json;
  nlohmann::json sent = seen_by_clients(object);
  sent["metadata"]["namespace"] = sent_namespace(object.meta.ns).str();
  known = {object.meta.uid, object.meta.version, go_encode(sent)};
  return known.json;
}

template std::string_view Written::of(const StatefulSet&);
template std::string_view Written::of(const Pod&);
template std::string_view Written::of(const Claim&);
template std::string_view Written::of(const Revision&);

std::string_view Written::of(const Reply& reply) {
  if (const auto* set = reply.as<StatefulSet>()) return of(*set);
  if (const auto* pod = reply.as<Pod>()) return of(*pod);
  if (const auto* claim = reply.as<Claim>()) return of(*claim);
  if (const auto* revision = reply.as<Revision>()) return of(*revision);
  return {};
}

}  // namespace ordeal::fuzz
