#include "fuzz/command/signals.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <ctime>

#include "fuzz/adapter/subprocess.h"

namespace ordeal::fuzz {

namespace {

std::atomic<bool> stopped = false;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free,
              "they are set by a signal handler");

std::atomic<std::int64_t> stopped_at = 0;  // seconds; 0: not yet

/// Nothing that was started outlives the process.
void end_at_once(int signal) {
  end_all_programs();
  std::signal(signal, SIG_DFL);
  raise(signal);
}

/// Who asks again, and not in the same moment, as a shell and its terminal or `timeout` do, wants it at once.
void stop_soon(int signal) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  std::int64_t first = 0;
  if (stopped_at.compare_exchange_strong(first, now.tv_sec)) stopped = true;
  else if (now.tv_sec - first > 1) end_at_once(signal);
}

void on_signals(void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before{};
    sigaction(signal, nullptr, &before);
    const bool stays = signal == SIGHUP && before.sa_handler == SIG_IGN;  // nohup: the terminal may be closed
    if (!stays) sigaction(signal, &action, nullptr);
  }
}

}  // namespace

void prepare_process() {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is then an error of print()
  on_signals(end_at_once);
  int opened = STDIN_FILENO;
  while (opened >= 0 && opened <= STDERR_FILENO)
    opened = ::open("/dev/null", O_RDONLY);  // to write there is an error, as it was
  if (opened > STDERR_FILENO) ::close(opened);
}

const std::atomic<bool>& stop_on_signals() {
  on_signals(stop_soon);
  return stopped;
}

}  // namespace ordeal::fuzz
