// SPDX-License-Identifier: Apache-2.0
// The kernels of a request, read into a Job: recompute, attention, loss, operations, precision.

#include <algorithm>

#include "sizing/request/job_reader.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr NameTable<Recompute, 4> kRecomputes{{{Recompute::kNone, "none"},
                                               {Recompute::kSelective, "selective"},
                                               {Recompute::kFull, "full"},
                                               {Recompute::kSublayer, "sublayer"}}};
constexpr NameTable<AttentionKernel, 3> kAttentions{
    {{AttentionKernel::kFlash, "flash"},
     {AttentionKernel::kFlashRepeatKv, "flash-repeat-kv"},
     {AttentionKernel::kEager, "eager"}}};
constexpr NameTable<Precision, 3> kPrecisions{
    {{Precision::kBf16, "bf16"}, {Precision::kFp16, "fp16"}, {Precision::kFp8, "fp8"}}};

/// Why this model has nothing to recompute under a module's name; "" if it has.
std::string missing_module(const Architecture& model, const std::string& module) {
  const bool plain = std::ranges::any_of(
      model.runs, [](const BlockRun& run) { return run.block.mlp.has_value(); });
  if ((module == "moe" || module == "moe_act") && !has_experts(model))
    return "needs routed experts";
  if (module == "mlp" && !plain) return "needs a plain MLP";
  return "";
}

void read_recompute(ObjectReader& reader, Job& job) {
  const Json& value = reader.raw("recompute");
  if (!value.is_array()) {
    job.recompute = read_named_or(reader, "recompute", kRecomputes, Recompute::kNone);
    return;
  }
  const std::vector<std::string> known{"layernorm", "moe_act", "mlp", "moe", "core_attn"};
  for (const std::string& name : reader.texts("recompute")) {
    const bool fine = contains(known, name);
    refuse_unless(reader, fine, "recompute",
                  "expected module names, got " + in_quotes(name) + did_you_mean(name, known));
    const std::string missing = missing_module(*job.model, name);
    refuse_unless(reader, missing.empty(), "recompute",
                  in_quotes(name) + " " + missing + "; the model has none");
    job.recompute_modules.insert(name);
  }
  // Flash attention rebuilds its own core, so naming it recomputes nothing more.
  std::set<std::string> effective = job.recompute_modules;
  if (job.attention != AttentionKernel::kEager) effective.erase("core_attn");
  job.recompute = effective.empty() ? Recompute::kNone : Recompute::kModules;
}

/// What else runs or waits in fp8, where the matrix products do.
void read_fp8_keys(ObjectReader& reader, Job& job) {
  const auto fp8 = [&](const char* key) {
    const bool named = reader.one_of_or(key, {"bf16", "fp8"}, "bf16") == "fp8";
    refuse_unless(reader, !named || job.precision == Precision::kFp8, key,
                  "\"fp8\" needs kernels.precision \"fp8\"");
    return named;
  };
  job.fp8_attention = fp8("attention_precision");
  refuse_unless(reader, !job.fp8_attention || job.attention != AttentionKernel::kEager,
                "attention_precision",
                "\"fp8\" needs a flash kernel, and kernels.attention is \"eager\"");
  job.fp8_activation_input = fp8("activation_input");
  const bool gated = std::ranges::any_of(job.model->runs, [](const BlockRun& run) {
    return (run.block.mlp && run.block.mlp->gated) || (run.block.moe && run.block.moe->gated);
  });
  refuse_unless(reader, !job.fp8_activation_input || (gated && job.fused_ops), "activation_input",
                "\"fp8\" is of a gated MLP whose activation is fused; kernels.ops must be "
                "\"fused\" and the model gated");
}

}  // namespace

