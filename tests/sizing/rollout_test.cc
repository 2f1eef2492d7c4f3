// SPDX-License-Identifier: Apache-2.0
// The clock of reinforcement learning against worked examples and published steps, and what must
// hold of any step.

#include "sizing/time/rollout.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "catalog/facts/engine_constants.h"
#include "sizing/job/job.h"
#include "sizing/job/lengths.h"
#include "sizing/memory/generation.h"
#include "sizing/memory/grpo_bill.h"
#include "sizing/sized.h"
#include "sizing/time/clocks.h"
#include "sizing/time/throughput.h"
#include "support/json.h"
#include "support/whole_numbers.h"

namespace sizesheet {
namespace {

constexpr double kSameFormula = 1e-9;
/// How far a figure may move before somebody must look: published rows and their predictions.
constexpr double kKeptShare = 1e-4;

void expect_share(double ours, double theirs, double share, const std::string& where) {
  EXPECT_LE(std::abs(ours / theirs - 1), share) << where << ": " << ours << " against " << theirs;
}

const EngineConstants& todays() { return project_catalog().engine.current; }

/// An engine as the worked examples have it: projections and head, without norms and biases.
Decoder decoder_of(const Json& worked, const Json& row) {
  const Json& shape = worked.at("shapes").at(row.at("shape").get<std::string>());
  const Json& card = worked.at("cards").at(row.at("card").get<std::string>());
  const auto n = [&](const char* key) { return shape.at(key).get<double>(); };
  Decoder decoder;
  decoder.tp = row.at("tp");
  const double tp = static_cast<double>(decoder.tp);
  const double routed = n("E") > 0 ? n("L") * 3 * n("h") * n("fe") * n("E") : 0;
  const double feed_forward = n("E") > 0 ? n("h") * n("E") : 3 * n("h") * n("f");
  const double dense =
      n("L") * (n("h") * n("d") * 2 * (n("a") + n("kv")) + feed_forward) + n("V") * n("h");
  DecodeWork& work = decoder.work;
  work.weight_bytes = 2 * dense / tp;
  work.parameters = dense / tp;
  if (routed > 0) {
    work.experts = {{2 * routed / tp, n("E"), n("k")}};
    work.parameters += routed / tp * n("k") / n("E");
  }
  work.cache_bytes = 2 * n("kv") * n("d") * n("L") * 2 / std::min(tp, n("kv"));
  work.layers = n("L");
  work.exchanges = 2 * n("L");
  decoder.hidden = n("h");
  decoder.bytes_per_second = card.at("bytes_per_second");
  decoder.peak_flops = card.at("peak_flops");
  decoder.bus_bytes_per_second = card.at("bus_bytes_per_second");
  decoder.constants = &todays();
  return decoder;
}

StepSeconds seconds_of(const Json& row) {
  const auto n = [&](const char* key) { return row.at("seconds").at(key).get<double>(); };
  return {n("generation"),  n("logprobs"), n("training"), n("critic"),
          n("weight_sync"), n("switch"),   n("fixed")};
}

TEST(Rollout, DecodeStepsOfTheWorkedExamples) {
  const Json worked = oracle("rollout.json");
  for (const Json& row : worked.at("decode")) {
    const double ours = decode_seconds(decoder_of(worked, row), row.at("batch"), row.at("context"));
    expect_share(ours, row.at("seconds"), kSameFormula, row.at("id"));
  }
}

TEST(Rollout, ExpertsThatABatchTouches) {
  const Json worked = oracle("rollout.json").at("touched");
  Decoder decoder;
  decoder.constants = &todays();
  decoder.peak_flops = decoder.bytes_per_second = 1;
  decoder.work.experts = {{1e6, worked.at("experts"), worked.at("visited")}};
  for (std::size_t i = 0; i < worked.at("batches").size(); ++i) {
    // A card of one byte a second reads nothing but the experts.
    const double seconds = decode_seconds(decoder, worked.at("batches").at(i), 0);
    const double share = seconds * todays().value("rollout.expert_stream_share") / 1e6;
    expect_share(share * worked.at("experts").get<double>(), worked.at("touched").at(i),
                 kSameFormula, "2.7");
  }
}

TEST(Rollout, LengthsArriveInTheOrderOfReversedBits) {
  const Json worked = oracle("rollout.json").at("lengths");
  const LengthSpread spread{worked.at("mean"), worked.at("longest"), worked.at("variation")};
  EXPECT_EQ(arriving_lengths(spread, worked.at("count")),
            worked.at("tokens").get<std::vector<std::int64_t>>());
  EXPECT_EQ(arriving_lengths({700, 700, 0.7}, 1), (std::vector<std::int64_t>{700}));
  std::vector<std::int64_t> odd = arriving_lengths(spread, 21);
  std::ranges::sort(odd);
  const std::vector<double> sorted = sorted_lengths(spread, 21);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    EXPECT_EQ(static_cast<double>(odd[i]), std::ceil(sorted[i] - 1e-9));
  }
}

TEST(Rollout, GenerationsOfTheWorkedExamples) {
  const Json worked = oracle("rollout.json");
  for (const Json& row : worked.at("generation")) {
    const EngineLoad load{row.at("prompts"), row.at("prompt_tokens"), row.at("slots")};
    const Generation ours =
        generate(decoder_of(worked, row), load,
                 arriving_lengths({row.at("mean"), row.at("longest"), 0.7}, row.at("completions")));
    expect_share(ours.decode, row.at("decode"), kSameFormula, row.at("id"));
    expect_share(ours.prefill, row.at("prefill"), kSameFormula, row.at("id"));
    EXPECT_EQ(ours.decode_steps, row.at("decode_steps").get<std::int64_t>()) << row.at("id");
  }
}

TEST(Rollout, StepsOfTheWorkedExamplesAddUp) {
  const Json worked = oracle("rollout.json");
  for (const Json& row : worked.at("steps")) {
    const double seconds = rollout_seconds<double>(row.at("ahead"), seconds_of(row));
    expect_share(seconds, row.at("step"), kSameFormula, row.at("id"));
  }
}

TEST(Rollout, CacheOfATokenIsTheMemoryBills) {
  const Json worked = oracle("rollout.json").at("cache_bytes");
  const Json request = {{"model", worked.at("model")},
                        {"gpu", "h100-sxm"},
                        {"method", {{"kind", "full"}}},
                        {"layout", {{"gpus", 8}}},
                        {"grpo", Json::object()}};
  EXPECT_EQ(decode_work(sized(request).plan.chosen.job).cache_bytes,
            worked.at("bytes").get<double>());
}

/// What this program says of a worked example's whole request, by the name of a figure.
std::map<std::string, double> own_figures(const Json& worked) {
  std::map<std::string, double> figures;
  const GrpoBill bill = sized(worked.at("resident").at("request")).plan.chosen.grpo.value();
  figures["2.1 value"] = static_cast<double>(bill.value_model);
  figures["2.1 reference"] = static_cast<double>(bill.reference_weights);
  figures["2.1 reward"] = static_cast<double>(bill.reward_model);
  for (const Json& row : worked.at("steps")) {
    const Throughput speed = sized(row.at("request")).speed.value();
    const Json seconds = as_json(*speed.rollout);
    for (const auto& [key, value] : seconds.items()) {
      figures[row.at("id").get<std::string>() + " " + key] = value;
    }
  }
  return figures;
}

TEST(Rollout, DeviationsFromTheWorkedExamplesAreListed) {
  const Json worked = oracle("rollout.json");
  const std::map<std::string, double> ours = own_figures(worked);
  std::map<std::string, double> theirs;
  for (const char* key : {"value", "reference", "reward"}) {
    theirs[std::string("2.1 ") + key] = worked.at("resident").at("bytes").at(key);
  }
  for (const Json& row : worked.at("steps")) {
    const std::string id = row.at("id");
    for (const auto& [key, value] : row.at("seconds").items()) theirs[id + " " + key] = value;
    theirs[id + " step"] = row.at("step");
  }
  std::set<std::string> listed;
  for (const Json& row : worked.at("deviations")) {
    const std::string figure = row.at("figure");
    listed.insert(figure);
    expect_share(ours.at(figure), row.at("ours"), kKeptShare, figure);
    expect_share(theirs.at(figure), row.at("theirs"), kSameFormula, figure);
    EXPECT_FALSE(row.at("reason").get<std::string>().empty()) << figure;
  }
  for (const auto& [figure, value] : theirs) {
    if (listed.contains(figure)) continue;
    EXPECT_NEAR(ours.at(figure), value, kSameFormula * std::max(1.0, value)) << figure;
  }
}

/// Of a row whose card the catalog lacks, its generation with the hand-over of weights.
double generation_elsewhere(const Json& row) {
  const Sizing sizing = sized(row.at("request"));
  const Job& job = sizing.plan.chosen.job;
  Decoder decoder = decoder_of(job, project_catalog().gpu("h100-sxm"));
  const Json& card = row.at("card");
  decoder.bytes_per_second = card.at("bytes_per_second");
  decoder.peak_flops = card.at("peak_flops");
  decoder.bus_bytes_per_second = card.at("bus_bytes_per_second");
  const GrpoSpec& grpo = *job.grpo;
  const std::int64_t engines = row.at("engines");
  const auto each = static_cast<std::int64_t>(grpo.completions()) / engines;
  const EngineLoad load{static_cast<double>(*grpo.prompts_per_step / engines), grpo.prompt_mean,
                        row.at("slots")};
  const LengthSpread spread{grpo.completion(), as_double(grpo.completion_length),
                            grpo.completion_variation};
  return generate(decoder, load, arriving_lengths(spread, each)).seconds();
}

double predicted(const Json& row) {
  if (row.at("kind") == "generation") return generation_elsewhere(row);
  const Sizing sizing = sized(row.at("request"));
  if (row.at("kind") == "step") return sizing.speed.value().rollout.value().step;
  return decode_seconds(decoder_of(sizing.plan.chosen.job, project_catalog().gpu("h100-sxm")),
                        row.at("batch"), row.at("context"));
}

/// Distances of ratios from 1, ascending.
struct Errors {
  std::vector<double> all;

