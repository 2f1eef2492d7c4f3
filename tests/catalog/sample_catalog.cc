// SPDX-License-Identifier: Apache-2.0
#include "catalog/sample_catalog.h"

#include "catalog/engine_constants.h"
#include "support/files.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

Json parsed(const char* text) { return parse_json(text, "sample"); }

Json sample_gpu() {
  return parsed(R"({
    "id": "h100", "name": "H100 80GB", "short_name": "H100", "tiny_name": "H1", "vendor": "NVIDIA",
    "memory_gb": 80, "torch_total_gib": 79.1, "driver_total_gib": null, "unified_memory": false,
    "os_reserve_gib": 0, "rentable_counts": [1, 2, 4, 8], "gpus_per_node": 8, "multi_node": true,
    "max_gpus": 0, "bf16_dense_tflops": 989, "fp16_dense_tflops": 989, "fp8_dense_tflops": null,
    "bandwidth_gb_per_s": 3350, "tdp_w": 700, "bf16": true, "interconnect": "NVLink",
    "capacity_rule": "Capacity is what PyTorch reports.", "note": "",
    "source": "vendor's data sheet, https://example.org/h100", "date": "2026-10"})");
}

Json sample_stack() {
  return parsed(R"({
    "id": "hf", "title": "HF", "version": "1.0", "source": "repository", "date": "2026-10-01",
    "warnings": ["Padding matters."], "refused": {"qlora+tp": "no such path"},
    "kinds": {"full": [
      {"key": "state", "value": "hf-amp", "exact": true, "source": "file",
       "variants": [{"when": "sharded", "value": "fsdp-mixed", "source": "file"}]},
      {"key": "kernels.loss", "value": "hf", "exact": false, "source": "file", "note": "nearest",
       "trap": "the bare default keeps logits", "trap_value": "legacy"}]}})");
}

Json sample_engine() {
  Json engine = parsed(R"({
    "constants": [{"id": "nf4.block", "reference": 64, "current": 64, "unit": "weights",
                   "reason": "default", "source": "file", "date": "2026-10"}],
    "recipes": [{"id": "hf-amp",
                 "reference": {"weight": 4, "gradient": 4, "master": 0, "lazy": true},
                 "current": {"weight": 2, "gradient": 4, "master": 0, "lazy": false},
                 "reason": "r", "source": "file", "date": "2026-10"}],
    "optimizers": [{"id": "adamw", "reference": {"matrix": 8, "embedding": 8, "vector": 8},
                    "current": {"matrix": 8, "embedding": 8, "vector": 8, "per_row": 4},
                    "reason": "r", "source": "file", "date": "2026-10"}],
    "losses": [{"id": "hf", "reference": {"forward": 10, "backward": 14, "residual": 2},
                "current": {"forward": 10, "backward": 12, "residual": 2},
                "reason": "r", "source": "file", "date": "2026-10"}],
    "speeds": [{"id": "h100", "matmul_efficiency": 0.5, "attention_efficiency": 0.3,
                "bus_gb_per_s": 340, "host_link_gb_per_s": 50, "measured": ["full"], "reason": "r",
                "source": "file", "date": "2026-10"}]})");
  Json constant = engine["constants"][0];
  for (const std::string& name : engine_constant_names()) {
    if (name == "nf4.block") continue;
    constant.update({{"id", name}, {"reference", 1}, {"current", 1}});
    engine["constants"].push_back(constant);
  }
  Json recipe = engine["recipes"][0];
  recipe["id"] = "fsdp-mixed";
  engine["recipes"].push_back(recipe);
  Json loss = engine["losses"][0];
  loss["id"] = kCompiledChunks;
  engine["losses"].push_back(loss);
  for (const LossName& name : kLossNames) {
    if (name.id == "hf") continue;
    loss["id"] = name.id;
    engine["losses"].push_back(loss);
  }
  return engine;
}

Json sample_purchase(const std::string& list) {
  const Json estimate = parsed(R"({"low": 1, "typical": 2, "high": 3, "basis": "source",
                                   "source": "quote", "date": "2026-10", "note": ""})");
  Json row = {{"id", "8x-h100"}, {"title", "8x H100"}};
  if (list == "nodes") {
    row.update({{"gpu", "h100"}, {"gpus", 8}, {"multi_node", true}, {"kw", estimate}});
  }
  if (list == "cards") row["gpu"] = "h100";
  if (list == "rates") row["unit"] = "share";
  row[list == "rates" ? "value" : "usd"] = estimate;
  return {{list, {row}}};
}

