// libFuzzer target: any bytes are a call of an external controller, or a sentence about what is wrong with it; what was
// understood is said again in the words of the API and understood as the same; the API server has an answer, which
// leaves what nobody may change as it was; and there is a verdict on whoever makes that call after each of its turns.
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "core/api/codec.h"
#include "core/cluster/cluster.h"
#include "core/controller/forwarding.h"
#include "core/controller/reference.h"
#include "core/controller/rules.h"
#include "fuzz/adapter/answer.h"
#include "fuzz/adapter/http.h"
#include "fuzz/adapter/recorded.h"
#include "properties/trial/trial.h"

namespace {

using namespace ordeal;

constexpr const char* set_json =
    R"({"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"web","namespace":"default"},
  "spec":{"serviceName":"web","selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},
  "spec":{"containers":[{"name":"web","image":"web:1"}]}}}})";
constexpr const char* pod_json = R"({"metadata":{"name":"web-0","namespace":"default","labels":{"app":"web"}},
  "spec":{"containers":[{"name":"web","image":"web:1"}],"hostname":"web-0"}})";
constexpr const char* claim_json =
    R"({"metadata":{"name":"data-web-0","namespace":"default","finalizers":["kubernetes.io/pvc-protection"]},"spec":{}})";
constexpr const char* revision_json =
    R"({"metadata":{"name":"web-1","namespace":"default"},"data":{"spec":{"template":{}}},"revision":1})";

template <class T>
T read(const char* text) {
  T object;
  FieldErrors errors;
  if (!from_json(nlohmann::json::parse(text), object, errors)) std::abort();
  return object;
}

/// A set, and one of each kind that it has.
void fill(Cluster& cluster) {
  static const auto set = read<StatefulSet>(set_json);
  static const auto pod = read<Pod>(pod_json);
  static const auto claim = read<Claim>(claim_json);
  static const auto revision = read<Revision>(revision_json);
  cluster.reset();
  const bool made = cluster.create_set(set) == Code::ok && cluster.create_pod(pod) == Code::ok &&
                    cluster.create_claim(claim) == Code::ok && cluster.create_revision(revision) == Code::ok;
  if (!made) std::abort();
}

class Asking final : public Forwarding {
 public:
  explicit Asking(const Request& request) : Forwarding(make_reference(strict_rules(), {})), request_(request) {}
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    const SyncResult result = inner_.sync(key, seen, api, now);
    api.call(request_);
    return result;
  }

 private:
  const Request& request_;
};

/// Why there is no verdict on a controller that makes the call; empty when there is one.
std::string judged(const Request& request) {
  using properties::StepKind;
  static const properties::Scenario scenario{
      .set = read<StatefulSet>(set_json),
      .environment = {},
      .steps = {{.kind = StepKind::settle}, {.kind = StepKind::scale, .a = 2}, {.kind = StepKind::settle}}};
  static properties::Court court;
  Asking controller(request);
  return court.try_scenario(scenario, controller).inconclusive;
}

/// What no call of a controller changes in what it leaves there.
bool is_kept(const Cluster& cluster) {
  const StatefulSet* set = cluster.sets().find("web");
  const Pod* pod = cluster.pods().find("web-0");
  const Claim* claim = cluster.claims().find("data-web-0");
  const Revision* revision = cluster.revisions().find("web-1");
  return (set == nullptr || to_json(*set)["spec"]["template"]["spec"]["containers"][0]["image"] == "web:1") &&
         (pod == nullptr ||
          (pod->hostname == "web-0" && pod->meta.uid == cluster.pods().log().front().after->meta.uid)) &&
         (claim == nullptr || *claim->spec == "{}") &&
         (revision == nullptr || revision->data.bytes == cluster.revisions().log().front().after->data.bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto fail = [](const char* what, const std::string& one, const std::string& other) {
    std::fprintf(stderr, "%s\n%s\n%s\n", what, one.c_str(), other.c_str());
    std::abort();
  };
  const auto text_of = [](const nlohmann::json& value) {
    return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  };
  nlohmann::json call;
  FieldErrors errors;
  if (!parse_json({reinterpret_cast<const char*>(data), size}, call, errors) || !call.is_object()) return -1;
  const Text ns("default");
  if (fuzz::is_event(call)) {
    if (!fuzz::answer_to_event(call).is_object()) fail("an event has no answer", text_of(call), "");
    return 0;
  }
  const auto request = fuzz::request_of(call, ns);
  if (!request) {
    if (request.error().empty()) fail("refused without a sentence", text_of(call), "");
    return 0;
  }
  const nlohmann::json once = fuzz::call_of(*request, ns);
  const auto again = fuzz::request_of(once, ns);
  if (!again) fail("what was said again is not understood", text_of(once), again.error());
  if (fuzz::call_of(*again, ns) != once)
    fail("it changes each time it is said", text_of(once), text_of(fuzz::call_of(*again, ns)));
  static Cluster cluster;
  fill(cluster);
  Request resolved = *request;
  cluster.resolve(resolved);
  const nlohmann::json answer = fuzz::answer_to(resolved, cluster.handle(resolved), ns);
  if (!answer.contains("status") || !answer.contains("body")) fail("no answer", text_of(call), text_of(answer));
  if (const std::string why = judged(*request); !why.empty()) fail("no verdict", text_of(call), why);
  if (!is_kept(cluster)) fail("it changed what nobody may change", text_of(call), text_of(answer));
  return 0;
}
