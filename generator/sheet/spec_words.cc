// SPDX-License-Identifier: Apache-2.0
#include "sheet/spec_words.h"

#include <cstdlib>

#include "catalog/catalog.h"
#include "catalog/files/entry.h"
#include "catalog/files/loader.h"
#include "catalog/prices/price.h"
#include "sheet/logo.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "sizing/time/throughput.h"
#include "support/error.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Labels of the forms, and the names of what the sheet sizes.
std::vector<std::string> known_labels(const SheetSpec& spec, const Catalog& catalog) {
  const Json english =
      parse_json(embedded_catalog().at(kEnglishLabels), std::string("builtin/") + kEnglishLabels);
  std::vector<std::string> known;
  for (const auto& [label, unused] : english.items()) known.push_back(label);
  for (const std::string& id : spec.methods) {
    const auto method = catalog.methods.find(id);
    if (method == catalog.methods.end()) continue;  // and told already
    known.insert(known.end(), {method->second.title, method->second.short_title});
  }
  for (const SpecScenario& scenario : spec.scenarios) known.push_back(scenario.title);
  return known;
}

}  // namespace

std::optional<ShownCurrency> read_currency(ObjectReader& reader) {
  if (!reader.raw("currency").is_object()) {
    if (reader.text("currency") != "USD" && reader.sound("currency")) {
      reader.mismatch("currency", "USD, or an object of code, symbol, usd_per_unit, as_of, source");
    }
    return std::nullopt;
  }
  ObjectReader rate = reader.object("currency");
  ShownCurrency shown;
  shown.symbol = read_filled_text(rate, "symbol");
  constexpr std::size_t kMostLetters = 4;
  if (rate.sound("symbol") &&
      (width_of(shown.symbol) > kMostLetters || !is_currency_sign(shown.symbol))) {
    rate.mismatch("symbol", "a sign of one to four letters, as \"€\" or \"CHF\"");
  }
  static_cast<ExchangeRate&>(shown) = read_rate_of_exchange(rate, "code", "as_of");
  return shown;
}

namespace {

/// Days from the rate's day to the sheet's; below 0 where the rate is of a later day.
std::optional<std::int64_t> age_of_rate(const SheetSpec& spec) {
  if (!spec.exchange) return std::nullopt;
  const auto seen = day_number(spec.exchange->date);
  const auto today = day_number(spec.as_of);
  if (!seen || !today) return std::nullopt;
  return *today - *seen;
}

}  // namespace

void check_rate_day(const SheetSpec& spec, const std::string& file, Faults& faults) {
  constexpr std::int64_t kMostDays = 366;
  const auto age = age_of_rate(spec);
  if (!age || std::abs(*age) <= kMostDays) return;
  faults.add(file, "/currency/as_of",
             "expected a day within a year of the sheet's day, " + spec.as_of + ", got " +
                 in_quotes(spec.exchange->date));
}

std::string rate_warning(const SheetSpec& spec, const Catalog& catalog) {
  const auto age = age_of_rate(spec);
  if (!age) return "";
  const std::string rate =
      "the rate of " + spec.exchange->currency + " is of " + spec.exchange->date + ", ";
  if (*age < 0) return rate + "after the day of the sheet, " + spec.as_of;
  constexpr std::int64_t kUsualAge = 31;  // in a catalog without rates of its own
  const std::int64_t own = catalog.exchange.max_age_days;
  const std::int64_t most = own > 0 ? own : kUsualAge;
  if (*age <= most) return "";
  return rate + format_integer(*age) + " days before the day of the sheet; a rate for a price is " +
         "at most " + format_integer(most) + " days old";
}

SheetLabels read_labels(const std::filesystem::path& file, const SheetSpec& spec,
                        const Catalog& catalog, Faults& faults) {
  const std::string name = shown_path(file);
  const Json json = parse_entry(read_catalog_file(file), name, faults, Comments::kSkipped);
  SheetLabels labels;
  if (!json.is_object()) {
    faults.add(name, "", "expected an object of labels, got " + shown(json));
    return labels;
  }
  ObjectReader reader(json, name, "", faults);
  const std::vector<std::string> known = known_labels(spec, catalog);
  for (const std::string& label : reader.keys()) {
    labels.texts[label] = read_filled_text(reader, label);
    if (contains(known, label)) continue;
    reader.fault(label, "expected a label that `sizesheet list labels` prints, got " +
                            in_quotes(label) + did_you_mean(label, known));
  }
  return labels;
}

void read_named_files(const Json& json, const std::filesystem::path& file, const Catalog& catalog,
                      SheetSpec& spec, Faults& faults) {
  const auto take = [&](const char* key, const auto& read) {
    const Json::json_pointer pointer(key);
    if (!json.contains(pointer) || !json.at(pointer).is_string()) return;
    try {
      read(json.at(pointer).get<std::string>());
    } catch (const InputError& error) {
      faults.add(shown_path(file), key, error.what());
    }
  };
  take("/handout/logo",
       [&](const std::string& named) { spec.logo = read_logo(file_beside(file, named)); });
  take("/labels", [&](const std::string& named) {
    const bool built_in = starts_with(named, std::string(kBuiltInCatalog) + "/");
    spec.labels = read_labels(built_in ? std::filesystem::path(named) : file_beside(file, named),
                              spec, catalog, faults);
  });
}

}  // namespace sizesheet
