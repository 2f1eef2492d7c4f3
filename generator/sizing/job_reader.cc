// SPDX-License-Identifier: Apache-2.0
#include "sizing/job_reader.h"

#include <map>

#include "support/printable.h"
#include "support/text.h"

namespace sizesheet {
namespace {

void read_state(ObjectReader& request, const EngineConstants& constants, Job& job) {
  const Json& state = request.raw("state");
  if (!state.is_object()) {
    const std::string name = request.key_of_or("state", constants.recipes, "hf-amp");
    if (constants.recipes.contains(name)) job.state = constants.recipes.at(name);
    return;
  }
  ObjectReader reader = request.object("state");
  job.state = StateRecipe{};
  job.state.id = "custom";
  job.state.weight = reader.number("weight", {0, 16});
  job.state.gradient = reader.number("gradient", {0, 16});
  job.state.master = reader.number("master", {0, 16});
  const double moments = reader.number("moments", {0, 32});
  job.state.lazy = reader.flag_or("lazy", true);
  reader.done();
  refuse_unless(request, job.optimizer.id == "adamw", "state",
                "\"moments\" counts AdamW's two moments; with optimizer " +
                    in_quotes(job.optimizer.id) + " name a recipe instead");
  job.optimizer.matrix = job.optimizer.embedding = job.optimizer.vector = moments;
}

void read_optimizer(ObjectReader& request, const EngineConstants& constants, Job& job) {
  if (request.raw("optimizer") == "galore") {
    request.fault("optimizer",
                  "GaLore projects gradients per layer and is not modelled; the nearest are "
                  "\"adamw-8bit\" and \"adafactor\"");
    return;
  }
  const std::string name = request.key_of_or("optimizer", constants.optimizers, "adamw");
  if (constants.optimizers.contains(name)) job.optimizer = constants.optimizers.at(name);
  job.paged_optimizer = starts_with(name, "paged-");
  job.optimizer_foreach = request.flag_or("optimizer_foreach", false);
  job.optimizer_in_backward = request.flag_or("optimizer_in_backward", false);
  const std::string ema = request.one_of_or("ema", {"none", "bf16", "fp32"}, "none");
  job.ema_bytes = ema == "fp32" ? 4 : ema == "bf16" ? 2 : 0;
  refuse_unless(request, !job.optimizer_foreach || name == "adamw", "optimizer_foreach",
                [&] { return "true needs optimizer \"adamw\", got " + in_quotes(name); });
}

/// What a run takes beside its training steps; only where the length of the run is known.
void read_beside_training(ObjectReader& reader, Job& job) {
  job.startup_hours = reader.number_or("startup_hours", 0, {0, 10000});
  job.checkpoint_share = reader.number_or("checkpoint_share", 0, {0, 10});
  for (const char* key : {"startup_hours", "checkpoint_share"}) {
    const double value = key[0] == 's' ? job.startup_hours : job.checkpoint_share;
    refuse_unless(reader, value == 0 || job.tokens, key,
                  "adds to the hours of a run, and neither tokens nor examples say how long it is");
  }
}

void read_workload(std::optional<ObjectReader> reader, Job& job) {
  if (!reader) return;
  job.seq_len = reader->integer_or("seq_len", 4096, {1, 100000000});
  job.micro_batch = reader->integer_or("micro_batch", 1, {1, 1000000});
  job.grad_accum = reader->integer_or("grad_accum", 1, {1, 1000000});
  if (const auto tokens = reader->optional_integer("tokens", {1, 1LL << 53})) {
    job.tokens = static_cast<double>(*tokens);
  }
  const auto examples = reader->optional_integer("examples", {1, 1LL << 53});
  const auto length = reader->optional_number("mean_length", {1e-9, 1e9});
  const auto epochs = reader->optional_number("epochs", {1e-9, 1e6});
  if (examples || length || epochs) {
    refuse_unless(*reader, !job.tokens, "examples", "give either tokens or examples, not both");
    refuse_unless(*reader, examples && length, "examples",
                  "examples, mean_length and epochs go together");
    if (examples && length) {
      job.tokens = static_cast<double>(*examples) * *length * epochs.value_or(1);
    }
  }
  job.packed = reader->flag_or("packed", true);
  read_beside_training(*reader, job);
  reader->done();
}

constexpr double kNoCapGib = 1e9;

/// Allocator shares follow the allocator and the packing unless the request states them.
void read_overheads(std::optional<ObjectReader> reader, const EngineConstants& constants,
                    Job& job) {
  Overheads& over = job.overheads;
  over.context_gib = constants.value("overhead.context_gib");
  over.communicator_gib = constants.value("overhead.communicator_gib");
  over.library_bytes = constants.value("overhead.library_bytes");
  const bool expandable = job.layout.expandable_segments;
  over.dynamic_share =
      constants.value(expandable      ? "allocator.expandable_dynamic_share"
                      : !job.packed   ? "allocator.varying_dynamic_share"
                      : job.fused_ops ? ConstantName("allocator.fused_dynamic_share")
                                      : ConstantName("overhead.dynamic_share"));
  over.multi_rank_share =
      expandable
          ? over.dynamic_share
          : std::max(over.dynamic_share, constants.value("allocator.multi_rank_dynamic_share"));
  over.multi_rank_cap_gib =
      job.state.id == "deepspeed" ? constants.value("allocator.deepspeed_cap_gib") : kNoCapGib;
  over.static_share = constants.value(expandable ? ConstantName("allocator.expandable_static_share")
                                                 : ConstantName("overhead.static_share"));
  if (!reader) return;
  over.context_gib = reader->number_or("context_gib", over.context_gib, {0, 1000});
  over.communicator_gib = reader->number_or("communicator_gib", over.communicator_gib, {0, 1000});
  over.all_to_all_gib = reader->number_or("all_to_all_gib", 0, {0, 1000});
  refuse_unless(*reader, over.all_to_all_gib == 0 || has_experts(*job.model), "all_to_all_gib",
                "needs routed experts; the model has none");
  over.library_bytes = reader->number_or("library_bytes", over.library_bytes, {0, 1e15});
  over.other_processes_gib = reader->number_or("other_processes_gib", 0, {0, 100000});
  if (reader->has("dynamic_share")) {
    over.dynamic_share = over.multi_rank_share = reader->number("dynamic_share", {0, 10});
    over.multi_rank_cap_gib = kNoCapGib;
  }
  over.static_share = reader->number_or("static_share", over.static_share, {0, 10});
  reader->done();
}

/// Keys that stand in each other's way, wherever they are written.
void check_pairs(ObjectReader& request, const Job& job) {
  refuse_unless(request, !job.optimizer_in_backward || job.grad_accum == 1, "optimizer_in_backward",
                [&] {
                  return "frees each gradient at once, so workload.grad_accum must be 1, got " +
                         std::to_string(job.grad_accum);
                });
  refuse_unless(request, !job.optimizer_in_backward || !job.optimizer_foreach,
                "optimizer_in_backward",
                "steps one tensor at a time, so optimizer_foreach is false");
  refuse_unless(request, !job.optimizer_in_backward || !job.layout.offload_optimizer,
                "optimizer_in_backward",
                "cannot step states that layout.offload keeps on the host");
}

}  // namespace

ReadJob read_job(ObjectReader& request, std::shared_ptr<const Architecture> model,
                 const EngineConstants& constants, const Gpu* gpu) {
  ReadJob read;
  Job& job = read.job;
  job.model = std::move(model);
  job.constants = &constants;
  read_optimizer(request, constants, job);
  read_state(request, constants, job);
  std::optional<ObjectReader> kernels = request.optional_object("kernels");
  read_precision(request, kernels, gpu, job);
  read_method_keys(request.object("method"), job);
  read_kernels(std::move(kernels), job);
  read_workload(request.optional_object("workload"), job);
  read.pins =
      read_layout(request.optional_object("layout"), gpu != nullptr ? gpu->gpus_per_node : 8, job);
  read_grpo(request, gpu, job);
  read_overheads(request.optional_object("overheads"), constants, job);
  check_grpo(request, gpu, job);
  check_pairs(request, job);
  job.headroom = request.number_or("headroom", 0.10, {0, 10});
  read.max_gpus = request.integer_or("max_gpus", 512, {1, 100000});
  return read;
}

}  // namespace sizesheet
