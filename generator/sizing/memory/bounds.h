// SPDX-License-Identifier: Apache-2.0
// Bytes that no layout of so many GPUs is below: what a search may pass over.
#pragma once

#include <optional>
#include <vector>

#include "sizing/memory/pieces.h"

namespace sizesheet {

struct Job;

/// Of a stage with these bytes in its fullest phase.
double least_bytes(const Job& job, const Pieces<double>& pieces, double allocated);
/// The same before its phases are known.
double least_bytes(const Job& job, const Pieces<double>& pieces);

/// Of these stages, whatever they keep and compute in a step.
double least_bytes_of_states(const Job& job, const std::vector<Stage>& stages);

/// Of these stages, whatever dp and sharding: `steps` are their activations and losses.
double least_bytes_of_step(const Job& job, const StepPieces& steps);

/// By which factor dp must grow at the least until the layout may stay within `most` bytes; 1: it
/// may as it is. nullopt: no dp is enough. Of layouts with several data-parallel ranks, since one
/// rank alone goes by other settings.
std::optional<double> least_growth(const Job& job, const std::vector<Stage>& stages,
                                   const StepPieces& steps, double most);

}  // namespace sizesheet
