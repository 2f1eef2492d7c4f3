// SPDX-License-Identifier: Apache-2.0
#include "sizing/request/kernels_reader.h"

#include <algorithm>

#include "catalog/facts/engine_constants.h"
#include "catalog/facts/gpu.h"
#include "catalog/models/architecture.h"
#include "sizing/job/job.h"
#include "sizing/memory/pieces.h"
#include "sizing/model/parameters.h"
#include "sizing/request/question.h"
#include "support/error.h"
#include "support/json.h"
#include "support/named.h"
#include "support/text.h"
#include "support/trace.h"

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
  const bool plain = any_block(model, [](const Block& block) { return block.mlp.has_value(); });
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

/// How products in fp8 scale their values, and what stands beside a weight and is kept of an input.
struct Fp8Recipe {
  std::string_view id;
  double weight_copies = 0;  ///< bytes of a weight's copies
  double input = 0;          ///< bytes of a saved input
};

/// Blackwell's products take fp8 in any layout, so one copy of a weight serves forward and
/// backward; before, and in consumer cards, its transpose stands beside it.
bool takes_any_layout(const Gpu* gpu) {
  const double capability = gpu != nullptr ? gpu->compute_capability.value_or(0) : 0;
  return capability >= 10 && capability < 12;
}

/// One scale for a tensor, or one for each block of it.
std::array<Fp8Recipe, 5> fp8_recipes(const EngineConstants& constants, const Gpu* gpu) {
  const double tensor = takes_any_layout(gpu) ? 1 : 2;
  const double edge = constants.value("fp8.block");
  const double mxfp8 = scaled_bytes(1, 1, constants.value("mx.block"));
  const double nvfp4 = scaled_bytes(0.5, 1, constants.value("nvfp4.block"));
  return {{{"delayed", tensor, 1},
           {"current", tensor, 1},
           {"block", 2 * scaled_bytes(1, 4, edge * edge), scaled_bytes(1, 4, edge)},
           {"mxfp8", 2 * mxfp8, mxfp8},
           {"nvfp4", 2 * nvfp4, nvfp4}}};
}

/// Why this card cannot run a recipe; "" if it can, or if no card is named.
std::string why_no_recipe(const std::string& recipe, const Gpu* gpu) {
  if (gpu == nullptr) return "";
  const double capability = gpu->compute_capability.value_or(0);
  const std::string card = ", and gpu is " + in_quotes(gpu->id);
  if (recipe == "mxfp8" && !takes_any_layout(gpu)) {
    return "needs the products of Blackwell for data centers (compute capability 10)" + card;
  }
  if (recipe == "nvfp4" && capability < 10) {
    return "needs Blackwell (compute capability 10 or more)" + card;
  }
  if (recipe == "block" && capability >= 10) {
    return "scales by fp32, which Blackwell does not multiply by; ask for \"mxfp8\"" + card;
  }
  return "";
}

/// Without a recipe the engine's constants say what stands beside weights and is kept of inputs.
void read_fp8_recipe(ObjectReader& reader, const Gpu* gpu, Job& job) {
  const EngineConstants& constants = *job.constants;
  job.fp8_copy_bytes = constants.value("fp8.weight_copy_bytes");
  job.fp8_input_bytes = constants.value("fp8.saved_input_bytes");
  const auto recipes = fp8_recipes(constants, gpu);
  std::string recipe = "none";
  if (!reader.raw("fp8_recipe").is_null()) {
    std::vector<std::string> names = each_of(recipes, &Fp8Recipe::id);
    names.insert(names.begin(), "none");
    recipe = reader.one_of_or("fp8_recipe", names, "none");
  }
  job.torchao_fp8 = reader.one_of_or("fp8_library", {"te", "torchao"}, "te") == "torchao";
  const auto applies = [&](const char* key, const std::string& value) {
    const std::string named = in_quotes(value);
    refuse_unless(reader, job.precision == Precision::kFp8, key,
                  named + " needs kernels.precision \"fp8\"");
    refuse_unless(reader, job.base != BaseDtype::kFp8, key,
                  named +
                      " is of weights in 16 bits; what stands beside those of method.base "
                      "\"fp8\" is said in method.transpose_cache");
  };
  if (recipe != "none") {
    applies("fp8_recipe", recipe);
    const std::string fault = why_no_recipe(recipe, gpu);
    refuse_unless(reader, fault.empty(), "fp8_recipe", in_quotes(recipe) + " " + fault);
    const auto& found = *std::ranges::find(recipes, recipe, &Fp8Recipe::id);
    job.fp8_copy_bytes = found.weight_copies;
    job.fp8_input_bytes = found.input;
  }
  if (!job.torchao_fp8) return;
  applies("fp8_library", "torchao");
  refuse_unless(reader, recipe == "none" || recipe == "current", "fp8_recipe", [&] {
    return in_quotes(recipe) +
           " is not modelled for fp8_library \"torchao\", which scales by "
           "\"current\" ranges";
  });
  // It casts a weight whenever its layer runs, and saves inputs as they came.
  job.fp8_copy_bytes = 0;
  job.fp8_input_bytes = 2;
}

