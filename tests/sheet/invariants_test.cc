// SPDX-License-Identifier: Apache-2.0
// What must hold in every row of the built sheet.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cost/cost_line.h"
#include "render/table/csv.h"
#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/quarterly.h"
#include "sheet/sheet.h"
#include "sheet/sheet_json.h"
#include "sizing/job/job.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/memory.h"
#include "sizing/memory/verdict.h"
#include "sizing/model/projections.h"
#include "support/formula_evaluator.h"
#include "support/json.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

TEST(Invariants, EveryCellIsThereOnceAndModelled) {
  const Sheet& sheet = quarterly_sheet();
  ASSERT_EQ(sheet.rows.size(), 11U * 3 * 9 + 11 * 9);
  std::set<std::string> keys;
  for (const Row& row : sheet.rows) {
    EXPECT_TRUE(keys.insert(row.key()).second) << row.key();
    EXPECT_TRUE(row.modelled) << row.key() << ": " << row.refusal;
  }
  EXPECT_EQ(sheet.picks.size(), 33U);
}

TEST(Invariants, SpeedStaysBelowThePeakAndHoursInTheirRange) {
  for (const Row& row : quarterly_sheet().rows) {
    EXPECT_EQ(row.files.has_value(), row.verdict != Verdict::kNo) << row.key();
    if (!row.mfu) continue;
    EXPECT_GT(*row.mfu, 0) << row.key();
    EXPECT_LE(*row.mfu, 1) << row.key();
    EXPECT_LE(*row.hours_low, *row.hours_mid) << row.key();
    EXPECT_LE(*row.hours_mid, *row.hours_high) << row.key();
    EXPECT_GT(*row.hours_low, 0.1667) << row.key();  // the start alone takes as long
  }
}

TEST(Invariants, TheClocksOfAStepAreItsTime) {
  std::map<std::string, const Scenario*> scenarios;
  for (const Scenario& one : quarterly_sheet().scenarios) scenarios[one.id] = &one;
  for (const Row& row : quarterly_sheet().rows) {
    if (!row.tokens_per_second_per_gpu) continue;
    double step = 0;
    for (const StepClock& clock : row.clocks) step += clock.seconds;
    const Scenario& scenario = *scenarios.at(row.scenario);
    const auto tokens = static_cast<double>(scenario.seq_len * row.layout.micro_batch *
                                            row.layout.grad_accum * row.layout.dp);
    const double rate = *row.tokens_per_second_per_gpu * static_cast<double>(row.layout.gpus);
    EXPECT_NEAR(rate * step, tokens, 1e-6 * tokens) << row.key();
  }
}

TEST(Invariants, MemoryTermsAddUp) {
  for (const Row& row : quarterly_sheet().rows) {
    const MemoryBill& bill = row.memory;
    EXPECT_EQ(bill.terms.sum(), bill.allocated) << row.key();
    EXPECT_EQ(bill.reserved + bill.overhead, bill.device) << row.key();
    EXPECT_LE(bill.allocated, bill.reserved) << row.key();
    EXPECT_EQ(bill.phases.in(phase_named(bill.peak_phase).value()), bill.allocated) << row.key();
    for (const Phase phase : kPhases) {
      EXPECT_LE(bill.phases.in(phase), bill.allocated) << row.key() << name_of(phase);
      EXPECT_LE(bill.phases_step1.in(phase), bill.phases.in(phase)) << row.key() << name_of(phase);
    }
    std::int64_t sum = 0;
    for (const MemoryTerm& term : row.terms) sum += term.bytes;
    EXPECT_EQ(sum, bill.device) << row.key();
  }
}

TEST(Invariants, EveryPrintedFormulaGivesThePrintedFigure) {
  for (const Row& row : quarterly_sheet().rows) {
    for (const MemoryTerm& term : row.terms) {
      EXPECT_NEAR(evaluate(term.formula), static_cast<double>(term.bytes), 0.5)
          << row.key() << " " << term.name;
      EXPECT_FALSE(term.source.empty()) << term.name;
    }
    for (const CostLine& term : row.cost_terms) {
      const double usd = to_usd(term.usd);
      EXPECT_NEAR(evaluate(term.formula), usd, 1e-6 + 1e-12 * std::abs(usd))
          << row.key() << " " << term.name;
    }
    for (const QuantityLine& term : row.quantity_terms) {
      EXPECT_EQ(evaluate(term.formula), term.value) << row.key() << " " << term.name;
    }
  }
}

