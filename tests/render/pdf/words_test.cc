// SPDX-License-Identifier: Apache-2.0
// The page's words and figures before anything is placed.
#include <gtest/gtest.h>

#include <algorithm>

#include "catalog/prices/price.h"
#include "evidence/accuracy.h"
#include "render/pdf/notes.h"
#include "render/pdf/panels/panel_findings.h"
#include "render/pdf/panels/panel_plan.h"
#include "render/pdf/panels/panels.h"
#include "render/pdf/table/columns.h"
#include "render/pdf/table/table.h"
#include "render/pdf/table/table_text.h"
#include "render/sample_sheet.h"
#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/plan.h"
#include "sheet/sheet.h"
#include "support/json.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet::pdf {
namespace {

MicroUsd dollars(std::int64_t usd) { return {usd * 1'000'000}; }

const Figure& figure_in(const RowText& row, std::string_view column) {
  return row.figures[column_index(column)];
}

TEST(Figures, give_up_decimals_then_ones) {
  EXPECT_EQ(figure(dollars(128'999), 2),
            (Figure{"128,999.00", "128,999.0", "128,999", "129.0\u00a0k", "129\u00a0k"}));
  EXPECT_EQ(figure(12.34, 1), (Figure{"12.3", "12"}));
  EXPECT_EQ(figure(dollars(2'500'000), 0),
            (Figure{"2,500,000", "2,500.0\u00a0k", "2,500\u00a0k", "2.5\u00a0M", "3\u00a0M"}));
  EXPECT_EQ(figure(1.25e9, 0).back(), "1\u00a0bn");
  EXPECT_EQ(thousands(dollars(265'000), 1), (Figure{"265.0", "265"}));
  EXPECT_EQ(thousands(dollars(12'500'000), 1), (Figure{"12,500.0", "12,500", "$12.5M", "$13M"}))
      << "a k under a head that says thousands would be taken for a million";
  EXPECT_EQ(figure(std::optional<MicroUsd>{}, 2), Figure{"–"});
}

TEST(Figures, a_column_of_small_prices_has_decimals) {
  EXPECT_EQ(run_decimals({dollars(10), dollars(2600)}), 0);
  EXPECT_EQ(run_decimals({dollars(9), dollars(2600)}), 1);
  EXPECT_EQ(run_decimals({MicroUsd{600'000}, dollars(2600)}), 2);
  EXPECT_EQ(run_decimals({}), 0);
}

TEST(TableText, a_price_of_a_larger_instance_is_marked) {
  Sheet sheet = tiny_sheet();
  for (Row& row : sheet.rows) {
    if (auto& line = row.rents[kOnDemand]) line->gpus_paid = row.layout.gpus;
  }
  EXPECT_FALSE(table_text(sheet).larger);
  for (Row& row : sheet.rows) {
    if (auto& line = row.rents[kOnDemand]) ++line->gpus_paid;
  }
  const TableText table = table_text(sheet);
  EXPECT_TRUE(table.larger);
  const RowText& row = table.groups[0].rows[0];
  for (const std::string& form : figure_in(row, "per_run")) {
    EXPECT_TRUE(form.starts_with("†")) << form;
  }
}

/// The row of the first pick, with a set-up of these dollars.
Sheet with_set_up(UsdRange usd) {
  Sheet sheet = tiny_sheet();
  Row& row = *std::ranges::find_if(
      sheet.rows, [&](const Row& one) { return one.key() == sheet.picks[0].rent_key; });
  RunCandidate run;
  run.usd = usd;
  run.provider = "a provider of a long name";
  row.candidates = {run};
  row.chosen = 0;
  row.rents[kOnDemand]->usd_per_run = usd.mid;
  return sheet;
}

TEST(TableText, dollars_with_a_wide_range_have_two_digits) {
  const auto shown = [](UsdRange usd) {
    const RowText row = table_text(with_set_up(usd)).groups[0].rows[0];
    return figure_in(row, "per_run").front() + " " + figure_in(row, "range").front();
  };
  EXPECT_EQ(shown({dollars(531), dollars(662), dollars(814)}), "662 530–810");
  EXPECT_EQ(shown({dollars(531), dollars(662), dollars(994)}), "660 530–990");
  EXPECT_EQ(shown({dollars(330), dollars(662), dollars(814)}), "660 330–810");
}

TEST(TableText, a_seller_is_cut_before_it_is_left_out) {
  const RowText row =
      table_text(with_set_up({dollars(5), dollars(6), dollars(7)})).groups[0].rows[0];
  EXPECT_EQ(figure_in(row, "seller"), (Figure{"a provider of a long name", "a provider o…",
                                              "a provider…", "a provid…", "a prov…"}));
}

TEST(TableText, heads_say_who_asks_a_price_and_how_it_stands) {
  Sheet sheet = tiny_sheet();
  sheet.gpus[0].list_usd_per_gpu_hour = MicroUsd{3'200'000};
  sheet.gpus[0].list_price = ListPrice{"elm", "2026-10-09", true, MicroUsd{6'160'000}, 16};
  const auto head = [&] { return table_text(sheet).gpus[0]; };
  EXPECT_EQ(head().price, (Figure{"†3.20", "†3.2", "†3"}));
  EXPECT_EQ(head().seller, "elm");
  EXPECT_EQ(head().median, (Figure{"6.16/16", "6.2/16", "6/16"}));
  EXPECT_EQ(head().seen, "Oct\u00a09");
  sheet.gpus[0].list_price->as_of = "2026-08";
  EXPECT_EQ(head().seen, "Aug");
  sheet.gpus[0].list_price->as_of = "2025-12-24";
  EXPECT_EQ(head().seen, "2025-12-24");
  sheet.gpus[0].list_price.reset();
  EXPECT_EQ(head().seller, "–");
}

/// A safe count stands wherever there is one, a tight one where there is none, a word where there
/// is neither.
TEST(TableText, a_count_its_mark_or_a_word) {
  struct Case {
    std::optional<std::int64_t> tight, rentable;
    bool modelled;
    const char* text;
    CountMark mark;
    bool is_word;
  };
  for (const Case& c : {Case{2, 2, true, "2", CountMark::kNone, false},
                        Case{8, 16, true, "16", CountMark::kOpen, false},
                        Case{8, {}, true, "8", CountMark::kFilled, false},
                        Case{{}, {}, true, "no", CountMark::kNone, true},
                        Case{8, 8, false, "n/a", CountMark::kNone, true}}) {
    Sheet sheet = tiny_sheet();
    for (Row& row : sheet.rows) {
      if (row.gpu != "gb10") continue;
      row.tight = c.tight;
      row.rentable = row.certain_from = c.rentable;
      row.modelled = c.modelled;
    }
    const CountCell cell = table_text(sheet).groups[0].rows[0].counts[1];
    EXPECT_EQ(cell.text, c.text);
    EXPECT_EQ(cell.mark, c.mark) << c.text;
    EXPECT_EQ(cell.is_word, c.is_word) << c.text;
  }
}

TEST(TableText, the_pick_is_one_cell_of_its_row) {
  for (const GroupText& group : table_text(sample_sheet()).groups) {
    for (const RowText& row : group.rows) {
      int picks = 0;
      for (const CountCell& cell : row.counts) {
        picks += cell.is_pick ? 1 : 0;
        EXPECT_TRUE(!cell.is_pick || cell.text == row.pick_count) << group.size << row.method;
      }
      EXPECT_EQ(picks, 1) << group.size << row.method;
    }
  }
}

TEST(TableText, unknown_is_a_dash_and_never_a_word_of_its_own) {
  Sheet sheet = tiny_sheet();
  for (Row& row : sheet.rows) {
    row.rents[kOnDemand].reset();
    row.rents[kSpot].reset();
    if (row.owned) row.owned->rent_usd_per_run.reset();
  }
  const RowText unpriced = table_text(sheet).groups[0].rows[0];
  EXPECT_EQ(figure_in(unpriced, "next"), Figure{"–"});
  EXPECT_EQ(figure_in(unpriced, "per_run"), Figure{"–"});
  EXPECT_EQ(figure_in(unpriced, "break_even"), Figure{"–"})
      << "without a rent there is nothing to break even with";
  for (Row& row : sheet.rows) row.owned.reset();
  const RowText unowned = table_text(sheet).groups[0].rows[0];
  EXPECT_EQ(figure_in(unowned, "capex"), Figure{"–"});
  EXPECT_EQ(unowned.advice, Advice::kNone);
}

TEST(TableText, only_a_stated_demand_has_a_word) {
  Sheet sheet = tiny_sheet();
  for (Row& row : sheet.rows) {
    if (!row.owned) continue;
    row.owned->advice = "buy";
    row.owned->close = true;
    row.owned->break_even_hours_per_month = 213.6;
  }
  const TableText without = table_text(sheet);
  EXPECT_EQ(without.groups[0].rows[0].advice, Advice::kNone);
  EXPECT_EQ(without.groups[0].rows[0].pays_from, "214");
  EXPECT_FALSE(without.decided);
  for (Row& row : sheet.rows) {
    if (row.owned) row.owned->decision = RentOrOwn::kBuy;
  }
  const TableText decided = table_text(sheet);
  EXPECT_EQ(decided.groups[0].rows[0].advice, Advice::kBuy);
  EXPECT_TRUE(decided.decided);
}

TEST(TableText, no_pick_is_no_or_no_price) {
  Sheet sheet = tiny_sheet();
  for (Pick& pick : sheet.picks) pick.rent_key = pick.buy_key = std::nullopt;
  EXPECT_EQ(table_text(sheet).groups[0].rows[0].pick_names, std::vector<std::string>{"–"});
  for (Row& row : sheet.rows) {
    row.tight.reset();
    row.rentable.reset();
  }
  EXPECT_EQ(table_text(sheet).groups[0].rows[0].pick_names, std::vector<std::string>{"no"});
}

TEST(TableText, the_largest_counts_on_offer) {
  EXPECT_EQ(table_text(sample_sheet()).offers,
            "5090: 8, PRO 6000: 64, L40S: 64, Spark: 2, others: 512");
}

TEST(PageWords, workload_and_provenance) {
  const Sheet& sheet = sample_sheet();
  EXPECT_EQ(workload_sentences(sheet).front(),
            "One run = one fine-tune on 50 million training tokens, 4,096-token sequences; Hugging "
            "Face TRL with FSDP2.");
  EXPECT_EQ(provenance(sheet),
            "prices seen 2026-10-02 to 2026-11-18 · USD, tax excluded · 3f9c2ab71e04");
}

TEST(PageWords, panel_titles_name_the_card_only_when_it_is_one) {
  EXPECT_EQ(memory_title(tiny_sheet(), tiny_sheet().models[0]),
            "8B: memory on each H100, by method");
  const Sheet& sheet = sample_sheet();
  EXPECT_EQ(memory_title(sheet, sheet.model("llama-3.1-70b")), "70B: memory per GPU, by method");
}

TEST(PageWords, accuracy_with_medians_rows_and_the_shown_range) {
  Sheet sheet = sample_sheet();
  sheet.accuracy->speed.all.errors = ErrorStats{};
  sheet.accuracy->speed.all.errors->n = 215;
  sheet.accuracy->speed.all.errors->median = 0.039;
  const std::vector<std::string> said = notes_of(sheet)[1].sentences;
  ASSERT_EQ(said.size(), 3U);
  EXPECT_EQ(said[0],
            "Published measurements of memory: median error 5.0\u00a0%, 3 rows (held out: "
            "2.5\u00a0%, 1).");
  EXPECT_EQ(said[1], "Of speed: 3.9\u00a0%, 215 rows.");
  EXPECT_EQ(said[2],
            "70B full, nine in ten: memory ×\u00a0"
            "0.93 to 1.06 (grade B of A to C).");
  for (Row& row : sheet.rows) row.device_low = row.device_high = 0;
  EXPECT_EQ(notes_of(sheet)[1].sentences.size(), 2U) << "no range is made up";
  sheet.accuracy->speed.all.errors.reset();
  sheet.accuracy->held_out.errors.reset();
  EXPECT_EQ(notes_of(sheet)[1].sentences,
            std::vector<std::string>{
                "Published measurements of memory: median error 5.0\u00a0%, 3 rows."});
  sheet.accuracy.reset();
  EXPECT_EQ(notes_of(sheet)[1].sentences,
            std::vector<std::string>{"Not yet checked against published measurements."});
}

TEST(PageWords, sources_are_counted_among_the_prices_used) {
  Sheet sheet = sample_sheet();
  EXPECT_EQ(notes_of(sheet)[2].sentences.back(),
            "Sources: 16 offers of 1 provider; each input with source and date in sheet.json.");
  for (SheetPrice& price : sheet.prices) price.used = false;
  EXPECT_EQ(notes_of(sheet)[2].sentences.back(),
            "Sources: each input with source and date in sheet.json.");
  sheet.meta.base_url = "https://sizing.example.com/";
  EXPECT_EQ(notes_of(sheet)[2].sentences.back(), "Sources: each input with source and date at");
  EXPECT_EQ(notes_of(sheet)[2].link, "https://sizing.example.com/");
}

TEST(PageWords, whom_to_ask_and_when_the_next_one_comes) {
  Sheet sheet = sample_sheet();
  sheet.options.contact = "capacity@example.com";
  sheet.options.next_edition = "2027-Q1";
  const std::vector<std::string> said = notes_of(sheet)[2].sentences;
  EXPECT_TRUE(contains(said, "Questions: capacity@example.com."));
  EXPECT_TRUE(contains(said, "Next edition: 2027-Q1."));
}

TEST(Findings, are_the_risks_of_the_picks_without_a_baseline) {
  Sheet sheet = sample_sheet();
  sheet.risks = {{"one-seller", 3, 27, "picks of one seller", "MI300X from elm"}};
  const FindingsPage page = findings_of(sheet, sheet.model("llama-3.1-70b"));
  EXPECT_EQ(page.titles.front(), "What may move these picks");
  ASSERT_EQ(page.findings.size(), 1U);
  EXPECT_EQ(page.findings[0].before, "3 of 27");
  EXPECT_EQ(page.findings[0].subject, "picks of one seller");
  EXPECT_EQ(page.findings[0].detail, "MI300X from elm");
}

std::vector<std::string> told(const Finding& finding) {
  return {finding.before, finding.subject, finding.detail, finding.word};
}

using Told = std::vector<std::string>;

TEST(PlanFindings, come_first_and_say_what_to_hold_and_what_would_change_it) {
  const FindingsPage page =
      with_plan_first({{"What may move these picks"}, "", {{}}}, planned_sheet());
  EXPECT_EQ(page.titles, Told{"The plan, and what may move these picks"});
  ASSERT_EQ(page.findings.size(), 3U);
  EXPECT_EQ(told(page.findings[0]),
            (Told{"$92,620", "6 months: 4 machines and reservations",
                  "the rest by the hour; all rented $101,882, +10.0\u00a0%", ""}));
  EXPECT_EQ(told(page.findings[1]),
            (Told{"−20\u00a0%", "rents: then no 8x H200, joined",
                  "rents +50\u00a0%: 2 × 8x B200 node; demand −40\u00a0%: 8x H200, joined", ""}));
  EXPECT_EQ(page.findings[1].brief, "demand −40\u00a0%: 8x H200, joined");
}

TEST(PlanFindings, say_one_machine_by_its_name) {
  Sheet sheet = planned_sheet();
  SheetPlan& plan = *sheet.plan;
  plan.demand.example = true;
  plan.pools.erase(plan.pools.begin() + 1, plan.pools.end());
  plan.all_rented.usd.reset();
  plan.flips.clear();
  const FindingsPage page = with_plan_first({}, sheet);
  ASSERT_EQ(page.findings.size(), 1U);
  EXPECT_EQ(told(page.findings[0]), (Told{"$92,620", "6 months: 2 × 8x H200, joined",
                                          "not all of it can be rented by the hour", "example"}));
}

TEST(PlanFindings, say_that_there_is_no_plan) {
  Sheet sheet = planned_sheet();
  sheet.plan->totals.why = "the budget is too small";
  EXPECT_EQ(told(with_plan_first({}, sheet).findings.at(0)),
            (Told{"none", "No plan of 6 months", "the budget is too small", ""}));
  sheet.plan.reset();
  EXPECT_TRUE(with_plan_first({}, sheet).findings.empty());
}

}  // namespace
}  // namespace sizesheet::pdf
