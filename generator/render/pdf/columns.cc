// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/columns.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "support/error.h"
#include "support/text.h"

namespace sizesheet::pdf {

namespace {

constexpr double kNarrowestGpu = 25;  // a boxed count with its triangle
constexpr double kHeadRoom = 2.5;     // around a GPU's name
double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

using Width = double ColumnWidths::*;

/// Everything but the GPU types; `count` is a part of `which`.
constexpr Width kWidths[] = {
    &ColumnWidths::size,       &ColumnWidths::method_gap,   &ColumnWidths::method,
    &ColumnWidths::memory_gap, &ColumnWidths::per_gpu,      &ColumnWidths::all_gpus,
    &ColumnWidths::gpus_gap,   &ColumnWidths::which_gap,    &ColumnWidths::which,
    &ColumnWidths::rent_gap,   &ColumnWidths::hours,        &ColumnWidths::per_hour,
    &ColumnWidths::per_run,    &ColumnWidths::spot,         &ColumnWidths::year,
    &ColumnWidths::own_gap,    &ColumnWidths::capex,        &ColumnWidths::own,
    &ColumnWidths::own_run,    &ColumnWidths::own_gpu_hour, &ColumnWidths::break_even,
    &ColumnWidths::advice_gap, &ColumnWidths::advice};

double sum(const ColumnWidths& widths) {
  double total = 0;
  for (const Width width : kWidths) total += widths.*width;
  return total;
}

/// Gives room that is left to every column alike, up to its natural width.
void loosen(ColumnWidths& widths, const ColumnWidths& natural, double room) {
  double wanted = 0;
  for (const Width width : kWidths) {
    if (widths.*width > 0) wanted += std::max(0.0, natural.*width - widths.*width);
  }
  if (wanted <= 0) return;
  const double share = std::min(1.0, room / wanted);
  for (const Width width : kWidths) {
    if (widths.*width > 0) {
      widths.*width += share * std::max(0.0, natural.*width - widths.*width);
    }
  }
}

struct GivesWay {
  Width width;
  const char* name;
  const char* brief;
};

/// In this order: what another column or the site says as well goes first.
constexpr GivesWay kGiveWay[] = {{&ColumnWidths::own_gpu_hour, "own $ per GPU-hour", "own $/GPU-h"},
                                 {&ColumnWidths::year, "one-year rent", "1 year"},
                                 {&ColumnWidths::own_run, "own $ per run", "own $/run"},
                                 {&ColumnWidths::all_gpus, "memory of all GPUs", "all GPUs"},
                                 {&ColumnWidths::spot, "spot prices", "spot"}};

/// What was decided before anything is placed.
struct Plan {
  ColumnWidths widths;
  std::vector<double> gpus;
  std::vector<std::string> left_out;
  std::vector<std::string> left_out_brief;
};

Plan without(const ColumnWidths& widths, std::size_t dropped, bool year) {
  Plan plan{widths, {}, {}, {}};
  if (!year) plan.widths.year = 0;
  for (std::size_t i = 0; i < dropped; ++i) {
    double& width = plan.widths.*kGiveWay[i].width;
    if (width > 0) {
      plan.left_out.emplace_back(kGiveWay[i].name);
      plan.left_out_brief.emplace_back(kGiveWay[i].brief);
    }
    width = 0;
  }
  return plan;
}

/// Columns narrow before one gives way, and give way one by one; the first that suffices.
Plan plan_for(const PageMetrics& metrics, const std::vector<double>& heads, bool year) {
  std::vector<double> natural;
  for (const double head : heads) natural.push_back(std::max(kNarrowestGpu, head + kHeadRoom));
  const std::vector<double> narrow(heads.size(), kNarrowestGpu);
  const std::vector<double>* candidates[] = {&natural, &narrow};
  const double room = metrics.text.width();
  for (std::size_t dropped = 0; dropped <= std::size(kGiveWay); ++dropped) {
    for (const ColumnWidths* widths : {&metrics.columns, &metrics.tight_columns}) {
      for (const std::vector<double>* gpus : candidates) {
        if (widths == &metrics.columns && gpus == &narrow) continue;
        Plan plan = without(*widths, dropped, year);
        plan.gpus = *gpus;
        const double left = room - sum(plan.widths) - sum(plan.gpus);
        if (left < -1e-9) continue;
        loosen(plan.widths, metrics.columns, left);
        return plan;
      }
    }
  }
  const double left = room - sum(without(metrics.tight_columns, std::size(kGiveWay), year).widths);
  throw InputError("table: " + std::to_string(heads.size()) + " GPU types need " +
                   format_number(sum(narrow), 0) + " pt, " + format_number(left, 0) + " pt free; " +
                   std::to_string(static_cast<int>(left / kNarrowestGpu)) + " types fit");
}

/// Hands out spans from left to right.
class Cursor {
 public:
  explicit Cursor(double x) : x_(x) {}
  Span take(double width) {
    x_ += width;
    return {x_ - width, x_};
  }
  void skip(double width) { x_ += width; }

