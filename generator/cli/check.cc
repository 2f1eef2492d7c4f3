// SPDX-License-Identifier: Apache-2.0
// `check`: what is wrong with the catalog.

#include <algorithm>
#include <memory>
#include <ostream>

#include "catalog/prices/price.h"
#include "cli/command_parts.h"
#include "cli/commands.h"
#include "sheet/build/checks.h"
#include "sheet/spec.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// What `build` would refuse in each sheet; a fault that several sheets meet is told once. The
/// latest day of the sheets, "" where none has one.
std::string check_sheets(const Catalog& catalog, const CatalogLayers& layers, Faults& faults) {
  const bool sound = faults.empty();
  std::string latest;
  for (const std::string& id : catalog.sheets) {
    const std::filesystem::path file = layers.place("sheets/" + id + ".json");
    Faults found;
    try {
      const SheetSpec spec = read_sheet_file(file, catalog, found);
      if (day_number(spec.as_of)) latest = std::max(latest, spec.as_of);
      if (sound && found.empty()) check_sheet_spec(spec, file, layers, catalog, found);
    } catch (const InputError& error) {
      found.add("", "", error.what());  // the words name file, line and column
    }
    for (const Fault& fault : found.all()) {
      if (!contains(faults.all(), fault)) faults.add(fault.file, fault.pointer, fault.message);
    }
  }
  return latest;
}

}  // namespace

std::size_t warn_of_prices(const Catalog& catalog, const std::string& day, std::ostream& err) {
  const std::vector<PriceWarning> odd = price_warnings(catalog.prices, catalog.prices, day);
  for (const PriceWarning& warning : odd) {
    const Price& price = catalog.prices[warning.row];
    const Fault place{price.file, price.pointer + "/" + warning.key, warning.text};
    err << "warning: " << plain_text(to_text(place)) << '\n';
  }
  return odd.size();
}

int run_check(const CheckOptions& options, std::ostream& out, std::ostream& err) {
  Faults faults;
  const Catalog loaded = load_catalog(options.catalog, faults);
  if (faults.empty()) check_facts(loaded, options.catalog, faults);
  const std::string latest = check_sheets(loaded, options.catalog, faults);
  for (const Fault& fault : faults.all()) out << plain_text(to_text(fault)) << "\n";
  if (!faults.empty()) return 1;
  const std::size_t warnings = warn_of_prices(loaded, as_of_day(options.as_of, latest), err);
  out << "catalog: " << loaded.models.size() << " models, " << loaded.gpus.size() << " gpus, "
      << loaded.prices.size() << " prices, " << loaded.stacks.size() << " stacks: no faults";
  if (warnings > 0) out << ", " << warnings << (warnings == 1 ? " warning" : " warnings");
  out << "\n";
  return 0;
}

void add_check(CLI::App& app, const Streams& streams, Command& chosen) {
  auto checked = std::make_shared<CheckOptions>();
  CLI::App* check =
      app.add_subcommand("check", "Report every fault in the catalog, and odd prices");
  check->footer("Exit codes: 0 no fault, whatever the warnings; 1 faults; 2 could not read it.");
  add_catalog(*check, checked->catalog);
  check->add_option("--as-of", checked->as_of,
                    "The day after which no price may be dated; the latest of the sheets");
  set_run(*check, chosen, [=, &streams] { return run_check(*checked, streams.out, streams.err); });
}

}  // namespace sizesheet
