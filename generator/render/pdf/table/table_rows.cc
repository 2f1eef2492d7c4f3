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

// All from the rule above the table.
constexpr double kBandBaseline = 10.3;
constexpr double kBandRule = 13.7;
constexpr double kHeadLine = 22.5;
constexpr double kBodyRule = 1.2;  // above the first row
constexpr double kWidestName = 40;

// Of a row.
constexpr double kCountRight = 4.2;  // right of the column's middle: the triangle has room
constexpr double kTriangleGap = 1.3;
constexpr double kDoubtGap = 0.6;
constexpr double kFrameLeft = 8.8;  // left of the column's middle
constexpr double kFrameWidth = 20.2;
constexpr double kTintOverhang = 5;
constexpr double kColumnAir = 2.5;  // between figures of neighbouring columns
constexpr double kDiscRadius = 2.5;
constexpr double kDiscStroke = 0.8;

/// How a decision reads; its disc is full to buy, half when close, empty to rent.
struct AdviceLook {
  const char* word;
  DiscFill disc;
};
/// In the order of Advice.
constexpr AdviceLook kAdvice[] = {
    {"", {}}, {"buy", DiscFill::kFull}, {"close", DiscFill::kLeftHalf}, {"rent", DiscFill::kEmpty}};

/// Of each GPU type's name.
std::vector<double> head_widths(const Sketch& sketch, const TableText& table) {
  std::vector<double> widths;
  for (const GpuHead& head : table.gpus) {
    // A name too long for any column takes its shortest form, whatever becomes of that.
    const double width = sketch.width(head.names.front(), kFineBold);
    const double shortest = sketch.width(head.names.back(), kFineBold);
    widths.push_back(width <= kWidestName ? width : std::min(shortest, kWidestName));
  }
  return widths;
}

Style figure_style(const Column& column, const Figure& forms, double font) {
  if (forms.front() == kNever) return kFineGrey;
  if (column.tone == Tone::kQuiet) return condensed(font, kGrey);
  return column.tone == Tone::kPlain ? condensed(font) : condensed_bold(font);
}

double figure_room(const Column& column, const Span& span) {
  // The first column of a band has the gap before it as well, but for what a GPU's name takes.
  const bool first = column.gap[0] > 0 && column.band != Band::kRent;
  return span.width() - (first ? 0 : kColumnAir);
}

/// The first column that holds no form of one of its figures; nullptr where there is none.
const Column* unfit_column(const Sketch& sketch, const Columns& columns, double font,
                           const TableText& table) {
  for (std::size_t i = 0; i < columns.spans.size(); ++i) {
    const Column& column = table_columns()[i];
    if (!columns.spans[i] || column.figure == nullptr) continue;
    const double room = figure_room(column, *columns.spans[i]);
    for (const GroupText& group : table.groups) {
      for (const RowText& row : group.rows) {
        const Figure& forms = row.figures[i];
        if (sketch.fitting(forms, figure_style(column, forms, font), room) == nullptr) {
          return &column;
        }
      }
    }
  }
  return nullptr;
}

class TableDrawer {
 public:
  TableDrawer(Sketch& sketch, const PageMetrics& metrics, const PageFlow& flow,
              const Columns& columns, const TableText& table)
      : sketch_(sketch), metrics_(metrics), flow_(flow), columns_(columns), table_(table) {}

