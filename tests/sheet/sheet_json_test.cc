// SPDX-License-Identifier: Apache-2.0
#include "sheet/sheet_json.h"

#include <gtest/gtest.h>

#include "sheet/quarterly.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

std::string json_refusal(const std::function<void(Json&)>& change) {
  Json json = to_json(quarterly_sheet());
  change(json);
  return refusal_of([&] { sheet_from_json(json, "sheet.json"); });
}

TEST(SheetJson, HoldsTheContractsKeys) {
  const Json json = to_json(quarterly_sheet());
  for (const char* key :
       {"schema_version", "meta", "inputs", "scenarios", "rows", "picks", "series", "ownership",
        "accuracy", "guides", "frameworks", "advice", "worksheets", "changes"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  const Json& row = json.at("rows").at(0);
  EXPECT_EQ(row.at("key"), "llama-3.2-3b/full/rtx-5090/hf-trl-4k");
  for (const char* key :
       {"layout", "minimum", "verdict", "interval", "hours", "list_usd_per_hour",
        "list_usd_per_run", "spot_usd_per_hour", "spot_usd_per_run", "reserved_1y_usd_per_hour",
        "capex_usd", "own_usd_per_month", "own_usd_per_gpu_hour", "own_usd_per_run",
        "break_even_hours_per_month", "advice", "terms"}) {
    EXPECT_TRUE(row.contains(key)) << key;
  }
  for (const char* key : {"name", "bytes", "formula", "inputs", "source"}) {
    EXPECT_TRUE(row.at("terms").at(0).contains(key)) << key;
  }
}

TEST(SheetJson, UnknownIsNullNeverZero) {
  const Json json = to_json(quarterly_sheet());
  for (const Json& row : json.at("rows")) {
    if (row.at("gpu") != "gb10") continue;
    EXPECT_TRUE(row.at("list_usd_per_hour").is_null());
    EXPECT_TRUE(row.at("list_usd_per_run_high").is_null());
  }
}

TEST(SheetJson, RefusalsNameThePlace) {
  EXPECT_EQ(json_refusal([](Json& json) { json["schema_version"] = 2; }),
            "sheet.json:/schema_version: expected 1, got 2");
  EXPECT_EQ(json_refusal([](Json& json) { json["rows"][3]["memory"]["weights"] = "much"; }),
            "sheet.json:/rows/3/memory/weights: expected an integer, got \"much\"");
  EXPECT_EQ(json_refusal([](Json& json) { json["meta"].erase("edition"); }),
            "sheet.json:/meta/edition: expected a value, got nothing");
  EXPECT_EQ(json_refusal([](Json& json) { json["picks"] = 3; }),
            "sheet.json:/picks: expected a list, got 3");
}

}  // namespace
}  // namespace sizesheet
