#include "fuzz/adapter/recorded.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "fuzz/adapter/subprocess.h"

namespace ordeal::fuzz {
namespace {

using nlohmann::json;

json call(const std::string& method, const std::string& path, const std::string& body = "{}") {
  return {{"method", method}, {"path", path}, {"body", json::parse(body)}};
}

TEST(IsEvent, GoesByTheResourceAndNotByAName) {
  EXPECT_TRUE(is_event(call("POST", "/api/v1/namespaces/default/events")));
  EXPECT_TRUE(is_event(call("PATCH", "/apis/events.k8s.io/v1/namespaces/default/events/web.17")));
  EXPECT_FALSE(is_event(call("GET", "/api/v1/namespaces/default/events/web.17")));
  EXPECT_FALSE(is_event(call("POST", "/api/v1/namespaces/events/pods")));
  EXPECT_FALSE(is_event(call("PATCH", "/api/v1/namespaces/default/pods/events-0")));
  EXPECT_FALSE(is_event(call("POST", "/api/v1/namespaces/default")));
}

TEST(EventIn, ReadsBothApis) {
  const Event refused{.warning = true, .reason = "FailedCreate", .message = "web-0: forbidden", .about = "web"};
  const std::string path = "/api/v1/namespaces/default/events";
  EXPECT_EQ(event_in(call("POST", path, R"({"type":"Warning","reason":"FailedCreate","message":"web-0: forbidden",
      "involvedObject":{"kind":"StatefulSet","name":"web"}})")),
            refused);
  EXPECT_EQ(event_in(call("POST", "/apis/events.k8s.io/v1/namespaces/default/events",
                          R"({"type":"Warning","reason":"FailedCreate","note":"web-0: forbidden",
      "regarding":{"kind":"StatefulSet","name":"web"}})")),
            refused);
  EXPECT_EQ(event_in(call("POST", path, R"({"type":5,"reason":null,"involvedObject":[]})")), Event{});
  EXPECT_EQ(event_in(call("POST", path, "[]")), std::nullopt);
  EXPECT_EQ(event_in(call("PATCH", path + "/web.17", R"({"count":2})")), std::nullopt) << "it tells nothing new";
}

TEST(EventsIn, ReadsWhatWasWritten) {
  EXPECT_EQ(events_in(json::object()), std::nullopt);
  const std::vector<Event> events{{.reason = "SuccessfulCreate", .message = "web-0", .about = "web"},
                                  {.warning = true, .reason = "FailedCreate", .message = "", .about = ""}};
  EXPECT_EQ(events_in({{"events", events_json(events)}}), events);
  EXPECT_EQ(events_in({{"events", json::array()}}), std::vector<Event>{});
  for (const char* wrong : {"{}", "5", "[5]", R"([{"type":"Error","reason":"x"}])", R"([{"type":"Normal"}])"})
    EXPECT_THROW(events_in({{"events", json::parse(wrong)}}), Broken) << wrong;
}

}  // namespace
}  // namespace ordeal::fuzz
