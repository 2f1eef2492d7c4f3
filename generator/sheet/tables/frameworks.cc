// SPDX-License-Identifier: Apache-2.0
#include "sheet/tables/frameworks.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "catalog/catalog.h"
#include "catalog/files/loader.h"
#include "catalog/models/architecture.h"
#include "catalog/models/model.h"
#include "catalog/published/worksheet.h"
#include "sheet/framework.h"
#include "sheet/sheet.h"
#include "sizing/advice/limits.h"
#include "sizing/answer/estimate.h"
#include "sizing/job/job.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/pieces.h"
#include "sizing/memory/sublayers.h"
#include "sizing/memory/verdict.h"
#include "sizing/model/adapters.h"
#include "sizing/model/parameters.h"
#include "sizing/request/question.h"
#include "sizing/search/candidate.h"
#include "sizing/search/search.h"
#include "support/described.h"
#include "support/error.h"
#include "support/json.h"
#include "support/named.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

/// A set with the catalog that its requests are asked of.
struct AskedSet {
  const Catalog& catalog;
  const FrameworkSet& set;

  Question question(const Json& request) const {
    return understood(catalog, "frameworks/" + set.id, request);
  }
  std::int64_t nodes(std::int64_t gpus) const {
    const std::int64_t per_node = catalog.gpu(set.gpu).gpus_per_node;
    return (gpus + per_node - 1) / per_node;
  }
};

// ---- The requests: the set's model and GPU, then the keys of the framework, the table, its
// variant and the row, each laid over the one before.

Json laid_over(const FrameworkSet& set, std::initializer_list<const Json*> parts) {
  Json request = {{"model", set.model}, {"gpu", set.gpu}};
  for (const Json* part : parts) request.merge_patch(*part);
  return request;
}

Json in_table(const FrameworkSet& set, const auto& table, const RequestSet& variant,
              const Json& own = Json::object()) {
  return laid_over(
      set, {&set.framework(table.framework).request, &table.request, &variant.request, &own});
}

Json at_step(const FrameworkSet& set, const RequestSet& variant, const SequenceStep& step,
             std::int64_t micro_batch) {
  return in_table(set, set.sequences, variant,
                  {{"workload", {{"seq_len", step.seq_len}, {"micro_batch", micro_batch}}},
                   {"layout", {{"gpus", step.gpus}, {"tp", step.tp}, {"cp", step.cp}}}});
}

/// Adapters are counted on one GPU, with no GPU named.
Json at_rank(const FrameworkSet& set, const AdapterMode& mode, std::int64_t rank) {
  const Json own = {{"method", {{"rank", rank}}}, {"layout", {{"gpus", 1}}}};
  Json request = laid_over(set, {&mode.request, &own});
  request.erase("gpu");
  return request;
}

/// Requests with the place of their own keys in the file.
struct Placed {
  std::string place;
  Json request;
};

std::vector<Placed> requests_of(const FrameworkSet& set) {
  std::vector<Placed> all;
  const auto place = [](const std::string& list, std::size_t index) {
    return "/" + list + "/" + std::to_string(index);
  };
  const auto add_each = [&](const char* list, const auto& rows, const auto& request_of) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      all.push_back({place(list, i), request_of(rows[i])});
    }
  };
  add_each("questions", set.questions, [&](const auto& one) { return request_for(set, one); });
  for (const RequestSet& variant : set.sequences.sets) {
    add_each("sequences/rows", set.sequences.rows,
             [&](const auto& step) { return at_step(set, variant, step, 1); });
  }
  for (std::size_t i = 0; i < set.modes.size(); ++i) {
    for (const std::int64_t rank : set.ranks) {
      all.push_back({place("adapters/modes", i), at_rank(set, set.modes[i], rank)});
    }
  }
  add_each("layers/sets", set.layers.sets,
           [&](const auto& one) { return in_table(set, set.layers, one); });
  add_each("comparison/rows", set.comparison.sets,
           [&](const auto& one) { return in_table(set, set.comparison, one); });
  return all;
}

constexpr std::int64_t kLargestMicroBatch = 1024;

