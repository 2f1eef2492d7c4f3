// SPDX-License-Identifier: Apache-2.0
#include "render/xlsx/inputs.h"

#include <cmath>
#include <tuple>

#include "render/phrases.h"
#include "render/xlsx/project_table.h"
#include "render/xlsx/sheets.h"
#include "render/xlsx/table.h"
#include "render/xlsx/workbook_file.h"
#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/sheet.h"
#include "sheet/sheet_options.h"
#include "sheet/spot.h"
#include "support/error.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet::xlsx {
namespace {

constexpr double kManyTokens = 1e15;
constexpr double kMuchMoney = 1e6;
constexpr double kLongAge = 36500;
constexpr double kLongLife = 50;

struct Role {
  const char* name;
  bool needed;  ///< for the cost of owning
  Style style;
  double least;
  double most;
};

constexpr Role kRoles[] = {
    {"hours_per_month", true, Style::kInputNumber, 1, kHoursOfLongestMonth},
    {"life_years", true, Style::kInputNumber, 0.1, kLongLife},
    {"residual_share", false, Style::kInputPercent, 0, 1},
    {"value_decay_oom_per_year", false, Style::kInputNumber, 0, 1},
    {"cost_of_capital", true, Style::kInputPercent, 0, 1},
    {"idle_power_share", true, Style::kInputPercent, 0, 1},
    {"pue", true, Style::kInputNumber, 1, 5},
    {"usd_per_kwh", true, Style::kInputNumber, 0, 10},
    {"colo_usd_per_kw_month", true, Style::kInputNumber, 0, kMuchMoney},
    {"support_share_per_year", true, Style::kInputPercent, 0, 1},
    {"network_usd_per_gpu", true, Style::kInputUsd, 0, kMuchMoney},
    {"cabling_share", false, Style::kInputPercent, 0, 1},
    {"staff_fte_per_node", false, Style::kInputNumber, 0, 100},
    {"usd_per_fte_year", false, Style::kInputUsd, 0, kMuchMoney},
    {"least_fte_per_node", false, Style::kInputNumber, 0, 100},
    {"least_fte_per_site", false, Style::kInputNumber, 0, 100},
    {"licence_usd_per_gpu_year", false, Style::kInputUsd, 0, kMuchMoney},
    {"used_life_years", false, Style::kInputNumber, 0.1, kLongLife},
    {"used_residual_share", false, Style::kInputPercent, 0, 1},
};

/// Inputs that are typed on the Answer sheet, and what it calls them.
constexpr std::pair<const char*, const char*> kOnAnswer[] = {
    {"tokens_per_run", "Tokens per run, all weights"},
    {"adapter_tokens_per_run", "Tokens per run, adapters"},
    {"planned_hours_per_month", "Planned hours per month"},
    {"rent_change", "Rents up or down by"},
    {"price_max_age_days", "Oldest price, days"},
    {"cost_of_capital", "Cost of capital, a year"},
    {"usd_per_kwh", "Electricity, $ a kWh"},
};

Input choice(const std::string& name, const std::string& title, const std::string& unit,
             double value, Style style, double least, double most) {
  const SheetEstimate figure{
      {0, value, 0, "choice", "sheet specification", "", ""}, "", title, unit};
  return {name, figure, style, least, most, false};
}

Input spot_checkpoints(const SpotRule& rule) {
  Input hours = choice("spot_checkpoint_hours", "Time from one checkpoint to the next, on spot",
                       "h", rule.checkpoint_hours, Style::kInputNumber, 0.001, 10000);
  hours.figure.basis = rule.checkpoint_basis;
  hours.figure.source = rule.checkpoint_source;
  return hours;
}

std::vector<Input> choices(const Sheet& sheet) {
  const SheetOptions& options = sheet.options;
  const double day = excel_day(sheet.meta.as_of).value_or(0);
  std::vector<Input> made = {
      choice("tokens_per_run", "Training tokens of one run", "tokens",
             static_cast<double>(options.tokens), Style::kInputCount, 1, kManyTokens),
      choice("adapter_tokens_per_run", "Training tokens of one run that trains adapters", "tokens",
             static_cast<double>(options.adapter_tokens.value_or(options.tokens)),
             Style::kInputCount, 1, kManyTokens),
      choice("planned_hours_per_month", "Planned use of an owned machine", "h per month",
             options.planned_hours_per_month, Style::kInputNumber, 1, options.hours_per_month),
      choice("rent_change", "Every rent, higher or lower than seen", "share", 0,
             Style::kInputPercent, -0.9, 9),
      choice("as_of", "Day of the sheet: ages of prices count from it", "date", day,
             Style::kInputDate, day - kLongAge, day + kLongAge)};
  const auto oldest = [&](const char* name, const std::string& which, const char* tier) {
    made.push_back(choice(name, "Oldest price that counts, " + which, "days",
                          static_cast<double>(options.age_limit_days(tier, "")), Style::kInputCount,
                          0, kLongAge));
  };
  oldest("price_max_age_days", "on demand and spot", "on_demand");
  oldest("reserved_max_age_days", "reserved terms", "reserved_1y");
  oldest("block_max_age_days", "capacity blocks", "capacity_block");
  const PriceRules& rules = options.price_rules;
  made.push_back(choice("price_fallback_age_days",
                        "Oldest list price that counts where no newer will do (0: none)", "days",
                        static_cast<double>(rules.fallback_age_days.value_or(0)),
                        Style::kInputCount, 0, kLongAge));
  if (rules.spot_rule) {
    made.push_back(spot_checkpoints(*rules.spot_rule));
    return made;
  }
  made.push_back(choice("spot_interruption_share", "Extra hours of a run on spot, for lost work",
                        "share of hours", rules.spot_interruption_share, Style::kInputPercent, 0,
                        1));
  SheetEstimate& share = made.back().figure;
  if (!rules.spot_interruption_basis.empty()) share.basis = rules.spot_interruption_basis;
  if (!rules.spot_interruption_source.empty()) share.source = rules.spot_interruption_source;
  return made;
}

/// Ranges that the sheet gives for its own choices.
void add_range(const Sheet& sheet, std::vector<Input>& inputs) {
  const auto found = std::ranges::find(inputs, "planned_hours_per_month", &Input::name);
  if (!sheet.ownership || found == inputs.end()) return;
  Input& hours = *found;
  const auto* known =
      entry_with(sheet.ownership->assumptions, &OwnershipAssumption::id, "planned-hours-per-month");
  if (known == nullptr) return;
  hours.has_range = true;
  hours.figure.low = known->low;
  hours.figure.high = known->high;
  hours.figure.source = known->source;
}

void add_rates(const Sheet& sheet, std::vector<Input>& inputs) {
  for (const Role& role : kRoles) {
    if (const auto* rate = entry_with(sheet.rates, &SheetEstimate::role, role.name)) {
      inputs.push_back({role.name, *rate, role.style, std::min(role.least, rate->typical),
                        std::max(role.most, rate->typical)});
    } else if (role.name == std::string("hours_per_month")) {
      inputs.push_back(choice(role.name, "Hours counted as a month", "h",
                              sheet.options.hours_per_month, role.style, role.least, role.most));
    } else if (role.needed && !sheet.machines.empty()) {
      throw InputError("sheet.xlsx: machines can be bought, but no rate has the role \"" +
                       std::string(role.name) + "\"");
    }
  }
}

void add_followers(std::vector<Input>& inputs) {
  const auto value = [&](const char* name) { return value_of(inputs, name).value_or(0); };
  const auto follows = [&](const char* name, const char* title, const char* unit, double figure,
                           const char* formula, Style style) {
    inputs.push_back(choice(name, title, unit, figure, style, 0, 0));
    inputs.back().figure.basis = "follows";
    inputs.back().figure.source = "from the figures above";
    inputs.back().formula = formula;
  };
  const double life = value("life_years");
  if (const auto decay = value_of(inputs, "value_decay_oom_per_year")) {
    follows("residual_share", "Value left at the end of life", "share of purchase",
            std::pow(10, -*decay * life), "10^(-value_decay_oom_per_year*life_years)",
            Style::kPercent);
  }
  follows("utilisation", "Use of an owned machine", "share of hours",
          value("planned_hours_per_month") / value("hours_per_month"),
          "planned_hours_per_month/hours_per_month", Style::kPercent);
}

std::map<std::string, std::size_t> gpu_order(const Sheet& sheet) {
  std::map<std::string, std::size_t> order;
  for (std::size_t i = 0; i < sheet.gpus.size(); ++i) order[sheet.gpus[i].id] = i;
  return order;
}

/// First position of the least `amount` where `condition` holds; both are arrays.
std::string line_of_least(const std::string& condition, const std::string& amount) {
  const std::string amounts = "IF(" + condition + "," + amount + ")";
  return "IF(SUM(" + condition + ")=0,0,MATCH(MIN(" + amounts + ")," + amounts + ",0))";
}

/// The column that says which machine has so many GPUs, or its cell in a line.
std::string machine_column(std::int64_t gpus, const std::string& line) {
  const std::string column = "price_of_" + std::to_string(gpus);
  return line.empty() ? column : "INDEX(" + column + "," + line + ")";
}

/// GPUs of the machine that is ordered for {gpus}; an empty cell is a quote that names no counts.
std::string machine_gpus_at(const std::string& line) {
  std::string formula = "{gpus}";
  for (const std::int64_t gpus : kMachineSizes) {
    const std::string machine = machine_column(gpus, line);
    formula = "IF({gpus}=" + std::to_string(gpus) + ",IF(" + machine + ">0," + machine +
              ",{gpus})," + formula + ")";
  }
  return formula;
}

/// 1 in the lines whose offer has a machine for {gpus}.
std::string has_machine() {
  std::string formula = "1";
  for (const std::int64_t gpus : kMachineSizes) {
    formula = "IF({gpus}=" + std::to_string(gpus) + "," + machine_column(gpus, "") + ">=0," +
              formula + ")";
  }
  return formula;
}

std::string instances(const std::string& line) {
  return "ROUNDUP(MAX(" + machine_gpus_at(line) + ",INDEX(price_least," + line +
         "))/INDEX(price_gpus," + line + "),0)";
}

}  // namespace

