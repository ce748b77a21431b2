// What a turn read for itself takes the place of what its caches had shown.
#include "properties/evidence/informed.h"

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
  /// What was known after each piece of news.
  std::vector<std::vector<Text>> known() {
    std::vector<std::vector<Text>> all;
    informed.ever(sync, nullptr, [&](const Sync& turn) {
      auto& names = all.emplace_back();
      for (const Pod* pod : turn.seen.pods.by_name) names.push_back(pod->meta.name);
      newest = turn;
      return false;
    });
    return all;
  }
  Pod pods[3];
  std::vector<const Pod*> shown;
  std::vector<Call> calls;
  Sync sync;
  Informed informed;
  Sync newest;
};

using Known = std::vector<std::vector<Text>>;

TEST(Informed, IsNobodyWhoReadsWhatHeWasShown) {
  Turn turn;
  EXPECT_EQ(turn.known(), Known{});
  turn.read(turn.pods[0]);
  turn.find_missing("web-7");
  turn.answer("web-1", {Code::internal, {}, {}});
  EXPECT_EQ(turn.known(), Known{});
  EXPECT_FALSE(turn.sync.has_read_news());
}

TEST(Informed, SeesWhatHasChangedWhatIsGoneAndWhatIsThereOneAfterTheOther) {
  Turn turn;
  Pod changed = turn.pods[1];
  changed.meta.version = Version{9};
  turn.read(changed);
  turn.find_missing("web-0");
  turn.read(turn.pods[2]);
  EXPECT_EQ(turn.known(), (Known{{"web-0", "web-1"},
                                 {"web-1"},
                                 {"web-1", "web-2"},  // one after the other
                                 {"web-0", "web-1"},
                                 {"web-1"},
                                 {"web-0", "web-1", "web-2"}}));  // each alone
  EXPECT_TRUE(turn.sync.has_read_news());
  EXPECT_EQ(turn.newest.calls.data(), turn.sync.calls.data()) << "calls are the turn's own";
  EXPECT_EQ(turn.sync.seen.pods.find("web-1"), &turn.pods[1]) << "what was shown stays what it was";
  EXPECT_EQ(turn.known().size(), 6u) << "asked again it is the same";
}

TEST(Informed, LearnsNothingByReadingBackWhatItDidItself) {
  Turn turn;
  const auto write = [&](Verb verb, const Pod& stored) {
    turn.read(stored);
    turn.calls.back().request.verb = verb;
  };
  Pod changed = turn.pods[0];
  changed.meta.version = Version{8};
  write(Verb::update, changed);
  turn.read(changed);
  write(Verb::create, turn.pods[2]);
  turn.read(turn.pods[2]);
  write(Verb::remove, turn.pods[1]);  // which never ran, and is gone at once
  turn.find_missing("web-1");
  EXPECT_EQ(turn.known(), Known{});
  EXPECT_FALSE(turn.sync.has_read_news());
  Pod newer = changed;
  newer.meta.version = Version{9};
  turn.read(newer);
  EXPECT_EQ(turn.known().size(), 1u);
  EXPECT_TRUE(turn.sync.has_read_news()) << "somebody has changed it since";
  EXPECT_FALSE(turn.sync.has_read_news(turn.sync.calls.first(6))) << "until then nobody had";
}

TEST(Informed, EndsWithTheFirstNewsThatWillDo) {
  Turn turn;
  turn.find_missing("web-0");
  turn.find_missing("web-1");
  int asked = 0;
  EXPECT_TRUE(turn.informed.ever(turn.sync, nullptr, [&](const Sync&) { return ++asked == 1; }));
  EXPECT_EQ(asked, 1);
}

TEST(Informed, KnowsByAPatchWhatItLeftAlone) {
  Turn turn;
  Pod stored = turn.pods[0];
  stored.meta.version = Version{8};
  Call& call = turn.calls.emplace_back();
  call.request.verb = Verb::update;
  call.request.kind = Kind::pod;
  call.request.name = "web-0";
  call.request.body = stored;
  call.pod_before = &stored;
  turn.sync.calls = turn.calls;
  EXPECT_EQ(turn.known().size(), 0u) << "an update says all there is";
  call.request.partial = true;
  EXPECT_EQ(turn.known().size(), 1u);
  EXPECT_EQ(turn.newest.seen.pods.find("web-0"), &stored);
}

