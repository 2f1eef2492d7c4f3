// SPDX-License-Identifier: Apache-2.0
// Who rents GPUs out, and where.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "support/error.h"
#include "support/json.h"

namespace sizesheet {

struct Price;

/// A seller that is told to be none of them is the last: its prices move more.
inline const std::vector<std::string> kSellerKinds = {"hyperscaler", "specialised"};

/// The seat whose law it is under, what a customer gets of a machine, and where its regions are.
struct Provider {
  std::string id;                          ///< as price files spell it
  std::string title;                       ///< of the company
  std::string kind = kSellerKinds.back();  ///< how its list prices move: one of kSellerKinds
  std::string offer;         ///< of its rows where a feed does not say: one of kOffers, or ""
  std::string country;       ///< ISO 3166 code of the seat, or "unstated"
  std::string jurisdiction;  ///< us | eu | uk …, or "unstated"
  std::string tenancy;       ///< bare-metal | virtual-machine | container, or "unstated"
  std::map<std::string, std::string> locations;  ///< region or its beginning -> us | eu | uk …
  std::map<std::string, std::int64_t> nodes;     ///< GPU -> how many the one machine with it has
  std::string url;
  std::string basis;  ///< source | part-assumption | assumption
  std::string source;
  std::string date;
  std::string note;
  Json raw;
  std::string file;  ///< where the entry stands, for faults
  std::string pointer;

  /// Where a region is: by its longest beginning in `locations`, else "unstated".
  std::string location_of(const std::string& region) const;
};
BOOST_DESCRIBE_STRUCT(Provider, (), (title, jurisdiction, tenancy, url, basis, source, date, note))

Provider read_provider(ObjectReader& reader);

/// Faults a seller's `nodes` of a GPU that is not `known`.
void check_nodes(const std::vector<Provider>& providers, const std::vector<std::string>& known,
                 Faults& faults);

/// A GPU that a seller has in whole nodes alone is priced by the node, and the row names it; "" or
/// what is wrong, and with which key. A settled row may say what was once read.
struct WrongUnit {
  const char* key = "";
  std::string words;

  explicit operator bool() const { return !words.empty(); }
};
WrongUnit wrong_unit(const std::vector<Provider>& providers, const Price& price);

/// Fills in seat, place and tenancy of every row whose provider is known. A row's own tenancy
/// stays.
void place_prices(const std::vector<Provider>& providers, std::vector<Price>& prices);

}  // namespace sizesheet
