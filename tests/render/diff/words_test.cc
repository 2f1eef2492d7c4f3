// SPDX-License-Identifier: Apache-2.0
// Words of a comparison: names that must not act, totals and moves, and how a changed plan reads.

#include <gtest/gtest.h>

#include <regex>

#include "render/change_words.h"
#include "render/changes_words.h"
#include "render/diff/markdown.h"
#include "render/diff/scenarios.h"
#include "render/diff/text.h"
#include "render/sample_sheet.h"
#include "sheet/changes.h"
#include "sheet/sheet_json.h"
#include "sizing/memory/verdict.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

TEST(DiffEscape, plain_text_shows_what_a_terminal_would_act_on) {
  EXPECT_EQ(plain_text("Llama 3.1 8B × H100 – ok"), "Llama 3.1 8B × H100 – ok");
  EXPECT_EQ(plain_text("\x1b[31m"), "\\u{001B}[31m");
  EXPECT_EQ(plain_text("a\nb\tc\x7f"), "a\\u{000A}b\\u{0009}c\\u{007F}");
  EXPECT_EQ(plain_text("\u202ex\u2066\u200b\u061c\ufeff"),
            "\\u{202E}x\\u{2066}\\u{200B}\\u{061C}\\u{FEFF}");
  EXPECT_EQ(plain_text("\u009b31m"), "\\u{009B}31m");
  EXPECT_EQ(plain_text("a\xff\xc3"), "a\\x{FF}\\x{C3}");
}

TEST(DiffEscape, markdown_text_holds_no_markup_link_or_mention) {
  EXPECT_EQ(markdown_text("size-7b (4 × H100), +8.2 %"), "size-7b (4 × H100), +8.2 %");
  EXPECT_EQ(markdown_text("a|b`c`"), "a&#124;b&#96;c&#96;");
  EXPECT_EQ(markdown_text("<b>&amp;"), "&#60;b&#62;&#38;amp;");
  EXPECT_EQ(markdown_text("[x](javascript:y)"), "&#91;x&#93;(javascript:y)");
  EXPECT_EQ(markdown_text("https://x WWW.x new."), "https&#58;//x WWW&#46;x new.");
  EXPECT_EQ(markdown_text("@all #1"), "&#64;&#8203;all &#35;&#8203;1");
  EXPECT_EQ(markdown_text("\\ $x$ {y} ~~z~~ _u_ *v*"),
            "&#92; &#36;x&#36; &#123;y&#125; &#126;&#126;z&#126;&#126; &#95;u&#95; &#42;v&#42;");
  EXPECT_EQ(markdown_code("a|b"), "<code>a&#124;b</code>");
  EXPECT_EQ(markdown_code(""), "");
}

TEST(DiffEscape, widths_are_counted_in_characters) {
  EXPECT_EQ(width_of("8 × H100 –"), 10U);
  EXPECT_EQ(padded_left("–", 3), "  –");
  EXPECT_EQ(padded_right("×", 3), "×  ");
  EXPECT_EQ(elided("abcdef", 6), "abcdef");
  EXPECT_EQ(elided("abcdefg", 6), "abc…fg");
  EXPECT_EQ(elided("××××", 3), "×…×");
}

TEST(DiffEscape, text_of_hostile_names_holds_no_control_character) {
  const std::string text = diff_text(compared(diff_scenario("hostile")), {});
  ASSERT_TRUE(is_utf8(text));
  for (const std::string& line : split(text, '\n')) EXPECT_EQ(plain_text(line), line);
}

/// What stands between the bars of each table line, entities taken away.
TEST(DiffEscape, markdown_of_hostile_names_holds_only_our_own_markup) {
  std::string markdown = diff_markdown(compared(diff_scenario("hostile")), false);
  ASSERT_TRUE(is_utf8(markdown));
  for (const std::string& line : split(markdown, '\n')) EXPECT_EQ(plain_text(line), line);
  std::size_t tables = 0;
  for (const std::string& line : split(markdown, '\n')) {
    if (!starts_with(line, "| ")) continue;
    ++tables;
    EXPECT_EQ(std::count(line.begin(), line.end(), '|'), 11) << line;
  }
  EXPECT_EQ(tables, 22U);
  const std::regex ours(R"(&#\d+;|</?code>|<br>|<!-- sizesheet-diff -->|\*\*|\\\$)");
  const std::string rest = std::regex_replace(markdown, ours, "");
  for (const char sign : {'<', '>', '`', '[', ']', '@', '#', '$', '\\', '*', '~', '_'}) {
    EXPECT_EQ(rest.find(sign), std::string::npos) << sign;
  }
  EXPECT_EQ(rest.find("://"), std::string::npos);
}

