// SPDX-License-Identifier: Apache-2.0
// A team's own runs beside the engine, so that its estimates are corrected by them.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.h"

namespace sizesheet {

struct Sizing;

/// Why a run of the request cannot have taken so much memory on one GPU: more than the card has, or
/// less than its weights; "" where it can. `counter`: allocated | reserved | device.
std::string memory_fault(double gib, const std::string& counter, const Sizing& sizing,
                         const Gpu& gpu);

/// Why it cannot have been so fast or so slow: above the peak of the card, or far outside the range
/// of the estimate; "" where it can.
std::string speed_fault(double tokens_per_second_per_gpu, const Sizing& sizing, const Gpu& gpu);

/// Every row of memory and of speed beside the estimate that nothing corrects. Rows that the engine
/// refuses, those that are no figure, and those that cannot be are left out.
struct TeamRuns {
  std::vector<TeamRun> memory;
  std::vector<TeamRun> speed;
};
TeamRuns team_runs_of(const Catalog& catalog);

/// Estimates of the catalog are corrected by these runs from now on.
void correct_by(const TeamRuns& runs, Catalog& catalog);

/// A sound catalog whose estimates its own team runs correct, where it has some. Throws InputError
/// as load_sound_catalog does.
Catalog load_catalog_to_ask(const CatalogLayers& layers, CatalogParts parts = kWholeCatalog);

}  // namespace sizesheet
