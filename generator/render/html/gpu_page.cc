// SPDX-License-Identifier: Apache-2.0
// The page of one GPU type, and that of all side by side.

#include <algorithm>
#include <map>

#include "render/charts.h"
#include "render/html/frame.h"
#include "render/html/pages.h"
#include "render/phrases.h"
#include "render/svg/svg.h"
#include "sheet/measures.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Counts on offer within one node: the columns of the page.
std::vector<std::int64_t> node_counts(const SheetGpu& gpu) {
  std::vector<std::int64_t> counts;
  for (const std::int64_t count : gpu.counts) {
    if (count <= gpu.gpus_per_node) counts.push_back(count);
  }
  return counts;
}

/// How a row stands on `count` GPUs. What a smaller count holds, a larger one holds too.
std::string standing(const Row& row, std::int64_t count) {
  if (!row.modelled) return "refused";
  if (row.rentable && count >= *row.rentable) return "fits";
  return row.tight && count >= *row.tight ? "tight" : "no";
}

std::string standing_words(const std::string& standing) {
  if (standing == "refused") return "not modelled";
  return standing == "no" ? "does not fit" : standing;
}

Json fit_row(const Sheet& sheet, const SheetGpu& gpu, const Row& row) {
  const SheetModel& model = sheet.model(row.model);
  Json values = {{"fit_key", row.key()},
                 {"fit_model", model.title},
                 {"fit_size", model.size},
                 {"fit_method", sheet.method(row.method).short_title},
                 {"fit_href", "../models/" + row.model + ".html#" + proof_id(sheet, row)},
                 {"fit_picked", rent_pick_row(sheet, row.model, row.method) == &row}};
  values["fit_cells"] = Json::array();
  for (const std::int64_t count : node_counts(gpu)) {
    const std::string how = standing(row, count);
    values["fit_cells"].push_back(
        {{"fit_class", how}, {"fit_mark", verdict_mark(how)}, {"fit_words", standing_words(how)}});
  }
  const auto& answer = row.rentable ? row.rentable : row.tight;
  values["fit_answer_tight"] = !row.rentable && row.tight;
  if (row.modelled && answer) {
    put(values, "fit_answer", format_integer(*answer), static_cast<double>(*answer));
    put(values, "fit_gib", format_gib(row.memory.device, 1), gib(row.memory.device));
  } else {
    put_absent(values, "fit_answer");
    put_absent(values, "fit_gib");
  }
  put_money(values, row);
  return values;
}

Json fit_rows(const Sheet& sheet, const SheetGpu& gpu) {
  Json rows = Json::array();
  for (const Row& row : sheet.rows) {
    if (row.gpu == gpu.id && row.scenario == sheet.scenarios.front().id) {
      rows.push_back(fit_row(sheet, gpu, row));
    }
  }
  return rows;
}

/// "the largest that one holds: 14B with full, 70B with LoRA".
std::string one_gpu_words(const Sheet& sheet, const SheetGpu& gpu) {
  std::vector<std::string> parts;
  for (const SheetMethod& method : sheet.methods) {
    const SheetModel* largest = largest_on_one(sheet, gpu, method);
    if (largest != nullptr) parts.push_back(largest->size + " with " + method.short_title);
  }
  return parts.empty() ? "One holds no size of this sheet with the headroom kept."
                       : "The largest that one holds: " + join(parts, ", ") + ".";
}

Json tier_rows(const Sheet& sheet, const SheetGpu& gpu) {
  Json rows = Json::array();
  const std::vector<TierPrices> tiers = prices_by_tier(sheet, gpu.id);
  for (const TierPrices& prices : tiers) {
    Json row = {{"tier_name", sentence_case(tier_words(prices.tier))},
                {"tier_rows", format_integer(prices.rows)},
                {"tier_providers", format_integer(prices.providers)}};
    put_usd(row, "tier_low", prices.low, hourly_usd);
    put_usd(row, "tier_median", prices.median, hourly_usd);
    put_usd(row, "tier_high", prices.high, hourly_usd);
    const bool below = tiers.front().tier == "on_demand" && prices.low < tiers.front().low;
    put_absent(row, "tier_below");
    if (below) {
      const double percent = 100 * (1 - to_usd(prices.low) / to_usd(tiers.front().low));
      put(row, "tier_below", format_number(percent, 0), percent);
    }
    rows.push_back(row);
  }
  return rows;
}

