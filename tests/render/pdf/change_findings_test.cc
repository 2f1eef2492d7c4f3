// SPDX-License-Identifier: Apache-2.0
// The third panel with a baseline: what comes first, in which words, and nothing made up.
#include <gtest/gtest.h>

#include "render/pdf/crowded_sheet.h"
#include "render/pdf/layout_checks.h"
#include "render/pdf/page/page_layout.h"
#include "render/pdf/panels/change_words.h"
#include "render/pdf/panels/panel_findings.h"
#include "render/pdf/panels/panels.h"
#include "render/sample_sheet.h"
#include "sheet/changes.h"
#include "sheet/sheet.h"
#include "support/money.h"
#include "support/refusal.h"
#include "support/text.h"

namespace sizesheet::pdf {
namespace {

/// "before|after|subject|detail|word".
std::string line(const Finding& finding) {
  return join({finding.before, finding.after, finding.subject, finding.detail, finding.word}, "|");
}

Texts lines(const FindingsPage& page) {
  Texts out;
  for (const Finding& finding : page.findings) out.push_back(line(finding));
  return out;
}

TEST(ChangeFindings, the_cause_first_then_the_total_then_picks_then_a_broken_row) {
  SheetChanges changes = sample_changes();
  changes.pick_totals.comparable = 4;
  changes.pick_totals.old_usd = MicroUsd{2'000'000'000};
  changes.pick_totals.new_usd = MicroUsd{1'900'000'000};
  const FindingsPage page = changed_since(changes, sample_sheet());
  EXPECT_EQ(page.titles.front(), "Since 2026-Q3, 4 of 27 picks moved");
  EXPECT_EQ(
      lines(page),
      (std::vector<std::string>{
          "−12\u00a0%||H200 at lambda, on demand|$2.69/h, was $3.05/h; moves 9 "
          "rows|price",
          "−5\u00a0%||One run of the sheet’s 4: $1,900, was $2,000|most 70B QLoRA, +190 $ per "
          "run|",
          "1|2|70B QLoRA: needs more GPUs|$390 per run, was $200; 2\u00a0×\u00a0H200 "
          "instead of 1\u00a0×\u00a0H200|price",
          "−8\u00a0%||70B full: another card is picked|$484 per run, was $527; "
          "16\u00a0×\u00a0H200 instead of 24\u00a0×\u00a0H100|price",
          "rent|buy|70B LoRA: rent-or-buy advice flipped|break-even 410 h per month, "
          "was 520; 16\u00a0×\u00a0H200|price, ownership",
          "no||8B full on 5090: no longer fits|100.0 of 140.0 GiB per GPU; "
          "8\u00a0×\u00a0"
          "5090|engine",
          "+100\u00a0%||gather buffer|2, was 1; moves 40 rows|engine",
          "−0.2\u00a0%||70B LoRA: cheaper|$399 per run, was $400; "
          "2\u00a0×\u00a0H200|price",
          "1|2|8B full on H200: needs more GPUs|$96.0 per run, was $50.0; "
          "2\u00a0×\u00a0H200 instead of 1\u00a0×\u00a0H200|engine"}));
}

TEST(ChangeFindings, a_row_that_a_pick_tells_of_is_not_told_twice) {
  SheetChanges changes = sample_changes();
  changes.changes[5].new_side->row_key = changes.changes[0].key;
  const std::vector<std::string> said = lines(changed_since(changes, sample_sheet()));
  for (const std::string& words : said) EXPECT_EQ(words.find("no longer fits"), std::string::npos);
}

TEST(ChangeFindings, rows_of_a_scenario_that_is_not_on_the_page_are_left_to_the_site) {
  SheetChanges changes = sample_changes();
  for (Change& change : changes.changes) {
    if (change.of == "row") change.scenario = "another";
  }
  EXPECT_EQ(changed_since(changes, sample_sheet()).findings.size(), 6U);
}

TEST(ChangeFindings, unknown_causes_are_said_to_be_unknown) {
  SheetChanges changes = sample_changes();
  changes.causes_unknown = "the old edition holds no inputs";
  for (Change& change : changes.changes) change.cause.clear();
  const FindingsPage page = changed_since(changes, sample_sheet());
  EXPECT_EQ(page.findings[1].word, "–");
  changes.moved.clear();
  EXPECT_EQ(line(changed_since(changes, sample_sheet()).findings.front()),
            "cause||unknown|the old edition holds no inputs|");
}

TEST(ChangeFindings, nothing_moved_is_said_with_the_thresholds) {
  SheetChanges changes = sample_changes();
  changes.changes.clear();
  changes.moved.clear();
  changes.picks.breaking = changes.picks.notable = 0;
  changes.new_edition.edition = changes.old_edition.edition;
  const FindingsPage page = changed_since(changes, sample_sheet());
  EXPECT_EQ(page.titles.front(), "Since 2026-08-20, 0 of 27 picks moved") << "two of one quarter";
  EXPECT_EQ(lines(page), std::vector<std::string>{
                             "none||No pick moved|listed from 1\u00a0% of $ per run, 2\u00a0% "
                             "of hours, 0.1 GiB per GPU|"});
}

TEST(ChangeFindings, a_model_that_is_gone_goes_by_its_id) {
  Change change = sample_changes().changes[5];
  change.kind = "removed";
  change.model = "old-model";
  change.new_side.reset();
  EXPECT_EQ(line(change_finding(change, sample_sheet())),
            "gone||old-model full: gone|was 24\u00a0×\u00a0H100|price");
}

TEST(ChangeWords, shares) {
  EXPECT_EQ(moved_by(100, 88), "−12\u00a0%");
  EXPECT_EQ(moved_by(1000, 1004), "+0.4\u00a0%");
  EXPECT_EQ(moved_by(100, 100), "0\u00a0%");
  EXPECT_EQ(moved_by(0, 0), "0\u00a0%");
  EXPECT_EQ(moved_by(1, 12.4), "×12");
  EXPECT_EQ(moved_by(0, 5), "") << "no share of nothing";
}

TEST(ChangeWords, causes) {
  EXPECT_EQ(cause_words({"gpus"}), "GPU");
  EXPECT_EQ(cause_words({"prices", "engine"}), "price, engine");
  EXPECT_EQ(cause_words({"prices", "engine", "models"}), "several");
  EXPECT_EQ(cause_words({}), "–");
}

TEST(ChangeWords, every_kind_has_a_figure_that_fits_and_a_subject) {
  for (const ChangeKind& kind : change_kinds()) {
    Change change = sample_changes().changes[5];
    change.kind = kind.id;
    const Finding finding = change_finding(change, sample_sheet());
    EXPECT_FALSE(finding.before.empty()) << kind.id;
    EXPECT_TRUE(finding.subject.starts_with("70B full")) << kind.id;
  }
}

TEST(ChangeWords, an_input_that_came_or_is_no_number) {
  MovedInput moved = sample_changes().moved[1];
  moved.how = "added";
  moved.old_value.clear();
  moved.rows = 1;
  EXPECT_EQ(line(input_finding(moved, sample_sheet())),
            "new||H200 at lambda, on demand|moves 1 row|price");
  moved.how = "changed";
  moved.group = "gpus";
  moved.unit.clear();
  moved.old_value = "\"a\"";
  moved.new_value = "\"b\"";
  EXPECT_EQ(line(input_finding(moved, sample_sheet())),
            "moved||lambda h200-sxm on demand|b, was a; moves 1 row|GPU");
}

TEST(ChangePanel, stands_on_both_papers_without_overlap) {
  Sheet sheet = sample_sheet();
  sheet.changes = sample_changes();
  sheet.changes->changes[2].old_side->gpus = 1024;
  sheet.changes->changes[2].new_side->gpus = 2048;
  for (const Paper paper : {Paper::kA4, Paper::kLetter}) {
    const PageLayout page = page_of(sheet, paper);
    EXPECT_EQ(faults(page, paper), Texts{});
    const std::string text = all_text(page);
    for (const char* words : {"Since 2026-Q3, 4 of 27 picks moved\n", "70B QLoRA: needs more GPUs",
                              "H200 at lambda, on demand"}) {
      EXPECT_NE(text.find(words), std::string::npos) << words;
    }
  }
}

}  // namespace
}  // namespace sizesheet::pdf
