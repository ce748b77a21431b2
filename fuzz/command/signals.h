// The process: its standard streams, its end, Ctrl-C.
#pragma once

#include <atomic>

namespace ordeal::fuzz {

/// A standard stream that was closed when the process began stays of no use: no file and no pipe opened later takes its
/// number. A pipe that is closed later is an error of who writes to it. A signal that ends the process ends the
/// programs that it has started, too.
void prepare_process();

/// From now on SIGINT, SIGTERM and SIGHUP set the flag that is returned; another one, more than a second later, ends
/// the process as the first does of commands that do not call this.
const std::atomic<bool>& stop_on_signals();

}  // namespace ordeal::fuzz