std::vector<Input> inputs_of(const Sheet& sheet) {
  std::vector<Input> inputs = choices(sheet);
  add_range(sheet, inputs);
  add_rates(sheet, inputs);
  if (value_of(inputs, "life_years")) add_followers(inputs);
  for (Input& input : project_inputs(sheet)) inputs.push_back(std::move(input));
  for (const auto& [name, label] : kOnAnswer) {
    const auto named = [of = name](const Input& input) { return input.name == of; };
    const auto found = std::find_if(inputs.begin(), inputs.end(), named);
    if (found != inputs.end()) found->label = label;
  }
  return inputs;
}

std::optional<double> value_of(const std::vector<Input>& inputs, const std::string& name) {
  const Input* input = entry_with(inputs, &Input::name, name);
  return input == nullptr ? std::nullopt : std::optional<double>(input->figure.typical);
}

std::string gpu_label(const Sheet& sheet, const std::string& id) {
  const std::string& name = sheet.gpu(id).short_name;
  const auto shares = std::count_if(sheet.gpus.begin(), sheet.gpus.end(),
                                    [&](const SheetGpu& gpu) { return gpu.short_name == name; });
  return shares == 1 ? name : id;
}

std::string short_title(const SheetModel& model) {
  constexpr std::size_t kLongest = 22;
  return model.title.size() <= kLongest ? model.title : model.size + " (" + model.short_note + ")";
}

