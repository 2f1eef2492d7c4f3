// SPDX-License-Identifier: Apache-2.0
#include "cli/build.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <new>
#include <system_error>

#include "calculator/page_facts.h"
#include "catalog/catalog.h"
#include "catalog/files/loader.h"
#include "cli/check.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/edition_files.h"
#include "cli/refusals.h"
#include "cli/sheet_choice.h"
#include "cli/value_options.h"
#include "render/writers.h"
#include "sheet/assemble/build_sheet.h"
#include "sheet/assemble/checks.h"
#include "sheet/assemble/load_spec.h"
#include "sheet/diff/causes.h"
#include "sheet/diff/edition.h"
#include "sheet/diff/read_edition.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "sheet/spec_words.h"
#include "sizing/answer/team_corrections.h"
#include "support/durable.h"
#include "support/error.h"
#include "support/files.h"
#include "support/json.h"
#include "support/object_text.h"
#include "support/text.h"

namespace sizesheet {

namespace fs = std::filesystem;

namespace {

/// "" is what is left out.
struct BuildOptions : CommonOptions {
  std::string templates;
  std::string out = "output";
  std::string paper = "a4";
  std::string base_url;
  std::string baseline;
  std::string calculator;
  bool json = false;
};

/// One line that is overwritten, on a terminal only.
Progress progress_line(std::ostream& err) {
  if (isatty(STDERR_FILENO) == 0) return [](std::size_t, std::size_t) {};
  return [&err](std::size_t done, std::size_t all) {
    err << "\rsized " << done << " of " << all << " cells" << (done == all ? "\n" : "")
        << std::flush;
  };
}

/// An edition among the facts would be one of them at the next build.
void refuse_nested(const std::string& out, const std::string& folder, const std::string& what) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path inner = fs::weakly_canonical(fs::absolute(out, ignored), ignored);
  const fs::path outer = fs::weakly_canonical(fs::absolute(folder, ignored), ignored);
  if (folder.empty() || inner.empty() || outer.empty()) return;
  const auto [end, unused] = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
  if (end != outer.end()) return;
  throw InputError("--out: expected a folder outside " + what + ", got " + shown(out));
}

/// What `make calculator` built, and what it is to calculate with. None without the option.
FileSet calculator_files(const BuildOptions& options, const SheetSpec& spec) {
  if (options.calculator.empty()) return {};
  const std::string engine = read_file(options.calculator);
  const bool is_script = is_utf8(engine) && engine.find('\0') == std::string::npos;
  if (!is_script || engine.find("globalThis.sizesheetCalculator") == std::string::npos) {
    throw InputError("--calculator: expected the script that `make calculator` builds, got " +
                     shown(options.calculator));
  }
  return {{kCalculatorEngine, engine},
          {kCalculatorFacts, page_facts_script(options.catalog, spec)}};
}

/// "sheet.xlsx" is a file of an edition, not the folder of one.
void refuse_file(const fs::path& out) {
  const std::string ending = out.extension().string();
  if (!contains({".csv", ".html", ".json", ".pdf", ".xlsx"}, ending) || fs::is_directory(out)) {
    return;
  }
  throw UsageError("--out: expected a folder, got " + shown(out.string()) +
                   "; an edition is a page, a PDF, a workbook and tables in one folder");
}

/// A sheet is JSON, and another form of one is read by nothing.
void refuse_form(const fs::path& sheet) {
  if (!contains({".yaml", ".yml", ".toml", ".csv", ".xlsx"}, sheet.extension().string())) return;
  throw UsageError("--sheet: expected the id of a sheet or a JSON file, got " +
                       shown(sheet.string()) + "; init writes one",
                   "", "init");
}

/// On any error the old edition stays whole. Progress goes to `err`, on a terminal only.
int run_build(const BuildOptions& options, const Streams& streams) {
  std::ostream& err = streams.err;
  for (const std::filesystem::path& folder : options.catalog.folders()) {
    if (folder != kBuiltInCatalog) refuse_nested(options.out, folder.string(), "the catalog");
  }
  refuse_nested(options.out, options.templates, "the templates");
  refuse_file(options.out);
  refuse_form(options.sheet);
  const Catalog catalog = load_catalog_to_ask(options.catalog);
  Faults faults;
  check_facts(catalog, options.catalog, faults);
  faults.refuse();
  SheetSpec spec = load_sheet_spec(options.sheet, options.catalog, catalog);
  spec.as_of = as_of_day(options.as_of, spec.as_of);
  const EditionTemplates templates = edition_templates(options.templates);
  if (!options.base_url.empty() && !is_address(options.base_url)) {
    throw InputError("--base-url: expected https://…, got " + shown(options.base_url));
  }
  const EditionLabels labels{tool_version(), options.base_url, options.paper, templates.id};
  std::optional<Edition> baseline;  // read before the sheet, so that a fault in it shows at once
  if (!options.baseline.empty()) {
    const std::filesystem::path path = options.baseline;
    std::error_code none;
    baseline = read_edition(std::filesystem::is_directory(path, none) ? path / "sheet.json" : path);
  }
  FileSet calculator = calculator_files(options, spec);
  print_warnings(odd_prices(catalog, spec.as_of), err);
  if (const std::string odd = rate_warning(spec, catalog); !odd.empty()) {
    err << "warning: " << odd << '\n';
  }
  Sheet sheet = build_sheet(catalog, spec, labels, options.jobs, progress_line(err));
  for (const std::string& stale : sheet.options.price_rules.stale) {
    err << "warning: " << stale << '\n';
  }
  if (baseline) {
    sheet.changes = diff_editions(*baseline, edition_of(sheet, "sheet.json"), {}, options.jobs);
  }
  const auto warn = [&err](const std::string& words) { err << words << '\n'; };
  const FileSet files = edition_files(sheet, templates, warn, options.jobs, std::move(calculator));
  publish_edition(options.out, files);
  if (isatty(STDERR_FILENO) != 0) {
    err << "wrote " << files.size() + 1 << " files to " << options.out << "; open "
        << (fs::path(options.out) / "index.html").string() << '\n';
  }
  if (options.json) {
    streams.out << json_text(Json{{"as_of", sheet.meta.as_of},
                                  {"files", files.size() + 1},  // the manifest
                                  {"folder", options.out},
                                  {"rows", sheet.rows.size()}})
                << '\n';
  }
  return 0;
}

}  // namespace

