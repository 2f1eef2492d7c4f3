// SPDX-License-Identifier: Apache-2.0
// The cards at the top of the page, and what else would do.

#include <algorithm>
#include <limits>
#include <vector>

#include "render/html/pages.h"
#include "render/html/templates/templates.h"
#include "render/phrases.h"
#include "render/svg/svg.h"
#include "support/text.h"

namespace sizesheet {
namespace {

std::string dollars(const Json& row, const char* name, const char* unit) {
  const std::string text = words_at(row, name);
  return text == kAbsent ? text : "$" + text + unit;
}

std::string time_words(const Row& row) {
  if (!row.hours_mid) return std::string(kAbsent);
  std::string words = run_hours(row) + "\u00a0h";
  if (row.hours_low && row.hours_high) {
    words += " (" + run_hours(*row.hours_low) + "–" + run_hours(*row.hours_high) + ")";
  }
  return words;
}

std::string own_label(const Sheet& sheet, const Row& row) {
  if (!row.owned) return "Own";
  const OwnPick& own = *row.owned;
  return "Own, " + set_up(sheet, own.gpu, own.gpus + own.unused_gpus);
}

void put_figures(Json& card, const Sheet& sheet, const Row& row) {
  const Row* smallest = smallest_row(sheet, row);
  card["card_smallest"] =
      smallest ? set_up(sheet, smallest->gpu, *smallest->rentable) : std::string(kAbsent);
  const Json money = row_json(sheet, row);
  const SheetGpu& gpu = sheet.gpu(row.gpu);
  card["card_setup"] = set_up(sheet, row) + " " + format_number(gpu.memory_gb, 0) + "\u00a0GB";
  card["card_class"] = row.standing();
  card["card_mark"] = facts_of(row.verdict).mark;
  card["card_verdict"] =
      verdict_words(row) + (row.verdict == Verdict::kTight ? ": measure first" : "");
  card["card_use"] = format_gib(row.memory.device, 1) + " of " +
                     format_gib(row.memory.capacity, 1) + "\u00a0GiB a GPU";
  card["card_run"] = dollars(money, "rent.list|paid_run", "");
  card["card_time"] = time_words(row);
  card["card_hourly"] = dollars(money, "rent.list.usd_per_hour|hourly", "/h");
  card["card_own_label"] = own_label(sheet, row);
  card["card_own"] = dollars(money, "owned.usd_per_month|whole", "/month");
  const std::string even = words_at(money, "owned|from_runs");
  card["card_even_class"] = words_at(money, "owned|from_runs_class");
  card["card_even"] = card["card_even_class"] == "known" ? even + " runs a month" : even;
  card["owned"] = money["owned"];
  card["fastest_stack"] = money["fastest_stack"];
}

constexpr double kShortBar = 64;

Json other_row(const Sheet& sheet, const Row& row, double dearest, bool shown) {
  Json values = row_json(sheet, row);
  values["shown"] = shown;
  values["other_verdict"] = row.modelled ? verdict_words(row) : "not modelled: " + row.refusal;
  values["other_href"] = "#" + proof_id(sheet, row);
  // A row that does not fit is the least bad layout, not a set-up anyone should read as advice.
  const bool has_setup = row.modelled && row.verdict != Verdict::kNo;
  values["other_setup"] = has_setup ? set_up(sheet, row) : sheet.gpu(row.gpu).short_name;
  const double run = to_usd(row.usd_per_run().value_or(MicroUsd{}));
  values["other_bar_svg"] =
      dearest > 0 && run > 0 ? svg_cell_bar(run / dearest, CellBar::kPlain, {}, kShortBar) : "";
  return values;
}

Json other_rows(const Sheet& sheet, const std::vector<const Row*>& rows, const Row* shown) {
  double dearest = 0;
  for (const Row* row : rows) {
    dearest = std::max(dearest, to_usd(row->usd_per_run().value_or(MicroUsd{})));
  }
  Json list = Json::array();
  for (const Row* row : rows) list.push_back(other_row(sheet, *row, dearest, row == shown));
  return list;
}

Json count_row(const Sheet& sheet, const Row& row, const CountCheck& check, double largest) {
  const double device = static_cast<double>(check.device);
  const double capacity = static_cast<double>(row.memory.capacity);
  const CellBar kind = check.verdict == Verdict::kNo ? CellBar::kOver : CellBar::kPlain;
  return {{"count_setup", set_up(sheet, row.gpu, check.gpus)},
          {"count_gib", format_gib(check.device, 1)},
          {"count_v", std::to_string(check.device)},
          {"count_class", check.verdict},
          {"count_mark", facts_of(check.verdict).mark},
          {"count_verdict", verdict_words(check.verdict, check.device, row.memory.capacity)},
          {"count_term", term_words(check.largest_term)},
          {"count_answer", check.gpus == row.layout.gpus},
          {"count_bar_svg", svg_cell_bar(device / largest, kind, capacity / largest, 80)}};
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

void put_counts(Json& values, const Sheet& sheet, const Row* row) {
  Json list = Json::array();
  values["has_counts"] = row != nullptr;
  if (row) {
    double largest = static_cast<double>(row->memory.capacity);
    for (const CountCheck& check : row->counts) {
      largest = std::max(largest, static_cast<double>(check.device));
    }
    for (const CountCheck& check : row->counts) {
      list.push_back(count_row(sheet, *row, check, largest));
    }
    values["counts_gpu"] = sheet.gpu(row->gpu).short_name;
    values["counts_words"] = fewer_words(sheet, *row);
    values["counts_binding"] = as_sentence(row->binding);
  }
  values["count_rows"] = list;
}

std::string verdict_there(const Sheet& sheet, const Row& row) {
  return (row.modelled ? set_up(sheet, row) + ": " : "") + verdict_words(row);
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

}  // namespace

Json card_list(const Sheet& sheet, const std::string& model, const Row* best) {
  Json cards = Json::array();
  for (const SheetMethod& method : sheet.methods) {
    const Row* row = shown_row(sheet, model, method.id);
    const Pick* pick = sheet.pick(model, method.id);
    Json card = {{"card_id", method.id},
                 {"card_method", method.title},
                 {"card_description", method.description},
                 {"card_best", row && row == best && row->usd_per_run()},
                 {"card_known", row != nullptr},
                 {"card_why", pick ? pick->rent_why : "not part of this sheet"}};
    if (row) put_figures(card, sheet, *row);
    cards.push_back(card);
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
    Json block = {{"choice_method", method.short_title},
                  {"choice_method_id", method.id},
                  {"other_rows", other_rows(sheet, rows, shown)}};
    put_counts(block, sheet, shown);
    const bool open = best ? shown == best : first.empty();
    (open ? first : rest).push_back(std::move(block));
  }
  Json choices = Json::object();
  choices["first_choice"] = std::move(first);
  choices["rest_choices"] = std::move(rest);
  return choices;
}

Json stack_list(const Sheet& sheet, const std::string& model) {
  Json list = Json::array();
  for (const Row& row : sheet.rows) {
    if (row.model != model || sheet.is_main(row)) continue;
    const Row* here = sheet.main_row(row.model, row.method, row.gpu);
    Json values = row_json(sheet, row);
    values["stack_verdict"] = verdict_there(sheet, row);
    values["stack_here"] = here ? verdict_there(sheet, *here) : std::string(kAbsent);
    values["stack_why"] = why(sheet, row, here);
    values["stack_href"] = "#" + proof_id(sheet, row);
    list.push_back(std::move(values));
  }
  return list;
}

}  // namespace sizesheet
