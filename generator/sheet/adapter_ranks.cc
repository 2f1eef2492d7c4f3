// SPDX-License-Identifier: Apache-2.0
#include "sheet/adapter_ranks.h"

#include "sheet/asked_row.h"
#include "sizing/adapter_state.h"
#include "sizing/pieces.h"
#include "sizing/run_files.h"
#include "support/parallel.h"

namespace sizesheet {
namespace {

constexpr std::int64_t kRanks[] = {4, 8, 16, 32, 64, 128, 256};

/// The row whose layout the bills stand on: the rent pick's, else the first that is modelled.
const Row* row_of(const Sheet& sheet, const Pick* pick, const std::string& model,
                  const std::string& method) {
  if (pick != nullptr && pick->rent_key) return sheet.find(*pick->rent_key);
  for (const Row& row : sheet.rows) {
    if (row.model == model && row.method == method && row.modelled) return &row;
  }
  return nullptr;
}

std::optional<SheetAdapterRank> of_rank(const AskedRow& again, std::int64_t rank, bool of_pick) {
  const Variation variation{"rank", "", {{"method.rank", rank}}};
  const auto with = varied(again.question, again.chosen, variation);
  if (!with) return std::nullopt;
  const AdapterState state = adapter_state(with->job);
  SheetAdapterRank found;
  found.rank = rank;
  found.trainable = trainable_parameters(with->job);
  found.share = static_cast<double>(found.trainable) /
                static_cast<double>(count_parameters(*again.question.model).total());
  found.weights = state.weights;
  found.gradients = state.gradients;
  found.optimizer = state.optimizer;
  found.file = run_files(with->job, 0, 1).adapter;
  if (of_pick) {
    found.device = with->bill.device;
    found.verdict = with->verdict;
  }
  return found;
}

SheetAdapterRanks adapter_ranks(const Catalog& catalog, const SheetSpec& spec, const Sheet& sheet,
                                const std::string& model, const Method& method) {
  SheetAdapterRanks found;
  found.model = model;
  found.method = method.id;
  const Pick* pick = sheet.pick(model, method.id);
  const Row* row = row_of(sheet, pick, model, method.id);
  if (row == nullptr) return found;
  const bool of_pick = pick != nullptr && pick->rent_key.has_value();
  if (of_pick) found.row_key = row->key();
  const auto again = asked(catalog, spec, cell_of(spec, *row), row->layout.gpus);
  if (!again) return found;
  found.rank = again->chosen.job.adapters.rank;
  for (const std::int64_t rank : kRanks) {
    if (auto one = of_rank(*again, rank, of_pick)) found.ranks.push_back(std::move(*one));
  }
  return found;
}

}  // namespace

void add_adapter_ranks(const Catalog& catalog, const SheetSpec& spec, int jobs, Sheet& sheet) {
  const Method* method = method_of_kind(catalog, spec, "lora");
  if (method == nullptr) return;
  sheet.adapter_ranks.resize(spec.models.size());
  for_each_index(spec.models.size(), jobs, [&](std::size_t i) {
    sheet.adapter_ranks[i] = adapter_ranks(catalog, spec, sheet, spec.models[i].id, *method);
  });
  std::erase_if(sheet.adapter_ranks,
                [](const SheetAdapterRanks& one) { return one.ranks.empty(); });
}

}  // namespace sizesheet
