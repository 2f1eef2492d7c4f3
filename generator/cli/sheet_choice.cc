// SPDX-License-Identifier: Apache-2.0
#include "cli/sheet_choice.h"

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <utility>

#include "catalog/catalog.h"
#include "catalog/files/loader.h"
#include "cli/common_options.h"
#include "sheet/assemble/load_spec.h"
#include "sheet/spec.h"
#include "support/error.h"
#include "support/text.h"
#include "support/values.h"

namespace sizesheet {

std::string as_of_day(const std::string& option, const std::string& fallback) {
  if (!option.empty()) {
    const std::string fault = why_no_day(option);
    if (!fault.empty()) throw InputError("--as-of: " + fault);
    return option;
  }
  const char* epoch = std::getenv("SOURCE_DATE_EPOCH");
  if (epoch == nullptr || *epoch == '\0') return fallback;
  const std::string text = epoch;
  const auto seconds = parsed<std::int64_t>(text);
  constexpr std::int64_t kLastDay = 253402300799;  // 9999-12-31
  if (!seconds || *seconds < 0 || *seconds > kLastDay) {
    throw InputError("SOURCE_DATE_EPOCH: expected seconds since 1970, got " + in_quotes(text));
  }
  return date_of_epoch(*seconds);
}

void refuse_unknown_sheet(const CommonOptions& options) {
  if (options.sheet == CommonOptions().sheet) return;
  const Catalog catalog = load_sound_catalog(options.catalog, {CatalogPart::kMoney});
  static_cast<void>(load_sheet_spec(options.sheet, options.catalog, catalog));
}

SheetSpec sheet_asked_for(const CommonOptions& options, const Catalog& catalog) {
  SheetSpec spec = load_sheet_spec(options.sheet, options.catalog, catalog);
  spec.as_of = as_of_day(options.as_of, spec.as_of);
  return spec;
}

}  // namespace sizesheet
