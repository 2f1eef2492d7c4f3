// SPDX-License-Identifier: Apache-2.0
// Commands that size many at once. `sweep`: parts that make the whole, the same figures in both
// forms and as `estimate` gives them, files whole or not at all. `fits`: exit codes, both forms.
#include <gtest/gtest.h>

#include <iterator>

#include "catalog/import/csv.h"
#include "cli/program.h"
#include "sheet/quarterly.h"
#include "sheet/rows/size_row.h"
#include "sheet/spec.h"
#include "sizing/answer/estimate.h"
#include "sizing/request/question.h"
#include "sizing/sized.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/money.h"
#include "support/object_text.h"
#include "support/temp_dir.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Three models of three shapes, two methods, two GPU types, two lengths: 24 cells.
Outcome sweep(const Words& words) {
  return program(with({"sweep", "--catalog", kCatalog, "--as-of", "2026-11-20", "--models",
                       "llama-3.1-8b,qwen3-30b-a3b,nemotron-h-47b", "--methods", "lora-r16,full",
                       "--gpus", "h100-sxm,rtx-4090", "--seq", "2048,16384"},
                      words));
}

std::vector<std::string> lines_of(std::string text) {
  text.pop_back();
  return split(text, '\n');
}

/// All of them in either form, swept once.
const std::string& csv_text() {
  static const std::string kText = sweep({}).out;
  return kText;
}

const std::string& json_lines() {
  static const std::string kText = sweep({"--format", "jsonl"}).out;
  return kText;
}

TEST(SweepCommand, PartsAreTheWhole) {
  EXPECT_EQ(lines_of(csv_text()).size(), 25U);
  EXPECT_EQ(lines_of(json_lines()).size(), 24U);
  const std::string header = lines_of(csv_text()).front() + "\n";
  std::string csv_parts = header;
  std::string json_parts;
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    const std::string one = sweep({"--shard", shard}).out;
    EXPECT_TRUE(one.starts_with(header)) << shard;
    csv_parts += one.substr(header.size());
    json_parts += sweep({"--format", "jsonl", "--shard", shard}).out;
  }
  EXPECT_EQ(csv_parts, csv_text());
  EXPECT_EQ(json_parts, json_lines());
}

TEST(SweepCommand, ColumnsAreThoseOfTheSheet) {
  EXPECT_EQ(lines_of(csv_text()).front() + "\n",
            "model_id,method_id,gpu_id,sequence_tokens,verdict,certain,gpus_by_memory,"
            "gpus_tight,gpus_rentable,gpus_certain,gpus,data_parallel,tensor_parallel,"
            "pipeline_parallel,context_parallel,expert_parallel,shard,offload,stack,"
            "micro_batch,grad_accum,recompute,loss,optimizer,lora_rank,lora_targets,"
            "trainable_parameters,weights_bytes,adapters_bytes,gradients_bytes,"
            "optimizer_bytes,activations_bytes,recompute_bytes,logits_bytes,"
            "working_set_bytes,allocated_bytes,reserved_bytes,overhead_bytes,device_bytes,"
            "device_low_bytes,device_high_bytes,confidence,capacity_bytes,peak_phase,"
            "tokens_per_second_per_gpu,gpu_measured,hours_low,hours_mid,hours_high,"
            "adapter_bytes,checkpoint_bytes,host_memory_bytes,disk_bytes,list_usd_per_hour,"
            "list_usd_per_run,list_usd_per_million_tokens,list_usd_per_run_low,"
            "list_usd_per_run_high,provider,"
            "price_as_of,providers,one_seller,price_key,refusal\n");
}

TEST(SweepCommand, JobsDoNotChangeTheRows) {
  EXPECT_EQ(sweep({"--jobs", "8"}).out, sweep({"--jobs", "1"}).out);
}

TEST(SweepCommand, BothFormsSayTheSame) {
  const CsvTable csv = parse_csv(csv_text(), "sweep");
  const std::vector<std::string> json = lines_of(json_lines());
  ASSERT_EQ(csv.rows.size(), json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    const Json object = parse_json(json[i], "line");
    ASSERT_EQ(object.size(), csv.header.size());
    for (std::size_t column = 0; column < csv.header.size(); ++column) {
      const Json& value = object.at(csv.header[column]);
      const std::string text = value.is_null()     ? ""
                               : value.is_string() ? value.get<std::string>()
                                                   : json_text(value);
      EXPECT_EQ(text, csv.rows[i].cells[column]) << csv.header[column];
    }
  }
}

/// The request of a row, by the quarterly sheet's rules.
Json request_of_row(const Json& row) {
  const SheetSpec& rules = quarterly_spec();
  SpecScenario scenario = rules.scenarios.front();
  scenario.request["workload"]["seq_len"] = row.at("sequence_tokens");
  const SpecModel model{row.at("model_id"), "", ""};
  Json request = request_of(project_catalog(), rules,
                            Cell{&model, row.at("method_id"), row.at("gpu_id"), &scenario});
  if (row.at("hours_mid").is_null()) return request;
  request["objective"] = "money";
  if (rules.deadline_hours) request["deadline_hours"] = *rules.deadline_hours;
  return request;
}

