#include "fuzz/adapter/hello.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/controller/releases.h"
#include "fuzz/adapter/message.h"
#include "fuzz/adapter/subprocess.h"
#include "fuzz/adapter/target.h"
#include "properties/scenario/gate_names.h"

namespace ordeal::fuzz {

using nlohmann::json;

namespace {

void check_version(const json& message) {
  if (text_at(message, "type") != "hello")
    throw Broken("the adapter did not say hello but: " + excerpt(message.dump()));
  const auto version = number_at(message, "protocol");
  if (version != protocol_version)
    throw Broken("the adapter speaks protocol " + (version ? std::to_string(*version) : std::string("?")) +
                 ", and this is protocol " + std::to_string(protocol_version));
}

const Release* likeness_in(const json& message) {
  if (!says(message, "like")) return nullptr;
  const Release* like = find_release(text_at(message, "like"));
  if (like == nullptr)
    throw Broken("the adapter says that it is like " + excerpt(message["like"].dump()) +
                 ", which is no release known here; one is \"kubernetes@1.31.14\"");
  return like;
}

decltype(Hello::fixed_gates) gates_in(const json& message) {
  decltype(Hello::fixed_gates) gates;
  if (!says(message, "gates")) return gates;
  const json& said = message["gates"];
  if (!said.is_object()) throw Broken("the adapter says what gates it has in no object: " + excerpt(said.dump()));
  for (const auto& [name, value] : said.items()) {
    if (!properties::is_gate(name))
      throw Broken("the adapter says how a gate is that is none of those in reset: " + excerpt(name));
    if (!value.is_boolean())
      throw Broken("the adapter says that gate " + name + " is neither true nor false: " + excerpt(value.dump()));
    gates.emplace_back(properties::row_of(name).controller, value.get<bool>());
  }
  return gates;
}

bool wants_latest(const json& message) {
  const std::string wish = text_at(message, "events");
  if (says(message, "events") && wish != "each" && wish != "latest")
    throw Broken("the adapter wants neither each event nor the latest, but " + excerpt(message["events"].dump()));
  return wish == "latest";
}

/// By resource.
std::optional<Kinds> caches_in(const json& message) {
  if (!says(message, "startsWithout")) return std::nullopt;
  const json& said = message["startsWithout"];
  if (!said.is_array())
    throw Broken("the adapter names the caches that it starts without in no list: " + excerpt(said.dump()));
  Kinds kinds{};
  for (const json& resource : said) {
    const auto kind = std::ranges::find_if(every_kind, [&](Kind k) { return resource == resource_of(k); });
    if (kind == std::end(every_kind))
      throw Broken("the adapter starts without a cache of what it is told nothing of: " + excerpt(resource.dump()));
    kinds[static_cast<std::size_t>(*kind)] = true;
  }
  return kinds;
}

}  // namespace

Hello read_hello(const json& message) {
  check_version(message);
  return {.like = likeness_in(message),
          .fixed_gates = gates_in(message),
          .wants_latest = wants_latest(message),
          .has_handlers = says_yes(message, "handlers", "whether it has event handlers"),
          .has_live_caches = says_yes(message, "liveCaches", "whether its caches are live"),
          .has_several_workers = says_yes(message, "severalWorkers", "whether it has several workers"),
          .keeps_queue = says_yes(message, "queue", "whether its work queue is its own"),
          .loses_connections = says_yes(message, "lostConnections", "whether its connections can be lost"),
          .records_events = says_yes(message, "recordsEvents", "whether it records events"),
          .rests_by_events = says_yes(message, "restByEvents", "whether it leaves the rest to events"),
          .starts_without = caches_in(message)};
}

Gates acting_under(const Hello& hello, Gates told) {
  for (const auto& [gate, is_on] : hello.fixed_gates) told.*gate = is_on;
  return told;
}

json gates_json(const Gates& gates) {
  json out = json::object();
  properties::each_gate(gates, [&](const properties::Gate& gate, bool on) { out[std::string(gate.name)] = on; });
  return out;
}

}  // namespace ordeal::fuzz
