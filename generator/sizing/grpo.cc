// SPDX-License-Identifier: Apache-2.0
#include "sizing/grpo.h"

#include <algorithm>
#include <cmath>

#include "sizing/numbers.h"
#include "support/printable.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// A copy is stored and divided as the policy's own weights: the frozen base beside adapters, the
/// trained weights without their optimizer in full fine-tuning.
double reference_bytes(const Job& job, const Pieces<double>& pieces) {
  return job.grpo->reference == Reference::kCopy ? pieces.weights : 0.0;
}

/// What the trainer keeps while the engine generates: state, its rounding, and what lies outside
/// the allocator. Activations are gone and their blocks given back.
double resting_bytes(const Job& job, const Pieces<double>& pieces) {
  return resident_bytes(pieces) * (1 + job.overheads.static_share) + overhead_bytes<double>(job);
}

Json generation_json(const Job& job, const GenerationBill& bill) {
  const GrpoSpec& grpo = *job.grpo;
  const std::int64_t gpus = grpo.colocated() ? job.layout.gpus() : grpo.generation_gpus;
  return {{"weights", bill.weights},
          {"workspace", bill.workspace},
          {"cuda_graphs", bill.cuda_graphs},
          {"overhead", bill.overhead},
          {"kv_cache_per_sequence", bill.kv_cache_per_sequence},
          {"kv_cache", bill.kv_cache},
          {"device", bill.device},
          {"asleep", grpo.colocated() && grpo.sleep ? Json(bill.asleep()) : Json()},
          {"sequences_that_fit", bill.sequences_that_fit},
          {"groups_that_fit", bill.sequences_that_fit / grpo.group_size},
          {"max_concurrent", grpo.max_concurrent},
          {"tp", grpo.generation_tp},
          {"engines", gpus / grpo.generation_tp},
          {"gpus", gpus}};
}

}  // namespace

GrpoBill grpo_bill(const Job& job, const std::vector<Stage>& stages, std::int64_t trainer_device,
                   std::int64_t capacity) {
  GrpoBill card;
  card.trainer_device = trainer_device;
  card.generation = generation_bill(job, capacity);
  double reference = 0;
  double resting = 0;
  for (const Stage& stage : stages) {
    const Pieces<double> pieces = memory_pieces<double>(job, stage);
    reference = std::max(reference, reference_bytes(job, pieces));
    resting = std::max(resting, resting_bytes(job, pieces));
  }
  card.reference_weights = whole_bytes(reference * (1 + job.overheads.static_share));
  card.training_phase = card.trainer_device + card.reference_weights;
  if (job.grpo->colocated()) {
    card.training_phase += job.grpo->sleep ? card.generation.asleep() : card.generation.device;
    card.generation_phase = whole_bytes(resting) + card.reference_weights + card.generation.device;
  }
  card.device = std::max(card.training_phase, card.generation_phase);
  return card;
}

Json grpo_json(const Job& job, const GrpoBill& bill, const std::string& verdict) {
  const GrpoSpec& grpo = *job.grpo;
  return {{"trainer_device", bill.trainer_device},
          {"reference", id_of(kReferences, grpo.reference)},
          {"reference_weights", bill.reference_weights},
          {"generation", generation_json(job, bill.generation)},
          {"together",
           {{"device", bill.device},
            {"training", bill.training_phase},
            {"generation", grpo.colocated() ? Json(bill.generation_phase) : Json()},
            {"phase", bill.phase()},
            {"verdict", verdict},
            {"gpus", job.layout.gpus() + grpo.generation_gpus}}}};
}

std::vector<std::string> grpo_warnings(const Job& job, const GrpoBill& bill) {
  const GrpoSpec& grpo = *job.grpo;
  std::vector<std::string> warnings;
  if (grpo.colocated()) {
    warnings.push_back(
        "grpo: memory.device is the trainer's; memory.verdict and minimum are of the whole card, "
        "which holds grpo.together.device");
  } else {
    warnings.push_back(
        "grpo: memory.device, layout and minimum are the trainer's; memory.verdict counts the "
        "reference weights, and generation takes " +
        std::to_string(grpo.generation_gpus) + " GPUs more");
  }
  warnings.push_back(
      "grpo: throughput and hours are left out, since the time of generation is not modelled");
  warnings.push_back("grpo: the loss is counted as kernels.loss " + in_quotes(job.loss) +
                     " over prompt and completion");
  const std::int64_t fit = bill.generation.sequences_that_fit;
  if (fit < grpo.max_concurrent) {
    warnings.push_back("grpo.max_concurrent: the cache holds " + format_integer(fit) + " of " +
                       format_integer(grpo.max_concurrent) +
                       " sequences at full length; the others wait");
  }
  return warnings;
}

}  // namespace sizesheet
