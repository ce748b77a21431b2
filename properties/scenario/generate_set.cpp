// First sets: valid by construction, or wrong on purpose.
//
// What sets share (templates, claim templates, labels, names) is made once per thread, since making it means reading
// JSON, and a counted pointer shared between threads would be slow; a drawn set then costs a handful of small
// allocations. Each draw's first option is the simplest. Exactly two parts of bytes are read (choices.h).
#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <string_view>

#include "core/api/codec.h"
#include "properties/scenario/generate.h"

namespace ordeal::properties {

namespace {

/// The parts of generated sets that cost something to make.
struct Palette {
  std::vector<Shared<PodTemplate>> templates;
  std::vector<Shared<PodTemplate>> refused_templates;
  std::vector<ClaimTemplate> claims;
  StringMap match_app, match_app_and_tier;
  SelectorRequirement tier_known, app_exists, zone_exists, tier_not_elsewhere, not_on_trial, not_retired;
  Shared<StringMap> labels, annotations;
  Shared<Owners> owners;  // of a set that an operator has made
  Text default_namespace = "default", prod = "prod";
  // The longest name a set may have leaves no room for a revision in a pod's label; 52 is the longest that works.
  std::array<Text, 5> names = {"web", "db", "web-1", std::string(52, 'n'), std::string(60, 'n')};
};

/// The bases, as a user would write them. The second has what a real manifest has; the third has volumes of its own,
/// under the names of claim templates: the claim wins, where there is one; its pods have an hour to end,
/// and no token. The pods of the fourth use the network of their nodes, and stay until somebody lets them go. The API
/// server refuses the last two. A label may be empty, and is one all the same.
constexpr std::string_view bases = R"(
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: plain
  labels: {app: web}
  annotations: {example.org/owner: storage}
  ownerReferences: [{apiVersion: example.org/v1, kind: Store, name: store, uid: 00000000-0000-4000-8000-00003b9aca15, controller: true}]
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web, tier: store, zone: ""}}
    spec: {containers: [{name: store, image: "example.org/store:1.0"}]}
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
  - metadata:
      name: log
      namespace: elsewhere
      labels: {app: log, kind: log}
      annotations: {example.org/backup: "no"}
      ownerReferences: [{apiVersion: example.org/v1, kind: Store, name: store, uid: 00000000-0000-4000-8000-00003b9aca15}]
      finalizers: [example.org/backed-up]
    spec: {accessModes: [ReadWriteOnce], storageClassName: fast, volumeAttributesClassName: quick, selector: {matchLabels: {disk: ssd}}, resources: {requests: {storage: 100Mi}}}
  - metadata:
      name: data-web
      annotations: {example.org/backup: "yes"}
      ownerReferences: [{apiVersion: example.org/v1, kind: Store, name: keeper, uid: 00000000-0000-4000-8000-00003b9aca16, controller: true}]
    spec:
      accessModes: [ReadWriteMany, ReadOnlyMany]
      storageClassName: ""
      resources: {requests: {storage: 2Gi}}
      selector: {matchLabels: {disk: large}}
      dataSource: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: nightly}
      dataSourceRef: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: nightly}
  - metadata: {name: cache}
    spec: {accessModes: [ReadWriteOncePod], volumeMode: Block, resources: {requests: {storage: 1Gi}}}
  - metadata: {name: index}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}, limits: {storage: 4Gi}}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: rich}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata:
      labels: {app: web, tier: store, zone: "", controller-revision-hash: rich-0, statefulset.kubernetes.io/pod-name: rich-0, apps.kubernetes.io/pod-index: "7", controller.kubernetes.io/hash: rich}
      annotations: {example.org/scrape: "true"}
    spec:
      hostname: rich
      subdomain: elsewhere
      terminationGracePeriodSeconds: 10
      serviceAccountName: store
      priorityClassName: important
      nodeSelector: {disk: ssd}
      tolerations: [{key: dedicated, operator: Equal, value: store, effect: NoSchedule}]
      affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: {matchLabels: {app: web}}, topologyKey: kubernetes.io/hostname}]
      topologySpreadConstraints: [{maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {app: web}}}]
      securityContext: {runAsNonRoot: true, fsGroup: 1000, fsGroupChangePolicy: OnRootMismatch, seccompProfile: {type: RuntimeDefault}}
      hostAliases: [{ip: 10.0.0.7, hostnames: [legacy]}]
      dnsConfig: {searches: [store.example.org]}
      imagePullSecrets: [{name: registry}]
      readinessGates: [{conditionType: example.org/warm}]
      initContainers: [{name: prepare, image: "example.org/prepare:1", command: [prepare, --all]}]
      containers:
      - name: store
        image: registry.example.org:5000/team/store:1.0
        ports: [{name: peer, containerPort: 2380}]
        env: [{name: MODE, value: quorum}]
        volumeMounts: [{name: settings, mountPath: /etc/store}]
        readinessProbe: {tcpSocket: {port: peer}, periodSeconds: 5}
        startupProbe: {exec: {command: [warm]}, failureThreshold: 30}
        lifecycle: {preStop: {exec: {command: [leave]}}}
      - {name: metrics, image: "example.org/metrics:2"}
      volumes:
      - {name: settings, configMap: {name: store}}
      - {name: shared, persistentVolumeClaim: {claimName: shared}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: volumes}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web, tier: store, zone: ""}}
    spec:
      terminationGracePeriodSeconds: 3600
      automountServiceAccountToken: false
      containers: [{name: store, image: "example.org/store:1.0"}]
      volumes: [{name: log, emptyDir: {}}, {name: data, emptyDir: {}}]
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: held}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web, tier: store, zone: ""}, finalizers: [example.org/in-use, example.org/audited]}
    spec: {hostNetwork: true, containers: [{name: store, image: "example.org/store:1.0"}]}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: never-restarted}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web, tier: store, zone: ""}}
    spec: {restartPolicy: Never, containers: [{name: store, image: "example.org/store:1.0"}]}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: no-containers}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web, tier: store, zone: ""}}
    spec: {containers: []}
)";
constexpr std::size_t good_bases = 4;

