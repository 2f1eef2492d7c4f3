// SPDX-License-Identifier: Apache-2.0
// What every page shares, in words: its frame, rules and notes, and the questions of the index.

#include <algorithm>
#include <set>
#include <vector>

#include "render/html/pages.h"
#include "render/phrases.h"
#include "sheet/build/parts.h"
#include "support/text.h"

namespace sizesheet {
namespace {

std::string per_cent(double value, int decimals) {
  return format_number(value, decimals) + "\u00a0%";
}

std::size_t providers(const Sheet& sheet) {
  std::set<std::string> names;
  for (const SheetPrice& price : sheet.prices) {
    if (price.excluded.empty()) names.insert(price.provider);
  }
  return names.size();
}

std::string run_words(const Sheet& sheet) {
  const auto count = [](std::int64_t tokens) {
    constexpr std::int64_t kMillion = 1'000'000;
    return tokens >= kMillion && tokens % kMillion == 0
               ? format_integer(tokens / kMillion) + "\u00a0M"
               : format_integer(tokens);
  };
  return run_length(sheet, count) + " in sequences of " +
         format_integer(sheet.scenarios.front().seq_len);
}

std::string not_included(const Sheet& sheet) {
  std::vector<std::string> words;
  for (const LeftOut& out : left_out(sheet)) words.push_back(out.words);
  return joined_words(words);
}

std::string headroom_rule(const Sheet& sheet) {
  const double headroom = sheet.options.headroom;
  return "room for " + per_cent(headroom * 100, 0) + " above the estimate, so at least " +
         per_cent(least_free_percent(headroom), 1) + " of the card is free";
}

std::string price_policy(const Sheet& sheet) {
  std::string offers = join(sheet.options.price_offers, ", ");
  if (offers.empty()) offers = "any";
  std::string words = "lowest on-demand price (offers: " + offers + ") not older than " +
                      format_integer(sheet.options.price_max_age_days) + " days on " +
                      sheet.meta.as_of;
  if (sheet.options.reserved_max_age_days != sheet.options.price_max_age_days) {
    words += ", one-year prices " + format_integer(sheet.options.reserved_max_age_days) + " days";
  }
  const PriceRules& rules = sheet.options.price_rules;
  if (rules.fallback_age_days) {
    words += ", else up to " + format_integer(*rules.fallback_age_days) + " days, dated";
  }
  if (!rules.jurisdictions.empty()) words += ", seated in " + join(rules.jurisdictions, " or ");
  if (!rules.tenancies.empty()) words += ", tenancy " + join(rules.tenancies, " or ");
  return words;
}

std::string ownership_rule(const Sheet& sheet) {
  std::string words = "whole nodes bought";
  if (const auto* life = entry_with(sheet.rates, &SheetEstimate::id, "life-years")) {
    words += ", written off over " + format_number(life->typical, 0) + " years";
  }
  if (const auto* capital = entry_with(sheet.rates, &SheetEstimate::id, "cost-of-capital")) {
    words += " at " + per_cent(capital->typical * 100, 1) + " cost of capital";
  }
  if (const auto* energy = entry_with(sheet.rates, &SheetEstimate::id, "usd-per-kwh")) {
    words += ", power $" + format_number(energy->typical, 3) + " per kWh";
  }
  return words + ", used " + month_hours(sheet.options.planned_hours_per_month) + "\u00a0h of " +
         month_hours(sheet.options.hours_per_month) + " a month";
}

constexpr double kPartTime = 200;  // hours a month: a machine used on working days only

/// The first method that leaves most of the model frozen, else the first.
const SheetMethod& asked_method(const Sheet& sheet, const SheetModel& model) {
  for (const SheetMethod& method : sheet.methods) {
    const bool adapters = std::any_of(sheet.rows.begin(), sheet.rows.end(), [&](const Row& row) {
      return row.model == model.id && row.method == method.id && row.modelled &&
             row.parameters_trainable < model.parameters / 2;
    });
    if (adapters) return method;
  }
  return sheet.methods.front();
}

/// Where the counts under the answer are taken apart: of the method asked for, or of the first one
/// that has such a count.
std::string fewer_fragment(const Sheet& sheet, const SheetModel& model, const SheetMethod& asked) {
  std::vector<std::string> methods{asked.id};
  for (const SheetMethod& method : sheet.methods) methods.push_back(method.id);
  for (const std::string& method : methods) {
    const Row* row = shown_row(sheet, model.id, method);
    if (row != nullptr && row->fewer) return "#fewer-" + method;
  }
  return "#why-not-fewer";
}

Json question(const std::string& text, const std::string& href) {
  return {{"question", text}, {"question_href", href}};
}

Json rent_or_buy(const Sheet& sheet, const std::string& page) {
  const bool month_is_longer = sheet.options.hours_per_month >= kPartTime;
  const double hours = month_is_longer ? kPartTime : sheet.options.hours_per_month;
  const std::string text = "Rent or buy at " + month_hours(hours) + "\u00a0h a month?";
  return question(text, sheet.ownership ? "own.html#at-hours" : page + "#rent-or-buy");
}

}  // namespace

void put_frame(Json& values, const Sheet& sheet, const std::string& file, const std::string& title,
               const std::string& root) {
  values["root"] = root;
  values["page_title"] = title;
  values["has_filters"] = file == "index" || file == "rows";
  values["sheet_title"] = sheet.meta.title;
  values["edition"] = sheet.meta.edition;
  values["sheet_as_of"] = sheet.meta.as_of;
  values["price_as_of"] = sheet.meta.price_as_of;
  values["catalog_short"] = sheet.meta.catalog_hash.substr(0, kShortHash);
  values["tool_version"] = sheet.meta.tool_version;
  values["currency"] = sheet.meta.currency;
  values["run_words"] = run_words(sheet);
  values["planned_hours"] = month_hours(sheet.options.planned_hours_per_month);
  values["month_hours"] = month_hours(sheet.options.hours_per_month);
  values["headroom_rule"] = headroom_rule(sheet);
  values["price_policy"] = price_policy(sheet);
  values["ownership_rule"] = ownership_rule(sheet);
  values["not_included"] = not_included(sheet);
  const std::string running = running_costs_words(sheet);
  values["running_costs"] = running.empty() ? "" : running + " ";
  values["nav"] = Json::array();
  for (const SitePage& page : site_pages()) {
    if (!page.in_bar || !page.is_in(sheet)) continue;
    values["nav"].push_back({{"nav_href", root + page.file + ".html"},
                             {"nav_name", page.name},
                             {"nav_current", file == page.file}});
  }
}

std::string verdict_words(const Row& row) {
  return verdict_words(row.standing(), row.memory.device, row.memory.capacity);
}

std::string proof_id(const Sheet& sheet, const Row& row) {
  std::string id = "bill-" + row.method + "-" + row.gpu;
  if (!sheet.is_main(row)) id += "-" + row.scenario;
  return id;
}

std::string proof_href(const Sheet& sheet, const Row& row) {
  return "models/" + row.model + ".html#" + proof_id(sheet, row);
}

std::string spot_rule(const Sheet& sheet) {
  const PriceRules& rules = sheet.options.price_rules;
  if (rules.spot_interruption_share <= 0) return "";
  return "A run on spot is given twice: undisturbed, and with " +
         per_cent(100 * rules.spot_interruption_share, 0) + " more hours for interruptions (" +
         rules.spot_interruption_basis + ": " + rules.spot_interruption_source + ").";
}

Json index_notes(const Sheet& sheet) {
  const std::string always = month_hours(sheet.options.hours_per_month);
  Json notes = Json::array();
  const auto add = [&](const std::string& id, const std::string& text, const std::string& href,
                       const std::string& link) {
    notes.push_back(
        {{"note_id", id}, {"note_text", text}, {"note_href", href}, {"note_link", link}});
  };
  add("n1",
      "Counts are the smallest that providers rent, with " + headroom_rule(sheet) +
          ". The smallest count by memory alone stands in the list of every row.",
      "method.html#verdict", "The rule");
  add("n2",
      "Prices: " + price_policy(sheet) + ", " +
          format_integer(static_cast<std::int64_t>(providers(sheet))) +
          " providers, USD without tax, newest seen " + sheet.meta.price_as_of + ".",
      "prices.html", "Every price");
  add("n3",
      "Hours behind “~” are of GPU types that no published run is of: their speed follows from a "
      "sibling's or from the card's own limits, and its range is wide.",
      "method.html#throughput", "How fast");
  add("n4", "Owned: " + ownership_rule(sheet) + ".", "prices.html#rates", "Rates");
  add("n5",
      "From so many runs a month owning the machine costs less than renting the set-up. “never”: "
      "not even at " +
          always + " hours. “close”: within 10\u00a0%.",
      "method.html#ownership", "The formulas");
  return notes;
}

Json questions(const Sheet& sheet) {
  if (sheet.models.empty() || sheet.methods.empty()) return Json::array();
  const auto* shown = entry_with(sheet.models, &SheetModel::id, sheet.options.highlight_model);
  const SheetModel& model = shown == nullptr ? sheet.models.front() : *shown;
  const SheetMethod& method = asked_method(sheet, model);
  const std::string page = "models/" + model.id + ".html";
  Json list = Json::array();
  list.push_back(question("Smallest set-up for " + model.size + " " + method.short_title + "?",
                          page + "#" + method.id));
  list.push_back(question("Why not one GPU fewer?", page + fewer_fragment(sheet, model, method)));
  list.push_back(rent_or_buy(sheet, page));
  const std::string changed = "What changed since last quarter?";
  list.push_back(sheet.changes ? question(changed, "changes.html")
                               : question(changed + " (not compared)", "method.html#changes"));
  list.push_back(question("How wrong could this be?",
                          sheet.accuracy ? "accuracy.html" : "method.html#limits"));
  return list;
}

}  // namespace sizesheet
