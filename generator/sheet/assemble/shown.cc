// SPDX-License-Identifier: Apache-2.0
#include "sheet/assemble/shown.h"

#include <algorithm>
#include <array>
#include <boost/algorithm/string/replace.hpp>
#include <initializer_list>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/prices/price.h"
#include "catalog/published/worksheet.h"
#include "cost/cost_line.h"
#include "sheet/assemble/headline.h"
#include "sheet/assemble/risks.h"
#include "sheet/changes.h"
#include "sheet/decision.h"
#include "sheet/fields.h"
#include "sheet/money.h"
#include "sheet/money_words.h"
#include "sheet/project.h"
#include "sheet/sections.h"
#include "sheet/sheet.h"
#include "sizing/time/throughput.h"
#include "support/described.h"
#include "support/json.h"
#include "support/money.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

/// A word for dollars, and what stands for it where it is quoted: characters that no text may hold.
struct MoneyWord {
  std::string_view word;
  std::string_view quoted;
};
constexpr auto kMoneyWords =
    std::to_array<MoneyWord>({{"$", "\uE000"}, {"USD", "\uE001"}, {"ollar", "\uE002"}});

/// The signs that stand before a word: of a verdict, of an advice.
constexpr std::string_view kMarks[] = {"● ", "▲ ", "○ ", "◐ "};

/// "€12", "CHF 12".
void put_sign(std::string& text, const std::string& symbol) {
  const bool word = is_letter_or_digit(symbol.back()) || is_capital(symbol.back());
  for (std::size_t at = text.find('$'); at != text.npos; at = text.find('$', at)) {
    const bool before_figure = at + 1 < text.size() && is_digit(text[at + 1]);
    const std::string sign = symbol + (word && before_figure ? "\u00a0" : "");
    text.replace(at, 1, sign);
    at += sign.size();
  }
}

bool is_amount(const std::string& name) {
  return name.find("usd") != name.npos ||
         contains(
             {"capital", "colo", "depreciation", "energy", "licence", "network", "staff", "support",
              "full_load_energy", "own_at_zero_hours", "rent_less_energy_at_full_use"},
             name);
}

/// Walks the fields of a sheet, and converts what is an amount of dollars.
class Conversion {
 public:
  explicit Conversion(const ShownCurrency& rate) : rate_(rate), unit_(rate.currency) {
    for (char& letter : unit_) letter = static_cast<char>(letter - 'A' + 'a');
  }

  template <typename T>
  void operator()(const char*, T& value) {
    turn(value);
  }
  template <typename F>
  void group(const char*, F&& walk) {
    walk(*this);
  }

 private:
  void turn(MicroUsd& amount) { amount = in_currency(amount, rate_); }
  void turn(std::string& text) { text = as_quoted(std::move(text)); }
  template <typename T>
  void turn(std::optional<T>& value) {
    if (value) turn(*value);
  }
  template <typename T>
  void turn(std::vector<T>& values) {
    if constexpr (!std::is_arithmetic_v<T>) {
      for (T& value : values) turn(value);
    }
  }
  template <typename T>
  void turn(std::map<std::string, T>& values) {
    for (auto& [key, value] : values) turn(value);
  }
  void turn(CostLine& line) { turn_proof(line); }
  void turn(QuantityLine& line) { turn_proof(line); }
  void turn(SheetEstimate& rate) { turn_estimate(rate, {&rate.low, &rate.typical, &rate.high}); }
  void turn(ProjectFigure& rate) { turn_estimate(rate, {&rate.low, &rate.typical, &rate.high}); }
  void turn(Sensitivity& bar) { turn_estimate(bar, {&bar.low, &bar.typical, &bar.high}); }
  void turn(OwnershipAssumption& rate) {
    turn_estimate(rate, {&rate.low, &rate.value, &rate.high});
  }
  /// Its column heads say the money of the figures under them, or quote.
  void turn(SheetWorksheet& table) {
    const std::vector<WorksheetColumn> columns = table.columns;
    turn_members(table);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      for (const SheetWorksheetRow& row : table.rows) {
        if (row.usd.contains(columns[i].id)) table.columns[i].title = columns[i].title;
      }
    }
  }
  void turn(MovedInput& moved) {
    std::string unit = moved.unit;
    turn_members(moved);
    if (!starts_with(unit, "$") && !starts_with(unit, "USD")) return;
    moved.unit = std::move(unit);
    for (std::string* value : {&moved.old_value, &moved.new_value}) {
      if (auto amount = parse_usd(*value)) *value = shortest(to_usd(in_currency(*amount, rate_)));
    }
  }
  template <typename T>
  void turn(T& value) {
    if constexpr (requires { fields(*this, value); }) turn_members(value);
  }

  template <typename T>
  void turn_members(T& value) {
    fields(*this, value);
  }
  template <typename T>
  void turn_proof(T& line) {
    std::string unit = line.unit;
    turn_members(line);
    line.unit = std::move(unit);
    Formula& formula = line.formula;
    boost::replace_all(formula.text, "usd", unit_);
    for (NamedValue& input : formula.inputs) turn_named(input);
    for (FormulaStep& step : formula.steps) {
      boost::replace_all(step.formula, "usd", unit_);
      turn_named(step);
    }
  }
  void turn_named(auto& named) {
    if (is_amount(named.name)) named.value = converted(named.value);
    boost::replace_all(named.name, "usd", unit_);
  }
  template <typename T>
  void turn_estimate(T& rate, std::initializer_list<double*> figures) {
    std::string unit = rate.unit;
    turn_members(rate);
    if (!starts_with(unit, "USD")) return;
    rate.unit = std::move(unit);
    for (double* figure : figures) *figure = converted(*figure);
  }
  double converted(double usd) const { return to_usd(in_currency(rounded_usd(usd), rate_)); }

  const ShownCurrency& rate_;
  std::string unit_;  ///< "eur"
};

