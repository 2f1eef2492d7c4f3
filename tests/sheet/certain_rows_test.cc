// SPDX-License-Identifier: Apache-2.0
// What does not fit for certain says so wherever the quarterly sheet is told: no form says a bare
// "fits" of such a row. And each row says what it is run with.
#include <gtest/gtest.h>

#include <map>

#include "catalog/prices/price.h"
#include "cli/program.h"
#include "render/html/site.h"
#include "render/pdf/lay_out.h"
#include "render/pdf/page/page_layout.h"
#include "render/phrases.h"
#include "render/table/csv.h"
#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/quarterly.h"
#include "sheet/sheet.h"
#include "sizing/job/layout_shape.h"
#include "sizing/memory/verdict.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/named.h"
#include "support/text.h"

namespace sizesheet {
namespace {

bool is_unsure(const Row& row) { return holds(row.verdict) && row.certain() == false; }

/// "fits, not certain: up to 81.3 of 79.2 GiB; run two training steps first".
std::string words_of(const Row& row) {
  return standing_words(row.verdict, row.device_high, row.memory.capacity);
}

const FileSet& quarterly_site() {
  static const FileSet kFiles = site(quarterly_sheet());
  return kFiles;
}

/// Cells of sheet.csv by column, a row's in their order.
std::map<std::string, std::string> csv_of(const Row& row) {
  const std::vector<std::string> header = csv_header();
  const std::vector<std::string> cells = csv_cells(row);
  std::map<std::string, std::string> named;
  for (std::size_t i = 0; i < header.size(); ++i) named[header[i]] = cells[i];
  return named;
}

TEST(CertainRows, AreThoseWhoseRangeEndsOnTheCard) {
  std::size_t unsure = 0;
  for (const Row& row : quarterly_sheet().rows) {
    ASSERT_TRUE(row.certain().has_value()) << row.key();
    EXPECT_EQ(*row.certain(), row.device_high <= row.memory.capacity) << row.key();
    EXPECT_EQ(row.memory.certain, row.certain()) << row.key();
    EXPECT_EQ(row.memory.device_high, row.device_high) << row.key();
    unsure += is_unsure(row) ? 1 : 0;
    if (row.certain_from) {
      ASSERT_TRUE(row.rentable) << row.key();
      EXPECT_GE(*row.certain_from, *row.rentable) << row.key();
    }
    if (row.verdict == Verdict::kFits && *row.certain()) {
      EXPECT_LE(row.certain_from.value_or(INT64_MAX), row.layout.gpus) << row.key();
    }
  }
  EXPECT_GT(unsure, 50U) << "the sheet has such rows";
}

TEST(CertainRows, KeepTheirVerdictTheirCountsAndTheirPicks) {
  const Sheet& sheet = quarterly_sheet();
  std::size_t picked = 0;
  for (const Row& row : sheet.rows) {
    if (!is_unsure(row)) continue;
    EXPECT_EQ(csv_of(row).at("verdict"), id_of(row.verdict)) << row.key();
    picked += rent_pick_row(sheet, row.model, row.method) == &row ? 1 : 0;
  }
  EXPECT_GT(picked, 5U) << "a pick may be one of them";
}

TEST(CertainRows, SayItInSheetJsonAndCsv) {
  const Json& rows = quarterly_document().at("rows");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = quarterly_sheet().rows[i];
    EXPECT_EQ(rows[i].at("memory").at("certain"), *row.certain()) << row.key();
    EXPECT_EQ(csv_of(row).at("certain"), *row.certain() ? "true" : "false") << row.key();
    for (const Json& run : rows[i].at("candidates")) {
      EXPECT_EQ(run.at("certain"),
                run.at("device_high_bytes").get<std::int64_t>() <= row.memory.capacity)
          << row.key();
    }
    for (const Json& check : rows[i].at("counts")) {
      EXPECT_EQ(check.at("certain"),
                check.at("device_high").get<std::int64_t>() <= row.memory.capacity)
          << row.key();
    }
  }
}

TEST(CertainRows, SayWhatTheyAreRunWith) {
  const Sheet& sheet = quarterly_sheet();
  for (const Row& row : sheet.rows) {
    const auto* scenario = entry_with(sheet.scenarios, &Scenario::id, row.scenario);
    const JobChoices& choices = row.choices;
    EXPECT_EQ(choices.stack, scenario->stack) << row.key();
    EXPECT_EQ(choices.micro_batch, row.layout.micro_batch) << row.key();
    EXPECT_EQ(choices.grad_accum, row.layout.grad_accum) << row.key();
    EXPECT_EQ(choices.recompute, row.layout.recompute) << row.key();
    EXPECT_EQ(choices.lora_rank.has_value(), sheet.method(row.method).adapters) << row.key();
    auto cells = csv_of(row);
    EXPECT_EQ(cells.at("micro_batch"), std::to_string(choices.micro_batch)) << row.key();
    EXPECT_EQ(cells.at("stack"), choices.stack) << row.key();
    EXPECT_EQ(cells.at("lora_rank"), choices.lora_rank ? std::to_string(*choices.lora_rank) : "")
        << row.key();
    EXPECT_EQ(cells.at("provider"), row.set_up() ? row.set_up()->provider : "") << row.key();
  }
}

/// The words of a verdict on a page, behind its mark: "fits, 12 % free".
TEST(CertainRows, NoPageSaysABareFitsOfThem) {
  const Sheet& sheet = quarterly_sheet();
  for (const SheetModel& model : sheet.models) {
    const std::string& page = quarterly_site().at("models/" + model.id + ".html");
    std::size_t told = 0;
    for (const Row& row : sheet.rows) {
      if (row.model != model.id || !is_unsure(row)) continue;
      EXPECT_NE(page.find(words_of(row)), std::string::npos) << row.key();
      // Its proof says it at the head of its bill.
      const auto* scenario = entry_with(sheet.scenarios, &Scenario::id, row.scenario);
      const std::string where = sheet.is_main(row) ? "" : " under " + scenario->stack_title;
      const std::string head = "<strong>" + sheet.method(row.method).short_title + " on " +
                               set_up(sheet, row) + where + "</strong>: <span class=\"";
      const std::size_t at = page.find(head);
      ASSERT_NE(at, std::string::npos) << row.key() << ": " << head;
      const std::size_t from = at + head.size();
      const std::string said = page.substr(from, page.find("</span>", from) - from);
      EXPECT_FALSE(starts_with(said, "fits\"")) << row.key();
      EXPECT_NE(said.find(words_of(row)), std::string::npos) << row.key();
      ++told;
    }
    const bool any = told > 0;
    EXPECT_EQ(page.find("class=\"left words unsure\"") != std::string::npos ||
                  page.find("class=\"unsure\"") != std::string::npos,
              any)
        << model.id;
  }
}

TEST(CertainRows, TheMatrixMarksTheirCounts) {
  const Sheet& sheet = quarterly_sheet();
  const std::string& page = quarterly_site().at("gpus-needed.html");
  std::size_t marked = 0;
  for (const Row& row : sheet.rows) {
    if (!sheet.is_main(row) || !row.rentable) continue;
    const std::string id = "id=\"" + row.model + "/" + row.method + "/" + row.gpu + "\"";
    const std::size_t at = page.find(id);
    ASSERT_NE(at, std::string::npos) << id;
    const std::string cell = page.substr(at, page.find("</td>", at) - at);
    const bool unsure = !row.certain_on(*row.rentable).value_or(true);
    EXPECT_EQ(cell.find("?<span class=\"vh\">, not certain</span>") != std::string::npos, unsure)
        << row.key();
    marked += unsure ? 1 : 0;
  }
  EXPECT_GT(marked, 10U);
  EXPECT_EQ(count(page, "<span class=\"unsure\">8?</span> fits, but the upper end"), 1U);
}

TEST(CertainRows, TheListOfRowsNamesThem) {
  const Sheet& sheet = quarterly_sheet();
  const std::string& page = quarterly_site().at("rows.html");
  for (const Row& row : sheet.rows) {
    const std::size_t at = page.find("<tr id=\"" + row.key() + "\"");
    ASSERT_NE(at, std::string::npos) << row.key();
    const std::string line = page.substr(at, page.find("</tr>", at) - at);
    const bool unsure = row.verdict == Verdict::kFits && is_unsure(row);
    EXPECT_EQ(line.find("◐ fits, not certain</a>") != std::string::npos, unsure) << row.key();
    EXPECT_EQ(line.find("● fits</a>") != std::string::npos,
              row.verdict == Verdict::kFits && !unsure)
        << row.key();
  }
}

TEST(CertainRows, ThePageOfAGpuTypeMarksThem) {
  const Sheet& sheet = quarterly_sheet();
  for (const SheetGpu& gpu : sheet.gpus) {
    const std::string& page = quarterly_site().at("gpus/" + gpu.id + ".html");
    for (const Row& row : sheet.rows) {
      if (row.gpu != gpu.id || !sheet.is_main(row) || !is_unsure(row)) continue;
      if (row.layout.gpus > gpu.gpus_per_node || row.verdict != Verdict::kFits) continue;
      const std::size_t at = page.find("<tr data-row=\"" + row.key() + "\"");
      ASSERT_NE(at, std::string::npos) << row.key();
      const std::string line = page.substr(at, page.find("</tr>", at) - at);
      EXPECT_NE(line.find("?<span class=\"vh\">, not certain</span></td>"), std::string::npos)
          << row.key();
    }
  }
}

TEST(CertainRows, TheHandoutStillHasRoomForItsSigns) {
  std::vector<std::string> warnings;
  const std::string pdf = pdf_handout(quarterly_sheet(), Paper::kA4,
                                      [&](const std::string& words) { warnings.push_back(words); });
  EXPECT_FALSE(pdf.empty());
  for (const std::string& words : warnings) {
    EXPECT_EQ(words.find("key"), std::string::npos) << words;
  }
}

TEST(CertainRows, AskSaysTheSentence) {
  const Sheet& sheet = quarterly_sheet();
  std::size_t told = 0;
  for (const Pick& pick : sheet.picks) {
    const Row* row = rent_pick_row(sheet, pick.model, pick.method);
    if (row == nullptr || told == 4 || !is_unsure(*row)) continue;
    ++told;
    const Words words{"ask",       pick.model, "--method", pick.method,
                      "--catalog", kCatalog,   "--as-of",  sheet.meta.as_of};
    const Outcome text = program(words);
    EXPECT_EQ(text.code, 0) << "the exit code stays";
    const std::string doubt = words_of(*row).substr(std::string("fits, ").size());
    EXPECT_NE(text.out.find("\n        " + doubt + "\n  with  micro-batch "), std::string::npos)
        << text.out;
    const Outcome json = program(with(words, {"--json"}));
    const Json answer = parse_json(json.out, "ask").at("answers")[0];
    EXPECT_EQ(answer.at("certain"), false);
    EXPECT_EQ(answer.at("fits"), true) << "the verdict stays";
    EXPECT_EQ(answer.at("micro_batch"), row->choices.micro_batch);
    EXPECT_EQ(answer.at("stack"), row->choices.stack);
    EXPECT_EQ(answer.at("provider"), row->set_up()->provider);
    EXPECT_EQ(answer.at("rent").at("certain"), false);
  }
  EXPECT_EQ(told, 4U);
}

}  // namespace
}  // namespace sizesheet
