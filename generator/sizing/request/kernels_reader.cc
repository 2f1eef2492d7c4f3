// SPDX-License-Identifier: Apache-2.0
#include "sizing/request/kernels_reader.h"

#include <algorithm>

#include "catalog/facts/engine_constants.h"
#include "catalog/facts/gpu.h"
#include "catalog/models/architecture.h"
#include "sizing/job/job.h"
#include "sizing/memory/pieces.h"
#include "sizing/model/parameters.h"
#include "sizing/request/job_basis.h"
#include "sizing/request/objective_reader.h"
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

void read_recompute(ObjectReader& reader, const Architecture& model, KernelKeys& keys) {
  const Json& value = reader.raw("recompute");
  if (!value.is_array()) {
    keys.recompute = read_named_or(reader, "recompute", kRecomputes, Recompute::kNone);
    return;
  }
  const std::vector<std::string> known{"layernorm", "moe_act", "mlp", "moe", "core_attn"};
  for (const std::string& name : reader.texts("recompute")) {
    const bool fine = contains(known, name);
    refuse_unless(reader, fine, "recompute",
                  "expected module names, got " + in_quotes(name) + did_you_mean(name, known));
    const std::string missing = missing_module(model, name);
    refuse_unless(reader, missing.empty(), "recompute",
                  in_quotes(name) + " " + missing + "; the model has none");
    keys.recompute_modules.insert(name);
  }
  // Flash attention rebuilds its own core, so naming it recomputes nothing more.
  std::set<std::string> effective = keys.recompute_modules;
  if (keys.attention != AttentionKernel::kEager) effective.erase("core_attn");
  keys.recompute = effective.empty() ? Recompute::kNone : Recompute::kModules;
}

/// How products in fp8 scale their values, and the number format that this makes.
struct Fp8Recipe {
  std::string_view id;
  std::string_view format;
  double weight_copies = 0;  ///< bytes of a weight's copies
  double input = 0;          ///< bytes of a saved input
};

/// One scale for a tensor, or one for each block of it. Where products take fp8 in any layout, one
/// copy of a weight serves forward and backward; elsewhere backward needs its transpose as well.
std::array<Fp8Recipe, 5> fp8_recipes(const EngineConstants& constants, const Gpu* gpu) {
  const bool any_layout = gpu != nullptr && gpu->formats && gpu->formats->fp8_any_layout;
  const double tensor = any_layout ? 1 : 2;
  const double edge = constants.value("fp8.block");
  const double mxfp8 = scaled_bytes(1, 1, constants.value("mx.block"));
  const double nvfp4 = scaled_bytes(0.5, 1, constants.value("nvfp4.block"));
  return {{{"delayed", "fp8", tensor, 1},
           {"current", "fp8", tensor, 1},
           {"block", "fp8-block", 2 * scaled_bytes(1, 4, edge * edge), scaled_bytes(1, 4, edge)},
           {"mxfp8", "mxfp8", 2 * mxfp8, mxfp8},
           {"nvfp4", "nvfp4", 2 * nvfp4, nvfp4}}};
}

/// Why this card cannot run a recipe; "" if it can, or if no card is named. Recipes of one scale a
/// tensor run wherever fp8 does.
std::string why_no_recipe(const Fp8Recipe& recipe, const Gpu* gpu) {
  const std::string format(recipe.format);
  if (gpu == nullptr || format == "fp8" || gpu->has_format(format)) return "";
  const std::string needs = "needs products in " + format;
  if (!gpu->formats) {
    return needs + ", and the formats of gpu " + in_quotes(gpu->id) +
           " are not known (\"formats\" in catalog/gpus/" + gpu->id + ".json)";
  }
  const bool scaled_alike = format == "fp8-block" && gpu->has_format("mxfp8");
  return needs + (scaled_alike ? " (ask for \"mxfp8\")" : "") + ", and gpu " + in_quotes(gpu->id) +
         " has " + join(gpu->formats->products, ", ");
}

