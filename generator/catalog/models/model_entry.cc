// SPDX-License-Identifier: Apache-2.0
#include "catalog/models/model_entry.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "catalog/files/loader.h"
#include "catalog/models/architecture.h"
#include "catalog/models/config_keys.h"
#include "catalog/models/families.h"
#include "catalog/models/family_keys.h"
#include "catalog/models/model.h"
#include "catalog/models/stored_weights.h"
#include "catalog/models/tower.h"
#include "support/error.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// One of each part the blocks are made of; where a part differs from block to block, the first.
struct Sample {
  Block parts;
  bool one_part_a_block = true;
  bool alike = true;  ///< every block has attention and an MLP or experts, the same ones
};

template <typename T>
void keep_first(std::optional<T>& kept, const std::optional<T>& part, bool& alike) {
  if (part && !kept) kept = part;
  if (part && *part != *kept) alike = false;
}

Sample sample_of(const Architecture& model) {
  Sample sample;
  sample.parts.norms = model.runs.front().block.norms;
  for (const BlockRun& run : model.runs) {
    const Block& block = run.block;
    const int parts = (block.attention ? 1 : 0) + (block.mlp ? 1 : 0) + (block.moe ? 1 : 0) +
                      (block.mamba ? 1 : 0);
    if (parts != 1) sample.one_part_a_block = false;
    if (!block.attention || block.mamba || (!block.mlp && !block.moe)) sample.alike = false;
    keep_first(sample.parts.attention, block.attention, sample.alike);
    keep_first(sample.parts.mlp, block.mlp, sample.alike);
    keep_first(sample.parts.moe, block.moe, sample.alike);
    keep_first(sample.parts.mamba, block.mamba, sample.alike);
  }
  return sample;
}

/// The layers with a plain MLP as leading ones and a step where that says it all, else one by one.
void add_places(const Architecture& model, Json& moe) {
  std::set<std::int64_t> dense;
  std::int64_t layers = 0;
  for (const BlockRun& run : model.runs) {
    for (std::int64_t each = 0; each < run.count; ++each, ++layers) {
      if (!run.block.moe) dense.insert(layers);
    }
  }
  std::int64_t leading = 0;
  while (dense.contains(leading)) ++leading;
  for (const auto& [first, step] : {std::pair{leading, std::int64_t{1}}, {0, leading + 1}}) {
    std::set<std::int64_t> told;
    for (std::int64_t layer = 0; layer < layers; ++layer) {
      if (layer < first || (layer + 1) % step != 0) told.insert(layer);
    }
    moe["first_k_dense"] = first;
    moe["moe_layer_step"] = step;
    if (told == dense) return;
  }
  moe["first_k_dense"] = 0;
  moe["moe_layer_step"] = 1;
  moe["dense_layers"] = dense;
}

Json moe_json(const Architecture& model, const Moe& moe, bool by_pattern) {
  Json json = {{"num_experts", moe.experts},
               {"experts_per_token", moe.experts_per_token},
               {"moe_intermediate_size", moe.expert_width},
               {"shared_expert_intermediate_size", moe.shared_width},
               {"first_k_dense", 0},
               {"moe_layer_step", 1},
               {"router_bias", moe.router_bias},
               {"expert_bias", moe.expert_bias},
               {"shared_gate", moe.shared_gate},
               {"latent_size", moe.latent_size},
               {"gated", moe.gated}};
  if (!by_pattern) add_places(model, json);
  return json;
}

void add_sizes(const Architecture& model, const Block& parts, EntryKeys& keys) {
  const Attention& attention = *parts.attention;
  const std::int64_t width = parts.mlp && parts.mlp->width > 0 ? parts.mlp->width
                             : parts.moe                       ? parts.moe->expert_width
                                                               : 1;
  keys.insert(keys.end(), {{"model_type", model.model_type},
                           {"hidden_size", model.hidden},
                           {"intermediate_size", width},
                           {"num_hidden_layers", model.layers()},
                           {"num_attention_heads", attention.heads},
                           {"num_key_value_heads", attention.kv_heads},
                           {"head_dim", attention.head_dim},
                           {"vocab_size", model.vocab},
                           {"tie_word_embeddings", model.tied_head},
                           {"hidden_act", model.activation},
                           {"max_position_embeddings", model.max_positions},
                           {"attention_qkv_bias", attention.qkv_bias},
                           {"attention_o_bias", attention.output_bias},
                           {"mlp_bias", parts.mlp && parts.mlp->bias},
                           {"gated_mlp", parts.mlp ? parts.mlp->gated : parts.moe->gated},
                           {"norm_type", model.layer_norm ? "layernorm" : "rmsnorm"},
                           {"norm_has_bias", model.norm_bias},
                           {"norms_per_layer", parts.norms},
                           {"qk_norm", attention.qk_norm},
                           {"sliding_window",
                            model.sliding_window ? Json(*model.sliding_window) : Json(nullptr)},
                           {"fused_linears", model.fused_linears}});
}

