// SPDX-License-Identifier: Apache-2.0
#include "render/html/model_what_if.h"

#include <algorithm>
#include <vector>

#include "render/charts.h"
#include "render/html/cells.h"
#include "render/phrases.h"
#include "render/svg/svg_chart.h"
#include "render/what_if_charts.h"
#include "support/text.h"

namespace sizesheet {

namespace {

Json stage_row(const SheetZeroStage& stage, const SheetZeroStage& plain) {
  Json parts = Json::array();
  for (const Segment& segment : five_segments(stage.memory)) {
    parts.push_back({{"part", format_number(segment.value, 1)}});
  }
  Json values = {{"stage_name", stage_words(stage.shard)},
                 {"stage_parts", parts},
                 {"stage_class", stage.verdict},
                 {"stage_mark", verdict_mark(stage.verdict)},
                 {"stage_verdict", stage.verdict}};
  put(values, "stage_total", format_gib(stage.memory.device, 1),
      static_cast<double>(stage.memory.device));
  put_absent(values, "stage_wire");
  put_absent(values, "stage_wire_share");
  put_absent(values, "stage_hours");
  if (stage.wire) put(values, "stage_wire", format_number(*stage.wire / kGiB, 1), *stage.wire);
  if (stage.wire && plain.wire && *plain.wire > 0) {
    const double share = *stage.wire / *plain.wire;
    put(values, "stage_wire_share", format_number(share, 2) + "\u00a0×", share);
  }
  if (stage.hours) put(values, "stage_hours", run_hours(*stage.hours), *stage.hours);
  return values;
}

Json rank_row(const SheetAdapterRanks& adapters, const SheetAdapterRank& rank) {
  Json values = {{"rank_own", rank.rank == adapters.rank},
                 {"rank_name", std::to_string(rank.rank)},
                 {"rank_trainable", format_integer(rank.trainable)},
                 {"rank_class", rank.verdict},
                 {"rank_mark", verdict_mark(rank.verdict)}};
  put(values, "rank_share", format_number(100 * rank.share, 2), rank.share);
  const auto gib_of = [&](const char* name, std::int64_t bytes) {
    put(values, name, format_gib(bytes, 2), static_cast<double>(bytes));
  };
  gib_of("rank_weights", rank.weights);
  gib_of("rank_gradients", rank.gradients);
  gib_of("rank_optimizer", rank.optimizer);
  gib_of("rank_state", state_bytes(rank));
  gib_of("rank_file", rank.file);
  put_absent(values, "rank_device");
  if (rank.device) {
    put(values, "rank_device", format_gib(*rank.device, 1), static_cast<double>(*rank.device));
  }
  return values;
}

template <typename T>
const T* of_model(const std::vector<T>& all, const std::string& model) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const T& one) { return one.model == model; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

void put_zero_stages(Json& values, const Sheet& sheet, const std::string& model) {
  const SheetZeroStages* zero = of_model(sheet.zero_stages, model);
  values["has_zero"] = zero != nullptr;
  if (zero == nullptr) return;
  const Chart chart = zero_stages_chart(sheet, *zero);
  values["zero_svg"] = svg(chart);
  values["zero_conclusion"] = chart.conclusion;
  values["zero_method"] = sentence_case(sheet.method(zero->method).short_title);
  values["zero_setup"] = set_up(sheet, zero->gpu, zero->layout.gpus);
  values["zero_of_pick"] = zero->of_pick;
  Json rows = Json::array();
  for (const SheetZeroStage& stage : zero->stages) {
    rows.push_back(stage_row(stage, zero->stages.front()));
  }
  values["zero_rows"] = rows;
}

void put_adapter_ranks(Json& values, const Sheet& sheet, const std::string& model) {
  const SheetAdapterRanks* adapters = of_model(sheet.adapter_ranks, model);
  values["has_ranks"] = adapters != nullptr;
  if (adapters == nullptr) return;
  const Chart chart = adapter_ranks_chart(sheet, *adapters);
  values["ranks_svg"] = svg(chart);
  values["ranks_conclusion"] = chart.conclusion;
  const Row* row = sheet.find(adapters->row_key);
  values["ranks_of_pick"] = row != nullptr;
  values["ranks_setup"] = row != nullptr ? set_up(sheet, *row) : "";
  Json rows = Json::array();
  for (const SheetAdapterRank& rank : adapters->ranks) rows.push_back(rank_row(*adapters, rank));
  values["rank_rows"] = rows;
}

void put_run_costs(Json& values, const Sheet& sheet, const std::string& model) {
  Json charts = Json::array();
  std::vector<std::string> conclusions;
  for (const SheetMethod& method : sheet.methods) {
    const Chart chart = run_cost_chart(sheet, model, method.id);
    if (chart.conclusion.empty()) continue;
    charts.push_back(
        {{"run_cost_method", sentence_case(method.short_title)}, {"run_cost_svg", svg(chart)}});
    conclusions.push_back(chart.conclusion);
  }
  values["has_run_costs"] = !charts.empty();
  values["run_costs"] = charts;
  values["run_costs_conclusion"] = "Cheapest run: " + join(conclusions, "; ") + ".";
}

}  // namespace sizesheet
