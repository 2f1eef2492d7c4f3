// SPDX-License-Identifier: Apache-2.0
// Rates out of the role that a sheet gives them, and values of methods and stacks that the engine
// takes for no model.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "catalog/catalog.h"
#include "catalog/prices/purchase.h"
#include "sheet/assemble/checks.h"
#include "sheet/quarterly.h"
#include "support/error.h"
#include "support/project_catalog.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

TEST(SheetRates, keep_to_their_role) {
  struct Case {
    const char* id;
    const char* end;
    double Estimate::*member;
    double value;
    const char* refusal;  ///< "" where there is none
  };
  const Case cases[] = {
      {"pue", "low", &Estimate::low, 1.1, ""},
      {"idle-power-share", "high", &Estimate::high, 2,
       "a number from 0 to 1, got 2 (the sheet takes it for: power drawn while idle)"},
      {"pue", "low", &Estimate::low, 0.5,
       "a number at least 1, got 0.5 (the sheet takes it for: power for cooling and losses)"},
      {"life-years", "low", &Estimate::low, 0,
       "a number above 0, got 0 (the sheet takes it for: years of use)"},
      {"hours-per-month", "typical", &Estimate::typical, 800,
       "a number from 1 to 744, got 800 (the sheet takes it for: hours counted as a month)"},
      {"utilisation", "high", &Estimate::high, 1.5,
       "a number from 0.000001 to 1, got 1.5 (the sheet takes it for: share of the hours that are "
       "used)"},
  };
  for (const Case& one : cases) {
    Purchase purchase = project_catalog().purchase;
    const auto rate = std::ranges::find(purchase.rates, one.id, &Rate::id);
    rate->value.*one.member = one.value;
    Faults faults;
    check_rates(quarterly_spec().ownership, purchase, "rates.json", "/rates", faults);
    const std::string place =
        "rates.json:/rates/" + std::to_string(rate - purchase.rates.begin()) + "/value/" + one.end;
    EXPECT_EQ(texts_of(faults),
              *one.refusal == '\0' ? Texts{} : Texts{place + ": expected " + one.refusal});
  }
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

TEST(Practice, of_a_stack_names_objectives_that_a_request_can_have) {
  const auto faults = practice_faults([](Catalog& c) {
    c.stacks.at("litgpt").trains.objectives.at("lora") = {"sft", "dop"};
  });
  EXPECT_EQ(faults,
            Texts{"c/stacks/litgpt.json:/trains/lora/1: expected one of sft, dpo, ipo, kto, "
                  "orpo, simpo, cpo, reward, distillation, grpo, rloo, dapo, ppo, got "
                  "\"dop\" (did you mean \"dpo\"?)"});
}

TEST(Practice, of_each_stack_says_what_it_trains) {
  for (const auto& [id, stack] : project_catalog().stacks) {
    for (const auto& [kind, settings] : stack.kinds) {
      EXPECT_TRUE(stack.trains.objectives.contains(kind)) << id << " " << kind;
    }
    EXPECT_NE(stack.trains.source, "") << id;
  }
}

}  // namespace
}  // namespace sizesheet
