// SPDX-License-Identifier: Apache-2.0
#include "sheet/framework_tables.h"

#include <cmath>

#include "sheet/framework_requests.h"
#include "sizing/binding.h"
#include "sizing/estimate.h"
#include "sizing/pieces.h"

namespace sizesheet {
namespace {

constexpr std::int64_t kLargestMicroBatch = 1024;

std::int64_t nodes_of(const Catalog& catalog, const FrameworkSet& set, std::int64_t gpus) {
  const std::int64_t per_node = catalog.gpu(set.gpu).gpus_per_node;
  return (gpus + per_node - 1) / per_node;
}

Sizing sized(const Catalog& catalog, const FrameworkSet& set, const Json& request) {
  return answer(understood(catalog, set, request));
}

/// The largest power of two, from 1 up to the first that does not fit.
std::optional<std::int64_t> largest_micro_batch(const Catalog& catalog, const FrameworkSet& set,
                                                const RequestSet& variant,
                                                const SequenceStep& step) {
  std::optional<std::int64_t> largest;
  for (std::int64_t batch = 1; batch <= kLargestMicroBatch; batch *= 2) {
    const Question question = understood(catalog, set, request_for(set, variant, step, batch));
    const auto candidate = best_layout(question, step.gpus);
    if (!candidate || candidate->verdict != "fits") break;
    largest = batch;
  }
  return largest;
}

SheetSequenceRow sequence_row(const Catalog& catalog, const FrameworkSet& set,
                              const RequestSet& variant, const SequenceStep& step) {
  const Sizing sizing = sized(catalog, set, request_for(set, variant, step, 1));
  const Candidate& chosen = sizing.plan.chosen;
  const double kept = memory_pieces<double>(chosen.job, chosen.worst_stage()).kept;
  SheetSequenceRow row;
  row.seq_len = step.seq_len;
  row.layout = shape_of(chosen.job);
  row.nodes = nodes_of(catalog, set, row.layout.gpus);
  row.kept = std::llround(kept);
  row.device = chosen.bill.device;
  row.capacity = chosen.bill.capacity;
  row.verdict = chosen.verdict;
  row.largest_micro_batch = largest_micro_batch(catalog, set, variant, step);
  row.bound = row.kept > chosen.bill.weights ? "activations" : "weights";
  row.printed_activations_gb = step.printed_activations_gb;
  row.printed_total_gb = step.printed_total_gb;
  return row;
}

SheetFrameworkRow framework_row(const Catalog& catalog, const FrameworkSet& set,
                                const FrameworkQuestion& question) {
  const Question asked = understood(catalog, set, request_for(set, question));
  const Sizing sizing = answer(asked);
  const Candidate& chosen = sizing.plan.chosen;
  SheetFrameworkRow row;
  row.id = question.id;
  row.framework = question.framework;
  row.title = question.title;
  row.evidence = question.evidence;
  row.recipe = question.recipe;
  row.words = question.words;
  row.seq_len = chosen.job.seq_len;
  row.micro_batch = chosen.job.micro_batch;
  row.layout = shape_of(chosen.job);
  row.nodes = nodes_of(catalog, set, row.layout.gpus);
  row.trainable = sizing.trainable;
  row.device = chosen.bill.device;
  row.capacity = chosen.bill.capacity;
  row.verdict = chosen.verdict;
  row.binding = binding_words(asked, sizing.plan);
  return row;
}

SheetFrameworkSet framework_tables(const Catalog& catalog, const FrameworkSet& set) {
  const Model& model = catalog.model(set.model);
  SheetFrameworkSet out;
  out.id = set.id;
  out.title = set.title;
  out.words = set.words;
  out.model = set.model;
  out.model_title = model.title;
  out.gpu = set.gpu;
  out.gpu_name = catalog.gpu(set.gpu).name;
  out.source = set.source;
  out.date = set.date;
  out.evidence = "computed";
  out.frameworks = set.frameworks;
  out.recipes = set.recipes;
  add_framework_rows(catalog, set, out);
  add_sequences(catalog, set, out);
  add_comparison(catalog, set, out);
  add_components(model.architecture, out);
  add_adapters(catalog, set, out);
  add_layers(catalog, set, out);
  return out;
}

}  // namespace

void add_framework_rows(const Catalog& catalog, const FrameworkSet& set, SheetFrameworkSet& out) {
  for (const FrameworkQuestion& question : set.questions) {
    out.rows.push_back(framework_row(catalog, set, question));
  }
}

void add_sequences(const Catalog& catalog, const FrameworkSet& set, SheetFrameworkSet& out) {
  const SequenceTable& table = set.sequences;
  out.sequences = {table.framework, table.evidence, table.words, {}};
  for (const RequestSet& variant : table.sets) {
    SheetSequenceSet& rows = out.sequences.sets.emplace_back();
    rows.id = variant.id;
    rows.title = variant.title;
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

void add_frameworks(const Catalog& catalog, Sheet& sheet) {
  for (const auto& [unused, set] : catalog.frameworks) {
    sheet.frameworks.push_back(framework_tables(catalog, set));
  }
}

}  // namespace sizesheet
