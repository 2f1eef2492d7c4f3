// SPDX-License-Identifier: Apache-2.0
// What is taken of a table of prices: our own, whose columns are the keys of a price row, and those
// of feeds.

#include "catalog/import/price_import.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "catalog/catalog.h"
#include "catalog/files/entry.h"
#include "catalog/files/loader.h"
#include "catalog/import/csv.h"
#include "catalog/prices/accelerator_names.h"
#include "catalog/prices/price.h"
#include "catalog/prices/price_warnings.h"
#include "catalog/prices/provider.h"
#include "support/error.h"
#include "support/json.h"
#include "support/money.h"
#include "support/text.h"
#include "support/values.h"

namespace sizesheet {
namespace {

using Kind = ImportNote::Kind;

constexpr const char* kFree = "0 is no price; a price that is not known is a row left out";

struct Taken {
  std::int64_t line = 0;
  std::string zone;
  Price price;
};

class Importer {
 public:
  Importer(PriceImport import, const Catalog& catalog, const ImportRules& rules)
      : catalog_(catalog), rules_(rules), result_(std::move(import)) {}

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
    accept();
    judge();
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
    if (reader.sound("as_of")) {
      const std::string to_come = why_to_come(taken.price.as_of, rules_);
      if (!to_come.empty()) reader.fault("as_of", to_come);
    }
    if (faults.empty()) {
      const WrongUnit wrong = wrong_unit(catalog_.providers, taken.price);
      if (wrong) reader.fault(wrong.key, wrong.words);
    }
    if (faults.empty()) return taken;
    const std::string free = free_of_charge(candidate);
    if (free.empty()) {
      note(candidate.line, Kind::kRefuse, faults.request_text());
    } else {
      note(candidate.line, Kind::kLeaveOut, free);
    }
    return std::nullopt;
  }

