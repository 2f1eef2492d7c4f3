// SPDX-License-Identifier: Apache-2.0
#include "render/diff/scenarios.h"

#include <functional>
#include <stdexcept>

#include "render/sample_rows.h"
#include "sheet/changes.h"
#include "sheet/diff/compare.h"
#include "sheet/diff/edition.h"
#include "sheet/diff/sample_editions.h"
#include "sheet/services.h"
#include "support/json.h"
#include "support/money.h"

namespace sizesheet {
namespace {

/// Gives the side of a row these members, with the dollars that follow.
void edit_row(EditionRow& row, const Json& json) {
  sample::set_members(row.side, json);
  if (row.side.usd_per_instance_hour) reprice(row);
}

const Json& scenario_facts() {
  static const Json kFacts = sample::facts("scenarios.json");
  return kFacts;
}

/// The sample with real-looking names, labelled as the edition before.
Edition old_sample() {
  Edition edition = sample_edition();
  edition.file = "old.json";
  edition.label = {"Sheet", "2026-Q3", "2026-08-20", "2026-07-10", "abc", "0.1.0"};
  return edition;
}

/// One row of the sample on either side; it is also the pick of "m/lora".
DiffScenario of_row(const std::string& kind, const Json& edits) {
  DiffScenario scenario{kind, old_sample(), sample_edition()};
  for (const auto& [side, edition] : {std::pair{std::string("old"), &scenario.old_edition},
                                      std::pair{std::string("new"), &scenario.new_edition}}) {
    const Json asked = edits.value(side, Json::object());
    edit_row(row_of(*edition, "m/lora/a/s"),
             asked.is_string() ? scenario_facts().at("named").at(asked.get<std::string>()) : asked);
    sample::set_members(edition->picks[0], edits.value(side + "_pick", Json::object()));
  }
  return scenario;
}

/// What moves a figure, a term or a note, and nothing of the row's side.
std::vector<DiffScenario> detail_scenarios() {
  const std::pair<const char*, std::function<void(EditionRow&)>> edits[] = {
      {"other_rent_moved",
       [](EditionRow& row) { set_figure(row, "spot_usd_per_hour", MicroUsd{900'000}); }},
      {"service_moved",
       [](EditionRow& row) {
         row.side.service =
             RowService{"together", "together/0-16B/lora_sft/2026-09-11", MicroUsd{17'000'000}};
       }},
      {"spread_moved",
       [](EditionRow& row) { set_figure(row, "spread_providers", std::int64_t{7}); }},
      {"term_changed",
       [](EditionRow& row) {
         row.terms[1].bytes += 3LL << 29;
         row.side.device_bytes += 3LL << 29;
       }},
      {"confidence_changed", [](EditionRow& row) { set_figure(row, "confidence", "C"); }},
      {"note_changed", [](EditionRow& row) { row.notes = {"mind the gap"}; }}};
  std::vector<DiffScenario> all;
  for (const auto& [kind, change] : edits) {
    change(row_of(all.emplace_back(of_row(kind, Json::object())).new_edition, "m/lora/a/s"));
  }
  return all;
}

/// A model goes, another comes, a third changes its id.
std::vector<DiffScenario> name_scenarios() {
  DiffScenario added{"added", old_sample(), sample_edition()};
  added.new_edition.models.push_back({"o", {}});
  added.new_edition.rows.push_back(sample_row("o", "a", 1, 1'000'000));
  added.new_edition.rows.push_back(sample_row("o", "b", 1, 3'000'000));
  added.new_edition.picks.push_back(sample_pick("o", "o/lora/a/s"));
  DiffScenario removed{"removed", added.new_edition, added.old_edition};
  std::swap(removed.old_edition.label, removed.new_edition.label);
  DiffScenario renamed{"renamed", old_sample(), sample_edition()};
  renamed.new_edition.models[0] = {"m2", {"m"}};
  for (EditionRow& row : renamed.new_edition.rows) {
    if (row.model == "m") row.model = "m2";
    row.side.row_key = row.key();
  }
  renamed.new_edition.picks[0] = sample_pick("m2", "m2/lora/a/s", "m2/lora/a/s");
  return {added, removed, renamed};
}

/// Forty models on two GPU types in two scenarios: more than a table shows.
DiffScenario many() {
  DiffScenario scenario{"many", old_sample(), sample_edition()};
  const Json& named = scenario_facts().at("named");
  const std::vector<Json> edits{{{"usd_per_instance_hour", 2.39}},
                                {{"usd_per_instance_hour", 1.5}},
                                named.at("four"),
                                named.at("not fitting"),
                                {{"own_usd_per_month", 600}}};
  for (int i = 0; i < 40; ++i) {
    const std::string model = "model-" + std::to_string(i);
    for (Edition* edition : {&scenario.old_edition, &scenario.new_edition}) {
      edition->models.push_back({model, {}});
      for (const char* place : {"s", "long"}) {
        EditionRow row = sample_row(model, "a", 2, 2'000'000);
        row.scenario = place;
        row.side.row_key = row.key();
        edition->rows.push_back(row);
      }
      edition->picks.push_back(sample_pick(model, model + "/lora/a/s"));
    }
    const auto which = static_cast<std::size_t>(i) % edits.size();
    for (const char* place : {"/lora/a/s", "/lora/a/long"}) {
      edit_row(row_of(scenario.new_edition, model + place), edits[which]);
    }
    if (which == 3) scenario.new_edition.picks.back().rent_key.reset();
  }
  return scenario;
}

/// Every name that the forms print, in turn, is one that must not act: markup, links, terminal
/// escapes, characters that turn text.
DiffScenario hostile() {
  DiffScenario scenario{"hostile", old_sample(), sample_edition()};
  const std::vector<std::string> names{"a|b",
                                       "`rm -rf`",
                                       "<script>alert(1)</script>",
                                       "two\nlines",
                                       "[x](javascript:alert(1))",
                                       "\u202egnp.exe\u2066",
                                       "\x1b]0;title\x07\x1b[2J",
                                       "@everyone #1 www.x.example https://x.example",
                                       "$a_b$ *bold* ~~gone~~ \\| &amp; <!-- x -->",
                                       std::string(300, 'n')};
  for (const std::string& name : names) {
    EditionRow row = sample_row(name, name, 2, 2'000'000);
    row.side.gpu_name = name;
    row.terms[1].title = name;
    scenario.old_edition.rows.push_back(row);
    edit_row(row, {{"usd_per_instance_hour", 2.5}});
    row.terms[1].bytes += 1LL << 30;
    scenario.new_edition.rows.push_back(row);
    for (Edition* edition : {&scenario.old_edition, &scenario.new_edition}) {
      edition->picks.push_back(sample_pick(name, row.key()));
    }
    EditionRow fresh = sample_row("new " + name, "a", 1, 1'000'000);
    scenario.new_edition.rows.push_back(fresh);
  }
  scenario.new_edition.label.edition = "<b>|`2026`\x1b[31m";
  return scenario;
}

/// What the sizing of one group of inputs after the other would fill in.
void fill_causes(SheetChanges& changes) {
  for (Change& change : changes.changes) {
    change.cause = {"prices"};
    change.because = {"prices:runpod/h100-sxm"};
  }
  const auto made = sample::value_from<SheetChanges>(scenario_facts().at("causes"));
  changes.moved = made.moved;
  changes.causes = made.causes;
}

std::vector<DiffScenario> make_scenarios() {
  std::vector<DiffScenario> all = detail_scenarios();
  for (const auto& [kind, edits] : scenario_facts().at("of_row").items())
    all.push_back(of_row(kind, edits));
  for (const DiffScenario& scenario : name_scenarios()) all.push_back(scenario);
  all.push_back(many());
  all.push_back(hostile());
  return all;
}

}  // namespace

const std::vector<DiffScenario>& diff_scenarios() {
  static const std::vector<DiffScenario> kAll = make_scenarios();
  return kAll;
}

const DiffScenario& diff_scenario(const std::string& name) {
  for (const DiffScenario& scenario : diff_scenarios()) {
    if (scenario.name == name) return scenario;
  }
  throw std::out_of_range(name);
}

SheetChanges compared(const DiffScenario& scenario) {
  SheetChanges changes = compare_editions(scenario.old_edition, scenario.new_edition, {});
  if (scenario.name == "causes") fill_causes(changes);
  return changes;
}

}  // namespace sizesheet
