// SPDX-License-Identifier: Apache-2.0
#include "render/html/gpu_page.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "render/charts.h"
#include "render/html/advice_page.h"
#include "render/html/html_writer.h"
#include "render/html/templates/strict_context.h"
#include "render/phrases.h"
#include "render/price_charts.h"
#include "render/spot_words.h"
#include "render/svg/svg.h"
#include "sheet/fields.h"
#include "sheet/measures.h"
#include "sheet/money.h"
#include "sheet/seller_names.h"
#include "sheet/sheet.h"
#include "support/json.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

// ---- One GPU type: what fits on how many, and what an hour of it costs.

/// Counts on offer within one node: the columns of the page.
std::vector<std::int64_t> node_counts(const SheetGpu& gpu) {
  std::vector<std::int64_t> counts;
  for (const std::int64_t count : gpu.counts) {
    if (count <= gpu.gpus_per_node) counts.push_back(count);
  }
  return counts;
}

/// How a row stands on `count` GPUs. What a smaller count holds, a larger one holds too.
Verdict standing(const Row& row, std::int64_t count) {
  if (!row.modelled) return Verdict::kNotModelled;
  if (row.rentable && count >= *row.rentable) return Verdict::kFits;
  return row.tight && count >= *row.tight ? Verdict::kTight : Verdict::kNo;
}

Json fit_row(const Sheet& sheet, const SheetGpu& gpu, const Row& row) {
  Json values = row_json(sheet, row);
  values["picked"] = rent_pick_row(sheet, row.model, row.method) == &row;
  values["only_tight"] = !row.rentable && row.tight;
  if (!row.rentable && !row.tight)
    values["memory"] = nullptr;  // no count that is on offer holds it
  values["fit_cells"] = Json::array();
  for (const std::int64_t count : node_counts(gpu)) {
    const Verdict how = standing(row, count);
    const auto certain = row.certain_on(count);
    const VerdictFacts& facts = standing_facts(how, certain);
    values["fit_cells"].push_back({{"fit_class", standing_class(how, certain)},
                                   {"fit_mark", facts.mark},
                                   {"fit_words", facts.words}});
  }
  return values;
}

Json fit_rows(const Sheet& sheet, const SheetGpu& gpu) {
  Json rows = Json::array();
  for (const Row& row : sheet.rows) {
    if (row.gpu == gpu.id && sheet.is_main(row)) rows.push_back(fit_row(sheet, gpu, row));
  }
  return rows;
}

/// Whether a model that one GPU holds does so up to the upper end of its range.
bool certain_on_one(const Sheet& sheet, const SheetGpu& gpu, const SheetMethod& method,
                    const SheetModel& model) {
  const Row* row = sheet.main_row(model.id, method.id, gpu.id);
  return row == nullptr || row->certain_on(1).value_or(true);
}

/// "Largest model on one GPU: 14B with full, 70B with LoRA".
std::string one_gpu_words(const Sheet& sheet, const SheetGpu& gpu) {
  std::vector<std::string> parts;
  for (const SheetMethod& method : sheet.methods) {
    const SheetModel* largest = largest_on_one(sheet, gpu, method);
    if (largest == nullptr) continue;
    const bool unsure = !certain_on_one(sheet, gpu, method, *largest);
    parts.push_back(largest->size + " with " + method.short_title +
                    (unsure ? " (not certain)" : ""));
  }
  return parts.empty() ? "No model of this sheet fits on one GPU with the headroom."
                       : "Largest model on one GPU: " + join(parts, ", ") + ".";
}

Json tier_rows(const Sheet& sheet, const SheetGpu& gpu) {
  Json rows = Json::array();
  const std::vector<TierPrices> tiers = prices_by_tier(sheet, gpu);
  for (const TierPrices& prices : tiers) {
    Json& row = rows.emplace_back(written(prices));
    const bool below = tiers.front().tier == "on_demand" && prices.low < tiers.front().low;
    const double share = to_usd(prices.low) / to_usd(tiers.front().low);
    row["percent_below"] = below ? Json(100 * (1 - share)) : Json();
  }
  return rows;
}

