// SPDX-License-Identifier: Apache-2.0
#include "sheet/diff/moved_services.h"

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "catalog/catalog.h"
#include "catalog/prices/service.h"
#include "cost/service_cost.h"
#include "sheet/changes.h"
#include "sheet/diff/inputs.h"
#include "sheet/spec.h"
#include "support/json.h"
#include "support/money.h"
#include "support/object_text.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// The rows of one offer in one edition.
struct ServiceRows {
  const Service* current = nullptr;  ///< newest in force
  const Service* newest = nullptr;   ///< newest of all

  const Service* row() const { return current != nullptr ? current : newest; }
};

struct ServiceSides {
  ServiceRows before;
  ServiceRows after;

  const Service& any() const { return *(after.row() != nullptr ? after.row() : before.row()); }
};

bool is_newer(const Service& one, const Service* other) {
  return other == nullptr || day_number(one.as_of) > day_number(other->as_of);
}

std::map<std::string, ServiceRows> services_of(const EditionInputs& inputs) {
  std::map<std::string, ServiceRows> offers;
  for (const Service& service : inputs.catalog.services) {
    ServiceRows& rows = offers[service.offer_key()];
    const bool counts = in_force(service, inputs.spec.as_of, inputs.spec.price_max_age_days);
    if (counts && is_newer(service, rows.current)) rows.current = &service;
    if (is_newer(service, rows.newest)) rows.newest = &service;
  }
  return offers;
}

/// "Together LoRA 0-16B".
std::string service_name(const Service& service) {
  const std::string of =
      service.total_params_b ? service.total_params_b->words() : join(service.models, ", ");
  return service.title + " " + service_method(service.method).title + " " + of;
}

/// One and the same row, in force on the day of one edition only.
bool by_the_day(const ServiceSides& sides) {
  const Service* from = sides.before.newest;
  const Service* to = sides.after.newest;
  return from != nullptr && to != nullptr && service_row(*from) == service_row(*to);
}

std::string rate_or_why_not(const ServiceRows& rows) {
  if (rows.current == nullptr) return json_text(Json("not in force on the day of the sheet"));
  return json_text(Json(to_usd(rows.current->usd_per_million_tokens)));
}

std::string minimum_or_none(const std::optional<MicroUsd>& amount) {
  return amount ? json_text(Json(to_usd(*amount))) : json_text(Json("none stated"));
}

/// What moved of an offer, but for its figures.
TracedInput traced_service(const std::string& key, const ServiceSides& sides) {
  const Service* from = sides.before.row();
  const Service* to = sides.after.row();
  TracedInput input;
  input.bears = Affects::kService;
  input.id = key;
  MovedInput& moved = input.moved;
  const bool one_current = (sides.before.current == nullptr) != (sides.after.current == nullptr);
  moved.group = one_current && by_the_day(sides) ? kAgeGroup : kServiceGroup;
  moved.what = service_name(sides.any());
  moved.how = from == nullptr ? "added" : to == nullptr ? "removed" : "changed";
  moved.source = sides.any().source;
  if (from != nullptr) moved.old_as_of = from->as_of;
  if (to != nullptr) moved.new_as_of = to->as_of;
  return input;
}

void add_service_move(TracedInput input, const char* field, const char* unit, std::string old_value,
                      std::string new_value, std::vector<TracedInput>& all) {
  MovedInput& moved = input.moved;
  moved.field = field;
  moved.unit = unit;
  moved.old_value = std::move(old_value);
  moved.new_value = std::move(new_value);
  moved.id = moved.group + ":" + input.id + moved.field;
  all.push_back(std::move(input));
}

void add_service_moves(const std::string& key, const ServiceSides& sides,
                       std::vector<TracedInput>& all) {
  const Service* from = sides.before.current;
  const Service* to = sides.after.current;
  if (from == nullptr && to == nullptr) return;
  const char* rate_unit = "$/M tokens";
  const TracedInput input = traced_service(key, sides);
  if (from == nullptr || to == nullptr) {
    const bool changed = input.moved.how == "changed";
    add_service_move(input, changed ? "/counts" : "", rate_unit,
                     sides.before.row() != nullptr ? rate_or_why_not(sides.before) : "",
                     sides.after.row() != nullptr ? rate_or_why_not(sides.after) : "", all);
    return;
  }
  const std::size_t told = all.size();
  if (from->usd_per_million_tokens != to->usd_per_million_tokens) {
    add_service_move(input, "/usd_per_million_tokens", rate_unit, rate_or_why_not(sides.before),
                     rate_or_why_not(sides.after), all);
  }
  if (from->minimum_usd != to->minimum_usd) {
    add_service_move(input, "/minimum_usd", "$", minimum_or_none(from->minimum_usd),
                     minimum_or_none(to->minimum_usd), all);
  }
  if (told == all.size() && from->as_of != to->as_of) {
    add_service_move(input, "/as_of", "", json_text(Json(from->as_of)), json_text(Json(to->as_of)),
                     all);
  }
}

}  // namespace

std::vector<TracedInput> moved_services(const EditionInputs& old_inputs,
                                        const EditionInputs& new_inputs) {
  std::map<std::string, ServiceSides> both;
  for (const auto& [key, rows] : services_of(old_inputs)) both[key].before = rows;
  for (const auto& [key, rows] : services_of(new_inputs)) both[key].after = rows;
  std::vector<TracedInput> moved;
  for (const auto& [key, sides] : both) add_service_moves(key, sides, moved);
  return moved;
}

}  // namespace sizesheet
