// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <sstream>

#include "cli/commands.h"
#include "cli/program.h"
#include "support/json.h"
#include "support/project_catalog.h"
#include "support/text.h"

namespace sizesheet {
namespace {

const char* const kQuestion =
    R"({"id": "a", "gpus": 64, "gpus_per_node": 8, "capex_usd_per_node": 250000,)"
    R"( "residual_share": 0.0, "life_years": 5, "cost_of_capital": 0.08, "node_kw": 10.2,)"
    R"( "idle_power_share": 0.35, "pue": 1.3, "usd_per_kwh": 0.08, "colo_usd_per_kw_month": 150,)"
    R"( "support_share_per_year": 0.08, "staff_usd_per_year": 0, "utilisation": 0.7,)"
    R"( "rent_usd_per_gpu_hour": 3.82, "capital_method": "recovery-factor",)"
    R"( "hours_per_month": 730})";

Outcome ask_lines(const std::string& lines) {
  std::istringstream in(lines);
  std::ostringstream out;
  const int code = run_cost(in, out);
  return {code, out.str(), ""};
}

/// The question with `key` changed, or left out for a null text.
Json changed(const std::string& key, const char* value) {
  Json question = Json::parse(kQuestion);
  if (value == nullptr) {
    question.erase(key);
  } else {
    question[key] = Json::parse(value);
  }
  return question;
}

std::string refusal_with(const std::string& key, const char* value) {
  const Outcome outcome = ask_lines(changed(key, value).dump());
  EXPECT_EQ(outcome.code, 1);
  const Json answer = Json::parse(outcome.out);
  EXPECT_EQ(answer.at("ok"), false);
  return answer.at("error");
}

Json answer_to(const Json& question) {
  const Outcome outcome = ask_lines(question.dump());
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  return Json::parse(outcome.out);
}

TEST(CostCommand, AnswersTheExampleQuestion) {
  const Outcome outcome = ask_lines(kQuestion);
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

TEST(CostCommand, WhatCannotBeSaidIsNull) {
  Json question = changed("rent_usd_per_gpu_hour", "null");
  for (const bool absent : {false, true}) {
    if (absent) question.erase("rent_usd_per_gpu_hour");
    const Json answer = answer_to(question);
    EXPECT_EQ(answer.at("own_usd_per_gpu_hour"), 2.210834);
    EXPECT_EQ(answer.at("close"), false);
    for (const char* key :
         {"rent_usd_per_month", "break_even_utilisation", "npv_usd", "break_even_hours_per_month",
          "payback_month", "payback_month_cash", "payback_years_cash", "savings_usd_over_life",
          "break_even_runs_per_month", "advice"}) {
      EXPECT_EQ(answer.at(key), nullptr) << key;
    }
  }
}

TEST(CostCommand, DefaultsAreThoseOfTheContract) {
  const Json plain = answer_to(Json::parse(kQuestion));
  EXPECT_EQ(answer_to(changed("capital_method", nullptr)), plain);
  EXPECT_EQ(answer_to(changed("network_usd_per_gpu", "0")), plain);
  EXPECT_EQ(answer_to(changed("licence_usd_per_gpu_year", "0")), plain);
  EXPECT_EQ(answer_to(changed("capital_method", "\"straight-line\"")).at("parts").at("capital"),
            6666.666667);
  EXPECT_EQ(answer_to(changed("licence_usd_per_gpu_year", "4500")).at("parts").at("licence"),
            24000);
}

TEST(CostCommand, EveryOtherKeyIsRequired) {
  for (const char* key : {"id", "gpus", "gpus_per_node", "capex_usd_per_node", "residual_share",
                          "life_years", "cost_of_capital", "node_kw", "idle_power_share", "pue",
                          "usd_per_kwh", "colo_usd_per_kw_month", "support_share_per_year",
                          "staff_usd_per_year", "utilisation", "hours_per_month"}) {
    const std::string error = refusal_with(key, nullptr);
    EXPECT_EQ(error.find(std::string(key) + ": expected "), 0U) << error;
    EXPECT_NE(error.find(", got nothing"), std::string::npos) << error;
    EXPECT_EQ(error.find(';'), std::string::npos) << error;  // one fault, told once
  }
}

TEST(CostCommand, RefusalsNameTheKey) {
  EXPECT_EQ(refusal_with("gpus", "1.5"), "gpus: expected an integer, got 1.5");
  EXPECT_EQ(refusal_with("gpus", "0"), "gpus: expected an integer from 1 to 10000000, got 0");
  EXPECT_EQ(refusal_with("pue", "\"1.3\""), "pue: expected a number, got \"1.3\"");
  EXPECT_EQ(refusal_with("pue", "0.9"), "pue: expected a number at least 1, got 0.9");
  EXPECT_EQ(refusal_with("utilisation", "0"),
            "utilisation: expected a number above 0 and at most 1, got 0");
  EXPECT_EQ(refusal_with("life_years", "-1"), "life_years: expected a number above 0, got -1");
  EXPECT_EQ(refusal_with("usd_per_kwh", "-0.08"),
            "usd_per_kwh: expected US dollars, not negative, with at most six decimals, got -0.08");
  EXPECT_EQ(
      refusal_with("rent_usd_per_gpu_hour", "3.1234567"),
      "rent_usd_per_gpu_hour: expected US dollars, not negative, with at most six decimals, got "
      "3.1234567");
  EXPECT_EQ(refusal_with("capital_method", "\"straight\""),
            "capital_method: expected one of recovery-factor, straight-line, none; got "
            "\"straight\" (did you "
            "mean \"straight-line\"?)");
  EXPECT_EQ(refusal_with("utilization", "0.7"),
            "utilization: unknown key (did you mean \"utilisation\"?)");
  EXPECT_EQ(refusal_with("id", "7"), "id: expected text, got 7");
}

TEST(CostCommand, OptionsExtendTheQuestion) {
  const Json plain = answer_to(Json::parse(kQuestion));
  for (const char* off : {"cabling_share", "staff_fte_per_node", "usd_per_fte_year"}) {
    EXPECT_EQ(answer_to(changed(off, "0")), plain) << off;
  }
  EXPECT_EQ(answer_to(changed("cabling_share", "0.12")).at("capex_usd"), 2240000);
  EXPECT_EQ(answer_to(changed("value_decay_oom_per_year", "0.14")).at("residual_usd"),
            399052.462994);
  EXPECT_EQ(answer_to(changed("capital_method", "\"none\"")).at("parts").at("capital"), 0);
  EXPECT_EQ(answer_to(changed("hours_per_run", "20")).at("break_even_runs_per_month"),
            290.77349510285745 / 20);
  Json staffed = changed("staff_fte_per_node", "0.02");
  staffed["usd_per_fte_year"] = 180000;
  EXPECT_EQ(answer_to(staffed).at("parts").at("staff"), 2400);
  Json wasteful = changed("gpus", "60");
  EXPECT_EQ(answer_to(wasteful).at("unused_gpus"), 4);
}

TEST(CostCommand, OptionsThatContradictEachOtherAreRefused) {
  Json question = changed("residual_share", "0.2");
  question["value_decay_oom_per_year"] = 0.14;
  EXPECT_EQ(Json::parse(ask_lines(question.dump()).out).at("error"),
            "value_decay_oom_per_year: expected no decay of value beside a residual_share above 0, "
            "got 0.14 beside 0.2");
  EXPECT_EQ(refusal_with("staff_fte_per_node", "0.02"),
            "usd_per_fte_year: expected US dollars above 0 beside staff_fte_per_node, got 0");
}

TEST(CostCommand, FaultsAreJoined) {
  Json question = changed("pue", "0");
  question["node_kw"] = "ten";
  const Json answer = Json::parse(ask_lines(question.dump()).out);
  EXPECT_EQ(answer.at("error"),
            "node_kw: expected a number, got \"ten\"; pue: expected a number at least 1, got 0");
  EXPECT_EQ(answer.at("id"), "a");
}

TEST(CostCommand, AmountsThatCannotBeExactAreRefused) {
  EXPECT_EQ(refusal_with("capex_usd_per_node", "9000000000000"),
            "capex_usd_per_node: expected at most 100000000 US dollars, got 9000000000000");
  Json question = Json::parse(kQuestion);
  question.update({{"gpus", 10000000}, {"gpus_per_node", 1}, {"capex_usd_per_node", 100000000}});
  EXPECT_EQ(Json::parse(ask_lines(question.dump()).out).at("error"),
            "the amounts are too large to add up exactly");
}

TEST(CostCommand, OneRefusalAmongAnswersIsANo) {
  const std::string question = kQuestion;
  const Outcome outcome = ask_lines(question + "\n\n7\n" + question + "\n");
  EXPECT_EQ(outcome.code, 1);
  std::istringstream lines(outcome.out);
  std::vector<Json> answers;
  for (std::string line; std::getline(lines, line);) answers.push_back(Json::parse(line));
  ASSERT_EQ(answers.size(), 3U);
  EXPECT_EQ(answers[0], answers[2]);
  EXPECT_EQ(answers[1], Json::parse(R"({"id":null,"ok":false,)"
                                    R"("error":"line 3: expected an object, got 7"})"));
}

Outcome of_gpu(std::vector<std::string> words) {
  words.insert(words.begin(), {"cost", "--catalog", kCatalog, "--as-of", "2026-11-20"});
  return program(words);
}

TEST(CostCommand, takes_the_catalogs_rates_for_what_is_left_open) {
  const Outcome told =
      of_gpu({"--gpu", "h100", "--gpus", "8", "--provider", "runpod", "--hours-per-month", "300"});
  EXPECT_EQ(told.code, 0);
  EXPECT_EQ(told.err, "GPU \"h100\" is h100-sxm\n");
  EXPECT_EQ(told.out,
            "8 × H100, used 300 of 730 hours a month; rates and prices of 2026-11-20\n"
            "  rent  $9,576 a month, $3.99 a GPU-hour: runpod, 2026-11-09\n"
            "  own   $10,432 a month, $4.35 a used GPU-hour\n"
            "        1 × 8x H100 SXM node (HGX or DGX), $325,000\n"
            "            $1,769  capital\n"
            "            $1,887  colo\n"
            "            $4,063  depreciation\n"
            "              $547  energy\n"
            "            $2,167  support\n"
            "  even  from 327 hours a month, not paid back within its life\n"
            "  rent  over its life owning costs $51,363 more; the two are within 10 %\n");
}

TEST(CostCommand, fits_a_screen_for_every_machine) {
  for (const PurchaseNode& node : project_catalog().purchase.nodes) {
    const Outcome told = of_gpu({"--gpu", node.gpu, "--hours-per-month", "500"});
    EXPECT_EQ(told.code, 0) << told.err;
    const std::vector<std::string> lines = split(told.out, '\n');
    EXPECT_LE(lines.size(), 21U);
    for (const std::string& line : lines) EXPECT_LE(decode(line).size(), 80U) << line;
  }
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
  answer.erase("question");
  EXPECT_EQ(answer_to(question), answer);
}

TEST(CostCommand, refuses_what_the_catalog_cannot_answer) {
  const std::string taken = "GPU \"h100\" is h100-sxm\n";
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--gpu", "h100", "--provider", "runpood"},
       taken + "sizesheet: no provider \"runpood\" in the catalog (did you mean \"runpod\"?)\n"},
      {{"--gpu", "b300", "--provider", "lambda"},
       "sizesheet: --provider: expected one with a price of 8 b300 that counts on 2026-11-20, got "
       "\"lambda\"; these have: aws, hyperstack, nebius, oracle, runpod\n"},
      {{"--gpu", "h100", "--hours-per-month", "800"},
       taken + "sizesheet: --hours-per-month: expected hours from 0.01 to 730, got 800\n"},
      {{"--gpu", "h100", "--request", R"({"utilisation": 1})"},
       taken + "sizesheet: --request: utilisation: say it with --hours-per-month\n"},
      {{"--gpu", "h100", "--request", R"({"usd_per_kwk": 1})"},
       taken + "sizesheet: usd_per_kwk: unknown key (did you mean \"usd_per_kwh\"?)\n"},
      {{"--gpu", "h100", "--request", "[]"},
       taken + "sizesheet: --request: expected an object, got []\n"},
      {{"--gpu", "rtx-3090", "--gpus", "9"},
       "sizesheet: --gpus: expected at most 4 rtx-3090, since no network joins their machines, got "
       "9\n"},
      {{"--gpu", "T4"},
       "GPU \"T4\" is t4\nsizesheet: --gpu: expected a type that machines are sold of, got "
       "\"t4\"; these are: a100-80-sxm, b200, b300, gb10, gb300, h100-sxm, h200-sxm, l40s, mi300x, "
       "rtx-3090, rtx-5090, rtx-6000-ada, rtx-pro-6000\n"},
      {{"--gpus", "8"}, "--gpus requires --gpu\nRun with --help for more information.\n"}};
  for (const auto& [words, expected] : cases) EXPECT_EQ(of_gpu(words), (Outcome{2, "", expected}));
}

}  // namespace
}  // namespace sizesheet
