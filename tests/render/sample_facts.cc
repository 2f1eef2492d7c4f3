// SPDX-License-Identifier: Apache-2.0
// Made-up facts for the sample sheets; see sample_rows.h.
#include <algorithm>
#include <stdexcept>

#include "catalog/published/measured.h"
#include "evidence/accuracy.h"
#include "evidence/totals.h"
#include "render/sample_rows.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet::sample {

namespace {

Json unfolded(const Json& json) {
  Json whole = json;
  if (json.is_object() && json.contains("each")) {
    whole = Json::array();
    for (const Json& own : json.at("of")) {
      whole.push_back(json.at("each"));
      whole.back().update(own);
    }
  }
  if (!whole.is_structured()) return whole;
  for (Json& part : whole) part = unfolded(part);
  return whole;
}

const Json& sheet_facts() {
  static const Json kFacts = facts("sheet.json");
  return kFacts;
}

/// Up to the most that is on offer: what one node has, then whole nodes of eight.
std::vector<std::int64_t> node_counts(std::int64_t most) {
  std::vector<std::int64_t> counts = {1, 2, 4, 8};
  for (std::int64_t n = 16; n <= most; n += 8) counts.push_back(n);
  return counts;
}

SheetPrice price(const SheetGpu& gpu, const char* provider, const char* tier, const char* offer,
                 std::int64_t percent) {
  SheetPrice made;
  made.provider = provider;
  made.region = "us-east";
  made.gpus = sheet_facts().at("gpus_per_instance").value(gpu.id, 1);
  made.instance = std::to_string(made.gpus) + "x-" + gpu.id;
  made.gpu = gpu.id;
  made.tier = tier;
  made.offer = offer;
  made.usd_per_gpu_hour = scaled(*gpu.list_usd_per_gpu_hour, percent, 100);
  made.usd_per_instance_hour = made.usd_per_gpu_hour * made.gpus;
  made.expected_usd_per_gpu_hour = made.usd_per_gpu_hour;
  made.expected_usd_per_instance_hour = made.usd_per_instance_hour;
  made.as_of = "2026-11-18";
  made.source = "made-up price page of " + std::string(provider);
  made.key = join({made.provider, made.region, made.instance, made.gpu, made.tier,
                   std::to_string(made.gpus), made.as_of},
                  "/");
  return made;
}

/// A used row for every priced card, and rows the price policy leaves out.
std::vector<SheetPrice> prices(const Sheet& sheet) {
  std::vector<SheetPrice> rows;
  for (const SheetGpu& gpu : sheet.gpus) {
    if (!gpu.list_usd_per_gpu_hour) continue;
    rows.push_back(price(gpu, "Alder Cloud", "on_demand", "list", 100));
    rows.back().used = true;
    rows.push_back(price(gpu, "Birch Compute", "on_demand", "list", 131));
    rows.push_back(price(gpu, "Cedar GPU", "on_demand", "marketplace", 78));
    rows.back().excluded = rows.back().barred = "marketplace offer";
    if (node_kw(gpu.id) < 10) continue;
    rows.push_back(price(gpu, "Alder Cloud", "spot", "list", 55));
    rows.back().used = true;
    rows.push_back(price(gpu, "Alder Cloud", "reserved_1y", "list", 70));
    rows.back().used = true;
  }
  rows.back().note = "paid up front";
  SheetPrice old = price(sheet.gpu("h100-sxm"), "Elm Hosting", "on_demand", "list", 160);
  old.as_of = "2023-07";
  old.key = "Elm Hosting/us-east/1x-h100-sxm/h100-sxm/on_demand/1/2023-07";
  old.excluded = "older than 400 days (2023-07)";
  rows.push_back(old);
  return rows;
}

/// What follows from the rows of a comparison with measurements.
void sum_up(Accuracy& accuracy) {
  const ValidationRules rules{accuracy.held_out_rule,
                              {{"refused", "Refused"}, {"near-capacity", "Close to the card"}},
                              {{"all-median", "Median of all", 0.06, "r"},
                               {"oom-fits", "False fits, a count", 0, "r"},
                               {"undercut-share", "Undercut", 0.1, "r"}}};
  std::vector<AccuracyRow> tuned = accuracy.rows;
  const auto held_out = std::stable_partition(tuned.begin(), tuned.end(),
                                              [](const AccuracyRow& row) { return !row.held_out; });
  accuracy.held_out = totals_of(std::vector<AccuracyRow>(held_out, tuned.end()));
  tuned.erase(held_out, tuned.end());
  accuracy.tuned = totals_of(tuned);
  accuracy.all = totals_of(accuracy.rows);
  accuracy.flagged = flagged_errors(accuracy.rows);
  accuracy.out_of_model = out_of_model(accuracy.rows, accuracy.speed.rows, rules);
  accuracy.bars = bar_results(accuracy, accuracy.all, accuracy.speed.all, rules);
}

}  // namespace

Json facts(const std::string& name) {
  const std::string path = std::string(SIZESHEET_SOURCE_DIR) + "/tests/render/samples/" + name;
  return unfolded(parse_json(read_file(path), path));
}

void check_members(const Json& asked, const Json& whole) {
  if (asked.is_array() && whole.is_array()) {
    for (std::size_t i = 0; i < asked.size(); ++i) check_members(asked[i], whole.at(i));
  }
  if (!asked.is_object() || !whole.is_object()) return;
  for (const auto& [name, value] : asked.items()) {
    if (!whole.contains(name)) throw std::out_of_range("samples: nothing has a member " + name);
    check_members(value, whole.at(name));
  }
}

Sheet parts() {
  Json told = sheet_facts();
  for (const char* beside : {"gpus_per_instance", "node_kw"}) told.erase(beside);
  Sheet sheet = value_from<Sheet>(told);
  for (SheetGpu& gpu : sheet.gpus) {
    if (gpu.counts.size() == 1) gpu.counts = node_counts(gpu.counts.front());
  }
  sheet.prices = prices(sheet);
  sum_up(*sheet.accuracy);
  sheet.inputs = Json::object();
  return sheet;
}

double node_kw(const std::string& gpu) { return sheet_facts().at("node_kw").value(gpu, 0.0); }

}  // namespace sizesheet::sample
