// SPDX-License-Identifier: Apache-2.0
#include "calculator/page_facts.h"

#include <cstddef>
#include <optional>

#include "catalog/catalog.h"
#include "catalog/files/loader.h"
#include "sheet/assemble/build_sheet.h"
#include "sheet/diff/leaves.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "sizing/answer/team_corrections.h"
#include "support/error.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/money.h"
#include "support/object_text.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr const char* kBegin = "globalThis.sizesheetFacts = ";
constexpr const char* kEnd = ";\n";

/// Of the facts; more say little more.
constexpr std::size_t kMostLines = 5;

/// How the page says amounts: in dollars, or in one other currency.
Json money_of(const std::optional<ShownCurrency>& exchange) {
  if (!exchange) return {};
  return {{"code", exchange->currency},
          {"symbol", exchange->symbol},
          {"usd_per_unit", to_usd(exchange->usd_per_unit)}};
}

/// Without the files that the rules of a sheet name.
Json rules_alone(Json rules) {
  rules.erase("labels");
  if (rules.contains("handout")) rules["handout"].erase("logo");
  return rules;
}

/// What the script sets.
Json facts_in(const std::string& script, const std::string& file) {
  const std::string begin = kBegin;
  if (!script.starts_with(begin) || !script.ends_with(kEnd)) {
    throw InputError("expected one statement, " + begin + "{…};, got other text");
  }
  const std::size_t around = begin.size() + std::string_view(kEnd).size();
  return parse_json(script.substr(begin.size(), script.size() - around), file);
}

/// The `inputs` of a sheet that is made of these facts.
Json inputs_of_facts(const Json& facts, const std::string& file) {
  const auto files = facts.at("files").get<CatalogFiles>();
  Catalog catalog = load_sound_catalog(files, file, {CatalogPart::kMoney});
  correct_by(team_runs_of(catalog), catalog);
  const std::string path = "sheets/" + facts.at("sheet").get<std::string>() + ".json";
  Faults faults;
  const Json rules = parse_json(files.at(path), file + "/" + path);
  SheetSpec spec = read_sheet_spec(ObjectReader(rules, file + "/" + path, "", faults), catalog,
                                   PriceOrigins::kTrusted);
  faults.refuse();
  spec.as_of = facts.at("as_of").get<std::string>();
  return inputs_of(catalog, spec);
}

}  // namespace

std::string page_facts_script(const CatalogLayers& layers, const SheetSpec& spec) {
  Json files = Json::object();
  for (const auto& [path, text] : read_catalog_files(layers, {CatalogPart::kMoney})) {
    const bool read = !path.starts_with("schema/") && !path.starts_with("sheets/");
    if (read) files[path] = text;
  }
  files["sheets/" + spec.id + ".json"] = json_text(rules_alone(spec.raw));
  Json facts = {{"files", files}, {"sheet", spec.id}, {"as_of", spec.as_of}};
  if (spec.exchange) facts["money"] = money_of(spec.exchange);
  return kBegin + json_text(facts) + kEnd;
}

std::vector<std::string> differences_from_sheet(const std::string& script, const std::string& file,
                                                const Sheet& sheet) {
  const Json facts = facts_in(script, file);
  Json got;
  try {
    got = {{"inputs", inputs_of_facts(facts, file)}, {"money", at_dotted(facts, "money")}};
  } catch (const Json::exception& error) {
    throw InputError(std::string("expected the facts of a calculator, got ") + error.what());
  } catch (const std::out_of_range&) {
    throw InputError("expected the sheet that \"sheet\" names among \"files\"");
  }
  Json inputs = sheet.inputs;
  inputs["sheet"] = rules_alone(inputs.at("sheet"));
  const Json expected = {{"inputs", std::move(inputs)}, {"money", money_of(sheet.meta.exchange)}};
  std::vector<std::string> lines;
  for (const ChangedLeaf& leaf : changed_leaves(expected, got)) {
    if (lines.size() == kMostLines) break;
    lines.push_back(leaf_words(leaf, "sheet.json"));
  }
  return lines;
}

}  // namespace sizesheet