/// Prices that were seen on several days, oldest first: key without the date -> rows.
std::map<std::string, std::vector<const SheetPrice*>> histories(const Sheet& sheet,
                                                                const SheetGpu& gpu) {
  std::map<std::string, std::vector<const SheetPrice*>> by_key;
  for (const SheetPrice& price : sheet.prices) {
    if (price.gpu == gpu.id) by_key[offer_of(price.key)].push_back(&price);
  }
  std::erase_if(by_key, [](const auto& entry) { return entry.second.size() < 2; });
  for (auto& [key, rows] : by_key) {
    std::sort(rows.begin(), rows.end(),
              [](const SheetPrice* a, const SheetPrice* b) { return a->as_of < b->as_of; });
  }
  return by_key;
}

Json history_rows(const Sheet& sheet, const SheetGpu& gpu) {
  Json rows = Json::array();
  for (const auto& [key, prices] : histories(sheet, gpu)) {
    for (std::size_t i = 1; i < prices.size(); ++i) {
      const SheetPrice& before = *prices[i - 1];
      const SheetPrice& after = *prices[i];
      const double share = to_usd(after.usd_per_gpu_hour - before.usd_per_gpu_hour) /
                           to_usd(before.usd_per_gpu_hour);
      Json row = {
          {"history_provider", after.provider},
          {"history_instance", after.instance.empty() ? std::string(kAbsent) : after.instance},
          {"history_tier", tier_words(after.tier)},
          {"history_from", before.as_of},
          {"history_to", after.as_of},
          {"history_href", "../prices.html#" + price_id(after.key)}};
      put_usd(row, "history_before", before.usd_per_gpu_hour, hourly_usd);
      put_usd(row, "history_after", after.usd_per_gpu_hour, hourly_usd);
      const bool same = before.usd_per_gpu_hour == after.usd_per_gpu_hour;
      put(row, "history_move", same ? "0" : (share > 0 ? "+" : "") + format_number(100 * share, 1),
          share);
      rows.push_back(row);
    }
  }
  return rows;
}

Json current_rows(const Sheet& sheet, const SheetGpu& gpu) {
  std::vector<const SheetPrice*> current;
  for (const SheetPrice& price : sheet.prices) {
    if (price.gpu == gpu.id && price.excluded.empty()) current.push_back(&price);
  }
  std::stable_sort(current.begin(), current.end(), [](const SheetPrice* a, const SheetPrice* b) {
    return a->usd_per_gpu_hour < b->usd_per_gpu_hour;
  });
  Json rows = Json::array();
  for (const SheetPrice* price : current) {
    Json row = {
        {"current_provider", price->provider},
        {"current_region", price->region},
        {"current_instance", price->instance.empty() ? std::string(kAbsent) : price->instance},
        {"current_tier", tier_words(price->tier)},
        {"current_gpus", format_integer(price->gpus)},
        {"current_seen", price->as_of},
        {"current_used", price->used},
        {"current_href", "../prices.html#" + price_id(price->key)}};
    put_usd(row, "current_usd", price->usd_per_gpu_hour, hourly_usd);
    rows.push_back(row);
  }
  return rows;
}

Json machine_rows(const Sheet& sheet, const SheetGpu& gpu) {
  Json rows = Json::array();
  for (const SheetMachine& machine : sheet.machines) {
    if (machine.gpu != gpu.id) continue;
    rows.push_back({{"machine_title", machine.title},
                    {"machine_gpus", format_integer(machine.gpus)},
                    {"machine_joined", machine.multi_node},
                    {"machine_href", "../prices.html#node-" + machine.id}});
  }
  return rows;
}

}  // namespace

Json gpu_values(const Sheet& sheet, const SheetGpu& gpu) {
  Json values =
      frame_values(sheet, SitePage::kModel, gpu.short_name + " · " + sheet.meta.title, "../");
  values.update(gpu_facts_values(gpu));
  values["one_gpu_words"] = one_gpu_words(sheet, gpu);
  values["count_heads"] = Json::array();
  for (const std::int64_t count : node_counts(gpu)) {
    const bool node = count == gpu.gpus_per_node && count > 1;
    values["count_heads"].push_back({{"count_head", format_integer(count)}, {"count_node", node}});
  }
  values["count_columns"] = std::to_string(node_counts(gpu).size());
  values["fit_rows"] = fit_rows(sheet, gpu);
  values["headroom_rule"] = headroom_rule(sheet);
  const auto chart = gpu_prices_chart(sheet, gpu);
  values["has_prices"] = chart.has_value();
  values["prices_svg"] = chart ? svg(*chart) : "";
  values["tier_rows"] = tier_rows(sheet, gpu);
  values["price_policy"] = price_policy(sheet);
  values["current_rows"] = current_rows(sheet, gpu);
  values["current_count"] =
      format_integer(static_cast<std::int64_t>(values["current_rows"].size()));
  values["history_rows"] = history_rows(sheet, gpu);
  values["has_history"] = !values["history_rows"].empty();
  values["machine_rows"] = machine_rows(sheet, gpu);
  values["has_machines"] = !values["machine_rows"].empty();
  values["gpu_has_note"] = !gpu.note.empty();
  values["gpu_note"] = gpu.note;
  values["gpu_date"] = gpu.date;
  put_source(values, "source", gpu.source);
  return values;
}

