// SPDX-License-Identifier: Apache-2.0
// The fields of the money of a Sheet, for the JSON writer and reader alike.
#pragma once

#include <type_traits>

#include "sheet/money.h"

namespace sizesheet {

template <typename V, typename T>
void fields(V& v, T& item) requires std::is_same_v<std::remove_const_t<T>, FormulaStep> {
  v("name", item.name);
  v("formula", item.formula);
  v("value", item.value);
}

template <typename V, typename T>
void fields(V& v, T& rules) requires std::is_same_v<std::remove_const_t<T>, PriceRules> {
  v("jurisdictions", rules.jurisdictions);
  v("tenancies", rules.tenancies);
  v("locations", rules.locations);
  v("providers", rules.providers);
  v("exclude_providers", rules.exclude_providers);
  v("regions", rules.regions);
  v("block_max_age_days", rules.block_max_age_days);
  v("warn_age_days", rules.warn_age_days);
  v("spot_interruption_share", rules.spot_interruption_share);
  v("spot_interruption_basis", rules.spot_interruption_basis);
  v("spot_interruption_source", rules.spot_interruption_source);
  v("stale", rules.stale);
  v("warnings", rules.warnings);
}

template <typename V, typename T>
void fields(V& v, T& term) requires std::is_same_v<std::remove_const_t<T>, CostLine> {
  v("name", term.name);
  v("title", term.title);
  v("usd", term.usd);
  v("unit", term.unit);
  v("formula", term.formula.text);
  v("inputs", term.formula.inputs);
  v("steps", term.formula.steps);
  v("source", term.source);
}

template <typename V, typename T>
void fields(V& v, T& term) requires std::is_same_v<std::remove_const_t<T>, QuantityLine> {
  v("name", term.name);
  v("title", term.title);
  v("value", term.value);
  v("unit", term.unit);
  v("formula", term.formula.text);
  v("inputs", term.formula.inputs);
  v("steps", term.formula.steps);
  v("source", term.source);
}

template <typename V, typename T>
void fields(V& v, T& line) requires std::is_same_v<std::remove_const_t<T>, RentLine> {
  v("price_key", line.price_key);
  v("tier", line.tier);
  v("instances", line.instances);
  v("gpus_paid", line.gpus_paid);
  v("usd_per_hour", line.usd_per_hour);
  v("usd_per_run", line.usd_per_run);
  v("usd_per_run_interrupted", line.usd_per_run_interrupted);
  v("usd_per_month", line.usd_per_month);
  v("break_even_use", line.break_even_use);
  v("usd_per_3_days", line.usd_per_3_days);
  v("usd_per_weekend", line.usd_per_weekend);
  v("usd_per_full_month", line.usd_per_full_month);
}

template <typename V, typename T>
void fields(V& v, T& offer) requires std::is_same_v<std::remove_const_t<T>, RentOffer> {
  v("price_key", offer.price_key);
  v("provider", offer.provider);
  v("region", offer.region);
  v("tier", offer.tier);
  v("offer", offer.offer);
  v("as_of", offer.as_of);
  v("instances", offer.instances);
  v("unused_gpus", offer.unused_gpus);
  v("usd_per_hour", offer.usd_per_hour);
  v("usd_per_run", offer.usd_per_run);
  v("usd_per_month", offer.usd_per_month);
}

template <typename V, typename T>
void fields(V& v, T& row) requires std::is_same_v<std::remove_const_t<T>, RowOffers> {
  v("row_key", row.row_key);
  v("offers", row.offers);
}

template <typename V, typename T>
void fields(V& v, T& spread) requires std::is_same_v<std::remove_const_t<T>, PriceSpread> {
  v("low_usd_per_gpu_hour", spread.low);
  v("median_usd_per_gpu_hour", spread.median);
  v("high_usd_per_gpu_hour", spread.high);
  v("providers", spread.providers);
}

template <typename V, typename T>
void fields(V& v, T& own) requires std::is_same_v<std::remove_const_t<T>, OwnLine> {
  v("node", own.node);
  v("node_title", own.node_title);
  v("nodes", own.nodes);
  v("gpus_bought", own.gpus_bought);
  v("unused_gpus", own.unused_gpus);
  v("unused_usd_per_month", own.unused_usd_per_month);
  v("capex_usd", own.capex_usd);
  v("parts_usd_per_month", own.parts_usd_per_month);
  v("own_usd_per_month", own.own_usd_per_month);
  v("own_usd_per_gpu_hour", own.own_usd_per_gpu_hour);
  v("own_usd_per_run", own.own_usd_per_run);
  v("fixed_usd_per_month", own.fixed_usd_per_month);
  v("full_use_usd_per_month", own.full_use_usd_per_month);
  v("break_even_utilisation", own.break_even_utilisation);
  v("break_even_hours_per_month", own.break_even_hours_per_month);
  v("break_even_runs_per_month", own.break_even_runs_per_month);
  v("payback_month", own.payback_month);
  v("payback_month_cash", own.payback_month_cash);
  v("savings_usd_over_life", own.savings_usd_over_life);
  v("npv_usd", own.npv_usd);
  v("advice", own.advice);
  v("close", own.close);
}

template <typename V, typename T>
void fields(V& v, T& files) requires std::is_same_v<std::remove_const_t<T>, RunFiles> {
  v("adapter_bytes", files.adapter);
  v("checkpoint_bytes", files.checkpoint);
  v("host_memory_bytes", files.host_memory);
  v("disk_bytes", files.disk);
}

template <typename V, typename T>
void fields(V& v, T& pick) requires std::is_same_v<std::remove_const_t<T>, Pick> {
  v("model", pick.model);
  v("method", pick.method);
  v("scenario", pick.scenario);
  v("rent_pick", pick.rent_key);
  v("rent_why", pick.rent_why);
  v("hourly_pick", pick.hourly_key);
  v("hourly_why", pick.hourly_why);
  v("buy_pick", pick.buy_key);
  v("buy_why", pick.buy_why);
}

template <typename V, typename T>
void fields(V& v, T& choice) requires std::is_same_v<std::remove_const_t<T>, BuyOrRent> {
  v("model", choice.model);
  v("method", choice.method);
  v("buy_key", choice.buy_key);
  v("rent_key", choice.rent_key);
  v("own_usd_per_run", choice.own_usd_per_run);
  v("rent_usd_per_run", choice.rent_usd_per_run);
  v("break_even_runs_per_month", choice.break_even_runs_per_month);
  v("break_even_hours_per_month", choice.break_even_hours_per_month);
  v("advice", choice.advice);
  v("close", choice.close);
  v("quantity_terms", choice.quantity_terms);
}

template <typename V, typename T>
void fields(V& v, T& month) requires std::is_same_v<std::remove_const_t<T>, MonthOfUse> {
  v("hours_per_month", month.hours);
  v("rent_usd_per_month", month.rent_usd_per_month);
  v("own_usd_per_month", month.own_usd_per_month);
  v("advice", month.advice);
  v("close", month.close);
}

template <typename V, typename T>
void fields(V& v, T& use) requires std::is_same_v<std::remove_const_t<T>, UseOfRow> {
  v("row_key", use.row_key);
  v("months", use.months);
}

template <typename V, typename T>
void fields(V& v, T& bar) requires std::is_same_v<std::remove_const_t<T>, Sensitivity> {
  v("input", bar.input);
  v("title", bar.title);
  v("unit", bar.unit);
  v("low", bar.low);
  v("typical", bar.typical);
  v("high", bar.high);
  v("basis", bar.basis);
  v("source", bar.source);
  v("own_usd_per_gpu_hour_low", bar.own_usd_per_gpu_hour_low);
  v("own_usd_per_gpu_hour_high", bar.own_usd_per_gpu_hour_high);
  v("break_even_hours_low", bar.break_even_hours_low);
  v("break_even_hours_high", bar.break_even_hours_high);
}

template <typename V, typename T>
void fields(V& v, T& tornado) requires std::is_same_v<std::remove_const_t<T>, Tornado> {
  v("row_key", tornado.row_key);
  v("own_usd_per_gpu_hour", tornado.own_usd_per_gpu_hour);
  v("break_even_hours_per_month", tornado.break_even_hours_per_month);
  v("bars", tornado.bars);
}

template <typename V, typename T>
void fields(V& v, T& item) requires std::is_same_v<std::remove_const_t<T>, OwnershipAssumption> {
  v("id", item.id);
  v("role", item.role);
  v("unit", item.unit);
  v("value", item.value);
  v("low", item.low);
  v("high", item.high);
  v("basis", item.basis);
  v("source", item.source);
  v("date", item.date);
}

template <typename V, typename T>
void fields(V& v, T& ownership) requires std::is_same_v<std::remove_const_t<T>, SheetOwnership> {
  v("assumptions", ownership.assumptions);
  v("tornadoes", ownership.tornadoes);
  v("buy_or_rent", ownership.buy_or_rent);
  v("uses", ownership.uses);
}

}  // namespace sizesheet
