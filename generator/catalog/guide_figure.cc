// SPDX-License-Identifier: Apache-2.0
// The figures of a guide and the ways in which the sheet differs, out of their files.
#include <algorithm>

#include "catalog/convention.h"
#include "catalog/entry.h"
#include "support/printable.h"

namespace sizesheet {
namespace {

constexpr Bounds<double> kTolerance{0, 1e40};
constexpr double kLargest = 1e40;

GuideValue read_printed(ObjectReader& reader) {
  GuideValue printed;
  const Json& value = reader.raw("printed");
  if (value.is_boolean()) {
    printed.answer = value.get<bool>();
  } else if (value.is_number()) {
    printed.numbers = {value.get<double>()};
  } else if (value.is_array() && !value.empty() &&
             std::all_of(value.begin(), value.end(), [](const Json& v) { return v.is_number(); })) {
    printed.numbers = value.get<std::vector<double>>();
  } else {
    reader.fault("printed", "expected a number, a list of numbers, true or false, got " +
                                (value.is_null() ? "nothing" : shown(value)));
  }
  for (const double number : printed.numbers) {
    if (number >= 0 && number <= kLargest) continue;
    reader.fault("printed", "expected numbers from 0 to 1e40, got " + shown(value));
    break;
  }
  return printed;
}

/// A figure that may be off by itself says nothing.
void check_tolerance(ObjectReader& reader, const GuideFigure& figure) {
  const auto& printed = figure.printed.numbers;
  if (!figure.tolerance || printed.empty()) return;
  const double most = *std::max_element(printed.begin(), printed.end());
  if (*figure.tolerance <= most) return;
  reader.fault("tolerance",
               "expected at most the printed number, got " + shown(reader.raw("tolerance")));
}

void check_figure(ObjectReader& reader, const GuideFigure& figure) {
  if (!reader.sound("")) return;
  const bool derived = figure.status != "not-derivable";
  if (derived == figure.quantity.empty()) {
    reader.fault("quantity", derived ? "expected the name of a quantity, got nothing"
                                     : "expected no quantity where nothing can be derived, got " +
                                           in_quotes(figure.quantity));
  }
  if (!figure.reason.empty() || figure.status == "exact" || figure.status == "within-rounding") {
    return;
  }
  reader.fault("reason", "expected why the figure is " + figure.status + ", got nothing");
}

GuideFigure read_figure(ObjectReader& reader) {
  GuideFigure figure;
  figure.id = read_id(reader, "id");
  figure.where = read_filled_text(reader, "where");
  figure.what = read_filled_text(reader, "what");
  figure.variant = reader.text_or("variant", "");
  figure.printed = read_printed(reader);
  figure.unit = read_filled_text(reader, "unit");
  figure.tolerance = reader.optional_number("tolerance", kTolerance);
  figure.status = reader.one_of("status", figure_statuses());
  figure.reason = read_note(reader, "reason");
  figure.quantity = reader.text_or("quantity", "");
  const Json& inputs = reader.raw("inputs");
  figure.inputs = inputs.is_null() ? Json::object() : inputs;
  figure.place = reader.pointer("");
  if (!figure.inputs.is_object()) {
    reader.fault("inputs", "expected an object, got " + shown(figure.inputs));
  }
  check_tolerance(reader, figure);
  check_figure(reader, figure);
  reader.done();
  return figure;
}

}  // namespace

const std::vector<std::string>& figure_statuses() {
  static const std::vector<std::string> known = {"exact", "within-rounding", "inconsistent",
                                                 "not-derivable"};
  return known;
}

std::vector<GuideFigure> read_guide_figures(ObjectReader& reader) {
  std::vector<ObjectReader> rows = read_rows(reader, "figures");
  check_unique(rows, "id", "an id");
  std::vector<GuideFigure> figures;
  for (ObjectReader& row : rows) figures.push_back(read_figure(row));
  reader.done();
  return figures;
}

GuideDifference read_guide_difference(ObjectReader& reader) {
  GuideDifference difference;
  difference.id = read_id(reader, "id");
  difference.title = read_filled_text(reader, "title");
  difference.guides = read_filled_text(reader, "guides");
  difference.sheet = read_filled_text(reader, "sheet");
  difference.source = read_source(reader);
  difference.date = read_date(reader, "date");
  reader.done();
  return difference;
}

}  // namespace sizesheet
