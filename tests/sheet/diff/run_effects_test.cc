// SPDX-License-Identifier: Apache-2.0
// What moved the dollars of a run, over editions whose prices moved at random: the printed factors
// give the printed parts, which add up, and no price that rose is told as a cheaper one.

#include "sheet/diff/run_effects.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <sstream>

#include "cost/rent.h"
#include "render/diff/explain.h"
#include "sheet/changes.h"
#include "sheet/diff/compare.h"
#include "sheet/diff/edition.h"
#include "sheet/diff/sample_editions.h"
#include "support/json.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// "1,234.5", "+41.728", "−13.25".
double number(std::string text) {
  std::erase(text, ',');
  const std::string minus = "−";
  if (text.starts_with(minus)) text = "-" + text.substr(minus.size());
  return std::stod(text);
}

/// One block of factors, and the parts under it, as --explain prints them.
struct Printed {
  double p0 = 0, p1 = 0, n0 = 0, n1 = 0, h0 = 0, h1 = 0;
  std::map<std::string, double> parts;  ///< by the word before " = "
};

void read_line(const std::string& line, std::vector<Printed>& blocks, double& total) {
  std::vector<std::string> words;
  std::istringstream in(line);
  for (std::string word; in >> word;) words.push_back(word);
  if (words.empty()) return;
  const auto from_to = [&](double& from, double& to) {
    from = number(words.at(words.size() - 3));
    to = number(words.back());
  };
  if (words[0] == "p,") {
    blocks.emplace_back();
    from_to(blocks.back().p0, blocks.back().p1);
  }
  if (words[0] == "n,") from_to(blocks.back().n0, blocks.back().n1);
  if (words[0] == "h,") from_to(blocks.back().h0, blocks.back().h1);
  if (words.size() > 2 && words[1] == "=") blocks.back().parts[words[0]] = number(words.back());
  if (words[0] == "TOTAL," && words[1] == "$") total = number(words[2]);
}

/// Every printed part is what the printed factors above it give, to the micro-dollars that each
/// product is rounded to; together they are the total.
void expect_worked_out(const std::string& text) {
  SCOPED_TRACE(text);
  std::vector<Printed> blocks;
  double total = 0;
  for (const std::string& line : split(text, '\n')) read_line(line, blocks, total);
  ASSERT_FALSE(blocks.empty());
  double sum = 0;
  std::size_t parts = 0;
  for (const Printed& at : blocks) {
    const std::map<std::string, double> worked{
        {"time", at.p0 * at.n0 * (at.h1 - at.h0)},
        {"quantity", at.p0 * (at.n1 - at.n0) * at.h1},
        {"price", (at.p1 - at.p0) * at.n1 * at.h1},
        {"mix", at.p1 * at.n1 * at.h1 - at.p0 * at.n0 * at.h0}};
    for (const auto& [name, usd] : at.parts) {
      EXPECT_NEAR(usd, worked.at(name), 3e-6) << name;
      sum += usd;
      ++parts;
    }
  }
  EXPECT_GE(parts, 1U);
  EXPECT_NEAR(sum, total, 1e-9 * std::max(1.0, std::abs(total)));
}

/// Every price on demand by a factor of its own, some by none.
Json with_random_prices(std::mt19937& random) {
  std::uniform_real_distribution<double> factor(0.6, 1.6);
  return edited_inputs([&](Json& inputs) {
    for (Json& price : inputs["prices"]) {
      if (price.at("tier") != "on_demand" || random() % 3 == 0) continue;
      const double usd = price.at("usd_per_instance_hour").get<double>() * factor(random);
      price["usd_per_instance_hour"] = std::round(usd * 1e4) / 1e4;
    }
  });
}

TEST(RunEffects, PrintedFactorsGiveThePrintedPartsOfEveryChange) {
  std::mt19937 random(2026);
  std::size_t rows = 0;
  std::size_t others = 0;
  for (int trial = 0; trial < 6; ++trial) {
    const Edition before = trial == 0 ? edition_from(small_inputs())
                                      : edition_from(with_random_prices(random), "old.json");
    const Edition after = edition_from(with_random_prices(random), "new.json");
    const SheetChanges changes = compare_editions(before, after, {0, 0, 0});
    for (const Change& change : changes.changes) {
      if (!change.effects_usd) continue;
      const ChangeEffects& effects = *change.effects_usd;
      EXPECT_EQ(effects.price + effects.quantity + effects.time + effects.mix, effects.total);
      expect_worked_out(explain_change(before, after, changes, change.key));
      ++(change.of == "row" ? rows : others);
    }
  }
  EXPECT_GT(rows, 40U);
  EXPECT_GT(others, 15U);
}

/// Each price in use rises by three eighths, one at a time: what a pick pays for its own offer
/// never falls, and where it went to another set-up the difference is another pick's.
TEST(RunEffects, APriceThatRoseIsNeverToldAsACheaperOne) {
  const Edition before = edition_from(small_inputs());
  std::size_t told = 0;
  const Json inputs_before = small_inputs();
  for (std::size_t i = 0; i < inputs_before.at("prices").size(); ++i) {
    const Json& price = inputs_before.at("prices")[i];
    if (price.at("tier") != "on_demand") continue;
    const std::string key = price.at("provider").get<std::string>() + "/";
    const bool used = std::ranges::any_of(before.rows, [&](const EditionRow& row) {
      return row.side.price_key.starts_with(key) && row.gpu == price.at("gpu");
    });
    if (!used) continue;
    const Edition after = edition_from(edited_inputs([&](Json& inputs) {
      Json& usd = inputs["prices"][i]["usd_per_instance_hour"];
      usd = std::round(usd.get<double>() * 1.375 * 1e4) / 1e4;
    }));
    const SheetChanges changes = compare_editions(before, after, {0, 0, 0});
    for (const Change& change : changes.changes) {
      if (change.of != "pick" || !change.effects_usd) continue;
      EXPECT_GE(change.effects_usd->price.value, 0) << change.key << " " << price.dump();
      EXPECT_EQ(change.effects_usd->time.value, 0) << change.key;
      ++told;
    }
  }
  EXPECT_GT(told, 3U);
}

TEST(RunEffects, APriceIsPrintedInFullUpToNineDecimals) {
  const auto printed = [](std::int64_t micro_usd, std::int64_t gpus) {
    return price_text({MicroUsd{micro_usd}, gpus, gpus, HoursTenThousandths{1}});
  };
  EXPECT_EQ(printed(16'000'000, 8), "2.0000");
  EXPECT_EQ(printed(2'390'000, 1), "2.3900");
  EXPECT_EQ(printed(31'930'000, 8), "3.99125");
  EXPECT_EQ(printed(55'040'001, 8), "6.880000125");
  EXPECT_EQ(printed(143'000'000, 72), "1.986111111");
  EXPECT_EQ(printed(1, 8), "0.000000125");
  EXPECT_EQ(printed(12'345'678'900'000, 1), "12,345,678.9000");
}

TEST(RunEffects, AProductBeyondAllBoundsIsRefused) {
  const RunTerms most{MicroUsd{9'000'000'000'000'000'000}, 1, 1'000'000, HoursTenThousandths{1}};
  EXPECT_THROW(cost_of_run(most), std::overflow_error);
  RunTerms longest = most;
  longest.hours = HoursTenThousandths{9'000'000'000'000'000'000};
  EXPECT_THROW(cost_of_run(longest), std::overflow_error);
}

}  // namespace
}  // namespace sizesheet
