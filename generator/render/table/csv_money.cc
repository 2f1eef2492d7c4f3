// SPDX-License-Identifier: Apache-2.0
#include "render/table/csv_money.h"

namespace sizesheet {
namespace {

using Rented = std::optional<RentLine> Row::*;

template <Rented tier>
std::string per_hour(const Row& row) {
  return row.*tier ? csv_usd((row.*tier)->usd_per_hour) : "";
}
template <Rented tier>
std::string per_run(const Row& row) {
  return row.*tier ? csv_usd((row.*tier)->usd_per_run) : "";
}
template <Rented tier>
std::string per_month(const Row& row) {
  return row.*tier ? csv_usd((row.*tier)->usd_per_month) : "";
}

template <Rented tier>
std::string gpus_paid(const Row& row) {
  return row.*tier ? std::to_string((row.*tier)->gpus_paid) : "";
}

std::string listed(const Row& row, MicroUsd RentLine::*amount) {
  return row.list ? csv_usd((*row.list).*amount) : "";
}

template <std::int64_t RunFiles::*size>
std::string file_bytes(const Row& row) {
  return row.files ? std::to_string((*row.files).*size) : "";
}

template <MicroUsd OwnLine::*amount>
std::string own_usd(const Row& row) {
  return row.own ? csv_usd((*row.own).*amount) : "";
}
template <std::optional<MicroUsd> OwnLine::*amount>
std::string known_own_usd(const Row& row) {
  return row.own ? csv_usd((*row.own).*amount) : "";
}
template <std::int64_t OwnLine::*count>
std::string own_count(const Row& row) {
  return row.own ? std::to_string((*row.own).*count) : "";
}
template <std::optional<double> OwnLine::*value>
std::string own_number(const Row& row) {
  return row.own ? csv_number((*row.own).*value) : "";
}
template <std::optional<std::int64_t> OwnLine::*month>
std::string own_month(const Row& row) {
  return row.own ? csv_count((*row.own).*month) : "";
}

}  // namespace

std::vector<CsvColumn<Row>> rent_columns() {
  return {
      {"tokens_per_second_per_gpu",
       [](const Row& row) { return csv_number(row.tokens_per_second_per_gpu); }},
      {"gpu_measured",
       [](const Row& row) {
         return std::string(!row.speed_measured ? "" : *row.speed_measured ? "true" : "false");
       }},
      {"hours_low", [](const Row& row) { return csv_number(row.hours_low); }},
      {"hours_mid", [](const Row& row) { return csv_number(row.hours_mid); }},
      {"hours_high", [](const Row& row) { return csv_number(row.hours_high); }},
      {"adapter_bytes", file_bytes<&RunFiles::adapter>},
      {"checkpoint_bytes", file_bytes<&RunFiles::checkpoint>},
      {"host_memory_bytes", file_bytes<&RunFiles::host_memory>},
      {"disk_bytes", file_bytes<&RunFiles::disk>},
      {"list_usd_per_hour", per_hour<&Row::list>},
      {"list_usd_per_run", per_run<&Row::list>},
      {"list_usd_per_3_days",
       [](const Row& row) { return listed(row, &RentLine::usd_per_3_days); }},
      {"list_usd_per_weekend",
       [](const Row& row) { return listed(row, &RentLine::usd_per_weekend); }},
      {"list_usd_per_month",
       [](const Row& row) { return listed(row, &RentLine::usd_per_full_month); }},
      {"spot_usd_per_hour", per_hour<&Row::spot>},
      {"spot_usd_per_run", per_run<&Row::spot>},
      {"spot_usd_per_run_interrupted",
       [](const Row& row) { return row.spot ? csv_usd(row.spot->usd_per_run_interrupted) : ""; }},
      {"reserved_1y_usd_per_hour", per_hour<&Row::reserved_1y>},
      {"reserved_1y_usd_per_month", per_month<&Row::reserved_1y>},
      {"reserved_3y_usd_per_hour", per_hour<&Row::reserved_3y>},
      {"reserved_3y_usd_per_month", per_month<&Row::reserved_3y>},
      {"capacity_block_usd_per_hour", per_hour<&Row::capacity_block>},
      {"capacity_block_usd_per_run", per_run<&Row::capacity_block>},
      {"price_key", [](const Row& row) { return row.list ? row.list->price_key : std::string(); }},
      {"list_gpus_paid", gpus_paid<&Row::list>},
      {"spot_gpus_paid", gpus_paid<&Row::spot>},
      {"reserved_1y_gpus_paid", gpus_paid<&Row::reserved_1y>},
      {"reserved_3y_gpus_paid", gpus_paid<&Row::reserved_3y>},
      {"capacity_block_gpus_paid", gpus_paid<&Row::capacity_block>},
  };
}

std::vector<CsvColumn<Row>> own_columns() {
  return {
      {"nodes_bought", own_count<&OwnLine::nodes>},
      {"unused_gpus", own_count<&OwnLine::unused_gpus>},
      {"unused_usd_per_month", own_usd<&OwnLine::unused_usd_per_month>},
      {"capex_usd", own_usd<&OwnLine::capex_usd>},
      {"own_usd_per_month", own_usd<&OwnLine::own_usd_per_month>},
      {"own_usd_per_gpu_hour", own_usd<&OwnLine::own_usd_per_gpu_hour>},
      {"own_usd_per_run", known_own_usd<&OwnLine::own_usd_per_run>},
      {"break_even_utilisation", own_number<&OwnLine::break_even_utilisation>},
      {"break_even_hours_per_month", own_number<&OwnLine::break_even_hours_per_month>},
      {"break_even_runs_per_month", own_number<&OwnLine::break_even_runs_per_month>},
      {"payback_month", own_month<&OwnLine::payback_month>},
      {"payback_month_cash", own_month<&OwnLine::payback_month_cash>},
      {"savings_usd_over_life", known_own_usd<&OwnLine::savings_usd_over_life>},
      {"npv_usd", known_own_usd<&OwnLine::npv_usd>},
      {"advice",
       [](const Row& row) { return row.own ? row.own->advice.value_or("") : std::string(); }},
      {"close",
       [](const Row& row) {
         return std::string(!row.own ? "" : row.own->close ? "true" : "false");
       }},
  };
}

}  // namespace sizesheet
