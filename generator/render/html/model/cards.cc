// SPDX-License-Identifier: Apache-2.0
// The cards at the top of the page, and what else would do.

#include <algorithm>
#include <vector>

#include "render/html/pages.h"
#include "support/text.h"

namespace sizesheet {
namespace {

Json other_rows(const Sheet& sheet, const std::vector<const Row*>& rows, const Row* shown) {
  Json list = Json::array();
  for (const Row* row : rows) {
    Json& values = list.emplace_back(row_json(sheet, *row));
    values["shown"] = row == shown;
    // A row that does not fit is the least bad layout, not a set-up anyone should read as advice.
    const bool has_setup = row->modelled && row->verdict != Verdict::kNo;
    values["other_setup"] = has_setup ? set_up(sheet, *row) : sheet.gpu(row->gpu).short_name;
  }
  return list;
}

Json count_row(const Row& row, const CountCheck& check, double largest) {
  const double capacity = static_cast<double>(row.memory.capacity);
  const CellBar kind = check.verdict == Verdict::kNo ? CellBar::kOver : CellBar::kPlain;
  Json values = written(check);
  values["capacity"] = row.memory.capacity;
  values["answer"] = check.gpus == row.layout.gpus;
  values["bar_svg"] =
      svg_cell_bar(static_cast<double>(check.device) / largest, kind, capacity / largest, 80);
  return values;
}

std::string fewer_words(const Sheet& sheet, const Row& row) {
  if (!row.fewer) {
    return row.layout.gpus == 1 ? "One GPU is the least there is."
                                : "No smaller count is on offer.";
  }
  const CountCheck& fewer = *row.fewer;
  std::string words = "On " + set_up(sheet, row.gpu, fewer.gpus) + " it needs " +
                      format_gib(fewer.device, 1) + "\u00a0GiB a GPU, most of it " +
                      term_words(fewer.largest_term) + ": " +
                      verdict_words(fewer.verdict, fewer.device, row.memory.capacity) + ".";
  if (row.by_memory && *row.by_memory < row.layout.gpus) {
    words += " By memory alone " + format_integer(*row.by_memory) +
             " would hold it; the next count on offer with headroom is " +
             format_integer(row.layout.gpus) + ".";
  }
  return words;
}

/// With a capital first and a full stop last; "" stays "".
std::string as_sentence(const std::string& words) {
  if (words.empty() || words.back() == '.') return sentence_case(words);
  return sentence_case(words) + ".";
}

Json counts_of(const Sheet& sheet, const Row& row) {
  double largest = static_cast<double>(row.memory.capacity);
  for (const CountCheck& check : row.counts) {
    largest = std::max(largest, static_cast<double>(check.device));
  }
  Json rows = Json::array();
  for (const CountCheck& check : row.counts) rows.push_back(count_row(row, check, largest));
  return {{"gpu", row.gpu},
          {"words", fewer_words(sheet, row)},
          {"binding", as_sentence(row.binding)},
          {"rows", rows}};
}

/// Why the other stack's count differs, where the page's own stack fails on that very count; else
/// what binds there.
std::string why(const Sheet& sheet, const Row& there, const Row* here) {
  if (!there.modelled) return as_sentence(there.refusal);
  const bool same_count = here && here->fewer && here->fewer->gpus == there.layout.gpus;
  if (!same_count) return as_sentence(there.binding);
  const std::string over = here->fewer->over > 0 ? ", over by " + format_gib(here->fewer->over, 1)
                                                 : ", without headroom";
  return set_up(sheet, there) + ": " + format_gib(there.memory.device, 1) + " GiB there, " +
         format_gib(here->fewer->device, 1) + " here of " + format_gib(here->memory.capacity, 1) +
         " usable" + over + "; here most goes to " + term_words(here->fewer->largest_term) + ".";
}

/// "24 × H100, +12 %"; "" without one.
std::string next_words(const Sheet& sheet, const Pick* pick) {
  const RunCandidate* next = pick != nullptr ? runner_up_of(sheet, *pick) : nullptr;
  if (next == nullptr) return "";
  return set_up(sheet, next->gpu, next->gpus) + ", " + away_words(pick->runner_up->usd_high_share);
}

}  // namespace

Json card_list(const Sheet& sheet, const std::string& model, const Row* best) {
  Json cards = Json::array();
  for (const SheetMethod& method : sheet.methods) {
    const Row* row = shown_row(sheet, model, method.id);
    const Pick* pick = sheet.pick(model, method.id);
    Json card = row ? row_json(sheet, *row) : Json{{"method", method.id}};
    card["known"] = row != nullptr;
    card["best"] = row && row == best && row->usd_per_run();
    card["why"] = pick ? pick->rent_why : "not part of this sheet";
    if (row) {
      card["one_seller"] = pick != nullptr && pick->exposed;
      card["next"] = next_words(sheet, pick);
      const Row* smallest = smallest_row(sheet, *row);
      card["smallest"] = smallest ? set_up(sheet, smallest->gpu, *smallest->rentable) : "";
      card["tight"] = row->verdict == Verdict::kTight;
      const auto& own = row->owned;
      card["owned_on"] = own ? set_up(sheet, own->gpu, own->gpus + own->unused_gpus) : "";
    }
    cards.push_back(std::move(card));
  }
  return cards;
}

Json choice_list(const Sheet& sheet, const std::string& model, const Row* best) {
  Json first = Json::array();
  Json rest = Json::array();
  for (const SheetMethod& method : sheet.methods) {
    const Row* shown = shown_row(sheet, model, method.id);
    const auto rows = rows_by_price(sheet, model, method.id);
    if (rows.empty()) continue;
    Json block = {{"choice", method.id},
                  {"title", method.short_title},
                  {"other_rows", other_rows(sheet, rows, shown)},
                  {"set_ups", Json::array()},
                  {"counts", shown ? counts_of(sheet, *shown) : Json()}};
    for (const Row* row : rows) {
      for (const RunCandidate& run : row->candidates) block["set_ups"].push_back(written(run));
    }
    const bool open = best ? shown == best : first.empty();
    (open ? first : rest).push_back(std::move(block));
  }
  return {{"first", std::move(first)}, {"rest", std::move(rest)}};
}

Json stack_list(const Sheet& sheet, const std::string& model) {
  Json list = Json::array();
  for (const Row& row : sheet.rows) {
    if (row.model != model || sheet.is_main(row)) continue;
    const Row* here = sheet.main_row(row.model, row.method, row.gpu);
    Json values = row_json(sheet, row);
    values["here"] = here ? row_json(sheet, *here) : Json();
    values["why"] = why(sheet, row, here);
    list.push_back(std::move(values));
  }
  return list;
}

void put_choice_charts(Json& values, const Sheet& sheet, const std::string& model) {
  Json charts = Json::array();
  for (const SheetMethod& method : sheet.methods) {
    const Row* row = rent_pick_row(sheet, model, method.id);
    if (row == nullptr) continue;
    const Chart chart = hours_against_usd_chart(sheet, *row);
    charts.push_back({{"chart_method", sentence_case(method.short_title)},
                      {"chart_words", chart.conclusion},
                      {"chart_svg", svg(chart)}});
  }
  values["choice_charts"] = std::move(charts);
}

}  // namespace sizesheet
