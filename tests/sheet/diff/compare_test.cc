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

void nothing(EditionRow&) {}

void lose_price(EditionRow& row) {
  row.side.price_key = "";
  row.side.instances = 0;
  row.side.usd_per_instance_hour.reset();
  row.side.list_usd_per_hour.reset();
  row.side.list_usd_per_run.reset();
}

Edit verdict(Verdict word) {
  return [word](EditionRow& row) {
    row.side.verdict = word;
    if (row.side.holds()) return;
    lose_price(row);
    row.side.hours.reset();
    row.side.own_usd_per_month.reset();
    row.side.break_even_hours_per_month.reset();
    row.side.advice.reset();
  };
}

template <typename T>
Edit side(T ChangeSide::*member, const std::type_identity_t<T>& value) {
  return [=](EditionRow& row) { row.side.*member = value; };
}

Edit figure(const char* id, const FigureValue& value) {
  return [=](EditionRow& row) { set_figure(row, id, value); };
}

Edit grown(std::size_t term, std::int64_t bytes) {
  return [=](EditionRow& row) { row.terms[term].bytes += bytes; };
}

Edit all_of(const std::vector<Edit>& edits) {
  return [=](EditionRow& row) {
    for (const Edit& edit : edits) edit(row);
  };
}

Edit count(std::int64_t gpus) {
  return all_of({side(&ChangeSide::gpus, gpus), side(&ChangeSide::instances, gpus), reprice});
}

Edit price(std::int64_t micro) {
  return all_of({side(&ChangeSide::usd_per_instance_hour, MicroUsd{micro}), reprice});
}

Edit hours(double value) { return all_of({side(&ChangeSide::hours, value), reprice}); }

Edit own(std::optional<MicroUsd> usd) { return side(&ChangeSide::own_usd_per_month, usd); }

Edit break_even(std::optional<double> hours) {
  return side(&ChangeSide::break_even_hours_per_month, hours);
}

const struct {
  const char* name;
  Edit old_edit;
  Edit new_edit;
  const char* kinds;  ///< the kind, then what is also, most severe first
} kKindCases[] = {
    {"same", nothing, nothing, ""},
    {"no_longer_fits", nothing, verdict(Verdict::kNo), "no_longer_fits"},
    {"refused", nothing, verdict(Verdict::kNotModelled), "no_longer_fits"},
    {"now_fits", verdict(Verdict::kNo), nothing, "now_fits"},
    {"needs_more", nothing, count(4), "needs_more"},
    {"needs_less", count(4), nothing, "needs_less"},
    {"headroom_low", nothing, verdict(Verdict::kTight), "headroom_low"},
    {"headroom_back", verdict(Verdict::kTight), nothing, "headroom_back"},
    {"dearer", nothing, price(5'050'000), "dearer"},
    {"cheaper", nothing, price(4'950'000), "cheaper"},
    {"just under the threshold", nothing, price(5'049'999), ""},
    {"slower", nothing, hours(10.3), "dearer slower"},
    {"faster", hours(10.3), nothing, "cheaper faster"},
    {"slower without a price", lose_price, all_of({lose_price, side(&ChangeSide::hours, 10.3)}),
     "slower"},
    {"offsetting", nothing, all_of({price(4'000'000), hours(12.5)}), "offsetting slower"},
    {"vanished", nothing, lose_price, "vanished"},
    {"appeared", lose_price, nothing, "appeared"},
    {"own_dearer", nothing, own(MicroUsd{505'000'000}), "own_dearer"},
    {"own_cheaper", nothing, own(MicroUsd{495'000'000}), "own_cheaper"},
    {"own_vanished", nothing, own(std::nullopt), "own_vanished"},
    {"own_appeared", own(std::nullopt), nothing, "own_appeared"},
    {"advice_flipped", nothing, side(&ChangeSide::advice, "buy"), "advice_flipped"},
    {"break_even_moved", nothing, break_even(408), "break_even_moved"},
    {"break-even is never reached now", nothing, break_even(std::nullopt), "break_even_moved"},
    {"break-even under the threshold", nothing, break_even(407), ""},
    {"other_rent_moved", nothing, figure("spot_usd_per_hour", MicroUsd{1'000'000}),
     "other_rent_moved"},
    {"spread_moved", nothing, figure("spread_providers", std::int64_t{5}), "spread_moved"},
    {"term_changed", nothing, grown(1, 1LL << 28), "term_changed"},
    {"term under the threshold", nothing, grown(1, 1024), ""},
    {"term of a row that does not fit", verdict(Verdict::kNo),
     all_of({verdict(Verdict::kNo), grown(0, 1LL << 30)}), "term_changed"},
    {"confidence_changed", nothing, figure("confidence", "B"), "confidence_changed"},
    {"note_changed", nothing, [](EditionRow& row) { row.notes = {"mind the gap"}; },
     "note_changed"},
    {"price_date", nothing, side(&ChangeSide::price_key, "p/any//a/on_demand/1/2026-11-01"),
     "price_date"},
    {"many at once", nothing,
     all_of({price(9'000'000), side(&ChangeSide::advice, "buy"), break_even(100)}),
     "advice_flipped dearer break_even_moved"},
};

