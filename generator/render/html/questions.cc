// SPDX-License-Identifier: Apache-2.0
#include "render/html/questions.h"

#include <algorithm>
#include <string>
#include <vector>

#include "render/phrases.h"
#include "support/text.h"

namespace sizesheet {

namespace {

constexpr double kPartTime = 200;  // hours a month: a machine used on working days only

const SheetModel& asked_model(const Sheet& sheet) {
  const auto found = std::find_if(
      sheet.models.begin(), sheet.models.end(),
      [&](const SheetModel& model) { return model.id == sheet.options.highlight_model; });
  return found == sheet.models.end() ? sheet.models.front() : *found;
}

/// The first method that leaves most of the model frozen, else the first.
const SheetMethod& asked_method(const Sheet& sheet, const SheetModel& model) {
  for (const SheetMethod& method : sheet.methods) {
    const bool adapters = std::any_of(sheet.rows.begin(), sheet.rows.end(), [&](const Row& row) {
      return row.model == model.id && row.method == method.id && row.modelled &&
             row.parameters_trainable < model.parameters / 2;
    });
    if (adapters) return method;
  }
  return sheet.methods.front();
}

/// Where the counts under the answer are taken apart: of the method asked for, or of the first one
/// that has such a count.
std::string fewer_fragment(const Sheet& sheet, const SheetModel& model, const SheetMethod& asked) {
  std::vector<std::string> methods{asked.id};
  for (const SheetMethod& method : sheet.methods) methods.push_back(method.id);
  for (const std::string& method : methods) {
    const Row* row = shown_row(sheet, model.id, method);
    if (row != nullptr && row->fewer) return "#fewer-" + method;
  }
  return "#why-not-fewer";
}

Json question(const std::string& text, const std::string& href) {
  return {{"question", text}, {"question_href", href}};
}

Json rent_or_buy(const Sheet& sheet, const std::string& page) {
  const bool month_is_longer = sheet.options.hours_per_month >= kPartTime;
  const double hours = month_is_longer ? kPartTime : sheet.options.hours_per_month;
  const std::string text = "Rent or buy at " + month_hours(hours) + "\u00a0h a month?";
  return question(text, sheet.ownership ? "own.html#at-hours" : page + "#rent-or-buy");
}

}  // namespace

Json questions(const Sheet& sheet) {
  if (sheet.models.empty() || sheet.methods.empty()) return Json::array();
  const SheetModel& model = asked_model(sheet);
  const SheetMethod& method = asked_method(sheet, model);
  const std::string page = "models/" + model.id + ".html";
  Json list = Json::array();
  list.push_back(question("Smallest set-up for " + model.size + " " + method.short_title + "?",
                          page + "#" + method.id));
  list.push_back(question("Why not one GPU fewer?", page + fewer_fragment(sheet, model, method)));
  list.push_back(rent_or_buy(sheet, page));
  const std::string changed = "What changed since last quarter?";
  list.push_back(sheet.changes ? question(changed, "changes.html")
                               : question(changed + " (not compared)", "method.html#changes"));
  list.push_back(question("How wrong could this be?",
                          sheet.accuracy ? "accuracy.html" : "method.html#limits"));
  return list;
}

}  // namespace sizesheet
