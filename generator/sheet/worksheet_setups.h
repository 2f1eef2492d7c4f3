// SPDX-License-Identifier: Apache-2.0
// Columns of worksheets that look beyond the row's own GPUs: prices, cards that would do, the
// cheapest set-up.
#pragma once

#include "sheet/worksheet_measures.h"

namespace sizesheet {

/// Hours of the run, rounded as they meet money; nullopt where its tokens are not given.
std::optional<double> run_hours(const Measured& of);
/// Millions of tokens that a dollar of rent buys.
std::optional<double> m_tokens_per_usd(const Measured& of);

/// "usd_per_hour" or "usd_per_run" at the lowest current price; nothing where it does not fit.
void put_rent(const Measured& of, const std::string& column, SheetWorksheetRow& row);
/// The smallest card of the catalog, of those that compute in bf16, that holds what one GPU of the
/// row has to, with the headroom.
void put_smallest_card(const Measured& of, SheetWorksheetRow& row);
/// The GPUs of the sheet that cost least an hour and hold the row: "setup", "setup_gpus",
/// "setup_usd_per_hour".
void put_cheapest_setup(const Measured& of, SheetWorksheetRow& row);

}  // namespace sizesheet
