// SPDX-License-Identifier: Apache-2.0
#include "sheet/worksheet_setups.h"

#include "cost/rent.h"
#include "sheet/rent_row.h"
#include "sizing/memory.h"

namespace sizesheet {
namespace {

/// The lowest current price of the answer's GPUs; nullopt where nobody rents them.
std::optional<MicroUsd> hourly(const Measured& of) {
  if (of.question.gpu == nullptr) return std::nullopt;
  const auto quote = cheapest_rent(of.prices, *of.question.gpu, of.job().layout.gpus());
  return quote ? std::optional(quote->usd_per_hour) : std::nullopt;
}

}  // namespace

std::optional<double> run_hours(const Measured& of) {
  if (!of.sizing.hours) return std::nullopt;
  return to_hours(round_hours(of.sizing.hours->mid));
}

std::optional<double> m_tokens_per_usd(const Measured& of) {
  const auto usd = hourly(of);
  if (!usd || !of.sizing.speed || of.sizing.plan.chosen.verdict == "no") return std::nullopt;
  constexpr double kSecondsAnHour = 3600;
  const double gpus = static_cast<double>(of.job().layout.gpus());
  return of.sizing.speed->tokens_per_second_per_gpu * gpus * kSecondsAnHour / to_usd(*usd) / 1e6;
}

void put_rent(const Measured& of, const std::string& column, SheetWorksheetRow& row) {
  const auto usd = hourly(of);
  if (!usd || of.sizing.plan.chosen.verdict == "no") return;
  if (column == "usd_per_hour") {
    row.usd[column] = *usd;
  } else if (of.sizing.hours) {
    row.usd[column] = run_cost(*usd, round_hours(of.sizing.hours->mid));
  }
}

void put_smallest_card(const Measured& of, SheetWorksheetRow& row) {
  const Gpu* smallest = nullptr;
  for (const auto& [id, gpu] : of.catalog.gpus) {
    const auto capacity = gpu.capacity_bytes();
    if (!capacity || gpu.unified_memory || !gpu.bf16) continue;
    if (smallest != nullptr && *capacity >= *smallest->capacity_bytes()) continue;
    if (verdict_of(of.bill().device, of.job().headroom, *capacity) == "fits") smallest = &gpu;
  }
  if (smallest != nullptr) row.words["smallest_card"] = smallest->short_name;
}

void put_cheapest_setup(const Measured& of, SheetWorksheetRow& row) {
  Json request = of.question.request;
  request.erase("layout");
  for (const std::string& id : of.spec.gpus) {
    request["gpu"] = id;
    const Question question = read_whole_question(request, of.catalog, of.catalog.engine.current);
    const Sizing one = answer(question);
    const auto usd = hourly({of.catalog, of.spec, of.prices, question, one});
    if (!usd || !one.plan.rentable) continue;
    const auto best = row.usd.find("setup_usd_per_hour");
    if (best != row.usd.end() && best->second <= *usd) continue;
    row.usd["setup_usd_per_hour"] = *usd;
    row.words["setup"] = question.gpu->short_name;
    row.figures["setup_gpus"] = static_cast<double>(*one.plan.rentable);
  }
}

}  // namespace sizesheet
