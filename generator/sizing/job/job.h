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
#include "sizing/job/training.h"
#include "sizing/model/parameters.h"
#include "support/named.h"
#include "support/whole_numbers.h"

namespace sizesheet {

struct Architecture;
struct Intervals;

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
  bool shard_named = false;        ///< by the request itself, not by the stack's defaults
  std::int64_t shard_group = 0;    ///< ranks that share one copy; 0: all data-parallel ranks
  std::int64_t root_gathered = 2;  ///< how many of embedding and head stay gathered (ZeRO-3)
  bool reduce_fp32 = false;
  /// FSDP reduces gradients after every micro-batch. If false (no_sync), every rank adds up whole
  /// gradients and reduces them once a step.
  bool sync_each_batch = true;
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
  double workspace_bytes = 0;  ///< of cuBLAS, which the allocator hands out and nothing frees
  double static_share = 0;     ///< and on bytes that stay
  double team_bytes = 0;       ///< that a team's own runs took beyond the estimate
};

// ---- The parts of a job, in the order in which a request is read. Each reader takes the parts
// that it depends on and returns the next, so another order does not compile.

struct OptimizerKeys {
  OptimizerCost optimizer;
  bool optimizer_foreach = false;
  bool paged_optimizer = false;
  double paged_bytes = 0;              ///< a paged optimizer sends moments to the host, up to this
  bool optimizer_in_backward = false;  ///< each gradient is applied and freed as it appears
  double ema_bytes = 0;                ///< per trainable parameter: a moving average of the weights
};

/// What an optimizer's weights, gradients and moments are kept in.
struct StateKeys : OptimizerKeys {
  StateRecipe state = {};

  /// Of a trained matrix, per parameter.
  double moment_bytes() const {
    return state.bf16_moments ? optimizer.matrix_bf16 : optimizer.matrix;
  }
};

/// What products run in: fp16 changes what Megatron keeps.
struct PrecisionKeys : StateKeys {
  Precision precision = Precision::kBf16;
};

/// What trains, and what the frozen base is stored in.
struct MethodKeys {
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

  bool full() const { return kind == MethodKind::kFull; }
  bool nf4() const { return base == BaseDtype::kNf4; }
  /// By bitsandbytes, which knows k-bit preparation and modules to skip.
  bool bitsandbytes() const { return nf4() || base == BaseDtype::kInt8; }
  /// A layer unpacks its weights before it runs.
  bool quantised() const {
    return bitsandbytes() || base == BaseDtype::kMxfp4 || base == BaseDtype::kNvfp4;
  }
  /// The head's weight gets a gradient.
  bool head_trains() const { return full() || trained_whole.contains("lm_head"); }
};

struct KernelKeys {
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
  bool activation_offload = false;    ///< kept activations wait in host memory
  double fp8_copy_bytes = 0;          ///< of a projection's weight, beside it, under fp8
  bool fp8_params = false;            ///< the copies are all there is beside the master weights
  double fp8_input_bytes = 2;         ///< of its saved input, where it trains
  bool torchao_fp8 = false;           ///< products in fp8 by torchao, not by Transformer Engine
  bool fp8_attention = false;         ///< scores and values are multiplied in fp8
  bool fp8_activation_input = false;  ///< a gated MLP keeps its activation's input in one byte

  /// The plain loss of transformers 5, or of TRL on it, whose outputs are gone before backward.
  bool drops_outputs() const { return loss == "trainer" || loss.starts_with("trl"); }
  /// A loss tells the version: others are of earlier ones, or of another framework.
  bool runs_transformers_5() const { return drops_outputs() || fuses_head() || loss == kScores; }
  /// Backward repeats the whole forward pass of the blocks.
  bool repeats_forward() const {
    return recompute == Recompute::kFull || recompute == Recompute::kSublayer;
  }
  /// The loss is one kernel with the head and makes the head's gradient as well.
  bool fuses_head() const { return loss == kFusedLinear || loss == kFusedObjective; }
};

