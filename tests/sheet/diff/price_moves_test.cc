// SPDX-License-Identifier: Apache-2.0
// Price moves that providers made, each replayed as the edition before it and the edition after.
#include <gtest/gtest.h>

#include "catalog/prices/price.h"
#include "cost/rent.h"
#include "sheet/diff/causes.h"
#include "sheet/diff/sample_editions.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/money.h"
#include "support/object_text.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

Json moves() {
  const std::string path = SIZESHEET_SOURCE_DIR "/tests/sheet/diff/price_moves.json";
  return parse_json(read_file(path), path).at("moves");
}

Json price_row(const Json& move, const std::string& side) {
  return {{"provider", move.at("provider")},
          {"gpu", move.at("gpu")},
          {"region", "unstated"},
          {"instance", "1x"},
          {"gpus", 1},
          {"tier", "on_demand"},
          {"offer", "list"},
          {"usd_per_instance_hour", move.at(side + "_usd")},
          {"as_of", move.at(side + "_date")},
          {"source", move.at(side + "_source")}};
}

/// One GPU and that provider's rows alone; the later edition keeps the earlier row.
Json inputs_that_age(const Json& move, bool after) {
  const std::string gpu = move.at("gpu");
  Json inputs = small_inputs();
  inputs["gpus"] = Json::array({project_catalog().gpu(gpu).raw});
  inputs["sheet"]["gpus"] = {gpu};
  inputs["purchase_nodes"] = Json::array();
  for (const PurchaseNode& node : project_catalog().purchase.nodes) {
    if (node.gpu == gpu) inputs["purchase_nodes"].push_back(node.raw);
  }
  inputs["prices"] = Json::array({price_row(move, "old")});
  if (after) inputs["prices"].push_back(price_row(move, "new"));
  inputs["sheet"]["as_of"] = "2026-11-20";
  return inputs;
}

/// The same where no price ages: what is told is the move of the row alone.
Json inputs_with(const Json& move, bool after) {
  Json inputs = inputs_that_age(move, after);
  inputs.erase("price_age");
  inputs.erase("price_history");
  return inputs;
}

MicroUsd usd(const Json& move, const std::string& key) {
  return *parse_usd(json_text(move.at(key)));
}

void expect_moved_row(const Json& move, const SheetChanges& changes) {
  ASSERT_EQ(1U, changes.moved.size());
  const MovedInput& moved = changes.moved.front();
  const std::string gpu = move.at("gpu");
  const std::string provider = move.at("provider");
  EXPECT_EQ("prices:" + provider + "/unstated/1x/" + gpu + "/on_demand/1/usd_per_instance_hour",
            moved.id);
  EXPECT_EQ(provider + " " + changes.name_of("gpu", gpu) + " on demand", moved.what);
  EXPECT_EQ("/usd_per_instance_hour", moved.field);
  EXPECT_EQ("changed", moved.how);
  EXPECT_EQ(json_text(move.at("old_usd")), moved.old_value);
  EXPECT_EQ(json_text(move.at("new_usd")), moved.new_value);
  EXPECT_EQ("$/h", moved.unit);
  EXPECT_EQ(move.at("old_date"), moved.old_as_of);
  EXPECT_EQ(move.at("new_date"), moved.new_as_of);
  EXPECT_EQ(move.at("new_source"), moved.source);
  EXPECT_EQ(changes.rows.compared - changes.rows.unchanged, moved.rows);
}

/// (p1 - p0) n1 h1, each product rounded once.
MicroUsd price_effect(const Json& move, const ChangeSide& side) {
  const HoursTenThousandths hours = round_hours(*side.hours);
  return run_cost(usd(move, "new_usd") * side.instances, hours) -
         run_cost(usd(move, "old_usd") * side.instances, hours);
}

