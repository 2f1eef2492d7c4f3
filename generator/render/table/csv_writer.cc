// SPDX-License-Identifier: Apache-2.0
#include "render/table/csv_writer.h"

#include "render/table/csv_money.h"
#include "render/table/csv_text.h"
#include "render/table/focus_csv.h"

namespace sizesheet {
namespace {

using Column = CsvColumn<Row>;

std::string bytes(const Row& row, std::int64_t value) {
  return row.modelled ? std::to_string(value) : "";
}

std::vector<Column> all_columns() {
  std::vector<Column> columns = sizing_columns();
  for (const auto& part : {rent_columns(), own_columns()}) {
    columns.insert(columns.end(), part.begin(), part.end());
  }
  return columns;
}

const std::vector<Column>& columns() {
  static const std::vector<Column> kColumns = all_columns();
  return kColumns;
}

}  // namespace

std::vector<CsvColumn<Row>> sizing_columns() {
  return {
      {"model_id", [](const Row& row) { return row.model; }},
      {"method_id", [](const Row& row) { return row.method; }},
      {"gpu_id", [](const Row& row) { return row.gpu; }},
      {"scenario_id", [](const Row& row) { return row.scenario; }},
      {"verdict", [](const Row& row) { return row.modelled ? row.verdict : "not modelled"; }},
      {"gpus_by_memory", [](const Row& row) { return csv_count(row.by_memory); }},
      {"gpus_tight", [](const Row& row) { return csv_count(row.tight); }},
      {"gpus_rentable", [](const Row& row) { return csv_count(row.rentable); }},
      {"gpus_for_deadline", [](const Row& row) { return csv_count(row.deadline_gpus); }},
      {"gpus", [](const Row& row) { return bytes(row, row.layout.gpus); }},
      {"data_parallel", [](const Row& row) { return bytes(row, row.layout.dp); }},
      {"tensor_parallel", [](const Row& row) { return bytes(row, row.layout.tp); }},
      {"pipeline_parallel", [](const Row& row) { return bytes(row, row.layout.pp); }},
      {"context_parallel", [](const Row& row) { return bytes(row, row.layout.cp); }},
      {"expert_parallel", [](const Row& row) { return bytes(row, row.layout.ep); }},
      {"shard", [](const Row& row) { return row.modelled ? row.layout.shard : std::string(); }},
      {"trainable_parameters", [](const Row& row) { return bytes(row, row.parameters_trainable); }},
      {"weights_bytes", [](const Row& row) { return bytes(row, row.memory.weights); }},
      {"adapters_bytes", [](const Row& row) { return bytes(row, row.memory.adapters); }},
      {"gradients_bytes", [](const Row& row) { return bytes(row, row.memory.gradients); }},
      {"optimizer_bytes", [](const Row& row) { return bytes(row, row.memory.optimizer); }},
      {"activations_bytes", [](const Row& row) { return bytes(row, row.memory.activations); }},
      {"recompute_bytes", [](const Row& row) { return bytes(row, row.memory.recompute); }},
      {"logits_bytes", [](const Row& row) { return bytes(row, row.memory.logits); }},
      {"working_set_bytes", [](const Row& row) { return bytes(row, row.memory.working_set); }},
      {"allocated_bytes", [](const Row& row) { return bytes(row, row.memory.allocated); }},
      {"reserved_bytes", [](const Row& row) { return bytes(row, row.memory.reserved); }},
      {"overhead_bytes", [](const Row& row) { return bytes(row, row.memory.overhead); }},
      {"device_bytes", [](const Row& row) { return bytes(row, row.memory.device); }},
      {"device_low_bytes", [](const Row& row) { return bytes(row, row.device_low); }},
      {"device_high_bytes", [](const Row& row) { return bytes(row, row.device_high); }},
      {"confidence", [](const Row& row) { return row.confidence; }},
      {"capacity_bytes", [](const Row& row) { return bytes(row, row.memory.capacity); }},
      {"peak_phase", [](const Row& row) { return row.memory.peak_phase; }},
  };
}

std::vector<std::string> csv_header() { return csv_names(columns()); }

std::vector<std::string> csv_cells(const Row& row) { return csv_cells(columns(), row); }

void CsvWriter::write(const Sheet& sheet, FileSet& files) const {
  files["sheet.csv"] = csv_table(columns(), sheet.rows);
  files["prices.csv"] = focus_prices(sheet);
  files["charges.csv"] = focus_charges(sheet);
}

}  // namespace sizesheet