Json sample_validation() {
  return parsed(R"({
    "held_out": "Every other one.",
    "reasons": [{"id": "refused", "title": "The engine refuses"},
                {"id": "near-capacity", "title": "Close to the card"}],
    "bars": [{"id": "all-median", "title": "Median", "limit": 0.06, "reason": "r"}]})");
}

Json sample_intervals() {
  return parsed(R"({
    "rules": {"coverage": 0.9, "unseen_coverage": 0.9, "class_coverage": 0.8, "minimum_rows": 8, "minimum_sources": 2,
              "grade_a_half_width": 0.1, "grade_b_half_width": 0.2},
    "classes": [
      {"id": "one-full", "title": "Full on one GPU", "when": {"spread": "one", "kind": ["full"]},
       "low": 0.95, "high": 1.05, "n": 9, "sources": 3, "grade": "A", "basis": "residuals"},
      {"id": "any", "title": "Any run", "when": {}, "low": 0.9, "high": 1.2, "n": 20,
       "sources": 5, "grade": "B", "basis": "residuals"}]})");
}

Json sample_measured() {
  return parsed(R"({
    "id": "bench", "title": "Bench", "framework": "hf", "source": "somebody/bench @1",
    "url": "https://example.org/bench", "date": "2026-10", "held_out": true,
    "assumptions": ["bf16"],
    "models": {"tiny": {"model_type": "llama", "hidden_size": 8}},
    "request": {"method": {"kind": "lora", "rank": 8}, "layout": {"gpus": 1}},
    "rows": [
      {"id": "bench-1", "request": {"model": "small", "gpu": "h100", "method": {"rank": 16}},
       "measured": {"bytes": 1000, "kind": "allocated", "kind_stated": true,
                    "unit_as_published": "GB", "relation": "equal"},
       "confidence": "high", "flags": ["near-capacity"], "assumptions": ["packed"],
       "provenance": "table.md#L3", "evidence": "small | 1.0"},
      {"id": "bench-2", "framework": "other", "request": {"model": "tiny", "gpu": "h100"},
       "measured": {"kind": "device", "kind_stated": false, "unit_as_published": "GB",
                    "relation": "oom"},
       "confidence": "low", "evidence": "tiny | OOM"}]})");
}

Json sample_convention() {
  return parsed(R"({
    "id": "simple", "title": "Simple guide", "publisher": "somebody", "source": "its page",
    "date": "2026-11", "dated": "undated", "words": "A guide.",
    "rules": {"shard": {"rule": "whole", "words": "Not split."},
              "trainable": {"rule": "total", "words": "All."},
              "display": {"rule": "unit", "words": "Whole GB."}},
    "headroom": {"prose": {"rule": "uplift", "share": 0.15, "words": "15 % more."}},
    "constants": {"weights": {"value": 2, "words": "2 bytes."}},
    "variants": {"half": {"constants": {"weights": {"value": 0.5, "fitted": true,
                                                    "words": "Half a byte."}}}}})");
}

Json sample_figures() {
  return parsed(R"({"figures": [
    {"id": "seven", "where": "table", "what": "7B weights", "printed": 14, "unit": "GB",
     "status": "exact", "quantity": "memory", "inputs": {"params_bn": 7, "terms": ["weights"]}},
    {"id": "half", "where": "table", "what": "7B in 4 bits", "variant": "half", "printed": 4,
     "unit": "GB", "status": "within-rounding", "quantity": "memory",
     "inputs": {"params_bn": 7, "terms": ["weights"]}},
    {"id": "claim", "where": "text", "what": "speed", "printed": [1, 2], "unit": "times",
     "status": "not-derivable", "reason": "A claim."}]})");
}

Json sample_differences() {
  return parsed(R"({"differences": [{"id": "loss", "title": "Loss", "guides": "None.",
    "sheet": "Counted.", "source": "paper", "date": "2026-11"}]})");
}

}  // namespace

