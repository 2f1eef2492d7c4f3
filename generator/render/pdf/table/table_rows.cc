// SPDX-License-Identifier: Apache-2.0
// Heads and rows of the table drawn, with their signs.

#include <algorithm>
#include <qrcodegen/qrcodegen.hpp>

#include "render/pdf/table/table.h"
#include "support/error.h"
#include "support/text.h"

namespace sizesheet::pdf {
namespace {

// All from the rule above the table.
constexpr double kBandBaseline = 10.3;
constexpr double kBandRule = 13.7;
constexpr double kHeadLine = 22.5;
constexpr double kBodyRule = 1.2;  // above the first row
constexpr Style kHead = condensed(7.5, kGrey);
constexpr Style kGpuName = condensed_bold(7.5);
constexpr Style kSmall = condensed(7.5, kGrey);
constexpr double kWidestName = 40;

/// Bands, and under them the lines of heads.
class HeadDrawer {
 public:
  HeadDrawer(Sketch& sketch, double top, int lines, const Columns& columns, const TableText& table)
      : sketch_(sketch), top_(top), last_(lines - 1), columns_(columns), table_(table) {}

  void draw() {
    draw_bands();
    for (std::size_t i = 0; i < columns_.spans.size(); ++i) {
      const Column& column = table_columns()[i];
      if (column.figure != nullptr && columns_.spans[i]) {
        const Style style = column.tone == Tone::kLead ? condensed_bold(7.5) : kHead;
        const double right = columns_.spans[i]->x1;
        // Those of memory leave the last lines to the words beside the GPU types' prices.
        const int last = column.band == Band::kMemory ? 1 : last_;
        sketch_.text({right, line(last - 1)}, Align::kRight, style, column.upper);
        sketch_.text({right, line(last)}, Align::kRight, style, column.lower);
      } else if (column.band == Band::kGpus) {
        draw_gpus();
      } else if (column.band == Band::kWhich) {
        draw_left(columns_.spans[i]->x0, "safe to", "rent");
      } else if (column.band == Band::kAdvice && columns_.spans[i]) {
        draw_left(columns_.spans[i]->x0, "at " + table_.planned_hours, "h/month");
      }
    }
  }

 private:
  double line(int number) const { return top_ + kHeadLine + kHeadLeading * number; }

  void draw_band(const Span& span, const std::vector<std::string>& titles) {
    sketch_.text_in(span.width() + 6, {span.x0, top_ + kBandBaseline}, Align::kLeft, bold(7.6),
                    "band head", titles);
    sketch_.rule(span.x0, span.x1, top_ + kBandRule, 0.6, kInk);
  }

  void draw_bands() {
    const Span& size = columns_.at("size");
    const Span& method = columns_.at("method");
    draw_band(size, {"Size"});
    sketch_.text_in(method.width() + 4, {method.x0, top_ + kBandBaseline}, Align::kLeft, bold(7.6),
                    "band head", {"Method", "Meth."});
    sketch_.rule(size.x1, method.x1, top_ + kBandRule, 0.6, kInk);
    draw_band({columns_.gpus.front().x0, columns_.gpus.back().x1},
              {"How many GPUs, by type", "GPUs, by type", "GPUs"});
    const std::pair<Band, std::vector<std::string>> bands[] = {
        {Band::kMemory, {"Memory", "GiB"}},
        {Band::kWhich, {"Which"}},
        {Band::kRent, {"How long, how much to rent, from whom", "How much to rent", "Rent"}},
        {Band::kOwn, {"How much to own", "To own", "Own"}},
        {Band::kAdvice, {"Rent or buy"}}};
    for (const auto& [band, titles] : bands) {
      if (const auto span = columns_.band(band)) draw_band(*span, titles);
    }
  }

  void draw_gpus() {
    static constexpr const char* kLabels[] = {"",    "", "list $/GPU-h", "seller", "median/sellers",
                                              "seen"};
    for (int i = 0; i <= last_; ++i) {
      sketch_.text({columns_.gpus.front().x0 - 2, line(i)}, Align::kRight, kSmall, kLabels[i]);
    }
    for (std::size_t gpu = 0; gpu < table_.gpus.size(); ++gpu) {
      draw_gpu(columns_.gpus[gpu], table_.gpus[gpu]);
    }
  }

