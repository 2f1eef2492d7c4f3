// SPDX-License-Identifier: Apache-2.0
// The vision tower of a run: its parameters, what an image becomes, and what its layers keep. The
// tower stands whole on every rank of the first pipeline stage.
#pragma once

#include "sizing/job/job.h"
#include "sizing/memory/pieces.h"

namespace sizesheet {

/// The vision tower that a run holds, parameters.
struct TowerState {
  double frozen = 0;
  double trained = 0;
};
TowerState tower_state(const Job& job);

/// The job with the tower's layers, trained whole on one rank, in the place of the model.
Job tower_job(const Job& job);

/// What the tower keeps, and its layer that is rebuilt.
template <typename N>
void add_tower_activations(const Job& job, const Stage& stage, Pieces<N>& pieces);

}  // namespace sizesheet
