// SPDX-License-Identifier: Apache-2.0
// Pieces of the working set and of activations, and the sums over the blocks of a stage that they
// are made of.
#pragma once

#include <cstdint>
#include <vector>

#include "sizing/job/job.h"
#include "sizing/memory/pieces.h"

namespace sizesheet {

struct SplitCounts;

/// Layers [from, from + count) of a model.
struct LayerRange {
  std::int64_t from = 0;
  std::int64_t count = 0;
};

/// The layers of a pipeline chunk, of which a stage has vpp: all alike, but for the first and the
/// last where the layout says so.
LayerRange chunk_range(const Job& job, std::int64_t chunk);

/// The largest of what one block of each kind has.
double largest_of(const Stage& stage, std::int64_t SplitCounts::*parameters);

/// The stages of the job's layout, first one first. The rules ask that pp * vpp divides the layers;
/// where it does not, the last stages are shorter.
std::vector<Stage> stages_of(const Job& job);

template <typename N>
void add_working_set(const Job& job, const Stage& stage, Pieces<N>& pieces);
template <typename N>
void add_activations(const Job& job, const Stage& stage, Pieces<N>& pieces);

}  // namespace sizesheet
