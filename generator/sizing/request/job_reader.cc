// SPDX-License-Identifier: Apache-2.0
#include "sizing/request/job_reader.h"

#include <algorithm>

#include "catalog/facts/engine_constants.h"
#include "catalog/facts/gpu.h"
#include "catalog/models/architecture.h"
#include "sizing/job/job.h"
#include "sizing/job/layout_pins.h"
#include "sizing/model/parameters.h"
#include "sizing/request/grpo_reader.h"
#include "sizing/request/job_basis.h"
#include "sizing/request/kernels_reader.h"
#include "sizing/request/method_reader.h"
#include "sizing/request/objective_reader.h"
#include "sizing/request/question.h"
#include "sizing/request/workload_reader.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

OptimizerKeys read_optimizer(ObjectReader& request, const EngineConstants& constants) {
  OptimizerKeys keys;
  if (request.raw("optimizer") == "galore") {
    request.fault("optimizer",
                  "GaLore projects gradients per layer and is not modelled; the nearest are "
                  "\"adamw-8bit\" and \"adafactor\"");
    return keys;
  }
  const std::string name = request.key_of_or("optimizer", constants.optimizers, "adamw");
  if (constants.optimizers.contains(name)) keys.optimizer = constants.optimizers.at(name);
  keys.paged_optimizer = starts_with(name, "paged-");
  keys.optimizer_foreach = request.flag_or("optimizer_foreach", false);
  keys.optimizer_in_backward = request.flag_or("optimizer_in_backward", false);
  const std::string ema = request.one_of_or("ema", {"none", "bf16", "fp32"}, "none");
  keys.ema_bytes = ema == "fp32" ? 4 : ema == "bf16" ? 2 : 0;
  refuse_unless(request, !keys.optimizer_foreach || name == "adamw", "optimizer_foreach",
                [&] { return "true needs optimizer \"adamw\", got " + in_quotes(name); });
  return keys;
}

/// A state that the request spells out also says what the optimizer's moments take.
StateKeys read_state(ObjectReader& request, const EngineConstants& constants,
                     const OptimizerKeys& optimizer) {
  StateKeys keys{optimizer};
  const Json& state = request.raw("state");
  if (!state.is_object()) {
    const std::string name = request.key_of_or("state", constants.recipes, "hf-amp");
    if (constants.recipes.contains(name)) keys.state = constants.recipes.at(name);
    return keys;
  }
  ObjectReader reader = request.object("state");
  keys.state = StateRecipe{};
  keys.state.id = "custom";
  keys.state.weight = reader.number("weight", {0, 16});
  keys.state.gradient = reader.number("gradient", {0, 16});
  keys.state.master = reader.number("master", {0, 16});
  const double moments = reader.number("moments", {0, 32});
  keys.state.lazy = reader.flag_or("lazy", true);
  reader.done();
  refuse_unless(request, keys.optimizer.id == "adamw", "state",
                "\"moments\" counts AdamW's two moments; with optimizer " +
                    in_quotes(keys.optimizer.id) + " name a recipe instead");
  keys.optimizer.matrix = keys.optimizer.embedding = keys.optimizer.vector = moments;
  return keys;
}

constexpr double kNoCapGib = 1e9;

/// cuBLAS takes one workspace for the thread that runs forward and one for autograd's, from the
/// allocator: 32 MiB each on Hopper and Blackwell of data centres, else 8.125 MiB.
double workspace_bytes(const EngineConstants& constants, const Gpu& gpu) {
  constexpr double kMib = 1024.0 * 1024.0;
  constexpr double kHopper = 9;
  constexpr double kAfterBlackwell = 11;
  if (gpu.vendor != "NVIDIA") return 0;
  const double capability = gpu.compute_capability.value_or(kHopper);
  const bool large = capability >= kHopper && capability < kAfterBlackwell;
  const double each = large ? 32 * kMib : 8.125 * kMib;
  return constants.value("allocator.workspaces") * each;
}

