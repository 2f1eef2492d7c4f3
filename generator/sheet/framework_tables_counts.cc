// SPDX-License-Identifier: Apache-2.0
// What is counted rather than sized: parameters, adapters, and what each kind of layer keeps.
#include <algorithm>
#include <cmath>

#include "sheet/framework_requests.h"
#include "sheet/framework_tables.h"
#include "sizing/adapters.h"
#include "sizing/block_activations.h"
#include "sizing/pieces.h"
#include "sizing/search.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::int64_t kBf16Bytes = 2;

double share_of(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

SheetAdapterCount adapter_count(const Catalog& catalog, const FrameworkSet& set,
                                const AdapterMode& mode, std::int64_t rank, std::int64_t model) {
  const Question question = understood(catalog, set, request_for(set, mode, rank));
  const AdapterCounts counts =
      count_adapters(*question.model, question.jobs.at(Spread::kSingle).job.adapters);
  SheetAdapterCount count;
  count.rank = rank;
  count.dense = counts.dense;
  count.expert = counts.expert;
  count.total = counts.total();
  count.bf16_bytes = kBf16Bytes * counts.total();
  count.share = share_of(counts.total(), model);
  for (const PublishedAdapters& one : mode.published) {
    if (one.rank == rank) count.published.push_back(one);
  }
  return count;
}

struct SublayerNames {
  const char* id;
  const char* title;
};

SublayerNames names_of(Sublayer sublayer) {
  switch (sublayer) {
    case Sublayer::kAttention:
      return {"attention", "Attention"};
    case Sublayer::kMlp:
      return {"mlp", "MLP"};
    case Sublayer::kMoe:
      return {"moe", "Experts"};
    case Sublayer::kMamba:
      return {"mamba", "Mamba-2"};
  }
  return {"", ""};
}

SheetLayerRow layer_row(const Job& job, const StageKind& kind, int number) {
  std::vector<std::string> ids;
  std::vector<std::string> titles;
  for (const Sublayer sublayer : sublayers(kind.block)) {
    ids.emplace_back(names_of(sublayer).id);
    titles.emplace_back(names_of(sublayer).title);
  }
  SheetLayerRow row;
  row.id = join(ids, "-");
  row.title = join(titles, " and ");
  row.layers = kind.count;
  row.bytes_per_token = block_activations<double>(job, kind.block, number).kept;
  row.kept =
      std::llround(static_cast<double>(kind.count) * row.bytes_per_token * job.tokens_per_rank());
  return row;
}

/// Embedding output, final norm and the head's input: what is kept outside the layers.
SheetLayerRow ends_row(const Job& job, std::int64_t kept) {
  SheetLayerRow row;
  row.id = "ends";
  row.title = "Embedding, final norm and head";
  row.bytes_per_token = static_cast<double>(kept) / job.tokens_per_rank();
  row.kept = kept;
  return row;
}

SheetLayerSet layer_set(const Candidate& candidate, const RequestSet& variant) {
  const Stage& stage = candidate.worst_stage();
  SheetLayerSet set;
  set.id = variant.id;
  set.title = variant.title;
  set.kept = std::llround(memory_pieces<double>(candidate.job, stage).kept);
  std::int64_t left = set.kept;
  int number = 0;
  for (const StageKind& kind : stage.kinds) {
    set.rows.push_back(layer_row(candidate.job, kind, number++));
    left -= set.rows.back().kept;
  }
  std::sort(set.rows.begin(), set.rows.end(),
            [](const SheetLayerRow& a, const SheetLayerRow& b) { return a.kept > b.kept; });
  set.rows.push_back(ends_row(candidate.job, left));
  for (SheetLayerRow& row : set.rows) {
    row.share = share_of(row.kept, set.kept);
    const auto printed = variant.printed_gb.find(row.id);
    if (printed != variant.printed_gb.end()) row.printed_gb = printed->second;
  }
  return set;
}

}  // namespace

void add_components(const Architecture& model, SheetFrameworkSet& out) {
  const ComponentCounts counts = count_parameters(model);
  out.total_parameters = counts.total();
  out.active_parameters = counts.active();
  const auto add = [&](const char* id, const char* title, std::int64_t parameters) {
    if (parameters == 0) return;
    out.parameters.push_back({id, title, parameters, kBf16Bytes * parameters,
                              share_of(parameters, out.total_parameters)});
  };
  add("experts", "Routed experts", counts.experts);
  add("mamba", "Mamba-2 layers", counts.mamba);
  add("ends", "Embedding and head", counts.embedding + counts.lm_head);
  add("shared", "Shared experts", counts.shared);
  add("latent", "Latent expert projections", counts.latent);
  add("mlp", "MLP", counts.mlp);
  add("attention", "Attention", counts.attention);
  add("router", "Routers", counts.router);
  add("norms", "Norms", counts.norms);
}

void add_adapters(const Catalog& catalog, const FrameworkSet& set, SheetFrameworkSet& out) {
  const std::int64_t model = count_parameters(catalog.model(set.model).architecture).total();
  for (const AdapterMode& mode : set.modes) {
    SheetAdapterMode& shown = out.adapters.emplace_back();
    shown.id = mode.id;
    shown.title = mode.title;
    shown.words = mode.words;
    for (const std::int64_t rank : set.ranks) {
      shown.counts.push_back(adapter_count(catalog, set, mode, rank, model));
    }
  }
}

void add_layers(const Catalog& catalog, const FrameworkSet& set, SheetFrameworkSet& out) {
  out.layers.framework = set.layers.framework;
  out.layers.words = set.layers.words;
  for (const RequestSet& variant : set.layers.sets) {
    const Question question = understood(catalog, set, request_for(set, set.layers, variant));
    const Candidate candidate = plan(question).chosen;
    out.layers.tokens = std::llround(candidate.job.tokens_per_rank());
    out.layers.sets.push_back(layer_set(candidate, variant));
  }
}

}  // namespace sizesheet
