// What a turn read for itself takes the place of what its caches had shown.
#include "properties/trial/informed.h"

#include <gtest/gtest.h>

#include "core/cluster/test_objects.h"

namespace ordeal::properties {
namespace {

struct Turn {
  Turn() {
    for (int i = 0; i < 3; ++i) {
      pods[i].meta = test::meta("web-" + std::to_string(i));
      pods[i].meta.version = Version{static_cast<std::uint64_t>(i + 1)};
    }
    shown = {&pods[0], &pods[1]};
    sync.seen.pods = {shown, shown};
  }
  void read(const Pod& live) { answer(live.meta.name, {Code::ok, &live, {}}); }
  void find_missing(const Text& name) { answer(name, {Code::not_found, {}, {}}); }
  void answer(const Text& name, Reply reply) {
    Call& call = calls.emplace_back();
    call.request.kind = Kind::pod;
    call.request.name = name;
    call.reply = std::move(reply);
    sync.calls = calls;
  }
  std::vector<Text> names() {
    std::vector<Text> found;
    if (const Sync* turn = informed.of(sync))
      for (const Pod* pod : turn->seen.pods.by_name) found.push_back(pod->meta.name);
    return found;
  }
  Pod pods[3];
  std::vector<const Pod*> shown;
  std::vector<Call> calls;
  Sync sync;
  Informed informed;
};

TEST(Informed, IsNobodyWhoReadsWhatHeWasShown) {
  Turn turn;
  EXPECT_EQ(turn.informed.of(turn.sync), nullptr);
  turn.read(turn.pods[0]);
  turn.find_missing("web-7");
  turn.answer("web-1", {Code::internal, {}, {}});
  EXPECT_EQ(turn.informed.of(turn.sync), nullptr);
}

TEST(Informed, SeesWhatIsThereWhatIsGoneAndWhatHasChanged) {
  Turn turn;
  Pod changed = turn.pods[1];
  changed.meta.version = Version{9};
  turn.read(changed);
  turn.find_missing("web-0");
  turn.read(turn.pods[2]);
  const Sync* informed = turn.informed.of(turn.sync);
  ASSERT_NE(informed, nullptr);
  EXPECT_EQ(informed->seen.pods.find("web-0"), nullptr);
  EXPECT_EQ(informed->seen.pods.find("web-1"), &changed);
  EXPECT_EQ(informed->seen.pods.find("web-2"), &turn.pods[2]);
  EXPECT_EQ(informed->calls.data(), turn.sync.calls.data()) << "calls are the turn's own";
  EXPECT_EQ(turn.sync.seen.pods.all.size(), 2u) << "what was shown stays what it was";
  EXPECT_EQ(turn.names(), (std::vector<Text>{"web-1", "web-2"})) << "asked again it is the same";
}

}  // namespace
}  // namespace ordeal::properties
