// SPDX-License-Identifier: Apache-2.0
// What a measured figure may hold beside the estimate.

#include <algorithm>
#include <cstdlib>

#include "sizing/estimate.h"
#include "sizing/search/candidate.h"
#include "support/text.h"

namespace sizesheet {
namespace {

std::vector<Variation> loss_changes() {
  std::vector<Variation> changes;
  for (const char* loss : {"hf", "hf-amp", "legacy", "bf16", "chunked", "fused-linear"}) {
    changes.push_back({std::string("loss-") + loss,
                       std::string("the loss runs as ") + loss + " (kernels.loss)",
                       {{"kernels.loss", loss}}});
  }
  return changes;
}

/// What runs are found to do otherwise than their owners believe.
std::vector<Variation> run_changes() {
  return {
      {"no-recompute",
       "nothing is recomputed, all activations are kept (kernels.recompute none)",
       {{"kernels.recompute", "none"}}},
      {"full-recompute",
       "every block is recomputed (kernels.recompute full)",
       {{"kernels.recompute", "full"}}},
      {"repeated-kv",
       "keys and values are repeated for every head (kernels.attention)",
       {{"kernels.attention", "flash-repeat-kv"}}},
      {"eager-attention",
       "attention scores are written out (kernels.attention eager)",
       {{"kernels.attention", "eager"}}},
      {"fused-ops", "norms and activations are fused (kernels.ops)", {{"kernels.ops", "fused"}}},
      {"unsharded-root",
       "embedding and head stay gathered (layout.root_unsharded 2)",
       {{"layout.root_unsharded", 2}}},
      {"frozen-units",
       "frozen units of FSDP 1 hold what passes through them (layout.fsdp_reentrant)",
       {{"layout.fsdp_reentrant", true}}},
      {"not-sharded",
       "the weights are not sharded (layout.shard none)",
       {{"layout.shard", "none"}}},
      {"fp32-reduce",
       "gradients are reduced in fp32 (layout.reduce_dtype)",
       {{"layout.reduce_dtype", "fp32"}}},
      {"varying-lengths",
       "lengths vary from step to step (workload.packed false)",
       {{"workload.packed", false}}},
      {"micro-batch-2",
       "two sequences a micro-batch (workload.micro_batch)",
       {{"workload.micro_batch", 2}}},
  };
}

std::vector<Variation> state_changes(const Job& job) {
  std::vector<Variation> changes = {
      {"foreach",
       "the optimizer step copies all gradients (optimizer_foreach)",
       {{"optimizer_foreach", true}}},
      {"accumulation",
       "gradients are accumulated over micro-batches (workload.grad_accum)",
       {{"workload.grad_accum", 2}}}};
  if (job.full()) {
    changes.push_back(
        {"fp32-weights", "weights and gradients are fp32 (state hf-amp)", {{"state", "hf-amp"}}});
    return changes;
  }
  changes.push_back({"fp32-adapters",
                     "adapters and their inputs are fp32 (method.adapter_dtype)",
                     {{"method.adapter_dtype", "fp32"}}});
  if (!job.quantised()) {
    changes.push_back(
        {"fp32-base", "the base is held in fp32 (method.base)", {{"method.base", "fp32"}}});
    return changes;
  }
  changes.push_back({"kbit-prep",
                     "norms, embedding and head are cast to fp32 (method.kbit_prep)",
                     {{"method.kbit_prep", true}}});
  changes.push_back({"plain-experts",
                     "the experts are not quantised (method.quantize_experts)",
                     {{"method.quantize_experts", false}}});
  return changes;
}

std::vector<Variation> all_changes(const Job& job) {
  std::vector<Variation> changes = loss_changes();
  for (const auto& more : {run_changes(), state_changes(job)}) {
    changes.insert(changes.end(), more.begin(), more.end());
  }
  const double context = job.overheads.context_gib;
  changes.push_back(
      {"other-process",
       "another process on the card, with no more than its context (overheads.other_processes_gib)",
       {{"overheads.other_processes_gib", job.overheads.other_processes_gib + context}}});
  return changes;
}

}  // namespace

std::vector<ResidualCause> residual_causes(const Question& question, const Sizing& sizing,
                                           std::int64_t measured) {
  const Candidate& chosen = sizing.plan.chosen;
  const std::int64_t predicted = chosen.bill.device;
  const std::int64_t residual = measured - predicted;
  std::vector<ResidualCause> causes;
  const std::int64_t within =
      std::clamp(residual, sizing.device_low - predicted, sizing.device_high - predicted);
  if (within != 0) {
    causes.push_back({"interval",
                      "the usual scatter of runs like this one, allocator slack above "
                      "all (the range of the estimate)",
                      within, residual - within});
  }
  for (const Variation& change : all_changes(chosen.job)) {
    const auto candidate = varied(question, chosen, change);
    if (!candidate) continue;
    const std::int64_t bytes = candidate->bill.device - predicted;
    if (bytes != 0) causes.push_back({change.id, change.words, bytes, residual - bytes});
  }
  std::stable_sort(causes.begin(), causes.end(), [](const auto& a, const auto& b) {
    return std::abs(a.left) < std::abs(b.left);
  });
  return causes;
}

}  // namespace sizesheet