TEST(Compare, every_kind_of_a_row_is_told_with_its_level) {
  for (const auto& [name, old_edit, new_edit, words] : kKindCases) {
    SCOPED_TRACE(name);
    Edition before = sample_edition();
    Edition after = sample_edition();
    old_edit(row_of(before, "m/lora/b/s"));
    new_edit(row_of(after, "m/lora/b/s"));
    const SheetChanges changes = compare_editions(before, after, {});
    const std::vector<std::string> kinds = split(words, ' ');
    EXPECT_EQ(changes.rows.compared, 4);
    if (kinds.front().empty()) {
      EXPECT_TRUE(changes.changes.empty());
      continue;
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
}

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

using Entries = std::vector<EntryChange>;

TEST(WholeEntries, a_new_model_on_a_new_card_is_told_by_the_model) {
  Edition after = sample_edition();
  after.rows.push_back(sample_row("m", "c", 1, 1'000'000));
  after.rows.push_back(sample_row("o", "a", 1, 1'000'000));
  after.rows.push_back(sample_row("o", "c", 1, 1'000'000));
  after.picks.push_back(sample_pick("o", "o/lora/c/s"));
  const SheetChanges changes = compare_editions(sample_edition(), after, {});
  EXPECT_EQ(changes.entries, (Entries{{"model", "o", "added", 2, 1}, {"gpu", "c", "added", 1, 0}}));
  for (const Change& change : changes.changes) {
    const EntryChange* entry = whole_entry(changes, change);
    ASSERT_NE(entry, nullptr) << change.key;
    EXPECT_EQ(entry->of, change.model == "o" ? "model" : "gpu") << change.key;
  }
}

TEST(WholeEntries, one_came_and_one_went) {
  Edition after = sample_edition();
  for (EditionRow& row : after.rows) {
    if (row.model == "n") row.model = "o";
    row.side.row_key = row.key();
  }
  after.picks[1] = sample_pick("o", "o/lora/a/s");
  const SheetChanges changes = compare_editions(sample_edition(), after, {});
  EXPECT_EQ(changes.entries,
            (Entries{{"model", "o", "added", 2, 1}, {"model", "n", "removed", 2, 1}}));
}

TEST(WholeEntries, a_row_of_known_names_is_told_by_none) {
  Edition after = sample_edition();
  after.rows.pop_back();
  const SheetChanges changes = compare_editions(sample_edition(), after, {});
  EXPECT_TRUE(changes.entries.empty());
  ASSERT_FALSE(changes.changes.empty());
  EXPECT_EQ(whole_entry(changes, changes.changes.front()), nullptr);
}

TEST(WholeEntries, a_renamed_model_is_none) {
  Edition after = sample_edition();
  after.models[0] = {"m2", {"m"}};
  for (EditionRow& row : after.rows) {
    if (row.model == "m") row.model = "m2";
    row.side.row_key = row.key();
  }
  EXPECT_TRUE(compare_editions(sample_edition(), after, {}).entries.empty());
}

}  // namespace
}  // namespace sizesheet
