// SPDX-License-Identifier: Apache-2.0
// What names of models mean: those that public projects use, those that people write, those of
// models that the catalog lacks (tests/oracles/model_names.json).

#include "catalog/model_names.h"

#include <gtest/gtest.h>

#include "catalog/models/model_alias.h"
#include "catalog/sample_catalog.h"
#include "sheet/spec.h"
#include "support/json.h"
#include "support/project_catalog.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

const ModelNames& names() {
  static const ModelNames kNames(
      project_catalog(), [] { return sheet_sizes("quarterly", SIZESHEET_SOURCE_DIR "/catalog"); });
  return kNames;
}

/// The id, or the refusal.
std::string meaning(const std::string& name) {
  std::string id;
  const std::string refusal = refusal_of([&] { id = names().resolved(name).id; });
  return id.empty() ? refusal : id;
}

const Json& rows(const char* key) {
  static const Json kAll = oracle("model_names.json");
  return kAll.at(key);
}

TEST(ModelNames, those_of_public_configurations_mean_their_entries) {
  std::int64_t right = 0;
  std::int64_t all = 0;
  for (const Json& row : rows("used")) {
    const std::int64_t uses = row.at(2);
    all += uses;
    const std::string found = meaning(row.at(0));
    EXPECT_EQ(found, row.at(1)) << row.at(0);
    if (found == row.at(1)) right += uses;
  }
  for (const Json& row : rows("not_trained_from")) all += row.at(2).get<std::int64_t>();
  EXPECT_EQ(all, 1086);
  EXPECT_GE(100 * right, 85 * all);
}

TEST(ModelNames, weights_that_nothing_trains_from_are_refused_with_the_model_that_does) {
  for (const Json& row : rows("not_trained_from")) {
    const std::string found = meaning(row.at(0));
    EXPECT_NE(found.find(", which no method here trains from; say " + row.at(1).get<std::string>() +
                         " for its 16-bit weights"),
              std::string::npos)
        << found;
  }
}

TEST(ModelNames, every_spelling_means_its_entry) {
  for (const char* key : {"released", "written", "sizes"}) {
    for (const Json& row : rows(key)) EXPECT_EQ(meaning(row.at(0)), row.at(1)) << row.at(0);
  }
}

TEST(ModelNames, no_other_model_is_taken_for_one_that_is_not_there) {
  for (const Json& name : rows("none")) {
    const std::string found = meaning(name);
    const bool refused =
        found.starts_with("no model ") || found.find(": several fit") != found.npos;
    EXPECT_TRUE(refused) << name << " is " << found;
  }
  EXPECT_GT(rows("none").size(), 300U);
}

TEST(ModelNames, a_name_says_what_its_weights_are_stored_in) {
  for (const Json& row : rows("stored")) {
    EXPECT_EQ(names().resolved(row.at(0)).stored, row.at(1)) << row.at(0);
  }
}

TEST(ModelNames, a_substitution_is_told_in_a_sentence) {
  for (const Json& row : rows("sentences")) {
    EXPECT_EQ(names().resolved(row.at(0)).words, row.at(1));
  }
}

TEST(ModelNames, a_refusal_names_the_nearest) {
  for (const Json& row : rows("refused")) EXPECT_EQ(meaning(row.at(0)), row.at(1));
}

TEST(ModelNames, every_entry_is_meant_by_its_id_its_title_and_its_repository) {
  for (const auto& [id, model] : project_catalog().models) {
    EXPECT_EQ(meaning(id), id);
    EXPECT_EQ(meaning(model.title), id);
    if (!model.repository.empty()) {
      EXPECT_EQ(meaning(model.repository), id);
      EXPECT_EQ(meaning("https://huggingface.co/" + model.repository), id);
    }
  }
}

TEST(ModelNames, every_alias_means_its_entry_and_says_so) {
  for (const ModelAlias& alias : project_catalog().model_aliases.aliases) {
    for (const std::string& name : alias.names) {
      const ModelTaken taken = names().resolved(name);
      EXPECT_EQ(taken.id, alias.model) << name;
      EXPECT_NE(taken.words.find(" is sized as " + alias.model), std::string::npos) << name;
    }
  }
}

