// SPDX-License-Identifier: Apache-2.0
// What is taken of a table of prices: our own, whose columns are the keys of a price row, and those
// of feeds.

#include "catalog/prices/price_import.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "catalog/loader.h"
#include "catalog/prices/price.h"
#include "support/text.h"

namespace sizesheet {
namespace {

using Kind = ImportNote::Kind;

struct Taken {
  std::int64_t line = 0;
  std::string zone;
  Price price;
};

class Importer {
 public:
  Importer(PriceImport import, const Catalog& catalog)
      : catalog_(catalog), result_(std::move(import)) {}

  PriceImport run() {
    std::map<std::string, std::vector<Taken>> by_key;
    for (const PriceCandidate& candidate : std::exchange(result_.rows, {})) {
      if (auto taken = checked(candidate)) {
        by_key[taken->price.key()].push_back(std::move(*taken));
      }
    }
    for (const auto& [key, rows] : by_key) settle(rows);
    std::ranges::sort(kept_,
                      [](const Taken& a, const Taken& b) { return a.price.key() < b.price.key(); });
    for (const Taken& taken : kept_) result_.prices.push_back(taken.price);
    warn();
    std::ranges::stable_sort(
        result_.notes, [](const ImportNote& a, const ImportNote& b) { return a.line < b.line; });
    return std::move(result_);
  }

 private:
  void note(std::int64_t line, Kind kind, const std::string& text) {
    result_.notes.push_back({line, kind, text});
  }

  std::optional<Taken> checked(const PriceCandidate& candidate) {
    Faults faults;
    ObjectReader reader(candidate.row, "", "", faults);
    Taken taken{candidate.line, candidate.zone,
                read_price(reader, result_.provider, catalog_.exchange)};
    check_texts(candidate.row, "", faults);
    if (reader.sound("gpu") && !catalog_.gpus.contains(taken.price.gpu)) {
      reader.fault("gpu", not_in_catalog("GPU", taken.price.gpu, keys_of(catalog_.gpus)));
    }
    if (faults.empty()) return taken;
    note(candidate.line, Kind::kRefuse, faults.request_text());
    return std::nullopt;
  }

  /// Rows of one key: one price, a price a zone, or a contradiction.
  void settle(const std::vector<Taken>& rows) {
    if (one_price(rows)) return keep_first(rows);
    std::map<std::string, std::vector<Taken>> by_zone;
    for (const Taken& row : rows) by_zone[row.zone].push_back(row);
    if (by_zone.contains("")) return refuse(rows);
    for (auto& [zone, of_zone] : by_zone) {
      if (!one_price(of_zone)) {
        refuse(of_zone);
        continue;
      }
      for (Taken& row : of_zone) row.price.region = zone;
      keep_first(of_zone);
    }
  }

  static bool one_price(const std::vector<Taken>& rows) {
    return std::ranges::all_of(rows, [&](const Taken& row) {
      return row.price.usd_per_instance_hour == rows.front().price.usd_per_instance_hour;
    });
  }

  void keep_first(const std::vector<Taken>& rows) {
    std::map<std::string, std::int64_t> first_of_zone;
    for (const Taken& row : rows) {
      const auto [first, fresh] = first_of_zone.try_emplace(row.zone, row.line);
      if (!fresh) {
        note(row.line, Kind::kDrop,
             "line " + std::to_string(first->second) + " says the same of " + row.price.key());
      } else if (first_of_zone.size() > 1) {
        ++result_.other_zones;
      }
    }
    kept_.push_back(rows.front());
  }

  void refuse(const std::vector<Taken>& rows) {
    constexpr std::size_t kMostSaid = 8;
    std::vector<std::string> said;
    for (const Taken& row : rows) {
      said.push_back(dollars(row.price.usd_per_instance_hour) + " in line " +
                     std::to_string(row.line));
      if (said.size() == kMostSaid) break;
    }
    if (rows.size() > kMostSaid) said.push_back(std::to_string(rows.size() - kMostSaid) + " more");
    const std::string words =
        "expected one price of " + rows.front().price.key() + ", got " + join(said, ", ");
    for (const Taken& row : rows) note(row.line, Kind::kRefuse, words);
  }

  void warn() {
    for (const PriceWarning& odd : price_warnings(result_.prices, catalog_.prices, "")) {
      note(kept_[odd.row].line, Kind::kWarn, odd.text);
    }
  }

