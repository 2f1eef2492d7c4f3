// SPDX-License-Identifier: Apache-2.0
// Pages beside those of the models: the matrix and what it leads to, GPU types and their prices,
// and accuracy say what the sheet says.

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "evidence/accuracy.h"
#include "render/charts.h"
#include "render/decision_words.h"
#include "render/html/gpu_page.h"
#include "render/html/html_writer.h"
#include "render/html/site.h"
#include "render/html/templates/templates.h"
#include "render/job_options.h"
#include "render/phrases.h"
#include "render/price_charts.h"
#include "render/sample_sheet.h"
#include "render/writers.h"
#include "sheet/money.h"
#include "sheet/quarterly.h"
#include "sheet/services.h"
#include "sheet/sheet.h"
#include "sheet/sheet_json.h"
#include "sizing/memory/verdict.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// 500 KB for all 77 models of the catalog on nine GPUs; the sample has nine models on ten.
TEST(IndexPage, the_index_keeps_within_its_budget) {
  EXPECT_LE(sample_site().at("index.html").size(), 500'000U * 9 / 77);
}

TEST(NeededPage, every_cell_of_the_matrix_has_an_address_and_leads_to_its_bill) {
  const Sheet& sheet = sample_sheet();
  const std::string& index = sample_site().at("gpus-needed.html");
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

TEST(NeededPage, the_script_of_rows_holds_the_printed_money_of_every_cell) {
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

TEST(ModelPage, a_card_has_a_line_for_each_service_and_the_page_what_services_do_not_give) {
  Sheet sheet = tiny_sheet();
  const std::string page = "models/" + sheet.models[0].id + ".html";
  const std::string caution = "A service trains on its own machines";
  const std::string plain = site(sheet).at(page);
  EXPECT_EQ(count(plain, "<dt>Service</dt>"), 0U);
  EXPECT_EQ(plain.find(caution), std::string::npos);
  SheetService offer;
  offer.model = sheet.models[0].id;
  offer.method = sheet.methods[1].id;
  offer.title = "Tuner & Sons";
  offer.trains = "LoRA";
  offer.usd_per_run = MicroUsd{17'000'000};
  offer.usd_per_million_tokens = MicroUsd{340'000};
  offer.weights = "no";
  offer.basis = "assumption";
  offer.as_of = "2026-09-11";
  offer.source = "price list";
  sheet.services = {offer, offer};
  const FileSet files = site(sheet);
  EXPECT_EQ(count(files.at(page),
                  "<dt>Service</dt><dd>Tuner &amp; Sons LoRA $17.0 ($0.340 per "
                  "million tokens, assumed), no weights, <span class=\"nb\">2026-09-11</span><br>"
                  "<span class=\"quiet\">price list"),
            2U);
  EXPECT_EQ(count(files.at(page), caution), 1U);
  EXPECT_EQ(files.at("models/" + sheet.models[1].id + ".html").find(caution), std::string::npos);
}

TEST(IndexPage, the_questions_lead_somewhere_without_a_baseline) {
  Sheet sheet = tiny_sheet();
  const auto asked = [](const Sheet& of) {
    const std::string index = site(of).at("index.html");
    const std::size_t at = index.find("<ul class=\"questions\">");
    return all_of(index.substr(at, index.find("</ul>", at) - at), "<a href=\"([^\"]*)\">");
  };
  EXPECT_EQ(asked(sheet), (std::vector<std::string>{"models/llama-3.1-8b.html#qlora-r16",
                                                    "models/llama-3.1-8b.html#fewer-full",
                                                    "own.html#at-hours", "accuracy.html"}));
  sheet.ownership.reset();
  sheet.accuracy.reset();
  EXPECT_EQ(asked(sheet),
            (std::vector<std::string>{
                "models/llama-3.1-8b.html#qlora-r16", "models/llama-3.1-8b.html#fewer-full",
                "models/llama-3.1-8b.html#rent-or-buy", "method.html#limits"}));
}

TEST(IndexPage, has_a_line_for_each_pick_and_begins_with_the_decision) {
  const Sheet& sheet = quarterly_sheet();
  const std::string index = site(sheet).at("index.html");
  EXPECT_EQ(all_of(index, "<h1 class=\"decision\">([^<]*)</h1>"),
            std::vector<std::string>{decision_sentences(sheet).front()});
  EXPECT_EQ(count(index, "<tr id=\"j-"), sheet.picks.size());
  EXPECT_LE(index.size(), 300'000U);
}

TEST(Navigation, has_six_entries_at_most_and_none_for_a_page_that_was_not_built) {
  const auto bar = [](const std::string& page) {
    const std::string head = page.substr(0, page.find("<details class=\"menu\">"));
    return all_of(head, "<li><a href=\"([^\"]*)\"");
  };
  const std::vector<std::string> without = bar(site(tiny_sheet()).at("index.html"));
  EXPECT_EQ(without, (std::vector<std::string>{"index.html", "gpus-needed.html", "prices.html",
                                               "own.html"}));
  FileSet files = {{kCalculatorEngine, "engine"}, {kCalculatorFacts, "facts"}};
  write_site(tiny_sheet(), builtin_templates(), 1, files);
  EXPECT_EQ(bar(files.at("index.html")).size(), without.size() + 1);
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
                  "<p class=\"sub-say\"><strong class=\"warn\">Note:</strong> price a/b: is it the "
                  "price of one GPU?</p>"),
            1U);
}

/// What a page prints of a count on a row, by count.
std::map<std::string, std::string> printed_cells(const Json& values, const Json& fit) {
  std::map<std::string, std::string> printed;
  for (std::size_t i = 0; i < fit.at("fit_cells").size(); ++i) {
    printed[values.at("count_heads")[i].at("count_head")] = fit.at("fit_cells")[i].at("fit_class");
  }
  return printed;
}

TEST(GpuPage, prints_the_verdict_that_every_checked_count_got) {
  const Sheet& sheet = quarterly_sheet();
  std::size_t compared = 0;
  for (const SheetGpu& gpu : sheet.gpus) {
    const Json values = gpu_values(sheet, gpu);
    for (const Json& fit : values.at("fit_rows")) {
      const Row* row = sheet.find(fit.at("key").get<std::string>());
      ASSERT_NE(row, nullptr);
      const auto printed = printed_cells(values, fit);
      for (const CountCheck& check : row->counts) {
        const auto cell = printed.find(std::to_string(check.gpus));
        if (cell == printed.end()) continue;
        ++compared;
        EXPECT_EQ(cell->second, standing_class(check.verdict, row->certain_on(check.gpus)))
            << row->key() << " on " << check.gpus;
      }
    }
  }
  EXPECT_GT(compared, 400U);
}

TEST(GpuPage, has_every_model_and_method_once) {
  const Sheet& sheet = quarterly_sheet();
  for (const SheetGpu& gpu : sheet.gpus) {
    std::set<std::string> keys;
    const Json values = gpu_values(sheet, gpu);
    for (const Json& fit : values.at("fit_rows")) keys.insert(fit.at("key"));
    EXPECT_EQ(keys.size(), sheet.models.size() * sheet.methods.size()) << gpu.id;
    EXPECT_EQ(values.at("fit_rows").size(), keys.size()) << gpu.id;
  }
}

TEST(GpuPage, sums_up_the_prices_that_the_rules_admit) {
  const Sheet& sheet = quarterly_sheet();
  for (const SheetGpu& gpu : sheet.gpus) {
    const std::vector<TierPrices> tiers = prices_by_tier(sheet, gpu);
    std::int64_t rows = 0;
    for (const TierPrices& prices : tiers) {
      rows += prices.rows;
      EXPECT_LE(prices.low, prices.median) << gpu.id;
      EXPECT_LE(prices.median, prices.high) << gpu.id;
      EXPECT_LE(prices.providers, prices.rows) << gpu.id;
    }
    std::map<std::string, std::array<std::int64_t, 2>> admitted;  // by tier: fresh, old
    for (const SheetPrice& price : sheet.prices) {
      if (price.gpu == gpu.id && price.excluded.empty()) ++admitted[price.tier][price.old ? 1 : 0];
    }
    for (const auto& [tier, counts] : admitted) rows -= counts[0] > 0 ? counts[0] : counts[1];
    EXPECT_EQ(rows, 0) << gpu.id;
    if (gpu.list_usd_per_gpu_hour) {
      ASSERT_FALSE(tiers.empty());
      EXPECT_EQ(tiers.front().tier, "on_demand");
      EXPECT_EQ(tiers.front().low, *gpu.list_usd_per_gpu_hour) << gpu.id;
    }
    EXPECT_EQ(gpu_prices_chart(sheet, gpu).has_value(), !tiers.empty());
  }
}

TEST(GpuPage, the_median_is_that_of_the_lowest_of_each_provider) {
  Sheet sheet;
  SheetGpu& gpu = sheet.gpus.emplace_back();
  gpu.id = "a";
  const std::pair<const char*, std::int64_t> kAsked[] = {
      {"p", 1'000'000}, {"q", 4'000'000}, {"q", 2'000'001}, {"r", 9'000'000}};
  for (const auto& [provider, usd] : kAsked) {
    SheetPrice& price = sheet.prices.emplace_back();
    price.gpu = "a";
    price.tier = "spot";
    price.provider = provider;
    price.usd_per_gpu_hour = price.expected_usd_per_gpu_hour = MicroUsd{usd};
  }
  const std::vector<TierPrices> three = prices_by_tier(sheet, gpu);
  ASSERT_EQ(three.size(), 1U);
  EXPECT_EQ(three[0].median, MicroUsd{2'000'001});
  EXPECT_EQ(three[0].providers, 3);
  EXPECT_EQ(three[0].rows, 4);
  sheet.prices[3].gpu = "b";
  EXPECT_EQ(prices_by_tier(sheet, gpu)[0].median, MicroUsd{1'500'001});  // half up
}

TEST(PricesPage, shows_every_offer_that_counts_as_a_point) {
  const Sheet& sheet = quarterly_sheet();
  const auto body = std::get<Ranges>(offers_chart(sheet).body);
  std::size_t points = 0;
  for (const Range& range : body.ranges) {
    points += range.points.size() + range.ringed.size();
    EXPECT_FALSE(range.ringed.empty()) << range.label;
    EXPECT_LE(range.low, range.mark) << range.label;
    EXPECT_LE(range.mark, range.high) << range.label;
  }
  std::int64_t offers = 0;
  for (const SheetGpu& gpu : sheet.gpus) {
    for (const TierPrices& prices : prices_by_tier(sheet, gpu)) {
      if (prices.tier == "on_demand") offers += prices.rows;
    }
  }
  EXPECT_EQ(static_cast<std::int64_t>(points), offers);
}

TEST(PricesPage, says_how_the_prices_of_the_sheets_types_went) {
  const Sheet& sheet = quarterly_sheet();
  const auto chart = price_history_chart(sheet);
  ASSERT_TRUE(chart);
  EXPECT_EQ(std::get<Lines>(chart->body).lines.size(), sheet.price_histories.size());
  EXPECT_NE(chart->description.find("H100 $2.99 in 2025-01, $3.85 in 2026-09"), std::string::npos)
      << chart->description;
  Sheet none = sheet;
  none.price_histories.clear();
  EXPECT_FALSE(price_history_chart(none));
}

TEST(GpusPage, names_the_largest_model_that_one_gpu_holds) {
  const Sheet& sheet = quarterly_sheet();
  const SheetModel* lora = largest_on_one(sheet, sheet.gpu("h100-sxm"), sheet.method("lora-r16"));
  ASSERT_NE(lora, nullptr);
  const std::string& scenario = sheet.scenarios.front().id;
  EXPECT_EQ(sheet.find(lora->id, "lora-r16", "h100-sxm", scenario)->rentable, 1);
  for (const SheetModel& model : sheet.models) {
    const Row* row = sheet.find(model.id, "lora-r16", "h100-sxm", scenario);
    if (model.parameters > lora->parameters) {
      EXPECT_NE(row->rentable, 1) << model.id;
    }
  }
}

TEST(AccuracyPage, without_figures_says_so) {
  EXPECT_EQ(accuracy_values(Accuracy{}).at("tables"), Json::array());
}

TEST(AccuracyJson, stands_in_the_sheets_and_is_an_empty_list_without) {
  Sheet sheet = tiny_sheet();
  Json json = to_json(sheet);
  EXPECT_EQ(json.at("accuracy").at("rows").at(4).at("measured_bytes"), Json());
  EXPECT_EQ(json.at("accuracy"), to_json(*sheet.accuracy));
  sheet.accuracy.reset();
  json = to_json(sheet);
  EXPECT_EQ(json.at("accuracy"), Json::array());
  EXPECT_FALSE(sheet_from_json(json, "sheet.json").accuracy);
}

}  // namespace

}  // namespace sizesheet
