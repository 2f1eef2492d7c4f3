// SPDX-License-Identifier: Apache-2.0
// The laid-out page: nothing overlaps, nothing leaves the page, all answers stand; which sizes
// chosen for it stand on it; names that no font has or no column holds are fitted and warned about;
// and sheets at its limits, as kept in goldens.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <regex>

#include "render/decision_words.h"
#include "render/pdf/crowded_sheet.h"
#include "render/pdf/drawing/sketch.h"
#include "render/pdf/layout_checks.h"
#include "render/pdf/notes.h"
#include "render/pdf/page/page_layout.h"
#include "render/pdf/table/page_rows.h"
#include "render/pdf/table/table.h"
#include "render/pdf/table/table_text.h"
#include "render/sample_sheet.h"
#include "sheet/changes.h"
#include "sheet/decided_jobs.h"
#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/quarterly.h"
#include "sheet/seller_names.h"
#include "sheet/sheet.h"
#include "support/due.h"
#include "support/error.h"
#include "support/golden.h"
#include "support/json.h"
#include "support/money.h"
#include "support/refusal.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet::pdf {
namespace {

/// The quarterly sheet with changes, as with a baseline.
Sheet changed_quarterly() {
  Sheet sheet = quarterly_sheet();
  sheet.changes = sample_changes();
  return sheet;
}

void expect_sound(const Sheet& sheet, const char* what) {
  for (const Paper paper : {Paper::kA4, Paper::kLetter}) {
    const PageLayout page = page_of(sheet, paper);
    const std::string where = std::string(what) + (paper == Paper::kA4 ? ", A4" : ", Letter");
    EXPECT_EQ(faults(page, paper), Texts{}) << where;
  }
}

TEST(LayOut, is_sound_for_every_highlighted_size) {
  expect_sound(tiny_sheet(), "tiny");
  Sheet sheet = sample_sheet();
  for (const SheetModel& model : sample_sheet().models) {
    sheet.options.highlight_model = model.id;
    expect_sound(sheet, model.id.c_str());
  }
}

TEST(LayOut, is_sound_with_a_link_without_other_stacks_and_at_every_density) {
  Sheet sheet = sample_sheet();
  sheet.meta.base_url = "https://sizing.example.com/2026-Q4/";
  expect_sound(sheet, "with a link");
  sheet = sample_sheet();
  sheet.scenarios.resize(1);
  expect_sound(sheet, "one scenario");
  for (std::size_t models = 1; models <= 12; ++models) {
    sheet = crowded_sheet(models, 3, 9);
    sheet.scenarios = sample_sheet().scenarios;
    expect_sound(sheet, "models");
  }
}

/// Of the quarterly sheet: each line has the set-up to rent, its seller, hours and dollars, and the
/// machine to own with its break-even.
TEST(LayOut, every_pick_stands_in_its_row) {
  const Sheet& sheet = quarterly_sheet();
  const PageLayout page = page_of(sheet, Paper::kA4);
  const std::size_t groups = handout_models(sheet).size();
  std::vector<std::string> lines;
  for (const TextRun& run : text_runs(page)) {
    std::vector<std::string> words = line_at(page, run.start.y);
    std::erase(words, "?");  // the mark of what is not certain
    lines.push_back(join(words, " | "));
  }
  std::size_t rows = 0;
  for (const DecidedJob& job : decided_jobs(sheet)) {
    const OwnPick& own = job.pick->own.value();
    const std::string wanted =
        format_integer(job.run->gpus) + "\u00a0× | " + sheet.gpu(job.run->gpu).short_name + " | " +
        seller_name(sheet, job.run->provider) + " | " + few_digits_usd(job.run->usd.mid) + " | ";
    const std::string hours = std::string(" | ") + (job.run->measured ? "" : "~") +
                              few_digits_hours(job.run->hours.mid) + " | ";
    const std::string even = own.break_even_hours_per_month
                                 ? format_number(*own.break_even_hours_per_month, 0)
                                 : "never";
    const auto found = std::ranges::find_if(lines, [&](const std::string& line) {
      return line.find(wanted) != line.npos && line.find(hours) != line.npos &&
             line.find(" | " + even) != line.npos;
    });
    EXPECT_TRUE(found != lines.end()) << wanted << " … " << even;
    ++rows;
  }
  EXPECT_EQ(rows, groups * sheet.methods.size());
}

/// The page that goes to people: everything on it, nothing cut, on both papers.
TEST(LayOut, the_quarterly_page_is_whole_and_says_rent_own_and_break_even) {
  for (Sheet sheet : {quarterly_sheet(), changed_quarterly()}) {
    for (const Paper paper : {Paper::kA4, Paper::kLetter}) {
      const PageLayout page = page_of(sheet, paper);
      EXPECT_EQ(faults(page, paper), Texts{});
      EXPECT_EQ(page.warnings, Texts{});
      const std::string text = all_text(page);
      for (const char* word :
           {"Rent by the hour", "Own", "break-even", "If that is sold out", "Service",
            "Compare costs within one method", "Largest uncertainty"}) {
        EXPECT_NE(text.find(word), text.npos) << word;
      }
      EXPECT_EQ(text.find("…"), text.npos) << "something is cut";
      EXPECT_EQ(text.find("P6000"), text.npos) << "that is another card";
      for (const SheetPrice& price : sheet.prices) {
        const std::string name = seller_name(sheet, price.provider);
        if (name == price.provider) continue;
        for (const TextRun& run : text_runs(page)) EXPECT_NE(run.text, price.provider);
      }
      for (const TextRun& run : text_runs(page)) {
        EXPECT_GE(run.style.size, 8.5) << run.text;
        EXPECT_EQ(run.text.find("buy"), run.text.npos) << run.text << ": nobody stated a demand";
      }
    }
  }
}

TEST(LayOut, no_base_url_no_link_and_no_code) {
  const PageLayout without = page_of(sample_sheet(), Paper::kA4);
  EXPECT_TRUE(without.links.empty());
  Sheet sheet = sample_sheet();
  sheet.meta.base_url = "https://sizing.example.com/";
  const PageLayout with = page_of(sheet, Paper::kA4);
  ASSERT_EQ(with.links.size(), 2U);
  EXPECT_EQ(with.links[0].url, "https://sizing.example.com/");
  EXPECT_EQ(with.links[1].url, "https://sizing.example.com/");
}

TEST(LayOut, an_empty_sheet_is_refused) {
  Sheet sheet = sample_sheet();
  sheet.models.clear();
  EXPECT_THROW(page_of(sheet, Paper::kA4), InputError);
}

TEST(LayOut, a_sheet_where_nothing_fits_says_so) {
  Sheet sheet = tiny_sheet();
  for (Row& row : sheet.rows) {
    row.rentable.reset();
    row.tight.reset();
  }
  for (Pick& pick : sheet.picks) pick.rent_key = pick.buy_key = std::nullopt;
  expect_sound(sheet, "nothing fits");
  EXPECT_NE(all_text(page_of(sheet, Paper::kA4)).find("No set-up has a price\n"),
            std::string::npos);
}

bool has_warning(const PageLayout& page, const std::string& words) {
  return std::ranges::find(page.warnings, words) != page.warnings.end();
}

TEST(LayOut, numbers_that_fit_nowhere_cost_their_column_and_not_the_page) {
  Sheet sheet = tiny_sheet();
  for (Row& row : sheet.rows) {
    if (row.hours_mid) row.hours_mid = 1e19;
  }
  for (const Paper paper : {Paper::kA4, Paper::kLetter}) {
    const PageLayout page = page_of(sheet, paper);
    EXPECT_EQ(faults(page, paper), Texts{});
    EXPECT_TRUE(has_warning(page, "table: the column \"hours\" has no room"))
        << join(page.warnings, "\n");
    EXPECT_NE(all_text(page).find("left out\nhours\n"), std::string::npos) << all_text(page);
  }
}

/// Of every amount, from cents to what a sheet in dong costs: each is shortened, or costs a column.
TEST(LayOut, amounts_of_every_size_stand_on_the_page) {
  for (double factor = 1e-3; factor < 2e8; factor *= 7) {
    Sheet sheet = sample_sheet();
    magnify(sheet, factor);
    for (Row& row : sheet.rows) {
      for (RunCandidate& one : row.candidates) {
        for (MicroUsd* usd : {&one.usd.low, &one.usd.mid, &one.usd.high}) {
          usd->value = std::llround(static_cast<double>(usd->value) * factor);
        }
      }
    }
    for (const Paper paper : {Paper::kA4, Paper::kLetter}) {
      EXPECT_EQ(faults(page_of(sheet, paper), paper), Texts{}) << factor;
    }
  }
}

Sheet sample_of(const Texts& models) {
  Sheet sheet = sample_sheet();
  sheet.options.handout_models = models;
  return sheet;
}

Texts sizes_of(const Sheet& sheet) {
  Texts sizes;
  for (const GroupText& group : table_text(sheet).groups) sizes.push_back(group.size);
  return sizes;
}

TEST(Handout, without_a_choice_every_model_is_on_the_page) {
  const Sheet& sheet = sample_sheet();
  EXPECT_EQ(handout_models(sheet).size(), sheet.models.size());
  EXPECT_EQ(shown_models_words(sheet), "");
}

TEST(Handout, the_chosen_models_stand_there_in_the_order_of_the_sheet) {
  const Sheet sheet = sample_of({"llama-3.1-70b", "size-7b"});
  EXPECT_EQ(sizes_of(sheet), (Texts{"7B", "70B"}));
  EXPECT_EQ(shown_models_words(sheet), "2 of 9 models");
}

TEST(Handout, the_page_says_how_many_it_shows_and_names_no_other_size) {
  const Sheet sheet = sample_of({"size-7b", "llama-3.1-70b"});
  for (const Paper paper : {Paper::kA4, Paper::kLetter}) {
    const PageLayout page = page_of(sheet, paper);
    const std::string text = all_text(page);
    EXPECT_NE(text.find("The site also has 7 more models."), std::string::npos);
    EXPECT_EQ(faults(page, paper), Texts{});
    for (const TextRun& run : text_runs(page)) {
      for (const char* other : {"13B", "32B", "100B", "400B"}) {
        EXPECT_EQ(run.text.find(other), std::string::npos) << run.text;
      }
    }
  }
}

TEST(Handout, a_crowded_sheet_is_laid_out_by_choosing) {
  Sheet sheet = crowded_sheet(77, 3, 9);
  EXPECT_THROW(page_of(sheet, Paper::kA4), InputError);
  for (std::size_t i = 0; i < 9; ++i) {
    sheet.options.handout_models.push_back(sheet.models[8 * i].id);
  }
  const PageLayout page = page_of(sheet, Paper::kA4);
  EXPECT_EQ(faults(page, Paper::kA4), Texts{});
  EXPECT_NE(all_text(page).find("68 more models"), std::string::npos);
}

Texts gpus_shown(const Sheet& sheet, std::size_t most = 1000) {
  Texts ids;
  for (const SheetGpu* gpu : gpus_of_page(sheet, most).shown) ids.push_back(gpu->id);
  return ids;
}

TEST(Handout, its_gpus_are_those_chosen_in_the_order_of_the_sheet) {
  Sheet sheet = sample_sheet();
  const Texts all = each_of(sheet.gpus, &SheetGpu::id);
  EXPECT_EQ(gpus_shown(sheet), all);
  sheet.options.handout_gpus = {all[1], all[4]};
  EXPECT_EQ(gpus_shown(sheet), (Texts{all[1], all[4]}));
  EXPECT_EQ(gpus_of_page(sheet).elsewhere.size(), all.size() - 2);
  EXPECT_EQ(table_text(sheet).gpus.size(), 2U);
  EXPECT_EQ(table_text(sheet).groups[0].rows[0].counts.size(), 2U);
}

TEST(Handout, where_some_have_no_room_the_most_picked_are_shown) {
  const Sheet& sheet = sample_sheet();
  std::map<std::string, int> picks;
  for (const Pick& pick : sheet.picks) {
    if (const Row* row = shown_row(sheet, pick.model, pick.method)) ++picks[row->gpu];
  }
  for (std::size_t most = 1; most < sheet.gpus.size(); ++most) {
    const Texts shown = gpus_shown(sheet, most);
    EXPECT_EQ(shown.size(), most);
    for (const SheetGpu& gpu : sheet.gpus) {
      if (contains(shown, gpu.id)) continue;
      for (const std::string& other : shown) EXPECT_GE(picks[other], picks[gpu.id]) << most;
    }
  }
}

/// From as many as fit to all that a catalog has.
TEST(Handout, a_sheet_of_any_number_of_gpus_has_a_page_that_names_those_left_out) {
  for (const std::size_t types : {4U, 9U, 14U, 17U, 24U, 40U}) {
    const Sheet sheet = crowded_sheet(6, 3, types);
    for (const Paper paper : {Paper::kA4, Paper::kLetter}) {
      const PageLayout page = page_of(sheet, paper);
      EXPECT_EQ(faults(page, paper), Texts{}) << types;
      const bool told = all_text(page).find("The site also has ") != std::string::npos;
      if (types <= 4 || types > 16) {
        EXPECT_EQ(told, types > 16) << types;
      }
    }
  }
}

TEST(Handout, chosen_gpus_beyond_the_room_are_told) {
  Sheet sheet = crowded_sheet(6, 3, 40);
  sheet.options.handout_gpus = each_of(sheet.gpus, &SheetGpu::id);
  const PageLayout page = page_of(sheet, Paper::kA4);
  const bool told = std::ranges::any_of(page.warnings, [](const std::string& warning) {
    return warning.starts_with("handout/gpus: ") &&
           warning.ends_with(" of 40 GPU types have room; the others are left to the site");
  });
  EXPECT_TRUE(told) << join(page.warnings, "\n");
}

TEST(Handout, the_changes_are_those_of_the_models_on_the_page) {
  SheetChanges all = sample_changes();
  const Sheet sheet = sample_of({"size-7b", "llama-3.1-70b"});
  Change row;
  row.of = "row";
  row.model = "size-7b";
  row.because = {all.moved.at(0).id};
  all.changes.push_back(row);
  const SheetChanges shown = handout_changes(all, sheet);
  EXPECT_GT(shown.moved.at(0).rows, 0);
  ASSERT_LT(shown.changes.size(), all.changes.size());
  std::int64_t moved = 0;
  for (const Change& change : shown.changes) {
    EXPECT_TRUE(sheet.on_handout(change.model)) << change.key;
    moved += change.of == "pick" && change.level != "detail" ? 1 : 0;
  }
  EXPECT_EQ(shown.picks.breaking + shown.picks.notable, moved);
  EXPECT_EQ(shown.picks.compared, 2 * static_cast<std::int64_t>(sheet.methods.size()));
  for (const MovedInput& input : shown.moved) {
    std::int64_t rows = 0;
    for (const Change& change : shown.changes) {
      const auto& names = change.because;
      rows += change.of == "row" && std::count(names.begin(), names.end(), input.id) > 0 ? 1 : 0;
    }
    EXPECT_EQ(input.rows, rows) << input.id;
  }
}

TEST(Handout, without_a_choice_the_changes_stay_as_they_are) {
  const SheetChanges all = sample_changes();
  const SheetChanges shown = handout_changes(all, sample_sheet());
  EXPECT_EQ(shown.changes.size(), all.changes.size());
  EXPECT_EQ(shown.moved, all.moved);
  EXPECT_EQ(shown.picks.compared, all.picks.compared);
}

/// The sample sheet with one text in every place that a catalog can fill.
Sheet filled_with(const std::string& text) {
  Sheet sheet = sample_sheet();
  sheet.meta.title = text;
  sheet.models[6].size = text;
  sheet.models[6].short_note = text;
  sheet.models[2].short_note = text;
  sheet.methods[1].short_title = text;
  sheet.gpus[4].short_name = text;
  sheet.gpus[4].tiny_name = text;
  for (Scenario& scenario : sheet.scenarios) {
    scenario.title = text;
    scenario.stack_title = text;
    scenario.summary = text;
  }
  for (Row& row : sheet.rows) {
    if (!row.modelled) row.refusal = text;
  }
  return sheet;
}

struct Hostile {
  const char* name;
  std::string text;
  std::string expected;  ///< what of it stands on the page
};

std::vector<Hostile> hostile_texts() {
  std::string nine_bits;
  for (int i = 0; i < 100; ++i) nine_bits += "Ä";
  return {{"Japanese", "日本", "??\n"},
          {"emoji", "\U0001F600", "?\n"},
          {"200 letters", std::string(200, 'W'), "W…\n"},
          {"200 letters of nine bits", nine_bits, "Ä…\n"},
          {"right to left", "שלום", "????\n"},
          {"broken UTF-8", "a\xff\xfe z", "a?? z\n"},
          {"control characters", "a\x01\tb\nc", "a b c\n"},
          {"markup", "<b>&\"x\\(y)", "<b>&\"x\\(y)\n"}};
}

TEST(Hostile, texts_are_fitted_and_never_blank) {
  for (const Hostile& hostile : hostile_texts()) {
    const Sheet sheet = filled_with(hostile.text);
    for (const Paper paper : {Paper::kA4, Paper::kLetter}) {
      const PageLayout page = page_of(sheet, paper);
      EXPECT_EQ(faults(page, paper), Texts{}) << hostile.name;
      EXPECT_NE(all_text(page).find(hostile.expected), std::string::npos) << hostile.name;
    }
  }
}

Texts warnings_for(const std::string& text) {
  return page_of(filled_with(text), Paper::kA4).warnings;
}

TEST(Hostile, a_lacking_character_is_warned_about_once) {
  EXPECT_EQ(warnings_for("日本"), Texts{"\"日本\": the fonts lack U+65E5, U+672C; printed as ?"});
}

TEST(Hostile, cut_names_are_warned_about_with_what_is_printed) {
  const Texts warnings = warnings_for("Fine-tuning of everything");
  const std::string name = " \"Fine-tuning of everything\" is too long; printed as \"Fine-tun";
  for (const char* what : {"GPU name", "size"}) {
    EXPECT_TRUE(std::ranges::any_of(
        warnings, [&](const std::string& warning) { return warning.starts_with(what + name); }))
        << what << "\n"
        << join(warnings, "\n");
  }
}

TEST(Hostile, an_ordinary_sheet_has_no_warnings) {
  EXPECT_EQ(page_of(sample_sheet(), Paper::kA4).warnings, Texts{});
  EXPECT_EQ(page_of(sample_sheet(), Paper::kLetter).warnings, Texts{});
  EXPECT_EQ(page_of(tiny_sheet(), Paper::kA4).warnings, Texts{});
}

void expect_golden_layout(const std::string& name, const Sheet& sheet, Paper paper) {
  const PageLayout page = page_of(sheet, paper);
  EXPECT_EQ(faults(page, paper), Texts{}) << name;
  expect_golden("pdf/" + name + ".txt", layout_text(page));
}

/// Every size of the panel's lists at once: 36 rows of ten types; 35 rows of five methods.
TEST(Crowded, every_size_up_to_the_limit_stands_on_both_papers) {
  std::size_t number = 0;
  for (std::size_t methods = 1; methods <= 5; ++methods) {
    for (std::size_t models = 1; models * methods <= 36 && models <= 12; ++models) {
      for (const std::size_t gpus : {1U, 5U, 9U, 10U}) {
        if (!is_due(number++, 1)) continue;
        const Sheet sheet = crowded_sheet(models, methods, gpus);
        for (const Paper paper : {Paper::kA4, Paper::kLetter}) {
          EXPECT_EQ(faults(page_of(sheet, paper), paper), Texts{})
              << models << " × " << methods << " × " << gpus << (paper == Paper::kA4 ? "" : " L");
        }
      }
    }
  }
}

/// What the program says when it cannot lay a sheet out; else its page must have no faults.
std::string judged(const Sheet& sheet, Paper paper, const std::string& name) {
  return refusal_of([&] { EXPECT_EQ(faults(page_of(sheet, paper), paper), Texts{}) << name; });
}

/// 2,000 unless the environment asks for fewer: a build with sanitizers takes fifteen times as
/// long.
std::uint32_t random_sheets() {
  const char* asked = std::getenv("SIZESHEET_RANDOM_SHEETS");
  return asked == nullptr ? 2000 : static_cast<std::uint32_t>(std::stoul(asked));
}

TEST(Crowded, random_sheets_are_sound_or_refused_by_name) {
  const std::regex kNamed(
      "sheet: no model to draw|"
      "table: \\d+ rows need \\d+ pt, \\d+ pt free; \\d+ rows fit; name the models of the page in "
      "handout/models of the sheet");
  const std::uint32_t all = random_sheets();
  std::uint32_t refused = 0;
  for (std::uint32_t number = 0; number < all; ++number) {
    const Paper paper = number % 2 == 0 ? Paper::kA4 : Paper::kLetter;
    const std::string name = "random sheet " + std::to_string(number);
    const std::string refusal = judged(random_sheet(number), paper, name);
    ASSERT_FALSE(HasFailure());
    if (refusal == "no refusal") continue;
    EXPECT_TRUE(std::regex_match(refusal, kNamed)) << name << ": " << refusal;
    ++refused;
  }
  EXPECT_GT(refused, all / 200);
  EXPECT_LT(refused, all / 10);
}

TEST(CrowdedGolden, thirty_six_rows_of_ten_types) {
  expect_golden_layout("rows-36-types-10-a4", crowded_sheet(12, 3, 10), Paper::kA4);
  expect_golden_layout("rows-36-types-10-letter", crowded_sheet(12, 3, 10), Paper::kLetter);
}

TEST(CrowdedGolden, five_methods) {
  expect_golden_layout("methods-5-a4", crowded_sheet(7, 5, 10), Paper::kA4);
}

TEST(CrowdedGolden, one_row) {
  expect_golden_layout("one-row-letter", crowded_sheet(1, 1, 1), Paper::kLetter);
}

TEST(CrowdedGolden, money_of_twelve_digits) {
  Sheet sheet = tiny_sheet();
  magnify(sheet, 1e6);
  expect_golden_layout("twelve-digits-a4", sheet, Paper::kA4);
}

TEST(CrowdedGolden, no_price_at_all) {
  Sheet sheet = tiny_sheet();
  take_prices(sheet);
  expect_golden_layout("no-prices-letter", sheet, Paper::kLetter);
}

TEST(CrowdedGolden, names_that_no_column_holds) {
  Sheet sheet = tiny_sheet();
  const std::string name = "An uncommonly long name that somebody gave to it in a hurry";
  sheet.meta.title = name + ", " + name;
  for (SheetModel& model : sheet.models) model.size = model.short_note = name;
  for (SheetMethod& method : sheet.methods) method.short_title = name;
  for (SheetGpu& gpu : sheet.gpus) gpu.short_name = gpu.tiny_name = name;
  expect_golden_layout("long-names-a4", sheet, Paper::kA4);
}

TEST(Crowded, beyond_the_limit_the_block_is_named_with_what_fits) {
  EXPECT_EQ(judged(crowded_sheet(14, 3, 9), Paper::kA4, "42 rows"),
            "table: 42 rows need 390 pt, 369 pt free; 39 rows fit; name the models of the page in "
            "handout/models of the sheet");
  EXPECT_EQ(judged(crowded_sheet(9, 3, 16), Paper::kLetter, "16 types"), "no refusal");
}

TEST(Crowded, a_label_that_has_no_room_is_named) {
  Sheet sheet = tiny_sheet();
  sheet.meta.labels = SheetLabels{{{"Rent", "Miete"}, {"GPUs", std::string(300, 'm')}}};
  EXPECT_EQ(refusal_of([&] { page_of(sheet, Paper::kA4); }),
            "table: its columns have no room on the page; of the labels, \"GPUs\" is the longest "
            "against its English: 300 bytes for 4");
}

}  // namespace

}  // namespace sizesheet::pdf