std::optional<double> quantity(const std::vector<QuantityLine>& lines, const std::string& name) {
  for (const QuantityLine& line : lines) {
    if (line.name == name) return line.value;
  }
  return std::nullopt;
}

TEST(Invariants, EveryBreakEvenHasItsFormula) {
  std::size_t found = 0;
  std::size_t never = 0;
  for (const Row& row : quarterly_sheet().rows) {
    if (!row.own) continue;
    const auto& lines = row.quantity_terms;
    EXPECT_EQ(quantity(lines, "nodes"), static_cast<double>(row.own->nodes)) << row.key();
    EXPECT_EQ(quantity(lines, "break_even_hours_per_month"), row.own->break_even_hours_per_month);
    EXPECT_EQ(quantity(lines, "break_even_runs_per_month"), row.own->break_even_runs_per_month);
    found += row.own->break_even_hours_per_month ? 1 : 0;
    const auto use = quantity(lines, "break_even_utilisation");
    if (!row.own->break_even_utilisation && use) {
      EXPECT_GT(*use, 1) << row.key();
      ++never;
    }
  }
  EXPECT_GT(found, 10U);
  EXPECT_GT(never, 10U);
  for (const BuyOrRent& choice : quarterly_sheet().ownership->buy_or_rent) {
    EXPECT_EQ(quantity(choice.quantity_terms, "break_even_hours_per_month"),
              choice.break_even_hours_per_month);
    for (const QuantityLine& term : choice.quantity_terms) {
      EXPECT_EQ(evaluate(term.formula), term.value) << choice.buy_key << " " << term.name;
    }
  }
}

TEST(Invariants, TheNextSmallerCountDoesNotFit) {
  for (const Row& row : quarterly_sheet().rows) {
    if (row.rentable) {
      EXPECT_GE(row.layout.gpus, *row.rentable) << row.key();
      EXPECT_EQ(row.verdict, Verdict::kFits) << row.key();
      EXPECT_LE(*row.by_memory, *row.tight) << row.key();
      EXPECT_LE(*row.tight, *row.rentable) << row.key();
    }
    for (const CountCheck& check : row.counts) {
      if (row.rentable && check.gpus >= *row.rentable) continue;
      EXPECT_NE(check.verdict, Verdict::kFits) << row.key() << " on " << check.gpus;
      EXPECT_EQ(check.over > 0, check.verdict == Verdict::kNo) << row.key() << " on " << check.gpus;
    }
    if (row.fewer) {
      EXPECT_LT(row.fewer->gpus, row.rentable.value_or(row.layout.gpus)) << row.key();
    }
    EXPECT_EQ(verdict_of(row.memory.device, 0.10, row.memory.capacity), row.verdict) << row.key();
  }
}

TEST(Invariants, NoNumberIsNotANumberOrNegativeZero) {
  // The parser refuses what is no number, so only the sign of zero is left to look at.
  EXPECT_EQ(quarterly_text().find(":-0,"), std::string::npos);
  const Json flat = quarterly_document().flatten();
  for (const auto& [pointer, value] : flat.items()) {
    if (!value.is_number_float()) continue;
    const double number = value.get<double>();
    EXPECT_TRUE(std::isfinite(number)) << pointer;
    EXPECT_FALSE(number == 0 && std::signbit(number)) << pointer;
  }
}

/// The cell of one CSV column as the JSON row has it.
void expect_same(const std::string& cell, const Json& value, const std::string& what) {
  if (value.is_null()) {
    EXPECT_EQ(cell, "") << what;
  } else if (value.is_string()) {
    EXPECT_EQ(cell, value.get<std::string>()) << what;
  } else {
    EXPECT_EQ(cell, shortest(value.get<double>())) << what;
  }
}

TEST(Invariants, CsvHoldsTheFiguresOfJson) {
  const Sheet& sheet = quarterly_sheet();
  const Json& rows = quarterly_document().at("rows");
  const std::vector<std::string> header = csv_header();
  const std::set<std::string> shared{"list_usd_per_hour",
                                     "list_usd_per_run",
                                     "spot_usd_per_hour",
                                     "spot_usd_per_run",
                                     "capex_usd",
                                     "own_usd_per_month",
                                     "own_usd_per_gpu_hour",
                                     "own_usd_per_run",
                                     "verdict",
                                     "break_even_hours_per_month",
                                     "advice"};
  for (std::size_t i = 0; i < sheet.rows.size(); ++i) {
    const std::vector<std::string> cells = csv_cells(sheet.rows[i]);
    ASSERT_EQ(cells.size(), header.size());
    for (std::size_t column = 0; column < header.size(); ++column) {
      const std::string what = sheet.rows[i].key() + " " + header[column];
      if (shared.contains(header[column]))
        expect_same(cells[column], rows[i].at(header[column]), what);
      if (header[column] == "device_bytes") {
        EXPECT_EQ(cells[column], std::to_string(sheet.rows[i].memory.device)) << what;
      }
    }
  }
}

