// SPDX-License-Identifier: Apache-2.0
// The program as a function: exit codes, streams, messages.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/commands.h"
#include "cli/program.h"
#include "support/files.h"
#include "support/json.h"
#include "support/project_catalog.h"
#include "support/temp_dir.h"

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
  for (const char* command :
       {"build", "diff", "estimate", "cost", "explain", "fits", "check", "validate", "verify",
        "import-model", "import-prices", "list", "completion", "man"}) {
    EXPECT_NE(help.find("\n  " + std::string(command) + " "), std::string::npos) << command;
    const Outcome own = program({command, "--help"});
    EXPECT_EQ(own.code, 0) << command;
    EXPECT_NE(own.out.find("sizesheet " + std::string(command)), std::string::npos) << own.out;
  }
}

TEST(Run, UsageErrorsAreTwo) {
  EXPECT_EQ(program({}).code, 2);
  EXPECT_EQ(program({"biuld"}).code, 2);
  EXPECT_EQ(program({"build", "--paper", "a3"}).code, 2);
  EXPECT_EQ(program({"list", "colours"}).code, 2);
}

TEST(Run, HelpIsACommandToo) {
  const Outcome list = program({"--help"});
  EXPECT_EQ(program({"help"}), list);
  EXPECT_NE(list.out.find("\n  help "), std::string::npos);
  EXPECT_EQ(program({"help", "fits"}), program({"fits", "--help"}));
  EXPECT_EQ(program({"help", "help"}).code, 0);
  EXPECT_EQ(program({"help", "--help"}).code, 0);
  EXPECT_EQ(program({"help", "nosuch"}),
            (Outcome{2, "", "sizesheet: no command \"nosuch\"; sizesheet help lists them\n"}));
  EXPECT_EQ(program({"help", "fit"}).err,
            "sizesheet: no command \"fit\" (did you mean \"fits\"?); sizesheet help lists them\n");
  EXPECT_EQ(program({"help", "fits", "--gpu"}).err,
            "sizesheet: help: expected one command, got \"--gpu\" too\n");
  EXPECT_EQ(program({}), (Outcome{2, "", list.out}));
}

TEST(Run, ACommandThatIsNoneIsNamedWithItsNearMisses) {
  EXPECT_EQ(program({"buidl", "--out", "x"}),
            (Outcome{2, "",
                     "sizesheet: no command \"buidl\" (did you mean \"build\"?); sizesheet help "
                     "lists them\n"}));
  EXPECT_EQ(program({"import"}).err,
            "sizesheet: no command \"import\" (did you mean \"import-model\" or "
            "\"import-prices\"?); sizesheet help lists them\n");
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
  EXPECT_EQ(spot.err, "GPU \"H100\" is h100-sxm\n");
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
  EXPECT_EQ(program({"list", "models", "--tier", "spot", "--catalog", kCatalog}).err,
            "sizesheet: --tier: narrows prices and providers, not models\n");
  EXPECT_EQ(program({"list", "prices", "--provider", "runpood", "--catalog", kCatalog}).err,
            "sizesheet: no provider \"runpood\" in the catalog (did you mean "
            "\"runpod\"?)\n");
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
  EXPECT_EQ(program({"completion", "csh"}).code, 2);
}

/// Its day and its numbers are the same on every machine.
TEST(Run, ManualPageHasEveryCommandAndOption) {
  const std::string page = program({"man"}).out;
  EXPECT_TRUE(page.starts_with(".TH SIZESHEET 1 20")) << page.substr(0, 80);
  EXPECT_NE(page.find("\n.SS \"fits [OPTIONS]\"\n"), std::string::npos);
  EXPECT_NE(page.find("\n\\fB\\-\\-vram\\fR TEXT\n"), std::string::npos);
  EXPECT_NE(page.find("\n\\fB\\-\\-jobs\\fR INT:INT in [1 \\- 1024]\n"), std::string::npos);
  EXPECT_NE(page.find("\n.SS \"diff [OPTIONS] old new\"\n"), std::string::npos);
}

TEST(Run, CheckOfTheProjectsCatalogIsClean) {
  const Outcome check = program({"check", "--catalog", kCatalog});
  EXPECT_EQ(check.code, 0);
  const Catalog& catalog = project_catalog();
  EXPECT_EQ(check.out, "catalog: " + std::to_string(catalog.models.size()) + " models, " +
                           std::to_string(catalog.gpus.size()) + " gpus, " +
                           std::to_string(catalog.prices.size()) + " prices, " +
                           std::to_string(catalog.stacks.size()) + " stacks: no faults\n");
}

TEST(Run, AMissingCatalogIsTwo) {
  const Outcome check = program({"check", "--catalog", "/nowhere/at/all"});
  EXPECT_EQ(check.code, 2);
  EXPECT_EQ(check.out, "");
  EXPECT_NE(check.err.find("/nowhere/at/all"), std::string::npos);
}

