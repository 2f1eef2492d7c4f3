// SPDX-License-Identifier: Apache-2.0
// Every scenario in every form, as kept under tests/golden/diff/<scenario>.
#include "support/golden.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "render/diff/scenarios.h"
#include "render/diff/words.h"
#include "render/html/pages.h"
#include "sheet/sheet_json.h"

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

}  // namespace
}  // namespace sizesheet