std::vector<const SheetPrice*> price_lines(const Sheet& sheet) {
  const std::map<std::string, std::size_t> order = gpu_order(sheet);
  std::vector<const SheetPrice*> lines;
  for (const SheetPrice& price : sheet.prices) lines.push_back(&price);
  const auto rank = [&](const SheetPrice& price) {
    const auto gpu = order.find(price.gpu);
    const SheetTier* tier = rent_tier(price.tier);
    const bool last = tier == nullptr || tier->by_month();
    return std::tuple(gpu == order.end() ? order.size() : gpu->second,
                      last ? kRentTiers.end() : tier, price.tier,
                      -day_number(price.as_of).value_or(0), price.provider, price.key);
  };
  std::stable_sort(lines.begin(), lines.end(),
                   [&](const SheetPrice* a, const SheetPrice* b) { return rank(*a) < rank(*b); });
  return lines;
}

std::map<std::string, std::int64_t> line_numbers(const std::vector<const SheetPrice*>& lines) {
  std::map<std::string, std::int64_t> numbers;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    numbers.emplace(lines[i]->key, static_cast<std::int64_t>(i) + 1);
  }
  return numbers;
}

std::int64_t line_of(const std::map<std::string, std::int64_t>& lines, const std::string& key) {
  const auto found = lines.find(key);
  return found == lines.end() ? 0 : found->second;
}

std::int64_t line_of(const std::map<std::string, std::int64_t>& lines,
                     const std::optional<RentLine>& rent) {
  return rent ? line_of(lines, rent->price_key) : 0;
}

std::int64_t machine_line(const Sheet& sheet, const std::string& id) {
  return line_where(sheet.machines, [&](const SoldMachine& machine) { return machine.id == id; });
}

const SheetEstimate& machine_figure(const Sheet& sheet, const std::string& id) {
  if (const auto* known = entry_with(sheet.purchase_nodes, &SheetEstimate::id, id)) return *known;
  throw InputError("sheet.xlsx: no purchase figure \"" + id + "\" in the sheet");
}

std::string edition_words(const SheetMeta& meta) {
  const std::string days = price_days(meta);
  return meta.title + ", " + meta.edition + ", as of " + meta.as_of +
         (days.empty() ? "" : ", prices seen " + days) + ". ";
}

