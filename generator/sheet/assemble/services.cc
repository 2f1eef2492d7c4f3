// SPDX-License-Identifier: Apache-2.0
#include "sheet/assemble/services.h"

#include <algorithm>

#include "catalog/catalog.h"
#include "catalog/facts/method.h"
#include "catalog/prices/service.h"
#include "cost/service_cost.h"
#include "sheet/services.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"

namespace sizesheet {
namespace {

SheetService sheet_service(const ServiceQuote& quote, const ServiceQuestion& asked) {
  const Service& service = *quote.service;
  SheetService offer;
  offer.model = asked.model;
  offer.method = asked.method->id;
  offer.provider = service.provider;
  offer.title = service.title;
  offer.trains = service_method(service.method).title;
  offer.by_name = quote.by_name;
  offer.tokens = asked.tokens;
  offer.usd_per_run = quote.usd;
  offer.usd_per_million_tokens = service.usd_per_million_tokens;
  offer.minimum_usd = service.minimum_usd;
  offer.minimum_applies = quote.minimum_applies;
  offer.billed = service.billed;
  offer.weights = service.weights;
  offer.basis = service.basis;
  offer.as_of = service.as_of;
  offer.source = service.source;
  offer.note = service.note;
  offer.key = service.key();
  return offer;
}

}  // namespace

void add_services(const Catalog& catalog, const SheetSpec& spec, std::vector<Row>& rows,
                  Sheet& sheet) {
  const auto is_main = [&](const Row& row) { return sheet.is_main(row); };
  const auto first = std::ranges::find_if(rows, is_main);
  if (first == rows.end() || catalog.services.empty()) return;
  const Method& method = catalog.method(first->method);
  const ServiceQuestion asked{first->model,
                              sheet.model(first->model).parameters,
                              &method,
                              spec.as_of,
                              spec.price_max_age_days,
                              tokens_of(spec, method)};
  const std::vector<ServiceQuote> quotes = service_quotes(catalog.services, asked);
  if (quotes.empty()) return;
  for (const ServiceQuote& quote : quotes) sheet.services.push_back(sheet_service(quote, asked));
  const SheetService& cheapest = sheet.services[sheet.services.size() - quotes.size()];
  for (Row& row : rows) {
    if (!is_main(row)) continue;
    row.service = RowService{cheapest.provider, cheapest.key, cheapest.usd_per_run};
  }
}

}  // namespace sizesheet
