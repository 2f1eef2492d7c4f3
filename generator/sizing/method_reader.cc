// SPDX-License-Identifier: Apache-2.0
// The request's `method`: what trains, what the frozen base is stored in, where adapters stand.
#include <algorithm>

#include "sizing/job_reader.h"
#include "sizing/target_names.h"
#include "support/printable.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr NameTable<AdapterDtype, 3> kAdapterDtypes{{{AdapterDtype::kBf16, "bf16"},
                                                     {AdapterDtype::kFp32Autocast, "fp32-autocast"},
                                                     {AdapterDtype::kFp32, "fp32"}}};

bool has_mamba(const Architecture& model) {
  return std::any_of(model.runs.begin(), model.runs.end(),
                     [](const BlockRun& run) { return run.block.mamba.has_value(); });
}

void add_target(ObjectReader& reader, const std::string& name, const Projections& known, Job& job) {
  if (name == "conv1d") {
    reader.fault("targets", has_mamba(*job.model)
                                ? "the fused Mamba kernel never calls an adapter on conv1d"
                                : "the model has no projection \"conv1d\"");
    return;
  }
  const auto own = projection_named(name);
  if (own && known.contains(*own)) {
    job.adapters.targets.insert(*own);
    return;
  }
  bool found = false;
  for (const std::string& alias : projections_behind(name)) {
    const auto behind = projection_named(alias);
    if (!behind || !known.contains(*behind)) continue;
    job.adapters.targets.insert(*behind);
    found = true;
  }
  refuse_unless(reader, found, "targets", [&] {
    return "the model has no projection " + shown(name) + did_you_mean(name, names_of(known));
  });
}

void read_targets(ObjectReader& reader, Job& job) {
  const Json& targets = reader.raw("targets");
  if (targets.is_null() || targets.is_string()) {
    const std::string preset = targets.is_null() ? "all-linear" : targets.get<std::string>();
    job.adapters.targets = preset_targets(*job.model, preset);
    refuse_unless(reader, !job.adapters.targets.empty(), "targets", [&] {
      return "expected all-linear, attention, qv or a list of projections, got " + shown(targets) +
             did_you_mean(preset, {"all-linear", "attention", "qv"});
    });
    return;
  }
  Projections known = projections_of(*job.model);
  known.insert(Projection::kHead);
  known.insert(Projection::kEmbedding);
  for (const std::string& name : reader.texts("targets")) add_target(reader, name, known, job);
  refuse_unless(reader, !job.adapters.targets.empty() || !reader.sound("targets"), "targets",
                "expected at least one projection of the model");
}

void read_adapter_keys(ObjectReader& reader, Job& job) {
  job.adapters.rank = reader.integer("rank", {1, 65536});
  job.adapters.magnitudes = job.kind == MethodKind::kDora;
  read_targets(reader, job);
  const std::string experts = reader.one_of_or("experts", {"none", "shared", "per-expert"}, "none");
  refuse_unless(reader, has_experts(*job.model) || experts == "none", "experts",
                [&] { return in_quotes(experts) + " needs routed experts; the model has none"; });
  job.adapters.experts = experts;
  job.adapter_dtype = read_named_or(reader, "adapter_dtype", kAdapterDtypes, AdapterDtype::kBf16);
  job.dropout = reader.number_or("dropout", 0, {0, 1});
  job.adapters.fused =
      reader.one_of_or("fused_projections", {"none", "checkpoint", "megatron"}, "none");
}

void read_modules_to_save(ObjectReader& reader, Job& job) {
  const Json& value = reader.raw("modules_to_save");
  if (value.is_null() || value == Json::array()) return;
  const std::vector<std::string> known{"lm_head", "embed_tokens", "norm"};
  for (const std::string& name : reader.texts("modules_to_save")) {
    const bool fine = std::find(known.begin(), known.end(), name) != known.end();
    refuse_unless(reader, fine, "modules_to_save",
                  "expected lm_head, embed_tokens or norm (all norms), got " + shown(name) +
                      did_you_mean(name, known));
    const auto projection = projection_named(name);
    const bool adapted = projection && job.adapters.targets.contains(*projection);
    refuse_unless(reader, !adapted, "modules_to_save",
                  name + " cannot both carry an adapter (method.targets) and train in full");
    job.trained_whole.insert(name);
  }
}

