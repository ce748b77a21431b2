#include "fuzz/adapter/subprocess.h"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <filesystem>

namespace ordeal::fuzz {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

constexpr Patience impatient{.answer = 300ms, .line_bytes = 1 << 16};

template <class Act>
std::string what_breaks(Act act) {
  try {
    act();
  } catch (const Broken& broken) {
    return broken.what();
  }
  return "nothing";
}

TEST(Subprocess, LinesGoBothWaysWhateverTheirSize) {
  Subprocess process("cat", {});
  const std::string longest(50'000, 'x');  // more than is read at once
  for (const std::string& line : {std::string("one"), std::string(), longest}) {
    process.write(line + "\n");
    EXPECT_EQ(process.read_line(), line);
  }
  process.write("a\nb\n");
  EXPECT_EQ(process.read_line(), "a");
  EXPECT_EQ(process.read_line(), "b");
  EXPECT_FALSE(process.has_unread());
}

TEST(Subprocess, SaysHowAProgramEnded) {
  EXPECT_EQ(what_breaks([] { Subprocess("sh -c 'exit 3'", {}).read_line(); }), "the adapter ended with status 3");
  EXPECT_EQ(what_breaks([] { Subprocess("sh -c 'kill -9 $$'", {}).read_line(); }), "the adapter was ended by signal 9");
  EXPECT_EQ(what_breaks([] { Subprocess("sh -c 'exec 1>&-; sleep 100'", {}).read_line(); }),
            "the adapter closed its output");
  EXPECT_EQ(what_breaks([] { Subprocess("./no-such-program", {}).read_line(); }), "the adapter ended with status 127");
}

TEST(Subprocess, PatienceEnds) {
  EXPECT_EQ(what_breaks([] { Subprocess("sleep 100", impatient).read_line(); }),
            "the adapter did not answer for 300 ms");
  EXPECT_EQ(what_breaks([] { Subprocess("sleep 100", impatient).write(std::string(1 << 20, 'x')); }),
            "the adapter read nothing for 300 ms");
  EXPECT_EQ(what_breaks([] { Subprocess("sh -c 'while :; do echo flood >&2; done'", impatient).read_line(); }),
            "the adapter did not answer for 300 ms");
  EXPECT_EQ(what_breaks([] { Subprocess("cat /dev/zero", {.line_bytes = 1 << 16}).read_line(); }),
            "the adapter wrote a line of more than 65536 bytes");
}

TEST(Subprocess, KeepsTheEndOfStandardError) {
  Subprocess process("sh -c 'echo first >&2; head -c 100000 /dev/zero | tr \"\\\\0\" . >&2; echo last >&2; echo done'",
                     {});
  EXPECT_EQ(process.read_line(), "done");
  const std::string words = process.last_words();
  EXPECT_THAT(words, HasSubstr("last"));
  EXPECT_LE(words.size(), 4096u);
}

TEST(Subprocess, LeavesNothingBehind) {
  const auto descriptors = [] {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return std::distance(begin(all), end(all));
  };
  const auto before = descriptors();
  pid_t child = 0;
  {
    Subprocess process("sh -c 'sleep 1000 & echo $!; wait'", {});
    child = std::stoi(std::string(process.read_line()));
    EXPECT_EQ(::kill(child, 0), 0);
  }
  EXPECT_EQ(descriptors(), before);
  for (int tries = 0; tries < 200 && std::filesystem::exists("/proc/" + std::to_string(child) + "/cwd"); ++tries)
    ::usleep(5000);
  std::error_code gone;
  EXPECT_FALSE(std::filesystem::exists("/proc/" + std::to_string(child) + "/cwd", gone)) << "a grandchild lives";
}

TEST(Subprocess, ThatCannotBeStartedLeavesNoDescriptors) {
  const auto descriptors = [] {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return std::distance(begin(all), end(all));
  };
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
  const auto before = descriptors();
  const int next = ::dup(STDIN_FILENO);  // the lowest that is free
  ::close(next);
  for (const int room : {0, 2, 4, 5}) {
    rlimit tight = limit;
    tight.rlim_cur = static_cast<rlim_t>(next + room);
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &tight), 0);
    const std::string why = what_breaks([] { const Subprocess process("cat", {}); });
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
    EXPECT_EQ(why, "no pipe to the adapter: Too many open files") << "with room for " << room;
    EXPECT_EQ(descriptors(), before) << "with room for " << room;
  }
}

TEST(OneCore, LastsAsLongAsItself) {
  cpu_set_t before, during, after;
  ::sched_getaffinity(0, sizeof before, &before);
  {
    const OneCore core;
    ::sched_getaffinity(0, sizeof during, &during);
    EXPECT_EQ(CPU_COUNT(&during), 1);
  }
  ::sched_getaffinity(0, sizeof after, &after);
  EXPECT_TRUE(CPU_EQUAL(&before, &after));
}

}  // namespace
}  // namespace ordeal::fuzz
