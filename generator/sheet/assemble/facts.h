// SPDX-License-Identifier: Apache-2.0
// The catalog facts that a sheet carries with it, and everywhere that a pick can be rented.
#pragma once

namespace sizesheet {

struct Catalog;
struct Sheet;
struct SheetSpec;

/// Models, methods, GPUs, scenarios, prices, machines, rates, constants and the raw entries. Rows,
/// picks and series are not touched.
void copy_facts(const Catalog& catalog, const SheetSpec& spec, Sheet& sheet);

/// Marks the price rows that some row of the sheet is priced by and warns of the old ones. Dates
/// the sheet's prices by the offers that the picks use, without picks by those rows.
void mark_used_prices(Sheet& sheet);

/// Fills `sheet.offers` for the rows that the picks name to rent or to buy, each once, in the order
/// of the picks: the best row of each provider, region and tier, cheapest hour first, then by tier,
/// the newest, and provider.
void add_offers(const Catalog& catalog, const SheetSpec& spec, Sheet& sheet);

}  // namespace sizesheet
