// SPDX-License-Identifier: Apache-2.0
// The page of a model: the memory of its picks, rent or buy, and where they can be rented.

#include <algorithm>
#include <map>
#include <vector>

#include "render/html/pages.h"
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

Json phase_row(Phase phase, const std::vector<const Row*>& picks, const Row* best) {
  Json cells = Json::array();
  for (const Row* row : picks) {
    const bool peak = row->memory.peak_phase == name_of(phase);
    cells.push_back({{"bytes", row->memory.phases_step1.in(phase)}, {"peak", false}});
    cells.push_back({{"bytes", row->memory.phases.in(phase)}, {"peak", peak}});
  }
  const double bytes = static_cast<double>(
      std::max(best->memory.phases.in(phase), best->memory.phases_step1.in(phase)));
  const double capacity = static_cast<double>(best->memory.capacity);
  return {{"phase", name_of(phase)},
          {"cells", cells},
          {"bar_svg", svg_cell_bar(bytes / capacity, CellBar::kPlain, 1.0)}};
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
                  const std::vector<SequencePoint>& lengths) {
  const Row& row = *sheet.find(series.row_key);
  Json values = written(series);
  values["method"] = row.method;
  values["set_up"] = set_up(sheet, row);
  values["cells"] = Json::array();
  for (const SequencePoint& at : lengths) {
    const auto* point = entry_with(series.points, &SequencePoint::seq_len, at.seq_len);
    Json cell = written(point ? *point : SequencePoint{});
    if (!point) cell["device"] = nullptr;
    cell["over"] = point && point->device > series.capacity;
    values["cells"].push_back(std::move(cell));
  }
  return values;
}

void put_sequences(Json& values, const Sheet& sheet, const std::string& model) {
  const auto series = series_of(sheet, model);
  values["has_sequences"] = !series.empty();
  if (series.empty()) return;
  const Chart chart = memory_by_sequence_chart(sheet, model);
  values["sequence_svg"] = svg(chart);
  values["sequence_conclusion"] = chart.conclusion;
  Json rows = Json::array();
  for (const SequenceSeries* one : series) {
    rows.push_back(sequence_row(sheet, *one, series.front()->points));
  }
  values["sequence_rows"] = rows;
  values["sequence_heads"] = rows.front().at("points");
}

void put_memory(Json& values, const Sheet& sheet, const std::string& model, const Row* best) {
  const auto picks = shown_rows(sheet, model);
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
  values["best"] = best ? row_json(sheet, *best) : Json();
  values["phase_rows"] = Json::array();
  if (best) {
    for (const Phase phase : kPhases) values["phase_rows"].push_back(phase_row(phase, picks, best));
  }
  put_sequences(values, sheet, model);
}

/// The row whose chart says most: the first pick that breaks even, else the best.
const Row* charted(const std::vector<const Row*>& rows, const Row* best) {
  for (const Row* row : rows) {
    if (row->own && row->own->break_even_hours_per_month) return row;
  }
  return best && (best->own || best->rents[kOnDemand]) ? best : nullptr;
}

/// What each row pays in a tier, a line a tier.
Json tier_lines(const std::vector<Json>& rows) {
  Json lines = Json::array();
  for (const RentTier& tier : kRentTiers) {
    const std::string note = *tier.note == '\0' ? "" : std::string(", ") + tier.note;
    const std::string rent = std::string("rent.") + tier.name;
    Json texts = Json::array();
    for (const Json& row : rows) {
      texts.push_back(
          words_at(row, rent + (tier.by_month() ? ".usd_per_month|whole" : "|run_or_range")));
    }
    lines.push_back({{"label", tier.title + (tier.by_month() ? ", $/month" : ", $/run" + note)},
                     {"texts", texts}});
  }
  return lines;
}

/// By hours of use, what each row's month comes to; null where nothing compares.
Json use_lines(const Sheet& sheet, const std::vector<const Row*>& rows) {
  std::map<double, std::vector<Json>> months;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const UseOfRow* use = sheet.ownership ? use_of(*sheet.ownership, *rows[i]) : nullptr;
    if (use == nullptr) continue;
    for (const MonthOfUse& month : use->months) {
      auto& line = months[month.hours];
      line.resize(rows.size());
      if (month.advice && month.rent_usd_per_month) line[i] = written(month);
    }
  }
  Json lines = Json::array();
  for (const auto& [hours, line] : months) lines.push_back({{"hours", hours}, {"months", line}});
  return lines;
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
  put_choice_charts(values, sheet, model.id);
  put_levers(values, sheet, model.id, best);
  put_zero_stages(values, sheet, model.id);
  put_adapter_ranks(values, sheet, model.id);
  put_rent_or_buy(values, sheet, model.id, best);
  put_offers(values, sheet, model.id);
  return values;
}

void put_rent_or_buy(Json& values, const Sheet& sheet, const std::string& model, const Row* best) {
  const std::vector<const Row*> rows = shown_rows(sheet, model);
  std::vector<Json> written_rows;
  for (const Row* row : rows) written_rows.push_back(row_json(sheet, *row));
  const Row* row = charted(rows, best);
  values["has_rent_or_buy"] = row != nullptr;
  values["money_rows"] = written_rows;
  values["tier_lines"] = tier_lines(written_rows);
  values["use_lines"] = use_lines(sheet, rows);
  if (!row) return;
  const Chart chart = rent_or_own_chart(sheet, *row);
  values["rent_or_buy_svg"] = svg(chart);
  values["rent_or_buy_conclusion"] = chart.conclusion;
}

void put_offers(Json& values, const Sheet& sheet, const std::string& model) {
  Json tables = Json::array();
  Json files = Json::array();
  Json hours = Json::array();
  for (const Row* row : shown_rows(sheet, model)) {
    const std::string& method = sheet.method(row->method).short_title;
    const RowOffers* all = entry_with(sheet.offers, &RowOffers::row_key, row->key());
    if (all != nullptr && !all->offers.empty()) {
      tables.push_back({{"offers_method", method},
                        {"offers_setup", set_up(sheet, *row)},
                        {"offers", written(*all).at("offers")}});
    }
    if (row->files) files.push_back(row_json(sheet, *row));
    const Pick* pick = sheet.pick(model, row->method);
    if (pick != nullptr && !pick->hourly_why.empty()) {
      hours.push_back({{"dearer_method", method}, {"dearer_words", pick->hourly_why}});
    }
  }
  values["first_offers"] = Json::array();
  values["rest_offers"] = Json::array();
  for (std::size_t i = 0; i < tables.size(); ++i) {
    values[i == 0 ? "first_offers" : "rest_offers"].push_back(tables[i]);
  }
  values["has_offers"] = !tables.empty();
  values["file_rows"] = files;
  values["dearer_hours"] = hours;
}

}  // namespace sizesheet
