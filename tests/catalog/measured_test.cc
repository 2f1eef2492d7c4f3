// SPDX-License-Identifier: Apache-2.0
// Published measurements and the rules they are compared by: what is kept, and every fault.
#include "catalog/published/measured.h"

#include <gtest/gtest.h>

#include "catalog/sample_catalog.h"
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

TEST(Measured, a_figure_stands_where_one_was_published_and_only_there) {
  EXPECT_EQ(faults_after(kBench, "/rows/1/measured/bytes", 7),
            Texts{"measured/bench.json:/rows/1/measured/bytes: expected no bytes beside relation "
                  "\"oom\""});
  EXPECT_EQ(faults_after(kBench, "/rows/1/measured/relation", "equal"),
            Texts{"measured/bench.json:/rows/1/measured/bytes: expected the measured bytes, got "
                  "nothing"});
  EXPECT_EQ(faults_after(kBench, "/rows/0/measured/kind", "alocated"),
            Texts{"measured/bench.json:/rows/0/measured/kind: expected one of allocated, reserved, "
                  "device; got \"alocated\" (did you mean \"allocated\"?)"});
}

TEST(Measured, names_must_be_known) {
  EXPECT_EQ(faults_after(kBench, "/rows/0/request/gpu", "H100"),
            Texts{"measured/bench.json:/rows/0/request/gpu: no GPU \"H100\" in the catalog (did "
                  "you mean \"h100\"?)"});
  EXPECT_EQ(
      faults_after(kBench, "/rows/1/request/model", "smal"),
      Texts{"measured/bench.json:/rows/1/request/model: no model \"smal\" in the catalog (did "
            "you mean \"small\"?)"});
  EXPECT_EQ(faults_after(kBench, "/rows/0/flags/0", "refused"),
            Texts{"measured/bench.json:/rows/0/flags: no reason \"refused\" in the catalog"});
  EXPECT_EQ(faults_after(kBench, "/rows/1/id", "bench-1"),
            Texts{"measured/bench.json:/rows/1/id: expected an id that stands in one source, got "
                  "\"bench-1\" again"});
  EXPECT_EQ(faults_after(kBench, "/rows/1/framwork", "x"),
            Texts{"measured/bench.json:/rows/1/framwork: unknown key (did you mean "
                  "\"framework\"?)"});
}

TEST(Measured, rules_name_figures_that_exist) {
  EXPECT_EQ(faults_after("validation.json", "/bars/0/id", "all-medain"),
            Texts{"validation.json:/bars/0/id: expected one of allocated-median, allocated-p90, "
                  "all-median, all-p90, ran-called-no, tight-share, oom-fits, undercut-share, "
                  "held-out-uncovered, held-out-half-width, speed-median, speed-p90, "
                  "speed-uncovered, speed-range, left-out-uncovered, speed-left-out-uncovered; got "
                  "\"all-medain\" (did "
                  "you mean \"all-median\"?)"});
  EXPECT_EQ(faults_after("validation.json", "/reasons/0/id", "refuse"),
            Texts{"validation.json:/reasons: expected a reason \"refused\" among them, got none"});
  EXPECT_EQ(faults_after("validation.json", "/reasons/0/fits", "hours"),
            Texts{"validation.json:/reasons/0/fits: expected one of memory, speed; got \"hours\""});
  EXPECT_EQ(faults_after("validation.json", "/reasons/0/fits", "speed"), Texts{});
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
  EXPECT_EQ(rows, 567U);
  EXPECT_EQ(project_catalog().measured.size(), 19U);
  EXPECT_GE(held_out * 3, project_catalog().measured.size());
  EXPECT_TRUE(kinds.at(true).contains("allocated"));
  EXPECT_EQ(kinds.at(false), all);
}

}  // namespace
}  // namespace sizesheet
