// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/table_text.h"

#include <algorithm>
#include <map>

#include "render/pdf/columns.h"
#include "render/pdf/figures.h"
#include "render/pdf/handout.h"
#include "render/phrases.h"
#include "support/text.h"

namespace sizesheet::pdf {

namespace {

const std::string kNo = "no";
const std::string kRefused = "n/a";

/// What a row needs to know of its table.
struct Context {
  const Sheet& sheet;
  const std::string& scenario;
  int run_decimals;
};

CountCell count_cell(const Row* row, const Row* pick) {
  CountCell cell;
  cell.is_pick = row && row == pick;
  if (!row || !row->modelled) {
    cell.text = kRefused;
    cell.is_word = true;
  } else if (row->rentable) {
    cell.text = format_integer(*row->rentable);
    if (row->tight && *row->tight < *row->rentable) cell.mark = CountMark::kOpen;
  } else if (row->tight) {
    cell.text = format_integer(*row->tight);
    cell.mark = CountMark::kFilled;
  } else {
    cell.text = kNo;
    cell.is_word = true;
  }
  return cell;
}

Advice advice_of(const OwnLine& own) {
  if (!own.advice) return Advice::kNone;
  if (own.close) return Advice::kClose;
  return *own.advice == "buy" ? Advice::kBuy : Advice::kRent;
}

/// The word for a row without a pick: "no" when nothing fits, "–" when what fits has no price.
std::string no_pick_word(const std::vector<CountCell>& counts) {
  const bool some_fit =
      std::any_of(counts.begin(), counts.end(), [](const CountCell& c) { return !c.is_word; });
  return some_fit ? std::string(kAbsent) : kNo;
}

RowText row_text(const Context& context, const SheetModel& model, const SheetMethod& method) {
  const Row* pick = shown_row(context.sheet, model.id, method.id);
  RowText text;
  text.method = method.short_title;
  for (const SheetGpu& gpu : context.sheet.gpus) {
    text.counts.push_back(
        count_cell(context.sheet.find(model.id, method.id, gpu.id, context.scenario), pick));
  }
  for (const Column& column : table_columns()) {
    const bool known = pick != nullptr && column.figure != nullptr;
    text.figures.push_back(known ? column.figure(*pick, context.run_decimals) : absent());
  }
  if (pick == nullptr) {
    text.pick_names = {no_pick_word(text.counts)};
    return text;
  }
  const SheetGpu& gpu = context.sheet.gpu(pick->gpu);
  text.pick_count = format_integer(pick->layout.gpus);
  text.pick_names = {gpu.short_name, gpu.tiny_name};
  if (pick->own) text.advice = advice_of(*pick->own);
  return text;
}

int decimals_of_runs(const Sheet& sheet) {
  std::vector<MicroUsd> prices;
  for (const Pick& pick : sheet.picks) {
    if (!on_handout(sheet, pick.model)) continue;
    const Row* row = shown_row(sheet, pick.model, pick.method);
    if (row && row->rents[kOnDemand] && row->rents[kOnDemand]->usd_per_run)
      prices.push_back(*row->rents[kOnDemand]->usd_per_run);
  }
  return run_decimals(prices);
}

/// The commonest largest count goes by "others".
std::string offers_of(const std::vector<SheetGpu>& gpus) {
  std::map<std::int64_t, int> frequency;
  for (const SheetGpu& gpu : gpus) {
    if (!gpu.counts.empty()) ++frequency[gpu.counts.back()];
  }
  if (frequency.empty()) return "";
  const auto commonest =
      std::max_element(frequency.begin(), frequency.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  std::vector<std::string> parts;
  for (const SheetGpu& gpu : gpus) {
    if (gpu.counts.empty() || gpu.counts.back() == commonest->first) continue;
    parts.push_back(gpu.short_name + ": " + format_integer(gpu.counts.back()));
  }
  const std::string rest = format_integer(commonest->first);
  parts.push_back(parts.empty() ? "up to " + rest : "others: " + rest);
  return join(parts, ", ");
}

GpuHead head_of(const SheetGpu& gpu) {
  return {{gpu.short_name, gpu.tiny_name},
          format_number(gpu.memory_gb, 0) + "\u00a0GB",
          figure(gpu.list_usd_per_gpu_hour, 2).front()};
}

}  // namespace

TableText table_text(const Sheet& sheet) {
  TableText table;
  for (const SheetGpu& gpu : sheet.gpus) table.gpus.push_back(head_of(gpu));
  const std::string scenario = sheet.scenarios.empty() ? "" : sheet.scenarios.front().id;
  const Context context{sheet, scenario, decimals_of_runs(sheet)};
  for (const SheetModel* model : handout_models(sheet)) {
    GroupText group{model->size,
                    model->short_note,
                    format_parameters(model->parameters),
                    model->id == sheet.options.highlight_model,
                    {}};
    for (const SheetMethod& method : sheet.methods) {
      group.rows.push_back(row_text(context, *model, method));
      const RowText& row = group.rows.back();
      for (const Figure& forms : row.figures) {
        table.guesses |= forms.front().starts_with(kGuessMark);
        table.larger |= forms.front().starts_with(kLargerMark);
      }
      table.year_known |= row.figures[column_index("year")] != absent();
      for (const CountCell& cell : row.counts) table.refusals |= cell.text == kRefused;
    }
    table.groups.push_back(std::move(group));
  }
  table.planned_hours = month_hours(sheet.options.planned_hours_per_month);
  table.hours_per_month = month_hours(sheet.options.hours_per_month);
  table.headroom = format_number(100 * sheet.options.headroom, 0) + "\u00a0%";
  table.offers = offers_of(sheet.gpus);
  return table;
}

}  // namespace sizesheet::pdf
