// SPDX-License-Identifier: Apache-2.0
#include "render/plan_charts.h"

#include <algorithm>
#include <array>

#include "render/charts.h"
#include "render/phrases.h"
#include "sheet/plan.h"
#include "sheet/sheet.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

struct Payment {
  const char* words;
  MicroUsd (*usd)(const PlanMonthLine& month);
};

constexpr auto kPayments = std::to_array<Payment>({
    {"machines", [](const PlanMonthLine& month) { return month.machines_usd; }},
    {"on demand", [](const PlanMonthLine& month) { return month.on_demand_usd; }},
    {"reserved", [](const PlanMonthLine& month) { return month.reserved_usd + month.block_usd; }},
    {"spot", [](const PlanMonthLine& month) { return month.spot_usd; }},
    {"energy of runs on machines", [](const PlanMonthLine& month) { return month.energy_usd; }},
});
static_assert(kPayments.size() <= AmountBars::kMostParts);

/// "$4,477"; "$4,477 to $5,632".
std::string range_words(MicroUsd low, MicroUsd high) {
  const std::string from = "$" + whole_usd(low);
  return whole_usd(low) == whole_usd(high) ? from : from + " to $" + whole_usd(high);
}

/// By kind of run, those beyond the last part together.
std::vector<double> gpu_hours_in(const SheetPlan& plan, const PlanPoolLine& pool) {
  std::vector<double> hours(std::min(plan.kinds.size(), AmountBars::kMostParts));
  for (const PlanAssignmentLine& one : plan.assignments) {
    if (one.pool != pool.id) continue;
    const std::size_t part = std::min(static_cast<std::size_t>(one.kind), hours.size() - 1);
    hours[part] += one.runs * one.hours * static_cast<double>(one.gpus);
  }
  return hours;
}

/// A place with units says how far it is used, one by the hour how long.
AmountBar use_bar(const SheetPlan& plan, const PlanPoolLine& pool) {
  AmountBar bar{pool.title, pool.used_gpu_hours, format_number(pool.used_gpu_hours, 0) + "\u00a0h"};
  bar.parts = gpu_hours_in(plan, pool);
  if (!pool.used_share) return bar;
  bar.words = format_number(100 * *pool.used_share, 0) + "\u00a0% used";
  if (*pool.used_share > 0) bar.limit = pool.used_gpu_hours / *pool.used_share;
  return bar;
}

}  // namespace

Chart plan_months_chart(const SheetPlan& plan) {
  AmountBars body;
  std::vector<std::string> sentences;
  const auto is_paid = [&](const Payment& payment) {
    return std::ranges::any_of(
        plan.months, [&](const PlanMonthLine& month) { return payment.usd(month).value > 0; });
  };
  for (const Payment& payment : kPayments) {
    if (is_paid(payment)) body.parts.emplace_back(payment.words);
  }
  for (const PlanMonthLine& month : plan.months) {
    AmountBar bar{"Month " + format_integer(month.month + 1), to_usd(month.usd),
                  "$" + whole_usd(month.usd)};
    for (const Payment& payment : kPayments) {
      if (is_paid(payment)) bar.parts.push_back(to_usd(payment.usd(month)));
    }
    sentences.push_back(bar.label + " " + bar.words);
    body.bars.push_back(std::move(bar));
  }
  const auto [low, high] = std::ranges::minmax(plan.months, {}, &PlanMonthLine::usd);
  return {"plan-months", "What each month costs, $",
          "A month costs " + range_words(low.usd, high.usd) + ".", join(sentences, ", ") + ".",
          std::move(body)};
}

Chart plan_use_chart(const Sheet& sheet, const SheetPlan& plan) {
  AmountBars body;
  body.above = true;
  std::vector<std::string> sentences;
  for (const PlanKindLine& kind : plan.kinds) {
    body.parts.push_back(sheet.model(kind.model).size + " " +
                         sheet.method(kind.method).short_title);
  }
  if (body.parts.size() > AmountBars::kMostParts) {
    body.parts.resize(AmountBars::kMostParts);
    body.parts.back() = "other kinds";
  }
  for (const PlanPoolLine& pool : plan.pools) {
    body.bars.push_back(use_bar(plan, pool));
    sentences.push_back(body.bars.back().label + " " + body.bars.back().words);
  }
  return {"plan-use", "GPU-hours of all months, by machine and job", "",
          join(sentences, "; ") + ".", std::move(body)};
}

}  // namespace sizesheet
