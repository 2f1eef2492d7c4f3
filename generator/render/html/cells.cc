// SPDX-License-Identifier: Apache-2.0
#include "render/html/cells.h"

#include "render/phrases.h"
#include "support/text.h"

namespace sizesheet {

void put(Json& row, const std::string& name, const std::string& text, double raw) {
  row[name] = text;
  row[name + "_v"] = shortest(raw);
}

void put_absent(Json& row, const std::string& name) {
  row[name] = std::string(kAbsent);
  row[name + "_v"] = "";
}

void put_usd(Json& row, const std::string& name, const std::optional<MicroUsd>& usd,
             UsdFormat format) {
  if (usd) {
    put(row, name, format(*usd), to_usd(*usd));
  } else {
    put_absent(row, name);
  }
}

void put_rent(Json& values, const std::string& name, const Row& row,
              const std::optional<RentLine>& line, std::optional<MicroUsd> RentLine::*amount,
              UsdFormat format) {
  const std::optional<MicroUsd> usd = line ? (*line).*amount : std::nullopt;
  put_usd(values, name, usd, format);
  if (usd) values[name] = format(*usd) + for_gpus_paid(row, *line);
}

std::string verdict_class(const Row& row) { return row.modelled ? row.verdict : "refused"; }

std::string verdict_words(const Row& row) {
  if (!row.modelled) return "not modelled";
  return verdict_words(row.verdict, row.memory.device, row.memory.capacity);
}

std::string verdict_words(const CountCheck& check, std::int64_t capacity) {
  return verdict_words(check.verdict, check.device, capacity);
}

void put_advice(Json& values, const std::string& name, const Row& row) {
  std::string word(kAbsent);
  if (row.own && row.own->advice) word = row.own->close ? "close" : *row.own->advice;
  values[name] = word;
  values[name + "_class"] = word == kAbsent ? "absent" : word;
}

void put_break_even(Json& values, const std::string& name, const Row& row) {
  put_absent(values, name);
  values[name + "_class"] = "absent";
  if (!row.own || !row.own->advice) return;
  if (row.own->break_even_hours_per_month) {
    const double hours = *row.own->break_even_hours_per_month;
    put(values, name, month_hours(hours), hours);
    values[name + "_class"] = "known";
  } else {
    values[name] = "never";
    values[name + "_class"] = "never";
  }
}

void put_money(Json& values, const Row& row) {
  std::optional<MicroUsd> hourly, capex, own_month, own_gpu_hour, own_run;
  if (row.rents[kOnDemand]) hourly = row.rents[kOnDemand]->usd_per_hour;
  if (row.own) {
    capex = row.own->capex_usd;
    own_month = row.own->own_usd_per_month;
    own_gpu_hour = row.own->own_usd_per_gpu_hour;
    own_run = row.own->own_usd_per_run;
  }
  put_usd(values, "hourly", hourly, hourly_usd);
  put_rent(values, "run", row, row.rents[kOnDemand], &RentLine::usd_per_run, run_usd);
  put_rent(values, "spot_run", row, row.rents[kSpot], &RentLine::usd_per_run, run_usd);
  put_rent(values, "reserved_month", row, row.rents[kReserved1y], &RentLine::usd_per_month,
           whole_usd);
  put_usd(values, "capex", capex, whole_usd);
  put_usd(values, "own_month", own_month, whole_usd);
  put_usd(values, "own_gpu_hour", own_gpu_hour, hourly_usd);
  put_usd(values, "own_run", own_run, run_usd);
  if (row.hours_mid) {
    put(values, "hours", run_hours(row), *row.hours_mid);
  } else {
    put_absent(values, "hours");
  }
  put_break_even(values, "break_even", row);
  put_advice(values, "advice", row);
}

std::string fragment(const std::string& prefix, const std::string& key) {
  std::string id = prefix;
  for (const char c : key) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    id += plain ? c : '-';
  }
  return id;
}

std::string price_id(const std::string& key) { return fragment("price-", key); }

std::string proof_id(const Sheet& sheet, const Row& row) {
  std::string id = "bill-" + row.method + "-" + row.gpu;
  if (row.scenario != sheet.scenarios.front().id) id += "-" + row.scenario;
  return id;
}

std::string proof_href(const Sheet& sheet, const Row& row) {
  return "models/" + row.model + ".html#" + proof_id(sheet, row);
}

}  // namespace sizesheet
