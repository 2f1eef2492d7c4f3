// SPDX-License-Identifier: Apache-2.0
#include "sizing/job_reader.h"

#include <map>

#include "sizing/layout_rules.h"
#include "support/text.h"

namespace sizesheet {
namespace {

template <typename T>
std::vector<std::string> keys_of(const std::map<std::string, T>& map) {
  std::vector<std::string> keys;
  for (const auto& [key, unused] : map) keys.push_back(key);
  return keys;
}

void refuse_unless(ObjectReader& reader, bool fine, const std::string& key,
                   const std::string& words) {
  if (!fine) reader.fault(key, words);
}

void read_targets(ObjectReader& reader, Job& job) {
  const Json& targets = reader.raw("targets");
  const auto names = projection_names(*job.model);
  if (targets.is_null() || targets.is_string()) {
    const std::string preset = targets.is_null() ? "all-linear" : targets.get<std::string>();
    job.adapters.targets = preset_targets(*job.model, preset);
    const std::vector<std::string> presets{"all-linear", "attention", "qv"};
    refuse_unless(reader, !job.adapters.targets.empty(), "targets",
                  "expected all-linear, attention, qv or a list of projections, got " +
                      shown(targets) + did_you_mean(preset, presets));
    return;
  }
  const std::vector<std::string> known(names.begin(), names.end());
  for (const std::string& name : reader.texts("targets")) {
    if (name == "lm_head" || name == "embed_tokens") {
      reader.fault("targets", "adapters on " + name + " are not modelled yet");
    } else if (name == "out_proj" || name == "conv1d") {
      reader.fault("targets", "the fused Mamba kernel never calls an adapter on " + name);
    } else if (!names.contains(name)) {
      reader.fault("targets",
                   "the model has no projection \"" + name + "\"" + did_you_mean(name, known));
    } else {
      job.adapters.targets.insert(name);
    }
  }
  refuse_unless(reader, !job.adapters.targets.empty(), "targets",
                "expected at least one projection of the model");
}

void read_adapter_keys(ObjectReader& reader, Job& job) {
  job.adapters.rank = reader.integer("rank", {1, 65536});
  read_targets(reader, job);
  const std::string experts = reader.one_of_or("experts", {"none", "shared", "per-expert"}, "none");
  bool moe = false;
  for (const BlockRun& run : job.model->runs) moe = moe || run.block.moe.has_value();
  refuse_unless(reader, moe || experts == "none", "experts",
                "\"" + experts + "\" needs routed experts; the model has none");
  job.adapters.experts = experts;
  const std::string dtype =
      reader.one_of_or("adapter_dtype", {"bf16", "fp32-autocast", "fp32"}, "bf16");
  job.adapter_dtype = dtype == "bf16"   ? AdapterDtype::kBf16
                      : dtype == "fp32" ? AdapterDtype::kFp32
                                        : AdapterDtype::kFp32Autocast;
  job.dropout = reader.number_or("dropout", 0, {0, 1});
  job.adapters.fused =
      reader.one_of_or("fused_projections", {"none", "checkpoint", "megatron"}, "none");
}

/// Keys that mean nothing for this kind must be absent or neutral.
void refuse_foreign_keys(ObjectReader& reader, const std::string& kind) {
  const auto neutral = [&](const char* key, const Json& neutral_value, const std::string& words) {
    const Json& value = reader.raw(key);
    refuse_unless(reader, value.is_null() || value == neutral_value, key,
                  words + ", got " + shown(value));
  };
  const std::string only_adapters = "applies to adapters only, not to method.kind \"full\"";
  if (kind == "full") {
    for (const char* key : {"rank", "targets", "adapter_dtype"}) {
      neutral(key, Json(), only_adapters);
    }
    neutral("experts", "none", only_adapters);
    neutral("dropout", 0, only_adapters);
    neutral("fused_projections", "none", only_adapters);
  }
  if (kind != "qlora") {
    const std::string only_nf4 = "applies to an nf4 base only, not to method.kind \"" + kind + "\"";
    neutral("double_quant", true, only_nf4);
    neutral("kbit_prep", false, only_nf4);
    neutral("quantize_experts", true, only_nf4);
  }
  const Json& saved = reader.raw("modules_to_save");
  refuse_unless(reader, saved.is_null() || saved == Json::array(), "modules_to_save",
                "modules trained in full beside the adapters are not modelled yet");
}

void read_base(ObjectReader& reader, const std::string& kind) {
  const std::string natural = kind == "qlora" ? "nf4" : "bf16";
  const std::string base =
      reader.one_of_or("base", {"bf16", "fp32", "fp16", "int8", "nf4"}, natural);
  if (kind == "qlora") {
    refuse_unless(reader, base == "nf4", "base",
                  "method.kind \"qlora\" has an nf4 base, got \"" + base + "\"");
  } else if (base == "nf4") {
    reader.fault("base", "an nf4 base needs method.kind \"qlora\", got \"" + kind + "\"");
  } else {
    refuse_unless(reader, base == "bf16", "base",
                  "a frozen base in " + base + " is not modelled yet; use bf16");
  }
}

void read_method_keys(ObjectReader reader, Job& job) {
  const std::string kind = reader.one_of("kind", {"full", "lora", "dora", "qlora"});
  if (kind == "dora") {
    reader.fault("kind", "DoRA's memory is not modelled yet; lora is the nearest kind");
    return;
  }
  job.kind = kind == "full"   ? MethodKind::kFull
             : kind == "lora" ? MethodKind::kLora
                              : MethodKind::kQlora;
  read_base(reader, kind);
  refuse_foreign_keys(reader, kind);
  if (!job.full()) read_adapter_keys(reader, job);
  if (job.nf4()) {
    job.double_quant = reader.flag_or("double_quant", true);
    job.kbit_prep = reader.flag_or("kbit_prep", false);
    reader.flag_or("quantize_experts", true);  // without experts there is nothing to skip
  }
  reader.done();
}

void read_state(ObjectReader& request, const EngineConstants& constants, Job& job) {
  const Json& state = request.raw("state");
  if (!state.is_object()) {
    const std::string name = request.one_of_or("state", keys_of(constants.recipes), "hf-amp");
    if (constants.recipes.contains(name)) job.state = constants.recipes.at(name);
    return;
  }
  ObjectReader reader = request.object("state");
  job.state = StateRecipe{};
  job.state.id = "custom";
  job.state.weight = reader.number("weight", {0, 16});
  job.state.gradient = reader.number("gradient", {0, 16});
  job.state.master = reader.number("master", {0, 16});
  const double moments = reader.number("moments", {0, 32});
  job.state.lazy = reader.flag_or("lazy", true);
  reader.done();
  refuse_unless(request, job.optimizer.id == "adamw", "state",
                "\"moments\" counts AdamW's two moments; with optimizer \"" + job.optimizer.id +
                    "\" name a recipe instead");
  job.optimizer.matrix = job.optimizer.embedding = job.optimizer.vector = moments;
}

void read_optimizer(ObjectReader& request, const EngineConstants& constants, Job& job) {
  const std::string name = request.one_of_or("optimizer", keys_of(constants.optimizers), "adamw");
  if (constants.optimizers.contains(name)) job.optimizer = constants.optimizers.at(name);
  job.paged_optimizer = starts_with(name, "paged-");
  job.optimizer_foreach = request.flag_or("optimizer_foreach", false);
  refuse_unless(request, !job.optimizer_foreach || name == "adamw", "optimizer_foreach",
                "true needs optimizer \"adamw\", got \"" + name + "\"");
}

void read_recompute(ObjectReader& reader, Job& job) {
  const Json& value = reader.raw("recompute");
  if (!value.is_array()) {
    const std::string mode = reader.one_of_or("recompute", {"none", "selective", "full"}, "none");
    job.recompute = mode == "none"        ? Recompute::kNone
                    : mode == "selective" ? Recompute::kSelective
                                          : Recompute::kFull;
    return;
  }
  job.recompute = Recompute::kModules;
  const std::vector<std::string> known{"layernorm", "moe_act", "mlp", "moe", "core_attn"};
  for (const std::string& name : reader.texts("recompute")) {
    if (name == "moe" || name == "moe_act") {
      reader.fault("recompute",
                   "\"" + name + "\" needs routed experts, whose memory is not modelled yet");
    } else if (name != "layernorm" && name != "mlp" && name != "core_attn") {
      reader.fault("recompute",
                   "expected module names, got \"" + name + "\"" + did_you_mean(name, known));
    }
    job.recompute_modules.insert(name);
  }
  // Flash attention rebuilds its own core, so this module list recomputes nothing.
  if (job.recompute_modules == std::set<std::string>{"core_attn"}) job.recompute = Recompute::kNone;
}

void read_kernels(std::optional<ObjectReader> reader, Job& job) {
  if (!reader) return;
  read_recompute(*reader, job);
  const std::string attention =
      reader->one_of_or("attention", {"flash", "flash-repeat-kv", "eager"}, "flash");
  job.attention = attention == "flash"   ? AttentionKernel::kFlash
                  : attention == "eager" ? AttentionKernel::kEager
                                         : AttentionKernel::kFlashRepeatKv;
  refuse_unless(
      *reader,
      job.attention != AttentionKernel::kEager || !job.recompute_modules.contains("core_attn"),
      "recompute", "core_attn with kernels.attention \"eager\" is not modelled yet");
  job.loss = reader->one_of_or(
      "loss",
      {"hf", "hf-amp", "legacy", "bf16", "flash-ce", "vocab-parallel", "chunked", "fused-linear"},
      "hf");
  job.fused_ops = reader->one_of_or("ops", {"eager", "fused"}, "eager") == "fused";
  const std::string precision = reader->one_of_or("precision", {"bf16", "fp16", "fp8"}, "bf16");
  refuse_unless(*reader, precision == "bf16", "precision",
                precision + " compute is not modelled yet; use bf16");
  reader->done();
}

void read_workload(std::optional<ObjectReader> reader, Job& job) {
  if (!reader) return;
  job.seq_len = reader->integer_or("seq_len", 4096, {1, 100000000});
  job.micro_batch = reader->integer_or("micro_batch", 1, {1, 1000000});
  job.grad_accum = reader->integer_or("grad_accum", 1, {1, 1000000});
  if (const auto tokens = reader->optional_integer("tokens", {1, 1LL << 53})) {
    job.tokens = static_cast<double>(*tokens);
  }
  const auto examples = reader->optional_integer("examples", {1, 1LL << 53});
  const auto length = reader->optional_number("mean_length", {1e-9, 1e9});
  const auto epochs = reader->optional_number("epochs", {1e-9, 1e6});
  if (examples || length || epochs) {
    refuse_unless(*reader, !job.tokens, "examples", "give either tokens or examples, not both");
    refuse_unless(*reader, examples && length, "examples",
                  "examples, mean_length and epochs go together");
    if (examples && length) {
      job.tokens = static_cast<double>(*examples) * *length * epochs.value_or(1);
    }
  }
  job.packed = reader->flag_or("packed", true);
  reader->done();
}

std::optional<Shard> read_shard(ObjectReader& reader, Layout& layout, std::int64_t gpus_per_node) {
  if (!reader.has("shard")) return std::nullopt;
  const std::string name =
      reader.one_of("shard", {"none", "zero1", "zero2", "zero3", "ddp", "fsdp", "hsdp"});
  if (name == "hsdp" && layout.shard_group == 0) layout.shard_group = gpus_per_node;
  if (name == "zero1") return Shard::kZero1;
  if (name == "zero2") return Shard::kZero2;
  return name == "none" || name == "ddp" ? Shard::kNone : Shard::kZero3;
}

std::int64_t read_root_gathered(ObjectReader& reader) {
  const Json& value = reader.raw("root_unsharded");
  if (value.is_null() || value == true) return 2;
  if (value == false) return 0;
  return reader.integer("root_unsharded", {0, 2});
}

std::int64_t experts_of(const Architecture& model) {
  for (const BlockRun& run : model.runs) {
    if (run.block.moe) return run.block.moe->experts;
  }
  return 0;
}

/// Parallel dimensions the engine does not model yet must be 1.
void refuse_other_dimensions(ObjectReader& reader, const Architecture& model) {
  const std::int64_t experts = experts_of(model);
  const std::int64_t ep = reader.optional_integer("ep", {1, 100000}).value_or(1);
  if (experts > 0 && experts % ep != 0) {
    reader.fault("ep", std::to_string(experts) + " experts are not divisible by " +
                           std::to_string(ep) + " " + nearest_divisors(experts, ep));
    return;
  }
  const std::vector<std::pair<const char*, const char*>> dimensions{
      {"pp", "pipeline parallelism"},
      {"cp", "context parallelism"},
      {"ep", "expert parallelism"},
      {"etp", "expert tensor parallelism"},
      {"vpp", "interleaved pipelining"}};
  for (const auto& [key, words] : dimensions) {
    const std::int64_t ranks = reader.integer_or(key, 1, {1, 100000});
    refuse_unless(
        reader, ranks == 1, key,
        std::string(words) + " is not modelled yet; expected 1, got " + std::to_string(ranks));
  }
  const double imbalance = reader.number_or("expert_imbalance", 1, {1, 1000});
  refuse_unless(reader, imbalance == 1, "expert_imbalance",
                "needs routed experts, whose memory is not modelled yet");
}

void read_offload(ObjectReader& reader, Layout& layout) {
  const std::string offload =
      reader.one_of_or("offload", {"none", "optimizer", "params", "all"}, "none");
  layout.offload_optimizer = offload == "optimizer" || offload == "all";
  layout.offload_params = offload == "params" || offload == "all";
}

LayoutPins read_layout(std::optional<ObjectReader> reader, std::int64_t gpus_per_node, Job& job) {
  LayoutPins pins;
  if (!reader) return pins;
  Layout& layout = job.layout;
  pins.gpus = reader->optional_integer("gpus", {1, 1000000});
  pins.dp = reader->optional_integer("dp", {1, 1000000});
  pins.tp = reader->optional_integer("tp", {1, 1000000});
  refuse_other_dimensions(*reader, *job.model);
  layout.sequence_parallel = reader->flag_or("sequence_parallel", true);
  layout.shard_group = reader->integer_or("shard_group", 0, {0, 1000000});
  pins.shard = read_shard(*reader, layout, gpus_per_node);
  layout.root_gathered = read_root_gathered(*reader);
  layout.reduce_fp32 = reader->one_of_or("reduce_dtype", {"bf16", "fp32"}, "bf16") == "fp32";
  layout.gather_units = reader->number_or("gather_units", 2, {0, 1000});
  layout.bucket_elements = reader->number_or("bucket_elements", 0, {0, 1e15});
  read_offload(*reader, layout);
  layout.expandable_segments =
      reader->one_of_or("allocator", {"default", "expandable"}, "default") == "expandable";
  reader->done();
  return pins;
}

/// Allocator shares follow the allocator and the packing unless the request states them.
void read_overheads(std::optional<ObjectReader> reader, const EngineConstants& constants,
                    Job& job) {
  Overheads& over = job.overheads;
  over.context_gib = constants.value("overhead.context_gib");
  over.communicator_gib = constants.value("overhead.communicator_gib");
  over.library_bytes = constants.value("overhead.library_bytes");
  const bool expandable = job.layout.expandable_segments;
  over.dynamic_share = constants.value(expandable   ? "allocator.expandable_dynamic_share"
                                       : job.packed ? "overhead.dynamic_share"
                                                    : "allocator.varying_dynamic_share");
  over.static_share =
      constants.value(expandable ? "allocator.expandable_static_share" : "overhead.static_share");
  if (!reader) return;
  over.context_gib = reader->number_or("context_gib", over.context_gib, {0, 1000});
  over.communicator_gib = reader->number_or("communicator_gib", over.communicator_gib, {0, 1000});
  over.all_to_all_gib = reader->number_or("all_to_all_gib", 0, {0, 1000});
  refuse_unless(*reader, over.all_to_all_gib == 0, "all_to_all_gib",
                "needs expert parallelism, which is not modelled yet");
  over.library_bytes = reader->number_or("library_bytes", over.library_bytes, {0, 1e15});
  over.other_processes_gib = reader->number_or("other_processes_gib", 0, {0, 100000});
  over.dynamic_share = reader->number_or("dynamic_share", over.dynamic_share, {0, 10});
  over.static_share = reader->number_or("static_share", over.static_share, {0, 10});
  reader->done();
}

}  // namespace

const char* name_of(Shard shard) {
  constexpr const char* kNames[] = {"none", "zero1", "zero2", "zero3"};
  return kNames[static_cast<int>(shard)];
}

const char* offload_name(const Layout& layout) {
  if (layout.offload_optimizer && layout.offload_params) return "all";
  if (layout.offload_optimizer) return "optimizer";
  return layout.offload_params ? "params" : "none";
}

const char* recompute_name(const Job& job) {
  constexpr const char* kNames[] = {"none", "selective", "full", "modules"};
  return kNames[static_cast<int>(job.recompute)];
}

ReadJob read_job(ObjectReader& request, std::shared_ptr<const Architecture> model,
                 const EngineConstants& constants, std::int64_t gpus_per_node) {
  ReadJob read;
  Job& job = read.job;
  job.model = std::move(model);
  job.constants = &constants;
  read_optimizer(request, constants, job);
  read_state(request, constants, job);
  read_method_keys(request.object("method"), job);
  read_kernels(request.optional_object("kernels"), job);
  read_workload(request.optional_object("workload"), job);
  read.pins = read_layout(request.optional_object("layout"), gpus_per_node, job);
  read_overheads(request.optional_object("overheads"), constants, job);
  job.headroom = request.number_or("headroom", 0.10, {0, 10});
  read.max_gpus = request.integer_or("max_gpus", 512, {1, 100000});
  return read;
}

}  // namespace sizesheet