Palette make_palette() {
  Palette made;
  for (const Document& document : read_manifest(bases).read) {
    const auto& set = std::get<StatefulSet>(document.object);
    auto& templates = made.templates.size() < good_bases ? made.templates : made.refused_templates;
    templates.push_back(set.spec->pod_template);
    if (!set.meta.labels) continue;
    made.labels = set.meta.labels;
    made.annotations = set.meta.annotations;
    made.owners = set.meta.owners;
    made.match_app = made.match_app_and_tier = set.spec->selector.match_labels;
    made.claims = set.spec->claim_templates;
  }
  made.match_app_and_tier.set("tier", "store");
  made.tier_known = {.key = "tier", .op = SelectorRequirement::Operator::in, .values = {"cache", "store", "archive"}};
  made.tier_not_elsewhere = {.key = "tier", .op = SelectorRequirement::Operator::not_in, .values = {"elsewhere"}};
  made.not_retired = {.key = "retired", .op = SelectorRequirement::Operator::does_not_exist, .values = {}};
  made.not_on_trial = {.key = "on-trial", .op = SelectorRequirement::Operator::not_in, .values = {"yes"}};
  made.app_exists = {.key = "app", .op = SelectorRequirement::Operator::exists, .values = {}};
  made.zone_exists = {.key = "zone", .op = SelectorRequirement::Operator::exists, .values = {}};
  return made;
}

const Palette& palette() {
  thread_local const Palette made = make_palette();
  return made;
}

/// The options in order; a weight of each.
template <class T, std::size_t N>
const T& draw(Choices& choices, const std::array<T, N>& options, const std::array<std::uint32_t, N>& weights) {
  return options[choices.weighted(weights)];
}

constexpr std::int32_t largest = std::numeric_limits<std::int32_t>::max();  // the API server accepts it in most fields

std::optional<std::int32_t> draw_replicas(Choices& choices) {
  constexpr std::int32_t absent = -1, many = -2;
  static constexpr std::array<std::int32_t, 10> counts = {1, 2, 3, 4, 5, 0, 6, 7, absent, many};
  const std::int32_t drawn = draw(choices, counts, {12, 16, 32, 12, 16, 6, 4, 4, 3, 3});
  if (drawn == absent) return std::nullopt;
  if (drawn != many) return drawn;
  // Now and then more than fit into a word, or into the first batches of a slow start.
  return choices.one_in(32) ? choices.between(40, 130) : choices.between(8, 16);
}

std::optional<IntOrPercent> draw_max_unavailable(Choices& choices) {
  constexpr IntOrPercent absent{0, false}, some_percent{0, true};
  static constexpr std::array<IntOrPercent, 11> options = {{absent,
                                                            {1, false},
                                                            {2, false},
                                                            {3, false},
                                                            {10, false},
                                                            {1, true},
                                                            {25, true},
                                                            {50, true},
                                                            {100, true},
                                                            {largest, false},
                                                            some_percent}};
  const IntOrPercent drawn = draw(choices, options, {40, 6, 12, 6, 3, 2, 3, 4, 2, 1, 5});
  if (drawn == absent) return std::nullopt;
  return drawn == some_percent ? IntOrPercent{choices.between(1, 99), true} : drawn;
}

