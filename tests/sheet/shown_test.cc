// SPDX-License-Identifier: Apache-2.0
// A sheet in another currency is the dollar sheet with its amounts converted: nothing is decided
// anew, sentences follow, formulas give their figures, and what is quoted stays in dollars.

#include "sheet/assemble/shown.h"

#include <gtest/gtest.h>

#include "catalog/prices/price.h"
#include "cost/cost_line.h"
#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/money_words.h"
#include "sheet/quarterly.h"
#include "sheet/sheet.h"
#include "support/formula_evaluator.h"
#include "support/json.h"
#include "support/money.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

Sheet with_rate(const std::string& code, const std::string& symbol, MicroUsd usd_per_unit) {
  Sheet sheet = quarterly_sheet();
  sheet.meta.exchange.emplace();
  static_cast<ExchangeRate&>(*sheet.meta.exchange) = {code, usd_per_unit, "2026-10-09", "ECB", {}};
  sheet.meta.exchange->symbol = symbol;
  return sheet;
}

const Sheet& in_euros() {
  static const Sheet kShown = as_shown(with_rate("EUR", "€", {1'084'200}));
  return kShown;
}

MicroUsd euros(MicroUsd usd) { return in_currency(usd, *in_euros().meta.exchange); }

double value_of_formula(const Formula& formula) {
  std::map<std::string, double> names;
  for (const NamedValue& input : formula.inputs) names[input.name] = input.value;
  for (const FormulaStep& step : formula.steps) {
    const double value = evaluate_expression(step.formula, names);
    EXPECT_NEAR(step.value, value, 1e-5 * std::abs(value) + 1e-4) << step.name;
    names[step.name] = step.value;
  }
  return evaluate_expression(formula.text, names);
}

TEST(Shown, EveryRowIsDecidedAsInDollars) {
  const Sheet& usd = quarterly_sheet();
  ASSERT_EQ(in_euros().rows.size(), usd.rows.size());
  for (std::size_t i = 0; i < usd.rows.size(); ++i) {
    const Row& row = in_euros().rows[i];
    const Row& was = usd.rows[i];
    ASSERT_EQ(row.key(), was.key());
    EXPECT_EQ(row.chosen, was.chosen) << row.key();
    EXPECT_EQ(row.rent_pick, was.rent_pick) << row.key();
    EXPECT_EQ(row.layout.gpus, was.layout.gpus) << row.key();
    ASSERT_EQ(row.candidates.size(), was.candidates.size()) << row.key();
    for (std::size_t j = 0; j < was.candidates.size(); ++j) {
      EXPECT_EQ(row.candidates[j].price_key, was.candidates[j].price_key);
      EXPECT_EQ(row.candidates[j].usd.high, euros(was.candidates[j].usd.high));
    }
    for (const SheetTier& tier : kRentTiers) {
      ASSERT_EQ(row.rents[tier].has_value(), was.rents[tier].has_value());
      if (!was.rents[tier]) continue;
      EXPECT_EQ(row.rents[tier]->price_key, was.rents[tier]->price_key);
      EXPECT_EQ(row.rents[tier]->usd_per_hour, euros(was.rents[tier]->usd_per_hour));
    }
  }
  for (std::size_t i = 0; i < usd.picks.size(); ++i) {
    EXPECT_EQ(in_euros().picks[i].rent_key, usd.picks[i].rent_key);
    EXPECT_EQ(in_euros().picks[i].buy_key, usd.picks[i].buy_key);
    EXPECT_EQ(in_euros().picks[i].candidate, usd.picks[i].candidate);
  }
}

TEST(Shown, FormulasGiveTheFiguresBesideThem) {
  for (const Row& row : in_euros().rows) {
    for (const CostLine& line : row.cost_terms) {
      const double amount = to_usd(line.usd);
      EXPECT_NEAR(value_of_formula(line.formula), amount, 1e-4 + 1e-5 * std::abs(amount))
          << row.key() << " " << line.name;
    }
    for (const QuantityLine& line : row.quantity_terms) {
      EXPECT_NEAR(value_of_formula(line.formula), line.value, 1e-5 * std::abs(line.value))
          << row.key() << " " << line.name;
    }
  }
}

TEST(Shown, SentencesAreOfTheFiguresShown) {
  for (const Pick& pick : in_euros().picks) {
    if (!pick.rent_key) continue;
    const RunCandidate& run = *in_euros().find(*pick.rent_key)->set_up();
    const std::string words =
        usd_words(run.usd.mid) + " per run, at most " + usd_words(run.usd.high);
    EXPECT_NE(pick.why.find(words), std::string::npos) << pick.why;
    EXPECT_NE(pick.rent_why.find(words), std::string::npos) << pick.rent_why;
    if (!pick.own) continue;
    for (const MicroUsd usd : {pick.own->capex_usd, pick.own->usd_per_run}) {
      EXPECT_NE(pick.buy_why.find(usd_words(usd)), std::string::npos) << pick.buy_why;
    }
  }
}

TEST(Shown, WhatIsQuotedStaysInDollars) {
  const SheetMeta& meta = in_euros().meta;
  EXPECT_EQ(worded("from $1,234 per run, USD or dollars", meta), "from €1,234 per run, EUR or EUR");
  EXPECT_EQ(worded(as_quoted("$2 USD a dollar"), meta), "$2 USD a dollar");
  EXPECT_EQ(worded(exchange_words(meta), meta), "1 EUR = $1.0842 on 2026-10-09 (ECB)");
  SheetMeta francs = meta;
  francs.exchange->symbol = "CHF";
  EXPECT_EQ(worded("$5 is $ per run", francs), "CHF\u00a05 is CHF per run");
  EXPECT_EQ(exchange_words(quarterly_sheet().meta), "");
  EXPECT_EQ(worded(as_quoted("$2"), quarterly_sheet().meta), "$2");
}

TEST(Shown, AmountsOfManyUnitsStayWholeNumbers) {
  const Sheet shown = as_shown(with_rate("IDR", "Rp", {61}));
  for (const Row& row : shown.rows) {
    if (!row.own) continue;
    EXPECT_NO_THROW(exact_usd(row.own->capex_usd));
  }
}

TEST(Shown, TheRateIsRead) {
  Json json = quarterly_json();
  json["currency"] = {{"code", "EUR"},
                      {"symbol", "€"},
                      {"usd_per_unit", 1.0842},
                      {"as_of", "2026-10-09"},
                      {"source", "ECB"}};
  EXPECT_EQ(words_of(spec_of(json).exchange.value()), "1 EUR = $1.0842 on 2026-10-09 (ECB)");
}

}  // namespace
}  // namespace sizesheet
