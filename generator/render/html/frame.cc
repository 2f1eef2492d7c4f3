// SPDX-License-Identifier: Apache-2.0
// What every page shares, in words: its frame, rules and notes, and the questions of the index.

#include <algorithm>
#include <vector>

#include "render/html/pages.h"
#include "sheet/build/parts.h"
#include "sheet/shown.h"
#include "support/text.h"

namespace sizesheet {
namespace {

std::string per_cent(double value, int decimals) {
  return format_number(value, decimals) + "\u00a0%";
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

}  // namespace

void put_frame(Json& values, const Sheet& sheet, const std::string& file, const std::string& title,
               const std::string& root) {
  values["root"] = root;
  values["page_title"] = title;
  values["has_filters"] = std::ranges::any_of(
      site_pages(), [&](const SitePage& page) { return page.filtered && page.file == file; });
  values["scenario"] = sheet.scenarios.front().id;
  values["main_warnings"] = sheet.scenarios.front().warnings;
  values["run_words"] = run_words(sheet);
  values["planned_hours"] = month_hours(sheet.options.planned_hours_per_month);
  values["month_hours"] = month_hours(sheet.options.hours_per_month);
  values["headroom_rule"] = headroom_rule(sheet);
  values["price_policy"] = price_policy(sheet);
  values["ownership_rule"] = ownership_rule(sheet);
  values["not_included"] = not_included(sheet);
  const std::string rate = exchange_words(sheet.meta);
  values["rate_words"] =
      rate.empty() ? "" : rate + as_quoted("; sheet.json and CSV files are in US dollars. ");
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

Json chart_json(const Chart& chart) {
  return {{"chart_title", chart.title},
          {"chart_conclusion", chart.conclusion},
          {"chart_svg", svg(chart)}};
}

std::string proof_id(const Sheet& sheet, const Row& row) {
  std::string id = "bill-" + row.method + "-" + row.gpu;
  if (!sheet.is_main(row)) id += "-" + row.scenario;
  return id;
}

}  // namespace sizesheet
