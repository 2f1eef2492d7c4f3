// SPDX-License-Identifier: Apache-2.0
// Lengths of samples, and batches of samples that are not alike: what they compute beside the
// samples' own tokens, against examples worked apart, and what follows for hours, memory and
// refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sizing/job/lengths.h"
#include "sizing/sized.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/named.h"

namespace sizesheet {
namespace {

constexpr double kExact = 1e-9;

void expect_worked(double got, double want, const std::string& what) {
  EXPECT_NEAR(got, want, kExact * want) << what;
}

SampleBatches worked(Batching batching, std::int64_t rows) {
  const Json file = oracle("lengths.json");
  return batches_of(batching, {file.at("mean"), file.at("longest"), file.at("variation")}, rows);
}

double tokens_of(const std::vector<double>& lengths) {
  return std::accumulate(lengths.begin(), lengths.end(), 0.0);
}

TEST(Batching, ComputesWhatTheWorkedExamplesDo) {
  const Json file = oracle("lengths.json");
  EXPECT_EQ(tokens_of(*worked(Batching::kPadded, 1).lengths), file.at("tokens").get<double>());
  for (const Json& row : file.at("batches")) {
    const auto batching = value_of(kBatchings, row.at("batching").get<std::string>()).value();
    expect_worked(worked(batching, row.at("rows")).cost.computed, row.at("computed"), row.dump());
  }
  for (const Json& row : file.at("longest_of")) {
    const std::vector<double> lengths = *worked(Batching::kPadded, 1).lengths;
    expect_worked(expected_longest(lengths, row.at("drawn")), row.at("tokens"), row.dump());
  }
}

TEST(Batching, PacksAsTheWorkedExamplesDo) {
  const Json rows = oracle("lengths.json").at("packing");
  for (const Json& row : rows) {
    const double size = row.at("size");
    std::vector<double> lengths = *worked(Batching::kPadded, 1).lengths;
    for (double& one : lengths) one = std::min(one, size);
    const std::vector<double> room = free_after_packing(lengths, size);
    const auto packs = static_cast<double>(room.size());
    const double squares = std::inner_product(lengths.begin(), lengths.end(), lengths.begin(), 0.0);
    EXPECT_EQ(packs, row.at("packs").get<double>());
    expect_worked(1 - tokens_of(room) / (packs * size), row.at("efficiency"), "efficiency");
    expect_worked(static_cast<double>(lengths.size()) / packs, row.at("samples_per_pack"),
                  "samples");
    expect_worked(squares / (packs * size * size), row.at("mean_square_over_size2"), "squares");
    expect_worked(squares / tokens_of(lengths), row.at("attended"), "attended");
  }
}

// The engine leaves the emptiest pack out: it is the end of these samples, not of a data set.
TEST(Batching, DeviatesFromTheExamplesWhereTheDataEnd) {
  const Json rows = oracle("lengths.json").at("deviations");
  for (const Json& row : rows) {
    const LengthSpread spread{row.at("mean"), row.at("longest"), row.at("variation")};
    const BatchCost cost = batches_of(Batching::kPacked, spread, 1).cost;
    expect_worked(1 / cost.computed, row.at("efficiency"), "ours");
    EXPECT_GT(1 / cost.computed, row.at("of_all_packs").get<double>());
    EXPECT_NEAR(1 / cost.computed, row.at("of_all_packs"), 0.01);
  }
}

TEST(Batching, NeverComputesLessThanItTrainsAndMoreInLargerOrMoreUnevenBatches) {
  for (const double mean : {40.0, 350.0, 1500.0}) {
    std::map<Batching, double> before;
    for (const double variation : {0.0, 0.3, 0.9, 1.5}) {
      double smaller = 1;
      for (const std::int64_t rows : {1, 2, 5, 16, 64}) {
        std::map<Batching, double> computed;
        for (const auto& [batching, id] : kBatchings) {
          const SampleBatches batches = batches_of(batching, {mean, 2048, variation}, rows);
          computed[batching] = batches.cost.computed;
          EXPECT_GE(batches.cost.computed, 1 - kExact) << id;
          EXPECT_GE(batches.waiting(8), 1 - 1e-3) << id;
          EXPECT_LE(batches.cost.attended, 2048) << id;
        }
        EXPECT_LE(computed[Batching::kGrouped], computed[Batching::kPadded] + kExact);
        EXPECT_LE(computed[Batching::kPadded], computed[Batching::kFixed] + kExact);
        EXPECT_GE(computed[Batching::kPadded], smaller - kExact) << rows;
        smaller = computed[Batching::kPadded];
      }
      EXPECT_GE(smaller, before[Batching::kPadded] - kExact) << variation;
      before[Batching::kPadded] = smaller;
    }
  }
}

// Four samples of 1 to 4 tokens: of two that are drawn the longest is 1 in 1 of 16 cases, 2 in 3,
// 3 in 5 and 4 in 7, so 50 / 16.
TEST(Batching, LongestOfTwoByHand) {
  EXPECT_DOUBLE_EQ(expected_longest({1, 2, 3, 4}, 2), 50.0 / 16);
  EXPECT_DOUBLE_EQ(expected_longest({1, 2, 3, 4}, 2, 2), (1 + 3 * 4 + 5 * 9 + 7 * 16) / 16.0);
  // 4 and 1, 3 and 2 fill packs of 5.
  EXPECT_EQ(free_after_packing({1, 2, 3, 4}, 5), (std::vector<double>{0, 0}));
}

const char* const kRun =
    R"({"model":"llama-3.1-8b","gpu":"h100-sxm","method":{"kind":"lora","rank":16},
        "state":"pure-bf16","kernels":{"recompute":"full"},
        "workload":{"seq_len":4096,"micro_batch":4,"tokens":10000000},
        "layout":{"gpus":1,"dp":1,"tp":1}})";

