// SPDX-License-Identifier: Apache-2.0
// What a sheet says of owning beyond its rows, how far each input moves it, and what the money
// holds.
#pragma once

#include <string>
#include <vector>

namespace sizesheet {

struct Catalog;
struct Purchase;
struct PurchaseNode;
struct Row;
struct Sheet;
struct SheetSpec;
struct Tornado;

/// Fills `sheet.ownership` from its rows and picks; leaves it absent where no row can be bought.
void add_ownership_facts(const Catalog& catalog, const SheetSpec& spec, Sheet& sheet);

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

/// The sensitivities of a row that can be bought in `node`s. An input that is no uncertainty has no
/// bar; the rent has one where the row's list prices are known, and moves the break-even only.
Tornado tornado(const Purchase& purchase, const SheetSpec& spec, const PurchaseNode& node,
                const Row& row);

}  // namespace sizesheet
