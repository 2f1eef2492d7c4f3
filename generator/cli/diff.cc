// SPDX-License-Identifier: Apache-2.0
#include "cli/diff.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>

#include "cli/diff_source.h"
#include "cli/thresholds.h"
#include "render/diff/explain.h"
#include "render/diff/listing.h"
#include "render/diff/markdown.h"
#include "render/diff/text.h"
#include "render/html/changes_page.h"
#include "sheet/diff/diff.h"
#include "sheet/sheet_json.h"
#include "support/parallel.h"

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

}  // namespace sizesheet
