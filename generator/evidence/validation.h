// SPDX-License-Identifier: Apache-2.0
// The whole comparison: every published row through the engine, totals, bars, intervals.
#pragma once

#include "catalog/catalog.h"
#include "evidence/accuracy.h"

namespace sizesheet {

struct Validation {
  Accuracy accuracy;
  Intervals intervals;  ///< the catalog's classes, fitted anew to all residuals
  Intervals speed_intervals;
};

/// Compares every row of the catalog on `jobs` threads; the result does not depend on `jobs`.
Validation validate(const Catalog& catalog, int jobs);

}  // namespace sizesheet
