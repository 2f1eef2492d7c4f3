// SPDX-License-Identifier: Apache-2.0
// Published speeds through the engine: what every row must hold, the bars, and that the committed
// ranges are those the residuals give.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "catalog/published/measured.h"
#include "evidence/accuracy.h"
#include "evidence/validated.h"
#include "support/error.h"
#include "support/json.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

const SpeedAccuracy& speeds() { return validated().accuracy.speed; }

const BarResult& bar(const std::string& id) {
  for (const BarResult& result : validated().accuracy.bars) {
    if (result.id == id) return result;
  }
  throw InputError("no bar " + id);
}

TEST(Speeds, every_row_has_a_speed_or_a_refusal) {
  EXPECT_EQ(speeds().rows.size(), 484U);
  for (const SpeedRow& row : speeds().rows) {
    EXPECT_NE(row.predicted.has_value(), !row.refusal.empty()) << row.id;
    if (!row.predicted) continue;
    EXPECT_LE(*row.low, *row.predicted) << row.id;
    EXPECT_LE(*row.predicted, *row.high) << row.id;
    EXPECT_NEAR(row.measured * (1 + *row.error), *row.predicted, 1e-6) << row.id;
  }
}

/// The kinds of method of a GPU's published speeds, those in fp8 by their own name. A run that its
/// own recipe puts in fp8 counts as such.
TEST(Speeds, a_gpu_is_called_measured_where_some_row_is_of_its_kind) {
  std::map<std::string, std::set<std::string>> measured;
  for (const auto& [id, source] : project_catalog().measured) {
    for (const MeasuredSpeed& row : source.speeds) {
      const Json& request = row.run.request;
      const bool fp8 = at_dotted(request, "kernels.precision") == "fp8";
      const std::vector<std::string> recipe{"fp8-recipe"};
      if (!row.run.flags.empty() && !(fp8 && row.run.flags == recipe)) continue;
      if (!request.contains("gpu")) continue;
      measured[request.at("gpu")].insert(request.at("method").at("kind").get<std::string>() +
                                         (fp8 ? " fp8" : ""));
    }
  }
  for (const auto& [gpu, speed] : project_catalog().engine.current.speeds) {
    EXPECT_EQ(std::set<std::string>(speed.measured.begin(), speed.measured.end()), measured[gpu])
        << gpu;
    if (speed.sibling) {
      EXPECT_TRUE(project_catalog().engine.current.speeds.contains(*speed.sibling)) << gpu;
    }
  }
}

TEST(Speeds, no_row_is_refused) {
  for (const SpeedRow& row : speeds().rows) EXPECT_EQ(row.refusal, "") << row.id;
}

/// LoRA, QLoRA and full fine-tuning, dense and routed: no kind of run is met at another's cost.
TEST(Speeds, the_trainer_is_met_on_one_gpu_and_nearly_on_several) {
  int one = 0;
  int several = 0;
  for (const SpeedRow& row : speeds().rows) {
    if (!row.id.starts_with("fms-") || !row.flags.empty()) continue;
    const bool alone = row.id.find("-1x") != std::string::npos;
    // No constant is fitted to fused kernels; two of those runs fill their cards to the last GiB.
    const bool fused = row.id.find("-fused-") != std::string::npos;
    EXPECT_LE(std::abs(*row.error), alone ? 0.15 : fused ? 0.45 : 0.25) << row.id;
    ++(alone ? one : several);
  }
  EXPECT_EQ(one, 58);
  EXPECT_EQ(several, 75);
}

TEST(Speeds, the_bars_are_cleared) {
  for (const char* id : {"speed-median", "speed-uncovered", "speed-range"}) {
    EXPECT_FALSE(bar(id).missed) << id << " " << bar(id).value.value_or(-1);
  }
  // Missed since vendor-tuned mixtures and DeepSpeed's runs count: it must not grow.
  EXPECT_TRUE(bar("speed-p90").missed);
  EXPECT_LE(bar("speed-p90").value.value(), 0.195);
}

TEST(Speeds, the_held_out_source_is_no_worse_than_the_bars) {
  ASSERT_TRUE(speeds().held_out.errors);
  EXPECT_LE(speeds().held_out.errors->median, bar("speed-median").limit);
  EXPECT_LE(speeds().held_out.errors->p90, bar("speed-p90").limit);
}

TEST(Speeds, fine_tuning_is_no_worse_than_the_whole) {
  for (const AccuracyGroup& group : speeds().all.by_method) {
    EXPECT_LE(group.errors.median, 1.3 * bar("speed-median").limit) << group.name;
    EXPECT_LE(group.errors.p90, 1.4 * bar("speed-p90").limit) << group.name;
  }
}

TEST(Speeds, parts_add_up_to_the_whole) {
  EXPECT_EQ(speeds().tuned.errors->n + speeds().held_out.errors->n, speeds().all.errors->n);
  EXPECT_EQ(speeds().tuned.refused + speeds().held_out.refused, speeds().all.refused);
}

TEST(Speeds, committed_ranges_are_those_of_the_residuals) {
  expect_same_intervals(project_catalog().speed_intervals, validated().speed_intervals);
}

}  // namespace
}  // namespace sizesheet
