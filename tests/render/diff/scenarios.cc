// SPDX-License-Identifier: Apache-2.0
#include "render/diff/scenarios.h"

#include <functional>
#include <stdexcept>

#include "sheet/diff/edition.h"
#include "sheet/diff/sample_editions.h"

namespace sizesheet {
namespace {

using Edit = std::function<void(EditionRow&)>;

void nothing(EditionRow&) {}

void not_fitting(EditionRow& row) {
  const ChangeSide before = row.side;
  row.side = ChangeSide{};
  row.side.row_key = before.row_key;
  row.side.gpu = before.gpu;
  row.side.gpu_name = before.gpu_name;
  row.side.verdict = Verdict::kNo;
  row.side.gpus = before.gpus;
  row.side.device_bytes = 90LL << 30;
  row.side.capacity_bytes = before.capacity_bytes;
}

void unpriced(EditionRow& row) {
  row.side.price_key = "";
  row.side.instances = 0;
  row.side.usd_per_instance_hour.reset();
  row.side.list_usd_per_hour.reset();
  row.side.list_usd_per_run.reset();
}

Edit count(std::int64_t gpus) {
  return [gpus](EditionRow& row) {
    row.side.gpus = row.side.instances = gpus;
    reprice(row);
  };
}

/// Held by so many GPUs at the least, and rented from somebody.
Edit offered(std::int64_t fewest, const std::string& provider) {
  return [=](EditionRow& row) {
    row.side.fewest = fewest;
    row.side.provider = provider;
    row.side.exposed = false;
  };
}

Edit price(std::int64_t micro) {
  return [micro](EditionRow& row) {
    row.side.usd_per_instance_hour = MicroUsd{micro};
    reprice(row);
  };
}

Edit hours(double value) {
  return [value](EditionRow& row) {
    row.side.hours = value;
    reprice(row);
  };
}

Edit own(std::int64_t usd) {
  return [usd](EditionRow& row) { row.side.own_usd_per_month = MicroUsd{usd * 1'000'000}; };
}

void not_owned(EditionRow& row) {
  row.side.own_usd_per_month.reset();
  row.side.break_even_hours_per_month.reset();
  row.side.advice.reset();
}

/// The sample with real-looking names, labelled as the edition before.
Edition old_sample() {
  Edition edition = sample_edition();
  edition.file = "old.json";
  edition.label = {"Sheet", "2026-Q3", "2026-08-20", "2026-07-10", "abc", "0.1.0"};
  return edition;
}

/// One row of the sample on either side; it is also the pick of "m/lora".
DiffScenario of_row(const std::string& kind, const Edit& old_edit, const Edit& new_edit) {
  DiffScenario scenario{kind, old_sample(), sample_edition()};
  old_edit(row_of(scenario.old_edition, "m/lora/a/s"));
  new_edit(row_of(scenario.new_edition, "m/lora/a/s"));
  return scenario;
}

std::vector<DiffScenario> answer_scenarios() {
  const Edit tight = [](EditionRow& row) { row.side.verdict = Verdict::kTight; };
  std::vector<DiffScenario> all{
      of_row("no_longer_fits", nothing, not_fitting),
      of_row("needs_more", nothing, count(4)),
      of_row("headroom_low", nothing, tight),
      of_row("now_fits", not_fitting, nothing),
      of_row("headroom_back", tight, nothing),
      of_row("needs_less", count(4), nothing),
      of_row("type_changed", nothing, price(6'000'000)),
      of_row("advice_flipped", nothing, [](EditionRow& row) { row.side.advice = "buy"; }),
      of_row("count_changed", offered(2, "near"),
             [](EditionRow& row) {
               offered(2, "near")(row);
               count(4)(row);
             }),
      of_row("seller_changed", offered(2, "near"), offered(2, "far"))};
  for (DiffScenario& scenario : all) {
    if (scenario.name == "no_longer_fits") scenario.new_edition.picks[0].rent_key = "m/lora/b/s";
    if (scenario.name == "now_fits") scenario.old_edition.picks[0].rent_key = std::nullopt;
    if (scenario.name == "type_changed") scenario.new_edition.picks[0].rent_key = "m/lora/b/s";
  }
  return all;
}

std::vector<DiffScenario> money_scenarios() {
  return {of_row("vanished", nothing, unpriced),
          of_row("appeared", unpriced, nothing),
          of_row("dearer", nothing, price(2'390'000)),
          of_row("cheaper", nothing, price(1'790'000)),
          of_row("own_vanished", nothing, not_owned),
          of_row("own_appeared", not_owned, nothing),
          of_row("offsetting", nothing,
                 [](EditionRow& row) {
                   price(1'600'000)(row);
                   hours(12.5)(row);
                 }),
          of_row("own_dearer", nothing, own(540)),
          of_row("own_cheaper", nothing, own(460)),
          of_row(
              "slower", [](EditionRow& row) { unpriced(row); },
              [](EditionRow& row) {
                unpriced(row);
                row.side.hours = 11.25;
              }),
          of_row("faster", hours(10.5), nothing)};
}

std::vector<DiffScenario> detail_scenarios() {
  const Edit never = [](EditionRow& row) { row.side.break_even_hours_per_month.reset(); };
  const Edit dated = [](EditionRow& row) {
    row.side.price_key = "p/any//a/on_demand/1/2026-07-04";
  };
  std::vector<DiffScenario> all{
      of_row("break_even_moved", nothing, never),
      of_row("buy_type_changed", nothing, nothing),
      of_row(
          "own_machine_changed", [](EditionRow& row) { row.side.machine = "1 × one"; },
          [](EditionRow& row) { row.side.machine = "2 × two"; }),
      of_row("runner_up_changed", nothing, nothing),
      of_row("exposure_changed", offered(2, "near"),
             [](EditionRow& row) {
               offered(2, "near")(row);
               row.side.exposed = true;
             }),
      of_row("other_rent_moved", nothing,
             [](EditionRow& row) { set_figure(row, "spot_usd_per_hour", MicroUsd{900'000}); }),
      of_row("spread_moved", nothing,
             [](EditionRow& row) { set_figure(row, "spread_providers", std::int64_t{7}); }),
      of_row("term_changed", nothing,
             [](EditionRow& row) {
               row.terms[1].bytes += 3LL << 29;
               row.side.device_bytes += 3LL << 29;
             }),
      of_row("confidence_changed", nothing,
             [](EditionRow& row) { set_figure(row, "confidence", "C"); }),
      of_row("note_changed", nothing, [](EditionRow& row) { row.notes = {"mind the gap"}; }),
      of_row("price_date", dated, nothing)};
  all[1].new_edition.picks[0].buy_key = "m/lora/b/s";
  Pick& next = all[3].new_edition.picks[0];
  all[3].old_edition.picks[0].runner_up = RunnerUp{.row = "m/lora/a/s"};
  next.runner_up = RunnerUp{.row = "m/lora/b/s"};
  next.switch_at = PickSwitch{MicroUsd{1'500'000}, 0.25};
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
  const std::vector<Edit> edits{price(2'390'000), price(1'500'000), count(4), not_fitting,
                                own(600)};
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
      edits[which](row_of(scenario.new_edition, model + place));
    }
    if (which == 3) scenario.new_edition.picks.back().rent_key.reset();
  }
  return scenario;
}

/// Every name that the forms print, in turn, is one that must not act.
DiffScenario hostile() {
  DiffScenario scenario{"hostile", old_sample(), sample_edition()};
  for (const std::string& name : hostile_names()) {
    EditionRow row = sample_row(name, name, 2, 2'000'000);
    row.side.gpu_name = name;
    row.terms[1].title = name;
    scenario.old_edition.rows.push_back(row);
    price(2'500'000)(row);
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
  changes.moved = {
      {"prices:runpod/h100-sxm", "prices", "runpod h100-sxm on_demand", "/usd_per_instance_hour",
       "changed", "2.69", "2.39", "$/h", "2026-09-25", "2026-10-10", "price page", 14},
      {"prices:x/b200", "prices", "x b200 spot", "", "added", "", "{}", "", "", "2026-10-10",
       "price page", 0},
      {"engine:activation_factor", "engine", "activation_factor", "/value", "changed", "1.0",
       "1.06", "", "", "", "a paper", 1}};
  changes.causes = {{"engine", 0, 0, MicroUsd{0}}, {"prices", 1, 1, MicroUsd{7'800'000}}};
}

std::vector<DiffScenario> make_scenarios() {
  std::vector<DiffScenario> all;
  for (const auto& part :
       {answer_scenarios(), money_scenarios(), name_scenarios(), detail_scenarios()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  all.push_back(of_row("nothing", nothing, nothing));
  all.push_back(of_row("below_threshold", nothing, price(2'000'100)));
  all.push_back(of_row("causes", nothing, price(2'390'000)));
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

const std::vector<std::string>& hostile_names() {
  static const std::vector<std::string> kNames{
      "a|b",
      "`rm -rf`",
      "<script>alert(1)</script>",
      "two\nlines",
      "[x](javascript:alert(1))",
      "\u202egnp.exe\u2066",
      "\x1b]0;title\x07\x1b[2J",
      "@everyone #1 www.x.example https://x.example",
      "$a_b$ *bold* ~~gone~~ \\| &amp; <!-- x -->",
      std::string(300, 'n'),
  };
  return kNames;
}

SheetChanges compared(const DiffScenario& scenario) {
  SheetChanges changes = compare_editions(scenario.old_edition, scenario.new_edition, {});
  if (scenario.name == "causes") fill_causes(changes);
  return changes;
}

}  // namespace sizesheet