namespace {

void put_known(Json& values, const std::string& name, const std::optional<double>& figure) {
  if (figure && *figure > 0) {
    put(values, name, format_number(*figure, 0), *figure);
  } else {
    put_absent(values, name);
  }
}

std::int64_t picked_rows(const Sheet& sheet, const SheetGpu& gpu) {
  return std::count_if(sheet.picks.begin(), sheet.picks.end(), [&](const Pick& pick) {
    const Row* row = pick.rent_key ? sheet.find(*pick.rent_key) : nullptr;
    return row != nullptr && row->gpu == gpu.id;
  });
}

Json largest_cells(const Sheet& sheet, const SheetGpu& gpu) {
  Json cells = Json::array();
  for (const SheetMethod& method : sheet.methods) {
    const SheetModel* model = largest_on_one(sheet, gpu, method);
    Json cell = {{"largest_known", model != nullptr}};
    if (model != nullptr) {
      put(cell, "largest", model->size, static_cast<double>(model->parameters));
    } else {
      put_absent(cell, "largest");
    }
    cells.push_back(cell);
  }
  return cells;
}

}  // namespace

const SheetModel* largest_on_one(const Sheet& sheet, const SheetGpu& gpu,
                                 const SheetMethod& method) {
  const SheetModel* largest = nullptr;
  for (const SheetModel& model : sheet.models) {
    const Row* row = sheet.find(model.id, method.id, gpu.id, sheet.scenarios.front().id);
    if (row == nullptr || !row->rentable || *row->rentable != 1) continue;
    if (largest == nullptr || model.parameters > largest->parameters) largest = &model;
  }
  return largest;
}

Json gpu_facts_values(const SheetGpu& gpu) {
  Json values = {{"gpu_id", gpu.id},
                 {"gpu_title", gpu.name},
                 {"gpu_name", gpu.short_name},
                 {"gpu_href", "gpus/" + gpu.id + ".html"},
                 {"gpu_vendor", gpu.vendor},
                 {"gpu_link", gpu.interconnect.empty() ? std::string(kAbsent) : gpu.interconnect},
                 {"gpu_shared", gpu.unified_memory},
                 {"gpu_no_bf16", !gpu.bf16}};
  put(values, "gpu_memory", format_number(gpu.memory_gb, 0), gpu.memory_gb);
  put(values, "gpu_usable", format_gib(gpu.capacity_bytes, 1), gib(gpu.capacity_bytes));
  put(values, "gpu_node", format_integer(gpu.gpus_per_node),
      static_cast<double>(gpu.gpus_per_node));
  put_known(values, "gpu_bandwidth", gpu.bandwidth_gb_per_s);
  put_known(values, "gpu_bf16", gpu.bf16_dense_tflops);
  put_known(values, "gpu_fp16", gpu.fp16_dense_tflops);
  put_known(values, "gpu_fp8", gpu.fp8_dense_tflops);
  put_known(values, "gpu_tdp", gpu.tdp_w);
  put_usd(values, "gpu_price", gpu.list_usd_per_gpu_hour, hourly_usd);
  return values;
}

Json gpus_values(const Sheet& sheet) {
  Json values = frame_values(sheet, SitePage::kGpus, "GPUs · " + sheet.meta.title, "");
  values["worksheets"] = worksheet_values(sheet, "gpus");
  Json rows = Json::array();
  for (const SheetGpu& gpu : sheet.gpus) {
    Json row = gpu_facts_values(gpu);
    const std::int64_t picks = picked_rows(sheet, gpu);
    put(row, "gpu_picks", format_integer(picks), static_cast<double>(picks));
    row["largest_cells"] = largest_cells(sheet, gpu);
    rows.push_back(row);
  }
  values["gpu_rows"] = rows;
  values["gpu_count"] = format_integer(static_cast<std::int64_t>(sheet.gpus.size()));
  values["pick_count"] = format_integer(static_cast<std::int64_t>(sheet.picks.size()));
  values["method_columns"] = std::to_string(sheet.methods.size());
  values["method_heads"] = Json::array();
  for (const SheetMethod& method : sheet.methods) {
    values["method_heads"].push_back({{"method_head", method.short_title}});
  }
  return values;
}

}  // namespace sizesheet