std::optional<std::int32_t> draw_partition(Choices& choices, std::int32_t replicas) {
  switch (choices.weighted(std::array<std::uint32_t, 6>{32, 16, 24, 8, 7, 1})) {
    case 0: return std::nullopt;
    case 1: return 0;
    case 2: return choices.between(1, 3);
    case 3: return replicas;
    case 4: return replicas + choices.between(1, 3);
    default: return largest;
  }
}

void draw_strategy(Choices& choices, StatefulSetSpec& spec) {
  switch (choices.weighted(std::array<std::uint32_t, 4>{20, 4, 5, 4})) {
    case 0:
      spec.rolling_update = RollingUpdate{.partition = draw_partition(choices, spec.replicas.value_or(1)),
                                          .max_unavailable = draw_max_unavailable(choices)};
      return;
    case 1: return;  // RollingUpdate without its block, which is not the same as with an empty one
    case 2: spec.strategy = Strategy::on_delete; return;
    default: spec.strategy = Strategy::recreate; return;
  }
}

void draw_selector(Choices& choices, LabelSelector& selector) {
  switch (choices.weighted(std::array<std::uint32_t, 5>{11, 3, 1, 1, 2})) {
    case 0: selector.match_labels = palette().match_app; return;
    case 1:
      selector.match_labels = palette().match_app;
      selector.match_expressions.push_back(palette().tier_known);
      return;
    case 2:
      selector.match_labels = palette().match_app;
      selector.match_expressions = {palette().tier_not_elsewhere, palette().not_on_trial, palette().not_retired};
      return;
    case 3: selector.match_expressions = {palette().tier_known, palette().app_exists, palette().zone_exists}; return;
    default: selector.match_labels = palette().match_app_and_tier;
  }
}

void draw_claims(Choices& choices, std::vector<ClaimTemplate>& claims) {
  const std::size_t wanted = choices.weighted(std::array<std::uint32_t, 6>{12, 14, 7, 2, 0, 1});
  const auto& all = palette().claims;
  claims.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(wanted));
}

/// The first whose name is not taken.
void add_claim_template(std::vector<ClaimTemplate>& claims) {
  const auto is_taken = [&](const ClaimTemplate& one) {
    return std::ranges::any_of(claims, [&](const ClaimTemplate& had) { return had.name == one.name; });
  };
  const auto free = std::ranges::find_if_not(palette().claims, is_taken);
  if (free != palette().claims.end()) claims.push_back(*free);
}

std::optional<RetentionPolicy> draw_retention(Choices& choices) {
  const std::uint32_t drawn = choices.up_to(5);
  if (drawn < 2) return std::nullopt;
  return RetentionPolicy{static_cast<Retention>((drawn - 2) >> 1), static_cast<Retention>((drawn - 2) & 1)};
}

std::optional<std::int32_t> draw_history_limit(Choices& choices) {
  static constexpr std::array<std::optional<std::int32_t>, 8> limits = {
      {std::nullopt, 10, 2, 1, 0, -1, largest, -largest - 1}};
  return draw(choices, limits, {16, 4, 12, 12, 12, 3, 1, 1});
}

/// High up there is room for sixteen pods, as many as are drawn, or for no more than the set begins with.
std::optional<std::int32_t> draw_start(Choices& choices, std::int32_t replicas) {
  const std::int32_t highest = largest - std::max(replicas - 1, 0);
  const std::array<std::optional<std::int32_t>, 7> starts = {
      {std::nullopt, 0, 1, 8, 100, std::min(largest - 16, highest), highest}};
  return draw(choices, starts, {40, 4, 8, 6, 2, 1, 1});
}

/// In half of the sets none; else the first, the second, the first and the third, or the third and the eighth.
std::vector<std::int32_t> reserved_from(std::int32_t start, std::uint32_t drawn) {
  static constexpr std::array<std::array<std::int32_t, 2>, 4> indices = {{{0, 0}, {1, 1}, {0, 2}, {2, 7}}};
  if (drawn < indices.size() || start > largest - 8) return {};
  const auto [first, second] = indices[drawn - indices.size()];
  if (first == second) return {start + first};
  return {start + first, start + second};
}

std::int32_t draw_min_ready(Choices& choices) {
  static constexpr std::array<std::int32_t, 6> seconds = {0, 1, 10, 30, 7200, largest};
  return draw(choices, seconds, {60, 6, 15, 5, 1, 1});
}