/// Without a recipe the engine's constants say what stands beside weights and is kept of inputs.
void read_fp8_recipe(ObjectReader& reader, const JobBasis& basis, const PrecisionKeys& stated,
                     const MethodKeys& method, KernelKeys& keys) {
  const EngineConstants& constants = basis.constants;
  const Gpu* gpu = basis.gpu;
  keys.fp8_copy_bytes = constants.value("fp8.weight_copy_bytes");
  keys.fp8_input_bytes = constants.value("fp8.saved_input_bytes");
  const auto recipes = fp8_recipes(constants, gpu);
  std::string recipe = "none";
  if (!reader.raw("fp8_recipe").is_null()) {
    std::vector<std::string> names = each_of(recipes, &Fp8Recipe::id);
    names.insert(names.begin(), "none");
    recipe = reader.one_of_or("fp8_recipe", names, "none");
  }
  keys.torchao_fp8 = reader.one_of_or("fp8_library", {"te", "torchao"}, "te") == "torchao";
  const auto applies = [&](const char* key, const std::string& value) {
    const std::string named = in_quotes(value);
    refuse_unless(reader, stated.precision == Precision::kFp8, key,
                  named + " needs kernels.precision \"fp8\"");
    refuse_unless(reader, method.base != BaseDtype::kFp8, key,
                  named +
                      " needs weights in 16 bits; for method.base \"fp8\", "
                      "method.transpose_cache says what is kept beside them");
  };
  if (recipe != "none") {
    applies("fp8_recipe", recipe);
    const auto& found = *std::ranges::find(recipes, recipe, &Fp8Recipe::id);
    const std::string fault = why_no_recipe(found, gpu);
    refuse_unless(reader, fault.empty(), "fp8_recipe", in_quotes(recipe) + " " + fault);
    keys.fp8_copy_bytes = found.weight_copies;
    keys.fp8_input_bytes = found.input;
  }
  if (!keys.torchao_fp8) return;
  applies("fp8_library", "torchao");
  refuse_unless(reader, recipe == "none" || recipe == "current", "fp8_recipe", [&] {
    return in_quotes(recipe) +
           " is not modelled for fp8_library \"torchao\", which scales by "
           "\"current\" ranges";
  });
  // It casts a weight whenever its layer runs, and saves inputs as they came.
  keys.fp8_copy_bytes = 0;
  keys.fp8_input_bytes = 2;
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
void read_fp8_keys(ObjectReader& reader, const Architecture& model, const PrecisionKeys& stated,
                   const MethodKeys& method, KernelKeys& keys) {
  const auto fp8 = [&](const char* key) {
    const bool named = reader.one_of_or(key, {"bf16", "fp8"}, "bf16") == "fp8";
    refuse_unless(reader, !named || stated.precision == Precision::kFp8, key,
                  "\"fp8\" needs kernels.precision \"fp8\"");
    return named;
  };
  keys.fp8_attention = fp8("attention_precision");
  refuse_unless(reader, !keys.fp8_attention || keys.attention != AttentionKernel::kEager,
                "attention_precision",
                "\"fp8\" needs a flash kernel, and kernels.attention is \"eager\"");
  keys.fp8_params = reader.flag_or("fp8_params", false);
  refuse_unless(reader,
                !keys.fp8_params || (stated.precision == Precision::kFp8 && !keys.torchao_fp8 &&
                                     method.full() && stated.state.master > 0),
                "fp8_params",
                "true needs method.kind \"full\", a state with master weights, and "
                "kernels.precision \"fp8\" by fp8_library \"te\"");
  keys.fp8_activation_input = fp8("activation_input");
  const bool gated = any_block(model, [](const Block& block) {
    return (block.mlp && block.mlp->gated) || (block.moe && block.moe->gated);
  });
  refuse_unless(reader, !keys.fp8_activation_input || (gated && keys.fused_ops), "activation_input",
                "\"fp8\" is of a gated MLP whose activation is fused; kernels.ops must be "
                "\"fused\" and the model gated");
}

}  // namespace

