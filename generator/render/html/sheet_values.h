// SPDX-License-Identifier: Apache-2.0
// The JSON of a sheet as templates read it: the members of sheet.json, each made when a page first
// asks for it, and the entries that ids name.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "sheet/sheet.h"

namespace sizesheet {

class SheetValues {
 public:
  /// The sheet must outlive it.
  explicit SheetValues(const Sheet& sheet) : sheet_(sheet) {}

  /// "models", "meta" …; nullptr where sheet.json has no such member.
  const Json* member(std::string_view key) const;
  /// The entry of an id under "model", "method", "gpu" or "scenario"; nullptr where there is none.
  const Json* entry(std::string_view kind, const std::string& id) const;

 private:
  using Entries = std::map<std::string, const Json*>;

  const Sheet& sheet_;
  mutable std::map<std::string, Json, std::less<>> members_;
  mutable std::map<std::string, Entries, std::less<>> entries_;
};

/// One row as JSON for the tables: what sheet.json has of it but the parts of its bill, with "key",
/// "href" to its bill from the top of the site, and "gpus_more" in a rent that pays for more GPUs
/// than the row needs.
Json row_json(const Sheet& sheet, const Row& row);

}  // namespace sizesheet
