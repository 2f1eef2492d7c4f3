// SPDX-License-Identifier: Apache-2.0
// What a specification says of how people read the sheet: its currency, its labels, its logo.
#pragma once

#include <filesystem>
#include <optional>

#include "support/error.h"
#include "support/json.h"

namespace sizesheet {

struct Catalog;
struct SheetLabels;
struct SheetSpec;
struct ShownCurrency;

/// `currency` of a spec: nothing for "USD", else another one with its rate and sign.
std::optional<ShownCurrency> read_currency(ObjectReader& reader);

/// The labels in `file`; one that no form of the sheet has is a fault.
SheetLabels read_labels(const std::filesystem::path& file, const SheetSpec& spec,
                        const Catalog& catalog, Faults& faults);

/// Takes in the logo and the labels that the spec in `file` names: a file beside it, or of the
/// catalog that is compiled in.
void read_named_files(const Json& json, const std::filesystem::path& file, const Catalog& catalog,
                      SheetSpec& spec, Faults& faults);

}  // namespace sizesheet
