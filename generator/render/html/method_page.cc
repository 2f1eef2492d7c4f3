// SPDX-License-Identifier: Apache-2.0
#include "render/html/method_page.h"

#include "render/html/frame.h"
#include "render/html/notes.h"
#include "render/html/proof.h"
#include "render/html/worksheet.h"
#include "render/phrases.h"
#include "support/text.h"

namespace sizesheet {

namespace {

Json constant_rows(const Sheet& sheet) {
  Json rows = Json::array();
  for (const SheetConstant& constant : sheet.constants) {
    Json row = {{"constant_id", constant.id},
                {"constant_value", shortest(constant.value)},
                {"constant_unit", constant.unit},
                {"constant_reason", constant.reason}};
    put_source(row, "source", constant.source);
    rows.push_back(row);
  }
  return rows;
}

Json scenario_rows(const Sheet& sheet) {
  Json rows = Json::array();
  for (const Scenario& scenario : sheet.scenarios) {
    Json warnings = Json::array();
    for (const std::string& warning : scenario.warnings) {
      warnings.push_back({{"scenario_warning", warning}});
    }
    rows.push_back({{"scenario_name", scenario.stack_title},
                    {"scenario_text", scenario.summary},
                    {"scenario_warnings", warnings}});
  }
  return rows;
}

Json method_rows(const Sheet& sheet) {
  Json rows = Json::array();
  for (const SheetMethod& method : sheet.methods) {
    rows.push_back({{"method_name", method.title}, {"method_text", method.description}});
  }
  return rows;
}

Json gpu_rows(const Sheet& sheet) {
  Json rows = Json::array();
  for (const SheetGpu& gpu : sheet.gpus) {
    std::vector<std::string> counts;
    for (const std::int64_t count : gpu.counts) counts.push_back(format_integer(count));
    if (counts.size() > 8)
      counts = {counts[0], counts[1], counts[2], counts[3], counts[4], "…", counts.back()};
    Json row = {{"gpu_name", gpu.name},
                {"gpu_usable", format_gib(gpu.capacity_bytes, 1)},
                {"gpu_v", std::to_string(gpu.capacity_bytes)},
                {"gpu_counts", join(counts, ", ")},
                {"gpu_date", gpu.date}};
    put_source(row, "source", gpu.source);
    rows.push_back(row);
  }
  return rows;
}

}  // namespace

Json method_values(const Sheet& sheet) {
  Json values = frame_values(sheet, SitePage::kMethod, "Method · " + sheet.meta.title, "");
  values["worksheets"] = worksheet_values(sheet, "method");
  values["headroom_rule"] = headroom_rule(sheet);
  values["headroom"] = shortest(sheet.options.headroom);
  values["least_free"] = format_number(least_free_percent(sheet.options.headroom), 1);
  values["max_gpus"] = format_integer(sheet.options.max_gpus);
  values["price_policy"] = price_policy(sheet);
  values["ownership_rule"] = ownership_rule(sheet);
  values["planned_hours"] = month_hours(sheet.options.planned_hours_per_month);
  values["month_hours"] = month_hours(sheet.options.hours_per_month);
  values["run_words"] = run_words(sheet);
  values["has_changes_page"] = sheet.changes.has_value();
  values["catalog_hash"] = sheet.meta.catalog_hash;
  values["has_deadline"] = sheet.options.deadline_hours.has_value();
  values["deadline"] = month_hours(sheet.options.deadline_hours.value_or(0));
  values["scenario_rows"] = scenario_rows(sheet);
  values["method_rows"] = method_rows(sheet);
  values["gpu_rows"] = gpu_rows(sheet);
  values["constant_rows"] = constant_rows(sheet);
  for (const TermName& term : kTermTitles) values["title_" + std::string(term.name)] = term.title;
  return values;
}

}  // namespace sizesheet