void add_build(CLI::App& app, const Streams& streams, Command& chosen) {
  auto options = std::make_shared<BuildOptions>();
  CLI::App* command = app.add_subcommand("build", "Write an edition: pages, PDF, JSON, CSV");
  command
      ->add_option("--sheet", options->sheet,
                   "Id of a sheet in the catalog, or a file; build FILE says the same")
      ->capture_default_str();
  add_catalog(*command, options->catalog);
  command->add_option("--templates", options->templates,
                      "Folder that overrides built-in templates");
  command->add_option("--out", options->out, "Folder of the edition")->capture_default_str();
  add_choice(*command, "--paper", options->paper, "Paper of the PDF", {"a4", "letter"});
  add_day(*command, "--as-of", options->as_of, "The sheet's day, YYYY-MM-DD");
  command->add_option("--base-url", options->base_url, "Where the pages will stand, https://…");
  command->add_option("--baseline", options->baseline,
                      "Earlier sheet.json, or its edition's folder: adds a page of changes");
  command->add_option("--calculator", options->calculator,
                      "Script that `make calculator` built: the edition's page calculates with it");
  add_jobs(*command, options->jobs);
  command->add_flag("--json", options->json, "Say what was written, as JSON");
  set_run(*command, chosen, [options, &streams] { return run_build(*options, streams); });
}

}  // namespace sizesheet
