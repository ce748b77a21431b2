#include "fuzz/engine/files.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <iterator>

namespace ordeal::fuzz {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Files : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(directory_); }
  void TearDown() override { fs::remove_all(directory_); }
  std::string path(const std::string& name) const { return (directory_ / name).string(); }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(directory_), fs::directory_iterator()));
  }
  const fs::path directory_ = fs::temp_directory_path() / ("ordeal-files-" + std::to_string(::getpid()));
};

TEST_F(Files, WhatIsWrittenIsRead) {
  ASSERT_TRUE(write_file(path("a"), "one"));
  ASSERT_TRUE(write_file(path("a"), std::string_view("t\0wo", 4)));
  EXPECT_EQ(read_file(path("a"), 100).value(), std::string("t\0wo", 4));
  EXPECT_EQ(read_file(path("a"), 4).value().size(), 4u);
  EXPECT_EQ(read_file(path("a"), 3).error(), path("a") + ": is larger than 3 bytes");
  EXPECT_EQ(entries(), 1u) << "nothing is left beside it";
}

TEST_F(Files, MissingDirectoriesAreMade) {
  ASSERT_TRUE(write_file(path("x/y/z"), "deep"));
  EXPECT_EQ(read_file(path("x/y/z"), 100).value(), "deep");
}

TEST_F(Files, BelowADirectoryAreAllOfThemByName) {
  for (const char* name : {"b", "a/z", "c"}) ASSERT_TRUE(write_file(path(name), ""));
  EXPECT_EQ(files_below(directory_.string()), (std::vector{path("a/z"), path("b"), path("c")}));
  EXPECT_EQ(files_below(path("b")), std::vector{path("b")});
  EXPECT_EQ(files_below(path("none")), std::vector{path("none")});
}

TEST_F(Files, InADirectoryAreThoseThatStandThereThemselves) {
  for (const char* name : {"b", "a/z", "c"}) ASSERT_TRUE(write_file(path(name), ""));
  EXPECT_EQ(files_in(directory_.string()), (std::vector{path("b"), path("c")}));
  EXPECT_EQ(files_in(path("none")), std::vector<std::string>());
  EXPECT_THAT(files_in(path("b")).error(), HasSubstr(path("b") + ": Not a directory"));
}

TEST_F(Files, WhatCannotBeLookedIntoIsNotEmpty) {
  ASSERT_TRUE(write_file(path("open/shut/file"), ""));
  fs::permissions(directory_, fs::perms::all);
  fs::permissions(path("open/shut"), fs::perms::none);
  const auto user = ::geteuid();
  if (user == 0) ASSERT_EQ(::seteuid(65534), 0);  // root looks into anything
  const auto files = files_below(directory_.string());
  if (user == 0) ASSERT_EQ(::seteuid(0), 0);
  fs::permissions(path("open/shut"), fs::perms::all);
  ASSERT_FALSE(files);
  EXPECT_THAT(files.error(), HasSubstr(path("open/shut") + ": Permission denied"));
}

TEST_F(Files, LinksStayLinksAndWhatIsNoFileStaysWhatItIs) {
  ASSERT_TRUE(write_file(path("file"), "old"));
  fs::create_symlink("file", path("link"));
  ASSERT_TRUE(write_file(path("link"), "new"));
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read_file(path("file"), 100).value(), "new");
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const int reader = ::open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_TRUE(write_file(path("pipe"), "through"));
  std::array<char, 16> bytes{};
  EXPECT_EQ(::read(reader, bytes.data(), bytes.size()), 7);
  ::close(reader);
  EXPECT_TRUE(fs::is_fifo(path("pipe"))) << "as /dev/null has to";
}

TEST_F(Files, ErrorsNameTheFileAndTheReason) {
  EXPECT_THAT(read_file(path("none"), 100).error(), HasSubstr(path("none") + ": No such file"));
  EXPECT_THAT(read_file(directory_.string(), 100).error(), HasSubstr("Is a directory"));
  ASSERT_TRUE(write_file(path("file"), "x"));
  EXPECT_THAT(write_file(path("file/below"), "x").error(), HasSubstr(path("file")));
}

TEST_F(Files, WhenItCannotBeReplacedTheOldOneStaysAndNothingIsLeftBehind) {
  fs::create_directories(path("taken/inside"));
  EXPECT_FALSE(write_file(path("taken"), "x"));
  EXPECT_TRUE(fs::is_directory(path("taken/inside")));
  EXPECT_EQ(entries(), 1u);
}

}  // namespace
}  // namespace ordeal::fuzz
