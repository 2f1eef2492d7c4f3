// SPDX-License-Identifier: Apache-2.0
// The catalog and the specification that one edition was made from, out of its own sheet.json.
#pragma once

#include <string>
#include <vector>

#include "sheet/spec.h"

namespace sizesheet {

/// Keys under "inputs" that a re-sizing needs and that are not there, in the order of the program;
/// an edition of an older program may lack some.
std::vector<std::string> missing_inputs(const Json& inputs);

/// The entries of one edition, read as the catalog's own files are; what rows and picks do not rest
/// on (measurements, guides, tables by framework, bare cards) is not in it. Throws InputError
/// `file:/inputs/…` with every fault.
Catalog catalog_from_inputs(const Json& inputs, const std::string& file);

/// The specification, with the day that the edition was made for. Throws InputError likewise.
SheetSpec spec_from_inputs(const Json& inputs, const std::string& file, const Catalog& catalog);

/// Inputs and what they read as.
struct EditionInputs {
  Json raw;
  Catalog catalog;
  SheetSpec spec;
};
/// Throws InputError.
EditionInputs read_inputs(Json inputs, const std::string& file);

}  // namespace sizesheet
