// SPDX-License-Identifier: Apache-2.0
// Hours of reinforcement learning and the models that score: what a step adds up to, what more of a
// thing does to it, and every refusal in full.
#include <gtest/gtest.h>

#include <cmath>

#include "sizing/estimate.h"
#include "sizing/sized.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Full fine-tuning of Qwen2.5 7B on 8 sharded H100 with these keys of `grpo`; a key that is null
/// is left out.
Json full_7b(const Json& grpo, const Json& workload = Json::object()) {
  Json request = {{"model", "qwen2.5-7b"},
                  {"gpu", "h100-sxm"},
                  {"method", {{"kind", "full"}}},
                  {"state", "fsdp-mixed"},
                  {"kernels", {{"recompute", "full"}}},
                  {"layout", {{"gpus", 8}, {"tp", 1}, {"shard", "zero3"}}},
                  {"workload", workload},
                  {"grpo",
                   {{"prompts_per_step", 128},
                    {"completion_mean", 600},
                    {"prompt_mean", 200},
                    {"memory_fraction", 0.5}}}};
  request["grpo"].update(grpo);
  return request;
}

/// The same with four servers beside the trainer's cards, unless `grpo` says otherwise.
Json served_7b(const Json& grpo) {
  Json served = {{"generation", "server"}, {"generation_gpus", 4}, {"memory_fraction", 0.9}};
  served.update(grpo);
  return full_7b(served);
}

Throughput run_of(const Json& request) { return sized(request).speed.value(); }
StepSeconds rollout_of(const Json& request) { return run_of(request).rollout.value(); }
GrpoBill bill_of(const Json& request) { return sized(request).plan.chosen.grpo.value(); }

// ---- the step and the hours
// -----------------------------------------------------------------------

TEST(GrpoHours, StepsTimesStep) {
  const Sizing sizing = sized(full_7b(Json::object(), {{"examples", 6400}, {"epochs", 2}}));
  const double step = sizing.speed.value().rollout.value().step;
  const Hours hours = sizing.hours.value();
  EXPECT_NEAR(hours.mid, 100 * step / 3600, 1e-4);  // 12,800 prompts, 128 a step
  EXPECT_NEAR(hours.low, 0.6 * hours.mid, 2e-4);
  EXPECT_NEAR(hours.high, 1.7 * hours.mid, 2e-4);
}

TEST(GrpoHours, AStatedAccumulationStaysAndTheTokensCount) {
  // 1,024 completions over 8 ranks are 128 micro-batches; said otherwise, the clock of a step that
  // is that of its micro-batches and an optimizer step is stretched to the same tokens.
  const Sizing followed = sized(full_7b(Json::object()));
  const Sizing stated = sized(full_7b(Json::object(), {{"grad_accum", 64}}));
  EXPECT_EQ(followed.plan.chosen.job.grad_accum, 128);
  EXPECT_EQ(stated.plan.chosen.job.grad_accum, 64);
  EXPECT_NEAR(stated.speed->rollout->training / followed.speed->rollout->training, 1, 0.01);
}

TEST(GrpoHours, RunsAsLongAsAsked) {
  EXPECT_FALSE(sized(full_7b(Json::object())).hours);
  const auto hours = [](const Json& workload) {
    return sized(full_7b(Json::object(), workload)).hours.value().mid;
  };
  const double plain = hours({{"examples", 6400}});
  EXPECT_NEAR(hours({{"examples", 6400}, {"epochs", 0.5}}), plain / 2, 1e-4);
  EXPECT_NEAR(hours({{"examples", 6400}, {"startup_hours", 1}}), plain + 1, 1e-4);
  EXPECT_NEAR(hours({{"examples", 6400}, {"checkpoint_share", 0.1}}), 1.1 * plain, 1e-3);
}

TEST(GrpoHours, SpeedIsOfTheWholeStepOverAllCards) {
  const Throughput speed = run_of(full_7b(Json::object()));
  EXPECT_NEAR(speed.tokens_per_second_per_gpu, 128 * 8 * 800 / speed.rollout->step / 8, 1e-9);
  const Throughput served = run_of(served_7b(Json::object()));
  EXPECT_NEAR(served.tokens_per_second_per_gpu, 128 * 8 * 800 / served.rollout->step / 12, 1e-9);
}

TEST(GrpoHours, PartsAddUpWhereTheyFollowEachOther) {
  for (const Json& request : {full_7b(Json::object()), served_7b(Json::object())}) {
    const Throughput speed = run_of(request);
    double sum = 0;
    for (const NamedClock& part : parts_of(speed)) sum += part.seconds;
    EXPECT_NEAR(sum, speed.rollout->step, 1e-9);
  }
  const StepSeconds ahead = rollout_of(served_7b({{"steps_off_policy", 1}}));
  EXPECT_NEAR(
      ahead.step,
      std::max(ahead.generation, ahead.logprobs + ahead.training + ahead.fixed) + ahead.weight_sync,
      1e-9);
  EXPECT_EQ(ahead.switching, 0);
}

