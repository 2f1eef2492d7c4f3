// SPDX-License-Identifier: Apache-2.0
// `ask` as a command: what it answers, names as people write them, refusals.
#include <gtest/gtest.h>

#include <regex>

#include "catalog/catalog.h"
#include "catalog/names.h"
#include "cli/program.h"
#include "sheet/quarterly.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/money.h"
#include "support/object_text.h"
#include "support/project_catalog.h"
#include "support/refusal.h"
#include "support/temp_dir.h"
#include "support/text.h"

namespace sizesheet {
namespace {

Outcome ask(const Words& words) {
  return program(with(words, {"--catalog", kCatalog, "--as-of", "2026-11-20"}));
}

TEST(Ask, answers_what_the_edition_says_of_the_same_model) {
  const Sheet& sheet = quarterly_sheet();
  const Outcome asked = ask({"ask", "llama-3.1-8b", "--json"});
  EXPECT_EQ(asked.code, 0);
  const Json answers = parse_json(asked.out, "ask").at("answers");
  ASSERT_EQ(answers.size(), sheet.methods.size());
  for (const Json& answer : answers) {
    const std::string method = answer.at("method");
    const Pick* pick = sheet.pick("llama-3.1-8b", method);
    ASSERT_NE(pick, nullptr);
    EXPECT_EQ(answer.at("pick").at("rent_pick"), *pick->rent_key);
    EXPECT_EQ(answer.at("pick").at("usd_high"), exact_usd(*pick->usd_high));
    EXPECT_EQ(answer.at("pick").at("own").at("machine"), pick->own->machine);
  }
}

TEST(Ask, answers_what_the_edition_picks_at_longer_sequences) {
  const Sheet& sheet = quarterly_sheet();
  for (const std::string model : {"llama-3.1-8b", "size-70b", "gpt-oss-120b"}) {
    for (const std::int64_t seq_len : {16384}) {
      const Outcome asked = ask({"ask", model, "--seq", std::to_string(seq_len), "--json"});
      const Json answers = parse_json(asked.out, "ask").at("answers");
      ASSERT_EQ(answers.size(), sheet.methods.size());
      for (const Json& answer : answers) {
        const std::string method = answer.at("method");
        const auto& all = sheet.pick(model, method)->at_lengths;
        const LengthPick* at = entry_with(all, &LengthPick::seq_len, seq_len);
        const Json& pick = answer.at("pick");
        ASSERT_EQ(at != nullptr, !pick.at("rent_pick").is_null()) << model << method << seq_len;
        if (at == nullptr) continue;
        EXPECT_EQ(pick.at("rent_pick"), model + "/" + method + "/" + at->gpu + "/hf-trl-4k");
        EXPECT_EQ(pick.at("provider"), at->provider);
        EXPECT_EQ(pick.at("usd_low"), exact_usd(at->usd_low));
        EXPECT_EQ(pick.at("usd_high"), exact_usd(at->usd_high));
      }
    }
  }
}

TEST(Ask, says_the_whole_project_where_the_sheet_asks_for_one) {
  const TempDir folder;
  Json sheet = quarterly_of({"llama-3.1-8b"}, {"lora-r16"}, {"h100-sxm"});
  const auto asked_of = [&](const char* name, const char* form) {
    folder.write(name, sheet.dump());
    return ask({"ask", "llama-3.1-8b", "--sheet", (folder.path() / name).string(), form}).out;
  };
  EXPECT_EQ(asked_of("plain.json", "--format=text").find("project"), std::string::npos);
  sheet["project"] = {{"runs", 4}, {"failed_share", "20%"}, {"engineering_hours", 16}};
  const std::string text = asked_of("project.json", "--format=text");
  EXPECT_NE(text.find("\n  project $"), std::string::npos) << text;
  EXPECT_NE(text.find("\n        4 runs, 20\u00a0% of those started lost: $"), std::string::npos);
  EXPECT_NE(text.find("; engineering $1,504\n"), std::string::npos);
  const Json pick =
      parse_json(asked_of("project.json", "--json"), "ask").at("answers").at(0).at("pick");
  EXPECT_EQ(pick.at("project").at("people_usd"), 1504);
  EXPECT_EQ(pick.at("project").at("failed_share"), 0.2);
}

/// What `ask` says of the machine to own, from its line on.
std::string own_lines(const std::string& out) {
  const std::size_t from = out.find("\n  own   ");
  return from == out.npos ? "" : out.substr(from, out.find("\n  service", from) - from) + '\n';
}

TEST(Ask, says_rent_or_buy_only_where_a_demand_is_stated) {
  const Words words = {"ask", "llama-3.1-8b", "--method", "lora-r16"};
  const std::string plain = own_lines(ask(words).out);
  EXPECT_NE(plain.find(" per month; "), std::string::npos) << plain;
  for (const char* word : {": rent\n", ": buy\n", ": close\n"}) {
    EXPECT_EQ(plain.find(word), std::string::npos) << plain;
  }
  const std::string few = own_lines(ask(with(words, {"--runs", "1"})).out);
  EXPECT_NE(few.find("\n        at 1 run per month: "), std::string::npos) << few;
  EXPECT_NE(few.find(": rent\n"), std::string::npos) << few;
  const std::string much = own_lines(ask(with(words, {"--hours", "730"})).out);
  EXPECT_NE(much.find("\n        at 730 h per month: "), std::string::npos) << much;
}

TEST(Ask, the_json_says_which_use_the_decision_is_of) {
  const Words words = {"ask", "llama-3.1-8b", "--method", "lora-r16", "--json"};
  const Json plain = parse_json(ask(words).out, "ask");
  EXPECT_TRUE(plain.at("demand").is_null());
  EXPECT_TRUE(plain.at("answers")[0].at("pick").at("own").at("decision").is_null());
  const Json asked = parse_json(ask(with(words, {"--hours", "8d"})).out, "ask");
  EXPECT_EQ(asked.at("demand").dump(), R"({"hours_per_month":192,"runs_per_month":null})");
  const Json& own = asked.at("answers")[0].at("pick").at("own");
  EXPECT_EQ(own.at("advice_at_hours"), 192);
  EXPECT_FALSE(own.at("decision").is_null());
  const Json runs = parse_json(ask(with(words, {"--runs", "20"})).out, "ask");
  EXPECT_EQ(
      runs.at("demand").dump(),
      R"({"failed_share":0,"hours_per_month":null,"runs_per_month":20,"runs_started_per_month":20})");
  EXPECT_NEAR(runs.at("answers")[0].at("pick").at("own").at("planned_runs_per_month"), 20, 1e-9);
}

TEST(Ask, says_where_no_machine_does_so_many_runs) {
  const Outcome asked = ask({"ask", "llama-3.1-8b", "--method", "full", "--runs", "1M"});
  EXPECT_EQ(asked.code, 2);
  const Outcome many = ask({"ask", "llama-3.1-8b", "--method", "full", "--runs", "1000000"});
  EXPECT_EQ(many.code, 0);
  EXPECT_NE(many.out.find("\n  own   no machine on sale does 1,000,000 runs in a month\n"),
            std::string::npos)
      << many.out;
}

TEST(Ask, fits_a_screen) {
  for (const char* model : {"llama-3.1-8b", "gpt-oss-120b", "size-400b"}) {
    const Outcome asked = ask({"ask", model});
    EXPECT_EQ(asked.code, 0);
    const std::vector<std::string> lines = split(asked.out, '\n');
    EXPECT_LE(lines.size(), 24U) << "23, a prompt below them";
    for (const std::string& line : lines) EXPECT_LE(decode(line).size(), 80U) << line;
  }
}

TEST(Ask, says_the_smallest_change_where_the_answer_is_no) {
  const Outcome asked =
      ask({"ask", "llama-3.1-8b", "--method", "full", "--gpu", "rtx-4090", "--gpus", "1"});
  EXPECT_EQ(asked.code, 1);
  EXPECT_TRUE(asked.out.ends_with(
      "\nFull fine-tuning: does not fit: 1\u00a0×\u00a04090 would need 141.6 of 23.6 GiB\n"
      "  It fits with LoRA on 1\u00a0×\u00a04090, or with QLoRA on 1\u00a0×\u00a04090.\n"))
      << asked.out;
  const Outcome other =
      ask({"ask", "llama-3.3-70b", "--method", "full", "--gpu", "rtx-4090", "--gpus", "2"});
  EXPECT_NE(other.out.find("\n  It fits on 8\u00a0×\u00a0B200 (not certain).\n"), std::string::npos)
      << other.out;
}

TEST(Ask, a_cheaper_method_says_that_its_run_is_shorter) {
  const Words words = {"ask", "llama-3.1-8b", "--method", "full", "--budget", "$13"};
  const std::string usual = ask(words).out;
  EXPECT_NE(usual.find("with LoRA on "), std::string::npos) << usual;
  EXPECT_NE(usual.find(") for 50 M tokens per run"), std::string::npos) << usual;
  const std::string alike = ask(with(words, {"--tokens", "50M"})).out;
  EXPECT_EQ(alike.find("tokens per run, or"), std::string::npos) << alike;
  EXPECT_EQ(alike.find(" for 50 M tokens"), std::string::npos) << alike;
}

TEST(Ask, says_that_a_card_is_in_no_machine_on_sale) {
  const Outcome asked =
      ask({"ask", "llama-3.1-8b", "--method", "lora-r16", "--gpu", "4090", "--runs", "1"});
  EXPECT_NE(asked.out.find("\n  own   no machine with these GPUs is on sale\n"), std::string::npos)
      << asked.out;
}

TEST(Ask, holds_to_budget_and_deadline) {
  EXPECT_EQ(ask({"ask", "phi-4", "--method", "lora-r16", "--budget", "$1k"}).code, 0);
  const Outcome dear = ask({"ask", "phi-4", "--method", "lora-r16", "--budget", "0.5"});
  EXPECT_EQ(dear.code, 1);
  EXPECT_NE(dear.out.find("; over the budget: this set-up has the lowest upper end\n"),
            std::string::npos);
  EXPECT_EQ(
      ask({"ask", "size-400b", "--method", "full", "--gpu", "h100-sxm", "--deadline", "1h"}).code,
      1);
}

/// Of 26 first guesses, all work. `--version` and `--help` take no catalog.
TEST(Ask, first_guesses_work) {
  const Json all =
      parse_json(read_file(SIZESHEET_SOURCE_DIR "/tests/cli/first_guesses.json"), "guesses");
  ASSERT_EQ(all.at("guesses").size(), 26U);
  for (const Json& guess : all.at("guesses")) {
    Words words = guess.at("words");
    const std::string shown = guess.at("intent").get<std::string>() + ": " + join(words, " ");
    if (!starts_with(words[0], "--")) words = with(words, {"--catalog", kCatalog});
    const Outcome outcome = program(words, guess.value("in", ""));
    EXPECT_EQ(outcome.code, guess.at("code")) << shown << "\n" << outcome.err;
    for (const auto& [key, text] : {std::pair{"out", &outcome.out}, {"err", &outcome.err}}) {
      const std::regex pattern(guess.value(key, ""));
      EXPECT_TRUE(std::regex_search(*text, pattern)) << shown << "\n" << key << ": " << *text;
    }
  }
}

/// The stack is for cards of one maker: a comparison over cards leaves the others out and says so.
TEST(Ask, SaysWhichCardsItsStackLeavesOut) {
  const Words words = {"ask", "llama-3.1-8b", "--method", "lora-r16", "--stack", "megatron-bridge"};
  const Outcome asked = ask(words);
  EXPECT_EQ(asked.code, 0);
  EXPECT_NE(asked.out.find("\nleft out: MI300X, stack: megatron-bridge needs a GPU of NVIDIA (CUDA "
                           "12.8, cuDNN 9.3, Transformer Engine); mi300x is of AMD\n"),
            std::string::npos)
      << asked.out;
  const Json answer = parse_json(ask(with(words, {"--json"})).out, "ask");
  EXPECT_EQ(answer.at("left_out").dump(),
            R"([{"gpu":"mi300x","why":"stack: megatron-bridge needs a GPU of NVIDIA (CUDA 12.8, )"
            R"(cuDNN 9.3, Transformer Engine); mi300x is of AMD"}])");
  EXPECT_NE(answer.at("answers")[0].at("rent").at("gpu"), "mi300x");
  EXPECT_EQ(parse_json(ask({"ask", "llama-3.1-8b", "--json"}).out, "ask").at("left_out"),
            Json::array());
}