/// Keys that most entries leave out: written where they say something, or where the family would.
void add_rare_keys(const Architecture& model, const Block& parts, const Traits& usual,
                   EntryKeys& keys) {
  const auto put = [&](const char* key, bool says, const Json& value) {
    if (says) keys.emplace_back(key, value);
  };
  put("learned_positions", usual.learned_positions || model.learned_positions > 0,
      model.learned_positions);
  put("embedding_norm", usual.embedding_norm || model.embedding_norm, model.embedding_norm);
  put("head_bias", usual.head_bias || model.head_bias, model.head_bias);
  put("final_logit_softcapping", usual.logit_cap != model.logit_cap, model.logit_cap);
  put("alibi", usual.alibi != model.alibi, model.alibi);
  put("norm_has_weight", !usual.norm_weight || !model.norm_weight, model.norm_weight);
  put("windowed_layers", model.windowed_layers.has_value(), model.windowed_layers.value_or(0));
  put("num_nextn_predict_layers", model.further_predictions > 0, model.further_predictions);
  put("attention_sinks", usual.sinks || parts.attention->sinks, parts.attention->sinks);
}

/// The parts of blocks that have keys of their own, and which block has which.
void add_parts(const Architecture& model, const Sample& sample, EntryKeys& keys) {
  const bool by_pattern = !sample.alike && sample.one_part_a_block;
  if (const auto& latent = sample.parts.attention->latent) {
    keys.emplace_back("mla", Json{{"q_lora_rank", latent->query_rank},
                                  {"kv_lora_rank", latent->kv_rank},
                                  {"qk_nope_head_dim", latent->nope_dim},
                                  {"qk_rope_head_dim", latent->rope_dim},
                                  {"v_head_dim", latent->value_dim}});
  }
  if (sample.parts.moe) keys.emplace_back("moe", moe_json(model, *sample.parts.moe, by_pattern));
  if (const auto& mamba = sample.parts.mamba) {
    keys.emplace_back("mamba", Json{{"num_heads", mamba->heads},
                                    {"head_dim", mamba->head_dim},
                                    {"n_groups", mamba->groups},
                                    {"d_state", mamba->state},
                                    {"chunk_size", mamba->chunk},
                                    {"conv_kernel", mamba->conv_kernel},
                                    {"conv_bias", mamba->conv_bias}});
  }
  if (sample.alike) return;
  std::string pattern;
  Json blocks = Json::array();
  for (const auto& [block, count] : model.runs) {
    const char letter = block.mamba ? 'M' : block.moe ? 'E' : block.attention ? '*' : '-';
    pattern.append(static_cast<std::size_t>(count), letter);
    Json& row =
        blocks.emplace_back(Json{{"attention", block.attention.has_value()}, {"count", count}});
    if (block.attention) row["kv_heads"] = block.attention->kv_heads;
    if (block.mlp) row["mlp_width"] = block.mlp->width;
  }
  keys.emplace_back(by_pattern ? "hybrid_pattern" : "blocks", by_pattern ? Json(pattern) : blocks);
}

/// Families without a limit on positions in their code have a usual one here.
void complete_positions(ObjectReader& reader, const Family& usual, Architecture& model) {
  if (model.max_positions > 0) return;
  std::string key = "max_position_embeddings";
  if (const auto number = usual.numbers.find(key); number != usual.numbers.end()) {
    model.max_positions = number->second;
    return;
  }
  if (usual.names.contains(key)) key = usual.names.at(key);
  ObjectReader place = reader.has("text_config") ? reader.object("text_config") : reader;
  place.fault(key, "expected an integer, got nothing");
}

/// What decides the shape in the text part of a config, under its published keys.
Json shape_keys(const Json& config, const std::string& model_type,
                const std::optional<StoredWeights>& stored) {
  const bool within = config.contains("text_config") && !config.contains("hidden_size");
  Json text = within ? config.at("text_config") : config;
  const char* tied = "tie_word_embeddings";
  if (!text.contains("model_type")) text["model_type"] = model_type;
  if (within && config.contains(tied) && !text.contains(tied)) text[tied] = config.at(tied);
  Faults faults;
  ObjectReader reader(text, "", "", faults);
  static_cast<void>(read_architecture(reader));
  Json kept = Json::object();
  for (const std::string& key : reader.keys_read()) {
    // An entry has no null; what must be mentioned says by 0 that there is none.
    const Json& value = text.at(key);
    const bool mentioned =
        contains({"n_shared_experts", "q_lora_rank", "final_logit_softcapping"}, key);
    if (!value.is_null() || mentioned) kept[key] = value.is_null() ? Json(0) : value;
  }
  kept.erase("compression_config");
  kept.erase("quantization_config");
  if (stored) kept["quantization_config"] = stored_json(*stored);
  return kept;
}

constexpr const char* kPredicted = "layers that predict further tokens";

