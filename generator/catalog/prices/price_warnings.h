// SPDX-License-Identifier: Apache-2.0
// What looks like a slip of the hand in prices that can each be read.
#pragma once

#include <string>
#include <vector>

#include "support/money.h"

namespace sizesheet {

struct Price;

/// What looks like a slip of the hand; the importer, `check` and `build` say the same of it.
struct PriceWarning {
  std::size_t row = 0;  ///< index into the rows that were asked about
  std::string key;      ///< of the row: what is odd
  std::string text;     ///< the key of the price, then `words`
  std::string words;
  bool doubtful = false;  ///< an import leaves the row out unless it is accepted by name
};

/// What is odd about `rows` beside each other and `known`, by row: an amount far from what other
/// sellers ask (`UsualPrices`), a spot price that is not below the one on demand, a price ten times
/// or a tenth of the same offer's last, and one dated after `day` (""; none is). Settled rows are
/// left out.
std::vector<PriceWarning> price_warnings(const std::vector<Price>& rows,
                                         const std::vector<Price>& known, const std::string& day);

/// Fills `doubt` of every row whose amount is far below what other sellers ask (`UsualPrices`) and
/// that nobody confirmed. One far above it counts.
void mark_doubts(std::vector<Price>& prices);

}  // namespace sizesheet