  void draw() {
    sketch_.rule(metrics_.text, metrics_.table_top, 1.1, kInk);
    draw_bands();
    for (std::size_t i = 0; i < columns_.spans.size(); ++i) {
      if (table_columns()[i].band == Band::kGpus) {
        draw_gpus();
      } else if (columns_.spans[i]) {
        draw_head(table_columns()[i], *columns_.spans[i]);
      }
    }
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
  // ---- Bands, and under them the lines of heads.

  double line(int number) const { return metrics_.table_top + kHeadLine + kHeadLeading * number; }

  void draw_bands() {
    const std::pair<Band, std::vector<std::string>> bands[] = {
        {Band::kSize, {"Size"}},
        {Band::kMethod, {"Method", "Meth."}},
        {Band::kGpus, {"How many GPUs, by type", "GPUs, by type", "GPUs"}},
        {Band::kMemory, {"Memory", "GiB"}},
        {Band::kWhich, {"Which"}},
        {Band::kRent, {"How long, how much to rent, from whom", "How much to rent", "Rent"}},
        {Band::kOwn, {"How much to own", "To own", "Own"}},
        {Band::kAdvice, {"Owning pays", "Own"}}};
    for (const auto& [band, titles] : bands) {
      const auto span = columns_.band(band);
      if (!span) continue;
      // Size and method share a rule. The last band ends at the edge of the text.
      const bool method = band == Band::kMethod;
      const double beyond = band == Band::kAdvice ? 0 : method ? 4 : 6;
      sketch_.text_in(span->width() + beyond, {span->x0, metrics_.table_top + kBandBaseline},
                      Align::kLeft, bold(7.6), "band head", titles);
      sketch_.rule({method ? columns_.at("size").x1 : span->x0, span->x1},
                   metrics_.table_top + kBandRule, 0.6, kInk);
    }
  }

  void draw_head(const Column& column, const Span& span) {
    const bool figures = column.figure != nullptr || column.band == Band::kAdvice;
    const double x = figures ? span.x1 : span.x0;
    const Align align = figures ? Align::kRight : Align::kLeft;
    const Style style = column.tone == Tone::kLead ? kFineBold : kFineGrey;
    // Those of memory leave the last lines to the words beside the GPU types' prices.
    const int last = column.band == Band::kMemory ? 1 : flow_.head_lines - 1;
    sketch_.text({x, line(last - 1)}, align, style, column.upper);
    sketch_.text({x, line(last)}, align, style, column.lower);
  }

  void draw_gpus() {
    static constexpr const char* kLabels[] = {"",    "", "list $/GPU-h", "seller", "median/sellers",
                                              "seen"};
    for (int i = 0; i < flow_.head_lines; ++i) {
      sketch_.text({columns_.gpus.front().x0 - 2, line(i)}, Align::kRight, kFineGrey, kLabels[i]);
    }
    for (std::size_t gpu = 0; gpu < table_.gpus.size(); ++gpu) {
      draw_gpu(columns_.gpus[gpu], table_.gpus[gpu]);
    }
  }

  void draw_gpu(const Span& span, const GpuHead& head) {
    const double middle = span.middle();
    const double room = span.width() - 1;
    sketch_.text_in(room, {middle, line(0)}, Align::kMiddle, kFineBold, "GPU name", head.names);
    sketch_.text_in(room, {middle, line(1)}, Align::kMiddle, kFineGrey, "GPU memory",
                    {head.memory});
    const auto number = [&](int at, const std::string& what, const Figure& forms) {
      const std::string* fitting = sketch_.fitting(forms, kFineGrey, room);
      sketch_.text({middle, line(at)}, Align::kMiddle, kFineGrey, fitting ? *fitting : "…");
      if (fitting == nullptr) {
        sketch_.warn(what + " of " + head.names.front() + ": " + forms.front() +
                     " is too long; left out");
      }
    };
    number(2, "list price per GPU-hour", head.price);
    if (flow_.head_lines < kHeadLines) return;
    sketch_.text({middle, line(3)}, Align::kMiddle, kFineGrey, shortened(head.seller, room));
    number(4, "median list price and sellers", head.median);
    number(5, "date of a price", {head.seen});
  }

  /// A seller's name has its full length in the rows.
  std::string shortened(const std::string& name, double room) const {
    std::string text = name;
    for (std::size_t most = name.size(); sketch_.width(text, kFineGrey) > room && most > 1;
         --most) {
      text = std::string(beginning_of(name, most - 1)) + "…";
    }
    return text;
  }

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
      draw_row(group, row, top);
      top += density_.row;
    }
    return top;
  }

  /// Size, model and parameters, one under the other as far as the group has rows.
  void draw_size_block(const GroupText& group, double top) {
    const Style large = condensed_bold(std::min(10.5, density_.font + 2));
    const Span& column = columns_.at("size");
    const double width = sketch_.text_in(column.width(), {column.x0, baseline(top)}, Align::kLeft,
                                         large, "size", {group.size});
    if (group.rows.size() == 1) {
      const double x = column.x0 + width + 3;
      if (x + sketch_.width(group.note, kFineGrey) <= column.x1) {
        sketch_.text({x, baseline(top)}, Align::kLeft, kFineGrey, group.note);
      }
      return;
    }
    const double second = baseline(top + density_.row);
    sketch_.text_in(column.width(), {column.x0, second}, Align::kLeft, kFineGrey, "model",
                    {group.note});
    if (group.rows.size() < 3) return;
    sketch_.text_in(column.width(), {column.x0, second + density_.row}, Align::kLeft, kFineGrey,
                    "parameters", {group.parameters});
  }

  void draw_row(const GroupText& group, const RowText& row, double top) {
    const double y = baseline(top);
    for (std::size_t i = 0; i < columns_.spans.size(); ++i) {
      if (!columns_.spans[i]) continue;
      const Column& column = table_columns()[i];
      const Span& span = *columns_.spans[i];
      if (column.figure != nullptr) {
        draw_figure(column, span, row.figures[i], y,
                    "table: " + group.size + " " + row.method + ", " + column.what);
      } else if (column.band == Band::kMethod) {
        sketch_.text_in(span.width(), {span.x0, y}, Align::kLeft, plain_, "method", {row.method});
      } else if (column.band == Band::kGpus) {
        for (std::size_t gpu = 0; gpu < row.counts.size(); ++gpu) {
          draw_count(columns_.gpus[gpu], row.counts[gpu], top);
        }
      } else if (column.band == Band::kWhich) {
        draw_pick(span, row, y);
      } else if (column.band == Band::kAdvice) {
        draw_advice(span, row, y);
      }
    }
  }

  void draw_figure(const Column& column, const Span& span, const Figure& forms, double y,
                   const std::string& what) {
    sketch_.number_in(figure_room(column, span), {span.x1, y}, Align::kRight,
                      figure_style(column, forms, density_.font), what, forms);
  }

  void draw_count(const Span& span, const CountCell& cell, double top) {
    const double y = baseline(top);
    if (cell.is_word) {
      sketch_.text({span.middle(), y}, Align::kMiddle, kFineGrey, cell.text);
      return;
    }
    const Style& style = cell.is_pick ? strong_ : plain_;
    const double right = span.middle() + kCountRight;
    if (cell.is_pick) {
      const double frame = span.middle() - kFrameLeft;
      const double left = std::min(frame, right - sketch_.width(cell.text, style) - 2);
      draw_pick_frame(sketch_, {left, top + 0.5, frame + kFrameWidth - left, density_.row - 1.0});
    }
    sketch_.text({right, y}, Align::kRight, style, cell.text);
    if (cell.unsure) {
      sketch_.text({right + kDoubtGap, y}, Align::kLeft, style, kDoubtMark);
    } else {
      draw_triangle(sketch_, {right + kTriangleGap, y}, cell.mark);
    }
  }

  void draw_pick(const Span& span, const RowText& row, double y) {
    const double right = span.x0 + metrics_.count_width;
    const double name = right + 8.4;
    if (row.pick_count.empty()) {
      sketch_.text({name, y}, Align::kLeft, kFineGrey, row.pick_names.front());
      return;
    }
    sketch_.text({right, y}, Align::kRight, strong_, row.pick_count);
    sketch_.text({right + 2, y}, Align::kLeft, grey_, "×");
    sketch_.text_in(span.x1 - name + kColumnAir, {name, y}, Align::kLeft, strong_, "GPU name",
                    row.pick_names);
  }

  /// From how many hours owning pays, behind the word of a demand that somebody states.
  void draw_advice(const Span& span, const RowText& row, double y) {
    const AdviceLook& look = kAdvice[static_cast<std::size_t>(row.advice)];
    const bool decided = row.advice != Advice::kNone;
    const bool quiet = decided || row.pays_from == kNever;
    if (decided) {
      const Point center{span.x0 + 2.6, y - kCapHeight * density_.font / 2};
      sketch_.put(Disc{center, kDiscRadius, kDiscStroke, kInk, look.disc});
      sketch_.text({span.x0 + 9, y}, Align::kLeft, row.advice == Advice::kBuy ? strong_ : plain_,
                   look.word);
    }
    sketch_.text({span.x1, y}, Align::kRight, quiet ? kFineGrey : strong_, row.pays_from);
  }

  Sketch& sketch_;
  const PageMetrics& metrics_;
  const PageFlow& flow_;
  const Columns& columns_;
  const TableText& table_;
  const Density& density_ = flow_.density;
  const Style plain_ = condensed(density_.font);
  const Style strong_ = condensed_bold(density_.font);
  const Style grey_ = condensed(density_.font, kGrey);
};

