#include "fuzz/engine/controllers.h"

#include <gtest/gtest.h>

#include <set>

namespace ordeal::fuzz {
namespace {

TEST(Controllers, HaveNamesOfTheirOwnAndAreFoundByThem) {
  std::set<std::string> names;
  for (const ControllerKind& kind : controllers()) {
    EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
    EXPECT_EQ(find_controller(kind.name), &kind);
    EXPECT_NE(controller_names(kind.name).find(kind.name), std::string::npos);
  }
  EXPECT_EQ(find_controller("kubernetes"), nullptr);
  EXPECT_EQ(find_controller(""), nullptr);
}

TEST(Controllers, TheReferenceIsTriedAtStrictLevelAndReleasesAtWhatIsPromised) {
  EXPECT_EQ(find_controller("strict")->level, properties::Level::strict);
  EXPECT_EQ(find_controller("kubernetes-1.37")->level, properties::Level::promised);
}

TEST(Dock, MakesOneControllerPerProcessAndSetOfGates) {
  int made = 0;
  ControllerKind kind = *find_controller("strict");
  kind.make = [&made, make = kind.make](const Gates& gates) {
    ++made;
    return make(gates);
  };
  Dock dock(kind);
  const Gates on, off{.max_unavailable = false};
  Controller* const first = dock.process(0, on);
  EXPECT_EQ(dock.process(0, on), first);
  EXPECT_EQ(made, 1);
  EXPECT_NE(dock.process(0, off), first);
  EXPECT_EQ(dock.process(0, on), first);
  EXPECT_EQ(made, 2);
  EXPECT_NE(dock.process(1, on), first);
  EXPECT_EQ(made, 3);
}

}  // namespace
}  // namespace ordeal::fuzz
