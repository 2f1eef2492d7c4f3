// SPDX-License-Identifier: Apache-2.0
// The request's `layout`: what it fixes of the parallel dimensions, and how state is sharded.
#include "sizing/job_reader.h"
#include "support/printable.h"

namespace sizesheet {
namespace {

/// Splits of one model in one dimension; the product of all dimensions then stays below 2^63.
constexpr std::int64_t kMostSplits = 10000;

std::optional<Shard> read_shard(ObjectReader& reader, Layout& layout, std::int64_t gpus_per_node) {
  if (!reader.has("shard")) return std::nullopt;
  if (reader.raw("shard") == "hsdp" && layout.shard_group == 0) layout.shard_group = gpus_per_node;
  return read_named_or(reader, "shard", kShards, Shard::kNone);
}

std::int64_t read_root_gathered(ObjectReader& reader) {
  const Json& value = reader.raw("root_unsharded");
  if (value.is_null() || value == true) return 2;
  if (value == false) return 0;
  const bool counted = value.is_number_integer() && value >= 0 && value <= 2;
  refuse_unless(reader, counted, "root_unsharded",
                [&] { return "expected true, false, 0, 1 or 2, got " + shown(value); });
  return counted ? value.get<std::int64_t>() : 0;
}

/// FSDP 1 flattens the parameters of a unit. Where they are frozen it waits for the gradients of
/// the unit's inputs, and reentrant checkpoints make those inputs leaves that it holds.
bool read_reentrant(ObjectReader& reader, const LayoutPins& pins, const Job& job) {
  if (!reader.flag_or("fsdp_reentrant", false)) return false;
  const auto needs = [&](bool there, const char* what) {
    refuse_unless(reader, there, "fsdp_reentrant",
                  std::string("describes frozen units of FSDP 1 and needs ") + what);
  };
  needs(!job.full(), "adapters; method.kind is \"full\"");
  needs(pins.shard == Shard::kZero3 && job.state.live_parameters == 0,
        "layout.shard \"zero3\" of FSDP");
  needs(job.recompute == Recompute::kFull, "kernels.recompute \"full\"");
  needs(!job.activation_offload, "kernels.activation_offload false");
  return true;
}

void read_offload(ObjectReader& reader, Layout& layout) {
  const std::string offload =
      reader.one_of_or("offload", {"none", "optimizer", "params", "all"}, "none");
  layout.offload_optimizer = offload == "optimizer" || offload == "all";
  layout.offload_params = offload == "params" || offload == "all";
}

}  // namespace

LayoutPins read_layout(std::optional<ObjectReader> reader, std::int64_t gpus_per_node, Job& job) {
  LayoutPins pins;
  if (!reader) return pins;
  Layout& layout = job.layout;
  pins.gpus = reader->optional_integer("gpus", {1, 1000000});
  pins.dp = reader->optional_integer("dp", {1, 1000000});
  pins.tp = reader->optional_integer("tp", {1, kMostSplits});
  pins.pp = reader->optional_integer("pp", {1, kMostSplits});
  pins.cp = reader->optional_integer("cp", {1, kMostSplits});
  pins.ep = reader->optional_integer("ep", {1, kMostSplits});
  layout.etp = reader->integer_or("etp", 1, {1, kMostSplits});
  layout.vpp = reader->integer_or("vpp", 1, {1, kMostSplits});
  layout.sequence_parallel = reader->flag_or("sequence_parallel", true);
  layout.shard_group = reader->integer_or("shard_group", 0, {0, 1000000});
  pins.shard = read_shard(*reader, layout, gpus_per_node);
  layout.root_gathered = read_root_gathered(*reader);
  layout.reduce_fp32 = reader->one_of_or("reduce_dtype", {"bf16", "fp32"}, "bf16") == "fp32";
  layout.gather_units = reader->number_or("gather_units", 2, {0, 1000});
  layout.fsdp_reentrant = read_reentrant(*reader, pins, job);
  layout.bucket_elements = reader->number_or("bucket_elements", 0, {0, 1e15});
  layout.expert_imbalance = reader->number_or("expert_imbalance", 1, {1, 1000});
  refuse_unless(*reader, layout.expert_imbalance == 1 || has_experts(*job.model),
                "expert_imbalance", "needs routed experts; the model has none");
  read_offload(*reader, layout);
  layout.expandable_segments =
      reader->one_of_or("allocator", {"default", "expandable"}, "default") == "expandable";
  if (job.state.live_parameters > 0 && pins.shard == Shard::kZero3) {
    refuse_unless(*reader, layout.root_gathered == 2, "root_unsharded", [&] {
      return "describes FSDP's root; state " + in_quotes(job.state.id) + " gathers and releases it";
    });
    refuse_unless(*reader, layout.gather_units == 2, "gather_units", [&] {
      return "describes FSDP's units; state " + in_quotes(job.state.id) +
             " keeps a fixed number of parameters gathered";
    });
  }
  reader->done();
  return pins;
}

const char* offload_name(const Layout& layout) {
  if (layout.offload_optimizer && layout.offload_params) return "all";
  if (layout.offload_optimizer) return "optimizer";
  return layout.offload_params ? "params" : "none";
}

}  // namespace sizesheet