  void draw_gpu(const Span& span, const GpuHead& head) {
    const double middle = (span.x0 + span.x1) / 2;
    const double room = span.width() - 1;
    sketch_.text_in(room, {middle, line(0)}, Align::kMiddle, kGpuName, "GPU name", head.names);
    sketch_.text_in(room, {middle, line(1)}, Align::kMiddle, kSmall, "GPU memory", {head.memory});
    const auto number = [&](int at, const char* what, const std::vector<std::string>& forms) {
      sketch_.text({middle, line(at)}, Align::kMiddle, kSmall,
                   sketch_.fitted_number(what, forms, kSmall, room));
    };
    number(2, "list price per GPU-hour", {head.price});
    if (last_ < 3) return;
    sketch_.text({middle, line(3)}, Align::kMiddle, kSmall, shortened(head.seller, room));
    number(4, "median list price and sellers", head.median);
    number(5, "date of a price", {head.seen});
  }

  /// A seller's name has its full length in the rows.
  std::string shortened(const std::string& name, double room) const {
    std::string text = name;
    for (std::size_t most = name.size(); sketch_.width(text, kSmall) > room && most > 1; --most) {
      text = std::string(beginning_of(name, most - 1)) + "…";
    }
    return text;
  }

  void draw_left(double x, const std::string& upper, const std::string& lower) {
    sketch_.text({x, line(last_ - 1)}, Align::kLeft, kHead, upper);
    sketch_.text({x, line(last_)}, Align::kLeft, kHead, lower);
  }

  Sketch& sketch_;
  double top_;
  int last_;  ///< line
  const Columns& columns_;
  const TableText& table_;
};

Columns columns_for(const Sketch& sketch, const PageMetrics& metrics, const TableText& table) {
  std::vector<double> widths;
  for (const GpuHead& head : table.gpus) {
    // A name too long for any column takes its shortest form, whatever becomes of that.
    const double width = sketch.width(head.names.front(), kGpuName);
    const double shortest = sketch.width(head.names.back(), kGpuName);
    widths.push_back(width <= kWidestName ? width : std::min(shortest, kWidestName));
  }
  return place_columns(metrics, widths, table.hidden_columns);
}

void draw_table_heads(Sketch& sketch, const PageMetrics& metrics, const PageFlow& flow,
                      const Columns& columns, const TableText& table) {
  const double top = metrics.table_top;
  sketch.rule(metrics.text.x0, metrics.text.x1, top, 1.1, kInk);
  HeadDrawer(sketch, top, flow.head_lines, columns, table).draw();
  sketch.rule(metrics.text.x0, metrics.text.x1, flow.first_row - kBodyRule, 0.6, kInk);
}

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

constexpr double kDiscRadius = 2.5;
constexpr double kDiscStroke = 0.8;

/// The disc of an advice: full to buy, half when close, empty to rent.
void draw_advice_disc(Sketch& sketch, Point center, Advice advice) {
  if (advice == Advice::kNone) return;
  const DiscFill fill = advice == Advice::kBuy     ? DiscFill::kFull
                        : advice == Advice::kClose ? DiscFill::kLeftHalf
                                                   : DiscFill::kEmpty;
  sketch.disc({center, kDiscRadius, kDiscStroke, kInk, fill});
}

std::string advice_word(Advice advice) {
  static constexpr const char* kWords[] = {"–", "buy", "close", "rent"};
  return kWords[static_cast<std::size_t>(advice)];
}

class RowDrawer {
 public:
  RowDrawer(Sketch& sketch, const Columns& columns, const Density& density)
      : sketch_(sketch),
        columns_(columns),
        density_(density),
        styles_{condensed(density.font), condensed_bold(density.font),
                condensed(density.font, kGrey), condensed(kSmallestText, kGrey)} {}

  double baseline(double top) const {
    return top + (density_.row + kCapHeight * density_.font) / 2;
  }

  void draw(const GroupText& group, const RowText& row, double top) {
    const double y = baseline(top);
    where_ = group.size + " " + row.method;
    const Span& method = columns_.at("method");
    sketch_.text_in(method.width(), {method.x0, y}, Align::kLeft, styles_.plain, "method",
                    {row.method});
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
    sketch_.text_in(columns_.at("which").x1 - name + kColumnAir, {name, y}, Align::kLeft,
                    styles_.strong, "GPU name", row.pick_names);
  }

