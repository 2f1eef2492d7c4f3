// SPDX-License-Identifier: Apache-2.0
#include "support/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace sizesheet {
namespace {

/// The work still to hand out, and the first failure by index. Indices are handed out in order and
/// a begun one is always finished, so no failure of a lower index can be missed by stopping early.
class Counter {
 public:
  explicit Counter(std::size_t count) : count_(count) {}

  void drain(const std::function<void(std::size_t)>& work) {
    while (!failed_) {
      const std::size_t i = next_++;
      if (i >= count_) return;
      try {
        work(i);
      } catch (...) {
        record(i, std::current_exception());
      }
    }
  }

  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void record(std::size_t index, std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (!failure_ || index < index_) {
      index_ = index;
      failure_ = std::move(failure);
    }
    failed_ = true;
  }

  std::size_t count_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  std::size_t index_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

void for_each_index(std::size_t count, int jobs, const std::function<void(std::size_t)>& work) {
  Counter counter(count);
  const std::size_t threads = std::min(count, static_cast<std::size_t>(std::max(jobs, 1)));
  {
    std::vector<std::jthread> helpers;
    helpers.reserve(threads);
    try {
      for (std::size_t i = 1; i < threads; ++i) helpers.emplace_back([&] { counter.drain(work); });
    } catch (const std::system_error&) {
      // The machine gives no more of them: those that are there do the work.
    }
    counter.drain(work);
  }
  counter.rethrow();
}

int default_jobs() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

}  // namespace sizesheet
