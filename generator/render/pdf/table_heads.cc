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
  draw_band(sketch, {c.size.x0, c.size.x1}, {"Size"});
  sketch.text({c.method.x0, kBandBaseline}, Align::kLeft, bold(7.6), "Method");
  sketch.rule(c.size.x1, c.method.x1, kBandRule, 0.6, kInk);
  draw_band(sketch, c.memory, {"Peak memory, GiB", "Memory, GiB", "GiB"});
  draw_band(sketch, {c.gpus.front().x0, c.gpus.back().x1},
            {"How many GPUs, by type", "GPUs, by type", "GPUs"});
  draw_band(sketch, c.which, {"Which"});
  draw_band(sketch, c.rent, {"How long, how much to rent", "How much to rent"});
  draw_band(sketch, c.own_band, {"How much to own"});
  draw_band(sketch, c.advice, {"Rent or buy"});
}

void draw_right(Sketch& sketch, const Span& span, const std::string& upper,
                const std::string& lower, const Style& style = kHead) {
  sketch.text({span.x1, kLines[1]}, Align::kRight, style, upper);
  sketch.text({span.x1, kLines[2]}, Align::kRight, style, lower);
}

void draw_memory(Sketch& sketch, const Columns& c) {
  const auto column = [&](const Span& span, const char* upper) {
    sketch.text({span.x1, kLines[0]}, Align::kRight, kHead, upper);
    sketch.text({span.x1, kLines[1]}, Align::kRight, kHead, upper[0] == 'p' ? "GPU" : "GPUs");
  };
  column(c.per_gpu, "per");
  if (c.all_gpus) column(*c.all_gpus, "all");
  sketch.text({c.gpus.front().x0 - 2, kLines[2]}, Align::kRight, condensed(7, kGrey),
              "list $ per GPU-hour");
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
  draw_memory(sketch, columns);
  for (std::size_t i = 0; i < table.gpus.size(); ++i) {
    draw_gpu(sketch, columns.gpus[i], table.gpus[i]);
  }
  draw_left(sketch, columns.which.x0, "cheapest", "run that fits");
  draw_right(sketch, columns.hours, "hours", "a run");
  draw_right(sketch, columns.per_hour, "$", "per hour");
  draw_right(sketch, columns.per_run, "$", "per run", condensed_bold(7.2));
  if (columns.spot) draw_right(sketch, *columns.spot, "$ run,", "spot");
  if (columns.year) draw_right(sketch, *columns.year, "1 year,", "$/month");
  draw_right(sketch, columns.capex, "capex", "$ 000");
  draw_right(sketch, columns.own, "$ per", "month");
  if (columns.own_run) draw_right(sketch, *columns.own_run, "$ per", "run");
  if (columns.own_gpu_hour) draw_right(sketch, *columns.own_gpu_hour, "$ per", "GPU-h");
  draw_right(sketch, columns.break_even, "break-even", "h/month");
  draw_left(sketch, columns.advice.x0, "at " + table.planned_hours, "h/month");
  sketch.rule(metrics.text.x0, metrics.text.x1, kBodyRule, 0.6, kInk);
}

}  // namespace sizesheet::pdf