TEST(PriceMoves, are_told_with_rows_effects_cause_and_both_dates) {
  ASSERT_EQ(8U, moves().size());
  for (const Json& move : moves()) {
    SCOPED_TRACE(json_text(move));
    const Edition before = edition_from(inputs_with(move, false));
    const Edition after = edition_from(inputs_with(move, true));
    const SheetChanges changes = diff_editions(before, after, {});
    std::size_t priced = 0;
    for (const EditionRow& row : before.rows) {
      if (!row.side.list_usd_per_run) continue;
      ++priced;
      const Change& change = change_at(changes, row.key());
      EXPECT_TRUE(change.is("dearer"));
      EXPECT_EQ(std::vector<std::string>{"prices"}, change.cause);
      ASSERT_EQ(1U, change.because.size());
      EXPECT_EQ(changes.moved.front().id, change.because.front());
      const MicroUsd effect = price_effect(move, *change.new_side);
      EXPECT_EQ((ChangeEffects{effect, {}, {}, {}, effect}), *change.effects_usd);
    }
    EXPECT_GT(priced, 1U);
    EXPECT_EQ(priced, static_cast<std::size_t>(changes.rows.compared - changes.rows.unchanged));
    expect_moved_row(move, changes);
    expect_causes_add_up(changes);
  }
}

TEST(PriceMoves, a_row_that_grew_too_old_no_longer_counts) {
  const Json move = moves().front();
  Json later = inputs_that_age(move, false);
  later["sheet"]["as_of"] = "2027-04-01";
  const SheetChanges changes =
      diff_editions(edition_from(inputs_that_age(move, false)), edition_from(later), {});
  const Change& change = change_at(changes, "llama-3.1-8b/lora-r16/h100-sxm/hf-trl-4k");
  EXPECT_TRUE(change.is("vanished"));
  EXPECT_EQ(std::vector<std::string>{"age"}, change.cause);
  const std::string id = "age:nebius/unstated/1x/h100-sxm/on_demand/1/counts";
  EXPECT_EQ((std::vector<std::string>{"age:sheet/as_of", id}), change.because);
  ASSERT_EQ(2U, changes.moved.size());
  EXPECT_EQ("age:sheet/as_of", changes.moved.front().id);
  EXPECT_EQ("3.85", changes.moved.back().old_value);
  EXPECT_EQ("\"older than 180 days (2026-09-25)\"", changes.moved.back().new_value);
}

// A month more of the drift: exp(0.0009 x 30) is 2.7 %, above the threshold of 1 %.
TEST(PriceMoves, a_price_that_nobody_touched_grows_dearer_with_age) {
  const Json move = moves().front();
  Json later = inputs_that_age(move, false);
  later["sheet"]["as_of"] = "2026-12-20";
  const SheetChanges changes =
      diff_editions(edition_from(inputs_that_age(move, false)), edition_from(later), {});
  const Change& change = change_at(changes, "llama-3.1-8b/lora-r16/h100-sxm/hf-trl-4k");
  EXPECT_TRUE(change.is("dearer"));
  EXPECT_EQ(std::vector<std::string>{"age"}, change.cause);
  EXPECT_EQ(std::vector<std::string>{"age:sheet/as_of"}, change.because);
  const double before = to_usd(*change.old_side->list_usd_per_hour);
  EXPECT_NEAR(to_usd(*change.new_side->list_usd_per_hour) / before, 1.027368, 1e-5);
  expect_causes_add_up(changes);
}

// A new reading on NEW's day is the doing of prices, and the days between are that of age.
TEST(PriceMoves, a_new_reading_is_told_apart_from_the_days_between) {
  const Json move = moves().front();
  Json later = inputs_that_age(move, true);
  later["sheet"]["as_of"] = "2026-12-20";
  later["prices"].back()["as_of"] = "2026-12-19";
  const SheetChanges changes =
      diff_editions(edition_from(inputs_that_age(move, false)), edition_from(later), {});
  const Change& change = change_at(changes, "llama-3.1-8b/lora-r16/h100-sxm/hf-trl-4k");
  EXPECT_EQ((std::vector<std::string>{"prices", "age"}), change.cause);
  expect_causes_add_up(changes);
}

}  // namespace
}  // namespace sizesheet
