// SPDX-License-Identifier: Apache-2.0
// The largest micro-batch and the longest sequence of a layout: the figure fits, the next one does
// not.
#include "sizing/advice/limits.h"

#include <gtest/gtest.h>

#include "sizing/answer/estimate.h"
#include "sizing/job/job.h"
#include "sizing/memory/verdict.h"
#include "sizing/model/projections.h"
#include "sizing/sized.h"
#include "support/json.h"
#include "support/json_parse.h"

namespace sizesheet {
namespace {

Json job(const std::string& text) { return parse_json(text, "request"); }

/// The same request on the layout that was answered, with another length or micro-batch.
Verdict verdict_at(Json request, const Sizing& answered, const char* key, std::int64_t value) {
  const Layout& layout = answered.plan.chosen.job.layout;
  request["layout"]["gpus"] = layout.gpus();
  request["layout"]["dp"] = layout.dp;
  request["layout"]["tp"] = layout.tp;
  request["layout"]["pp"] = layout.pp;
  request["layout"]["cp"] = layout.cp;
  if (layout.replicas() > 1) request["layout"]["shard"] = name_of(layout.shard);
  request["workload"][key] = value;
  request.erase("limits");
  return sized(request).plan.chosen.verdict;
}

const std::vector<std::string>& requests() {
  static const std::vector<std::string> kRequests = {
      R"({"model":"llama-3.1-8b","gpu":"h100-sxm","stack":"hf-trl","method":"lora-r16","limits":true,
          "workload":{"seq_len":4096,"micro_batch":1}})",
      R"({"model":"size-7b","gpu":"rtx-4090","stack":"torchtune","method":"full","limits":true,
          "workload":{"seq_len":2048,"micro_batch":2}})",
      R"({"model":"size-70b","gpu":"h100-sxm","stack":"megatron-bridge","method":"full",
          "limits":true,"workload":{"seq_len":4096,"micro_batch":1}})",
      R"({"model":"size-70b","gpu":"h100-sxm","method":{"kind":"full"},"limits":true,
          "kernels":{"recompute":"full","loss":"fused-linear"},"workload":{"seq_len":8192},
          "layout":{"gpus":32,"tp":8,"cp":2,"dp":2,"shard":"zero3"}})"};
  return kRequests;
}

TEST(Limits, FitsAtTheLimitAndNotBeyond) {
  for (const std::string& text : requests()) {
    const Json request = job(text);
    const Sizing sizing = sized(request);
    ASSERT_TRUE(sizing.limits);
    const Limits& limits = *sizing.limits;
    ASSERT_TRUE(limits.micro_batch && limits.seq_len) << text;
    EXPECT_EQ(verdict_at(request, sizing, "micro_batch", *limits.micro_batch), Verdict::kFits)
        << text;
    EXPECT_NE(verdict_at(request, sizing, "micro_batch", *limits.micro_batch + 1), Verdict::kFits)
        << text;
    const std::int64_t step = seq_len_step(sizing.plan.chosen.job.layout);
    EXPECT_EQ(*limits.seq_len % step, 0);
    EXPECT_EQ(verdict_at(request, sizing, "seq_len", *limits.seq_len), Verdict::kFits) << text;
    EXPECT_NE(verdict_at(request, sizing, "seq_len", *limits.seq_len + step), Verdict::kFits)
        << text;
  }
}

TEST(Limits, PowerOfTwoIsTheLargestBelow) {
  for (const std::string& text : requests()) {
    const Limits limits = *sized(job(text)).limits;
    const std::int64_t power = *limits.micro_batch_power_of_two;
    EXPECT_EQ(power & (power - 1), 0);
    EXPECT_LE(power, *limits.micro_batch);
    EXPECT_GT(2 * power, *limits.micro_batch);
  }
}

TEST(Limits, NextCountIsWhereNoLayoutOfTheCountFits) {
  for (const std::string& text : requests()) {
    Json request = job(text);
    const Sizing sizing = sized(request);
    const std::int64_t next = sizing.limits->next_count_seq_len.value();
    EXPECT_EQ(next % 1024, 0);
    request.erase("limits");
    request["layout"]["gpus"] = sizing.plan.chosen.job.layout.gpus();
    for (const std::int64_t seq_len : {next - 1024, next}) {
      if (seq_len == 0) continue;
      request["workload"]["seq_len"] = seq_len;
      EXPECT_EQ(sized(request).plan.chosen.verdict == Verdict::kFits, seq_len < next)
          << text << seq_len;
    }
  }
}

TEST(Limits, OnlyWhereAskedFor) {
  Json request = job(requests().front());
  request["limits"] = false;
  const Json answer = to_json(sized(request));
  EXPECT_FALSE(answer.contains("limits"));
  EXPECT_FALSE(answer.at("minimum").contains("comfortable"));
}

TEST(Limits, ComfortableIsTheCountWithThirtyPercentHeadroom) {
  Json request = job(
      R"({"model":"llama-3.2-3b","gpu":"h100-sxm","stack":"hf-trl","method":"full",
          "workload":{"seq_len":9216,"micro_batch":4},"limits":true})");
  const Sizing sizing = sized(request);
  ASSERT_TRUE(sizing.comfortable);
  request["headroom"] = 0.25;
  EXPECT_GT(*sizing.comfortable, sized(request).plan.rentable);
  request["headroom"] = 0.30;
  EXPECT_EQ(*sizing.comfortable, sized(request).plan.rentable);
  EXPECT_GT(*sizing.comfortable, sizing.plan.rentable);
}

TEST(Limits, RecommendedMeetsTheDeadline) {
  Json request = job(
      R"({"model":"size-7b","gpu":"h100-sxm","stack":"hf-trl","method":"lora-r16",
          "workload":{"seq_len":4096,"micro_batch":1,"tokens":500000000},"deadline_hours":3})");
  const Sizing sizing = sized(request);
  EXPECT_EQ(sizing.plan.rentable, 1);
  ASSERT_TRUE(sizing.recommended);
  EXPECT_EQ(to_json(sizing).at("minimum").at("recommended"), *sizing.recommended);
  request["layout"]["gpus"] = *sizing.recommended;
  EXPECT_LE(sized(request).hours->mid, 3);
  request["layout"]["gpus"] = *sizing.recommended / 2;
  EXPECT_GT(sized(request).hours->mid, 3);
  EXPECT_TRUE(to_json(sized(request)).at("minimum").at("recommended").is_null());
}

}  // namespace
}  // namespace sizesheet