TEST(GrpoHours, AnswerSaysWhereTheTimeGoes) {
  const Json line = to_json(sized(full_7b(Json::object())));
  const Json& speed = line.at("throughput");
  EXPECT_EQ(speed.at("bound_by"), "training");
  const Json& step = speed.at("step_seconds");
  EXPECT_EQ(step.size(), 8U);
  EXPECT_NEAR(speed.at("generation_share").get<double>(),
              step.at("generation").get<double>() / step.at("step").get<double>(), 1e-12);
}

TEST(GrpoHours, WithoutPromptsOnlyMemoryIsTold) {
  Json request = full_7b(Json::object());
  request["grpo"] = {{"memory_fraction", 0.5}};
  const Json line = to_json(sized(request));
  EXPECT_TRUE(line.at("throughput").is_null());
  EXPECT_TRUE(line.at("hours").is_null());
}

TEST(GrpoHours, WithoutMeanTheLimitIsAnUpperBound) {
  Json request = full_7b(Json::object());
  request["grpo"].erase("completion_mean");
  const Sizing sizing = sized(request);
  EXPECT_EQ(sizing.warnings.at(1),
            "grpo: without completion_mean every completion is as long as the limit of 1,024 "
            "tokens, so the hours are an upper bound");
  EXPECT_GT(sizing.speed->rollout->step, rollout_of(full_7b(Json::object())).step);
}

TEST(GrpoHours, StacksSwitchIsAKey) {
  const double five = rollout_of(full_7b(Json::object())).switching;
  EXPECT_NEAR(rollout_of(full_7b({{"switch_seconds", 22}})).switching, five + 17, 1e-9);
  EXPECT_NEAR(rollout_of(full_7b({{"switch_seconds", 0}, {"sleep", false}})).switching, 0, 1e-12);
}

TEST(GrpoHours, SearchForTimeAndDeadlineCountTheWholeStep) {
  Json request = full_7b(Json::object(), {{"examples", 6400}});
  request.erase("layout");
  request["objective"] = "time";
  request["max_gpus"] = 32;
  const Sizing sizing = sized(request);
  EXPECT_TRUE(sizing.hours);
  request["deadline_hours"] = sizing.hours->mid / 1.5;
  EXPECT_GT(sized(request).recommended.value(), sizing.plan.chosen.job.layout.gpus());
}

// ---- what more of a thing does
// --------------------------------------------------------------------

TEST(GrpoHours, MoreEnginesNeverGenerateSlower) {
  double before = 1e9;
  for (const int gpus : {1, 2, 4, 8, 64, 2048}) {
    const double seconds = rollout_of(served_7b({{"generation_gpus", gpus}})).generation;
    EXPECT_LE(seconds, before) << gpus;
    before = seconds;
  }
}

TEST(GrpoHours, MoreOfWhatTakesTimeNeverTakesLess) {
  const std::pair<const char*, std::vector<double>> keys[] = {
      {"completion_mean", {1, 50, 300, 600, 900, 1024}},
      {"prompt_mean", {1, 100, 512}},
      {"prompts_per_step", {1, 8, 32, 128, 512}},
      {"epochs", {1, 2, 4}},
      {"switch_seconds", {0, 5, 22}},
      {"group_size", {2, 8, 16}}};
  for (const auto& [key, values] : keys) {
    double before = 0;
    for (const double value : values) {
      Json number = value;
      if (value == std::floor(value)) number = static_cast<std::int64_t>(value);
      const double step = rollout_of(full_7b({{key, number}})).step;
      EXPECT_GE(step, before) << key << " " << value;
      before = step;
    }
  }
}

TEST(GrpoHours, AWiderSpreadOfLengthsTakesLonger) {
  EXPECT_GT(rollout_of(full_7b({{"completion_cv", 1.0}})).generation,
            rollout_of(full_7b({{"completion_cv", 0.1}})).generation);
}

TEST(GrpoHours, RunningFurtherAheadNeverTakesLonger) {
  double before = 1e9;
  for (const int steps : {0, 1, 2, 8}) {
    const double step = rollout_of(served_7b({{"steps_off_policy", steps}})).step;
    EXPECT_LE(step, before) << steps;
    before = step;
  }
}

TEST(GrpoHours, DynamicSamplingGeneratesMore) {
  const StepSeconds all = rollout_of(full_7b({{"algorithm", "dapo"}}));
  const StepSeconds third = rollout_of(full_7b({{"algorithm", "dapo"}, {"kept_groups", 0.333333}}));
  EXPECT_GT(third.generation, all.generation);
  EXPECT_EQ(third.training, all.training);
}

