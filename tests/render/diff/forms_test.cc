// SPDX-License-Identifier: Apache-2.0
// What holds of every comparison in every form: widths, sums, limits, mirrors, order.

#include <gtest/gtest.h>

#include <algorithm>

#include "render/change_words.h"
#include "render/diff/markdown.h"
#include "render/diff/scenarios.h"
#include "render/diff/text.h"
#include "render/price_moves.h"
#include "sheet/changes.h"
#include "sheet/diff/compare.h"
#include "sheet/diff/edition.h"
#include "sheet/diff/sample_editions.h"
#include "sheet/sheet_json.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

TEST(DiffForms, a_line_of_text_has_at_most_a_hundred_characters) {
  for (const DiffScenario& scenario : diff_scenarios()) {
    for (const std::string& line : split(diff_text(compared(scenario), {true, false}), '\n')) {
      EXPECT_LE(width_of(line), 100U) << scenario.name << ": " << line;
    }
  }
}

TEST(DiffForms, counts_add_up_to_what_was_compared) {
  for (const DiffScenario& scenario : diff_scenarios()) {
    const Json summary = parse_json(to_json_text(compared(scenario)), "diff").at("summary");
    const auto sum = [](const Json& counts) {
      std::int64_t all = 0;
      for (const char* part : {"breaking", "notable", "detail", "unchanged", "below_threshold"}) {
        all += counts.at(part).get<std::int64_t>();
      }
      return all;
    };
    EXPECT_EQ(sum(summary), summary.at("rows")) << scenario.name;
    EXPECT_EQ(sum(summary.at("of_picks")), summary.at("of_picks").at("picks")) << scenario.name;
  }
}

TEST(DiffForms, the_headline_names_every_kind_that_is_more_than_a_detail) {
  for (const ChangeKind& kind : change_kinds()) {
    SheetChanges changes;
    changes.changes.resize(1);
    changes.row_kinds[kind.id] = 1;
    std::int64_t& count = kind.level == "detail" ? changes.rows.detail : changes.rows.notable;
    count = 1;
    const bool details_only =
        headline(changes).find("1 changed in details only") != std::string::npos;
    EXPECT_EQ(details_only, kind.level == "detail") << kind.id << ": " << headline(changes);
  }
}

TEST(DiffForms, each_listed_change_is_shown_hidden_or_told_by_an_entry) {
  for (const DiffScenario& scenario : diff_scenarios()) {
    const SheetChanges changes = compared(scenario);
    std::int64_t told = 0;
    for (const char* of : {"pick", "row"}) {
      const Listing listing = list_changes(changes, of, kListedAtMost);
      EXPECT_LE(listing.shown.size(), kListedAtMost) << scenario.name;
      told += static_cast<std::int64_t>(listing.shown.size());
      for (const auto& [kind, count] : listing.hidden) told += count;
    }
    for (const EntryChange& entry : changes.entries) told += entry.rows + entry.picks;
    EXPECT_EQ(told, static_cast<std::int64_t>(changes.changes.size())) << scenario.name;
  }
}

TEST(DiffForms, the_other_way_round_everything_negates) {
  for (const DiffScenario& scenario : diff_scenarios()) {
    const SheetChanges there = compare_editions(scenario.old_edition, scenario.new_edition, {});
    const SheetChanges back = compare_editions(scenario.new_edition, scenario.old_edition, {});
    EXPECT_EQ(there.row_totals.effects.total.value, -back.row_totals.effects.total.value)
        << scenario.name;
    EXPECT_EQ(there.pick_totals.effects.total.value, -back.pick_totals.effects.total.value)
        << scenario.name;
    EXPECT_EQ(there.row_totals.up_usd.value, -back.row_totals.down_usd.value) << scenario.name;
    EXPECT_EQ(there.entries.size(), back.entries.size()) << scenario.name;
    const EffectWords words = effect_words(there.pick_totals.old_usd, there.pick_totals.effects);
    EXPECT_EQ(words.after, effect_words(back.pick_totals.old_usd, back.pick_totals.effects).before);
  }
}

TEST(DiffForms, the_order_of_rows_does_not_show) {
  for (const DiffScenario& scenario : diff_scenarios()) {
    DiffScenario turned = scenario;
    std::reverse(turned.old_edition.rows.begin(), turned.old_edition.rows.end());
    std::reverse(turned.new_edition.rows.begin(), turned.new_edition.rows.end());
    EXPECT_EQ(diff_text(compared(scenario), {true, false}),
              diff_text(compared(turned), {true, false}));
    EXPECT_EQ(to_json_text(compared(scenario)), to_json_text(compared(turned)));
  }
}

TEST(DiffForms, every_mark_has_a_meaning) {
  for (const ChangeKind& kind : change_kinds()) {
    const bool known = std::any_of(marks().begin(), marks().end(),
                                   [&](const Mark& mark) { return mark.mark == kind.mark; });
    EXPECT_TRUE(known || kind.mark == " ") << kind.id;
  }
}