/// The largest power of two, from 1 up to the first that does not fit.
std::optional<std::int64_t> largest_micro_batch(const AskedSet& of, const RequestSet& variant,
                                                const SequenceStep& step) {
  std::optional<std::int64_t> largest;
  for (std::int64_t batch = 1; batch <= kLargestMicroBatch; batch *= 2) {
    const Question question = of.question(at_step(of.set, variant, step, batch));
    const auto candidate = best_layout(question, step.gpus);
    if (!candidate || candidate->verdict != Verdict::kFits) break;
    largest = batch;
  }
  return largest;
}

SheetSequenceRow sequence_row(const AskedSet& of, const RequestSet& variant,
                              const SequenceStep& step) {
  const Candidate chosen = search_counts(of.question(at_step(of.set, variant, step, 1))).chosen;
  const double kept = memory_pieces<double>(chosen.job, chosen.worst_stage()).kept;
  SheetSequenceRow row{sized_layout(chosen)};
  copy_named(step, row);
  row.nodes = of.nodes(row.layout.gpus);
  row.kept = std::llround(kept);
  row.largest_micro_batch = largest_micro_batch(of, variant, step);
  row.bound = row.kept > chosen.bill.terms[Term::kWeights] ? "activations" : "weights";
  return row;
}

SheetFrameworkRow framework_row(const AskedSet& of, const FrameworkQuestion& question) {
  const Question asked = of.question(request_for(of.set, question));
  const Sizing sizing = answer(asked);
  const Candidate& chosen = sizing.plan.chosen;
  SheetFrameworkRow row{question, sized_layout(chosen)};
  row.seq_len = chosen.job.seq_len;
  row.micro_batch = chosen.job.micro_batch;
  row.nodes = of.nodes(row.layout.gpus);
  row.trainable = sizing.trainable;
  row.binding = binding_words(asked, sizing.plan);
  return row;
}

constexpr std::int64_t kBf16Bytes = 2;

double share_of(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

SheetAdapterCount adapter_count(const AskedSet& of, const AdapterMode& mode, std::int64_t rank,
                                std::int64_t model) {
  const Question question = of.question(at_rank(of.set, mode, rank));
  const AdapterCounts counts = count_adapters(*question.model, question.single().adapters);
  SheetAdapterCount count{.rank = rank,
                          .dense = counts.dense,
                          .expert = counts.expert,
                          .total = counts.total(),
                          .bf16_bytes = kBf16Bytes * counts.total(),
                          .share = share_of(counts.total(), model)};
  for (const PublishedAdapters& one : mode.published) {
    if (one.rank == rank) count.published.push_back(one);
  }
  return count;
}

/// What the layers of one kind keep. `number`: the kind's place in its stage.
SheetLayerRow layer_row(const Job& job, const StageKind& kind, int number) {
  std::vector<std::string> ids;
  std::vector<std::string> titles;
  for (const Sublayer sublayer : sublayers(kind.block)) {
    ids.emplace_back(facts_of(sublayer).id);
    titles.emplace_back(facts_of(sublayer).title);
  }
  const double bytes_per_token = block_activations<double>(job, kind.block, number).kept;
  const double kept = static_cast<double>(kind.count) * bytes_per_token * job.tokens_per_rank();
  return {join(ids, "-"), join(titles, " and "), kind.count, bytes_per_token, std::llround(kept)};
}

SheetLayerSet layer_set(const Candidate& candidate, const RequestSet& variant) {
  const Stage& stage = candidate.worst_stage();
  SheetLayerSet set;
  copy_named(variant, set);
  set.kept = std::llround(memory_pieces<double>(candidate.job, stage).kept);
  std::int64_t left = set.kept;  // in the end what is kept outside the layers
  int number = 0;
  for (const StageKind& kind : stage.kinds) {
    set.rows.push_back(layer_row(candidate.job, kind, number++));
    left -= set.rows.back().kept;
  }
  std::ranges::sort(set.rows, std::greater(), &SheetLayerRow::kept);
  const double per_token = static_cast<double>(left) / candidate.job.tokens_per_rank();
  set.rows.push_back({"ends", "Embedding, final norm and head", {}, per_token, left});
  for (SheetLayerRow& row : set.rows) {
    row.share = share_of(row.kept, set.kept);
    const auto printed = variant.printed_gb.find(row.id);
    if (printed != variant.printed_gb.end()) row.printed_gb = printed->second;
  }
  return set;
}

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
  add("delta", "Gated DeltaNet layers", counts.delta);
  add("convolution", "Short convolutions", counts.convolution);
  add("ends", "Embedding and head", counts.embedding + counts.lm_head);
  add("shared", "Shared experts", counts.shared);
  add("latent", "Latent expert projections", counts.latent);
  add("mlp", "MLP", counts.mlp);
  add("attention", "Attention", counts.attention);
  add("indexer", "Indexers of sparse attention", counts.indexer);
  add("per-layer", "Per-layer embeddings", counts.per_layer);
  add("router", "Routers", counts.router);
  add("norms", "Norms", counts.norms);
}

