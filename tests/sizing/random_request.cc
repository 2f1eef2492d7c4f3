// SPDX-License-Identifier: Apache-2.0
#include "sizing/random_request.h"

#include <algorithm>
#include <iterator>

#include "catalog/catalog.h"
#include "catalog/facts/engine_constants.h"
#include "catalog/models/architecture.h"
#include "sizing/model/parameters.h"
#include "support/json.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

bool has_plain_mlp(const Architecture& model) {
  return std::any_of(model.runs.begin(), model.runs.end(),
                     [](const BlockRun& run) { return run.block.mlp.has_value(); });
}

std::vector<Json> losses() {
  std::vector<Json> names{std::string(kFusedLinear)};
  for (const LossName& one : kLossNames) {
    if (!one.objective) names.emplace_back(std::string(one.id));
  }
  return names;
}

}  // namespace

RandomRequests::RandomRequests(const Catalog& catalog, std::uint64_t seed)
    : catalog_(catalog), engine_(seed) {}

Json RandomRequests::adapters(const std::string& kind, const Architecture& model) {
  Json method = {{"kind", kind},
                 {"rank", any({4, 16, 64})},
                 {"targets", any({"all-linear", "attention", "qv"})},
                 {"adapter_dtype", any({"bf16", "fp32-autocast", "fp32"})},
                 {"dropout", any({0, 0, 0.05})},
                 {"fused_projections", any({"none", "checkpoint", "megatron"})}};
  if (has_experts(model)) method["experts"] = any({"none", "shared", "per-expert"});
  if (one_in(4)) {
    method["modules_to_save"] = any({Json{"lm_head"}, Json{"embed_tokens", "norm"}, Json{"norm"}});
  }
  return method;
}

Json RandomRequests::method(const Architecture& model, const std::string& precision) {
  const bool quantised = precision == "bf16" && one_in(3);
  const std::string kind = quantised ? "qlora" : any({"full", "full", "lora", "dora"});
  if (kind == "full") return {{"kind", kind}};
  Json method = adapters(kind, model);
  if (kind == "qlora") {
    method["double_quant"] = one_in(2);
  } else {
    method["base"] = precision == "fp16"  ? "fp16"
                     : precision == "fp8" ? any({"bf16", "fp32", "fp8"})
                                          : any({"bf16", "bf16", "fp32", "int8", "mxfp4", "nvfp4"});
  }
  if (method.value("base", "") == "bf16" && precision == "bf16" && !has_experts(model)) {
    method["qat"] = any({"none", "none", "int4", "int8-int4"});
  }
  if (method.value("base", "") == "fp8") method["transpose_cache"] = one_in(2);
  if (kind == "qlora" || method["base"] == "int8") {
    method["kbit_prep"] = one_in(2);
    if (model.runs.front().block.mlp)
      method["skip_modules"] = any({Json::array(), {"layers.0.mlp"}});
    if (has_experts(model)) method["quantize_experts"] = one_in(2);
  }
  return method;
}

Json RandomRequests::kernels(const Architecture& model, const std::string& precision) {
  Json modules = Json::array({"layernorm"});
  if (has_experts(model)) modules.push_back(any({"moe", "moe_act"}));
  if (has_plain_mlp(model) && one_in(2)) modules.push_back("mlp");
  if (one_in(2)) modules.push_back("core_attn");
  Json kernels = {{"recompute", any({"none", "selective", "full", "full", modules})},
                  {"attention", any({"flash", "flash", "flash-repeat-kv", "eager"})},
                  {"loss", any(losses())},
                  {"ops", any({"eager", "fused"})},
                  {"precision", precision},
                  {"activation_offload", one_in(4)}};
  if (kernels["recompute"] == "full") kernels["recompute_layers"] = any({0, 0, 5});
  if (precision == "fp8" && kernels["attention"] != "eager") {
    kernels["attention_precision"] = any({"bf16", "fp8"});
  }
  return kernels;
}

Json RandomRequests::workload(bool flash) {
  Json workload = {{"seq_len", any({512, 1024, 2048, 4096, 8192})},
                   {"micro_batch", any({1, 1, 2, 4})},
                   {"grad_accum", any({1, 2, 4, 8})}};
  if (!one_in(3)) {
    workload["packed"] = one_in(2);
    return workload;
  }
  workload["mean_length"] = any({60, 350, 512});
  workload["batching"] = any({"packed", "padded", "grouped", flash ? "padding-free" : "fixed"});
  const bool fixed = workload["batching"] == "fixed";
  if (!fixed && (workload["batching"] == "packed" || one_in(2))) {
    workload["length_cv"] = any({0, 0.5, 1.1});
  }
  return workload;
}