/// Allocator shares follow the allocator and the packing unless the request states them.
Overheads read_overheads(std::optional<ObjectReader> reader, const JobBasis& basis,
                         const PrecisionKeys& stated, const KernelKeys& kernels,
                         const Layout& layout, const RunKeys& run) {
  const EngineConstants& constants = basis.constants;
  Overheads over;
  over.context_gib = constants.value("overhead.context_gib");
  over.communicator_gib = constants.value("overhead.communicator_gib");
  over.library_bytes = constants.value("overhead.library_bytes");
  if (basis.gpu != nullptr) over.workspace_bytes = workspace_bytes(constants, *basis.gpu);
  const bool expandable = layout.expandable_segments;
  over.dynamic_share =
      constants.value(expandable          ? "allocator.expandable_dynamic_share"
                      : !run.packed       ? "allocator.varying_dynamic_share"
                      : kernels.fused_ops ? ConstantName("allocator.fused_dynamic_share")
                                          : ConstantName("overhead.dynamic_share"));
  over.multi_rank_share =
      expandable || layout.fsdp_version == 2
          ? over.dynamic_share
          : std::max(over.dynamic_share, constants.value("allocator.multi_rank_dynamic_share"));
  over.multi_rank_cap_gib =
      stated.state.capped_slack ? constants.value("allocator.deepspeed_cap_gib") : kNoCapGib;
  over.static_share = constants.value(expandable ? ConstantName("allocator.expandable_static_share")
                                                 : ConstantName("overhead.static_share"));
  if (!reader) return over;
  over.context_gib = reader->number_or("context_gib", over.context_gib, {0, 1000});
  over.communicator_gib = reader->number_or("communicator_gib", over.communicator_gib, {0, 1000});
  over.all_to_all_gib = reader->number_or("all_to_all_gib", 0, {0, 1000});
  refuse_unless(*reader, over.all_to_all_gib == 0 || has_experts(*basis.model), "all_to_all_gib",
                "needs routed experts; the model has none");
  over.library_bytes = reader->number_or("library_bytes", over.library_bytes, {0, 1e15});
  over.other_processes_gib = reader->number_or("other_processes_gib", 0, {0, 100000});
  if (reader->has("dynamic_share")) {
    over.dynamic_share = over.multi_rank_share = reader->number("dynamic_share", {0, 10});
    over.multi_rank_cap_gib = kNoCapGib;
  }
  over.static_share = reader->number_or("static_share", over.static_share, {0, 10});
  reader->done();
  return over;
}

/// Keys that stand in each other's way, wherever they are written.
void check_pairs(ObjectReader& request, const Job& job) {
  if (job.global_batch) {
    const char* why = job.optimizer_in_backward ? "optimizer_in_backward frees each gradient"
                      : job.layout.vpp != 1     ? "layout.vpp needs micro-batches in whole groups"
                                                : nullptr;
    const std::string leaves = " leaves the accumulation to the layout, and ";
    if (why != nullptr && job.grpo) request.fault("grpo", "prompts_per_step" + leaves + why);
    if (why != nullptr && !job.grpo) {
      request.fault("workload", "global_batch" + leaves + why + "; give workload.grad_accum");
    }
  }
  refuse_unless(
      request, job.model->kept_predictions() == 0 || (!job.grpo && !job.training), "mtp",
      "\"kept\" is modelled in supervised fine-tuning; leave it out, or grpo and objective");
  const auto refuse_if = [&](bool there, const std::string& words) {
    if (there) request.fault("optimizer_in_backward", words);
  };
  if (!job.optimizer_in_backward) return;
  refuse_if(job.grad_accum != 1,
            "frees each gradient at once, so workload.grad_accum must be 1, got " +
                std::to_string(job.grad_accum));
  refuse_if(job.optimizer_foreach, "steps one tensor at a time, so optimizer_foreach is false");
  refuse_if(job.layout.offload_optimizer,
            "cannot step states that layout.offload keeps on the host");
}

// ---- The request's `layout`: what it fixes of the parallel dimensions, and how state is sharded.

/// Splits of one model in one dimension; the product of all dimensions then stays below 2^63.
constexpr std::int64_t kMostSplits = 10000;

std::int64_t read_root_gathered(ObjectReader& reader) {
  const Json& value = reader.raw("root_unsharded");
  if (value.is_null() || value == true) return 2;
  if (value == false) return 0;
  const bool counted = value.is_number_integer() && value >= 0 && value <= 2;
  refuse_unless(reader, counted, "root_unsharded",
                [&] { return "expected true, false, 0, 1 or 2, got " + shown(value); });
  return counted ? value.get<std::int64_t>() : 0;
}

