// SPDX-License-Identifier: Apache-2.0
#include "sheet/assemble/facts.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/facts/engine_constants.h"
#include "catalog/facts/gpu.h"
#include "catalog/facts/method.h"
#include "catalog/models/architecture.h"
#include "catalog/models/model.h"
#include "catalog/prices/price.h"
#include "catalog/prices/price_age.h"
#include "catalog/prices/price_warnings.h"
#include "catalog/prices/purchase.h"
#include "cost/aged_price.h"
#include "cost/rent.h"
#include "sheet/assemble/build_sheet.h"
#include "sheet/assemble/ownership.h"
#include "sheet/money.h"
#include "sheet/rows/price_row.h"
#include "sheet/rows/size_row.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "sheet/spec_ownership.h"
#include "sheet/spec_spot.h"
#include "sizing/model/parameters.h"
#include "support/described.h"
#include "support/json.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

SheetModel model_facts(const Catalog& catalog, const SpecModel& listed) {
  const Model& model = catalog.model(listed.id);
  const Architecture& shape = model.architecture;
  SheetModel facts;
  copy_named(model, facts);
  facts.size = listed.size;
  facts.short_note = listed.note;
  facts.parameters = count_parameters(shape).total();
  facts.layers = shape.layers();
  facts.hidden = shape.hidden;
  // Layers without attention may come first.
  const auto attending = std::ranges::find_if(
      shape.runs, [](const BlockRun& run) { return run.block.attention.has_value(); });
  if (attending != shape.runs.end()) {
    facts.heads = attending->block.attention->heads;
    facts.kv_heads = attending->block.attention->kv_heads;
  }
  facts.vocab = shape.vocab;
  return facts;
}

/// "full fine-tuning and LoRA (in fp8)": the methods of which a speed of the GPU was published. One
/// in fp8 is the method's, too, and is told where there is no other.
std::string published_speeds(const Catalog& catalog, const std::string& gpu) {
  static const std::map<std::string, std::string> kWords = {
      {"full", "full fine-tuning"},
      {"lora", "LoRA"},
      {"qlora", "QLoRA"},
      {"full fp8", "full fine-tuning (in fp8)"},
      {"lora fp8", "LoRA (in fp8)"}};
  constexpr std::string_view kInFp8 = " fp8";
  const auto speed = catalog.engine.current.speeds.find(gpu);
  std::vector<std::string> words;
  if (speed == catalog.engine.current.speeds.end()) return "";
  const std::vector<std::string>& kinds = speed->second.measured;
  for (const std::string& kind : kinds) {
    const bool also_in_16_bits =
        kind.ends_with(kInFp8) && contains(kinds, kind.substr(0, kind.size() - kInFp8.size()));
    if (also_in_16_bits) continue;
    const auto found = kWords.find(kind);
    words.push_back(found != kWords.end() ? found->second : kind);
  }
  return joined_words(words);
}

SheetGpu gpu_facts(const Catalog& catalog, const SheetSpec& spec, const SheetPrices& prices,
                   const std::string& id) {
  const Gpu& gpu = catalog.gpu(id);
  SheetGpu facts{gpu};
  facts.published_speeds = published_speeds(catalog, id);
  facts.capacity_bytes = gpu.capacity_bytes().value_or(0);
  facts.counts = gpu.counts_up_to(spec.max_gpus);
  if (const auto range = spread(prices.in("on_demand"), gpu, 1)) {
    facts.list_usd_per_gpu_hour = range->low;
    const CurrentPrice& lowest = range->lowest;
    facts.list_price = ListPrice{lowest.price->provider, lowest.price->as_of, lowest.old,
                                 range->median, range->providers};
  }
  return facts;
}

