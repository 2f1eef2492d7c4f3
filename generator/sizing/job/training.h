// SPDX-License-Identifier: Apache-2.0
// What a run is trained for beside supervised fine-tuning: preferences of pairs, rewards, another
// model's answers, completions that it generates; and which models it runs beside the one that
// trains.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/facts/method.h"
#include "support/named.h"

namespace sizesheet {

struct Architecture;

/// The policy that a loss compares with: none, the base with its adapters switched off, a copy of
/// the weights, or its log-probabilities of all samples, taken before training.
enum class Reference { kNone, kAdapterOff, kCopy, kPrecomputed };
inline constexpr NameTable<Reference, 4> kReferences{{{Reference::kNone, "none"},
                                                      {Reference::kAdapterOff, "adapter-off"},
                                                      {Reference::kCopy, "copy"},
                                                      {Reference::kPrecomputed, "precomputed"}}};

/// What of a trainer's state waits on the host while a colocated engine generates.
enum class TrainerOffload { kNone, kWeights, kOptimizer, kAll };
inline constexpr NameTable<TrainerOffload, 4> kTrainerOffloads{
    {{TrainerOffload::kNone, "none"},
     {TrainerOffload::kWeights, "weights"},
     {TrainerOffload::kOptimizer, "optimizer"},
     {TrainerOffload::kAll, "all"}}};

enum class TrainingKind { kSft, kDpo, kIpo, kKto, kOrpo, kSimpo, kCpo, kReward, kDistillation };

struct TrainingFacts {
  TrainingKind value;
  std::string_view id;
  std::string_view title;
  std::int64_t sequences = 1;   ///< of one example: a pair's chosen and rejected answer
  std::int64_t mismatched = 0;  ///< passes without gradient over other examples' answers (KTO)
  bool has_reference = false;
  bool likelihood = false;  ///< cross-entropy over the chosen half beside the pair's loss
  bool packs = false;       ///< samples may stand in packs
};

/// Of every kind, in the order of TrainingKind. Sequences and passes as TRL runs them
/// (huggingface/trl trl/trainer/{dpo,kto,reward}_trainer.py, trl/experimental/{orpo,cpo,gkd}
/// @f2cd5771).
inline constexpr auto kTrainings = [] {
  using enum TrainingKind;
  return std::array<TrainingFacts, 9>{{
      {.value = kSft, .id = "sft", .title = "supervised fine-tuning", .packs = true},
      {.value = kDpo, .id = "dpo", .title = "DPO", .sequences = 2, .has_reference = true},
      {.value = kIpo, .id = "ipo", .title = "IPO", .sequences = 2, .has_reference = true},
      {.value = kKto, .id = "kto", .title = "KTO", .mismatched = 1, .has_reference = true},
      {.value = kOrpo, .id = "orpo", .title = "ORPO", .sequences = 2, .likelihood = true},
      {.value = kSimpo, .id = "simpo", .title = "SimPO", .sequences = 2},
      {.value = kCpo, .id = "cpo", .title = "CPO", .sequences = 2, .likelihood = true},
      {.value = kReward, .id = "reward", .title = "a reward model", .sequences = 2},
      {.value = kDistillation, .id = "distillation", .title = "distillation", .packs = true},
  }};
}();

constexpr const auto& table_of(TrainingKind /*of*/) { return kTrainings; }

/// Samples of a method may stand in packs.
inline bool packs(const Method& method) {
  if (method.fine_tunes()) return true;
  if (!method.objective.is_object()) return false;
  const auto kind = value_of(kTrainings, method.objective.value("kind", ""));
  return !kind || facts_of(*kind).packs;
}

/// Log-probabilities from logits that autocast's wrapper casts to fp32, from logits that stay in
/// 16 bits, or chunk by chunk, fused with the head.
enum class TrainingLoss { kTrl, kTrlBf16, kLiger };
inline constexpr NameTable<TrainingLoss, 3> kTrainingLosses{{{TrainingLoss::kTrl, "trl"},
                                                             {TrainingLoss::kTrlBf16, "trl-bf16"},
                                                             {TrainingLoss::kLiger, "liger"}}};

struct TrainingObjective {
  TrainingKind kind = TrainingKind::kDpo;
  Reference reference = Reference::kNone;
  TrainingLoss loss = TrainingLoss::kTrl;
  std::shared_ptr<const Architecture> teacher;  ///< of distillation, else none
  double beta = 0.5;  ///< of the generalised Jensen-Shannon divergence; 0 and 1: one KL term
  double epochs = 1;  ///< that share the reference's precomputed log-probabilities

