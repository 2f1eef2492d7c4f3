// SPDX-License-Identifier: Apache-2.0
// What an edition gives the calculator on its page: the facts and the rules that it was made by, as
// a script.
#pragma once

#include <string>
#include <vector>

namespace sizesheet {

class CatalogLayers;
struct Sheet;
struct SheetSpec;

/// Sets `sizesheetFacts` to {"files": {path: text}, "sheet": id, "as_of": day}: the catalog as its
/// layers make it, but for what no estimate reads, and the sheet's rules.
std::string page_facts_script(const CatalogLayers& layers, const SheetSpec& spec);

/// Where such a script has other facts than the `inputs` of the sheet that it stands beside: one
/// line each, the first few. What the sheet does not use is not compared. Throws InputError for a
/// text that is no such script, without the name of the file.
std::vector<std::string> differences_from_sheet(const std::string& script, const std::string& file,
                                                const Sheet& sheet);

}  // namespace sizesheet
