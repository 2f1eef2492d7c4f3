// SPDX-License-Identifier: Apache-2.0
#include "catalog/validation_rules.h"

#include <algorithm>

#include "catalog/entry.h"

namespace sizesheet {
namespace {

Bar read_bar(ObjectReader& reader) {
  Bar bar;
  bar.id = reader.one_of("id", bar_ids());
  bar.title = read_filled_text(reader, "title");
  bar.limit = reader.number("limit", {0, 1000});
  bar.reason = read_filled_text(reader, "reason");
  reader.done();
  return bar;
}

OutOfModelReason read_reason(ObjectReader& reader) {
  OutOfModelReason reason{read_id(reader, "id"), read_filled_text(reader, "title")};
  reader.done();
  return reason;
}

}  // namespace

const std::vector<std::string>& bar_ids() {
  static const std::vector<std::string> ids = {
      "allocated-median",   "allocated-p90",       "all-median",   "all-p90",
      "ran-called-no",      "tight-share",         "oom-fits",     "undercut-share",
      "held-out-uncovered", "held-out-half-width", "speed-median", "speed-p90",
      "speed-uncovered",    "speed-range"};
  return ids;
}

ValidationRules read_validation_rules(ObjectReader reader) {
  ValidationRules rules;
  rules.held_out = read_filled_text(reader, "held_out");
  std::vector<ObjectReader> reasons = read_rows(reader, "reasons");
  check_unique(reasons, "id", "an id");
  for (ObjectReader& reason : reasons) rules.reasons.push_back(read_reason(reason));
  const bool has_refused =
      std::any_of(rules.reasons.begin(), rules.reasons.end(),
                  [](const OutOfModelReason& reason) { return reason.id == kRefused; });
  if (reader.sound("reasons") && !has_refused) {
    reader.fault("reasons", "expected a reason \"refused\" among them, got none");
  }
  std::vector<ObjectReader> bars = read_rows(reader, "bars");
  check_unique(bars, "id", "an id");
  for (ObjectReader& bar : bars) rules.bars.push_back(read_bar(bar));
  reader.done();
  return rules;
}

}  // namespace sizesheet
