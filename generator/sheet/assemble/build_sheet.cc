// SPDX-License-Identifier: Apache-2.0
#include "sheet/assemble/build_sheet.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "catalog/catalog.h"
#include "catalog/facts/method.h"
#include "catalog/prices/price.h"
#include "catalog/prices/provider.h"
#include "catalog/prices/purchase.h"
#include "catalog/prices/service.h"
#include "evidence/validation.h"
#include "sheet/assemble/beside_lora.h"
#include "sheet/assemble/decide.h"
#include "sheet/assemble/decided.h"
#include "sheet/assemble/facts.h"
#include "sheet/assemble/fastest_stack.h"
#include "sheet/assemble/headline.h"
#include "sheet/assemble/length_picks.h"
#include "sheet/assemble/ownership.h"
#include "sheet/assemble/project.h"
#include "sheet/assemble/risks.h"
#include "sheet/assemble/services.h"
#include "sheet/money.h"
#include "sheet/plan.h"
#include "sheet/plan/build_plan.h"
#include "sheet/rows/cells.h"
#include "sheet/rows/price_row.h"
#include "sheet/rows/size_row.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "sheet/spec_ownership.h"
#include "sheet/tables/advice.h"
#include "sheet/tables/frameworks.h"
#include "sheet/tables/guides.h"
#include "sheet/tables/what_if.h"
#include "sheet/tables/worksheets.h"
#include "sizing/memory/verdict.h"
#include "sizing/search/search.h"
#include "support/error.h"
#include "support/json.h"
#include "support/parallel.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Rows in memory at once: enough to keep the threads busy, little enough for any sweep.
constexpr std::size_t kBatch = 64;

Row sized_and_priced(const Catalog& catalog, const SheetSpec& spec, const SheetPrices& prices,
                     const Cell& cell, std::optional<std::int64_t> gpus = {}) {
  Row row = size_row(catalog, spec, prices.offers(), cell, gpus);
  try {
    price_row(catalog, spec, prices, row);
  } catch (const std::overflow_error&) {
    throw InputError(row.key() +
                     ": the amounts of this row are too large to count in micro-dollars: prices, "
                     "purchase rates or the sheet's tokens are out of proportion");
  }
  return row;
}

/// Rows in memory at once.
constexpr std::int64_t kCellsAtOnce = 256;

std::int64_t size_of(const auto& axis) { return static_cast<std::int64_t>(axis.size()); }

/// Position on the last of the axes that `cell` still counts; `cell` counts the others then.
std::size_t take(std::int64_t& cell, std::int64_t size) {
  const std::int64_t position = cell % size;
  cell /= size;
  return static_cast<std::size_t>(position);
}

void put_sized(const Catalog& catalog, const SheetSpec& spec, Json& inputs) {
  for (const SpecModel& model : spec.models) {
    inputs["models"].push_back(catalog.model(model.id).raw);
  }
  for (const std::string& id : spec.methods) inputs["methods"].push_back(catalog.method(id).raw);
  for (const std::string& id : spec.gpus) inputs["gpus"].push_back(catalog.gpu(id).raw);
  // Adapters are asked under every stack, see add_fastest_stacks.
  const bool all = std::ranges::any_of(
      spec.methods, [&](const std::string& id) { return trains_adapters(catalog.method(id)); });
  for (const auto& entry : catalog.stacks) {
    const Stack& stack = entry.second;
    const auto of_it = [&](const SpecScenario& scenario) { return scenario.stack == stack.id; };
    if (all || std::ranges::any_of(spec.scenarios, of_it)) inputs["stacks"].push_back(stack.raw);
  }
  for (const SpecScenario& scenario : spec.scenarios) {
    inputs["scenarios"].push_back({{"id", scenario.id}, {"request", scenario.request}});
  }
  inputs["engine"] = catalog.engine.raw;
  inputs["intervals"] = catalog.intervals.raw;
  inputs["speed_intervals"] = catalog.speed_intervals.raw;
  for (const TeamRun& run : catalog.intervals.team) {
    inputs["team_runs"]["memory"].push_back(as_json(run));
  }
  for (const TeamRun& run : catalog.speed_intervals.team) {
    inputs["team_runs"]["speed"].push_back(as_json(run));
  }
}

/// Every row for the sheet's GPUs, and the providers behind them.
void put_prices(const Catalog& catalog, const SheetSpec& spec, Json& inputs) {
  std::set<std::string> providers;
  for (const Price& price : catalog.prices) {
    if (!contains(spec.gpus, price.gpu)) continue;
    inputs["prices"].push_back(price_row(price));
    inputs["prices"].back()["provider"] = price.provider;
    providers.insert(price.provider);
  }
  for (const Provider& provider : catalog.providers) {
    if (providers.contains(provider.id)) {
      inputs["providers"].push_back(provider.raw);
      inputs["providers"].back().erase("machines");  // names for questions, no input of a row
    }
  }
}

/// How prices age, and the histories that say which cards' prices rise.
void put_ages(const Catalog& catalog, const SheetSpec& spec, Json& inputs) {
  if (catalog.price_age.kinds.empty()) return;
  inputs["price_age"] = catalog.price_age.raw;
  for (const PriceHistory& history : catalog.price_histories) {
    if (contains(spec.gpus, history.gpu)) inputs["price_history"].push_back(history.raw);
  }
}

