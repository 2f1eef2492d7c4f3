// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/table/table_text.h"

#include <algorithm>
#include <map>

#include "render/pdf/drawing/sketch.h"
#include "render/pdf/page/page_layout.h"
#include "render/pdf/table/columns.h"
#include "render/pdf/table/page_rows.h"
#include "render/pdf/table/table.h"
#include "render/pdf/table/table_rows.h"
#include "render/phrases.h"
#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/sheet.h"
#include "support/described.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet::pdf {
namespace {

using GpuChoice = std::vector<const SheetGpu*>;

const std::string kNo = "no";
const std::string kRefused = "n/a";

Advice advice_of(const OwnPick& own) {
  if (!own.decision) return Advice::kNone;
  switch (*own.decision) {
    case RentOrOwn::kBuy:
      return Advice::kBuy;
    case RentOrOwn::kClose:
      return Advice::kClose;
    case RentOrOwn::kRent:
      break;
  }
  return Advice::kRent;
}

/// "214", "never"; "–" where nothing is compared.
std::string pays_from(const Row& row) {
  if (!row.owned || !row.owned->rent_usd_per_run) return std::string(kAbsent);
  const auto& hours = row.owned->break_even_hours_per_month;
  return hours ? month_hours(*hours) : std::string(kNever);
}

/// "Oct 10", "Aug" for a month, of a date in the year of `today`; else the date as it is.
std::string seen_words(const std::string& date, const std::string& today) {
  static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  if (date.size() < 7 || !today.starts_with(date.substr(0, 4))) return date;
  const int month = 10 * (date[5] - '0') + date[6] - '0';
  const std::string name = kMonths[std::clamp(month, 1, 12) - 1];
  return date.size() < 10 ? name : name + "\u00a0" + date.substr(date[8] == '0' ? 9 : 8);
}

GpuHead gpu_head(const Sheet& sheet, const SheetGpu& gpu) {
  GpuHead head{{gpu.short_name, gpu.tiny_name},
               format_number(gpu.memory_gb, 0) + "\u00a0GB",
               figure(gpu.list_usd_per_gpu_hour, 2),
               std::string(kAbsent),
               absent(),
               std::string(kAbsent)};
  if (!gpu.list_price) return head;
  const ListPrice& list = *gpu.list_price;
  if (list.old) {
    for (std::string& form : head.price) form.insert(0, kLargerMark);
  }
  head.seller = list.provider;
  head.median = figure(list.median_usd_per_gpu_hour, 2);
  for (std::string& form : head.median) form += "/" + format_integer(list.providers);
  head.seen = seen_words(list.as_of, sheet.meta.as_of);
  return head;
}

/// Of a row, which need not be there, beside the pick of its line.
CountCell count_cell(const Row* row, const Row* pick) {
  CountCell cell;
  cell.is_pick = row && row == pick;
  if (cell.is_pick) {
    cell.text = format_integer(row->layout.gpus);
    if (!row->rentable) cell.mark = CountMark::kFilled;
    cell.unsure = row->verdict == Verdict::kFits && !row->certain().value_or(true);
  } else if (!row || !row->modelled) {
    cell.text = kRefused;
    cell.is_word = true;
  } else if (row->rentable) {
    cell.text = format_integer(*row->rentable);
    cell.unsure = !row->certain_on(*row->rentable).value_or(true);
    const bool tighter = row->tight && *row->tight < *row->rentable;
    if (tighter && !cell.unsure) cell.mark = CountMark::kOpen;
  } else if (row->tight) {
    cell.text = format_integer(*row->tight);
    cell.mark = CountMark::kFilled;
  } else {
    cell.text = kNo;
    cell.is_word = true;
  }
  return cell;
}

RowText row_text(const Sheet& sheet, const GpuChoice& gpus, const SheetModel& model,
                 const SheetMethod& method, int run_decimals) {
  const std::string scenario = sheet.scenarios.empty() ? "" : sheet.scenarios.front().id;
  const Row* pick = shown_row(sheet, model.id, method.id);
  RowText text;
  text.method = method.short_title;
  for (const SheetGpu* gpu : gpus) {
    text.counts.push_back(count_cell(sheet.find(model.id, method.id, gpu->id, scenario), pick));
  }
  for (const Column& column : table_columns()) {
    const bool known = pick != nullptr && column.figure != nullptr;
    text.figures.push_back(known ? column.figure({sheet, *pick, run_decimals}) : absent());
  }
  text.pays_from = pick == nullptr ? std::string(kAbsent) : pays_from(*pick);
  if (pick == nullptr) {
    // What fits has no price.
    const bool some_fit = !std::ranges::all_of(text.counts, &CountCell::is_word);
    text.pick_names = {some_fit ? std::string(kAbsent) : kNo};
    return text;
  }
  const SheetGpu& gpu = sheet.gpu(pick->gpu);
  text.pick_count = format_integer(pick->layout.gpus);
  text.pick_names = {gpu.short_name, gpu.tiny_name};
  if (pick->owned) text.advice = advice_of(*pick->owned);
  return text;
}

int decimals_of_runs(const Sheet& sheet) {
  std::vector<MicroUsd> prices;
  for (const Pick& pick : sheet.picks) {
    if (!sheet.on_handout(pick.model)) continue;
    const Row* row = shown_row(sheet, pick.model, pick.method);
    if (row && row->usd_per_run()) prices.push_back(*row->usd_per_run());
  }
  return run_decimals(prices);
}

/// The commonest largest count goes by "others".
std::string offers_of(const GpuChoice& gpus) {
  std::map<std::int64_t, int> frequency;
  for (const SheetGpu* gpu : gpus) {
    if (!gpu->counts.empty()) ++frequency[gpu->counts.back()];
  }
  if (frequency.empty()) return "";
  const auto commonest =
      std::ranges::max_element(frequency, {}, &std::pair<const std::int64_t, int>::second);
  std::vector<std::string> parts;
  for (const SheetGpu* gpu : gpus) {
    if (gpu->counts.empty() || gpu->counts.back() == commonest->first) continue;
    parts.push_back(gpu->short_name + ": " + format_integer(gpu->counts.back()));
  }
  const std::string rest = format_integer(commonest->first);
  parts.push_back(parts.empty() ? "up to " + rest : "others: " + rest);
  return join(parts, ", ");
}

constexpr double kLeastGap = 7;
constexpr double kTightGap = 3.5;  // below it a meaning and the next sign read as one
constexpr double kMostGap = 18;
constexpr int kMostBrief = 6;

/// A sign and what it means.
struct Entry {
  std::string sign;
  Style sign_style;
  std::string meaning;
  CountMark mark = CountMark::kNone;
  bool framed = false;
};

double sign_width(const Sketch& sketch, const Entry& entry) {
  double width = sketch.width(entry.sign, entry.sign_style);
  if (entry.mark != CountMark::kNone) width += 1.3 + kTriangleWidth;
  return entry.framed ? width + 10 : width;
}

double entry_width(const Sketch& sketch, const Entry& entry) {
  return sign_width(sketch, entry) + 3.5 + sketch.width(entry.meaning, kFine);
}

/// The entries with explanations as long as `brevity` allows: 0 is the longest.
std::vector<Entry> entries(const TableText& table, const Columns& columns, int brevity) {
  std::vector<Entry> out;
  out.push_back({"16", kFineBold, "to rent", CountMark::kNone, true});
  out.push_back({"24", kFine,
                 brevity < 4
                     ? "the fewest that fit; the next smaller count on offer holds too, but tight"
                 : brevity < 6 ? "fits; one count fewer holds, but tight"
                               : "fits; one fewer is tight",
                 CountMark::kOpen});
  if (table.doubts) {
    out.push_back({std::string("8") + kDoubtMark, kFine,
                   brevity < 3 ? "fits, not certain: its 90\u00a0% range ends above the card, try "
                                 "one step first"
                   : brevity < 6 ? "fits, not certain: try one step first"
                                 : "fits, not certain"});
  }
  out.push_back({"2", kFine,
                 brevity < 5 ? "tight: under " + table.headroom + " headroom, measure first"
                             : "tight: measure first",
                 CountMark::kFilled});
  std::string no = "does not fit any count on offer";
  if (brevity < 2) no += " (" + table.offers + ")";
  out.push_back({"no", kFineGrey, brevity < 3 ? no : "does not fit"});
  if (table.refusals) {
    out.push_back(
        {"n/a", kFineGrey, brevity < 1 ? "not modelled; the site says why" : "not modelled"});
  }
  if (columns.has("break_even") || columns.has("advice")) {
    out.push_back({kNever, kFineGrey, "not within " + table.hours_per_month + " h"});
  }
  out.push_back({"–", kFine, "no price"});
  if (table.larger) {
    out.push_back(
        {kLargerMark, kFine, brevity < 3 ? "old, or of a larger instance" : "old, larger"});
  }
  if (table.guesses) {
    out.push_back(
        {kGuessMark, kFine, brevity < 3 ? "no published run on this type" : "speed not measured"});
  }
  if (columns.has("advice") && table.decided) out.push_back({"close", kFine, "within 10\u00a0%"});
  if (!columns.left_out.empty()) {
    const auto name = brevity < 6 ? &Column::left_out : &Column::left_out_brief;
    out.push_back({"left out", kFineBold, join(each_of(columns.left_out, name), ", ")});
  }
  return out;
}

constexpr const char* kKeyTitle = "How to read it";

double key_start(const Sketch& sketch, const PageMetrics& metrics) {
  return metrics.text.x0 + sketch.width(kKeyTitle, kFineBold);
}

/// What is left between the entries.
double gap_of(const Sketch& sketch, const PageMetrics& metrics, const std::vector<Entry>& all) {
  double width = 0;
  for (const Entry& entry : all) width += entry_width(sketch, entry);
  return (metrics.text.x1 - key_start(sketch, metrics) - width) / static_cast<double>(all.size());
}

struct Key {
  std::vector<Entry> entries;
  double gap = 0;  ///< between them; below kTightGap they do not fit
};

Key longest_key(const Sketch& sketch, const PageMetrics& metrics, const Columns& columns,
                const TableText& table) {
  Key key;
  for (int brevity = 0; brevity <= kMostBrief && key.gap < kLeastGap; ++brevity) {
    key.entries = entries(table, columns, brevity);
    key.gap = gap_of(sketch, metrics, key.entries);
  }
  return key;
}

void draw_entry(Sketch& sketch, const Entry& entry, Point at) {
  double x = at.x;
  if (entry.framed) {
    const double width = sign_width(sketch, entry);
    draw_pick_frame(sketch, {x, at.y - 7.2, width, 9.1});
    x += 5;
  }
  const double width = sketch.text({x, at.y}, Align::kLeft, entry.sign_style, entry.sign);
  draw_triangle(sketch, {x + width + 1.3, at.y}, entry.mark);
  sketch.text({at.x + sign_width(sketch, entry) + 3.5, at.y}, Align::kLeft, kFine, entry.meaning);
}

}  // namespace

