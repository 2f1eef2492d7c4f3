// SPDX-License-Identifier: Apache-2.0
#include "render/table/csv_writer.h"

#include "support/text.h"

namespace sizesheet {
namespace {

using Column = std::pair<const char*, std::string (*)(const Row&)>;

std::string count(const std::optional<std::int64_t>& value) {
  return value ? std::to_string(*value) : "";
}

std::string number(const std::optional<double>& value) { return value ? shortest(*value) : ""; }

std::string usd(const std::optional<MicroUsd>& value) {
  return value ? shortest(to_usd(*value)) : "";
}

std::string per_hour(const std::optional<RentLine>& line) {
  return line ? usd(line->usd_per_hour) : "";
}

std::string per_run(const std::optional<RentLine>& line) {
  return line ? usd(line->usd_per_run) : "";
}

std::string bytes(const Row& row, std::int64_t value) {
  return row.modelled ? std::to_string(value) : "";
}

template <typename F>
std::string owned(const Row& row, F&& read) {
  return row.own ? read(*row.own) : "";
}

/// What was asked, the counts and the memory bill.
std::vector<Column> sizing_columns() {
  return {
      {"model_id", [](const Row& row) { return row.model; }},
      {"method_id", [](const Row& row) { return row.method; }},
      {"gpu_id", [](const Row& row) { return row.gpu; }},
      {"scenario_id", [](const Row& row) { return row.scenario; }},
      {"verdict", [](const Row& row) { return row.modelled ? row.verdict : "not modelled"; }},
      {"gpus_by_memory", [](const Row& row) { return count(row.by_memory); }},
      {"gpus_tight", [](const Row& row) { return count(row.tight); }},
      {"gpus_rentable", [](const Row& row) { return count(row.rentable); }},
      {"gpus_for_deadline", [](const Row& row) { return count(row.deadline_gpus); }},
      {"gpus", [](const Row& row) { return bytes(row, row.layout.gpus); }},
      {"data_parallel", [](const Row& row) { return bytes(row, row.layout.dp); }},
      {"tensor_parallel", [](const Row& row) { return bytes(row, row.layout.tp); }},
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

/// Hours and money; money columns say list or own, never the bare word cost.
std::vector<Column> money_columns() {
  return {
      {"tokens_per_second_per_gpu",
       [](const Row& row) { return number(row.tokens_per_second_per_gpu); }},
      {"hours_low", [](const Row& row) { return number(row.hours_low); }},
      {"hours_mid", [](const Row& row) { return number(row.hours_mid); }},
      {"hours_high", [](const Row& row) { return number(row.hours_high); }},
      {"list_usd_per_hour", [](const Row& row) { return per_hour(row.list); }},
      {"list_usd_per_run", [](const Row& row) { return per_run(row.list); }},
      {"spot_usd_per_hour", [](const Row& row) { return per_hour(row.spot); }},
      {"spot_usd_per_run", [](const Row& row) { return per_run(row.spot); }},
      {"reserved_1y_usd_per_hour", [](const Row& row) { return per_hour(row.reserved_1y); }},
      {"reserved_1y_usd_per_month",
       [](const Row& row) { return row.reserved_1y ? usd(row.reserved_1y->usd_per_month) : ""; }},
      {"capex_usd",
       [](const Row& row) {
         return owned(row, [](const OwnLine& own) { return usd(own.capex_usd); });
       }},
      {"own_usd_per_month",
       [](const Row& row) {
         return owned(row, [](const OwnLine& own) { return usd(own.own_usd_per_month); });
       }},
      {"own_usd_per_gpu_hour",
       [](const Row& row) {
         return owned(row, [](const OwnLine& own) { return usd(own.own_usd_per_gpu_hour); });
       }},
      {"own_usd_per_run",
       [](const Row& row) {
         return owned(row, [](const OwnLine& own) { return usd(own.own_usd_per_run); });
       }},
      {"break_even_hours_per_month",
       [](const Row& row) {
         return owned(row,
                      [](const OwnLine& own) { return number(own.break_even_hours_per_month); });
       }},
      {"advice",
       [](const Row& row) {
         return owned(row, [](const OwnLine& own) { return own.advice.value_or(""); });
       }},
      {"close",
       [](const Row& row) {
         return owned(row,
                      [](const OwnLine& own) { return std::string(own.close ? "true" : "false"); });
       }},
      {"price_key", [](const Row& row) { return row.list ? row.list->price_key : std::string(); }},
  };
}

std::vector<Column> all_columns() {
  std::vector<Column> columns = sizing_columns();
  for (const Column& column : money_columns()) columns.push_back(column);
  return columns;
}

const std::vector<Column>& columns() {
  static const std::vector<Column> kColumns = all_columns();
  return kColumns;
}

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) line += (i > 0 ? "," : "") + csv_cell(cells[i]);
  return line + "\n";
}

}  // namespace

std::string csv_cell(const std::string& text) {
  const bool runs =
      !text.empty() && std::string_view("=+-@").find(text[0]) != std::string_view::npos;
  const std::string safe = runs ? "'" + text : text;
  if (safe.find_first_of(",\"\r\n") == std::string::npos) return safe;
  std::string quoted = "\"";
  for (const char c : safe) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::vector<std::string> csv_header() {
  std::vector<std::string> names;
  for (const Column& column : columns()) names.emplace_back(column.first);
  return names;
}

std::vector<std::string> csv_cells(const Row& row) {
  std::vector<std::string> cells;
  for (const Column& column : columns()) cells.push_back(column.second(row));
  return cells;
}

void CsvWriter::write(const Sheet& sheet, FileSet& files) const {
  std::string text = csv_line(csv_header());
  for (const Row& row : sheet.rows) text += csv_line(csv_cells(row));
  files["sheet.csv"] = text;
}

}  // namespace sizesheet
