// SPDX-License-Identifier: Apache-2.0
// Who rents GPUs out, and where.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "support/json.h"

namespace sizesheet {

struct Price;

/// The seat whose law it is under, what a customer gets of a machine, and where its regions are.
struct Provider {
  std::string id;            ///< as price files spell it
  std::string title;         ///< of the company
  std::string offer;         ///< of its rows where a feed does not say: one of kOffers, or ""
  std::string country;       ///< ISO 3166 code of the seat, or "unstated"
  std::string jurisdiction;  ///< us | eu | uk …, or "unstated"
  std::string tenancy;       ///< bare-metal | virtual-machine | container, or "unstated"
  std::map<std::string, std::string> locations;  ///< region or its beginning -> us | eu | uk …
  std::string url;
  std::string basis;  ///< source | part-assumption | assumption
  std::string source;
  std::string date;
  std::string note;
  Json raw;

  /// Where a region is: by its longest beginning in `locations`, else "unstated".
  std::string location_of(const std::string& region) const;
};
BOOST_DESCRIBE_STRUCT(Provider, (), (title, jurisdiction, tenancy, url, basis, source, date, note))

Provider read_provider(ObjectReader& reader);

/// Fills in seat, place and tenancy of every row whose provider is known. A row's own tenancy
/// stays.
void place_prices(const std::vector<Provider>& providers, std::vector<Price>& prices);

}  // namespace sizesheet
