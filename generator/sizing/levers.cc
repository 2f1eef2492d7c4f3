// SPDX-License-Identifier: Apache-2.0
#include "sizing/levers.h"

#include <algorithm>

#include "support/text.h"

namespace sizesheet {
namespace {

/// Changes that leave what is trained, and on which tokens, as it is.
std::vector<Variation> plain_changes(const Candidate& chosen) {
  const Job& job = chosen.job;
  const bool megatron = starts_with(job.state.id, "megatron");
  std::vector<Variation> changes = {
      {"loss", "fused linear cross-entropy", {{"kernels.loss", "fused-linear"}}},
      {"recompute", "full recompute", {{"kernels.recompute", "full"}}},
      {"attention", "a flash attention kernel", {{"kernels.attention", "flash"}}},
      {"root", "resharding embedding and head", {{"layout.root_unsharded", 0}}},
      {"allocator", "expandable allocator segments", {{"layout.allocator", "expandable"}}},
      {"shard", "ZeRO-3 sharding", {{"layout.shard", "zero3"}}},
  };
  if (job.micro_batch > 1) {
    changes.push_back({"micro-batch", "a micro-batch of 1", {{"workload.micro_batch", 1}}});
  }
  if (job.layout.dp % 2 == 0) {
    changes.push_back({"tensor-parallel",
                       "tensor parallelism of " + std::to_string(2 * job.layout.tp),
                       {{"layout.tp", 2 * job.layout.tp}, {"layout.dp", job.layout.dp / 2}}});
  }
  // Megatron's distributed optimizer has its own states.
  if (megatron) {
    changes.push_back({"state", "bf16 gradients", {{"state", "megatron-bf16-grads"}}});
  } else {
    changes.push_back({"optimizer", "an 8-bit optimizer", {{"optimizer", "adamw-8bit"}}});
    if (job.full()) {
      changes.push_back({"state", "bf16 weights and states", {{"state", "pure-bf16"}}});
    }
  }
  if (!job.full() && !job.quantised()) {
    const char* kind = job.adapters.magnitudes ? "dora" : "qlora";
    changes.push_back({"base", "a 4-bit base", {{"method.kind", kind}, {"method.base", "nf4"}}});
  }
  if (job.kbit_prep) {
    changes.push_back({"kbit-prep", "no k-bit preparation", {{"method.kbit_prep", false}}});
  }
  return changes;
}

/// Changes that cost much time, or change the run.
std::vector<Variation> costly_changes(const Job& job) {
  std::vector<Variation> changes = {
      {"offload", "optimizer states in host memory", {{"layout.offload", "optimizer"}}}};
  if (job.seq_len >= 2) {
    changes.push_back({"seq-len",
                       "sequences of " + format_integer(job.seq_len / 2) + " tokens",
                       {{"workload.seq_len", job.seq_len / 2}}});
  }
  if (job.full()) {
    const Json lora = {{"kind", "lora"}, {"rank", 16}, {"targets", "all-linear"}};
    changes.push_back({"method", "LoRA", {{"method", lora}}});
  }
  return changes;
}

void add_levers(const Question& question, const Candidate& chosen, const std::string& term,
                const std::vector<Variation>& changes, std::vector<Lever>& found) {
  const std::size_t before = found.size();
  for (const Variation& change : changes) {
    const auto candidate = varied(question, chosen, change);
    if (!candidate) continue;
    Lever lever{change.id, change.words, chosen.bill.device - candidate->bill.device, 0,
                candidate->verdict};
    lever.term_saved = term_bytes(chosen.bill, term) - term_bytes(candidate->bill, term);
    if (lever.saved * 100 >= chosen.bill.device) found.push_back(std::move(lever));
  }
  std::stable_sort(found.begin() + static_cast<std::ptrdiff_t>(before), found.end(),
                   [](const Lever& a, const Lever& b) { return a.saved > b.saved; });
}

}  // namespace

std::vector<Lever> levers(const Question& question, const Candidate& chosen,
                          const std::string& term) {
  std::vector<Lever> found;
  add_levers(question, chosen, term, plain_changes(chosen), found);
  add_levers(question, chosen, term, costly_changes(chosen.job), found);
  return found;
}

std::optional<Lever> best_lever(const Question& question, const Candidate& chosen,
                                const std::string& term) {
  const std::vector<Lever> found = levers(question, chosen, term);
  const std::int64_t bytes = term_bytes(chosen.bill, term);
  const auto shrinks = std::find_if(found.begin(), found.end(), [&](const Lever& lever) {
    return lever.term_saved * 100 >= bytes && bytes > 0;
  });
  if (shrinks != found.end()) return *shrinks;
  return found.empty() ? std::nullopt : std::optional<Lever>(found.front());
}

}  // namespace sizesheet
