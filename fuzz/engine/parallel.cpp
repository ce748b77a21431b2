#include "fuzz/engine/parallel.h"

#include <exception>
#include <latch>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace ordeal::fuzz {

namespace {

class Together {
 public:
  Together(unsigned jobs, const std::function<void(unsigned)>& work) : jobs_(jobs), work_(work) {}

  void run() {
    {
      std::vector<std::jthread> threads;  // joined at the end of this block
      is_complete_ = start(threads);
      begin_.count_down();
      if (is_complete_) do_one(0);
    }
    if (!is_complete_) throw std::runtime_error("so many jobs cannot be started: the system refuses " + refused_);
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  bool start(std::vector<std::jthread>& threads) {
    try {
      threads.reserve(jobs_ - 1);
      for (unsigned job = 1; job < jobs_; ++job)
        threads.emplace_back([this, job] {
          begin_.wait();
          if (is_complete_) do_one(job);
        });
      return true;
    } catch (const std::exception& error) {  // no thread, or no memory for one
      refused_ = "thread " + std::to_string(threads.size() + 1) + " of " + std::to_string(jobs_ - 1) + " (" +
                 error.what() + ")";
      return false;
    }
  }

  void do_one(unsigned job) {
    try {
      work_(job);
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!thrown_) thrown_ = std::current_exception();
    }
  }

  const unsigned jobs_;
  const std::function<void(unsigned)>& work_;
  std::latch begin_{1};
  bool is_complete_ = false;  // written before `begin_` lets anybody read it
  std::string refused_;
  std::mutex mutex_;  // guards what follows
  std::exception_ptr thrown_;
};

}  // namespace

void run_in_parallel(unsigned jobs, const std::function<void(unsigned)>& work) { Together(jobs, work).run(); }

}  // namespace ordeal::fuzz
