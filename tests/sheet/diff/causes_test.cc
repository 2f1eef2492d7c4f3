// SPDX-License-Identifier: Apache-2.0
// Which group of inputs is named for a change: each alone, together, and where it cannot be told;
// edits and cases are those of tests/oracles/cases_causes.json.
#include "sheet/diff/causes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "catalog/files/loader.h"
#include "sheet/changes.h"
#include "sheet/diff/edition.h"
#include "sheet/diff/inputs.h"
#include "sheet/diff/sample_editions.h"
#include "support/cases.h"
#include "support/json.h"
#include "support/money.h"
#include "support/project_catalog.h"
#include "support/text.h"

namespace sizesheet {
namespace {

using Names = std::vector<std::string>;

const Json& cases() {
  static const Json kCases = oracle("cases_causes.json");
  return kCases;
}

/// The place of a pointer in which the entries of a list stand by their ids.
Json& place_of(Json& inputs, const std::string& pointer) {
  Json* at = &inputs;
  for (const std::string& part : split(pointer.substr(1), '/')) {
    at = at->is_array() ? &entry_of(*at, part) : &(*at)[part];
  }
  return *at;
}

/// Multiplies the rates of a service, or ends those that have no end.
void edit_services(const std::string& how, const std::string& provider, const Json& value,
                   Json& inputs) {
  for (Json& row : inputs.at("services")) {
    if (row.at("provider") != provider) continue;
    if (how == "until") {
      row.emplace("valid_until", value);
      continue;
    }
    const double usd = row.at("usd_per_million_tokens").get<double>() * value.get<double>();
    row["usd_per_million_tokens"] = to_usd(rounded_usd(usd));
  }
}

/// Edits as the oracle says them, or by the name that it gives them.
void apply(const Json& edits, Json& inputs) {
  for (const Json& one : edits) {
    if (one.is_string()) {
      apply(cases().at("edits").at(one.get<std::string>()), inputs);
      continue;
    }
    const std::string how = one.at(0);
    const std::string place = one.at(1);
    if (how == "prices") {
      scale_prices(inputs, place, "on_demand", one.at(2));
      continue;
    }
    if (how == "rates" || how == "until") {
      edit_services(how, place, one.at(2), inputs);
      continue;
    }
    Json& value = place_of(inputs, place);
    if (how == "set") value = one.at(2);
    if (how == "add") value = value.get<double>() + one.at(2).get<double>();
    if (how == "times") value = value.get<double>() * one.at(2).get<double>();
    if (how != "without") continue;
    std::erase_if(value.get_ref<Json::array_t&>(), [&](const Json& entry) {
      return entry == one.at(2) ||
             (one.size() == 4 && entry.at(one.at(2).get<std::string>()) == one.at(3));
    });
  }
}

Json applied(const Json& edits) {
  return edited_inputs([&](Json& inputs) { apply(edits, inputs); });
}

SheetChanges diff_of(const Json& old_inputs, const Json& new_inputs) {
  return diff_editions(edition_from(old_inputs, "old.json"), edition_from(new_inputs, "new.json"),
                       {});
}

Names groups_in(const SheetChanges& changes) {
  Names names;
  for (const CauseTotal& cause : changes.causes) names.push_back(cause.group);
  return names;
}

/// What a comparison says of causes; in keys a blank stands for each slash.
Json causes_of(const Json& request) {
  const SheetChanges changes = diff_of(applied(request.value("old", Json::array())),
                                       applied(request.value("new", Json::array())));
  expect_causes_add_up(changes);
  Json facts = {{"groups", groups_in(changes)}, {"rows", changes.causes.front().rows}};
  for (const Change& change : changes.changes) {
    std::string key = change.key;
    std::ranges::replace(key, '/', ' ');
    Json kinds = change.also;
    kinds.insert(kinds.begin(), change.kind);
    facts["changes"][key] = {
        {"kinds", kinds}, {"cause", change.cause}, {"because", change.because}};
  }
  for (const MovedInput& moved : changes.moved) facts["moved"][moved.id] = moved.how;
  return facts;
}

TEST(Causes, Cases) { expect_cases(cases(), causes_of); }

const MovedInput* moved_with(const SheetChanges& changes, const std::string& id) {
  for (const MovedInput& moved : changes.moved) {
    if (moved.id == id) return &moved;
  }
  return nullptr;
}

TEST(Causes, every_group_alone_is_the_cause_of_all_that_moves) {
  for (const Json& one : cases().at("groups")) {
    const std::string group = one.at("group");
    SCOPED_TRACE(group);
    const SheetChanges changes = diff_of(small_inputs(), applied(one.at("edits")));
    EXPECT_EQ("", changes.causes_unknown);
    ASSERT_FALSE(changes.changes.empty());
    std::set<std::string> ids;
    for (const MovedInput& moved : changes.moved) {
      EXPECT_EQ(group, moved.group) << moved.id;
      EXPECT_TRUE(ids.insert(moved.id).second) << moved.id;
    }
    std::int64_t rows = 0;
    for (const Change& change : changes.changes) {
      EXPECT_EQ(Names{group}, change.cause) << change.key;
      EXPECT_FALSE(change.because.empty()) << change.key << " " << change.kind;
      for (const std::string& id : change.because) EXPECT_TRUE(ids.contains(id)) << id;
      rows += change.of == "row" ? 1 : 0;
    }
    ASSERT_EQ(Names{group}, groups_in(changes));
    EXPECT_EQ(rows, changes.causes.front().rows);
    expect_causes_add_up(changes);
    if (!one.contains("moved")) continue;
    const MovedInput* moved = moved_with(changes, one.at("moved"));
    ASSERT_NE(nullptr, moved) << one;
    EXPECT_EQ(one.value("from", moved->old_value), moved->old_value);
    EXPECT_EQ(one.value("to", moved->new_value), moved->new_value);
    EXPECT_GT(moved->rows + moved->picks, 0);
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

TEST(Causes, an_edition_of_before_services_tells_none_of_them) {
  const Json without = edited_inputs([](Json& inputs) { inputs.erase("services"); });
  for (const SheetChanges& changes :
       {diff_of(without, small_inputs()), diff_of(small_inputs(), without)}) {
    EXPECT_TRUE(changes.changes.empty() && changes.moved.empty() && changes.causes.empty());
    EXPECT_EQ(changes.causes_unknown, "");
    EXPECT_EQ(changes.picks.below_threshold + changes.rows.below_threshold, 0);
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
    apply({"dearer h100"}, inputs);
  });
  const SheetChanges changes = diff_of(before, after);
  EXPECT_EQ(changes.causes_unknown, "");
  EXPECT_EQ(change_at(changes, "size-70b/full/h100-sxm/hf-trl-4k").cause, Names{"prices"});
}

TEST(Causes, all_groups_at_once_add_up_in_the_order_of_the_switch) {
  const Json inputs = edited_inputs([](Json& all) {
    for (const Json& one : cases().at("groups")) apply(one.at("edits"), all);
  });
  const SheetChanges changes = diff_of(small_inputs(), inputs);
  Names of_rows = kSwitchOrder;
  std::erase(of_rows, kDemandGroup);
  EXPECT_EQ(of_rows, groups_in(changes));
  EXPECT_GT(changes.pick_totals.effects.total, MicroUsd{});
  expect_causes_add_up(changes);
  for (const Change& change : changes.changes) EXPECT_FALSE(change.cause.empty()) << change.key;
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
    apply({"dearer h100"}, all);  // none of that name
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
  const Edition new_edition = edition_from(applied({"dearer h100"}), "new.json");
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
