// SPDX-License-Identifier: Apache-2.0
#include "calculator/page_facts.h"

#include "catalog/files/loader.h"
#include "sheet/spec.h"
#include "support/json.h"
#include "support/money.h"
#include "support/object_text.h"

namespace sizesheet {

std::string page_facts_script(const CatalogLayers& layers, const SheetSpec& spec) {
  Json files = Json::object();
  for (const auto& [path, text] : read_catalog_files(layers, {CatalogPart::kMoney})) {
    const bool read = !path.starts_with("schema/") && !path.starts_with("sheets/");
    if (read) files[path] = text;
  }
  Json rules = spec.raw;
  rules.erase("labels");                                          // a file, too
  if (rules.contains("handout")) rules["handout"].erase("logo");  // a file, and for the handout
  files["sheets/" + spec.id + ".json"] = json_text(rules);
  Json facts = {{"files", files}, {"sheet", spec.id}, {"as_of", spec.as_of}};
  if (spec.exchange) {
    facts["money"] = {{"code", spec.exchange->currency},
                      {"symbol", spec.exchange->symbol},
                      {"usd_per_unit", to_usd(spec.exchange->usd_per_unit)}};
  }
  return "globalThis.sizesheetFacts = " + json_text(facts) + ";\n";
}

}  // namespace sizesheet
