// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/table/table_rows.h"

#include <algorithm>
#include <utility>

#include "render/pdf/drawing/sketch.h"
#include "render/pdf/page/page_layout.h"
#include "render/pdf/table/columns.h"
#include "render/pdf/table/table.h"
#include "render/pdf/table/table_text.h"
#include "sheet/sheet.h"
#include "support/text.h"

namespace sizesheet::pdf {
namespace {

constexpr double kBodyRule = 1.2;  // above the first row
constexpr double kMostName = 78;   // a longer one is cut, with a warning
constexpr double kMostSize = 70;
constexpr double kMostFigure = 52;  // a longer figure costs its column
constexpr double kTintOverhang = 5;
constexpr const char* kServiceTitle = "Service";

Style cell_style(const Column& column, const Cell& cell, double font) {
  if (cell.is_word || column.tone == Tone::kQuiet) return condensed(font, kGrey);
  return column.tone == Tone::kStrong ? condensed_bold(font) : condensed(font);
}

double marks_width(const Cell& cell) {
  return (cell.unsure ? kMarkGap + kMarkWidth : 0) + (cell.one_seller ? kMarkGap + kMarkWidth : 0);
}

const char* lower_head(const Column& column, const TableText& table) {
  return column.lower == nullptr ? table.use_words.c_str() : column.lower;
}

/// The widest and, of the shortest forms, the widest.
class NeedOf {
 public:
  NeedOf(const Sketch& sketch, const Style& style) : sketch_(sketch), style_(style) {}

  void add(const std::vector<std::string>& forms, double marks, double most) {
    double least = -1;
    for (const std::string& form : forms) {
      const double width = sketch_.width(form, style_);
      least = least < 0 ? width : std::min(least, width);
    }
    if (forms.empty()) return;
    const double first = sketch_.width(forms.front(), style_);
    widest_figure = std::max(widest_figure, least);
    need.natural = std::max(need.natural, std::min(first, most) + marks);
    need.least = std::max(need.least, std::min(least, most) + marks);
  }

  ColumnNeed need;
  double widest_figure = 0;

 private:
  const Sketch& sketch_;
  Style style_;
};

void add_head(ColumnNeed& need, const Sketch& sketch, const std::string& text) {
  const double width = sketch.width(text, kFineGrey);
  need.natural = std::max(need.natural, width);
  need.least = std::max(need.least, width);
}

/// Of the columns with cells; absent where all cells are empty, or a figure is too wide.
std::optional<ColumnNeed> need_of(const Sketch& sketch, const TableText& table, std::size_t index,
                                  double font, std::vector<const Column*>& unfit) {
  const Column& column = table_columns()[index];
  const bool is_name = column.most > 0;
  const double most = is_name ? column.most : 1e9;
  ColumnNeed need;
  bool is_filled = false;
  double widest = 0;
  for (const GroupText& group : table.groups) {
    for (const RowText& row : group.rows) {
      const Cell& cell = row.cells[index];
      NeedOf one(sketch, cell_style(column, cell, font));
      one.add(cell.forms, marks_width(cell), most);
      is_filled |= !cell.forms.empty() && !cell.forms.front().empty();
      widest = std::max(widest, one.widest_figure);
      need.natural = std::max(need.natural, one.need.natural);
      need.least = std::max(need.least, one.need.least);
    }
  }
  if (!is_filled) return std::nullopt;
  if (!is_name && widest > kMostFigure) {
    unfit.push_back(&column);
    return std::nullopt;
  }
  for (const std::string& head :
       {std::string(column.upper), std::string(lower_head(column, table))}) {
    add_head(need, sketch, head);
  }
  if (column.band == Band::kService) {  // the one column under that title
    need.least = std::max(need.least, sketch.width(kServiceTitle, bold(kSmallestText)));
    need.natural = std::max(need.natural, need.least);
  }
  return need;
}

ColumnNeed job_need(const Sketch& sketch, const TableText& table, std::string_view id,
                    double font) {
  NeedOf sizes(sketch, condensed_bold(font + 1.5));
  NeedOf plain(sketch, condensed(font));
  NeedOf notes(sketch, kFineGrey);
  for (const GroupText& group : table.groups) {
    if (id == "size") {
      sizes.add({group.size}, 0, kMostSize);
      if (group.rows.size() > 1) notes.add({group.note}, 0, kMostSize);
      continue;
    }
    for (const RowText& row : group.rows) plain.add({row.method}, 0, kMostSize / 2);
  }
  const ColumnNeed all{std::max({sizes.need.natural, plain.need.natural, notes.need.natural}),
                       std::max({sizes.need.least, plain.need.least, notes.need.least})};
  return all;
}

std::vector<ColumnNeed> gpu_needs(const Sketch& sketch, const TableText& table, double font) {
  std::vector<ColumnNeed> needs;
  for (std::size_t gpu = 0; gpu < table.gpus.size(); ++gpu) {
    NeedOf head(sketch, kFine);
    head.add(table.gpus[gpu], 0, kMostName / 2);
    NeedOf counts(sketch, condensed(font));
    for (const GroupText& group : table.groups) {
      for (const RowText& row : group.rows) {
        counts.add(row.counts[gpu].forms, kMarkGap + kMarkWidth, kMostName);
      }
    }
    needs.push_back({std::max(head.need.natural, counts.need.natural),
                     std::max(head.need.least, counts.need.least)});
  }
  return needs;
}

class TableDrawer {
 public:
  TableDrawer(Sketch& sketch, const PageMetrics& metrics, const PageFlow& flow,
              const Columns& columns, const TableText& table)
      : sketch_(sketch), metrics_(metrics), flow_(flow), columns_(columns), table_(table) {}

