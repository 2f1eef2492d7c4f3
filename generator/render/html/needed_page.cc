// SPDX-License-Identifier: Apache-2.0
#include "render/html/needed_page.h"

#include <algorithm>
#include <array>
#include <set>

#include "render/formats.h"
#include "render/html/templates/proof_id.h"
#include "render/html/templates/strict_context.h"
#include "render/phrases.h"
#include "sheet/project.h"
#include "sheet/seller_names.h"
#include "sheet/sheet.h"
#include "support/json.h"
#include "support/money.h"
#include "support/object_text.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::int64_t kManyNodes = 8;
constexpr std::size_t kNameLine = 22;  // letters of a model's name in a line of the matrix

/// Tint by size class: one GPU, within one node, two to eight nodes.
std::string size_class(std::int64_t gpus, std::int64_t per_node) {
  if (gpus == 1) return "n1";
  if (gpus <= per_node) return "n2";
  return gpus <= kManyNodes * per_node ? "n3" : "n4";
}

/// The mark of a count that is not certain replaces the one of a tight count below it.
void put_doubt(std::optional<bool> certain, Json& cell) {
  const bool unsure = !certain.value_or(true);
  cell["cell_doubt"] = unsure ? kDoubtMark : "";
  if (unsure) cell["cell_open"] = false;
}

Json gpu_cell(const Sheet& sheet, const Row* row, const Row* pick) {
  Json cell = {{"cell_class", "none"}, {"cell_text", std::string(kAbsent)},
               {"cell_tight", false},  {"cell_open", false},
               {"cell_doubt", ""},     {"gpu", nullptr}};
  if (!row) return cell;
  cell["gpu"] = row->gpu;
  cell["bill"] = proof_id(sheet, *row);
  const std::int64_t per_node = sheet.gpu(row->gpu).gpus_per_node;
  cell["cell_class"] = row->standing();
  cell["cell_text"] = row->modelled ? "no" : "n/a";
  if (row->rentable) {
    cell["cell_class"] = size_class(*row->rentable, per_node);
    cell["cell_text"] = format_integer(*row->rentable);
    cell["cell_open"] = row->tight && *row->tight < *row->rentable;
    put_doubt(row->certain_on(*row->rentable), cell);
  } else if (row->tight) {
    cell["cell_text"] = format_integer(*row->tight);
    cell["cell_tight"] = true;
  }
  if (row == pick) {
    cell["cell_class"] = cell["cell_class"].get<std::string>() + " pick";
  }
  return cell;
}

/// Null where the sheet asks for no project, or nothing is rented.
Json project_usd(const Row* row) {
  if (row == nullptr || !row->project) return nullptr;
  return to_usd(row->project->total_usd);
}

bool has_project_column(const Sheet& sheet) { return sheet.project && sheet.project->index_column; }

Json matrix_row(const Sheet& sheet, const SheetModel& model, const SheetMethod& method,
                std::size_t place) {
  const Row* pick = rent_pick_row(sheet, model.id, method.id);
  const bool several = sheet.methods.size() > 1;
  Json cells = Json::array();
  for (const SheetGpu& gpu : sheet.gpus) {
    cells.push_back(gpu_cell(sheet, sheet.main_row(model.id, method.id, gpu.id), pick));
  }
  return {{"model", model.id},
          {"method", method.id},
          {"row_first", place == 0},
          {"row_second", place == 1},
          {"row_more", several},
          {"row_long", several && model.title.size() > kNameLine},
          {"row_cells", cells},
          {"pick", pick == nullptr ? Json() : row_json(sheet, *pick)},
          {"project_usd", project_usd(pick)}};
}

/// The texts of a column to choose among, each once.
Json choices(const std::vector<std::string>& names) {
  std::vector<std::string> list;
  for (const std::string& name : names) {
    if (!contains(list, name)) list.push_back(name);
  }
  return list;
}