void add_tables(const AskedSet& of, SheetFrameworkSet& out) {
  const FrameworkSet& set = of.set;
  for (const FrameworkQuestion& question : set.questions) {
    out.rows.push_back(framework_row(of, question));
  }
  for (const RequestSet& variant : set.sequences.sets) {
    SheetSequenceSet& shown = out.sequences.sets.emplace_back();
    copy_named(variant, shown);
    for (const SequenceStep& step : set.sequences.rows) {
      shown.rows.push_back(sequence_row(of, variant, step));
    }
  }
  for (const RequestSet& method : set.comparison.sets) {
    const Sizing sizing = answer(of.question(in_table(set, set.comparison, method)));
    const Candidate& chosen = sizing.plan.chosen;
    out.comparison.rows.push_back({method.id, method.title, sizing.trainable, shape_of(chosen.job),
                                   chosen.bill, chosen.verdict});
  }
  for (const AdapterMode& mode : set.modes) {
    SheetAdapterMode& shown = out.adapters.emplace_back();
    copy_named(mode, shown);
    for (const std::int64_t rank : set.ranks) {
      shown.counts.push_back(adapter_count(of, mode, rank, out.total_parameters));
    }
  }
  for (const RequestSet& variant : set.layers.sets) {
    const Candidate chosen = search_counts(of.question(in_table(set, set.layers, variant))).chosen;
    out.layers.tokens = std::llround(chosen.job.tokens_per_rank());
    out.layers.sets.push_back(layer_set(chosen, variant));
  }
}

SheetFrameworkSet framework_tables(const Catalog& catalog, const FrameworkSet& set) {
  const Model& model = catalog.model(set.model);
  SheetFrameworkSet out;
  static_cast<FrameworkHead&>(out) = set;
  out.model_title = model.title;
  out.gpu_name = catalog.gpu(set.gpu).name;
  out.evidence = "computed";
  out.frameworks = set.frameworks;
  out.recipes = set.recipes;
  copy_named(set.sequences, out.sequences);
  copy_named(set.comparison, out.comparison);
  copy_named(set.layers, out.layers);
  add_components(model.architecture, out);
  add_tables({catalog, set}, out);
  return out;
}

}  // namespace

Json request_for(const FrameworkSet& set, const FrameworkQuestion& question) {
  return laid_over(set, {&set.framework(question.framework).request, &question.request});
}

Question understood(const Catalog& catalog, const std::string& place, const Json& request) {
  Faults faults;
  Question question = read_question(request, catalog, catalog.engine.current, faults);
  if (faults.empty()) return question;
  throw InputError(place + ": " + faults.request_text());
}

void check_frameworks(const Catalog& catalog, const CatalogLayers& layers, Faults& faults) {
  for (const auto& [id, set] : catalog.frameworks) {
    for (const Placed& placed : requests_of(set)) {
      Faults found;
      read_question(placed.request, catalog, catalog.engine.current, found);
      for (const Fault& fault : found.all()) {
        faults.add(layers.shown("frameworks/" + id + ".json"), placed.place,
                   "asks what no request may: " + to_request_text(fault));
      }
    }
  }
}

void add_frameworks(const Catalog& catalog, Sheet& sheet) {
  for (const auto& [unused, set] : catalog.frameworks) {
    sheet.frameworks.push_back(framework_tables(catalog, set));
  }
}

}  // namespace sizesheet
