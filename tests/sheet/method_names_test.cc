// SPDX-License-Identifier: Apache-2.0
// The short titles of a sheet's methods: what tables, headlines and charts call them.
#include <gtest/gtest.h>

#include "sheet/assemble/facts.h"
#include "sheet/quarterly.h"
#include "sheet/sheet.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

std::vector<std::string> names_of(const std::vector<std::string>& methods) {
  Sheet sheet;
  copy_facts(project_catalog(), spec_of(quarterly_of({"llama-3.1-8b"}, methods, {"h100-sxm"})),
             sheet);
  std::vector<std::string> names;
  for (const SheetMethod& method : sheet.methods) names.push_back(method.short_title);
  return names;
}

using Names = std::vector<std::string>;

TEST(MethodNames, are_short_where_a_short_title_is_used_once) {
  EXPECT_EQ(names_of({"full", "lora-r16", "qlora-r64"}), (Names{"full", "LoRA", "QLoRA"}));
}

TEST(MethodNames, tell_methods_of_one_short_title_apart) {
  EXPECT_EQ(names_of({"full", "lora-r16", "lora-r8-qv", "lora-r64", "dpo-lora-r16"}),
            (Names{"full", "LoRA r16", "LoRA r8", "LoRA r64", "DPO"}));
}

}  // namespace
}  // namespace sizesheet
