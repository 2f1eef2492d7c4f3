// SPDX-License-Identifier: Apache-2.0
#include "render/html/proof.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "render/choices.h"
#include "render/html/templates/strict_context.h"
#include "render/phrases.h"
#include "render/svg/svg_bars.h"
#include "sheet/fields.h"
#include "sheet/money.h"
#include "sheet/sheet.h"
#include "support/json.h"
#include "support/money.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

constexpr double kTermBar = 80;

/// The formula with "·" for "*" as people write it.
std::string formula_words(const std::string& formula) { return join(split(formula, '*'), "·"); }

/// "P = 70,553,706,496, n = 4".
std::string input_words(const Formula& formula) {
  std::vector<std::string> words;
  for (const NamedValue& input : formula.inputs) {
    words.push_back(input.name + "\u00a0=\u00a0" + number_words(input.value));
  }
  return join(words, "; ");
}

/// The steps a table has already printed; a step stands once, in the line that needs it first.
using PrintedSteps = std::set<std::pair<std::string, std::string>>;

void put_formula(Json& values, const Formula& formula, PrintedSteps& printed) {
  values["formula"] = formula_words(formula.text);
  values["inputs"] = input_words(formula);
  Json steps = Json::array();
  for (const FormulaStep& step : formula.steps) {
    if (!printed.insert({step.name, step.formula}).second) continue;
    steps.push_back({{"step_name", step.name}, {"step_formula", formula_words(step.formula)}});
  }
  values["steps"] = std::move(steps);
}

Json term_list(const Row& row) {
  std::int64_t largest = 0;
  for (const MemoryTerm& term : row.terms) largest = std::max(largest, term.bytes);
  PrintedSteps printed;
  Json terms = Json::array();
  for (const MemoryTerm& term : row.terms) {
    Json& values = terms.emplace_back(written(term));
    const double share =
        largest > 0 ? static_cast<double>(term.bytes) / static_cast<double>(largest) : 0;
    values["bar_svg"] = svg_cell_bar(share, CellBar::kPlain, {}, kTermBar);
    put_formula(values, term.formula, printed);
  }
  return terms;
}

std::string quantity_amount(const QuantityLine& line) {
  if (line.unit.empty()) return format_number(line.value, 4);
  if (line.unit == "nodes") return format_number(line.value, 0);
  return format_number(line.value, line.unit == "h/month" ? 1 : 2);
}

void add_quantities(const std::vector<QuantityLine>& quantities, PrintedSteps& printed,
                    Json& lines) {
  for (const QuantityLine& quantity : quantities) {
    Json& line = lines.emplace_back(written(quantity));
    line["amount"] = quantity_amount(quantity);
    line["raw"] = quantity.value;
    put_formula(line, quantity.formula, printed);
  }
}

Json cost_list(const Row& row) {
  PrintedSteps printed;
  Json lines = Json::array();
  for (const CostLine& term : row.cost_terms) {
    Json& line = lines.emplace_back(written(term));
    const bool by_hour = term.unit == "$/h" || starts_with(term.unit, "$/GPU");
    line["amount"] = format_usd(term.usd, by_hour ? 4 : 2);
    line["raw"] = to_usd(term.usd);
    put_formula(line, term.formula, printed);
  }
  add_quantities(row.quantity_terms, printed, lines);
  return lines;
}

/// Links to the prices behind the row, one a tier.
Json price_links(const Row& row) {
  Json links = Json::array();
  for (const SheetTier& tier : kRentTiers) {
    const auto& line = row.rents[tier];
    if (!line) continue;
    links.push_back(written(*line));
    links.back()["words"] = tier.words;
    const std::int64_t unused = line->gpus_paid - row.layout.gpus;
    links.back()["unused_words"] = unused > 0 ? ", which is sold as " + gpu_count(line->gpus_paid) +
                                                    " (" + format_integer(unused) + " unused)"
                                              : "";
  }
  return links;
}

std::string layout_words(const Row& row) {
  const LayoutShape& layout = row.layout;
  std::string words = gpu_count(layout.gpus);
  for (const std::string& degree : degrees(layout, true)) words += ", " + degree;
  words += layout.shard == "none" ? ", not sharded" : ", shard " + layout.shard;
  words += ", " + full_choice_words(row.choices);
  return layout.offload == "none" ? words : words + ", offload " + layout.offload;
}

/// "Of a step of 2.91 s: matrix products 71 %, attention 12 % …", the largest first, down to 1 %.
std::string clock_words(const Row& row) {
  double step = 0;
  for (const StepClock& clock : row.clocks) step += clock.seconds;
  if (step <= 0) return "";
  std::vector<StepClock> clocks = row.clocks;
  std::ranges::stable_sort(clocks, std::greater(), &StepClock::seconds);
  std::vector<std::string> parts;
  for (const StepClock& clock : clocks) {
    const double share = 100 * clock.seconds / step;
    if (share >= 1) parts.push_back(clock.title + " " + format_number(share, 0) + "\u00a0%");
  }
  return "Of a step of " + format_number(step, step < 10 ? 2 : 1) +
         "\u00a0s: " + join(parts, ", ") + ".";
}

/// " under NVIDIA Megatron Bridge" for a row of another scenario than the main one.
std::string where_words(const Sheet& sheet, const Row& row) {
  if (sheet.is_main(row)) return "";
  return " under " + entry_with(sheet.scenarios, &Scenario::id, row.scenario)->stack_title;
}

}  // namespace

Json quantity_values(const std::vector<QuantityLine>& quantities) {
  PrintedSteps printed;
  Json lines = Json::array();
  add_quantities(quantities, printed, lines);
  return lines;
}

Json proof_values(const Sheet& sheet, const Row& row) {
  Json values = row_json(sheet, row);
  values["proof_setup"] = row.modelled ? set_up(sheet, row) : sheet.gpu(row.gpu).short_name;
  values["proof_where"] = where_words(sheet, row);
  values["proof_layout"] = layout_words(row);
  values["proof_clocks"] = clock_words(row);
  values["proof_terms"] = term_list(row);
  values["proof_costs"] = cost_list(row);
  values["proof_prices"] = price_links(row);
  values["proof_warnings"] = row.warnings;
  return values;
}

}  // namespace sizesheet
