// SPDX-License-Identifier: Apache-2.0
#include "sizing/memory/bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sizing/job/job.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/memory.h"
#include "sizing/memory/phases.h"
#include "sizing/memory/pieces.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

/// Below what the bytes come to however they are added up and rounded.
double surely(double bytes) { return bytes * (1 - 1e-12) - 16; }

/// Kept activations with what the loss or the backward pass of a block puts beside them.
double step_bytes(const Pieces<double>& pieces) {
  const double block = pieces.block + pieces.temporaries + pieces.loss_left + pieces.dequantised;
  return pieces.kept +
         std::max({pieces.loss_forward + pieces.autocast_cache,
                   pieces.loss_backward + pieces.cache_loss_backward, block + pieces.cache_block});
}

/// Of a phase's bytes, those that ZeRO divides.
double divided_bytes(const Job& job, const Pieces<double>& pieces, Phase phase,
                     const PhaseTerms<double>& terms) {
  const int stage = job.layout.stage();
  double bytes = 0;
  if (stage >= 1 && phase == Phase::kOptimizerStep) bytes += pieces.step_transient;
  for (const TermFacts& one : kAllocatedTerms) {
    const bool paged = one.value == Term::kOptimizer && job.paged_optimizer;
    if (stage >= one.shared_from && !paged) bytes += terms[one.value];
  }
  return bytes;
}

double growth_of_stage(const Job& job, const Pieces<double>& pieces, double most) {
  // A byte that leaves takes its share of slack along.
  const double with_slack = 1 + std::max(job.overheads.dynamic_share, job.overheads.static_share);
  double growth = 1;
  for (const Phase phase : kPhases) {
    const PhaseTerms<double> terms = phase_terms(job, pieces, phase, Timeline::kSteady);
    const double over = least_bytes(job, pieces, terms.sum()) - most;
    const double divided = divided_bytes(job, pieces, phase, terms) * with_slack;
    if (over <= 0) continue;
    // s bytes that dp divides become s / g when it grows by g. They must lose `over` of them.
    growth = std::max(growth, over < divided ? divided / (divided - over)
                                             : std::numeric_limits<double>::infinity());
  }
  return growth;
}

}  // namespace

double least_bytes(const Job& job, const Pieces<double>& pieces, double allocated) {
  const Overheads& overheads = job.overheads;
  const double paged = job.paged_optimizer ? pieces.master + pieces.moments : 0;
  const double stays = resident_bytes(pieces) - paged;
  double fragments = overheads.dynamic_share * (allocated - paged - stays);
  if (has_idle_segments(pieces)) {
    fragments = std::max(
        0.0, least_idle_bytes(job, pieces, allocated - paged) - overheads.static_share * stays);
  }
  if (strands_bytes(job)) fragments = std::min(fragments, overheads.multi_rank_cap_gib * kGiB);
  return surely(allocated - paged + fragments + overheads.static_share * stays +
                overhead_bytes<double>(job));
}

double least_bytes(const Job& job, const Pieces<double>& pieces) {
  const double carried = pieces.gradients_persist ? pieces.gradients : 0;
  const double allocated = pieces.weights + pieces.adapters + pieces.buckets + pieces.master +
                           pieces.moments +
                           std::max(step_bytes(pieces) + carried, pieces.gradients_final);
  return least_bytes(job, pieces, allocated);
}

// The first stage is one of them.
double least_bytes_of_states(const Job& job, const std::vector<Stage>& stages) {
  return least_bytes(job, memory_pieces(job, stages.front(), Pieces<double>()));
}

double least_bytes_of_step(const Job& job, const StepPieces& steps) {
  double most = 0;
  for (const Pieces<double>& step : steps) most = std::max(most, step_bytes(step));
  return surely(most + overhead_bytes<double>(job));
}

// The first stage keeps the most activations and the last one has the loss: a bound need not look
// at those between.
std::optional<double> least_growth(const Job& job, const std::vector<Stage>& stages,
                                   const StepPieces& steps, double most) {
  double growth = growth_of_stage(job, memory_pieces(job, stages.front(), steps.front()), most);
  if (stages.size() > 1) {
    growth = std::max(growth,
                      growth_of_stage(job, memory_pieces(job, stages.back(), steps.back()), most));
  }
  if (growth == std::numeric_limits<double>::infinity()) return std::nullopt;
  return growth;
}

}  // namespace sizesheet