  void draw() {
    sketch_.rule(metrics_.text, kTableTop, 1.1, kInk);
    draw_bands();
    draw_heads();
    sketch_.rule(metrics_.text, flow_.first_row - kBodyRule, 0.6, kInk);
    double top = flow_.first_row;
    for (const GroupText& group : table_.groups) {
      if (&group != &table_.groups.front()) {
        sketch_.rule(metrics_.text, top - density_.gap / 2, 0.5, kHairline);
      }
      top = draw_group(group, top) + density_.gap;
    }
    sketch_.rule(metrics_.text, flow_.table_bottom, 1.1, kInk);
  }

 private:
  void draw_bands() {
    const std::pair<Band, std::vector<std::string>> bands[] = {
        {Band::kJob, {"Job"}},   {Band::kCounts, {"Fewest GPUs needed", "Fewest GPUs", "GPUs"}},
        {Band::kRent, {"Rent"}}, {Band::kSecond, {"If that is sold out", "Second"}},
        {Band::kOwn, {"Own"}},   {Band::kService, {kServiceTitle}}};
    for (const auto& [band, titles] : bands) {
      const auto span = columns_.band(band);
      if (!span) continue;
      const Style style = bold(kSmallestText);
      if (const std::string* title = sketch_.fitting(titles, style, span->width())) {
        sketch_.text({span->x0, kTableTop + kBandLine}, Align::kLeft, style, *title);
      }
      sketch_.rule(*span, kTableTop + kBandRule, 0.6, kInk);
    }
  }

  void draw_heads() {
    const double upper = kTableTop + kHeadLine;
    const double lower = upper + kHeadLeading;
    for (std::size_t i = 0; i < columns_.spans.size(); ++i) {
      const Column& column = table_columns()[i];
      if (!columns_.spans[i] || column.band == Band::kCounts || column.cell == nullptr) continue;
      const bool right = column.align == Align::kRight;
      const double x = right ? columns_.spans[i]->x1 : columns_.spans[i]->x0;
      sketch_.text({x, upper}, column.align, kFineGrey, column.upper);
      sketch_.text({x, lower}, column.align, kFineGrey, lower_head(column, table_));
    }
    for (std::size_t gpu = 0; gpu < columns_.gpus.size(); ++gpu) {
      const Span& span = columns_.gpus[gpu];
      sketch_.text_in(span.width(), {count_right(span), lower}, Align::kRight, kFineGrey,
                      "GPU name", table_.gpus[gpu]);
    }
  }

  /// Counts and heads end there; a mark has its room behind.
  double count_right(const Span& span) const { return span.x1; }

  // ---- Rows, those of a size together.

  double baseline(double top) const {
    return top + (density_.row + kCapHeight * density_.font) / 2;
  }

  /// Where it ends.
  double draw_group(const GroupText& group, double top) {
    if (group.highlighted) {
      const double height = static_cast<double>(group.rows.size()) * density_.row + density_.gap;
      const Rect area{metrics_.text.x0 - kTintOverhang, top - density_.gap / 2,
                      metrics_.text.width() + 2 * kTintOverhang, height};
      sketch_.fill(area, kTint);
      sketch_.fill({area.x, area.y, 2.2, height}, kBlue);
    }
    draw_size_block(group, top);
    for (const RowText& row : group.rows) {
      draw_row(row, top);
      top += density_.row;
    }
    return top;
  }

