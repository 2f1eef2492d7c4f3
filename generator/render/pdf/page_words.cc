// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/page_words.h"

#include <cmath>
#include <optional>
#include <set>

#include "render/pdf/handout.h"
#include "render/pdf/table_text.h"
#include "render/phrases.h"
#include "sheet/scope.h"
#include "support/text.h"

namespace sizesheet::pdf {

namespace {

/// "500 million", "1.5 billion", "800,000".
std::string count_words(std::int64_t count) {
  const auto as = [&](std::int64_t unit, const char* word) {
    const bool whole = count % unit == 0;
    return format_number(static_cast<double>(count) / static_cast<double>(unit), whole ? 0 : 1) +
           " " + word;
  };
  if (count >= 1'000'000'000 && count % 100'000'000 == 0) return as(1'000'000'000, "billion");
  if (count >= 1'000'000 && count % 100'000 == 0) return as(1'000'000, "million");
  return format_integer(count);
}

std::string ratio(std::int64_t part, std::int64_t whole) {
  return format_number(static_cast<double>(part) / static_cast<double>(whole), 2);
}

std::string hours(double value) { return month_hours(value) + "\u00a0h"; }

/// "at the planned 400 h, renting saves $4,984 a month"; "" when it cannot be said.
std::string saving_words(const Sheet& sheet, const Row& row) {
  const double planned = sheet.options.planned_hours_per_month;
  if (planned <= 0) return "";
  const MicroUsd rented =
      scaled(row.rents[kOnDemand]->usd_per_hour, std::llround(planned * 10'000), 10'000);
  const MicroUsd owned = row.own->own_usd_per_month;
  const MicroUsd saved = owned < rented ? rented - owned : owned - rented;
  return "at the planned " + hours(planned) + ", " + (owned < rented ? "owning" : "renting") +
         " saves $" + whole_usd(saved);
}

const SheetEstimate* rate(const Sheet& sheet, const std::string& id) {
  for (const SheetEstimate& estimate : sheet.rates) {
    if (estimate.id == id) return &estimate;
  }
  return nullptr;
}

std::string own_assumptions(const Sheet& sheet) {
  std::string words = "Own: whole nodes";
  if (const SheetEstimate* life = rate(sheet, "life-years")) {
    words += ", " + format_number(life->typical, 0) + " years";
  }
  if (const SheetEstimate* capital = rate(sheet, "cost-of-capital")) {
    words += ", " + format_number(100 * capital->typical, 0) + "\u00a0% cost of capital";
  }
  std::vector<std::string> costs = {"power", "space"};
  for (const std::string& cost : running_costs(sheet)) costs.push_back(cost);
  return words + ", " + joined_words(costs) + ".";
}

Note assumptions(const Sheet& sheet) {
  Note note{"Assumptions", {}, ""};
  if (!sheet.scenarios.empty()) note.sentences.push_back(sheet.scenarios.front().summary);
  note.sentences.push_back("Memory is the pick's peak.");
  note.sentences.push_back("Rent: lowest on-demand " + join(sheet.options.price_offers, " or ") +
                           (sheet.options.price_offers.empty() ? "price" : " price") +
                           "; several nodes only where sold whole.");
  if (table_text(sheet).larger) {
    note.sentences.push_back(std::string(kLargerMark) + " is of a larger instance, paid whole.");
  }
  note.sentences.push_back(own_assumptions(sheet));
  return note;
}

Note headroom_rule(const Sheet& sheet) {
  return {"Headroom rule",
          {"A count fits when peak memory ×\u00a0" + format_number(1 + sheet.options.headroom, 2) +
               " is at most what the driver reports as usable.",
           "One that holds only without that margin is marked tight."},
          ""};
}

/// "4.0 %, 59 rows (held out: 2.8 %, 15)".
std::string error_words(const ErrorStats& all, const std::optional<ErrorStats>& held_out) {
  std::string words = share_words(all.median) + ", " + format_integer(all.n) + " rows";
  if (held_out) {
    words +=
        " (held out: " + share_words(held_out->median) + ", " + format_integer(held_out->n) + ")";
  }
  return words + ".";
}

/// The range of the row the panels show; "" when none is known.
std::string range_words(const Sheet& sheet) {
  const SheetModel& model = shown_model(sheet);
  const Row* row = shown_pick(sheet, model.id);
  if (!row || row->device_low <= 0 || row->device_high <= 0 || row->memory.device <= 0) return "";
  std::string words = model.size + " " + sheet.method(row->method).short_title +
                      ", nine in ten: memory ×\u00a0" + ratio(row->device_low, row->memory.device) +
                      " to " + ratio(row->device_high, row->memory.device) + " (grade " +
                      row->confidence + " of A to C)";
  if (row->hours_low && row->hours_high) {
    words += ", " + run_hours(*row->hours_low) + " to " + run_hours(*row->hours_high) + "\u00a0h";
  }
  return words + ".";
}

Note accuracy(const Sheet& sheet) {
  Note note{"Accuracy", {}, ""};
  if (!sheet.accuracy || !sheet.accuracy->all.errors) {
    note.sentences = {"Not yet checked against published measurements."};
    return note;
  }
  const Accuracy& known = *sheet.accuracy;
  note.sentences.push_back("Published measurements of memory: median error " +
                           error_words(*known.all.errors, known.held_out.errors));
  if (known.speed.all.errors) {
    note.sentences.push_back("Of speed: " +
                             error_words(*known.speed.all.errors, known.speed.held_out.errors));
  }
  if (const std::string range = range_words(sheet); !range.empty()) {
    note.sentences.push_back(range);
  }
  return note;
}

/// How many offers priced the sheet, and where each input's source stands.
std::string sources_words(const Sheet& sheet) {
  std::int64_t offers = 0;
  std::set<std::string> providers;
  for (const SheetPrice& price : sheet.prices) {
    if (!price.used) continue;
    ++offers;
    providers.insert(price.provider);
  }
  std::string words = "Sources: ";
  if (offers > 0) {
    words += format_integer(offers) + (offers == 1 ? " offer" : " offers") + " of " +
             format_integer(static_cast<std::int64_t>(providers.size())) +
             (providers.size() == 1 ? " provider; " : " providers; ");
  }
  return words + "each input with source and date " +
         (sheet.meta.base_url.empty() ? "in sheet.json." : "at");
}

Note not_included(const Sheet& sheet) {
  std::vector<std::string> brief;
  for (const LeftOut& out : left_out(sheet)) brief.push_back(out.brief);
  return {"Not included, and sources",
          {sentence_case(joined_words(brief)) + ".", "For planning, not a quotation.",
           sources_words(sheet)},
          sheet.meta.base_url};
}

}  // namespace

std::vector<std::string> workload_sentences(const Sheet& sheet) {
  const std::string run =
      "One run = one fine-tune on " + count_words(sheet.options.tokens) + " training tokens";
  if (sheet.scenarios.empty()) return {run + "."};
  const Scenario& main = sheet.scenarios.front();
  const std::string sequences = run + ", " + format_integer(main.seq_len) + "-token sequences";
  return {sequences + "; " + main.stack_title + ".", sequences + "; " + main.title + ".",
          sequences + ".", run + "."};
}

std::string provenance(const Sheet& sheet) {
  const std::string choice = choice_words(sheet);
  return (choice.empty() ? "" : choice + " · ") + "prices as of " + sheet.meta.price_as_of + " · " +
         sheet.meta.currency + ", tax excluded · " + sheet.meta.catalog_hash.substr(0, 12);
}

const SheetModel& shown_model(const Sheet& sheet) {
  const std::vector<const SheetModel*> models = handout_models(sheet);
  for (const SheetModel* model : models) {
    if (model->id == sheet.options.highlight_model) return *model;
  }
  return *models.back();
}

const Row* shown_pick(const Sheet& sheet, const std::string& model) {
  for (const SheetMethod& method : sheet.methods) {
    if (const Row* row = shown_row(sheet, model, method.id)) return row;
  }
  return nullptr;
}

std::string memory_title(const Sheet& sheet, const SheetModel& model) {
  std::string gpu;
  for (const SheetMethod& method : sheet.methods) {
    const Row* row = shown_row(sheet, model.id, method.id);
    if (!row) continue;
    if (!gpu.empty() && gpu != row->gpu) return model.size + ": memory per GPU, by method";
    gpu = row->gpu;
  }
  const std::string each = gpu.empty() ? "per GPU" : "on each " + sheet.gpu(gpu).short_name;
  return model.size + ": memory " + each + ", by method";
}

std::vector<std::string> own_sentences(const Sheet& sheet, const Row& row) {
  if (!row.rents[kOnDemand]) return {"No rental price, so nothing to compare with."};
  if (!row.own) return {"No purchase price, so nothing to compare with."};
  const std::string saving = saving_words(sheet, row);
  std::string limit =
      "Renting stays cheaper, even at " + hours(sheet.options.hours_per_month) + " a month";
  if (row.own->break_even_hours_per_month) {
    limit = "Own above " + hours(*row.own->break_even_hours_per_month) + " a month";
  }
  if (saving.empty()) return {limit + "."};
  return {limit + "; " + saving + " a month.", limit + "; " + saving + ".", limit + "."};
}

std::vector<Note> notes_of(const Sheet& sheet) {
  return {assumptions(sheet), headroom_rule(sheet), accuracy(sheet), not_included(sheet)};
}

}  // namespace sizesheet::pdf
