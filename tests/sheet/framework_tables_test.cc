// SPDX-License-Identifier: Apache-2.0
// The tables by framework: their figures against estimate's answers, counts against published ones;
// and the guides' part of a sheet. Their way through sheet.json and back is RoundTrip's.
#include <gtest/gtest.h>

#include <set>

#include "catalog/catalog.h"
#include "catalog/published/worksheet.h"
#include "sheet/framework.h"
#include "sheet/quarterly.h"
#include "sheet/sections.h"
#include "sheet/tables/frameworks.h"
#include "sizing/answer/estimate.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/verdict.h"
#include "sizing/sized.h"
#include "support/error.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/project_catalog.h"
#include "support/refusal.h"
#include "support/text.h"

namespace sizesheet {
namespace {

const char* const kNano = "nemotron-3-nano-30b-a3b";

const SheetFrameworkSet& nano() { return quarterly_sheet().frameworks.at(0); }

const SheetFrameworkRow& row(const std::string& id) {
  return *entry_with(nano().rows, &SheetFrameworkRow::id, id);
}

/// The answer to a request written here, apart from the catalog's.
Json nano_estimated(const std::string& request) {
  Json whole = parse_json(request, "request");
  whole["model"] = kNano;
  whole["gpu"] = "h100-sxm";
  return to_json(sized(whole));
}

void expect_same(const SheetFrameworkRow& shown, const Json& answer) {
  EXPECT_EQ(shown.device, answer.at("memory").at("device")) << shown.id;
  EXPECT_EQ(shown.capacity, answer.at("memory").at("capacity")) << shown.id;
  EXPECT_EQ(answer.at("memory").at("verdict"), shown.verdict) << shown.id;
  EXPECT_EQ(shown.layout.gpus, answer.at("layout").at("gpus")) << shown.id;
  EXPECT_EQ(shown.layout.ep, answer.at("layout").at("ep")) << shown.id;
  EXPECT_EQ(shown.trainable, answer.at("parameters").at("trainable")) << shown.id;
  EXPECT_EQ(shown.nodes, (shown.layout.gpus + 7) / 8) << shown.id;
}

TEST(FrameworkTables, at_a_glance_are_estimates_answers) {
  expect_same(row("bridge-lora"), nano_estimated(R"({"stack": "megatron-bridge",
    "method": {"kind": "lora", "rank": 32, "experts": "shared", "targets": ["q_proj", "k_proj",
      "v_proj", "o_proj", "shared_up_proj", "shared_down_proj", "in_proj", "out_proj"]},
    "workload": {"seq_len": 2048, "micro_batch": 1},
    "layout": {"gpus": 8, "dp": 8, "tp": 1, "ep": 8}})"));
  expect_same(row("bridge-full-smallest"), nano_estimated(R"({"stack": "megatron-bridge",
    "method": {"kind": "full"}, "workload": {"seq_len": 2048, "micro_batch": 1}})"));
  expect_same(row("automodel-lora-1"), nano_estimated(R"({"stack": "nemo-automodel",
    "method": {"kind": "lora", "rank": 8, "targets": ["q_proj", "k_proj", "v_proj", "o_proj",
      "in_proj", "shared_up_proj", "shared_down_proj", "router"]},
    "workload": {"seq_len": 2048, "micro_batch": 1}, "kernels": {"recompute": "sublayer"},
    "layout": {"gpus": 1}})"));
  expect_same(row("rl-full-16"),
              nano_estimated(R"({"state": "fsdp-mixed", "method": {"kind": "full"},
    "workload": {"seq_len": 2048, "packed": false},
    "kernels": {"loss": "hf-amp", "recompute": "none"},
    "layout": {"gpus": 16, "dp": 16, "shard": "zero3", "reduce_dtype": "fp32"}})"));
}

TEST(FrameworkTables, agree_with_what_is_known_to_have_run) {
  for (const SheetFrameworkRow& one : nano().rows) {
    if (one.evidence != "tested") continue;
    EXPECT_NE(one.verdict, Verdict::kNo) << one.id;
  }
}

TEST(FrameworkTables, lengths_are_estimates_answers_and_grow) {
  const SheetSequenceSet& kept = nano().sequences.sets.at(0);
  const Json answer = nano_estimated(R"({"stack": "megatron-bridge",
    "method": {"kind": "lora", "rank": 32, "experts": "shared", "targets": ["q_proj", "k_proj",
      "v_proj", "o_proj", "shared_up_proj", "shared_down_proj"]},
    "workload": {"seq_len": 65536, "micro_batch": 1}, "kernels": {"recompute": "none"},
    "layout": {"gpus": 64, "dp": 8, "tp": 4, "cp": 2, "ep": 8, "sequence_parallel": true}})");
  const SheetSequenceRow& longest = kept.rows.back();
  EXPECT_EQ(longest.seq_len, 65536);
  EXPECT_EQ(longest.nodes, 8);
  EXPECT_EQ(longest.device, answer.at("memory").at("device"));
  EXPECT_EQ(longest.kept, answer.at("memory").at("activations"));
  EXPECT_EQ(answer.at("memory").at("verdict"), longest.verdict);
  for (std::size_t i = 1; i < 6; ++i) {
    EXPECT_EQ(kept.rows.at(i).kept, 2 * kept.rows.at(i - 1).kept) << i;
    EXPECT_GT(kept.rows.at(i).device, kept.rows.at(i - 1).device) << i;
  }
  const SheetSequenceSet& rebuilt = nano().sequences.sets.at(1);
  for (std::size_t i = 0; i < kept.rows.size(); ++i) {
    EXPECT_LT(rebuilt.rows.at(i).kept, kept.rows.at(i).kept) << i;
  }
}

TEST(FrameworkTables, a_micro_batch_is_offered_where_one_sequence_fits) {
  for (const SheetSequenceSet& set : nano().sequences.sets) {
    for (const SheetSequenceRow& one : set.rows) {
      EXPECT_EQ(one.largest_micro_batch.has_value(), one.verdict == Verdict::kFits)
          << set.id << " " << one.seq_len;
    }
  }
}

TEST(FrameworkTables, components_sum_to_the_published_total) {
  std::int64_t sum = 0;
  for (const SheetComponent& one : nano().parameters) sum += one.parameters;
  EXPECT_EQ(sum, 31'577'937'344);
  EXPECT_EQ(nano().total_parameters, sum);
  EXPECT_EQ(nano().parameters.at(0).id, "experts");
  EXPECT_EQ(nano().parameters.at(0).parameters, 29'374'808'064);
}

TEST(FrameworkTables, every_published_count_holds_within_its_last_digit) {
  std::size_t checked = 0;
  for (const SheetAdapterMode& mode : nano().adapters) {
    for (const SheetAdapterCount& count : mode.counts) {
      for (const PublishedAdapters& one : count.published) {
        const std::int64_t ours = one.of == "experts" ? count.expert : count.total;
        EXPECT_LE(std::abs(ours - one.value), one.within) << mode.id << " r" << count.rank;
        ++checked;
      }
    }
  }
  EXPECT_EQ(checked, 7U);
}

TEST(FrameworkTables, layers_sum_to_what_is_kept) {
  for (const SheetLayerSet& set : nano().layers.sets) {
    std::int64_t sum = 0;
    double shares = 0;
    std::int64_t layers = 0;
    for (const SheetLayerRow& one : set.rows) {
      sum += one.kept;
      shares += one.share;
      layers += one.layers.value_or(0);
    }
    EXPECT_EQ(sum, set.kept) << set.id;
    EXPECT_NEAR(shares, 1, 1e-12) << set.id;
    EXPECT_EQ(layers, 52) << set.id;
  }
}

TEST(FrameworkTables, a_higher_rank_never_needs_less) {
  const std::vector<SheetMethodRow>& rows = nano().comparison.rows;
  ASSERT_EQ(rows.size(), 6U);
  EXPECT_EQ(rows.at(0).trainable, 31'577'937'344);
  for (std::size_t i = 2; i < rows.size(); ++i) {
    EXPECT_GT(rows.at(i).memory.device, rows.at(i - 1).memory.device) << rows.at(i).id;
    EXPECT_LT(rows.at(i).memory.device, rows.at(0).memory.device) << rows.at(i).id;
    EXPECT_EQ(rows.at(i).memory.of(Term::kWeights), rows.at(1).memory.of(Term::kWeights));
  }
}

TEST(FrameworkTables, every_label_is_one_of_four_and_recipes_are_dated) {
  const std::set<std::string> labels(evidence_labels().begin(), evidence_labels().end());
  for (const SheetFrameworkRow& one : nano().rows) EXPECT_TRUE(labels.contains(one.evidence));
  EXPECT_EQ(nano().evidence, "computed");
  EXPECT_EQ(nano().sequences.evidence, "theoretical");
  std::size_t unseen = 0;
  for (const LaunchRecipe& one : nano().recipes) {
    EXPECT_TRUE(labels.contains(one.evidence)) << one.id;
    EXPECT_FALSE(one.date.empty()) << one.id;
    EXPECT_TRUE(one.commit.empty() || one.commit.size() == 40) << one.id;
    unseen += one.commit.empty() ? 1 : 0;
  }
  EXPECT_EQ(nano().recipes.size(), 13U);
  EXPECT_EQ(unseen, 1U);
}

TEST(FrameworkTables, a_request_that_the_engine_refuses_is_named) {
  Catalog catalog = project_catalog();
  FrameworkSet& set = catalog.frameworks.at(kNano);
  set.questions.at(1).request["layout"]["ep"] = 6;
  const std::string words = ": layout.ep: 128 experts are not divisible by 6 (nearest: 4, 8)";
  EXPECT_EQ(refusal_of([&] {
              understood(catalog, "frameworks/" + set.id, request_for(set, set.questions.at(1)));
            }),
            "frameworks/" + set.id + words);
  Faults faults;
  check_frameworks(catalog, "catalog", faults);
  EXPECT_EQ(texts_of(faults), Texts{"catalog/frameworks/" + set.id +
                                    ".json:/questions/1: asks what no request may" + words});
}

TEST(SheetGuides, count_every_figure_and_keep_those_that_do_not_agree) {
  std::int64_t agree = 0;
  std::int64_t contradict = 0;
  std::int64_t underived = 0;
  for (const SheetGuide& guide : quarterly_sheet().guides) {
    agree += guide.exact + guide.within_rounding;
    contradict += guide.inconsistent;
    underived += guide.not_derivable;
    EXPECT_EQ(static_cast<std::int64_t>(guide.figures.size()),
              guide.inconsistent + guide.not_derivable)
        << guide.id;
    EXPECT_FALSE(guide.rules.empty()) << guide.id;
  }
  EXPECT_EQ(agree, 531);
  EXPECT_EQ(contradict, 75);
  EXPECT_EQ(underived, 45);
  EXPECT_EQ(quarterly_sheet().guide_differences.size(), 12U);
}

TEST(SheetGuides, say_every_rule_once) {
  for (const SheetGuide& guide : quarterly_sheet().guides) {
    std::set<std::string> told;
    for (const SheetGuideRule& rule : guide.rules) {
      EXPECT_TRUE(told.insert(rule.words).second) << guide.id << ": " << rule.words;
    }
  }
}

}  // namespace
}  // namespace sizesheet
