#include "fuzz/compare/compare.h"

#include <algorithm>
#include <exception>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/controller/releases.h"
#include "fuzz/adapter/http.h"
#include "fuzz/engine/run.h"
#include "properties/scenario/known_fields.h"
#include "properties/scenario/shrink.h"
#include "properties/world/simulate.h"

namespace ordeal::fuzz {

namespace {

using nlohmann::json;
using namespace properties;

/// Of a controller that never comes to rest, thousands of turns would be written down that say the same again.
constexpr std::size_t syncs_at_most = 500;

/// What one sync did, in words that two controllers can be compared by.
struct Deeds {
  std::vector<json> calls;
  json result;
  bool by_other = false;  // by a release that stands in for either
  bool has_told = false;  // and has put its messages into the status
};

/// Messages are for people, who are told the same in other words.
void leave_out_messages(json& conditions) {
  for (json& condition : conditions) condition.erase("message");
}

bool tells_conditions(const Call& call) {
  return call.request.verb == Verb::update_status && !call.request.status().conditions.empty();
}

json written(const Call& call, const Text& ns) {
  Request request = call.request;
  request.meta = nullptr;  // a table says nothing of it
  json out = call_of(request, ns);
  out.erase("reason");
  out.erase("line");
  if (const json::json_pointer conditions("/body/status/conditions");
      call.request.verb == Verb::update_status && out.contains(conditions))
    leave_out_messages(out[conditions]);
  out["code"] = name_of(call.reply.code);
  return out;
}

Deeds written(const Sync& sync) {
  Deeds deeds;
  for (const Call& call : sync.calls) deeds.calls.push_back(written(call, sync.key.ns));
  deeds.result = {{"failed", sync.result.failed}, {"died", sync.died}};
  if (sync.result.requeue_after && !sync.died) deeds.result["requeueAfterMs"] = sync.result.requeue_after->ms;
  deeds.by_other = sync.by_other;
  deeds.has_told = sync.by_other && std::ranges::any_of(sync.calls, tells_conditions);
  return deeds;
}

class Transcript final : public Witness {
 public:
  void on_step(const World&, const TakenStep*, std::string_view) override {}
  void on_change(const World&) override {}
  void on_sync(const World&, const Sync& sync) override { syncs.push_back(written(sync)); }
  void on_settled(const World&, bool, int, int) override {}
  void on_rest(const World&, const Sync& sync) override { syncs.push_back(written(sync)); }
  bool enough() const override { return syncs.size() >= syncs_at_most; }
  std::vector<Deeds> syncs;
};

/// "/api/v1/namespaces/default/pods/web-0" -> "pods".
std::string resource_in(const json& call) {
  constexpr int parts_before = 2;  // namespaces, and which
  std::string path = call.at("path");
  const std::size_t at = path.find("/namespaces/");
  std::size_t begin = at + 1;
  for (int part = 0; part < parts_before; ++part) begin = path.find('/', begin) + 1;
  std::string rest = path.substr(begin);
  const bool status = rest.ends_with("/status");
  return rest.substr(0, rest.find('/')) + (status ? "/status" : "");
}

std::string outline(const json& call) { return call.at("method").get<std::string>() + " " + resource_in(call); }

std::string line_of(const json& call) {
  return call.at("method").get<std::string>() + " " + call.at("path").get<std::string>() + " -> " +
         call.at("code").get<std::string>();
}

std::string line_of(const Deeds& deeds) {
  std::string text;
  for (const json& call : deeds.calls) text += line_of(call) + "; ";
  return text + deeds.result.dump();
}

/// Where two calls of one outline first differ, without indexes, and the two values.
std::optional<Difference> differ(const json& a, const json& b) {
  const json patch = json::diff(a, b);
  if (patch.empty()) return std::nullopt;
  const json::json_pointer where(patch[0].at("path").get<std::string>());
  const auto value = [&](const json& of) { return of.contains(where) ? of.at(where).dump() : std::string("absent"); };
  std::string kind = outline(a) + ": " + where.to_string();
  std::erase_if(kind, [](char c) { return c >= '0' && c <= '9'; });
  return Difference{kind, line_of(a) + " with " + value(a), line_of(b) + " with " + value(b)};
}

std::optional<Difference> differ(const Deeds& a, const Deeds& b) {
  const std::size_t both = std::min(a.calls.size(), b.calls.size());
  for (std::size_t i = 0; i < both; ++i) {
    if (outline(a.calls[i]) != outline(b.calls[i]))
      return Difference{outline(a.calls[i]) + " against " + outline(b.calls[i]), line_of(a), line_of(b)};
    if (auto difference = differ(a.calls[i], b.calls[i])) return difference;
  }
  if (a.calls.size() > both) return Difference{outline(a.calls[both]) + " against nothing", line_of(a), line_of(b)};
  if (b.calls.size() > both) return Difference{"nothing against " + outline(b.calls[both]), line_of(a), line_of(b)};
  if (a.result == b.result) return std::nullopt;
  const bool failed = a.result.at("failed") != b.result.at("failed");
  return Difference{failed ? "whether a sync failed" : "when a sync is wanted again", line_of(a), line_of(b)};
}

/// While another release stands in for both controllers it is the same one in both, and can only act differently
/// because of texts of messages, which are not compared. So such a difference is passed over, with all that follows,
/// and all that follows after that release has written messages of its own into the status.
std::optional<Difference> differ(const std::vector<Deeds>& a, const std::vector<Deeds>& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (auto difference = differ(a[i], b[i])) {
      if (a[i].by_other && b[i].by_other) return std::nullopt;
      difference->sync = static_cast<int>(i) + 1;
      return difference;
    } else if (a[i].has_told) {
      return std::nullopt;
    }
  return std::nullopt;
}

/// Tries once more when a program broke down, as every trial does.
std::vector<Deeds> transcript(World& world, const Scenario& scenario, Dock& dock) {
  for (int attempt = 0;; ++attempt) {
    Transcript witness;
    try {
      simulate(world, scenario, dock, witness);
      return std::move(witness.syncs);
    } catch (const std::exception&) {
      if (attempt > 0 || !dock.kind().external) throw;
    }
  }
}

bool may_have_several_claims(const Scenario& scenario) {
  const auto adds_one = [](const Step& step) {
    return step.kind == StepKind::create_set &&
           step.a == static_cast<std::int32_t>(properties::Recreation::more_claims);
  };
  const std::size_t claims = scenario.set.spec->claim_templates.size();
  return claims > 1 || (claims == 1 && std::ranges::any_of(scenario.steps, adds_one));
}

/// Without what the API server of either does not know. Who dies of a set without a policy dies of its namesake in
/// another namespace, too, and only a program is shown that one; and where lists are shuffled a program's maps are
/// walked from elsewhere, in the order of which releases make a pod's claims (DIFFERENCES.md).
Scenario known_to_both(Scenario scenario, Dock& a, Dock& b) {
  if (!scenario.environment.api.auto_delete_claims) scenario.environment.namesakes = false;
  const bool walks = a.kind().external || b.kind().external;
  if (walks && may_have_several_claims(scenario)) scenario.environment.list_order = 0;
  for (Dock* dock : {&a, &b}) leave_out_unknown(scenario, dock->known_fields());
  return scenario;
}

/// The shortest story in which the two part in the same way. Those in which one breaks down are none.
void shrink_difference(Difference& difference, Dock& a, Dock& b, const std::atomic<bool>& stop) {
  std::optional<Difference> last;
  const KnownFields known_to_a = a.known_fields(), known_to_b = b.known_fields();
  const auto parts = [&](const Scenario& scenario) {
    if (stop.load() || has_unknown(scenario, known_to_a) || has_unknown(scenario, known_to_b)) return false;
    try {
      auto seen = compare_on(scenario, a, b);
      if (!seen || seen->kind != difference.kind) return false;
      last = std::move(seen);
      return true;
    } catch (const std::exception&) {
      return false;
    }
  };
  difference.scenario = shrink(std::move(difference.scenario), parts).scenario;
  if (!last) return;
  difference.a = std::move(last->a);
  difference.b = std::move(last->b);
  difference.sync = last->sync;
}

}  // namespace

Comparison compare(const ControllerKind& a, const ControllerKind& b, const FirstSets& sets, std::uint64_t seed,
                   std::uint64_t first, std::uint64_t trials, const std::atomic<bool>& stop) {
  Comparison out;
  std::map<std::string, Difference> found;
  World world;
  Dock dock_a(a), dock_b(b);
  for (std::uint64_t n = 0; n < trials && !stop.load(); ++n) {
    const std::uint64_t trial = first + n;
    const Scenario scenario = known_to_both(scenario_of_trial(sets, seed, trial), dock_a, dock_b);
    ++out.trials;
    try {
      const std::vector<Deeds> did_a = transcript(world, scenario, dock_a);
      auto difference = differ(did_a, transcript(world, scenario, dock_b));
      if (!difference) continue;
      difference->trial = trial;
      difference->scenario = scenario;
      ++found.try_emplace(difference->kind, *difference).first->second.times;
    } catch (const std::exception& error) {
      if (out.unclear++ == 0) out.why_unclear = error.what();
    }
  }
  for (auto& [kind, difference] : found) {
    shrink_difference(difference, dock_a, dock_b, stop);
    out.differences.push_back(std::move(difference));
  }
  return out;
}

std::optional<Difference> compare_on(const Scenario& scenario, Dock& a, Dock& b) {
  World world;
  const std::vector<Deeds> first = transcript(world, scenario, a);
  return differ(first, transcript(world, scenario, b));
}

std::vector<std::optional<Difference>> compare_along(const Scenario& scenario, std::span<const ControllerKind> path) {
  std::vector<std::optional<Difference>> steps;
  World world;
  std::vector<Deeds> before;
  for (const ControllerKind& kind : path) {
    Dock dock(kind);
    std::vector<Deeds> here = transcript(world, scenario, dock);
    if (&kind != &path.front()) steps.push_back(differ(before, here));
    before = std::move(here);
  }
  return steps;
}

std::optional<Difference> compare_twice(const Scenario& scenario, Dock& dock) {
  return compare_on(scenario, dock, dock);
}

}  // namespace ordeal::fuzz
