// SPDX-License-Identifier: Apache-2.0
#include "render/sample_frameworks.h"

#include "render/sample_facts.h"

namespace sizesheet::sample {

namespace {

constexpr std::int64_t kUsable = 80 * kGib;

LayoutShape layout(std::int64_t gpus, std::int64_t tp) {
  LayoutShape shape;
  shape.gpus = gpus;
  shape.dp = gpus / tp;
  shape.tp = tp;
  shape.shard = gpus > 1 ? "zero1" : "none";
  shape.recompute = tp > 1 ? "modules" : "none";
  return shape;
}

std::vector<SheetFrameworkRow> framework_rows() {
  SheetFrameworkRow searched;
  searched.id = "smallest";
  searched.framework = "alder";
  searched.title = "LoRA r8, smallest";
  searched.evidence = "computed";
  searched.words = "The layout is searched.";
  searched.seq_len = 2048;
  searched.micro_batch = 1;
  searched.layout = layout(1, 1);
  searched.nodes = 1;
  searched.trainable = 6'197'760;
  searched.device = 60 * kGib;
  searched.capacity = kUsable;
  searched.verdict = Verdict::kFits;
  SheetFrameworkRow shipped = searched;
  shipped.id = "shipped";
  shipped.framework = "birch";
  shipped.title = "Full, the recipe";
  shipped.evidence = "recipe";
  shipped.recipe = "full";
  shipped.layout = layout(16, 2);
  shipped.nodes = 2;
  shipped.trainable = 31'577'937'344;
  shipped.device = 91 * kGib;
  shipped.verdict = Verdict::kNo;
  return {searched, shipped};
}

SheetSequences sequences() {
  SheetSequenceRow fits;
  fits.seq_len = 2048;
  fits.layout = layout(8, 1);
  fits.nodes = 1;
  fits.kept = 8 * kGib;
  fits.device = 26 * kGib;
  fits.capacity = kUsable;
  fits.verdict = Verdict::kFits;
  fits.largest_micro_batch = 4;
  fits.bound = "weights";
  fits.printed_activations_gb = 6.1;
  fits.printed_total_gb = 22;
  SheetSequenceRow tight = fits;
  tight.seq_len = 16384;
  tight.device = 79 * kGib;
  tight.verdict = Verdict::kTight;
  tight.largest_micro_batch.reset();
  tight.bound = "activations";
  tight.printed_activations_gb.reset();
  tight.printed_total_gb.reset();
  return {"alder", "theoretical", "Adapters of rank 32.", {{"kept", "As shipped", {fits, tight}}}};
}

SheetLayers layers() {
  const SheetLayerRow experts = {"moe", "Experts", 23, 136580, 24 * kGib, 0.9995, 16.2};
  const SheetLayerRow ends = {"ends", "Embedding and head", {}, 10752, kGib / 64, 0.0004, {}};
  return {"alder", "Bytes of one layer.", 8192, {{"lora", "LoRA", {experts, ends}, 24 * kGib}}};
}

SheetComparison comparison() {
  SheetMethodRow full;
  full.id = "full";
  full.title = "Full";
  full.trainable = 31'577'937'344;
  full.layout = layout(16, 1);
  full.memory.terms[Term::kWeights] = 11 * kGib;
  full.memory.terms[Term::kGradients] = 22 * kGib;
  full.memory.allocated = 33 * kGib;
  full.memory.device = 36 * kGib;
  full.memory.capacity = kUsable;
  full.memory.peak_phase = "loss_backward";
  full.verdict = Verdict::kFits;
  return {"alder", "The same GPUs.", {full}};
}

std::vector<LaunchRecipe> recipes() {
  const LaunchRecipe seen = {"full",
                             "birch",
                             "Full on two nodes",
                             "birch/train",
                             "recipes/full.yaml",
                             "0123456789abcdef0123456789abcdef01234567",
                             "2026-10",
                             16,
                             2,
                             "H100",
                             "Every weight.",
                             "train recipes/full.yaml",
                             "tested",
                             "https://example.org/run"};
  LaunchRecipe heard = seen;
  heard.id = "heard";
  heard.commit = "";
  heard.evidence = "recipe";
  heard.source = "a talk";
  return {seen, heard};
}

}  // namespace

std::vector<SheetFrameworkSet> frameworks() {
  SheetFrameworkSet set;
  set.id = "oak-30b";
  set.title = "Oak 30B on H100";
  set.words = "Two frameworks, one model.";
  set.model = "oak-30b";
  set.model_title = "Oak 30B";
  set.gpu = "h100-sxm";
  set.gpu_name = "H100 SXM";
  set.source = "https://example.org/guide";
  set.date = "2026-10";
  set.evidence = "computed";
  set.frameworks = {{"alder", "Alder", "It shards nothing.", "alder/train @0123", "2026-10", {}},
                    {"birch", "Birch", "It shards all.", "https://example.org/b", "2026-09", {}}};
  set.rows = framework_rows();
  set.sequences = sequences();
  set.parameters = {{"experts", "Routed experts", 29'374'808'064, 58'749'616'128, 0.9302},
                    {"norms", "Norms", 142'464, 284'928, 0.0000045}};
  set.total_parameters = 31'577'937'344;
  set.active_parameters = 3'580'073'408;
  set.adapters = {
      {"none",
       "No adapter on experts",
       "Plain linears.",
       {{8, 6'197'760, 0, 6'197'760, 12'395'520, 0.0002, {}},
        {32,
         27'711'488,
         856'162'304,
         883'873'792,
         1'767'747'584,
         0.028,
         {{32, "all", 883'873'792, 0, "tested", "a run"},
          {32, "experts", 856'000'000, 500'000, "theoretical", "https://example.org/c"}}}}}};
  set.layers = layers();
  set.comparison = comparison();
  set.recipes = recipes();
  return {set};
}

}  // namespace sizesheet::sample
