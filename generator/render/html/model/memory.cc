// SPDX-License-Identifier: Apache-2.0
// The page of a model, and the memory of its picks.

#include <algorithm>
#include <vector>

#include "render/charts.h"
#include "render/html/pages.h"
#include "render/html/templates/templates.h"
#include "render/phrases.h"
#include "render/svg/svg.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// The proofs: the best method's in full, the other picks' and every other row's folded.
void put_proofs(Json& values, const Sheet& sheet, const SheetModel& model, const Row* best) {
  Json& first = values["first_proof"] = Json::array();
  Json& picks = values["pick_proofs"] = Json::array();
  Json& others = values["other_proofs"] = Json::array();
  for (const Row& row : sheet.rows) {
    if (row.model != model.id) continue;
    const bool main = sheet.is_main(row);
    const bool pick = main && &row == shown_row(sheet, row.model, row.method);
    (&row == best ? first : pick ? picks : others).push_back(proof_values(sheet, row));
  }
  values["has_first_proof"] = !first.empty();
  values["has_other_proofs"] = !others.empty();
  values["other_proof_count"] = std::to_string(others.size());
}

std::vector<const Row*> picks_of(const Sheet& sheet, const std::string& model) {
  std::vector<const Row*> rows;
  for (const SheetMethod& method : sheet.methods) {
    if (const Row* row = shown_row(sheet, model, method.id)) rows.push_back(row);
  }
  return rows;
}

Json phase_cell(std::int64_t bytes, bool peak) {
  return {{"phase_gib", format_gib(bytes, 1)},
          {"phase_v", std::to_string(bytes)},
          {"phase_peak", peak}};
}

Json phase_row(Phase phase, const std::vector<const Row*>& picks, const Row* best) {
  Json cells = Json::array();
  for (const Row* row : picks) {
    const bool peak = row->memory.peak_phase == name_of(phase);
    cells.push_back(phase_cell(row->memory.phases_step1.in(phase), false));
    cells.push_back(phase_cell(row->memory.phases.in(phase), peak));
  }
  const double bytes = static_cast<double>(
      std::max(best->memory.phases.in(phase), best->memory.phases_step1.in(phase)));
  const double capacity = static_cast<double>(best->memory.capacity);
  return {{"phase_name", phase_words(name_of(phase))},
          {"phase_cells", cells},
          {"phase_bar_svg", svg_cell_bar(bytes / capacity, CellBar::kPlain, 1.0)}};
}

void put_phases(Json& values, const Sheet& sheet, const std::vector<const Row*>& picks,
                const Row* best) {
  Json heads = Json::array();
  for (const Row* row : picks) {
    heads.push_back({{"phase_method", sheet.method(row->method).short_title},
                     {"phase_setup", set_up(sheet, *row)}});
  }
  values["phase_heads"] = heads;
  Json rows = Json::array();
  if (best) {
    for (const Phase phase : kPhases) rows.push_back(phase_row(phase, picks, best));
    values["phase_best"] = sheet.method(best->method).short_title + " on " + set_up(sheet, *best);
    values["phase_peak_name"] = phase_words(best->memory.peak_phase);
  }
  values["phase_rows"] = rows;
  const bool fails = best && best->fewer && !best->fingerprint.empty();
  values["has_fingerprint"] = fails;
  if (fails) {
    values["fingerprint_setup"] = set_up(sheet, best->gpu, best->fewer->gpus);
    values["fingerprint"] = phase_words(best->fingerprint);
  }
}

/// The series of the model's picks; a chart of none of them would be an empty frame.
std::vector<const SequenceSeries*> series_of(const Sheet& sheet, const std::string& model) {
  std::vector<const SequenceSeries*> found;
  for (const SequenceSeries& series : sheet.series) {
    const Row* row = sheet.find(series.row_key);
    if (row && row->model == model && !series.points.empty()) found.push_back(&series);
  }
  return found;
}

