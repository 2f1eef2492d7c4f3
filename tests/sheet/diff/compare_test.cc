// SPDX-License-Identifier: Apache-2.0
// Comparisons of two editions: where kinds of change begin, effects, totals and order, by
// tests/oracles/cases_compare.json; of each kind alone tests/golden/diff has the whole answer.
#include "sheet/diff/compare.h"

#include <gtest/gtest.h>

#include "render/sample_rows.h"
#include "sheet/changes.h"
#include "sheet/diff/edition.h"
#include "sheet/diff/sample_editions.h"
#include "sheet/money.h"
#include "sheet/sheet_json.h"
#include "support/cases.h"
#include "support/json.h"
#include "support/project_catalog.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

/// Gives the row or the pick of this key, one after the other: members, those of a name in
/// tests/render/samples/scenarios.json, bytes more of a term, hours of a run by GPUs ("counts");
/// "none": the pick has no row.
void edit(Edition& edition, const std::string& key, const Json& edits) {
  static const Json kNamed = sample::facts("scenarios.json").at("named");
  Pick& pick = edition.picks.at(key.starts_with("m") ? 0 : 1);
  const bool of_pick = key == pick.model + "/" + pick.method;
  for (const Json& one : edits) {
    if (of_pick && one == "none") {
      pick.rent_key.reset();
    } else if (of_pick) {
      sample::set_members(pick, one);
    } else if (one.is_array()) {
      row_of(edition, key).terms.at(one.at(0)).bytes += one.at(1).get<std::int64_t>();
    } else {
      EditionRow& row = row_of(edition, key);
      if (one.is_object() && one.contains("counts")) {
        for (const auto& [gpus, hours] : one.at("counts").items()) {
          row.counts.push_back({std::stoll(gpus), hours.get<double>()});
        }
        continue;
      }
      sample::set_members(row.side, one.is_string() ? kNamed.at(one.get<std::string>()) : one);
      if (row.side.usd_per_instance_hour) reprice(row);
    }
  }
}

/// What the comparison of the sample with itself says after the edits of either side.
Json compared_as(const Json& request) {
  Edition before = sample_edition();
  Edition after = sample_edition();
  for (const auto& [side, edition] : {std::pair{"old", &before}, {"new", &after}}) {
    const Json edits = request.value(side, Json::object());
    for (const auto& [key, of_key] : edits.items()) {
      if (key == "prices") {
        edition->inputs = {{key, of_key}};
      } else {
        edit(*edition, key, of_key);
      }
    }
  }
  const bool all = request.contains("without_thresholds");
  return to_json(
      compare_editions(before, after, all ? ChangeThresholds{0, 0, 0} : ChangeThresholds{}));
}

TEST(Compare, Cases) { expect_cases(oracle("cases_compare.json"), compared_as); }

TEST(Compare, DollarsBeyondAllBoundsAreRefusedByName) {
  expect_refused(oracle("cases_compare.json"), compared_as);
}

TEST(Compare, a_model_that_goes_back_to_its_old_id_keeps_its_rows) {
  Edition before = sample_edition();
  before.models[0] = {"m2", {"m"}};
  for (EditionRow& row : before.rows) {
    if (row.model == "m") row.model = "m2";
    row.side.row_key = row.key();
  }
  before.picks[0] = sample_pick("m2", "m2/lora/a/s", "m2/lora/a/s");
  const SheetChanges back = compare_editions(before, sample_edition(), {});
  EXPECT_EQ(back.changes.at(0).key, "m/lora/a/s");
  EXPECT_EQ(back.changes.at(0).was, "m2/lora/a/s");
}

TEST(Compare, a_key_that_stands_twice_is_refused) {
  Edition twice = sample_edition();
  twice.rows.push_back(twice.rows.front());
  EXPECT_EQ(refusal_of([&] { compare_editions(sample_edition(), twice, {}); }),
            "new.json:/rows: expected a key that is used once, got \"m/lora/a/s\" again");
}