  double median() const { return all.at(all.size() / 2); }
  double worst() const { return all.back(); }
};

Errors errors_of(const Json& rows, const char* kind, const char* figure) {
  Errors errors;
  for (const Json& row : rows) {
    if (row.at("kind") != kind || row.contains("flags")) continue;
    errors.all.push_back(
        std::abs(row.at(figure).get<double>() / row.at("measured_s").get<double>() - 1));
  }
  std::ranges::sort(errors.all);
  return errors;
}

/// What the hours' range claims, and what the clock reached when this was written.
TEST(RolloutMeasured, StepsLieWithinTheRange) {
  const Json published = oracle("rollout_measured.json");
  const Errors ours = errors_of(published.at("rows"), "step", "predicted_s");
  EXPECT_EQ(ours.all.size(), 23U);
  EXPECT_LE(ours.median(), 0.16);
  EXPECT_LE(ours.worst(), 0.39);
  for (const Json& row : published.at("rows")) {
    if (row.at("kind") != "step" || row.contains("flags")) continue;
    const double took = row.at("measured_s").get<double>() / row.at("predicted_s").get<double>();
    EXPECT_GE(took, todays().value("rollout.hours_low")) << row.at("id");
    EXPECT_LE(took, todays().value("rollout.hours_high")) << row.at("id");
  }
  const Errors decoding = errors_of(published.at("rows"), "decode", "predicted_s");
  EXPECT_EQ(decoding.all.size(), 7U);
  EXPECT_LE(decoding.worst(), 0.012);
  // A training clock fitted to these very rows does not do much better.
  const Errors other = errors_of(published.at("rows"), "step", "other_s");
  EXPECT_NEAR(other.median(), 0.11, 0.01);
  EXPECT_NEAR(other.worst(), 0.27, 0.01);
}

TEST(RolloutMeasured, PredictionsAreThoseOfTheFile) {
  const Json published = oracle("rollout_measured.json");
  for (const Json& row : published.at("rows")) {
    const double ours = predicted(row);
    expect_share(ours, row.value("predicted_s", 0.0), kKeptShare,
                 row.at("id").get<std::string>() + " measured " + row.at("measured_s").dump());
  }
}

}  // namespace
}  // namespace sizesheet
