// SPDX-License-Identifier: Apache-2.0
#include "catalog/models/stored_weights.h"

#include <algorithm>
#include <map>
#include <set>

#include "support/error.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Keys of a quantization_config that change no byte of a run: how the weights were rounded, what
/// an engine does with them, and what is dequantised on loading in any case.
constexpr auto kSilentKeys = {"_load_in_4bit",
                              "_load_in_8bit",
                              "activation_scheme",
                              "bnb_4bit_quant_storage",
                              "dequantize",
                              "fmt",
                              "global_compression_ratio",
                              "ignore",
                              "ignored_layers",
                              "kv_cache_scheme",
                              "llm_int8_enable_fp32_cpu_offload",
                              "llm_int8_threshold",
                              "modules_to_not_convert",
                              "run_compressed",
                              "scale_fmt",
                              "transform_config",
                              "version",
                              "weight_block_size"};

const std::vector<std::string> kReadMethods = {"bitsandbytes", "compressed-tensors", "fp8",
                                               "mxfp4"};

/// What is known and not modelled as a base.
const std::map<std::string, std::string> kRefusedMethods = {
    {"aqlm", "AQLM"},         {"auto-round", "AutoRound"},
    {"awq", "AWQ"},           {"bitnet", "BitNet"},
    {"eetq", "EETQ"},         {"exl2", "ExLlamaV2"},
    {"exl3", "ExLlamaV3"},    {"fbgemm_fp8", "FBGEMM's fp8"},
    {"fp_quant", "FP-Quant"}, {"gguf", "GGUF"},
    {"gptq", "GPTQ"},         {"gptqmodel", "GPTQ"},
    {"higgs", "HIGGS"},       {"hqq", "HQQ"},
    {"modelopt", "ModelOpt"}, {"modelopt_fp4", "ModelOpt"},
    {"quanto", "Quanto"},     {"quark", "Quark"},
    {"sinq", "SINQ"},         {"spqr", "SpQR"},
    {"torchao", "torchao"},   {"vptq", "VPTQ"}};

constexpr const char* kUseAnother =
    "give the config.json of the unquantised repository, and a qlora method for a base in 4 bits";

/// Names of modules that no layer of the text model has, or that stay in 16 bits in any case.
bool is_outside(const std::string& name) {
  static const std::vector<std::string> kUsual = {"lm_head", "embed_tokens", "router", "gate",
                                                  "norm"};
  const std::vector<std::string> parts = split(name, '.');
  const auto sees = [&](const char* word) { return name.find(word) != std::string::npos; };
  return contains(kUsual, parts.back()) || sees("vision") || sees("visual") || sees("audio") ||
         sees("projector") || sees("merger") || sees("modality_projection");
}

/// "layers.3.mlp" of "model.language_model.layers.3.mlp"; "" of what names no layer.
std::string in_layers(const std::string& name) {
  const std::string word = "layers.";
  const std::size_t at = name.find(word);
  const bool whole = at == 0 || (at != std::string::npos && name[at - 1] == '.');
  return whole ? name.substr(at) : "";
}

void read_skipped(ObjectReader& reader, StoredWeights& stored) {
  if (!reader.has("llm_int8_skip_modules")) return;
  for (const std::string& name : reader.texts("llm_int8_skip_modules")) {
    if (name.empty() || is_outside(name)) continue;
    const std::string module = in_layers(name);
    if (module.empty()) {
      reader.fault("llm_int8_skip_modules",
                   "expected layers such as \"model.layers.0.mlp\", or a head, an embedding or a "
                   "tower, got " +
                       shown(name) + ": what it keeps in 16 bits is not known");
    } else {
      stored.skipped.push_back(module);
    }
  }
}

std::optional<StoredWeights> read_bitsandbytes(ObjectReader& reader) {
  StoredWeights stored{.quant_method = "bitsandbytes", .as_stored = true};
  const bool four = reader.flag_or("load_in_4bit", false);
  const bool eight = reader.flag_or("load_in_8bit", false);
  if (four == eight && reader.sound("")) {
    reader.fault("load_in_4bit", std::string("expected one of load_in_4bit and load_in_8bit to be "
                                             "true, got ") +
                                     (four ? "both" : "neither"));
  }
  stored.format = four ? "nf4" : "int8";
  const std::string type = reader.one_of_or("bnb_4bit_quant_type", {"nf4", "fp4"}, "fp4");
  stored.double_quant = reader.flag_or("bnb_4bit_use_double_quant", false) && four;
  stored.fp4 = four && type == "fp4";
  const std::string compute = reader.one_of_or(
      "bnb_4bit_compute_dtype", {"bfloat16", "float16", "float32", "auto"}, "float32");
  stored.fp32_products = four && compute == "float32";
  if (reader.flag_or("llm_int8_has_fp16_weight", false)) {
    reader.mismatch("llm_int8_has_fp16_weight",
                    "false: int8 weights beside 16-bit ones are not modelled");
  }
  read_skipped(reader, stored);
  return stored;
}