using Entries = std::vector<EntryChange>;

TEST(WholeEntries, a_new_model_on_a_new_card_is_told_by_the_model) {
  Edition after = sample_edition();
  after.rows.push_back(sample_row("m", "c", 1, 1'000'000));
  after.rows.push_back(sample_row("o", "a", 1, 1'000'000));
  after.rows.push_back(sample_row("o", "c", 1, 1'000'000));
  after.picks.push_back(sample_pick("o", "o/lora/c/s"));
  const SheetChanges changes = compare_editions(sample_edition(), after, {});
  EXPECT_EQ(changes.entries, (Entries{{"model", "o", "added", 2, 1}, {"gpu", "c", "added", 1, 0}}));
  for (const Change& change : changes.changes) {
    const EntryChange* entry = whole_entry(changes, change);
    ASSERT_NE(entry, nullptr) << change.key;
    EXPECT_EQ(entry->of, change.model == "o" ? "model" : "gpu") << change.key;
  }
}

TEST(WholeEntries, one_came_and_one_went) {
  Edition after = sample_edition();
  for (EditionRow& row : after.rows) {
    if (row.model == "n") row.model = "o";
    row.side.row_key = row.key();
  }
  after.picks[1] = sample_pick("o", "o/lora/a/s");
  const SheetChanges changes = compare_editions(sample_edition(), after, {});
  EXPECT_EQ(changes.entries,
            (Entries{{"model", "o", "added", 2, 1}, {"model", "n", "removed", 2, 1}}));
}

TEST(WholeEntries, a_row_of_known_names_is_told_by_none) {
  Edition after = sample_edition();
  after.rows.pop_back();
  const SheetChanges changes = compare_editions(sample_edition(), after, {});
  EXPECT_TRUE(changes.entries.empty());
  ASSERT_FALSE(changes.changes.empty());
  EXPECT_EQ(whole_entry(changes, changes.changes.front()), nullptr);
}

/// The kinds of the first row's changes, where owning goes from 400 hours to 300.
std::vector<std::string> kinds_where(const std::optional<std::string>& before,
                                     const std::optional<std::string>& after) {
  Edition from = sample_edition();
  Edition to = sample_edition();
  from.rows.front().side.decision = before;
  to.rows.front().side.decision = after;
  to.rows.front().side.advice = "buy";
  to.rows.front().side.break_even_hours_per_month = 300;
  for (const Change& change : compare_editions(from, to, {}).changes) {
    if (change.of == "row") return change.kinds();
  }
  return {};
}

TEST(Decisions, FlipOnlyBetweenEditionsWithAStatedDemand) {
  using Kinds = std::vector<std::string>;
  EXPECT_EQ(kinds_where("rent", "buy"), (Kinds{"advice_flipped", "break_even_moved"}));
  EXPECT_EQ(kinds_where("rent", "close"), (Kinds{"advice_flipped", "break_even_moved"}));
  for (const auto& [before, after] :
       {std::pair<std::optional<std::string>, std::optional<std::string>>{{}, {}},
        {"rent", {}},
        {{}, "buy"}}) {
    EXPECT_EQ(kinds_where(before, after), Kinds{"break_even_moved"});
  }
}

/// It is the same machine in every row of a model and method.
TEST(Decisions, AMachineToOwnIsToldOfThePickAlone) {
  Edition from = sample_edition();
  Edition to = sample_edition();
  for (Edition* edition : {&from, &to}) {
    for (EditionRow& row : edition->rows) row.side.machine = "1 × A box";
  }
  for (EditionRow& row : to.rows) row.side.break_even_hours_per_month = 300;
  const SheetChanges changes = compare_editions(from, to, {});
  EXPECT_FALSE(changes.changes.empty());
  for (const Change& change : changes.changes) {
    EXPECT_EQ(change.of, "pick") << change.key;
    EXPECT_TRUE(change.is("break_even_moved"));
  }
}

}  // namespace
}  // namespace sizesheet
