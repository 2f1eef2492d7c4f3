// SPDX-License-Identifier: Apache-2.0
// Runs on spot and reserved terms as choices: rates of interruptions with checkpoints, the flat
// share that stays, and the hours of a month from which a term pays.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/facts/gpu.h"
#include "cost/rent.h"
#include "cost/spot_cost.h"
#include "sheet/measures.h"
#include "sheet/money.h"
#include "sheet/plan.h"
#include "sheet/plan/build_plan.h"
#include "sheet/quarterly.h"
#include "sheet/rows/spot_row.h"
#include "sheet/sheet.h"
#include "sheet/sheet_json.h"
#include "sheet/spec.h"
#include "sheet/spot.h"
#include "support/formula_evaluator.h"
#include "support/json.h"
#include "support/money.h"
#include "support/project_catalog.h"
#include "support/text.h"

namespace sizesheet {
namespace {

SheetSpec spot_spec(const Json& interruption) {
  Json json =
      quarterly_of({"llama-3.1-8b", "size-70b"}, {"full", "lora-r16"}, {"h100-sxm", "a100-80-sxm"});
  json["prices"]["spot_interruption"] = interruption;
  return spec_of(json);
}

Json rate_of_sheet(double rate) {
  return {{"rate", rate}, {"basis", "assumption"}, {"source", "a guess"}, {"checkpoint_hours", 2}};
}

Json flat_share() { return {{"share", 0.1}, {"basis", "assumption"}, {"source", "a guess"}}; }

const Sheet& catalog_rates_sheet() {
  static const Sheet kSheet = sized_alone(project_catalog(), spot_spec({{"rate", "catalog"}}));
  return kSheet;
}

/// Rows with a price on spot and hours.
std::vector<const Row*> spot_rows(const Sheet& sheet) {
  std::vector<const Row*> rows;
  for (const Row& row : sheet.rows) {
    if (row.rents[kSpot] && row.hours_mid) rows.push_back(&row);
  }
  return rows;
}

TEST(SpotRows, HaveTheRateOfTheirSellersClass) {
  const Sheet& sheet = catalog_rates_sheet();
  std::set<std::string> classes;
  for (const Row* row : spot_rows(sheet)) {
    const RentLine& rent = *row->rents[kSpot];
    ASSERT_TRUE(rent.spot) << row->key();
    classes.insert(rent.spot->rate);
    const auto* price = entry_with(sheet.prices, &SheetPrice::key, rent.price_key);
    ASSERT_TRUE(price->spot);
    EXPECT_EQ(price->spot->id, rent.spot->rate) << row->key();
    EXPECT_EQ(price->spot->per_hour, rent.spot->interruptions_per_hour) << row->key();
    EXPECT_EQ(rent.spot->checkpoint_hours, 1) << "the catalog's";
  }
  EXPECT_FALSE(classes.empty());
}

TEST(SpotRows, ExpectedHoursAndDollarsFollowFromTheRule) {
  const Sheet sheet = sized_alone(project_catalog(), spot_spec(rate_of_sheet(0.005)));
  std::size_t priced = 0;
  for (const Row* row : spot_rows(sheet)) {
    const RentLine& rent = *row->rents[kSpot];
    ASSERT_TRUE(rent.spot && rent.spot->hours) << row->key();
    const double nodes = std::ceil(static_cast<double>(row->layout.gpus) / 8);
    const double restart = 0.1667 + 0.0167 * (nodes - 1);
    EXPECT_NEAR(rent.spot->restart_hours, restart, 1e-12) << row->key();
    const double each = std::min(2.0, *row->hours_mid) / 2 + restart;
    const double lost = 0.005 * static_cast<double>(rent.instances) * each;
    EXPECT_NEAR(*rent.spot->hours, *row->hours_mid / (1 - lost), 1e-4) << row->key();
    EXPECT_EQ(rent.usd_per_run_interrupted,
              run_cost(rent.usd_per_hour, round_hours(*rent.spot->hours)))
        << row->key();
    EXPECT_GE(*rent.usd_per_run_interrupted, *rent.usd_per_run) << row->key();
    ++priced;
  }
  EXPECT_GT(priced, 2U);
}

TEST(SpotRows, EveryFigureHasItsProof) {
  for (const Row* row : spot_rows(catalog_rates_sheet())) {
    const auto* hours =
        entry_with(row->quantity_terms, &QuantityLine::name, std::string("spot_hours"));
    const auto* usd =
        entry_with(row->cost_terms, &CostLine::name, std::string("spot_usd_per_run_interrupted"));
    ASSERT_TRUE(hours != nullptr && usd != nullptr) << row->key();
    EXPECT_EQ(evaluate(hours->formula), hours->value);
    EXPECT_EQ(to_hours(round_hours(hours->value)), row->rents[kSpot]->spot->hours);
    EXPECT_EQ(rounded_usd(evaluate(usd->formula)), usd->usd);
    EXPECT_EQ(usd->usd, row->rents[kSpot]->usd_per_run_interrupted);
  }
}

TEST(SpotRows, AFlatShareStaysAsItWas) {
  const Sheet sheet = sized_alone(project_catalog(), spot_spec(flat_share()));
  for (const Row* row : spot_rows(sheet)) {
    const RentLine& rent = *row->rents[kSpot];
    EXPECT_FALSE(rent.spot) << row->key();
    EXPECT_EQ(rent.usd_per_run_interrupted,
              run_cost(rent.usd_per_hour, interrupted_hours(round_hours(*row->hours_mid), 0.1)));
  }
  for (const SheetPrice& price : sheet.prices) EXPECT_FALSE(price.spot) << price.key;
  const Json json = to_json(sheet);
  EXPECT_FALSE(json.at("options").at("price_rules").contains("spot_rule"));
  EXPECT_FALSE(json.at("inputs").contains("project"));
}

TEST(SpotRows, ARunThatHardlyEndsHasNoPriceWithItsLosses) {
  const Sheet sheet = sized_alone(project_catalog(), spot_spec(rate_of_sheet(50)));
  for (const Row* row : spot_rows(sheet)) {
    const RentLine& rent = *row->rents[kSpot];
    if (rent.spot->hours) continue;
    EXPECT_FALSE(rent.usd_per_run_interrupted) << row->key();
    EXPECT_TRUE(rent.usd_per_run) << row->key();
  }
}

TEST(SpotRows, NoPickMovesWithTheRule) {
  const Sheet flat = sized_alone(project_catalog(), spot_spec(flat_share()));
  const Sheet& rates = catalog_rates_sheet();
  ASSERT_EQ(flat.picks.size(), rates.picks.size());
  for (std::size_t i = 0; i < flat.picks.size(); ++i) {
    EXPECT_EQ(flat.picks[i].rent_key, rates.picks[i].rent_key);
    EXPECT_EQ(flat.picks[i].usd_high, rates.picks[i].usd_high);
  }
}

TEST(SpotRows, AreReadBack) {
  const Json json = to_json(catalog_rates_sheet());
  EXPECT_EQ(to_json(sheet_from_json(json, "sheet.json")), json);
}

TEST(SpotRows, TheTableHasExpectedHours) {
  for (const Row* row : spot_rows(catalog_rates_sheet())) {
    const SpotLine& spot = *row->rents[kSpot]->spot;
    EXPECT_EQ(json_of(measure("spot_hours_expected").of(*row)), Json(*spot.hours));
    EXPECT_EQ(json_of(measure("spot_interruptions_expected").of(*row)), Json(*spot.interruptions));
  }
}

TEST(SpotRows, APlanOnSpotPaysForWhatIsLost) {
  const auto planned_at = [](double rate) {
    Json json = quarterly_of({"llama-3.1-8b"}, {"lora-r16"}, {"h100-sxm", "a100-80-sxm"});
    json["prices"]["spot_interruption"] = rate_of_sheet(rate);
    json["plan"] = {
        {"months", 2},
        {"spot", true},
        {"runs", {{{"model", "llama-3.1-8b"}, {"method", "lora-r16"}, {"runs_per_month", 2}}}}};
    return *plan_of(project_catalog(), spec_of(json), 1);
  };
  const SheetPlan calm = planned_at(0);
  const SheetPlan stormy = planned_at(0.2);
  ASSERT_EQ(calm.totals.why, "");
  ASSERT_EQ(stormy.totals.why, "");
  ASSERT_FALSE(calm.assignments.empty());
  EXPECT_GT(stormy.totals.usd, calm.totals.usd) << "on spot for more hours, or on demand";
}

TEST(ReservedRows, PayFromSoManyHoursAMonth) {
  const Sheet& sheet = quarterly_sheet();
  std::size_t some = 0;
  for (const Row& row : sheet.rows) {
    const auto& term = row.rents[kReserved1y];
    const auto& list = row.rents[kOnDemand];
    if (!term) continue;
    const bool less = list && term->usd_per_hour < list->usd_per_hour;
    ASSERT_EQ(term->break_even_hours_per_month.has_value(), less) << row.key();
    if (!less) continue;
    ++some;
    const double hours = *term->break_even_hours_per_month;
    EXPECT_LT(hours, sheet.options.hours_per_month);
    EXPECT_NEAR(hours * to_usd(list->usd_per_hour),
                sheet.options.hours_per_month * to_usd(term->usd_per_hour), 0.01)
        << "both cost the same in that month: " << row.key();
    EXPECT_EQ(json_of(measure("reserved_1y_break_even_hours_per_month").of(row)), Json(hours));
  }
  EXPECT_GT(some, 0U);
}

}  // namespace
}  // namespace sizesheet
