// SPDX-License-Identifier: Apache-2.0
// One fine-tuning job, fully resolved: every key of a request has its value. Plain data.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "catalog/facts/engine_constants.h"
#include "catalog/facts/method.h"
#include "sizing/job/layout_shape.h"
#include "sizing/job/lengths.h"
#include "sizing/model/parameters.h"
#include "support/named.h"
#include "support/whole_numbers.h"

namespace sizesheet {

struct Architecture;

struct Intervals;

// ---- What a run is trained for beside supervised fine-tuning: preferences of pairs, rewards,
// another model's answers; and which models stand beside the one that trains.

/// The policy that a loss compares with: none, the base with its adapters switched off, a copy of
/// the weights, or its log-probabilities of all samples, taken before training.
enum class Reference { kNone, kAdapterOff, kCopy, kPrecomputed };
inline constexpr NameTable<Reference, 4> kReferences{{{Reference::kNone, "none"},
                                                      {Reference::kAdapterOff, "adapter-off"},
                                                      {Reference::kCopy, "copy"},
                                                      {Reference::kPrecomputed, "precomputed"}}};

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
  bool reference_offload = false;  ///< a copy waits on the host but for its own pass
  std::shared_ptr<const Architecture> value_model;   ///< of PPO, trained beside the policy
  std::shared_ptr<const Architecture> reward_model;  ///< none: a function scores
  std::int64_t reward_gpus = 0;                      ///< its own; 0: the trainer's

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

// ---- The job itself.

/// What the frozen base is stored in; kTrained: nothing is frozen.
enum class BaseDtype { kTrained, kBf16, kFp16, kFp32, kInt8, kNf4, kFp8, kMxfp4, kNvfp4 };
enum class AdapterDtype { kBf16, kFp32Autocast, kFp32 };
/// kSublayer: attention, MLP and each norm are recomputed one by one, so each keeps its input.
/// kModules: some of them, which a request lists.
enum class Recompute { kNone, kSelective, kFull, kModules, kSublayer };
enum class AttentionKernel { kFlash, kFlashRepeatKv, kEager };
enum class Precision { kBf16, kFp16, kFp8 };

/// Of what looks at images, the part that trains.
enum class TowerTraining { kFrozen, kProjector, kWhole };
inline constexpr NameTable<TowerTraining, 3> kTowerTrainings{
    {{TowerTraining::kFrozen, "frozen"},
     {TowerTraining::kProjector, "projector"},
     {TowerTraining::kWhole, "trained"}}};

/// The images of a run, seen by the model's tower.
struct Vision {
  TowerTraining training = TowerTraining::kFrozen;
  double images = 0;  ///< of a sequence
  ImageSize each = {};

  double patches() const { return images * as_double(each.patches); }
};

/// ZeRO stage; 3 is also FSDP's full sharding.
enum class Shard { kNone = 0, kZero1 = 1, kZero2 = 2, kZero3 = 3 };
inline constexpr NameTable<Shard, 7> kShards{{{Shard::kNone, "none"},
                                              {Shard::kZero1, "zero1"},
                                              {Shard::kZero2, "zero2"},
                                              {Shard::kZero3, "zero3"},
                                              {Shard::kNone, "ddp"},
                                              {Shard::kZero3, "fsdp"},
                                              {Shard::kZero3, "hsdp"}}};
/// "none" … "zero3".
inline std::string name_of(Shard shard) { return id_of(kShards, shard); }

struct Layout : ParallelRanks {
  bool sequence_parallel = true;
  Shard shard = Shard::kNone;
  bool shard_named = false;        ///< by the request itself, not by the stack's practice
  std::int64_t shard_group = 0;    ///< ranks that share one copy; 0: all data-parallel ranks
  std::int64_t root_gathered = 2;  ///< how many of embedding and head stay gathered (ZeRO-3)
  bool reduce_fp32 = false;
  double gather_units = 2;
  /// FSDP 1 with reentrant checkpoints: frozen flat units hold what passes through them.
  bool fsdp_reentrant = false;
  std::int64_t fsdp_version = 1;  ///< 2 does not strand what its collectives used
  std::int64_t first_layers = 0;  ///< of the first pipeline chunk; 0: as the others
  std::int64_t last_layers = 0;   ///< of the last one
  double bucket_elements = 0;
  double expert_imbalance = 1;  ///< tokens of the busiest expert rank over the mean
  bool offload_optimizer = false;
  bool offload_params = false;
  bool expandable_segments = false;