Json sample_model() {
  return parsed(R"({
    "id": "small", "title": "Small 1B", "family": "llama", "repository": "", "model_type": "llama",
    "hidden_size": 64, "intermediate_size": 256, "num_hidden_layers": 4, "num_attention_heads": 8,
    "num_key_value_heads": 2, "head_dim": 8, "vocab_size": 100, "tie_word_embeddings": false,
    "hidden_act": "silu", "max_position_embeddings": 512, "attention_qkv_bias": false,
    "attention_o_bias": false, "mlp_bias": false, "gated_mlp": true, "norm_type": "rmsnorm",
    "norm_has_bias": false, "norms_per_layer": 2, "qk_norm": "none", "sliding_window": null,
    "fused_linears": [],
    "published": [{"value": 1000, "covers": ["text", "buffers"], "source": "model card"}],
    "extras": [{"name": "buffers", "value": 10, "source": "config"}],
    "source": "config.json", "date": "2026-09-25"})");
}

Documents sample_documents() {
  const Json price = parsed(R"({"gpu": "h100", "region": "any", "instance": "p5", "gpus": 8,
    "tier": "on_demand", "offer": "list", "usd_per_instance_hour": 30.5, "as_of": "2026-10-10",
    "source": "price list"})");
  Json excluded = price;
  excluded.erase("offer");
  excluded.update({{"provider", "old cloud"}, {"as_of", "undated"}, {"reason", "undated"}});
  return {
      {"models/small.json", sample_model()},
      {"gpus/h100.json", sample_gpu()},
      {"methods/full.json", parsed(R"({"id": "full", "title": "Full", "short_title": "full",
         "description": "All.", "request": {"kind": "full"}, "source": "definition",
         "date": "2026-11"})")},
      {"stacks/hf.json", sample_stack()},
      {"engine.json", sample_engine()},
      {"prices/cloud.json", {{"provider", "cloud"}, {"rows", {price}}}},
      {"prices/excluded.json", {{"excluded", {excluded}}}},
      {"purchase/nodes.json", sample_purchase("nodes")},
      {"purchase/cards.json", sample_purchase("cards")},
      {"purchase/rates.json", sample_purchase("rates")},
      {"conventions/simple.json", sample_convention()},
      {"conventions/figures/simple.json", sample_figures()},
      {"conventions/differences/physical-model.json", sample_differences()},
      {"sheets/quarterly.json", Json::object()},
      {"validation.json", sample_validation()},
      {"intervals.json", sample_intervals()},
      {"speed_intervals.json", sample_intervals()},
      {"measured/bench.json", sample_measured()},
  };
}

void write_documents(const TempDir& dir, const Documents& documents) {
  for (const auto& [path, document] : documents) dir.write(path, document.dump(2) + "\n");
}

Catalog loaded(const Documents& documents) {
  const TempDir dir;
  write_documents(dir, documents);
  return load_sound_catalog(dir.path());
}

Texts faults_in(const Documents& documents) {
  // What the folder holds from the time before is not written again.
  static const TempDir dir;
  static std::map<std::string, std::string> held;
  for (const auto& [path, text] : held) {
    if (!documents.contains(path)) std::filesystem::remove(dir.path() / path);
  }
  std::map<std::string, std::string> written;
  for (const auto& [path, document] : documents) {
    const auto found = held.find(path);
    std::string& text = written[path] = document.dump(2) + "\n";
    if (found == held.end() || found->second != text) dir.write(path, text);
  }
  held = written;
  Faults faults;
  load_catalog(dir.path(), faults);
  Texts texts = texts_of(faults);
  for (std::string& text : texts) text.erase(0, dir.path().string().size() + 1);
  return texts;
}

Json changed_at(Json json, const std::string& pointer, const std::optional<Json>& value) {
  const Json::json_pointer at(pointer);
  if (value) {
    json[at] = *value;
  } else {
    json[at.parent_pointer()].erase(at.back());
  }
  return json;
}

Json shipped_document(const std::string& name) {
  const std::string path = SIZESHEET_SOURCE_DIR "/catalog/" + name + ".json";
  return parse_json(read_file(path), path);
}

std::vector<std::string> advice_gpus() {
  return shipped_document("advice/choosing").at("cards").at("gpus");
}

}  // namespace sizesheet
