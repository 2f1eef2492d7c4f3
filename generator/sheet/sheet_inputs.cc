// SPDX-License-Identifier: Apache-2.0
#include "sheet/sheet_inputs.h"

#include <algorithm>
#include <set>

namespace sizesheet {
namespace {

void put_sized(const Catalog& catalog, const SheetSpec& spec, Json& inputs) {
  for (const SpecModel& model : spec.models) {
    inputs["models"].push_back(catalog.model(model.id).raw);
  }
  for (const std::string& id : spec.methods) inputs["methods"].push_back(catalog.method(id).raw);
  for (const std::string& id : spec.gpus) inputs["gpus"].push_back(catalog.gpu(id).raw);
  std::set<std::string> stacks;
  for (const SpecScenario& scenario : spec.scenarios) {
    if (stacks.insert(scenario.stack).second) {
      inputs["stacks"].push_back(catalog.stack(scenario.stack).raw);
    }
    inputs["scenarios"].push_back({{"id", scenario.id}, {"request", scenario.request}});
  }
  inputs["engine"] = catalog.engine.raw;
  inputs["intervals"] = catalog.intervals.raw;
  inputs["speed_intervals"] = catalog.speed_intervals.raw;
}

/// Every row for the sheet's GPUs, and the providers behind them.
void put_prices(const Catalog& catalog, const SheetSpec& spec, Json& inputs) {
  std::set<std::string> providers;
  for (const Price& price : catalog.prices) {
    if (!is_listed(spec.gpus, price.gpu)) continue;
    inputs["prices"].push_back(price_row(price));
    inputs["prices"].back()["provider"] = price.provider;
    providers.insert(price.provider);
  }
  for (const Provider& provider : catalog.providers) {
    if (providers.contains(provider.id)) inputs["providers"].push_back(provider.raw);
  }
}

void put_purchase(const Catalog& catalog, const SheetSpec& spec, Json& inputs) {
  for (const PurchaseNode& node : catalog.purchase.nodes) {
    if (is_listed(spec.gpus, node.gpu)) inputs["purchase_nodes"].push_back(node.raw);
  }
  for (const auto& [role, id] : spec.ownership.rates()) {
    inputs["rates"].push_back(catalog.purchase.rate(id).raw);
  }
}

/// What prices of the sheet's GPUs and rates in use were converted by, each once.
void put_exchange(const Catalog& catalog, const SheetSpec& spec, Json& inputs) {
  std::map<std::string, Json> used;
  const auto use = [&used](const ExchangeRate& rate) {
    used[rate.currency + rate.date] = rate.raw;
  };
  for (const Price& price : catalog.prices) {
    if (price.asked && is_listed(spec.gpus, price.gpu)) use(price.asked->rate);
  }
  for (const auto& [role, id] : spec.ownership.rates()) {
    if (const auto& exchange = catalog.purchase.rate(id).exchange) use(*exchange);
  }
  for (const auto& [day, rate] : used) inputs["exchange"].push_back(rate);
  if (!used.empty()) inputs["exchange_max_age_days"] = catalog.exchange.max_age_days;
}

}  // namespace

bool is_listed(const std::vector<std::string>& ids, const std::string& id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

Json inputs_of(const Catalog& catalog, const SheetSpec& spec) {
  Json inputs = Json::object();
  put_sized(catalog, spec, inputs);
  put_prices(catalog, spec, inputs);
  put_purchase(catalog, spec, inputs);
  put_exchange(catalog, spec, inputs);
  inputs["sheet"] = spec.raw.is_object() ? spec.raw : Json::object();
  inputs["sheet"]["as_of"] = spec.as_of;
  return inputs;
}

}  // namespace sizesheet
