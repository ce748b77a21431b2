#include "properties/mutants/decoys_guarding.h"

#include <map>
#include <utility>
#include <vector>

#include "core/api/names.h"

namespace ordeal::properties {

namespace {

constexpr std::string_view guard = "example.com/guarded";

using Finalizers = std::vector<Text>;

Shared<Finalizers> with_guard(const Shared<Finalizers>& held) {
  Finalizers all = held ? *held : Finalizers{};
  all.push_back(guard);
  return std::make_shared<const Finalizers>(std::move(all));
}
Shared<Finalizers> without_guard(const Finalizers& held) {
  Finalizers rest = held;
  std::erase(rest, Text(guard));
  return rest.empty() ? nullptr : std::make_shared<const Finalizers>(std::move(rest));
}

/// New pods have a finalizer. It is taken off those that are to go, whatever has become of their set, before anything
/// else is thought about.
class GuardsItsPods final : public Around {
 public:
  using Around::Around;
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    refused_.clear();
    for (const Pod* pod : seen.pods.all)
      if (is_to_go(*pod, key)) let_go(*pod, api);
    SyncResult result = Around::sync(key, seen, api, now);
    if (refused_.empty() || result.failed) return result;
    return {.failed = true, .code = refused_.begin()->second, .what = "a pod could not be let go", .requeue_after = {}};
  }

 private:
  static bool is_to_go(const Pod& pod, const Key& key) {
    const OwnerReference* owner = pod.meta.controller();
    return pod.meta.terminating() && pod.meta.has_finalizer(Text(guard)) && owner != nullptr &&
           owner->kind == kind_stateful_set && owner->name == key.name;
  }
  void let_go(const Pod& pod, Api& api) {
    Pod next = pod;
    next.meta.finalizers = without_guard(*pod.meta.finalizers);
    Request request;
    request.verb = Verb::update;
    request.kind = Kind::pod;
    request.name = pod.meta.name;
    request.version = pod.meta.version;
    request.uid = pod.meta.uid;
    request.body = std::move(next);
    const Code code = api.call(std::move(request)).code;
    if (code != Code::ok && code != Code::not_found) refused_.emplace(pod.meta.name, code);
  }
  Reply call(Request request) override {
    if (request.verb == Verb::create && request.kind == Kind::pod) {
      ObjectMeta& meta = std::get<Pod>(request.body).meta;
      meta.finalizers = with_guard(meta.finalizers);
    }
    const auto refused = request.verb == Verb::update ? refused_.find(request.name) : refused_.end();
    return refused != refused_.end() ? Reply{refused->second, {}, {}} : Around::call(std::move(request));
  }
  std::map<Text, Code> refused_;  // by the name of the pod that could not be let go
};

}  // namespace

Made guards_its_pods(const Gates& gates) {
  if (gates.stale_guard) return strict(gates);  // it would have to wait for its caches besides
  return std::make_unique<GuardsItsPods>(strict(gates));
}

}  // namespace ordeal::properties
