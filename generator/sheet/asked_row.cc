// SPDX-License-Identifier: Apache-2.0
#include "sheet/asked_row.h"

#include <stdexcept>

#include "sheet/sweep.h"
#include "sizing/throughput.h"

namespace sizesheet {

Cell cell_of(const SheetSpec& spec, const Row& row) {
  Cell cell;
  cell.method = row.method;
  cell.gpu = row.gpu;
  for (const SpecModel& model : spec.models) {
    if (model.id == row.model) cell.model = &model;
  }
  for (const SpecScenario& scenario : spec.scenarios) {
    if (scenario.id == row.scenario) cell.scenario = &scenario;
  }
  if (cell.model == nullptr || cell.scenario == nullptr) {
    throw std::logic_error("row " + row.key() + " is of another spec");
  }
  return cell;
}

std::optional<AskedRow> asked(const Catalog& catalog, const SheetSpec& spec, const Cell& cell,
                              std::int64_t gpus) {
  Faults faults;
  Question question =
      read_question(request_of(spec, cell), catalog, catalog.engine.current, faults);
  if (!faults.empty()) return std::nullopt;
  auto chosen = best_layout(question, gpus);
  if (!chosen) return std::nullopt;
  return AskedRow{std::move(question), std::move(*chosen)};
}

std::optional<double> mid_hours(const Question& question, const Job& job) {
  const auto speed = throughput(job, *question.gpu, question.speed_intervals);
  if (!speed) return std::nullopt;
  const auto hours = run_hours(job, *speed);
  return hours ? std::optional(hours->mid) : std::nullopt;
}

const Method* method_of_kind(const Catalog& catalog, const SheetSpec& spec, const char* kind) {
  for (const std::string& id : spec.methods) {
    const auto method = catalog.methods.find(id);
    if (method != catalog.methods.end() && method->second.request.value("kind", "") == kind) {
      return &method->second;
    }
  }
  return nullptr;
}

std::optional<Cell> main_cell(const SheetSpec& spec, const std::string& model,
                              const std::string& method, const std::string& gpu) {
  for (const Cell& cell : cells_of(spec)) {
    if (cell.model->id == model && cell.method == method && cell.gpu == gpu &&
        cell.scenario == &spec.scenarios.front()) {
      return cell;
    }
  }
  return std::nullopt;
}

}  // namespace sizesheet