  /// Size, model and parameters, one under the other as far as the group has rows.
  void draw_size_block(const GroupText& group, double top) {
    const Span& column = columns_.at("size");
    sketch_.text_in(column.width(), {column.x0, baseline(top)}, Align::kLeft,
                    condensed_bold(density_.font + 1.5), "size", {group.size});
    if (group.rows.size() == 1) return;
    const double second = baseline(top + density_.row);
    sketch_.text_in(column.width(), {column.x0, second}, Align::kLeft, kFineGrey, "model",
                    {group.note});
  }

  void draw_row(const RowText& row, double top) {
    const double y = baseline(top);
    for (std::size_t i = 0; i < columns_.spans.size(); ++i) {
      if (!columns_.spans[i]) continue;
      const Column& column = table_columns()[i];
      const Span& span = *columns_.spans[i];
      if (column.cell != nullptr) {
        draw_cell(column, span, row.cells[i], y);
      } else if (std::string_view(column.id) == "method") {
        sketch_.text_in(span.width(), {span.x0, y}, Align::kLeft, condensed(density_.font),
                        "method", {row.method});
      } else if (column.band == Band::kCounts) {
        for (std::size_t gpu = 0; gpu < row.counts.size(); ++gpu) {
          draw_count(columns_.gpus[gpu], row.counts[gpu], y);
        }
      }
    }
  }

  void draw_cell(const Column& column, const Span& span, const Cell& cell, double y) {
    const Style style = cell_style(column, cell, density_.font);
    const double room = span.width() - marks_width(cell);
    const bool right = column.align == Align::kRight;
    const Point at{right ? span.x1 : span.x0, y};
    const double width = sketch_.text_in(room, at, column.align, style, column.what, cell.forms);
    if (!right) draw_marks(cell, {span.x0 + width, y});
  }

  void draw_marks(const Cell& cell, Point at) {
    if (cell.unsure) {
      draw_unsure_mark(sketch_, {at.x + kMarkGap, at.y});
      at.x += kMarkGap + kMarkWidth;
    }
    if (cell.one_seller) draw_seller_mark(sketch_, {at.x + kMarkGap, at.y});
  }

  void draw_count(const Span& span, const Cell& cell, double y) {
    const double right = count_right(span) - kMarkGap - kMarkWidth;
    sketch_.text({right, y}, Align::kRight, condensed(density_.font, kGrey), cell.forms.front());
    draw_marks(cell, {right, y});
  }

  Sketch& sketch_;
  const PageMetrics& metrics_;
  const PageFlow& flow_;
  const Columns& columns_;
  const TableText& table_;
  const Density& density_ = flow_.density;
};

/// What every column of the table needs; those that hold a figure too wide are added to `unfit`.
std::vector<std::optional<ColumnNeed>> needs_of(const Sketch& sketch, const Density& density,
                                                const TableText& table,
                                                std::vector<const Column*>& unfit) {
  std::vector<std::optional<ColumnNeed>> needs;
  for (std::size_t i = 0; i < table_columns().size(); ++i) {
    const Column& column = table_columns()[i];
    if (contains(table.hidden_columns, column.name_to_hide())) {
      needs.emplace_back();
    } else if (column.band == Band::kCounts) {
      needs.emplace_back(ColumnNeed{});
    } else if (column.cell == nullptr) {
      needs.emplace_back(job_need(sketch, table, column.id, density.font));
    } else {
      needs.push_back(need_of(sketch, table, i, density.font, unfit));
    }
  }
  return needs;
}

}  // namespace

std::optional<Columns> columns_for(const Sketch& sketch, const PageMetrics& metrics,
                                   const Density& density, const TableText& table) {
  std::vector<const Column*> unfit;
  const auto needs = needs_of(sketch, density, table, unfit);
  std::optional<Columns> columns =
      place_columns(metrics.text, needs, gpu_needs(sketch, table, density.font));
  if (columns) columns->left_out.insert(columns->left_out.end(), unfit.begin(), unfit.end());
  return columns;
}

void draw_table(Sketch& sketch, const PageMetrics& metrics, const PageFlow& flow,
                const TableText& table, const Columns& columns) {
  for (const std::string& name : table.hidden_columns) {
    const bool known = std::ranges::any_of(
        table_columns(), [&](const Column& column) { return name == column.name_to_hide(); });
    if (!known) sketch.warn("table: hidden_columns names \"" + name + "\", which hides nothing");
  }
  for (const Column* column : columns.left_out) {
    sketch.warn(std::string("table: the column \"") + column->what + "\" has no room");
  }
  TableDrawer(sketch, metrics, flow, columns, table).draw();
  draw_key(sketch, metrics, flow, columns, table);
}

}  // namespace sizesheet::pdf
