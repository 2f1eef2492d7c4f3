// SPDX-License-Identifier: Apache-2.0
// What changed since an earlier edition: a page of a site, or a document of its own.

#include <algorithm>

#include "render/diff/words.h"
#include "render/html/pages.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::size_t kMostRows = 600;  // of the folded list; sheet.json has them all

void put_total(Json& values, const SheetChanges& changes) {
  const TotalSentence total = total_sentence(changes);
  values["total"] = {{"words", total.words}, {"delta", total.delta}};
}

std::string page_heading(const SheetChanges& changes) {
  const SideTitles sides = side_titles(changes);
  const std::string& edition = changes.new_edition.edition;
  if (sides.when == sides.before && !edition.empty()) return "What changed within " + edition;
  return "What changed, " + sides.before + " to " + sides.after;
}

Json tally(const std::string& title, std::int64_t rows, std::int64_t picks) {
  return {{"tally_title", title},
          {"tally_count", format_integer(rows)},
          {"tally_unit", rows == 1 ? "row" : "rows"},
          {"tally_picks", counted(picks, "pick", "picks", kFirmBlank)}};
}

/// The five counts at the top.
Json tallies(const SheetChanges& changes) {
  const auto of_kind = [&](const char* title, const char* kind) {
    return tally(title, count_in(changes.row_kinds, kind), count_in(changes.pick_kinds, kind));
  };
  const std::string share = format_number(changes.thresholds.usd_share * 100, 0);
  return Json::array({of_kind("Cheaper", "cheaper"), of_kind("Dearer", "dearer"),
                      of_kind("Now fit", "now_fits"), of_kind("No longer fit", "no_longer_fits"),
                      tally("Under " + share + "\u00a0%, or unchanged",
                            changes.rows.below_threshold + changes.rows.unchanged,
                            changes.picks.below_threshold + changes.picks.unchanged)});
}

/// "324 rows compared: 2 breaking, 240 notable, 82 detail, 0 unchanged, 0 under the thresholds."
std::string counts_sentence(const ChangeCounts& counts, const char* one, const char* many) {
  return counted(counts.compared, one, many, kFirmBlank) +
         " compared: " + format_integer(counts.breaking) + " breaking, " +
         format_integer(counts.notable) + " notable, " + format_integer(counts.detail) +
         " in details, " + format_integer(counts.unchanged) + " unchanged, " +
         format_integer(counts.below_threshold) + " under the thresholds.";
}

void put_effects_section(Json& values, const SheetChanges& changes) {
  const ChangeTotals& totals = changes.pick_totals;
  const ChangeEffects effects = printed_effects(totals.old_usd, totals.effects, kCents);
  values["effect_rows"] = Json::array();
  for (const EffectPart& part : effect_parts(effects)) {
    if (part.usd.value != 0) values["effect_rows"].push_back(written(part));
  }
  const bool moved = !changes.changes.empty() || !values["effect_rows"].empty();
  values["has_effects"] = totals.comparable > 0 && moved;
  // One effect is the total, and a chart of it would say nothing.
  const bool several = values["effect_rows"].size() > 1;
  values["effects_svg"] = several ? Json(svg(effects_chart(changes))) : Json();
  values["effect_total"] = exact_usd(effects.total);
  values["effect_up"] = exact_usd(totals.up_usd);
  values["effect_down"] = exact_usd(totals.down_usd);
}

void put_tables(Json& values, const SheetChanges& changes, const ChangesPlace& place) {
  values["verdict_rows"] = verdict_rows(changes, place);
  values["pick_rows"] = pick_rows(changes, place);
  values["picks_changed"] = format_integer(static_cast<std::int64_t>(values["pick_rows"].size()));
  values["picks_compared"] = format_integer(changes.picks.compared);
  values["picks_words"] = counts_sentence(changes.picks, "pick", "picks");
  values["kind_rows"] = kind_rows(changes);
  values["cause_choices"] = cause_choices(changes);
  values["rows_words"] = counts_sentence(changes.rows, "row", "rows");
  const ChangeThresholds& limits = changes.thresholds;
  values["thresholds_words"] = "Listed is what moved by at least " +
                               shortest(limits.usd_share * 100) + "\u00a0% of money, " +
                               shortest(limits.hours_share * 100) + "\u00a0% of hours or " +
                               shortest(limits.memory_gib) + "\u00a0GiB of memory.";
  values["equal_rows"] = equal_rows(changes, place);
  values["changed_rows"] = changed_rows(changes, place, kMostRows);
  const std::int64_t changed = changes.rows.breaking + changes.rows.notable + changes.rows.detail;
  const auto shown = static_cast<std::int64_t>(values["changed_rows"].size());
  values["changed_rows_words"] =
      counted(changed, "changed row", "changed rows", kFirmBlank) +
      (shown < changed ? ", the first " + format_integer(shown) + " of them here" : "");
}

