// SPDX-License-Identifier: Apache-2.0
// Published measurements, and which interval class a run falls into: what is kept.

#include "catalog/published/measured.h"

#include <gtest/gtest.h>

#include "catalog/sample_catalog.h"
#include "support/error.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

const char* const kBench = "measured/bench.json";

MeasuredSource sample_source() {
  const Json document = sample_documents().at(kBench);
  Faults faults;
  MeasuredSource source = read_measured_source({document, kBench, "", faults});
  EXPECT_TRUE(faults.empty());
  return source;
}

TEST(Measured, a_row_is_laid_over_what_all_rows_share) {
  const MeasuredSource source = sample_source();
  EXPECT_TRUE(source.held_out);
  EXPECT_EQ(source.rows.at(0).request, Json({{"id", "bench-1"},
                                             {"model", "small"},
                                             {"gpu", "h100"},
                                             {"method", {{"kind", "lora"}, {"rank", 16}}},
                                             {"layout", {{"gpus", 1}}}}));
  EXPECT_EQ(source.rows.at(1).request.at("model"),
            Json({{"model_type", "llama"}, {"hidden_size", 8}}));
  EXPECT_EQ(source.rows.at(1).request.at("method").at("rank"), 8);
}

TEST(Measured, a_row_keeps_its_figure_and_place) {
  const MeasuredSource source = sample_source();
  EXPECT_EQ(source.rows.at(0).measured.bytes, 1000);
  EXPECT_EQ(source.rows.at(0).link, "https://example.org/bench/table.md#L3");
  EXPECT_EQ(source.rows.at(0).framework, "hf");
  EXPECT_EQ(source.rows.at(0).flags, Texts{"near-capacity"});
  EXPECT_EQ(source.rows.at(1).measured.bytes, std::nullopt);
  EXPECT_EQ(source.rows.at(1).link, "https://example.org/bench");
  EXPECT_EQ(source.rows.at(1).framework, "other");
}

TEST(Measured, of_the_project_holds_every_row_once_and_holds_sources_out) {
  std::size_t rows = 0;
  std::size_t held_out = 0;
  std::map<bool, std::set<std::string>> kinds;
  for (const auto& [id, source] : project_catalog().measured) {
    rows += source.rows.size();
    held_out += source.held_out ? 1 : 0;
    for (const MeasuredRow& row : source.rows) {
      if (row.measured.relation == "equal") kinds[source.held_out].insert(row.measured.kind);
    }
  }
  const std::set<std::string> all = {"allocated", "reserved", "device"};
  EXPECT_EQ(rows, 726U);
  EXPECT_EQ(project_catalog().measured.size(), 24U);
  EXPECT_GE(held_out * 3, project_catalog().measured.size());
  EXPECT_TRUE(kinds.at(true).contains("allocated"));
  EXPECT_EQ(kinds.at(false), all);
}

Intervals sound_intervals(const Json& document) {
  Faults faults;
  Intervals intervals = read_intervals({document, "intervals.json", "", faults});
  EXPECT_TRUE(faults.empty());
  return intervals;
}

TEST(Intervals, the_first_class_that_holds_decides) {
  const Intervals intervals = sound_intervals(sample_documents().at("intervals.json"));
  EXPECT_EQ(intervals.of({"hf", "full", "one", true}).first->id, "one-full");
  EXPECT_EQ(intervals.of({"hf", "lora", "one", true}).first->id, "any");
  EXPECT_EQ(intervals.of({"hf", "full", "data", true}).first->id, "any");
}

/// Every run that a class can tell from others.
std::vector<IntervalFacts> all_runs() {
  std::vector<IntervalFacts> runs;
  const auto vary = [&](auto member, const auto& values) {
    const std::vector<IntervalFacts> before = std::exchange(runs, {});
    for (const IntervalFacts& one : before) {
      for (const auto& value : values) {
        runs.push_back(one);
        runs.back().*member = value;
      }
    }
  };
  const std::vector<bool> either{false, true};
  runs.emplace_back();
  vary(&IntervalFacts::stack, std::vector<std::string>{"", "hf-trl", "nemo-automodel"});
  vary(&IntervalFacts::kind, ids(kMethodKinds));
  vary(&IntervalFacts::spread, std::vector<std::string>{"one", "data", "model"});
  for (const auto flag : {&IntervalFacts::packed, &IntervalFacts::routed, &IntervalFacts::desktop,
                          &IntervalFacts::fp8}) {
    vary(flag, either);
  }
  vary(&IntervalFacts::evidence, std::vector<std::string>{"exact", "related", "none"});
  return runs;
}

bool contains_range(const IntervalRange& wide, const IntervalFigures& narrow) {
  return wide.low <= narrow.low && narrow.high <= wide.high;
}

/// Of every pair of classes that hold for a run, the first asks more, or its range has the other's.
void expect_justified(const Intervals& intervals) {
  for (const IntervalFacts& run : all_runs()) {
    const IntervalRange found = intervals.of(run);
    const IntervalClass* first = nullptr;
    for (const IntervalClass& one : intervals.classes) {
      if (!one.when.holds(run)) continue;
      if (first == nullptr) first = &one;
      const bool asks_less = &one != first && one.when.covers(first->when);
      EXPECT_FALSE(&one != first && first->when.covers(one.when))
          << first->id << " hides " << one.id << ", which asks more";
      const bool finer = std::ranges::any_of(intervals.classes, [&](const IntervalClass& other) {
        return &other != &one && other.when.holds(run) && one.when.covers(other.when);
      });
      EXPECT_TRUE(asks_less || finer || contains_range(found, one))
          << first->id << " is narrower than " << one.id;
    }
    EXPECT_EQ(found.first->id, first->id);
    EXPECT_TRUE(contains_range(found, *first));
  }
}

TEST(Intervals, EveryOrderOfClassesIsJustified) {
  expect_justified(project_catalog().intervals);
  expect_justified(project_catalog().speed_intervals);
}

TEST(Intervals, RunsOfTwoClassesHaveTheRangeOfBoth) {
  const Json cases = oracle("interval_classes.json");
  for (const Json& one : cases.at("runs")) {
    const testing::ScopedTrace where(__FILE__, __LINE__, one.dump());
    const Intervals& intervals =
        one.at("file") == "speed" ? project_catalog().speed_intervals : project_catalog().intervals;
    const Json& asked = one.at("facts");
    IntervalFacts run;
    run.kind = asked.at("kind");
    run.spread = asked.at("spread");
    run.packed = asked.value("packed", true);
    run.routed = asked.value("routed", false);
    run.desktop = asked.value("desktop", false);
    run.fp8 = asked.value("fp8", false);
    run.evidence = asked.value("evidence", "exact");
    const auto named = [&](const std::string& id) {
      return *std::ranges::find(intervals.classes, id, &IntervalClass::id);
    };
    IntervalClass expected = named(one.at("first"));
    for (const Json& id : one.at("with")) {
      const IntervalClass other = named(id);
      expected.low = std::min(expected.low, other.low);
      expected.high = std::max(expected.high, other.high);
      expected.grade = std::max(expected.grade, other.grade);
    }
    const IntervalRange found = intervals.of(run);
    EXPECT_EQ(found.first->id, expected.id);
    EXPECT_EQ(found.low, expected.low);
    EXPECT_EQ(found.high, expected.high);
    EXPECT_EQ(found.grade, expected.grade);
  }
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

}  // namespace
}  // namespace sizesheet
