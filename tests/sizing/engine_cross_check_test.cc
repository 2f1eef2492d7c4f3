// SPDX-License-Identifier: Apache-2.0
// The engine with its `reference` constants against the figures of an independent prototype, and
// the engine in use against published measurements.
#include <gtest/gtest.h>

#include <cmath>

#include "catalog/facts/engine_constants.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/pieces.h"
#include "sizing/request/question.h"
#include "sizing/search/candidate.h"
#include "sizing/search/search.h"
#include "sizing/time/step_work.h"
#include "support/error.h"
#include "support/json.h"
#include "support/named.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

/// max(16 bytes, 1e-9 of the figure)
void expect_close(double got, const Json& expected, const std::string& what) {
  const double wanted = expected;
  EXPECT_LE(std::abs(got - wanted), std::max(16.0, 1e-9 * std::abs(wanted)))
      << what << ": got " << got << ", expected " << wanted;
}

Question question_of_row(const Json& row, const EngineConstants& constants) {
  static const Json refused = oracle("engine_deviations.json").at("refused");
  const std::string id = row.at("request").at("id");
  Faults faults;
  Question question = read_question(row.at("request"), project_catalog(), constants, faults);
  for (const Fault& fault : faults.all()) {
    if (refused.contains(id)) {
      EXPECT_EQ(refused.at(id).at("message"), to_request_text(fault)) << id;
    } else {
      ADD_FAILURE() << row.at("name") << ": " << to_request_text(fault);
    }
  }
  EXPECT_EQ(refused.contains(id), !faults.empty()) << id;
  return question;
}

void expect_bill(const MemoryBill& bill, const Json& expected, const std::string& name) {
  EXPECT_EQ(expected.at("peak_phase"), bill.peak_phase) << name;
  for (const auto& [phase, bytes] : expected.at("phases").items()) {
    expect_close(static_cast<double>(bill.phases.in(phase_named(phase).value())), bytes,
                 name + ", " + phase);
  }
  for (const auto& [phase, bytes] : expected.at("phases_step1").items()) {
    expect_close(static_cast<double>(bill.phases_step1.in(phase_named(phase).value())), bytes,
                 name + ", step 1, " + phase);
  }
  EXPECT_EQ(bill.stage, expected.value("stage", 0)) << name;
  for (const Term term : {Term::kWeights, Term::kAdapters, Term::kOverhead}) {
    const std::string id = id_of(term);
    expect_close(static_cast<double>(bill.of(term)), expected.at(id), name + ", " + id);
  }
  expect_close(static_cast<double>(bill.allocated), expected.at("allocated"), name + ", allocated");
  expect_close(static_cast<double>(bill.reserved), expected.at("reserved"), name + ", reserved");
  expect_close(static_cast<double>(bill.device), expected.at("device"), name + ", device");
}

/// Where the engine is better than the prototype, with the evidence: "row id, figure" -> deviation.
const Json& deviations() {
  static const Json all = oracle("engine_deviations.json").at("deviations");
  return all;
}

void expect_pieces(const Candidate& candidate, const Json& expected, const std::string& name) {
  const Pieces<double> pieces = memory_pieces<double>(candidate.job, candidate.worst_stage());
  const auto piece = [&](double got, const char* key) {
    const std::string place = name.substr(0, name.find(' ')) + ", " + key;
    if (!deviations().contains(place))
      return expect_close(got, expected.at(key), name + ", " + key);
    const Json& deviation = deviations().at(place);
    expect_close(got, deviation.at("engine"), place + " (deviation)");
    EXPECT_EQ(deviation.at("reference"), expected.at(key)) << place;
    EXPECT_GT(std::abs(got - expected.at(key).get<double>()), 16) << place << ": no deviation";
    EXPECT_FALSE(deviation.at("evidence").get<std::string>().empty()) << place;
  };
  piece(pieces.master, "master");
  piece(pieces.moments, "optimizer");
  piece(pieces.gradients, "grads");
  piece(pieces.kept, "acts");
  piece(pieces.block, "recompute");
  piece(pieces.temporaries, "tmp");
  piece(pieces.loss_forward, "ce_fwd");
  piece(pieces.loss_backward, "ce_bwd");
  piece(pieces.gathered, "ag");
  piece(pieces.unit, "unit");
  piece(pieces.unsharded_gradients, "unsharded_grads");
  piece(pieces.root + pieces.root_gradients, "root");
  piece(pieces.dequantised, "dequant");
  piece(pieces.autocast_cache, "cache");
  piece(pieces.step_transient, "step_tmp");
  piece(trainable_per_rank(candidate.job, candidate.worst_stage()), "trainable");
  const TokenFlops flops = step_work(candidate.job).per_token;
  piece(flops.model, "flops_model");
  piece(flops.hardware, "flops_hw");
}

TEST(EngineCrossCheck, EveryRowOfThePrototype) {
  const Json rows = oracle("engine_cross_check.json").at("rows");
  ASSERT_EQ(rows.size(), 82U);
  for (const Json& row : rows) {
    const std::string name = row.at("name");
    const Question question = question_of_row(row, project_catalog().engine.reference);
    if (testing::Test::HasFatalFailure()) return;
    const Plan only = search_counts(question);
    expect_bill(only.chosen.bill, row.at("expected"), name);
    expect_pieces(only.chosen, row.at("expected"), name);
  }
}

std::int64_t predicted(const MemoryBill& bill, const std::string& which) {
  return which == "allocated" ? bill.allocated : which == "reserved" ? bill.reserved : bill.device;
}

/// Thirty published peaks through the engine in use: validation over all sources stands in
/// evidence/.
TEST(EngineCrossCheck, PublishedMeasurementsAreMet) {
  const EngineConstants& constants = project_catalog().engine.current;
  int rows = 0;
  double absolute = 0;
  const Json oracle_rows = oracle("engine_cross_check.json").at("rows");
  for (const Json& row : oracle_rows) {
    if (!row.contains("measured")) continue;
    const Plan only = search_counts(question_of_row(row, constants));
    const Json& measured = row.at("measured");
    const double ratio = measured.at("bytes").get<double>() /
                         static_cast<double>(predicted(only.chosen.bill, measured.at("which")));
    ++rows;
    absolute += std::abs(1 / ratio - 1);
  }
  ASSERT_EQ(rows, 30);
  EXPECT_LE(absolute / rows, 0.08) << "mean error";
}

}  // namespace
}  // namespace sizesheet
