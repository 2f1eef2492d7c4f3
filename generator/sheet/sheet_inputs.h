// SPDX-License-Identifier: Apache-2.0
// What a sheet was made from, raw: enough to make its rows and picks again.
#pragma once

#include "catalog/catalog.h"
#include "sheet/spec.h"

namespace sizesheet {

/// `inputs` of sheet.json: every catalog entry that the spec's rows rest on, whole; price rows name
/// their provider; "sheet" is the spec with the day it was made for.
Json inputs_of(const Catalog& catalog, const SheetSpec& spec);

/// True when `id` is one of `ids`.
bool is_listed(const std::vector<std::string>& ids, const std::string& id);

}  // namespace sizesheet
