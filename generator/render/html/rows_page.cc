// SPDX-License-Identifier: Apache-2.0
#include "render/html/rows_page.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "render/html/cells.h"
#include "render/html/frame.h"
#include "render/phrases.h"
#include "support/text.h"

namespace sizesheet {

namespace {

void put_count(Json& row, const std::string& name, const std::optional<std::int64_t>& count) {
  if (count) {
    put(row, name, format_integer(*count), static_cast<double>(*count));
  } else {
    put_absent(row, name);
  }
}

std::string verdict_of(const Row& row) { return row.modelled ? row.verdict : "not modelled"; }

Json list_row(const Sheet& sheet, const Row& row, const std::string& scenario_title) {
  Json line = {{"line_key", row.key()},
               {"line_model", sheet.model(row.model).title},
               {"line_label", sheet.model(row.model).size},
               {"line_method", sheet.method(row.method).short_title},
               {"line_gpu", sheet.gpu(row.gpu).short_name},
               {"line_scenario", scenario_title},
               {"line_href", proof_href(sheet, row)},
               {"line_class", verdict_class(row)},
               {"line_mark", verdict_mark(verdict_class(row))},
               {"line_verdict", verdict_of(row)}};
  put_count(line, "line_minimum", row.by_memory);
  put_count(line, "line_count", row.rentable ? row.rentable : row.tight);
  if (row.modelled) {
    put(line, "line_gib", format_gib(row.memory.device, 1), gib(row.memory.device));
  } else {
    put_absent(line, "line_gib");
  }
  put_money(line, row);
  return line;
}

Json list_rows(const Sheet& sheet) {
  std::map<std::string, std::string> titles;
  for (const Scenario& scenario : sheet.scenarios) titles[scenario.id] = scenario.title;
  Json lines = Json::array();
  for (const Row& row : sheet.rows) {
    const auto title = titles.find(row.scenario);
    lines.push_back(list_row(sheet, row, title == titles.end() ? row.scenario : title->second));
  }
  return lines;
}

/// The texts of a column to choose among, each once.
Json choices(const std::vector<std::string>& names) {
  Json list = Json::array();
  std::set<std::string> seen;
  for (const std::string& name : names) {
    if (seen.insert(name).second) list.push_back({{"choice_name", name}});
  }
  return list;
}

template <typename Entries, typename Name>
Json choices_of(const Entries& entries, Name name) {
  std::vector<std::string> names;
  for (const auto& entry : entries) names.push_back(entry.*name);
  return choices(names);
}

/// The verdicts that some row has, best first.
Json verdict_choices(const Sheet& sheet) {
  std::vector<std::string> found;
  for (const char* verdict : {"fits", "tight", "no", "not modelled"}) {
    const bool some = std::any_of(sheet.rows.begin(), sheet.rows.end(),
                                  [&](const Row& row) { return verdict_of(row) == verdict; });
    if (some) found.emplace_back(verdict);
  }
  return choices(found);
}

/// The printed figure, and the number behind it where it has one.
Json figure_of(const Json& values, const std::string& name) {
  const std::string raw = values.value(name + "_v", "");
  if (raw.empty()) return Json::array({values.at(name)});
  return Json::array({values.at(name), Json::parse(raw)});
}

}  // namespace

Json rows_values(const Sheet& sheet) {
  Json values = frame_values(sheet, SitePage::kRows, "Every row · " + sheet.meta.title, "");
  values["run_words"] = run_words(sheet);
  values["list_rows"] = list_rows(sheet);
  values["list_count"] = format_integer(static_cast<std::int64_t>(sheet.rows.size()));
  values["gpu_choices"] = choices_of(sheet.gpus, &SheetGpu::short_name);
  values["method_choices"] = choices_of(sheet.methods, &SheetMethod::short_title);
  values["stack_choices"] = choices_of(sheet.scenarios, &Scenario::title);
  values["has_stacks"] = sheet.scenarios.size() > 1;
  values["verdict_choices"] = verdict_choices(sheet);
  return values;
}

std::string rows_script(const Sheet& sheet) {
  constexpr std::array kColumns{"hourly", "hours", "run", "own_month", "break_even", "advice"};
  Json rows = Json::object();
  for (const Row& row : sheet.rows) {
    if (row.scenario != sheet.scenarios.front().id) continue;
    Json values;
    put_money(values, row);
    Json figures = Json::array();
    for (const char* column : kColumns) figures.push_back(figure_of(values, column));
    rows[row.model + "/" + row.method + "/" + row.gpu] = figures;
  }
  return "// SPDX-License-Identifier: Apache-2.0\n"
         "// Money and hours of every cell of the matrix.\n"
         "document.dispatchEvent(new CustomEvent('rows', { detail: " +
         json_text(rows) + " }));\n";
}

}  // namespace sizesheet
