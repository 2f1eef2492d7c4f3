// SPDX-License-Identifier: Apache-2.0
// A team's own runs beside the engine, so that its estimates are corrected by them.
#pragma once

#include <optional>
#include <vector>

#include "catalog/catalog.h"

namespace sizesheet {

/// Every row of memory and of speed beside the estimate that nothing corrects. Rows that the engine
/// refuses, and those that are no figure, are left out.
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