/// Of the whole sheet's rows and picks, tests/sheet/diff/inputs_test.cc.
TEST(Invariants, TheNumberOfJobsChangesNothing) {
  Json asked =
      quarterly_of({"llama-3.1-8b", "size-70b"}, {"full", "lora-r16"}, {"h100-sxm", "b200"});
  asked["plan"] = {{"months", 2},
                   {"runs", {{{"model", "size-70b"}, {"method", "full"}, {"runs_per_month", 4}}}}};
  const auto text_by = [&](int jobs) { return to_json_text(built(spec_of(asked), jobs)); };
  EXPECT_TRUE(text_by(2) == text_by(1));
}

TEST(Invariants, DollarsPerMillionTokensAreThoseOfTheRun) {
  const Sheet& sheet = quarterly_sheet();
  int priced = 0;
  for (const Row& row : sheet.rows) {
    for (const SheetTier& tier : kRentTiers) {
      if (!row.rents[tier]) continue;
      const auto& line = *row.rents[tier];
      ASSERT_EQ(line.usd_per_million_tokens.has_value(), line.usd_per_run.has_value()) << row.key();
      if (!line.usd_per_run) continue;
      const double millions = static_cast<double>(sheet.method(row.method).tokens) / 1e6;
      EXPECT_NEAR(to_usd(*line.usd_per_million_tokens), to_usd(*line.usd_per_run) / millions, 6e-7)
          << row.key();
      ++priced;
    }
  }
  EXPECT_GT(priced, 500);
  for (const Pick& pick : sheet.picks) {
    if (!pick.rent_key) continue;
    EXPECT_EQ(pick.usd_per_million_tokens,
              sheet.find(*pick.rent_key)->rents[kOnDemand]->usd_per_million_tokens)
        << pick.key();
  }
}

/// With the same prices nothing for sale that keeps the deadline is much cheaper on average than a
/// pick whose sentence names no such run.
TEST(Invariants, APickIsNearlyTheCheapestOnAverageOrNamesWhatIs) {
  const Sheet& sheet = quarterly_sheet();
  for (const Pick& pick : sheet.picks) {
    if (!pick.rent_key) continue;
    const RunCandidate& run = *sheet.find(*pick.rent_key)->set_up();
    MicroUsd least = run.usd.mid;
    for (const Row& row : sheet.rows) {
      if (row.model != pick.model || row.method != pick.method || !sheet.is_main(row)) continue;
      for (const RunCandidate& one : row.candidates) {
        if (one.hours.high <= sheet.options.deadline_hours) least = std::min(least, one.usd.mid);
      }
    }
    const bool named = pick.why.find("cheapest on average: ") != std::string::npos;
    EXPECT_TRUE(named || to_usd(run.usd.mid) <= 1.15 * to_usd(least)) << pick.why;
  }
}

TEST(Invariants, UnknownIsNullNeverZero) {
  for (const Json& row : quarterly_document().at("rows")) {
    if (row.at("gpu") != "gb10") continue;
    EXPECT_TRUE(row.at("list_usd_per_hour").is_null());
    EXPECT_TRUE(row.at("list_usd_per_run_high").is_null());
  }
}

/// What the handbook promises of the page: the published claims it contradicts, with the figures.
TEST(Invariants, NamedCasesOfTheQuarterlySheet) {
  const Sheet& sheet = quarterly_sheet();
  EXPECT_EQ(sheet.find("size-7b", "full", "h100-sxm", "hf-trl-4k")->rentable, 2);
  EXPECT_EQ(sheet.find("size-7b", "full", "h100-sxm", "torchtune-4k")->rentable, 1);
  EXPECT_EQ(sheet.find("size-100b", "qlora-r16", "h200-sxm", "hf-trl-4k")->rentable, 1);
  EXPECT_GT(*sheet.find("size-70b", "full", "h100-sxm", "hf-trl-4k")->rentable, 8);
}

}  // namespace
}  // namespace sizesheet
