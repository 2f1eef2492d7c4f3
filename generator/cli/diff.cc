// SPDX-License-Identifier: Apache-2.0
#include "cli/diff.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <set>

#include "catalog/catalog.h"
#include "catalog/files/layer.h"
#include "catalog/files/loader.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/question_words.h"
#include "cli/sheet_choice.h"
#include "cli/value_options.h"
#include "render/change_words.h"
#include "render/diff/explain.h"
#include "render/diff/markdown.h"
#include "render/diff/text.h"
#include "render/html/changes_page.h"
#include "sheet/assemble/build_sheet.h"
#include "sheet/assemble/load_spec.h"
#include "sheet/changes.h"
#include "sheet/diff/causes.h"
#include "sheet/diff/edition.h"
#include "sheet/diff/read_edition.h"
#include "sheet/plan/build_plan.h"
#include "sheet/sheet.h"
#include "sheet/sheet_json.h"
#include "sheet/spec.h"
#include "sizing/answer/team_corrections.h"
#include "sizing/time/throughput.h"
#include "support/error.h"
#include "support/parallel.h"
#include "support/text.h"
#include "support/values.h"

namespace sizesheet {
namespace {

namespace fs = std::filesystem;

/// The catalog that a side of a comparison names.
CatalogLayers catalog_of(const std::string& path) { return on_ground(CatalogLayers::in(path)); }

Edition sized(const CatalogLayers& layers, const std::string& sheet, int jobs) {
  const Catalog catalog = load_catalog_to_ask(layers);
  SheetSpec spec = load_sheet_spec(sheet, layers, catalog);
  spec.as_of = as_of_day("", spec.as_of);
  const auto whole = [](Row&) {};
  const auto quiet = [](std::size_t, std::size_t) {};
  Sheet made = sized_sheet(catalog, spec, {tool_version(), ""}, jobs, whole, quiet);
  made.plan = plan_of(catalog, spec, jobs);
  return edition_of(made, layers.shown());
}

struct DiffCommand {
  std::string old_path;
  std::string new_path;
  std::string format = "text";
  std::vector<std::string> thresholds;
  std::string fail_on = "any";
  bool all = false;
  std::string sort = "kind";
  std::string explain;
  std::string sheet;
  bool colour = false;
  int jobs = default_jobs();
};

std::string written(const SheetChanges& changes, const DiffCommand& command) {
  if (command.format == "json") return to_json_text(changes);
  if (command.format == "html") return changes_page(changes);
  if (command.format == "markdown") return diff_markdown(changes, command.all);
  return diff_text(changes, {command.all, command.colour});
}

bool fails(const SheetChanges& changes, const std::string& fail_on) {
  const auto severe = [&](const auto& change) {
    return fail_on == "any" || change.level == fail_on || change.level == "breaking";
  };
  const bool some =
      std::ranges::any_of(changes.changes, severe) || (changes.plan && severe(*changes.plan));
  return fail_on != "none" && some;
}

/// True where marks may be coloured: `out` is the terminal's and NO_COLOR is not set.
bool may_colour(const std::ostream& out) {
  const char* wish = std::getenv("NO_COLOR");
  const bool refused = wish != nullptr && *wish != '\0';
  return !refused && &out == &std::cout && isatty(STDOUT_FILENO) != 0;
}

/// True for what holds a catalog (engine.json, its own or that which it is laid over) and no
/// edition (sheet.json): a folder, builtin, or layers with ":" between them.
bool is_catalog(const std::string& path) {
  const CatalogLayers layers = catalog_of(path);
  return layers.holds("engine.json") && !layers.holds("sheet.json");
}

/// Reads the edition, or sizes the catalog's `sheet` with this engine on `jobs` threads. Throws
/// InputError naming the path and what was expected there.
Edition load_edition(const std::string& path, const std::string& sheet, int jobs) {
  if (is_catalog(path)) return sized(catalog_of(path), sheet, jobs);
  std::error_code ignored;
  if (fs::is_regular_file(path, ignored) && is_config_file(path) && !path.ends_with(".json")) {
    throw InputError(path +
                     ": is a training config, which ask --config reads; expected sheet.json of an "
                     "edition, or its folder");
  }
  if (!fs::is_directory(path, ignored)) return read_edition(path);
  const fs::path inside = fs::path(path) / "sheet.json";
  if (fs::is_regular_file(inside, ignored)) return read_edition(inside);
  throw InputError(path +
                   ": expected sheet.json of an edition or files of a catalog in this folder, got "
                   "neither");
}

/// 0 when no change is as severe as `fail_on`, 1 when one is.
int run_diff(const DiffCommand& command, std::ostream& out, std::ostream& err) {
  if (!command.explain.empty() && command.format != "text") {
    throw InputError("--explain: expected --format text, got --format " + command.format);
  }
  if (!command.sheet.empty() && !is_catalog(command.old_path) && !is_catalog(command.new_path)) {
    throw InputError("--sheet: expected a catalog folder as OLD or NEW, got none");
  }
  const ChangeThresholds thresholds = read_thresholds(command.thresholds);
  const std::string sheet = command.sheet.empty() ? "quarterly" : command.sheet;
  const std::array<std::string, 2> paths{command.old_path, command.new_path};
  for (const std::string& path : paths) {
    if (!is_catalog(path)) continue;
    const std::string words = ground_words(CatalogLayers::in(path));
    if (!words.empty()) err << words << '\n';
  }
  std::array<Edition, 2> editions;
  for_each_index(editions.size(), command.jobs,
                 [&](std::size_t i) { editions[i] = load_edition(paths[i], sheet, command.jobs); });
  const auto& [old_edition, new_edition] = editions;
  SheetChanges changes = diff_editions(old_edition, new_edition, thresholds, command.jobs);
  if (command.sort == "usd") changes = by_dollars(std::move(changes));
  if (command.explain.empty()) {
    out << written(changes, command);
  } else {
    out << explain_change(old_edition, new_edition, changes, command.explain);
  }
  return fails(changes, command.fail_on) ? 1 : 0;
}

/// A share without its sign is below 1: 2 may be meant as 2 % or as twice as much.
double share(const std::string& name, const std::string& text) {
  const std::string option = "--threshold " + name;
  const double value = value_in(option, text, share_kind(), {0, 1e6});
  if (value < 1 || text.ends_with('%')) return value;
  throw InputError(option + ": expected a share, such as 10% or 0.1, got " + in_quotes(text) +
                   " (did you mean \"" + text + "%\"?)");
}

void read_one(const std::string& word, std::set<std::string>& named, ChangeThresholds& limits) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos) {
    throw InputError("--threshold: expected NAME=VALUE such as usd=1%, got " + in_quotes(word));
  }
  const std::string name = word.substr(0, equals);
  const std::string value = word.substr(equals + 1);
  const std::vector<std::string> known{"hours", "memory", "usd"};
  if (!contains(known, name)) {
    throw InputError("--threshold: expected usd, hours or memory, got " + in_quotes(name) +
                     did_you_mean(name, known));
  }
  if (!named.insert(name).second) {
    throw InputError("--threshold: expected " + name + " once, got it again as " + in_quotes(word));
  }
  if (name == "usd") limits.usd_share = share(name, value);
  if (name == "hours") limits.hours_share = share(name, value);
  if (name == "memory") {
    limits.memory_gib = value_in("--threshold memory", value, memory_kind(), {0, 1e6});
  }
}

