// SPDX-License-Identifier: Apache-2.0
#include "cli/validate.h"

#include <algorithm>
#include <ostream>

#include "catalog/catalog.h"
#include "cli/validate_text.h"
#include "evidence/speed_totals.h"
#include "evidence/totals.h"
#include "evidence/validation.h"
#include "sheet/sheet_json.h"
#include "support/files.h"

namespace sizesheet {
namespace {

/// Rows and bars of the held-out sources only.
void keep_held_out(Accuracy& accuracy, const ValidationRules& rules) {
  std::erase_if(accuracy.rows, [](const AccuracyRow& row) { return !row.held_out; });
  std::erase_if(accuracy.sources, [](const AccuracySource& source) {
    return !source.held_out && !source.speed_held_out;
  });
  accuracy.flagged = flagged_errors(accuracy.rows);
  std::erase_if(accuracy.speed.rows, [](const SpeedRow& row) { return !row.held_out; });
  accuracy.speed.flagged = flagged_speed_errors(accuracy.speed.rows);
  accuracy.out_of_model = out_of_model(accuracy.rows, accuracy.speed.rows, rules);
  accuracy.bars = bar_results(accuracy.held_out, accuracy.coverage, accuracy.speed.held_out, rules);
}

}  // namespace

int run_validate(const ValidateOptions& options, std::ostream& out) {
  const Catalog catalog = load_sound_catalog(options.catalog, {CatalogPart::kMeasured});
  if (catalog.measured.empty()) {
    throw InputError(options.catalog + "/measured: expected at least one .json file to compare");
  }
  Validation validation = validate(catalog, options.jobs);
  if (!options.write_intervals.empty()) {
    replace_file(options.write_intervals, to_json_text(validation.intervals));
  }
  if (!options.write_speed_intervals.empty()) {
    replace_file(options.write_speed_intervals, to_json_text(validation.speed_intervals));
  }
  Accuracy& accuracy = validation.accuracy;
  if (options.held_out) keep_held_out(accuracy, catalog.validation);
  if (options.format == "json") {
    out << json_text(to_json(accuracy)) << '\n';
  } else {
    print_accuracy(accuracy, options.held_out, out);
  }
  const bool missed = std::any_of(accuracy.bars.begin(), accuracy.bars.end(),
                                  [](const BarResult& bar) { return bar.missed; });
  return missed ? 1 : 0;
}

}  // namespace sizesheet