std::string read_loss(ObjectReader& reader) {
  static const std::vector<std::string> kLosses = [] {
    std::vector<std::string> losses;
    for (const LossName& one : kLossNames) {
      if (!one.objective) losses.emplace_back(one.id);
    }
    losses.emplace_back(kFusedLinear);
    return losses;
  }();
  return reader.one_of_or("loss", kLosses, "hf");
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
  job.fp8_params = reader.flag_or("fp8_params", false);
  refuse_unless(reader,
                !job.fp8_params || (job.precision == Precision::kFp8 && !job.torchao_fp8 &&
                                    job.full() && job.state.master > 0),
                "fp8_params",
                "true needs method.kind \"full\", a state with master weights, and "
                "kernels.precision \"fp8\" by fp8_library \"te\"");
  job.fp8_activation_input = fp8("activation_input");
  const bool gated = any_block(*job.model, [](const Block& block) {
    return (block.mlp && block.mlp->gated) || (block.moe && block.moe->gated);
  });
  refuse_unless(reader, !job.fp8_activation_input || (gated && job.fused_ops), "activation_input",
                "\"fp8\" is of a gated MLP whose activation is fused; kernels.ops must be "
                "\"fused\" and the model gated");
}

}  // namespace

void read_kernels(std::optional<ObjectReader> reader, const Gpu* gpu, Job& job) {
  if (!reader) return;
  job.attention = read_named_or(*reader, "attention", kAttentions, AttentionKernel::kFlash);
  job.packed_qkv = reader->flag_or("packed_qkv", false);
  const bool plain = any_block(
      *job.model, [](const Block& block) { return block.attention && !block.attention->latent; });
  refuse_unless(*reader, !job.packed_qkv || plain, "packed_qkv",
                "needs queries, keys and values of one projection; the model has none");
  read_recompute(*reader, job);
  job.recompute_layers = reader->integer_or("recompute_layers", 0, {0, 100000});
  refuse_unless(*reader, job.recompute_layers == 0 || job.recompute == Recompute::kFull,
                "recompute_layers",
                "says how many layers of a stage kernels.recompute \"full\" is for");
  job.loss = read_loss(*reader);
  job.fused_ops = reader->one_of_or("ops", {"eager", "fused"}, "eager") == "fused";
  const std::string experts = reader->one_of_or("experts", {"loop", "grouped", "grouped-fallback"},
                                                job.fused_ops ? "grouped" : "loop");
  job.looped_experts = experts != "grouped";
  job.experts_together = experts != "loop";
  refuse_unless(*reader, !reader->has("experts") || has_experts(*job.model), "experts",
                "needs routed experts; the model has none");
  read_named_or(*reader, "precision", kPrecisions, Precision::kBf16);  // which job has already
  read_fp8_recipe(*reader, gpu, job);
  read_fp8_keys(*reader, job);
  job.activation_offload = reader->flag_or("activation_offload", false);
  reader->done();
}

void read_precision(ObjectReader& request, std::optional<ObjectReader>& kernels, const Gpu* gpu,
                    Job& job) {
  static const Json kNone;
  const Json& named = kernels ? kernels->raw("precision") : kNone;
  const auto stated = [&](const char* key) {
    const Json& value = request.within("method", key);
    return value.is_string() ? value.get<std::string>() : "";
  };
  const std::string base = stated("base");
  const bool fp16_only = gpu != nullptr && !gpu->bf16;
  // Loss scaling needs fp32 gradients: a recipe that trains in bf16 stays in bf16 and is warned of.
  const bool half_recipe = job.state.weight == 2 && job.state.master == 0;
  const bool choose_fp16 = base == "fp16" || (fp16_only && base != "bf16" && !half_recipe);
  const std::string precision = named.is_string() ? named.get<std::string>()
                                : choose_fp16     ? "fp16"
                                                  : "bf16";
  job.precision = value_of(kPrecisions, precision).value_or(Precision::kBf16);
  const auto refuse = [&](const std::string& words) {
    const bool by_name = kernels && kernels->has("precision");
    by_name ? kernels->fault("precision", words) : request.fault("state", words);
  };
  if (precision == "fp16" && half_recipe) {
    refuse("fp16 trains under loss scaling, which needs fp32 weights or a master copy; state " +
           in_quotes(job.state.id) + " has neither");
  }
  if (precision == "fp16" && base == "bf16") {
    refuse("fp16 compute on method.base \"bf16\" casts every weight twice; use base fp16");
  }
  if (precision != "fp16" && base == "fp16") {
    refuse(precision + " compute on method.base \"fp16\" casts every weight; use precision fp16");
  }
  if (precision == "fp8" &&
      (contains({"nf4", "int8", "mxfp4", "nvfp4"}, base) || stated("kind") == "qlora")) {
    refuse("fp8 needs weights it can cast; method.base is quantised");
  }
  if (precision == "fp8" && gpu != nullptr && !gpu->fp8_dense_tflops) {
    refuse("fp8 is not known to run on gpu \"" + gpu->id + "\"");
  }
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