TEST(Informed, JudgesWhatComesAfterAStatusByIt) {
  StatefulSet shown, written;
  shown.meta = written.meta = test::meta("web");
  written.meta.version = Version{9};
  written.status.current_revision = "web-2";
  const StatefulSet* sets[] = {&shown};
  Turn turn;
  turn.sync.seen.sets = {sets, sets};
  Call& status = turn.calls.emplace_back();
  status.request.verb = Verb::update_status;
  status.request.kind = Kind::set;
  status.request.name = "web";
  status.reply = {Code::ok, &written, {}};
  turn.find_missing("web-0");
  const auto current_known = [&](const Call* asked) {
    return turn.informed.ever(
        turn.sync, asked, [](const Sync& known) { return known.seen.sets.all[0]->status.current_revision == "web-2"; });
  };
  EXPECT_FALSE(current_known(&turn.calls[0])) << "nor is the call itself excused";
  EXPECT_TRUE(current_known(&turn.calls[1]));
  EXPECT_TRUE(current_known(nullptr));
}

TEST(Informed, ExcusesNothingByWhatCameLater) {
  Turn turn;
  turn.read(turn.pods[0]);
  turn.find_missing("web-1");
  const auto told = [&](const Call* asked) {
    return turn.informed.ever(turn.sync, asked, [](const Sync&) { return true; });
  };
  EXPECT_FALSE(told(&turn.calls[0]));
  EXPECT_TRUE(told(&turn.calls[1])) << "an answer tells how it was when it was asked for";
}

// A cache that is looked into anew is told of as answers are: in its time, and not before.
TEST(Informed, KnowsWhatCachesTookInTheMidstOfTheTurn) {
  Turn turn;
  turn.answer("web-0", {Code::internal, {}, {}});
  turn.answer("web-1", {Code::internal, {}, {}});
  StatefulSet newer;
  newer.meta = test::meta("web");
  newer.meta.version = Version{9};
  const Taken taken[] = {
      {0, {"web-2", &turn.pods[2]}}, {1, {"web", &newer}}, {1, {"web-0", static_cast<const Pod*>(nullptr)}}};
  turn.sync.taken = taken;
  EXPECT_EQ(turn.known(), (Known{{"web-0", "web-1", "web-2"},
                                 {"web-0", "web-1", "web-2"},  // and the set
                                 {"web-1", "web-2"},
                                 {"web-0", "web-1", "web-2"},  // each alone
                                 {"web-0", "web-1"},
                                 {"web-1"},
                                 {"web-0", "web-1"},  // the set, and
                                 {"web-0", "web-1", "web-2"},
                                 {"web-1", "web-2"}}));  // the pods
  const auto told = [&](const Call* asked) {
    return turn.informed.ever(turn.sync, asked, [](const Sync&) { return true; });
  };
  EXPECT_FALSE(told(&turn.calls[0])) << "the call that was about to be made then";
  EXPECT_TRUE(told(&turn.calls[1]));
}

std::vector<Text> pods_in(const View& view) {
  std::vector<Text> names;
  for (const Pod* pod : view.pods.by_name) names.push_back(pod->meta.name);
  return names;
}
/// A write of a pod that succeeded.
Learnt wrote(Verb verb, const Pod& stored) {
  Call call;
  call.request.verb = verb;
  call.request.kind = Kind::pod;
  call.request.name = stored.meta.name;
  call.reply = {Code::ok, &stored, {}};
  return learnt_from(call);
}

TEST(Informed, RemembersWhatItsProcessWroteUntilCachesShowIt) {
  Cluster truth;
  truth.reset();
  ASSERT_EQ(truth.create_pod(test::pod("web-0")), Code::ok);
  const Pod& made = *truth.pods().find("web-0");
  Informed informed;
  Sync sync;
  const Learnt creation[] = {wrote(Verb::create, made)};
  const Sync* remembering = informed.remembering(sync, truth, creation);
  ASSERT_NE(remembering, nullptr);
  EXPECT_EQ(pods_in(remembering->seen), (std::vector<Text>{"web-0"}));
  sync.seen.reached[static_cast<std::size_t>(Kind::pod)] = made.meta.version;
  EXPECT_EQ(informed.remembering(sync, truth, creation), nullptr)
      << "the cache has got that far, and shows what became of it";

  const Pod* shown[] = {&made};
  sync.seen.pods = {shown, shown};
  truth.delete_pod("web-0", 0);
  const Learnt both[] = {creation[0], wrote(Verb::remove, made)};
  remembering = informed.remembering(sync, truth, both);
  ASSERT_NE(remembering, nullptr);
  EXPECT_TRUE(remembering->seen.pods.all.empty()) << "the process has removed it";
}

}  // namespace
}  // namespace ordeal::properties
