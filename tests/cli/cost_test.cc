// SPDX-License-Identifier: Apache-2.0
#include "cli/cost.h"

#include <gtest/gtest.h>

#include <sstream>

#include "catalog/prices/purchase.h"
#include "cli/program.h"
#include "support/cases.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/project_catalog.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// As tests/oracles/command_refusals.json has it, beside how changes of it are refused.
const Json& plain_question() {
  static const Json kQuestion = oracle("command_refusals.json").at("question");
  return kQuestion;
}

Outcome ask_lines(const std::string& lines) {
  std::istringstream in(lines);
  std::ostringstream out;
  const int code = run_cost(in, out);
  return {code, out.str(), ""};
}

/// The question with `key` changed, or left out for null.
Json changed(const std::string& key, const Json& value) {
  Json question = plain_question();
  question.merge_patch({{key, value}});
  return question;
}

Json answer_to(const Json& question) {
  const Outcome outcome = ask_lines(question.dump());
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  return Json::parse(outcome.out);
}

TEST(CostCommand, AnswersTheExampleQuestion) {
  const Outcome outcome = ask_lines(plain_question().dump());
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out,
            "{\"advice\":\"buy\",\"break_even_hours_per_month\":290.77349510285745,"
            "\"break_even_runs_per_month\":null,"
            "\"break_even_utilisation\":0.3983198563052842,\"capex_usd\":2000000,"
            "\"close\":false,\"id\":\"a\","
            "\"nodes\":8,\"npv_usd\":2521452.507353,\"ok\":true,"
            "\"own_usd_per_gpu_hour\":2.210834,\"own_usd_per_month\":72303.10872,"
            "\"parts\":{\"capital\":8409.409094,\"colo\":12240,\"depreciation\":33333.333333,"
            "\"energy\":4987.03296,\"licence\":0,\"network\":0,\"staff\":0,"
            "\"support\":13333.333333},\"payback_month\":24,\"payback_month_cash\":22,"
            "\"payback_years_cash\":1.766118312902693,"
            "\"rent_usd_per_month\":124929.28,\"residual_usd\":0,"
            "\"savings_usd_over_life\":3157570.2768,\"unused_gpus\":0,"
            "\"unused_usd_per_month\":0}\n");
}

TEST(CostCommand, AnswersTheCases) {
  expect_cases({{"bases", {{"question", plain_question()}}},
                {"cases", oracle("cases_cost.json").at("answers")}},
               answer_to);
}

TEST(CostCommand, EveryOtherKeyIsRequired) {
  for (const char* key : {"id", "gpus", "gpus_per_node", "capex_usd_per_node", "residual_share",
                          "life_years", "cost_of_capital", "node_kw", "idle_power_share", "pue",
                          "usd_per_kwh", "colo_usd_per_kw_month", "support_share_per_year",
                          "staff_usd_per_year", "utilisation", "hours_per_month"}) {
    const Json answer = Json::parse(ask_lines(changed(key, nullptr).dump()).out);
    const std::string error = answer.at("error");
    EXPECT_EQ(answer.at("id"), key == std::string("id") ? Json() : Json("a"));
    EXPECT_EQ(error.find(std::string(key) + ": expected "), 0U) << error;
    EXPECT_NE(error.find(", got nothing"), std::string::npos) << error;
    EXPECT_EQ(error.find(';'), std::string::npos) << error;  // one fault, told once
  }
}

TEST(CostCommand, WhatIsLeftOutIsAsTheContractSays) {
  const Json plain = answer_to(plain_question());
  EXPECT_EQ(answer_to(changed("capital_method", nullptr)), plain);
  for (const char* off :
       {"network_usd_per_gpu", "licence_usd_per_gpu_year", "cabling_share", "staff_fte_per_node",
        "usd_per_fte_year", "least_fte_per_node", "least_fte_per_site"}) {
    EXPECT_EQ(answer_to(changed(off, 0)), plain) << off;
  }
  EXPECT_EQ(answer_to(changed("support_covers_staff", false)), plain);
  Json unrented = plain_question();
  unrented["rent_usd_per_gpu_hour"] = nullptr;
  EXPECT_EQ(answer_to(unrented), answer_to(changed("rent_usd_per_gpu_hour", nullptr)));
}

Outcome of_gpu(const Words& words) {
  return program(with({"cost", "--catalog", kCatalog, "--as-of", "2026-11-20"}, words));
}

