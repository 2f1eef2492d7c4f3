// SPDX-License-Identifier: Apache-2.0
#include "sheet/rows/spot_row.h"

#include <algorithm>

#include "catalog/catalog.h"
#include "catalog/facts/gpu.h"
#include "catalog/prices/price.h"
#include "sheet/money.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "sheet/spec_spot.h"
#include "sheet/spot.h"
#include "support/json.h"
#include "support/text.h"
#include "support/whole_numbers.h"

namespace sizesheet {
namespace {

double hours_of_workload(const SpecScenario& scenario, const char* key) {
  const Json& hours = at_dotted(scenario.request, std::string("workload.") + key);
  return hours.is_number() ? hours.get<double>() : 0;
}

}  // namespace

double restart_hours(const SheetSpec& spec, const std::string& scenario, const Gpu& gpu,
                     std::int64_t gpus) {
  const auto* asked = entry_with(spec.scenarios, &SpecScenario::id, scenario);
  if (asked == nullptr) return 0;
  const std::int64_t nodes = (gpus + gpu.gpus_per_node - 1) / gpu.gpus_per_node;
  return hours_of_workload(*asked, "startup_hours") +
         hours_of_workload(*asked, "startup_hours_per_node") * as_double(nodes - 1);
}

std::optional<SpotTerms> spot_terms(const Catalog& catalog, const SheetSpec& spec,
                                    const RentQuote& quote, double hours, double restart_hours) {
  const auto rate = spot_rate_of(catalog, spec.price_rules, *quote.price);
  if (!rate) return std::nullopt;
  return SpotTerms{hours, rate->per_hour, quote.instances,
                   spec.price_rules.spot_rule->checkpoint_hours, restart_hours};
}

void add_spot_run(const Catalog& catalog, const SheetSpec& spec, const RentQuote& quote, Row& row,
                  RentLine& line) {
  if (!row.hours_mid) return;
  const auto rate = spot_rate_of(catalog, spec.price_rules, *quote.price);
  const double restart = restart_hours(spec, row.scenario, catalog.gpu(row.gpu), row.layout.gpus);
  const auto terms = spot_terms(catalog, spec, quote, *row.hours_mid, restart);
  if (!rate || !terms) return;
  SpotLine spot;
  spot.rate = rate->id;
  spot.interruptions_per_hour = rate->per_hour;
  spot.checkpoint_hours = terms->checkpoint_hours;
  spot.restart_hours = restart;
  spot.hours_lost_each = std::min(terms->checkpoint_hours, terms->hours) / 2 + restart;
  if (const auto run = spot_run(*terms)) {
    const HoursTenThousandths paid = round_hours(run->hours);
    spot.hours = to_hours(paid);
    spot.interruptions = run->interruptions;
    spot.hours_lost_each = run->hours_lost_each;
    line.usd_per_run_interrupted = run_cost(quote.usd_per_hour, paid);
    row.quantity_terms.push_back(*explain_spot_hours(*terms, rate->source));
    row.cost_terms.push_back(explain_spot_cost(quote.usd_per_hour, paid, quote.price->source));
    row.cost_terms.back().name = std::string(kSpot.name) + "_" + row.cost_terms.back().name;
  }
  line.spot = spot;
}

}  // namespace sizesheet
