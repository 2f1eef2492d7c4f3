// SPDX-License-Identifier: Apache-2.0
// What reinforcement learning with hours refuses, each message in full.
#include <gtest/gtest.h>

#include "sizing/estimate.h"
#include "sizing/sized.h"

namespace sizesheet {
namespace {

/// A timed run of Llama 3.1 8B with LoRA on one H100 with these keys of `grpo`, and with others of
/// the request.
std::string refusal_under(const Json& grpo, const Json& others = Json::object()) {
  Json request = {{"model", "llama-3.1-8b"},
                  {"gpu", "h100-sxm"},
                  {"method", {{"kind", "lora"}, {"rank", 16}}},
                  {"layout", {{"gpus", 1}}},
                  {"grpo", {{"prompts_per_step", 16}}}};
  request["grpo"].update(grpo);
  request.update(others);
  return refusal_of([&] { sized(request); });
}

const Json kAlone = Json::object();

TEST(GrpoRefusals, Algorithms) {
  EXPECT_EQ(refusal_under({{"algorithm", "grop"}}),
            "grpo.algorithm: expected one of grpo, rloo, dapo, ppo; got \"grop\" (did you mean "
            "\"grpo\"?)");
  EXPECT_EQ(refusal_under({{"algorithm", "ppo"}, {"group_size", 4}}),
            "grpo.group_size: algorithm \"ppo\" takes one completion of a prompt; groups need "
            "grpo, rloo or dapo, got 4");
  EXPECT_EQ(refusal_under({{"kept_groups", 0.5}}),
            "grpo.kept_groups: needs algorithm \"dapo\", whose dynamic sampling throws groups "
            "away, got 0.5");
  EXPECT_EQ(refusal_under(kAlone, {{"method", {{"kind", "ppo"}}}}),
            "method.kind: \"ppo\" is what is trained for, which a grpo object says; this is what "
            "trains: full, lora, dora or qlora");
}

TEST(GrpoRefusals, Models) {
  EXPECT_EQ(refusal_under({{"value_model", "copy"}}),
            "grpo.value_model: needs algorithm \"ppo\"; \"grpo\" compares the completions of one "
            "prompt instead, got \"copy\"");
  EXPECT_EQ(refusal_under({{"reward_model", "llama-3.1-8"}}),
            "grpo.reward_model: no model \"llama-3.1-8\" in the catalog (did you mean "
            "\"llama-3.1-8b\" or \"llama-3.1-nemotron-nano-8b\"?)");
  EXPECT_EQ(refusal_under({{"reward_gpus", 2}}),
            "grpo.reward_gpus: needs a reward_model that runs on them, got 2");
  EXPECT_EQ(refusal_under({{"reference_offload", true}, {"reference", "adapter-off"}}),
            "grpo.reference_offload: true needs reference \"copy\", which alone has weights of its "
            "own, got \"adapter-off\"");
}

TEST(GrpoRefusals, Lengths) {
  EXPECT_EQ(refusal_under({{"completion_mean", 2000}}),
            "grpo.completion_mean: a mean lies at or below the limit, completion_length 1024, got "
            "2000");
  EXPECT_EQ(refusal_under({{"prompt_mean", 513}}),
            "grpo.prompt_mean: a mean lies at or below the limit, prompt_length 512, got 513");
  EXPECT_EQ(refusal_under({{"completion_cv", 0.5}}),
            "grpo.completion_cv: needs completion_mean: without it every completion has the "
            "limit's length, got 0.5");
}

TEST(GrpoRefusals, Steps) {
  EXPECT_EQ(refusal_under({{"optimizer_steps", 3}}),
            "grpo.optimizer_steps: 128 completions of a step are not divisible by 3 (nearest: 2, "
            "4)");
  EXPECT_EQ(refusal_under({{"logprob_passes", 2}}),
            "grpo.logprob_passes: the old policy takes one pass or none, and reference \"none\" "
            "takes 0: expected 0 or 1, got 2");
  EXPECT_EQ(refusal_under({{"logprob_passes", 0}, {"reference", "adapter-off"}}),
            "grpo.logprob_passes: the old policy takes one pass or none, and reference "
            "\"adapter-off\" takes 1: expected 1 or 2, got 0");
  EXPECT_EQ(refusal_under({{"steps_off_policy", 1}}),
            "grpo.steps_off_policy: needs generation \"server\": colocated, generation waits for "
            "training, got 1");
  EXPECT_EQ(
      refusal_under({{"generation", "server"}, {"generation_gpus", 1}, {"switch_seconds", 3}}),
      "grpo.switch_seconds: needs generation \"colocated\": with a server nothing changes "
      "places");
}

TEST(GrpoRefusals, WhatOnlyTheClockAsksForWithoutPrompts) {
  EXPECT_EQ(refusal_under({{"prompts_per_step", nullptr}, {"optimizer_steps", 2}}),
            "grpo.optimizer_steps: needs prompts_per_step: without it the step is not timed, got "
            "2");
  EXPECT_EQ(refusal_under({{"prompts_per_step", nullptr}, {"epochs", 1}, {"kept_groups", 1}}),
            "no refusal");
  for (const char* key : {"prompt_mean", "completion_mean", "completion_cv", "logprob_passes",
                          "steps_off_policy", "switch_seconds"}) {
    EXPECT_EQ(refusal_under({{"prompts_per_step", nullptr}, {key, 1}}),
              std::string("grpo.") + key +
                  ": needs prompts_per_step: without it the step is not timed, got 1");
  }
}

TEST(GrpoRefusals, BatchIsThatOfThePrompts) {
  EXPECT_EQ(refusal_under(kAlone, {{"workload", {{"global_batch", 64}}}}),
            "workload: global_batch leaves the accumulation to the layout, and grpo counts the "
            "step's samples itself; give grpo.prompts_per_step alone");
  EXPECT_EQ(refusal_under(kAlone, {{"optimizer_in_backward", true}}),
            "grpo: prompts_per_step leaves the accumulation to the layout, and "
            "optimizer_in_backward frees each gradient");
}

TEST(GrpoRefusals, MoneyOfCardsBesideTheTrainers) {
  const Json served = {{"generation", "server"}, {"generation_gpus", 8}};
  const std::string why =
      "grpo: dollars are counted for the trainer's GPUs, and 8 more generate or score; ask for "
      "memory or time, or let all of it share the trainer's GPUs (generation \"colocated\", "
      "reward_gpus 0)";
  const Json run = {{"workload", {{"examples", 1000}}}};
  Json money = run;
  money["objective"] = "money";
  Json frontier = run;
  frontier["answer"] = {"memory", "frontier"};
  EXPECT_EQ(refusal_under(served, money), why);
  money["objective"] = {{"search", "money"}};
  EXPECT_EQ(refusal_under(served, money), why);
  EXPECT_EQ(refusal_under(served, frontier), why);
  EXPECT_EQ(refusal_under(served, run), "no refusal");
}

TEST(GrpoRefusals, AValueModelThatThePipelineDoesNotDivide) {
  const auto with = [](Json layout) {
    layout.update({{"tp", 1}, {"dp", 1}});
    return refusal_under({{"algorithm", "ppo"}, {"value_model", "qwen2.5-0.5b"}},
                         {{"layout", layout}});
  };
  EXPECT_EQ(with({{"pp", 32}}),
            "layout.pp: 24 layers of grpo.value_model are not divisible by 32 (nearest: 24)");
  EXPECT_EQ(with({{"pp", 2}, {"last_layers", 15}}),
            "layout.pp: layout.first_layers and layout.last_layers are of the policy's 32 layers, "
            "and grpo.value_model has 24");
}

TEST(GrpoRefusals, HoursWithoutALength) {
  EXPECT_EQ(refusal_under(kAlone, {{"deadline_hours", 5}}),
            "deadline_hours: needs workload.examples, the prompts of the run");
  EXPECT_EQ(refusal_under(kAlone, {{"objective", "money"}}),
            "objective: \"money\" needs workload.examples, the prompts of the run");
}

}  // namespace
}  // namespace sizesheet
