// SPDX-License-Identifier: Apache-2.0
#include "render/xlsx/rent_table.h"

#include <algorithm>

#include "render/xlsx/inputs.h"
#include "render/xlsx/sheets.h"
#include "render/xlsx/spot_columns.h"
#include "render/xlsx/table.h"
#include "render/xlsx/workbook_file.h"
#include "sheet/measures.h"
#include "sheet/money.h"
#include "sheet/sheet.h"
#include "support/json.h"
#include "support/money.h"
#include "support/named.h"
#include "support/text.h"

namespace sizesheet::xlsx {
namespace {

/// A capacity block is paid in whole days up to 14, then in whole weeks up to 26.
constexpr const char* kBlockHours =
    "IF({hours}<=336,ROUNDUP({hours}/24,0)*24,ROUNDUP(ROUNDUP({hours}/24,0)/7,0)*168)";

constexpr const char* kCheapest =
    "IF(OR({list_run}=\"\",{verdict}<>\"fits\"),\"\",IF(SUMPRODUCT((rent_model={model})*"
    "(rent_method={method})*(rent_scenario={scenario})*(rent_verdict=\"fits\")*"
    "ISNUMBER(rent_run)*(rent_run<{list_run}))>0,\"\",\"yes\"))";

std::string per_run(const std::string& hour, const std::string& hours) {
  return unless_empty("{" + hour + "}", "{hours}", "ROUND({" + hour + "}*" + hours + ",6)");
}

/// More than the row's GPUs where the cheapest instance is larger.
Column paid(const std::string& name, const std::string& group) {
  return measured(name + "_gpus_paid", {name + "_paid", group, "Paid", "GPUs", 6, Style::kCount,
                                        gpus_paid(name + "_line")});
}

Column an_hour(const std::string& name, const std::string& group) {
  return measured(name + "_usd_per_hour", {name + "_hour", group, "All GPUs", "$ per hour", 10,
                                           Style::kUsdCents, usd_per_hour(name + "_line")});
}

std::vector<Column> set_ups_and_on_demand() {
  const std::string group = std::string(kOnDemand.title) + ", cheapest that counts";
  std::vector<Column> all = {
      {"size", "", "Size", "", 7},
      {"model", "", "Model", "", 22},
      {"method", "", "Method", "", 8},
      measured("gpus", {"gpus", "", "GPUs", "", 6.5, Style::kCount}),
      {"gpu", "", "Type", "", 10},
      {"scenario", "", "Scenario", "", 28},
      measured("verdict", {"verdict", "", "Fits?", "", 7}),
      measured("certain", {"certain", "", "Certain?", "", 8}),
      measured("tokens_per_second_per_gpu",
               {"speed", "", "Speed", "tokens/s/GPU", 11, Style::kTenths}),
      measured("hours_mid",
               {"hours", "", "Hours", "h per run", 10, Style::kTenths,
                unless_empty("{speed}", hours_at("{speed}*{gpus}", "ROUNDUP({gpus}/{node},0)"))}),
      {"list_provider", group, "Provider", "", 14, Style::kText,
       at_line("price_provider", "list_line")},
      paid("list", group),
      an_hour("list", group),
      measured("list_usd_per_run", {"list_run", group, "A run", "$", 11, Style::kUsdRun,
                                    per_run("list_hour", "{hours}"), false, "rent_run"}),
      measured("list_usd_per_million_tokens",
               {"list_million", group, "A million tokens", "$", 11, Style::kUsdCents,
                unless_empty("{list_run}",
                             std::string("ROUND({list_run}*1000000/") + kTokensOfRun + ",6)")}),
      {"cheapest", group, "Cheapest run of its kind", "", 11, Style::kText, kCheapest},
  };
  name_ranges(all, "rent_", {"model", "method", "scenario", "verdict", "hours", "list_hour"});
  return all;
}

/// What a month or a run costs in a tier, from the column of its hours.
std::vector<Column> paid_columns(const RentTier& tier, const PriceRules& rules) {
  const std::string name = tier.name;
  const std::string hour = name + "_hour";
  const auto dollars = [&](const std::string& key, const char* title, const char* note, Style style,
                           const std::string& formula) {
    Column column{name + key, tier.title, title, note, 11, style, formula};
    if (key == "_lost") return column;
    return measured(name + "_usd_per" + key, column);
  };
  if (tier.by_month()) {
    return {dollars("_month", "Every hour", "$ per month", Style::kUsd,
                    unless_empty("{" + hour + "}", "ROUND({" + hour + "}*hours_per_month,6)")),
            committed_from(tier)};
  }
  if (tier.interrupted) {
    const Column run = dollars("_run", "A run", "$", Style::kUsdRun, per_run(hour, "{hours}"));
    if (rules.spot_rule) return joined({{run}, spot_run_columns(tier)});
    const std::string interrupted = "ROUND({hours}*(1+spot_interruption_share),4)";
    return {run, dollars("_lost", "With lost work", "$ per run", Style::kUsdRun,
                         per_run(hour, interrupted))};
  }
  return {
      dollars("_run", "A run, whole days", "$", Style::kUsdRun,
              unless_empty("{" + hour + "}", "{hours}",
                           "IF({hours}>26*168,\"\",ROUND({" + hour + "}*" + kBlockHours + ",6))"))};
}

std::vector<Column> other_tier_columns(const PriceRules& rules) {
  std::vector<Column> all;
  for (const SheetTier& tier : kRentTiers) {
    const std::string name = tier.name;
    if (name == "list") continue;
    all = joined(
        {all, {paid(name, tier.title), an_hour(name, tier.title)}, paid_columns(tier, rules)});
  }
  return all;
}

/// The machines that hold these very GPUs; the machine to own is on Answer.
std::vector<Column> own_columns() {
  const char* group = "These GPUs, bought";
  return {
      measured("capex_usd", {"capex", group, "Purchase", "$", 12, Style::kUsd,
                             at_line("own_capex", "own_line")}),
      measured("own_usd_per_month", {"own_month", group, "Planned use", "$ per month", 11,
                                     Style::kUsd, at_line("own_month", "own_line")}),
      measured("own_usd_per_gpu_hour", {"own_hour", group, "A used GPU-hour", "$", 12,
                                        Style::kUsdTenths, at_line("own_gpu_hour", "own_line")}),
      measured("own_usd_per_run",
               {"own_run", group, "A run", "$", 11, Style::kUsdRun,
                unless_empty("{own_month}", "{hours}",
                             "ROUND({own_month}*{hours}/planned_hours_per_month,6)")}),
      measured("break_even_hours_per_month",
               {"even_hours", group, "Break-even", "h per month", 10, Style::kCount,
                at_line("own_even_hours", "own_line")}),
      measured(
          "break_even_runs_per_month",
          {"even_runs", group, "Break-even", "runs per month", 10, Style::kTenths,
           unless_empty("{even_hours}", "{hours}", "IF({hours}=0,\"\",{even_hours}/{hours})")}),
      measured("payback_month", {"payback", group, "Payback", "month", 8, Style::kCount,
                                 at_line("own_payback", "own_line")}),
  };
}

constexpr const char* kAdviceGroup = "Advice at the planned hours";

std::vector<Column> working_columns(const PickRules& rules) {
  std::vector<Column> all;
  for (const SheetTier& tier : kRentTiers) {
    const bool on_demand = tier.key == std::string_view(kOnDemand.key);
    all.push_back({line_column(tier), "Lines of Prices in use (– none)", tier.title, "", 9,
                   Style::kLine,
                   on_demand ? least_score_line(rules) : cheapest_price_line(tier.key), true});
  }
  all.front().range = "rent_line";
  const char* group = "Other lines";
  all.push_back({"node", group, "GPUs a rented node", "", 9, Style::kCount});
  all.push_back({"range", group, "Range of the hours, upwards, ln", "", 10, Style::kNumber});
  all.push_back({"adapters", group, "Trains adapters (1)", "", 9, Style::kCount});
  all.push_back({"own_line", group, "Line of Ownership", "", 10, Style::kLine});
  all.push_back({"scenario_line", group, "Line of scenarios", "", 9, Style::kLine});
  all.push_back({"advice", kAdviceGroup, "These GPUs", "", 7, Style::kText,
                 at_line("own_advice", "own_line")});
  all.push_back({"close", kAdviceGroup, "Within 10 %", "", 7, Style::kText,
                 at_line("own_close", "own_line")});
  return all;
}

using Lines = std::map<std::string, std::int64_t>;

void add_tiers(const Sheet& sheet, const Row& priced, const Lines& lines, TableRow& row) {
  for (const SheetTier& tier : kRentTiers) {
    row.cells[line_column(tier)] = cell(line_of(lines, priced.rents[tier]));
  }
  if (sheet.options.price_rules.spot_rule) {
    add_spot_run_cells(priced, row);
  } else if (priced.rents[kSpot]) {
    const auto& lost = priced.rents[kSpot]->usd_per_run_interrupted;
    row.cells["spot_lost"] = cell(lost ? lost : priced.rents[kSpot]->usd_per_run);
  }
  if (!priced.rents[kOnDemand]) return;
  const std::string& key = priced.rents[kOnDemand]->price_key;
  if (const auto* price = entry_with(sheet.prices, &SheetPrice::key, key)) {
    row.cells["list_provider"] = cell(price->provider);
  }
}

/// No row of the same model, method and scenario that fits is cheaper to run.
bool is_cheapest(const std::vector<const Row*>& rows, const Row& row) {
  const std::optional<MicroUsd> price = row.usd_per_run();
  return price && row.verdict == Verdict::kFits &&
         std::none_of(rows.begin(), rows.end(), [&](const Row* other) {
           return other->model == row.model && other->method == row.method &&
                  other->scenario == row.scenario && other->verdict == Verdict::kFits &&
                  other->usd_per_run() && other->usd_per_run() < price;
         });
}

constexpr const char* kGroup = "Memory of one GPU at its peak";

/// The parts of the total, as every page calls them.
std::vector<Column> term_columns() {
  std::vector<Column> all;
  for (const TermFacts& part : kTerms) {
    if (part.value == Term::kGeneration) continue;  // of no row of a sheet
    Column column{part.id, kGroup, part.title, "GiB", 10.5, Style::kTenths};
    const bool slack = part.value == Term::kSlack;
    all.push_back(slack ? column : measured(std::string(part.id) + "_bytes", column));
  }
  return all;
}

/// `advice` and `close` of sheet.json, for programs that read them.
std::vector<Column> advice_columns() {
  return {measured("advice", {"advice", kAdviceGroup, "Advice", "", 8}),
          measured("close", {"close", kAdviceGroup, "Within 10 %", "", 7}),
          measured("advice_at_hours",
                   {"advice_at_hours", kAdviceGroup, "Is at", "h per month", 8, Style::kTenths})};
}

constexpr std::ptrdiff_t kDecision = 8;  ///< behind what names a row, and the machine to own

std::vector<Column> columns(bool decided) {
  const char* counts = "GPUs";
  const char* own = "Machine to own";
  std::vector<Column> counted = {
      {"size", "", "Size", "", 7},
      {"model", "", "Model", "", 22},
      {"method", "", "Method", "", 8},
      {"gpu", "", "GPU", "", 10},
      {"scenario", "", "Scenario", "", 28},
      {"pick", "", "Pick", "", 9},
      measured("buy_machine", {"machine", own, "Machine", "", 24}),
      measured("buy_from_hours_per_month",
               {"pays_from", own, "Cheaper to own from", "h per month", 9, Style::kCount}),
      measured("verdict", {"verdict", "", "Fits?", "", 13}),
      measured("certain", {"certain", "", "Certain?", "", 8}),
      measured("gpus_rentable", {"fits", counts, "Fit with headroom", "", 9, Style::kCount}),
      measured("gpus_certain", {"certain_from", counts, "Certain to fit", "", 9, Style::kCount}),
      measured("gpus_tight", {"tight", counts, "Fit tightly", "", 9, Style::kCount}),
      measured("gpus_by_memory", {"least", counts, "Fit by memory", "", 8, Style::kCount}),
      measured("gpus_for_deadline", {"deadline", counts, "For the deadline", "", 9, Style::kCount}),
      measured("gpus", {"gpus", counts, "Taken", "", 7, Style::kCount}),
      {"layout", "", "Layout", "data × tensor × pipeline × context", 25},
      measured("stack", {"stack", "Run as", "Stack", "", 12}),
      measured("micro_batch", {"micro_batch", "Run as", "Micro-batch", "", 9, Style::kCount}),
      measured("grad_accum", {"grad_accum", "Run as", "Accumulated", "", 9, Style::kCount}),
      measured("recompute", {"recompute", "Run as", "Recompute", "", 10}),
      measured("lora_rank", {"lora_rank", "Run as", "Rank", "", 6, Style::kCount}),
      measured("lora_targets", {"lora_targets", "Run as", "Targets", "", 11}),
      measured("device_bytes", {"device", kGroup, "Total", "GiB", 9, Style::kTenths}),
      measured("device_low_bytes", {"low", kGroup, "Low", "GiB", 8, Style::kTenths}),
      measured("device_high_bytes", {"high", kGroup, "High", "GiB", 8, Style::kTenths}),
      measured("capacity_bytes", {"capacity", kGroup, "Of", "GiB", 8, Style::kTenths}),
  };
  if (decided) counted.insert(counted.begin() + kDecision, {"decision", own, "By the plan", "", 8});
  const std::vector<Column> speed = {
      measured("confidence", {"confidence", "", "Confidence", "A to C", 10}),
      measured("tokens_per_second_per_gpu",
               {"speed", "Speed", "Speed", "tokens/s/GPU", 12, Style::kTenths}),
      measured("hours_low", {"hours_low", "Speed", "Hours, low", "h per run", 11, Style::kTenths}),
      measured("hours_mid", {"hours", "Speed", "Hours", "h per run", 9, Style::kTenths}),
      measured("hours_high",
               {"hours_high", "Speed", "Hours, high", "h per run", 11, Style::kTenths}),
      measured("fastest_stack", {"faster", "Fastest stack", "Stack", "same GPUs", 15}),
      measured("fastest_stack_hours_mid",
               {"faster_hours", "Fastest stack", "Hours", "h per run", 9, Style::kTenths}),
      measured("fastest_stack_usd_per_run",
               {"faster_run", "Fastest stack", "A run", "$", 9, Style::kUsdRun}),
  };
  return joined({counted, folded(joined({term_columns(), advice_columns()})), speed});
}

std::string layout_words(const LayoutShape& shape) {
  std::string words = std::to_string(shape.dp) + " × " + std::to_string(shape.tp) + " × " +
                      std::to_string(shape.pp) + " × " + std::to_string(shape.cp);
  if (shape.shard != "none") words += ", " + shape.shard;
  if (shape.offload != "none") words += ", offload " + shape.offload;
  return words;
}

std::string pick_words(const Sheet& sheet, const Row& row) {
  const Pick* pick = sheet.pick(row.model, row.method);
  if (pick == nullptr) return "";
  const bool rent = pick->rent_key == row.key();
  const bool buy = pick->buy_key == row.key();
  if (rent && buy) return "rent, own";
  if (rent) return "rent";
  return buy ? "own" : "";
}

/// "no" where the upper end of its memory is above the card; a figure that is false is empty else.
void add_certain(const Row& sized, TableRow& row) {
  if (sized.certain() == false) row.cells["certain"] = cell("no");
}

}  // namespace

double workload(const Sheet& sheet, const std::string& scenario, const std::string& key) {
  for (const Json& entry : at_dotted(sheet.inputs, "scenarios")) {
    if (at_dotted(entry, "id") != scenario) continue;
    const Json& figure = at_dotted(entry, "request.workload." + key);
    return figure.is_number() ? figure.get<double>() : 0;
  }
  return 0;
}

Table scenarios_table(const Sheet& sheet) {
  Table table{"Assumptions",
              {{"title", "", "Scenario", "", 52},
               {"startup_hours", "", "Start-up", "h per run", 16, Style::kInputNumber},
               {"startup_hours_per_node", "", "Start-up, each further node", "h per run", 26,
                Style::kInputNumber},
               {"checkpoint_share", "", "Saving and evaluation", "share of training", 24,
                Style::kInputPercent}},
              {}};
  const std::set<std::string> inputs{"startup_hours", "startup_hours_per_node", "checkpoint_share"};
  name_ranges(table.columns, "scenario_", inputs);
  for (const Scenario& scenario : sheet.scenarios) {
    TableRow row;
    row.cells["title"] = cell(scenario.title);
    for (const std::string& key : inputs) {
      row.cells[key] = workload(sheet, scenario.id, key);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table rent_table(const Sheet& sheet) {
  Table table{
      "Rent vs buy",
      joined({set_ups_and_on_demand(), folded(other_tier_columns(sheet.options.price_rules)),
              own_columns(), folded(working_columns(sheet.options.pick_rules))}),
      {}};
  const Lines lines = line_numbers(price_lines(sheet));
  const std::vector<const Row*> rows = priced_rows(sheet);
  const std::vector<const Row*> owned = set_ups(sheet);
  for (const Row* priced : rows) {
    TableRow row = described_row(sheet, *priced);
    row.cells["node"] = cell(sheet.gpu(priced->gpu).gpus_per_node);
    row.cells["range"] = hours_range(*priced);
    row.cells["adapters"] = cell(std::int64_t{sheet.method(priced->method).adapters});
    row.cells["scenario_line"] = cell(line_where(sheet.scenarios, [&](const Scenario& scenario) {
      return scenario.id == priced->scenario;
    }));
    add_measured(table.columns, *priced, row);
    add_certain(*priced, row);
    // A scenario that generates is as long as its prompts, which no input of the workbook says:
    // without a speed its hours stay empty.
    if (workload(sheet, priced->scenario, "examples") > 0) row.cells["speed"] = {};
    add_tiers(sheet, *priced, lines, row);
    row.cells["own_line"] = cell(line_where(owned, [&](const Row* set_up) {
      return set_up->gpu == priced->gpu && set_up->layout.gpus == priced->layout.gpus &&
             rent_key(*set_up) == rent_key(*priced);
    }));
    row.cells["advice"] = cell(priced->own ? priced->own->advice.value_or("") : "");
    row.cells["close"] = cell(priced->own && priced->own->close ? "close" : "");
    row.cells["cheapest"] = cell(is_cheapest(rows, *priced) ? "yes" : "");
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table sizing_table(const Sheet& sheet) {
  Table table{"Sizing", columns(has_decision(sheet)), {}};
  for (const Row& sized : sheet.rows) {
    TableRow row = described_row(sheet, sized);
    row.cells["pick"] = cell(pick_words(sheet, sized));
    if (sized.owned && sized.owned->decision) row.cells["decision"] = cell(sized.owned->word());
    add_measured(table.columns, sized, row);
    add_certain(sized, row);
    if (sized.modelled) {
      row.cells["layout"] = cell(layout_words(sized.layout));
      row.cells[id_of(Term::kSlack)] = cell(Bytes{sized.memory.of(Term::kSlack)});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace sizesheet::xlsx
