// SPDX-License-Identifier: Apache-2.0
#include "render/html/model_offers.h"

#include <algorithm>

#include "render/html/cells.h"
#include "render/phrases.h"
#include "support/text.h"

namespace sizesheet {

namespace {

const RowOffers* offers_of(const Sheet& sheet, const Row& row) {
  const auto found = std::find_if(sheet.offers.begin(), sheet.offers.end(),
                                  [&](const RowOffers& all) { return all.row_key == row.key(); });
  return found == sheet.offers.end() || found->offers.empty() ? nullptr : &*found;
}

Json offer_row(const RentOffer& offer) {
  Json line = {{"offer_provider", offer.provider},
               {"offer_region", offer.region},
               {"offer_tier", tier_words(offer.tier)},
               {"offer_kind", offer.offer},
               {"offer_seen", offer.as_of},
               {"offer_href", "prices.html#" + price_id(offer.price_key)},
               {"offer_instances", format_integer(offer.instances)},
               {"offer_unused", format_integer(offer.unused_gpus)}};
  put_usd(line, "offer_hour", offer.usd_per_hour, hourly_usd);
  put_usd(line, "offer_run", offer.usd_per_run, run_usd);
  put_usd(line, "offer_month", offer.usd_per_month, whole_usd);
  return line;
}

Json offer_table(const Sheet& sheet, const Row& row, const RowOffers& all) {
  Json rows = Json::array();
  for (const RentOffer& offer : all.offers) rows.push_back(offer_row(offer));
  return {{"offers_method", sheet.method(row.method).short_title},
          {"offers_setup", set_up(sheet, row)},
          {"offers_count", format_integer(static_cast<std::int64_t>(all.offers.size()))},
          {"offer_rows", rows}};
}

/// GiB with two decimals below ten, whole above; an absent part of a run has no file.
std::string size_or_absent(std::int64_t bytes) {
  constexpr double kTen = 9.995;
  return bytes > 0 ? format_gib(bytes, gib(bytes) < kTen ? 2 : 0) : std::string(kAbsent);
}

Json file_row(const Sheet& sheet, const Row& row, const RunFiles& files) {
  return {{"file_method", sheet.method(row.method).short_title},
          {"file_setup", set_up(sheet, row)},
          {"file_adapter", size_or_absent(files.adapter)},
          {"file_checkpoint", size_or_absent(files.checkpoint)},
          {"file_host", size_or_absent(files.host_memory)},
          {"file_disk", size_or_absent(files.disk)}};
}

}  // namespace

void put_offers(Json& values, const Sheet& sheet, const std::string& model) {
  Json tables = Json::array();
  Json files = Json::array();
  Json hours = Json::array();
  for (const SheetMethod& method : sheet.methods) {
    const Row* row = shown_row(sheet, model, method.id);
    if (row == nullptr) continue;
    if (const RowOffers* all = offers_of(sheet, *row)) {
      tables.push_back(offer_table(sheet, *row, *all));
    }
    if (row->files) files.push_back(file_row(sheet, *row, *row->files));
    const Pick* pick = sheet.pick(model, method.id);
    if (pick != nullptr && !pick->hourly_why.empty()) {
      hours.push_back({{"dearer_method", method.short_title}, {"dearer_words", pick->hourly_why}});
    }
  }
  values["first_offers"] = Json::array();
  values["rest_offers"] = Json::array();
  for (std::size_t i = 0; i < tables.size(); ++i) {
    values[i == 0 ? "first_offers" : "rest_offers"].push_back(tables[i]);
  }
  values["has_offers"] = !tables.empty();
  values["file_rows"] = files;
  values["has_files"] = !files.empty();
  values["dearer_hours"] = hours;
}

}  // namespace sizesheet
