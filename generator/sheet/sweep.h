// SPDX-License-Identifier: Apache-2.0
// The sweep: every cell of a sheet spec, sized and priced, handed to a sink in a fixed order.
#pragma once

#include <functional>

#include "sheet/size_row.h"

namespace sizesheet {

/// Takes rows one by one: model-major, then method, GPU, scenario. A Sheet is one sink, a stream
/// another.
using RowSink = std::function<void(Row&&)>;

/// Told after each batch how many of all cells are done.
using Progress = std::function<void(std::size_t done, std::size_t all)>;

/// Every cell of the spec in sheet order.
std::vector<Cell> cells_of(const SheetSpec& spec);

/// Sizes and prices all cells on `jobs` threads; what reaches the sink does not depend on `jobs`.
void sweep(const Catalog& catalog, const SheetSpec& spec, int jobs, const RowSink& sink,
           const Progress& progress);

}  // namespace sizesheet