void read_kernels(std::optional<ObjectReader> reader, Job& job) {
  if (!reader) return;
  job.attention = read_named_or(*reader, "attention", kAttentions, AttentionKernel::kFlash);
  job.packed_qkv = reader->flag_or("packed_qkv", false);
  const bool plain = std::ranges::any_of(job.model->runs, [](const BlockRun& run) {
    return run.block.attention && !run.block.attention->latent;
  });
  refuse_unless(*reader, !job.packed_qkv || plain, "packed_qkv",
                "needs queries, keys and values of one projection; the model has none");
  read_recompute(*reader, job);
  job.recompute_layers = reader->integer_or("recompute_layers", 0, {0, 100000});
  refuse_unless(*reader, job.recompute_layers == 0 || job.recompute == Recompute::kFull,
                "recompute_layers",
                "says how many layers of a stage kernels.recompute \"full\" is for");
  std::vector<std::string> losses;
  for (const LossName& one : kLossNames) {
    if (!one.objective) losses.emplace_back(one.id);
  }
  losses.emplace_back(kFusedLinear);
  job.loss = reader->one_of_or("loss", losses, "hf");
  job.fused_ops = reader->one_of_or("ops", {"eager", "fused"}, "eager") == "fused";
  read_named_or(*reader, "precision", kPrecisions, Precision::kBf16);  // which job has already
  read_fp8_keys(*reader, job);
  job.activation_offload = reader->flag_or("activation_offload", false);
  reader->done();
}

void read_precision(ObjectReader& request, std::optional<ObjectReader>& kernels, const Gpu* gpu,
                    Job& job) {
  const Json named = kernels ? kernels->raw("precision") : Json();
  const Json method = request.raw("method").is_object() ? request.raw("method") : Json::object();
  const std::string base = method.value("base", Json()).is_string() ? method.at("base") : "";
  const bool fp16_only = gpu != nullptr && !gpu->bf16;
  // Loss scaling needs fp32 gradients: a recipe that trains in bf16 stays in bf16 and is warned of.
  const bool half_recipe = job.state.weight == 2 && job.state.master == 0;
  const bool choose_fp16 = base == "fp16" || (fp16_only && base != "bf16" && !half_recipe);
  const std::string precision = named.is_string() ? named.get<std::string>()
                                : choose_fp16     ? "fp16"
                                                  : "bf16";
  job.precision = value_of(kPrecisions, precision).value_or(Precision::kBf16);
  const auto refuse = [&](bool refused, const std::string& words) {
    if (!refused) return;
    const bool by_name = kernels && kernels->has("precision");
    by_name ? kernels->fault("precision", words) : request.fault("state", words);
  };
  refuse(precision == "fp16" && half_recipe,
         "fp16 trains under loss scaling, which needs fp32 weights or a master copy; state " +
             in_quotes(job.state.id) + " has neither");
  refuse(precision == "fp16" && base == "bf16",
         "fp16 compute on method.base \"bf16\" casts every weight twice; use base fp16");
  refuse(precision != "fp16" && base == "fp16",
         precision + " compute on method.base \"fp16\" casts every weight; use precision fp16");
  refuse(precision == "fp8" &&
             (base == "nf4" || base == "int8" || method.value("kind", Json()) == "qlora"),
         "fp8 needs weights it can cast; method.base is quantised");
  refuse(precision == "fp8" && gpu != nullptr && !gpu->fp8_dense_tflops,
         "fp8 is not known to run on gpu \"" + (gpu != nullptr ? gpu->id : "") + "\"");
  // Megatron's fp16 keeps fp16 gradients and, beside the master weights, fp32 copies of them.
  if (precision == "fp16" && starts_with(job.state.id, "megatron")) {
    job.state.gradient = 2;
    job.state.master = 8;
  }
}

std::string recompute_name(const Job& job) {
  return job.recompute == Recompute::kModules ? "modules" : id_of(kRecomputes, job.recompute);
}

Json recompute_json(const Job& job) {
  return job.recompute_modules.empty() ? Json(recompute_name(job)) : Json(job.recompute_modules);
}

}  // namespace sizesheet
