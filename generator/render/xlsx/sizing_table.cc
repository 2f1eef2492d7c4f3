// SPDX-License-Identifier: Apache-2.0
// The Sizing sheet: counts, layout and memory of every row.

#include "render/xlsx/inputs.h"
#include "render/xlsx/sheets.h"
#include "support/text.h"

namespace sizesheet::xlsx {
namespace {

constexpr const char* kGroup = "Memory of one GPU at its peak";

/// The parts of the total, as every page calls them.
std::vector<Column> term_columns() {
  std::vector<Column> all;
  for (const TermFacts& part : kTerms) {
    if (part.value == Term::kGeneration) continue;  // of no row of a sheet
    Column column{part.id, kGroup, part.title, "GiB", 10.5, Style::kTenths, "", false, ""};
    const bool slack = part.value == Term::kSlack;
    all.push_back(slack ? column : measured(std::string(part.id) + "_bytes", column));
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
      measured("advice", {"decision", "", "Rent or buy", "", 8, Style::kText, "", false, ""}),
      measured("close", {"close", "", "Within 10 %", "", 7, Style::kText, "", false, ""}),
      measured("verdict", {"verdict", "", "Fits?", "", 13, Style::kText, "", false, ""}),
      measured("gpus_rentable",
               {"fits", counts, "Fit with headroom", "", 9, Style::kCount, "", false, ""}),
      measured("gpus_tight",
               {"tight", counts, "Hold, rentable", "", 9, Style::kCount, "", false, ""}),
      measured("gpus_by_memory",
               {"least", counts, "Hold at all", "", 8, Style::kCount, "", false, ""}),
      measured("gpus_for_deadline",
               {"deadline", counts, "For the deadline", "", 9, Style::kCount, "", false, ""}),
      measured("gpus", {"gpus", counts, "Taken", "", 7, Style::kCount, "", false, ""}),
      {"layout", "", "Layout", "data × tensor × pipeline × context", 25, Style::kText, "", false,
       ""},
      measured("device_bytes",
               {"device", kGroup, "Total", "GiB", 9, Style::kTenths, "", false, ""}),
      measured("device_low_bytes", {"low", kGroup, "Low", "GiB", 8, Style::kTenths, "", false, ""}),
      measured("device_high_bytes",
               {"high", kGroup, "High", "GiB", 8, Style::kTenths, "", false, ""}),
      measured("capacity_bytes",
               {"capacity", kGroup, "Of", "GiB", 8, Style::kTenths, "", false, ""}),
  };
  for (Column& column : term_columns()) all.push_back(std::move(column));
  const std::vector<Column> speed = {
      measured("confidence",
               {"confidence", "", "Confidence", "A to C", 10, Style::kText, "", false, ""}),
      measured("tokens_per_second_per_gpu",
               {"speed", "Speed", "Speed", "tokens/s/GPU", 12, Style::kTenths, "", false, ""}),
      measured("hours_low",
               {"hours_low", "Speed", "Hours, low", "h a run", 11, Style::kTenths, "", false, ""}),
      measured("hours_mid",
               {"hours", "Speed", "Hours", "h a run", 9, Style::kTenths, "", false, ""}),
      measured("hours_high", {"hours_high", "Speed", "Hours, high", "h a run", 11, Style::kTenths,
                              "", false, ""}),
      measured("fastest_stack",
               {"faster", "Fastest stack", "Stack", "same GPUs", 15, Style::kText, "", false, ""}),
      measured("fastest_stack_hours_mid", {"faster_hours", "Fastest stack", "Hours", "h a run", 9,
                                           Style::kTenths, "", false, ""}),
      measured("fastest_stack_usd_per_run",
               {"faster_run", "Fastest stack", "A run", "$", 9, Style::kUsdRun, "", false, ""}),
  };
  all.insert(all.end(), speed.begin(), speed.end());
  return all;
}

std::string layout_words(const LayoutShape& shape) {
  std::string words = std::to_string(shape.dp) + " × " + std::to_string(shape.tp) + " × " +
                      std::to_string(shape.pp) + " × " + std::to_string(shape.cp);
  if (shape.shard != "none") words += ", " + shape.shard;
  if (shape.offload != "none") words += ", offload " + shape.offload;
  return words;
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
  for (const Row& sized : sheet.rows) {
    TableRow row = described_row(sheet, sized);
    row.cells["pick"] = cell(pick_words(sheet, sized));
    add_measured(table.columns, sized, row);
    if (sized.modelled) {
      row.cells["layout"] = cell(layout_words(sized.layout));
      row.cells[id_of(Term::kSlack)] = cell(Bytes{sized.memory.of(Term::kSlack)});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace sizesheet::xlsx
