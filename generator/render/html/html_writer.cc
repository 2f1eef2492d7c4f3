// SPDX-License-Identifier: Apache-2.0
#include "render/html/html_writer.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "render/charts.h"
#include "render/decision_words.h"
#include "render/html/advice_page.h"
#include "render/html/changes_page.h"
#include "render/html/gpu_page.h"
#include "render/html/index_page.h"
#include "render/html/model_page.h"
#include "render/html/needed_page.h"
#include "render/html/own_page.h"
#include "render/html/page_words.h"
#include "render/html/templates/strict_context.h"
#include "render/html/templates/templates.h"
#include "render/phrases.h"
#include "render/range_charts.h"
#include "render/svg/svg.h"
#include "render/writers.h"
#include "sheet/assemble/ownership.h"
#include "sheet/assemble/shown.h"
#include "sheet/fields.h"
#include "sheet/money.h"
#include "sheet/sheet.h"
#include "support/error.h"
#include "support/files.h"
#include "support/json.h"
#include "support/parallel.h"
#include "support/text.h"

namespace sizesheet {
namespace {

std::string per_cent(double value, int decimals) {
  return format_number(value, decimals) + "\u00a0%";
}

/// "500 M tokens for full fine-tuning and 50 M for LoRA and QLoRA, in sequences of 4,096 tokens".
std::string run_words(const Sheet& sheet) {
  const auto count = [](std::int64_t tokens) {
    constexpr std::int64_t kMillion = 1'000'000;
    return tokens >= kMillion && tokens % kMillion == 0
               ? format_integer(tokens / kMillion) + "\u00a0M"
               : format_integer(tokens);
  };
  const auto& fewer = sheet.options.adapter_tokens;
  const std::string adapters = adapter_names(sheet);
  const bool both = fewer && *fewer != sheet.options.tokens && !adapters.empty() &&
                    !std::ranges::all_of(sheet.methods, &SheetMethod::adapters);
  return (both ? count(sheet.options.tokens) + " tokens for full fine-tuning and " + count(*fewer) +
                     " for " + adapters + ","
               : run_length(sheet, count)) +
         " in sequences of " + format_integer(sheet.scenarios.front().seq_len) + " tokens";
}

std::string not_included(const Sheet& sheet) {
  std::vector<std::string> words;
  for (const LeftOut& out : left_out(sheet)) words.push_back(out.words);
  return joined_words(words);
}

std::string headroom_rule(const Sheet& sheet) {
  return "room for the estimate plus " + per_cent(sheet.options.headroom * 100, 0);
}

/// The title of an entry inside a sentence.
std::string inside_sentence(std::string title) {
  if (!title.empty() && is_capital(title[0])) title[0] = static_cast<char>(title[0] - 'A' + 'a');
  return title;
}

/// "The sheet takes the offer with the lowest score. ..." of an offer's price.
std::string offer_rule(double weight) {
  if (weight <= 0) return "The sheet takes the offer with the lowest expected price.";
  if (weight >= 1) return "The sheet takes the offer with the lowest upper end of its price.";
  return "The sheet takes the offer with the lowest price score. Price score = expected price + " +
         per_cent(100 * weight, 0) + " of the difference to its upper end.";
}

/// "A price is at most 400 days old (list prices of specialised clouds: 180 days)."
std::string age_rule(const Sheet& sheet) {
  const PriceRules& rules = sheet.options.price_rules;
  const auto days_words = [](std::int64_t days) { return format_integer(days) + " days"; };
  std::vector<std::string> others;
  if (sheet.options.reserved_max_age_days != sheet.options.price_max_age_days) {
    others.push_back("one-year prices: " + days_words(sheet.options.reserved_max_age_days));
  }
  for (const auto& [kind, days] : rules.max_age_days_of) {
    const auto* known = entry_with(sheet.price_ages, &SheetPriceAge::id, kind);
    if (known != nullptr) others.push_back(inside_sentence(known->title) + ": " + days_words(days));
  }
  if (rules.fallback_age_days) {
    others.push_back("if there is no newer one: " + days_words(*rules.fallback_age_days));
  }
  return "A price is at most " + days_words(sheet.options.price_max_age_days) + " old" +
         (others.empty() ? "" : " (" + join(others, "; ") + ")") + ".";
}

/// Which prices the sheet uses, in sentences.
std::string price_policy(const Sheet& sheet) {
  const std::string offers = join(sheet.options.price_offers, ", ");
  const PriceRules& rules = sheet.options.price_rules;
  std::string words = offers == "list" ? "Rent uses on-demand list prices"
                                       : "Rent uses on-demand prices (" +
                                             (offers.empty() ? "any" : offers) + " offers)";
  if (!rules.jurisdictions.empty()) {
    words += " of providers seated in " + join(rules.jurisdictions, " or ");
  }
  if (!rules.tenancies.empty()) words += ", tenancy " + join(rules.tenancies, " or ");
  return words + ", adjusted to " + sheet.meta.as_of + ". " +
         offer_rule(sheet.options.pick_rules.weight()) + " " + age_rule(sheet);
}

std::string ownership_rule(const Sheet& sheet) {
  std::string words = "whole nodes";
  if (const auto* life = entry_with(sheet.rates, &SheetEstimate::id, "life-years")) {
    words += ", bought and written off over " + format_number(life->typical, 0) + " years";
    const auto* used = entry_with(sheet.rates, &SheetEstimate::role, "used_life_years");
    if (used != nullptr)
      words += " (second-hand machines: " + format_number(used->typical, 0) + ")";
  }
  if (const auto* capital = entry_with(sheet.rates, &SheetEstimate::id, "cost-of-capital")) {
    words += ", " + per_cent(capital->typical * 100, 1) + " cost of capital";
  }
  if (const auto* energy = entry_with(sheet.rates, &SheetEstimate::id, "usd-per-kwh")) {
    words += ", power at $" + format_number(energy->typical, 3) + " per kWh";
  }
  return words + ", in use " + month_hours(sheet.options.planned_hours_per_month) + "\u00a0h of " +
         month_hours(sheet.options.hours_per_month) + " per month";
}

Json method_values(const Sheet& sheet) {
  Json values = Json::object();
  values["worksheets"] = worksheet_values(sheet, "method");
  values["team_runs"] = sheet.accuracy && sheet.accuracy->team;
  values["least_free"] = format_number(least_free_percent(sheet.options.headroom), 1);
  for (const TermFacts& term : kTerms) values["title_" + std::string(term.id)] = term.title;
  return values;
}

/// What to type where the page cannot calculate: about the highlighted model, on the card that the
/// sheet rents for it.
Json calculator_values(const Sheet& sheet) {
  const std::string& model = sheet.options.highlight_model;
  std::string words = "sizesheet ask " + model;
  for (const Pick& pick : sheet.picks) {
    const Row* row = pick.model == model && pick.rent_key ? sheet.find(*pick.rent_key) : nullptr;
    if (row != nullptr)
      return {{"asked", words + " --gpu " + row->gpu + " --seq 8k --deadline 3d"}};
  }
  return {{"asked", words + " --seq 8k --deadline 3d"}};
}

bool always(const Sheet&) { return true; }

constexpr const char* kBetween = " · ";

constexpr const char* kCalculatorPage = "calculator";

constexpr SitePage kSitePages[] = {
    {"index", "Answer", PagePlace::kBar, false, always, index_values},
    {kCalculatorPage, "Ask your own", PagePlace::kBar, false, always, calculator_values},
    {"gpus-needed", "GPUs needed", PagePlace::kBar, true, always, needed_values},
    {"prices", "Prices", PagePlace::kBar, true, always, prices_values},
    {"own", "Rent or own", PagePlace::kBar, false,
     [](const Sheet& sheet) { return sheet.ownership.has_value(); }, own_values},
    {"accuracy", "Accuracy", PagePlace::kMenu, false,
     [](const Sheet& sheet) { return sheet.accuracy.has_value(); },
     [](const Sheet& sheet) { return accuracy_values(*sheet.accuracy); }},
    {"changes", "Changes", PagePlace::kMenu, false,
     [](const Sheet& sheet) { return sheet.changes.has_value(); }, changes_values},
    {"plan", "Plan", PagePlace::kMenu, false,
     [](const Sheet& sheet) { return sheet.plan.has_value(); }, plan_values},
    {"gpus", "GPU types", PagePlace::kMenu, false, always, gpus_values},
    {"rows", "Every row", PagePlace::kMenu, true, always, rows_values},
    {"method", "Method", PagePlace::kMenu, false, always, method_values},
    {"advice", "Advice", PagePlace::kMenu, false,
     [](const Sheet& sheet) { return sheet.advice.has_value(); }, advice_values},
    {"guides", "Guides", PagePlace::kMenu, false, always, guides_values},
    {"frameworks", "Frameworks", PagePlace::kMenu, false,
     [](const Sheet& sheet) { return !sheet.frameworks.empty(); }, frameworks_values},
    {"glossary", "Glossary", PagePlace::kMenu, false, always,
     [](const Sheet&) { return Json::object(); }},
};

/// Whether a run went otherwise than the sheet would have said; all rows of a source.
void put_standings(Json& json, const Accuracy& accuracy) {
  for (std::size_t i = 0; i < accuracy.rows.size(); ++i) {
    const AccuracyRow& row = accuracy.rows[i];
    const bool contradicted =
        row.verdict == (row.relation == "oom" ? Verdict::kFits : Verdict::kNo);
    json["rows"][i]["class"] = contradicted ? "no" : "said";
  }
  for (std::size_t i = 0; i < accuracy.sources.size(); ++i) {
    json["sources"][i]["row_sum"] = accuracy.sources[i].rows + accuracy.sources[i].speeds;
  }
}

/// The tables of errors that have something in them.
Json tables_of(const Json& accuracy) {
  const Json& all = accuracy.at("all");
  Json tables = Json::array();
  const auto add = [&](const char* id, const char* title, const Json& groups) {
    if (!groups.empty()) {
      tables.push_back({{"table_id", id}, {"table_title", title}, {"groups", groups}});
    }
  };
  add("by-memory", "By what was measured", all.at("by_kind"));
  add("by-method", "By method", all.at("by_method"));
  add("by-framework", "By framework", all.at("by_framework"));
  add("by-source", "By source", all.at("by_source"));
  add("flagged", "Runs that are not in the totals, by source", accuracy.at("flagged"));
  return tables;
}

void put_navigation(Json& values, const Sheet& sheet, const std::string& file,
                    const std::string& root, bool calculates) {
  values["nav"] = values["menu"] = Json::array();
  values["menu_current"] = false;
  values["calculates"] = calculates;
  for (const SitePage& page : kSitePages) {
    const bool idle = !calculates && page.file == std::string_view(kCalculatorPage);
    if (page.place == PagePlace::kLinked || idle || !page.is_in(sheet)) continue;
    const bool current = file == page.file;
    const bool in_menu = page.place == PagePlace::kMenu;
    values[in_menu ? "menu" : "nav"].push_back({{"nav_href", root + page.file + ".html"},
                                                {"nav_name", page.name},
                                                {"nav_current", current}});
    if (in_menu && current) values["menu_current"] = true;
  }
}

/// Adds the values of the frame and the rules that several pages print. `file` is the page, without
/// ending; `root` is the way to the site's top ("" or "../"); a site that cannot calculate has no
/// entry for it.
void put_frame(Json& values, const Sheet& sheet, const std::string& file, const std::string& title,
               const std::string& root, bool calculates) {
  values["root"] = root;
  values["page_title"] = title;
  values["has_filters"] = std::ranges::any_of(
      kSitePages, [&](const SitePage& page) { return page.filtered && page.file == file; });
  values["has_box"] = file == "index" && !sheet.picks.empty();
  values["scenario"] = sheet.scenarios.front().id;
  values["main_warnings"] = sheet.scenarios.front().warnings;
  values["run_words"] = run_words(sheet);
  values["planned_hours"] = month_hours(sheet.options.planned_hours_per_month);
  values["has_demand"] = has_decision(sheet);
  values["month_hours"] = month_hours(sheet.options.hours_per_month);
  values["headroom_rule"] = headroom_rule(sheet);
  values["price_policy"] = price_policy(sheet);
  values["price_days"] = price_days(sheet.meta);
  values["ownership_rule"] = ownership_rule(sheet);
  values["not_included"] = not_included(sheet);
  const std::string rate = exchange_words(sheet.meta);
  values["rate_words"] =
      rate.empty() ? "" : rate + as_quoted("; sheet.json and CSV files are in US dollars. ");
  const std::string running = running_costs_words(sheet);
  values["running_costs"] = running.empty() ? "" : running + " ";
  put_navigation(values, sheet, file, root, calculates);
}

}  // namespace

std::span<const SitePage> site_pages() { return kSitePages; }

void write_site(const Sheet& sheet, const TemplateSet& templates, int jobs, FileSet& files) {
  if (sheet.scenarios.empty()) throw InputError("pages: the sheet has no scenario");
  struct Drawing {
    std::string file;
    std::string name;  ///< of the template
    std::string title;
    std::function<Json()> values;
    std::string text;
  };
  std::vector<Drawing> pages;
  for (const SitePage& page : kSitePages) {
    if (!page.is_in(sheet)) continue;
    const std::string before =
        page.file == std::string("index") ? "" : std::string(page.name) + kBetween;
    pages.push_back({page.file, page.file, before, [&] { return page.values(sheet); }, ""});
  }
  for (const SheetModel& model : sheet.models) {
    pages.push_back({"models/" + model.id, "model", model.title + kBetween,
                     [&] { return model_values(sheet, model); }, ""});
  }
  for (const SheetGpu& gpu : sheet.gpus) {
    pages.push_back({"gpus/" + gpu.id, "gpu", gpu.short_name + kBetween,
                     [&] { return gpu_values(sheet, gpu); }, ""});
  }
  const SheetValues under(sheet);
  const bool calculates = files.contains(kCalculatorEngine);
  for_each_index(pages.size(), jobs, [&](std::size_t i) {
    Drawing& page = pages[i];
    const bool below = page.file.find('/') != std::string::npos;
    Json values = page.values();
    values["has_calculator"] = calculates && page.file == kCalculatorPage;
    put_frame(values, sheet, page.file, page.title + sheet.meta.title, below ? "../" : "",
              calculates);
    page.text = worded_page(
        render_template(templates, page.name + kTemplateSuffix, values, {}, &under), sheet.meta);
  });
  for (Drawing& page : pages) files[page.file + ".html"] = std::move(page.text);
  files["rows.js"] = in_money(rows_script(sheet), sheet.meta);
  files["answers.js"] = in_money(answers_script(sheet), sheet.meta);
  files["style.css"] = templates.at("style.css");
  for (const char* script : {"table.js", "filters.js", "early.js", "answer.js"})
    files[script] = worded_script(templates.at(script), sheet.meta);
  if (!calculates) return;
  for (const char* part : {"page", "answer", "tables", "charts"}) {
    const std::string asset = std::string("calculator-") + part + ".js";
    files[asset] = templates.at(asset);
  }
}

namespace {

constexpr const char* kOwnSources = "own-";  // how ids of sources begin that we measured ourselves

/// Errors of the runs that we measured ourselves; null without such runs.
Json own_runs(const Accuracy& accuracy) {
  const auto own = std::ranges::find_if(accuracy.sources, [](const AccuracySource& source) {
    return starts_with(source.id, kOwnSources);
  });
  if (own == accuracy.sources.end()) return nullptr;
  const auto errors_of = [&](const auto& groups) -> Json {
    const auto group =
        std::ranges::find_if(groups, [&](const auto& one) { return one.name == own->id; });
    return group == groups.end() ? Json() : written(group->errors);
  };
  return {{"own_where", own->title},
          {"memory", errors_of(accuracy.all.by_source)},
          {"speed", errors_of(accuracy.speed.all.by_source)}};
}

}  // namespace

Json accuracy_values(const Accuracy& accuracy) {
  Json values = Json::object();
  Json& json = values["accuracy"] = written(accuracy);
  if (!accuracy.team) json["team"] = nullptr;
  put_standings(json, accuracy);
  values["errors_svg"] = svg(error_ranges_chart(accuracy));
  values["speed_svg"] = svg(speed_ranges_chart(accuracy));
  values["own_runs"] = own_runs(accuracy);
  values["tables"] = tables_of(json);
  return values;
}

Json chart_json(const Chart& chart) {
  return {{"chart_title", chart.title},
          {"chart_conclusion", chart.conclusion},
          {"chart_svg", svg(chart)}};
}

}  // namespace sizesheet