Json request_with(const char* patch) {
  Json request = parse_json(kRun, "request");
  request.merge_patch(parse_json(patch, "patch"));
  return request;
}

Json answer_with(const char* patch) { return to_json(sized(request_with(patch))); }

TEST(Batching, HoursAreOfTheTokensComputed) {
  const Json padded = answer_with(R"({"workload":{"batching":"padded","mean_length":350}})");
  const Json& speed = padded.at("throughput");
  expect_worked(speed.at("tokens_computed_per_token"), 1.9126366580733352, "padded");
  EXPECT_EQ(speed.at("slowest_rank_over_mean"), 1);
  const double hours =
      1e7 * 1.9126366580733352 / speed.at("tokens_per_second_per_gpu").get<double>() / 3600;
  EXPECT_NEAR(padded.at("hours").at("mid"), hours, 1e-4);
  EXPECT_EQ(padded.at("defaults").at("taken").at("workload.length_cv"), 0.9);
  const Json& warnings = padded.at("warnings");
  EXPECT_NE(std::ranges::find(warnings,
                              "workload.length_cv: 0.9 is assumed; the padding and the hours "
                              "depend on it"),
            warnings.end());
}

TEST(Batching, MemoryIsThatOfTheLongestBatch) {
  const Json plain = answer_with("{}");
  const Json varying = answer_with(R"({"workload":{"packed":false}})");
  const auto memory = [](const char* batching) {
    return answer_with(
               (R"({"workload":{"mean_length":350,"batching":")" + std::string(batching) + R"("}})")
                   .c_str())
        .at("memory");
  };
  EXPECT_NE(plain.at("memory"), varying.at("memory"));
  EXPECT_EQ(memory("fixed"), plain.at("memory"));
  for (const char* one : {"padded", "grouped", "padding-free"}) {
    EXPECT_EQ(memory(one), varying.at("memory")) << one;
  }
}

TEST(Batching, PackedChangesNothingWithoutASpread) {
  const Json plain = answer_with(R"({"workload":{"tokens":null,"examples":9,"mean_length":9}})");
  Json named = answer_with(
      R"({"workload":{"tokens":null,"examples":9,"mean_length":9,"batching":"packed"}})");
  EXPECT_FALSE(plain.at("throughput").contains("tokens_computed_per_token"));
  EXPECT_EQ(named, plain);
}

