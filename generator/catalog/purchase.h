// SPDX-License-Identifier: Apache-2.0
// What owning costs: machines that can be bought whole, and the rates that running them brings.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/json.h"

namespace sizesheet {

/// low <= typical <= high, with where they come from.
struct Estimate {
  double low = 0;
  double typical = 0;
  double high = 0;
  std::string basis;  ///< source | part-assumption | assumption
  std::string source;
  std::string date;
  std::string note;
};

/// A machine sold whole: a node, a workstation, a pair of Sparks.
struct PurchaseNode {
  std::string id;     ///< "8x-h100-sxm"
  std::string title;  ///< "8x H100 SXM node (HGX/DGX)"
  std::string gpu;
  std::int64_t gpus = 0;
  bool multi_node = false;  ///< several may be joined by a back-end network
  Estimate usd;
  Estimate kw;  ///< power at full load, before PUE
  Json raw;
};

/// A bare card; informative, since whole machines are what the sheet buys.
struct PurchaseCard {
  std::string id;
  std::string title;
  std::string gpu;
  Estimate usd;
  Json raw;
};

/// A rate of owning: "cost-of-capital", "pue", "usd-per-kwh" …
struct Rate {
  std::string id;
  std::string title;
  std::string unit;
  Estimate value;
  std::vector<std::string> covers;  ///< options of a sheet that this rate counts already
  Json raw;
};

struct Purchase {
  std::vector<PurchaseNode> nodes;
  std::vector<PurchaseCard> cards;
  std::vector<Rate> rates;

  /// The rate with this id; throws InputError naming a near miss.
  const Rate& rate(const std::string& id) const;
};

PurchaseNode read_purchase_node(ObjectReader& reader);
PurchaseCard read_purchase_card(ObjectReader& reader);
Rate read_rate(ObjectReader& reader);

}  // namespace sizesheet
