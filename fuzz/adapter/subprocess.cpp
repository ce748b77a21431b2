#include "fuzz/adapter/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

namespace ordeal::fuzz {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::size_t errors_kept = 4096;
constexpr std::size_t block_bytes = std::size_t{16} << 10;
constexpr auto time_to_end = 200ms;  // between the end of its output and its own

struct Pipe {
  Descriptor read_end, write_end;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw Broken(std::string("no pipe to the adapter: ") + std::strerror(errno));
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

void never_wait(int descriptor) { ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK); }

/// Whether the shell has more to do than to become what the command names: a list, a pipeline, a group.
bool is_compound(std::string_view command) {
  char quote = '\0';
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (c == '\\' && quote != '\'') ++i;
    else if (quote != '\0') quote = c == quote ? '\0' : quote;
    else if (c == '\'' || c == '"') quote = c;
    else if (std::string_view(";&|()\n").contains(c)) return true;
  }
  return false;
}

/// "TZ=UTC prog", and not "/opt/a=b/prog".
bool sets_a_variable(std::string_view command) {
  const std::size_t begin = std::min(command.find_first_not_of(' '), command.size());
  const std::string_view name = command.substr(begin, command.find('=', begin) - begin);
  const auto is_letter = [](char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto may_follow = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  return begin + name.size() < command.size() && !name.empty() && is_letter(name.front()) &&
         std::ranges::all_of(name, may_follow);
}

/// So that the program's end is seen as it is: a shell in between would keep its output open, and tell signals as
/// numbers.
std::string in_place_of_the_shell(const std::string& command) {
  if (is_compound(command)) return command;
  return (sets_a_variable(command) ? "exec env " : "exec ") + command;
}

/// In the child, where only what is safe in a signal handler may be called.
[[noreturn]] void become(const char* command, const Pipe& in, const Pipe& out, const Pipe& errors) {
  ::setpgid(0, 0);  // Ctrl-C is for the harness, which then ends the whole group
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGPIPE, SIG_DFL);
  ::dup2(in.read_end.get(), STDIN_FILENO);
  ::dup2(out.write_end.get(), STDOUT_FILENO);
  ::dup2(errors.write_end.get(), STDERR_FILENO);
  ::execl("/bin/sh", "sh", "-c", command, nullptr);
  ::_exit(127);
}

}  // namespace

// --- one core --------------------------------------------------------------------------------------------------------

OneCore::OneCore() {
  // The first pair stays where it is: another harness runs on another core, mostly.
  static std::atomic<unsigned> next{static_cast<unsigned>(std::max(::sched_getcpu(), 0))};
  if (::sched_getaffinity(0, sizeof before_, &before_) != 0) return;
  const int cores = CPU_COUNT(&before_);
  if (cores < 2) return;
  int skip = static_cast<int>(next++ % static_cast<unsigned>(cores));  // pairs spread over the cores there are
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &before_) || skip-- > 0) continue;
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(core, &only);
    pinned_ = ::sched_setaffinity(0, sizeof only, &only) == 0;
    return;
  }
}

OneCore::~OneCore() {
  if (pinned_) ::sched_setaffinity(0, sizeof before_, &before_);
}

// --- beginning and end -----------------------------------------------------------------------------------------------

namespace {

/// The groups of all programs that run, in a form that a signal handler can read; 0: a free place. One that finds no
/// place may outlive a harness that is ended by a signal.
std::array<std::atomic<pid_t>, 1024> groups{};
static_assert(std::atomic<pid_t>::is_always_lock_free);

void replace_one(pid_t was, pid_t is) {
  for (std::atomic<pid_t>& group : groups)
    if (pid_t expected = was; group.compare_exchange_strong(expected, is)) return;
}

void end_group(pid_t leader) {
  ::kill(-leader, SIGKILL);
  ::kill(leader, SIGKILL);  // it may not have become a group yet
}

}  // namespace

void end_all_programs() {
  for (const std::atomic<pid_t>& group : groups)
    if (const pid_t leader = group.load(); leader > 0) end_group(leader);
}

Subprocess::Subprocess(const std::string& command, Patience patience) : patience_(patience) {
  std::signal(SIGPIPE, SIG_IGN);  // writing to one that ended is an error to report, not the end of the harness
  start(in_place_of_the_shell(command));
}

void Subprocess::start(const std::string& command) {
  Pipe in = make_pipe(), out = make_pipe(), errors = make_pipe();
  pid_ = ::fork();
  if (pid_ == 0) become(command.c_str(), in, out, errors);
  if (pid_ < 0) throw Broken(std::string("the adapter could not be started: ") + std::strerror(errno));
  replace_one(0, pid_);
  in_ = std::move(in.write_end);
  out_ = std::move(out.read_end);
  errors_ = std::move(errors.read_end);
  for (const Descriptor* descriptor : {&in_, &out_, &errors_}) never_wait(descriptor->get());
}