/// FSDP 1 flattens the parameters of a unit. Where they are frozen it waits for the gradients of
/// the unit's inputs, and reentrant checkpoints make those inputs leaves that it holds.
bool read_reentrant(ObjectReader& reader, const LayoutPins& pins, const StateRecipe& state,
                    const MethodKeys& method, const KernelKeys& kernels) {
  if (!reader.flag_or("fsdp_reentrant", false)) return false;
  const auto needs = [&](bool there, const char* what) {
    refuse_unless(reader, there, "fsdp_reentrant",
                  std::string("describes frozen units of FSDP 1 and needs ") + what);
  };
  needs(!method.full(), "adapters; method.kind is \"full\"");
  needs(pins.shard == Shard::kZero3 && state.live_parameters == 0,
        "layout.shard \"zero3\" of FSDP");
  needs(kernels.recompute == Recompute::kFull, "kernels.recompute \"full\"");
  needs(!kernels.activation_offload, "kernels.activation_offload false");
  return true;
}

/// Only FSDP keeps whole gradients beside sharded states.
bool read_sync(ObjectReader& reader, const LayoutPins& pins, const StateRecipe& state) {
  const bool each = reader.flag_or("sync_each_batch", true);
  const bool shards = pins.shard.value_or(Shard::kNone) >= Shard::kZero2;
  refuse_unless(reader, each || (shards && state.live_parameters == 0), "sync_each_batch",
                "false needs layout.shard \"zero2\" or \"zero3\" of FSDP");
  return each;
}

struct ReadLayout {
  Layout layout;
  LayoutPins pins;
};

ReadLayout read_layout(std::optional<ObjectReader> reader, const JobBasis& basis,
                       const PrecisionKeys& stated, const MethodKeys& method,
                       const KernelKeys& kernels) {
  ReadLayout read;
  if (!reader) return read;
  const StateRecipe& state = stated.state;
  auto& [layout, pins] = read;
  pins.gpus = reader->optional_integer("gpus", {1, 1000000});
  pins.dp = reader->optional_integer("dp", {1, 1000000});
  for (const Dimension& one : kSplits) {
    pins.*one.pin = reader->optional_integer(one.key, {1, kMostSplits});
  }
  layout.etp = reader->integer_or("etp", 1, {1, kMostSplits});
  layout.vpp = reader->integer_or("vpp", 1, {1, kMostSplits});
  layout.sequence_parallel = reader->flag_or("sequence_parallel", true);
  layout.shard_group = reader->integer_or("shard_group", 0, {0, 1000000});
  if (reader->has("shard")) {
    if (reader->raw("shard") == "hsdp" && layout.shard_group == 0) {
      layout.shard_group = basis.gpu != nullptr ? basis.gpu->gpus_per_node : 8;
    }
    pins.shard = read_named_or(*reader, "shard", kShards, Shard::kNone);
  }
  layout.root_gathered = read_root_gathered(*reader);
  layout.reduce_fp32 = reader->one_of_or("reduce_dtype", {"bf16", "fp32"}, "bf16") == "fp32";
  layout.sync_each_batch = read_sync(*reader, pins, state);
  layout.gather_units = reader->number_or("gather_units", 2, {0, 1000});
  layout.fsdp_reentrant = read_reentrant(*reader, pins, state, method, kernels);
  layout.fsdp_version = reader->integer_or("fsdp_version", 1, {1, 2});
  refuse_unless(
      *reader,
      layout.fsdp_version == 1 || (pins.shard == Shard::kZero3 && state.live_parameters == 0),
      "fsdp_version", "2 needs layout.shard \"zero3\" of FSDP");
  refuse_unless(*reader, layout.fsdp_version == 1 || !layout.fsdp_reentrant, "fsdp_version",
                "2 has no flat frozen units, which fsdp_reentrant describes");
  layout.first_layers = reader->integer_or("first_layers", 0, {0, kMostSplits});
  layout.last_layers = reader->integer_or("last_layers", 0, {0, kMostSplits});
  layout.bucket_elements = reader->number_or("bucket_elements", 0, {0, 1e15});
  layout.expert_imbalance = reader->number_or("expert_imbalance", 1, {1, 1000});
  refuse_unless(*reader, layout.expert_imbalance == 1 || has_experts(*basis.model),
                "expert_imbalance", "needs routed experts; the model has none");
  const std::string offload =
      reader->one_of_or("offload", {"none", "optimizer", "params", "all"}, "none");
  layout.offload_optimizer = offload == "optimizer" || offload == "all";
  layout.offload_params = offload == "params" || offload == "all";
  layout.expandable_segments =
      reader->one_of_or("allocator", {"default", "expandable"}, "default") == "expandable";
  if (state.live_parameters > 0 && pins.shard == Shard::kZero3) {
    refuse_unless(*reader, layout.root_gathered == 2, "root_unsharded", [&] {
      return "describes FSDP's root; state " + in_quotes(state.id) + " gathers and releases it";
    });
    refuse_unless(*reader, layout.gather_units == 2, "gather_units", [&] {
      return "describes FSDP's units; state " + in_quotes(state.id) +
             " keeps a fixed number of parameters gathered";
    });
  }
  reader->done();
  return read;
}

}  // namespace

