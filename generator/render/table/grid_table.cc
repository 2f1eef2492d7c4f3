// SPDX-License-Identifier: Apache-2.0
#include "render/table/grid_table.h"

#include <algorithm>
#include <string_view>

#include "render/table/csv_money.h"
#include "render/table/csv_writer.h"
#include "support/json.h"

namespace sizesheet {
namespace {

using Column = CsvColumn<Row>;

bool one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Of the columns of time and money: what needs no price but the one on demand.
bool kept(const Column& column) {
  return one_of(column.name,
                {"tokens_per_second_per_gpu", "gpu_measured", "hours_low", "hours_mid",
                 "hours_high", "adapter_bytes", "checkpoint_bytes", "host_memory_bytes",
                 "disk_bytes", "list_usd_per_hour", "list_usd_per_run", "price_key"});
}

std::vector<Column> all_grid_columns() {
  std::vector<Column> columns = sizing_columns();
  std::erase_if(columns,
                [](const Column& column) { return one_of(column.name, {"gpus_for_deadline"}); });
  for (Column& column : columns) {
    if (one_of(column.name, {"scenario_id"})) column.name = "sequence_tokens";
  }
  for (const Column& column : rent_columns()) {
    if (kept(column)) columns.push_back(column);
  }
  columns.push_back({"refusal", [](const Row& row) { return row.refusal; }});
  return columns;
}

const std::vector<Column>& grid_columns() {
  static const std::vector<Column> kColumns = all_grid_columns();
  return kColumns;
}

bool is_text(const Column& column) {
  return one_of(column.name, {"model_id", "method_id", "gpu_id", "verdict", "shard", "confidence",
                              "peak_phase", "price_key", "refusal"});
}

}  // namespace

std::string grid_csv_header() { return csv_line(csv_names(grid_columns())); }

std::string grid_csv_line(const Row& row) { return csv_line(csv_cells(grid_columns(), row)); }

std::string grid_json_line(const Row& row) {
  std::string line;
  for (const Column& column : grid_columns()) {
    line += line.empty() ? "{" : ",";
    line += '"' + std::string(column.name) + "\":";
    const std::string cell = column.cell(row);
    if (cell.empty()) {
      line += "null";
    } else if (is_text(column)) {
      line += json_text(cell);
    } else {
      line += cell;  // a number as JSON writes it, or true or false
    }
  }
  return line + "}\n";
}

}  // namespace sizesheet