/// What the object under a key of this name is.
const std::map<std::string, std::string> kUncounted = {
    {"vision_config", "a vision tower"}, {"visual", "a vision tower"},
    {"audio_config", "an audio tower"},  {"speech_config", "an audio tower"},
    {"talker_config", "a talker"},       {"code2wav_config", "a vocoder"}};

/// What of a config is not counted, in sentences for the note of an entry; "" where nothing is.
std::string uncounted_note(const Json& config) {
  std::vector<std::string> notes;
  for (const UncountedPart& part : uncounted_parts(config)) {
    const std::string sentence =
        part.what == kPredicted ? "Multi-token-prediction layers of the checkpoint are not counted."
                                : "Text part of a model with " + part.what + ".";
    if (!contains(notes, sentence)) notes.push_back(sentence);
  }
  return join(notes, " ");
}

}  // namespace

Json read_config_file(const std::filesystem::path& file) {
  return parse_json(without_limits(read_file(file, kMostCatalogBytes)), shown_path(file));
}

std::string entry_text(const EntryKeys& keys) {
  return "{\n  " + members_text(keys, ",\n  ") + "\n}\n";
}

Model entry_model(const EntryKeys& keys, Faults& faults) {
  Json entry = Json::object();
  for (const auto& [key, value] : keys) entry[key] = value;
  constexpr std::size_t kLongestName = 100;
  const std::string name = entry.at("id").get<std::string>().substr(0, kLongestName);
  const std::string file = "models/" + name + ".json";
  Model model = read_model(ObjectReader(entry, file, "", faults));
  check_nulls(entry, file, faults);
  check_texts(entry, file, faults);
  return model;
}

EntryKeys model_entry(const Json& config, const std::string& file, const ModelIdentity& identity,
                      Faults& faults) {
  ObjectReader reader(config, file, "", faults);
  Architecture model = read_config(reader);
  model.remarks.clear();  // are told of a config, not of an entry
  if (!faults.empty()) return {};
  const Family* known = family_of(model.model_type);
  const Family usual = known != nullptr ? *known : Family{};
  complete_positions(reader, usual, model);
  const Sample sample = sample_of(model);
  const bool layered = usual.layers != nullptr;
  if (!sample.parts.attention || (!sample.parts.mlp && !sample.parts.moe)) {
    reader.fault("", "expected a model with attention and an MLP or experts in some layer");
  }
  if (!faults.empty()) return {};
  std::string family = model.model_type;
  if (layered && family.ends_with("_text")) family.resize(family.size() - 5);
  std::replace(family.begin(), family.end(), '_', '-');
  EntryKeys keys = {{"id", identity.id},
                    {"title", identity.title},
                    {"family", family},
                    {"repository", identity.repository}};
  if (layered) {
    keys.emplace_back("config", shape_keys(config, model.model_type, model.stored));
  } else {
    add_sizes(model, sample.parts, keys);
    add_rare_keys(model, sample.parts, usual.traits, keys);
    add_parts(model, sample, keys);
    if (model.stored) keys.emplace_back("quantization_config", stored_json(*model.stored));
  }
  if (model.tower) keys.emplace_back("vision", tower_json(*model.tower));
  keys.emplace_back("published", Json::array());
  keys.emplace_back("extras", Json::array());
  if (const std::string note = uncounted_note(config); !note.empty())
    keys.emplace_back("note", note);
  keys.emplace_back("source", identity.source);
  keys.emplace_back("date", identity.date);
  // The entry must give the very shape that was read, and be sound as the catalog sees it.
  const Model entry = entry_model(keys, faults);
  if (faults.empty() && entry.architecture != model) {
    throw std::logic_error("the entry's shape is not that of the config");
  }
  return keys;
}

std::vector<std::string> config_remarks(const Json& config, Uncounted uncounted) {
  Faults unheard;
  ObjectReader reader(config, "", "", unheard);
  return read_config(reader, uncounted).remarks;
}

std::vector<UncountedPart> uncounted_parts(const Json& config) {
  if (!config.is_object()) return {};
  Faults unheard;
  ObjectReader reader(config, "", "", unheard);
  return uncounted_parts(config, read_architecture(reader));
}

std::vector<UncountedPart> uncounted_parts(const Json& config, const Architecture& model) {
  std::vector<UncountedPart> parts;
  for (const auto& [key, value] : config.items()) {
    const auto part = kUncounted.find(key);
    const bool seen = model.tower && key == "vision_config";
    if (part != kUncounted.end() && value.is_object() && !seen) {
      parts.push_back({"/" + key, part->second});
    }
  }
  const bool within = config.contains("text_config") && config.at("text_config").is_object();
  const Json& text = within ? config.at("text_config") : config;
  for (const char* key :
       {"num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules", "mtp_layers"}) {
    const Json predicted = text.value(key, Json(nullptr));
    const bool counted = model.further_predictions > 0;
    if (!predicted.is_number_integer() || predicted <= 0 || counted) continue;
    parts.push_back({(within ? "/text_config/" : "/") + std::string(key), kPredicted});
  }
  return parts;
}

}  // namespace sizesheet