  std::int64_t gpus() const { return ranks(); }
  /// Ranks that hold the same dense parameters: context-parallel ranks count as data-parallel ones.
  std::int64_t replicas() const { return dp * cp; }
  std::int64_t shard_ranks() const { return shard_group > 0 ? shard_group : replicas(); }
  /// Over how many ranks the experts are divided.
  std::int64_t expert_split() const { return ep * etp; }
  /// Ranks that hold the same experts and may share their state.
  std::int64_t expert_shard_ranks() const {
    const std::int64_t replicas_of_experts = replicas() * tp / expert_split();
    const std::int64_t in_group = shard_ranks() * tp / expert_split();
    return std::max<std::int64_t>(1, std::min(replicas_of_experts, in_group));
  }
  int stage() const { return static_cast<int>(shard); }
  /// What IntervalFacts calls the spread.
  const char* interval_spread() const {
    if (tp * pp * cp * ep > 1) return "model";
    return dp > 1 ? "data" : "one";
  }
};

struct Overheads {
  double context_gib = 0;
  double communicator_gib = 0;
  double all_to_all_gib = 0;
  double library_bytes = 0;
  double other_processes_gib = 0;
  double dynamic_share = 0;     ///< allocator slack on bytes that come and go, one rank
  double multi_rank_share = 0;  ///< the same where ranks exchange tensors
  double multi_rank_cap_gib = 0;
  /// What the card leaves for stranded bytes: before it fails, the allocator returns them.
  double room_bytes = 1e18;
  double static_share = 0;  ///< and on bytes that stay
};

struct Job {
  std::shared_ptr<const Architecture> model;  ///< shared: a plan outlives the request it came from
  const EngineConstants* constants = nullptr;
  const Stack* stack = nullptr;          ///< whose practice stands under the request
  const Intervals* intervals = nullptr;  ///< of memory; absent: its bytes have no range

  MethodKind kind = MethodKind::kFull;
  BaseDtype base = BaseDtype::kTrained;
  AdapterSpec adapters;                 ///< of none where every weight trains
  std::string target_words;             ///< the targets as asked: "all-linear", "q_proj,v_proj"
  std::set<std::string> trained_whole;  ///< modules_to_save: lm_head, embed_tokens, norm
  std::int64_t token_indices = 0;       ///< rows of the embedding that train
  AdapterDtype adapter_dtype = AdapterDtype::kBf16;
  double dropout = 0;
  bool double_quant = true;
  bool quantize_experts = true;
  bool kbit_prep = false;  ///< every unquantised frozen parameter is cast to fp32
  /// By layer, the projections that a 4-bit or 8-bit checkpoint keeps in 16 bits.
  std::map<std::int64_t, Projections> skipped;
  bool transpose_cache = true;  ///< each matrix of an fp8 base stands beside its transpose
  bool fake_quantised = false;  ///< trained for a format it is only rounded to, weights at least
  bool fake_quantised_inputs = false;

  StateRecipe state;
  OptimizerCost optimizer;
  bool optimizer_foreach = false;
  bool paged_optimizer = false;
  double paged_bytes = 0;              ///< a paged optimizer sends moments to the host, up to this
  bool optimizer_in_backward = false;  ///< each gradient is applied and freed as it appears
  double ema_bytes = 0;                ///< per trainable parameter: a moving average of the weights

  Recompute recompute = Recompute::kNone;
  std::set<std::string> recompute_modules;
  std::int64_t recompute_layers = 0;  ///< of a stage, those recomputed in full; 0: all
  AttentionKernel attention = AttentionKernel::kFlash;
  bool packed_qkv =
      false;  ///< one projection makes queries, keys and values, which are views of it
  std::string loss = "hf";
  bool fused_ops = false;
  bool looped_experts = true;  ///< each expert's products one by one, else grouped
  /// Those products are one call, so that the temporaries of all experts are alive at once.
  bool experts_together = false;
  Precision precision = Precision::kBf16;
  bool activation_offload = false;    ///< kept activations wait in host memory
  double fp8_copy_bytes = 0;          ///< of a projection's weight, beside it, under fp8
  bool fp8_params = false;            ///< the copies are all there is beside the master weights
  double fp8_input_bytes = 2;         ///< of its saved input, where it trains
  bool torchao_fp8 = false;           ///< products in fp8 by torchao, not by Transformer Engine
  bool fp8_attention = false;         ///< scores and values are multiplied in fp8
  bool fp8_activation_input = false;  ///< a gated MLP keeps its activation's input in one byte

  std::int64_t seq_len = 4096;
  std::optional<std::int64_t>
      sample_length;  ///< mean, of samples in a pack that attend to themselves
  std::int64_t micro_batch = 1;
  std::int64_t grad_accum = 1;               ///< follows from global_batch where that is given
  std::optional<std::int64_t> global_batch;  ///< sequences of an optimizer step, about
  std::optional<double> tokens;              ///< of the whole run
  std::optional<double> prompts;             ///< of the whole run, where completions are generated
  double startup_hours = 0;                  ///< before the first step
  double checkpoint_share = 0;           ///< of the training time, for checkpoints and evaluation
  bool packed = true;                    ///< every micro-batch has as many tokens as the others
  std::optional<SampleBatches> samples;  ///< where the request says how their lengths spread
  std::optional<Vision> vision;          ///< absent: the tower, if there is one, is left out
  std::optional<GrpoSpec> grpo;
  std::optional<TrainingObjective> training;  ///< absent, as grpo: supervised fine-tuning

