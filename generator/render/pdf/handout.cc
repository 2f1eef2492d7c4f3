// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/handout.h"

#include <algorithm>
#include <map>

#include "support/text.h"

namespace sizesheet::pdf {

namespace {

std::string count_words(std::size_t count) {
  return format_integer(static_cast<std::int64_t>(count));
}

/// Keys on either side of the models on the page: today's picks, and those that went.
std::int64_t picks_compared(const SheetChanges& shown, const Sheet& sheet) {
  const auto of_page = std::count_if(sheet.picks.begin(), sheet.picks.end(), [&](const Pick& pick) {
    return on_handout(sheet, pick.model);
  });
  const auto gone = std::count_if(
      shown.changes.begin(), shown.changes.end(),
      [](const Change& change) { return change.of == "pick" && change.kind == "removed"; });
  return of_page + gone;
}

std::int64_t picks_of_level(const SheetChanges& shown, const std::string& level) {
  return std::count_if(shown.changes.begin(), shown.changes.end(), [&](const Change& change) {
    return change.of == "pick" && change.level == level;
  });
}

void count_rows_again(SheetChanges& shown) {
  std::map<std::string, std::int64_t> rows;
  for (const Change& change : shown.changes) {
    if (change.of != "row") continue;
    for (const std::string& input : change.because) ++rows[input];
  }
  for (MovedInput& input : shown.moved) input.rows = rows[input.id];
}

}  // namespace

std::vector<const SheetModel*> handout_models(const Sheet& sheet) {
  std::vector<const SheetModel*> models;
  for (const SheetModel& model : sheet.models) {
    if (on_handout(sheet, model.id)) models.push_back(&model);
  }
  return models;
}

bool on_handout(const Sheet& sheet, const std::string& model) {
  const std::vector<std::string>& chosen = sheet.options.handout_models;
  return chosen.empty() || std::find(chosen.begin(), chosen.end(), model) != chosen.end();
}

std::string choice_words(const Sheet& sheet) {
  const std::size_t shown = handout_models(sheet).size();
  if (shown == sheet.models.size()) return "";
  return count_words(shown) + " of " + count_words(sheet.models.size()) +
         " models, all on the site";
}

SheetChanges handout_changes(const SheetChanges& changes, const Sheet& sheet) {
  SheetChanges shown = changes;
  if (sheet.options.handout_models.empty()) return shown;
  std::erase_if(shown.changes,
                [&](const Change& change) { return !on_handout(sheet, change.model); });
  shown.picks.compared = picks_compared(shown, sheet);
  shown.picks.breaking = picks_of_level(shown, "breaking");
  shown.picks.notable = picks_of_level(shown, "notable");
  count_rows_again(shown);
  return shown;
}

}  // namespace sizesheet::pdf
