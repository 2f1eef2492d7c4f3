// SPDX-License-Identifier: Apache-2.0
// The rows of the table, grouped by size.
#include <algorithm>

#include "render/pdf/marks.h"
#include "render/pdf/palette.h"
#include "render/pdf/table_layout.h"

namespace sizesheet::pdf {

namespace {

constexpr double kCapHeight = 0.711;
constexpr double kCountRight = 4.2;  // right of the column's middle: the triangle has room
constexpr double kTriangleGap = 1.3;
constexpr double kFrameLeft = 8.8;  // left of the column's middle
constexpr double kFrameWidth = 20.2;
constexpr double kTintOverhang = 5;
constexpr double kColumnAir = 2.5;  // between figures of neighbouring columns

/// The fonts of a row at one density.
struct RowStyles {
  Style plain;
  Style strong;
  Style grey;
  Style word;  ///< "no", "never"
};

RowStyles styles_of(const Density& density) {
  return {condensed(density.font), condensed_bold(density.font), condensed(density.font, kGrey),
          condensed(std::min(7.2, density.font), kGrey)};
}

class RowDrawer {
 public:
  RowDrawer(Sketch& sketch, const Columns& columns, const Density& density)
      : sketch_(sketch), columns_(columns), density_(density), styles_(styles_of(density)) {}

  double baseline(double top) const {
    return top + (density_.row + kCapHeight * density_.font) / 2;
  }

  void draw(const GroupText& group, const RowText& row, double top) {
    const double y = baseline(top);
    where_ = group.size + " " + row.method;
    sketch_.text(
        {columns_.at("method").x0, y}, Align::kLeft, styles_.plain,
        sketch_.fitted("method", {row.method}, styles_.plain, columns_.at("method").width()));
    for (std::size_t i = 0; i < columns_.spans.size(); ++i) {
      const Column& column = table_columns()[i];
      if (column.figure != nullptr && columns_.spans[i]) {
        draw_figure(column, *columns_.spans[i], row.figures[i], y);
      } else if (column.band == Band::kGpus) {
        for (std::size_t gpu = 0; gpu < row.counts.size(); ++gpu) {
          draw_count(columns_.gpus[gpu], row.counts[gpu], top);
        }
      } else if (column.band == Band::kWhich) {
        draw_pick(row, y);
      }
    }
    draw_advice(row, y);
  }

 private:
  const Style& style_of(const Column& column, const Figure& forms) const {
    if (forms.front() == kNever) return styles_.word;
    if (column.tone == Tone::kQuiet) return styles_.grey;
    return column.tone == Tone::kPlain ? styles_.plain : styles_.strong;
  }

  void draw_figure(const Column& column, const Span& span, const Figure& forms, double y) {
    const Style& style = style_of(column, forms);
    // The first column of a band has the gap before it as well, but for what a GPU's name takes.
    const bool first = column.gap[0] > 0 && column.band != Band::kRent;
    const double air = first ? 0 : kColumnAir;
    sketch_.text({span.x1, y}, Align::kRight, style,
                 sketch_.fitted_number("table: " + where_ + ", " + column.what, forms, style,
                                       span.width() - air));
  }

  void draw_count(const Span& span, const CountCell& cell, double top) {
    const double y = baseline(top);
    const double middle = (span.x0 + span.x1) / 2;
    const Style& style = cell.is_pick   ? styles_.strong
                         : cell.is_word ? styles_.word
                                        : styles_.plain;
    if (cell.is_word) {
      sketch_.text({middle, y}, Align::kMiddle, style, cell.text);
      return;
    }
    const double right = middle + kCountRight;
    if (cell.is_pick) {
      const double left =
          std::min(middle - kFrameLeft, right - sketch_.width(cell.text, style) - 2);
      draw_pick_frame(
          sketch_, {left, top + 0.5, middle - kFrameLeft + kFrameWidth - left, density_.row - 1.0});
    }
    sketch_.text({right, y}, Align::kRight, style, cell.text);
    draw_triangle(sketch_, {right + kTriangleGap, y}, cell.mark);
  }

