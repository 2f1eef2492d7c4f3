// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/table/table_text.h"

#include <algorithm>

#include "render/pdf/drawing/sketch.h"
#include "render/pdf/page/page_layout.h"
#include "render/pdf/table/columns.h"
#include "render/pdf/table/page_rows.h"
#include "render/pdf/table/table.h"
#include "render/phrases.h"
#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/sheet.h"
#include "support/text.h"

namespace sizesheet::pdf {
namespace {

using GpuChoice = std::vector<const SheetGpu*>;

const std::string kNo = "no";
const std::string kRefused = "n/a";

/// The fewest GPUs on offer that fit; where none does with headroom, the fewest that hold.
Cell count_cell(const Row* row) {
  if (!row || !row->modelled) return {{kRefused}, true};
  if (row->rentable) {
    Cell cell{{format_integer(*row->rentable)}};
    cell.unsure = !row->certain_on(*row->rentable).value_or(true);
    return cell;
  }
  if (!row->tight) return {{kNo}, true};
  Cell cell{{format_integer(*row->tight)}};
  cell.unsure = true;
  return cell;
}

RowText row_text(const Sheet& sheet, const GpuChoice& gpus, const SheetModel& model,
                 const SheetMethod& method) {
  const std::string scenario = sheet.scenarios.empty() ? "" : sheet.scenarios.front().id;
  const Pick* pick = sheet.pick(model.id, method.id);
  const Row* row = shown_row(sheet, model.id, method.id);
  RowText text{method.short_title, {}, {}};
  for (const SheetGpu* gpu : gpus) {
    text.counts.push_back(count_cell(sheet.find(model.id, method.id, gpu->id, scenario)));
  }
  const bool known = pick != nullptr && row != nullptr;
  // What fits has no price.
  const bool some_fit = !std::ranges::all_of(text.counts, &Cell::is_word);
  for (const Column& column : table_columns()) {
    if (column.cell == nullptr) {
      text.cells.emplace_back();
    } else if (known) {
      text.cells.push_back(column.cell({sheet, *pick, *row}));
    } else if (column.align == Align::kLeft && column.band == Band::kRent && column.joined) {
      text.cells.push_back({{some_fit ? std::string(kAbsent) : kNo}, true});
    } else {
      text.cells.push_back({{""}});
    }
  }
  return text;
}

/// What of the table needs a word in the key.
void note_signs(TableText& table, const RowText& row) {
  const auto note = [&](const Cell& cell) {
    table.doubts |= cell.unsure;
    table.lone |= cell.one_seller;
    if (cell.forms.empty()) return;
    table.guesses |= cell.forms.front().starts_with(kGuessMark);
    table.never |= cell.forms.front() == kNever;
  };
  for (const Cell& cell : row.counts) {
    note(cell);
    table.refusals |= cell.forms.front() == kRefused;
    table.misfits |= cell.forms.front() == kNo;
  }
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const Column& column = table_columns()[i];
    if (!contains(table.hidden_columns, column.name_to_hide())) note(row.cells[i]);
  }
}

constexpr double kLeastGap = 9;
constexpr double kTightGap = 4;  // below it a meaning and the next sign read as one
constexpr double kMostGap = 20;
constexpr int kMostBrief = 4;

enum class Sign { kText, kUnsure, kLone };

/// A sign and what it means.
struct Entry {
  std::string text;  ///< the sign where it is a text
  std::string meaning;
  Sign sign = Sign::kText;
};

double sign_width(const Sketch& sketch, const Entry& entry) {
  return entry.sign == Sign::kText ? sketch.width(entry.text, kFineBold) : kMarkWidth;
}

double entry_width(const Sketch& sketch, const Entry& entry) {
  return sign_width(sketch, entry) + 3.5 + sketch.width(entry.meaning, kFine);
}

/// The entries with explanations as long as `brevity` allows: 0 is the longest.
std::vector<Entry> entries(const TableText& table, const Columns& columns, int brevity) {
  std::vector<Entry> out;
  const auto add = [&](bool is_said, const Entry& entry) {
    if (is_said) out.push_back(entry);
  };
  add(table.doubts,
      {"",
       brevity < 1   ? "memory not certain: the range of nine runs in ten ends above the "
                       "card; run two training steps first"
       : brevity < 3 ? "may not fit: run two training steps first"
                     : "memory not certain",
       Sign::kUnsure});
  add(table.lone,
      {"",
       brevity < 2 ? "one seller: the next costs over " + table.exposure + " more" : "one seller",
       Sign::kLone});
  add(table.guesses,
      {kGuessMark, brevity < 2 ? "estimated: nobody published a speed for this GPU and method"
                               : "estimated speed"});
  add(columns.has("break_even"),
      {"break-even", brevity < 2
                         ? "owning is cheaper if you use the machine more hours per month (of " +
                               table.hours_per_month + ")"
                     : brevity < 4 ? "owning is cheaper above these hours per month"
                                   : "owning is cheaper from there"});
  add(table.never, {kNever, "not within " + table.hours_per_month + " h"});
  add(table.misfits, {kNo, "fits on no count"});
  add(table.refusals, {kRefused, "not modelled"});
  add(!columns.left_out.empty(),
      {"left out", join(each_of(columns.left_out, &Column::what), ", ")});
  return out;
}

/// What is left between the entries.
double gap_of(const Sketch& sketch, const PageMetrics& metrics, const std::vector<Entry>& all) {
  double width = 0;
  for (const Entry& entry : all) width += entry_width(sketch, entry);
  return (metrics.text.width() - width) / static_cast<double>(std::max<std::size_t>(1, all.size()));
}

void draw_entry(Sketch& sketch, const Entry& entry, Point at) {
  if (entry.sign == Sign::kUnsure) draw_unsure_mark(sketch, at);
  if (entry.sign == Sign::kLone) draw_seller_mark(sketch, at);
  if (entry.sign == Sign::kText) sketch.text(at, Align::kLeft, kFineBold, entry.text);
  const double x = at.x + sign_width(sketch, entry) + 3.5;
  sketch.text({x, at.y}, Align::kLeft, kFine, entry.meaning);
}

}  // namespace

