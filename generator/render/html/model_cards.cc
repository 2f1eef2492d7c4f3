// SPDX-License-Identifier: Apache-2.0
#include "render/html/model_cards.h"

#include "render/html/cells.h"
#include "render/phrases.h"
#include "support/text.h"

namespace sizesheet {

namespace {

bool priced(const Row* row) {
  return row && row->rents[kOnDemand] && row->rents[kOnDemand]->usd_per_run;
}

std::string dollars(const Json& values, const char* name, const char* unit) {
  const std::string text = values[name];
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

std::string own_label(const Row& row) {
  if (!row.own) return "Own";
  const OwnLine& own = *row.own;
  return "Own, " + format_integer(own.nodes) + (own.nodes == 1 ? " node of " : " nodes of ") +
         gpu_count(own.gpus_bought / own.nodes);
}

/// The row of the main scenario with the fewest GPUs on offer that fit; the cheaper run on a tie.
const Row* smallest_row(const Sheet& sheet, const Row& like) {
  const Row* best = nullptr;
  for (const Row& row : sheet.rows) {
    const bool asked = row.model == like.model && row.method == like.method &&
                       row.scenario == like.scenario && row.rentable;
    if (!asked || (best && *row.rentable > *best->rentable)) continue;
    const bool fewer = !best || *row.rentable < *best->rentable;
    const bool cheaper =
        priced(&row) && (!priced(best) ||
                         *row.rents[kOnDemand]->usd_per_run < *best->rents[kOnDemand]->usd_per_run);
    if (fewer || cheaper) best = &row;
  }
  return best;
}

void put_figures(Json& card, const Sheet& sheet, const Row& row) {
  const Row* smallest = smallest_row(sheet, row);
  card["card_smallest"] =
      smallest ? set_up(sheet, smallest->gpu, *smallest->rentable) : std::string(kAbsent);
  Json money;
  put_money(money, row);
  const SheetGpu& gpu = sheet.gpu(row.gpu);
  card["card_setup"] = set_up(sheet, row) + " " + format_number(gpu.memory_gb, 0) + "\u00a0GB";
  card["card_class"] = verdict_class(row);
  card["card_mark"] = verdict_mark(row.verdict);
  card["card_verdict"] = verdict_words(row) + (row.verdict == "tight" ? ": measure first" : "");
  card["card_use"] = format_gib(row.memory.device, 1) + " of " +
                     format_gib(row.memory.capacity, 1) + "\u00a0GiB a GPU";
  card["card_run"] = dollars(money, "run", "");
  card["card_time"] = time_words(row);
  card["card_hourly"] = dollars(money, "hourly", "/h");
  card["card_own_label"] = own_label(row);
  card["card_own"] = dollars(money, "own_month", "/month");
  const std::string even = money["break_even"];
  card["card_even"] = money["break_even_class"] == "known" ? even + "\u00a0h/month" : even;
  card["card_even_class"] = money["break_even_class"];
  card["card_advice"] = money["advice"];
  card["card_advice_class"] = money["advice_class"];
}

}  // namespace

const Row* best_row(const Sheet& sheet, const std::string& model) {
  const Row* best = nullptr;
  for (const SheetMethod& method : sheet.methods) {
    const Row* row = shown_row(sheet, model, method.id);
    if (!row) continue;
    const bool cheaper = priced(row) && (!priced(best) || *row->rents[kOnDemand]->usd_per_run <
                                                              *best->rents[kOnDemand]->usd_per_run);
    if (!best || cheaper) best = row;
  }
  return best;
}

Json card_list(const Sheet& sheet, const std::string& model, const Row* best) {
  Json cards = Json::array();
  for (const SheetMethod& method : sheet.methods) {
    const Row* row = shown_row(sheet, model, method.id);
    const Pick* pick = sheet.pick(model, method.id);
    Json card = {{"card_id", method.id},
                 {"card_method", method.title},
                 {"card_description", method.description},
                 {"card_best", row && row == best && priced(row)},
                 {"card_known", row != nullptr},
                 {"card_why", pick ? pick->rent_why : "not part of this sheet"}};
    if (row) put_figures(card, sheet, *row);
    cards.push_back(card);
  }
  return cards;
}

}  // namespace sizesheet
