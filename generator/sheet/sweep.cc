// SPDX-License-Identifier: Apache-2.0
#include "sheet/sweep.h"

#include <algorithm>
#include <stdexcept>

#include "sheet/price_row.h"
#include "support/error.h"
#include "support/parallel.h"

namespace sizesheet {
namespace {

/// Rows in memory at once: enough to keep the threads busy, little enough for any sweep.
constexpr std::size_t kBatch = 64;

bool covers(const SpecScenario& scenario, const std::string& method) {
  return scenario.methods.empty() || std::find(scenario.methods.begin(), scenario.methods.end(),
                                               method) != scenario.methods.end();
}

Row sized_and_priced(const Catalog& catalog, const SheetSpec& spec, const SheetPrices& prices,
                     const Cell& cell) {
  Row row = size_row(catalog, spec, cell);
  try {
    price_row(catalog, spec, prices, row);
  } catch (const std::overflow_error&) {
    throw InputError(row.key() +
                     ": the amounts of this row are too large to count in micro-dollars: prices, "
                     "purchase rates or the sheet's tokens are out of proportion");
  }
  return row;
}

}  // namespace

std::vector<Cell> cells_of(const SheetSpec& spec) {
  std::vector<Cell> cells;
  for (const SpecModel& model : spec.models) {
    for (const std::string& method : spec.methods) {
      for (const std::string& gpu : spec.gpus) {
        for (const SpecScenario& scenario : spec.scenarios) {
          if (covers(scenario, method)) cells.push_back({&model, method, gpu, &scenario});
        }
      }
    }
  }
  return cells;
}

void sweep(const Catalog& catalog, const SheetSpec& spec, int jobs, const RowSink& sink,
           const Progress& progress) {
  const std::vector<Cell> cells = cells_of(spec);
  const SheetPrices prices(catalog, spec);
  for (std::size_t from = 0; from < cells.size(); from += kBatch) {
    const std::size_t count = std::min(kBatch, cells.size() - from);
    std::vector<Row> rows(count);
    for_each_index(count, jobs, [&](std::size_t i) {
      rows[i] = sized_and_priced(catalog, spec, prices, cells[from + i]);
    });
    for (Row& row : rows) sink(std::move(row));
    progress(from + count, cells.size());
  }
}

}  // namespace sizesheet
