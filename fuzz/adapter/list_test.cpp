#include "fuzz/adapter/list.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/cluster/cluster.h"
#include "core/cluster/test_objects.h"

namespace ordeal::fuzz {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// An API server with pods web-0 and db-0 that a step may befall before the first read of a list.
class Server final : public Api {
 public:
  Server() {
    cluster.reset();
    for (const char* name : {"web-0", "db-0"}) {
      Pod pod = test::pod(name);
      pod.meta.labels = test::labels({{"app", pod.meta.name.str().substr(0, pod.meta.name.str().find('-'))}});
      cluster.create_pod(pod);
    }
  }
  Reply call(Request request) override {
    if (request.of_list != OfList::further && befall) befall();
    requests.push_back(request);
    if (fault != Code::ok) return {.code = fault};
    return cluster.handle(request);
  }
  std::vector<const ObjectMeta*> stored(Kind kind) const override { return cluster.stored(kind); }

  Cluster cluster;
  std::function<void()> befall;
  Code fault = Code::ok;
  std::vector<Request> requests;
};

bool is_list(const json& call) {
  const auto list = list_of(call, {});
  EXPECT_TRUE(list) << list.error();
  return list && list->has_value();
}

json list_call(const std::string& query, const std::string& resource = "pods", const std::string& ns = "default") {
  return {{"method", "GET"}, {"path", "/api/v1/namespaces/" + ns + "/" + resource}, {"query", query}};
}

class ListTest : public testing::Test {
 protected:
  json answer(const json& call) {
    const auto list = list_of(call, {});
    EXPECT_TRUE(list) << list.error();
    return answer_to(**list, carry_out(**list, server_, shown_, false), {});
  }
  std::vector<std::string> names(const std::string& query, const std::string& ns = "default") {
    std::vector<std::string> all;
    for (const json& item : answer(list_call(query, "pods", ns)).at("body").at("items"))
      all.push_back(item.at("metadata").at("name"));
    return all;
  }
  static std::string refusal(const std::string& query) {
    const auto list = list_of(list_call(query), {});
    return list ? "" : list.error();
  }

  Server server_;
  View shown_;
};

TEST_F(ListTest, IsAGetOfAllObjectsOfANamespace) {
  EXPECT_TRUE(is_list(list_call("")));
  EXPECT_FALSE(is_list({{"method", "GET"}, {"path", "/api/v1/namespaces/default/pods/web-0"}}));
  EXPECT_FALSE(is_list({{"method", "DELETE"}, {"path", "/api/v1/namespaces/default/pods"}}));
  EXPECT_FALSE(is_list({{"method", "GET"}, {"path", "/api/v1/pods"}})) << "of all namespaces";
}

TEST_F(ListTest, AnswersAsAnApiServerDoes) {
  const json answered = answer(list_call("labelSelector=app%3Dweb"));
  EXPECT_EQ(answered.at("status"), 200);
  const json& body = answered.at("body");
  EXPECT_EQ(body.at("kind"), "PodList");
  EXPECT_EQ(body.at("apiVersion"), "v1");
  ASSERT_EQ(body.at("items").size(), 1U);
  const json& item = body.at("items")[0];
  EXPECT_EQ(item.at("metadata").at("namespace"), "default");
  EXPECT_EQ(body.at("metadata").at("resourceVersion"), item.at("metadata").at("resourceVersion"));
  EXPECT_FALSE(item.contains("kind")) << "those of a typed list have none";
}

TEST_F(ListTest, KnowsSelectors) {
  EXPECT_THAT(names(""), ElementsAre("db-0", "web-0"));
  EXPECT_THAT(names("limit=500&labelSelector=app=web"), ElementsAre("web-0"));
  EXPECT_THAT(names("labelSelector=app%21%3Dweb"), ElementsAre("db-0"));
  EXPECT_THAT(names("labelSelector=app+in+%28db%2C+web%29%2Capp%3D%3Dweb"), ElementsAre("web-0"));
  EXPECT_THAT(names("labelSelector=app%20notin%20(db)"), ElementsAre("web-0"));
  EXPECT_THAT(names("labelSelector=app+in+%28web%29"), ElementsAre("web-0"));
  EXPECT_THAT(names("labelSelector=app,!tier"), ElementsAre("db-0", "web-0"));
  EXPECT_THAT(names("labelSelector=tier"), IsEmpty());
  EXPECT_THAT(names("fieldSelector=metadata.name%3Dweb-0"), ElementsAre("web-0"));
  EXPECT_THAT(names("", "another"), IsEmpty());
}

TEST_F(ListTest, SaysWhatItDoesNotServe) {
  EXPECT_THAT(refusal("watch=true"), HasSubstr("a watch: the adapter is told of each event"));
  for (const char* bad : {"app in web", "=web", "app=a b", "a,,b", "app>1"})
    EXPECT_THAT(refusal("labelSelector=" + std::string(bad)), HasSubstr("labelSelector: cannot be read (found: \""))
        << bad;
  EXPECT_THAT(refusal("fieldSelector=status.phase%3DRunning"), HasSubstr("fieldSelector: of metadata.name alone"));
}

TEST_F(ListTest, IsAReadOfEachObjectThatIsThereOrShown) {
  const Pod gone = test::pod("web-7");
  const Pod* const held[] = {&gone};
  shown_.pods = {held, held};
  EXPECT_THAT(names("resourceVersion=0"), ElementsAre("db-0", "web-0"));
  ASSERT_EQ(server_.requests.size(), 3U);
  EXPECT_EQ(server_.requests[2].name, "web-7");
  for (const Request& request : server_.requests) {
    EXPECT_EQ(request.verb, Verb::get);
    EXPECT_TRUE(request.may_be_old);
    const bool is_first = &request == server_.requests.data();
    EXPECT_EQ(request.of_list, is_first ? OfList::first : OfList::further) << "nothing comes between";
  }
}

TEST_F(ListTest, IsOfOneMoment) {
  server_.befall = [this] {
    server_.cluster.delete_pod("db-0", 0);
    server_.cluster.create_pod(test::pod("web-1"));
  };
  EXPECT_THAT(names(""), ElementsAre("web-0", "web-1"));
}

TEST_F(ListTest, FailsAsItsFirstReadDoes) {
  server_.fault = Code::unavailable;
  EXPECT_EQ(answer(list_call("")).at("status"), 503);
  EXPECT_EQ(server_.requests.size(), 1U);
}

}  // namespace
}  // namespace ordeal::fuzz