constexpr double kTriangleHeight = 3.6;
constexpr double kTriangleStroke = 0.55;

}  // namespace

Columns columns_for(const Sketch& sketch, const PageMetrics& metrics, const Density& density,
                    const TableText& table) {
  const std::vector<double> heads = head_widths(sketch, table);
  std::vector<std::string> hidden = table.hidden_columns;
  std::vector<const Column*> unfit;
  for (;;) {
    Columns columns = place_columns(metrics, heads, hidden);
    const Column* const next = unfit_column(sketch, columns, density.font, table);
    if (next == nullptr) {
      columns.left_out.insert(columns.left_out.end(), unfit.begin(), unfit.end());
      columns.unfit = std::move(unfit);
      return columns;
    }
    unfit.push_back(next);
    hidden.emplace_back(next->id);
  }
}

void draw_table(Sketch& sketch, const PageMetrics& metrics, const PageFlow& flow,
                const TableText& table) {
  const Columns columns = columns_for(sketch, metrics, flow.density, table);
  for (const Column* column : columns.unfit) {
    sketch.warn(std::string("table: the column \"") + column->what +
                "\" is left out: one of its figures is too long");
  }
  TableDrawer(sketch, metrics, flow, columns, table).draw();
  draw_key(sketch, metrics, flow, columns, table);
}

void draw_triangle(Sketch& sketch, Point at, CountMark mark) {
  if (mark == CountMark::kNone) return;
  const Color fill = mark == CountMark::kOpen ? kWhite : kInk;
  // The stroke's half is kept inside, so that the sign ends where it says it ends.
  const double inset = kTriangleStroke / 2;
  sketch.put(Path{{{at.x + inset, at.y - inset},
                   {at.x + kTriangleWidth - inset, at.y - inset},
                   {at.x + kTriangleWidth / 2, at.y - kTriangleHeight + inset}},
                  true,
                  {fill, kInk, kTriangleStroke},
                  {}});
}

void draw_pick_frame(Sketch& sketch, const Rect& area) {
  sketch.put(Box{area, 1.6, {kPickFill, kBlue, 0.7}});
}

}  // namespace sizesheet::pdf
