// SPDX-License-Identifier: Apache-2.0
// What an edition gives the calculator on its page: the facts and the rules that it was made by, as
// a script.
#pragma once

#include <string>

namespace sizesheet {

class CatalogLayers;
struct SheetSpec;

/// Sets `sizesheetFacts` to {"files": {path: text}, "sheet": id, "as_of": day}: the catalog as its
/// layers make it, but for what no estimate reads, and the sheet's rules.
std::string page_facts_script(const CatalogLayers& layers, const SheetSpec& spec);

}  // namespace sizesheet