TEST(SweepCommand, RowsAreWhatEstimateAnswers) {
  for (const std::string& line : lines_of(json_lines())) {
    const Json row = parse_json(line, "line");
    const Question question = read_whole_question(request_of_row(row), project_catalog(),
                                                  project_catalog().engine.current);
    const RentedRun found = rented_run(project_catalog(), quarterly_spec(), question);
    const Json answer = to_json(found.sizing);
    EXPECT_TRUE(row.at("refusal").is_null());
    EXPECT_EQ(row.at("list_usd_per_run_high").is_null(), !found.run.has_value());
    if (found.run) {
      EXPECT_EQ(row.at("list_usd_per_run_high"), to_usd(found.run->usd.high));
    }
    EXPECT_EQ(row.at("device_bytes"), answer.at("memory").at("device"));
    EXPECT_EQ(row.at("verdict"), answer.at("memory").at("verdict"));
    EXPECT_EQ(row.at("gpus"), answer.at("layout").at("gpus"));
    EXPECT_EQ(row.at("gpus_by_memory"), answer.at("minimum").at("by_memory"));
    EXPECT_EQ(row.at("gpus_rentable"), answer.at("minimum").at("rentable"));
    if (row.at("verdict") != "no") {
      EXPECT_EQ(row.at("hours_mid"), answer.at("hours").at("mid"));
    }
  }
}

TEST(SweepCommand, AFileIsWholeOrNotThere) {
  const TempDir dir;
  const std::string file = (dir.path() / "part.csv").string();
  EXPECT_EQ(sweep({"--out", file}), (Outcome{0, "", ""}));
  const std::string whole = read_file(file);
  EXPECT_EQ(whole, csv_text());
  EXPECT_EQ(sweep({"--out", file, "--shard", "3/2"}).code, 2);
  EXPECT_EQ(read_file(file), whole);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), {}), 1);
  const std::string folder = (dir.path() / "folder").string();
  std::filesystem::create_directory(folder);
  EXPECT_EQ(sweep({"--out", folder}),
            (Outcome{2, "", "sizesheet: " + folder + ": is there and is no regular file\n"}));
}

Outcome fits(const Words& words) {
  return program(with({"fits", "--catalog", kCatalog, "--as-of", "2026-11-20"}, words));
}

TEST(FitsCommand, TextAndJsonAgree) {
  const Outcome text = fits({"--gpu", "rtx-4090", "--gpus", "1"});
  EXPECT_EQ(text.code, 0);
  EXPECT_TRUE(text.out.starts_with(
      "1 × rtx-4090, 23.6 GiB usable on each; stack hf-trl, sequence 4,096, 500,000,000 tokens "
      "per run (adapters: 50,000,000)\n$"));
  EXPECT_NE(text.out.find("\nQLoRA r16 (qlora-r16), rank 16 on all-linear\n"), std::string::npos);
  const Outcome json = fits({"--gpu", "rtx-4090", "--gpus", "1", "--format", "json"});
  EXPECT_EQ(json.code, 0);
  const Json answer = parse_json(json.out, "fits");
  EXPECT_EQ(answer.at("as_of"), "2026-11-20");
  EXPECT_TRUE(answer.at("budget_usd").is_null());
  std::size_t lines = 0;
  for (const Json& row : answer.at("rows")) {
    if (text.out.find("  " + row.at("model").get<std::string>() + " ") != std::string::npos)
      ++lines;
  }
  EXPECT_EQ(lines, answer.at("rows").size());
}

TEST(FitsCommand, ListsFewerGpusWhereThatIsCheaper) {
  const Outcome text = fits({"--gpu", "h100-sxm", "--gpus", "8"});
  EXPECT_NE(text.out.find("\n    1 GPU in "), std::string::npos);
  EXPECT_NE(text.out.find("; 8 in "), std::string::npos);
  EXPECT_NE(text.out.find("\nbelow a line: the best trade-offs of time and cost, on these GPUs or "
                          "fewer\n"),
            std::string::npos);
  EXPECT_EQ(fits({"--gpu", "h100-sxm", "--gpus", "1"}).out.find("below a line"), std::string::npos);
}

TEST(FitsCommand, OneWhenNothingIsLeft) {
  EXPECT_EQ(fits({"--gpu", "h100-sxm", "--gpus", "1", "--budget-usd", "0.000001"}).code, 1);
  EXPECT_EQ(fits({"--gpu", "h100-sxm", "--gpus", "1", "--deadline-hours", "0.00001"}).code, 1);
  EXPECT_EQ(fits({"--gpu", "t4", "--gpus", "1", "--seq", "4000000"}).code, 1);
}

TEST(FitsCommand, JobsDoNotChangeTheAnswer) {
  EXPECT_EQ(fits({"--gpu", "gb10", "--gpus", "2", "--jobs", "1"}).out,
            fits({"--gpu", "gb10", "--gpus", "2", "--jobs", "4"}).out);
}

}  // namespace
}  // namespace sizesheet