Json RandomRequests::layout(const Architecture& model) {
  Json layout = {{"dp", any({1, 2, 3, 4, 8})},
                 {"tp", any({1, 1, 2, 4})},
                 {"pp", any({1, 1, 1, 2, 4})},
                 {"cp", any({1, 1, 1, 2})},
                 {"shard", any({"none", "zero1", "zero2", "zero3", "ddp", "fsdp"})},
                 {"reduce_dtype", any({"bf16", "fp32"})},
                 {"bucket_elements", any({0, 0, 500000000})},
                 {"allocator", any({"default", "expandable"})}};
  if (has_experts(model)) {
    layout["ep"] = any({1, 2, 4});
    layout["etp"] = any({1, 1, 2});
    layout["expert_imbalance"] = any({1, 1.5});
  }
  if (layout["pp"] > 1 && one_in(3)) layout["vpp"] = 2;
  if (layout["tp"] > 1 && one_in(3)) layout["sequence_parallel"] = false;
  const bool whole = layout["shard"] == "zero3" || layout["shard"] == "fsdp";
  if (whole) {
    layout["root_unsharded"] = any({true, false, 0, 1, 2});
    layout["gather_units"] = any({1, 2, 2.5});
    layout["fsdp_version"] = any({1, 1, 2});
    layout["sync_each_batch"] = any({true, true, false});
  }
  const bool alone = layout["shard"] == "none" || layout["shard"] == "ddp";
  if (layout["dp"] > 2 && !alone && one_in(4)) layout["shard_group"] = 2;
  if (one_in(4)) layout["offload"] = whole ? any({"optimizer", "params", "all"}) : "optimizer";
  return layout;
}

void RandomRequests::add_fp8(Json& request) {
  Json& kernels = request["kernels"];
  if (kernels["precision"] != "fp8" || request["method"].value("base", "") == "fp8") return;
  const std::string gpu = request.value("gpu", "h100-sxm");
  kernels["fp8_library"] = any({"te", "te", "torchao"});
  kernels["fp8_recipe"] = kernels["fp8_library"] == "torchao" ? any({"none", "current"})
                          : gpu == "b200"                     ? any({"delayed", "mxfp8", "nvfp4"})
                          : gpu == "h100-sxm" ? any({"none", "delayed", "current", "block"})
                                              : any({"none", "delayed", "current"});
}

void RandomRequests::add_optimizer(Json& request) {
  request["optimizer"] =
      any({"adamw", "adamw", "paged-adamw", "adamw-8bit", "paged-adamw-8bit", "adafactor", "lion",
           "lion-8bit", "sgd", "sgd-momentum", "adam-mini", "muon"});
  if (request["optimizer"] == "adamw") request["optimizer_foreach"] = one_in(3);
  request["ema"] = any({"none", "none", "bf16", "fp32"});
  const bool offloaded =
      request.contains("layout") && request["layout"].value("offload", "none") != "none";
  const bool foreach = request.value("optimizer_foreach", false);
  if (request["workload"]["grad_accum"] == 1 && !offloaded && !foreach) {
    request["optimizer_in_backward"] = one_in(2);
  }
}

void RandomRequests::add_objective(Json& request) {
  const Json kind = any({"dpo", "ipo", "kto", "orpo", "simpo", "cpo", "reward", "distillation"});
  Json objective = {{"kind", kind}};
  Json& workload = request["workload"];
  request["kernels"].erase("loss");
  if (kind == "distillation") {
    objective["teacher"] = request["model"];
    objective["beta"] = any({0, 0.5});
  } else {
    if (workload.contains("packed")) workload["packed"] = false;
    if (workload.value("batching", "") == "packed") workload["batching"] = "padded";
    if (workload.value("batching", "") == "padding-free") workload["batching"] = "grouped";
  }
  if (kind == "kto" && workload["micro_batch"] == 1) workload["micro_batch"] = 2;
  if (kind == "dpo" || kind == "ipo" || kind == "kto") {
    objective["reference"] = any({"copy", "precomputed"});
  } else if (kind != "reward") {
    objective["loss"] = any({"trl", "liger"});
  }
  request["objective"] = objective;
}

