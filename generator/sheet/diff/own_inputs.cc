// SPDX-License-Identifier: Apache-2.0
#include "sheet/diff/own_inputs.h"

#include <cstddef>
#include <map>

#include "sheet/assemble/build_sheet.h"
#include "sheet/diff/inputs.h"
#include "sheet/diff/leaves.h"
#include "sheet/sheet.h"
#include "sheet/sheet_json.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Of one key of the sheet; more say little more.
constexpr std::int64_t kMostLines = 5;

/// What does not come from inputs, as the edition has it.
void take_over(const Sheet& sheet, Sheet& again) {
  again.meta.catalog_hash = sheet.meta.catalog_hash;
  again.meta.labels = sheet.meta.labels;
  again.options.logo = sheet.options.logo;
  again.accuracy = sheet.accuracy;
  again.guides = sheet.guides;
  again.guide_differences = sheet.guide_differences;
  again.frameworks = sheet.frameworks;
  again.advice = sheet.advice;
  again.worksheets = sheet.worksheets;
  again.changes = sheet.changes;
}

/// The key of the sheet that a pointer begins with.
std::string part_of(const std::string& pointer) { return pointer.substr(0, pointer.find('/', 1)); }

}  // namespace

const std::vector<std::string>& parts_beside_inputs() {
  static const std::vector<std::string> kParts{
      "accuracy", "advice", "changes", "frameworks", "guide_differences", "guides", "worksheets"};
  return kParts;
}

std::vector<std::string> differences_from_inputs(const Sheet& sheet, const std::string& file,
                                                 int jobs) {
  const EditionInputs inputs = read_inputs(sheet.inputs, file);
  const EditionLabels labels{sheet.meta.tool_version, sheet.meta.base_url, sheet.meta.paper,
                             sheet.meta.templates};
  Sheet again =
      build_sheet(inputs.catalog, inputs.spec, labels, jobs, [](std::size_t, std::size_t) {});
  take_over(sheet, again);
  if (to_json_text(again) == to_json_text(sheet)) return {};
  std::map<std::string, std::int64_t> found;
  std::vector<std::string> lines;
  for (const ChangedLeaf& leaf : changed_leaves(to_json(again), to_json(sheet))) {
    if (++found[part_of(leaf.pointer)] > kMostLines) continue;
    lines.push_back(leaf_words(leaf, "its inputs"));
  }
  for (const auto& [part, count] : found) {
    if (count <= kMostLines) continue;
    lines.push_back(part + ": " + format_integer(count - kMostLines) +
                    " more values that its inputs do not give");
  }
  return lines;
}

}  // namespace sizesheet