/// Candidate amounts for the "$" figures in a pick's sentences, the most frequent first.
std::vector<MicroUsd> told_amounts(const Sheet& sheet, const Pick& pick) {
  std::vector<MicroUsd> told;
  const auto add_row = [&](const std::optional<std::string>& key) {
    const Row* row = key ? sheet.find(*key) : nullptr;
    if (row == nullptr) return;
    if (const RunCandidate* run = row->set_up())
      told.insert(told.end(), {run->usd.mid, run->usd.high});
    if (const auto& rent = row->rents[kOnDemand]) {
      told.push_back(rent->usd_per_hour);
      if (rent->usd_per_run) told.push_back(*rent->usd_per_run);
    }
  };
  add_row(pick.rent_key);
  if (const RunCandidate* next = runner_up_of(sheet, pick)) told.push_back(next->usd.high);
  if (pick.switch_at && pick.switch_at->usd_per_gpu_hour) {
    told.push_back(*pick.switch_at->usd_per_gpu_hour);
  }
  add_row(pick.hourly_key);
  if (pick.own) {
    const OwnPick& own = *pick.own;
    told.insert(told.end(),
                {own.capex_usd, own.usd_per_run, own.usd_per_run_low, own.usd_per_run_high});
    if (own.rent_set_up) {
      const UsdRange& rent = own.rent_set_up->usd;
      told.insert(told.end(), {rent.low, rent.mid, rent.high});
    }
  }
  for (const Row& row : sheet.rows) {
    if (row.model != pick.model || row.method != pick.method || !sheet.is_main(row)) continue;
    for (const RunCandidate& run : row.candidates) {
      told.insert(told.end(), {run.usd.high, run.usd.mid});
    }
  }
  return told;
}

/// The sentence with each of its amounts converted: the amount itself, where it is one of `told`.
std::string retold(const std::string& sentence, const std::vector<MicroUsd>& told,
                   const ShownCurrency& rate) {
  std::string text;
  std::size_t from = 0;
  for (std::size_t at = sentence.find('$'); at != sentence.npos; at = sentence.find('$', from)) {
    std::size_t end = sentence.find_first_not_of("0123456789.,", at + 1);
    if (end == sentence.npos) end = sentence.size();
    while (end > at + 1 && !is_digit(sentence[end - 1])) --end;  // what ends the sentence
    const std::string figure = sentence.substr(at, end - at);
    const bool cents = figure.find('.') != figure.npos;
    const auto known = std::ranges::find_if(
        told, [&](MicroUsd amount) { return "$" + format_usd(amount, cents ? 2 : 0) == figure; });
    text += sentence.substr(from, at - from);
    from = end;
    if (known != told.end()) {
      text += usd_words(in_currency(*known, rate));
      continue;
    }
    std::string plain = figure.substr(1);
    boost::replace_all(plain, ",", "");
    const auto usd = parse_usd(plain);  // none: a name that has a dollar in it
    text += usd ? usd_words(in_currency(*usd, rate)) : as_quoted(figure);
  }
  return text + sentence.substr(from);
}

}  // namespace

Sheet as_shown(const Sheet& sheet) {
  Sheet shown = sheet;
  const ShownCurrency& rate = sheet.meta.exchange.value();
  Conversion conversion(rate);
  fields(conversion, shown);
  shown.meta.currency = sheet.meta.currency;
  shown.meta.exchange = rate;
  shown.meta.labels = sheet.meta.labels;
  for (std::size_t i = 0; i < sheet.picks.size(); ++i) {
    const std::vector<MicroUsd> told = told_amounts(sheet, sheet.picks[i]);
    for (auto sentence : {&Pick::rent_why, &Pick::why, &Pick::hourly_why, &Pick::buy_why}) {
      shown.picks[i].*sentence = retold(sheet.picks[i].*sentence, told, rate);
    }
  }
  shown.headline.clear();
  add_headline(shown);
  shown.risks.clear();
  add_risks(shown);
  return shown;
}

std::string as_quoted(std::string text) {
  for (const MoneyWord& money : kMoneyWords) boost::replace_all(text, money.word, money.quoted);
  return text;
}

std::string labelled(const std::string& text, const SheetMeta& meta) {
  if (!meta.labels) return text;
  const auto mark = std::ranges::find_if(
      kMarks, [&](std::string_view sign) { return starts_with(text, std::string(sign)); });
  const std::size_t start = mark == std::end(kMarks) ? 0 : mark->size();
  std::string label = text.substr(start);
  boost::replace_all(label, "\u00a0", " ");
  const auto known = meta.labels->texts.find(label);
  return known == meta.labels->texts.end() ? text : text.substr(0, start) + known->second;
}

std::string worded(const std::string& text, const SheetMeta& meta) {
  return in_money(labelled(text, meta), meta);
}

std::string in_money(std::string text, const SheetMeta& meta) {
  if (meta.exchange) {
    for (const char* dollars : {"US dollars", "Dollars", "dollars", "dollar", "USD"}) {
      boost::replace_all(text, dollars, meta.exchange->currency);
    }
    put_sign(text, meta.exchange->symbol);
  }
  for (const MoneyWord& money : kMoneyWords) boost::replace_all(text, money.quoted, money.word);
  return text;
}

std::string exchange_words(const SheetMeta& meta) {
  return meta.exchange ? as_quoted(words_of(*meta.exchange)) : "";
}

}  // namespace sizesheet
