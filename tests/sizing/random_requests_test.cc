// SPDX-License-Identifier: Apache-2.0
// What must hold for every request, checked on a thousand drawn at random (a fifth of them in
// sparse builds): the bill adds up, its printed formulas give it, and more of what saves memory
// never costs memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "catalog/catalog.h"
#include "catalog/facts/gpu.h"
#include "catalog/models/architecture.h"
#include "catalog/models/families.h"
#include "catalog/models/family_keys.h"
#include "sizing/answer/estimate.h"
#include "sizing/job/job.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/memory.h"
#include "sizing/memory/phases.h"
#include "sizing/memory/pieces.h"
#include "sizing/memory/verdict.h"
#include "sizing/memory/working_pieces.h"
#include "sizing/model/projections.h"
#include "sizing/random_request.h"
#include "sizing/search/candidate.h"
#include "sizing/search/search.h"
#include "sizing/sized.h"
#include "sizing/time/clocks.h"
#include "sizing/time/throughput.h"
#include "support/due.h"
#include "support/error.h"
#include "support/formula_evaluator.h"
#include "support/json.h"
#include "support/project_catalog.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

constexpr std::uint64_t kSeed = 20261121;
constexpr int kSearchedEvery = 8;
constexpr int kRequests = 1000;

void expect_sums(const MemoryBill& bill) {
  for (const std::int64_t term : bill.terms) EXPECT_GE(term, 0);
  EXPECT_EQ(bill.terms.sum(), bill.allocated);
  EXPECT_EQ(bill.phases.in(phase_named(bill.peak_phase).value()), bill.allocated);
  EXPECT_GE(bill.reserved, bill.allocated);
  EXPECT_EQ(bill.device, bill.reserved + bill.overhead);
  EXPECT_GE(bill.overhead, 0);
  EXPECT_GE(bill.host, 0);
  for (const Phase phase : kPhases) {
    EXPECT_LE(bill.phases.in(phase), bill.allocated);
    EXPECT_LE(bill.phases_step1.in(phase), bill.phases.in(phase));
  }
}

void expect_stages_add_up(const Candidate& chosen) {
  for (const Stage& stage : *chosen.stages) {
    const MemoryBill bill = memory_bill(chosen.job, stage);
    expect_sums(bill);
    EXPECT_LE(bill.device, chosen.bill.device) << "stage " << stage.index;
  }
}

void expect_formulas(const Candidate& chosen) {
  std::int64_t sum = 0;
  for (const MemoryTerm& term : memory_terms(chosen.job, chosen.worst_stage(), chosen.bill)) {
    EXPECT_NEAR(evaluate(term.formula), static_cast<double>(term.bytes), 0.5) << term.name;
    sum += term.bytes;
  }
  EXPECT_EQ(sum, chosen.bill.device);
}

/// Weights, adapters, gradients and optimizer states of every stage, phase and timeline.
std::vector<double> state_bytes(const Job& job) {
  std::vector<double> bytes;
  for (const Stage& stage : stages_of(job)) {
    const Pieces<double> pieces = memory_pieces<double>(job, stage);
    for (const Phase phase : kPhases) {
      for (const Timeline timeline : {Timeline::kStep1, Timeline::kSteady}) {
        const PhaseTerms<double> terms = phase_terms(job, pieces, phase, timeline);
        bytes.push_back(
            terms.sum(Term::kWeights, Term::kAdapters, Term::kGradients, Term::kOptimizer));
      }
    }
  }
  return bytes;
}

/// The largest of them alone where stage 3 allocates its share of the gradients at the start: it
/// may then hold more than stage 2 in forward, never more at the peak.
std::vector<double> comparable_state(const Job& job) {
  const std::vector<double> bytes = state_bytes(job);
  if (!job.state.persistent_when_zero3) return bytes;
  return {*std::max_element(bytes.begin(), bytes.end())};
}

void expect_sharding_saves(Job job) {
  if (job.layout.replicas() == 1 || job.layout.offload_params) return;
  job.paged_bytes = 0;
  job.layout.sync_each_batch = true;  // else gradients are whole whatever is sharded
  std::vector<double> before;
  for (const Shard shard : {Shard::kNone, Shard::kZero1, Shard::kZero2, Shard::kZero3}) {
    job.layout.shard = shard;
    const std::vector<double> after = comparable_state(job);
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_LE(after[i], before[i]) << name_of(shard) << " place " << i;
    }
    before = after;
  }
}

/// A paged optimizer fills the GPU to the byte, but for its own rounding.
void expect_more_tokens_cost(const Candidate& chosen, const Gpu* gpu) {
  constexpr std::int64_t kRounded = 4;
  const std::int64_t device = chosen.bill.device - (chosen.job.paged_bytes > 0 ? kRounded : 0);
  Job job = chosen.job;
  job.paged_bytes = 0;
  Job longer = job;
  longer.seq_len *= 2;
  EXPECT_GE(evaluate(longer, gpu).bill.device, device) << "twice the sequence";
  Job larger = job;
  larger.micro_batch *= 2;
  EXPECT_GE(evaluate(larger, gpu).bill.device, device) << "twice the batch";
}

