#include "fuzz/adapter/written.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fuzz/adapter/answer.h"

namespace ordeal::fuzz {
namespace {

using nlohmann::json;

TEST(Written, IsWhatAnAnswerHoldsWithTheNamespaceThereIs) {
  Pod pod;
  pod.meta.name = "web-0";
  const Reply reply{Code::ok, &pod};
  Written written;
  EXPECT_EQ(json::parse(written.of(reply)), answer_to(Request{.kind = Kind::pod, .name = "web-0"}, reply, "")["body"]);
  EXPECT_EQ(written.of(pod), written.of(reply));
}

TEST(Written, IsWrittenOnceAndAnewWhenAnotherVersionIsInItsPlace) {
  Claim claim;
  claim.meta.name = "data-web-0";
  claim.meta.version = Version{1};
  Written written;
  const void* const first = written.of(claim).data();
  EXPECT_EQ(written.of(claim).data(), first);
  claim.meta.version = Version{2};
  EXPECT_EQ(json::parse(written.of(claim))["metadata"]["resourceVersion"], "2");
}

TEST(Written, KnowsNoObjectOfAnEmptyReply) {
  Written written;
  EXPECT_EQ(written.of(Reply{Code::ok, {}}), "");
}

}  // namespace
}  // namespace ordeal::fuzz
