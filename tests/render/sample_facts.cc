// SPDX-License-Identifier: Apache-2.0
// Made-up facts for the sample sheets; see sample_facts.h.
#include "render/sample_facts.h"

#include <utility>

#include "support/text.h"

namespace sizesheet::sample {

namespace {

std::vector<std::int64_t> node_counts(std::int64_t limit) {
  std::vector<std::int64_t> counts = {1, 2, 4, 8};
  for (std::int64_t n = 16; n <= limit; n += 8) counts.push_back(n);
  return counts;
}

struct CardFacts {
  const char* id;
  const char* name;
  const char* short_name;
  const char* tiny_name;
  double memory_gb;
  double capacity_gib;
  std::int64_t max_gpus;
  std::int64_t cents_per_hour;  ///< 0: no price
  std::int64_t per_instance;
  double tflops;
  std::int64_t node_usd;  ///< 0: not sold as a node
  double node_kw;
};

Card card(const CardFacts& facts) {
  Card made;
  made.gpu.id = facts.id;
  made.gpu.name = facts.name;
  made.gpu.short_name = facts.short_name;
  made.gpu.tiny_name = facts.tiny_name;
  made.gpu.memory_gb = facts.memory_gb;
  made.gpu.capacity_bytes = static_cast<std::int64_t>(facts.capacity_gib * kGiB);
  made.gpu.gpus_per_node = facts.max_gpus == 2 ? 1 : 8;
  made.gpu.counts = node_counts(facts.max_gpus);
  if (facts.max_gpus == 2) made.gpu.counts = {1, 2};
  if (facts.cents_per_hour > 0) {
    made.gpu.list_usd_per_gpu_hour = MicroUsd{facts.cents_per_hour * 10'000};
  }
  made.gpu.vendor = "Maker";
  made.gpu.bandwidth_gb_per_s = 3.5 * facts.tflops;
  made.gpu.bf16_dense_tflops = facts.tflops;
  if (facts.memory_gb > 50) made.gpu.fp8_dense_tflops = 2 * facts.tflops;
  made.gpu.tdp_w = 500;
  made.gpu.bf16 = true;
  made.gpu.interconnect = facts.max_gpus == 2 ? "" : "made-up link, 900 GB/s";
  made.gpu.source = "made-up data sheet of the " + std::string(facts.short_name);
  made.gpu.date = "2026-09-01";
  made.tflops = facts.tflops;
  made.per_instance = facts.per_instance;
  if (facts.node_usd > 0) made.node_usd = MicroUsd{facts.node_usd * 1'000'000};
  made.node_kw = facts.node_kw;
  return made;
}

SheetModel model(const char* id, const char* title, const char* size, const char* note,
                 std::int64_t parameters, std::int64_t layers, std::int64_t hidden,
                 std::int64_t vocab) {
  SheetModel made;
  made.id = id;
  made.title = title;
  made.size = size;
  made.short_note = note;
  made.parameters = parameters;
  made.layers = layers;
  made.hidden = hidden;
  made.heads = hidden / 128;
  made.kv_heads = 8;
  made.vocab = vocab;
  made.repository = std::string("example/") + id;
  made.source = "made-up configuration of " + std::string(title);
  made.date = "2026-08-15";
  return made;
}

SheetPrice price(const Card& card, const char* provider, const char* tier, const char* offer,
                 std::int64_t percent) {
  SheetPrice made;
  made.provider = provider;
  made.region = "us-east";
  made.instance = std::to_string(card.per_instance) + "x-" + card.gpu.id;
  made.gpu = card.gpu.id;
  made.tier = tier;
  made.offer = offer;
  made.gpus = card.per_instance;
  made.usd_per_gpu_hour = scaled(*card.gpu.list_usd_per_gpu_hour, percent, 100);
  made.usd_per_instance_hour = made.usd_per_gpu_hour * card.per_instance;
  made.as_of = "2026-11-18";
  made.source = "made-up price page of " + std::string(provider);
  made.key = join({made.provider, made.region, made.instance, made.gpu, made.tier,
                   std::to_string(made.gpus), made.as_of},
                  "/");
  return made;
}

}  // namespace

std::vector<Card> cards() {
  return {
      card({"rtx-5090", "GeForce RTX 5090 32 GB", "5090", "5090", 32, 31.3, 8, 59, 1, 118, 25'000,
            4.9}),
      card({"rtx-pro-6000", "RTX PRO 6000 Blackwell 96 GB", "PRO 6000", "P6000", 96, 94.9, 64, 189,
            1, 230, 95'000, 6.1}),
      card({"l40s", "L40S 48 GB", "L40S", "L40S", 48, 44.4, 64, 86, 1, 110, 0, 0}),
      card({"a100-80-sxm", "A100 SXM 80 GB", "A100", "A100", 80, 79.2, 512, 149, 1, 190, 120'000,
            6.5}),
      card({"h100-sxm", "H100 SXM 80 GB", "H100", "H100", 80, 79.1, 512, 299, 1, 530, 265'000,
            10.2}),
      card({"h200-sxm", "H200 SXM 141 GB", "H200", "H200", 141, 139.8, 512, 379, 8, 420, 310'000,
            10.4}),
      card({"b200", "B200 SXM 180 GB", "B200", "B200", 180, 177.6, 512, 549, 8, 1000, 460'000,
            14.3}),
      card({"mi300x", "Instinct MI300X 192 GB", "MI300X", "MI300X", 192, 191.4, 512, 249, 8, 455,
            235'000, 10.9}),
      card(
          {"gb10", "DGX Spark GB10 128 GB", "Spark", "GB10", 128, 115.7, 2, 0, 1, 40, 4'699, 0.24}),
  };
}

std::vector<SheetModel> models() {
  return {
      model("llama-3.2-3b", "Llama 3.2 3B", "3B", "Llama 3.2 3B", 3'212'749'824, 28, 3072, 128'256),
      model("size-7b", "7B (Llama 2 shape)", "7B", "Llama 2 shape", 6'738'415'616, 32, 4096,
            32'000),
      model("llama-3.1-8b", "Llama 3.1 8B", "8B", "Llama 3.1 8B", 8'030'261'248, 32, 4096, 128'256),
      model("size-13b", "13B (Llama 2 shape)", "13B", "Llama 2 shape", 13'015'864'320, 40, 5120,
            32'000),
      model("phi-4", "Phi-4", "14B", "Phi-4", 14'659'507'200, 40, 5120, 100'352),
      model("qwen3-32b", "Qwen3 32B", "32B", "Qwen3 32B", 32'762'123'264, 64, 5120, 151'936),
      model("llama-3.1-70b", "Llama 3.1 70B", "70B", "Llama 3.1 70B", 70'553'706'496, 80, 8192,
            128'256),
      model("size-100b", "100B (hypothetical)", "100B", "hypothetical", 99'857'350'656, 90, 9216,
            131'072),
      model("size-400b", "405B (Llama 3.1 shape)", "400B", "Llama 3.1 shape", 405'853'388'800, 126,
            16'384, 128'256),
  };
}

std::vector<SheetMethod> methods() {
  return {{"full", "Full fine-tune", "full", "Every weight is trained."},
          {"lora-r16", "LoRA, rank 16", "LoRA", "Rank 16 on every projection, bf16 base."},
          {"qlora-r16", "QLoRA, rank 16", "QLoRA", "Rank 16 on every projection, NF4 base."}};
}

std::vector<Scenario> scenarios() {
  Scenario main;
  main.id = "main";
  main.title = "Hugging Face TRL";
  main.stack = "hf-trl";
  main.stack_title = "Hugging Face TRL with FSDP2";
  main.summary =
      "Sequences of 4,096 tokens, one a GPU and step, FSDP2 full sharding, every block recomputed.";
  main.seq_len = 4096;
  main.micro_batch = 1;
  main.grad_accum = 1;
  main.warnings = {"Without a dtype the frozen base loads in fp32 and needs twice the bytes."};
  Scenario other = main;
  other.id = "megatron";
  other.title = "Megatron Bridge";
  other.stack = "megatron-bridge";
  other.stack_title = "NVIDIA Megatron Bridge";
  other.summary = "Sequences of 4,096 tokens, distributed optimizer, nothing recomputed.";
  other.warnings = {};
  return {main, other};
}

std::vector<SheetEstimate> purchase_nodes(const std::vector<Card>& cards) {
  std::vector<SheetEstimate> nodes;
  for (const Card& card : cards) {
    if (!card.node_usd) continue;
    const double usd = to_usd(*card.node_usd);
    const std::string count = card.gpu.gpus_per_node == 1 ? "1" : "8";
    nodes.push_back({{usd * 0.9, usd, usd * 1.2, "quoted", "made-up reseller list", "2026-10", ""},
                     count + "x-" + card.gpu.id,
                     count + " × " + card.gpu.short_name,
                     "$"});
    if (card.gpu.id == "rtx-5090") nodes.back().note = "cards plus a host, 3,500 $ a pair of cards";
  }
  return nodes;
}

std::vector<SheetEstimate> rates() {
  return {
      {{0.06, 0.08, 0.15, "published", "made-up statistics office", "2026-08", ""},
       "usd-per-kwh",
       "Electricity",
       "$/kWh"},
      {{1.1, 1.3, 1.6, "survey", "made-up survey", "2026", ""},
       "pue",
       "Power usage effectiveness",
       ""},
      {{120, 150, 200, "published", "made-up colocation list", "2026-07", ""},
       "colo-usd-per-kw-month",
       "Colocation",
       "$/kW/month"},
      {{0.05, 0.08, 0.12, "assumption", "made-up", "2026-07", "no published figure"},
       "support-share",
       "Support, share of the purchase a year",
       ""},
      {{3, 5, 6, "assumption", "made-up", "2026-07", ""}, "life-years", "Life", "years"},
      {{0.05, 0.08, 0.12, "assumption", "made-up", "2026-07", ""},
       "cost-of-capital",
       "Cost of capital",
       "a year"},
      {{0.25, 0.35, 0.45, "measured", "made-up measurement", "2026-03", ""},
       "idle-power-share",
       "Idle power, share of full power",
       ""},
  };
}

std::vector<SheetConstant> constants() {
  return {
      {"overhead.context_gib", 0.55, "GiB", "CUDA context of one process",
       "made-up measurement, 6 rows"},
      {"overhead.communicator_gib", 0.6, "GiB", "NCCL buffers of one communicator",
       "made-up measurement"},
      {"overhead.dynamic_share", 0.1, "", "allocator slack on tensors that come and go", "fitted"},
      {"overhead.static_share", 0.02, "", "allocator slack on tensors that stay", "fitted"},
      {"interval.coverage", 0.9, "", "share of measured rows inside the interval",
       "30 measured rows"},
  };
}

std::vector<SheetPrice> prices(const std::vector<Card>& cards) {
  std::vector<SheetPrice> rows;
  for (const Card& card : cards) {
    if (!card.gpu.list_usd_per_gpu_hour) continue;
    rows.push_back(price(card, "Alder Cloud", "on_demand", "list", 100));
    rows.back().used = true;
    rows.push_back(price(card, "Birch Compute", "on_demand", "list", 131));
    rows.push_back(price(card, "Cedar GPU", "on_demand", "marketplace", 78));
    rows.back().excluded = rows.back().barred = "marketplace offer";
    if (card.node_kw < 10) continue;
    rows.push_back(price(card, "Alder Cloud", "spot", "list", 55));
    rows.back().used = true;
    rows.push_back(price(card, "Alder Cloud", "reserved_1y", "list", 70));
    rows.back().used = true;
  }
  rows.back().note = "paid up front";
  SheetPrice old = price(cards[4], "Elm Hosting", "on_demand", "list", 160);
  old.as_of = "2023-07";
  old.key = "Elm Hosting/us-east/1x-h100-sxm/h100-sxm/on_demand/1/2023-07";
  old.excluded = "older than 400 days (2023-07)";
  rows.push_back(old);
  return rows;
}

SheetMeta meta() {
  return {{"Fine-tuning sizing sheet", "2026-Q4", "2026-11-20", "2026-11-18",
           "3f9c2ab71e0455d2a8c6f0b1e7d39482c5a1f6e8b7d04c3a92e1f5d6b8a70c4e", "0.1.0"},
          "2026-10-02",
          "USD",
          ""};
}

SheetOptions options() {
  SheetOptions made;
  made.tokens = 50'000'000;
  made.planned_hours_per_month = 400;
  made.price_offers = {"list"};
  made.highlight_model = "llama-3.1-70b";
  return made;
}

}  // namespace sizesheet::sample