TEST(DiffForms, colour_only_repeats_the_marks) {
  const SheetChanges changes = compared(diff_scenario("many"));
  std::string coloured = diff_text(changes, {false, true});
  EXPECT_NE(coloured.find("\x1b[31m!\x1b[0m model-3 lora"), std::string::npos);
  for (const char* code : {"\x1b[31m", "\x1b[0m"}) {
    for (auto at = coloured.find(code); at != std::string::npos; at = coloured.find(code)) {
      coloured.erase(at, std::string(code).size());
    }
  }
  EXPECT_EQ(coloured, diff_text(changes, {false, false}));
}

TEST(DiffForms, markdown_stays_under_githubs_limit_and_says_what_it_left_out) {
  DiffScenario scenario = diff_scenario("nothing");
  for (int i = 0; i < 3000; ++i) {
    EditionRow row =
        sample_row("model-with-a-rather-long-name-" + std::to_string(i), "a", 2, 2'000'000);
    scenario.old_edition.rows.push_back(row);
    row.side.usd_per_instance_hour = MicroUsd{2'020'000 + 20'000 * i};  // each by another share
    reprice(row);
    scenario.new_edition.rows.push_back(row);
  }
  const SheetChanges changes = compared(scenario);
  for (const bool all : {false, true}) {
    const std::string markdown = diff_markdown(changes, all);
    EXPECT_LE(markdown.size(), kMarkdownAtMost);
    EXPECT_GT(markdown.size(), kMarkdownAtMost - 4000);
    EXPECT_TRUE(starts_with(markdown, kMarkdownTag));
    const auto lines = split(markdown, '\n');
    const auto shown = std::count_if(lines.begin(), lines.end(), [](const std::string& line) {
      return line.find("<code>model-with") != std::string::npos;
    });
    EXPECT_NE(markdown.find("\n… " + format_integer(3000 - shown) + " more dearer, left out here."),
              std::string::npos);
    EXPECT_NE(markdown.find("\n3,004 rows compared: 0 breaking, 3,000 notable, 0 detail, "),
              std::string::npos);
    EXPECT_EQ(markdown.find("<details>") != std::string::npos, !all);
  }
}

TEST(DiffForms, rows_that_moved_alike_are_one_line_until_all_are_asked_for) {
  DiffScenario scenario = diff_scenario("nothing");
  for (int i = 0; i < 40; ++i) {
    EditionRow row = sample_row("model-" + std::to_string(100 + i), "a", 2, 2'000'000);
    scenario.old_edition.rows.push_back(row);
    row.side.usd_per_instance_hour = MicroUsd{i < 2 ? 2'500'000 : 2'400'000};
    reprice(row);
    scenario.new_edition.rows.push_back(row);
  }
  const SheetChanges changes = compared(scenario);
  const std::string text = diff_text(changes, {false, false});
  EXPECT_NE(
      text.find("38 rows on a, each +20.0 %          1,520.00          1,824.00  +304.00  +20.0 %"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("model-101 lora a"), std::string::npos) << "two are no crowd";
  EXPECT_EQ(text.find("model-102"), std::string::npos);
  const std::string all = diff_text(changes, {true, false});
  EXPECT_EQ(all.find("each +"), std::string::npos);
  EXPECT_NE(all.find("model-139 lora a"), std::string::npos);
  EXPECT_NE(diff_markdown(changes, false).find("<code>38 rows on a, each +20.0 %</code>"),
            std::string::npos);
}

/// Rented from `provider` at the price of an instance of `gpus`.
ChangeSide rented(const std::string& provider, std::int64_t gpus, std::int64_t instances,
                  MicroUsd usd) {
  ChangeSide side;
  side.provider = provider;
  side.price_key = "near/any/x/a/on_demand/" + std::to_string(gpus) + "/2026-07-10";
  side.gpus = gpus * instances;
  side.instances = instances;
  side.gpus_billed = side.gpus;
  side.usd_per_instance_hour = usd;
  return side;
}

/// What became of a price: `entry` is "8" for the whole offer, "8/usd_per_instance_hour" for it.
MovedInput moved_price(const std::string& entry, const std::string& how, const std::string& value) {
  MovedInput moved;
  moved.id = "prices:near/any/x/a/on_demand/" + entry;
  moved.field = entry.substr(std::min(entry.find('/'), entry.size()));
  moved.how = how;
  moved.new_value = value;
  return moved;
}

TEST(DiffForms, the_seller_that_took_over_is_told_with_what_became_of_the_other) {
  const auto told = [](const ChangeSide& from, const std::vector<MovedInput>& moved) {
    ChangeSide to = from;
    to.provider = "far";
    to.usd_per_instance_hour = *from.usd_per_instance_hour + MicroUsd{4'000'000};
    MovedById by_id;
    for (const MovedInput& one : moved) by_id[one.id] = &one;
    return took_over_words(from, to, by_id, " -> ");
  };
  const ChangeSide two = rented("near", 8, 2, {16'000'000});
  const std::string price = "8/usd_per_instance_hour";
  EXPECT_EQ(told(two, {}), "far $2.50 instead of near $2.00");
  EXPECT_EQ(told(two, {moved_price(price, "changed", "24")}), "near $2.00 -> $3.00, so far $2.50");
  EXPECT_EQ(told(two, {moved_price(price, "removed", "")}), "near $2.00 is gone, so far $2.50");
  EXPECT_EQ(told(two, {moved_price(price, "changed", "\"out of stock on 2026-10-10\"")}),
            "near $2.00 out of stock on 2026-10-10, so far $2.50");
  const ChangeSide one = rented("near", 1, 1, {2'000'000});
  const MovedInput sixteen = moved_price("16/usd_per_instance_hour", "changed", "40");
  EXPECT_EQ(told(one, {sixteen}), "far $6.00 instead of near $2.00") << "of another size";
  EXPECT_EQ(told(one, {sixteen, moved_price("1", "removed", "")}),
            "near $2.00 is gone, so far $6.00");
}

TEST(DiffForms, two_states_of_one_edition_are_told_apart_by_their_catalogs) {
  EditionLabel before{"t", "2026-Q4", "2026-11-20", "2026-11-09", "aaaaaaaaaaaaaaaa", "0"};
  EditionLabel after = before;
  after.catalog_hash = "bbbbbbbbbbbbbbbb";
  EXPECT_EQ(edition_words(before, after), "2026-Q4 (prices 2026-11-09, catalog aaaaaaaaaaaa)");
  after.as_of = "2026-11-25";
  after.catalog_hash = before.catalog_hash;
  EXPECT_EQ(edition_words(after, before), "2026-Q4 (prices 2026-11-09, as of 2026-11-25)");
  after.edition = "2027-Q1";
  EXPECT_EQ(edition_words(after, before), "2027-Q1 (prices 2026-11-09)");
}

TEST(DiffForms, sorted_by_dollars_the_largest_comes_first_and_the_unknown_last) {
  const SheetChanges sorted = by_dollars(compared(diff_scenario("many")));
  std::int64_t last = INT64_MAX;
  for (const Change& change : sorted.changes) {
    const std::int64_t size = change.effects_usd ? std::abs(change.effects_usd->total.value) : -1;
    EXPECT_LE(size, last) << change.key;
    last = size;
  }
}

TEST(DiffForms, amounts_show_a_difference_and_add_up) {
  const AmountPair plain = amount_pair(MicroUsd{100'004'999}, MicroUsd{100'014'999});
  EXPECT_EQ(plain.before, "100.00");
  EXPECT_EQ(plain.after, "100.01");
  EXPECT_EQ(plain.difference, "+0.01");
  const AmountPair small = amount_pair(MicroUsd{41'200}, MicroUsd{40'900});
  EXPECT_EQ(small.before, "0.0412");
  EXPECT_EQ(small.difference, "−0.0003");
  EXPECT_EQ(small.percent, "−0.7 %");
  EXPECT_EQ(amount_pair(MicroUsd{1'000'000}, MicroUsd{1'000'001}).difference, "+0.000001");
  EXPECT_EQ(amount_pair(MicroUsd{0}, MicroUsd{1'000'000}).percent, "–");
  EXPECT_EQ(amount_pair(MicroUsd{0}, MicroUsd{1'000'000}).before, "0");
  EXPECT_EQ(amount_pair(std::nullopt, MicroUsd{1'000'000}).before, "–");
  EXPECT_EQ(amount_pair(std::nullopt, MicroUsd{1'000'000}).after, "1.00");
  EXPECT_EQ(amount_pair(std::nullopt, MicroUsd{1'000'000}).difference, "–");
  EXPECT_EQ(amount_pair(MicroUsd{2'000'000'000}, MicroUsd{1'999'999'999}).percent, "0.0 %");
}

TEST(DiffForms, effects_add_up_as_printed) {
  const ChangeEffects effects{MicroUsd{4'000}, MicroUsd{4'000}, MicroUsd{4'000}, MicroUsd{-2'000},
                              MicroUsd{10'000}};
  const EffectWords words = effect_words(MicroUsd{10'000'000}, effects);
  EXPECT_EQ(words.before, "10.00");
  EXPECT_EQ(words.after, "10.01");
  EXPECT_EQ(words.difference, "+0.01");
  EXPECT_EQ(words.price, "0");
  EXPECT_EQ(words.quantity, "+0.01");
  EXPECT_EQ(words.time, "0");
  EXPECT_EQ(words.mix, "0");
}

TEST(DiffForms, why_causes_are_not_known_is_said) {
  SheetChanges changes = compared(diff_scenario("dearer"));
  EXPECT_EQ(cause_sentence(changes), "");
  changes.causes_unknown = "OLD has no inputs";
  EXPECT_EQ(cause_sentence(changes), "Causes are not known: OLD has no inputs.");
}

}  // namespace
}  // namespace sizesheet