 private:
  double x_;
};

void place_gpus(Columns& columns, Cursor& cursor, const Plan& plan, double room) {
  const auto count = static_cast<double>(plan.gpus.size());
  const double spare = (room - sum(plan.widths) - sum(plan.gpus)) / count;
  for (const double width : plan.gpus) columns.gpus.push_back(cursor.take(width + spare));
}

std::optional<Span> take_optional(Cursor& cursor, double width) {
  return width > 0 ? std::optional<Span>(cursor.take(width)) : std::nullopt;
}

void place_rent(Columns& columns, Cursor& cursor, const ColumnWidths& w) {
  columns.hours = cursor.take(w.hours);
  columns.per_hour = cursor.take(w.per_hour);
  columns.per_run = cursor.take(w.per_run);
  columns.spot = take_optional(cursor, w.spot);
  columns.year = take_optional(cursor, w.year);
  columns.rent = {columns.hours.x0,
                  columns.hours.x0 + w.hours + w.per_hour + w.per_run + w.spot + w.year};
}

void place_own(Columns& columns, Cursor& cursor, const ColumnWidths& w) {
  columns.capex = cursor.take(w.capex);
  columns.own = cursor.take(w.own);
  columns.own_run = take_optional(cursor, w.own_run);
  columns.own_gpu_hour = take_optional(cursor, w.own_gpu_hour);
  columns.break_even = cursor.take(w.break_even);
  columns.own_band = {columns.capex.x0, columns.break_even.x1};
}

}  // namespace

Columns place_columns(const PageMetrics& metrics, const std::vector<double>& head_widths,
                      bool year) {
  const Plan plan = plan_for(metrics, head_widths, year);
  const ColumnWidths& w = plan.widths;
  Columns columns;
  Cursor cursor(metrics.text.x0);
  columns.size = cursor.take(w.size);
  cursor.skip(w.method_gap);
  columns.method = cursor.take(w.method);
  cursor.skip(w.memory_gap);
  columns.per_gpu = cursor.take(w.per_gpu);
  columns.all_gpus = take_optional(cursor, w.all_gpus);
  columns.memory = {columns.per_gpu.x0, columns.per_gpu.x1 + w.all_gpus};
  cursor.skip(w.gpus_gap);
  place_gpus(columns, cursor, plan, metrics.text.width());
  cursor.skip(w.which_gap);
  columns.which = cursor.take(w.which);
  columns.count_right = columns.which.x0 + w.count;
  cursor.skip(w.rent_gap);
  place_rent(columns, cursor, w);
  cursor.skip(w.own_gap);
  place_own(columns, cursor, w);
  cursor.skip(w.advice_gap);
  columns.advice = cursor.take(w.advice);
  columns.left_out = plan.left_out;
  columns.left_out_brief = plan.left_out_brief;
  return columns;
}

}  // namespace sizesheet::pdf