  void draw_pick(const RowText& row, double y) {
    const double times = columns_.count_right + 2;
    const double name = columns_.count_right + 8.4;
    if (row.pick_count.empty()) {
      sketch_.text({name, y}, Align::kLeft, styles_.word, row.pick_names.front());
      return;
    }
    sketch_.text({columns_.count_right, y}, Align::kRight, styles_.strong, row.pick_count);
    sketch_.text({times, y}, Align::kLeft, styles_.grey, "×");
    sketch_.text({name, y}, Align::kLeft, styles_.strong,
                 sketch_.fitted("GPU name", row.pick_names, styles_.strong,
                                columns_.at("which").x1 - name + kColumnAir));
  }

  void draw_advice(const RowText& row, double y) {
    const double x = columns_.at("advice").x0;
    draw_advice_disc(sketch_, {x + 2.6, y - kCapHeight * density_.font / 2}, row.advice);
    const Style& style = row.advice == Advice::kBuy ? styles_.strong : styles_.plain;
    sketch_.text({row.advice == Advice::kNone ? x : x + 9, y}, Align::kLeft, style,
                 advice_word(row.advice));
  }

  Sketch& sketch_;
  const Columns& columns_;
  const Density& density_;
  RowStyles styles_;
  std::string where_;
};

/// Size, model and parameters, one under the other as far as the group has rows.
void draw_size_block(Sketch& sketch, const RowDrawer& rows, const Columns& columns,
                     const Density& density, const GroupText& group, double top) {
  const Style large = condensed_bold(std::min(10.5, density.font + 2));
  const Style small = condensed(7, kGrey);
  const Span& size_column = columns.at("size");
  const double room = size_column.width();
  const std::string size = sketch.fitted("size", {group.size}, large, room);
  sketch.text({size_column.x0, rows.baseline(top)}, Align::kLeft, large, size);
  if (group.rows.size() == 1) {
    const double x = size_column.x0 + sketch.width(size, large) + 3;
    if (x + sketch.width(group.note, small) <= size_column.x1) {
      sketch.text({x, rows.baseline(top)}, Align::kLeft, small, group.note);
    }
    return;
  }
  const double second = rows.baseline(top + density.row);
  sketch.text({size_column.x0, second}, Align::kLeft, small,
              sketch.fitted("model", {group.note}, small, room));
  if (group.rows.size() < 3) return;
  sketch.text({size_column.x0, second + density.row}, Align::kLeft, small,
              sketch.fitted("parameters", {group.parameters}, small, room));
}

void draw_tint(Sketch& sketch, const PageMetrics& metrics, const Density& density, double top,
               double height) {
  const double left = metrics.text.x0 - kTintOverhang;
  const Rect band{left, top - density.gap / 2, metrics.text.width() + 2 * kTintOverhang,
                  height + density.gap};
  sketch.box(band, {kTint, {}, 0});
  sketch.box({left, band.y, 2.2, band.height}, {kBlue, {}, 0});
}

}  // namespace

void draw_table_rows(Sketch& sketch, const PageMetrics& metrics, const PageFlow& flow,
                     const Columns& columns, const TableText& table) {
  const Density& density = flow.density;
  RowDrawer rows(sketch, columns, density);
  double top = kFirstRowTop;
  for (const GroupText& group : table.groups) {
    const double height = static_cast<double>(group.rows.size()) * density.row;
    if (group.highlighted) draw_tint(sketch, metrics, density, top, height);
    draw_size_block(sketch, rows, columns, density, group, top);
    for (const RowText& row : group.rows) {
      rows.draw(group, row, top);
      top += density.row;
    }
    top += density.gap;
    if (&group != &table.groups.back()) {
      sketch.rule(metrics.text.x0, metrics.text.x1, top - density.gap / 2, 0.5, kHairline);
    }
  }
  sketch.rule(metrics.text.x0, metrics.text.x1, flow.table_bottom, 1.1, kInk);
}

}  // namespace sizesheet::pdf