  /// "" or why a row is left out that is sound but for its amount, 0.
  std::string free_of_charge(const PriceCandidate& candidate) const {
    for (const char* key : {"usd_per_instance_hour", "per_instance_hour"}) {
      if (!candidate.row.contains(key) || candidate.row.at(key) != 0) continue;
      Json row = candidate.row;
      row[key] = 1;
      Faults faults;
      ObjectReader reader(row, "", "", faults);
      read_price(reader, result_.provider, catalog_.exchange);
      if (faults.empty()) return std::string(key) + ": " + kFree;
    }
    return "";
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

  /// An accepted row is confirmed by whoever names it.
  void accept() {
    for (const std::string& key : rules_.accepted) {
      const auto row =
          std::ranges::find_if(kept_, [&](const Taken& one) { return one.price.key() == key; });
      if (row == kept_.end()) {
        throw InputError("--accept: expected the key of a row, got " + in_quotes(key) +
                         like_key(key));
      }
      row->price.confirmed = "accepted by name when it was imported";
    }
  }

  /// The first key that begins most like it; "" where none begins like it at all.
  std::string like_key(const std::string& key) const {
    std::string nearest;
    std::ptrdiff_t most = 0;
    for (const Taken& one : kept_) {
      const std::string known = one.price.key();
      const auto alike = std::ranges::mismatch(key, known).in1 - key.begin();
      if (alike > most) {
        most = alike;
        nearest = known;
      }
    }
    return nearest.empty() ? "" : " (did you mean " + in_quotes(nearest) + "?)";
  }

  /// What `check` would doubt is left out; what it would only warn of is said.
  void judge() {
    std::vector<Price> prices = each_price();
    std::vector<bool> out(kept_.size());
    for (const PriceWarning& odd : price_warnings(prices, catalog_.prices, "")) {
      const Taken& row = kept_[odd.row];
      if (out[odd.row]) continue;
      out[odd.row] = odd.doubtful;
      if (odd.doubtful) {
        note(row.line, Kind::kLeaveOut,
             odd.words + (odd.words.ends_with('?') ? " " : "; ") + "--accept " +
                 in_quotes(row.price.key()) + " takes it");
      } else {
        note(row.line, Kind::kWarn, odd.text);
      }
    }
    for (std::size_t i = 0; i < prices.size(); ++i) {
      if (!out[i]) result_.prices.push_back(std::move(prices[i]));
    }
  }

  std::vector<Price> each_price() const {
    std::vector<Price> prices;
    prices.reserve(kept_.size());
    for (const Taken& taken : kept_) prices.push_back(taken.price);
    return prices;
  }

  const Catalog& catalog_;
  const ImportRules& rules_;
  std::vector<Taken> kept_;
  PriceImport result_;
};

constexpr const char* kConfirmed = "confirmed";

/// The kind of the figures of a column; nullptr for a column of texts.
const ValueKind* kind_of_column(const std::string& name) {
  if (name == "gpus" || name == "minimum_gpus") return &count_kind();
  if (name.ends_with("per_instance_hour")) return &dollars_kind();
  if (name.ends_with("_hours")) return &hours_kind();
  return starts_with(name, "minimum_") ? &number_kind() : nullptr;
}

/// `fault` says what is wrong with the commas of a figure; the reader of the row checks the rest.
Json figure_or_text(const std::string& name, const std::string& text, std::string& fault) {
  if (name == "counts") return counts_of(text);
  if (name == "second_reading") return truth_of(text);
  const ValueKind* kind = kind_of_column(name);
  if (kind == nullptr) return text;
  const Json number = Json::parse(text, nullptr, false);
  if (number.is_number()) return number;
  const ReadValue read = read_value(text, *kind);
  if (!read.value) {
    if (contains(text, ',')) fault = name + ": " + read.fault;
    return text;
  }
  return kind->whole ? Json(static_cast<std::int64_t>(*read.value)) : Json(*read.value);
}

/// nullopt, with a note, for a row with a comma that has two readings.
std::optional<Json> row_of(const CsvTable& table, const CsvRow& row, PriceImport& result) {
  Json json = Json::object();
  for (std::size_t i = 0; i < table.header.size(); ++i) {
    const std::string& name = table.header[i];
    const std::string& text = row.cells[i];
    // An empty cell is a key left out; only the instance may be empty text.
    if (name == "provider" || name == kConfirmed) continue;
    if (text.empty() && name != "instance") continue;
    std::string fault;
    json[name] = figure_or_text(name, text, fault);
    if (fault.empty()) continue;
    result.notes.push_back({row.line, Kind::kRefuse, fault});
    return std::nullopt;
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
      if (is_whole_row(table_, row, result_)) read_row();
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
    const auto count = parsed<double>(cell(feed_.count));
    const bool whole = count && *count >= 1 && *count <= kMostGpus && *count == std::floor(*count);
    const ResolvedGpu gpu =
        resolve(names_, {name, result_.provider, instance, described(), memory_gb(count)});
    if (!gpu.refusal.empty()) return refuse(std::string(feed_.gpu) + ": " + gpu.refusal);
    if (!whole) {
      return refuse_cell(feed_.count, "a whole number from 1 to " + shortest(kMostGpus));
    }
    add_prices(name, gpu, static_cast<std::int64_t>(*count));
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

  std::string described() const {
    const std::string memory = cell(feed_.memory_gb);
    if (memory.empty()) return cell(feed_.words);
    return cell(feed_.words) + " " + shortest(parsed<double>(memory).value_or(0)) + "GB";
  }

  /// The number behind `key` in the words that describe the GPU; nullopt without one above 0.
  std::optional<double> number_in_words(const std::string& key) const {
    const std::string words = cell(feed_.words);
    const std::size_t at = words.find(key);
    if (at == std::string::npos) return std::nullopt;
    const std::size_t first = words.find_first_of("0123456789", at + key.size());
    if (first == std::string::npos) return std::nullopt;
    const std::size_t last = words.find_first_not_of("0123456789.", first);
    const auto number = parsed<double>(words.substr(first, last - first));
    return number && *number > 0 ? number : std::nullopt;
  }

  /// Memory of a GPU. Some feeds write the sum of all GPUs under SizeInMiB and some the memory of
  /// one under TotalGpuMemoryInMiB: where the two are equal, both readings stay open.
  std::vector<double> memory_gb(const std::optional<double>& count) const {
    constexpr double kMiBOfGiB = 1024;
    const auto stated = parsed<double>(cell(feed_.memory_gb));
    if (stated && *stated > 0) return {*stated};
    const auto size = number_in_words("SizeInMiB");
    if (!size) return {};
    if (*size < kMiBOfGiB) return {*size};  // some write GB there
    const bool either = count && *count > 1 && number_in_words("TotalGpuMemoryInMiB") == size;
    if (either) return {*size / kMiBOfGiB, *size / kMiBOfGiB / *count};
    return {*size / kMiBOfGiB};
  }

  void add_prices(const std::string& name, const ResolvedGpu& gpu, std::int64_t count) {
    const auto prices = prices_of_row();
    if (prices.empty()) return;
    if (!gpu.unclear.empty()) {
      note(Kind::kWarn, in_quotes(name) + " may be " + gpu.unclear + ": taken as " + gpu.gpu);
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
    bool stated = false;
    std::vector<std::pair<const char*, double>> prices;
    for (const auto& [tier, column] : columns) {
      const std::string text = cell(column);
      if (text.empty()) continue;
      stated = true;
      auto usd = parsed<double>(text);
      if (contains(text, ',')) {
        const ReadValue read = read_value(text, dollars_kind());
        if (!read.value) {
          refuse(std::string(column) + ": " + read.fault);
          return {};
        }
        usd = read.value;
      }
      if (usd && *usd >= 0 && *usd <= kMostUsd && rounded_usd(*usd) == MicroUsd{}) {
        note(Kind::kLeaveOut, std::string(column) + ": " + kFree);
        continue;
      }
      if (!usd || !(*usd > 0) || *usd > kMostUsd) {
        refuse_cell(column, "US dollars above 0 and at most " + shortest(kMostUsd));
        return {};
      }
      prices.emplace_back(tier, *usd);
    }
    if (!stated) {
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
    // A seller's list may have machines of a community; their names say so.
    const bool listed = row.at("offer") == kOffers[0];
    if (listed && cell(feed_.instance).ends_with("_COMMUNITY")) row["offer"] = kOffers[1];
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

Json counts_of(const std::string& cell) {
  Json counts = Json::array();
  for (const std::string& word : split(cell, ' ')) {
    const Json count = Json::parse(word, nullptr, false);
    counts.push_back(count.is_number() ? count : Json(word));
  }
  return counts;
}

Json truth_of(const std::string& cell) {
  return cell == "true" || cell == "false" ? Json(cell == "true") : Json(cell);
}

bool is_whole_row(const CsvTable& table, const CsvRow& row, PriceImport& result) {
  if (row.cells.size() == table.header.size()) return true;
  result.notes.push_back({row.line, Kind::kRefuse,
                          "expected " + std::to_string(table.header.size()) + " fields, got " +
                              std::to_string(row.cells.size())});
  return false;
}

std::string why_to_come(const std::string& as_of, const ImportRules& rules) {
  constexpr std::int64_t kYear = 366;
  const auto day = day_number(as_of);
  if (!day) return "";
  const std::string words = "expected a day that has come, got " + in_quotes(as_of);
  if (const auto today = day_number(rules.today)) {
    // The other side of the earth may have tomorrow already.
    return *day > *today + 1 ? words + " (today is " + rules.today + ")" : "";
  }
  const auto newest = day_number(rules.newest);
  if (!newest || *day <= *newest + kYear) return "";
  return words + " (more than a year after " + rules.newest + ", the newest price of the catalog)";
}

PriceImport take_prices(PriceImport import, const Catalog& catalog, const ImportRules& rules) {
  return Importer(std::move(import), catalog, rules).run();
}

PriceImport read_sizesheet_prices(const CsvTable& table, const std::string& file,
                                  const std::string& provider, const std::string& as_of,
                                  const std::string& source) {
  check_shared(table, file, "as_of", "--as-of", as_of);
  check_shared(table, file, "source", "--source", source);
  PriceImport result;
  result.provider = provider;
  if (table.column(kConfirmed)) {
    result.notes.push_back({table.line, Kind::kWarn,
                            "column \"confirmed\" is not taken: only an edit of the catalog or "
                            "--accept confirms a price"});
  }
  const auto named = table.column("provider");
  for (const CsvRow& row : table.rows) {
    if (!is_whole_row(table, row, result)) continue;
    if (named && row.cells[*named] != provider) {
      result.notes.push_back({row.line, Kind::kRefuse,
                              "provider: expected " + in_quotes(provider) +
                                  ", the one provider of this import, got " +
                                  in_quotes(row.cells[*named])});
      continue;
    }
    std::optional<Json> json = row_of(table, row, result);
    if (!json) continue;
    if (!as_of.empty()) (*json)["as_of"] = as_of;
    if (!source.empty()) (*json)["source"] = source;
    result.rows.push_back({row.line, "", std::move(*json)});
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