/// Prices that were seen on several days: each with the one before it, by offer.
Json history_rows(const Sheet& sheet, const SheetGpu& gpu) {
  std::map<std::string, std::vector<const SheetPrice*>> by_offer;
  for (const SheetPrice& price : sheet.prices) {
    if (price.gpu == gpu.id) by_offer[offer_of(price.key)].push_back(&price);
  }
  Json rows = Json::array();
  for (auto& [offer, prices] : by_offer) {
    std::ranges::sort(prices, {}, &SheetPrice::as_of);
    for (std::size_t i = 1; i < prices.size(); ++i) {
      const SheetPrice& before = *prices[i - 1];
      const SheetPrice& after = *prices[i];
      const double share = to_usd(after.usd_per_gpu_hour - before.usd_per_gpu_hour) /
                           to_usd(before.usd_per_gpu_hour);
      Json& row = rows.emplace_back(written(after));
      row["before"] = written(before);
      const bool same = before.usd_per_gpu_hour == after.usd_per_gpu_hour;
      row["history_move"] = same ? "0" : (share > 0 ? "+" : "") + format_number(100 * share, 1);
      row["share"] = share;
    }
  }
  return rows;
}

Json current_rows(const Sheet& sheet, const SheetGpu& gpu) {
  std::vector<const SheetPrice*> current;
  for (const SheetPrice& price : sheet.prices) {
    if (price.gpu == gpu.id && price.excluded.empty()) current.push_back(&price);
  }
  std::ranges::stable_sort(current, {}, &SheetPrice::expected_usd_per_gpu_hour);
  Json rows = Json::array();
  for (const SheetPrice* price : current) rows.push_back(written(*price));
  return rows;
}

Json largest_cells(const Sheet& sheet, const SheetGpu& gpu) {
  Json cells = Json::array();
  for (const SheetMethod& method : sheet.methods) {
    const SheetModel* model = largest_on_one(sheet, gpu, method);
    const bool unsure = model != nullptr && !certain_on_one(sheet, gpu, method, *model);
    cells.push_back({{"largest", model == nullptr ? Json() : written(*model)},
                     {"largest_doubt", unsure ? kDoubtMark : ""}});
  }
  return cells;
}

// ---- Prices: what is asked for each GPU type, how that went, and every row.

/// "head office: eu, machines: eu, virtual-machine, infiniband, GPUs per machine 1, 8, stock low";
/// what is not known is left out.
std::string where_words(const SheetPrice& price) {
  std::vector<std::string> parts;
  const auto known = [&](const char* words, const std::string& value) {
    if (!value.empty() && value != "unstated") parts.push_back(words + value);
  };
  known("head office: ", price.jurisdiction);
  known("machines: ", price.location);
  known("", price.tenancy);
  known("", price.interconnect.value_or(""));
  known("GPUs per machine ", counts_text(price.counts, ", "));
  known("stock ", price.stock.value_or(""));
  known("", price.sale.value_or(""));
  known("until ", price.valid_until.value_or(""));
  return join(parts, ", ");
}

Json price_row(const SheetPrice& price) {
  Json row = written(price);
  row["where"] = where_words(price);
  return row;
}

Json history_row(const PriceHistory& history) {
  Json row = written(history);
  const PricePoint& then = history.points.front();
  const PricePoint& now = history.points.back();
  row["then"] = written(then);
  row["now"] = written(now);
  row["move"] = to_usd(now.usd_per_gpu_hour) / to_usd(then.usd_per_gpu_hour) - 1;
  return row;
}

/// What the series are and where they stand, each said once, then what is odd about some.
std::string history_sources(const Sheet& sheet) {
  std::vector<std::string> said;
  const auto say = [&](const std::string& words) {
    if (!contains(said, words)) said.push_back(words);
  };
  for (const PriceHistory& history : sheet.price_histories) {
    say(sentence_case(history.basis) + ": " + history.source + ".");
  }
  for (const PriceHistory& history : sheet.price_histories) {
    if (!history.note.empty()) say(sheet.gpu(history.gpu).short_name + ": " + history.note);
  }
  return join(said, " ");
}

/// What is asked for a GPU type on demand and in the other tiers.
Json type_row(const Sheet& sheet, const SheetGpu& gpu) {
  Json row = written(gpu);
  for (const SheetTier& tier : kRentTiers) row[tier.key] = nullptr;
  for (const TierPrices& prices : prices_by_tier(sheet, gpu)) row[prices.tier] = written(prices);
  return row;
}