TEST(Ask, takes_names_as_people_write_them) {
  EXPECT_EQ(
      ask({"ask", "meta-llama/Llama-3.1-8B-Instruct", "--gpu", "4090"}).err,
      "model \"meta-llama/Llama-3.1-8B-Instruct\" is llama-3.1-8b\nGPU \"4090\" is rtx-4090\n");
}

TEST(Ask, takes_the_config_of_a_model) {
  const TempDir dir;
  dir.write("config.json", json_text(project_catalog().model("phi-4").raw));
  const std::string file = (dir.path() / "config.json").string();
  const Json of_file =
      parse_json(ask({"ask", "--config", file, "--method", "lora", "--json"}).out, "a");
  const Json of_id = parse_json(ask({"ask", "phi-4", "--method", "lora", "--json"}).out, "b");
  EXPECT_EQ(of_file.at("answers")[0].at("rent"), of_id.at("answers")[0].at("rent"));
}

TEST(Ask, needs_no_catalog_beside_it) {
  const Outcome here = ask({"ask", "phi-4", "--method", "lora"});
  const TempDir dir;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(dir.path());
  const Outcome alone = program({"ask", "phi-4", "--method", "lora", "--as-of", "2026-11-20"});
  const Outcome no_sheet = program({"ask", "phi-4", "--sheet", "monthly"});
  setenv("SIZESHEET_CATALOG", kCatalog, 1);
  const Outcome named = program({"ask", "phi-4", "--method", "lora", "--as-of", "2026-11-20"});
  unsetenv("SIZESHEET_CATALOG");
  std::filesystem::current_path(before);
  EXPECT_EQ(alone, here);
  EXPECT_EQ(named, here);
  EXPECT_EQ(no_sheet.err, "sizesheet: --sheet: no sheet \"monthly\" in the catalog\n");
}