Scenario scenario_facts(const Catalog& catalog, const SpecScenario& listed) {
  const Stack& stack = catalog.stack(listed.stack);
  Scenario facts;
  facts.id = listed.id;
  facts.title = listed.title;
  facts.stack = stack.id;
  facts.stack_title = stack.title;
  facts.writer = stack.writer;
  facts.summary = listed.summary;
  const Json workload = listed.request.value("workload", Json::object());
  facts.seq_len = workload.value("seq_len", std::int64_t{4096});
  const Json vary = listed.request.value("vary", Json::array());
  if (std::ranges::find(vary, "micro_batch") == vary.end()) {
    facts.micro_batch = workload.value("micro_batch", std::int64_t{1});
  }
  facts.grad_accum = workload.value("grad_accum", std::int64_t{1});
  facts.warnings = stack.warnings;
  return facts;
}

/// Why a row of this tier never competes in the sheet, judged by its own tier's policy.
std::string bar(const SheetSpec& spec, const Price& price) {
  if (rent_tier(price.tier) == nullptr) return "this sheet does not use the tier " + price.tier;
  return why_barred(price, policy_of(spec, price.tier));
}

/// The row's note, and what was asked where that was not dollars.
std::string note_of(const Price& price) {
  if (!price.asked) return price.note;
  const ExchangeRate& rate = price.asked->rate;
  const std::string asked = "asked as " + shortest(to_usd(price.asked->per_instance_hour)) + " " +
                            rate.currency + "; " + words_of(rate);
  return price.note.empty() ? asked : price.note + "; " + asked;
}

/// What the price is expected to be on the sheet's day.
void put_age(const AgedPrice& aged, const Price& price, SheetPrice& facts) {
  facts.age_kind = price.age_kind;
  facts.age_days = aged.days;
  facts.drift_per_day = aged.drift_per_day;
  facts.age_factor = aged.factor();
  facts.ln_width = aged.ln_width;
  facts.expected_usd_per_instance_hour = aged.expected;
  facts.expected_usd_per_gpu_hour = scaled(aged.expected, 1, price.gpus);
}

SheetPrice price_facts(const Catalog& catalog, const SheetSpec& spec, const SheetPrices& prices,
                       const Price& price) {
  SheetPrice facts{price};
  put_age(aged_price(price, catalog.price_age, spec.as_of), price, facts);
  facts.key = price.key();
  facts.usd_per_gpu_hour = scaled(price.usd_per_instance_hour, 1, price.gpus);
  facts.note = note_of(price);
  facts.barred = bar(spec, price);
  facts.excluded = facts.barred.empty() ? prices.in(price.tier).why_not(price) : facts.barred;
  if (price_tier(price.tier).interrupted) {
    facts.spot = spot_rate_of(catalog, spec.price_rules, price);
  }
  facts.old = facts.excluded.empty() && is_old(price, prices.in(price.tier).policy());
  return facts;
}

void copy_purchase(const Catalog& catalog, const SheetSpec& spec, Sheet& sheet) {
  for (const PurchaseNode& node : catalog.purchase.nodes) {
    if (!contains(spec.gpus, node.gpu)) continue;
    sheet.purchase_nodes.push_back({node.usd, node.id, node.title, "USD"});
    sheet.purchase_nodes.push_back({node.kw, node.id + "/kw", node.title, "kW"});
    sheet.machines.push_back(node);
  }
  for (const auto& [role, id] : rates_in_use(catalog.purchase, spec.ownership, spec.gpus)) {
    const Rate& rate = catalog.purchase.rate(id);
    sheet.rates.push_back({rate.value, rate.id, rate.title, rate.unit, role, rate.covers});
  }
}

/// The kinds of the sheet's prices, in the catalog's order.
void copy_price_ages(const Catalog& catalog, const SheetSpec& spec, Sheet& sheet) {
  std::set<std::string> kinds;
  for (const SheetPrice& price : sheet.prices) kinds.insert(price.age_kind);
  for (const AgeKind& kind : catalog.price_age.kinds) {
    if (!kinds.contains(kind.id)) continue;
    SheetPriceAge& facts = sheet.price_ages.emplace_back();
    copy_named(kind, facts);
    facts.widths = kind.widths;
    for (const std::string& gpu : spec.gpus) {
      if (catalog.price_age.rising.contains(gpu)) facts.rising.push_back(gpu);
    }
  }
}

