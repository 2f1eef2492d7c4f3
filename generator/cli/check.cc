// SPDX-License-Identifier: Apache-2.0
#include "cli/check.h"

#include <algorithm>
#include <ostream>

#include "catalog/catalog.h"
#include "catalog/configs/config_format.h"
#include "catalog/configs/config_writer.h"
#include "catalog/files/loader.h"
#include "catalog/prices/price.h"
#include "catalog/prices/price_warnings.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/sheet_choice.h"
#include "cli/value_options.h"
#include "sheet/assemble/checks.h"
#include "sheet/assemble/load_spec.h"
#include "sheet/rows/size_row.h"
#include "sheet/spec.h"
#include "support/error.h"
#include "support/json.h"
#include "support/object_text.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// What `build` would refuse in a sheet, the rest of it only where the catalog is `sound`. The
/// sheet's day, "" where it has none.
std::string check_sheet_file(const std::filesystem::path& file, const Catalog& catalog,
                             const CatalogLayers& layers, bool sound, Faults& found) {
  try {
    const SheetSpec spec = read_sheet_file(file, catalog, found);
    if (sound && found.empty()) check_sheet_spec(spec, file, layers, catalog, found);
    if (day_number(spec.as_of)) return spec.as_of;
  } catch (const InputError& error) {
    found.add("", "", error.what());  // the words name file, line and column
  }
  return "";
}

/// The same of every sheet; a fault that several sheets meet is told once. The latest day of them.
std::string check_sheets(const Catalog& catalog, const CatalogLayers& layers, Faults& faults) {
  const bool sound = faults.empty();
  std::string latest;
  for (const std::string& id : catalog.sheets) {
    const std::filesystem::path file = layers.place("sheets/" + id + ".json");
    Faults found;
    latest = std::max(latest, check_sheet_file(file, catalog, layers, sound, found));
    for (const Fault& fault : found.all()) {
      if (!contains(faults.all(), fault)) faults.add(fault.file, fault.pointer, fault.message);
    }
  }
  return latest;
}

/// What had no fault: the specification in `sheet`, or where that is "" the catalog.
std::string sound_words(const Catalog& catalog, const std::string& sheet) {
  if (!sheet.empty()) return sheet + ": no faults";
  return "catalog: " + std::to_string(catalog.models.size()) + " models, " +
         std::to_string(catalog.gpus.size()) + " gpus, " + std::to_string(catalog.prices.size()) +
         " prices, " + std::to_string(catalog.stacks.size()) + " stacks: no faults";
}

Json places_json(const std::vector<Fault>& faults) {
  Json places = Json::array();
  for (const Fault& fault : faults) {
    places.push_back({{"file", plain_text(fault.file)},
                      {"pointer", plain_text(fault.pointer)},
                      {"message", plain_text(fault.message)}});
  }
  return places;
}

Json check_json(const Catalog& catalog, const std::vector<Fault>& faults,
                const std::vector<Fault>& warnings) {
  return {{"ok", faults.empty()},
          {"faults", places_json(faults)},
          {"warnings", places_json(warnings)},
          {"hash", catalog.hash}};
}

}  // namespace

std::vector<Fault> odd_prices(const Catalog& catalog, const std::string& day) {
  std::vector<Fault> odd;
  for (const PriceWarning& warning : price_warnings(catalog.prices, catalog.prices, day)) {
    const Price& price = catalog.prices[warning.row];
    odd.push_back({price.file, price.pointer + "/" + warning.key, warning.text});
  }
  return odd;
}

void print_warnings(const std::vector<Fault>& odd, std::ostream& err) {
  for (const Fault& place : odd) err << "warning: " << plain_text(to_text(place)) << '\n';
}

int run_check(const CheckOptions& options, std::ostream& out, std::ostream& err) {
  Faults faults;
  const Catalog loaded = load_catalog(options.catalog, faults);
  if (faults.empty()) check_facts(loaded, options.catalog, faults);
  load_config_formats(options.catalog, faults);
  load_config_writers(options.catalog, faults);
  std::filesystem::path sheet;
  std::string latest;
  if (options.sheet.empty()) {
    latest = check_sheets(loaded, options.catalog, faults);
  } else if (faults.empty()) {
    sheet = sheet_file(options.sheet, options.catalog, loaded);
    read_catalog_file(sheet);  // throws where it cannot be read, which is no fault in it
    latest = check_sheet_file(sheet, loaded, options.catalog, true, faults);
  }
  std::vector<Fault> odd;
  if (faults.empty()) odd = odd_prices(loaded, as_of_day(options.as_of, latest));
  if (options.json) {
    out << json_text(check_json(loaded, faults.all(), odd)) << '\n';
    return faults.empty() ? 0 : 1;
  }
  for (const Fault& fault : faults.all()) out << plain_text(to_text(fault)) << "\n";
  if (!faults.empty()) return 1;
  print_warnings(odd, err);
  const std::size_t warnings = odd.size();
  out << sound_words(loaded, options.sheet.empty() ? "" : shown_path(sheet));
  if (warnings > 0) out << ", " << warnings << (warnings == 1 ? " warning" : " warnings");
  out << "\n";
  return 0;
}

void add_check(CLI::App& app, const Streams& streams, Command& chosen) {
  const auto& [command, options] = add_command<CheckOptions>(
      app, streams, chosen, "check", "Report every fault in the catalog, and odd prices",
      [](const CheckOptions& asked, const Streams& to) {
        return run_check(asked, to.out, to.err);
      });
  command.footer(
      "Exit codes: 0 no fault, with or without warnings; 1 faults; 2 could not read it.");
  add_catalog(command, options.catalog);
  command.add_option("--sheet", options.sheet,
                     "A specification, file or id: it alone is checked, and nothing built");
  add_day(command, "--as-of", options.as_of,
          "The day after which no price may be dated; the latest of the sheets");
  command.add_flag("--json", options.json, "Faults and warnings as JSON, on stdout");
}

}  // namespace sizesheet