  const Catalog& catalog_;
  std::vector<Taken> kept_;
  PriceImport result_;
};

/// False, with a note, for a row that is not as wide as the header.
bool is_whole(const CsvTable& table, const CsvRow& row, PriceImport& result) {
  if (row.cells.size() == table.header.size()) return true;
  result.notes.push_back({row.line, Kind::kRefuse,
                          "expected " + std::to_string(table.header.size()) + " fields, got " +
                              std::to_string(row.cells.size())});
  return false;
}

Json row_of(const CsvTable& table, const CsvRow& row) {
  Json json = Json::object();
  for (std::size_t i = 0; i < table.header.size(); ++i) {
    const std::string& name = table.header[i];
    const std::string& text = row.cells[i];
    // An empty cell is a key left out; only the instance may be empty text.
    if (name == "provider" || (text.empty() && name != "instance")) continue;
    json[name] = text;
    if (name != "gpus" && !name.ends_with("per_instance_hour") && !starts_with(name, "minimum_")) {
      continue;
    }
    const Json number = Json::parse(text, nullptr, false);
    if (number.is_number()) json[name] = number;  // else the reader of the row will refuse the text
  }
  return json;
}

/// A value for all rows stands either in its column or in its option.
void check_shared(const CsvTable& table, const std::string& file, const std::string& column,
                  const std::string& option, const std::string& value) {
  if (table.column(column) && !value.empty()) {
    throw InputError(option + ": expected no such option, since " + file + " has a column " +
                     in_quotes(column));
  }
  if (!table.column(column) && value.empty()) {
    throw InputError(file + ": expected a column " + in_quotes(column) + " or the option " +
                     option + ", got " + column_names(table) + did_you_mean(column, table.header));
  }
}

constexpr double kMostUsd = 1e6;
constexpr double kMostGpus = 65536;

class FeedReader {
 public:
  FeedReader(const PriceFeed& feed, const CsvTable& table, const std::string& file,
             const std::string& provider, const AcceleratorNames& names, Json shared)
      : feed_(feed), table_(table), names_(names), shared_(std::move(shared)) {
    result_.provider = provider;
    for (const std::string name :
         {feed.instance, feed.gpu, feed.count, feed.price, feed.region, feed.is_spot}) {
      if (name.empty() || table.column(name)) continue;
      throw InputError(file + ": expected a column " + in_quotes(name) + ", got " +
                       column_names(table) + did_you_mean(name, table.header));
    }
  }

  PriceImport run() {
    for (const CsvRow& row : table_.rows) {
      row_ = &row;
      if (is_whole(table_, row, result_)) read_row();
    }
    return std::move(result_);
  }

 private:
  /// "" also where there is no such column; the order varies from provider to provider.
  std::string cell(const std::string& name) const {
    const auto place = table_.column(name);
    return place ? row_->cells[*place] : "";
  }
  void note(Kind kind, const std::string& text) {
    result_.notes.push_back({row_->line, kind, text});
  }
  void refuse(const std::string& text) { note(Kind::kRefuse, text); }
  void refuse_cell(const std::string& column, const std::string& expected) {
    refuse(column + ": expected " + expected + ", got " + in_quotes(cell(column)));
  }

  void read_row() {
    const std::string instance = cell(feed_.instance);
    const std::string name = cell(feed_.gpu);
    if (name.empty()) return read_row_without_gpu(instance);
    if (instance.empty()) {
      return refuse(in_quotes(name) +
                    ": expected the price of a whole instance, got a GPU without its host");
    }
    const AcceleratorName* known = names_.find(name);
    if (known == nullptr) return refuse(why_unknown(name));
    const auto count = parsed<double>(cell(feed_.count));
    if (!count || !(*count >= 1 && *count <= kMostGpus) || *count != std::floor(*count)) {
      return refuse_cell(feed_.count, "a whole number from 1 to " + shortest(kMostGpus));
    }
    add_prices(*known, static_cast<std::int64_t>(*count));
  }

  void read_row_without_gpu(const std::string& instance) {
    for (const std::string& prefix : names_.priced_without_gpus) {
      if (!starts_with(instance, prefix)) continue;
      return refuse(in_quotes(instance) +
                    ": expected the price of a whole instance, got a host without its GPUs");
    }
    const std::string count = cell(feed_.count);
    if (!count.empty() && parsed<double>(count) != 0.0) {
      return refuse(std::string(feed_.gpu) + ": expected a name beside " + feed_.count + " " +
                    count + ", got nothing");
    }
    ++result_.without_gpu;
  }

  std::string why_unknown(const std::string& name) const {
    if (contains(names_.not_in_catalog, name)) {
      return std::string(feed_.gpu) + ": " + in_quotes(name) + " is not in the catalog";
    }
    return std::string(feed_.gpu) + ": expected a known name, got " + in_quotes(name) +
           did_you_mean(name, names_.known());
  }

