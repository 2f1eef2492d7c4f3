// SPDX-License-Identifier: Apache-2.0
// An edition made again from what its own sheet.json keeps.

#include "sheet/diff/inputs.h"

#include <gtest/gtest.h>

#include "sheet/assemble/fastest_stack.h"
#include "sheet/assemble/length_picks.h"
#include "sheet/diff/edition.h"
#include "sheet/quarterly.h"
#include "sheet/sheet.h"
#include "sheet/sheet_json.h"
#include "sheet/spec.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/project_catalog.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

Json quarterly_inputs() { return quarterly_document().at("inputs"); }

TEST(Inputs, the_quarterly_sheet_is_sized_again_from_itself) {
  const EditionInputs inputs = read_inputs(quarterly_inputs(), "sheet.json");
  Sheet again = sized_alone(inputs.catalog, inputs.spec);
  add_fastest_stacks(inputs.catalog, inputs.spec, 2, again);
  add_length_picks(inputs.catalog, inputs.spec, 2, again);
  const Json& was = quarterly_document();
  const Json now = parse_json(to_json_text(again), "sheet.json");
  ASSERT_EQ(was.at("rows").size(), now.at("rows").size());
  for (std::size_t i = 0; i < was.at("rows").size(); ++i) {
    EXPECT_EQ(was.at("rows")[i], now.at("rows")[i]) << was.at("rows")[i].at("key");
  }
  EXPECT_EQ(was.at("picks"), now.at("picks"));
  EXPECT_EQ(Json::diff(was.at("inputs"), now.at("inputs")), Json::array());
}

TEST(Inputs, the_day_is_the_one_that_was_asked_for) {
  SheetSpec spec = spec_of(quarterly_of({"llama-3.1-8b"}, {"full"}, {"h100-sxm"}));
  spec.as_of = "2026-12-24";
  const Sheet sheet = sized_alone(project_catalog(), spec);
  EXPECT_EQ("2026-12-24", read_inputs(sheet.inputs, "sheet.json").spec.as_of);
}

TEST(Inputs, what_an_edition_lacks_is_named) {
  Json inputs = quarterly_inputs();
  EXPECT_TRUE(missing_inputs(inputs).empty());
  inputs.erase("sheet");
  inputs.erase("intervals");
  inputs["exchange"] = Json::array();
  EXPECT_EQ((std::vector<std::string>{"sheet", "intervals", "exchange_max_age_days"}),
            missing_inputs(inputs));
}

TEST(Inputs, faults_name_their_place) {
  Json inputs = quarterly_inputs();
  inputs["gpus"][4]["memory_gb"] = "80";
  inputs["prices"][2].erase("provider");
  inputs["rates"][0]["titel"] = "Life";
  EXPECT_EQ(
      "old.json:/inputs/gpus/4/memory_gb: expected a number, got \"80\"\n"
      "old.json:/inputs/prices/2/provider: expected text, got nothing\n"
      "old.json:/inputs/rates/0/titel: unknown key (did you mean \"title\"?)",
      refusal_of([&] { read_inputs(inputs, "old.json"); }));
  Json sound = quarterly_inputs();
  sound["sheet"]["tokens"] = 0;
  EXPECT_EQ("old.json:/inputs/sheet/tokens: expected an integer from 1 to 100000000000000, got 0",
            refusal_of([&] { read_inputs(sound, "old.json"); }));
  sound.erase("sheet");
  EXPECT_EQ("old.json:/inputs/sheet: expected an object, got nothing",
            refusal_of([&] { read_inputs(sound, "old.json"); }));
}

TEST(Inputs, every_key_is_in_one_group) {
  Json inputs = quarterly_inputs();
  std::set<std::string> keys;
  for (const std::string& group : kInputGroups) {
    for (const std::string& key : keys_of_group(group)) {
      EXPECT_TRUE(keys.insert(key).second) << key;
    }
  }
  for (const auto& [key, value] : inputs.items()) {
    EXPECT_TRUE(keys.contains("/" + key) || key == "sheet") << key;
  }
  const std::set<std::string> labels{"id", "title", "edition", "currency", "handout", "plan"};
  for (const auto& [key, value] : inputs.at("sheet").items()) {
    EXPECT_TRUE(keys.contains("/sheet/" + key) || labels.contains(key)) << key;
  }
}

