// SPDX-License-Identifier: Apache-2.0
// The project's own quarterly sheet: its file, what it asks for, smaller ones like it, and the
// sheet, built once for all tests.
#pragma once

#include "catalog/catalog.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "support/json.h"

namespace sizesheet {

/// The file as it stands.
Json quarterly_json();

/// The file for these alone, under its first scenario: no handout, no demand. A model that is not
/// in it stands as one of 8B.
Json quarterly_of(const std::vector<std::string>& models, const std::vector<std::string>& methods,
                  const std::vector<std::string>& gpus);

/// What a specification asks of the project's catalog. Throws InputError.
SheetSpec spec_of(const Json& json);

/// The whole sheet that it asks for, of that catalog.
Sheet built(const SheetSpec& spec, int jobs = 1);

/// Its rows and picks alone, of any catalog.
Sheet sized_alone(const Catalog& catalog, const SheetSpec& spec);

const SheetSpec& quarterly_spec();
const Sheet& quarterly_sheet();

/// sheet.json of it, and what a reader takes from that.
const std::string& quarterly_text();
const Json& quarterly_document();

}  // namespace sizesheet
