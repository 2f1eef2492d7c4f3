// SPDX-License-Identifier: Apache-2.0
#include "sheet/zero_stages.h"

#include <algorithm>

#include "sheet/asked_row.h"
#include "sizing/estimate.h"
#include "sizing/exchange.h"
#include "support/parallel.h"

namespace sizesheet {
namespace {

/// Largest count on offer inside a node.
std::int64_t node_count(const SheetGpu& gpu) {
  std::int64_t most = 1;
  for (const std::int64_t count : gpu.counts) {
    if (count <= gpu.gpus_per_node) most = std::max(most, count);
  }
  return most;
}

const SheetGpu* server_card(const Sheet& sheet) {
  for (const SheetGpu& gpu : sheet.gpus) {
    if (!gpu.counts.empty() && gpu.counts.back() > gpu.gpus_per_node) return &gpu;
  }
  return nullptr;
}

bool has_replicas(const Row& row) { return row.layout.dp * row.layout.cp > 1; }

/// Dimensions of the layout as keys of a request, but for how its state is sharded.
Variation dimensions(const LayoutShape& layout) {
  return {"zero",
          "",
          {{"layout.gpus", layout.gpus},
           {"layout.dp", layout.dp},
           {"layout.tp", layout.tp},
           {"layout.pp", layout.pp},
           {"layout.cp", layout.cp}}};
}

void add_stages(const AskedRow& again, SheetZeroStages& found) {
  for (const char* shard : {"none", "zero1", "zero2", "zero3"}) {
    Variation variation = dimensions(found.layout);
    variation.keys.emplace_back("layout.shard", shard);
    const auto with = varied(again.question, again.chosen, variation);
    if (!with) continue;
    SheetZeroStage stage{shard, with->bill, with->verdict, {}, {}};
    stage.wire = data_parallel_bytes(with->job);
    if (with->verdict != "no") stage.hours = mid_hours(again.question, with->job);
    found.stages.push_back(std::move(stage));
  }
}

/// Without stages where the model has no layout that could be sharded.
SheetZeroStages zero_stages(const Catalog& catalog, const SheetSpec& spec, const Sheet& sheet,
                            const std::string& model, const std::string& method) {
  SheetZeroStages found;
  found.model = model;
  found.method = method;
  const Pick* pick = sheet.pick(model, method);
  const Row* row = pick != nullptr && pick->rent_key ? sheet.find(*pick->rent_key) : nullptr;
  const SheetGpu* gpu = row != nullptr ? &sheet.gpu(row->gpu) : server_card(sheet);
  if (gpu == nullptr) return found;
  found.gpu = gpu->id;
  found.of_pick = row != nullptr && has_replicas(*row);
  const std::int64_t gpus = found.of_pick ? row->layout.gpus : node_count(*gpu);
  const auto cell = main_cell(spec, model, method, gpu->id);
  if (!cell || gpus == 1) return found;
  const auto again = asked(catalog, spec, *cell, gpus);
  if (!again) return found;
  found.layout = shape_of(again->chosen.job);
  if (!found.of_pick) {
    found.layout.dp = gpus;
    found.layout.tp = found.layout.pp = found.layout.cp = 1;
  }
  add_stages(*again, found);
  return found;
}

}  // namespace

void add_zero_stages(const Catalog& catalog, const SheetSpec& spec, int jobs, Sheet& sheet) {
  const Method* method = method_of_kind(catalog, spec, "full");
  if (method == nullptr) return;
  sheet.zero_stages.resize(spec.models.size());
  for_each_index(spec.models.size(), jobs, [&](std::size_t i) {
    sheet.zero_stages[i] = zero_stages(catalog, spec, sheet, spec.models[i].id, method->id);
  });
  std::erase_if(sheet.zero_stages, [](const SheetZeroStages& one) { return one.stages.empty(); });
}

}  // namespace sizesheet