void copy_prices(const Catalog& catalog, const SheetSpec& spec, const SheetPrices& prices,
                 Sheet& sheet) {
  for (const Price& price : catalog.prices) {
    if (contains(spec.gpus, price.gpu))
      sheet.prices.push_back(price_facts(catalog, spec, prices, price));
  }
  copy_price_ages(catalog, spec, sheet);
  for (const PriceHistory& history : catalog.price_histories) {
    if (!contains(spec.gpus, history.gpu)) continue;
    PriceHistory seen = history;
    std::erase_if(seen.points, [&](const PricePoint& point) { return point.date > spec.as_of; });
    if (!seen.points.empty()) sheet.price_histories.push_back(std::move(seen));
  }
  for (const PriceWarning& odd : price_warnings(catalog.prices, catalog.prices, spec.as_of)) {
    if (!contains(spec.gpus, catalog.prices[odd.row].gpu)) continue;
    sheet.options.price_rules.warnings.push_back("price " + odd.text);
  }
}

/// "" or a warning that names a row older than the sheet likes.
std::string staleness(const Sheet& sheet, const SheetPrice& price) {
  const auto limit = sheet.options.price_rules.warn_age_days;
  const auto today = day_number(sheet.meta.as_of);
  const auto day = day_number(price.as_of);
  if (!today || !day || (!price.old && *today - *day <= limit.value_or(*today))) return "";
  return "price " + price.key + " is " + std::to_string(*today - *day) + " days old on " +
         sheet.meta.as_of + (price.old ? " and is used because there is no newer one" : "") +
         "; after " +
         std::to_string(sheet.options.age_limit_days(price.tier, price.offer, price.age_kind)) +
         " days it is not used";
}

/// The days of the prices that the picks are rented at.
std::set<std::string> days_of_picks(const Sheet& sheet) {
  std::set<std::string> days;
  for (const Pick& pick : sheet.picks) {
    if (!pick.price_as_of.empty()) days.insert(pick.price_as_of);
  }
  return days;
}

/// The days of the prices on demand that some row is priced by.
std::set<std::string> days_of_used(const Sheet& sheet) {
  std::set<std::string> days;
  for (const SheetPrice& price : sheet.prices) {
    if (price.used && price.tier == kOnDemand.key) days.insert(price.as_of);
  }
  return days;
}

RentOffer rent_offer(const RentQuote& quote, const Row& row, double hours_per_month) {
  const Price& price = *quote.price;
  RentOffer offer;
  copy_named(price, offer);
  offer.price_key = price.key();
  offer.instances = quote.instances;
  offer.unused_gpus = quote.instances * price.gpus - row.layout.gpus;
  offer.usd_per_hour = quote.usd_per_hour;
  offer.seen_usd_per_hour = quote.list_usd_per_hour;
  if (const auto hours = hours_of(row)) {
    const auto paid = paid_hours(price_tier(price.tier), *hours);
    if (paid) offer.usd_per_run = run_cost(quote.usd_per_hour, *paid);
  }
  if (price_tier(price.tier).by_month()) {
    offer.usd_per_month = reserved_month(quote.usd_per_hour, hours_per_month);
  }
  return offer;
}

RowOffers offers_for(const Catalog& catalog, const SheetSpec& spec, const SheetPrices& prices,
                     const Row& row) {
  RowOffers all;
  all.row_key = row.key();
  const double month = catalog.purchase.rate(spec.ownership.hours_per_month).value.typical;
  for (const SheetTier& tier : kRentTiers) {
    std::set<std::pair<std::string, std::string>> seen;  // quotes come best first
    auto quotes = rent_quotes(prices.in(tier.key), catalog.gpu(row.gpu), row.layout.gpus);
    // A pick weighs the age of a price, so its offer may be another one than its seller's cheapest.
    std::stable_partition(quotes.begin(), quotes.end(), [&](const RentQuote& quote) {
      return row.rents[tier] && row.rents[tier]->price_key == quote.price->key();
    });
    for (const RentQuote& quote : quotes) {
      if (!seen.emplace(quote.price->provider, quote.price->region).second) continue;
      all.offers.push_back(rent_offer(quote, row, month));
    }
  }
  // Within a tier equal prices stay newest first; the tiers stay in the order of the columns.
  std::stable_sort(
      all.offers.begin(), all.offers.end(),
      [](const RentOffer& a, const RentOffer& b) { return a.usd_per_hour < b.usd_per_hour; });
  return all;
}

