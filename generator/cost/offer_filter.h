// SPDX-License-Identifier: Apache-2.0
// Which offers a sheet takes: by seat, tenancy, place and seller.
#pragma once

#include <string>
#include <vector>

#include "support/described.h"

namespace sizesheet {

/// Whose offers count, and from where; an empty list stands for any.
struct OfferFilter {
  std::vector<std::string> jurisdictions;      ///< of the provider's seat: "us" …
  std::vector<std::string> tenancies;          ///< "bare-metal" …
  std::vector<std::string> locations;          ///< where the region is
  std::vector<std::string> providers;          ///< only these
  std::vector<std::string> exclude_providers;  ///< none of these
  std::vector<std::string> regions;            ///< names, or beginnings that end in "*"
};
BOOST_DESCRIBE_STRUCT(OfferFilter, (),
                      (jurisdictions, tenancies, locations, providers, exclude_providers, regions))

}  // namespace sizesheet