/// "usd=1%,hours=2%" at its commas, except those within a number.
std::vector<std::string> thresholds_in(const std::string& word) {
  std::vector<std::string> parts;
  for (const std::string& part : split(word, ',')) {
    const bool of_number = !parts.empty() && !part.empty() && part.find('=') == part.npos &&
                           is_digit(part.front()) && is_digit(parts.back().back());
    if (of_number) {
      parts.back() += "," + part;
    } else {
      parts.push_back(part);
    }
  }
  return parts;
}

}  // namespace

void add_diff(CLI::App& app, const Streams& streams, Command& chosen) {
  auto options = std::make_shared<DiffCommand>();
  CLI::App* command = app.add_subcommand("diff", "Say what changed between two editions, and why");
  command->footer("Exit codes: 0 equal; 1 different, see --fail-on; 2 could not compare.");
  command
      ->add_option("old", options->old_path,
                   "sheet.json, folder of an edition, or a catalog: a folder, builtin, A:B")
      ->required();
  command->add_option("new", options->new_path, "The same")->required();
  add_format(*command, options->format, {"text", "markdown", "html", "json"});
  command
      ->add_option("--threshold", options->thresholds,
                   "Moves below are only counted: usd=1%,hours=2%,memory=0.1GiB")
      ->allow_extra_args(false);
  add_choice(*command, "--fail-on", options->fail_on, "Least level of a change that exits with 1",
             {"breaking", "notable", "any", "none"});
  command->add_flag("--all", options->all, "Every change, not only the first of each table");
  add_choice(*command, "--sort", options->sort, "Order: severity, or size in dollars",
             {"kind", "usd"});
  command->add_option("--explain", options->explain,
                      "One row side by side: MODEL/METHOD[/GPU[/SCENARIO]]");
  command->add_option("--sheet", options->sheet, "Sheet of a catalog, an id or a file [quarterly]");
  add_jobs(*command, options->jobs);
  set_run(*command, chosen, [options, &streams] {
    options->colour = may_colour(streams.out);
    return run_diff(*options, streams.out, streams.err);
  });
}

ChangeThresholds read_thresholds(const std::vector<std::string>& words) {
  ChangeThresholds limits;
  std::set<std::string> named;
  for (const std::string& word : words) {
    for (const std::string& one : thresholds_in(word)) read_one(one, named, limits);
  }
  return limits;
}

}  // namespace sizesheet
