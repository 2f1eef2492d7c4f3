// SPDX-License-Identifier: Apache-2.0
#include "support/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace sizesheet {

void for_each_index(std::size_t count, int jobs, const std::function<void(std::size_t)>& work) {
  // Indices are handed out in order and a begun one is always finished, so no failure of a lower
  // index can be missed by stopping early.
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> failed = false;
  std::mutex mutex;
  std::size_t failed_at = count;
  std::exception_ptr failure;
  const auto drain = [&] {
    while (!failed) {
      const std::size_t i = next++;
      if (i >= count) return;
      try {
        work(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (i < failed_at) failure = std::current_exception();
        failed_at = std::min(failed_at, i);
        failed = true;
      }
    }
  };
  const std::size_t threads = std::min(count, static_cast<std::size_t>(std::max(jobs, 1)));
  {
    std::vector<std::jthread> helpers;
    helpers.reserve(threads);
    try {
      for (std::size_t i = 1; i < threads; ++i) helpers.emplace_back(drain);
    } catch (const std::system_error&) {
      // The machine gives no more of them: those that are there do the work.
    }
    drain();
  }
  if (failure) std::rethrow_exception(failure);
}

int default_jobs() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

}  // namespace sizesheet