/// 2 RTX A6000 take about two days; the upper end is beyond the 72 hours of the sheet.
TEST(Ask, answers_the_count_that_is_named_where_fewer_do_not_fit) {
  for (const char* count : {"20xh100", "32xh100", "36xh100"}) {
    const Outcome asked = ask({"ask", "llama-3.1-405b", "lora", count});
    const std::string gpus = std::string(count).substr(0, 2);
    EXPECT_NE(asked.out.find(gpus + "\u00a0×\u00a0H100 "), std::string::npos) << asked.out;
    const Outcome fitted =
        program({"fits", "llama-3.1-405b", "lora", count, "--json", "--catalog", kCatalog});
    const Json rows = parse_json(fitted.out, "fits").at("rows");
    const bool fits = !rows.empty() && rows.at(0).at("verdict") == "fits";
    EXPECT_EQ(asked.code == 0, fits) << count;
  }
}

TEST(Ask, says_what_the_hours_are_that_may_be_a_deadline) {
  const Outcome asked = ask({"ask", "qwen2.5-14b", "lora", "--gpu", "a100", "--hours", "10"});
  EXPECT_NE(asked.err.find("--hours 10 is the use of an owned machine per month; --deadline 10h "
                           "limits the run\n"),
            std::string::npos)
      << asked.err;
}