TableText table_text(const Sheet& sheet) { return table_text(sheet, gpus_of_page(sheet).shown); }

TableText table_text(const Sheet& sheet, const std::vector<const SheetGpu*>& gpus) {
  TableText table;
  table.hidden_columns = sheet.options.hidden_columns;
  for (const SheetGpu* gpu : gpus) {
    table.gpus.push_back(gpu_head(sheet, *gpu));
  }
  const int decimals = decimals_of_runs(sheet);
  for (const SheetModel* model : handout_models(sheet)) {
    GroupText group{model->size,
                    model->short_note,
                    format_parameters(model->parameters),
                    model->id == sheet.options.highlight_model,
                    {}};
    for (const SheetMethod& method : sheet.methods) {
      group.rows.push_back(row_text(sheet, gpus, *model, method, decimals));
      const RowText& row = group.rows.back();
      for (std::size_t i = 0; i < row.figures.size(); ++i) {
        if (row.figures[i].empty() || contains(table.hidden_columns, table_columns()[i].id)) {
          continue;
        }
        table.guesses |= row.figures[i].front().starts_with(kGuessMark);
        table.larger |= row.figures[i].front().starts_with(kLargerMark);
      }
      table.decided |= row.advice != Advice::kNone;
      for (const CountCell& cell : row.counts) {
        table.refusals |= cell.text == kRefused;
        table.doubts |= cell.unsure;
      }
    }
    table.groups.push_back(std::move(group));
  }
  for (const GpuHead& head : table.gpus)
    table.larger |= head.price.front().starts_with(kLargerMark);
  table.hours_per_month = month_hours(sheet.options.hours_per_month);
  table.headroom = format_number(100 * sheet.options.headroom, 0) + "\u00a0%";
  table.offers = offers_of(gpus);
  return table;
}

bool key_fits(const Sketch& sketch, const PageMetrics& metrics, const Columns& columns,
              const TableText& table) {
  return longest_key(sketch, metrics, columns, table).gap >= kTightGap;
}

void draw_key(Sketch& sketch, const PageMetrics& metrics, const PageFlow& flow,
              const Columns& columns, const TableText& table) {
  Key key = longest_key(sketch, metrics, columns, table);
  while (key.gap < kTightGap && key.entries.size() > 1) {
    const Entry& last = key.entries.back();
    sketch.warn("key: \"" + last.sign + " " + last.meaning + "\" does not fit and is left out");
    key.entries.pop_back();
    key.gap = gap_of(sketch, metrics, key.entries);
  }
  const double gap = std::min(key.gap, kMostGap);
  sketch.text({metrics.text.x0, flow.key}, Align::kLeft, kFineBold, kKeyTitle);
  double x = key_start(sketch, metrics) + gap;
  for (const Entry& entry : key.entries) {
    draw_entry(sketch, entry, {x, flow.key});
    x += entry_width(sketch, entry) + gap;
  }
}

}  // namespace sizesheet::pdf
