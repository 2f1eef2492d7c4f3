// SPDX-License-Identifier: Apache-2.0
#include "cli/list_tables.h"

#include <algorithm>
#include <map>

#include "catalog/catalog.h"
#include "catalog/prices/price.h"
#include "catalog/prices/provider.h"
#include "catalog/prices/service.h"
#include "cli/area_names.h"
#include "cli/sheet_choice.h"
#include "cost/rent.h"
#include "render/phrases.h"
#include "sheet/money.h"
#include "sheet/rows/price_row.h"
#include "sheet/spec.h"
#include "sizing/model/parameters.h"
#include "support/json.h"
#include "support/money.h"
#include "support/object_text.h"
#include "support/text.h"

namespace sizesheet {
namespace {

ListTable models(const Catalog& facts, const ListOptions& asked) {
  ListTable list{{"id", "parameters", "title", "layers", "hidden_size"}, {}};
  for (const auto& [id, model] : facts.models) {
    const std::int64_t count = count_parameters(model.architecture).total();
    const auto size = static_cast<double>(count);
    if (size < asked.least_parameters.value_or(size)) continue;
    if (size > asked.most_parameters.value_or(size)) continue;
    const std::int64_t layers = model.architecture.layers();
    const std::int64_t hidden = model.architecture.hidden;
    list.rows.push_back({id,
                         {count, std::to_string(count)},
                         model.title,
                         {layers, std::to_string(layers)},
                         {hidden, std::to_string(hidden)}});
  }
  return list;
}

ListTable gpus(const Catalog& facts, const ListOptions& asked) {
  ListTable list{
      {"id", "usable_bytes", "name", "bf16_dense_tflops", "bandwidth_gb_per_s", "vendor"}, {}};
  const auto figure = [](const std::optional<double>& value) {
    return value ? ListCell(*value, shortest(*value)) : ListCell(nullptr, std::string(kAbsent));
  };
  for (const auto& [id, gpu] : facts.gpus) {
    if (gpu.memory_gb < asked.least_memory.value_or(0)) continue;
    const auto capacity = gpu.capacity_bytes();
    const ListCell usable = capacity ? ListCell(*capacity, format_gib(*capacity, 1) + " GiB")
                                     : ListCell(nullptr, std::string(kAbsent));
    list.rows.push_back({id, usable, gpu.name, figure(gpu.bf16_dense_tflops),
                         figure(gpu.bandwidth_gb_per_s), gpu.vendor});
  }
  return list;
}

template <auto kEntries>
ListTable titled(const Catalog& facts, const ListOptions&) {
  ListTable list{{"id", "title"}, {}};
  for (const auto& [id, entry] : facts.*kEntries) list.rows.push_back({id, entry.title});
  return list;
}

ListTable sheets(const Catalog& facts, const ListOptions&) {
  ListTable list{{"id"}, {}};
  for (const std::string& id : facts.sheets) list.rows.push_back({id});
  return list;
}

/// Whether what is said of a price is asked for. One that is excluded has no tier.
bool is_asked_for(const ListOptions& asked, const std::string& gpu, const std::string& provider) {
  return (asked.gpu.empty() || asked.gpu == gpu) &&
         (asked.provider.empty() || contains(split(asked.provider, ','), provider));
}

bool is_asked_for(const ListOptions& asked, const Price& price) {
  return is_asked_for(asked, price.gpu, price.provider) &&
         (asked.tier.empty() || asked.tier == price.tier) &&
         (asked.region.empty() || is_in_region(price, asked.region));
}

/// Which rows count on the day that is asked for, by the rules of the sheet; none is known to where
/// the catalog has no such sheet.
class CountingRows {
 public:
  CountingRows(const Catalog& facts, const ListOptions& asked) {
    if (!contains(facts.sheets, asked.sheet)) return;
    const SheetSpec spec = sheet_asked_for(asked, facts);
    day_ = spec.as_of;
    for (const SheetTier& tier : kRentTiers) {
      tiers_.try_emplace(tier.key, facts.prices, policy_of(spec, tier.key), facts.price_age);
    }
  }

  const std::string& day() const { return day_; }

  /// Why the row does not count, "" where it does; nullopt where that is not known.
  std::optional<std::string> why_not(const Price& price) const {
    if (!price.settled.empty()) return "settled: " + price.settled;
    const auto tier = tiers_.find(price.tier);
    if (tier != tiers_.end()) return tier->second.why_not(price);
    return day_.empty() ? std::nullopt : std::optional<std::string>("no sheet shows this tier");
  }

