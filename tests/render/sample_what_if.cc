// SPDX-License-Identifier: Apache-2.0
// Levers, stages and ranks of the sample sheets.
#include <cmath>

#include "render/sample_rows.h"
#include "sizing/memory/memory.h"

namespace sizesheet::sample {

namespace {

constexpr double kHeadroom = 0.10;

SheetResized resized(const Row& row, std::int64_t saved, double hours_added, bool in_use) {
  SheetResized made;
  made.device = in_use ? row.memory.device + saved : row.memory.device - saved;
  made.verdict = verdict_of(made.device, kHeadroom, row.memory.capacity);
  made.saved = saved;
  made.hours_added = hours_added;
  if (!row.hours_mid) return made;
  made.hours = in_use ? *row.hours_mid / (1 + hours_added) : *row.hours_mid * (1 + hours_added);
  return made;
}

SheetLever lever(const Row& row, const char* id, const char* title, double share, double time) {
  const double device = static_cast<double>(row.memory.device);
  SheetLever made{id, title, "made-up", "optimizer", false, {}};
  made.resized = resized(row, std::llround(device * share), time, false);
  made.resized.change = {{id, "changed"}};
  made.resized.rentable = row.layout.gpus > 1 ? row.layout.gpus / 2 : row.layout.gpus;
  return made;
}

}  // namespace

SheetWhatIf what_if_of(const Row& row) {
  SheetWhatIf made;
  made.row_key = row.key();
  made.device = row.memory.device;
  made.hours = row.hours_mid;
  made.levers.push_back(lever(row, "optimizer", "an 8-bit optimizer", 0.25, -0.004));
  made.levers.push_back(lever(row, "offload", "optimizer states in host memory", 0.125, 0.5));
  made.levers.back().resized.host = row.memory.host + made.device / 8;
  made.levers.push_back(lever(row, "allocator", "expandable allocator segments", 0.005, 0));
  made.levers.back().resized.hours_added = std::nullopt;
  made.levers.back().resized.rentable = row.layout.gpus;
  SheetLever used{"recompute", "full recompute", "nothing", "activations", true, {}};
  used.resized = resized(row, 2 * row.memory.device, 0.25, true);
  used.resized.change = {{"kernels.recompute", "none"}};
  made.levers.push_back(used);
  SheetCombination both{{"optimizer", "offload"}, made.levers[0].resized};
  both.resized.saved = made.device * 3 / 8;
  both.resized.device = made.device - *both.resized.saved;
  both.resized.change = {{"offload", "changed"}, {"optimizer", "changed"}};
  made.combination = both;
  return made;
}

SheetZeroStages zero_stages_of(const Row& row) {
  SheetZeroStages made{row.model, row.method, row.gpu, true, row.layout, {}};
  const std::int64_t gpus = row.layout.gpus;
  int stage = 0;
  for (const char* shard : {"none", "zero1", "zero2", "zero3"}) {
    MemoryBill bill = row.memory;
    for (const Term term : {Term::kWeights, Term::kGradients, Term::kOptimizer}) {
      if (stage < facts_of(term).shared_from) bill.terms[term] *= gpus;
    }
    const std::int64_t more = bill.terms.sum() - row.memory.terms.sum();
    bill.allocated += more;
    bill.reserved += more;
    bill.device += more;
    SheetZeroStage made_stage{
        shard, bill, verdict_of(bill.device, kHeadroom, bill.capacity), {}, {}};
    made_stage.wire = 4e9 * (stage == 3 ? 1.5 : 1);
    if (made_stage.verdict != Verdict::kNo) made_stage.hours = row.hours_mid;
    made.stages.push_back(made_stage);
    ++stage;
  }
  return made;
}

SheetAdapterRanks adapter_ranks_of(const Row& row, const SheetModel& model) {
  SheetAdapterRanks made{row.model, row.method, row.key(), 16, {}};
  for (const std::int64_t rank : {8, 16, 32}) {
    SheetAdapterRank one;
    one.rank = rank;
    one.trainable = row.parameters_trainable * rank / 16;
    one.share = static_cast<double>(one.trainable) / static_cast<double>(model.parameters);
    one.weights = one.gradients = one.file = 4 * one.trainable;
    one.optimizer = 8 * one.trainable;
    one.device = row.memory.device + 16 * (one.trainable - row.parameters_trainable);
    one.verdict = verdict_of(*one.device, kHeadroom, row.memory.capacity);
    made.ranks.push_back(one);
  }
  return made;
}

}  // namespace sizesheet::sample
