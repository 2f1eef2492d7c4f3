// SPDX-License-Identifier: Apache-2.0
// Results and failures that do not depend on the number of jobs.

#include "support/parallel.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace sizesheet {
namespace {

TEST(Parallel, does_every_item_once) {
  for (const int jobs : {-1, 0, 1, 2, 7, 64}) {
    std::vector<int> done(1000, 0);
    for_each_index(done.size(), jobs, [&](std::size_t i) { ++done[i]; });
    EXPECT_EQ(done, std::vector<int>(1000, 1)) << jobs;
  }
  for_each_index(0, 4, [](std::size_t) { FAIL(); });
}

TEST(Parallel, rethrows_the_failure_of_the_lowest_index) {
  for (const int jobs : {1, 2, 8}) {
    for (int round = 0; round < 50; ++round) {
      std::string what;
      try {
        for_each_index(200, jobs, [](std::size_t i) {
          if (i % 10 == 7) throw std::runtime_error(std::to_string(i));
        });
      } catch (const std::runtime_error& error) {
        what = error.what();
      }
      ASSERT_EQ(what, "7") << jobs;
    }
  }
}

TEST(Parallel, has_at_least_one_job) { EXPECT_GE(default_jobs(), 1); }

}  // namespace
}  // namespace sizesheet
