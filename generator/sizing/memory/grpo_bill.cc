// SPDX-License-Identifier: Apache-2.0
#include "sizing/memory/grpo_bill.h"

#include <algorithm>

#include "catalog/models/architecture.h"
#include "sizing/job/job.h"
#include "sizing/memory/generation.h"
#include "sizing/memory/memory.h"
#include "sizing/memory/pieces.h"
#include "sizing/memory/verdict.h"
#include "sizing/memory/working_pieces.h"
#include "sizing/model/parameters.h"
#include "support/json.h"
#include "support/named.h"
#include "support/text.h"
#include "support/whole_numbers.h"

namespace sizesheet {
namespace {

/// What the trainer keeps on the card while the engine generates. The states that wait on the host
/// are moved after a step, which has freed the gradients; without such a move they stay where the
/// stack keeps them.
double resting_bytes(const Pieces<double>& pieces, TrainerOffload offload) {
  const bool weights = offload == TrainerOffload::kWeights || offload == TrainerOffload::kAll;
  const bool optimizer = offload == TrainerOffload::kOptimizer || offload == TrainerOffload::kAll;
  double bytes = resident_bytes(pieces);
  if (weights) bytes -= pieces.weights + pieces.adapters;
  if (optimizer) bytes -= pieces.master + pieces.moments;
  const bool gradients = offload != TrainerOffload::kNone && pieces.gradients_persist;
  return gradients ? bytes - pieces.gradients : bytes;
}

Json generation_json(const Job& job, const GenerationBill& bill) {
  const GrpoSpec& grpo = *job.grpo;
  const std::int64_t gpus = grpo.colocated() ? job.layout.gpus() : grpo.generation_gpus;
  Json json = as_json(bill);
  json.update({{"asleep", grpo.colocated() && grpo.sleep ? Json(bill.asleep()) : Json()},
               {"groups_that_fit", bill.sequences_that_fit / grpo.group_size},
               {"max_concurrent", grpo.max_concurrent},
               {"tp", grpo.generation_tp},
               {"engines", gpus / grpo.generation_tp},
               {"gpus", gpus}});
  return json;
}

/// Bytes that some model beside the policy keeps on the card while the trainer runs, and while the
/// engine does: the largest over the stages.
struct Beside {
  double training = 0;
  double generation = 0;
};

/// The value model trains with the policy's recipe and layout. Its activations come and go in a
/// phase of its own, without the logits of the policy's.
Beside value_bytes(const Job& job) {
  Beside bytes;
  if (!job.grpo->value_model) return bytes;
  Job value = job;
  value.model = std::make_shared<const Architecture>(with_score_head(*job.grpo->value_model));
  for (const Stage& stage : stages_of(value)) {
    const Pieces<double> pieces = memory_pieces<double>(value, stage);
    bytes.training = std::max(bytes.training, pieces.weights + pieces.adapters + pieces.master +
                                                  pieces.moments + pieces.gradients);
    bytes.generation = std::max(bytes.generation, resident_bytes(pieces));
  }
  return bytes;
}

/// Frozen weights in 16 bits, divided as the trainer's are.
double reward_bytes(const Job& job) {
  const GrpoSpec& grpo = *job.grpo;
  if (!grpo.reward_model || grpo.reward_gpus > 0) return 0;
  const Layout& layout = job.layout;
  const std::int64_t split =
      layout.tp * layout.pp * (layout.shard == Shard::kZero3 ? layout.shard_ranks() : 1);
  return 2 * as_double(count_parameters(*grpo.reward_model).total()) / as_double(split);
}

}  // namespace

GrpoBill grpo_bill(const Job& job, const std::vector<Stage>& stages, std::int64_t trainer_device,
                   std::int64_t capacity) {
  const GrpoSpec& grpo = *job.grpo;
  GrpoBill card;
  card.trainer_device = trainer_device;
  card.generation = generation_bill(job, capacity);
  const double rounded_up = 1 + job.overheads.static_share;
  double reference = 0;
  double resting = 0;
  for (const Stage& stage : stages) {
    const Pieces<double> pieces = memory_pieces<double>(job, stage);
    // A copy is stored and divided as the policy's own weights: the frozen base beside adapters,
    // the trained weights without their optimizer in full fine-tuning.
    if (grpo.reference == Reference::kCopy && !grpo.reference_offload) {
      reference = std::max(reference, pieces.weights);
    }
    // What the trainer keeps while the engine generates: state, its rounding, and what lies outside
    // the allocator. Activations are gone and their blocks given back.
    resting = std::max(resting, resting_bytes(pieces, grpo.trainer_offload) * rounded_up +
                                    overhead_bytes<double>(job));
  }
  const Beside value = value_bytes(job);
  card.reference_weights = whole_bytes(reference * rounded_up);
  card.value_model = whole_bytes(value.training * rounded_up);
  card.reward_model = whole_bytes(reward_bytes(job) * rounded_up);
  const std::int64_t frozen = card.reference_weights + card.reward_model;
  card.training_phase = card.trainer_device + card.value_model + frozen;
  if (grpo.colocated()) {
    card.training_phase += grpo.sleep ? card.generation.asleep() : card.generation.device;
    card.generation_phase = whole_bytes(resting) + whole_bytes(value.generation * rounded_up) +
                            frozen + card.generation.device;
  }
  card.device = std::max(card.training_phase, card.generation_phase);
  return card;
}

Json grpo_json(const Job& job, const GrpoBill& bill, Verdict verdict) {
  const GrpoSpec& grpo = *job.grpo;
  return {{"algorithm", id_of(kAlgorithms, grpo.algorithm)},
          {"trainer_device", bill.trainer_device},
          {"reference", id_of(kReferences, grpo.reference)},
          {"reference_weights", bill.reference_weights},
          {"value_model", bill.value_model},
          {"reward_model", bill.reward_model},
          {"generation", generation_json(job, bill.generation)},
          {"together",
           {{"device", bill.device},
            {"training", bill.training_phase},
            {"generation", grpo.colocated() ? Json(bill.generation_phase) : Json()},
            {"phase", bill.phase()},
            {"verdict", verdict},
            {"gpus", job.run_gpus()}}}};
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
  if (grpo.reward_gpus > 0) {
    warnings.push_back("grpo.reward_gpus: the reward model takes " +
                       std::to_string(grpo.reward_gpus) +
                       " GPUs more; whether they hold it is not checked");
  }
  if (!grpo.prompts_per_step) {
    warnings.push_back(
        "grpo: throughput and hours need grpo.prompts_per_step, the prompts of a step");
  } else if (!grpo.completion_mean) {
    warnings.push_back(
        "grpo: without completion_mean every completion is as long as the limit of " +
        format_integer(grpo.completion_length) + " tokens, so the hours are an upper bound");
  }
  warnings.push_back(grpo.loss == PolicyLoss::kKernels
                         ? "grpo: the loss is counted as kernels.loss " + in_quotes(job.loss) +
                               " over prompt and completion"
                         : "grpo: the loss is counted as grpo.loss " + in_quotes(job.loss) +
                               " over completions");
  const std::int64_t fit = bill.generation.sequences_that_fit;
  if (fit < grpo.max_concurrent) {
    warnings.push_back("grpo.max_concurrent: the cache holds " + format_integer(fit) + " of " +
                       format_integer(grpo.max_concurrent) +
                       " sequences at full length; the others wait");
  }
  return warnings;
}

}  // namespace sizesheet
