// SPDX-License-Identifier: Apache-2.0
// Tables by framework out of their file: what is kept, and one mutation at a time, whole text.
#include <gtest/gtest.h>

#include "catalog/published/worksheet.h"
#include "catalog/sample_catalog.h"
#include "support/files.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

Json set_document() {
  const std::string path = SIZESHEET_SOURCE_DIR "/catalog/frameworks/nemotron-3-nano-30b-a3b.json";
  return parse_json(read_file(path), path);
}

FrameworkSet read_set(const Json& json, Faults& faults) {
  const FrameworkNames known{{"nemotron-3-nano-30b-a3b"}, {"h100-sxm", "h200-sxm"}};
  return read_framework_set({json, "set.json", "", faults}, known);
}

/// Faults after `value` is put at `pointer`; nullopt takes the key out.
Texts set_faults(const std::string& pointer, const std::optional<Json>& value) {
  Faults faults;
  read_set(changed_at(set_document(), pointer, value), faults);
  return texts_of(faults);
}

TEST(FrameworkSet, keeps_what_the_file_says) {
  Faults faults;
  const FrameworkSet set = read_set(set_document(), faults);
  EXPECT_EQ(texts_of(faults), Texts{});
  EXPECT_EQ(set.framework("nemo-rl").title, "NeMo RL");
  EXPECT_EQ(set.ranks, (std::vector<std::int64_t>{8, 32, 128, 256}));
  EXPECT_EQ(set.sequences.rows.at(1).printed_total_gb, 22);
  EXPECT_EQ(set.layers.sets.at(0).printed_gb.at("mamba"), 7.1);
  EXPECT_EQ(set.modes.at(3).published.at(0).value, 220968448);
  EXPECT_EQ(set.recipes.at(0).repository, "NVIDIA-NeMo/Megatron-Bridge");
  EXPECT_THROW(static_cast<void>(set.framework("nemo")), std::out_of_range);
}

TEST(FrameworkSet, refers_only_to_what_is_there) {
  EXPECT_EQ(set_faults("/gpu", "h100-sxn"),
            Texts{R"(set.json:/gpu: no GPU "h100-sxn" in the catalog (did you mean "h100-sxm"?))"});
  EXPECT_EQ(set_faults("/questions/0/framework", "megatron-brigde"),
            Texts{R"(set.json:/questions/0/framework: no framework "megatron-brigde" in the )"
                  R"(catalog (did you mean "megatron-bridge"?))"});
  EXPECT_EQ(set_faults("/questions/1/recipe", "bridge-pefd"),
            Texts{R"(set.json:/questions/1/recipe: no recipe "bridge-pefd" in the catalog )"
                  R"((did you mean "bridge-peft"?))"});
}

TEST(FrameworkSet, labels_and_dates_are_checked) {
  EXPECT_EQ(set_faults("/recipes/0/evidence", "testet"),
            Texts{R"(set.json:/recipes/0/evidence: expected one of computed, recipe, tested, )"
                  R"(theoretical; got "testet" (did you mean "tested"?))"});
  EXPECT_EQ(set_faults("/recipes/0/date", "August"),
            Texts{R"(set.json:/recipes/0/date: expected a date YYYY-MM-DD or YYYY-MM, got )"
                  R"("August")"});
  EXPECT_EQ(set_faults("/recipes/0/commit", "067f987d"),
            Texts{R"(set.json:/recipes/0/commit: expected 40 hexadecimal digits, got "067f987d")"});
  EXPECT_EQ(set_faults("/sequences/rows/0/tp", 0),
            Texts{"set.json:/sequences/rows/0/tp: expected an integer from 1 to 1000000, got 0"});
  EXPECT_EQ(set_faults("/recipes/12/id", "bridge-peft"),
            Texts{R"(set.json:/recipes/12/id: expected an id that stands once, got )"
                  R"("bridge-peft" again)"});
  EXPECT_EQ(set_faults("/questions/0/request", std::nullopt),
            Texts{"set.json:/questions/0/request: expected an object, got nothing"});
  EXPECT_EQ(set_faults("/recipes/0/comit", "0"),
            Texts{R"(set.json:/recipes/0/comit: unknown key (did you mean "commit"?))"});
}

}  // namespace
}  // namespace sizesheet
