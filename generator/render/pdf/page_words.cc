// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/page_words.h"

#include <cmath>

#include "render/phrases.h"
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
  const MicroUsd rented = scaled(row.list->usd_per_hour, std::llround(planned * 10'000), 10'000);
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
  return words + ", power and space.";
}

Note assumptions(const Sheet& sheet) {
  Note note{"Assumptions", {}, ""};
  if (!sheet.scenarios.empty()) note.sentences.push_back(sheet.scenarios.front().summary);
  note.sentences.push_back("Memory is the peak at the pick.");
  note.sentences.push_back("Rent: lowest on-demand " + join(sheet.options.price_offers, " or ") +
                           (sheet.options.price_offers.empty() ? "price." : " price."));
  note.sentences.push_back(own_assumptions(sheet));
  return note;
}

Note headroom_rule(const Sheet& sheet) {
  return {"Headroom rule",
          {"A count fits when peak memory × " + format_number(1 + sheet.options.headroom, 2) +
               " is at most what the driver reports as usable, not what the box says.",
           "A count that holds without that margin is marked tight."},
          ""};
}

/// The interval of the row the panels show.
Note accuracy(const Sheet& sheet) {
  Note note{"Accuracy", {}, ""};
  const SheetModel& model = shown_model(sheet);
  const Row* row = shown_pick(sheet, model.id);
  if (!row || row->device_low <= 0 || row->device_high <= 0 || row->memory.device <= 0) {
    note.sentences = {"Not yet checked against published measurements."};
    return note;
  }
  const std::string subject = model.size + " " + sheet.method(row->method).short_title;
  note.sentences.push_back("Memory interval: 90\u00a0% of published measurements fall between " +
                           ratio(row->device_low, row->memory.device) + " and " +
                           ratio(row->device_high, row->memory.device) + " times the estimate (" +
                           subject + ", confidence " + row->confidence + ").");
  if (row->hours_low && row->hours_high) {
    note.sentences.push_back("Hours there: " + run_hours(*row->hours_low) + " to " +
                             run_hours(*row->hours_high) + ".");
  }
  return note;
}

bool staff_is_paid(const Sheet& sheet) {
  for (const Row& row : sheet.rows) {
    if (!row.own) continue;
    const auto staff = row.own->parts_usd_per_month.find("staff");
    if (staff != row.own->parts_usd_per_month.end() && staff->second.value > 0) return true;
  }
  return false;
}

Note not_included(const Sheet& sheet) {
  const std::string staff = staff_is_paid(sheet) ? "" : "staff, ";
  Note note{
      "Not included",
      {"Tax, storage, egress, " + staff + "failed runs; networks between nodes where unpriced.",
       "Spot can be interrupted.", "For planning, not a quotation."},
      sheet.meta.base_url};
  if (!note.link.empty()) note.sentences.push_back("Sources and every formula:");
  return note;
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
  return "prices as of " + sheet.meta.price_as_of + " · " + sheet.meta.currency +
         ", tax excluded · " + sheet.meta.catalog_hash.substr(0, 12);
}

const SheetModel& shown_model(const Sheet& sheet) {
  for (const SheetModel& model : sheet.models) {
    if (model.id == sheet.options.highlight_model) return model;
  }
  return sheet.models.back();
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
  if (!row.list) return {"No rental price, so nothing to compare with."};
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
