// SPDX-License-Identifier: Apache-2.0
#include "render/html/index_page.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "render/decision_words.h"
#include "render/formats.h"
#include "render/html/answer_lines.h"
#include "render/html/changes_page.h"
#include "render/job_options.h"
#include "render/phrases.h"
#include "sheet/money_words.h"
#include "sheet/project.h"
#include "sheet/seller_names.h"
#include "sheet/services.h"
#include "sheet/sheet.h"
#include "support/json.h"
#include "support/money.h"
#include "support/object_text.h"
#include "support/text.h"

namespace sizesheet {
namespace {

Json second_cells(const Sheet& sheet, const JobOptions& options) {
  if (options.second == nullptr) return nullptr;
  const SecondSource& second = *options.second;
  const double share = to_usd(second.usd) / to_usd(options.pick->usd.mid) - 1;
  const std::string doubt = second.certain.value_or(true) ? "" : std::string(kDoubtMark);
  return {{"second_setup", set_up(sheet, second.gpu, second.gpus) + doubt},
          {"second_seller", seller_name(sheet, second.provider)},
          {"second_more", more_words(second.usd, options.pick->usd.mid)},
          {"second_class", share < 0 ? "warn" : ""},
          {"second_share", share}};
}

Json rent_cells(const Sheet& sheet, const JobOptions& options, bool one_seller) {
  if (options.pick == nullptr) return nullptr;
  const RunCandidate& run = *options.pick;
  return {{"rent_setup", set_up(sheet, run.gpu, run.gpus)},
          {"rent_gpus", run.gpus},
          {"rent_unsure", run.certain == false},
          {"rent_one", one_seller},
          {"rent_seller", seller_name(sheet, run.provider)},
          {"rent_hours", (run.measured ? "" : "~") + run_hours(run.hours.mid)},
          {"rent_hours_raw", run.hours.mid},
          {"rent_usd", "$" + brief_usd(run.usd.mid)},
          {"rent_usd_raw", run.usd.mid},
          {"rent_range", format_usd_roughly(run.usd.low) + "–" + format_usd_roughly(run.usd.high)},
          {"second", second_cells(sheet, options)}};
}

Json own_cells(const Sheet& sheet, const Pick& pick) {
  if (!pick.own) return nullptr;
  const OwnPick& own = *pick.own;
  const auto& even = own.break_even_hours_per_month;
  return {{"own_machine", machine_set_up(sheet, own)},
          {"own_run", (own.measured ? "$" : "~$") + brief_usd(own.usd_per_run)},
          {"own_run_raw", own.usd_per_run},
          {"own_even", !own.rent_usd_per_run ? std::string(kAbsent)
                       : even                ? month_hours(*even)
                                             : "never"},
          {"own_even_raw", even ? Json(*even) : Json()},
          {"own_word", own.word()}};
}

Json service_cells(const Sheet& sheet, const Pick& pick) {
  const std::vector<SheetService> offers = services_for(sheet, pick.model, pick.method);
  if (offers.empty()) return nullptr;
  return {{"service_usd", "$" + brief_usd(offers.front().usd_per_run)},
          {"service_raw", offers.front().usd_per_run},
          {"service_title", offers.front().title}};
}

Json job_rows_of(const Sheet& sheet) {
  Json rows = Json::array();
  std::string model;
  for (const Pick& pick : sheet.picks) {
    const JobOptions options = job_options(sheet, pick);
    rows.push_back({{"model", pick.model},
                    {"method", pick.method},
                    {"row_first", pick.model != model},
                    {"rent", rent_cells(sheet, options, pick.exposed)},
                    {"own", own_cells(sheet, pick)},
                    {"service", service_cells(sheet, pick)},
                    {"project", pick.project ? Json(pick.project->total_usd) : Json()}});
    model = pick.model;
  }
  return rows;
}

/// The highlighted model by adapters where the sheet has them: what the box begins with.
const Pick* asked_first(const Sheet& sheet) {
  const Pick* found = nullptr;
  for (const Pick& pick : sheet.picks) {
    const bool highlighted = pick.model == sheet.options.highlight_model;
    if (found == nullptr || (highlighted && found->model != pick.model)) found = &pick;
    if (highlighted && sheet.method(pick.method).adapters) return &pick;
  }
  return found;
}

Json choices_of(const Sheet& sheet, const Pick& first) {
  Json models = Json::array();
  for (const SheetModel& model : sheet.models) {
    models.push_back({{"choice_id", model.id},
                      {"choice_title", model.title},
                      {"choice_on", model.id == first.model}});
  }
  Json methods = Json::array();
  for (const SheetMethod& method : sheet.methods) {
    methods.push_back({{"choice_id", method.id},
                       {"choice_title", method.short_title},
                       {"choice_on", method.id == first.method}});
  }
  return {{"model_choices", models}, {"method_choices", methods}};
}

/// "50M" of the tokens of a method.
std::string token_words(std::int64_t tokens) {
  constexpr std::int64_t kMillion = 1'000'000;
  return tokens > 0 && tokens % kMillion == 0 ? std::to_string(tokens / kMillion) + "M"
                                              : std::to_string(tokens);
}

Json box_values(const Sheet& sheet) {
  const Pick* first = asked_first(sheet);
  if (first == nullptr) return nullptr;
  Json values = answer_values(sheet, *first);
  values.update(choices_of(sheet, *first));
  values["box_asked"] =
      sheet.model(first->model).title + ", " + sheet.method(first->method).short_title;
  if (sheet.options.deadline_hours) {
    values["box_asked"] = values["box_asked"].get<std::string>() + ", within " +
                          shortest(*sheet.options.deadline_hours) + "\u00a0h";
  }
  values["box_model"] = first->model;
  values["box_method"] = first->method;
  values["box_tokens"] = token_words(sheet.method(first->method).tokens);
  values["box_seq"] = std::to_string(sheet.scenarios.front().seq_len);
  values["box_deadline"] =
      sheet.options.deadline_hours ? shortest(*sheet.options.deadline_hours) : "";
  return values;
}

/// "5 of the 27 jobs in the PDF have …" of "picks have …": the page has more jobs than these.
std::string of_jobs(const Sheet& sheet, std::int64_t count, std::int64_t of,
                    const std::string& words) {
  constexpr std::string_view kPicks = "picks ";
  const std::string counted = format_integer(count) + " of ";
  if (sheet.options.handout_models.empty() || !words.starts_with(kPicks)) {
    return counted + format_integer(of) + " " + words;
  }
  return counted + "the " + format_integer(of) + " jobs in the PDF " + words.substr(kPicks.size());
}

/// How many picks may not fit at the upper end of their memory.
SheetRisk memory_risk(const Sheet& sheet) {
  SheetRisk risk{
      "not-certain", 0, 0, "picks may not fit in memory",
      "They may need more memory than the GPU has (marked “?”). Run two training steps first"};
  for (const Row* row : rent_pick_rows(sheet)) {
    if (!sheet.on_handout(row->model)) continue;
    ++risk.of;
    if (row->certain() == false) ++risk.count;
  }
  return risk;
}

/// What is uncertain about the handout's picks, a card each, what touches most picks first.
Json risk_cards(const Sheet& sheet) {
  std::vector<SheetRisk> risks{memory_risk(sheet)};
  for (const SheetRisk& risk : sheet.risks) {
    if (risk.id == "one-seller" || risk.id == "not-measured") risks.push_back(risk);
  }
  std::ranges::stable_sort(risks, std::greater<>(), &SheetRisk::count);
  Json cards = Json::array();
  for (const SheetRisk& risk : risks) {
    if (risk.count == 0) continue;
    cards.push_back({{"card_title", of_jobs(sheet, risk.count, risk.of, risk.title)},
                     {"card_words", sentence_case(risk.detail) + "."}});
  }
  return cards;
}

/// What the handout's tile says of the plan; null without one.
Json budget_card(const Sheet& sheet) {
  const DecisionTile tile = budget_tile(sheet);
  if (tile.figure.empty()) return nullptr;
  return {{"tile_title", tile.title},
          {"tile_figure", tile.figure},
          {"tile_aside", tile.aside},
          {"tile_words", tile.words.front()}};
}

// ---- The questions of a newcomer.

constexpr double kPartTime = 200;  // hours per month: a machine used on working days only

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

/// What the first questions are about: the highlighted model, by adapters where the sheet has them;
/// null for a sheet without models.
Json asked(const Sheet& sheet) {
  if (sheet.models.empty() || sheet.methods.empty()) return nullptr;
  const auto* shown = entry_with(sheet.models, &SheetModel::id, sheet.options.highlight_model);
  const SheetModel& model = shown == nullptr ? sheet.models.front() : *shown;
  const SheetMethod& method = asked_method(sheet, model);
  return {{"model", model.id},
          {"method", method.id},
          {"fewer", fewer_fragment(sheet, model, method)},
          {"hours", std::min(kPartTime, sheet.options.hours_per_month)}};
}

// ---- What the box answers from.

constexpr int kRunMeasured = 1;
constexpr int kRunCertain = 2;
constexpr int kRunAllowed = 4;
constexpr int kRunSecond = 16;  // the second source

/// Places of names in a list that the script has once.
class Places {
 public:
  std::size_t of(const std::string& name) {
    const auto found = std::ranges::find(names_, name);
    if (found != names_.end()) return static_cast<std::size_t>(found - names_.begin());
    names_.push_back(name);
    return names_.size() - 1;
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
};

std::size_t gpu_place(const Sheet& sheet, const std::string& id) {
  const auto found = std::ranges::find(sheet.gpus, id, &SheetGpu::id);
  return static_cast<std::size_t>(found - sheet.gpus.begin());
}

/// [GPU type, GPUs, hours low, mid, high, dollars low, mid, high, seller, share of the start,
/// flags, machines].
Json run_of(const Sheet& sheet, const RunCandidate& run, Places& sellers) {
  const bool allowed = rules_allow(run, sheet.options.pick_rules, std::nullopt);
  const int flags = (run.measured ? kRunMeasured : 0) | (run.certain == false ? 0 : kRunCertain) |
                    (allowed ? kRunAllowed : 0);
  return Json::array({gpu_place(sheet, run.gpu), run.gpus, run.hours.low, run.hours.mid,
                      run.hours.high, to_usd(run.usd.low), to_usd(run.usd.mid),
                      to_usd(run.usd.high), sellers.of(seller_name(sheet, run.provider)),
                      run.startup_share, flags, run.nodes});
}

/// What is rented from one seller, as `run_of` has it.
Json source_run(const Sheet& sheet, const SecondSource& run, int more_flags, Places& sellers) {
  const int flags = more_flags | (run.certain.value_or(true) ? kRunCertain : 0);
  return Json::array({gpu_place(sheet, run.gpu), run.gpus, run.hours_low, run.hours, run.hours_high,
                      to_usd(run.usd_low), to_usd(run.usd), to_usd(run.usd_high),
                      sellers.of(seller_name(sheet, run.provider)), run.startup_share, flags, 1});
}

Json second_run(const Sheet& sheet, const Pick& pick, Places& sellers) {
  const SecondSource& second = *pick.second_source;
  const int measured = is_measured(sheet, pick, second) ? kRunMeasured : 0;
  return source_run(sheet, second, measured | kRunSecond, sellers);
}

/// The counts below the set-up of each GPU type, which nobody picks to rent but somebody may own:
/// [GPU type, GPUs, hours low, mid, high, whether it is certain to fit, whether its speed was
/// published, share of the start].
Json smaller_runs(const Sheet& sheet, const Pick& pick) {
  Json runs = Json::array();
  for (const Row* row : job_rows(sheet, pick.model, pick.method)) {
    for (const SmallerCount& count : row->smaller_counts) {
      if (!count.hours) continue;
      runs.push_back({gpu_place(sheet, row->gpu), count.gpus, count.hours->low, count.hours->mid,
                      count.hours->high, count.certain.value_or(true),
                      row->speed_measured.value_or(false), count.startup_share});
    }
  }
  return runs;
}

/// The picks at other sequence lengths, by length.
Json lengths_of(const Sheet& sheet, const Pick& pick, Places& sellers) {
  Json lengths = Json::object();
  for (const LengthPick& at : pick.at_lengths) {
    const int measured = is_measured(sheet, pick, at) ? kRunMeasured : 0;
    lengths[std::to_string(at.seq_len)] = source_run(sheet, at, measured, sellers);
  }
  return lengths;
}

Json job_of(const Sheet& sheet, const Pick& pick, Places& sellers) {
  Json runs = Json::array();
  Json fewest = Json::array();
  for (const Row* row : job_rows(sheet, pick.model, pick.method)) {
    for (const RunCandidate& run : row->candidates) runs.push_back(run_of(sheet, run, sellers));
    if (!row->rentable) continue;
    const bool sure = row->certain_on(*row->rentable).value_or(true);
    fewest.push_back({gpu_place(sheet, row->gpu), *row->rentable, sure});
  }
  if (pick.second_source) runs.push_back(second_run(sheet, pick, sellers));
  Json lines = Json::object();
  const Json answer = answer_values(sheet, pick);
  for (const Json& line : answer.at("answer_lines")) {
    const std::string title = line.at("line_title").get<std::string>();
    if (title == kOwnTitle) lines["own"] = line.at("line_words");
    if (title == kServiceTitle) lines["service"] = line.at("line_words");
    if (title == kScarceTitle) lines["scarce"] = line.at("line_words");
  }
  Json job = {{"tokens", sheet.method(pick.method).tokens},
              {"lengths", lengths_of(sheet, pick, sellers)},
              {"runs", runs},
              {"fewest", fewest},
              {"smaller", smaller_runs(sheet, pick)},
              {"lines", lines}};
  // Runs per month from which owning pays: null where it never does.
  if (pick.own && pick.own->rent_usd_per_run) {
    const auto& even = pick.own->break_even_runs_per_month;
    job["even"] = even ? Json(*even) : Json();
    job["own_hours"] = pick.own->hours.mid;
  }
  return job;
}

}  // namespace

std::string answers_script(const Sheet& sheet) {
  Places sellers;
  Json jobs = Json::object();
  for (const Pick& pick : sheet.picks) jobs[pick.key()] = job_of(sheet, pick, sellers);
  Json gpus = Json::array();
  for (const SheetGpu& gpu : sheet.gpus) gpus.push_back({gpu.id, gpu.short_name});
  const Json all = {
      {"money", "$"},
      {"month_hours", sheet.options.hours_per_month},
      {"gpus", gpus},
      {"sellers", sellers.names()},
      {"weight", sheet.options.pick_rules.weight()},
      {"faster", {{"hours", kFasterBelow}, {"usd", kFasterUpTo}}},
      {"near", sheet.options.pick_rules.exposure_share},
      {"most_told", kMostToldGpus},
      {"hard", {{"share", kMostStartup}, {"nodes", kManyNodes}, {"hours", kFewHours}}},
      {"seq", sheet.scenarios.front().seq_len},
      {"jobs", jobs}};
  return "// SPDX-License-Identifier: Apache-2.0\n"
         "// The set-ups of every job, for the box of the first page.\n"
         "document.dispatchEvent(new CustomEvent('answers', { detail: " +
         json_text(all) + " }));\n";
}

Json index_values(const Sheet& sheet) {
  Json values = {{"decision", decision_sentences(sheet).front()},
                 {"job_rows", job_rows_of(sheet)},
                 {"box", box_values(sheet)},
                 {"project_column", sheet.project && sheet.project->index_column},
                 {"budget", budget_card(sheet)},
                 {"risk_cards", risk_cards(sheet)},
                 {"list_count", sheet.rows.size()}};
  values["has_services"] = !sheet.services.empty();
  values["asked"] = asked(sheet);
  put_changes_banner(values, sheet);
  return values;
}

}  // namespace sizesheet
