// SPDX-License-Identifier: Apache-2.0
// Published runs beside the engine: rows compared, totals, statistics, intervals fitted.
#pragma once

#include "catalog/published/measured.h"
#include "evidence/accuracy.h"

namespace sizesheet {

struct Catalog;

/// Estimates the row's request. What the engine refuses becomes a row with the reason.
AccuracyRow compare(const MeasuredSource& source, const MeasuredRow& row, const Catalog& catalog);

/// The same for a speed.
SpeedRow compare(const MeasuredSource& source, const MeasuredSpeed& speed, const Catalog& catalog);

// ---- Interval factors from residuals: how far published measurements lay from the estimates of
// their class.

struct Validation {
  Accuracy accuracy;
  Intervals intervals;  ///< the catalog's classes, fitted anew to all residuals
  Intervals speed_intervals;
};

/// Compares every published row of the catalog on `jobs` threads with estimates that a team's own
/// runs do not correct, and those runs by themselves; the result does not depend on `jobs`.
Validation validate(const Catalog& catalog, int jobs);

}  // namespace sizesheet