/// Keys that mean nothing for this kind must be absent or neutral.
void refuse_foreign_keys(ObjectReader& reader, const std::string& kind, const std::string& base) {
  const auto neutral = [&](const char* key, const Json& neutral_value, const auto& words) {
    const Json& value = reader.raw(key);
    refuse_unless(reader, value.is_null() || value == neutral_value, key,
                  [&] { return words() + ", got " + shown(value); });
  };
  if (kind == "full") {
    const auto only_adapters = [] {
      return std::string("applies to adapters only, not to method.kind \"full\"");
    };
    for (const char* key : {"rank", "targets", "adapter_dtype"}) {
      neutral(key, Json(), only_adapters);
    }
    neutral("experts", "none", only_adapters);
    neutral("dropout", 0, only_adapters);
    neutral("fused_projections", "none", only_adapters);
    neutral("modules_to_save", Json::array(), only_adapters);
  }
  if (base != "nf4") {
    neutral("double_quant", true, [&] {
      return "applies to an nf4 base only, not to method.kind " + in_quotes(kind) + " on " + base;
    });
  }
  if (base != "nf4" && base != "int8") {
    const auto only = [&] {
      return "applies to an nf4 or int8 base only, not to method.kind " + in_quotes(kind) + " on " +
             base;
    };
    neutral("kbit_prep", false, only);
    neutral("quantize_experts", true, only);
  }
}

constexpr NameTable<BaseDtype, 5> kBases{{{BaseDtype::kBf16, "bf16"},
                                          {BaseDtype::kFp32, "fp32"},
                                          {BaseDtype::kFp16, "fp16"},
                                          {BaseDtype::kInt8, "int8"},
                                          {BaseDtype::kNf4, "nf4"}}};

/// The base's name; full fine-tuning has none and keeps kTrained.
std::string read_base(ObjectReader& reader, const std::string& kind, Job& job) {
  const bool fp16 = job.precision == Precision::kFp16;
  const std::string natural = kind == "qlora" ? "nf4" : fp16 && kind != "full" ? "fp16" : "bf16";
  const std::string base = reader.one_of_or("base", ids(kBases), natural);
  if (kind == "full") {
    refuse_unless(reader, base == "bf16", "base", [&] {
      return "method.kind \"full\" has no frozen base; `state` says how its weights are kept, "
             "got " +
             in_quotes(base);
    });
    return base;
  }
  job.base = value_of(kBases, base).value_or(BaseDtype::kBf16);
  refuse_unless(reader, kind != "qlora" || base == "nf4", "base",
                [&] { return "method.kind \"qlora\" has an nf4 base, got " + in_quotes(base); });
  refuse_unless(reader, kind != "lora" || base != "nf4", "base",
                [&] { return "an nf4 base needs method.kind \"qlora\", got " + in_quotes(kind); });
  return base;
}

std::string read_kind(ObjectReader& reader) {
  const Json& kind = reader.raw("kind");
  static const std::string kPreference =
      "training on preferences is not modelled yet, though frameworks document it: its pairs of "
      "answers, reference and reward models are not counted";
  static const std::map<std::string, std::string> refused = {
      {"pissa",
       "PiSSA starts a LoRA from the base's leading singular vectors: its memory in "
       "training is that of method.kind \"lora\" at the same rank; ask for that"},
      {"galore",
       "GaLore projects gradients per layer and is not modelled; the nearest are "
       "method.kind \"full\" with optimizer \"adamw-8bit\", or \"lora\""},
      {"dpo", kPreference},
      {"ipo", kPreference},
      {"kto", kPreference},
      {"orpo", kPreference},
      {"ppo", kPreference}};
  if (kind.is_string() && refused.contains(kind.get<std::string>())) {
    reader.fault("kind", refused.at(kind.get<std::string>()));
    return "";
  }
  return reader.one_of("kind", ids(kMethodKinds));
}

}  // namespace

void read_method_keys(ObjectReader reader, Job& job) {
  const std::string kind = read_kind(reader);
  if (kind.empty()) return;
  job.kind = value_of(kMethodKinds, kind).value_or(MethodKind::kQlora);
  const std::string base = read_base(reader, kind, job);
  refuse_foreign_keys(reader, kind, base);
  if (!job.full()) {
    read_adapter_keys(reader, job);
    read_modules_to_save(reader, job);
  }
  if (job.nf4()) job.double_quant = reader.flag_or("double_quant", true);
  if (job.quantised()) {
    job.kbit_prep = reader.flag_or("kbit_prep", false);
    job.quantize_experts = reader.flag_or("quantize_experts", true);
    refuse_unless(reader, job.quantize_experts || has_experts(*job.model), "quantize_experts",
                  "false needs routed experts; the model has none");
  }
  reader.done();
}

}  // namespace sizesheet
