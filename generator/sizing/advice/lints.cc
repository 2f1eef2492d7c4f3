// SPDX-License-Identifier: Apache-2.0
#include "sizing/advice/lints.h"

#include <functional>
#include <utility>

#include "catalog/facts/gpu.h"
#include "sizing/job/job.h"
#include "sizing/job/lengths.h"
#include "sizing/memory/adapted_base.h"
#include "sizing/memory/memory.h"
#include "sizing/memory/pieces.h"
#include "sizing/memory/verdict.h"
#include "sizing/model/adapters.h"
#include "sizing/model/parameters.h"
#include "sizing/request/kernels_reader.h"
#include "sizing/request/question.h"
#include "sizing/request/stack_defaults.h"
#include "sizing/search/candidate.h"
#include "sizing/time/clocks.h"
#include "sizing/time/throughput.h"
#include "support/json.h"
#include "support/named.h"
#include "support/object_text.h"
#include "support/text.h"
#include "support/whole_numbers.h"

namespace sizesheet {
namespace {

using Found = std::optional<Lint>;

std::string gib(double bytes) {
  return format_gib(static_cast<std::int64_t>(bytes), bytes < kGiB ? 2 : 1) + " GiB";
}

/// Device bytes that the job has over itself with one change.
double bytes_over(const Candidate& chosen, const std::function<void(Job&)>& change) {
  Job job = chosen.job;
  change(job);
  return as_double(chosen.bill.device - worst_bill(job, *chosen.stages).device);
}

bool notable(const Candidate& chosen, double bytes) {
  return bytes * 100 >= as_double(chosen.bill.device);
}

/// Bytes of a trained parameter with all that is kept for it.
double state_width(const Job& job, double moments) {
  return job.state.weight + job.state.gradient + job.state.master + moments;
}

Found paged_optimizer(const Question&, const Candidate& chosen) {
  const double paged = chosen.job.paged_bytes;
  if (paged <= 0) return std::nullopt;
  return Lint{"paged-optimizer", gib(paged) +
                                     " of optimizer states wait in host memory: each step moves " +
                                     gib(2 * paged) + " over PCIe"};
}

Found offloaded_optimizer(const Question&, const Candidate& chosen) {
  const Job& job = chosen.job;
  if (!job.layout.offload_optimizer) return std::nullopt;
  const double ranks = job.layout.stage() > 0 ? as_double(job.layout.shard_ranks()) : 1.0;
  const double trained = trainable_per_rank(job, chosen.worst_stage()) / ranks;
  const double moved = trained * (job.state.gradient + 2);
  return Lint{"offloaded-optimizer", "the optimizer steps on the host, with " +
                                         gib(as_double(chosen.bill.host)) +
                                         " there per GPU: each step moves " + gib(moved) +
                                         " of gradients and weights over PCIe"};
}

Found inert_recompute(const Question&, const Candidate& chosen) {
  const Job& job = chosen.job;
  if (job.recompute_modules.empty()) return std::nullopt;
  Job bare = job;
  bare.recompute = Recompute::kNone;
  bare.recompute_modules.clear();
  const Stage& stage = chosen.worst_stage();
  const double kept = memory_pieces<double>(job, stage).kept;
  if (kept < memory_pieces<double>(bare, stage).kept) return std::nullopt;
  const std::vector<std::string> listed(job.recompute_modules.begin(), job.recompute_modules.end());
  return Lint{"inert-recompute", "kernels.recompute [" + join(listed, ", ") +
                                     "] drops nothing here: all " + gib(kept) +
                                     " of activations stay"};
}

Found idle_adapter(const Question&, const Candidate& chosen) {
  const Job& job = chosen.job;
  if (job.full() || !has_mamba(*job.model) || !job.adapters.targets.contains(Projection::kMixerOut))
    return std::nullopt;
  double parameters = 0;
  for (const StageKind& kind : chosen.worst_stage().kinds) {
    for (const Linear& linear : linears(*job.model, kind.block)) {
      if (linear.name != Projection::kMixerOut) continue;
      parameters += as_double(kind.count * job.adapters.rank * (linear.in + linear.out));
    }
  }
  const double width = state_width(job, job.moment_bytes());
  return Lint{
      "idle-adapter",
      "the fused Mamba-2 kernel never calls an adapter on out_proj: its gradient stays zero "
      "and " +
          gib(parameters * width) + " of it train nothing; leave out_proj out of method.targets"};
}

Found upcast(const Question&, const Candidate& chosen) {
  if (!chosen.job.kbit_prep) return std::nullopt;
  const double bytes = bytes_over(chosen, [](Job& job) { job.kbit_prep = false; });
  return Lint{"kbit-upcast",
              "k-bit preparation casts norms, embedding and head to fp32, and with them what the "
              "blocks pass on: " +
                  gib(bytes) + " of this"};
}

Found unsharded_root(const Question&, const Candidate& chosen) {
  const Job& job = chosen.job;
  const auto pieces = memory_pieces<double>(job, chosen.worst_stage());
  const double bytes = pieces.root + pieces.root_gradients;
  if (!notable(chosen, bytes) || bytes <= 0) return std::nullopt;
  return Lint{"unsharded-root", "embedding and head stay gathered on every GPU through the step: " +
                                    gib(bytes) + " that sharding does not divide"};
}

Found emulated_bf16(const Question& question, const Candidate& chosen) {
  const Gpu* gpu = question.gpu;
  if (gpu == nullptr || gpu->bf16 || chosen.job.precision != Precision::kBf16) return std::nullopt;
  return Lint{
      "no-bf16",
      gpu->short_name +
          " has no bf16 arithmetic: it is emulated in fp32 and slow, and no hours are given; use "
          "kernels.precision fp16 with fp32 or master weights"};
}

Found attention_kernel(const Question&, const Candidate& chosen) {
  const AttentionKernel kernel = chosen.job.attention;
  if (kernel == AttentionKernel::kFlash) return std::nullopt;
  const double bytes =
      bytes_over(chosen, [](Job& job) { job.attention = AttentionKernel::kFlash; });
  if (!notable(chosen, bytes)) return std::nullopt;
  if (kernel == AttentionKernel::kFlashRepeatKv) {
    return Lint{"repeated-kv", "keys and values are repeated for every query head: " + gib(bytes)};
  }
  return Lint{"eager-attention", "eager attention writes out scores of length x length: " +
                                     gib(bytes) + " at " + format_integer(chosen.job.seq_len) +
                                     " tokens, and four times that at twice the length"};
}

Found plain_experts(const Question&, const Candidate& chosen) {
  const Job& job = chosen.job;
  const Stage& stage = chosen.worst_stage();
  if (!job.quantised() || job.quantize_experts || stage.expert <= 0) return std::nullopt;
  const double bytes = bytes_over(chosen, [](Job& changed) { changed.quantize_experts = true; });
  return Lint{"unquantised-experts",
              "the routed experts stay in 16 bits under this base, for the quantiser skips their "
              "stacked tensors: " +
                  gib(bytes) + " more than with method.quantize_experts"};
}

Found bare_experts(const Question& question, const Candidate& chosen) {
  const Job& job = chosen.job;
  const ComponentCounts counts = count_parameters(*job.model);
  if (job.full() || counts.experts == 0 || job.adapters.experts != "none") return std::nullopt;
  if (job.adapters.targets != preset_targets(*question.model, "all-linear")) return std::nullopt;
  const double share = 100 * as_double(counts.experts) / as_double(counts.total());
  const double bytes = as_double(counts.experts) * expert_base_bytes(job);
  return Lint{"bare-experts",
              "all-linear leaves the routed experts without adapters: " + gib(bytes) +
                  " of base, " + format_number(share, 0) +
                  " % of the parameters, train nothing (method.experts shared or per-expert)"};
}

Found saved_modules(const Question&, const Candidate& chosen) {
  const Job& job = chosen.job;
  const double saved = chosen.worst_stage().trained_root;
  if (saved <= 0) return std::nullopt;
  const double width = state_width(
      job, job.state.bf16_moments ? job.optimizer.embedding_bf16 : job.optimizer.embedding);
  std::string words =
      "method.modules_to_save trains " + format_parameters(static_cast<std::int64_t>(saved)) +
      " parameters of embedding and head in full, beside the frozen ones: " + gib(saved * width) +
      " of copies, gradients and states before sharding";
  if (job.model->tied_head) words += "; the model ties both, and the saved copy unties them";
  return Lint{"saved-modules", words};
}

Found wide_base(const Question&, const Candidate& chosen) {
  if (chosen.job.base != BaseDtype::kFp32) return std::nullopt;
  const double bytes = bytes_over(chosen, [](Job& job) { job.base = BaseDtype::kBf16; });
  return Lint{"fp32-base", "the frozen base is held in fp32 and cast for every use: " + gib(bytes) +
                               " more than in bf16"};
}

Found swapping(const Question& question, const Candidate& chosen) {
  if (question.gpu == nullptr || !question.gpu->unified_memory ||
      chosen.verdict == Verdict::kFits) {
    return std::nullopt;
  }
  return Lint{"unified-memory", question.gpu->short_name +
                                    " shares its memory with the system: at " +
                                    gib(as_double(chosen.bill.device)) + " of " +
                                    gib(as_double(chosen.bill.capacity)) +
                                    " it swaps and slows down before it fails"};
}

constexpr double kWideShare = 0.05;  // usual adapters are under a hundredth of the model
constexpr double kSlowShare = 0.30;
// Nodes of eight beyond the first: the next count on offer is at most this far.
constexpr std::int64_t kNextNode = 72;

/// Adapters of more than a twentieth of the model.
Found wide_adapters(const Question& question, const Candidate& chosen) {
  const Job& job = chosen.job;
  if (job.full()) return std::nullopt;
  const AdapterCounts counts = count_adapters(*job.model, job.adapters);
  const double share =
      as_double(counts.total()) / as_double(count_parameters(*question.model).total());
  if (share <= kWideShare) return std::nullopt;
  std::string words = "the adapters have " + format_parameters(counts.total()) + " parameters, " +
                      format_number(100 * share, 1) +
                      " % of the model, each with gradient and optimizer state";
  if (counts.expert > counts.dense) {
    words += "; " + format_parameters(counts.expert) +
             " of them are on routed experts (method.experts shared or none)";
  }
  return Lint{"wide-adapters", words};
}

/// Exchanges that computing does not hide take three tenths of the step or more.
Found slow_link(const Question& question, const Candidate& chosen,
                std::optional<Throughput> speed) {
  if (!speed || chosen.job.layout.gpus() == 1 || chosen.job.grpo) return std::nullopt;
  if (chosen.job.samples) {
    Job alike = chosen.job;
    alike.samples.reset();  // ranks that wait for longer samples do not wait for the link
    speed = throughput(alike, *question.gpu);
  }
  const StepClocks& clocks = speed.value().clocks;
  const double links = clocks.tensor + clocks.expert + clocks.context + clocks.exchange;
  const double share = links / clocks.total();
  if (share < kSlowShare) return std::nullopt;
  return Lint{"slow-link", format_number(100 * share, 0) +
                               " % of each step is exchange between GPUs that computing does not "
                               "hide; link of " +
                               question.gpu->short_name + ": " + question.gpu->interconnect};
}

/// A count of GPUs that is not on offer.
Found odd_count(const Question& question, const Candidate& chosen) {
  if (question.gpu == nullptr) return std::nullopt;
  const std::int64_t gpus = chosen.job.layout.gpus();
  std::int64_t below = 0;
  std::int64_t above = 0;
  for (const std::int64_t count : question.gpu->counts_up_to(gpus + kNextNode)) {
    if (count == gpus) return std::nullopt;
    if (count < gpus) below = count;
    if (count > gpus && above == 0) above = count;
  }
  std::string words = std::to_string(gpus) + " × " + question.gpu->short_name + " are not on offer";
  if (below > 0) words += ": " + std::to_string(below);
  if (above > 0) words += (below > 0 ? " or " : ": ") + std::to_string(above);
  if (below > 0 || above > 0) words += above > 0 && below > 0 ? " are" : " is the nearest count";
  return Lint{"odd-count", words};
}

/// What every job has, whoever said it. The search may have chosen another recomputation or loss
/// than the stack's first.
std::vector<std::pair<std::string_view, Json>> facts_of(const Job& job) {
  std::vector<std::pair<std::string_view, Json>> facts = {
      {"kernels.recompute", recompute_json(job)},
      {"state", job.state.id},
      {"workload.grad_accum", job.grad_accum},
      {"workload.micro_batch", job.micro_batch}};
  if (job.training) {
    facts.emplace_back("objective.loss", id_of(kTrainingLosses, job.training->loss));
    facts.emplace_back("objective.reference", id_of(kReferences, job.training->reference));
  } else {
    facts.emplace_back("kernels.loss", job.loss);
  }
  if (job.grpo) return facts;  // lengths are those of what is generated
  if (job.samples) {
    const double variation = job.samples->spread.variation;
    facts.emplace_back("workload.batching", id_of(kBatchings, job.samples->batching));
    if (variation > 0) facts.emplace_back("workload.length_cv", variation);
  } else {
    facts.emplace_back("workload.packed", job.packed);
  }
  facts.emplace_back("workload.seq_len", job.seq_len);
  return facts;
}

}  // namespace

std::vector<Lint> lints(const Question& question, const Candidate& chosen,
                        const std::optional<Throughput>& speed) {
  constexpr Found (*kLints[])(const Question&, const Candidate&) = {
      paged_optimizer, offloaded_optimizer, inert_recompute,  idle_adapter,  upcast,
      unsharded_root,  emulated_bf16,       attention_kernel, plain_experts, bare_experts,
      saved_modules,   wide_base,           swapping,         wide_adapters};
  std::vector<Lint> found;
  const auto add = [&](Found one) {
    if (one) found.push_back(std::move(*one));
  };
  for (const auto& lint : kLints) add(lint(question, chosen));
  add(slow_link(question, chosen, speed));
  add(odd_count(question, chosen));
  return found;
}

ObjectText defaults_of(const Question& question, const Candidate& chosen) {
  const Json& asked = question.request;
  const Spread spread = spread_of(chosen.job.layout);
  const auto facts = facts_of(chosen.job);
  ObjectText taken;
  for (const auto& [key, value] : facts) {
    if (at_dotted(asked, key).is_null()) taken(key, value);
  }
  for (const AppliedSetting& applied : question.stack_defaults) {
    const std::string& key = applied.setting->key;
    const bool told = std::ranges::any_of(facts, [&](const auto& one) { return key == one.first; });
    if (told || starts_with(key, "layout.")) continue;
    const Json& value = default_value(asked, applied, spread);
    if (!value.is_null()) taken(key, value);
  }
  ObjectText defaults;
  defaults("stack", question.stack != nullptr ? std::optional(question.stack->id) : std::nullopt);
  defaults("taken", taken);
  return defaults;
}

}  // namespace sizesheet