void put_plan_list(Json& values, const char* title, const std::vector<std::string>& items) {
  if (items.empty()) return;
  values["plan_lists"].push_back({{"list_title", title}, {"items", Json::array()}});
  for (const std::string& item : items) {
    values["plan_lists"].back()["items"].push_back({{"words", item}});
  }
}

void put_changes(Json& values, const SheetChanges& changes, const ChangesPlace& place) {
  const SideTitles sides = side_titles(changes);
  values["changes_title"] = page_heading(changes);
  values["side_before"] = sides.before;
  values["side_after"] = sides.after;
  values["lead_rest"] = lead_rest(changes);
  values["tallies"] = tallies(changes);
  values["has_changes"] = !changes.changes.empty();
  values["in_edition"] = !place.alone();
  values["plan_page"] = !place.alone() && changes.plan && changes.plan->new_totals;
  put_total(values, changes);
  const PlanChangeWords plan = plan_change_words(changes, " → ");
  values["plan_total"] = plan.total;
  values["plan_lists"] = Json::array();
  put_plan_list(values, "Machines and reservations", plan.moves);
  put_plan_list(values, "Where most runs of a kind are", plan.runs);
  put_plan_list(values, "Why, each group after the ones above it", plan.causes);
  put_effects_section(values, changes);
  put_causes(values, changes);
  put_tables(values, changes, place);
  put_moved(values, changes);
  values["was"] = written(changes.old_edition);
  values["is"] = written(changes.new_edition);
}

std::string with_run(const std::string& setup, const std::optional<MicroUsd>& run) {
  return run ? setup + ", $" + run_usd(*run) + " a run" : setup;
}

}  // namespace

Json changes_values(const Sheet& sheet) {
  const SheetChanges& changes = *sheet.changes;
  Json values = Json::object();
  put_changes(values, changes, ChangesPlace(changes, &sheet));
  return values;
}

std::string changes_page(const SheetChanges& changes) {
  const TemplateSet templates = builtin_templates();
  Json values = Json::object();
  put_changes(values, changes, ChangesPlace(changes, nullptr));
  const std::string body = render_template(templates, "changes_alone.mustache", values);
  return standalone_document(page_heading(changes), body, templates);
}

void put_changes_banner(Json& values, const Sheet& sheet) {
  values["total"] = nullptr;
  if (sheet.changes) put_total(values, *sheet.changes);
}

ChangesPlace::ChangesPlace(const SheetChanges& changes, const Sheet* edition)
    : changes_(changes), edition_(edition) {
  for (const Change& change : changes.changes) {
    (change.of == "pick" ? pick_scenarios_ : row_scenarios_).insert(change.scenario);
  }
}

std::string ChangesPlace::gpu(const Change& change) const {
  const auto& side = change.new_side ? change.new_side : change.old_side;
  return side && !side->gpu_name.empty() ? side->gpu_name : change.gpu;
}

std::string ChangesPlace::href(const Change& change) const {
  if (alone() || !entry_with(edition_->models, &SheetModel::id, change.model)) return "";
  const std::string page = "models/" + change.model + ".html";
  if (change.of == "pick") {
    return entry_with(edition_->methods, &SheetMethod::id, change.method)
               ? page + "#" + change.method
               : page;
  }
  const Row* row = edition_->find(change.key);
  return row ? page + "#" + proof_id(*edition_, *row) : page;
}

std::string ChangesPlace::scenario(const Change& change) const {
  const auto& scenarios = change.of == "pick" ? pick_scenarios_ : row_scenarios_;
  return scenarios.size() > 1 ? name("scenario", change.scenario) : "";
}

std::optional<std::string> ChangesPlace::pick_now(const std::string& model,
                                                  const std::string& method) const {
  for (const Change& change : changes_.changes) {
    if (change.of != "pick" || change.model != model || change.method != method) continue;
    if (!change.new_side) return change.kind == "vanished" ? "no price" : "nothing fits";
    return with_run(side_setup(*change.new_side), change.new_side->list_usd_per_run);
  }
  const Row* row = alone() ? nullptr : rent_pick_row(*edition_, model, method);
  if (!row) return std::nullopt;
  return with_run(set_up(*edition_, *row), row->usd_per_run());
}

}  // namespace sizesheet