void RandomRequests::add_grpo(const Architecture& model, Json& request) {
  constexpr std::int64_t kStarts = 3'000'000'000;
  if (!one_in(4) || count_parameters(model).total() > kStarts || !request.contains("gpu")) return;
  Json grpo = {{"algorithm", any({"grpo", "rloo", "dapo", "ppo"})},
               {"memory_fraction", 0.9},
               {"generation", "server"},
               {"generation_gpus", any({1, 2, 8})},
               {"max_concurrent", any({8, 64})},
               {"prompt_length", 128},
               {"completion_length", 256},
               {"eager_generation", one_in(2)},
               {"reference", any({"none", "copy"})},
               {"reward_model", any({"none", "function", "qwen2.5-0.5b"})}};
  const bool ppo = grpo["algorithm"] == "ppo";
  if (ppo) grpo["value_model"] = any({"none", "copy", "qwen2.5-0.5b"});
  if (grpo["reference"] == "copy") grpo["reference_offload"] = one_in(2);
  if (grpo["reward_model"] == "qwen2.5-0.5b") grpo["reward_gpus"] = any({0, 2});
  Json& workload = request["workload"];
  for (const char* key : {"mean_length", "batching", "length_cv"}) workload.erase(key);
  if (workload["grad_accum"] == 1 && !request.value("optimizer_in_backward", false) &&
      !(request.contains("layout") && request["layout"].contains("vpp")) && one_in(2)) {
    grpo["prompts_per_step"] = any({4, 64});
    grpo["optimizer_steps"] = any({1, 4});
    grpo["epochs"] = any({1, 2});
    grpo["prompt_mean"] = any({100, 128});
    grpo["completion_mean"] = any({50, 200});
    grpo["completion_cv"] = any({0, 0.7, 2});
    grpo["steps_off_policy"] = any({0, 1, 3});
    if (grpo["algorithm"] == "dapo") grpo["kept_groups"] = any({1, 0.4});
  }
  request["grpo"] = grpo;
}

Json RandomRequests::next(bool searched) {
  const auto entry = std::next(catalog_.models.begin(),
                               static_cast<std::ptrdiff_t>(below(catalog_.models.size())));
  const Architecture& model = entry->second.architecture;
  const std::string precision = any({"bf16", "bf16", "bf16", "fp16", "fp8"});
  Json request = {
      {"model", entry->first},
      {"method", method(model, precision)},
      {"state", precision == "fp16"
                    ? any({"hf-amp", "megatron", "deepspeed", "peft-fp32"})
                    : any({"hf-amp", "pure-bf16", "bf16-fp32-moments", "fsdp-mixed", "megatron",
                           "megatron-bf16-grads", "deepspeed", "peft-fp32"})},
      {"kernels", kernels(model, precision)},
      {"headroom", any({0, 0.1, 0.25})}};
  request["workload"] = workload(request["kernels"]["attention"] != "eager");
  if (!searched) request["layout"] = layout(model);
  if (searched || !one_in(5)) {
    request["gpu"] = precision == "fp8" ? any({"h100-sxm", "b200", "l40s", "mi300x"})
                                        : any({"h100-sxm", "h200-sxm", "a100-80-sxm", "b200",
                                               "l40s", "rtx-4090", "gb10", "gb200", "mi300x"});
  }
  add_fp8(request);
  add_optimizer(request);
  if (request["state"] == "deepspeed" && request.contains("layout")) {
    request["layout"].erase("fsdp_version");
    request["layout"].erase("sync_each_batch");
  }
  if (one_in(4)) {
    add_objective(request);
  } else {
    add_grpo(model, request);
  }
  if (request["workload"].value("packed", false)) request["workload"]["sample_length"] = 500;
  add_images(model, request);
  const bool supervised =
      !request.contains("grpo") && at_dotted(request, "objective.kind").is_null();
  if (model.further_predictions > 0 && supervised) request["mtp"] = any({"dropped", "kept"});
  return request;
}

void RandomRequests::add_images(const Architecture& model, Json& request) {
  const bool split = request.contains("layout") && request["layout"]["cp"] != 1;
  if (!model.tower || split || request.contains("grpo") || one_in(3)) return;
  if (const Json& objective = at_dotted(request, "objective.kind"); !objective.is_null()) return;
  Json& workload = request["workload"];
  workload["images"] = any({0.5, 1, 2});
  if (model.tower->image_size == 0) {
    workload["image_height"] = any({100, 224});
    workload["image_width"] = any({224, 400});
  }
  request["method"]["vision"] = any({"frozen", "projector", "trained"});
}

void leave_to_stack(Json& request, std::size_t number) {
  for (const char* key :
       {"state", "kernels", "optimizer", "optimizer_foreach", "ema", "optimizer_in_backward"}) {
    request.erase(key);
  }
  const auto& stacks = project_catalog().stacks;
  request["stack"] =
      std::next(stacks.begin(), static_cast<std::ptrdiff_t>(number % stacks.size()))->first;
  request["method"] = Json{{"kind", request["method"]["kind"]}};
}

}  // namespace sizesheet
