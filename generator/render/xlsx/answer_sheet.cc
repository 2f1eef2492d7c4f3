// SPDX-License-Identifier: Apache-2.0
// The Answer sheet: the inputs that move an answer most, the table of picks, and their range of
// dollars as a chart.

#include "render/xlsx/sheets.h"

namespace sizesheet::xlsx {
namespace {

constexpr const char* kSheet = "Answer";

constexpr std::size_t kLabels = 2;  ///< rows, counted from 0
constexpr std::size_t kValues = 3;
constexpr std::size_t kHeading = 5;
constexpr std::size_t kRowsOfPage = 36;
constexpr std::size_t kGap = 3;  ///< from the last row to the chart
constexpr const char* kFirstWorking = "pick";

/// Side by side, two columns each.
void draw_on_top(const std::vector<Input>& inputs, Page& page) {
  std::size_t column = 0;
  for (const Input& input : inputs) {
    if (input.label.empty()) continue;
    page.across(kLabels, column, 2, input.label, Style::kHeadRight);
    page.across(kValues, column, 2, input.figure.typical, input.style);
    input_cell(kSheet, kValues, column, input, page);
    column += 2;
  }
}

void shape_chart(lxw_chart* chart, const WorkbookFile& book) {
  constexpr std::uint8_t kLogarithmic = 10;
  constexpr std::int32_t kSteep = -90;
  lxw_chart_font font = {};
  font.size = 10;
  font.rotation = kSteep;
  chart_axis_set_num_font(chart->x_axis, &font);
  chart_axis_set_label_position(chart->x_axis, LXW_CHART_AXIS_LABEL_POSITION_LOW);
  chart_axis_set_log_base(chart->y_axis, kLogarithmic);
  chart_axis_set_num_format(chart->y_axis, "#,##0");
  chart_axis_set_name(chart->y_axis, book.worded("US dollars a run").c_str());
  lxw_chart_font heading = {};
  heading.size = 12;
  heading.bold = LXW_TRUE;
  chart_title_set_name_font(chart, &heading);
  const char* title = "Dollars a run of each pick, from the low to the high end";
  chart_title_set_name(chart, book.worded(title).c_str());
  std::int16_t unseen[] = {0, -1};  // the series under the bars
  require(chart_legend_delete_series(chart, unseen), "legend");
  chart_legend_set_position(chart, LXW_CHART_LEGEND_BOTTOM);
  chart_set_series_gap(chart, 60);
}

/// On a printed page of its own, as wide as the `printed` columns of the table. Spreadsheets pass
/// over page breaks where they fit a sheet to a page, hence a scale: at it the columns fit the
/// narrower of A4 and Letter, and the text has 7 points.
void insert(lxw_chart* chart, std::size_t row, std::size_t printed, Page& page) {
  constexpr lxw_row_t kRows = 36;
  constexpr std::uint16_t kPercent = 70;
  constexpr double kMargin = 0.2;
  constexpr double kFoot = 0.6;
  const auto first = static_cast<lxw_row_t>(row);
  lxw_chart_options options = {};
  options.x_scale = 2.2;  // of 480 × 288 pixels
  options.y_scale = 2.2;
  require(worksheet_insert_chart_opt(page.handle(), first, 0, chart, &options), "chart");
  lxw_row_t breaks[] = {first - 1, 0};
  require(worksheet_set_h_pagebreaks(page.handle(), breaks), "page breaks");
  worksheet_set_print_scale(page.handle(), kPercent);
  worksheet_set_margins(page.handle(), kMargin, kMargin, kMargin, kFoot);
  require(
      worksheet_print_area(page.handle(), 0, 0, first + kRows, static_cast<lxw_col_t>(printed - 1)),
      "print area");
}

/// Bars from the low to the high end, in two shades that meet at the middle.
void draw_chart(const Table& table, const TablePlace& place, Page& page) {
  lxw_chart* chart = page.book().chart(LXW_CHART_COLUMN_STACKED);
  const auto cells = [&](const char* key) {
    return "=" + column_cells(kSheet, column_of(table.columns, key), place.first_row, place.rows);
  };
  const std::string names = cells(kFirstWorking);
  struct Part {
    const char* key;
    const char* name;
    lxw_color_t color;
  };
  constexpr Part kParts[] = {{"low", "up to the low end", 0},
                             {"below", "low to middle", 0x2F6DB5},
                             {"above", "middle to high", 0x9DBFE3}};
  for (const Part& part : kParts) {
    lxw_chart_series* series = chart_add_series(chart, names.c_str(), cells(part.key).c_str());
    chart_series_set_name(series, part.name);
    lxw_chart_fill fill = {};
    fill.color = part.color;
    fill.none = part.color == 0 ? LXW_TRUE : LXW_FALSE;
    chart_series_set_fill(series, &fill);
  }
  shape_chart(chart, page.book());
  insert(chart, place.last_row() + kGap, column_of(table.columns, kFirstWorking), page);
}

}  // namespace

void draw_answer(const Sheet& sheet, const std::vector<Input>& inputs, WorkbookFile& book,
                 bool letter) {
  const Table table = answer_table(sheet, inputs);
  const SheetMeta& meta = sheet.meta;
  Page page(book, kSheet, "The answer: what to rent, what it costs, and whether to buy",
            edition_words(meta) +
                "Change what is blue on yellow, and every figure follows. Which GPUs and machine, "
                "and what is next best, is the program's choice and stays.");
  draw_on_top(inputs, page);
  const bool sold = !sheet.machines.empty();
  const TablePlace place =
      page.only(table,
                {"", "", 2, kFirstWorking, "", sold ? "{advice}=\"buy\"" : "", Style::kBest,
                 "advice advice", kHeading, sheet.picks.size() > kRowsOfPage},
                meta, letter);
  page.row_height(kLabels, 28);
  if (place.rows > 0) draw_chart(table, place, page);
}

}  // namespace sizesheet::xlsx
