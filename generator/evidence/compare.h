// SPDX-License-Identifier: Apache-2.0
// One published run beside the engine's answer to its request.
#pragma once

#include "catalog/catalog.h"
#include "evidence/accuracy.h"

namespace sizesheet {

/// Estimates the row's request. What the engine refuses becomes a row with the reason.
AccuracyRow compare(const MeasuredSource& source, const MeasuredRow& row, const Catalog& catalog);

/// The same for a speed.
SpeedRow compare(const MeasuredSource& source, const MeasuredSpeed& speed, const Catalog& catalog);

/// What an interval class may ask about the row's run; its request fixes the whole layout.
IntervalFacts interval_facts(const MeasuredRow& row);

}  // namespace sizesheet