TEST(Inputs, a_mix_drops_what_its_other_half_does_not_have) {
  const Json old_inputs = quarterly_inputs();
  Json new_inputs = old_inputs;
  new_inputs["sheet"]["gpus"] = {"h100-sxm"};
  new_inputs["gpus"] = Json::array({old_inputs["gpus"][4]});
  new_inputs["sheet"]["methods"] = {"lora-r16"};
  EXPECT_EQ((Groups{"gpus", "methods"}), differing_groups(old_inputs, new_inputs));
  EXPECT_EQ((Groups{"gpus", "methods"}), differing_groups(new_inputs, old_inputs));
  const Json mix = mixed_inputs(old_inputs, new_inputs, {"gpus", "methods"});
  for (const char* key : {"prices", "purchase_nodes"}) {
    ASSERT_FALSE(mix.at(key).empty()) << key;
    for (const Json& row : mix.at(key)) EXPECT_EQ("h100-sxm", row.at("gpu")) << key;
  }
  ASSERT_EQ(1U, mix.at("sheet").at("scenarios").size());  // the other one was of "full" alone
  EXPECT_EQ("hf-trl-4k", mix.at("sheet").at("scenarios")[0].at("id"));
  Json unprinted = old_inputs;
  unprinted["sheet"].erase("handout");
  EXPECT_EQ(unprinted, mixed_inputs(old_inputs, new_inputs, {}));
}

TEST(Inputs, a_mix_keeps_of_the_demand_what_it_knows) {
  Json old_inputs = quarterly_inputs();
  old_inputs["sheet"]["plan"]["contracts"] = Json::parse(
      R"([{"gpu": "b200", "gpus": 8, "instances": 1, "usd_per_month": 1, "until_month": 2}])");
  old_inputs["sheet"]["plan"]["lead_months_of"] = {{"8x-b200", 6}, {"8x-h100-sxm", 4}};
  Json new_inputs = old_inputs;
  new_inputs["sheet"]["gpus"] = {"h100-sxm"};
  new_inputs["sheet"]["methods"] = {"lora-r16"};
  const Json plan = mixed_inputs(old_inputs, new_inputs, {"gpus", "methods"})["sheet"]["plan"];
  ASSERT_FALSE(plan.at("runs").empty());
  for (const Json& runs : plan.at("runs")) EXPECT_EQ("lora-r16", runs.at("method"));
  EXPECT_TRUE(plan.at("contracts").empty());
  EXPECT_EQ((Json{{"8x-h100-sxm", 4}}), plan.at("lead_months_of"));
}

TEST(Inputs, old_names_become_new_ones_everywhere) {
  const Json inputs = quarterly_inputs();
  Renames renames;
  renames.gpus["h100-sxm"] = "h100";
  renames.models["size-70b"] = "seventy";
  renames.methods["lora-r16"] = "lora";
  renames.scenarios["torchtune-4k"] = "torchtune";
  const Json renamed = inputs_under_new_names(inputs, renames);
  std::size_t places = 0;  // where the old ids stand, as whole texts
  const Json flat = inputs.flatten();
  for (const auto& [pointer, value] : flat.items()) {
    const bool id = value == "h100-sxm" || value == "size-70b" || value == "torchtune-4k" ||
                    value == "lora-r16";
    if (!id) continue;
    ++places;
    EXPECT_NE(value, renamed.at(Json::json_pointer(pointer))) << pointer;
  }
  EXPECT_GT(places, 20U);
  const EditionInputs read = read_inputs(renamed, "r");
  EXPECT_EQ(396U, sized_alone(read.catalog, read.spec).rows.size());
}

}  // namespace
}  // namespace sizesheet
