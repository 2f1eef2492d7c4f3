// SPDX-License-Identifier: Apache-2.0
// What a specification says of how people read the sheet: its currency, its labels, its logo.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "support/error.h"
#include "support/json.h"

namespace sizesheet {

struct Catalog;
struct SheetLabels;
struct SheetSpec;
struct ShownCurrency;

/// `currency` of a spec: nothing for "USD", else another one with its rate and sign.
std::optional<ShownCurrency> read_currency(ObjectReader& reader);

/// Faults a rate that is more than a year from the sheet's day: it says nothing of its amounts.
void check_rate_day(const SheetSpec& spec, const std::string& file, Faults& faults);

/// Why the amounts of a sheet in another currency may be off: its rate is older than a rate may be
/// for a price, or of a later day than the sheet. "" where neither is so.
std::string rate_warning(const SheetSpec& spec, const Catalog& catalog);

/// The labels in `file`; one that no form of the sheet has is a fault.
SheetLabels read_labels(const std::filesystem::path& file, const SheetSpec& spec,
                        const Catalog& catalog, Faults& faults);

/// Takes in the logo and the labels that the spec in `file` names: a file beside it, or of the
/// catalog that is compiled in.
void read_named_files(const Json& json, const std::filesystem::path& file, const Catalog& catalog,
                      SheetSpec& spec, Faults& faults);

}  // namespace sizesheet
