// SPDX-License-Identifier: Apache-2.0
// The program as a function: exit codes, streams, messages.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <set>
#include <sstream>

#include "build/source_scan.h"
#include "cli/commands.h"
#include "cli/program.h"
#include "support/due.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/project_catalog.h"
#include "support/temp_dir.h"
#include "support/text.h"

namespace sizesheet {
namespace {

TEST(Run, VersionAndHelpGoToStdout) {
  const Outcome version = program({"--version"});
  EXPECT_EQ(version.code, 0);
  const std::string facts = "catalog builtin: 2026-11-20, SHA-256 " + project_catalog().hash;
  EXPECT_EQ(version.out, tool_version() + "\n" + facts + "\n");
  const Outcome help = program({"build", "--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_NE(help.out.find("--paper"), std::string::npos);
  EXPECT_EQ(help.err, "");
}

TEST(Run, EveryCommandIsInTheHelpAndHasItsOwn) {
  const std::string help = program({"--help"}).out;
  // As the headers declare them, so that a new one cannot be left out here.
  std::set<std::string> commands;
  const std::regex adds(
      R"(void add_(\w+)\(CLI::App& app, const Streams& streams, Command& chosen\);)");
  for (const SourceFile& file : source_files(SIZESHEET_SOURCE_DIR, "generator/cli")) {
    for (const std::string& line : file.lines) {
      std::smatch match;
      if (!std::regex_match(line, match, adds) || match[1] == "commands") continue;
      std::string name = match[1];
      std::ranges::replace(name, '_', '-');
      commands.insert(name);
    }
  }
  std::erase_if(commands, [](const std::string& name) { return name == "lists"; });
  EXPECT_GE(commands.size(), 19U);
  for (const std::string& command : commands) {
    EXPECT_NE(help.find("\n  " + command + " "), std::string::npos) << command;
    const Outcome own = program({command, "--help"});
    EXPECT_EQ(own.code, 0) << command;
    EXPECT_NE(own.out.find("sizesheet " + command), std::string::npos) << own.out;
  }
}

TEST(Run, a_file_behind_a_command_is_no_question) {
  const TempDir folder;
  const std::string there = folder.path().string();
  for (const std::string& words : {there, std::string("out/8b-edition"), std::string("ours/8b")}) {
    const Outcome told = program({"verify", words});
    EXPECT_EQ(told.code, 2);
    EXPECT_NE(told.err.find(" of an edition, got nothing"), std::string::npos) << told.err;
    EXPECT_EQ(program({"verify", words, "--json"}).code, 2);
  }
  const Outcome built = program({"build", "missing/8b.json", "--out", "pages"});
  EXPECT_NE(built.err.find("missing/8b.json: cannot read"), std::string::npos) << built.err;
  for (const char* command : {"check", "verify", "build"}) {
    EXPECT_EQ(program({command, "llama-3.1-8b", "lora", "4090"}).code, 0) << command;
  }
}

TEST(Run, HelpIsACommandToo) {
  const Outcome list = program({"--help"});
  EXPECT_EQ(program({"help"}), list);
  EXPECT_NE(list.out.find("\n  help "), std::string::npos);
  EXPECT_EQ(program({"help", "fits"}), program({"fits", "--help"}));
  EXPECT_EQ(program({"help", "help"}).code, 0);
  EXPECT_EQ(program({"help", "--help"}).code, 0);
  const Outcome alone = program({});
  EXPECT_EQ(alone.code, 2);
  EXPECT_EQ(std::count(alone.err.begin(), alone.err.end(), '?'), 6) << alone.err;
  EXPECT_NE(alone.err.find("\n  sizesheet fits 2x4090 --method qlora\n"), std::string::npos);
}

TEST(Run, ListShowsAtLeast77Models) {
  const Outcome models = program({"list", "models", "--catalog", kCatalog});
  EXPECT_EQ(models.code, 0);
  EXPECT_GE(std::count(models.out.begin(), models.out.end(), '\n'), 77);
  EXPECT_NE(models.out.find("llama-3.1-8b\t8030261248\t"), std::string::npos);
}

TEST(Run, ListNarrowsPricesAndSaysSellersInEitherForm) {
  const Outcome spot =
      program({"list", "prices", "--gpu", "H100", "--tier", "spot", "--catalog", kCatalog});
  EXPECT_EQ(spot.code, 0);
  EXPECT_TRUE(spot.err.starts_with("GPU \"H100\" is h100-sxm\n* counts on 20")) << spot.err;
  std::istringstream lines(spot.out);
  std::int64_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_NE(line.find("/h100-sxm/spot/"), std::string::npos) << line;
  }
  EXPECT_GT(count, 3);
  const Json sellers = parse_json(program({"list", "providers", "--gpu", "h100-sxm", "--tier",
                                           "spot", "--json", "--catalog", kCatalog})
                                      .out,
                                  "list");
  std::int64_t of_sellers = 0;
  for (const Json& seller : sellers) of_sellers += seller.at("prices").get<std::int64_t>();
  EXPECT_EQ(of_sellers, count);
  const std::string one = sellers.at(0).at("id").get<std::string>();
  const Json alone =
      parse_json(program({"list", "providers", "--provider", one, "--gpu", "h100-sxm", "--tier",
                          "spot", "--json", "--catalog", kCatalog})
                     .out,
                 "list");
  EXPECT_GT(sellers.size(), 1U);
  EXPECT_EQ(alone, Json::array({sellers.at(0)}));
}

/// The shell takes the script, and it offers every option of a command.
TEST(Run, CompletionOffersCommandsAndTheirOptions) {
  const TempDir dir;
  dir.write("bash", program({"completion", "bash"}).out +
                        "COMP_WORDS=(sizesheet fits --gp); COMP_CWORD=2; _sizesheet\n"
                        "echo \"${COMPREPLY[*]}\"\n"
                        "COMP_WORDS=(sizesheet val); COMP_CWORD=1; _sizesheet\n"
                        "echo \"${COMPREPLY[*]}\"\n");
  const std::string file = (dir.path() / "bash").string();
  const std::string out = (dir.path() / "out").string();
  ASSERT_EQ(std::system(("bash " + file + " > " + out).c_str()), 0);
  EXPECT_EQ(read_file(out), "--gpu --gpus\nvalidate\n");
  const std::string fish = program({"completion", "fish"}).out;
  EXPECT_NE(fish.find("-n '__fish_seen_subcommand_from fits' -l vram -r -d "), std::string::npos);
  EXPECT_TRUE(program({"completion", "zsh"}).out.starts_with("#compdef sizesheet\n"));
}

/// Its day and its numbers are the same on every machine.
TEST(Run, ManualPageHasEveryCommandAndOption) {
  const std::string page = program({"man"}).out;
  EXPECT_TRUE(page.starts_with(".TH SIZESHEET 1 20")) << page.substr(0, 80);
  EXPECT_NE(page.find("\n.SS \"fits [OPTIONS] [words...]\"\n"), std::string::npos);
  EXPECT_NE(page.find("\n\\fB\\-\\-vram\\fR MEMORY\n"), std::string::npos);
  EXPECT_NE(page.find("\n\\fB\\-\\-jobs\\fR COUNT\n"), std::string::npos);
  EXPECT_NE(page.find("\n.SS \"diff [OPTIONS] old new\"\n"), std::string::npos);
}

/// The objects on the lines of an answer.
std::vector<Json> answers_in(const Outcome& outcome) {
  std::vector<Json> answers;
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) answers.push_back(parse_json(line, "line"));
  return answers;
}

const Words kOverTheCatalog = {"--catalog", kCatalog};

TEST(Refusals, OfOptionsAreSaidInWholeSentences) {
  const Json refusals = oracle("command_refusals.json");
  std::size_t cases = 0;
  for (const Json& command : refusals.at("options")) {
    for (const Json& one : command.at("refused")) {
      if (!is_due(cases++, 1)) continue;
      const Words words = with(command.at("command"), one.at(0));
      EXPECT_EQ(program(with(words, kOverTheCatalog)), (Outcome{2, "", one.at(1)}))
          << join(words, " ");
    }
  }
  for (const Json& one : refusals.at("commands")) {
    if (!is_due(cases++, 1)) continue;
    EXPECT_EQ(program(one.at(0)), (Outcome{2, "", one.at(1)})) << one.at(0);
  }
}

TEST(Refusals, OfRequestsAndQuestionsAreTheAnswer) {
  const Json refusals = oracle("command_refusals.json");
  const auto expect_refused = [&](const Words& command, const char* plain, const char* cases) {
    std::string lines;
    for (const Json& one : refusals.at(cases)) {
      Json request = refusals.at(plain);
      request.merge_patch(one.at("change"));
      lines += request.dump() + "\n";
    }
    const Outcome outcome = program(command, lines);
    EXPECT_EQ(outcome.code, 1);
    const std::vector<Json> answers = answers_in(outcome);
    ASSERT_EQ(answers.size(), refusals.at(cases).size());
    for (std::size_t i = 0; i < answers.size(); ++i) {
      EXPECT_EQ(answers[i].at("ok"), false) << answers[i];
      EXPECT_EQ(answers[i].at("error"), refusals.at(cases)[i].at("error"));
    }
  };
  expect_refused(with({"estimate"}, kOverTheCatalog), "request", "requests");
  expect_refused({"cost"}, "question", "questions");
}

TEST(Run, words_that_are_none_and_too_many_of_them_are_refused) {
  for (const Words& words : {Words{"--"}, Words{"ask", "--"}, Words{"compare", "--"}}) {
    EXPECT_EQ(program(words).code, 2) << join(words, " ");
  }
  const Outcome many = program(Words(2001, "vs"));
  EXPECT_EQ(many.code, 2);
  EXPECT_EQ(many.err, "sizesheet: expected at most 2,000 words, got 2,001\n");
}

TEST(Run, amounts_beyond_all_counting_are_refused) {
  const std::string words =
      "an amount of money does not fit in 64 bits of micro-dollars; ask for fewer tokens";
  const Outcome asked =
      program({"compare", "size-400b", "full", "h100", "--tokens", "1e15", "--seq", "1"});
  EXPECT_EQ(asked.code, 2);
  EXPECT_NE(asked.err.find("sizesheet: " + words), std::string::npos) << asked.err;
  const Outcome line =
      program({"estimate"},
              R"({"gpu":"h100-sxm","answer":["money"],"model":"llama-3.1-8b","method":"full",)"
              R"("workload":{"tokens":9000000000000000,"seq_len":1}})"
              "\n");
  EXPECT_EQ(answers_in(line).front().at("error"), words);
}

TEST(Run, a_folder_may_be_called_as_what_is_not_done) {
  EXPECT_EQ(program({"verify", "deploy"}).err,
            "sizesheet: deploy: expected the folder of an edition, got nothing\n");
  const Outcome asked = program({"llama-3.1-8b", "pretrain", "1T", "tokens"});
  EXPECT_EQ(asked.code, 2);
  EXPECT_TRUE(asked.err.starts_with(
      "sizesheet: pretraining is not modelled: sizesheet sizes fine-tuning on GPUs\n"))
      << asked.err;
}

}  // namespace
}  // namespace sizesheet
