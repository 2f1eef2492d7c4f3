// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/table/page_rows.h"

#include <algorithm>
#include <functional>
#include <map>

#include "sheet/changes.h"
#include "sheet/money.h"
#include "sheet/sheet.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet::pdf {
namespace {

/// How many picks of the page are of each GPU type.
std::map<std::string, int> picks_by_gpu(const Sheet& sheet) {
  std::map<std::string, int> picks;
  for (const Pick& pick : sheet.picks) {
    if (!sheet.on_handout(pick.model)) continue;
    const Row* row = shown_row(sheet, pick.model, pick.method);
    if (row != nullptr) ++picks[row->gpu];
  }
  return picks;
}

}  // namespace

std::vector<const SheetModel*> handout_models(const Sheet& sheet) {
  std::vector<const SheetModel*> models;
  for (const SheetModel& model : sheet.models) {
    if (sheet.on_handout(model.id)) models.push_back(&model);
  }
  return models;
}

GpusOfPage gpus_of_page(const Sheet& sheet, std::size_t most) {
  const std::vector<std::string>& named = sheet.options.handout_gpus;
  std::vector<const SheetGpu*> best;
  for (const SheetGpu& gpu : sheet.gpus) {
    if (named.empty() || contains(named, gpu.id)) best.push_back(&gpu);
  }
  const std::map<std::string, int> picks = picks_by_gpu(sheet);
  std::ranges::stable_sort(best, std::greater<>(), [&](const SheetGpu* gpu) {
    const auto of_it = picks.find(gpu->id);
    return of_it != picks.end() ? of_it->second : 0;
  });
  if (best.size() > most) best.resize(most);
  GpusOfPage gpus;
  for (const SheetGpu& gpu : sheet.gpus) {
    const bool shown = std::ranges::find(best, &gpu) != best.end();
    (shown ? gpus.shown : gpus.elsewhere).push_back(&gpu);
  }
  return gpus;
}

std::string shown_models_words(const Sheet& sheet) {
  const auto count = [](const auto& models) {
    return format_integer(static_cast<std::int64_t>(models.size()));
  };
  const std::string shown = count(handout_models(sheet));
  const std::string all = count(sheet.models);
  return shown == all ? "" : shown + " of " + all + " models";
}

SheetChanges handout_changes(const SheetChanges& changes, const Sheet& sheet) {
  SheetChanges shown = changes;
  if (sheet.options.handout_models.empty()) return shown;
  std::erase_if(shown.changes,
                [&](const Change& change) { return !sheet.on_handout(change.model); });
  ChangeCounts& picks = shown.picks;
  picks.breaking = picks.notable = 0;
  // Keys on either side: today's picks, and those that went.
  picks.compared = std::ranges::count_if(
      sheet.picks, [&](const Pick& pick) { return sheet.on_handout(pick.model); });
  std::map<std::string, std::int64_t> rows;
  for (const Change& change : shown.changes) {
    if (change.of == "row") {
      for (const std::string& input : change.because) ++rows[input];
    } else if (change.of == "pick") {
      picks.compared += change.kind == "removed" ? 1 : 0;
      picks.breaking += change.level == "breaking" ? 1 : 0;
      picks.notable += change.level == "notable" ? 1 : 0;
    }
  }
  for (MovedInput& input : shown.moved) input.rows = rows[input.id];
  return shown;
}

}  // namespace sizesheet::pdf
