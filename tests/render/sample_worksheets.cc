// SPDX-License-Identifier: Apache-2.0
#include "render/sample_worksheets.h"

namespace sizesheet::sample {
namespace {

constexpr std::int64_t kCard = 85'018'877'624;

SheetWorksheetRow sized_row() {
  SheetWorksheetRow row;
  row.id = "a-one";
  row.group = "Group A";
  row.title = "one";
  row.figures = {{"device_gib", 52.17}, {"tokens_per_second", 1234.5}, {"setup_gpus", 4}};
  row.usd = {{"usd_per_run", MicroUsd{393'000'000}}, {"setup_usd_per_hour", MicroUsd{10'400'000}}};
  row.words = {{"verdict", "fits"}, {"setup", "H100"}};
  row.layout.emplace();
  row.layout->gpus = row.layout->dp = 4;
  row.layout->shard = "zero3";
  row.layout->offload = "optimizer";
  row.device = 56'019'000'000;
  row.capacity = kCard;
  return row;
}

SheetWorksheetRow failing_row() {
  SheetWorksheetRow row = sized_row();
  row.id = "a-two";
  row.title = "two";
  row.usd.clear();
  row.words = {{"verdict", "no"}};
  row.figures.erase("tokens_per_second");
  row.layout->gpus = row.layout->dp = 1;
  row.layout->shard = row.layout->offload = "none";
  row.device = 2 * kCard;
  row.note = "It never fitted.";
  return row;
}

SheetWorksheetRow facts_row() {
  SheetWorksheetRow row;
  row.id = "b-facts";
  row.title = "facts only";
  row.words = {{"why", "because"}};
  return row;
}

SheetWorksheet worksheet(const std::string& page) {
  SheetWorksheet table;
  table.id = "sample-" + page;
  table.page = page;
  table.title = "Worked out for " + page;
  table.words = "Three rows.";
  table.source = "a paper";
  table.date = "2026-11";
  table.rows_title = "Row";
  table.columns = {{"why", "Why", 0},
                   {"device_gib", "Total, GiB a GPU", 1},
                   {"verdict", "On H100", 0},
                   {"layout", "Layout", 0},
                   {"tokens_per_second", "Tokens/s a GPU", 0},
                   {"setup", "Cheapest hour", 0},
                   {"setup_usd_per_hour", "$/h", 0},
                   {"usd_per_run", "$ a run", 0}};
  table.rows = {sized_row(), failing_row(), facts_row()};
  return table;
}

}  // namespace

std::vector<SheetWorksheet> worksheets() {
  return {worksheet("frameworks"), worksheet("gpus"), worksheet("guides"), worksheet("method")};
}

}  // namespace sizesheet::sample
