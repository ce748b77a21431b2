#include "properties/mutants/canary.h"

#include "core/controller/forwarding.h"
#include "core/controller/reference.h"

namespace ordeal::properties {

namespace {

/// FNV-1a, 64 bits, over numbers.
class Hash {
 public:
  void add(std::int64_t number) {
    for (int byte = 0; byte < 8; ++byte) {
      value_ ^= static_cast<std::uint64_t>(number >> (8 * byte)) & 0xFF;
      value_ *= 0x100000001B3ull;
    }
  }
  std::uint64_t value() const { return value_ ^ (value_ >> 32); }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325ull;
};

std::uint64_t hash_of(const StatefulSetSpec& spec) {
  Hash hash;
  hash.add(spec.replicas.value_or(-1));
  hash.add(spec.pod_template ? spec.pod_template->patch_hash : 0);
  hash.add(static_cast<std::int64_t>(spec.claim_templates.size()));
  hash.add(static_cast<std::int64_t>(spec.strategy));
  hash.add(spec.rolling_update ? spec.rolling_update->partition.value_or(-1) : -2);
  hash.add(spec.revision_history_limit.value_or(-1));
  hash.add(spec.min_ready_seconds);
  hash.add(spec.ordinals_start.value_or(-1));
  return hash.value();
}

constexpr std::uint64_t one_spec_in = 300;

/// Passes requests on; new pods lose their host name.
class Careless final : public Api {
 public:
  explicit Careless(Api& api) : api_(api) {}
  Reply call(Request request) override {
    if (request.verb == Verb::create && request.kind == Kind::pod) std::get<Pod>(request.body).hostname = Text();
    return api_.call(std::move(request));
  }

 private:
  Api& api_;
};

class Canary final : public Forwarding {
 public:
  explicit Canary(const Gates& gates) : Forwarding(make_reference(strict_rules(), gates)) {}
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    const StatefulSet* set = seen.sets.find(key.name);
    if (set == nullptr || !set->spec || hash_of(*set->spec) % one_spec_in != 0) return inner_.sync(key, seen, api, now);
    Careless careless(api);
    return inner_.sync(key, seen, careless, now);
  }
  std::string_view name() const override { return "canary"; }
};

}  // namespace

std::unique_ptr<Controller> make_canary(const Gates& gates) { return std::make_unique<Canary>(gates); }

}  // namespace ordeal::properties
