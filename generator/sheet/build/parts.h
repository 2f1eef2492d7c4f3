// SPDX-License-Identifier: Apache-2.0
// The parts of a sheet beside its rows: picks and offers, what owning rests on and how much each
// input moves, what the money contains, and the facts that pages name.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/prices/purchase.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"

namespace sizesheet {

/// Models, methods, GPUs, scenarios, prices, machines, rates, constants and the raw entries. Rows,
/// picks and series are not touched.
void copy_facts(const Catalog& catalog, const SheetSpec& spec, Sheet& sheet);

/// Marks the price rows that some row of the sheet is priced by, dates the sheet by the newest and
/// warns of the old ones.
void mark_used_prices(Sheet& sheet);

/// Fills `sheet.offers` for the rows that the picks name to rent or to buy, each once, in the order
/// of the picks: the best row of each provider, region and tier, cheapest hour first, then by tier,
/// the newest, and provider.
void add_offers(const Catalog& catalog, const SheetSpec& spec, Sheet& sheet);

/// Says what the edition answers in at most three sentences: the adapters and the full run of the
/// handout's models up to the highlighted one, and from how many runs a month owning pays.
void add_headline(Sheet& sheet);

/// Its sentence on owning: from how many runs a month the machines pay; "" where nothing is sold.
std::string own_sentence(const Sheet& sheet);

/// What may move the handout's picks: one seller, speeds that nobody published, list prices that
/// moved within 90 days or are old, and another GPU type within the tie share. What holds for none
/// is left out.
void add_risks(Sheet& sheet);

/// Fills Row::fastest_stack of the rent picks that train adapters, on `jobs` threads.
void add_fastest_stacks(const Catalog& catalog, const SheetSpec& spec, int jobs, Sheet& sheet);

/// Fills `sheet.ownership` from its rows and picks; leaves it absent where no row can be bought.
void add_ownership_facts(const Catalog& catalog, const SheetSpec& spec, Sheet& sheet);

/// The row again, with so many GPUs for its set-up.
using SizeAgain = std::function<Row(const Row& row, std::int64_t gpus)>;

/// Decides the rows of a model and method, all GPU types and scenarios, by the sheet's rules: sets
/// what their advice is, and gives the pick of the main scenario. A row whose candidate is picked
/// has it for its set-up from then on. Of the sheet only facts and options are read. nullopt
/// without rows.
std::optional<Pick> decide_rows(const Sheet& sheet, const SizeAgain& again, std::vector<Row>& rows);

/// Throws InputError at the second pick of a model, method and scenario in the picks of `file`.
void refuse_repeated_picks(const std::vector<Pick>& picks, const std::string& file);

// ---- What the money of a sheet contains and what it leaves out, by the sheet's own rates: the one
// place that pages, handout and workbook take the words from.

/// A cost that stands in no figure of the sheet.
struct LeftOut {
  std::string words;    ///< "data egress"
  std::string brief;    ///< where there is no room: "egress"
  std::string meaning;  ///< a sentence
};

/// In the order of printing. Staff is among them unless a rate pays for it.
std::vector<LeftOut> left_out(const Sheet& sheet);

/// What a month of an owned machine is charged beside capital, power and space: "support", "staff"
/// …
std::vector<std::string> running_costs(const Sheet& sheet);

/// "Running costs of an owned machine include support and staff; rent includes no staff."; "" where
/// nothing of the sheet can be bought.
std::string running_costs_words(const Sheet& sheet);

/// "$1,038", "$26.82": whole dollars from $100 on.
std::string usd_words(MicroUsd usd);
/// "8.7 h", "14 h".
std::string hours_words(double hours);
/// "24 h", "0.1 h", "1.5 h": a limit as it was given, never rounded to 0.
std::string limit_words(double hours);

/// "a", "a and b", "a, b and c".
std::string joined_words(const std::vector<std::string>& words);

/// The sensitivities of a row that can be bought in `node`s. An input that is no uncertainty has no
/// bar; the rent has one where the row's list prices are known, and moves the break-even only.
Tornado tornado(const Purchase& purchase, const SheetSpec& spec, const PurchaseNode& node,
                const Row& row);

}  // namespace sizesheet
