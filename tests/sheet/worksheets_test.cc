// SPDX-License-Identifier: Apache-2.0
// The worked-out tables: their figures against estimate's answers and the rules that the tables
// state.
#include "sheet/tables/worksheets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "catalog/catalog.h"
#include "catalog/published/worksheet.h"
#include "sheet/quarterly.h"
#include "sheet/sections.h"
#include "sizing/memory/verdict.h"
#include "sizing/sized.h"
#include "support/cases.h"
#include "support/error.h"
#include "support/json.h"
#include "support/project_catalog.h"
#include "support/refusal.h"
#include "support/text.h"

namespace sizesheet {
namespace {

const SheetWorksheetRow& row(const std::string& table, const std::string& id) {
  return *entry_with(entry_with(quarterly_sheet().worksheets, &SheetWorksheet::id, table)->rows,
                     &SheetWorksheetRow::id, id);
}

double figure(const std::string& table, const std::string& id, const std::string& column) {
  return row(table, id).figures.at(column);
}

/// The answer to a request written here, apart from the catalog's.
Json estimated(const std::string& request) { return to_json(ask(request)); }

/// The same with lists of entries as objects: by their ids or ranks, or by place.
Json by_name(const Json& json) {
  if (!json.is_structured()) return json;
  Json named = Json::object();
  for (const auto& [key, value] : json.items()) {
    const bool entry = json.is_array() && value.is_object();
    std::string name = entry && value.contains("rank") ? value.at("rank").dump() : key;
    if (entry && value.contains("id")) name = value.at("id");
    std::ranges::replace_if(
        name, [](char c) { return c == '-' || c == '.'; }, '_');
    named[name] = by_name(value);
  }
  return named;
}

/// Tables beside the rows: what sheet.json of the quarterly sheet has of them.
TEST(SheetTables, Cases) {
  expect_cases(oracle("cases_sheet.json"), [](const Json& request) {
    const std::string key = request.at("key");
    return Json{{key, by_name(quarterly_document().at(key))}};
  });
}

TEST(Worksheets, every_column_of_a_sized_row_is_filled_or_known_to_be_absent) {
  const std::set<std::string> may_lack = {"host_gib",         "usd_per_hour", "usd_per_run",
                                          "comfortable",      "rentable",     "by_memory",
                                          "smallest_card",    "setup",        "setup_usd_per_hour",
                                          "m_tokens_per_usd", "fsdp"};
  for (const SheetWorksheet& table : quarterly_sheet().worksheets) {
    EXPECT_FALSE(table.rows.empty()) << table.id;
    for (const SheetWorksheetRow& one : table.rows) {
      if (!one.layout) continue;
      for (const WorksheetColumn& column : table.columns) {
        const bool known = one.figures.contains(column.id) || one.usd.contains(column.id) ||
                           one.words.contains(column.id) || column.id == "layout";
        EXPECT_TRUE(known || may_lack.contains(column.id))
            << table.id << "/" << one.id << ": " << column.id;
      }
    }
  }
}

TEST(Worksheets, parts_of_a_bill_add_up_to_its_total) {
  for (const SheetWorksheet& table : quarterly_sheet().worksheets) {
    for (const SheetWorksheetRow& one : table.rows) {
      double sum = 0;
      std::size_t parts = 0;
      for (const char* part : {"weights_gib", "adapters_gib", "gradients_gib", "optimizer_gib",
                               "activations_gib", "other_gib"}) {
        const auto found = one.figures.find(part);
        if (found == one.figures.end()) continue;
        sum += found->second;
        ++parts;
      }
      if (parts < 6) continue;
      EXPECT_NEAR(sum, one.figures.at("device_gib"), 1e-6) << table.id << one.id;
    }
  }
}

TEST(Worksheets, figures_are_those_of_estimate) {
  const Json answer = estimated(R"({"model": "size-70b", "gpu": "h100-sxm", "stack": "deepspeed",
    "method": {"kind": "full"}, "headroom": 0.1,
    "workload": {"seq_len": 4096, "micro_batch": 1, "grad_accum": 1, "packed": true},
    "layout": {"gpus": 8, "dp": 8, "shard": "zero3"}})");
  const SheetWorksheetRow& shown = row("stages", "70b-8-zero3");
  EXPECT_EQ(shown.device, answer.at("memory").at("device"));
  EXPECT_EQ(shown.capacity, answer.at("memory").at("capacity"));
  EXPECT_EQ(shown.words.at("verdict"), "no") << "16 bytes of 70 bn parameters on 8 cards of 80 GB";
  EXPECT_DOUBLE_EQ(shown.figures.at("tokens_per_second"),
                   answer.at("throughput").at("tokens_per_second_per_gpu").get<double>());
}

TEST(Worksheets, experts_are_divided_by_expert_parallelism) {
  for (const std::int64_t ep : {1, 2, 4, 8, 16, 32, 64, 128}) {
    const std::string id = "ep" + std::to_string(ep);
    EXPECT_EQ(figure("experts", id, "experts_per_gpu"), 128.0 / static_cast<double>(ep));
    EXPECT_NEAR(figure("experts", id, "experts_gib") * static_cast<double>(ep),
                2 * 29374808064.0 / 1073741824, 1e-6);
  }
}

TEST(Worksheets, a_tier_holds_what_it_says) {
  for (const SheetWorksheet& table : quarterly_sheet().worksheets) {
    for (const SheetWorksheetRow& one : table.rows) {
      const auto card = one.words.find("smallest_card");
      if (card == one.words.end()) continue;
      bool holds = false;
      for (const auto& [id, gpu] : project_catalog().gpus) {
        const double room = static_cast<double>(gpu.capacity_bytes().value_or(0)) / 1.1;
        holds = holds ||
                (gpu.short_name == card->second && room >= static_cast<double>(one.device) - 1);
      }
      EXPECT_TRUE(holds) << table.id << "/" << one.id;
    }
  }
}

TEST(Worksheets, what_the_engine_refuses_or_nothing_fills_is_named) {
  Catalog catalog = project_catalog();
  Worksheet& table = catalog.worksheets.at("experts");
  (*table.rows.at(1).request)["layout"]["ep"] = 6;
  table.columns.at(1).id = "experts_per_gpus";
  Faults faults;
  check_worksheets(catalog, "catalog", faults);
  const std::vector<std::string> expected = {
      R"(catalog/worksheets/experts.json:/columns/1/id: no measure or fact "experts_per_gpus" )"
      R"((did you mean "experts_per_gpu"?))",
      "catalog/worksheets/experts.json:/rows/1: asks what no request may: layout.ep: 128 experts "
      "are not divisible by 6 (nearest: 4, 8)"};
  EXPECT_EQ(texts_of(faults), expected);
}

}  // namespace
}  // namespace sizesheet
