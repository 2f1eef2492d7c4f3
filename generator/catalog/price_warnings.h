// SPDX-License-Identifier: Apache-2.0
// What looks like a slip of the hand in prices that can each be read: held against the other rows
// of the card, the machine and the offer. The importer, `check` and `build` say the same of it.
#pragma once

#include <string>
#include <vector>

#include "catalog/price.h"

namespace sizesheet {

struct PriceWarning {
  std::size_t row = 0;  ///< index into the rows that were asked about
  std::string key;      ///< of the row: what is odd
  std::string text;
};

/// What is odd about `rows` beside each other and `known`, by row: the price of one GPU put down
/// for an instance of several, a spot price above the one on demand, a price ten times or a tenth
/// of the same offer's last, and one dated after `day` (""; none is). Settled rows are left out.
std::vector<PriceWarning> price_warnings(const std::vector<Price>& rows,
                                         const std::vector<Price>& known, const std::string& day);

/// The same about all prices of a catalog.
std::vector<PriceWarning> price_warnings(const std::vector<Price>& prices, const std::string& day);

/// Fills `doubt` of every row that seems to hold the price of one GPU and that nobody confirmed.
void mark_doubts(std::vector<Price>& prices);

}  // namespace sizesheet