/// "The price of AWS for 8 × L40S (1 year, 2026-01-21) is 303 days old on 2026-11-20; …" of each
/// price that the sheet names by its key.
std::vector<std::string> old_notes(const Sheet& sheet) {
  std::vector<std::string> notes;
  for (const std::string& stale : sheet.options.price_rules.stale) {
    const auto named = std::ranges::find_if(sheet.prices, [&](const SheetPrice& price) {
      return stale.starts_with("price " + price.key + " ");
    });
    if (named == sheet.prices.end()) {
      notes.push_back(sentence_case(stale));
      continue;
    }
    notes.push_back("The price of " + seller_name(sheet, named->provider) + " for " +
                    set_up(sheet, named->gpu, named->gpus) + " (" + tier_words(named->tier) + ", " +
                    named->as_of + ")" + stale.substr(6 + named->key.size()));
  }
  return notes;
}

/// By GPU in sheet order, used rows first, then by price.
std::vector<const SheetPrice*> in_reading_order(const Sheet& sheet) {
  std::vector<const SheetPrice*> rows;
  for (const SheetPrice& price : sheet.prices) rows.push_back(&price);
  std::ranges::stable_sort(rows, {}, [&](const SheetPrice* price) {
    const auto gpu = std::ranges::find(sheet.gpus, price->gpu, &SheetGpu::id);
    return std::tuple(gpu, !price->used, !price->excluded.empty(),
                      price->expected_usd_per_gpu_hour);
  });
  return rows;
}

}  // namespace

Json gpu_values(const Sheet& sheet, const SheetGpu& gpu) {
  Json values = Json::object();
  values["type"] = written(gpu);
  values["one_gpu_words"] = one_gpu_words(sheet, gpu);
  values["count_heads"] = Json::array();
  for (const std::int64_t count : node_counts(gpu)) {
    const bool node = count == gpu.gpus_per_node && count > 1;
    values["count_heads"].push_back({{"count_head", format_integer(count)}, {"count_node", node}});
  }
  values["fit_rows"] = fit_rows(sheet, gpu);
  const auto chart = gpu_prices_chart(sheet, gpu);
  values["prices_svg"] = chart ? Json(svg(*chart)) : Json();
  values["tier_rows"] = tier_rows(sheet, gpu);
  values["current_rows"] = current_rows(sheet, gpu);
  values["history_rows"] = history_rows(sheet, gpu);
  values["machine_rows"] = Json::array();
  for (const SoldMachine& machine : sheet.machines) {
    if (machine.gpu == gpu.id) values["machine_rows"].push_back(written(machine));
  }
  return values;
}

Json gpus_values(const Sheet& sheet) {
  Json values = Json::object();
  values["worksheets"] = worksheet_values(sheet, "gpus");
  values["gpu_rows"] = Json::array();
  for (const SheetGpu& gpu : sheet.gpus) {
    values["gpu_rows"].push_back(
        {{"type", written(gpu)},
         {"picks", std::ranges::count(rent_pick_rows(sheet), gpu.id, &Row::gpu)},
         {"largest_cells", largest_cells(sheet, gpu)}});
  }
  return values;
}

Json prices_values(const Sheet& sheet) {
  Json values = Json::object();
  values["type_rows"] = Json::array();
  for (const SheetGpu& gpu : sheet.gpus) values["type_rows"].push_back(type_row(sheet, gpu));
  values["offers_svg"] = svg(offers_chart(sheet));
  const auto history = price_history_chart(sheet);
  values["history"] = history ? chart_json(*history) : Json();
  values["history_sources"] = history_sources(sheet);
  values["history_rows"] = Json::array();
  for (const PriceHistory& one : sheet.price_histories) {
    values["history_rows"].push_back(history_row(one));
  }
  values["tier_choices"] = each_of(kRentTiers, &RentTier::words);
  values["counting"] = values["others"] = Json::array();
  for (const SheetPrice* price : in_reading_order(sheet)) {
    values[price->excluded.empty() ? "counting" : "others"].push_back(price_row(*price));
  }
  values["spot_rule_words"] = spot_rule_words(sheet);
  values["old_notes"] = old_notes(sheet);
  values["price_total"] = sheet.prices.size();
  values["price_used_count"] = std::ranges::count(sheet.prices, true, &SheetPrice::used);
  return values;
}

}  // namespace sizesheet
