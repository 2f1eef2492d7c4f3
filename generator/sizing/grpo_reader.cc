// SPDX-License-Identifier: Apache-2.0
// The request's `grpo`: what is generated and where, checked against the model, the card and the
// workload.
#include <algorithm>

#include "sizing/generation.h"
#include "sizing/job_reader.h"
#include "sizing/layout_rules.h"
#include "sizing/stack_merge.h"
#include "support/text.h"

namespace sizesheet {
namespace {

void read_place(ObjectReader& reader, GrpoSpec& grpo) {
  grpo.place = read_named_or(reader, "generation", kPlaces, GenerationPlace::kColocated);
  const bool server = !grpo.colocated();
  grpo.generation_tp = reader.integer_or("generation_tp", 1, {1, 1024});
  grpo.memory_fraction = reader.number_or("memory_fraction", server ? 0.9 : 0.3, {0.01, 1});
  grpo.sleep = reader.flag_or("sleep", !server);
  refuse_unless(reader, !server || !grpo.sleep, "sleep",
                "true needs generation \"colocated\": a server has its cards to itself");
  if (!server) {
    refuse_unless(reader, !reader.has("generation_gpus"), "generation_gpus",
                  "needs generation \"server\"; colocated engines stand on the trainer's GPUs");
    reader.raw("generation_gpus");
    return;
  }
  grpo.generation_gpus = reader.integer("generation_gpus", {1, 100000});
  if (reader.sound("") && grpo.generation_gpus % grpo.generation_tp != 0) {
    reader.fault("generation_gpus", std::to_string(grpo.generation_gpus) +
                                        " is not divisible by generation_tp " +
                                        std::to_string(grpo.generation_tp));
  }
}

void read_weights(ObjectReader& reader, const Job& job, GrpoSpec& grpo) {
  grpo.nf4_weights = reader.one_of_or("weight_dtype", {"bf16", "nf4"}, "bf16") == "nf4";
  refuse_unless(reader, !grpo.nf4_weights || job.nf4(), "weight_dtype",
                "\"nf4\" needs a trainer on the same base, method.kind \"qlora\"");
}

void read_reference(ObjectReader& reader, const Job& job, GrpoSpec& grpo) {
  grpo.reference = read_named_or(reader, "reference", kReferences, Reference::kNone);
  refuse_unless(reader, grpo.reference != Reference::kAdapterOff || !job.full(), "reference",
                "\"adapter-off\" needs adapters to switch off, and method.kind is \"full\"; ask "
                "for \"copy\"");
}

/// Tensor parallelism of the engine obeys the rules of the model and stays inside a node.
void check_split(ObjectReader& reader, const Job& job, const Gpu& gpu) {
  const std::int64_t tp = job.grpo->generation_tp;
  const std::string fault = tensor_split_fault(*job.model, tp);
  if (!fault.empty()) reader.fault("generation_tp", fault);
  for (const BlockRun& run : job.model->runs) {
    if (!fault.empty() || !run.block.moe || run.block.moe->expert_width % tp == 0) continue;
    const std::int64_t width = run.block.moe->expert_width;
    reader.fault("generation_tp", std::to_string(width) + " expert columns are not divisible by " +
                                      std::to_string(tp) + " " + nearest_divisors(width, tp));
    break;
  }
  if (tp > gpu.gpus_per_node) {
    reader.fault("generation_tp", "an engine stays inside a node of " +
                                      std::to_string(gpu.gpus_per_node) + " GPUs, got " +
                                      std::to_string(tp));
  }
}

/// The smallest wider split with which the engine starts in the fraction it was given; 0: none.
std::int64_t wider_split(Job job, const Gpu& gpu, std::int64_t capacity) {
  const double fraction = job.grpo->memory_fraction;
  for (std::int64_t tp = job.grpo->generation_tp + 1; tp <= gpu.gpus_per_node; ++tp) {
    if (!tensor_split_fault(*job.model, tp).empty()) continue;
    job.grpo->generation_tp = tp;
    if (least_fraction(job, capacity) <= fraction) return tp;
  }
  return 0;
}

/// An engine that cannot cache one sequence at full length refuses to start.
void check_start(ObjectReader& reader, const Job& job, const Gpu& gpu) {
  const std::int64_t capacity = gpu.capacity_bytes().value_or(0);
  if (capacity == 0) return;
  const GenerationBill bill = generation_bill(job, capacity);
  if (bill.device > capacity) {
    reader.fault("memory_fraction", format_number(job.grpo->memory_fraction, 2) + " of " +
                                        format_gib(capacity, 1) +
                                        " GiB leaves no room for the server's CUDA context of " +
                                        format_number(job.overheads.context_gib, 2) + " GiB");
  }
  if (bill.sequences_that_fit > 0) return;
  const double least = least_fraction(job, capacity);
  const std::int64_t wider = wider_split(job, gpu, capacity);
  std::string text = "the engine does not start: " + format_number(job.grpo->memory_fraction, 2) +
                     " of " + format_gib(capacity, 1) + " GiB is too little for weights of " +
                     format_gib(bill.weights, 1) + " GiB, a workspace of " +
                     format_gib(bill.workspace, 1) + " GiB, graphs and libraries of " +
                     format_gib(bill.asleep(), 1) + " GiB and one sequence's cache of " +
                     format_gib(bill.kv_cache_per_sequence, 2) + " GiB";
  if (least <= 1) text += "; at least " + format_number(least, 2);
  if (wider > 0) {
    text += std::string(least <= 1 ? " or" : ";") + " generation_tp " + std::to_string(wider);
  }
  if (least > 1 && wider == 0) text += "; no fraction, and no split inside a node, is enough";
  reader.fault("memory_fraction", text);
}

/// The trainer runs over prompt and completion, whose lengths differ from batch to batch.
void set_workload(ObjectReader& reader, const Json& request, Job& job) {
  const GrpoSpec& grpo = *job.grpo;
  if (at_dotted(request, "workload.packed").is_null()) job.packed = false;
  refuse_unless(reader, !job.tokens, "",
                "the hours of GRPO are not modelled (generation takes most of them), so leave "
                "workload.tokens, or examples, out");
  if (at_dotted(request, "workload.seq_len").is_null()) {
    job.seq_len = grpo.sequence();
  } else if (job.seq_len < grpo.sequence()) {
    reader.fault("completion_length",
                 "prompt and completion are " + std::to_string(grpo.prompt_length) + " + " +
                     std::to_string(grpo.completion_length) + " = " +
                     std::to_string(grpo.sequence()) + " tokens, and workload.seq_len is " +
                     std::to_string(job.seq_len) + "; leave it out or give at least that");
  }
}

}  // namespace

void read_grpo(ObjectReader& request, const Gpu* gpu, Job& job) {
  std::optional<ObjectReader> found = request.optional_object("grpo");
  if (!found) return;
  ObjectReader& reader = *found;
  GrpoSpec grpo;
  grpo.group_size = reader.integer_or("group_size", 8, {2, 100000});
  grpo.prompt_length = reader.integer_or("prompt_length", 512, {1, 100000000});
  grpo.completion_length = reader.integer_or("completion_length", 1024, {1, 100000000});
  read_place(reader, grpo);
  grpo.kv_bytes = reader.one_of_or("kv_dtype", {"bf16", "fp8"}, "bf16") == "fp8" ? 1 : 2;
  grpo.max_concurrent =
      reader.integer_or("max_concurrent", grpo.group_size * job.micro_batch, {1, 1LL << 40});
  read_weights(reader, job, grpo);
  read_reference(reader, job, grpo);
  reader.done();
  job.grpo = grpo;
  set_workload(reader, request.whole(), job);
  refuse_unless(reader, gpu != nullptr, "",
                "needs a gpu: generation takes a fraction of its memory");
}

void check_grpo(ObjectReader& request, const Gpu* gpu, const Job& job) {
  if (!job.grpo || gpu == nullptr || !request.sound("grpo")) return;
  ObjectReader reader = request.object("grpo");
  check_split(reader, job, *gpu);
  if (reader.sound("")) check_start(reader, job, *gpu);
}

}  // namespace sizesheet
