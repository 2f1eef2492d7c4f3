// SPDX-License-Identifier: Apache-2.0
#include "render/xlsx/sizing_table.h"

#include <set>

#include "render/xlsx/labels.h"
#include "support/text.h"

namespace sizesheet::xlsx {
namespace {

constexpr const char* kGroup = "Memory of one GPU at its peak";

/// The parts of the total, as every page calls them.
std::vector<Column> term_columns() {
  std::vector<Column> all;
  for (const TermName& term : kTermTitles) {
    if (term.name == std::string_view("generation")) continue;  // of no row of a sheet
    all.push_back({term.name, kGroup, term.title, "GiB", 10.5, Style::kTenths, "", false, ""});
  }
  return all;
}

std::vector<Column> columns() {
  const char* counts = "GPUs";
  std::vector<Column> all = {
      {"size", "", "Size", "", 7, Style::kText, "", false, ""},
      {"model", "", "Model", "", 22, Style::kText, "", false, ""},
      {"method", "", "Method", "", 8, Style::kText, "", false, ""},
      {"gpu", "", "GPU", "", 10, Style::kText, "", false, ""},
      {"scenario", "", "Scenario", "", 28, Style::kText, "", false, ""},
      {"pick", "", "Pick", "", 9, Style::kText, "", false, ""},
      {"verdict", "", "Fits?", "", 13, Style::kText, "", false, ""},
      {"fits", counts, "Fit with headroom", "", 9, Style::kCount, "", false, ""},
      {"tight", counts, "Hold, rentable", "", 9, Style::kCount, "", false, ""},
      {"least", counts, "Hold at all", "", 8, Style::kCount, "", false, ""},
      {"deadline", counts, "For the deadline", "", 9, Style::kCount, "", false, ""},
      {"gpus", counts, "Taken", "", 7, Style::kCount, "", false, ""},
      {"layout", "", "Layout", "data × tensor × pipeline × context", 25, Style::kText, "", false,
       ""},
      {"device", kGroup, "Total", "GiB", 9, Style::kTenths, "", false, ""},
      {"low", kGroup, "Low", "GiB", 8, Style::kTenths, "", false, ""},
      {"high", kGroup, "High", "GiB", 8, Style::kTenths, "", false, ""},
      {"capacity", kGroup, "Of", "GiB", 8, Style::kTenths, "", false, ""},
  };
  for (Column& column : term_columns()) all.push_back(std::move(column));
  const std::vector<Column> speed = {
      {"confidence", "", "Confidence", "A to C", 10, Style::kText, "", false, ""},
      {"speed", "Speed", "Speed", "tokens/s/GPU", 12, Style::kTenths, "", false, ""},
      {"hours_low", "Speed", "Hours, low", "h a run", 11, Style::kTenths, "", false, ""},
      {"hours", "Speed", "Hours", "h a run", 9, Style::kTenths, "", false, ""},
      {"hours_high", "Speed", "Hours, high", "h a run", 11, Style::kTenths, "", false, ""},
  };
  all.insert(all.end(), speed.begin(), speed.end());
  return all;
}

CellValue gibibytes(std::int64_t bytes) { return cell(static_cast<double>(bytes) / kGiB); }

std::string layout_words(const LayoutShape& shape) {
  std::string words = std::to_string(shape.dp) + " × " + std::to_string(shape.tp) + " × " +
                      std::to_string(shape.pp) + " × " + std::to_string(shape.cp);
  if (shape.shard != "none") words += ", " + shape.shard;
  if (shape.offload != "none") words += ", offload " + shape.offload;
  return words;
}

void add_memory(const Row& sized, TableRow& row) {
  const MemoryBill& bill = sized.memory;
  row.cells["device"] = gibibytes(bill.device);
  row.cells["low"] = gibibytes(sized.device_low);
  row.cells["high"] = gibibytes(sized.device_high);
  row.cells["capacity"] = gibibytes(bill.capacity);
  row.cells["weights"] = gibibytes(bill.weights);
  row.cells["adapters"] = gibibytes(bill.adapters);
  row.cells["gradients"] = gibibytes(bill.gradients);
  row.cells["optimizer"] = gibibytes(bill.optimizer);
  row.cells["activations"] = gibibytes(bill.activations);
  row.cells["recompute"] = gibibytes(bill.recompute);
  row.cells["logits"] = gibibytes(bill.logits);
  row.cells["working_set"] = gibibytes(bill.working_set);
  row.cells["allocator_slack"] = gibibytes(bill.reserved - bill.allocated);
  row.cells["overhead"] = gibibytes(bill.overhead);
}

void add_answer(const Row& sized, TableRow& row) {
  if (!sized.modelled) return;
  row.cells["fits"] = cell(sized.rentable);
  row.cells["tight"] = cell(sized.tight);
  row.cells["least"] = cell(sized.by_memory);
  row.cells["deadline"] = cell(sized.deadline_gpus);
  row.cells["gpus"] = cell(sized.layout.gpus);
  row.cells["layout"] = cell(layout_words(sized.layout));
  row.cells["confidence"] = cell(sized.confidence);
  row.cells["speed"] = cell(sized.tokens_per_second_per_gpu);
  row.cells["hours_low"] = cell(sized.hours_low);
  row.cells["hours"] = cell(sized.hours_mid);
  row.cells["hours_high"] = cell(sized.hours_high);
  add_memory(sized, row);
}

std::string pick_words(const Sheet& sheet, const Row& row) {
  const Pick* pick = sheet.pick(row.model, row.method);
  if (pick == nullptr) return "";
  const bool rent = pick->rent_key == row.key();
  const bool buy = pick->buy_key == row.key();
  if (rent && buy) return "rent, buy";
  if (rent) return "rent";
  return buy ? "buy" : "";
}

}  // namespace

Table sizing_table(const Sheet& sheet) {
  Table table{"Sizing", columns(), {}};
  std::map<std::string, std::string> scenarios;
  for (const Scenario& scenario : sheet.scenarios) scenarios[scenario.id] = scenario.title;
  for (const Row& sized : sheet.rows) {
    TableRow row;
    row.cells = {{"size", cell(sheet.model(sized.model).size)},
                 {"model", cell(sheet.model(sized.model).title)},
                 {"method", cell(sheet.method(sized.method).short_title)},
                 {"gpu", cell(gpu_label(sheet, sized.gpu))},
                 {"scenario", cell(scenarios[sized.scenario])},
                 {"pick", cell(pick_words(sheet, sized))},
                 {"verdict", cell(sized.modelled ? sized.verdict : "not modelled")}};
    add_answer(sized, row);
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace sizesheet::xlsx