TEST(GrpoHours, EagerGenerationIsSlowerAndHoldsNoGraphs) {
  EXPECT_GT(rollout_of(full_7b({{"eager_generation", true}})).generation,
            rollout_of(full_7b(Json::object())).generation);
  EXPECT_EQ(bill_of(full_7b({{"eager_generation", true}})).generation.cuda_graphs, 0);
}

/// LoRA of any model beside a server over eight GPUs, split as far as the model lets itself be.
std::optional<Question> server_of(const std::string& model) {
  for (const int tp : {8, 4, 2, 1}) {
    Json request = served_7b({{"generation_gpus", 8}, {"generation_tp", tp}});
    request["model"] = model;
    request["gpu"] = "b300";
    request["method"] = {{"kind", "lora"}, {"rank", 8}, {"targets", "attention"}};
    request["state"] = "peft-fp32";
    Faults faults;
    Question question =
        read_question(request, project_catalog(), project_catalog().engine.current, faults);
    if (faults.empty()) return question;
    // A trillion parameters in 16 bits do not fit into eight cards.
    EXPECT_TRUE(tp > 1 || starts_with(model, "kimi-k2")) << faults.request_text();
  }
  return std::nullopt;
}

TEST(GrpoHours, EveryModelOfTheCatalogIsTimed) {
  for (const auto& [id, model] : project_catalog().models) {
    const auto question = server_of(id);
    if (!question) continue;
    const Sizing sizing = answer(*question);
    ASSERT_TRUE(sizing.speed) << id;
    for (const NamedClock& part : parts_of(*sizing.speed)) {
      EXPECT_TRUE(std::isfinite(part.seconds) && part.seconds > 0) << id << " " << part.id;
    }
  }
}

// ---- models beside the policy
// ---------------------------------------------------------------------

TEST(GrpoHours, ValueModelTakesMemoryAndTime) {
  const Json ppo = {{"algorithm", "ppo"}};
  const Json with = {{"algorithm", "ppo"}, {"value_model", "copy"}};
  const GrpoBill bill = bill_of(full_7b(with));
  // 7,615,616,512 parameters less a head of 152,064 x 3,584; 16 bytes over 8, and 2 % on them.
  const double held = (7615616512.0 - 152064.0 * 3584) * 16 / 8 * 1.02;
  EXPECT_NEAR(static_cast<double>(bill.value_model), held, 0.001 * held);
  EXPECT_EQ(bill_of(full_7b(ppo)).value_model, 0);
  EXPECT_EQ(bill.training_phase - bill_of(full_7b(ppo)).training_phase, bill.value_model);
  const StepSeconds step = rollout_of(full_7b(with));
  EXPECT_EQ(rollout_of(full_7b(ppo)).critic, 0);
  // One pass forward of the old policy beside the training: the value model has both, but no head.
  EXPECT_LT(step.critic, step.training + step.logprobs);
  EXPECT_GT(step.critic, 0.9 * (step.training + step.logprobs));
}

TEST(GrpoHours, RewardModelStandsOnTheTrainersCardsOrItsOwn) {
  const Json here = {{"reward_model", "qwen2.5-7b"}};
  const Json there = {{"reward_model", "qwen2.5-7b"}, {"reward_gpus", 2}};
  EXPECT_NEAR(static_cast<double>(bill_of(full_7b(here)).reward_model), 7615616512.0 * 2 / 8 * 1.02,
              2);
  EXPECT_EQ(bill_of(full_7b(there)).reward_model, 0);
  EXPECT_EQ(bill_of(full_7b({{"reward_model", "function"}})).reward_model, 0);
  const double none = rollout_of(full_7b(Json::object())).logprobs;
  const double on_eight = rollout_of(full_7b(here)).logprobs - none;
  EXPECT_GT(on_eight, 0);
  EXPECT_NEAR(rollout_of(full_7b(there)).logprobs - none, 4 * on_eight, 1e-9);
  const Sizing sizing = sized(full_7b(there));
  EXPECT_EQ(to_json(sizing).at("grpo").at("together").at("gpus"), 10);
  EXPECT_EQ(sizing.warnings.at(1),
            "grpo.reward_gpus: the reward model takes 2 GPUs more; whether they hold it is not "
            "checked");
}

TEST(GrpoHours, OffloadedReferenceLeavesTheCard) {
  EXPECT_GT(bill_of(full_7b({{"reference", "copy"}})).reference_weights, 0);
  const Json offloaded = {{"reference", "copy"}, {"reference_offload", true}};
  EXPECT_EQ(bill_of(full_7b(offloaded)).reference_weights, 0);
}

TEST(GrpoHours, PassesFollowTheReference) {
  const double one = rollout_of(full_7b(Json::object())).logprobs;
  EXPECT_NEAR(rollout_of(full_7b({{"reference", "copy"}})).logprobs, 2 * one, 1e-9);
  EXPECT_EQ(rollout_of(full_7b({{"logprob_passes", 0}})).logprobs, 0);
}

}  // namespace
}  // namespace sizesheet
