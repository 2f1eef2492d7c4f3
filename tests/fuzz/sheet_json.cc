// SPDX-License-Identifier: Apache-2.0
// A sheet.json from elsewhere, as `verify` and `diff` read it: whole bytes, or changes of a sound
// one, which reach further than bytes that are hardly ever JSON.

#include "sheet/sheet_json.h"

#include <optional>
#include <sstream>

#include "cli/commands.h"
#include "cli/edition_files.h"
#include "fuzz/target.h"
#include "render/html/templates/templates.h"
#include "render/sample_sheet.h"
#include "sheet/changes.h"
#include "sheet/diff/causes.h"
#include "sheet/diff/edition.h"
#include "sheet/diff/read_edition.h"
#include "sheet/sheet.h"
#include "support/json.h"
#include "support/object_text.h"
#include "support/refusal.h"
#include "support/trace.h"

namespace sizesheet::fuzz {
namespace {

const std::string kSheetFile = "sheet.json";

const Json& sound_document() {
  static const Json kDocument = [] {
    Sheet sheet = tiny_sheet();
    sheet.meta.tool_version = tool_version();
    return to_json(sheet);
  }();
  return kDocument;
}

const Edition& sound_edition() {
  static const Edition kEdition = parse_edition(json_text(sound_document()), kSheetFile);
  return kEdition;
}

/// Puts a value in a place; without one the place is taken out. Places that are none change
/// nothing.
void change(Json& document, const std::string& line) {
  const auto [pointer, value] = cut(line, " ");
  Json step = {{"op", value.empty() ? "remove" : "add"}, {"path", pointer}};
  if (!value.empty()) step["value"] = Json::parse(value, nullptr, false);
  if (!value.empty() && step["value"].is_discarded()) return;
  try {
    document = document.patch(Json::array({step}));
  } catch (const Json::exception&) {
    return;
  }
}

/// Lines "/pointer value" on the sound document.
std::string changed(std::string_view bytes) {
  Json document = sound_document();
  std::istringstream lines{std::string(bytes)};
  std::string line;
  while (std::getline(lines, line)) change(document, line);
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Every file of the edition, as `verify` draws it; what contradicts itself may be refused.
void draw_if_sound(const Sheet& sheet) {
  try {
    edition_files(
        sheet, edition_templates(""), [](const std::string&) {}, 1);
  } catch (const std::runtime_error&) {
    return;
  } catch (const std::out_of_range&) {  // a name that another part does not have
    return;
  }
}

void check_counts(const ChangeCounts& counts) {
  expect(counts.compared == counts.breaking + counts.notable + counts.detail + counts.unchanged +
                                counts.below_threshold,
         "what is compared is counted once");
}

}  // namespace

void sheet_pair(std::string_view bytes) {
  const auto [older, newer] = cut(bytes, "\n---\n");
  const std::string old_text = changed(older);
  const std::string new_text = changed(newer);
  refusal_of([&] {
    const Edition old_edition = parse_edition(old_text, "old.json");
    const Edition new_edition = parse_edition(new_text, "new.json");
    const SheetChanges there = diff_editions(old_edition, new_edition, {});
    const SheetChanges back = diff_editions(new_edition, old_edition, {});
    for (const SheetChanges* changes : {&there, &back}) {
      check_counts(changes->rows);
      check_counts(changes->picks);
    }
    expect(there.rows.compared == back.rows.compared, "both ways the same rows are compared");
    const SheetChanges none = diff_editions(new_edition, new_edition, {});
    expect(none.changes.empty(), "an edition does not differ from itself");
  });
}

void sheet_json(std::string_view bytes) {
  const bool whole = !bytes.starts_with('/');
  const std::string text = whole ? std::string(bytes) : changed(bytes);
  refusal_of([&] {
    const Sheet sheet = read_sheet(text, kSheetFile, tool_version());
    expect(to_json(read_sheet(json_text(to_json(sheet)), kSheetFile, tool_version())) ==
               to_json(sheet),
           "what is read is written and read again the same");
    draw_if_sound(sheet);
  });
  refusal_of([&] {
    const Edition edition = parse_edition(text, kSheetFile);
    diff_editions(sound_edition(), edition, {});
    diff_editions(edition, sound_edition(), {});
  });
}

}  // namespace sizesheet::fuzz