TEST(Run, EstimateAnswersLineByLine) {
  const Outcome answers = program(
      {"estimate", "--catalog", kCatalog, "--jobs", "2"},
      R"({"id":"a","model":"llama-3.1-8b","gpu":"h100-sxm","stack":"hf-trl","method":{"kind":"lora","rank":16,"targets":"all-linear"}})"
      "\n\n[1]\n"
      R"({"id":"b","model":"llama-3.1-8b","gpu":"h100-sxm","method":"lora-16"})"
      "\n");
  EXPECT_EQ(answers.code, 1);
  std::istringstream lines(answers.out);
  std::string line;
  std::getline(lines, line);
  const Json first = parse_json(line, "line");
  EXPECT_EQ(first.at("id"), "a");
  EXPECT_EQ(first.at("ok"), true);
  EXPECT_EQ(first.at("parameters").at("trainable"), 41943040);
  std::getline(lines, line);
  const Json second = parse_json(line, "line");
  EXPECT_TRUE(second.at("id").is_null());
  EXPECT_EQ(second.at("ok"), false);
  EXPECT_EQ(second.at("error").get<std::string>().substr(0, 7), "line 3:");
  std::getline(lines, line);
  EXPECT_EQ(
      parse_json(line, "line").at("error"),
      "method: no method \"lora-16\" in the catalog (did you mean \"lora-r16\", \"dpo-lora-r16\", "
      "\"grpo-lora-r16\", \"orpo-lora-r16\", \"reward-lora-r16\" or \"simpo-lora-r16\"?)");
}

/// `explain` of a job at the workload of the quarterly sheet.
Outcome explained(const std::string& model, const std::string& method,
                  const std::vector<std::string>& more = {}) {
  std::vector<std::string> words = {
      "explain", "--catalog", kCatalog,
      "--model", model,       "--method",
      method,    "--gpu",     "h100-sxm",
      "--seq",   "4096",      "--micro-batch",
      "1",       "--request", R"({"workload": {"grad_accum": 1, "packed": true}})"};
  words.insert(words.end(), more.begin(), more.end());
  return program(words);
}

TEST(Run, ExplainSumsItsTerms) {
  const Outcome text = explained("size-7b", "full");
  EXPECT_EQ(text.code, 0);
  EXPECT_NE(text.out.find("Optimizer states"), std::string::npos);
  EXPECT_NE(text.out.find("1 × H100 would need 120.0 GiB of 79.2 usable"), std::string::npos);
  const Outcome json = explained("size-7b", "full", {"--format", "json"});
  const Json answer = parse_json(json.out, "explain");
  std::int64_t sum = 0;
  for (const Json& term : answer.at("terms")) sum += term.at("bytes").get<std::int64_t>();
  EXPECT_EQ(sum, answer.at("memory").at("device").get<std::int64_t>());
}

TEST(Run, ExplainTakesTheFilesOfARunApart) {
  std::vector<std::string> command = {"explain",  "--catalog", kCatalog, "--model", "llama-3.1-8b",
                                      "--method", "lora-r16",  "--gpu",  "h100-sxm"};
  const std::string text = program(command).out;
  const std::size_t at = text.find("\nfiles of the run, and host memory:\nAdapter file ");
  ASSERT_NE(at, std::string::npos);
  EXPECT_NE(text.find("trainable * weight_bytes\n", at), std::string::npos);
  EXPECT_EQ(text.find("the engine that generates"), std::string::npos);
  command.insert(command.end(), {"--format", "json"});
  const Json answer = parse_json(program(command).out, "explain");
  for (const Json& term : answer.at("file_terms")) {
    EXPECT_EQ(term.at("bytes"), answer.at("files").at(term.at("name"))) << term.at("name");
  }
  EXPECT_EQ(answer.at("file_terms").size(), 4U);
}

TEST(Run, ExplainTakesTheEngineOfGrpoApart) {
  const std::vector<std::string> command = {"explain",
                                            "--catalog",
                                            kCatalog,
                                            "--model",
                                            "llama-3.1-8b",
                                            "--method",
                                            "lora-r16",
                                            "--gpu",
                                            "h100-sxm",
                                            "--request",
                                            "{\"grpo\": {\"memory_fraction\": 0.5}}"};
  const std::string text = program(command).out;
  EXPECT_NE(text.find("\nthe engine that generates, on one of its GPUs:\nWeights of the engine "),
            std::string::npos);
  EXPECT_NE(text.find("\nKV cache of one sequence "), std::string::npos);
  EXPECT_EQ(text.find("files of the run"), std::string::npos);
  std::vector<std::string> as_json = command;
  as_json.insert(as_json.end(), {"--format", "json"});
  const Json answer = parse_json(program(as_json).out, "explain");
  std::int64_t sum = 0;
  for (const Json& term : answer.at("generation_terms")) {
    if (term.at("name") != "kv_cache_per_sequence") sum += term.at("bytes").get<std::int64_t>();
  }
  EXPECT_EQ(sum, answer.at("grpo").at("generation").at("device").get<std::int64_t>());
  std::vector<std::string> broken = command;
  broken.back() = "{\"grpo\": {\"memory_fractio\": 0.5}}";
  const Outcome refused = program(broken);
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.err,
            "sizesheet: grpo.memory_fractio: unknown key (did you mean \"memory_fraction\"?)\n");
}

