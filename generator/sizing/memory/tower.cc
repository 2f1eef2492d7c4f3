// SPDX-License-Identifier: Apache-2.0
#include "sizing/memory/tower.h"

#include <algorithm>
#include <cmath>

#include "catalog/models/architecture.h"
#include "sizing/job/job.h"
#include "sizing/memory/pieces.h"
#include "sizing/memory/sublayers.h"
#include "sizing/model/tower_counts.h"
#include "support/trace.h"
#include "support/whole_numbers.h"

namespace sizesheet {

TowerState tower_state(const Job& job) {
  if (!job.vision) return {};
  const TowerCounts counts = count_tower(*job.model->tower);
  const TowerTraining training = job.vision->training;
  const double all = as_double(counts.total());
  const double trained = training == TowerTraining::kWhole       ? all
                         : training == TowerTraining::kProjector ? as_double(counts.projector)
                                                                 : 0;
  // Beside adapters a trained module is a copy, and the frozen one stays.
  return {job.full() ? all - trained : all, trained};
}

Job tower_job(const Job& job) {
  Job tower = trained_in_16_bits(job);
  tower.model = std::make_shared<const Architecture>(tower_layers(*job.model->tower));
  tower.kbit_prep = false;
  tower.recompute_layers = 0;
  // Torch has LayerNorm as one kernel, which keeps what a fused one keeps.
  tower.fused_ops = job.fused_ops || job.model->tower->norm_bias;
  tower.layout = Layout{};
  tower.seq_len = std::max<std::int64_t>(1, job.vision->each.patches);
  tower.sample_length.reset();
  tower.samples.reset();
  return tower;
}

template <typename N>
void add_tower_activations(const Job& job, const Stage& stage, Pieces<N>& pieces) {
  const Vision& vision = *job.vision;
  const N t = input<N>("t_patches", patches_per_rank(job));
  const N w = input<N>("w_tower", as_double(job.model->tower->hidden_size));
  // Frozen in front of everything that trains, a tower builds no graph: its output stays. The
  // projector's middle is taken to be as wide as what it reads, before and behind its activation.
  N kept = (vision.training == TowerTraining::kFrozen ? 2.0 : 6.0) * w;
  if (vision.training == TowerTraining::kWhole) {
    const Job tower = tower_job(job);
    const auto layer = block_activations<double>(tower, tower.model->runs.front().block, 0);
    kept = kept + input<N>("L_tower", as_double(job.model->tower->num_hidden_layers)) *
                      input<N>("kept_tower", layer.kept);
    pieces.temporaries =
        larger(pieces.temporaries, input<N>("transient_tower", layer.transient) * t);
    if (job.recompute != Recompute::kNone) {
      pieces.block = larger(pieces.block, input<N>("rebuilt_tower", layer.rebuilt) * t);
    }
  }
  if (stage.in_flight != 1) kept = kept * input<N>("in_flight", stage.in_flight);
  pieces.kept = pieces.kept + kept * t;
}

template void add_tower_activations<double>(const Job&, const Stage&, Pieces<double>&);

template void add_tower_activations<Traced>(const Job&, const Stage&, Pieces<Traced>&);

}  // namespace sizesheet