 private:
  std::string day_;
  std::map<std::string, CurrentPrices> tiers_;
};

ListCells price_row(const Price& price, const CountingRows& counting) {
  const MicroUsd per_gpu = scaled(price.usd_per_instance_hour, 1, price.gpus);
  const double usd = to_usd(price.usd_per_instance_hour);
  const auto why = counting.why_not(price);
  const bool counts = why && why->empty();
  return {{to_usd(per_gpu), hourly_usd(per_gpu)},
          {why ? Json(counts) : Json(), counts ? "*" : ""},
          price.gpu,
          price.provider,
          price.tier,
          {price.gpus, std::to_string(price.gpus)},
          price.region,
          price.instance,
          price.offer,
          price.as_of,
          {usd, shortest(usd)},
          price.settled.empty() ? "" : "settled: " + price.settled,
          why.value_or(""),
          price.key()};
}

/// Dollars of a GPU-hour, the lowest first; what is excluded last.
ListTable prices(const Catalog& facts, const ListOptions& asked) {
  const CountingRows counting(facts, asked);
  ListTable list{
      {"usd_per_gpu_hour", "counts", "gpu", "provider", "tier", "gpus", "region", "instance",
       "offer", "as_of", "usd_per_instance_hour", "remark", "why_not", "key"},
      {},
      {"usd_per_instance_hour", "why_not", "key"}};
  for (const Price& price : facts.prices) {
    const bool counted = !asked.gpus || *asked.gpus == price.gpus;
    if (!counted || !is_asked_for(asked, price)) continue;
    list.rows.push_back(price_row(price, counting));
  }
  std::ranges::stable_sort(list.rows, {},
                           [](const ListCells& row) { return row.front().value.get<double>(); });
  for (const ExcludedPrice& price : facts.excluded_prices) {
    const bool whole = asked.tier.empty() && asked.region.empty();
    if (!whole || !is_asked_for(asked, price.gpu, price.provider)) continue;
    const ListCell unknown(nullptr, std::string(kAbsent));
    list.rows.push_back({unknown,
                         {false, ""},
                         price.gpu,
                         price.provider,
                         unknown,
                         unknown,
                         unknown,
                         unknown,
                         unknown,
                         unknown,
                         unknown,
                         price.reason,
                         price.reason,
                         "excluded " + price.provider + '/' + price.gpu});
  }
  if (!counting.day().empty()) {
    list.foot = "* counts on " + counting.day() + " by the rules of the sheet " + asked.sheet;
  }
  return list;
}

/// Whoever has a price, and what is known of it.
ListTable providers(const Catalog& facts, const ListOptions& asked) {
  ListTable list{{"id", "prices", "jurisdiction", "tenancy", "title"}, {}};
  std::map<std::string, std::int64_t> counts;
  for (const Price& price : facts.prices) {
    if (is_asked_for(asked, price)) ++counts[price.provider];
  }
  for (const auto& [id, count] : counts) {
    const Provider* known = entry_with(facts.providers, &Provider::id, id);
    list.rows.push_back({id,
                         {count, std::to_string(count)},
                         known != nullptr ? known->jurisdiction : kUnstated,
                         known != nullptr ? known->tenancy : kUnstated,
                         known != nullptr ? known->title : ""});
  }
  return list;
}

ListTable services(const Catalog& facts, const ListOptions&) {
  ListTable list{{"key", "usd_per_million_tokens", "minimum_usd", "weights", "remark"}, {}};
  const auto amount = [](const std::optional<MicroUsd>& usd) {
    return usd ? ListCell(to_usd(*usd), shortest(to_usd(*usd)))
               : ListCell(nullptr, std::string(kAbsent));
  };
  for (const Service& service : facts.services) {
    std::vector<std::string> remarks;
    if (!service.prices_runs()) remarks.emplace_back("bills generation too: prices no run");
    if (service.valid_until) remarks.push_back("until " + *service.valid_until);
    if (service.basis != "source") remarks.push_back(service.basis);
    list.rows.push_back({service.key(), amount(service.usd_per_million_tokens),
                         amount(service.minimum_usd), service.weights, join(remarks, "; ")});
  }
  return list;
}

constexpr Listable kListables[] = {{"models", models},
                                   {"gpus", gpus},
                                   {"methods", titled<&Catalog::methods>},
                                   {"stacks", titled<&Catalog::stacks>},
                                   {"providers", providers, {CatalogPart::kMoney}, true},
                                   {"prices", prices, {CatalogPart::kMoney}, true},
                                   {"services", services, {CatalogPart::kMoney}},
                                   {"sheets", sheets}};

}  // namespace

std::span<const Listable> listables() { return kListables; }

}  // namespace sizesheet
