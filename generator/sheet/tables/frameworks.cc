// SPDX-License-Identifier: Apache-2.0
// The tables by framework: their requests, bytes and counts.

#include <algorithm>
#include <cmath>

#include "sheet/tables/tables.h"
#include "sizing/memory/parameters.h"
#include "sizing/memory/pieces.h"
#include "sizing/search/remarks.h"
#include "sizing/search/search.h"
#include "support/text.h"

namespace sizesheet {
namespace {

std::string place_of(const FrameworkSet& set) { return "frameworks/" + set.id; }

Json laid_over(const FrameworkSet& set, std::initializer_list<const Json*> parts) {
  Json request = {{"model", set.model}, {"gpu", set.gpu}};
  for (const Json* part : parts) request.merge_patch(*part);
  return request;
}

/// Requests with the place of their own keys in the file.
struct Placed {
  std::string place;
  Json request;
};

std::string at(const std::string& list, std::size_t index) {
  return "/" + list + "/" + std::to_string(index);
}

void add_table(const FrameworkSet& set, const RequestTable& table, const std::string& list,
               std::vector<Placed>& all) {
  for (std::size_t i = 0; i < table.sets.size(); ++i) {
    all.push_back({at(list, i), request_for(set, table, table.sets[i])});
  }
}

std::vector<Placed> requests_of(const FrameworkSet& set) {
  std::vector<Placed> all;
  for (std::size_t i = 0; i < set.questions.size(); ++i) {
    all.push_back({at("questions", i), request_for(set, set.questions[i])});
  }
  for (const RequestSet& variant : set.sequences.sets) {
    for (std::size_t i = 0; i < set.sequences.rows.size(); ++i) {
      all.push_back({at("sequences/rows", i), request_for(set, variant, set.sequences.rows[i], 1)});
    }
  }
  for (std::size_t i = 0; i < set.modes.size(); ++i) {
    for (const std::int64_t rank : set.ranks) {
      all.push_back({at("adapters/modes", i), request_for(set, set.modes[i], rank)});
    }
  }
  add_table(set, set.layers, "layers/sets", all);
  add_table(set, set.comparison, "comparison/rows", all);
  return all;
}

constexpr std::int64_t kLargestMicroBatch = 1024;

std::int64_t nodes_of(const Catalog& catalog, const FrameworkSet& set, std::int64_t gpus) {
  const std::int64_t per_node = catalog.gpu(set.gpu).gpus_per_node;
  return (gpus + per_node - 1) / per_node;
}

Sizing sized(const Catalog& catalog, const FrameworkSet& set, const Json& request) {
  return answer(understood(catalog, place_of(set), request));
}

/// The largest power of two, from 1 up to the first that does not fit.
std::optional<std::int64_t> largest_micro_batch(const Catalog& catalog, const FrameworkSet& set,
                                                const RequestSet& variant,
                                                const SequenceStep& step) {
  std::optional<std::int64_t> largest;
  for (std::int64_t batch = 1; batch <= kLargestMicroBatch; batch *= 2) {
    const Question question =
        understood(catalog, place_of(set), request_for(set, variant, step, batch));
    const auto candidate = best_layout(question, step.gpus);
    if (!candidate || candidate->verdict != Verdict::kFits) break;
    largest = batch;
  }
  return largest;
}

SheetSequenceRow sequence_row(const Catalog& catalog, const FrameworkSet& set,
                              const RequestSet& variant, const SequenceStep& step) {
  const Sizing sizing = sized(catalog, set, request_for(set, variant, step, 1));
  const Candidate& chosen = sizing.plan.chosen;
  const double kept = memory_pieces<double>(chosen.job, chosen.worst_stage()).kept;
  SheetSequenceRow row{sized_layout(chosen)};
  copy_named(step, row);
  row.nodes = nodes_of(catalog, set, row.layout.gpus);
  row.kept = std::llround(kept);
  row.largest_micro_batch = largest_micro_batch(catalog, set, variant, step);
  row.bound = row.kept > chosen.bill.terms[Term::kWeights] ? "activations" : "weights";
  return row;
}

SheetFrameworkRow framework_row(const Catalog& catalog, const FrameworkSet& set,
                                const FrameworkQuestion& question) {
  const Question asked = understood(catalog, place_of(set), request_for(set, question));
  const Sizing sizing = answer(asked);
  const Candidate& chosen = sizing.plan.chosen;
  SheetFrameworkRow row{question, sized_layout(chosen)};
  row.seq_len = chosen.job.seq_len;
  row.micro_batch = chosen.job.micro_batch;
  row.nodes = nodes_of(catalog, set, row.layout.gpus);
  row.trainable = sizing.trainable;
  row.binding = binding_words(asked, sizing.plan);
  return row;
}

constexpr std::int64_t kBf16Bytes = 2;

double share_of(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

SheetAdapterCount adapter_count(const Catalog& catalog, const FrameworkSet& set,
                                const AdapterMode& mode, std::int64_t rank, std::int64_t model) {
  const Question question = understood(catalog, place_of(set), request_for(set, mode, rank));
  const AdapterCounts counts = count_adapters(*question.model, question.single().adapters);
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

SheetLayerRow layer_row(const Job& job, const StageKind& kind, int number) {
  std::vector<std::string> ids;
  std::vector<std::string> titles;
  for (const Sublayer sublayer : sublayers(kind.block)) {
    ids.emplace_back(facts_of(sublayer).id);
    titles.emplace_back(facts_of(sublayer).title);
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
  copy_named(variant, set);
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

void add_sequences(const Catalog& catalog, const FrameworkSet& set, SheetFrameworkSet& out) {
  const SequenceTable& table = set.sequences;
  out.sequences = {table.framework, table.evidence, table.words, {}};
  for (const RequestSet& variant : table.sets) {
    SheetSequenceSet& rows = out.sequences.sets.emplace_back();
    copy_named(variant, rows);
    for (const SequenceStep& step : table.rows) {
      rows.rows.push_back(sequence_row(catalog, set, variant, step));
    }
  }
}

void add_comparison(const Catalog& catalog, const FrameworkSet& set, SheetFrameworkSet& out) {
  out.comparison = {set.comparison.framework, set.comparison.words, {}};
  for (const RequestSet& method : set.comparison.sets) {
    const Sizing sizing = sized(catalog, set, request_for(set, set.comparison, method));
    const Candidate& chosen = sizing.plan.chosen;
    out.comparison.rows.push_back({method.id, method.title, sizing.trainable, shape_of(chosen.job),
                                   chosen.bill, chosen.verdict});
  }
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

void add_adapters(const Catalog& catalog, const FrameworkSet& set, SheetFrameworkSet& out) {
  const std::int64_t model = count_parameters(catalog.model(set.model).architecture).total();
  for (const AdapterMode& mode : set.modes) {
    SheetAdapterMode& shown = out.adapters.emplace_back();
    copy_named(mode, shown);
    for (const std::int64_t rank : set.ranks) {
      shown.counts.push_back(adapter_count(catalog, set, mode, rank, model));
    }
  }
}

void add_layers(const Catalog& catalog, const FrameworkSet& set, SheetFrameworkSet& out) {
  out.layers.framework = set.layers.framework;
  out.layers.words = set.layers.words;
  for (const RequestSet& variant : set.layers.sets) {
    const Question question =
        understood(catalog, place_of(set), request_for(set, set.layers, variant));
    const Candidate candidate = plan(question).chosen;
    out.layers.tokens = std::llround(candidate.job.tokens_per_rank());
    out.layers.sets.push_back(layer_set(candidate, variant));
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
  for (const FrameworkQuestion& question : set.questions) {
    out.rows.push_back(framework_row(catalog, set, question));
  }
  add_sequences(catalog, set, out);
  add_comparison(catalog, set, out);
  add_components(model.architecture, out);
  add_adapters(catalog, set, out);
  add_layers(catalog, set, out);
  return out;
}

}  // namespace

Json request_for(const FrameworkSet& set, const FrameworkQuestion& question) {
  return laid_over(set, {&set.framework(question.framework).request, &question.request});
}

Json request_for(const FrameworkSet& set, const RequestSet& variant, const SequenceStep& step,
                 std::int64_t micro_batch) {
  const SequenceTable& table = set.sequences;
  const Json own = {{"workload", {{"seq_len", step.seq_len}, {"micro_batch", micro_batch}}},
                    {"layout", {{"gpus", step.gpus}, {"tp", step.tp}, {"cp", step.cp}}}};
  return laid_over(
      set, {&set.framework(table.framework).request, &table.request, &variant.request, &own});
}

Json request_for(const FrameworkSet& set, const RequestTable& table, const RequestSet& row) {
  return laid_over(set, {&set.framework(table.framework).request, &table.request, &row.request});
}

Json request_for(const FrameworkSet& set, const AdapterMode& mode, std::int64_t rank) {
  const Json own = {{"method", {{"rank", rank}}}, {"layout", {{"gpus", 1}}}};
  Json request = laid_over(set, {&mode.request, &own});
  request.erase("gpu");
  return request;
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
