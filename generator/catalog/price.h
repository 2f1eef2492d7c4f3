// SPDX-License-Identifier: Apache-2.0
// A price row: what one provider asked for one instance, in one tier, on one day.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/json.h"

namespace sizesheet {

struct Price {
  std::string provider;
  std::string region;    ///< "any" or "unstated" where the source names none
  std::string instance;  ///< SKU name or the source's label; may be ""
  std::string gpu;
  std::string tier;       ///< on_demand | spot | reserved_1y | reserved_3y | reserved_5y |
                          ///< capacity_block | reserved_unstated
  std::string offer;      ///< list | community | marketplace
  std::int64_t gpus = 1;  ///< per instance
  MicroUsd usd_per_instance_hour;
  std::string as_of;  ///< YYYY-MM-DD or YYYY-MM
  std::string source;
  std::string note;
  std::string settled;  ///< reason why this row does not count (a settled conflict), or ""
  Json raw;

  /// provider/region/instance/gpu/tier/gpus/as_of
  std::string key() const;
};

/// A row of the collection that is not a price we use, with the reason.
struct ExcludedPrice {
  std::string provider;
  std::string gpu;
  std::string reason;
};

Price read_price(ObjectReader& reader, const std::string& provider);
ExcludedPrice read_excluded_price(ObjectReader& reader);

}  // namespace sizesheet
