// SPDX-License-Identifier: Apache-2.0
// Worksheets, tables by framework, advice and conventions of guides out of their files: what is
// kept, and how variants of a convention rest on the common rules.
#include <gtest/gtest.h>

#include "catalog/published/convention.h"
#include "catalog/published/worksheet.h"
#include "catalog/sample_catalog.h"
#include "support/error.h"
#include "support/json.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

Json table_document() { return oracle("catalog_faults.json").at("worksheet"); }

Worksheet read_table(const Json& json) {
  Faults faults;
  Worksheet sheet = read_worksheet({json, "small.json", "", faults});
  EXPECT_EQ(texts_of(faults), Texts{});
  return sheet;
}

TEST(Worksheet, keeps_what_the_file_says) {
  const Worksheet sheet = read_table(table_document());
  EXPECT_EQ(sheet.columns.at(0).decimals, 1);
  EXPECT_EQ(sheet.groups.at(0).request.at("gpu"), "h100-sxm");
  EXPECT_EQ(sheet.rows.at(0).request->at("method"), "full");
  EXPECT_FALSE(sheet.rows.at(1).request.has_value());
  EXPECT_EQ(sheet.rows.at(1).facts.at("why"), "because");
  EXPECT_EQ(sheet.rows.at(1).note, "a note");
}

TEST(Worksheet, without_groups_has_one_without_a_title) {
  Json json = table_document();
  json.erase("groups");
  const Worksheet sheet = read_table(json);
  ASSERT_EQ(sheet.groups.size(), 1U);
  EXPECT_EQ(sheet.groups.at(0).title, "");
}

TEST(FrameworkSet, keeps_what_the_file_says) {
  Faults faults;
  const Json document = shipped_document("frameworks/nemotron-3-nano-30b-a3b");
  const FrameworkSet set = read_framework_set(
      {document, "set.json", "", faults}, {{"nemotron-3-nano-30b-a3b"}, {"h100-sxm", "h200-sxm"}});
  EXPECT_EQ(texts_of(faults), Texts{});
  EXPECT_EQ(set.framework("nemo-rl").title, "NeMo RL");
  EXPECT_EQ(set.ranks, (std::vector<std::int64_t>{8, 32, 128, 256}));
  EXPECT_EQ(set.sequences.rows.at(1).printed_total_gb, 22);
  EXPECT_EQ(set.layers.sets.at(0).printed_gb.at("mamba"), 7.1);
  EXPECT_EQ(set.modes.at(3).published.at(0).value, 220968448);
  EXPECT_EQ(set.recipes.at(0).repository, "NVIDIA-NeMo/Megatron-Bridge");
  EXPECT_THROW(static_cast<void>(set.framework("nemo")), std::out_of_range);
}

TEST(Advice, keeps_what_the_file_says) {
  Faults faults;
  const Json document = shipped_document("advice/techniques");
  const AdviceTopic topic = read_advice_topic({document, "topic.json", "", faults}, advice_gpus());
  EXPECT_EQ(texts_of(faults), Texts{});
  EXPECT_EQ(topic.kind, "techniques");
  EXPECT_EQ(topic.request.at("gpu"), "h100-sxm");
  EXPECT_EQ(topic.entries.at(0).acts_on, "activations");
  EXPECT_EQ(topic.entries.at(0).runs.size(), 2U);
  EXPECT_EQ(topic.entries.at(0).runs.at(1).request.at("kernels").at("recompute"), "full");
}

TEST(Advice, every_entry_has_a_source_and_a_date) {
  for (const char* topic : {"choosing", "techniques", "warnings", "targets", "diagnosis",
                            "operations", "parallelism", "questions", "settings"}) {
    Json document = shipped_document(std::string("advice/") + topic);
    document["entries"][0].erase("source");
    document["entries"][0]["date"] = "last year";
    Faults faults;
    read_advice_topic({document, "topic.json", "", faults}, advice_gpus());
    EXPECT_EQ(texts_of(faults),
              (Texts{"topic.json:/entries/0/source: expected text, got nothing",
                     "topic.json:/entries/0/date: expected a date YYYY-MM-DD or YYYY-MM, got "
                     "\"last year\""}))
        << topic;
  }
}

TEST(Convention, keeps_rules_variants_and_figures) {
  const Catalog catalog = loaded();
  const Convention& guide = catalog.convention("simple");
  EXPECT_EQ(guide.rules.rules.at("shard").rule, "whole");
  EXPECT_EQ(guide.rules.headroom.at("prose").share, 0.15);
  EXPECT_EQ(guide.rules_of("").constants.at("weights").low, 2);
  EXPECT_EQ(guide.rules_of("half").constants.at("weights").high, 0.5);
  EXPECT_TRUE(guide.rules_of("half").constants.at("weights").fitted);
  EXPECT_EQ(guide.rules_of("half").rules.at("shard").rule, "whole");
  ASSERT_EQ(guide.figures.size(), 3U);
  EXPECT_EQ(guide.figures[1].variant, "half");
  EXPECT_EQ(guide.figures[2].printed, (GuideValue{{1, 2}, {}}));
  EXPECT_EQ(guide.figures[2].place, "/figures/2");
  EXPECT_EQ(catalog.guide_differences.at(0).sheet, "Counted.");
}

TEST(Convention, suggests_the_name_that_was_meant) {
  const Catalog catalog = loaded();
  EXPECT_EQ(refusal_of([&] { static_cast<void>(catalog.convention("simpel")); }),
            "convention \"simpel\" is not in the catalog (did you mean \"simple\"?)");
  EXPECT_EQ(refusal_of([&] { static_cast<void>(catalog.convention("simple").rules_of("hlaf")); }),
            "convention \"simple\" has no variant \"hlaf\" (did you mean \"half\"?)");
}

TEST(Convention, figures_and_conventions_go_together) {
  Documents documents = sample_documents();
  documents["conventions/figures/simpel.json"] = documents.at("conventions/figures/simple.json");
  EXPECT_EQ(faults_in(documents),
            Texts{"conventions/figures/simpel.json: no convention \"simpel\" in the catalog (did "
                  "you mean \"simple\"?)"});
  documents = sample_documents();
  documents.erase("conventions/figures/simple.json");
  const TempDir dir;
  write_documents(dir, documents);
  EXPECT_EQ(refusal_of([&] { load_sound_catalog(dir.path()); }),
            (dir.path() / "conventions/figures/simple.json").string() + ": this file is required");
}

}  // namespace
}  // namespace sizesheet
