// Work on several threads, the caller's among them. Covered by parallel_test.cpp.
#pragma once

#include <functional>

namespace ordeal::fuzz {

/// Calls work(0) here and work(1) to work(jobs - 1) on threads of their own, at the same time, and returns when all
/// have. What one of them throws first is thrown again then. No work is begun unless all can be: an error when the
/// system refuses a thread.
void run_in_parallel(unsigned jobs, const std::function<void(unsigned)>& work);

}  // namespace ordeal::fuzz
