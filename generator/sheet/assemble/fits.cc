// SPDX-License-Identifier: Apache-2.0
#include "sheet/assemble/fits.h"

#include <algorithm>
#include <functional>

#include "catalog/catalog.h"
#include "catalog/facts/gpu.h"
#include "cost/rent.h"
#include "sheet/assemble/build_sheet.h"
#include "sheet/decision.h"
#include "sheet/rows/cells.h"
#include "sheet/rows/picked_rent.h"
#include "sheet/rows/price_row.h"
#include "sheet/rows/size_row.h"
#include "sheet/spec.h"
#include "sizing/memory/verdict.h"
#include "sizing/model/parameters.h"
#include "sizing/request/question.h"
#include "support/error.h"
#include "support/json.h"
#include "support/parallel.h"
#include "support/text.h"

namespace sizesheet {
namespace {

std::int64_t parameters_of(const Catalog& catalog, const std::string& model) {
  return count_parameters(catalog.model(model).architecture).total();
}

/// The grid of a large sweep for one GPU type and the scenario's own length.
GridAxes axes_of(const Catalog& catalog, const SheetSpec& rules, const std::string& gpu) {
  GridAxes axes;
  axes.rules = rules;
  axes.methods = methods_in_order(catalog, rules);
  axes.gpus = {gpu};
  const Json& request = rules.scenarios.front().request;
  axes.seq_lens = {request.at("workload").at("seq_len").get<std::int64_t>()};
  axes.models = keys_of(catalog.models);
  std::ranges::stable_sort(axes.models, std::greater<>(),
                           [&](const std::string& model) { return parameters_of(catalog, model); });
  return axes;
}

FitRow fit_of(const Catalog& catalog, FixedRow&& sized) {
  const Row& row = sized.row;
  FitRow fit;
  fit.model = row.model;
  fit.method = row.method;
  fit.parameters = parameters_of(catalog, row.model);
  fit.choices = row.choices;
  fit.verdict = row.verdict;
  fit.device = row.memory.device;
  fit.device_high = row.device_high;
  fit.certain = row.certain();
  fit.layout = row.layout;
  fit.largest_micro_batch = sized.limits.micro_batch_power_of_two;
  fit.seq_len = sized.limits.seq_len;
  fit.seq_len_beyond_positions = sized.limits.seq_len_beyond_positions;
  fit.hours = row.hours_mid;
  fit.usd_per_run = row.usd_per_run();
  if (row.rents[kOnDemand])
    fit.usd_per_million_tokens = row.rents[kOnDemand]->usd_per_million_tokens;
  fit.frontier = std::move(sized.frontier);
  return fit;
}

/// What is not known never passes.
void exclude(const SheetSpec& rules, const std::optional<MicroUsd>& budget, FitRow& row) {
  const auto hold = [&](const auto& most, const auto& figure, const char* unknown,
                        const char* beyond) {
    if (most && !figure) row.excluded.emplace_back(unknown);
    if (most && figure && *figure > *most) row.excluded.emplace_back(beyond);
  };
  hold(rules.deadline_hours, row.hours, "hours unknown", "past the deadline");
  hold(budget, row.usd_per_run, "cost unknown", "over the budget");
}

void check(const Catalog& catalog, const SheetSpec& rules, const std::string& gpu) {
  if (!catalog.gpu(gpu).capacity_bytes()) {
    throw InputError("gpu: " + gpu +
                     ": its usable memory is not known, so nothing can be sized on it");
  }
  const std::string elsewhere =
      vendor_fault(catalog.stack(rules.scenarios.front().stack), catalog.gpu(gpu));
  if (!elsewhere.empty()) throw InputError("stack: " + elsewhere);
}

void set_price(const Catalog& catalog, const SheetSpec& rules, const Gpu& gpu, Fits& fits) {
  const CurrentPrices prices(catalog.prices, policy_of(rules, "on_demand"), catalog.price_age);
  const auto quote = picked_rent(prices, gpu, rules.max_gpus, rules.pick_rules);
  if (!quote) return;
  fits.usd_per_hour = quote->usd_per_hour;
  fits.price_key = quote->price->key();
}

}  // namespace

bool Fits::any() const {
  return std::any_of(rows.begin(), rows.end(),
                     [](const FitRow& row) { return row.excluded.empty(); });
}

Fits what_fits(const Catalog& catalog, const SheetSpec& rules, const std::string& gpu,
               std::optional<MicroUsd> budget, int jobs) {
  check(catalog, rules, gpu);
  Fits fits;
  fits.capacity = catalog.gpu(gpu).capacity_bytes().value_or(0);
  set_price(catalog, rules, catalog.gpu(gpu), fits);
  const GridAxes axes = axes_of(catalog, rules, gpu);
  const Grid grid(catalog, axes);
  const std::size_t models = axes.models.size();
  const std::size_t methods = axes.methods.size();
  std::vector<FixedRow> sized(models * methods);
  // The grid goes model by model, this answer method by method.
  for_each_index(sized.size(), jobs, [&](std::size_t i) {
    sized[i] = grid.fixed_row(static_cast<std::int64_t>(i % models * methods + i / models));
  });
  for (FixedRow& one : sized) {
    const Row& row = one.row;
    if (!row.modelled) {
      fits.refused.push_back({row.model, row.method, row.refusal});
    } else if (row.verdict == Verdict::kNo) {
      ++fits.too_large;
    } else {
      exclude(rules, budget, fits.rows.emplace_back(fit_of(catalog, std::move(one))));
    }
  }
  return fits;
}

}  // namespace sizesheet