TEST(Ask, has_only_a_stated_deadline_where_the_gpus_are_named) {
  const Words words = {"ask", "llama-3.1-70b", "--method", "qlora-r16", "--json"};
  const Words named = with(words, {"--gpu", "rtx-a6000", "--gpus", "2"});
  const Outcome yes = ask(named);
  EXPECT_EQ(yes.code, 0) << yes.err;
  const Json answer = parse_json(yes.out, "ask").at("answers").at(0);
  EXPECT_GT(answer.at("rent").at("hours").at("high").get<double>(), 72) << answer;
  EXPECT_EQ(ask(with(named, {"--deadline", "72h"})).code, 1);
}

/// The pick is chosen on demand; in another tier, another set-up may cost less.
TEST(Ask, names_the_set_up_of_the_lowest_cost_in_a_tier) {
  const Words words = {"ask", "llama-3.1-8b", "--method", "lora-r16", "--tier", "spot", "--json"};
  const Json tier = parse_json(ask(words).out, "ask").at("answers").at(0).at("tier");
  const Json& lowest = tier.at("lowest");
  const auto usd = [](const Json& rent) {
    return rent.at("usd_per_run_interrupted").get<double>();
  };
  EXPECT_LT(usd(lowest.at("rent")), usd(tier.at("rent"))) << tier;
  const std::string gpu = lowest.at("gpu");
  const Json own =
      parse_json(ask(with(words, {"--gpu", gpu})).out, "ask").at("answers").at(0).at("tier");
  EXPECT_EQ(usd(own.at("lowest").at("rent")), usd(lowest.at("rent")));
}

