// SPDX-License-Identifier: Apache-2.0
// A price row: what one provider asked for one instance, in one tier, on one day.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "catalog/exchange.h"
#include "support/json.h"

namespace sizesheet {

/// What stands for a seat, a place or a tenancy that nobody states.
inline constexpr const char* kUnstated = "unstated";

/// What a price may be asked for; the last, a term that is not stated, is never priced.
const std::vector<std::string>& price_tiers();
inline constexpr const char* kUnstatedTerm = "reserved_unstated";

/// What a price was before it was turned into dollars.
struct AskedPrice {
  std::string currency;        ///< ISO 4217
  MicroUsd per_instance_hour;  ///< in millionths of the currency's unit
  ExchangeRate rate;
};

struct Price {
  std::string provider;
  std::string region;    ///< "any" or "unstated" where the source names none
  std::string instance;  ///< SKU name or the source's label; may be ""
  std::string gpu;
  std::string tier;       ///< one of price_tiers()
  std::string offer;      ///< list | community | marketplace
  std::int64_t gpus = 1;  ///< per instance
  MicroUsd usd_per_instance_hour;
  std::optional<AskedPrice> asked;       ///< present where it was asked in another currency
  std::string jurisdiction = kUnstated;  ///< the provider's seat: us | eu | uk …
  std::string location = kUnstated;      ///< where the region is, likewise
  std::string own_tenancy = kUnstated;   ///< bare-metal | virtual-machine | container
  std::string tenancy = kUnstated;       ///< the same, or else its provider's
  std::string as_of;                     ///< YYYY-MM-DD or YYYY-MM
  std::string source;
  std::string note;
  std::string settled;    ///< reason why this row does not count (a settled conflict), or ""
  std::string confirmed;  ///< how an odd amount was found to be right, or ""
  std::string doubt;  ///< why an amount that nobody confirmed does not count (mark_doubts), or ""
  std::string file;   ///< where the row stands, for warnings
  std::string pointer;

  /// provider/region/instance/gpu/tier/gpus/as_of
  std::string key() const;
  /// The key without its day: one offer, whenever it was seen. With a tier: the same machine there.
  std::string offer_key() const;
  std::string offer_key(const std::string& in_tier) const;
};

/// A row of the collection that is not a price we use, with the reason.
struct ExcludedPrice {
  std::string provider;
  std::string gpu;
  std::string reason;
};

/// A row in another currency than USD needs a rate near its day in `exchange`, else it is a fault.
Price read_price(ObjectReader& reader, const std::string& provider, const Exchange& exchange = {});

/// The row that a price was read from, as a file of its provider has it.
Json price_row(const Price& price);

/// A fault at the row of a price whose key is among those already `seen`; it is one of them then.
void refuse_repeated(const Price& price, std::set<std::string>& seen, Faults& faults);
ExcludedPrice read_excluded_price(ObjectReader& reader);

}  // namespace sizesheet
