// SPDX-License-Identifier: Apache-2.0
#include "catalog/models/model.h"

#include <algorithm>
#include <map>
#include <set>

#include "catalog/loader.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr Bounds<std::int64_t> kParameters{1, 1LL << 50};

/// Keys of the architecture that an inline config may leave out and a catalog entry may not, with
/// what is expected there.
const std::map<std::string, std::string>& explicit_keys() {
  static const std::map<std::string, std::string> keys = {
      {"model_type", "text"},
      {"intermediate_size", "an integer"},
      {"num_key_value_heads", "an integer"},
      {"head_dim", "an integer"},
      {"tie_word_embeddings", "true or false"},
      {"hidden_act", "text"},
      {"max_position_embeddings", "an integer"},
      {"attention_qkv_bias", "true or false"},
      {"attention_o_bias", "true or false"},
      {"mlp_bias", "true or false"},
      {"gated_mlp", "true or false"},
      {"norm_type", "one of rmsnorm, layernorm"},
      {"norm_has_bias", "true or false"},
      {"norms_per_layer", "an integer"},
      {"qk_norm", "one of none, per_head, full"},
      {"fused_linears", "a list of texts"},
  };
  return keys;
}

/// Keys of the parts, none of which an entry may leave out either.
const std::map<std::string, std::vector<std::pair<std::string, std::string>>>& part_keys() {
  static const std::map<std::string, std::vector<std::pair<std::string, std::string>>> keys = {
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
       {{"conv_kernel", "an integer"},
        {"conv_bias", "true or false"},
        {"chunk_size", "an integer"}}},
  };
  return keys;
}

std::vector<std::string> entry_keys() {
  std::vector<std::string> keys = {"id",
                                   "title",
                                   "family",
                                   "repository",
                                   "hidden_size",
                                   "vocab_size",
                                   "published",
                                   "extras",
                                   "num_hidden_layers",
                                   "num_attention_heads",
                                   "mla",
                                   "moe",
                                   "mamba",
                                   "hybrid_pattern",
                                   "blocks",
                                   "note",
                                   "source",
                                   "date",
                                   "sliding_window",
                                   "attention_sinks",
                                   "learned_positions",
                                   "embedding_norm",
                                   "head_bias",
                                   "norm_has_weight",
                                   "was"};
  for (const auto& [key, unused] : explicit_keys()) keys.push_back(key);
  return keys;
}

void require(ObjectReader& reader, const std::string& key, const std::string& expected) {
  if (reader.has(key) || !reader.sound(key)) return;
  const std::string separator = expected.starts_with("one of") ? "; got " : ", got ";
  reader.fault(key,
               "expected " + expected + separator + (reader.mentions(key) ? "null" : "nothing"));
}

void check_fused(ObjectReader& reader, const std::vector<std::string>& fused) {
  const std::vector<std::string> known{"qkv_proj", "gate_up_proj", "query_key_value"};
  std::set<std::string> seen;
  for (const std::string& name : fused) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      reader.fault("fused_linears", "expected qkv_proj, gate_up_proj or query_key_value, got " +
                                        shown(name) + did_you_mean(name, known));
    } else if (!seen.insert(name).second) {
      reader.fault("fused_linears", "expected each name once, got " + shown(name) + " again");
    }
  }
}

void check_keys(ObjectReader& reader) {
  for (const auto& [key, expected] : explicit_keys()) require(reader, key, expected);
  for (const auto& [part, keys] : part_keys()) {
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
  const std::vector<std::string> known = entry_keys();
  for (const std::string& key : reader.keys()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    reader.fault(key, "unknown key" + did_you_mean(key, known));
  }
}

/// Latent attention has its head size from its two parts; the key beside them must agree.
void check_head_dim(ObjectReader& reader, const Architecture& model) {
  const std::optional<Attention> attention =
      model.runs.empty() ? std::nullopt : model.runs.front().block.attention;
  if (!attention || !attention->latent || !reader.has("head_dim")) return;
  if (!reader.sound("mla")) return;
  const Json& given = reader.raw("head_dim");
  if (given == attention->head_dim) return;
  reader.fault("head_dim", "expected qk_nope_head_dim + qk_rope_head_dim = " +
                               std::to_string(attention->head_dim) + ", got " + shown(given));
}

std::vector<ExtraCount> read_extras(ObjectReader& reader) {
  std::vector<ObjectReader> rows = reader.objects("extras");
  check_unique(rows, "name", "a name");
  std::vector<ExtraCount> extras;
  for (ObjectReader& row : rows) {
    ExtraCount extra;
    extra.name = read_filled_text(row, "name");
    extra.value = row.integer("value", kParameters);
    extra.source = read_source(row);
    row.done();
    extras.push_back(std::move(extra));
  }
  return extras;
}

void check_covers(ObjectReader& row, const PublishedCount& published,
                  const std::vector<ExtraCount>& extras) {
  const std::vector<std::string>& covers = published.covers;
  if (covers.empty() || covers.front() != "text") {
    row.fault("covers",
              "expected a list that begins with \"text\", got " + shown(row.raw("covers")));
    return;
  }
  std::vector<std::string> names;
  for (const ExtraCount& extra : extras) names.push_back(extra.name);
  std::set<std::string> seen;
  for (const std::string& name : covers) {
    const bool known = name == "text" || std::find(names.begin(), names.end(), name) != names.end();
    if (!known)
      row.fault("covers",
                "no extra " + in_quotes(name) + " in this entry" + did_you_mean(name, names));
    if (!seen.insert(name).second)
      row.fault("covers", "expected each part once, got " + in_quotes(name) + " again");
  }
}

std::vector<PublishedCount> read_published(ObjectReader& reader,
                                           const std::vector<ExtraCount>& extras) {
  std::vector<PublishedCount> list;
  for (ObjectReader& row : reader.objects("published")) {
    PublishedCount published;
    published.value = row.integer("value", kParameters);
    published.covers = row.texts("covers");
    published.source = read_source(row);
    if (row.sound("covers") && reader.sound("extras")) check_covers(row, published, extras);
    row.done();
    list.push_back(std::move(published));
  }
  return list;
}

}  // namespace

Model read_model(ObjectReader reader) {
  Model model;
  model.raw = reader.whole();
  model.id = read_id(reader, "id");
  model.title = read_filled_text(reader, "title");
  model.family = read_filled_text(reader, "family");
  model.repository = reader.text("repository");
  model.architecture = read_architecture(reader);
  check_head_dim(reader, model.architecture);
  model.extras = read_extras(reader);
  model.published = read_published(reader, model.extras);
  model.was = read_was(reader);
  model.note = read_note(reader);
  model.source = read_source(reader);
  model.date = read_date(reader, "date");
  check_fused(reader, model.architecture.fused_linears);
  check_keys(reader);
  return model;
}

}  // namespace sizesheet
