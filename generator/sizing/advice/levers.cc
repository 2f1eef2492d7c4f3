// SPDX-License-Identifier: Apache-2.0
#include "sizing/advice/levers.h"

#include <algorithm>
#include <utility>

#include "catalog/facts/method.h"
#include "sizing/job/job.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/pieces.h"
#include "sizing/request/question.h"
#include "sizing/search/candidate.h"
#include "support/json.h"
#include "support/named.h"
#include "support/text.h"

namespace sizesheet {
namespace {

using Changes = std::vector<LeverChange>;
using Keys = std::vector<std::pair<std::string, Json>>;

/// A lever as it is named, and what it costs beside time.
struct Name {
  const char* id;
  std::string words;
  const char* gives_up;
};

LeverChange& offer(Changes& changes, const Name& name, Keys keys,
                   LeverReach reach = LeverReach::kPlain) {
  return changes.emplace_back(
      LeverChange{{name.id, name.words, std::move(keys)}, reach, name.gives_up});
}

/// The lever where it is not pulled, else its undoing.
void either(Changes& changes, bool in_use, const Name& name, Keys keys, Keys undo,
            LeverReach reach = LeverReach::kPlain) {
  if (in_use) {
    offer(changes, name, std::move(undo), LeverReach::kTable).in_use = true;
  } else {
    offer(changes, name, std::move(keys), reach);
  }
}

/// Half the micro-batch in twice as many of them is the same step.
void add_micro_batch(const Job& job, Changes& changes) {
  const std::int64_t batch = job.micro_batch;
  const std::int64_t accum = job.grad_accum;
  if (batch == 1) {
    Keys undo = {{"workload.micro_batch", 2}};
    if (accum % 2 == 0 && !job.global_batch) undo.emplace_back("workload.grad_accum", accum / 2);
    offer(changes, {"micro-batch", "a micro-batch of 1, not 2", "nothing"}, std::move(undo),
          LeverReach::kTable)
        .in_use = true;
    return;
  }
  const char* gives_up = job.global_batch ? "nothing" : "tokens in a step";
  offer(changes, {"micro-batch", "a micro-batch of 1", gives_up}, {{"workload.micro_batch", 1}});
  // With a global batch, half of two is the change above.
  if (batch % 2 != 0 || (batch == 2 && job.global_batch)) return;
  Keys halved = {{"workload.micro_batch", batch / 2}};
  if (!job.global_batch) halved.emplace_back("workload.grad_accum", 2 * accum);
  offer(changes,
        {"micro-batch-halved",
         "a micro-batch of " + format_integer(batch / 2) + ", accumulated " +
             format_integer(2 * accum) + " times",
         "nothing"},
        std::move(halved), LeverReach::kTable);
}

void add_kernels(const Job& job, Changes& changes) {
  if (job.training) {
    either(changes, job.fuses_head(),
           {"loss", "a loss fused with the head", "a look at the logits"},
           {{"objective.loss", "liger"}}, {{"objective.loss", "trl"}});
    if (job.training->runs_reference()) {
      offer(changes, {"reference", "a precomputed reference", "a pass over the data before"},
            {{"objective.reference", "precomputed"}});
    }
  } else {
    either(changes, job.fuses_head(),
           {"loss", "fused linear cross-entropy", "a look at the logits"},
           {{"kernels.loss", "fused-linear"}}, {{"kernels.loss", "hf"}});
  }
  either(changes, job.recompute == Recompute::kFull, {"recompute", "full recompute", "nothing"},
         {{"kernels.recompute", "full"}}, {{"kernels.recompute", "none"}});
  if (job.recompute == Recompute::kNone && job.recompute_modules.empty()) {
    offer(changes, {"selective-recompute", "selective recompute", "nothing"},
          {{"kernels.recompute", "selective"}}, LeverReach::kTable);
  }
  either(changes, job.attention == AttentionKernel::kFlash,
         {"attention", "a flash attention kernel", "nothing"}, {{"kernels.attention", "flash"}},
         {{"kernels.attention", "eager"}});
  add_micro_batch(job, changes);
}

/// Twice as many ranks in one dimension, taken from the data-parallel ones.
Keys twice(const char* key, std::int64_t ranks, const Layout& layout) {
  return {{key, 2 * ranks}, {"layout.dp", layout.dp / 2}};
}

/// What the search was free to choose it has chosen; what the request or the stack fixes may still
/// be changed.
void add_splits(const Question& question, const Layout& layout, Changes& changes) {
  if (layout.dp % 2 != 0) return;
  offer(changes,
        {"tensor-parallel", "tensor parallelism of " + std::to_string(2 * layout.tp),
         "an exchange in every layer"},
        twice("layout.tp", layout.tp, layout),
        question.pins().tp ? LeverReach::kPlain : LeverReach::kTable);
  offer(changes,
        {"context-parallel", "context parallelism of " + std::to_string(2 * layout.cp),
         "a ring of keys and values in every layer"},
        twice("layout.cp", layout.cp, layout), LeverReach::kTable);
}

void add_shard(const Layout& layout, Changes& changes) {
  if (layout.replicas() == 1) return;
  const Shard shard = layout.shard;
  either(changes, shard == Shard::kZero3, {"shard", "ZeRO-3 sharding", "more on the links"},
         {{"layout.shard", "zero3"}}, {{"layout.shard", "none"}});
  if (shard == Shard::kNone) {
    offer(changes, {"shard-1", "ZeRO-1 sharding", "nothing"}, {{"layout.shard", "zero1"}},
          LeverReach::kTable);
  } else if (shard == Shard::kZero1) {
    offer(changes, {"shard-2", "ZeRO-2 sharding", "nothing"}, {{"layout.shard", "zero2"}},
          LeverReach::kTable);
  }
}

void add_layout(const Question& question, const Job& job, Changes& changes) {
  const Layout& layout = job.layout;
  if (!layout.expandable_segments) {
    offer(changes, {"allocator", "expandable allocator segments", "nothing"},
          {{"layout.allocator", "expandable"}})
        .timed = false;
  }
  if (layout.shard == Shard::kZero3 && layout.root_gathered > 0) {
    offer(changes, {"root", "resharding embedding and head", "a second gather of them"},
          {{"layout.root_unsharded", 0}})
        .timed = false;
  }
  add_shard(layout, changes);
  add_splits(question, layout, changes);
}

void add_optimizer(const Job& job, Changes& changes) {
  const std::string& id = job.optimizer.id;
  const bool paged = job.paged_optimizer;
  const bool eight_bits = id.find("8bit") != std::string::npos;
  either(changes, eight_bits, {"optimizer", "an 8-bit optimizer", "precision of the moments"},
         {{"optimizer", "adamw-8bit"}}, {{"optimizer", paged ? "paged-adamw" : "adamw"}});
  if (id != "adamw" && id != "adamw-8bit" && !paged) return;
  either(changes, paged, {"paged-optimizer", "a paged optimizer", "host memory"},
         {{"optimizer", "paged-" + id}}, {{"optimizer", eight_bits ? "adamw-8bit" : "adamw"}},
         LeverReach::kTable);
}

void add_state(const Job& job, Changes& changes) {
  if (!job.state.with_bf16_gradients.empty()) {
    offer(changes, {"state", "bf16 gradients", "sums of gradients in 32 bits"},
          {{"state", job.state.with_bf16_gradients}});
  }
  if (!job.state.own_optimizer) {
    add_optimizer(job, changes);
    if (job.full() && job.state.id != "pure-bf16") {
      offer(changes, {"state", "bf16 weights and states", "updates too small for 16 bits"},
            {{"state", "pure-bf16"}});
    }
  }
  if (!job.full()) {
    const MethodFacts& kind = facts_of(job.kind);
    either(changes, job.quantised(), {"base", "a 4-bit base", "precision of the base"},
           {{"method.kind", kind.quantised}, {"method.base", "nf4"}},
           {{"method.kind", kind.plain}, {"method.base", "bf16"}});
  }
  if (!job.full() && job.state.id == "peft-fp32") {
    offer(changes, {"adapter-dtype", "adapters in bf16", "updates too small for 16 bits"},
          {{"method.adapter_dtype", "bf16"}, {"state", "pure-bf16"}}, LeverReach::kTable);
  }
  if (job.kbit_prep) {
    offer(changes, {"kbit-prep", "no k-bit preparation", "norms and head in 32 bits"},
          {{"method.kbit_prep", false}});
  }
}

void add_host(const Job& job, Changes& changes) {
  either(changes, job.layout.offload_optimizer,
         {"offload", "optimizer states in host memory", "host memory"},
         {{"layout.offload", "optimizer"}}, {{"layout.offload", "none"}}, LeverReach::kCostly);
  either(changes, job.activation_offload,
         {"activation-offload", "kept activations in host memory", "host memory"},
         {{"kernels.activation_offload", true}}, {{"kernels.activation_offload", false}},
         LeverReach::kTable);
}

/// Changes that alter the run itself.
void add_run(const Job& job, Changes& changes) {
  if (job.seq_len >= 2) {
    offer(changes,
          {"seq-len", "sequences of " + format_integer(job.seq_len / 2) + " tokens",
           "longer examples"},
          {{"workload.seq_len", job.seq_len / 2}}, LeverReach::kCostly)
        .same_run = false;
  }
  if (job.full()) {
    const Json lora = {{"kind", "lora"}, {"rank", 16}, {"targets", "all-linear"}};
    offer(changes, {"method", "LoRA", "training all weights"}, {{"method", lora}},
          LeverReach::kCostly)
        .same_run = false;
    return;
  }
  if (job.adapters.rank < 2) return;
  const std::int64_t rank = job.adapters.rank > 16 ? 16 : job.adapters.rank / 2;
  offer(changes, {"rank", "rank " + std::to_string(rank), "capacity of the adapters"},
        {{"method.rank", rank}}, LeverReach::kTable)
      .same_run = false;
}

}  // namespace

std::vector<Lever> levers(const Question& question, const Candidate& chosen, Term term,
                          LeverReach reach) {
  std::vector<Lever> found;
  for (const auto& [change, reached, gives_up, in_use, timed, same_run] :
       lever_changes(question, chosen.job)) {
    if (in_use || reached != reach) continue;
    const auto candidate = varied(question, chosen, change);
    if (!candidate) continue;
    Lever lever{change.id,
                change.words,
                chosen.bill.device - candidate->bill.device,
                chosen.bill.of(term) - candidate->bill.of(term),
                candidate->verdict,
                candidate->bill.device_high};
    if (lever.saved * 100 >= chosen.bill.device) found.push_back(std::move(lever));
  }
  std::ranges::stable_sort(found, [](const Lever& a, const Lever& b) { return a.saved > b.saved; });
  return found;
}

std::optional<Lever> best_lever(const Question& question, const Candidate& chosen, Term term) {
  const std::int64_t bytes = chosen.bill.of(term);
  std::optional<Lever> best;
  for (const LeverReach reach : {LeverReach::kPlain, LeverReach::kCostly}) {
    for (Lever& lever : levers(question, chosen, term, reach)) {
      if (lever.term_saved * 100 >= bytes) return lever;
      if (!best) best = std::move(lever);
    }
  }
  return best;
}

std::vector<LeverChange> lever_changes(const Question& question, const Job& job) {
  Changes changes;
  add_kernels(job, changes);
  add_layout(question, job, changes);
  add_state(job, changes);
  add_host(job, changes);
  add_run(job, changes);
  return changes;
}

}  // namespace sizesheet