/// "fp8", "int4", "nvfp4" of one group's weights; "" where the group leaves them alone.
std::string group_format(ObjectReader& group) {
  std::optional<ObjectReader> weights = group.optional_object("weights");
  if (!weights) return "";
  const std::int64_t bits = weights->integer("num_bits", {1, 16});
  const std::string type = weights->one_of_or("type", {"int", "float"}, "int");
  constexpr std::int64_t kNarrow = 4;
  if (type == "float" && bits == kNarrow) {
    constexpr std::int64_t kMxGroup = 32;
    return weights->integer_or("group_size", 0) == kMxGroup ? "mxfp4" : "nvfp4";
  }
  return (type == "float" ? "fp" : "int") + std::to_string(bits);
}

std::optional<StoredWeights> read_compressed(ObjectReader& reader) {
  StoredWeights stored{.quant_method = "compressed-tensors"};
  const std::string format = reader.text_or("format", "");
  reader.text_or("quantization_status", "");
  std::set<std::string> formats;
  if (reader.has("config_groups")) {
    for (auto& [name, group] : reader.members("config_groups")) {
      if (const std::string one = group_format(group); !one.empty()) formats.insert(one);
    }
  }
  const bool sparse = reader.raw("sparsity_config").is_object() &&
                      !reader.raw("sparsity_config").empty() &&
                      reader.raw("sparsity_config").value("format", Json()) != "dense";
  if (formats.empty() && sparse) formats.insert("sparse");
  if (!reader.sound("") || (format == "dense" && !sparse)) return std::nullopt;
  if (formats.empty()) {
    reader.fault("config_groups", "expected groups that say how their weights are stored, got " +
                                      shown(reader.raw("config_groups")));
    return std::nullopt;
  }
  stored.format = join({formats.begin(), formats.end()}, " and ");
  return stored;
}

/// The method's name, which older configs of bitsandbytes leave out.
std::string quant_method(ObjectReader& reader) {
  const Json& value = reader.raw("quant_method");
  const bool older = value.is_null() && (reader.has("load_in_4bit") || reader.has("load_in_8bit"));
  if (older) return "bitsandbytes";
  const std::string name = value.is_string() ? value.get<std::string>() : "";
  if (contains(kReadMethods, name)) return name;
  const auto refused = kRefusedMethods.find(name);
  std::vector<std::string> known = kReadMethods;
  for (const auto& [method, title] : kRefusedMethods) known.push_back(method);
  const std::string why =
      refused != kRefusedMethods.end()
          ? ": a base of " + refused->second + " weights is not modelled; "
          : (name.empty() ? "" : did_you_mean(name, known)) + ": its format is not known here; ";
  const std::string got = !value.is_null()                  ? shown(value)
                          : reader.mentions("quant_method") ? "null"
                                                            : "nothing";
  reader.fault("quant_method",
               "expected " + join(kReadMethods, ", ") + ", got " + got + why + kUseAnother);
  return "";
}

}  // namespace

std::optional<StoredWeights> read_stored_weights(ObjectReader& config) {
  std::optional<StoredWeights> stored;
  for (const char* key : {"quantization_config", "compression_config"}) {
    if (!config.has(key)) continue;
    ObjectReader reader = config.object(key);
    if (!config.sound(key)) return std::nullopt;
    for (const char* silent : kSilentKeys) reader.raw(silent);
    std::optional<StoredWeights> found;
    const bool older = key == std::string("compression_config") && !reader.has("quant_method");
    const std::string method = older ? "compressed-tensors" : quant_method(reader);
    if (method == "bitsandbytes") found = read_bitsandbytes(reader);
    if (method == "compressed-tensors") found = read_compressed(reader);
    if (method == "fp8" || method == "mxfp4") {
      found = StoredWeights{.quant_method = method, .format = method};
    }
    if (stored && found && *stored != *found) {
      config.fault(key, "expected the same as quantization_config");
    }
    if (!stored) stored = found;
  }
  return stored;
}

Json stored_json(const StoredWeights& stored) {
  Json json = {{"quant_method", stored.quant_method}};
  if (stored.quant_method == "bitsandbytes") {
    const bool four = stored.format == "nf4";
    json[four ? "load_in_4bit" : "load_in_8bit"] = true;
    if (four) {
      json["bnb_4bit_quant_type"] = stored.fp4 ? "fp4" : "nf4";
      json["bnb_4bit_compute_dtype"] = stored.fp32_products ? "float32" : "bfloat16";
      json["bnb_4bit_use_double_quant"] = stored.double_quant;
    }
    if (!stored.skipped.empty()) json["llm_int8_skip_modules"] = stored.skipped;
  }
  if (stored.quant_method != "compressed-tensors") return json;
  if (stored.format == "sparse") {
    json["sparsity_config"] = Json{{"format", "sparse"}};
    return json;
  }
  std::string rest = stored.format;
  for (int group = 0; !rest.empty(); ++group) {
    const std::size_t end = rest.find(" and ");
    const std::string one = rest.substr(0, end);
    rest = end == std::string::npos ? "" : rest.substr(end + 5);
    Json weights = {{"type", one.starts_with("int") ? "int" : "float"}};
    weights["num_bits"] = one == "nvfp4" || one == "mxfp4"
                              ? 4
                              : std::stoi(one.substr(one.find_first_of("123456789")));
    if (one == "mxfp4") weights["group_size"] = 32;
    json["config_groups"]["group_" + std::to_string(group)] = Json{{"weights", weights}};
  }
  return json;
}

}  // namespace sizesheet