/// Every rate; a catalog without any has no key, as an edition of before them.
void put_services(const Catalog& catalog, Json& inputs) {
  for (const Service& service : catalog.services) {
    inputs["services"].push_back(service_row(service));
  }
}

void put_purchase(const Catalog& catalog, const SheetSpec& spec, Json& inputs) {
  for (const PurchaseNode& node : catalog.purchase.nodes) {
    if (contains(spec.gpus, node.gpu)) inputs["purchase_nodes"].push_back(node.raw);
  }
  for (const auto& [role, id] : rates_in_use(catalog.purchase, spec.ownership, spec.gpus)) {
    inputs["rates"].push_back(catalog.purchase.rate(id).raw);
  }
}

/// Rates of a project and of interruptions, where the sheet uses some.
void put_project(const Catalog& catalog, const SheetSpec& spec, Json& inputs) {
  if (!spec.project && !spec.price_rules.spot_rule) return;
  if (!catalog.project.raw.is_null()) inputs["project"] = catalog.project.raw;
}

/// What prices of the sheet's GPUs and rates in use were converted by, each once.
void put_exchange(const Catalog& catalog, const SheetSpec& spec, Json& inputs) {
  std::map<std::string, Json> used;
  const auto use = [&used](const ExchangeRate& rate) {
    used[rate.currency + rate.date] = rate.raw;
  };
  for (const Price& price : catalog.prices) {
    if (price.asked && contains(spec.gpus, price.gpu)) use(price.asked->rate);
  }
  for (const auto& [role, id] : rates_in_use(catalog.purchase, spec.ownership, spec.gpus)) {
    if (const auto& exchange = catalog.purchase.rate(id).exchange) use(*exchange);
  }
  for (const auto& [day, rate] : used) inputs["exchange"].push_back(rate);
  if (!used.empty()) inputs["exchange_max_age_days"] = catalog.exchange.max_age_days;
}

}  // namespace

Sheet sized_sheet(const Catalog& catalog, const SheetSpec& spec, const EditionLabels& labels,
                  int jobs, const RowEdit& edit, const Progress& progress) {
  Sheet sheet;
  const std::string& base_url = labels.base_url.empty() ? spec.base_url : labels.base_url;
  sheet.meta = {{spec.title, spec.edition, spec.as_of, "", catalog.hash, labels.tool_version},
                "",
                "USD",
                base_url,
                labels.paper,
                labels.templates,
                spec.exchange,
                spec.labels};
  copy_facts(catalog, spec, sheet);
  const SheetPrices prices(catalog, spec);
  // All GPU types and scenarios of a model and method stand together; they are decided as one.
  std::vector<Row> together;
  const auto decide = [&] {
    const SizeAgain again = [&](const Row& row, std::int64_t gpus) {
      return sized_and_priced(catalog, spec, prices, cell_of(spec, row), gpus);
    };
    if (auto pick = decide_rows(sheet, again, together)) sheet.picks.push_back(std::move(*pick));
    add_services(catalog, spec, together, sheet);
    for (Row& row : together) {
      edit(row);
      sheet.rows.push_back(std::move(row));
    }
    together.clear();
  };
  const auto keep = [&](Row&& row) {
    const bool other = !together.empty() && (row.model != together.front().model ||
                                             row.method != together.front().method);
    if (other) decide();
    together.push_back(std::move(row));
  };
  sweep(catalog, spec, jobs, keep, progress);
  decide();
  add_project(catalog, spec, sheet);
  explain_beside_lora(catalog, spec, sheet);
  mark_used_prices(sheet);
  return sheet;
}

namespace {

/// All but the plan.
Sheet sheet_without_plan(const Catalog& catalog, const SheetSpec& spec, const EditionLabels& labels,
                         int jobs, const Progress& progress) {
  Sheet sheet = sized_sheet(
      catalog, spec, labels, jobs, [](Row&) {}, progress);
  add_ownership_facts(catalog, spec, sheet);
  add_headline(sheet);
  add_risks(sheet);
  add_offers(catalog, spec, sheet);
  add_fastest_stacks(catalog, spec, jobs, sheet);
  const std::vector<const Row*> picked = rent_pick_rows(sheet);
  sheet.series.resize(picked.size());
  for_each_index(picked.size(), jobs, [&](std::size_t i) {
    sheet.series[i] = sequence_series(catalog, spec, cell_of(spec, *picked[i]), *picked[i]);
  });
  add_length_picks(catalog, spec, jobs, sheet);
  add_what_if(catalog, spec, jobs, sheet);
  add_zero_stages(catalog, spec, jobs, sheet);
  add_adapter_ranks(catalog, spec, jobs, sheet);
  if (!catalog.measured.empty()) sheet.accuracy = validate(catalog, jobs).accuracy;
  add_guides(catalog, sheet);
  add_frameworks(catalog, sheet);
  add_advice(catalog, spec, jobs, sheet);
  add_worksheets(catalog, spec, jobs, sheet);
  return sheet;
}

}  // namespace