std::shared_ptr<const Architecture> model_as_run(ObjectReader& request,
                                                 std::shared_ptr<const Architecture> model) {
  const std::int64_t rows = request.integer_or("added_tokens", 0, {0, 1 << 20});
  const std::int64_t multiple = request.integer_or("vocab_multiple", 1, {1, 1 << 16});
  const bool kept = request.one_of_or("mtp", {"dropped", "kept"}, "dropped") == "kept";
  if (!model) return model;
  const bool predicts = model->further_predictions > 0;
  refuse_unless(request, !kept || predicts, "mtp",
                "\"kept\" needs layers that predict further tokens; the model has none that are "
                "counted");
  const std::int64_t vocab = (model->vocab + rows + multiple - 1) / multiple * multiple;
  if (vocab == model->vocab && !(kept && predicts)) return model;
  auto own = std::make_shared<Architecture>(kept && predicts ? with_predictions(*model) : *model);
  own->vocab = vocab;
  return own;
}

ReadJob read_job(ObjectReader& request, const JobBasis& basis) {
  const Architecture& model = *basis.model;
  const OptimizerKeys optimizer = read_optimizer(request, basis.constants);
  const StateKeys named = read_state(request, basis.constants, optimizer);
  std::optional<ObjectReader> kernel_keys = request.optional_object("kernels");
  const PrecisionKeys stated = read_precision(request, kernel_keys, basis.gpu, named);
  const ReadMethod method = read_method_keys(request.object("method"), model, stated);
  const KernelKeys kernels = read_kernels(std::move(kernel_keys), basis, stated, method.keys);
  const bool generates = !request.raw("grpo").is_null();
  const WorkloadKeys workload =
      read_workload(request.optional_object("workload"), generates, basis, method, kernels);
  const auto [layout, pins] =
      read_layout(request.optional_object("layout"), basis, stated, method.keys, kernels);
  const RunKeys run = read_grpo(request, basis, method.keys, workload);
  check_objective(request, model, method.keys, run);
  check_vision(request, run.vision);
  const Overheads overheads =
      read_overheads(request.optional_object("overheads"), basis, stated, kernels, layout, run);
  ReadJob read{.job = {stated, method.keys, kernels, run}, .pins = pins};
  Job& job = read.job;
  if (job.grpo && job.grpo->loss != PolicyLoss::kKernels) {
    job.loss = id_of(kPolicyLosses, job.grpo->loss);
  }
  job.model = basis.model;
  job.constants = &basis.constants;
  job.layout = layout;
  job.overheads = overheads;
  if (basis.gpu != nullptr) job.gpus_per_node = basis.gpu->gpus_per_node;
  check_grpo(request, basis.gpu, job);
  check_pairs(request, job);
  job.headroom = request.number_or("headroom", 0.10, {0, 1});
  read.max_gpus = request.integer_or("max_gpus", 512, {1, 100000});
  return read;
}

const char* offload_name(const Layout& layout) {
  if (layout.offload_optimizer && layout.offload_params) return "all";
  if (layout.offload_optimizer) return "optimizer";
  return layout.offload_params ? "params" : "none";
}

}  // namespace sizesheet
