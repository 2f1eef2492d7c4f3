// SPDX-License-Identifier: Apache-2.0
#include "render/html/changes_page.h"

#include <algorithm>
#include <functional>
#include <set>

#include "render/change_cause.h"
#include "render/change_words.h"
#include "render/changes_words.h"
#include "render/diff/remarks.h"
#include "render/html/changes_behind.h"
#include "render/html/templates/proof_id.h"
#include "render/html/templates/strict_context.h"
#include "render/html/templates/templates.h"
#include "render/phrases.h"
#include "render/svg/svg_bars.h"
#include "sheet/changes.h"
#include "sheet/fields.h"
#include "sheet/sheet.h"
#include "support/json.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::size_t kMostRows = 600;  // of the folded list; sheet.json has them all

std::string with_run(const std::string& setup, const std::optional<MicroUsd>& run) {
  return run ? setup + ", $" + run_usd(*run) + " per run" : setup;
}

/// Changes with the site that their page stands on, whose titles and pages it may use.
class ChangesOnSite {
 public:
  /// `edition` must outlive this; nullptr where the page stands alone.
  ChangesOnSite(const SheetChanges& of, const Sheet* edition)
      : changes(of), moved(moved_by_id(of)), edition_(edition) {
    for (const Change& change : changes.changes) {
      (change.of == "pick" ? pick_scenarios_ : row_scenarios_).insert(change.scenario);
    }
  }

  bool alone() const { return edition_ == nullptr; }

  static std::string gpu(const Change& change) {
    const auto& side = change.new_side ? change.new_side : change.old_side;
    return side && !side->gpu_name.empty() ? side->gpu_name : change.gpu;
  }

  /// Address of what is changed: the bill of a row, the model's page; "" where there is none.
  std::string href(const Change& change) const {
    if (alone() || !entry_with(edition_->models, &SheetModel::id, change.model)) return "";
    const std::string page = "models/" + change.model + ".html";
    if (change.of == "pick") {
      const bool known = entry_with(edition_->methods, &SheetMethod::id, change.method) != nullptr;
      return known ? page + "#" + change.method : page;
    }
    const Row* row = edition_->find(change.key);
    return row ? page + "#" + proof_id(*edition_, *row) : page;
  }

  /// The scenario where the rows, or the picks, are of several, else "".
  std::string scenario(const Change& change) const {
    const auto& scenarios = change.of == "pick" ? pick_scenarios_ : row_scenarios_;
    return scenarios.size() > 1 ? changes.name_of("scenario", change.scenario) : "";
  }

  /// "1 × L40S, $7.31 per run": what is picked now; absent where that is not known here.
  std::optional<std::string> pick_now(const std::string& model, const std::string& method) const {
    for (const Change& change : changes.changes) {
      if (change.of != "pick" || change.model != model || change.method != method) continue;
      if (!change.new_side) return change.kind == "vanished" ? "no price" : "nothing fits";
      return with_run(side_setup(*change.new_side), change.new_side->list_usd_per_run);
    }
    const Row* row = alone() ? nullptr : rent_pick_row(*edition_, model, method);
    if (!row) return std::nullopt;
    return with_run(set_up(*edition_, *row), row->usd_per_run());
  }

  /// Those of rows or of picks.
  std::vector<const Change*> of(const char* what) const {
    std::vector<const Change*> found;
    for (const Change& change : changes.changes) {
      if (change.of == what) found.push_back(&change);
    }
    return found;
  }

  const SheetChanges& changes;
  const MovedById moved;

 private:
  const Sheet* edition_;
  std::set<std::string> row_scenarios_;
  std::set<std::string> pick_scenarios_;
};

// ---- One change as a line of a table.

std::string setup_or_absent(const std::optional<ChangeSide>& side) {
  if (!side) return std::string(kAbsent);
  return side->holds() ? side_setup(*side) : side_standing(side);
}

/// The change with names, link, both set-ups, and the share by which a run moved.
Json change_json(const ChangesOnSite& told, const Change& change) {
  const auto run_on = [](const std::optional<ChangeSide>& side) {
    return side ? side->list_usd_per_run : std::nullopt;
  };
  const auto share = delta_share(run_on(change.old_side), run_on(change.new_side));
  const std::string before = setup_or_absent(change.old_side);
  const std::string after = setup_or_absent(change.new_side);
  Json row = written(change);
  row["subject_model"] = told.changes.name_of("model", change.model);
  row["subject_method"] = told.changes.name_of("method", change.method);
  row["subject_href"] = told.href(change);
  row["subject_gpu"] = ChangesOnSite::gpu(change);
  row["subject_scenario"] = told.scenario(change);
  row["share"] = share ? Json(*share) : Json();
  row["change_cause"] = cause_title(change, told.moved);
  row["setup_before"] = before;
  row["setup_after"] = after;
  row["setup_left"] = change.old_side && before != after;
  row["setup_came"] = change.new_side && before != after;
  row["setup_stays"] = before == after;
  return row;
}

