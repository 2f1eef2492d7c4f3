// SPDX-License-Identifier: Apache-2.0
#include "sizing/request/method_reader.h"

#include <limits>

#include "catalog/facts/method.h"
#include "catalog/models/architecture.h"
#include "catalog/models/stored_weights.h"
#include "catalog/models/tower.h"
#include "sizing/job/job.h"
#include "sizing/model/adapters.h"
#include "sizing/model/parameters.h"
#include "sizing/model/projections.h"
#include "sizing/model/tower_counts.h"
#include "sizing/request/question.h"
#include "support/error.h"
#include "support/json.h"
#include "support/named.h"
#include "support/object_text.h"
#include "support/text.h"
#include "support/trace.h"
#include "support/whole_numbers.h"

namespace sizesheet {
namespace {

constexpr NameTable<BaseDtype, 8> kStored{{{BaseDtype::kBf16, "bf16"},
                                           {BaseDtype::kFp32, "fp32"},
                                           {BaseDtype::kFp16, "fp16"},
                                           {BaseDtype::kInt8, "int8"},
                                           {BaseDtype::kFp8, "fp8"},
                                           {BaseDtype::kNf4, "nf4"},
                                           {BaseDtype::kMxfp4, "mxfp4"},
                                           {BaseDtype::kNvfp4, "nvfp4"}}};

/// Why rounding to another format in training cannot apply; "" if it can.
std::string why_not_rounded(const Architecture& model, const PrecisionKeys& stated,
                            const MethodKeys& keys) {
  if (!keys.full() && keys.base != BaseDtype::kBf16) {
    return "rounds bf16 weights, and method.base is " + in_quotes(id_of(kStored, keys.base));
  }
  if (keys.full() && stated.state.weight != 2) {
    return "rounds bf16 weights, and state " + in_quotes(stated.state.id) + " keeps " +
           shortest(stated.state.weight) + " bytes";
  }
  if (stated.precision != Precision::kBf16) return "needs kernels.precision \"bf16\"";
  if (has_experts(model)) {
    return "is modelled for plain projections, and the model has routed experts";
  }
  return "";
}

/// A checkpoint of bitsandbytes trains as it is stored, under no other kind and on no other base.
bool is_trained_as_stored(ObjectReader& reader, const StoredWeights& stored, MethodKind kind) {
  const bool four = stored.format == "nf4";
  const std::string holds = std::string("the checkpoint holds ") + (four ? "NF4" : "int8") +
                            " weights (quantization_config of bitsandbytes)";
  const bool fits = four ? kind == MethodKind::kQlora || kind == MethodKind::kDora
                         : kind == MethodKind::kLora || kind == MethodKind::kDora;
  if (!fits) {
    reader.fault("kind", std::string("expected ") + (four ? "qlora" : "lora") + " or dora, got " +
                             in_quotes(id_of(kind)) + ": " + holds +
                             ", which train as a frozen base only; for another method give the "
                             "unquantised repository");
    return false;
  }
  const Json& base = reader.raw("base");
  if (base.is_null() || base == stored.format) return true;
  reader.fault("base", "expected " + in_quotes(stored.format) + ", got " + shown(base) + ": " +
                           holds + "; for another base give the unquantised repository");
  return false;
}

/// The base's name; full fine-tuning has none and keeps kTrained.
std::string read_base(ObjectReader& reader, const Architecture& model, Precision precision,
                      MethodKeys& keys) {
  const MethodFacts& kind = facts_of(keys.kind);
  if (model.stored && model.stored->as_stored &&
      !is_trained_as_stored(reader, *model.stored, keys.kind)) {
    return reader.raw("base").is_string() ? reader.raw("base").get<std::string>() : "bf16";
  }
  const bool fp16 = precision == Precision::kFp16;
  const std::string natural = kind.needs_nf4() ? "nf4" : fp16 && !keys.full() ? "fp16" : "bf16";
  static const std::vector<std::string> kNames = ids(kStored);
  const std::string base = reader.one_of_or("base", kNames, natural);
  if (keys.full()) {
    refuse_unless(reader, base == "bf16", "base", [&] {
      return "method.kind \"full\" has no frozen base; `state` says how its weights are kept, "
             "got " +
             in_quotes(base);
    });
    return base;
  }
  keys.base = value_of(kStored, base).value_or(BaseDtype::kBf16);
  const auto id = [&] { return in_quotes(id_of(keys.kind)); };
  refuse_unless(reader, !kind.needs_nf4() || base == "nf4", "base",
                [&] { return "method.kind " + id() + " has an nf4 base, got " + in_quotes(base); });
  refuse_unless(reader, base != "fp8" || precision == Precision::kFp8, "base",
                "\"fp8\" is multiplied as it is stored and needs kernels.precision \"fp8\"");
  refuse_unless(reader, kind.takes_nf4() || base != "nf4", "base", [&] {
    return "an nf4 base needs method.kind " + in_quotes(id_of(kind.quantised)) + ", got " + id();
  });
  return base;
}

/// Training that rounds weights to a format they are stored in later.
void read_qat(ObjectReader& reader, const Architecture& model, const PrecisionKeys& stated,
              MethodKeys& keys) {
  const std::string format =
      reader.one_of_or("qat", {"none", "int8-int4", "int4", "fp8", "nvfp4"}, "none");
  keys.fake_quantised = format != "none";
  keys.fake_quantised_inputs =
      keys.fake_quantised && format != "int4";  // which rounds weights alone
  if (!keys.fake_quantised) return;
  const std::string fault = why_not_rounded(model, stated, keys);
  refuse_unless(reader, fault.empty(), "qat", in_quotes(format) + " " + fault);
}

/// How much of the vision tower trains.
std::optional<Vision> read_vision(ObjectReader& method, const Architecture& model) {
  if (method.raw("vision").is_null()) return std::nullopt;
  const auto training = read_named_or(method, "vision", kTowerTrainings, TowerTraining::kFrozen);
  refuse_unless(method, model.tower.has_value(), "vision",
                "the model has no vision tower that is counted");
  return model.tower ? std::optional(Vision{.training = training}) : std::nullopt;
}

constexpr NameTable<AdapterDtype, 3> kAdapterDtypes{{{AdapterDtype::kBf16, "bf16"},
                                                     {AdapterDtype::kFp32Autocast, "fp32-autocast"},
                                                     {AdapterDtype::kFp32, "fp32"}}};

void add_target(ObjectReader& reader, const Architecture& model, const std::string& name,
                MethodKeys& keys) {
  if (name == "conv1d") {
    reader.fault("targets", has_mamba(model)
                                ? "the fused Mamba kernel never calls an adapter on conv1d"
                                : "the model has no projection \"conv1d\"");
    return;
  }
  const Projections meant = projections_meant(model, name);
  keys.adapters.targets.insert(meant);
  refuse_unless(reader, !meant.empty(), "targets", [&] {
    return "the model has no projection " + shown(name) +
           did_you_mean(name, names_of(possible_targets(model)));
  });
}

void read_targets(ObjectReader& reader, const Architecture& model, MethodKeys& keys) {
  const Json& targets = reader.raw("targets");
  if (targets.is_null() || targets.is_string()) {
    const std::string preset = targets.is_null() ? "all-linear" : targets.get<std::string>();
    keys.adapters.targets = preset_targets(model, preset);
    keys.target_words = preset;
    refuse_unless(reader, !keys.adapters.targets.empty(), "targets", [&] {
      return "expected all-linear, attention, qv or a list of projections, got " + shown(targets) +
             did_you_mean(preset, {"all-linear", "attention", "qv"});
    });
    return;
  }
  const std::vector<std::string> names = reader.texts("targets");
  for (const std::string& name : names) add_target(reader, model, name, keys);
  keys.target_words = join(names, ",");
  refuse_unless(reader, !keys.adapters.targets.empty() || !reader.sound("targets"), "targets",
                "expected at least one projection of the model");
}

void read_adapter_keys(ObjectReader& reader, const Architecture& model, MethodKeys& keys) {
  keys.adapters.rank = reader.integer("rank", {1, 65536});
  keys.adapters.magnitudes = facts_of(keys.kind).magnitudes;
  read_targets(reader, model, keys);
  const std::string experts = reader.one_of_or("experts", {"none", "shared", "per-expert"}, "none");
  refuse_unless(reader, has_experts(model) || experts == "none", "experts",
                [&] { return in_quotes(experts) + " needs routed experts; the model has none"; });
  keys.adapters.experts = experts;
  keys.adapter_dtype = read_named_or(reader, "adapter_dtype", kAdapterDtypes, AdapterDtype::kBf16);
  keys.dropout = reader.number_or("dropout", 0, {0, 1});
  keys.adapters.fused =
      read_named_or(reader, "fused_projections", kFusedModules, FusedModules::kNone);
}

void read_modules_to_save(ObjectReader& reader, MethodKeys& keys) {
  const Json& value = reader.raw("modules_to_save");
  if (value.is_null() || value == Json::array()) return;
  const std::vector<std::string> known{"lm_head", "embed_tokens", "norm"};
  for (const std::string& name : reader.texts("modules_to_save")) {
    const bool fine = contains(known, name);
    refuse_unless(reader, fine, "modules_to_save",
                  "expected lm_head, embed_tokens or norm (all norms), got " + shown(name) +
                      did_you_mean(name, known));
    const auto projection = projection_named(name);
    const bool adapted = projection && keys.adapters.targets.contains(*projection);
    refuse_unless(reader, !adapted, "modules_to_save",
                  name + " cannot both carry an adapter (method.targets) and train in full");
    keys.trained_whole.insert(name);
  }
}

/// Rows of the embedding that train beside the adapters.
void read_token_indices(ObjectReader& reader, const Architecture& model, MethodKeys& keys) {
  keys.token_indices = reader.integer_or("token_indices", 0, {0, model.vocab});
  const bool whole = keys.trained_whole.contains("embed_tokens") ||
                     keys.adapters.targets.contains(Projection::kEmbedding);
  refuse_unless(reader, keys.token_indices == 0 || !whole, "token_indices",
                "are rows of embed_tokens, which method.modules_to_save or method.targets trains");
}

const Block* block_at(const Architecture& model, std::int64_t layer) {
  for (const BlockRun& run : model.runs) {
    if (layer < run.count) return &run.block;
    layer -= run.count;
  }
  return nullptr;
}

/// Projections that "model.layers.3.mlp.down_proj", "layers.3.self_attn" or "layers.3" means, with
/// the layer; none of a name that means none.
std::pair<std::int64_t, Projections> skipped_module(const Architecture& model,
                                                    const std::string& name) {
  std::vector<std::string> parts = split(name, '.');
  if (!parts.empty() && parts.front() == "model") parts.erase(parts.begin());
  const bool layered = parts.size() >= 2 && parts.size() <= 4 && parts[0] == "layers";
  std::int64_t layer = 0;
  while (layered && layer < model.layers() && std::to_string(layer) != parts[1]) ++layer;
  const Block* block = layered ? block_at(model, layer) : nullptr;
  if (block == nullptr) return {};
  Projections meant;
  for (const auto& [sublayer, module] :
       {std::pair{Sublayer::kAttention, "self_attn"}, std::pair{Sublayer::kMlp, "mlp"}}) {
    if (!contains(sublayers(*block), sublayer)) continue;
    if (parts.size() > 2 && parts[2] != module) continue;
    for (const Linear& linear : linears(model, *block, sublayer)) {
      if (parts.size() == 4 && name_of(linear.name) != parts[3]) continue;
      meant.insert(linear.name);
    }
  }
  return {layer, meant};
}

/// Modules that a quantised checkpoint leaves in 16 bits, as its `llm_int8_skip_modules` names
/// them.
void read_skip_modules(ObjectReader& reader, const Architecture& model, MethodKeys& keys) {
  const Json& value = reader.raw("skip_modules");
  if (value.is_null() || value == Json::array()) return;
  for (const std::string& name : reader.texts("skip_modules")) {
    if (name == "lm_head" || name == "embed_tokens") continue;  // in 16 bits in any case
    const auto [layer, meant] = skipped_module(model, name);
    refuse_unless(reader, !meant.empty(), "skip_modules", [&] {
      return "expected a layer of " + std::to_string(model.layers()) +
             " or a part of one, such as \"model.layers.0.mlp.down_proj\", got " + shown(name);
    });
    keys.skipped[layer].insert(meant);
  }
}

/// What the checkpoint itself says of its NF4 or int8 base.
void read_stored_base(ObjectReader& reader, const Architecture& model, MethodKeys& keys) {
  const StoredWeights& stored = *model.stored;
  const auto* given = reader.whole().get_ptr<const Json::object_t*>();
  const auto own = [&](const char* key) {  // and not the defaults of a stack
    const auto found = given->find(key);
    return found == given->end() ? Json() : found->second;
  };
  const Json double_quant = own("double_quant");
  refuse_unless(
      reader, double_quant.is_null() || double_quant == stored.double_quant, "double_quant", [&] {
        return "expected " + std::string(stored.double_quant ? "true" : "false") +
               ", as the checkpoint's quantization_config has it, got " + shown(double_quant);
      });
  if (keys.nf4()) keys.double_quant = stored.double_quant;
  const Json skipped = own("skip_modules");
  refuse_unless(
      reader, skipped.is_null() || skipped.empty(), "skip_modules",
      "the checkpoint's llm_int8_skip_modules says what stays in 16 bits, got " + shown(skipped));
  for (const std::string& name : stored.skipped) {
    const auto [layer, meant] = skipped_module(model, name);
    refuse_unless(reader, !meant.empty(), "base", [&] {
      return "the checkpoint's llm_int8_skip_modules names " + in_quotes(name) +
             ", which the model does not have";
    });
    keys.skipped[layer].insert(meant);
  }
}

/// Keys that mean nothing for this kind must be absent or neutral, which is told as JSON.
void refuse_foreign_keys(ObjectReader& reader, const MethodKeys& method, const std::string& base) {
  using NeutralKeys = std::initializer_list<std::pair<const char*, const char*>>;
  const auto only = [&](const char* what, const std::string& on_base, const NeutralKeys& keys) {
    for (const auto& [key, neutral] : keys) {
      const Json& value = reader.raw(key);
      if (value.is_null() || json_text(value) == neutral) continue;
      reader.fault(key, std::string("applies to ") + what + " only, not to method.kind " +
                            in_quotes(id_of(method.kind)) + on_base + ", got " + shown(value));
    }
  };
  if (method.full()) {
    only("adapters", "",
         {{"rank", ""},
          {"targets", ""},
          {"adapter_dtype", ""},
          {"experts", R"("none")"},
          {"dropout", "0"},
          {"fused_projections", R"("none")"},
          {"modules_to_save", "[]"},
          {"token_indices", "0"}});
  }
  if (base != "nf4") only("an nf4 base", " on " + base, {{"double_quant", "true"}});
  if (base != "nf4" && base != "int8") {
    only("an nf4 or int8 base", " on " + base,
         {{"kbit_prep", "false"}, {"quantize_experts", "true"}, {"skip_modules", "[]"}});
  }
  if (base != "fp8") only("an fp8 base", " on " + base, {{"transpose_cache", "true"}});
}

std::optional<MethodKind> read_kind(ObjectReader& reader) {
  const Json& kind = reader.raw("kind");
  static const std::map<std::string, std::string> refused = {
      {"pissa",
       "PiSSA starts a LoRA from the base's leading singular vectors: its memory in "
       "training is that of method.kind \"lora\" at the same rank; ask for that"},
      {"galore",
       "GaLore projects gradients per layer and is not modelled; the nearest are "
       "method.kind \"full\" with optimizer \"adamw-8bit\", or \"lora\""}};
  const std::string named = kind.is_string() ? kind.get<std::string>() : "";
  if (const auto known = value_of(kMethodKinds, named)) return known;
  if (refused.contains(named)) {
    reader.fault("kind", refused.at(named));
    return std::nullopt;
  }
  const bool generates = contains({"grpo", "ppo", "rloo"}, named);
  if (generates || value_of(kTrainings, named)) {
    reader.fault("kind", in_quotes(named) + " is what is trained for, which " +
                             (generates ? "a grpo object" : "objective.kind") +
                             " says; this is what trains: full, lora, dora or qlora");
    return std::nullopt;
  }
  return value_of(kMethodKinds, reader.one_of("kind", ids(kMethodKinds)));
}

}  // namespace

// ---- The request's `method`: what trains, what the frozen base is stored in, where adapters
// stand.

ReadMethod read_method_keys(ObjectReader reader, const Architecture& model,
                            const PrecisionKeys& stated) {
  ReadMethod read;
  MethodKeys& keys = read.keys;
  const auto kind = read_kind(reader);
  if (!kind) return read;
  keys.kind = *kind;
  const std::string base = read_base(reader, model, stated.precision, keys);
  refuse_foreign_keys(reader, keys, base);
  if (!keys.full()) {
    read_adapter_keys(reader, model, keys);
    read_modules_to_save(reader, keys);
    read_token_indices(reader, model, keys);
  }
  read_qat(reader, model, stated, keys);
  read.vision = read_vision(reader, model);
  if (keys.nf4()) keys.double_quant = reader.flag_or("double_quant", true);
  if (keys.base == BaseDtype::kFp8) keys.transpose_cache = reader.flag_or("transpose_cache", true);
  if (keys.bitsandbytes()) {
    keys.kbit_prep = reader.flag_or("kbit_prep", false);
    keys.quantize_experts = reader.flag_or("quantize_experts", true);
    read_skip_modules(reader, model, keys);
    if (model.stored && model.stored->as_stored) read_stored_base(reader, model, keys);
    refuse_unless(reader, keys.quantize_experts || has_experts(model), "quantize_experts",
                  "false needs routed experts; the model has none");
  }
  reader.done();
  // PEFT trains the new score head whole beside its adapters.
  if (model.scores && !keys.full()) keys.trained_whole.insert("lm_head");
  return read;
}

std::optional<std::string> base_name(const MethodKeys& method) {
  return method.full() ? std::nullopt : std::optional<std::string>(id_of(kStored, method.base));
}

std::optional<Vision> read_images(ObjectReader& workload, bool generates, const Architecture& model,
                                  const WorkloadKeys& keys) {
  const auto images = workload.optional_number("images", {std::numeric_limits<double>::min(), 1e4});
  const auto height = workload.optional_integer("image_height", {1, 1 << 16});
  const auto width = workload.optional_integer("image_width", {1, 1 << 16});
  for (const auto& [key, side] : {std::pair{"image_height", height}, {"image_width", width}}) {
    refuse_unless(workload, images || !side, key,
                  "is of the images of a sequence, and images does not say how many there are");
  }
  if (!images) return keys.vision;
  const std::optional<Tower>& tower = model.tower;
  refuse_unless(workload, tower.has_value(), "images",
                "the model has no vision tower that is counted");
  refuse_unless(workload, !generates && !keys.training, "images",
                "are modelled in supervised fine-tuning; leave them out, or grpo and objective");
  if (!tower) return keys.vision;
  const bool own_size = tower->image_size > 0;
  for (const auto& [key, side] : {std::pair{"image_height", height}, {"image_width", width}}) {
    refuse_unless(workload, !own_size || !side, key, [&] {
      const std::string pixels = std::to_string(tower->image_size);
      return "changes nothing: the model brings every image to " + pixels + " x " + pixels;
    });
    refuse_unless(workload, own_size || side, key, "expected an integer, got nothing");
  }
  if (!own_size && (!height || !width)) return keys.vision;
  Vision vision = keys.vision.value_or(Vision{});
  vision.images = *images;
  vision.each = image_size(*tower, height.value_or(0), width.value_or(0));
  const double tokens = *images * as_double(vision.each.tokens);
  refuse_unless(workload, tokens <= as_double(keys.seq_len), "images", [&] {
    return shortest(*images) + " x " + format_integer(vision.each.tokens) +
           " tokens are more than seq_len, " + std::to_string(keys.seq_len);
  });
  return vision;
}

void check_vision(ObjectReader& request, const std::optional<Vision>& vision) {
  const bool idle = vision && vision->images == 0;
  refuse_unless(request, !idle || vision->training == TowerTraining::kFrozen, "method", [&] {
    return "vision " + in_quotes(id_of(kTowerTrainings, vision->training)) +
           " needs workload.images: without any there is nothing to learn from";
  });
}

}  // namespace sizesheet