/// How long a run is, and how its samples fill batches.
struct WorkloadKeys {
  std::int64_t seq_len = 4096;
  std::optional<std::int64_t>
      sample_length;  ///< mean, of samples in a pack that attend to themselves
  std::int64_t micro_batch = 1;
  std::int64_t grad_accum = 1;               ///< follows from global_batch where that is given
  std::optional<std::int64_t> global_batch;  ///< sequences of an optimizer step, about
  std::optional<double> tokens;              ///< of the whole run
  std::optional<double> prompts;             ///< of the whole run, where completions are generated
  double startup_hours = 0;                  ///< before the first step, on one machine
  double startup_hours_per_node = 0;         ///< more for each further machine
  double checkpoint_share = 0;           ///< of the training time, for checkpoints and evaluation
  bool packed = true;                    ///< every micro-batch has as many tokens as the others
  std::optional<SampleBatches> samples;  ///< where the request says how their lengths spread
  std::optional<Vision> vision;          ///< absent: the tower, if there is one, is left out
  std::optional<TrainingObjective> training;  ///< absent, as grpo: supervised fine-tuning

  /// Samples may stand in packs.
  bool packs() const { return !training || training->facts().packs; }
  /// Sequences of one example: a pair of answers has two.
  std::int64_t sequences() const { return training ? training->facts().sequences : 1; }
  /// Forward passes without gradient over every token, of the model and of a reference.
  double ungraded_passes() const {
    return training ? training->policy_passes() + training->reference_passes() : 0;
  }
};

/// The workload, and what generates it.
struct RunKeys : WorkloadKeys {
  std::optional<GrpoSpec> grpo = {};

  /// What a framework needs a trainer for: "sft", "dpo", or a policy gradient such as "grpo".
  std::string trained_by() const {
    if (grpo) return id_of(kAlgorithms, grpo->algorithm);
    return training ? std::string(training->facts().id) : "sft";
  }
  /// Of the whole run, prompts and completions; none where its length is not known.
  std::optional<double> run_tokens() const {
    if (!grpo || !prompts) return tokens;
    return *prompts * as_double(grpo->group_size) * grpo->mean_sequence();
  }
  /// The keys that say how long it is.
  const char* length_keys() const {
    return grpo ? "workload.examples, the prompts of the run"
                : "workload.tokens, or examples and mean_length";
  }
};

struct Job : PrecisionKeys, MethodKeys, KernelKeys, RunKeys {
  /// Shared: a plan outlives the request it came from.
  std::shared_ptr<const Architecture> model = nullptr;
  const EngineConstants* constants = nullptr;
  const Stack* stack = nullptr;          ///< whose defaults lie under the request
  const Gpu* gpu = nullptr;              ///< of the question; nullptr where none is said
  const Intervals* intervals = nullptr;  ///< of memory; absent: its bytes have no range

  Layout layout = {};
  Overheads overheads = {};
  double headroom = 0.10;
  std::int64_t gpus_per_node = 8;  ///< of the card

  /// gpt-oss is published with nothing but its experts in MXFP4.
  bool experts_alone_packed() const {
    return base == BaseDtype::kMxfp4 && model->model_type == "gpt_oss";
  }
  /// fp32 weights train under autocast: the embedding hands out fp32, and so does every block.
  bool trains_under_autocast() const {
    return full() && state.autocast_cache > 0 && constants->value("autocast.fp32_stream") != 0;
  }
  /// Eager operations keep what their graph of PyTorch was counted to keep.
  bool counts_tensors() const {
    return !fused_ops && constants->value("eager.counted_tensors") != 0;
  }
  /// Of the blocks' forward passes, the share that backward repeats whole.
  double repeated_share() const {
    if (!repeats_forward()) return 0;
    if (recompute_layers == 0) return 1;
    return std::min(1.0, as_double(recompute_layers * layout.pp) / as_double(model->layers()));
  }
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
  /// That the run takes, those that only generate or score among them.
  std::int64_t run_gpus() const { return layout.gpus() + (grpo ? grpo->other_gpus() : 0); }
  /// Machines of the run.
  std::int64_t nodes() const { return (run_gpus() + gpus_per_node - 1) / gpus_per_node; }
  /// Before the first step.
  double whole_startup_hours() const {
    return startup_hours + startup_hours_per_node * as_double(nodes() - 1);
  }
  /// Tokens of one micro-batch on one rank.
  double tokens_per_rank() const {
    return as_double(micro_batch * sequences()) * as_double(seq_len) / as_double(layout.cp);
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
};

}  // namespace sizesheet
