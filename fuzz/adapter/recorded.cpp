#include "fuzz/adapter/recorded.h"

#include <nlohmann/json.hpp>
#include <string>

#include "core/api/object_json.h"
#include "fuzz/adapter/message.h"
#include "fuzz/adapter/subprocess.h"
#include "fuzz/adapter/target.h"

namespace ordeal::fuzz {

using nlohmann::json;

namespace {

constexpr const char *warning = "Warning", *normal = "Normal";

/// core/v1 says what events.k8s.io/v1 says in other words: `message` and `involvedObject` are `note` and `regarding`.
std::string either_at(const json& object, const char* key, const char* other) {
  const std::string text = text_at(object, key);
  return text.empty() ? text_at(object, other) : text;
}

Event event_of(const json& said, const std::string& message, const std::string& about) {
  return {.warning = text_at(said, "type") == warning,
          .reason = text_at(said, "reason"),
          .message = message,
          .about = about};
}

Event told_event(const json& said) {
  const std::string type = text_at(said, "type");
  if ((type != normal && type != warning) || text_at(said, "reason").empty())
    throw Broken("the adapter tells of an event without a reason, or of a type that is neither Normal nor Warning: " +
                 excerpt(said.dump()));
  return event_of(said, text_at(said, "message"), text_at(said, "about"));
}

}  // namespace

bool is_event(const json& call) {
  const json& method = member_of(call, "method");
  if (method != "POST" && method != "PATCH") return false;
  std::string_view path =
      member_of(call, "path").is_string() ? member_of(call, "path").get_ref<const std::string&>() : std::string_view();
  for (const std::string_view of : {"/api/v1/namespaces/", "/apis/events.k8s.io/v1/namespaces/"}) {
    if (!path.starts_with(of)) continue;
    const auto parts = parts_of(path.substr(of.size()));  // NS, events, NAME
    return parts.size() >= 2 && parts[1] == "events";
  }
  return false;
}

std::optional<Event> event_in(const json& call) {
  const json& body = member_of(call, "body");
  if (member_of(call, "method") != "POST" || !body.is_object()) return std::nullopt;
  const json &about = member_of(body, "involvedObject"), &regarding = member_of(body, "regarding");
  return event_of(body, either_at(body, "message", "note"), text_at(about.is_object() ? about : regarding, "name"));
}

json answer_to_event(const json& call) { return {{"status", 201}, {"body", member_of(call, "body")}}; }

std::optional<std::vector<Event>> events_in(const json& done) {
  if (!says(done, "events")) return std::nullopt;
  const json& said = done["events"];
  if (!said.is_array()) throw Broken("the adapter tells of events in no list: " + excerpt(said.dump()));
  std::vector<Event> events;
  for (const json& one : said) events.push_back(told_event(one));
  return events;
}

json events_json(const std::vector<Event>& events) {
  json out = json::array();
  for (const Event& event : events)
    out.push_back({{"type", event.warning ? warning : normal},
                   {"reason", event.reason.str()},
                   {"message", event.message.str()},
                   {"about", event.about.str()}});
  return out;
}

}  // namespace ordeal::fuzz