/// The verdicts that some row has, best first.
Json verdict_choices(const Sheet& sheet) {
  std::vector<std::string> found;
  for (const VerdictFacts& standing : kVerdicts) {
    for (const bool certain : {true, false}) {
      const VerdictFacts& facts = standing_facts(standing.value, certain);
      const bool some = std::ranges::any_of(sheet.rows, [&](const Row& row) {
        return &standing_facts(row.standing(), row.certain()) == &facts;
      });
      if (some) found.emplace_back(facts.answer);
    }
  }
  return choices(found);
}

/// As printed, and the number where there is one.
Json project_figure(const Row& row) {
  if (!row.project) return Json::array({kAbsent});
  return Json::array({run_usd(row.project->total_usd), to_usd(row.project->total_usd)});
}

}  // namespace

Json needed_values(const Sheet& sheet) {
  Json values = Json::object();
  values["matrix_rows"] = Json::array();
  for (const SheetModel& model : sheet.models) {
    for (std::size_t i = 0; i < sheet.methods.size(); ++i) {
      values["matrix_rows"].push_back(matrix_row(sheet, model, sheet.methods[i], i));
    }
  }
  values["project_column"] = has_project_column(sheet);
  values["list_count"] = sheet.rows.size();
  values["has_refused"] = std::ranges::count(sheet.rows, false, &Row::modelled) > 0;
  std::set<std::string> providers;
  for (const SheetPrice& price : sheet.prices) {
    if (price.excluded.empty()) providers.insert(price.provider);
  }
  values["provider_count"] = providers.size();
  return values;
}

Json rows_values(const Sheet& sheet) {
  Json rows = Json::array();
  for (const Row& row : sheet.rows) rows.push_back(row_json(sheet, row));
  return {{"list_rows", std::move(rows)},
          {"gpu_choices", choices(each_of(sheet.gpus, &SheetGpu::short_name))},
          {"method_choices", choices(each_of(sheet.methods, &SheetMethod::short_title))},
          {"stack_choices", choices(each_of(sheet.scenarios, &Scenario::title))},
          {"has_stacks", sheet.scenarios.size() > 1},
          {"verdict_choices", verdict_choices(sheet)}};
}

std::string rows_script(const Sheet& sheet) {
  using Names = std::pair<const char*, const char*>;  // as printed, and the number where it has one
  constexpr std::array kColumns{Names{"layout.gpus|count", "layout.gpus|raw"},
                                Names{".|row_hours", "hours.mid|raw"},
                                Names{"rent.list|paid_run", "rent.list.usd_per_run|raw"},
                                Names{"run.usd|usd_range", nullptr},
                                Names{"seller|text", nullptr},
                                Names{"owned|own_month", "owned.usd_per_month|raw"},
                                Names{"owned|from_runs", "owned|raw_from_runs"},
                                Names{"owned|pays_from", "owned|raw_even"}};
  Json rows = Json::object();
  for (const Row& row : sheet.rows) {
    if (!sheet.is_main(row)) continue;
    Json values = row_json(sheet, row);
    const RunCandidate* run = row.set_up();
    values["seller"] = run == nullptr ? "" : seller_name(sheet, run->provider);
    Json figures = Json::array();
    for (const auto& [words, number] : kColumns) {
      const std::string raw = number == nullptr ? "" : words_at(values, number);
      figures.push_back({words_at(values, words)});
      if (!raw.empty()) figures.back().push_back(Json::parse(raw));
    }
    if (has_project_column(sheet)) figures.push_back(project_figure(row));
    rows[row.model + "/" + row.method + "/" + row.gpu] = figures;  // the cell's id
  }
  return "// SPDX-License-Identifier: Apache-2.0\n"
         "// Money and hours of every cell of the matrix.\n"
         "document.dispatchEvent(new CustomEvent('rows', { detail: " +
         json_text(rows) + " }));\n";
}

}  // namespace sizesheet
