// SPDX-License-Identifier: Apache-2.0
#include "sheet/read_sheet.h"

#include "sheet/sheet_json.h"
#include "support/error.h"
#include "support/json_texts.h"
#include "support/printable.h"

namespace sizesheet {
namespace {

/// An edition can only be written again by the version that wrote it.
void check_version(const Json& json, const std::string& file, const std::string& version) {
  const Json::json_pointer place("/meta/tool_version");
  const Json wrote = json.contains(place) ? json.at(place) : Json();
  if (wrote == version) return;
  const std::string words = file + ":/meta/tool_version: expected " + in_quotes(version) +
                            ", got " +
                            (json.contains(place) ? shown(wrote) : std::string("nothing"));
  if (!wrote.is_string()) throw InputError(words);
  throw InputError(words + "; use sizesheet " + wrote.get<std::string>() +
                   ", or build the edition anew");
}

}  // namespace

Sheet read_sheet(const std::string& text, const std::string& file,
                 const std::string& tool_version) {
  const Json json = parse_json(text, file);
  check_schema_version(json, file);
  check_version(json, file, tool_version);
  refuse_unfit_texts(json, file, "");
  Sheet sheet = sheet_from_json(json, file);
  check_sheet(sheet, file);
  return sheet;
}

}  // namespace sizesheet
