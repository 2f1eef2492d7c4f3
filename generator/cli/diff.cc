// SPDX-License-Identifier: Apache-2.0
// `diff`: what changed between two editions, and what its arguments mean.

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <set>

#include "cli/command_parts.h"
#include "cli/commands.h"
#include "render/diff/words.h"
#include "render/html/pages.h"
#include "sheet/build/build_sheet.h"
#include "sheet/diff/compare.h"
#include "sheet/sheet_json.h"
#include "support/error.h"
#include "support/parallel.h"
#include "support/text.h"

namespace sizesheet {
namespace {

void check_options(const DiffCommand& command) {
  if (!command.explain.empty() && command.format != "text") {
    throw InputError("--explain: expected --format text, got --format " + command.format);
  }
  if (!command.sheet.empty() && !is_catalog(command.old_path) && !is_catalog(command.new_path)) {
    throw InputError("--sheet: expected a catalog folder as OLD or NEW, got none");
  }
}

std::array<Edition, 2> load_both(const DiffCommand& command) {
  const std::string sheet = command.sheet.empty() ? "quarterly" : command.sheet;
  const std::array<std::string, 2> paths{command.old_path, command.new_path};
  std::array<Edition, 2> editions;
  for_each_index(editions.size(), command.jobs,
                 [&](std::size_t i) { editions[i] = load_edition(paths[i], sheet, command.jobs); });
  return editions;
}

std::string written(const SheetChanges& changes, const DiffCommand& command) {
  if (command.format == "json") return to_json_text(changes);
  if (command.format == "html") return changes_page(changes);
  if (command.format == "markdown") return diff_markdown(changes, command.all);
  return diff_text(changes, {command.all, command.colour});
}

bool fails(const SheetChanges& changes, const std::string& fail_on) {
  const std::vector<std::string> levels{"breaking", "notable", "any"};
  const auto least = std::find(levels.begin(), levels.end(), fail_on);
  return std::any_of(changes.changes.begin(), changes.changes.end(), [&](const Change& change) {
    const auto level = change.level == "detail" ? std::string("any") : change.level;
    return least != levels.end() && std::find(levels.begin(), levels.end(), level) <= least;
  });
}

}  // namespace

int run_diff(const DiffCommand& command, std::ostream& out) {
  check_options(command);
  DiffOptions options;
  options.thresholds = read_thresholds(command.thresholds);
  options.jobs = command.jobs;
  const auto [old_edition, new_edition] = load_both(command);
  SheetChanges changes = diff_editions(old_edition, new_edition, options);
  if (command.sort == "usd") changes = by_dollars(std::move(changes));
  if (command.explain.empty()) {
    out << written(changes, command);
  } else {
    out << explain_change(old_edition, new_edition, changes, command.explain);
  }
  return fails(changes, command.fail_on) ? 1 : 0;
}

bool may_colour(const std::ostream& out) {
  const char* wish = std::getenv("NO_COLOR");
  const bool refused = wish != nullptr && *wish != '\0';
  return !refused && &out == &std::cout && isatty(STDOUT_FILENO) != 0;
}

namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

Edition sized(const std::string& folder, const std::string& sheet, int jobs) {
  const Catalog catalog = load_sound_catalog(folder);
  SheetSpec spec = load_sheet_spec(sheet, folder, catalog);
  spec.as_of = as_of_day("", spec.as_of);
  const auto whole = [](Row&) {};
  const auto quiet = [](std::size_t, std::size_t) {};
  return edition_of(sized_sheet(catalog, spec, {tool_version(), ""}, jobs, whole, quiet), folder);
}

}  // namespace

bool is_catalog(const std::string& path) {
  return is_folder(path) && !is_file(fs::path(path) / "sheet.json") &&
         is_file(fs::path(path) / "engine.json");
}

Edition load_edition(const std::string& path, const std::string& sheet, int jobs) {
  if (!is_folder(path)) return read_edition(path);
  if (is_catalog(path)) return sized(path, sheet, jobs);
  const fs::path inside = fs::path(path) / "sheet.json";
  if (is_file(inside)) return read_edition(inside);
  throw InputError(path +
                   ": expected sheet.json of an edition or engine.json of a catalog in this "
                   "folder, got neither");
}

namespace {

/// A plain decimal number, not negative.
std::optional<double> decimal(std::string_view text) {
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  if (!whole || !std::isfinite(value) || value < 0 || std::signbit(value)) return std::nullopt;
  return value;
}

/// The number before `unit`; nullopt where either is missing.
std::optional<double> with_unit(std::string_view text, std::string_view unit) {
  if (!text.ends_with(unit)) return std::nullopt;
  text.remove_suffix(unit.size());
  return decimal(text);
}

double share(const std::string& name, const std::string& text) {
  const auto percent = with_unit(text, "%");
  if (percent) return *percent / 100;
  const std::string near = decimal(text) ? " (did you mean \"" + text + "%\"?)" : "";
  throw InputError("--threshold " + name + ": expected per cent such as 0.5%, 0 or more, got " +
                   in_quotes(text) + near);
}

double gib(const std::string& text) {
  auto size = with_unit(text, "GiB");
  if (!size) size = decimal(text);
  if (size) return *size;
  const std::string near = with_unit(text, "GB") || with_unit(text, "G")
                               ? " (did you mean \"" + text.substr(0, text.find('G')) + "GiB\"?)"
                               : "";
  throw InputError("--threshold memory: expected GiB such as 0.5 or 0.5GiB, 0 or more, got " +
                   in_quotes(text) + near);
}

void read_one(const std::string& word, std::set<std::string>& named, ChangeThresholds& limits) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos) {
    throw InputError("--threshold: expected NAME=VALUE such as usd=1%, got " + in_quotes(word));
  }
  const std::string name = word.substr(0, equals);
  const std::string value = word.substr(equals + 1);
  const std::vector<std::string> known{"hours", "memory", "usd"};
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    throw InputError("--threshold: expected usd, hours or memory, got " + in_quotes(name) +
                     did_you_mean(name, known));
  }
  if (!named.insert(name).second) {
    throw InputError("--threshold: expected " + name + " once, got it again as " + in_quotes(word));
  }
  if (name == "usd") limits.usd_share = share(name, value);
  if (name == "hours") limits.hours_share = share(name, value);
  if (name == "memory") limits.memory_gib = gib(value);
}

}  // namespace

ChangeThresholds read_thresholds(const std::vector<std::string>& words) {
  ChangeThresholds limits;
  std::set<std::string> named;
  for (const std::string& word : words) {
    for (const std::string& one : split(word, ',')) read_one(one, named, limits);
  }
  return limits;
}

}  // namespace sizesheet