std::string rent_key(const Row& row) {
  return row.rents[kOnDemand] ? row.rents[kOnDemand]->price_key : "";
}

std::vector<const Row*> set_ups(const Sheet& sheet) {
  const std::map<std::string, std::size_t> order = gpu_order(sheet);
  std::map<std::tuple<std::size_t, std::int64_t, std::string>, const Row*> found;
  for (const Row& row : sheet.rows) {
    if (row.own) found.try_emplace({order.at(row.gpu), row.layout.gpus, rent_key(row)}, &row);
  }
  std::vector<const Row*> all;
  for (const auto& [place, row] : found) all.push_back(row);
  return all;
}

TableRow described_row(const Sheet& sheet, const Row& row) {
  const Scenario* scenario = entry_with(sheet.scenarios, &Scenario::id, row.scenario);
  TableRow made;
  made.cells = {{"size", cell(sheet.model(row.model).size)},
                {"model", cell(sheet.model(row.model).title)},
                {"method", cell(sheet.method(row.method).short_title)},
                {"gpu", cell(gpu_label(sheet, row.gpu))},
                {"scenario", cell(scenario == nullptr ? "" : scenario->title)}};
  return made;
}

std::vector<const Row*> priced_rows(const Sheet& sheet) {
  std::vector<const Row*> rows;
  for (const Row& row : sheet.rows) {
    if (row.modelled && row.verdict != Verdict::kNo) rows.push_back(&row);
  }
  return rows;
}

std::string unless_empty(const std::string& cell, const std::string& formula) {
  return "IF(" + cell + "=\"\",\"\"," + formula + ")";
}

std::string unless_empty(const std::string& cell, const std::string& other,
                         const std::string& formula) {
  return "IF(OR(" + cell + "=\"\"," + other + "=\"\"),\"\"," + formula + ")";
}

std::string with_line(const std::string& line, const std::string& formula) {
  return "IF(" + line + "=0,\"\"," + formula + ")";
}

namespace {

/// Dollars per hour of every line of Prices, and which of them may be taken.
std::string line_of_least_rent(const std::string& tier, const std::string& factor) {
  const std::string machine = machine_gpus_at("");
  return line_of_least(
      "(price_gpu={gpu})*(price_tier=\"" + tier + "\")*(price_ok=1)*" + has_machine() +
          "*((({gpus}<={node})+(price_gpus={node})*price_joins)>0)",
      "ROUND(ROUNDUP(IF(price_least>" + machine + ",price_least," + machine +
          ")/price_gpus,0)*ROUND(price_usd*price_factor,6),6)" + factor + "+price_old*1E8");
}

}  // namespace

std::string cheapest_price_line(const std::string& tier) { return line_of_least_rent(tier, ""); }

std::string least_score_line(const PickRules& rules) {
  const std::string weight = shortest(rules.weight());
  return line_of_least_rent(kOnDemand.key,
                            "*(1+" + weight +
                                "*(EXP(SQRT({range}*{range}+price_width*price_width))"
                                "-1))");
}

double hours_range(const Hours& hours) { return std::log(hours.high / hours.mid); }

double hours_range(const Row& row) {
  return row.hours_mid ? hours_range({*row.hours_low, *row.hours_mid, *row.hours_high}) : 0;
}

std::string at_line(const std::string& range, const std::string& line) {
  const std::string key = "{" + line + "}";
  return with_line(key, "INDEX(" + range + "," + key + ")");
}

std::string hours_at(const std::string& speed, const std::string& nodes) {
  return std::string("ROUND(") + kTokensOfRun + "/(" + speed +
         "*3600)*(1+INDEX(scenario_checkpoint_share,{scenario_line}))+"
         "INDEX(scenario_startup_hours,{scenario_line})+"
         "INDEX(scenario_startup_hours_per_node,{scenario_line})*(" +
         nodes + "-1),4)";
}

std::string expected_price(const std::string& line) {
  return "ROUND(INDEX(price_usd," + line + ")*INDEX(price_factor," + line + "),6)";
}

std::string usd_per_hour(const std::string& line) {
  const std::string key = "{" + line + "}";
  return with_line(key, "ROUND(" + instances(key) + "*" + expected_price(key) + ",6)");
}

std::string gpus_paid(const std::string& line) {
  const std::string key = "{" + line + "}";
  return with_line(key, instances(key) + "*INDEX(price_gpus," + key + ")");
}

std::string cheapest_machine_line() {
  return line_of_least(
      "(machine_gpu={gpu})*(machine_quoted=\"yes\")*"
      "((({gpus}<=machine_gpus)+(machine_joins=\"yes\"))>0)",
      "ROUNDUP({gpus}/machine_gpus,0)*machine_usd");
}

}  // namespace sizesheet::xlsx