TEST(DiffEscape, json_of_hostile_names_reads_back) {
  const SheetChanges changes = compared(diff_scenario("hostile"));
  const Json json = parse_json(to_json_text(changes), "diff");
  ASSERT_EQ(json.at("changes").size(), changes.changes.size());
  for (std::size_t i = 0; i < changes.changes.size(); ++i) {
    EXPECT_EQ(json.at("changes")[i].at("model"), changes.changes[i].model);
  }
}

SheetChanges totals(std::int64_t comparable, std::int64_t old_usd, std::int64_t new_usd) {
  SheetChanges changes;
  changes.old_edition.edition = "2026-Q3";
  changes.new_edition.edition = "2026-Q4";
  changes.pick_totals.comparable = comparable;
  changes.pick_totals.old_usd = {old_usd};
  changes.pick_totals.new_usd = {new_usd};
  changes.pick_totals.effects.total = {new_usd - old_usd};
  return changes;
}

std::string sentence(const SheetChanges& changes) {
  const TotalSentence total = total_sentence(changes);
  return total.words + "|" + total.delta;
}

TEST(ChangesWords, a_total_is_whole_dollars_where_they_add_up_as_printed) {
  EXPECT_EQ(sentence(totals(60, 7'865'000'000, 7'219'000'000)),
            "One run of each of the 60 comparable picks cost $7,865 in 2026-Q3 and costs $7,219 "
            "now:|−$646 (−8.2\u00a0%)");
  EXPECT_EQ(sentence(totals(60, 7'865'400'000, 7'218'600'000)),
            "One run of each of the 60 comparable picks cost $7,865.40 in 2026-Q3 and costs "
            "$7,218.60 now:|−$646.80 (−8.2\u00a0%)");
  EXPECT_EQ(sentence(totals(2, 150'100'000, 150'300'000)),
            "One run of each of the 2 comparable picks cost $150.10 in 2026-Q3 and costs $150.30 "
            "now:|+$0.20 (+0.1\u00a0%)");
}

TEST(ChangesWords, a_total_of_one_of_none_and_of_no_move) {
  EXPECT_EQ(sentence(totals(1, 40'000'000, 50'000'000)),
            "One run of the one comparable pick cost $40.00 in 2026-Q3 and costs $50.00 "
            "now:|+$10.00 (+25.0\u00a0%)");
  EXPECT_EQ(sentence(totals(0, 0, 0)), "No pick has a price on both sides, so no total compares.|");
  EXPECT_EQ(sentence(totals(3, 200'000'000, 200'000'000)),
            "One run of each of the 3 comparable picks costs $200, as in 2026-Q3.|");
  EXPECT_EQ(sentence(totals(3, 0, 5'000'000)),
            "One run of each of the 3 comparable picks cost $0.00 in 2026-Q3 and costs $5.00 "
            "now:|+$5.00")
      << "no percent of nothing";
}

TEST(ChangesWords, sides_are_told_apart_by_edition_then_by_day) {
  SheetChanges changes = totals(1, 1, 1);
  EXPECT_EQ(side_titles(changes).when, "in 2026-Q3");
  changes.old_edition.edition = "2026-Q4";
  changes.old_edition.as_of = "2026-11-01";
  changes.new_edition.as_of = "2026-11-20";
  EXPECT_EQ(side_titles(changes).before, "2026-11-01");
  EXPECT_EQ(side_titles(changes).after, "2026-11-20");
  EXPECT_EQ(side_titles(changes).when, "on 2026-11-01");
  changes.old_edition.as_of = "2026-11-20";
  EXPECT_EQ(side_titles(changes).before, "before");
  EXPECT_EQ(side_titles(changes).after, "now");
}

