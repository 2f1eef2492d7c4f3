// SPDX-License-Identifier: Apache-2.0
// The matrix and what it leads to: its size, an address and a bill for each cell, the money of
// other GPUs, the five questions.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "render/html/pages.h"
#include "render/html/site.h"
#include "render/phrases.h"
#include "render/sample_sheet.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// 500 KB for all 77 models of the catalog on nine GPUs; the sample has nine models on ten.
TEST(IndexPage, the_index_keeps_within_its_budget) {
  EXPECT_LE(sample_site().at("index.html").size(), 500'000U * 9 / 77);
}

TEST(IndexPage, every_cell_of_the_matrix_has_an_address_and_leads_to_its_bill) {
  const Sheet& sheet = sample_sheet();
  const std::string& index = sample_site().at("index.html");
  std::size_t cells = 0;
  for (const Row& row : sheet.rows) {
    if (row.scenario != sheet.scenarios.front().id) continue;
    const std::string id = row.model + "/" + row.method + "/" + row.gpu;
    const std::size_t at = index.find("<td id=\"" + id + "\" class=\"g ");
    ASSERT_NE(at, std::string::npos) << id;
    const std::string href =
        "<a href=\"models/" + row.model + ".html#bill-" + row.method + "-" + row.gpu + "\">";
    EXPECT_NE(index.substr(at, 200).find(href), std::string::npos) << id;
    ++cells;
  }
  EXPECT_EQ(count(index, "<td id="), cells);
}

TEST(IndexPage, the_script_of_rows_holds_the_printed_money_of_every_cell) {
  const Sheet& sheet = sample_sheet();
  const std::string& script = sample_site().at("rows.js");
  const std::string before = "detail: ";
  const std::size_t from = script.find(before) + before.size();
  const Json rows = parse_json(script.substr(from, script.rfind(" }));") - from), "rows.js");
  const std::string& list = sample_site().at("rows.html");
  for (const auto& [id, figures] : rows.items()) {
    const std::size_t at = list.find("<tr id=\"" + id + "/" + sheet.scenarios.front().id + "\"");
    ASSERT_NE(at, std::string::npos) << id;
    const std::string line = list.substr(at, list.find("</tr>", at) - at);
    ASSERT_EQ(figures.size(), 8U) << id;
    for (const std::size_t i : {1U, 2U, 7U}) {  // what the list has as well
      const Json& figure = figures[i];
      EXPECT_NE(line.find(">" + figure[0].get<std::string>() + "</td>"), std::string::npos)
          << id << " " << figure;
    }
  }
  EXPECT_EQ(rows.size(), sheet.models.size() * sheet.methods.size() * sheet.gpus.size());
}

TEST(IndexPage, the_five_questions_lead_somewhere_with_and_without_a_baseline) {
  Sheet sheet = tiny_sheet();
  const auto asked = [](const Sheet& of) {
    const std::string index = site(of).at("index.html");
    const std::size_t at = index.find("<ul class=\"questions\">");
    return all_of(index.substr(at, index.find("</ul>", at) - at), "<a href=\"([^\"]*)\">");
  };
  EXPECT_EQ(asked(sheet),
            (std::vector<std::string>{"models/llama-3.1-8b.html#qlora-r16",
                                      "models/llama-3.1-8b.html#fewer-full", "own.html#at-hours",
                                      "method.html#changes", "accuracy.html"}));
  sheet.ownership.reset();
  sheet.accuracy.reset();
  EXPECT_EQ(asked(sheet), (std::vector<std::string>{"models/llama-3.1-8b.html#qlora-r16",
                                                    "models/llama-3.1-8b.html#fewer-full",
                                                    "models/llama-3.1-8b.html#rent-or-buy",
                                                    "method.html#changes", "method.html#limits"}));
}

TEST(RowsPage, a_price_of_more_gpus_than_the_need_says_so) {
  Sheet sheet = tiny_sheet();
  Row* spot = nullptr;
  for (Row& row : sheet.rows) {
    if (row.rents[kSpot] && row.rents[kSpot]->usd_per_run) spot = &row;
  }
  ASSERT_NE(spot, nullptr);
  spot->rents[kSpot]->gpus_paid = spot->layout.gpus + 7;
  const std::string list = site(sheet).at("rows.html");
  const std::string row = list.substr(list.find("<tr id=\"" + spot->key() + "\""));
  EXPECT_NE(row.substr(0, row.find("</tr>"))
                .find(">" + run_usd(*spot->rents[kSpot]->usd_per_run) + "\u00a0for\u00a0" +
                      format_integer(spot->layout.gpus + 7) + "\u00a0GPUs</td>"),
            std::string::npos)
      << row.substr(0, row.find("</tr>"));
}

TEST(PricesPage, odd_prices_stand_on_the_page_of_prices) {
  Sheet sheet = tiny_sheet();
  sheet.options.price_rules.warnings = {"price a/b: is it the price of one GPU?"};
  EXPECT_EQ(count(site(sheet).at("prices.html"),
                  "<p class=\"sub-say\"><span class=\"tight\">▲</span> price a/b: is it the price "
                  "of one GPU?</p>"),
            1U);
}

}  // namespace
}  // namespace sizesheet