  void draw_advice(const RowText& row, double y) {
    if (!columns_.has("advice")) return;
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
  const Span& size_column = columns.at("size");
  const double room = size_column.width();
  const std::string size = sketch.fitted("size", {group.size}, large, room);
  sketch.text({size_column.x0, rows.baseline(top)}, Align::kLeft, large, size);
  if (group.rows.size() == 1) {
    const double x = size_column.x0 + sketch.width(size, large) + 3;
    if (x + sketch.width(group.note, kSmall) <= size_column.x1) {
      sketch.text({x, rows.baseline(top)}, Align::kLeft, kSmall, group.note);
    }
    return;
  }
  const double second = rows.baseline(top + density.row);
  sketch.text_in(room, {size_column.x0, second}, Align::kLeft, kSmall, "model", {group.note});
  if (group.rows.size() < 3) return;
  sketch.text_in(room, {size_column.x0, second + density.row}, Align::kLeft, kSmall, "parameters",
                 {group.parameters});
}

void draw_table_rows(Sketch& sketch, const PageMetrics& metrics, const PageFlow& flow,
                     const Columns& columns, const TableText& table) {
  const Density& density = flow.density;
  RowDrawer rows(sketch, columns, density);
  double top = flow.first_row;
  for (const GroupText& group : table.groups) {
    const double height = static_cast<double>(group.rows.size()) * density.row;
    if (group.highlighted) {
      const double left = metrics.text.x0 - kTintOverhang;
      const double y = top - density.gap / 2;
      sketch.fill({left, y, metrics.text.width() + 2 * kTintOverhang, height + density.gap}, kTint);
      sketch.fill({left, y, 2.2, height + density.gap}, kBlue);
    }
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

constexpr double kTriangleHeight = 3.6;
constexpr double kTriangleStroke = 0.55;
constexpr double kArrowHead = 3;
constexpr double kLeastModule = 0.85;  // 0.3 mm: below it phones fail on office paper

qrcodegen::QrCode code_of(const std::string& text) {
  try {
    return qrcodegen::QrCode::encodeText(text.c_str(), qrcodegen::QrCode::Ecc::MEDIUM);
  } catch (const qrcodegen::data_too_long&) {
    throw InputError("base URL: " + std::to_string(text.size()) +
                     " bytes are too long for a QR code");
  }
}

}  // namespace

void draw_table(Sketch& sketch, const PageMetrics& metrics, const PageFlow& flow,
                const TableText& table) {
  const Columns columns = columns_for(sketch, metrics, table);
  draw_table_heads(sketch, metrics, flow, columns, table);
  draw_table_rows(sketch, metrics, flow, columns, table);
  draw_key(sketch, metrics, flow, columns, table);
}

void draw_triangle(Sketch& sketch, Point at, CountMark mark) {
  if (mark == CountMark::kNone) return;
  const Color fill = mark == CountMark::kOpen ? kWhite : kInk;
  // The stroke's half is kept inside, so that the sign ends where it says it ends.
  const double inset = kTriangleStroke / 2;
  sketch.path({{{at.x + inset, at.y - inset},
                {at.x + kTriangleWidth - inset, at.y - inset},
                {at.x + kTriangleWidth / 2, at.y - kTriangleHeight + inset}},
               true,
               {fill, kInk, kTriangleStroke},
               {}});
}

void draw_arrow(Sketch& sketch, Point from, double length) {
  const double end = from.x + length;
  sketch.line(from, {end - kArrowHead, from.y}, 0.8, kInk);
  sketch.path({{{end, from.y}, {end - kArrowHead, from.y - 2}, {end - kArrowHead, from.y + 2}},
               true,
               {kInk, {}, 0},
               {}});
}

void draw_pick_frame(Sketch& sketch, const Rect& area) {
  sketch.box(area, {kPickFill, kBlue, 0.7}, 1.6);
}

void draw_qr(Sketch& sketch, const Rect& area, const std::string& text) {
  const qrcodegen::QrCode code = code_of(text);
  const int size = code.getSize();
  const double module = area.width / size;
  if (module < kLeastModule) {
    sketch.warn("base URL: the squares of its QR code are only " + format_number(module, 2) +
                " pt wide; a shorter one scans better");
  }
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      const int start = x;
      while (x < size && code.getModule(x, y)) ++x;
      if (x == start) continue;
      sketch.fill({area.x + start * module, area.y + y * module, (x - start) * module, module},
                  kInk);
    }
  }
}

}  // namespace sizesheet::pdf
