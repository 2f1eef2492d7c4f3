// SPDX-License-Identifier: Apache-2.0
#include "render/xlsx/project_table.h"

#include <string>

#include "render/xlsx/inputs.h"
#include "render/xlsx/sheets.h"
#include "render/xlsx/table.h"
#include "render/xlsx/workbook_file.h"
#include "sheet/project.h"
#include "sheet/sheet.h"
#include "support/money.h"
#include "support/text.h"
#include "support/whole_numbers.h"

namespace sizesheet::xlsx {
namespace {

constexpr double kMostRuns = 1e6;
constexpr double kMostTokensOfEvaluation = 1e15;
constexpr double kMostGib = 1e9;

/// A rate of the project, as formulas call it.
struct RateInput {
  const char* name;
  const ProjectRateKind& kind;
  Style style;
};
constexpr RateInput kRateInputs[] = {
    {"project_forward_share", kForwardShare, Style::kInputPercent},
    {"project_usd_per_gib_month", kStorageRate, Style::kInputNumber},
    {"project_usd_per_gib", kEgressRate, Style::kInputNumber},
    {"project_usd_per_hour", kEngineerRate, Style::kInputNumber},
};

Input asked_amount(const char* name, const char* title, const char* unit, double value, Style style,
                   double most) {
  const SheetEstimate figure{
      {0, value, 0, "choice", "sheet specification", "", ""}, "", title, unit};
  return {name, figure, style, 0, most, false};
}

/// 0 where the project has nothing at the rate, so that an amount typed later costs what is typed.
Input rate_input(const SheetProject& project, const RateInput& rate) {
  const auto* used = entry_with(project.rates, &ProjectFigure::id, std::string(rate.kind.id));
  if (used == nullptr) {
    Input none =
        asked_amount(rate.name, rate.kind.id, rate.kind.unit, 0, rate.style, rate.kind.most);
    none.figure.source = "not asked for";
    return none;
  }
  const SheetEstimate figure{*used, "", used->title, used->unit};
  return {rate.name, figure, rate.style, 0, rate.kind.most, used->low != used->high};
}

std::vector<Column> project_columns() {
  const std::string group = "The whole project";
  const auto part = [&](const char* key, const char* title, const std::string& formula) {
    return Column{key,
                  group,
                  title,
                  "$",
                  12,
                  Style::kUsdRun,
                  unless_empty("{run}", "ROUND(" + formula + ",6)")};
  };
  return {
      {"size", "", "Size", "", 7, Style::kText},
      {"model", "", "Model", "", 22, Style::kText},
      {"method", "", "Method", "", 9, Style::kText},
      {"gpus", "", "GPUs", "", 6.5, Style::kCount},
      {"gpu", "", "Type", "", 10, Style::kText},
      {"run", "One run", "A run", "$", 11, Style::kUsdRun, at_line("rent_run", "rent_line")},
      part("runs", "All runs started", "project_runs/(1-project_failed_share)*{run}"),
      part("evaluation", "Evaluation",
           std::string("project_runs*project_evaluation_tokens*{run}/") + kTokensOfRun +
               "*project_forward_share"),
      {"stored", group, "Stored", "GiB", 10, Style::kTenths,
       "IF(project_storage_months>0,project_dataset_gib+project_runs*project_checkpoints*"
       "{checkpoint},0)"},
      part("storage", "Storage", "{stored}*project_storage_months*project_usd_per_gib_month"),
      part("egress", "Transfer out", "project_egress_gib*project_usd_per_gib"),
      part("people", "Engineering", "project_engineering_hours*project_usd_per_hour"),
      {"total", group, "Total", "$", 12, Style::kUsdRun,
       unless_empty("{run}", "{runs}+{evaluation}+{storage}+{egress}+{people}")},
      {"checkpoint", "Other lines", "A checkpoint", "GiB", 11, Style::kTenths},
      {"adapters", "Other lines", "Trains adapters (1)", "", 9, Style::kCount},
      {"rent_line", "Other lines", "Line of Rent vs buy", "", 9, Style::kLine},
  };
}

TableRow project_line(const Sheet& sheet, const Row& row, const ProjectCost& cost,
                      std::int64_t line) {
  TableRow made = described_row(sheet, row);
  made.cells.erase("scenario");
  const auto bytes = row.files ? row.files->checkpoint : 0;
  made.cells.insert({{"gpus", cell(row.layout.gpus)},
                     {"run", cell(cost.usd_per_run)},
                     {"runs", cell(cost.runs_usd)},
                     {"evaluation", cell(cost.evaluation_usd)},
                     {"stored", cell(cost.stored_gib)},
                     {"storage", cell(cost.storage_usd)},
                     {"egress", cell(cost.egress_usd)},
                     {"people", cell(cost.people_usd)},
                     {"total", cell(cost.total_usd)},
                     {"checkpoint", cell(Bytes{bytes})},
                     {"adapters", cell(std::int64_t{sheet.method(row.method).adapters})},
                     {"rent_line", cell(line)}});
  return made;
}

}  // namespace

std::vector<Input> project_inputs(const Sheet& sheet) {
  if (!sheet.project) return {};
  const SheetProject& project = *sheet.project;
  std::vector<Input> inputs = {
      asked_amount("project_runs", "Project: runs that are finished", "runs", project.runs,
                   Style::kInputNumber, kMostRuns),
      asked_amount("project_failed_share", "Project: lost, of all runs started", "share of runs",
                   project.failed_share, Style::kInputPercent, 0.99),
      asked_amount("project_evaluation_tokens", "Project: tokens read to evaluate a run", "tokens",
                   as_double(project.evaluation_tokens), Style::kInputCount,
                   kMostTokensOfEvaluation),
      asked_amount("project_checkpoints", "Project: checkpoints stored of a run", "checkpoints",
                   as_double(project.checkpoints), Style::kInputCount, kMostRuns),
      asked_amount("project_storage_months", "Project: time of storage", "months",
                   project.storage_months, Style::kInputNumber, 1200),
      asked_amount("project_dataset_gib", "Project: data stored", "GiB", project.dataset_gib,
                   Style::kInputNumber, kMostGib),
      asked_amount("project_egress_gib", "Project: transfer out", "GiB", project.egress_gib,
                   Style::kInputNumber, kMostGib),
      asked_amount("project_engineering_hours", "Project: engineering", "h",
                   project.engineering_hours, Style::kInputNumber, 1e7)};
  for (const RateInput& rate : kRateInputs) inputs.push_back(rate_input(project, rate));
  return inputs;
}

Table project_table(const Sheet& sheet) {
  Table table{"Project", project_columns(), {}};
  const std::vector<const Row*> priced = priced_rows(sheet);
  for (const Pick& pick : sheet.picks) {
    const Row* row = pick.rent_key ? sheet.find(*pick.rent_key) : nullptr;
    if (row == nullptr || !pick.project) continue;
    const std::int64_t line = line_where(priced, [&](const Row* one) { return one == row; });
    table.rows.push_back(project_line(sheet, *row, *pick.project, line));
  }
  return table;
}

}  // namespace sizesheet::xlsx
