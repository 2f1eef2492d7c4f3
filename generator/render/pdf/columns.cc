// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/columns.h"

#include <algorithm>
#include <numeric>

#include "support/error.h"
#include "support/text.h"

namespace sizesheet::pdf {

namespace {

constexpr double kNarrowestGpu = 25;  // a boxed count with its triangle
constexpr double kHeadRoom = 2.5;     // around a GPU's name
constexpr double kNarrowGap = 9;      // below 8 two bands read as one

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// Gives up to `wanted` of a gap away; returns what it gave.
double narrow(double& gap) {
  const double given = std::max(0.0, gap - kNarrowGap);
  gap -= given;
  return given;
}

/// What was decided before anything is placed.
struct Plan {
  ColumnWidths widths;
  std::vector<double> gpus;
  bool all_gpus = true;
  bool spot = true;
};

/// Each step wins room for GPU types and loses a little; stops at the first that suffices.
Plan plan_for(const PageMetrics& metrics, const std::vector<double>& heads) {
  Plan plan{metrics.columns, {}, true, true};
  ColumnWidths& w = plan.widths;
  for (const double head : heads) plan.gpus.push_back(std::max(kNarrowestGpu, head + kHeadRoom));
  if (sum(plan.gpus) <= w.gpus) return plan;
  plan.gpus.assign(heads.size(), kNarrowestGpu);
  for (double* gap : {&w.gpus_gap, &w.which_gap, &w.rent_gap, &w.own_gap, &w.advice_gap}) {
    w.gpus += narrow(*gap);
  }
  if (sum(plan.gpus) <= w.gpus) return plan;
  plan.all_gpus = false;
  w.gpus += w.all_gpus;
  if (sum(plan.gpus) <= w.gpus) return plan;
  plan.spot = false;
  w.gpus += w.spot;
  if (sum(plan.gpus) <= w.gpus) return plan;
  throw InputError("table: " + std::to_string(heads.size()) + " GPU types need " +
                   format_number(sum(plan.gpus), 0) + " pt, " + format_number(w.gpus, 0) +
                   " pt free; " + std::to_string(static_cast<int>(w.gpus / kNarrowestGpu)) +
                   " types fit");
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

void place_gpus(Columns& columns, Cursor& cursor, const Plan& plan) {
  const auto count = static_cast<double>(plan.gpus.size());
  const double spare = (plan.widths.gpus - sum(plan.gpus)) / count;
  for (const double width : plan.gpus) columns.gpus.push_back(cursor.take(width + spare));
}

void place_rent(Columns& columns, Cursor& cursor, const Plan& plan) {
  columns.hours = cursor.take(plan.widths.hours);
  columns.per_hour = cursor.take(plan.widths.per_hour);
  columns.per_run = cursor.take(plan.widths.per_run);
  if (plan.spot) {
    columns.spot = cursor.take(plan.widths.spot);
  } else {
    columns.left_out.push_back("spot prices");
  }
  columns.rent = {columns.hours.x0, columns.spot ? columns.spot->x1 : columns.per_run.x1};
}

}  // namespace

Columns place_columns(const PageMetrics& metrics, const std::vector<double>& head_widths) {
  const Plan plan = plan_for(metrics, head_widths);
  const ColumnWidths& w = plan.widths;
  Columns columns;
  Cursor cursor(metrics.text.x0);
  columns.size = cursor.take(w.size);
  cursor.skip(w.method_gap);
  columns.method = cursor.take(w.method);
  cursor.skip(w.memory_gap);
  columns.per_gpu = cursor.take(w.per_gpu);
  if (plan.all_gpus) {
    columns.all_gpus = cursor.take(w.all_gpus);
  } else {
    columns.left_out.push_back("memory of all GPUs");
  }
  columns.memory = {columns.per_gpu.x0,
                    columns.all_gpus ? columns.all_gpus->x1 : columns.per_gpu.x1};
  cursor.skip(w.gpus_gap);
  place_gpus(columns, cursor, plan);
  cursor.skip(w.which_gap);
  columns.which = cursor.take(w.which);
  columns.count_right = columns.which.x0 + w.count;
  cursor.skip(w.rent_gap);
  place_rent(columns, cursor, plan);
  cursor.skip(w.own_gap);
  columns.capex = cursor.take(w.capex);
  columns.own = cursor.take(w.own);
  columns.break_even = cursor.take(w.break_even);
  columns.own_band = {columns.capex.x0, columns.break_even.x1};
  cursor.skip(w.advice_gap);
  columns.advice = cursor.take(w.advice);
  return columns;
}

}  // namespace sizesheet::pdf
