// SPDX-License-Identifier: Apache-2.0
// Capacity and rentable counts of a GPU.

#include "catalog/facts/gpu.h"

#include <gtest/gtest.h>

namespace sizesheet {
namespace {

using Counts = std::vector<std::int64_t>;

TEST(Gpu, capacity_is_what_the_driver_or_pytorch_reports) {
  Gpu gpu;
  EXPECT_EQ(gpu.capacity_bytes(), std::nullopt);
  gpu.driver_total_gib = 80.0;
  EXPECT_EQ(gpu.capacity_bytes(), 84932978278);  // 79.1 GiB, rounded down
  gpu.torch_total_gib = 79.25;
  EXPECT_EQ(gpu.capacity_bytes(), 85094039552);
}

TEST(Gpu, unified_memory_is_shared_with_the_system) {
  Gpu gpu;
  gpu.torch_total_gib = 120.0;
  gpu.unified_memory = true;
  gpu.os_reserve_gib = 4;
  EXPECT_EQ(gpu.capacity_bytes(), 116LL << 30);
}

TEST(Gpu, counts_go_on_in_whole_nodes) {
  Gpu gpu;
  gpu.rentable_counts = {1, 2, 4, 8};
  EXPECT_EQ(gpu.counts_up_to(0), Counts{});
  EXPECT_EQ(gpu.counts_up_to(5), (Counts{1, 2, 4}));
  EXPECT_EQ(gpu.counts_up_to(31), (Counts{1, 2, 4, 8, 16, 24}));
  EXPECT_EQ(gpu.counts_up_to(32), (Counts{1, 2, 4, 8, 16, 24, 32}));
  gpu.max_gpus = 16;
  EXPECT_EQ(gpu.counts_up_to(512), (Counts{1, 2, 4, 8, 16}));
}

TEST(Gpu, counts_end_where_nodes_cannot_be_joined) {
  Gpu gpu;
  gpu.rentable_counts = {1, 2};
  gpu.gpus_per_node = 1;
  gpu.multi_node = false;
  EXPECT_EQ(gpu.counts_up_to(512), (Counts{1, 2}));
}

}  // namespace
}  // namespace sizesheet
