// SPDX-License-Identifier: Apache-2.0
// What turns a Sheet into files of the edition: site, handout, workbook, tables. Each throws
// InputError naming what cannot be drawn.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "render/html/templates/templates.h"
#include "sheet/measures.h"
#include "sheet/sheet.h"
#include "support/files.h"

namespace sizesheet {

/// The engine of the calculator's page and its facts, in an edition that was built with them.
inline constexpr const char* kCalculatorEngine = "calculator-engine.js";
inline constexpr const char* kCalculatorFacts = "calculator-facts.js";

/// Adds the pages, drawn on `jobs` threads, and their scripts. Where `files` has the engine
/// already, the calculator's page uses it, else it says what to type.
void write_site(const Sheet& sheet, const TemplateSet& templates, int jobs, FileSet& files);

enum class Paper { kA4, kLetter };  ///< landscape

/// sheet.pdf. `warn` is told what could not be printed as it is: characters the fonts lack, names
/// cut short.
std::string pdf_handout(const Sheet& sheet, Paper paper,
                        const std::function<void(const std::string&)>& warn = {});

/// sheet.xlsx: the sheet as a workbook whose costs are formulas. Change a price, a rate or the use,
/// and everything follows; until then it shows the program's own figures. `letter`: printed pages
/// are US Letter, else A4.
std::string xlsx_workbook(const Sheet& sheet, bool letter);

// ---- sheet.csv: one line a row of the sheet, header names with units, list prices named as such;
// and the prices and charges under FOCUS names.

/// Adds these three.
void write_tables(const Sheet& sheet, FileSet& files);

/// Column names and the cells of one row, in the same order. An absent figure is an empty cell.
std::vector<std::string> csv_header();
std::vector<std::string> csv_cells(const Row& row);

/// A cell as RFC 4180 wants it; text that a spreadsheet would run as a formula gets a leading
/// quote.
std::string csv_cell(const std::string& text);

// ---- Prices and charges under the names of the FinOps Open Cost and Usage Specification
// (FOCUS 1.3), so that they can be laid beside a bill. What FOCUS has no name for starts with x_.

/// The columns of the specification that the tables and the workbook fill.
namespace focus {
inline constexpr const char* kProvider = "ServiceProviderName";
inline constexpr const char* kRegion = "RegionId";
inline constexpr const char* kSku = "SkuId";
inline constexpr const char* kSkuPrice = "SkuPriceId";
inline constexpr const char* kPricingCategory = "PricingCategory";
inline constexpr const char* kPricingQuantity = "PricingQuantity";
inline constexpr const char* kPricingUnit = "PricingUnit";
inline constexpr const char* kListUnitPrice = "ListUnitPrice";
inline constexpr const char* kListCost = "ListCost";
inline constexpr const char* kEffectiveCost = "EffectiveCost";
}  // namespace focus

/// prices.csv: every price row of the sheet's GPUs. A unit price is for an hour of one instance.
std::string focus_prices(const Sheet& sheet);

/// charges.csv: what each row of the sheet would be billed: a run on demand, on spot or in a
/// capacity block, a month of a reservation, the purchase, and a run on the owned machine.
/// ListUnitPrice x PricingQuantity is ListCost to within a micro-dollar; a purchase is billed whole
/// and its effective cost is zero, because the runs on the machine carry it.
std::string focus_charges(const Sheet& sheet);

/// The header, with a line end.
std::string grid_csv_header();
std::string grid_csv_line(const Row& row);

/// One object and a line end.
std::string grid_json_line(const Row& row);

}  // namespace sizesheet
