// SPDX-License-Identifier: Apache-2.0
#include "sizing/answer/residual.h"

#include <algorithm>
#include <cstdlib>

#include "catalog/facts/engine_constants.h"
#include "sizing/answer/estimate.h"
#include "sizing/job/job.h"
#include "sizing/request/question.h"
#include "sizing/search/candidate.h"
#include "support/json.h"

namespace sizesheet {
namespace {

/// What a run may have done otherwise than its owner believes: the key of a request that says so.
struct Doubt {
  std::string id;
  std::string key;
  Json value;
  std::string words;
};

void add_run_doubts(std::vector<Doubt>& doubts) {
  for (const std::string loss : {"hf", "hf-amp", "legacy", "bf16", "chunked", "fused-linear"}) {
    doubts.push_back(
        {"loss-" + loss, "kernels.loss", loss, "the loss runs as " + loss + " (kernels.loss)"});
  }
  const std::vector<Doubt> others = {
      {"no-recompute", "kernels.recompute", "none",
       "nothing is recomputed, all activations are kept (kernels.recompute none)"},
      {"full-recompute", "kernels.recompute", "full",
       "every block is recomputed (kernels.recompute full)"},
      {"repeated-kv", "kernels.attention", "flash-repeat-kv",
       "keys and values are repeated for every head (kernels.attention)"},
      {"eager-attention", "kernels.attention", "eager",
       "attention scores are written out (kernels.attention eager)"},
      {"fused-ops", "kernels.ops", "fused", "norms and activations are fused (kernels.ops)"},
      {"unsharded-root", "layout.root_unsharded", 2,
       "embedding and head stay gathered (layout.root_unsharded 2)"},
      {"frozen-units", "layout.fsdp_reentrant", true,
       "frozen units of FSDP 1 keep what passes through them (layout.fsdp_reentrant)"},
      {"not-sharded", "layout.shard", "none", "the weights are not sharded (layout.shard none)"},
      {"fp32-reduce", "layout.reduce_dtype", "fp32",
       "gradients are reduced in fp32 (layout.reduce_dtype)"},
      {"varying-lengths", "workload.packed", false,
       "lengths vary from step to step (workload.packed false)"},
      {"micro-batch-2", "workload.micro_batch", 2,
       "two sequences a micro-batch (workload.micro_batch)"},
      {"foreach", "optimizer_foreach", true,
       "the optimizer step copies all gradients (optimizer_foreach)"},
      {"accumulation", "workload.grad_accum", 2,
       "gradients are accumulated over micro-batches (workload.grad_accum)"}};
  doubts.insert(doubts.end(), others.begin(), others.end());
}

void add_state_doubts(const Job& job, std::vector<Doubt>& doubts) {
  const auto add = [&](const char* id, const char* key, const Json& value, const char* words) {
    doubts.push_back({id, key, value, words});
  };
  if (job.full()) {
    add("fp32-weights", "state", "hf-amp", "weights and gradients are fp32 (state hf-amp)");
    return;
  }
  add("fp32-adapters", "method.adapter_dtype", "fp32",
      "adapters and their inputs are fp32 (method.adapter_dtype)");
  if (!job.quantised()) {
    add("fp32-base", "method.base", "fp32", "the base is held in fp32 (method.base)");
    return;
  }
  add("kbit-prep", "method.kbit_prep", true,
      "norms, embedding and head are cast to fp32 (method.kbit_prep)");
  add("plain-experts", "method.quantize_experts", false,
      "the experts are not quantised (method.quantize_experts)");
}

std::vector<Doubt> doubts_of(const Job& job) {
  std::vector<Doubt> doubts;
  add_run_doubts(doubts);
  add_state_doubts(job, doubts);
  doubts.push_back({"other-process", "overheads.other_processes_gib",
                    job.overheads.other_processes_gib + job.overheads.context_gib,
                    "another process on the card, with no more than its context "
                    "(overheads.other_processes_gib)"});
  return doubts;
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
  for (const Doubt& doubt : doubts_of(chosen.job)) {
    const auto candidate =
        varied(question, chosen, {doubt.id, doubt.words, {{doubt.key, doubt.value}}});
    if (!candidate) continue;
    const std::int64_t bytes = candidate->bill.device - predicted;
    if (bytes != 0) causes.push_back({doubt.id, doubt.words, bytes, residual - bytes});
  }
  std::ranges::stable_sort(
      causes, [](const auto& a, const auto& b) { return std::abs(a.left) < std::abs(b.left); });
  return causes;
}

}  // namespace sizesheet