TEST(CostCommand, takes_the_catalogs_rates_for_what_is_left_open) {
  const Outcome told =
      of_gpu({"--gpu", "h100", "--gpus", "8", "--provider", "runpod", "--hours-per-month", "300"});
  EXPECT_EQ(told.code, 0);
  EXPECT_EQ(told.err, "GPU \"h100\" is h100-sxm\n");
  EXPECT_EQ(told.out,
            "8 × h100-sxm, used 300 of 730 h per month; rates and prices of 2026-11-20\n"
            "  GPU \"h100\" is h100-sxm\n"
            "  rent  $9,671 per month, $4.03 per GPU-hour: runpod, 2026-11-09\n"
            "        seen at $3.99, raised for its age\n"
            "        the same GPUs rented by the hour; for one job, ask may find cheaper ones\n"
            "  own   $7,751 per month, $3.23 per GPU-hour of use\n"
            "        1 × 8x H100 SXM node, used, $160,000 (parts, 2026-07-22)\n"
            "              $917  capital\n"
            "            $1,887  colo\n"
            "            $3,333  depreciation\n"
            "              $547  energy\n"
            "            $1,067  support\n"
            "  even  owning is cheaper from 239 h of use per month, paid back in month 31\n"
            "  buy  over its life owning saves $69,129\n");
}

/// Without hours nobody states a demand, so there is no word.
TEST(CostCommand, says_rent_or_buy_only_for_stated_hours) {
  const Words words = {"--gpu", "h100", "--gpus", "8", "--provider", "runpod"};
  const Outcome told = of_gpu(words);
  EXPECT_EQ(told.code, 0);
  EXPECT_NE(told.out.find("\n  even  owning is cheaper from "), std::string::npos) << told.out;
  EXPECT_NE(told.out.find("\n  life  over its life owning "), std::string::npos) << told.out;
  for (const char* word : {"\n  buy ", "\n  rent  over", "\n  close"}) {
    EXPECT_EQ(told.out.find(word), std::string::npos) << told.out;
  }
  const Outcome json = of_gpu(with(words, {"--json"}));
  EXPECT_TRUE(parse_json(json.out, "cost").contains("advice"));
}

TEST(CostCommand, fits_a_screen_for_every_machine) {
  for (const PurchaseNode& node : project_catalog().purchase.nodes) {
    Words words = {"--gpu", node.gpu, "--hours-per-month", "500"};
    if (!node.quoted) words.insert(words.end(), {"--request", "{\"capex_usd_per_node\": 250000}"});
    const Outcome told = of_gpu(words);
    EXPECT_EQ(told.code, 0) << told.err;
    const std::vector<std::string> lines = split(told.out, '\n');
    EXPECT_LE(lines.size(), 21U);
    for (const std::string& line : lines) EXPECT_LE(decode(line).size(), 80U) << line;
  }
}

TEST(CostCommand, a_price_that_is_stated_stands_for_a_quote) {
  const Outcome told =
      of_gpu({"--gpu", "mi300x", "--request", R"({"capex_usd_per_node": 250000})"});
  EXPECT_EQ(told.code, 0) << told.err;
  EXPECT_NE(told.out.find("        1 × 8x MI300X node, $250,000\n"), std::string::npos) << told.out;
}

/// 8 % of a Spark is 31 dollars per month; 0.02 people are 300.
TEST(CostCommand, a_desk_machine_pays_the_least_people) {
  const Outcome told = of_gpu({"--gpu", "gb10", "--gpus", "1"});
  EXPECT_EQ(told.code, 0) << told.err;
  EXPECT_NE(told.out.find("              $300  support\n"), std::string::npos) << told.out;
}

TEST(CostCommand, answers_with_the_question_that_lines_would_ask) {
  const Outcome told = of_gpu({"--gpu", "h100-sxm", "--gpus", "16", "--rent", "2.5", "--json",
                               "--request", R"({"id": "x", "usd_per_kwh": 0.2})"});
  EXPECT_EQ(told.code, 0) << told.err;
  EXPECT_EQ(told.err, "");
  Json answer = parse_json(told.out, "cost");
  const Json question = answer.at("question");
  EXPECT_EQ(question.at("usd_per_kwh"), 0.2);
  EXPECT_EQ(question.at("rent_usd_per_gpu_hour"), 2.5);
  EXPECT_EQ(answer.at("gpu_id"), "h100-sxm");
  // What a line of questions has no names for.
  for (const char* key : {"question", "gpu_id", "model_id", "method_id", "warnings"}) {
    answer.erase(key);
  }
  EXPECT_EQ(answer_to(question), answer);
}

}  // namespace
}  // namespace sizesheet