TEST(Batching, PacksOfAKnownSpreadAttendWithinTheirSamples) {
  const Json plain = answer_with("{}").at("throughput");
  const Json spread =
      answer_with(R"({"workload":{"mean_length":350,"length_cv":0.9}})").at("throughput");
  const double attended = worked(Batching::kPacked, 4).cost.attended;
  const Json same = answer_with(
      ("{\"workload\":{\"sample_length\":" + std::to_string(std::llround(attended)) + "}}")
          .c_str());
  EXPECT_LT(spread.at("clocks").at("attention"), plain.at("clocks").at("attention"));
  EXPECT_EQ(spread.at("clocks"), same.at("throughput").at("clocks"));
}

TEST(Batching, RanksWaitForTheOneWithMostTokens) {
  const char* const kRanks =
      R"({"workload":{"batching":"padded","mean_length":350,"micro_batch":1},
          "layout":{"gpus":8,"dp":8}})";
  const Json speed = answer_with(kRanks).at("throughput");
  const SampleBatches one = worked(Batching::kPadded, 1);
  const double mean = tokens_of(*one.lengths) / static_cast<double>(one.lengths->size());
  expect_worked(speed.at("slowest_rank_over_mean"), expected_longest(*one.lengths, 8) / mean, "8");
  const StepClocks clocks = sized(request_with(kRanks)).speed->clocks;
  const double computing = clocks.total() - clocks.exchange - clocks.optimizer;
  const double waited = (speed.at("slowest_rank_over_mean").get<double>() - 1) * computing;
  EXPECT_GE(clocks.exchange, waited * (1 - kExact));
  EXPECT_LT(clocks.exchange, waited * 1.2);
}

TEST(Batching, ReplacesTheStacksPacking) {
  Json request = request_with(R"({"stack":"hf-trl","state":null,"kernels":null,"workload":
      {"batching":"grouped","mean_length":350}})");
  EXPECT_EQ(sized(request).plan.chosen.job.samples->batching, Batching::kGrouped);
}

TEST(Lengths, SixteenOfMeanNineHundredByHand) {
  const std::vector<double> lengths = sorted_lengths({900, 4096, 0.7}, 16);
  std::vector<double> whole;
  for (const double one : lengths) whole.push_back(std::ceil(one - 1e-9));
  EXPECT_EQ(whole, (std::vector<double>{232, 327, 397, 460, 521, 583, 647, 715, 790, 873, 969, 1083,
                                        1227, 1422, 1727, 2435}));
}

TEST(Lengths, KeepTheirMeanWhateverTheCut) {
  for (const double longest : {1000.0, 1500.0, 20000.0}) {
    const std::vector<double> lengths = sorted_lengths({900, longest, 0.9}, 513);
    EXPECT_NEAR(tokens_of(lengths) / static_cast<double>(lengths.size()), 900, 1e-6) << longest;
    EXPECT_LE(lengths.back(), longest);
    EXPECT_TRUE(std::ranges::is_sorted(lengths));
  }
}

TEST(Lengths, AreAllTheMeanWithoutVariation) {
  for (const double one : sorted_lengths({350, 4096, 0}, 7)) EXPECT_NEAR(one, 350, 1e-9);
}

TEST(Lengths, PairsOfAListArePaddedAsTheyWouldBeInAnyOrder) {
  // Two batches of two pairs; the example takes the one order that its list has.
  const std::vector<double> lengths{100, 120, 260, 300, 400, 420, 700, 900};
  const Json deviations = oracle("engine_deviations.json").at("worked");
  const Json& deviation = deviations.at("1.10, padded pairs");
  expect_worked(2 * 4 * expected_longest(lengths, 4), deviation.at("engine"), "1.10");
  EXPECT_NE(deviation.at("engine"), deviation.at("reference"));
}

}  // namespace
}  // namespace sizesheet