  void add_prices(const AcceleratorName& name, std::int64_t count) {
    const std::string memory = cell(feed_.memory_gb);
    const std::string described =
        cell(feed_.instance) + " " + cell(feed_.words) + " " +
        (memory.empty() ? "" : shortest(parsed<double>(memory).value_or(0)) + "GB");
    const ResolvedGpu gpu = resolve(name, result_.provider, described);
    const auto prices = prices_of_row();
    if (prices.empty()) return;
    if (gpu.guessed) {
      note(Kind::kWarn, in_quotes(name.name) + " may be " + name.unclear + ": taken as " + gpu.gpu);
    }
    for (const auto& [tier, usd] : prices) add(gpu.gpu, count, tier, usd);
  }

  /// By tier; none, with a note, where one of them is missing or no price.
  std::vector<std::pair<const char*, double>> prices_of_row() {
    std::vector<std::pair<const char*, std::string>> columns{{"on_demand", feed_.price},
                                                             {"spot", feed_.spot_price}};
    if (*feed_.is_spot != '\0') {
      const std::string spot = cell(feed_.is_spot);
      const bool is_spot = spot == "True" || spot == "true";
      if (!is_spot && spot != "False" && spot != "false") {
        refuse_cell(feed_.is_spot, "true or false");
        return {};
      }
      columns = {{is_spot ? "spot" : "on_demand", feed_.price}};
    }
    std::vector<std::pair<const char*, double>> prices;
    for (const auto& [tier, column] : columns) {
      const std::string text = cell(column);
      if (text.empty()) continue;
      const auto usd = parsed<double>(text);
      if (!usd || !(*usd > 0) || *usd > kMostUsd || rounded_usd(*usd) == MicroUsd{}) {
        refuse_cell(column, "US dollars above 0 and at most " + shortest(kMostUsd));
        return {};
      }
      prices.emplace_back(tier, *usd);
    }
    if (prices.empty()) {
      const std::string spot = feed_.spot_price;
      refuse(std::string(feed_.price) + ": expected a price" +
             (spot.empty() ? "" : " in " + std::string(feed_.price) + " or " + spot) +
             ", got nothing");
    }
    return prices;
  }

  void add(const std::string& gpu, std::int64_t count, const char* tier, double usd) {
    Json row = shared_;
    row["gpu"] = gpu;
    row["region"] = cell(feed_.region).empty() ? kUnstated : cell(feed_.region);
    row["instance"] = cell(feed_.instance);
    row["gpus"] = count;
    row["tier"] = tier;
    row["usd_per_instance_hour"] = to_usd(rounded_usd(usd));
    result_.rows.push_back({row_->line, cell(feed_.zone), std::move(row)});
  }

  const PriceFeed& feed_;
  const CsvTable& table_;
  const AcceleratorNames& names_;
  Json shared_;
  const CsvRow* row_ = nullptr;
  PriceImport result_;
};

}  // namespace

PriceImport take_prices(PriceImport import, const Catalog& catalog) {
  return Importer(std::move(import), catalog).run();
}

PriceImport read_sizesheet_prices(const CsvTable& table, const std::string& file,
                                  const std::string& provider, const std::string& as_of,
                                  const std::string& source) {
  check_shared(table, file, "as_of", "--as-of", as_of);
  check_shared(table, file, "source", "--source", source);
  PriceImport result;
  result.provider = provider;
  const auto named = table.column("provider");
  for (const CsvRow& row : table.rows) {
    if (!is_whole(table, row, result)) continue;
    if (named && row.cells[*named] != provider) {
      result.notes.push_back({row.line, Kind::kRefuse,
                              "provider: expected " + in_quotes(provider) +
                                  ", the one provider of this import, got " +
                                  in_quotes(row.cells[*named])});
      continue;
    }
    Json json = row_of(table, row);
    if (!as_of.empty()) json["as_of"] = as_of;
    if (!source.empty()) json["source"] = source;
    result.rows.push_back({row.line, "", std::move(json)});
  }
  return result;
}

const PriceFeed* price_feed(std::string_view id) {
  const auto* feed = std::ranges::find(kPriceFeeds, id, &PriceFeed::id);
  return feed == std::end(kPriceFeeds) ? nullptr : feed;
}

PriceImport read_feed_prices(const PriceFeed& feed, const CsvTable& table, const std::string& file,
                             const std::string& provider, const std::string& as_of,
                             const std::string& source, const AcceleratorNames& names) {
  const auto offer = names.offers.find(provider);
  const Json shared = {{"offer", offer == names.offers.end() ? "list" : offer->second},
                       {"as_of", as_of},
                       {"source", source}};
  return FeedReader(feed, table, file, provider, names, shared).run();
}

}  // namespace sizesheet