void expect_recompute_saves(const Candidate& chosen) {
  Job job = chosen.job;
  job.activation_offload = false;
  const std::int64_t some = job.recompute_layers;
  job.recompute_layers = 0;
  for (const Stage& stage : *chosen.stages) {
    std::vector<double> kept;
    for (const Recompute mode : {Recompute::kFull, Recompute::kSelective, Recompute::kNone}) {
      job.recompute = mode;
      kept.push_back(memory_pieces<double>(job, stage).kept);
    }
    EXPECT_LE(kept[0], kept[1]) << "full against selective";
    job.recompute = Recompute::kFull;
    job.recompute_layers = some;
    const double partly = memory_pieces<double>(job, stage).kept;
    EXPECT_LE(kept[0], partly) << "full against some layers";
    EXPECT_LE(partly, kept[2]) << "some layers against none";
    job.recompute_layers = 0;
    EXPECT_LE(kept[1], kept[2]) << "selective against none";
    job.recompute = Recompute::kModules;
    job.recompute_modules.clear();
    double before = kept[2];
    for (const char* module : {"layernorm", "core_attn", "moe_act", "mlp", "moe"}) {
      job.recompute_modules.insert(module);
      const double after = memory_pieces<double>(job, stage).kept;
      EXPECT_LE(after, before) << "with " << module;
      EXPECT_GE(after, kept[0]) << "with " << module << ", against full";
      before = after;
    }
  }
}

/// The request with the number of GPUs fixed, answered anew.
Verdict verdict_on(Json request, std::int64_t gpus) {
  request["layout"] = {{"gpus", gpus}};
  return sized(request).plan.chosen.verdict;
}

void expect_minimum(const Json& request, const Plan& plan) {
  const Gpu& gpu = project_catalog().gpus.at(request.at("gpu").get<std::string>());
  if (plan.rentable) {
    ASSERT_TRUE(plan.tight);
    EXPECT_EQ(plan.chosen.verdict, Verdict::kFits);
    EXPECT_EQ(plan.chosen.job.layout.gpus(), *plan.rentable);
    EXPECT_LE(*plan.tight, *plan.rentable);
    std::int64_t smaller = 0;
    for (const std::int64_t n : gpu.counts_up_to(*plan.rentable)) {
      if (n < *plan.rentable) smaller = n;
    }
    if (smaller > 0) {
      EXPECT_NE(verdict_on(request, smaller), Verdict::kFits) << smaller;
    }
  }
  if (plan.tight) {
    ASSERT_TRUE(plan.by_memory);
    EXPECT_LE(*plan.by_memory, *plan.tight);
    if (*plan.by_memory > 1) {
      EXPECT_EQ(verdict_on(request, *plan.by_memory - 1), Verdict::kNo);
    }
  }
}

void expect_invariants(const Json& request, const Sizing& sizing) {
  const Candidate& chosen = sizing.plan.chosen;
  expect_sums(chosen.bill);
  expect_stages_add_up(chosen);
  expect_formulas(chosen);
  expect_sharding_saves(chosen.job);
  const Catalog& catalog = project_catalog();
  expect_more_tokens_cost(chosen, request.contains("gpu")
                                      ? &catalog.gpus.at(request.at("gpu").get<std::string>())
                                      : nullptr);
  expect_recompute_saves(chosen);
  if (!sizing.speed || !sizing.speed->rollout) return;
  for (const NamedClock& part : parts_of(*sizing.speed)) {
    EXPECT_GT(part.seconds, 0) << part.id;
    EXPECT_LE(part.seconds, sizing.speed->rollout->step * (1 + 1e-12)) << part.id;
  }
}

/// A thousand requests of the models that are wanted.
void expect_all_hold(const std::function<bool(const Architecture&)>& wanted) {
  RandomRequests requests(project_catalog(), kSeed);
  int refused = 0;
  std::size_t drawn = 0;
  for (int i = 0; i < kRequests;) {
    const bool searched = i % kSearchedEvery == 0;
    const Json request = requests.next(searched);
    if (!wanted(project_catalog().model(request.at("model")).architecture)) continue;
    if (!is_due(drawn++, 1)) {
      ++i;
      continue;
    }
    const testing::ScopedTrace where(__FILE__, __LINE__, request.dump());
    try {
      const Sizing sizing = sized(request);
      expect_invariants(request, sizing);
      if (searched) expect_minimum(request, sizing.plan);
      ++i;
    } catch (const InputError& error) {
      // Dimensions drawn apart may clash; nothing else is ever wrong.
      EXPECT_TRUE(starts_with(error.what(), "layout.")) << error.what();
      ++refused;
    }
  }
  EXPECT_LT(refused, kRequests) << "the draw is too wild to mean much";
}

bool is_layered(const Architecture& model) {
  const Family* family = family_of(model.model_type);
  return family != nullptr && family->layers != nullptr;
}

TEST(RandomRequests, KeepWhatMustHold) {
  expect_all_hold([](const Architecture& model) { return !is_layered(model); });
}

TEST(RandomRequests, KeepItWhereLayersDiffer) { expect_all_hold(is_layered); }

}  // namespace
}  // namespace sizesheet