  Layout layout;
  Overheads overheads;
  double headroom = 0.10;

  bool full() const { return kind == MethodKind::kFull; }
  bool nf4() const { return base == BaseDtype::kNf4; }
  /// By bitsandbytes, which knows k-bit preparation and modules to skip.
  bool bitsandbytes() const { return nf4() || base == BaseDtype::kInt8; }
  /// A layer unpacks its weights before it runs.
  bool quantised() const {
    return bitsandbytes() || base == BaseDtype::kMxfp4 || base == BaseDtype::kNvfp4;
  }
  /// gpt-oss is published with nothing but its experts in MXFP4.
  bool experts_alone_packed() const {
    return base == BaseDtype::kMxfp4 && model->model_type == "gpt_oss";
  }
  /// Backward repeats the whole forward pass of the blocks.
  bool repeats_forward() const {
    return recompute == Recompute::kFull || recompute == Recompute::kSublayer;
  }
  /// Of the blocks' forward passes, the share that backward repeats whole.
  double repeated_share() const {
    if (!repeats_forward()) return 0;
    if (recompute_layers == 0) return 1;
    return std::min(1.0, as_double(recompute_layers * layout.pp) / as_double(model->layers()));
  }
  /// Of a trained matrix, per parameter.
  double moment_bytes() const {
    return state.bf16_moments ? optimizer.matrix_bf16 : optimizer.matrix;
  }
  /// The head's weight gets a gradient.
  bool head_trains() const { return full() || trained_whole.contains("lm_head"); }
  /// Micro-batches of a step on these ranks, where a global batch is given: the nearest number, and
  /// one where the ranks take more at once.
  void accumulate() {
    if (!global_batch) return;
    const std::int64_t at_once = micro_batch * layout.dp;
    grad_accum = std::max<std::int64_t>(1, (2 * *global_batch + at_once) / (2 * at_once));
  }
  /// Examples of an optimizer step: sequences, or pairs.
  std::int64_t batch() const { return micro_batch * layout.dp * grad_accum; }
  /// Not so where more ranks take a sequence at once than the global batch has.
  bool keeps_batch() const { return !global_batch || micro_batch * layout.dp <= *global_batch; }
  /// Samples may stand in packs.
  bool packs() const { return !training || training->facts().packs; }
  /// What a framework needs a trainer for: "sft", "dpo", or a policy gradient such as "grpo".
  std::string trained_by() const {
    if (grpo) return id_of(kAlgorithms, grpo->algorithm);
    return training ? std::string(training->facts().id) : "sft";
  }
  /// Sequences of one example: a pair of answers has two.
  std::int64_t sequences() const { return training ? training->facts().sequences : 1; }
  /// Of the whole run, prompts and completions; none where its length is not known.
  std::optional<double> run_tokens() const {
    if (!grpo || !prompts) return tokens;
    return *prompts * as_double(grpo->group_size) * grpo->mean_sequence();
  }
  /// That the run takes, those that only generate or score among them.
  std::int64_t run_gpus() const { return layout.gpus() + (grpo ? grpo->other_gpus() : 0); }
  /// The keys that say how long it is.
  const char* length_keys() const {
    return grpo ? "workload.examples, the prompts of the run"
                : "workload.tokens, or examples and mean_length";
  }
  /// Tokens of one micro-batch on one rank.
  double tokens_per_rank() const {
    return as_double(micro_batch * sequences()) * as_double(seq_len) / as_double(layout.cp);
  }
  /// Forward passes without gradient over every token, of the model and of a reference.
  double ungraded_passes() const {
    return training ? training->policy_passes() + training->reference_passes() : 0;
  }
  /// Mixtures divide their experts over ranks that hold the same experts, tensor-parallel ranks
  /// among them (Megatron's expert data parallelism): also where one rank has the dense weights.
  bool shards_experts() const {
    return has_experts(*model) && layout.expert_shard_ranks() > 1 && layout.shard != Shard::kNone;
  }
  /// The ZeRO stage makes a difference: several ranks share something, the host takes a part, or
  /// the trainer works stage by stage whatever the count of ranks (DeepSpeed); or the request names
  /// the stage itself.
  bool shards() const {
    return layout.replicas() > 1 || shards_experts() || layout.offload_optimizer ||
           layout.offload_params || state.live_parameters > 0 || layout.shard_named;
  }
  /// The loss is one kernel with the head and makes the head's gradient as well.
  bool fuses_head() const { return loss == kFusedLinear || loss == kFusedObjective; }
};

}  // namespace sizesheet