Sheet build_sheet(const Catalog& catalog, const SheetSpec& spec, const EditionLabels& labels,
                  int jobs, const Progress& progress) {
  Sheet sheet;
  std::optional<SheetPlan> plan;
  // The solver keeps to one thread, and takes about as long as everything else together.
  for_each_index(2, jobs, [&](std::size_t i) {
    if (i == 0) {
      sheet = sheet_without_plan(catalog, spec, labels, spec.plan ? jobs - 1 : jobs, progress);
    } else {
      plan = plan_of(catalog, spec, 1);
    }
  });
  sheet.plan = std::move(plan);
  decide_by_plan(sheet);
  return sheet;
}

void sweep(const Catalog& catalog, const SheetSpec& spec, int jobs, const RowSink& sink,
           const Progress& progress) {
  const std::vector<Cell> cells = cells_of(spec);
  const SheetPrices prices(catalog, spec);
  for (std::size_t from = 0; from < cells.size(); from += kBatch) {
    const std::size_t count = std::min(kBatch, cells.size() - from);
    std::vector<Row> rows(count);
    for_each_index(count, jobs, [&](std::size_t i) {
      rows[i] = sized_and_priced(catalog, spec, prices, cells[from + i]);
    });
    for (Row& row : rows) sink(std::move(row));
    progress(from + count, cells.size());
  }
}

Grid::Grid(const Catalog& catalog, GridAxes axes)
    : catalog_(catalog),
      rules_(std::move(axes.rules)),
      methods_(std::move(axes.methods)),
      gpus_(std::move(axes.gpus)),
      on_demand_(catalog.prices, policy_of(rules_, "on_demand"), catalog.price_age),
      offers_(catalog, on_demand_, gpus_, rules_.max_gpus, rules_.pick_rules) {
  for (const std::string& id : axes.models) models_.push_back({id, "", ""});
  for (const std::int64_t seq_len : axes.seq_lens) {
    SpecScenario scenario = rules_.scenarios.at(0);
    scenario.id = std::to_string(seq_len);
    scenario.request["workload"]["seq_len"] = seq_len;
    lengths_.push_back(std::move(scenario));
  }
}

std::int64_t Grid::cells() const {
  return size_of(models_) * size_of(methods_) * size_of(gpus_) * size_of(lengths_);
}

Cell Grid::cell_at(std::int64_t cell) const {
  const std::size_t length = take(cell, size_of(lengths_));
  const std::size_t gpu = take(cell, size_of(gpus_));
  const std::size_t method = take(cell, size_of(methods_));
  const SpecModel& model = models_.at(static_cast<std::size_t>(cell));
  return {&model, methods_[method], gpus_[gpu], &lengths_[length]};
}

void Grid::add_rent(Row& row) const {
  if (!row.modelled || row.verdict == Verdict::kNo) return;
  try {
    row.rents[kOnDemand] = lowest_rent(catalog_, rules_, on_demand_, row);
  } catch (const std::overflow_error&) {
    throw InputError(row.key() +
                     ": the rent is too large to count in micro-dollars: prices or the sheet's "
                     "tokens are out of proportion");
  }
}

Row Grid::row(std::int64_t cell) const {
  Row found = bare_row(catalog_, rules_, offers_, cell_at(cell));
  add_rent(found);
  return found;
}

FixedRow Grid::fixed_row(std::int64_t cell) const {
  FixedRow found = sizesheet::fixed_row(catalog_, rules_, offers_, cell_at(cell));
  add_rent(found.row);
  return found;
}

GridRange Grid::part(std::int64_t number, std::int64_t of) const {
  const auto start = [&](std::int64_t before) {
    return static_cast<std::int64_t>(static_cast<__int128>(cells()) * before / of);
  };
  return {start(number - 1), start(number)};
}

void for_each_cell(const Grid& grid, GridRange range, int jobs, const GridLine& line,
                   const GridSink& sink) {
  for (std::int64_t from = range.from; from < range.to; from += kCellsAtOnce) {
    const std::int64_t count = std::min(kCellsAtOnce, range.to - from);
    std::vector<std::string> lines(static_cast<std::size_t>(count));
    for_each_index(lines.size(), jobs, [&](std::size_t i) {
      lines[i] = line(grid.row(from + static_cast<std::int64_t>(i)));
    });
    std::string text;
    for (const std::string& one : lines) text += one;
    if (!sink(text, from + count - range.from)) return;
  }
}

Json inputs_of(const Catalog& catalog, const SheetSpec& spec) {
  Json inputs = Json::object();
  put_sized(catalog, spec, inputs);
  put_prices(catalog, spec, inputs);
  put_ages(catalog, spec, inputs);
  put_services(catalog, inputs);
  put_purchase(catalog, spec, inputs);
  put_project(catalog, spec, inputs);
  put_exchange(catalog, spec, inputs);
  inputs["sheet"] = spec.raw.is_object() ? spec.raw : Json::object();
  inputs["sheet"]["as_of"] = spec.as_of;
  return inputs;
}

}  // namespace sizesheet
