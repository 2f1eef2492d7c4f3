// SPDX-License-Identifier: Apache-2.0
// What sellers usually ask for a GPU of a card in a tier, and which rows are far from it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "catalog/prices/price.h"
#include "support/money.h"

namespace sizesheet {

/// What is odd about an amount beside those of others.
struct OddAmount {
  std::string words;  ///< "$0.3 per GPU-hour ($2.4 / 8) is below a third of $3, the median of other
                      ///< sellers"; "" where nothing is odd
  bool below = false;  ///< it is too low, not too high

  explicit operator bool() const { return !words.empty(); }
};

/// The medians of `known` rows by card and tier, each seller once. Settled rows and second
/// readings are left out.
class UsualPrices {
 public:
  explicit UsualPrices(const std::vector<Price>& known);

  /// Below one cent a GPU-hour, below a third of the median of other sellers, or above three times
  /// it. A row is not odd within half as much again of another of its seller that is confirmed or
  /// usual itself, nor a high one so near to such a row of any seller: large clouds ask three times
  /// what most ask. Nor is a high one within two times of any other row of its seller. Where the
  /// card has no other seller, an instance of several GPUs below a third of the median of all rows
  /// is odd.
  OddAmount odd_amount(const Price& price) const;

 private:
  struct Card {
    std::map<std::string, std::vector<const Price*>> sellers;
    std::map<std::string, MicroUsd> medians;                ///< of each seller
    std::vector<MicroUsd> sorted;                           ///< those medians
    std::map<std::string, std::vector<MicroUsd>> vouching;  ///< amounts that are taken for right
    MicroUsd median;                                        ///< of all rows
  };

  static std::optional<MicroUsd> of_others(const Card& card, const std::string& seller);
  static void add_medians(Card& card);

  std::map<std::string, Card> cards_;  ///< by GPU and tier
};

}  // namespace sizesheet
