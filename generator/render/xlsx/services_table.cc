// SPDX-License-Identifier: Apache-2.0
#include "render/xlsx/services_table.h"

#include <cstdint>
#include <string>
#include <vector>

#include "render/xlsx/inputs.h"
#include "render/xlsx/table.h"
#include "render/xlsx/workbook_file.h"
#include "sheet/services.h"
#include "sheet/sheet.h"

namespace sizesheet::xlsx {
namespace {

/// The rate for the tokens of the run, at least the minimum; MAX passes over an empty cell.
constexpr const char* kRunAtService =
    "IF(ISNUMBER({rate}),ROUND(MAX({rate}*{tokens}/1000000,{minimum}),6),\"\")";

std::vector<Column> service_columns() {
  const char* group = "One run";
  return {
      {"size", "", "Size", "", 7, Style::kText},
      {"model", "", "Model", "", 22, Style::kText},
      {"method", "", "Method", "", 9, Style::kText},
      {"service", "", "Service", "", 16, Style::kText},
      {"trains", "", "What it trains", "", 13, Style::kText},
      {"by", "", "Rate is for", "", 10, Style::kText},
      {"adapters", group, "Trains adapters (1)", "", 9, Style::kCount},
      {"tokens", group, "Tokens per run", "", 14, Style::kCount, kTokensOfRun},
      {"rate", group, "Rate", "$ a million tokens", 12, Style::kInputNumber},
      {"minimum", group, "Least", "$ per run", 9, Style::kInputUsdCents},
      {"usd", group, "A run at a service", "$", 12, Style::kUsdRun, kRunAtService},
      {"billed", "", "Billed", "tokens of", 22, Style::kText},
      {"weights", "", "Weights to download?", "", 11, Style::kText},
      {"day", "", "As of", "", 11, Style::kDate},
      {"basis", "", "Basis", "", 15, Style::kText},
      {"source", "", "Source", "", 48, Style::kText},
      {"note", "", "Note", "", 40, Style::kText},
  };
}

TableRow service_line(const Sheet& sheet, const SheetService& offer) {
  const SheetModel& model = sheet.model(offer.model);
  const SheetMethod& method = sheet.method(offer.method);
  const auto day = excel_day(offer.as_of);
  TableRow row;
  row.cells = {{"size", cell(model.size)},
               {"model", cell(model.title)},
               {"method", cell(method.short_title)},
               {"service", cell(offer.title)},
               {"trains", cell(offer.trains)},
               {"by", cell(offer.by_name ? "the model" : "the size")},
               {"adapters", cell(std::int64_t{method.adapters})},
               {"tokens", cell(offer.tokens)},
               {"rate", cell(offer.usd_per_million_tokens)},
               {"minimum", cell(offer.minimum_usd)},
               {"usd", cell(offer.usd_per_run)},
               {"billed", cell(offer.billed)},
               {"weights", cell(offer.weights)},
               {"day", day ? cell(*day) : cell(offer.as_of)},
               {"basis", cell(offer.basis)},
               {"source", cell(offer.source)},
               {"note", cell(offer.note)}};
  if (offer.as_of.size() == 7) row.styles["day"] = Style::kMonth;
  return row;
}

}  // namespace

Table services_table(const Sheet& sheet) {
  Table table{"Services", service_columns(), {}};
  for (const SheetService& offer : sheet.services) {
    table.rows.push_back(service_line(sheet, offer));
  }
  return table;
}

}  // namespace sizesheet::xlsx