Json sequence_row(const Sheet& sheet, const SequenceSeries& series,
                  const std::vector<std::int64_t>& lengths) {
  const Row& row = *sheet.find(series.row_key);
  Json cells = Json::array();
  for (const std::int64_t length : lengths) {
    const SequencePoint* point = entry_with(series.points, &SequencePoint::seq_len, length);
    const bool known = point != nullptr;
    const bool over = known && point->device > series.capacity;
    cells.push_back({{"sequence_gib", known ? format_gib(point->device, 1) : std::string(kAbsent)},
                     {"sequence_over", over}});
  }
  return {{"sequence_method", sheet.method(row.method).short_title},
          {"sequence_setup", set_up(sheet, row)},
          {"sequence_usable", format_gib(series.capacity, 1)},
          {"sequence_cells", cells},
          {"sequence_longest",
           series.longest ? format_integer(*series.longest) : std::string(kAbsent)}};
}

void put_sequences(Json& values, const Sheet& sheet, const std::string& model) {
  const auto series = series_of(sheet, model);
  values["has_sequences"] = !series.empty();
  if (series.empty()) return;
  const Chart chart = memory_by_sequence_chart(sheet, model);
  values["sequence_svg"] = svg(chart);
  values["sequence_conclusion"] = chart.conclusion;
  std::vector<std::int64_t> lengths;
  Json heads = Json::array();
  for (const SequencePoint& point : series.front()->points) {
    lengths.push_back(point.seq_len);
    heads.push_back({{"sequence_length", format_integer(point.seq_len)}});
  }
  values["sequence_heads"] = heads;
  Json rows = Json::array();
  for (const SequenceSeries* one : series) rows.push_back(sequence_row(sheet, *one, lengths));
  values["sequence_rows"] = rows;
}

void put_memory(Json& values, const Sheet& sheet, const std::string& model, const Row* best) {
  const auto picks = picks_of(sheet, model);
  const Chart chart = memory_bill_chart(sheet, model);
  values["has_memory"] = !picks.empty();
  values["memory_svg"] = svg(chart);
  values["memory_conclusion"] = chart.conclusion;
  Json& rows = values["bill_rows"] = Json::array();
  for (const Row* row : picks) {
    rows.push_back(row_json(sheet, *row));
    rows.back()["bill_parts"] = segment_parts(row->memory);
  }
  values["segments"] = Json::array();
  for (const auto& [kind, shade] : kSegments) {
    values["segments"].push_back({{"segment_class", shade},
                                  {"segment_words", segment_words(kind)},
                                  {"segment_title", sentence_case(segment_words(kind))}});
  }
  values["time_rows"] = values["bill_rows"];
  values["has_deadline"] = sheet.options.deadline_hours.has_value();
  put_phases(values, sheet, picks, best);
  put_sequences(values, sheet, model);
}

}  // namespace

Json segment_parts(const MemoryBill& bill) {
  Json parts = Json::array();
  for (const Segment& segment : five_segments(bill)) {
    parts.push_back({{"part", format_number(segment.value, 1)}});
  }
  return parts;
}

Json model_values(const Sheet& sheet, const SheetModel& model) {
  Json values = Json::object();
  const Row* best = best_row(sheet, model.id);
  values["model"] = model.id;
  values["source"] = model.source;
  values["cards"] = card_list(sheet, model.id, best);
  put_memory(values, sheet, model.id, best);
  put_proofs(values, sheet, model, best);
  values["choices"] = choice_list(sheet, model.id, best);
  values["stacks"] = stack_list(sheet, model.id);
  values["has_stacks"] = !values["stacks"].empty();
  put_run_costs(values, sheet, model.id);
  put_levers(values, sheet, model.id, best);
  put_zero_stages(values, sheet, model.id);
  put_adapter_ranks(values, sheet, model.id);
  put_rent_or_buy(values, sheet, model.id, best);
  put_offers(values, sheet, model.id);
  const Scenario& main = sheet.scenarios.front();
  values["scenario_summary"] = main.summary;
  values["scenario_title"] = main.stack_title;
  values["assumption_warnings"] = main.warnings;
  return values;
}

}  // namespace sizesheet
