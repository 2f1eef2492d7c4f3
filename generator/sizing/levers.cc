// SPDX-License-Identifier: Apache-2.0
#include "sizing/levers.h"

#include <algorithm>
#include <utility>

#include "support/text.h"

namespace sizesheet {
namespace {

/// A change, unless the job has it already.
void add_unless(bool there, Variation change, std::vector<Variation>& changes) {
  if (!there) changes.push_back(std::move(change));
}

void add_kernel_changes(const Job& job, std::vector<Variation>& changes) {
  add_unless(job.loss == "fused-linear",
             {"loss", "fused linear cross-entropy", {{"kernels.loss", "fused-linear"}}}, changes);
  add_unless(job.recompute == Recompute::kFull,
             {"recompute", "full recompute", {{"kernels.recompute", "full"}}}, changes);
  add_unless(job.attention == AttentionKernel::kFlash,
             {"attention", "a flash attention kernel", {{"kernels.attention", "flash"}}}, changes);
  add_unless(job.micro_batch == 1,
             {"micro-batch", "a micro-batch of 1", {{"workload.micro_batch", 1}}}, changes);
}

/// What the search was free to choose it has chosen; what the request or the stack fixes may still
/// be changed.
void add_layout_changes(const Question& question, const Job& job, std::vector<Variation>& changes) {
  const Layout& layout = job.layout;
  const bool zero3 = layout.shard == Shard::kZero3;
  add_unless(layout.expandable_segments,
             {"allocator", "expandable allocator segments", {{"layout.allocator", "expandable"}}},
             changes);
  add_unless(!zero3 || layout.root_gathered == 0,
             {"root", "resharding embedding and head", {{"layout.root_unsharded", 0}}}, changes);
  add_unless(zero3 || layout.replicas() == 1,
             {"shard", "ZeRO-3 sharding", {{"layout.shard", "zero3"}}}, changes);
  const bool fixed = question.pins().tp.has_value() && layout.dp % 2 == 0;
  add_unless(!fixed,
             {"tensor-parallel",
              "tensor parallelism of " + std::to_string(2 * layout.tp),
              {{"layout.tp", 2 * layout.tp}, {"layout.dp", layout.dp / 2}}},
             changes);
}

void add_state_changes(const Job& job, std::vector<Variation>& changes) {
  if (starts_with(job.state.id, "megatron")) {
    // Its distributed optimizer has states of its own.
    add_unless(job.state.id == "megatron-bf16-grads",
               {"state", "bf16 gradients", {{"state", "megatron-bf16-grads"}}}, changes);
  } else {
    add_unless(job.optimizer.id == "adamw-8bit",
               {"optimizer", "an 8-bit optimizer", {{"optimizer", "adamw-8bit"}}}, changes);
    add_unless(!job.full() || job.state.id == "pure-bf16",
               {"state", "bf16 weights and states", {{"state", "pure-bf16"}}}, changes);
  }
  const char* kind = job.adapters.magnitudes ? "dora" : "qlora";
  add_unless(job.full() || job.quantised(),
             {"base", "a 4-bit base", {{"method.kind", kind}, {"method.base", "nf4"}}}, changes);
  add_unless(!job.kbit_prep, {"kbit-prep", "no k-bit preparation", {{"method.kbit_prep", false}}},
             changes);
}

/// Changes that leave what is trained, and on which tokens, as it is.
std::vector<Variation> plain_changes(const Question& question, const Job& job) {
  std::vector<Variation> changes;
  add_kernel_changes(job, changes);
  add_layout_changes(question, job, changes);
  add_state_changes(job, changes);
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
  add_levers(question, chosen, term, plain_changes(question, chosen.job), found);
  add_levers(question, chosen, term, costly_changes(chosen.job), found);
  return found;
}

std::optional<Lever> best_lever(const Question& question, const Candidate& chosen,
                                const std::string& term) {
  const std::int64_t bytes = term_bytes(chosen.bill, term);
  const auto shrinks = [&](const Lever& lever) { return lever.term_saved * 100 >= bytes; };
  std::vector<Lever> found;
  add_levers(question, chosen, term, plain_changes(question, chosen.job), found);
  auto best = std::find_if(found.begin(), found.end(), shrinks);
  if (best != found.end()) return *best;
  add_levers(question, chosen, term, costly_changes(chosen.job), found);
  best = std::find_if(found.begin(), found.end(), shrinks);
  if (best != found.end()) return *best;
  return found.empty() ? std::nullopt : std::optional<Lever>(found.front());
}

}  // namespace sizesheet
