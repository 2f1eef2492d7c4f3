// SPDX-License-Identifier: Apache-2.0
// What a sheet's specification may not ask for: rates out of their role, requests that nobody can
// answer, one thing twice; and values of methods and stacks that the engine takes for no model.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "sheet/quarterly.h"
#include "sheet/spec.h"
#include "support/project_catalog.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

Texts sheet_faults(const Json& json) {
  Faults faults;
  const SheetSpec spec =
      read_sheet_spec(ObjectReader(json, "q.json", "", faults), project_catalog());
  if (faults.empty()) check_requests(spec, project_catalog(), "q.json", faults);
  return texts_of(faults);
}

Texts rate_faults(const std::string& id, const char* key, double value) {
  Purchase purchase = project_catalog().purchase;
  Faults none;
  const Json json = quarterly_json();
  const SheetSpec spec = read_sheet_spec(ObjectReader(json, "q.json", "", none), project_catalog());
  for (Rate& rate : purchase.rates) {
    if (rate.id != id) continue;
    (key == std::string("low")    ? rate.value.low
     : key == std::string("high") ? rate.value.high
                                  : rate.value.typical) = value;
  }
  Faults faults;
  check_rates(spec.ownership, purchase, "rates.json", "/rates", faults);
  return texts_of(faults);
}

/// "rates.json:/rates/10" of a rate of the catalog.
std::string rate_place(const char* id) {
  const std::vector<Rate>& rates = project_catalog().purchase.rates;
  const auto found = std::ranges::find(rates, id, &Rate::id);
  return "rates.json:/rates/" + std::to_string(found - rates.begin());
}

TEST(SheetRates, keep_to_their_role) {
  EXPECT_EQ(rate_faults("pue", "low", 1.1), Texts{});
  EXPECT_EQ(rate_faults("idle-power-share", "high", 2),
            Texts{rate_place("idle-power-share") +
                  "/value/high: expected a number from 0 to 1, got 2 (the sheet "
                  "takes it for: power drawn while idle)"});
  EXPECT_EQ(
      rate_faults("pue", "low", 0.5),
      Texts{rate_place("pue") + "/value/low: expected a number at least 1, got 0.5 (the sheet "
                                "takes it for: power for cooling and losses)"});
  EXPECT_EQ(
      rate_faults("life-years", "low", 0),
      Texts{rate_place("life-years") + "/value/low: expected a number above 0, got 0 (the sheet "
                                       "takes it for: years of use)"});
  EXPECT_EQ(rate_faults("hours-per-month", "typical", 800),
            Texts{rate_place("hours-per-month") +
                  "/value/typical: expected a number from 1 to 744, got 800 (the "
                  "sheet takes it for: hours counted as a month)"});
  EXPECT_EQ(rate_faults("utilisation", "high", 1.5),
            Texts{rate_place("utilisation") +
                  "/value/high: expected a number from 0.000001 to 1, got 1.5 (the "
                  "sheet takes it for: share of the hours that are used)"});
}

TEST(SheetRequests, that_nobody_can_answer_are_told_at_their_key) {
  EXPECT_EQ(sheet_faults(quarterly_json()), Texts{});
  Json json = quarterly_json();
  json["scenarios"][1]["request"]["workload"]["startup_hours"] = -1;
  EXPECT_EQ(sheet_faults(json),
            Texts{"q.json:/scenarios/1/request/workload/startup_hours: no row of this scenario can "
                  "be asked: expected a number from 0 to 10000, got -1"});
  json = quarterly_json();
  json["scenarios"][0]["request"]["workload"]["seq_len"] = "long";
  EXPECT_EQ(sheet_faults(json), Texts{"q.json:/scenarios/0/request/workload/seq_len: expected an "
                                      "integer, got \"long\""});
  json = quarterly_json();
  json["scenarios"][0]["request"]["headroom"] = 0.2;
  EXPECT_EQ(sheet_faults(json),
            Texts{"q.json:/scenarios/0/request/headroom: expected no such key: the "
                  "sheet sets it for every row"});
}

TEST(SheetLists, hold_each_thing_once) {
  Json json = quarterly_json();
  json["models"].push_back(json["models"][0]);
  json["methods"].push_back("full");
  json["gpus"].push_back("h100-sxm");
  json["scenarios"].push_back(json["scenarios"][0]);
  const std::string model = json["models"][0]["id"];
  const std::string at = std::to_string(json["models"].size() - 1);
  EXPECT_EQ(sheet_faults(json),
            (Texts{"q.json:/models/" + at + "/id: expected a model that stands once, got \"" +
                       model + "\" again",
                   "q.json:/methods: expected each method once, got \"full\" again",
                   "q.json:/gpus: expected each GPU once, got \"h100-sxm\" again",
                   "q.json:/scenarios/2/id: expected an id that stands once, got \"hf-trl-4k\" "
                   "again"}));
}

TEST(SheetLists, are_of_a_size_that_can_be_drawn) {
  Json json = quarterly_json();
  json["series_seq_lens"] = {4096, 1024};
  EXPECT_EQ(sheet_faults(json), Texts{"q.json:/series_seq_lens: expected at most 100 ascending "
                                      "lengths, got [4096,1024]"});
}

Texts practice_faults(const std::function<void(Catalog&)>& change) {
  Catalog catalog = project_catalog();
  change(catalog);
  Faults faults;
  check_practice(catalog, "c", faults);
  return texts_of(faults);
}

TEST(Practice, of_the_catalog_is_sound) {
  EXPECT_EQ(practice_faults([](Catalog&) {}), Texts{});
}

TEST(Practice, that_the_engine_refuses_is_told) {
  EXPECT_EQ(practice_faults([](Catalog& c) { c.methods.at("lora-r16").request["rank"] = -1; }),
            Texts{"c/methods/lora-r16.json:/request/rank: expected an integer from 1 to 65536, got "
                  "-1"});
  EXPECT_EQ(practice_faults(
                [](Catalog& c) { c.stacks.at("hf-trl").kinds.at("full").at(0).value = "banana"; }),
            Texts{"c/stacks/hf-trl.json:/kinds/full/0/value: state: expected one of "
                  "bf16-fp32-moments, deepspeed, fsdp-mixed, hf-amp, megatron, "
                  "megatron-bf16-grads, peft-fp32, pure-bf16; got \"banana\""});
}

TEST(Practice, of_a_stack_names_makers_as_the_gpus_do) {
  const auto vendor = [](const std::string& name) {
    return practice_faults([&](Catalog& c) { c.stacks.at("unsloth").vendors = {name}; });
  };
  EXPECT_EQ(vendor("Nvidia"),
            Texts{"c/stacks/unsloth.json:/needs/vendors: no GPU of the catalog is "
                  "of vendor \"Nvidia\" (did you mean \"NVIDIA\"?)"});
  EXPECT_EQ(vendor("Huawei"), Texts{});
}

}  // namespace
}  // namespace sizesheet
