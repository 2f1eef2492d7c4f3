// SPDX-License-Identifier: Apache-2.0
// The heads of the table: the reader's questions, and under them the columns.
#include "render/pdf/palette.h"
#include "render/pdf/table_layout.h"

namespace sizesheet::pdf {

namespace {

constexpr double kBandBaseline = 66.8;
constexpr double kBandRule = 70.2;
constexpr double kLines[] = {79.0, 87.4, 95.8};
constexpr double kBodyRule = 99.4;
constexpr Style kHead = condensed(7.2, kGrey);

void draw_band(Sketch& sketch, const Span& span, const std::vector<std::string>& titles) {
  const Style style = bold(7.6);
  const std::string title = sketch.fitted("band head", titles, style, span.width() + 6);
  sketch.text({span.x0, kBandBaseline}, Align::kLeft, style, title);
  sketch.rule(span.x0, span.x1, kBandRule, 0.6, kInk);
}

void draw_bands(Sketch& sketch, const Columns& c) {
  const Span& size = c.at("size");
  const Span& method = c.at("method");
  draw_band(sketch, size, {"Size"});
  sketch.text({method.x0, kBandBaseline}, Align::kLeft, bold(7.6), "Method");
  sketch.rule(size.x1, method.x1, kBandRule, 0.6, kInk);
  draw_band(sketch, c.band(Band::kMemory), {"Peak memory, GiB", "Memory, GiB", "GiB"});
  draw_band(sketch, {c.gpus.front().x0, c.gpus.back().x1},
            {"How many GPUs, by type", "GPUs, by type", "GPUs"});
  draw_band(sketch, c.at("which"), {"Which"});
  draw_band(sketch, c.band(Band::kRent), {"How long, how much to rent", "How much to rent"});
  draw_band(sketch, c.band(Band::kOwn), {"How much to own"});
  draw_band(sketch, c.at("advice"), {"Rent or buy"});
}

/// Two lines at the right edge; those of memory leave the last to what GPU types ask an hour.
void draw_figure_head(Sketch& sketch, const Column& column, const Span& span) {
  const std::size_t first = column.band == Band::kMemory ? 0 : 1;
  const Style style = column.tone == Tone::kLead ? condensed_bold(7.2) : kHead;
  sketch.text({span.x1, kLines[first]}, Align::kRight, style, column.upper);
  sketch.text({span.x1, kLines[first + 1]}, Align::kRight, style, column.lower);
}

void draw_gpu(Sketch& sketch, const Span& span, const GpuHead& head) {
  const double middle = (span.x0 + span.x1) / 2;
  const Style name = condensed_bold(7.4);
  const Style small = condensed(7, kGrey);
  sketch.text({middle, kLines[0]}, Align::kMiddle, name,
              sketch.fitted("GPU name", head.names, name, span.width() - 1));
  sketch.text({middle, kLines[1]}, Align::kMiddle, small,
              sketch.fitted("GPU memory", {head.memory}, small, span.width() - 1));
  sketch.text(
      {middle, kLines[2]}, Align::kMiddle, small,
      sketch.fitted_number("list price per GPU-hour", {head.price}, small, span.width() - 1));
}

void draw_gpus(Sketch& sketch, const std::vector<Span>& spans, const std::vector<GpuHead>& gpus) {
  sketch.text({spans.front().x0 - 2, kLines[2]}, Align::kRight, condensed(7, kGrey),
              "list $ per GPU-hour");
  for (std::size_t i = 0; i < gpus.size(); ++i) draw_gpu(sketch, spans[i], gpus[i]);
}

void draw_left(Sketch& sketch, double x, const std::string& upper, const std::string& lower) {
  sketch.text({x, kLines[1]}, Align::kLeft, kHead, upper);
  sketch.text({x, kLines[2]}, Align::kLeft, kHead, lower);
}

}  // namespace

Columns columns_for(const Sketch& sketch, const PageMetrics& metrics, const TableText& table) {
  std::vector<double> widths;
  for (const GpuHead& head : table.gpus) {
    // A name too long for any column takes its shortest form, whatever becomes of that.
    const double width = sketch.width(head.names.front(), condensed_bold(7.4));
    widths.push_back(width <= 40 ? width : sketch.width(head.names.back(), condensed_bold(7.4)));
    if (widths.back() > 40) widths.back() = 40;
  }
  return place_columns(metrics, widths, table.year_known);
}

void draw_table_heads(Sketch& sketch, const PageMetrics& metrics, const Columns& columns,
                      const TableText& table) {
  sketch.rule(metrics.text.x0, metrics.text.x1, 56.5, 1.1, kInk);
  draw_bands(sketch, columns);
  for (std::size_t i = 0; i < columns.spans.size(); ++i) {
    const Column& column = table_columns()[i];
    if (column.figure != nullptr && columns.spans[i]) {
      draw_figure_head(sketch, column, *columns.spans[i]);
    } else if (column.band == Band::kGpus) {
      draw_gpus(sketch, columns.gpus, table.gpus);
    } else if (column.band == Band::kWhich) {
      draw_left(sketch, columns.spans[i]->x0, "cheapest", "run that fits");
    } else if (column.band == Band::kAdvice) {
      draw_left(sketch, columns.spans[i]->x0, "at " + table.planned_hours, "h/month");
    }
  }
  sketch.rule(metrics.text.x0, metrics.text.x1, kBodyRule, 0.6, kInk);
}

}  // namespace sizesheet::pdf