TEST(ChangesWords, signs_and_zero) {
  EXPECT_EQ(delta_usd({0}, 2), "0");
  EXPECT_EQ(delta_usd({-1'234'560'000}, 2), "−1,234.56");
  EXPECT_EQ(delta_usd({5}, 2), "0.00") << "no sign before what reads as zero";
  EXPECT_EQ(delta_run({-99'960'000}), "−100");
  EXPECT_EQ(delta_run({12'345'000}), "+12.3");
  EXPECT_EQ(delta_percent(0), "0\u00a0%");
  EXPECT_EQ(delta_percent(-0.0824), "−8.2\u00a0%");
  EXPECT_EQ(delta_percent(0.0001), "0.0\u00a0%");
  EXPECT_EQ(delta_percent(12.5), "+1,250\u00a0%");
}

TEST(ChangesWords, a_share_needs_two_amounts_and_one_above_zero) {
  EXPECT_EQ(delta_share(MicroUsd{4}, MicroUsd{5}), 0.25);
  EXPECT_EQ(delta_share(MicroUsd{0}, MicroUsd{5}), std::nullopt);
  EXPECT_EQ(delta_share(std::nullopt, MicroUsd{5}), std::nullopt);
  EXPECT_EQ(delta_share(MicroUsd{4}, std::nullopt), std::nullopt);
}

TEST(ChangesWords, the_lead_counts_verdicts_and_names_the_largest_effect) {
  SheetChanges changes = totals(2, 10, 10);
  EXPECT_EQ(lead_rest(changes), "");
  changes.pick_totals.effects.price = {-3'000'000};
  changes.pick_totals.effects.quantity = {2'000'000};
  changes.row_kinds = {{"no_longer_fits", 1}, {"now_fits", 3}, {"cheaper", 9}};
  changes.pick_kinds = {{"type_changed", 2}};
  EXPECT_EQ(lead_rest(changes),
            "The largest part is price, −$3.00. 1\u00a0row no longer fits, 3\u00a0fit now. "
            "2\u00a0picks went to another card.");
}

TEST(MovedWords, values_read_as_people_write_them) {
  EXPECT_EQ(moved_value(""), "–");
  EXPECT_EQ(moved_value("null"), "–");
  EXPECT_EQ(moved_value("true"), "yes");
  EXPECT_EQ(moved_value("\"zero3\""), "zero3");
  EXPECT_EQ(moved_value("500000000"), "500,000,000");
  EXPECT_EQ(moved_value("0.1"), "0.1");
  EXPECT_EQ(moved_value("-0.25"), "−0.25");
  EXPECT_EQ(moved_value("[1,2]"), "[1,2]");
  EXPECT_EQ(moved_value("no JSON"), "no JSON");
}

TEST(MovedWords, a_bare_value_has_neither_quotes_nor_escapes) {
  EXPECT_EQ(bare_value("\"a \\\"b\\\" \\u00e9\""), "a \"b\" é");
  EXPECT_EQ(bare_value("2.50"), "2.50");
  EXPECT_EQ(bare_value("[1, 2]"), "[1, 2]");
}

TEST(MovedWords, long_values_are_cut_between_characters) {
  const std::string text = "\"" + std::string(59, 'a') + "€€€\"";
  EXPECT_EQ(moved_value(text), std::string(59, 'a') + "…");
}

TEST(MovedWords, an_input_says_what_moved_and_how) {
  MovedInput moved;
  moved.what = "h200-sxm";
  moved.field = "/torch_total_gib";
  moved.how = "changed";
  moved.old_value = "139.8";
  moved.new_value = "140";
  EXPECT_EQ(moved_words(moved), "h200-sxm torch total GiB 139.8 → 140");
  moved.field = "";
  moved.how = "added";
  EXPECT_EQ(moved_words(moved), "h200-sxm added");
}

TEST(MovedWords, sides_say_how_a_row_stood) {
  ChangeSide side;
  side.gpu_name = "H100";
  side.gpus = 8;
  side.capacity_bytes = 80LL << 30;
  side.device_bytes = 60LL << 30;
  side.verdict = Verdict::kFits;
  EXPECT_EQ(side_standing(side), "8\u00a0×\u00a0H100, 25\u00a0% free");
  side.verdict = Verdict::kTight;
  EXPECT_EQ(side_standing(side), "8\u00a0×\u00a0H100, tight, 25\u00a0% free");
  side.verdict = Verdict::kNo;
  side.device_bytes = 90LL << 30;
  EXPECT_EQ(side_standing(side), "no, over by 10.0\u00a0GiB");
  side.verdict = Verdict::kNotModelled;
  EXPECT_EQ(side_standing(side), "not modelled");
  EXPECT_EQ(side_standing(std::nullopt), "not listed");
}

using Sentences = std::vector<std::string>;

/// The sample's, after an edit.
Sentences told(const std::function<void(PlanChange&)>& edit) {
  SheetChanges changes = *changed_sheet().changes;
  edit(*changes.plan);
  return plan_sentences(changes);
}

TEST(PlanWords, SayDollarsMachinesRunsAndCauses) {
  EXPECT_EQ(told([](PlanChange&) {}),
            (Sentences{"The plan: 12 months for $60,000 -> 12 months for $57,000 (−$3,000, "
                       "−5.0\u00a0%).",
                       "Machines of the plan: 2 × GPU B workstation 1 -> 0.",
                       "Most of its runs: tiny-8b lora: 2 × GPU B workstation -> GPU A on demand.",
                       "Causes of the plan: Prices: −$5,000 (2 × GPU B workstation 1 -> 0); "
                       "Demand: +$2,000."}));
}

TEST(PlanWords, SayThatThereIsNone) {
  const Sentences sentences = told([](PlanChange& plan) {
    plan.new_totals->why = "the budget is too small";
    plan.moves.clear();
    plan.runs.clear();
    plan.causes = {{"demand", {}, {}, "the budget is too small"}};
  });
  EXPECT_EQ(
      sentences,
      (Sentences{"No plan meets the demand now: the budget is too small.",
                 "Causes of the plan: Demand, then there is none: the budget is too small."}));
}

TEST(PlanWords, SayThatItCameOrWent) {
  const auto alone = [](PlanChange& plan) {
    plan.moves.clear();
    plan.runs.clear();
    plan.causes.clear();
  };
  EXPECT_EQ(told([&](PlanChange& plan) {
              alone(plan);
              plan.old_totals.reset();
            }),
            Sentences{"The plan is new: 12 months for $57,000."});
  EXPECT_EQ(told([&](PlanChange& plan) {
              alone(plan);
              plan.new_totals.reset();
            }),
            Sentences{"The new edition has no plan."});
  EXPECT_EQ(told([&](PlanChange& plan) {
              alone(plan);
              plan.old_totals->why = "the budget is too small";
            }),
            Sentences{"There is a plan now: 12 months for $57,000; was none: the budget is too "
                      "small."});
}

TEST(PlanWords, SayOfEachKindWhereItWent) {
  const Sentences sentences = told([](PlanChange& plan) {
    plan.runs = {{"tiny-8b", "lora", "", "GPU A on demand"},
                 {"tiny-8b", "lora", "GPU A on demand", ""}};
  });
  EXPECT_EQ(sentences[2],
            "Most of its runs: tiny-8b lora: new, GPU A on demand; tiny-8b lora: gone, was GPU A "
            "on demand.");
}

TEST(PlanWords, OfNoChangeAreNone) {
  EXPECT_EQ(plan_sentences(*unchanged_sheet().changes), Sentences{});
}

TEST(PlanWords, StandInTextAndMarkdown) {
  const SheetChanges changes = *changed_sheet().changes;
  EXPECT_NE(diff_text(changes, {}).find("Machines of the plan: 2 × GPU B workstation 1 -> 0.\n"),
            std::string::npos);
  EXPECT_NE(diff_markdown(changes, false).find("Machines of the plan:"), std::string::npos);
}

}  // namespace

}  // namespace sizesheet
