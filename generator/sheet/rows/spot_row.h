// SPDX-License-Identifier: Apache-2.0
// A row's run on spot under a rule of rates.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cost/rent.h"
#include "cost/spot_cost.h"

namespace sizesheet {

struct Catalog;
struct Gpu;
struct RentLine;
struct Row;
struct SheetSpec;

/// The start of a run on so many GPUs, which an interrupted one pays again.
double restart_hours(const SheetSpec& spec, const std::string& scenario, const Gpu& gpu,
                     std::int64_t gpus);

/// What the expected hours of a run of `hours` at a quote follow from; nullopt where the sheet's
/// rule is none of rates, or has none for the quote's seller.
std::optional<SpotTerms> spot_terms(const Catalog& catalog, const SheetSpec& spec,
                                    const RentQuote& quote, double hours, double restart_hours);

/// The row's rent on spot and its cost lines with what such a rule says of them.
void add_spot_run(const Catalog& catalog, const SheetSpec& spec, const RentQuote& quote, Row& row,
                  RentLine& line);

}  // namespace sizesheet