TableText table_text(const Sheet& sheet) { return table_text(sheet, gpus_of_page(sheet).shown); }

TableText table_text(const Sheet& sheet, const std::vector<const SheetGpu*>& gpus) {
  TableText table;
  table.hidden_columns = sheet.options.hidden_columns;
  for (const SheetGpu* gpu : gpus) table.gpus.push_back({gpu->short_name, gpu->tiny_name});
  for (const SheetModel* model : handout_models(sheet)) {
    GroupText group{model->size,
                    model->short_note,
                    format_parameters(model->parameters),
                    model->id == sheet.options.highlight_model,
                    {}};
    for (const SheetMethod& method : sheet.methods) {
      group.rows.push_back(row_text(sheet, gpus, *model, method));
      note_signs(table, group.rows.back());
    }
    table.groups.push_back(std::move(group));
  }
  table.use_words = "at " + month_hours(sheet.options.planned_hours_per_month) + " h";
  table.hours_per_month = month_hours(sheet.options.hours_per_month);
  table.exposure = format_number(100 * sheet.options.pick_rules.exposure_share, 0) + "\u00a0%";
  return table;
}

void draw_unsure_mark(Sketch& sketch, Point at) {
  sketch.text(at, Align::kLeft, condensed_bold(kSmallestText, kBrown), "?");
}

void draw_seller_mark(Sketch& sketch, Point at) {
  constexpr double kStroke = 1.2;
  const double radius = kMarkWidth / 2 - kStroke / 2;
  sketch.put(Disc{{at.x + kMarkWidth / 2, at.y - kMarkWidth / 2 - 0.3},
                  radius,
                  kStroke,
                  kBlue,
                  DiscFill::kEmpty});
}

void draw_key(Sketch& sketch, const PageMetrics& metrics, const PageFlow& flow,
              const Columns& columns, const TableText& table) {
  std::vector<Entry> key;
  double gap = 0;
  for (int brevity = 0; brevity <= kMostBrief && gap < kLeastGap; ++brevity) {
    key = entries(table, columns, brevity);
    gap = gap_of(sketch, metrics, key);
  }
  while (gap < kTightGap && key.size() > 1) {
    const Entry& last = key.back();
    sketch.warn("key: \"" + last.text + " " + last.meaning + "\" does not fit and is left out");
    key.pop_back();
    gap = gap_of(sketch, metrics, key);
  }
  double x = metrics.text.x0;
  for (const Entry& entry : key) {
    draw_entry(sketch, entry, {x, flow.key});
    x += entry_width(sketch, entry) + std::min(gap, kMostGap);
  }
}

}  // namespace sizesheet::pdf
