// SPDX-License-Identifier: Apache-2.0
#include "sheet/build/fits.h"

#include <algorithm>

#include "cost/rent.h"
#include "sheet/build/rows.h"
#include "sizing/estimate.h"
#include "support/parallel.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// One model with one method: a row, a refusal, or neither where it does not fit.
struct Sized {
  std::optional<FitRow> row;
  std::optional<FitRefusal> refusal;
};

struct Pair {
  const Model* model;
  std::string method;
};

/// As the sheet asks its first scenario, but for what the question says.
Json request_of(const SheetSpec& policy, const FitsQuestion& question, const Pair& pair,
                const Method& method) {
  Json request = policy.scenarios.front().request;
  request["model"] = pair.model->id;
  request["method"] = pair.method;
  request["gpu"] = question.gpu;
  request["stack"] = question.stack;
  request["headroom"] = policy.headroom;
  request["workload"]["seq_len"] = question.seq_len;
  ask_run(method, question.tokens, request);
  request["max_gpus"] = question.gpus;
  return request;
}

/// Those of so many GPUs and fewer; `request` leaves the count open.
std::vector<RunCandidate> frontier_of(const Catalog& catalog, const Json& request,
                                      const LowestOffers& offers) {
  Faults faults;
  const Question question = read_question(request, catalog, catalog.engine.current, faults);
  if (!faults.empty()) return {};
  return frontier(
      candidates_of(question.gpu->id, fastest_by_count(question, plan(question)), offers));
}

std::string no_layout(const Question& question, std::int64_t gpus) {
  if (gpus > 1 && refuses_several(question)) {
    return "stack: " + question.stack->refused.at(question.kind + "+multi-gpu");
  }
  return "layout.gpus: no valid layout on " + std::to_string(gpus) + " GPUs";
}

Sized size_pair(const Catalog& catalog, const SheetSpec& policy, const LowestOffers& offers,
                const FitsQuestion& asked, const Pair& pair) {
  Sized sized;
  const auto refuse = [&](const std::string& reason) {
    sized.refusal = FitRefusal{pair.model->id, pair.method, reason};
    return sized;
  };
  const Json open = request_of(policy, asked, pair, catalog.method(pair.method));
  Json request = open;
  request["layout"]["gpus"] = asked.gpus;
  Faults faults;
  const Question question = read_question(request, catalog, catalog.engine.current, faults);
  if (!faults.empty()) return refuse(to_request_text(faults.all().front()));
  const auto chosen = fastest_or_best(question, asked.gpus);
  if (!chosen) return refuse(no_layout(question, asked.gpus));
  if (chosen->verdict == Verdict::kNo) return sized;
  FitRow row;
  row.model = pair.model->id;
  row.method = pair.method;
  row.parameters = count_parameters(pair.model->architecture).total();
  row.verdict = chosen->verdict;
  row.device = chosen->device();
  row.layout = shape_of(chosen->job);
  const Limits limits = layout_limits(question, *chosen);
  row.micro_batch = limits.micro_batch_power_of_two;
  row.seq_len = limits.seq_len;
  row.seq_len_beyond_positions = limits.seq_len_beyond_positions;
  row.hours = mid_hours(question, chosen->job);
  row.frontier = frontier_of(catalog, open, offers);
  sized.row = std::move(row);
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

/// Method by method, the largest model first.
std::vector<Pair> pairs_of(const Catalog& catalog, const SheetSpec& policy) {
  std::vector<std::pair<std::int64_t, const Model*>> models;
  for (const auto& [id, model] : catalog.models) {
    models.emplace_back(count_parameters(model.architecture).total(), &model);
  }
  std::stable_sort(models.begin(), models.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Pair> pairs;
  for (const std::string& method : methods_in_order(catalog, policy)) {
    for (const auto& [parameters, model] : models) pairs.push_back({model, method});
  }
  return pairs;
}

void check(const Catalog& catalog, const FitsQuestion& question) {
  if (!catalog.gpu(question.gpu).capacity_bytes()) {
    throw InputError("gpu: " + question.gpu +
                     ": its usable memory is not known, so nothing can be sized on it");
  }
  catalog.stack(question.stack);
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
  const std::vector<Pair> pairs = pairs_of(catalog, policy);
  std::vector<Sized> sized(pairs.size());
  for_each_index(pairs.size(), jobs, [&](std::size_t i) {
    sized[i] = size_pair(catalog, policy, offers, question, pairs[i]);
  });
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