// --- wrong on purpose -----------------------------------------------------------------------------------------------

struct Draft {
  ObjectMeta& meta;
  StatefulSetSpec& spec;
  Choices& choices;
  std::int32_t negative() { return -1 - static_cast<std::int32_t>(choices.up_to(2)); }
  RollingUpdate& rolling() {
    spec.strategy = Strategy::rolling_update;
    if (!spec.rolling_update) spec.rolling_update.emplace();
    return *spec.rolling_update;
  }
};

/// Each makes one thing wrong. It may mend what another made wrong before it, but never leaves the set valid.
constexpr void (*wrongs[])(Draft&) = {
    [](Draft& d) { d.spec.replicas = d.negative(); },
    [](Draft& d) { d.spec.min_ready_seconds = d.negative(); },
    [](Draft& d) { d.spec.ordinals_start = d.negative(); },
    [](Draft& d) { d.rolling().partition = d.negative(); },
    [](Draft& d) { d.rolling().max_unavailable = IntOrPercent{0, d.choices.one_in(2)}; },
    [](Draft& d) { d.rolling().max_unavailable = IntOrPercent{101 + d.choices.between(0, 99), true}; },
    [](Draft& d) {
      d.rolling().partition = 1;
      d.spec.strategy = Strategy::on_delete;
    },
    [](Draft& d) { d.spec.selector = {}; },
    [](Draft& d) { d.spec.selector = {.match_labels = {{"app", "elsewhere"}}, .match_expressions = {}}; },
    [](Draft& d) {
      const auto& refused = palette().refused_templates;
      d.spec.pod_template = refused[d.choices.up_to(static_cast<std::uint32_t>(refused.size() - 1))];
    },
    [](Draft& d) {
      static constexpr const char* bad[] = {"", "Web", "web.example", "-web", "web_1"};
      d.meta.name = bad[d.choices.up_to(std::size(bad) - 1)];
    },
    [](Draft& d) { d.meta.name = std::string(64, 'n'); },
};

}  // namespace

StatefulSet generate_set(Choices& choices) {
  const Palette& shared = palette();
  auto spec = std::make_shared<StatefulSetSpec>();
  StatefulSet set;

  choices.part();
  set.meta.name = draw(choices, shared.names, {52, 4, 4, 2, 2});
  spec->replicas = draw_replicas(choices);
  spec->pod_management = choices.one_in(2) ? PodManagement::parallel : PodManagement::ordered_ready;
  draw_strategy(choices, *spec);

  choices.part();
  spec->min_ready_seconds = draw_min_ready(choices);
  spec->revision_history_limit = draw_history_limit(choices);
  spec->retention = draw_retention(choices);
  spec->ordinals_start = draw_start(choices, spec->replicas.value_or(1));
  draw_claims(choices, spec->claim_templates);
  draw_selector(choices, spec->selector);
  spec->pod_template = shared.templates[choices.weighted(std::array<std::uint32_t, 4>{8, 4, 4, 1})];
  const std::uint32_t drawn = choices.up_to(255), meta = drawn / 8;
  spec->reserve_ordinals = reserved_from(spec->ordinals_start.value_or(0), drawn % 8);
  if (meta & 1) set.meta.labels = shared.labels;
  if (meta & 2) set.meta.annotations = shared.annotations;
  set.meta.ns = meta & 4 ? shared.prod : shared.default_namespace;
  if (meta % 8 == 7) set.meta.owners = shared.owners;
  if (meta < 24) spec->service_name = "web";

  set.spec = std::move(spec);
  return set;
}

StatefulSet generate_set_like(Choices& choices, const StatefulSet& set) {
  StatefulSet like = set;
  auto spec = std::make_shared<StatefulSetSpec>(*set.spec);
  constexpr std::size_t claims_at_most = 3;
  if (spec->claim_templates.size() < claims_at_most && choices.one_in(3)) add_claim_template(spec->claim_templates);
  else
    spec->pod_management =
        spec->pod_management == PodManagement::parallel ? PodManagement::ordered_ready : PodManagement::parallel;
  like.spec = std::move(spec);
  return like;
}

StatefulSet generate_invalid_set(Choices& choices) {
  StatefulSet set = generate_set(choices);
  choices.part();
  auto spec = std::make_shared<StatefulSetSpec>(*set.spec);
  Draft draft{set.meta, *spec, choices};
  for (std::int32_t n = choices.between(1, 3); n > 0; --n) wrongs[choices.up_to(std::size(wrongs) - 1)](draft);
  set.spec = std::move(spec);
  return set;
}

}  // namespace ordeal::properties