TEST(Run, ExplainSaysWhereTheNextSmallerCountDies) {
  const Outcome text = explained("size-7b", "full");
  EXPECT_NE(text.out.find("\nGiB on the device          step 1         later\nload "),
            std::string::npos);
  EXPECT_NE(
      text.out.find("\n1 GPU h100-sxm would run out in optimizer step of step 1: optimizer states, "
                    "created in the first step: more is trained, or more bytes are kept for it, "
                    "than was thought. Helps: 8-bit or 16-bit states, sharding, or adapters\n"),
      std::string::npos);
  const Json answer = parse_json(explained("size-7b", "full", {"--format", "json"}).out, "explain");
  EXPECT_EQ(answer.at("diagnosis").at("smaller").at("gpus"), 1);
  EXPECT_EQ(answer.at("diagnosis").at("phases").size(), 7U);
  EXPECT_TRUE(answer.at("limits").at("micro_batch").is_number());
}

TEST(Run, ExplainSplitsAResidual) {
  const Outcome json =
      explained("llama-3.1-8b", "lora-r16", {"--measured-gib", "35", "--format", "json"});
  const Json answer = parse_json(json.out, "explain");
  const std::int64_t residual =
      35LL * 1073741824 - answer.at("memory").at("device").get<std::int64_t>();
  ASSERT_FALSE(answer.at("residual").empty());
  for (const Json& cause : answer.at("residual")) {
    EXPECT_EQ(cause.at("bytes").get<std::int64_t>() + cause.at("left").get<std::int64_t>(),
              residual);
  }
  EXPECT_EQ(answer.at("residual").at(0).at("id"), "fp32-base");
  const Outcome refused = explained("llama-3.1-8b", "lora-r16", {"--measured-gib", "-1"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.err, "sizesheet: --measured-gib: expected GiB above 0, got -1\n");
}

TEST(Run, BuildRefusesForeignFilesAndKeepsThem) {
  const TempDir folder;
  std::filesystem::create_directory(folder.path() / "out");
  std::ofstream(folder.path() / "out" / "thesis.txt") << "mine";
  const Outcome build =
      program({"build", "--catalog", kCatalog, "--out", (folder.path() / "out").string()});
  EXPECT_EQ(build.code, 2);
  EXPECT_NE(build.err.find("thesis.txt"), std::string::npos);
  EXPECT_EQ(read_file(folder.path() / "out" / "thesis.txt"), "mine");
  EXPECT_EQ(list_files(folder.path() / "out").size(), 1U);
}

TEST(Run, BuildLeavesTheOldEditionWholeOnAnyError) {
  const TempDir folder;
  const std::string out = (folder.path() / "out").string();
  ASSERT_EQ(program({"build", "--catalog", kCatalog, "--out", out}).code, 0);
  const std::string before = read_file(folder.path() / "out" / "manifest.json");
  const Outcome broken =
      program({"build", "--catalog", kCatalog, "--out", out, "--as-of", "2026-02-30"});
  EXPECT_EQ(broken.code, 2);
  EXPECT_EQ(broken.err, "sizesheet: --as-of: expected a date YYYY-MM-DD, got \"2026-02-30\"\n");
  EXPECT_EQ(read_file(folder.path() / "out" / "manifest.json"), before);
}

TEST(Run, BuildListsEveryFileInTheManifest) {
  const TempDir folder;
  const std::filesystem::path out = folder.path() / "out";
  ASSERT_EQ(program({"build", "--catalog", kCatalog, "--out", out.string()}).code, 0);
  const Json manifest = parse_json(read_file(out / "manifest.json"), "manifest.json");
  std::vector<std::string> files = list_files(out);
  std::erase(files, "manifest.json");
  ASSERT_EQ(manifest.at("files").size(), files.size());
  for (const std::string& file : files) {
    EXPECT_EQ(manifest.at("files").at(file), sha256_hex(read_file(out / file))) << file;
  }
  for (const char* expected :
       {"sheet.json", "sheet.csv", "index.html", "prices.html", "accuracy.html", "method.html",
        "sheet.pdf", "sheet.xlsx", "models/size-70b.html"}) {
    EXPECT_TRUE(manifest.at("files").contains(expected)) << expected;
  }
}

TEST(Run, BuildWarnsOfOldPricesInUse) {
  const TempDir folder;
  const std::filesystem::path out = folder.path() / "out";
  const Outcome build = program({"build", "--catalog", kCatalog, "--out", out.string()});
  ASSERT_EQ(build.code, 0);
  const Json sheet = parse_json(read_file(out / "sheet.json"), "sheet.json");
  std::string expected;
  for (const Json& stale : sheet.at("options").at("price_rules").at("stale")) {
    expected += "warning: " + stale.get<std::string>() + "\n";
  }
  EXPECT_NE(expected, "");
  EXPECT_EQ(build.err, expected);
}

}  // namespace
}  // namespace sizesheet