/// Of methods of one short title, "LoRA r16" and "LoRA r64", each takes its title up to a comma, or
/// all of it: a table would have equal rows.
void tell_apart(std::vector<SheetMethod>& methods) {
  const auto several = [&](const std::string& name) {
    return std::ranges::count(methods, name, &SheetMethod::short_title) > 1;
  };
  const auto rename = [&](const auto& name_of) {
    std::vector<std::string> names;
    for (const SheetMethod& method : methods) {
      names.push_back(several(method.short_title) ? name_of(method.title) : method.short_title);
    }
    for (std::size_t i = 0; i < methods.size(); ++i) methods[i].short_title = names[i];
  };
  rename([](const std::string& title) { return title.substr(0, title.find(',')); });
  rename([](const std::string& title) { return title; });
}

}  // namespace

void copy_facts(const Catalog& catalog, const SheetSpec& spec, Sheet& sheet) {
  const SheetPrices prices(catalog, spec);
  sheet.options = spec;
  sheet.options.planned_hours_per_month = spec.ownership.planned_hours_per_month;
  sheet.options.hours_per_month =
      catalog.purchase.rate(spec.ownership.hours_per_month).value.typical;
  for (const SpecModel& model : spec.models) {
    sheet.models.push_back(model_facts(catalog, model));
  }
  for (const std::string& id : spec.methods) {
    SheetMethod& facts = sheet.methods.emplace_back();
    copy_named(catalog.method(id), facts);
    facts.adapters = trains_adapters(catalog.method(id));
    facts.tokens = tokens_of(spec, catalog.method(id));
  }
  tell_apart(sheet.methods);
  for (const std::string& id : spec.gpus) {
    sheet.gpus.push_back(gpu_facts(catalog, spec, prices, id));
  }
  for (const SpecScenario& scenario : spec.scenarios) {
    sheet.scenarios.push_back(scenario_facts(catalog, scenario));
  }
  copy_prices(catalog, spec, prices, sheet);
  copy_purchase(catalog, spec, sheet);
  for (const Constant& constant : catalog.engine.constants) {
    sheet.constants.push_back(
        {constant.id, constant.current, constant.unit, constant.reason, constant.source});
  }
  sheet.inputs = inputs_of(catalog, spec);
}

void mark_used_prices(Sheet& sheet) {
  std::set<std::string> used;
  for (const Row& row : sheet.rows) {
    for (const SheetTier& tier : kRentTiers) {
      if (const auto& line = row.rents[tier]) used.insert(line->price_key);
    }
  }
  for (SheetPrice& price : sheet.prices) {
    price.used = used.contains(price.key);
    if (!price.used) continue;
    const std::string stale = staleness(sheet, price);
    if (!stale.empty()) sheet.options.price_rules.stale.push_back(stale);
  }
  std::set<std::string> days = days_of_picks(sheet);
  if (days.empty()) days = days_of_used(sheet);
  if (days.empty()) return;
  sheet.meta.price_from = *days.begin();
  sheet.meta.price_as_of = *days.rbegin();
}

void add_offers(const Catalog& catalog, const SheetSpec& spec, Sheet& sheet) {
  const SheetPrices prices(catalog, spec);
  std::set<std::string> seen;
  for (const Pick& pick : sheet.picks) {
    for (const auto& key : {pick.rent_key, pick.buy_key}) {
      if (!key || !seen.insert(*key).second) continue;
      sheet.offers.push_back(offers_for(catalog, spec, prices, *sheet.find(*key)));
    }
  }
}

}  // namespace sizesheet
