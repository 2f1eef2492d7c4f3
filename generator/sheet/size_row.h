// SPDX-License-Identifier: Apache-2.0
// The sizing half of a row: asks the engine one cell's question and keeps the whole answer.
#pragma once

#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "support/json.h"

namespace sizesheet {

/// Which cell: a model, a method, a GPU type and a scenario of the spec.
struct Cell {
  const SpecModel* model = nullptr;
  std::string method;
  std::string gpu;
  const SpecScenario* scenario = nullptr;
};

/// The `estimate` request of a cell, before any layout is fixed.
Json request_of(const SheetSpec& spec, const Cell& cell);

/// Sizes a cell. What the engine refuses becomes a row with `modelled` false and the reason.
Row size_row(const Catalog& catalog, const SheetSpec& spec, const Cell& cell);

/// The same without proofs, words on what binds and the count for a deadline.
Row bare_row(const Catalog& catalog, const SheetSpec& spec, const Cell& cell);

/// Device bytes of the row's layout at other sequence lengths, and the longest that holds with
/// headroom.
SequenceSeries sequence_series(const Catalog& catalog, const SheetSpec& spec, const Cell& cell,
                               const Row& row);

}  // namespace sizesheet
