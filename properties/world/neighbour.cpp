#include "properties/world/neighbour.h"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <variant>

#include "core/api/codec.h"
#include "core/api/validation.h"

namespace ordeal::properties {

namespace {

constexpr std::string_view base = R"(
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: neighbour}
spec:
  selector: {matchLabels: {app: neighbour}}
  template:
    metadata: {labels: {app: neighbour}}
    spec: {containers: [{name: queue, image: "example.org/queue:1.0"}]}
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
)";

/// Made once per thread, since making it means reading YAML.
const Shared<StatefulSetSpec>& spec_apart() {
  thread_local const Shared<StatefulSetSpec> made = [] {
    StatefulSet set = std::get<StatefulSet>(read_manifest(base).read.front().object);
    apply_defaults(set, {});
    return set.spec;
  }();
  return made;
}

}  // namespace

StatefulSet neighbour_of(const StatefulSet& set, Neighbour as, std::int32_t replicas) {
  const bool before = as == Neighbour::apart_before || as == Neighbour::alike_before;
  StatefulSet made;
  made.meta.ns = set.meta.ns;
  made.meta.name = before ? "a-" + set.meta.name.str() : set.meta.name.str() + "-1";
  StatefulSetSpec spec = is_alike(as) ? *set.spec : *spec_apart();
  constexpr std::int32_t most = 3;
  spec.replicas = std::clamp(replicas, 0, most);
  if (spec.ordinals_start)
    spec.ordinals_start = std::min(*spec.ordinals_start, std::numeric_limits<std::int32_t>::max() - most);
  made.spec = std::make_shared<const StatefulSetSpec>(std::move(spec));
  return made;
}

}  // namespace ordeal::properties
