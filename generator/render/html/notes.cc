// SPDX-License-Identifier: Apache-2.0
#include "render/html/notes.h"

#include <set>

#include "render/phrases.h"
#include "support/text.h"

namespace sizesheet {

namespace {

std::string per_cent(double value, int decimals) {
  return format_number(value, decimals) + "\u00a0%";
}

const SheetEstimate* rate(const Sheet& sheet, const std::string& id) {
  for (const SheetEstimate& estimate : sheet.rates) {
    if (estimate.id == id) return &estimate;
  }
  return nullptr;
}

std::size_t providers(const Sheet& sheet) {
  std::set<std::string> names;
  for (const SheetPrice& price : sheet.prices) {
    if (price.excluded.empty()) names.insert(price.provider);
  }
  return names.size();
}

}  // namespace

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
  if (!rules.jurisdictions.empty()) words += ", seated in " + join(rules.jurisdictions, " or ");
  if (!rules.tenancies.empty()) words += ", tenancy " + join(rules.tenancies, " or ");
  return words;
}

std::string spot_rule(const Sheet& sheet) {
  const PriceRules& rules = sheet.options.price_rules;
  if (rules.spot_interruption_share <= 0) return "";
  return "A run on spot is given twice: undisturbed, and with " +
         per_cent(100 * rules.spot_interruption_share, 0) + " more hours for interruptions (" +
         rules.spot_interruption_basis + ": " + rules.spot_interruption_source + ").";
}

std::string ownership_rule(const Sheet& sheet) {
  std::string words = "whole nodes bought";
  if (const SheetEstimate* life = rate(sheet, "life-years")) {
    words += ", written off over " + format_number(life->typical, 0) + " years";
  }
  if (const SheetEstimate* capital = rate(sheet, "cost-of-capital")) {
    words += " at " + per_cent(capital->typical * 100, 1) + " cost of capital";
  }
  if (const SheetEstimate* energy = rate(sheet, "usd-per-kwh")) {
    words += ", power $" + format_number(energy->typical, 3) + " per kWh";
  }
  return words + ", used " + month_hours(sheet.options.planned_hours_per_month) + "\u00a0h of " +
         month_hours(sheet.options.hours_per_month) + " a month";
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
      "Break-even is the hours of use a month above which owning costs less than renting. “never”: "
      "not even at " +
          always + " hours. “close”: within 10\u00a0%.",
      "method.html#ownership", "The formulas");
  return notes;
}

}  // namespace sizesheet