Subprocess::~Subprocess() {
  for (Descriptor* descriptor : {&in_, &out_, &errors_}) descriptor->close();
  if (pid_ <= 0) return;
  end_group(pid_);
  replace_one(pid_, 0);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void Subprocess::fail_ended() { throw Broken("the adapter " + how_it_ended()); }

std::string Subprocess::how_it_ended() {
  const auto until = Clock::now() + time_to_end;
  int status = 0;
  pid_t ended = 0;
  while ((ended = ::waitpid(pid_, &status, WNOHANG)) == 0 && Clock::now() < until) std::this_thread::sleep_for(1ms);
  if (ended != pid_) return "closed its output";
  ::kill(-pid_, SIGKILL);  // whatever it left behind
  replace_one(std::exchange(pid_, -1), 0);
  if (WIFSIGNALED(status)) return "was ended by signal " + std::to_string(WTERMSIG(status));
  return "ended with status " + std::to_string(WEXITSTATUS(status));
}

// --- lines -----------------------------------------------------------------------------------------------------------

void Subprocess::write(std::string_view bytes) {
  const auto until = Clock::now() + patience_.answer;
  while (!bytes.empty()) {
    const ssize_t written = ::write(in_.get(), bytes.data(), bytes.size());
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
    else if (errno == EAGAIN) wait(/*for_room=*/true, until);
    else if (errno != EINTR) fail_ended();
  }
}

std::string_view Subprocess::read_line() {
  const auto until = Clock::now() + patience_.answer;
  unread_.erase(0, taken_);
  searched_ = searched_ > taken_ ? searched_ - taken_ : 0;
  taken_ = 0;
  for (;;) {
    const std::size_t end = unread_.find('\n', searched_);
    if (end != std::string::npos) {
      taken_ = searched_ = end + 1;
      return std::string_view(unread_).substr(0, end);
    }
    searched_ = unread_.size();
    if (searched_ > patience_.line_bytes)
      throw Broken("the adapter wrote a line of more than " + std::to_string(patience_.line_bytes) + " bytes");
    wait(/*for_room=*/false, until);
    if (!take_output()) fail_ended();
  }
}

bool Subprocess::has_unread() {
  if (taken_ < unread_.size()) return true;
  pollfd output{out_.get(), POLLIN, 0};
  return ::poll(&output, 1, 0) > 0 && (output.revents & POLLIN) != 0;
}

/// Until there is output to read, or room to write.
void Subprocess::wait(bool for_room, Deadline until) {
  for (;;) {
    std::array<pollfd, 2> polled{pollfd{errors_.get(), POLLIN, 0},
                                 for_room ? pollfd{in_.get(), POLLOUT, 0} : pollfd{out_.get(), POLLIN, 0}};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    if (left <= 0ms)
      throw Broken(std::string(for_room ? "the adapter read nothing" : "the adapter did not answer") + " for " +
                   std::to_string(patience_.answer.count()) + " ms");
    ::poll(polled.data(), polled.size(), static_cast<int>(left.count()));
    if (polled[0].revents != 0) take_errors();
    if (polled[1].revents != 0) return;
  }
}

/// False at the end of the output.
bool Subprocess::take_output() {
  const std::size_t size = unread_.size();
  unread_.resize(size + block_bytes);
  const ssize_t read = ::read(out_.get(), unread_.data() + size, block_bytes);
  unread_.resize(size + static_cast<std::size_t>(std::max<ssize_t>(read, 0)));
  return read > 0 || (read < 0 && (errno == EAGAIN || errno == EINTR));
}

void Subprocess::take_errors() {
  std::array<char, errors_kept> block;
  const ssize_t read = ::read(errors_.get(), block.data(), block.size());
  if (read > 0) kept_errors_.append(block.data(), static_cast<std::size_t>(read));
  else if (read == 0) errors_.close();  // poll ignores it from now on
  if (kept_errors_.size() > errors_kept) kept_errors_.erase(0, kept_errors_.size() - errors_kept);
}

std::string Subprocess::last_words() {
  for (int more = 64; more > 0 && errors_.get() >= 0;
       --more) {  // of one that writes without end, not all is waited for
    pollfd polled{errors_.get(), POLLIN, 0};
    if (::poll(&polled, 1, 0) <= 0) break;
    take_errors();
  }
  return kept_errors_;
}

}  // namespace ordeal::fuzz
