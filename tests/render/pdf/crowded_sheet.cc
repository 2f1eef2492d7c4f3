// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/crowded_sheet.h"

#include <cmath>

#include "render/sample_facts.h"
#include "render/sample_sheet.h"

namespace sizesheet::pdf {

namespace {

/// `all` repeated until there are `count`, the copies under ids of their own.
template <typename T>
std::vector<T> repeated(const std::vector<T>& all, std::size_t count) {
  std::vector<T> out;
  for (std::size_t i = 0; i < count; ++i) {
    out.push_back(all[i % all.size()]);
    if (i >= all.size()) out.back().id += "-" + std::to_string(i);
  }
  return out;
}

template <typename T>
const T& origin(const std::vector<T>& all, std::size_t i) {
  return all[i % all.size()];
}

/// The row of the sample that stands behind a cell, under the cell's ids.
void add_row(const Sheet& sample, Sheet& sheet, std::size_t model, std::size_t method,
             std::size_t gpu) {
  const std::string& scenario = sample.scenarios.front().id;
  const Row* row = sample.find(origin(sample.models, model).id, origin(sample.methods, method).id,
                               origin(sample.gpus, gpu).id, scenario);
  if (!row) return;
  sheet.rows.push_back(*row);
  sheet.rows.back().model = sheet.models[model].id;
  sheet.rows.back().method = sheet.methods[method].id;
  sheet.rows.back().gpu = sheet.gpus[gpu].id;
  if (auto& owned = sheet.rows.back().owned) owned->gpu = sheet.gpus[gpu].id;
}

/// The cheapest run among the rows of a model and method.
Pick pick_of(const Sheet& sheet, const std::string& model, const std::string& method) {
  Pick pick;
  pick.model = model;
  pick.method = method;
  pick.scenario = sheet.scenarios.front().id;
  const Row* best = nullptr;
  for (const Row& row : sheet.rows) {
    if (row.model != model || row.method != method || !row.rents[kOnDemand] || !row.rentable)
      continue;
    if (!best || row.rents[kOnDemand]->usd_per_run < best->rents[kOnDemand]->usd_per_run)
      best = &row;
  }
  if (best) pick.rent_key = best->key();
  return pick;
}

template <typename Change>
void each_money(Row& row, Change change) {
  for (std::optional<RentLine>* line :
       {&row.rents[kOnDemand], &row.rents[kSpot], &row.rents[kReserved1y]}) {
    if (!*line) continue;
    change((*line)->usd_per_hour);
    if ((*line)->usd_per_run) change(*(*line)->usd_per_run);
    if ((*line)->usd_per_month) change(*(*line)->usd_per_month);
  }
  if (!row.own) return;
  for (MicroUsd* usd :
       {&row.own->capex_usd, &row.own->own_usd_per_month, &row.own->own_usd_per_gpu_hour,
        &row.own->fixed_usd_per_month, &row.own->full_use_usd_per_month}) {
    change(*usd);
  }
  if (row.own->own_usd_per_run) change(*row.own->own_usd_per_run);
}

}  // namespace

Sheet crowded_sheet(std::size_t models, std::size_t methods, std::size_t gpus) {
  const Sheet& sample = sample_sheet();
  static const Sheet kWithoutRows = [&] {
    Sheet bare = sample;
    bare.scenarios.resize(1);
    bare.rows.clear();
    bare.picks.clear();
    return bare;
  }();
  Sheet sheet = kWithoutRows;
  sheet.models = repeated(sample.models, models);
  sheet.methods = repeated(sample.methods, methods);
  sheet.gpus = repeated(sample.gpus, gpus);
  for (std::size_t model = 0; model < models; ++model) {
    for (std::size_t method = 0; method < methods; ++method) {
      for (std::size_t gpu = 0; gpu < gpus; ++gpu) add_row(sample, sheet, model, method, gpu);
      sheet.picks.push_back(pick_of(sheet, sheet.models[model].id, sheet.methods[method].id));
    }
  }
  sheet.options.highlight_model = sheet.models.back().id;
  return sheet;
}

void magnify(Sheet& sheet, double factor) {
  for (Row& row : sheet.rows) {
    each_money(row, [&](MicroUsd& usd) {
      usd.value = std::llround(static_cast<double>(usd.value) * factor);
    });
    for (std::optional<double>* hours : {&row.hours_low, &row.hours_mid, &row.hours_high}) {
      if (*hours) **hours *= factor;
    }
  }
}

void take_prices(Sheet& sheet) {
  for (Row& row : sheet.rows) {
    row.rents = {};
    row.own.reset();
  }
  for (SheetGpu& gpu : sheet.gpus) gpu.list_usd_per_gpu_hour.reset();
  for (SheetPrice& price : sheet.prices) price.used = false;
  for (Pick& pick : sheet.picks) pick.rent_key = pick.buy_key = std::nullopt;
}

const SheetChanges& sample_changes() {
  static const SheetChanges kChanges =
      sample::value_from<SheetChanges>(sample::facts("changes.json").at("page"));
  return kChanges;
}

}  // namespace sizesheet::pdf