TEST(ModelNames, a_changed_digit_is_another_model) {
  for (const auto& [id, model] : project_catalog().models) {
    for (std::size_t i = 0; i < id.size(); ++i) {
      if (id[i] < '0' || id[i] > '9') continue;
      std::string other = id;
      other.insert(i, "7");
      const std::string found = meaning(other);
      EXPECT_NE(found, id) << other;
      EXPECT_TRUE(project_catalog().models.contains(other) || found.starts_with("no model ") ||
                  found.find(": several fit") != found.npos)
          << other << " is " << found;
    }
  }
}

TEST(ModelNames, a_size_is_ambiguous_where_the_sheet_has_two_rows_of_it) {
  const ModelNames of_two(project_catalog(), [] {
    return std::vector<SizeRow>{{"8B", "llama-3.1-8b"}, {"8B", "qwen3-8b"}, {"9B", "gemma-2-9b"}};
  });
  EXPECT_EQ(refusal_of([&] { of_two.resolved("8b"); }),
            "model \"8b\": several fit, say one of llama-3.1-8b, qwen3-8b");
  EXPECT_EQ(of_two.resolved("9B").id, "gemma-2-9b");
}

TEST(ModelNames, what_a_format_means_for_a_method_is_told) {
  const ModelTaken nf4 = names().resolved("unsloth/Qwen3-8B-unsloth-bnb-4bit");
  EXPECT_EQ(
      stored_refusal(nf4, {{"kind", "full"}}),
      "model \"unsloth/Qwen3-8B-unsloth-bnb-4bit\": its weights are stored in NF4, which full "
      "fine-tuning cannot train; say qwen3-8b for its 16-bit weights, or a QLoRA method");
  EXPECT_EQ(stored_refusal(nf4, {{"kind", "lora"}}), "");
  const std::string begin = "\"unsloth/Qwen3-8B-unsloth-bnb-4bit\" stores its weights in NF4";
  EXPECT_EQ(stored_words(nf4, {{"kind", "qlora"}}), begin + ", as this answer has them");
  EXPECT_EQ(stored_words(nf4, {{"kind", "dora"}, {"base", "nf4"}}),
            begin + ", as this answer has them");
  EXPECT_EQ(stored_words(nf4, {{"kind", "lora"}}),
            begin + ": LoRA on them is QLoRA (method qlora); this answer has the base in 16 bits");
  const ModelTaken fp8 = names().resolved("Qwen/Qwen3-14B-FP8");
  EXPECT_EQ(stored_refusal(fp8, {{"kind", "full"}}), "");
  EXPECT_EQ(stored_words(fp8, {{"kind", "full"}}),
            "\"Qwen/Qwen3-14B-FP8\" stores its weights in FP8; this answer has them dequantised to "
            "16 bits");
  EXPECT_EQ(stored_words(fp8, {{"kind", "qlora"}}),
            "\"Qwen/Qwen3-14B-FP8\" stores its weights in FP8; this answer has them in NF4, "
            "quantised again");
  EXPECT_EQ(stored_words(names().resolved("qwen3-8b"), {{"kind", "full"}}), "");
}

TEST(ModelNames, faults_of_the_table_are_named) {
  Documents documents = sample_documents();
  const Json sound = {
      {"mirrors", {{{"owner", "m"}, {"source", "s"}}}},
      {"aliases",
       {{{"model", "small"}, {"names", {"a/b"}}, {"basis", "config"}, {"source", "s"}}}}};
  documents["model_aliases.json"] = sound;
  EXPECT_EQ(faults_in(documents), Texts{});
  const auto faults_with = [&](const char* pointer, const Json& value) {
    documents["model_aliases.json"] = sound;
    documents["model_aliases.json"][Json::json_pointer(pointer)] = value;
    return faults_in(documents);
  };
  EXPECT_EQ(faults_with("/aliases/0/model", "smal"),
            Texts{"model_aliases.json:/aliases/0/model: no model \"smal\" in the catalog (did you "
                  "mean \"small\"?)"});
  EXPECT_EQ(faults_with("/aliases/0/names", {"b"}),
            Texts{"model_aliases.json:/aliases/0/names: expected names OWNER/NAME, got \"b\""});
  EXPECT_EQ(faults_with("/aliases/0/names", {"a/b", "A/B"}),
            Texts{"model_aliases.json:/aliases/0/names: \"A/B\" is there twice"});
  EXPECT_EQ(faults_with("/aliases/0/basis", "guess"),
            Texts{"model_aliases.json:/aliases/0/basis: expected one of config, publisher, name; "
                  "got \"guess\""});
}

}  // namespace
}  // namespace sizesheet