  const TrainingFacts& facts() const { return facts_of(kind); }
  /// Reference logits stand beside the policy's.
  bool runs_reference() const {
    return reference == Reference::kCopy || reference == Reference::kAdapterOff;
  }
  /// Forward passes without gradient, over every token: of the policy, and of the reference.
  double policy_passes() const { return static_cast<double>(facts().mismatched); }
  double reference_passes() const {
    if (reference == Reference::kNone) return 0;
    const double each = 1 + static_cast<double>(facts().mismatched);
    return reference == Reference::kPrecomputed ? each / epochs : each;
  }
};

// ---- Reinforcement learning on generated completions as a request states it: what is generated,
// where, which models score it, and what a step of it runs. Plain data.

/// The policy gradient; only PPO has a value model, the others compare completions of one prompt.
enum class PolicyAlgorithm { kGrpo, kRloo, kDapo, kPpo };
inline constexpr NameTable<PolicyAlgorithm, 4> kAlgorithms{{{PolicyAlgorithm::kGrpo, "grpo"},
                                                            {PolicyAlgorithm::kRloo, "rloo"},
                                                            {PolicyAlgorithm::kDapo, "dapo"},
                                                            {PolicyAlgorithm::kPpo, "ppo"}}};

/// All that a framework may have a trainer for.
inline std::vector<std::string> trainers() {
  std::vector<std::string> known = ids(kTrainings);
  for (const std::string& algorithm : ids(kAlgorithms)) known.push_back(algorithm);
  return known;
}

enum class GenerationPlace { kColocated, kServer };
inline constexpr NameTable<GenerationPlace, 2> kPlaces{
    {{GenerationPlace::kColocated, "colocated"}, {GenerationPlace::kServer, "server"}}};
/// How a trainer scores completions: by kernels.loss over prompt and completion, or as TRL does,
/// with logits of the completion alone and log-probabilities row by row, with or without autocast.
enum class PolicyLoss { kKernels, kTrl, kTrlBf16 };
inline constexpr NameTable<PolicyLoss, 3> kPolicyLosses{{{PolicyLoss::kKernels, "kernels"},
                                                         {PolicyLoss::kTrl, "trl"},
                                                         {PolicyLoss::kTrlBf16, "trl-bf16"}}};

struct GrpoSpec {
  PolicyAlgorithm algorithm = PolicyAlgorithm::kGrpo;
  std::int64_t group_size = 8;  ///< completions of one prompt
  std::int64_t prompt_length = 512;
  std::int64_t completion_length = 1024;
  GenerationPlace place = GenerationPlace::kColocated;
  std::int64_t generation_tp = 1;
  std::int64_t generation_gpus = 0;  ///< of a server; 0: the trainer's own
  bool nf4_weights = false;          ///< the engine keeps the base in NF4, else in 16 bits
  double kv_bytes = 2;               ///< of one cached value
  double memory_fraction = 0.3;      ///< of the card, for everything the engine holds
  std::int64_t max_concurrent = 8;   ///< sequences that one engine generates at once
  bool sleep = true;                 ///< weights and cache leave the card while it trains
  bool eager_generation = false;     ///< no captured graphs: the host launches every kernel
  Reference reference = Reference::kNone;
  TrainerOffload trainer_offload = TrainerOffload::kNone;  ///< of a colocated engine
  bool reference_offload = false;  ///< a copy waits on the host but for its own pass
  std::shared_ptr<const Architecture> value_model;   ///< of PPO, trained beside the policy
  std::shared_ptr<const Architecture> reward_model;  ///< none: a function scores
  std::int64_t reward_gpus = 0;                      ///< its own; 0: the trainer's
  PolicyLoss loss = PolicyLoss::kKernels;

  // What only the clock asks for.
  std::optional<std::int64_t> prompts_per_step;  ///< absent: nothing is timed
  std::int64_t optimizer_steps = 1;              ///< of one rollout
  std::int64_t epochs = 1;                       ///< passes of training over a rollout
  double prompt_mean = 512;
  std::optional<double> completion_mean;  ///< absent: every completion is as long as the limit
  double completion_variation = 0.7;      ///< coefficient of variation before the cut at the limit
  std::int64_t logprob_passes = 1;        ///< forward over every completion: old policy, reference
  std::int64_t steps_off_policy = 0;      ///< by which generation runs ahead of training
  double kept_groups = 1;                 ///< share that dynamic sampling does not throw away
  double switch_seconds = 0;              ///< in which colocated trainer and engine change places

  bool colocated() const { return place == GenerationPlace::kColocated; }
  std::int64_t sequence() const { return prompt_length + completion_length; }
  /// Of a sequence's tokens those with logits: the last of the prompt predicts the first of the
  /// completion.
  double share_with_logits() const {
    if (loss == PolicyLoss::kKernels) return 1;
    return static_cast<double>(completion_length + 1) / static_cast<double>(sequence());
  }
  double completion() const {
    return completion_mean.value_or(static_cast<double>(completion_length));
  }
  double mean_sequence() const { return prompt_mean + completion(); }
  /// That train in one step.
  double completions() const {
    return static_cast<double>(prompts_per_step.value_or(0) * group_size);
  }
  /// Beside the trainer's.
  std::int64_t other_gpus() const { return generation_gpus + reward_gpus; }
};

}  // namespace sizesheet