TEST(Ask, a_deadline_too_small_to_count_is_no_internal_error) {
  EXPECT_EQ(ask({"ask", "phi-4", "--deadline", "1e-308"}).err.find("internal error"),
            std::string::npos);
}

TEST(Names, every_id_and_title_means_its_entry_or_several) {
  const Catalog& catalog = project_catalog();
  for (const auto& all : {called_gpus(catalog), called_methods(catalog), called_stacks(catalog)}) {
    for (const CalledEntry& entry : all) {
      EXPECT_EQ(resolved("entry", entry.id, all), entry.id);
      for (const std::string& name : entry.names) {
        const std::string refusal =
            refusal_of([&] { EXPECT_EQ(resolved("entry", name, all), entry.id) << name; });
        EXPECT_TRUE(refusal == "no refusal" || refusal.find("several fit") != std::string::npos)
            << refusal;
      }
    }
  }
}

/// A pair of answers has two sequences, as `estimate` counts them; a prompt has all its
/// completions.
TEST(Ask, counts_pairs_and_prompts_as_estimate_does) {
  const Json pairs = parse_json(program({"ask", "llama-3.1-8b", "dpo", "1xa100", "--examples",
                                         "20k", "--seq", "2k", "--json", "--catalog", kCatalog})
                                    .out,
                                "answer");
  const Json as_tokens =
      parse_json(program({"ask", "llama-3.1-8b", "dpo", "1xa100", "--tokens", "81.92M", "--seq",
                          "2k", "--json", "--catalog", kCatalog})
                     .out,
                 "answer");
  EXPECT_EQ(pairs.at("answers").at(0).at("rent"), as_tokens.at("answers").at(0).at("rent"));
  const Outcome prompts =
      program({"ask", "qwen2.5-7b", "grpo", "8xh100", "--examples", "10k", "--catalog", kCatalog});
  EXPECT_NE(prompts.err.find("10,000 examples of 6,400 tokens: a prompt with each of its 8 "
                             "completions: 64,000,000 tokens per run\n"),
            std::string::npos)
      << prompts.err;
}

}  // namespace
}  // namespace sizesheet
