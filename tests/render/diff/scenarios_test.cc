// SPDX-License-Identifier: Apache-2.0
// Every scenario in every form, as kept under tests/golden/diff/<scenario>; and one row side by
// side, whole texts.

#include "render/diff/scenarios.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "render/diff/explain.h"
#include "render/diff/markdown.h"
#include "render/diff/text.h"
#include "render/html/changes_page.h"
#include "sheet/changes.h"
#include "sheet/diff/edition.h"
#include "sheet/diff/sample_editions.h"
#include "sheet/sheet_json.h"
#include "support/error.h"
#include "support/golden.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

struct Form {
  const char* file;
  std::function<std::string(const SheetChanges&)> write;
};

/// A further form of the diff is one more line.
/// What the page says, without the stylesheet and script that stand in every one.
std::string main_part(const std::string& page) {
  const std::size_t from = page.find("<main");
  const std::size_t to = page.find("</main>");
  if (from == std::string::npos || to == std::string::npos) return "no main part";
  return page.substr(from, to - from) + "</main>\n";
}

const std::vector<Form>& forms() {
  static const std::vector<Form> kForms{
      {"diff.txt", [](const SheetChanges& changes) { return diff_text(changes, {}); }},
      {"diff.md", [](const SheetChanges& changes) { return diff_markdown(changes, false); }},
      {"diff.html", [](const SheetChanges& changes) { return main_part(changes_page(changes)); }},
      {"diff.json", [](const SheetChanges& changes) { return to_json_text(changes); }},
  };
  return kForms;
}

class DiffGolden : public testing::TestWithParam<std::string> {};

TEST_P(DiffGolden, reads_as_kept) {
  const DiffScenario& scenario = diff_scenario(GetParam());
  const SheetChanges changes = compared(scenario);
  for (const Form& form : forms()) {
    expect_golden("diff/" + scenario.name + "/" + form.file, form.write(changes));
  }
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const DiffScenario& scenario : diff_scenarios()) all.push_back(scenario.name);
  return all;
}

std::string case_name(const testing::TestParamInfo<std::string>& of) { return of.param; }

INSTANTIATE_TEST_SUITE_P(Scenarios, DiffGolden, testing::ValuesIn(names()), case_name);

TEST(DiffScenarios, every_kind_of_change_has_one) {
  for (const ChangeKind& kind : change_kinds()) {
    const SheetChanges changes = compared(diff_scenario(kind.id));
    EXPECT_TRUE(std::any_of(changes.changes.begin(), changes.changes.end(),
                            [&](const Change& change) { return change.is(kind.id); }))
        << kind.id;
  }
}

std::string explained(const DiffScenario& scenario, const std::string& key) {
  return explain_change(scenario.old_edition, scenario.new_edition, compared(scenario), key);
}

TEST(ExplainChange, terms_totals_limit_and_the_three_factors) {
  DiffScenario scenario = diff_scenario("needs_more");
  EditionRow& row = row_of(scenario.new_edition, "m/lora/a/s");
  row.terms = {{"weights", "Weights", 40LL << 30}, {"slack", "Allocator slack", 1LL << 30}};
  row.side.device_bytes = 41LL << 30;
  EXPECT_EQ(explained(scenario, "m/lora/a"),
            R"(m/lora/a/s: 2 × A -> 4 × A
GiB of one GPU
  Weights                                       0      [ = ]         40.00 ->        40.00
  Allocator slack                                      [NEW]             – ->         1.00
  Activations                                          [DEL]         20.00 ->            –
  TOTAL                                    −19.00    −31.7 %         60.00 ->        41.00
  limit 80.00 (20.00 free) -> 80.00 (39.00 free)
Money of one run
  p, $ per GPU-hour                                    [ = ]        2.0000 ->       2.0000
  n, GPUs billed                                                         2 ->            4
  h, hours                                             [ = ]       10.0000 ->      10.0000
  price row p/any//a/on_demand/1/2026-10-01 -> p/any//a/on_demand/1/2026-10-01
  time = p0 n0 (h1 - h0)                        0
  quantity = p0 (n1 - n0) h1               +40.00
  price = (p1 - p0) n1 h1                       0
  TOTAL, $                                 +40.00   +100.0 %         40.00 ->        80.00
)");
}

TEST(ExplainChange, a_pick_that_went_to_another_card_has_a_mix) {
  const std::string text = explained(diff_scenario("type_changed"), "m/lora");
  EXPECT_TRUE(text.starts_with("Pick of m/lora: 2 × A -> 1 × B\n")) << text;
  EXPECT_NE(text.find("  mix = p1 n1 h1 - p0 n0 h0                +10.00\n"), std::string::npos)
      << text;
}

TEST(ExplainChange, what_does_not_fit_says_by_how_much) {
  const std::string text = explained(diff_scenario("no_longer_fits"), "m/lora/a/s");
  EXPECT_TRUE(text.starts_with("m/lora/a/s: 2 × A -> does not fit\n")) << text;
  EXPECT_NE(text.find("\n  limit 80.00 (20.00 free) -> 80.00 (over by 10.00)\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("\n  $ of a run: not known on both sides\n"), std::string::npos) << text;
}

TEST(ExplainChange, the_cause_and_the_entries_behind_it_stand_last) {
  for (const char* key : {"m/lora", "m/lora/a/s"}) {
    EXPECT_TRUE(explained(diff_scenario("causes"), key)
                    .ends_with("\nCause: prices\n  runpod h100-sxm on_demand  2.69 -> 2.39 $/h\n"))
        << key;
  }
}

TEST(ExplainChange, a_renamed_row_is_found_by_its_new_name) {
  EXPECT_TRUE(explained(diff_scenario("renamed"), "m2/lora/b/s")
                  .starts_with("m2/lora/b/s: 1 × B -> 1 × B\n"));
}

TEST(ExplainChange, a_key_of_neither_edition_is_refused_with_a_near_miss) {
  EXPECT_EQ(refusal_of([] { explained(diff_scenario("dearer"), "m/lore/a"); }),
            "--explain: expected MODEL/METHOD[/GPU[/SCENARIO]] of a row in OLD or NEW, got "
            "\"m/lore/a\" (did you mean \"m/lora/a\"?)");
  EXPECT_THROW(explained(diff_scenario("dearer"), "m"), InputError);
}

}  // namespace

}  // namespace sizesheet
