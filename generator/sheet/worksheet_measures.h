// SPDX-License-Identifier: Apache-2.0
// What a column of a worksheet can show of an answer, by the column's id. Units stand in the ids.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cost/current_prices.h"
#include "sheet/spec.h"
#include "sheet/worksheet.h"
#include "sizing/estimate.h"

namespace sizesheet {

/// One row's question with its answer.
struct Measured {
  const Catalog& catalog;
  const SheetSpec& spec;
  const CurrentPrices& prices;  ///< on demand
  const Question& question;
  const Sizing& sizing;

  const Job& job() const { return sizing.plan.chosen.job; }
  const MemoryBill& bill() const { return sizing.plan.chosen.bill; }
};

/// Every id that `put_measure` knows, sorted.
std::vector<std::string> measures();

/// Adds the column's figure, dollars or words to the row, unless they are not known. Throws
/// std::out_of_range for an id that is no measure.
void put_measure(const Measured& measured, const std::string& column, SheetWorksheetRow& row);

}  // namespace sizesheet
