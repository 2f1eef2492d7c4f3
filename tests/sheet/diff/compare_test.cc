// SPDX-License-Identifier: Apache-2.0
// Every kind of change, told from a pair of rows; counts, totals and order of a whole comparison.
#include <gtest/gtest.h>

#include <functional>

#include "sheet/diff/edition.h"
#include "sheet/diff/sample_editions.h"
#include "support/refusal.h"
#include "support/text.h"

namespace sizesheet {
namespace {

using Edit = std::function<void(EditionRow&)>;

struct KindCase {
  const char* name;
  Edit old_edit;
  Edit new_edit;
  const char* kinds;  ///< the kind, then what is also, most severe first
};

void nothing(EditionRow&) {}

Edit verdict(Verdict word) {
  return [word](EditionRow& row) {
    row.side.verdict = word;
    if (row.side.holds()) return;
    row.side.hours.reset();
    row.side.price_key = "";
    row.side.instances = 0;
    row.side.usd_per_instance_hour.reset();
    row.side.list_usd_per_hour.reset();
    row.side.list_usd_per_run.reset();
    row.side.own_usd_per_month.reset();
    row.side.break_even_hours_per_month.reset();
    row.side.advice.reset();
  };
}

Edit count(std::int64_t gpus) {
  return [gpus](EditionRow& row) {
    row.side.gpus = gpus;
    row.side.instances = gpus;
    reprice(row);
  };
}

Edit price(std::int64_t micro) {
  return [micro](EditionRow& row) {
    row.side.usd_per_instance_hour = MicroUsd{micro};
    reprice(row);
  };
}

Edit hours(double value) {
  return [value](EditionRow& row) {
    row.side.hours = value;
    reprice(row);
  };
}

void lose_price(EditionRow& row) {
  row.side.price_key = "";
  row.side.instances = 0;
  row.side.usd_per_instance_hour.reset();
  row.side.list_usd_per_hour.reset();
  row.side.list_usd_per_run.reset();
}

std::vector<KindCase> count_cases() {
  return {
      {"same", nothing, nothing, ""},
      {"no_longer_fits", nothing, verdict(Verdict::kNo), "no_longer_fits"},
      {"refused", nothing, verdict(Verdict::kNotModelled), "no_longer_fits"},
      {"now_fits", verdict(Verdict::kNo), nothing, "now_fits"},
      {"needs_more", nothing, count(4), "needs_more"},
      {"needs_less", count(4), nothing, "needs_less"},
      {"headroom_low", nothing, verdict(Verdict::kTight), "headroom_low"},
      {"headroom_back", verdict(Verdict::kTight), nothing, "headroom_back"},
  };
}

std::vector<KindCase> rent_cases() {
  return {
      {"dearer", nothing, price(5'050'000), "dearer"},
      {"cheaper", nothing, price(4'950'000), "cheaper"},
      {"just under the threshold", nothing, price(5'049'999), ""},
      {"slower", nothing, hours(10.3), "dearer slower"},
      {"faster", hours(10.3), nothing, "cheaper faster"},
      {"slower without a price", lose_price,
       [](EditionRow& row) {
         lose_price(row);
         row.side.hours = 10.3;
       },
       "slower"},
      {"offsetting", nothing,
       [](EditionRow& row) {
         price(4'000'000)(row);
         hours(12.5)(row);
       },
       "offsetting slower"},
      {"vanished", nothing, lose_price, "vanished"},
      {"appeared", lose_price, nothing, "appeared"},
  };
}

std::vector<KindCase> own_cases() {
  return {
      {"own_dearer", nothing,
       [](EditionRow& row) { row.side.own_usd_per_month = MicroUsd{505'000'000}; }, "own_dearer"},
      {"own_cheaper", nothing,
       [](EditionRow& row) { row.side.own_usd_per_month = MicroUsd{495'000'000}; }, "own_cheaper"},
      {"own_vanished", nothing, [](EditionRow& row) { row.side.own_usd_per_month.reset(); },
       "own_vanished"},
      {"own_appeared", [](EditionRow& row) { row.side.own_usd_per_month.reset(); }, nothing,
       "own_appeared"},
      {"advice_flipped", nothing, [](EditionRow& row) { row.side.advice = "buy"; },
       "advice_flipped"},
      {"break_even_moved", nothing,
       [](EditionRow& row) { row.side.break_even_hours_per_month = 408; }, "break_even_moved"},
      {"break-even is never reached now", nothing,
       [](EditionRow& row) { row.side.break_even_hours_per_month.reset(); }, "break_even_moved"},
      {"break-even under the threshold", nothing,
       [](EditionRow& row) { row.side.break_even_hours_per_month = 407; }, ""},
  };
}

std::vector<KindCase> detail_cases() {
  return {
      {"other_rent_moved", nothing,
       [](EditionRow& row) { set_figure(row, "spot_usd_per_hour", MicroUsd{1'000'000}); },
       "other_rent_moved"},
      {"spread_moved", nothing,
       [](EditionRow& row) { set_figure(row, "spread_providers", std::int64_t{5}); },
       "spread_moved"},
      {"term_changed", nothing, [](EditionRow& row) { row.terms[1].bytes += 1LL << 28; },
       "term_changed"},
      {"term under the threshold", nothing, [](EditionRow& row) { row.terms[1].bytes += 1024; },
       ""},
      {"term of a row that does not fit", verdict(Verdict::kNo),
       [](EditionRow& row) {
         verdict(Verdict::kNo)(row);
         row.terms[0].bytes += 1LL << 30;
       },
       "term_changed"},
      {"confidence_changed", nothing, [](EditionRow& row) { set_figure(row, "confidence", "B"); },
       "confidence_changed"},
      {"note_changed", nothing, [](EditionRow& row) { row.notes = {"mind the gap"}; },
       "note_changed"},
      {"price_date", nothing,
       [](EditionRow& row) { row.side.price_key = "p/any//a/on_demand/1/2026-11-01"; },
       "price_date"},
      {"many at once", nothing,
       [](EditionRow& row) {
         price(9'000'000)(row);
         row.side.advice = "buy";
         row.side.break_even_hours_per_month = 100;
       },
       "advice_flipped dearer break_even_moved"},
  };
}

std::vector<KindCase> kind_cases() {
  std::vector<KindCase> all;
  for (const auto& cases : {count_cases(), rent_cases(), own_cases(), detail_cases()}) {
    all.insert(all.end(), cases.begin(), cases.end());
  }
  return all;
}

class RowKind : public testing::TestWithParam<KindCase> {};

TEST_P(RowKind, is_told_with_its_level) {
  Edition before = sample_edition();
  Edition after = sample_edition();
  GetParam().old_edit(row_of(before, "m/lora/b/s"));
  GetParam().new_edit(row_of(after, "m/lora/b/s"));
  const SheetChanges changes = compare_editions(before, after, {});
  const std::vector<std::string> kinds = split(GetParam().kinds, ' ');
  EXPECT_EQ(changes.rows.compared, 4);
  if (kinds.front().empty()) {
    EXPECT_TRUE(changes.changes.empty());
    return;
  }
  ASSERT_EQ(changes.changes.size(), 1U);
  const Change& change = changes.changes.front();
  EXPECT_EQ(change.key, "m/lora/b/s");
  EXPECT_EQ(change.kind, kinds.front());
  EXPECT_EQ(change.level, change_kind(change.kind).level);
  EXPECT_EQ(change.also, std::vector<std::string>(kinds.begin() + 1, kinds.end()));
  EXPECT_EQ(changes.rows.breaking + changes.rows.notable + changes.rows.detail, 1);
  EXPECT_EQ(changes.rows.unchanged, 3);
}

std::string case_name(const testing::TestParamInfo<KindCase>& info) {
  std::string name = info.param.name;
  for (char& letter : name)
    letter = std::isalnum(static_cast<unsigned char>(letter)) ? letter : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Compare, RowKind, testing::ValuesIn(kind_cases()), case_name);

TEST(Compare, an_edition_does_not_differ_from_itself) {
  const Edition edition = sample_edition();
  const SheetChanges changes = compare_editions(edition, edition, {});
  EXPECT_TRUE(changes.changes.empty());
  EXPECT_EQ(changes.rows.unchanged, 4);
  EXPECT_EQ(changes.picks.unchanged, 2);
  EXPECT_EQ(changes.row_totals.comparable, 4);
  EXPECT_EQ(changes.row_totals.effects, ChangeEffects{});
}

TEST(Compare, what_moves_less_than_a_threshold_is_counted) {
  Edition after = sample_edition();
  price(2'000'001)(row_of(after, "m/lora/a/s"));
  const SheetChanges changes = compare_editions(sample_edition(), after, {});
  EXPECT_TRUE(changes.changes.empty());
  EXPECT_EQ(changes.rows.below_threshold, 1);
  EXPECT_EQ(changes.rows.unchanged, 3);
  EXPECT_EQ(changes.picks.below_threshold, 1);
  EXPECT_EQ(changes.row_totals.effects.total, MicroUsd{20});
  const SheetChanges all = compare_editions(sample_edition(), after, {0, 0, 0});
  EXPECT_EQ(all.changes.size(), 2U);
  EXPECT_EQ(all.rows.below_threshold, 0);
}

TEST(Compare, effects_follow_the_contract) {
  Edition after = sample_edition();
  EditionRow& row = row_of(after, "m/lora/a/s");  // 2 instances, $2, 10 h
  row.side.hours = 12;
  row.side.instances = row.side.gpus = 3;
  price(2'500'000)(row);
  const SheetChanges changes = compare_editions(sample_edition(), after, {});
  const Change& pick = changes.changes.at(0);
  const Change& change = changes.changes.at(1);
  EXPECT_EQ(change.of, "row");
  ASSERT_TRUE(change.effects_usd);
  EXPECT_EQ(change.effects_usd->time, MicroUsd{8'000'000});       // 2 x 2 x (12 - 10)
  EXPECT_EQ(change.effects_usd->quantity, MicroUsd{24'000'000});  // 2 x (3 - 2) x 12
  EXPECT_EQ(change.effects_usd->price, MicroUsd{18'000'000});     // (2.5 - 2) x 3 x 12
  EXPECT_EQ(change.effects_usd->mix, MicroUsd{0});
  EXPECT_EQ(change.effects_usd->total, MicroUsd{50'000'000});
  EXPECT_EQ(pick.of, "pick");
  EXPECT_EQ(pick.kind, "needs_more");
  EXPECT_EQ(pick.effects_usd, change.effects_usd);
  EXPECT_EQ(changes.pick_totals.up_usd, MicroUsd{50'000'000});
  EXPECT_EQ(changes.pick_totals.down_usd, MicroUsd{0});
}

TEST(Compare, another_card_is_mix_at_old_prices_and_then_its_own_move) {
  Edition after = sample_edition();
  price(3'000'000)(row_of(after, "m/lora/b/s"));  // was 5: 1 x 10 h
  after.picks[0].rent_key = "m/lora/b/s";
  const SheetChanges changes = compare_editions(sample_edition(), after, {});
  const Change& pick = changes.changes.at(0);
  EXPECT_EQ(pick.key, "m/lora");
  EXPECT_EQ(pick.kind, "type_changed");
  EXPECT_EQ(pick.also, std::vector<std::string>{"cheaper"});
  ASSERT_TRUE(pick.effects_usd);
  EXPECT_EQ(pick.effects_usd->mix, MicroUsd{10'000'000});     // 50 - 40
  EXPECT_EQ(pick.effects_usd->price, MicroUsd{-20'000'000});  // (3 - 5) x 1 x 10
  EXPECT_EQ(pick.effects_usd->total, MicroUsd{-10'000'000});
  EXPECT_EQ(pick.old_side->row_key, "m/lora/a/s");
  EXPECT_EQ(pick.new_side->row_key, "m/lora/b/s");
}

TEST(Compare, a_card_that_old_had_no_price_for_is_all_mix) {
  Edition before = sample_edition();
  lose_price(row_of(before, "m/lora/b/s"));
  Edition after = sample_edition();
  price(3'000'000)(row_of(after, "m/lora/b/s"));
  after.picks[0].rent_key = "m/lora/b/s";
  const SheetChanges changes = compare_editions(before, after, {});
  const Change& pick = changes.changes.at(0);
  EXPECT_EQ(pick.effects_usd->mix, MicroUsd{-10'000'000});
  EXPECT_EQ(pick.effects_usd->price, MicroUsd{0});
  EXPECT_EQ(changes.changes.at(1).kind, "appeared");
  EXPECT_FALSE(changes.changes.at(1).effects_usd);
}

TEST(Compare, a_pick_comes_and_goes_by_memory_or_by_price) {
  Edition before = sample_edition();
  Edition after = sample_edition();
  after.picks[0].rent_key.reset();  // its rows still hold: the price went
  verdict(Verdict::kNo)(row_of(after, "n/lora/a/s"));
  verdict(Verdict::kNo)(row_of(after, "n/lora/b/s"));
  after.picks[1].rent_key.reset();
  const SheetChanges gone = compare_editions(before, after, {});
  EXPECT_EQ(gone.changes.at(0).key, "n/lora");
  EXPECT_EQ(gone.changes.at(0).kind, "no_longer_fits");
  EXPECT_EQ(gone.pick_kinds.at("vanished"), 1);
  const SheetChanges back = compare_editions(after, before, {});
  EXPECT_EQ(back.pick_kinds.at("now_fits"), 1);
  EXPECT_EQ(back.pick_kinds.at("appeared"), 1);
}

TEST(Compare, rows_and_picks_are_added_and_removed) {
  Edition after = sample_edition();
  after.models = {{"m", {}}, {"o", {}}};
  after.rows.resize(2);
  after.rows.push_back(sample_row("o", "a", 1, 1'000'000));
  after.picks[1] = sample_pick("o", "o/lora/a/s");
  const SheetChanges changes = compare_editions(sample_edition(), after, {});
  EXPECT_EQ(changes.row_kinds, (std::map<std::string, std::int64_t>{{"added", 1}, {"removed", 2}}));
  EXPECT_EQ(changes.pick_kinds,
            (std::map<std::string, std::int64_t>{{"added", 1}, {"removed", 1}}));
  EXPECT_EQ(changes.rows.compared, 5);
  for (const Change& change : changes.changes) {
    EXPECT_EQ(change.old_side.has_value(), change.kind == "removed") << change.key;
    EXPECT_EQ(change.new_side.has_value(), change.kind == "added") << change.key;
    EXPECT_FALSE(change.effects_usd) << change.key;
  }
}

TEST(Compare, a_renamed_model_keeps_its_rows_in_both_directions) {
  Edition after = sample_edition();
  after.models[0] = {"m2", {"m"}};
  for (EditionRow& row : after.rows) {
    if (row.model == "m") row.model = "m2";
    row.side.row_key = row.key();
  }
  after.picks[0] = sample_pick("m2", "m2/lora/a/s", "m2/lora/a/s");
  const SheetChanges changes = compare_editions(sample_edition(), after, {});
  ASSERT_EQ(changes.changes.size(), 2U);
  EXPECT_EQ(changes.changes.at(0).kind, "renamed");
  EXPECT_EQ(changes.changes.at(0).key, "m2/lora/a/s");
  EXPECT_EQ(changes.changes.at(0).was, "m/lora/a/s");
  EXPECT_EQ(changes.picks.unchanged, 2);
  const SheetChanges back = compare_editions(after, sample_edition(), {});
  EXPECT_EQ(back.changes.at(0).key, "m/lora/a/s");
  EXPECT_EQ(back.changes.at(0).was, "m2/lora/a/s");
}

TEST(Compare, worst_first_then_in_the_order_of_the_new_edition) {
  Edition after = sample_edition();
  price(4'000'000)(row_of(after, "m/lora/b/s"));
  verdict(Verdict::kNo)(row_of(after, "n/lora/b/s"));
  price(1'000'000)(row_of(after, "n/lora/a/s"));
  std::vector<std::string> keys;
  for (const Change& change : compare_editions(sample_edition(), after, {}).changes) {
    keys.push_back(change.kind + " " + change.key);
  }
  EXPECT_EQ(keys, (std::vector<std::string>{"no_longer_fits n/lora/b/s", "cheaper n/lora",
                                            "cheaper m/lora/b/s", "cheaper n/lora/a/s"}));
}

TEST(Compare, a_key_that_stands_twice_is_refused) {
  Edition twice = sample_edition();
  twice.rows.push_back(twice.rows.front());
  EXPECT_EQ(refusal_of([&] { compare_editions(sample_edition(), twice, {}); }),
            "new.json:/rows: expected a key that stands once, got \"m/lora/a/s\" again");
}

TEST(Compare, dollars_beyond_all_bounds_are_refused_by_name) {
  Edition before = sample_edition();
  Edition after = sample_edition();
  row_of(before, "m/lora/a/s").side.usd_per_instance_hour = MicroUsd{1'000'000'000'000'000};
  row_of(after, "m/lora/a/s").side.hours = 1e9;
  EXPECT_EQ(refusal_of([&] { compare_editions(before, after, {}); }),
            "new.json: row m/lora/a/s: expected dollars that can be added up, got more than "
            "9.2e12");
}

}  // namespace
}  // namespace sizesheet
