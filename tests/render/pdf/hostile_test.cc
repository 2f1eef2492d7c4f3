// SPDX-License-Identifier: Apache-2.0
// Names that no font has or no column holds: fitted and warned about, never blank, never
// overlapping.
#include <gtest/gtest.h>

#include <algorithm>

#include "render/pdf/layout_checks.h"
#include "render/sample_sheet.h"
#include "support/refusal.h"

namespace sizesheet::pdf {
namespace {

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
      EXPECT_EQ(overlaps(page), Texts{}) << hostile.name;
      EXPECT_EQ(outside(page, 24, paper == Paper::kA4 ? 577 : 594), Texts{}) << hostile.name;
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
  const auto warned = [&](const char* text) {
    return std::find(warnings.begin(), warnings.end(), text) != warnings.end();
  };
  const std::string name = "\"Fine-tuning of everything\" is too long; printed as ";
  EXPECT_TRUE(warned(("GPU name " + name + "\"Fine-tuni…\"").c_str())) << join(warnings, "\n");
  EXPECT_TRUE(warned(("method " + name + "\"Fine-t…\"").c_str()));
  EXPECT_TRUE(warned(("size " + name + "\"Fine-tunin…\"").c_str()));
}

TEST(Hostile, an_ordinary_sheet_has_no_warnings) {
  EXPECT_EQ(page_of(sample_sheet(), Paper::kA4).warnings, Texts{});
  EXPECT_EQ(page_of(sample_sheet(), Paper::kLetter).warnings, Texts{});
  EXPECT_EQ(page_of(tiny_sheet(), Paper::kA4).warnings, Texts{});
}

}  // namespace
}  // namespace sizesheet::pdf