KernelKeys read_kernels(std::optional<ObjectReader> reader, const JobBasis& basis,
                        const PrecisionKeys& stated, const MethodKeys& method) {
  const Architecture& model = *basis.model;
  KernelKeys keys;
  if (basis.training) keys.loss = loss_of(*basis.training);
  if (!reader) return keys;
  keys.attention = read_named_or(*reader, "attention", kAttentions, AttentionKernel::kFlash);
  keys.packed_qkv = reader->flag_or("packed_qkv", false);
  const bool plain = any_block(
      model, [](const Block& block) { return block.attention && !block.attention->latent; });
  refuse_unless(*reader, !keys.packed_qkv || plain, "packed_qkv",
                "needs queries, keys and values of one projection; the model has none");
  read_recompute(*reader, model, keys);
  keys.recompute_layers = reader->integer_or("recompute_layers", 0, {0, 100000});
  refuse_unless(*reader, keys.recompute_layers == 0 || keys.recompute == Recompute::kFull,
                "recompute_layers",
                "says how many layers of a stage kernels.recompute \"full\" is for");
  const std::string loss = read_loss(*reader);
  if (!basis.training) keys.loss = loss;
  keys.fused_ops = reader->one_of_or("ops", {"eager", "fused"}, "eager") == "fused";
  const std::string experts = reader->one_of_or("experts", {"loop", "grouped", "grouped-fallback"},
                                                keys.fused_ops ? "grouped" : "loop");
  keys.looped_experts = experts != "grouped";
  keys.experts_together = experts != "loop";
  refuse_unless(*reader, !reader->has("experts") || has_experts(model), "experts",
                "needs routed experts; the model has none");
  read_named_or(*reader, "precision", kPrecisions, Precision::kBf16);  // which `stated` has already
  read_fp8_recipe(*reader, basis, stated, method, keys);
  read_fp8_keys(*reader, model, stated, method, keys);
  keys.activation_offload = reader->flag_or("activation_offload", false);
  reader->done();
  return keys;
}

PrecisionKeys read_precision(ObjectReader& request, std::optional<ObjectReader>& kernels,
                             const Gpu* gpu, const StateKeys& state) {
  PrecisionKeys keys{state};
  static const Json kNone;
  const Json& named = kernels ? kernels->raw("precision") : kNone;
  const auto stated = [&](const char* key) {
    const Json& value = request.within("method", key);
    return value.is_string() ? value.get<std::string>() : "";
  };
  const std::string base = stated("base");
  const bool fp16_only = gpu != nullptr && !gpu->bf16;
  // Loss scaling needs fp32 gradients: a recipe that trains in bf16 stays in bf16 and is warned of.
  const bool half_recipe = keys.state.weight == 2 && keys.state.master == 0;
  const bool choose_fp16 = base == "fp16" || (fp16_only && base != "bf16" && !half_recipe);
  const std::string precision = named.is_string() ? named.get<std::string>()
                                : choose_fp16     ? "fp16"
                                                  : "bf16";
  keys.precision = value_of(kPrecisions, precision).value_or(Precision::kBf16);
  const auto refuse = [&](const std::string& words) {
    const bool by_name = kernels && kernels->has("precision");
    by_name ? kernels->fault("precision", words) : request.fault("state", words);
  };
  if (precision == "fp16" && half_recipe) {
    refuse("fp16 trains under loss scaling, which needs fp32 weights or a master copy; state " +
           in_quotes(keys.state.id) + " has neither");
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
  if (precision == "fp8" && gpu != nullptr && !gpu->fp8_dense_tflops && !gpu->has_format("fp8")) {
    refuse("fp8 is not known to run on gpu \"" + gpu->id + "\"");
  }
  // Beside the master weights stand the fp32 copies of the gradients.
  if (precision == "fp16" && keys.state.fp16_gradient_copies) {
    keys.state.gradient = 2;
    keys.state.master = 8;
  }
  return keys;
}

std::string recompute_name(const KernelKeys& kernels) {
  return kernels.recompute == Recompute::kModules ? "modules"
                                                  : id_of(kRecomputes, kernels.recompute);
}

Json recompute_json(const KernelKeys& kernels) {
  return kernels.recompute_modules.empty() ? Json(recompute_name(kernels))
                                           : Json(kernels.recompute_modules);
}

}  // namespace sizesheet
