// SPDX-License-Identifier: Apache-2.0
// `check` and `list`: what is wrong with the catalog, and what it holds.

#include <algorithm>
#include <memory>
#include <ostream>

#include "catalog/prices/price.h"
#include "cli/command_parts.h"
#include "cli/commands.h"
#include "sheet/build/checks.h"
#include "sheet/spec.h"
#include "sizing/memory/parameters.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// What `build` would refuse in each sheet; a fault that several sheets meet is told once. The
/// latest day of the sheets, "" where none has one.
std::string check_sheets(const Catalog& catalog, const std::filesystem::path& directory,
                         Faults& faults) {
  const bool sound = faults.empty();
  std::string latest;
  for (const std::string& id : catalog.sheets) {
    const std::filesystem::path file = directory / "sheets" / (id + ".json");
    Faults found;
    try {
      const SheetSpec spec = read_sheet_file(file, catalog, found);
      if (day_number(spec.as_of)) latest = std::max(latest, spec.as_of);
      if (sound && found.empty()) check_sheet_spec(spec, file, directory, catalog, found);
    } catch (const InputError& error) {
      found.add("", "", error.what());  // the words name file, line and column
    }
    for (const Fault& fault : found.all()) {
      if (!contains(faults.all(), fault)) faults.add(fault.file, fault.pointer, fault.message);
    }
  }
  return latest;
}

/// One entry a line, tab-separated.
int run_list(const std::string& what, const std::filesystem::path& catalog, std::ostream& out) {
  const CatalogParts parts = what == "prices" ? CatalogParts{CatalogPart::kMoney} : CatalogParts{};
  const Catalog facts = load_sound_catalog(catalog, parts);
  if (what == "models") {
    for (const auto& [id, model] : facts.models) {
      out << id << '\t' << count_parameters(model.architecture).total() << '\t' << model.title
          << '\n';
    }
  } else if (what == "gpus") {
    for (const auto& [id, gpu] : facts.gpus) {
      const auto capacity = gpu.capacity_bytes();
      out << id << '\t' << (capacity ? format_gib(*capacity, 1) + " GiB" : std::string(kAbsent))
          << '\t' << gpu.name << '\n';
    }
  } else if (what == "prices") {
    for (const Price& price : facts.prices) {
      out << price.key() << '\t' << shortest(to_usd(price.usd_per_instance_hour)) << '\t'
          << (price.settled.empty() ? "" : "settled: " + price.settled) << '\n';
    }
    for (const ExcludedPrice& price : facts.excluded_prices) {
      out << "excluded " << price.provider << '/' << price.gpu << "\t" << kAbsent << "\t"
          << price.reason << '\n';
    }
  } else if (what == "methods") {
    for (const auto& [id, method] : facts.methods) out << id << '\t' << method.title << '\n';
  } else if (what == "stacks") {
    for (const auto& [id, stack] : facts.stacks) out << id << '\t' << stack.title << '\n';
  } else {
    for (const std::string& id : facts.sheets) out << id << '\n';
  }
  return 0;
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
  const std::filesystem::path catalog = options.catalog;
  Faults faults;
  const Catalog loaded = load_catalog(catalog, faults);
  if (faults.empty()) check_facts(loaded, shown_path(catalog), faults);
  const std::string latest = check_sheets(loaded, catalog, faults);
  for (const Fault& fault : faults.all()) out << plain_text(to_text(fault)) << "\n";
  if (!faults.empty()) return 1;
  const std::size_t warnings = warn_of_prices(loaded, as_of_day(options.as_of, latest), err);
  out << "catalog: " << loaded.models.size() << " models, " << loaded.gpus.size() << " gpus, "
      << loaded.prices.size() << " prices, " << loaded.stacks.size() << " stacks: no faults";
  if (warnings > 0) out << ", " << warnings << (warnings == 1 ? " warning" : " warnings");
  out << "\n";
  return 0;
}

void add_check_and_list(CLI::App& app, const Streams& streams, Command& chosen) {
  auto checked = std::make_shared<CheckOptions>();
  CLI::App* check =
      app.add_subcommand("check", "Report every fault in the catalog, and odd prices");
  check->footer("Exit codes: 0 no fault, whatever the warnings; 1 faults; 2 could not read it.");
  add_catalog(*check, checked->catalog);
  check->add_option("--as-of", checked->as_of,
                    "The day after which no price may be dated; the latest of the sheets");
  set_run(*check, chosen, [=, &streams] { return run_check(*checked, streams.out, streams.err); });
  auto catalog = std::make_shared<std::string>("catalog");
  auto what = std::make_shared<std::string>();
  CLI::App* list = app.add_subcommand("list", "List what the catalog holds");
  add_catalog(*list, *catalog);
  list->add_option("what", *what, "models, gpus, methods, stacks, prices or sheets")
      ->required()
      ->check(CLI::IsMember({"models", "gpus", "methods", "stacks", "prices", "sheets"}));
  set_run(*list, chosen, [=, &streams] { return run_list(*what, *catalog, streams.out); });
}

}  // namespace sizesheet
