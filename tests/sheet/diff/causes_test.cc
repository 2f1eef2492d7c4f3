// SPDX-License-Identifier: Apache-2.0
// Which group of inputs is named for a change: each alone, together, and where it cannot be told.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "sheet/diff/edition.h"
#include "sheet/diff/inputs.h"
#include "sheet/diff/sample_editions.h"

namespace sizesheet {
namespace {

using Names = std::vector<std::string>;

const std::string kPricedRow = "llama-3.1-8b/lora-r16/h100-sxm/hf-trl-4k";

SheetChanges diff_of(const Json& old_inputs, const Json& new_inputs) {
  return diff_editions(edition_from(old_inputs, "old.json"), edition_from(new_inputs, "new.json"),
                       {});
}

Names groups_in(const SheetChanges& changes) {
  Names names;
  for (const CauseTotal& cause : changes.causes) names.push_back(cause.group);
  return names;
}

void dearer_h100(Json& inputs) { scale_prices(inputs, "h100-sxm", "on_demand", 1.2); }

void dearer_power(Json& inputs) {
  Json& power = entry_of(inputs.at("rates"), "usd-per-kwh").at("value");
  for (const char* end : {"low", "typical", "high"}) power[end] = power[end].get<double>() * 4;
}

void heavier_context(Json& inputs, double gib) {
  Json& constant = entry_of(inputs.at("engine").at("constants"), "overhead.context_gib");
  constant["current"] = constant["current"].get<double>() + gib;
}

void deeper_model(Json& inputs) {
  entry_of(inputs.at("models"), "llama-3.1-8b")["num_hidden_layers"] = 40;
}

void smaller_a100(Json& inputs) {
  entry_of(inputs.at("gpus"), "a100-80-sxm")["torch_total_gib"] = 60;
}

void wider_adapters(Json& inputs) {
  entry_of(inputs.at("methods"), "lora-r16")["request"]["rank"] = 256;
}

void more_tokens(Json& inputs) { inputs["sheet"]["tokens"] = 1000000000; }

struct GroupCase {
  const char* group;
  InputsEdit edit;
  const char* moved;      ///< id of one moved input
  const char* old_value;  ///< of that; "" where the project's catalog decides
  const char* new_value;
};

const std::vector<GroupCase>& group_cases() {
  static const std::vector<GroupCase> kCases{
      {"prices", dearer_h100, "", "", ""},
      {"gpus", smaller_a100, "gpus:a100-80-sxm/torch_total_gib", "", "60"},
      {"models", deeper_model, "models:llama-3.1-8b/num_hidden_layers", "32", "40"},
      {"methods", wider_adapters, "methods:lora-r16/request/rank", "16", "256"},
      {"workload", more_tokens, "workload:sheet/tokens", "500000000", "1000000000"},
      {"ownership", dearer_power, "ownership:rates/usd-per-kwh/value/typical", "", ""},
      {"engine", [](Json& inputs) { heavier_context(inputs, 3); },
       "engine:constants/overhead.context_gib/current", "", ""}};
  return kCases;
}

const MovedInput* moved_with(const SheetChanges& changes, const std::string& id) {
  for (const MovedInput& moved : changes.moved) {
    if (moved.id == id) return &moved;
  }
  return nullptr;
}

TEST(Causes, every_group_alone_is_the_cause_of_all_that_moves) {
  for (const GroupCase& one : group_cases()) {
    SCOPED_TRACE(one.group);
    const SheetChanges changes = diff_of(small_inputs(), edited_inputs(one.edit));
    EXPECT_EQ("", changes.causes_unknown);
    ASSERT_FALSE(changes.changes.empty());
    std::set<std::string> ids;
    for (const MovedInput& moved : changes.moved) {
      EXPECT_EQ(one.group, moved.group) << moved.id;
      EXPECT_TRUE(ids.insert(moved.id).second) << moved.id;
    }
    std::int64_t rows = 0;
    for (const Change& change : changes.changes) {
      EXPECT_EQ(Names{one.group}, change.cause) << change.key;
      EXPECT_FALSE(change.because.empty()) << change.key << " " << change.kind;
      for (const std::string& id : change.because) EXPECT_TRUE(ids.contains(id)) << id;
      rows += change.of == "row" ? 1 : 0;
    }
    ASSERT_EQ(Names{one.group}, groups_in(changes));
    EXPECT_EQ(rows, changes.causes.front().rows);
    expect_causes_add_up(changes);
    if (*one.moved == '\0') continue;
    const MovedInput* moved = moved_with(changes, one.moved);
    ASSERT_NE(nullptr, moved) << one.moved;
    if (*one.old_value != '\0') {
      EXPECT_EQ(one.old_value, moved->old_value);
    }
    if (*one.new_value != '\0') {
      EXPECT_EQ(one.new_value, moved->new_value);
    }
    EXPECT_GT(moved->rows, 0);
  }
}

TEST(Causes, the_choice_for_the_handout_moves_nothing_and_is_not_told) {
  const auto chosen = [](const char* model) {
    return edited_inputs([model](Json& inputs) {
      inputs["sheet"]["handout"] = {{"models", {model}}};
      inputs["sheet"]["highlight_model"] = model;
    });
  };
  for (const Json& before : {small_inputs(), chosen("llama-3.1-8b")}) {
    Json after = chosen("size-70b");
    after["sheet"]["highlight_model"] = before.at("sheet").at("highlight_model");
    if (before.at("sheet").contains("handout")) {
      after["sheet"]["handout"]["models"] = {"llama-3.1-8b", "size-70b"};
    }
    const SheetChanges changes = diff_of(before, after);
    for (const SheetChanges& none : {changes, diff_of(before, before)}) {
      EXPECT_TRUE(none.changes.empty() && none.moved.empty() && none.causes.empty());
      EXPECT_EQ(none.causes_unknown, "");
    }
  }
}

TEST(Causes, a_chosen_model_that_left_the_sheet_leaves_the_causes_whole) {
  const auto choose = [](Json& inputs) { inputs["sheet"]["handout"] = {{"models", {"size-70b"}}}; };
  const Json before = edited_inputs([&](Json& inputs) {
    choose(inputs);
    inputs["sheet"]["handout"]["models"].push_back("llama-3.1-8b");
  });
  const Json after = edited_inputs([&](Json& inputs) {
    choose(inputs);
    inputs["sheet"]["models"].erase(0);
    dearer_h100(inputs);
  });
  const SheetChanges changes = diff_of(before, after);
  EXPECT_EQ(changes.causes_unknown, "");
  EXPECT_EQ(change_at(changes, "size-70b/full/h100-sxm/hf-trl-4k").cause, Names{"prices"});
}

TEST(Causes, all_groups_at_once_add_up_in_the_order_of_the_switch) {
  const Json inputs = edited_inputs([](Json& all) {
    for (const GroupCase& one : group_cases()) one.edit(all);
  });
  const SheetChanges changes = diff_of(small_inputs(), inputs);
  Names of_rows = kSwitchOrder;
  std::erase(of_rows, kDemandGroup);
  EXPECT_EQ(of_rows, groups_in(changes));
  EXPECT_GT(changes.pick_totals.effects.total, MicroUsd{});
  expect_causes_add_up(changes);
  for (const Change& change : changes.changes) EXPECT_FALSE(change.cause.empty()) << change.key;
}

TEST(Causes, moves_that_matter_only_together_are_a_combination) {
  const Json inputs = edited_inputs([](Json& all) {
    scale_prices(all, "h100-sxm", "on_demand", 1.007);
    all["sheet"]["adapter_tokens"] = 50350000;  // 0.7 % more
  });
  const SheetChanges changes = diff_of(small_inputs(), inputs);
  const Change& change = change_at(changes, kPricedRow);
  EXPECT_TRUE(change.is("dearer"));
  EXPECT_EQ((Names{"prices", "workload"}), change.cause);
  expect_causes_add_up(changes);
}

TEST(Causes, a_drift_below_the_threshold_is_no_cause_of_a_price_that_moved) {
  const Json inputs = edited_inputs([](Json& all) {
    dearer_h100(all);
    heavier_context(all, 1.0 / 1024);
  });
  const SheetChanges changes = diff_of(small_inputs(), inputs);
  const Change& change = change_at(changes, kPricedRow);
  EXPECT_EQ(Names{"prices"}, change.cause);
  EXPECT_EQ((Names{"engine", "prices"}), groups_in(changes));
  EXPECT_EQ(0, changes.causes.front().rows);
}

TEST(Causes, two_groups_that_each_move_a_row_are_both_named) {
  const Json inputs = edited_inputs([](Json& all) {
    dearer_h100(all);
    dearer_power(all);
  });
  const SheetChanges changes = diff_of(small_inputs(), inputs);
  const Change& change = change_at(changes, kPricedRow);
  EXPECT_TRUE(change.is("dearer") && change.is("own_dearer"));
  EXPECT_EQ((Names{"prices", "ownership"}), change.cause);
}

TEST(Causes, what_came_or_went_is_the_doing_of_its_group) {
  const Json fewer = edited_inputs([](Json& all) {
    all["sheet"]["gpus"].erase(0);
    all["gpus"].erase(0);
    all["sheet"]["models"].erase(1);
    all["models"].erase(1);
    all["sheet"]["highlight_model"] = "llama-3.1-8b";
  });
  const SheetChanges changes = diff_of(fewer, small_inputs());
  EXPECT_EQ(Names{"models"}, change_at(changes, "size-70b/lora-r16/h100-sxm/hf-trl-4k").cause);
  EXPECT_EQ(Names{"gpus"}, change_at(changes, "llama-3.1-8b/lora-r16/a100-80-sxm/hf-trl-4k").cause);
  EXPECT_EQ((Names{"gpus", "models"}),
            change_at(changes, "size-70b/lora-r16/a100-80-sxm/hf-trl-4k").cause);
  ASSERT_NE(nullptr, moved_with(changes, "models:size-70b"));
  EXPECT_EQ("added", moved_with(changes, "models:size-70b")->how);
  expect_causes_add_up(changes);
}

TEST(Causes, a_card_that_came_with_its_prices_and_speed_is_one_cause) {
  const Json fewer = edited_inputs([](Json& all) {
    const auto drop = [](Json& list, const char* key) {
      list.erase(std::remove_if(list.begin(), list.end(),
                                [&](const Json& row) { return row.at(key) == "h100-sxm"; }),
                 list.end());
    };
    all["sheet"]["gpus"].erase(1);
    drop(all["gpus"], "id");
    drop(all["prices"], "gpu");
    drop(all["purchase_nodes"], "gpu");
    drop(all["engine"]["speeds"], "id");
  });
  const SheetChanges changes = diff_of(fewer, small_inputs());
  const Change& pick = change_at(changes, "size-70b/lora-r16");
  EXPECT_TRUE(pick.is("type_changed"));
  EXPECT_EQ(Names{"gpus"}, pick.cause);
  EXPECT_EQ(Names{"gpus:h100-sxm"}, pick.because);
  EXPECT_EQ((Names{"engine", "gpus"}), groups_in(changes));  // speeds stand in the engine's file
  expect_causes_add_up(changes);
}

TEST(Causes, a_renamed_entry_keeps_its_rows_in_both_directions) {
  const Json renamed = edited_inputs([](Json& all) {
    Renames names;
    names.models["size-70b"] = "seventy";
    names.gpus["h100-sxm"] = "h100";
    names.scenarios["hf-trl-4k"] = "trl";
    all = inputs_under_new_names(all, names);
    entry_of(all["models"], "seventy")["was"] = {"size-70b"};
    entry_of(all["gpus"], "h100")["was"] = {"h100-sxm"};
    entry_of(all["sheet"]["scenarios"], "trl")["was"] = {"hf-trl-4k"};
    dearer_h100(all);  // none of that name
    scale_prices(all, "h100", "on_demand", 1.2);
  });
  const SheetChanges there = diff_of(small_inputs(), renamed);
  const Change& change = change_at(there, "seventy/lora-r16/h100/trl");
  EXPECT_EQ("size-70b/lora-r16/h100-sxm/hf-trl-4k", change.was);
  EXPECT_TRUE(change.is("dearer"));
  EXPECT_EQ((Names{"prices", "gpus", "models", "workload"}), change.cause);
  EXPECT_EQ((Names{"models", "workload"}),
            change_at(there, "seventy/lora-r16/a100-80-sxm/trl").cause);
  ASSERT_NE(nullptr, moved_with(there, "models:seventy/id"));
  EXPECT_EQ("\"size-70b\"", moved_with(there, "models:seventy/id")->old_value);
  expect_causes_add_up(there);
  const SheetChanges back = diff_of(renamed, small_inputs());
  EXPECT_EQ((Names{"prices", "gpus", "models", "workload"}),
            change_at(back, "size-70b/lora-r16/h100-sxm/hf-trl-4k").cause);
  EXPECT_EQ(MicroUsd{} - there.pick_totals.effects.total, back.pick_totals.effects.total);
}

TEST(Causes, what_another_program_wrote_is_the_engine) {
  const Edition old_edition = edition_from(small_inputs(), "old.json");
  Edition written = old_edition;
  written.label.tool_version = "9.9";
  for (EditionRow& row : written.rows) {
    if (!row.side.list_usd_per_run) continue;
    row.side.hours = *row.side.hours * 2;
    row.side.list_usd_per_run = *row.side.list_usd_per_run * 2;
  }
  for (const bool new_side : {true, false}) {
    const SheetChanges changes = new_side ? diff_editions(old_edition, written, {})
                                          : diff_editions(written, old_edition, {});
    ASSERT_FALSE(changes.changes.empty());
    for (const Change& change : changes.changes) EXPECT_EQ(Names{"engine"}, change.cause);
    ASSERT_EQ(Names{"engine"}, groups_in(changes));
    ASSERT_EQ(1U, changes.moved.size());
    EXPECT_EQ("engine:program/version", changes.moved.front().id);
    EXPECT_EQ(changes.pick_totals.effects.total, changes.causes.front().usd);
    EXPECT_NE(MicroUsd{}, changes.causes.front().usd);
  }
}

TEST(Causes, an_edition_that_does_not_hold_its_inputs_says_so) {
  Edition old_edition = edition_from(small_inputs(), "old.json");
  const Edition new_edition = edition_from(edited_inputs(dearer_h100), "new.json");
  old_edition.inputs.erase("sheet");
  old_edition.inputs.erase("speed_intervals");
  const SheetChanges changes = diff_editions(old_edition, new_edition, {});
  EXPECT_EQ(
      "old.json:/inputs: expected all that its rows were made from, got no \"sheet\", "
      "\"speed_intervals\" (an older program wrote it)",
      changes.causes_unknown);
  EXPECT_FALSE(changes.changes.empty());
  for (const Change& change : changes.changes) EXPECT_TRUE(change.cause.empty());
  old_edition.inputs = small_inputs();
  old_edition.inputs["gpus"][0]["memory_gb"] = -1;
  const std::string unknown = diff_editions(old_edition, new_edition, {}).causes_unknown;
  EXPECT_EQ("old.json:/inputs/gpus/0/memory_gb: expected a number from 0.01 to 1000000, got -1",
            unknown);
}

}  // namespace
}  // namespace sizesheet
