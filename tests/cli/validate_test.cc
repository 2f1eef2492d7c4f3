// SPDX-License-Identifier: Apache-2.0
// The validate command: its text, its JSON, its exit codes.
#include "cli/validate.h"

#include <gtest/gtest.h>

#include <sstream>

#include "catalog/sample_catalog.h"
#include "cli/program.h"
#include "evidence/accuracy.h"
#include "sizing/memory/verdict.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

TEST(Validate, held_out_shows_only_their_rows_and_the_exit_code_whether_a_bar_is_missed) {
  for (const bool held_out : {false, true}) {
    ValidateOptions options;
    options.catalog = kCatalog;
    options.format = "json";
    options.held_out = held_out;
    std::ostringstream out;
    const int code = run_validate(options, out);
    const Json accuracy = parse_json(out.str(), "stdout");
    const bool missed = std::ranges::any_of(
        accuracy.at("bars"), [](const Json& bar) { return bar.at("missed").get<bool>(); });
    EXPECT_EQ(code, missed ? 1 : 0);
    EXPECT_EQ(accuracy.at("rows").size(), held_out ? 95U : 726U);
    EXPECT_EQ(accuracy.at("sources").size(), held_out ? 9U : 24U);
    for (const Json& row : accuracy.at("rows")) {
      EXPECT_TRUE(!held_out || row.at("held_out").get<bool>());
    }
  }
}

TEST(Validate, a_catalog_without_measurements_is_refused) {
  Documents documents = sample_documents();
  documents.erase("measured/bench.json");
  const TempDir dir;
  write_documents(dir, documents);
  ValidateOptions options;
  options.catalog = dir.path().string();
  std::ostringstream out;
  EXPECT_EQ(refusal_of([&] { run_validate(options, out); }),
            options.catalog.shown() + "/measured: expected at least one .json file to compare");
}

TEST(Validate, intervals_are_written_where_asked) {
  const TempDir dir;
  ValidateOptions options;
  options.catalog = kCatalog;
  options.write_intervals = (dir.path() / "intervals.json").string();
  std::ostringstream out;
  run_validate(options, out);
  const Json written = parse_json(read_file(options.write_intervals), "written");
  EXPECT_EQ(written.at("classes").back().at("id"), "any");
  EXPECT_EQ(list_files(dir.path()), Texts{"intervals.json"});  // and nothing that nobody named
  options.write_speed_intervals = (dir.path() / "speed.json").string();
  run_validate(options, out);
  const Json speeds = parse_json(read_file(options.write_speed_intervals), "written");
  EXPECT_EQ(speeds, parse_json(read_file(std::string(kCatalog) + "/speed_intervals.json"), "kept"));
  options.write_intervals = (dir.path() / "no" / "where.json").string();
  EXPECT_EQ(refusal_of([&] { run_validate(options, out); }),
            (dir.path() / "no").string() + ": cannot write here: No such file or directory");
}

Accuracy small_accuracy() {
  Accuracy accuracy;
  AccuracyRow equal;
  equal.id = "bench-1";
  equal.kind = "allocated";
  equal.relation = "equal";
  equal.measured = 1073741824;
  equal.predicted = 1181116006;
  equal.error = 0.1;
  equal.verdict = Verdict::kFits;
  AccuracyRow refused;
  refused.id = "bench-2";
  refused.kind = "device";
  refused.relation = "oom";
  refused.refusal = "gpu: no";
  refused.flags = {"near-capacity"};
  accuracy.rows = {equal, refused};
  accuracy.held_out.errors = ErrorStats{1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1};
  accuracy.held_out.by_kind = {{"allocated", *accuracy.held_out.errors}};
  accuracy.held_out.one_vote_median = 0.1;
  accuracy.held_out.sources = 1;
  accuracy.held_out.confusion.ran_fits = 1;
  accuracy.held_out.refused = 1;
  accuracy.out_of_model = {{"refused", "The engine refuses", 1}};
  accuracy.intervals = {{{"any", "Any run", 0.9, 1.2, 9, 2, "B", "9 figures."}, 9, 0.9, 0.8}};
  accuracy.coverage = {1, 1.0, 0.15};
  accuracy.bars = {{"all-median", "Median", 0.06, 0.1, true},
                   {"oom-fits", "False fits", 0, std::nullopt, true}};
  return accuracy;
}

TEST(Validate, text_is_aligned) {
  std::ostringstream out;
  print_accuracy(small_accuracy(), true, out);
  EXPECT_EQ(
      out.str(),
      R"(row                                    memory     relation     measured predicted  finding
bench-1                                allocated  equal            1.00      1.10  +10.0 %
bench-2                                device     oom                 -         -  refused: gpu: no
Memory in GiB per GPU; the error is predicted ÷ measured − 1.

HELD-OUT SOURCES                            n   median     mean      p90     worst      bias
  all figures                               1   10.0 %   10.0 %   10.0 %   +10.0 %   +10.0 %
 by memory
  allocated                                 1   10.0 %   10.0 %   10.0 %   +10.0 %   +10.0 %
 each source one vote: median 10.0 % of 1 sources
 ran 1: fits 1, tight 0, no 0
 out of memory 0: fits 0, tight 0, no 0
 lower bounds 0: undercut 0
 refused 1

Outside the totals
     1  The engine refuses (refused)

Intervals, factors on the predicted bytes
  any                      0.900 to 1.200  B  9 figures. Holds 90.0 %, of sources left out 80.0 %.
  fitted without the held-out sources they hold 100.0 % of their 1 figures, median half-width 15.0 %

Bars
  missed   Median                                                 10.0 %, at most 6.0 %
  missed   False fits                                             no row, at most 0
)");
}

}  // namespace
}  // namespace sizesheet