/// ○, ▲, ● for what fits now, ↑ and ↓ for counts, with the class of a verdict.
void put_standing(Json& row, const ChangeKind& kind) {
  static const std::map<std::string, std::pair<const char*, const char*>> kMarks = {
      {"no_longer_fits", {"○", "no"}},        {"headroom_low", {"▲", "tight"}},
      {"needs_more", {"↑", "tight"}},         {"now_fits", {"●", "fits"}},
      {"headroom_back", {"●", "fits"}},       {"needs_less", {"↓", "fits"}},
      {"no_longer_certain", {"◐", "unsure"}}, {"now_certain", {"●", "fits"}}};
  const auto found = kMarks.find(kind.id);
  row["now_mark"] = found == kMarks.end() ? kind.mark : found->second.first;
  row["now_class"] = found == kMarks.end() ? "quiet" : found->second.second;
  row["now_words"] = kind.words;
}

/// Rows that fit, or on how many GPUs, otherwise than before; most severe first.
Json verdict_rows(const ChangesOnSite& told) {
  Json rows = Json::array();
  for (const Change* change : told.of("row")) {
    if (!is_verdict(change->kind)) continue;
    Json& row = rows.emplace_back(change_json(told, *change));
    row["verdict_before"] = side_standing(change->old_side);
    row["verdict_after"] = side_standing(change->new_side);
    row["verdict_next"] =
        change->kind == "no_longer_fits"
            ? told.pick_now(change->model, change->method).value_or("the pick stays")
            : std::string(kAbsent);
    put_standing(row, change_kind(change->kind));
  }
  return rows;
}

/// "d-llama-3.1-70b-lora": letters, digits, dots, dashes and underscores of the ids.
std::string change_id(const Change& change) {
  std::string id = "d-" + change.model + "-" + change.method;
  std::ranges::replace_if(
      id, [](char c) { return !is_letter_or_digit(c) && c != '.' && c != '_'; }, '-');
  return id;
}

/// The picks, largest change of the dollars of a run first, unknown last.
Json pick_rows(const ChangesOnSite& told) {
  std::vector<const Change*> picks = told.of("pick");
  std::ranges::stable_sort(picks, std::greater(),
                           [](const Change* pick) { return dollars_moved(*pick); });
  const std::int64_t largest = picks.empty() ? 0 : dollars_moved(*picks.front());
  Json rows = Json::array();
  for (const Change* pick : picks) {
    Json& row = rows.emplace_back(change_json(told, *pick));
    row["pick_id"] = change_id(*pick);
    row["pick_search"] = told.changes.name_of("model", pick->model) + " " + pick->model;
    row["pick_causes"] = join(pick->cause, " ");
    row["pick_moves"] = pick_moves(*pick, told.moved);
    row["pick_next"] = pick->next ? next_words(*pick->next) : "";
    const double total =
        pick->effects_usd ? static_cast<double>(pick->effects_usd->total.value) : 0;
    row["delta_svg"] = svg_cell_signed(largest > 0 ? total / static_cast<double>(largest) : 0);
  }
  return rows;
}

/// What changed of a row.
Json changed_rows(const ChangesOnSite& told) {
  Json rows = Json::array();
  for (const Change* change : told.of("row")) {
    if (rows.size() == kMostRows) break;
    Json& row = rows.emplace_back(change_json(told, *change));
    std::vector<std::string> words;
    for (const std::string& kind : change->kinds()) words.push_back(change_kind(kind).words);
    row["change_words"] = join(words, ", ");
  }
  return rows;
}

/// Rows of one GPU type whose dollars moved by the same share, one line for all of them.
Json equal_rows(const SheetChanges& changes) {
  const LineContext context = line_context(changes);
  Json rows = Json::array();
  for (const auto& alike : folded(list_changes(changes, "row", 0)).shown) {
    if (alike.size() == 1) continue;
    const ChangeLine line = change_line(alike, context);
    rows.push_back({{"count", alike.size()},
                    {"gpu", ChangesOnSite::gpu(*alike.front())},
                    {"level", alike.front()->level},
                    {"percent", line.run.percent},
                    {"cause", line.cause}});
  }
  return rows;
}

// ---- Counts of the changes by kind.

/// How many are of a kind.
std::int64_t count_of(const std::map<std::string, std::int64_t>& counts, const std::string& kind) {
  const auto found = counts.find(kind);
  return found == counts.end() ? 0 : found->second;
}

/// How many rows and picks each kind has.
Json kind_rows(const SheetChanges& changes) {
  Json rows = Json::array();
  for (const ChangeKind& kind : change_kinds()) {
    const std::int64_t of_rows = count_of(changes.row_kinds, kind.id);
    const std::int64_t of_picks = count_of(changes.pick_kinds, kind.id);
    if (of_rows == 0 && of_picks == 0) continue;
    rows.push_back(
        {{"level", kind.level}, {"words", kind.words}, {"rows", of_rows}, {"picks", of_picks}});
  }
  return rows;
}

