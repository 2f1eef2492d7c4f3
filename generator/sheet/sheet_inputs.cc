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

/// Every row for the sheet's GPUs, and the providers and rates of exchange behind them.
void put_prices(const Catalog& catalog, const SheetSpec& spec, Json& inputs) {
  std::set<std::string> providers;
  std::map<std::string, Json> rates;
  for (const Price& price : catalog.prices) {
    if (!is_listed(spec.gpus, price.gpu)) continue;
    inputs["prices"].push_back(price.raw);
    inputs["prices"].back()["provider"] = price.provider;
    providers.insert(price.provider);
    if (price.asked) {
      rates[price.asked->currency + price.asked->rate.date] = price.asked->rate.raw;
    }
  }
  for (const Provider& provider : catalog.providers) {
    if (providers.contains(provider.id)) inputs["providers"].push_back(provider.raw);
  }
  for (const auto& [day, rate] : rates) inputs["exchange"].push_back(rate);
  if (!rates.empty()) inputs["exchange_max_age_days"] = catalog.exchange.max_age_days;
}

void put_purchase(const Catalog& catalog, const SheetSpec& spec, Json& inputs) {
  for (const PurchaseNode& node : catalog.purchase.nodes) {
    if (is_listed(spec.gpus, node.gpu)) inputs["purchase_nodes"].push_back(node.raw);
  }
  for (const auto& [role, id] : spec.ownership.rates()) {
    inputs["rates"].push_back(catalog.purchase.rate(id).raw);
  }
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
  inputs["sheet"] = spec.raw.is_object() ? spec.raw : Json::object();
  inputs["sheet"]["as_of"] = spec.as_of;
  return inputs;
}

}  // namespace sizesheet
