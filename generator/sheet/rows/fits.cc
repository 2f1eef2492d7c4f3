// SPDX-License-Identifier: Apache-2.0
#include "sheet/rows/fits.h"

#include <algorithm>
#include <functional>

#include "catalog/catalog.h"
#include "catalog/facts/gpu.h"
#include "cost/rent.h"
#include "sheet/decision.h"
#include "sheet/rows/candidates.h"
#include "sheet/rows/price_row.h"
#include "sheet/rows/size_row.h"
#include "sheet/spec.h"
#include "sizing/advice/limits.h"
#include "sizing/answer/estimate.h"
#include "sizing/memory/verdict.h"
#include "sizing/model/parameters.h"
#include "sizing/request/layout_rules.h"
#include "sizing/request/question.h"
#include "sizing/search/search.h"
#include "support/error.h"
#include "support/json.h"
#include "support/parallel.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// One model with one method: a row, a refusal, or neither where it does not fit.
struct Sized {
  std::optional<FitRow> row;
  std::optional<FitRefusal> refusal;
};

/// The sheet's first scenario as the question has it, of every model, the largest first.
SheetSpec asked_of_all(const Catalog& catalog, SheetSpec spec, const FitsQuestion& question) {
  SpecScenario& scenario = spec.scenarios.front();
  scenario.stack = question.stack;
  scenario.request["workload"]["seq_len"] = question.seq_len;
  spec.max_gpus = question.gpus;
  spec.tokens = question.tokens;
  spec.adapter_tokens.reset();
  spec.models.clear();
  for (const auto& [id, model] : catalog.models) spec.models.push_back({id, "", ""});
  std::ranges::stable_sort(spec.models, std::greater<>(), [&](const SpecModel& model) {
    return count_parameters(catalog.model(model.id).architecture).total();
  });
  return spec;
}

std::string no_layout(const Question& question, std::int64_t gpus) {
  if (gpus > 1 && refuses_several(question)) {
    return "stack: " + question.stack->refused.at(question.kind + "+multi-gpu");
  }
  return "layout.gpus: no valid layout on " + std::to_string(gpus) + " GPUs";
}

Sized size_cell(const Catalog& catalog, const SheetSpec& spec, const LowestOffers& offers,
                const Cell& cell) {
  const std::string& model = cell.model->id;
  Sized sized;
  const auto refuse = [&](const std::string& reason) {
    sized.refusal = FitRefusal{model, cell.method, reason};
    return sized;
  };
  Json request = request_of(catalog, spec, cell);
  request["layout"]["gpus"] = spec.max_gpus;
  Faults faults;
  const Question question = read_question(request, catalog, catalog.engine.current, faults);
  if (!faults.empty()) return refuse(to_request_text(faults.all().front()));
  const auto chosen = fastest_or_best(question, spec.max_gpus);
  if (!chosen) return refuse(no_layout(question, spec.max_gpus));
  if (chosen->verdict == Verdict::kNo) return sized;
  const Limits limits = layout_limits(question, *chosen);
  FitRow& row = sized.row.emplace();
  row.model = model;
  row.method = cell.method;
  row.parameters = count_parameters(catalog.model(model).architecture).total();
  row.choices = choices_of(chosen->job);
  row.verdict = chosen->verdict;
  row.device = chosen->device();
  row.device_high = chosen->bill.device_high;
  row.certain = chosen->certain();
  row.layout = shape_of(chosen->job);
  row.largest_micro_batch = limits.micro_batch_power_of_two;
  row.seq_len = limits.seq_len;
  row.seq_len_beyond_positions = limits.seq_len_beyond_positions;
  row.hours = mid_hours(question, chosen->job);
  if (const auto open = question_of(catalog, spec, cell)) {
    row.frontier = frontier(candidates_of(cell.gpu, fastest_by_count(*open, plan(*open)), offers));
  }
  return sized;
}

void set_money(const Fits& fits, const FitsQuestion& question, FitRow& row) {
  if (fits.usd_per_hour && row.hours) {
    row.usd_per_run = run_cost(*fits.usd_per_hour, round_hours(*row.hours));
  }
  const auto exclude = [&](const auto& most, const auto& figure, const char* unknown,
                           const char* beyond) {
    if (most && !figure) row.excluded.emplace_back(unknown);
    if (most && figure && *figure > *most) row.excluded.emplace_back(beyond);
  };
  exclude(question.deadline_hours, row.hours, "hours unknown", "past the deadline");
  exclude(question.budget, row.usd_per_run, "cost unknown", "over the budget");
}

void check(const Catalog& catalog, const FitsQuestion& question) {
  if (!catalog.gpu(question.gpu).capacity_bytes()) {
    throw InputError("gpu: " + question.gpu +
                     ": its usable memory is not known, so nothing can be sized on it");
  }
  const std::string elsewhere =
      vendor_fault(catalog.stack(question.stack), catalog.gpu(question.gpu));
  if (!elsewhere.empty()) throw InputError("stack: " + elsewhere);
}

}  // namespace

bool Fits::any() const {
  return std::any_of(rows.begin(), rows.end(),
                     [](const FitRow& row) { return row.excluded.empty(); });
}

std::vector<std::string> methods_in_order(const Catalog& catalog, const SheetSpec& policy) {
  std::vector<std::string> methods = policy.methods;
  std::erase_if(methods, [&](const std::string& id) { return !catalog.methods.contains(id); });
  const bool one = catalog.methods.size() == 1;  // which was asked for
  for (const auto& [id, method] : catalog.methods) {
    if (!contains(methods, id) && (one || method.fine_tunes())) methods.push_back(id);
  }
  return methods;
}

Fits what_fits(const Catalog& catalog, const SheetSpec& policy, const FitsQuestion& question,
               int jobs) {
  check(catalog, question);
  const Gpu& gpu = catalog.gpu(question.gpu);
  Fits fits;
  fits.capacity = gpu.capacity_bytes().value_or(0);
  const CurrentPrices prices(catalog.prices, policy_of(policy, "on_demand"));
  if (const auto quote = cheapest_rent(prices, gpu, question.gpus)) {
    fits.usd_per_hour = quote->usd_per_hour;
    fits.price_key = quote->price->key();
  }
  const LowestOffers offers(catalog, prices, {question.gpu}, question.gpus,
                            policy.pick_rules.exposure_share);
  const SheetSpec spec = asked_of_all(catalog, policy, question);
  std::vector<Cell> cells;
  for (const std::string& method : methods_in_order(catalog, policy)) {
    for (const SpecModel& model : spec.models) {
      cells.push_back({&model, method, question.gpu, &spec.scenarios.front()});
    }
  }
  std::vector<Sized> sized(cells.size());
  for_each_index(cells.size(), jobs,
                 [&](std::size_t i) { sized[i] = size_cell(catalog, spec, offers, cells[i]); });
  for (Sized& one : sized) {
    if (one.refusal) fits.refused.push_back(std::move(*one.refusal));
    if (!one.row && !one.refusal) ++fits.too_large;
    if (!one.row) continue;
    set_money(fits, question, *one.row);
    fits.rows.push_back(std::move(*one.row));
  }
  return fits;
}

}  // namespace sizesheet
