// SPDX-License-Identifier: Apache-2.0
// The commands about data: their options, and `check`.

#include <algorithm>
#include <memory>
#include <ostream>

#include "catalog/catalog.h"
#include "catalog/prices/price.h"
#include "cli/command_parts.h"
#include "cli/commands.h"
#include "sheet/build/checks.h"
#include "sheet/spec.h"
#include "support/dates.h"
#include "support/parallel.h"
#include "support/text.h"

namespace sizesheet {

// ---- Commands on what is there: facts, prices, measurements, editions.

namespace {

void add_catalog_commands(CLI::App& app, const Streams& streams, Command& chosen) {
  auto checked = std::make_shared<CheckOptions>();
  CLI::App* check =
      app.add_subcommand("check", "Report every fault in the catalog, and odd prices");
  check->footer("Exit codes: 0 no fault, whatever the warnings; 1 faults; 2 could not read it.");
  add_catalog(*check, checked->catalog);
  check->add_option("--as-of", checked->as_of,
                    "The day after which no price may be dated; the latest of the sheets");
  check->callback([=, &streams, &chosen] {
    chosen = [=, &streams] { return run_check(*checked, streams.out, streams.err); };
  });
  auto catalog = std::make_shared<std::string>("catalog");
  auto what = std::make_shared<std::string>();
  CLI::App* list = app.add_subcommand("list", "List what the catalog holds");
  add_catalog(*list, *catalog);
  list->add_option("what", *what, "models, gpus, methods, stacks, prices or sheets")
      ->required()
      ->check(CLI::IsMember({"models", "gpus", "methods", "stacks", "prices", "sheets"}));
  list->callback([=, &streams, &chosen] {
    chosen = [=, &streams] { return run_list(*what, *catalog, streams.out); };
  });
}

void add_import_model(CLI::App& app, const Streams& streams, Command& chosen) {
  auto options = std::make_shared<ImportModelOptions>();
  CLI::App* command =
      app.add_subcommand("import-model", "Turn a Hugging Face config.json into a catalog entry");
  command->add_option("config", options->config, "The model's config.json")->required();
  command->add_option("--id", options->id, "Id of the entry")->required();
  command->add_option("--title", options->title, "Title; the id where left out");
  command->add_option("--source", options->source,
                      "Where the config stands; the file's name where left out");
  CLI::Option* date = command->add_option("--date", options->date, "When it was read, YYYY-MM-DD");
  command->add_option("--as-of", options->as_of, "The day of the command, where --date is left out")
      ->excludes(date);
  command->add_option("--repository", options->repository, "Repository on the Hub, owner/name");
  add_catalog(*command, options->catalog);
  CLI::Option* merge = command->add_flag("--merge", options->merge,
                                         "Show what the entry would change in the catalog");
  command->add_flag("--yes", options->yes, "With --merge: write the change")->needs(merge);
  command->callback([options, &streams, &chosen] {
    chosen = [options, &streams] { return run_import_model(*options, streams.out, streams.err); };
  });
}

void add_import_prices(CLI::App& app, const Streams& streams, Command& chosen) {
  auto options = std::make_shared<ImportPricesOptions>();
  CLI::App* command =
      app.add_subcommand("import-prices", "Turn a CSV of prices into a price file of the catalog");
  command->add_option("file", options->file, "The CSV file")->required();
  command
      ->add_option("--format", options->format,
                   "skypilot: a vms.csv of its catalog; sizesheet: the keys of a price row")
      ->required()
      ->check(CLI::IsMember({"skypilot", "sizesheet"}));
  command->add_option("--provider", options->provider,
                      "Provider; the file's name where left out, for vms.csv its folder's");
  command->add_option("--as-of", options->as_of, "The day of the prices, YYYY-MM-DD");
  command->add_option("--source", options->source, "Where the prices were read");
  add_catalog(*command, options->catalog);
  CLI::Option* merge = command->add_flag("--merge", options->merge,
                                         "Show what the prices would change in the catalog");
  command->add_flag("--yes", options->yes, "With --merge: write the change")->needs(merge);
  command->callback([options, &streams, &chosen] {
    chosen = [options, &streams] { return run_import_prices(*options, streams.out, streams.err); };
  });
}

void add_validate(CLI::App& app, const Streams& streams, Command& chosen) {
  auto options = std::make_shared<ValidateOptions>();
  options->jobs = default_jobs();
  CLI::App* command =
      app.add_subcommand("validate", "Compare the engine with published measurements");
  add_catalog(*command, options->catalog);
  command->add_option("--format", options->format, "Form of the answer")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->add_flag("--held-out", options->held_out, "Only the sources no constant is fitted to");
  command->add_option("--write-intervals", options->write_intervals,
                      "Fit the intervals of memory anew and write them to this file");
  command->add_option("--write-speed-intervals", options->write_speed_intervals,
                      "The same for those of speed");
  add_jobs(*command, options->jobs);
  command->callback([options, &streams, &chosen] {
    chosen = [options, &streams] { return run_validate(*options, streams.out); };
  });
}

void add_verify(CLI::App& app, const Streams& streams, Command& chosen) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* command = app.add_subcommand(
      "verify", "Say whether an edition is whole and what its own sheet.json gives");
  command->footer("Exit codes: 0 whole and equal; 1 not, file by file; 2 could not tell.");
  command->add_option("folder", options->folder, "Folder of the edition; nothing is written to it")
      ->required();
  command->add_option("--templates", options->templates,
                      "Folder that overrode built-in templates when it was built");
  command->callback([options, &streams, &chosen] {
    chosen = [options, &streams] { return run_verify(*options, streams.out); };
  });
}

void add_diff(CLI::App& app, const Streams& streams, Command& chosen) {
  auto options = std::make_shared<DiffCommand>();
  options->jobs = default_jobs();
  CLI::App* command = app.add_subcommand("diff", "Say what changed between two editions, and why");
  command->footer("Exit codes: 0 equal; 1 different, see --fail-on; 2 could not compare.");
  command->add_option("old", options->old_path, "sheet.json, folder of an edition, or a catalog")
      ->required();
  command->add_option("new", options->new_path, "The same")->required();
  command->add_option("--format", options->format, "Form of the answer")
      ->check(CLI::IsMember({"text", "markdown", "html", "json"}))
      ->capture_default_str();
  command
      ->add_option("--threshold", options->thresholds,
                   "Moves below are only counted: usd=1%,hours=2%,memory=0.1GiB")
      ->allow_extra_args(false);
  command->add_option("--fail-on", options->fail_on, "Least level of a change that exits with 1")
      ->check(CLI::IsMember({"breaking", "notable", "any", "none"}))
      ->capture_default_str();
  command->add_flag("--all", options->all, "Every change, not only the first of each table");
  command->add_option("--sort", options->sort, "Order: severity, or size in dollars")
      ->check(CLI::IsMember({"kind", "usd"}))
      ->capture_default_str();
  command->add_option("--explain", options->explain,
                      "One row side by side: MODEL/METHOD[/GPU[/SCENARIO]]");
  command->add_option("--sheet", options->sheet, "Sheet of a catalog, an id or a file [quarterly]");
  add_jobs(*command, options->jobs);
  command->callback([options, &streams, &chosen] {
    chosen = [options, &streams] {
      options->colour = may_colour(streams.out);
      return run_diff(*options, streams.out);
    };
  });
}

}  // namespace

void add_data_commands(CLI::App& app, const Streams& streams, Command& chosen) {
  add_catalog_commands(app, streams, chosen);
  add_import_model(app, streams, chosen);
  add_import_prices(app, streams, chosen);
  add_validate(app, streams, chosen);
  add_verify(app, streams, chosen);
  add_diff(app, streams, chosen);
}

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
      const std::vector<Fault>& told = faults.all();
      if (std::find(told.begin(), told.end(), fault) != told.end()) continue;
      faults.add(fault.file, fault.pointer, fault.message);
    }
  }
  return latest;
}

}  // namespace

std::size_t warn_of_prices(const Catalog& catalog, const std::string& day, std::ostream& err) {
  const std::vector<PriceWarning> odd = price_warnings(catalog.prices, day);
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

}  // namespace sizesheet