/// The five counts at the top.
Json tallies(const SheetChanges& changes) {
  Json all = Json::array();
  const auto add = [&](const std::string& title, std::int64_t rows, std::int64_t picks) {
    all.push_back({{"tally_title", title},
                   {"tally_rows", rows},
                   {"tally_unit", rows == 1 ? "row" : "rows"},
                   {"tally_picks", counted(picks, "pick", "picks", kFirmBlank)}});
  };
  static constexpr std::pair<const char*, const char*> kKinds[] = {
      {"Cheaper", "cheaper"},
      {"Dearer", "dearer"},
      {"Now fit", "now_fits"},
      {"No longer fit", "no_longer_fits"}};
  for (const auto& [title, kind] : kKinds) {
    add(title, count_of(changes.row_kinds, kind), count_of(changes.pick_kinds, kind));
  }
  const std::string share = format_number(changes.thresholds.usd_share * 100, 0);
  add("Under " + share + "\u00a0%, or unchanged",
      changes.rows.below_threshold + changes.rows.unchanged,
      changes.picks.below_threshold + changes.picks.unchanged);
  return all;
}

/// "324 rows compared: 2 breaking, 240 notable, 82 detail, 0 unchanged, 0 under the thresholds."
std::string counts_sentence(const ChangeCounts& counts, const char* one, const char* many) {
  return counted(counts.compared, one, many, kFirmBlank) +
         " compared: " + format_integer(counts.breaking) + " breaking, " +
         format_integer(counts.notable) + " notable, " + format_integer(counts.detail) +
         " in details, " + format_integer(counts.unchanged) + " unchanged, " +
         format_integer(counts.below_threshold) + " under the thresholds.";
}

// ---- The page.

void put_total(Json& values, const SheetChanges& changes) {
  const TotalSentence total = total_sentence(changes);
  values["total"] = {{"words", total.words}, {"delta", total.delta}};
  values["cause"] = what_happened(changes);
}

std::string page_heading(const SheetChanges& changes) {
  const SideTitles sides = side_titles(changes);
  const std::string& edition = changes.new_edition.edition;
  if (sides.when == sides.before && !edition.empty()) return "What changed within " + edition;
  return "What changed, " + sides.before + " to " + sides.after;
}

void put_plan(Json& values, const SheetChanges& changes) {
  const PlanChangeWords plan = plan_change_words(changes, " → ");
  values["plan_total"] = plan.total;
  values["plan_lists"] = Json::array();
  const auto add = [&](const char* title, const std::vector<std::string>& items) {
    if (!items.empty()) values["plan_lists"].push_back({{"list_title", title}, {"items", items}});
  };
  add("Machines and reservations", plan.moves);
  add("Where most runs of a kind are", plan.runs);
  add("Why, each group after the ones above it", plan.causes);
}

Json page_values(const SheetChanges& changes, const Sheet* edition) {
  const ChangesOnSite told(changes, edition);
  const SideTitles sides = side_titles(changes);
  std::set<std::string> causes;  // that some pick names, for the filter
  for (const Change* pick : told.of("pick")) causes.insert(pick->cause.begin(), pick->cause.end());
  const ChangeThresholds& limits = changes.thresholds;
  Json values = {
      {"changes_title", page_heading(changes)},
      {"side_before", sides.before},
      {"side_after", sides.after},
      {"lead_rest", lead_rest(changes)},
      {"tallies", tallies(changes)},
      {"has_changes", !changes.changes.empty()},
      {"in_edition", !told.alone()},
      {"plan_page", !told.alone() && changes.plan && changes.plan->new_totals},
      {"verdict_rows", verdict_rows(told)},
      {"pick_rows", pick_rows(told)},
      {"picks_words", counts_sentence(changes.picks, "pick", "picks")},
      {"kind_rows", kind_rows(changes)},
      {"cause_choices", causes},
      {"rows_words", counts_sentence(changes.rows, "row", "rows")},
      {"thresholds_words", "The list has what moved by at least " +
                               shortest(limits.usd_share * 100) + "\u00a0% of money, " +
                               shortest(limits.hours_share * 100) + "\u00a0% of hours or " +
                               shortest(limits.memory_gib) + "\u00a0GiB of memory."},
      {"equal_rows", equal_rows(changes)},
      {"changed_rows", changed_rows(told)},
      {"was", written(changes.old_edition)},
      {"is", written(changes.new_edition)}};
  const std::int64_t changed = changes.rows.breaking + changes.rows.notable + changes.rows.detail;
  const auto shown = static_cast<std::int64_t>(values["changed_rows"].size());
  values["changed_rows_words"] =
      counted(changed, "changed row", "changed rows", kFirmBlank) +
      (shown < changed ? ", the first " + format_integer(shown) + " of them here" : "");
  put_total(values, changes);
  put_plan(values, changes);
  put_behind(values, changes);
  return values;
}

}  // namespace

Json changes_values(const Sheet& sheet) { return page_values(*sheet.changes, &sheet); }

std::string changes_page(const SheetChanges& changes) {
  const TemplateSet templates = builtin_templates();
  return standalone_document(
      page_heading(changes),
      render_template(templates, "changes_alone.mustache", page_values(changes, nullptr)),
      templates);
}

void put_changes_banner(Json& values, const Sheet& sheet) {
  values["total"] = nullptr;
  if (sheet.changes) put_total(values, *sheet.changes);
}

}  // namespace sizesheet
