// SPDX-License-Identifier: Apache-2.0
// The charts of what choices cost.

#include <algorithm>

#include "render/charts.h"
#include "render/phrases.h"
#include "support/text.h"

namespace sizesheet {
namespace {

std::string gib_words(std::int64_t bytes, int decimals = 1) {
  return format_gib(bytes, decimals) + "\u00a0GiB";
}

StackedBar stage_bar(const SheetZeroStage& stage, const std::string& setup) {
  StackedBar bar;
  bar.label = stage_words(stage.shard);
  bar.sublabel = setup;
  bar.segments = five_segments(stage.memory);
  bar.total = gib(stage.memory.device);
  bar.limit = gib(stage.memory.capacity);
  return bar;
}

/// "ZeRO-3 is the first stage that fits on 8 × H100: 61.2 GiB a GPU, where DDP needs 1,051.3."
std::string stages_conclusion(const SheetZeroStages& zero, const std::string& setup) {
  const SheetZeroStage& plain = zero.stages.front();
  const auto fits =
      std::find_if(zero.stages.begin(), zero.stages.end(),
                   [](const SheetZeroStage& stage) { return stage.verdict == Verdict::kFits; });
  if (fits == zero.stages.end()) {
    const SheetZeroStage& last = zero.stages.back();
    return "No stage fits on " + setup + ": even " + stage_words(last.shard) + " needs " +
           gib_words(last.memory.device) + " a GPU.";
  }
  const std::string needs = gib_words(fits->memory.device) + " a GPU";
  if (fits == zero.stages.begin()) {
    return stage_words(fits->shard) + " fits on " + setup + " already: " + needs + ".";
  }
  return stage_words(fits->shard) + " is the first stage that fits on " + setup + ": " + needs +
         ", where " + stage_words(plain.shard) + " needs " + format_gib(plain.memory.device, 1) +
         ".";
}

std::string rank_name(std::int64_t rank) { return "rank " + std::to_string(rank); }

std::string rank_sentence(const SheetAdapterRank& rank) {
  return rank_name(rank.rank) + " trains " + format_number(100 * rank.share, 2) +
         "\u00a0% of the model in " + gib_words(state_bytes(rank), 2);
}

std::string ranks_conclusion(const SheetAdapterRanks& adapters) {
  const auto* own = entry_with(adapters.ranks, &SheetAdapterRank::rank, adapters.rank);
  const SheetAdapterRank& last = adapters.ranks.back();
  if (own == nullptr) own = &adapters.ranks.front();
  const std::string first = sentence_case(rank_sentence(*own));
  return own->rank == last.rank ? first + "." : first + ", " + rank_sentence(last) + ".";
}

}  // namespace

std::string stage_words(const std::string& shard) {
  if (shard == "none") return "DDP";
  return starts_with(shard, "zero") ? "ZeRO-" + shard.substr(4) : shard;
}

Chart zero_stages_chart(const Sheet& sheet, const SheetZeroStages& zero) {
  const std::string setup = set_up(sheet, zero.gpu, zero.layout.gpus);
  StackedBars body;
  body.axis.unit = "GiB";
  std::vector<std::string> sentences;
  for (const SheetZeroStage& stage : zero.stages) {
    body.bars.push_back(stage_bar(stage, setup));
    const std::int64_t over = stage.memory.device - stage.memory.capacity;
    sentences.push_back(stage_words(stage.shard) + " " + gib_words(stage.memory.device) + ", " +
                        (over > 0 ? "over by " + format_gib(over, 1) : id_of(stage.verdict)));
    body.axis.high = std::max({body.axis.high, body.bars.back().total, body.bars.back().limit});
  }
  body.axis.ticks = nice_ticks(body.axis.high);
  return {"zero-stages", sheet.model(zero.model).title + ": memory per GPU by stage of ZeRO, GiB",
          stages_conclusion(zero, setup),
          "Full fine-tuning on " + setup + ", GiB a GPU of " +
              gib_words(zero.stages.front().memory.capacity) + " usable: " + join(sentences, "; ") +
              ".",
          std::move(body)};
}

std::int64_t state_bytes(const SheetAdapterRank& rank) {
  return rank.weights + rank.gradients + rank.optimizer;
}

Chart adapter_ranks_chart(const Sheet& sheet, const SheetAdapterRanks& adapters) {
  AmountBars body;
  std::vector<std::string> sentences;
  for (const SheetAdapterRank& rank : adapters.ranks) {
    const std::int64_t bytes = state_bytes(rank);
    body.bars.push_back(
        {rank_name(rank.rank), gib(bytes), gib_words(bytes, 2), rank.rank == adapters.rank});
    sentences.push_back(rank_sentence(rank));
  }
  return {"adapter-ranks",
          sheet.model(adapters.model).title +
              ": adapter weights, gradients and optimizer states by rank, GiB",
          ranks_conclusion(adapters), sentence_case(join(sentences, "; ")) + ".", std::move(body)};
}

Chart run_cost_chart(const Sheet& sheet, const std::string& model, const std::string& method) {
  std::vector<const Row*> rows = rows_by_price(sheet, model, method);
  std::erase_if(
      rows, [](const Row* row) { return row->verdict != Verdict::kFits || !row->usd_per_run(); });
  const Row* pick = rent_pick_row(sheet, model, method);
  AmountBars body;
  std::vector<std::string> sentences;
  for (const Row* row : rows) {
    const std::string usd = "$" + run_usd(*row->usd_per_run());
    body.bars.push_back({set_up(sheet, *row), to_usd(*row->usd_per_run()),
                         row == pick ? usd + " lowest" : usd, row == pick});
    sentences.push_back(set_up(sheet, *row) + " " + usd);
  }
  const std::string& title = sheet.method(method).short_title;
  std::string conclusion;
  if (pick != nullptr && pick->usd_per_run() && !rows.empty()) {
    conclusion = title + " on " + set_up(sheet, *pick) + " for $" + run_usd(*pick->usd_per_run());
    if (rows.size() > 1) conclusion += ", dearest $" + run_usd(*rows.back()->usd_per_run());
  }
  return {"run-cost-" + method,
          sheet.model(model).title + ", " + title + ": rent of a run by GPU type, $", conclusion,
          rows.empty() ? "No GPU type fits and has a price."
                       : "Rent of a run, cheapest first: " + join(sentences, ", ") + ".",
          std::move(body)};
}

}  // namespace sizesheet
