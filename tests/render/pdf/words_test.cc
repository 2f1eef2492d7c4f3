// SPDX-License-Identifier: Apache-2.0
// The page's words and figures before anything is placed.
#include <gtest/gtest.h>

#include <algorithm>

#include "catalog/prices/price.h"
#include "evidence/accuracy.h"
#include "render/decision_words.h"
#include "render/pdf/notes.h"
#include "render/pdf/panels/panel_findings.h"
#include "render/pdf/panels/panel_ranges.h"
#include "render/pdf/panels/panel_use.h"
#include "render/pdf/panels/panels.h"
#include "render/pdf/table/columns.h"
#include "render/pdf/table/table.h"
#include "render/pdf/table/table_text.h"
#include "render/sample_sheet.h"
#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/project.h"
#include "sheet/quarterly.h"
#include "sheet/services.h"
#include "sheet/sheet.h"
#include "support/json.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet::pdf {
namespace {

MicroUsd dollars(std::int64_t usd) { return {usd * 1'000'000}; }

const Cell& cell_in(const RowText& row, std::string_view column) {
  return row.cells[column_index(column)];
}

std::string said(const RowText& row, std::string_view column) {
  const Cell& cell = cell_in(row, column);
  return cell.forms.empty() ? "" : cell.forms.front();
}

RowText first_row(const Sheet& sheet) { return table_text(sheet).groups[0].rows[0]; }

/// The row of the first pick, with a set-up of these dollars.
Sheet with_set_up(UsdRange usd) {
  Sheet sheet = tiny_sheet();
  Row& row = *std::ranges::find_if(
      sheet.rows, [&](const Row& one) { return one.key() == sheet.picks[0].rent_key; });
  RunCandidate run;
  run.usd = usd;
  run.provider = "elm";
  row.candidates = {run};
  row.chosen = 0;
  row.rents[kOnDemand]->usd_per_run = usd.mid;
  return sheet;
}

TEST(TableText, dollars_have_two_or_three_digits_and_ranges_two) {
  const auto shown = [](UsdRange usd) {
    const RowText row = first_row(with_set_up(usd));
    return said(row, "per_run") + " " + said(row, "range");
  };
  EXPECT_EQ(shown({dollars(531), dollars(662), dollars(814)}), "662 530–810");
  EXPECT_EQ(shown({dollars(2), dollars(3), dollars(4)}), "3.0 2.0–4.0");
  EXPECT_EQ(shown({dollars(3010), dollars(3594), dollars(4910)}), "3,590 3,000–4,900");
}

TEST(TableText, a_seller_goes_by_the_name_people_use) {
  Sheet sheet = with_set_up({dollars(5), dollars(6), dollars(7)});
  EXPECT_EQ(said(first_row(sheet), "seller"), "elm");
  sheet.inputs["providers"] =
      Json::array({{{"id", "elm"}, {"title", "Elm Holdings Ltd"}, {"short_title", "Elm"}}});
  EXPECT_EQ(said(first_row(sheet), "seller"), "Elm");
}

TEST(TableText, the_second_source_is_a_set_up_a_seller_and_a_difference) {
  Sheet sheet = with_set_up({dollars(50), dollars(60), dollars(70)});
  EXPECT_EQ(said(first_row(sheet), "next"), "none");
  EXPECT_EQ(said(first_row(sheet), "next_away"), "–");
  SecondSource second;
  second.provider = "oak";
  second.gpu = sheet.gpus[1].id;
  second.gpus = 4;
  second.usd = dollars(75);
  sheet.picks[0].second_source = second;
  EXPECT_EQ(said(first_row(sheet), "next"), "4\u00a0×\u00a0" + sheet.gpus[1].short_name + ", oak");
  EXPECT_EQ(said(first_row(sheet), "next_away"), "+25\u00a0%");
  sheet.picks[0].second_source->usd = dollars(45);
  EXPECT_EQ(said(first_row(sheet), "next_away"), "−25\u00a0%") << "dearer for a surer range";
}

TEST(TableText, two_marks_are_memory_and_one_seller) {
  Sheet sheet = with_set_up({dollars(50), dollars(60), dollars(70)});
  for (Row& row : sheet.rows) row.device_high = row.memory.capacity;
  EXPECT_FALSE(cell_in(first_row(sheet), "pick").unsure);
  EXPECT_FALSE(cell_in(first_row(sheet), "pick").one_seller);
  EXPECT_FALSE(table_text(sheet).lone);
  for (Row& row : sheet.rows) row.device_high = row.memory.capacity + 1;
  sheet.picks[0].exposed = true;
  EXPECT_TRUE(cell_in(first_row(sheet), "pick").unsure);
  EXPECT_TRUE(cell_in(first_row(sheet), "pick").one_seller);
  EXPECT_TRUE(table_text(sheet).doubts);
  EXPECT_TRUE(table_text(sheet).lone);
}

/// The first row of a sheet with a machine for it.
Sheet with_machine(bool used, bool measured) {
  Sheet sheet = tiny_sheet();
  for (Row& row : sheet.rows) {
    if (!row.owned) continue;
    row.owned->used = used;
    row.owned->measured = measured;
    row.owned->gpus = 8;
    row.owned->unused_gpus = 0;
    row.owned->gpu = sheet.gpus[0].id;
    row.owned->capex_usd = dollars(480'000);
    row.owned->usd_per_run = dollars(39);
    row.owned->rent_usd_per_run = dollars(60);
    row.owned->break_even_hours_per_month = 213.6;
    row.owned->decision.reset();
  }
  return sheet;
}

TEST(TableText, a_machine_says_whether_it_is_used_what_a_run_costs_and_from_when_it_pays) {
  const RowText used = first_row(with_machine(true, true));
  EXPECT_EQ(said(used, "machine_count"), "8\u00a0×");
  EXPECT_EQ(said(used, "machine"), tiny_sheet().gpus[0].short_name + " used");
  EXPECT_EQ(said(used, "capex"), "480\u00a0k");
  EXPECT_EQ(said(used, "own"), "39");
  EXPECT_EQ(said(used, "break_even"), "214");
  const RowText guessed = first_row(with_machine(false, false));
  EXPECT_EQ(said(guessed, "machine"), tiny_sheet().gpus[0].short_name);
  EXPECT_EQ(said(guessed, "own"), "~39");
  EXPECT_EQ(said(guessed, "break_even"), "214");
  EXPECT_EQ(table_text(tiny_sheet()).use_words,
            "at " + format_number(tiny_sheet().options.planned_hours_per_month, 0) + " h");
}

TEST(TableText, a_machine_without_a_price_has_no_quote_and_one_that_never_pays_says_never) {
  Sheet sheet = with_machine(false, true);
  for (Row& row : sheet.rows) {
    if (row.owned) row.owned->break_even_hours_per_month.reset();
  }
  EXPECT_EQ(said(first_row(sheet), "break_even"), "never");
  EXPECT_TRUE(table_text(sheet).never);
  for (Row& row : sheet.rows) {
    if (row.owned) row.owned->rent_usd_per_run.reset();
  }
  EXPECT_EQ(said(first_row(sheet), "break_even"), "–") << "there is nothing to break even with";
  for (Row& row : sheet.rows) row.owned.reset();
  EXPECT_EQ(said(first_row(sheet), "machine"), "no quote");
  EXPECT_EQ(said(first_row(sheet), "capex"), "–");
}

TEST(TableText, a_service_has_its_price_where_there_is_one) {
  Sheet sheet = tiny_sheet();
  for (Row& row : sheet.rows) row.service.reset();
  EXPECT_EQ(said(first_row(sheet), "service"), "–");
  for (Row& row : sheet.rows) row.service = RowService{"elm", "elm/lora", dollars(190)};
  EXPECT_EQ(said(first_row(sheet), "service"), "190");
}

/// The fewest that fit wherever there are any, the fewest that hold where there are none, a word
/// where there are neither.
TEST(TableText, a_count_its_mark_or_a_word) {
  struct Case {
    std::optional<std::int64_t> tight, rentable;
    bool modelled;
    const char* text;
    bool unsure;
    bool is_word;
  };
  for (const Case& c : {Case{2, 2, true, "2", false, false}, Case{8, 16, true, "16", false, false},
                        Case{8, {}, true, "8", true, false}, Case{{}, {}, true, "no", false, true},
                        Case{8, 8, false, "n/a", false, true}}) {
    Sheet sheet = tiny_sheet();
    for (Row& row : sheet.rows) {
      if (row.gpu != "gb10") continue;
      row.tight = c.tight;
      row.rentable = row.certain_from = c.rentable;
      row.modelled = c.modelled;
    }
    const Cell cell = first_row(sheet).counts[1];
    EXPECT_EQ(cell.forms.front(), c.text);
    EXPECT_EQ(cell.unsure, c.unsure) << c.text;
    EXPECT_EQ(cell.is_word, c.is_word) << c.text;
  }
}

TEST(TableText, only_a_stated_demand_has_a_word) {
  Sheet sheet = with_machine(false, true);
  for (Row& row : sheet.rows) {
    if (row.owned) row.owned->advice = "buy";
  }
  EXPECT_EQ(said(first_row(sheet), "advice"), "");
  for (Row& row : sheet.rows) {
    if (row.owned) row.owned->decision = RentOrOwn::kBuy;
  }
  EXPECT_EQ(said(first_row(sheet), "advice"), "buy");
}

TEST(TableText, no_pick_is_no_or_no_price) {
  Sheet sheet = tiny_sheet();
  for (Pick& pick : sheet.picks) pick.rent_key = pick.buy_key = std::nullopt;
  EXPECT_EQ(said(first_row(sheet), "pick"), "–");
  for (Row& row : sheet.rows) {
    row.tight.reset();
    row.rentable.reset();
  }
  EXPECT_EQ(said(first_row(sheet), "pick"), "no");
}

TEST(PageWords, provenance_is_days_and_money) {
  Sheet sheet = sample_sheet();
  EXPECT_EQ(provenance(sheet),
            "prices seen 2\u00a0Oct to 18\u00a0Nov\u00a0"
            "2026 · USD before tax");
  sheet.meta.price_from = "2025-12";
  EXPECT_EQ(provenance(sheet),
            "prices seen Dec\u00a0"
            "2025 to 18\u00a0Nov\u00a0"
            "2026 · USD before tax");
  sheet.meta.price_from = sheet.meta.price_as_of;
  EXPECT_EQ(provenance(sheet),
            "prices seen 18\u00a0Nov\u00a0"
            "2026 · USD before tax");
}

TEST(PageWords, accuracy_leads_with_runs_the_engine_was_not_fitted_to) {
  Sheet sheet = sample_sheet();
  sheet.accuracy->speed.all.errors = ErrorStats{};
  sheet.accuracy->speed.all.errors->n = 215;
  sheet.accuracy->speed.all.errors->median = 0.039;
  const std::vector<std::string> said = notes_of(sheet)[1].sentences;
  ASSERT_EQ(said.size(), 2U);
  EXPECT_EQ(said[0],
            "Median error on runs left out of the calibration: memory 2.5\u00a0% (1 run).");
  EXPECT_EQ(said[1], "On all published runs: memory 5.0\u00a0%, speed 3.9\u00a0%.");
  sheet.accuracy->speed.all.errors.reset();
  sheet.accuracy->held_out.errors.reset();
  EXPECT_EQ(notes_of(sheet)[1].sentences,
            std::vector<std::string>{"On all published runs: memory 5.0\u00a0%."});
  sheet.accuracy.reset();
  EXPECT_EQ(notes_of(sheet)[1].sentences,
            std::vector<std::string>{"Not yet checked against published measurements."});
}

TEST(PageWords, where_each_input_has_its_source) {
  Sheet sheet = sample_sheet();
  EXPECT_EQ(notes_of(sheet)[3].sentences.back(),
            "Source and date of every input: sheet.json (catalog 3f9c2ab71e04).");
  sheet.meta.base_url = "https://sizing.example.com/";
  EXPECT_EQ(notes_of(sheet)[3].sentences.back(),
            "Source and date of every input: at the link (catalog 3f9c2ab71e04).");
  EXPECT_EQ(notes_of(sheet)[3].link, "https://sizing.example.com/");
}

TEST(PageWords, whom_to_ask_and_when_the_next_one_comes) {
  Sheet sheet = sample_sheet();
  EXPECT_EQ(notes_of(sheet)[3].title, "Edition");
  sheet.options.contact = "capacity@example.com";
  sheet.options.next_edition = "2027-Q1";
  const Note note = notes_of(sheet)[3];
  EXPECT_EQ(note.title, "Owner");
  EXPECT_TRUE(contains(note.sentences, "Questions: capacity@example.com."));
  EXPECT_TRUE(contains(note.sentences, "Next edition: 2027-Q1."));
}

TEST(PageWords, services_are_named_in_the_method) {
  Sheet sheet = tiny_sheet();
  for (Row& row : sheet.rows) row.service = RowService{"elm", "elm/lora", dollars(190)};
  EXPECT_TRUE(contains(notes_of(sheet)[0].sentences, "Service: the lowest of elm."));
}

TEST(PageWords, a_project_that_the_sheet_asks_for_has_a_note) {
  Sheet sheet = sample_sheet();
  Pick& pick = sheet.picks.front();
  EXPECT_EQ(notes_of(sheet).size(), 4U);
  sheet.project.emplace();
  sheet.project->model = pick.model;
  sheet.project->method = pick.method;
  ProjectCost cost;
  cost.runs = 4;
  cost.failed_share = 0.2;
  cost.runs_usd = dollars(500);
  cost.people_usd = dollars(1504);
  cost.total_usd = dollars(2004);
  cost.total_usd_low = dollars(1900);
  cost.total_usd_high = dollars(2200);
  pick.project = cost;
  const Note note = notes_of(sheet).at(3);
  EXPECT_EQ(note.title, "The whole project");
  const std::string job =
      sheet.model(pick.model).size + " " + sheet.method(pick.method).short_title;
  EXPECT_EQ(note.sentences,
            (std::vector<std::string>{
                job + ": $2,004 (1,900–2,200).",
                "4 runs, 20\u00a0% of those started lost: $500; engineering $1,504."}));
}

TEST(Findings, are_what_to_check_before_an_order_without_a_baseline) {
  Sheet sheet = sample_sheet();
  sheet.picks.clear();
  sheet.risks = {{"prices-rise", 12, 18, "list prices rose",
                  "Their median rise is 14\u00a0%, and 1 fell. For example, B200"},
                 {"one-seller", 3, 27, "picks of one seller", "MI300X from elm"}};
  const FindingsPage page = findings_of(sheet);
  EXPECT_EQ(page.titles.front(), "Before you order");
  ASSERT_EQ(page.findings.size(), 1U) << "one seller is counted anew";
  EXPECT_EQ(page.findings[0].before, "12 of 18");
  EXPECT_EQ(page.findings[0].subject,
            "of the compared list prices rose within 90 days; their median rise is 14\u00a0%");
  sheet.risks.clear();
  EXPECT_EQ(findings_of(sheet).findings.front().before, "none");
}

TEST(Findings, lead_with_the_risk_of_most_jobs) {
  const FindingsPage page = findings_of(quarterly_sheet());
  const JobsAtRisk most = jobs_at_risk(quarterly_sheet()).front();
  EXPECT_EQ(page.findings.front().before,
            format_integer(most.count) + " of " + format_integer(most.of));
}

TEST(UseTitles, say_up_to_when_renting_wins) {
  EXPECT_EQ(use_titles({{100, 27, 0}, {300, 27, 0}, {438, 13, 14}}).front(),
            "Up to 300\u00a0h per month, all 27 jobs are cheaper to rent");
  EXPECT_EQ(use_titles({{100, 27, 0}, {730, 27, 0}}).front(),
            "Renting is cheaper for all 27 jobs at any use");
  EXPECT_EQ(use_titles({{100, 20, 7}}).front(),
            "At 100\u00a0h per month, owning is cheaper for 7 of 27");
}

TEST(RangeTitles, name_the_cheaper_card_where_the_pick_is_dearer_on_average) {
  const Sheet& sheet = quarterly_sheet();
  for (const Pick& pick : sheet.picks) {
    const Row* row = rent_pick_row(sheet, pick.model, pick.method);
    if (row == nullptr || row->set_up() == nullptr) continue;
    const std::vector<const Row*> rows = compared_rows(sheet, *row, 20);
    const std::string title = ranges_titles(sheet, *row).front();
    const bool least = rows.front() == row;
    EXPECT_EQ(title.find("is surer") == title.npos, least || rows.size() < 2) << title;
    EXPECT_TRUE(std::ranges::find(rows, row) != rows.end()) << title;
  }
}

}  // namespace
}  // namespace sizesheet::pdf
