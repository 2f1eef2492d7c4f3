// SPDX-License-Identifier: Apache-2.0
// Interval classes: which one a run falls into, the file and back, and every fault.
#include <gtest/gtest.h>

#include "catalog/published/measured.h"
#include "catalog/sample_catalog.h"

namespace sizesheet {
namespace {

Intervals sound_intervals(const Json& document) {
  Faults faults;
  Intervals intervals = read_intervals({document, "intervals.json", "", faults});
  EXPECT_TRUE(faults.empty());
  return intervals;
}

TEST(Intervals, the_first_class_that_holds_decides) {
  const Intervals intervals = sound_intervals(sample_documents().at("intervals.json"));
  EXPECT_EQ(intervals.of({"hf", "full", "one", true}).id, "one-full");
  EXPECT_EQ(intervals.of({"hf", "lora", "one", true}).id, "any");
  EXPECT_EQ(intervals.of({"hf", "full", "data", true}).id, "any");
}

TEST(Intervals, every_condition_must_hold) {
  const IntervalWhen when{"hf", {"lora", "qlora"}, "data", false};
  EXPECT_TRUE(when.holds({"hf", "qlora", "data", false}));
  EXPECT_FALSE(when.holds({"ds", "qlora", "data", false}));
  EXPECT_FALSE(when.holds({"hf", "full", "data", false}));
  EXPECT_FALSE(when.holds({"hf", "qlora", "one", false}));
  EXPECT_FALSE(when.holds({"hf", "qlora", "data", true}));
}

TEST(Intervals, the_file_reads_back) {
  const Json document = sample_documents().at("intervals.json");
  EXPECT_EQ(parse_json(to_json_text(sound_intervals(document)), "text"), document);
}

TEST(Intervals, faults) {
  EXPECT_EQ(faults_after("intervals.json", "/classes/1/when/packed", true),
            Texts{"intervals.json:/classes: expected the last class to hold for every run: "
                  "\"when\": {}"});
  EXPECT_EQ(faults_after("intervals.json", "/classes/0/when/kind/0", "ful"),
            Texts{"intervals.json:/classes/0/when/kind: expected some of full, lora, dora, qlora, "
                  "got \"ful\" (did you mean \"full\"?)"});
  EXPECT_EQ(faults_after("intervals.json", "/classes/0/high", 0.9),
            Texts{"intervals.json:/classes/0/high: expected a number from 1 to 1000, got 0.9"});
}

}  // namespace
}  // namespace sizesheet
