// SPDX-License-Identifier: Apache-2.0
#include "catalog/models/model.h"

#include <map>
#include <set>

#include "catalog/files/entry.h"
#include "catalog/files/loader.h"
#include "catalog/models/architecture.h"
#include "catalog/models/tower.h"
#include "support/error.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr Bounds<std::int64_t> kParameters{1, 1LL << 50};

/// The keys of an entry, those of the architecture that an inline config may leave out and an entry
/// may not by what is expected there.
const std::vector<std::pair<std::string, std::vector<std::string>>> kEntryKeys = {
    {"",
     {"id", "title", "family", "repository", "hidden_size", "vocab_size", "published", "extras"}},
    {"", {"num_hidden_layers", "num_attention_heads", "mla", "moe", "mamba", "hybrid_pattern"}},
    {"",
     {"blocks", "note", "source", "date", "config", "sliding_window", "attention_sinks", "vision"}},
    {"",
     {"learned_positions", "embedding_norm", "head_bias", "norm_has_weight", "was",
      "num_nextn_predict_layers", "windowed_layers", "quantization_config",
      "final_logit_softcapping", "alibi"}},
    {"text", {"model_type", "hidden_act"}},
    {"an integer",
     {"intermediate_size", "num_key_value_heads", "head_dim", "max_position_embeddings",
      "norms_per_layer"}},
    {"true or false",
     {"tie_word_embeddings", "attention_qkv_bias", "attention_o_bias", "mlp_bias", "gated_mlp",
      "norm_has_bias"}},
    {"one of rmsnorm, layernorm", {"norm_type"}},
    {"one of none, per_head, full", {"qk_norm"}},
    {"a list of texts", {"fused_linears"}},
};

/// The keys of an entry whose shape stands under "config" as its config.json has it: of a family
/// whose layers differ.
const std::vector<std::string> kConfigEntryKeys = {"id",     "title",     "family", "repository",
                                                   "config", "published", "extras", "note",
                                                   "source", "date",      "was",    "vision"};

/// Keys of the parts, none of which an entry may leave out either.
const std::map<std::string, std::vector<std::pair<std::string, std::string>>> kPartKeys = {
    {"mla", {{"q_lora_rank", "an integer"}}},
    {"moe",
     {{"shared_expert_intermediate_size", "an integer"},
      {"first_k_dense", "an integer"},
      {"moe_layer_step", "an integer"},
      {"router_bias", "true or false"},
      {"expert_bias", "true or false"},
      {"shared_gate", "true or false"},
      {"latent_size", "an integer"},
      {"gated", "true or false"}}},
    {"mamba",
     {{"conv_kernel", "an integer"}, {"conv_bias", "true or false"}, {"chunk_size", "an integer"}}},
};

void require(ObjectReader& reader, const std::string& key, const std::string& expected) {
  if (reader.has(key) || !reader.sound(key)) return;
  const std::string separator = expected.starts_with("one of") ? "; got " : ", got ";
  reader.fault(key,
               "expected " + expected + separator + (reader.mentions(key) ? "null" : "nothing"));
}

void check_known(ObjectReader& reader, const std::vector<std::string>& known) {
  for (const std::string& key : reader.keys()) {
    if (!contains(known, key)) reader.fault(key, "unknown key" + did_you_mean(key, known));
  }
}

void check_keys(ObjectReader& reader) {
  std::vector<std::string> known;
  std::map<std::string, std::string> needed;  // in the order of their names
  for (const auto& [expected, keys] : kEntryKeys) {
    for (const std::string& key : keys) {
      if (expected.empty()) {
        known.push_back(key);
      } else {
        needed[key] = expected;
      }
    }
  }
  for (const auto& [key, expected] : needed) {
    require(reader, key, expected);
    known.push_back(key);
  }
  for (const auto& [part, keys] : kPartKeys) {
    if (!reader.raw(part).is_object()) continue;
    ObjectReader inner = reader.object(part);
    for (const auto& [key, expected] : keys) require(inner, key, expected);
  }
  for (const char* key : {"model_type", "hidden_act", "hybrid_pattern"}) {
    if (is_empty_text(reader.raw(key)) && reader.sound(key)) read_filled_text(reader, key);
  }
  if (reader.raw("sliding_window") == 0) {  // which a published config may say, an entry not
    reader.fault("sliding_window", "expected an integer of at least 1 or null, got 0");
  }
  if (!reader.mentions("sliding_window")) {
    reader.fault("sliding_window", "expected an integer or null, got nothing");
  }
  check_known(reader, known);
}

std::vector<ExtraCount> read_extras(ObjectReader& reader) {
  std::vector<ObjectReader> rows = reader.objects("extras");
  check_unique(rows, "name", "a name");
  std::vector<ExtraCount> extras;
  for (ObjectReader& row : rows) {
    extras.push_back(read_entry<ExtraCount>(row, {.counts = kParameters}));
  }
  return extras;
}

void check_covers(ObjectReader& row, const PublishedCount& published, const Model& model) {
  const std::vector<std::string>& covers = published.covers;
  if (covers.empty() || covers.front() != "text") {
    row.mismatch("covers", "a list that begins with \"text\"");
    return;
  }
  std::vector<std::string> names = each_of(model.extras, &ExtraCount::name);
  if (model.architecture.tower) names.emplace_back("vision");
  if (model.architecture.further_predictions > 0) names.emplace_back("mtp");
  std::set<std::string> seen;
  for (const std::string& name : covers) {
    if (name != "text" && !contains(names, name))
      row.fault("covers",
                "no extra " + in_quotes(name) + " in this entry" + did_you_mean(name, names));
    if (!seen.insert(name).second)
      row.fault("covers", "expected each part once, got " + in_quotes(name) + " again");
  }
}

std::vector<PublishedCount> read_published(ObjectReader& reader, const Model& model) {
  std::vector<PublishedCount> list;
  for (ObjectReader& row : reader.objects("published")) {
    auto published = read_members<PublishedCount>(row, {.counts = kParameters});
    if (row.sound("covers") && reader.sound("extras")) check_covers(row, published, model);
    row.done();
    list.push_back(std::move(published));
  }
  return list;
}

}  // namespace

Model read_model(ObjectReader reader) {
  auto model = read_members<Model>(reader, {.may_be_empty = {"repository"}});
  const bool published_form = reader.has("config");
  if (published_form) {
    ObjectReader config = reader.object("config");
    model.architecture = read_architecture(config);
    model.architecture.tower = read_tower(reader, model.architecture.hidden);
  } else {
    model.architecture = read_architecture(reader);
  }
  const auto& runs = model.architecture.runs;
  const std::optional<Attention> attention =
      runs.empty() ? std::nullopt : runs.front().block.attention;
  if (attention && attention->latent && reader.has("head_dim") && reader.sound("mla") &&
      reader.raw("head_dim") != attention->head_dim) {  // latent attention has it from two parts
    reader.mismatch("head_dim",
                    "qk_nope_head_dim + qk_rope_head_dim = " + std::to_string(attention->head_dim));
  }
  model.extras = read_extras(reader);
  model.published = read_published(reader, model);
  if (published_form) {
    check_known(reader, kConfigEntryKeys);
  } else {
    check_keys(reader);
  }
  return model;
}

}  // namespace sizesheet
