// SPDX-License-Identifier: Apache-2.0
// Mustache with misses made errors, over the JSON of a sheet.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "render/html/templates/templates.h"
#include "support/json.h"

namespace sizesheet {

struct Row;
struct Sheet;

/// Pages that are drawn at once share it.
class SheetValues {
 public:
  /// The sheet must outlive it.
  explicit SheetValues(const Sheet& sheet) : sheet_(sheet) {}

  /// "models", "meta" …; nullptr where sheet.json has no such member.
  const Json* member(std::string_view key) const;
  /// The entry of an id under "model", "method", "gpu" or "scenario"; nullptr where there is none.
  /// Of any "provider" its "name".
  const Json* entry(std::string_view kind, const std::string& id) const;

 private:
  const Sheet& sheet_;
  mutable std::recursive_mutex mutex_;
  mutable std::map<std::string, Json, std::less<>> members_;
  mutable std::map<std::string, std::map<std::string, const Json*>> entries_;
  mutable std::map<std::string, Json> sellers_;
};

/// One row as JSON for the tables: what sheet.json has of it but the parts of its bill (and no bill
/// where it was refused), with "key",
/// "set_up" in words, "bill", its fragment on its model's page, "own_order", the price and lead
/// time of the machine that it buys, "no_quote" where all such machines lack one,
/// "against", the set-up that the machine to own is compared with, and "behind_price" in a rent.
Json row_json(const Sheet& sheet, const Row& row);

/// What a page may become; far beyond a sheet of as many rows as a sheet may have.
struct PageLimits {
  std::int64_t parts = 20'000'000;  ///< sections and partials entered
  std::size_t bytes = std::size_t{256} << 20U;
};

/// Renders `template_name` of the set with `values`, and under them those of the sheet. Names are
/// looked up from the innermost level outwards, then in the sheet. "." is the innermost value; an
/// id before a dot stands for its entry of the sheet, as in "gpu.short_name"; what lies below an
/// absent part is absent. Throws TemplateError for a missing name, format or partial, for a number
/// without a format, for a malformed template, for one that goes through a list within that list,
/// and for a page that becomes too long.
std::string render_template(const TemplateSet& templates, const std::string& template_name,
                            const Json& values, const PageLimits& limits = {},
                            const SheetValues* sheet = nullptr);

}  // namespace sizesheet
