// SPDX-License-Identifier: Apache-2.0
#include "cli/import_prices.h"

#include <algorithm>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "catalog/catalog.h"
#include "catalog/files/entry.h"
#include "catalog/files/layer.h"
#include "catalog/files/loader.h"
#include "catalog/import/csv.h"
#include "catalog/import/focus_prices.h"
#include "catalog/import/price_import.h"
#include "catalog/prices/price.h"
#include "catalog/prices/provider.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/import_model.h"
#include "cli/sheet_choice.h"
#include "cli/value_options.h"
#include "support/durable.h"
#include "support/error.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/text.h"

namespace sizesheet {
namespace {

namespace fs = std::filesystem;

using Kind = ImportNote::Kind;

/// "" is what is left out.
struct ImportPricesOptions : MergeOptions {
  fs::path file;
  std::string format;
  std::string provider;
  std::string source;
  std::vector<std::string> accept;
};

constexpr const char* kOwnFormat = "sizesheet";
constexpr const char* kFocusFormat = "focus";
constexpr std::size_t kMostTableBytes = std::size_t{32} << 20U;

/// The newest price of the catalog, and today by SOURCE_DATE_EPOCH. A day before that price cannot
/// be today, and is left out.
ImportRules rules_of(const ImportPricesOptions& options, const Catalog& catalog) {
  ImportRules rules{options.accept, as_of_day("", ""), ""};
  for (const Price& price : catalog.prices) {
    if (day_number(price.as_of) > day_number(rules.newest)) rules.newest = price.as_of;
  }
  if (day_number(rules.newest) > day_number(rules.today)) rules.today.clear();
  return rules;
}

/// Throws InputError for JSON, and says how to import it: else every line would be a fault.
void refuse_json(const std::string& text, const std::string& file) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || (text[first] != '{' && text[first] != '[')) return;
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return;
  const std::string got = file + ": expected CSV, got JSON";
  if (json.is_object() && json.contains("provider") && json.contains("rows")) {
    throw InputError(got +
                     ", a price file of a catalog; it needs no import: put it into prices/ of "
                     "the catalog");
  }
  if (json.is_object() && json.contains("rows") && json.contains("meta")) {
    throw InputError(got +
                     ", the sheet.json of an edition; --format focus reads the prices.csv "
                     "beside it");
  }
  throw InputError(
      got +
      "; write one line an offer with the columns gpu, region, instance, gpus, tier, offer, "
      "usd_per_instance_hour, as_of and source, for instance with jq and its @csv, and import "
      "that with --format sizesheet");
}

/// What the columns say where --format says nothing.
std::string format_of(const CsvTable& table) {
  if (table.column("ServiceProviderName")) return kFocusFormat;
  for (const PriceFeed& feed : kPriceFeeds) {
    if (table.column(feed.instance) && table.column(feed.gpu)) return feed.id;
  }
  return kOwnFormat;
}

struct PriceTable {
  std::string file;
  std::string format;
  CsvTable table;
};

/// Feeds have no days, so the option has to say one, and it must have come.
void check_day(const PriceFeed* feed, const std::string& day, const ImportRules& rules) {
  if (feed != nullptr && day.empty()) {
    throw InputError("--as-of: expected the day the prices were read, YYYY-MM-DD, since files of " +
                     std::string(feed->title) + " have no dates; got nothing");
  }
  const std::string to_come = why_to_come(day, rules);
  if (!to_come.empty()) throw InputError("--as-of: " + to_come);
}

void read_table(const ImportPricesOptions& options, PriceTable& read) {
  const std::string text = read_file(options.file, kMostTableBytes);
  refuse_json(text, read.file);
  read.table = parse_csv(text, read.file);
  if (read.format.empty()) read.format = format_of(read.table);
}

/// The day that an option gives to all rows; "" where each has its own.
std::string day_of(const ImportPricesOptions& options, const std::string& format) {
  const bool dated = price_feed(format) == nullptr && options.as_of.empty();
  return dated ? "" : as_of_day(options.as_of, "");
}

void warn_of_new_provider(const std::string& provider, const std::string& format,
                          const Catalog& catalog, std::ostream& err) {
  std::vector<std::string> known = each_of(catalog.prices, &Price::provider);
  for (const Provider& one : catalog.providers) known.push_back(one.id);
  if (contains(known, provider)) return;
  err << "provider \"" << provider << "\" is new to the catalog" << did_you_mean(provider, known)
      << '\n';
  const auto feed = catalog.feeds.find(format);
  if (feed == catalog.feeds.end()) return;
  const auto offer = feed->second.offers.find(provider);
  err << "its rows are taken as offers of kind \""
      << (offer == feed->second.offers.end() ? "list" : offer->second)
      << "\"; \"offer\" of its entry in providers.json says another\n";
}

/// Whom a file names: by its option, its name, or for a FOCUS table by its rows.
std::string given_provider(const ImportPricesOptions& options, const PriceTable& read) {
  if (!options.provider.empty()) return options.provider;
  if (read.format == kFocusFormat) {
    const std::vector<std::string> sellers = focus_sellers(read.table, read.file);
    if (sellers.size() == 1) return sellers.front();
    throw InputError("--provider: expected the one seller to import, since " + read.file + " has " +
                     std::to_string(sellers.size()) + ": " + join(sellers, ", "));
  }
  // SkyPilot keeps one vms.csv a provider, in a folder of its name; others a file of that name.
  const std::string stem = options.file.stem().string();
  return stem == "vms" ? options.file.parent_path().filename().string() : stem;
}

std::string provider_of(const ImportPricesOptions& options, const PriceTable& read,
                        const Catalog& catalog, std::ostream& err) {
  const std::string given = given_provider(options, read);
  std::string provider = given;
  if (const auto feed = catalog.feeds.find(read.format); feed != catalog.feeds.end()) {
    const auto ours = feed->second.providers.find(given);
    if (ours != feed->second.providers.end()) provider = ours->second;
  }
  const bool known = contains(each_of(catalog.prices, &Price::provider), provider);
  if (!known && !is_id(provider)) {
    throw InputError("--provider: expected a name of lower-case letters, digits, . and -, got " +
                     shown(provider));
  }
  if (provider == "excluded") {
    throw InputError("--provider: \"excluded\" is the file of prices that do not count");
  }
  warn_of_new_provider(provider, read.format, catalog, err);
  return provider;
}

/// Throws InputError for an option that a FOCUS table has in columns of its own.
void refuse_focus_options(const ImportPricesOptions& options) {
  for (const auto& [name, value] :
       {std::pair{"--as-of", options.as_of}, std::pair{"--source", options.source}}) {
    if (value.empty()) continue;
    throw InputError(std::string(name) +
                     ": expected no such option, since each row of a prices.csv says it");
  }
}

PriceImport read_candidates(const ImportPricesOptions& options, const PriceTable& read,
                            const Catalog& catalog, const std::string& provider) {
  if (read.format == kFocusFormat) {
    refuse_focus_options(options);
    return read_focus_prices(read.table, read.file, provider,
                             entry_with(catalog.providers, &Provider::id, provider));
  }
  const PriceFeed* feed = price_feed(read.format);
  const std::string day = day_of(options, read.format);
  if (feed == nullptr) {
    return read_sizesheet_prices(read.table, read.file, provider, day, options.source);
  }
  const auto names = catalog.feeds.find(feed->id);
  if (names == catalog.feeds.end()) {
    throw InputError(std::string("--format ") + feed->id + ": expected import/" + feed->id +
                     ".json in the catalog, which says what it calls GPUs; got nothing");
  }
  const std::string source = options.source.empty()
                                 ? std::string(feed->title) + " catalog, " + provider + feed->files
                                 : options.source;
  return read_feed_prices(*feed, read.table, read.file, provider, day, source, names->second);
}

/// "3", "3, 5 to 9": ascending line numbers.
std::string lines_text(const std::vector<std::int64_t>& lines) {
  std::vector<std::string> ranges;
  for (std::size_t from = 0, next = 0; from < lines.size(); from = next) {
    next = from + 1;
    while (next < lines.size() && lines[next] <= lines[next - 1] + 1) ++next;
    std::string range = std::to_string(lines[from]);
    if (lines[next - 1] > lines[from]) range += " to " + std::to_string(lines[next - 1]);
    ranges.push_back(std::move(range));
  }
  return join(ranges, ", ");
}

/// One line a note, in their order; the same words about several lines are said once.
void print_notes(const std::string& file, const std::vector<ImportNote>& notes, std::ostream& err) {
  std::map<std::pair<Kind, std::string>, std::vector<std::int64_t>> lines;
  for (const ImportNote& note : notes) lines[{note.kind, note.text}].push_back(note.line);
  const std::map<Kind, const char*> words = {{Kind::kRefuse, "refused"},
                                             {Kind::kDrop, "dropped"},
                                             {Kind::kWarn, "warning"},
                                             {Kind::kLeaveOut, "left out"}};
  for (const ImportNote& note : notes) {
    std::vector<std::int64_t>& places = lines[{note.kind, note.text}];
    if (places.empty()) continue;
    err << file << ':' << note.line << ": " << words.at(note.kind) << ": " << note.text;
    places.erase(places.begin());
    if (!places.empty()) err << " (also line " << lines_text(places) << ')';
    err << '\n';
    places.clear();
  }
}

std::int64_t count_of(const std::vector<ImportNote>& notes, Kind kind) {
  return std::ranges::count_if(notes, [kind](const ImportNote& note) { return note.kind == kind; });
}

void print_summary(const PriceImport& import, std::ostream& err) {
  err << import.provider << ": " << import.prices.size() << " prices taken, "
      << count_of(import.notes, Kind::kRefuse) << " refused, "
      << count_of(import.notes, Kind::kDrop) << " dropped, " << count_of(import.notes, Kind::kWarn)
      << " warnings";
  const std::int64_t left_out = count_of(import.notes, Kind::kLeaveOut);
  if (left_out > 0) err << "; " << left_out << " left out";
  if (import.other_sellers > 0) err << "; " << import.other_sellers << " rows of other sellers";
  if (import.other_zones > 0) {
    err << "; " << import.other_zones << " repeat a price for another zone";
  }
  if (import.without_gpu > 0) err << "; " << import.without_gpu << " machines without a GPU";
  err << '\n';
}

bool merge(const PriceImport& import, const Catalog& catalog, const ImportPricesOptions& options,
           const Streams& streams) {
  const MergePlan plan = plan_merge(import.provider, import.prices, catalog, options.catalog);
  // First what may fail, so that what is said below is what happened.
  write_merged(plan.file, plan.changes, plan.text, options.yes, streams.err);
  for (const std::string& line : plan.lines) streams.out << line << '\n';
  std::vector<std::string> counts;
  for (const auto& [kind, count] : plan.counts) {
    counts.push_back(std::to_string(count) + " " + kind);
  }
  counts.push_back(std::to_string(plan.kept) + " kept as they are");
  streams.out << shown_path(plan.file) << ": " << join(counts, ", ") << '\n';
  return !plan.counts.contains("conflict");
}

/// 0 when every row was taken, left out or has no GPU; 1 when some were refused, or none is left of
/// those that have one. What was wrong with which line goes to stderr.
int run_import_prices(const ImportPricesOptions& options, const Streams& streams) {
  std::optional<FolderLock> turn;
  if (options.merge) {
    const fs::path folder = folder_to_merge_into(options.catalog);
    if (options.yes) turn.emplace(folder);
  }
  const CatalogLayers layers = options.merge ? layers_to_read(options.catalog) : options.catalog;
  const Catalog catalog = load_sound_catalog(layers, {CatalogPart::kMoney});
  PriceTable read{shown_path(options.file), options.format, {}};
  const bool by_columns = read.format.empty() || read.format == kFocusFormat;
  if (by_columns) read_table(options, read);
  const std::string provider = provider_of(options, read, catalog, streams.err);
  const ImportRules rules = rules_of(options, catalog);
  check_day(price_feed(read.format), day_of(options, read.format), rules);
  if (!by_columns) read_table(options, read);
  const PriceImport import =
      take_prices(read_candidates(options, read, catalog, provider), catalog, rules);
  print_notes(read.file, import.notes, streams.err);
  print_summary(import, streams.err);
  bool clean = count_of(import.notes, Kind::kRefuse) == 0;
  if (import.prices.empty() && count_of(import.notes, Kind::kLeaveOut) > 0) {
    streams.err << "no row is left to take\n";
    clean = false;
  }
  if (options.merge) {
    clean &= merge(import, catalog, options, streams);
  } else {
    streams.out << price_file_text(import.provider, import.prices);
  }
  return clean ? 0 : 1;
}

std::string priced(const Price& price) {
  return dollars(price.usd_per_instance_hour) + " (" + price.as_of + ")";
}

/// The path of the provider's file, and what it tells editors; a new provider gets one of its name.
std::pair<std::string, Json> file_of(const std::string& provider, const CatalogLayers& layers) {
  const CatalogFiles files = read_catalog_files(
      layers, [](const std::string& path) { return starts_with(path, "prices/"); });
  for (const std::string& stem : stems_in(files, "prices")) {
    const std::string path = "prices/" + stem + ".json";
    const Json json = parse_json(files.at(path), layers.shown(path));
    if (!json.is_object() || json.value("provider", "") != provider) continue;
    return {path, json.value("$schema", Json(nullptr))};
  }
  std::string stem = provider;
  std::replace(stem.begin(), stem.end(), '.', '-');
  return {"prices/" + stem + ".json", nullptr};
}

class Merger {
 public:
  /// `file` is the provider's that is written anew; it may have others.
  Merger(const std::string& file, const Catalog& catalog) {
    for (const Price& price : catalog.prices) {
      if (price.file == file) put(rows_.end(), price);
    }
    before_ = rows_.size();
  }

  void merge(const Price& price) {
    const auto last = newest_.find(price.offer_key());
    if (last == newest_.end()) {
      put(rows_.end(), price);
      return said("added", price, dollars(price.usd_per_instance_hour));
    }
    const Price known = *last->second;
    touched_.insert(known.key());
    const auto same_day = by_key_.find(price.key());
    if (same_day != by_key_.end()) return meet(*same_day->second, price);
    put(std::next(last->second), price);
    if (day_number(price.as_of) < day_number(known.as_of)) {
      return said("older", price, priced(price) + ", kept beside " + priced(known));
    }
    const bool same = known.usd_per_instance_hour == price.usd_per_instance_hour;
    said(same ? "again" : "changed", price, priced(known) + " -> " + priced(price));
  }

  MergePlan finish(const std::string& provider, const Json& schema) {
    plan_.text = price_file_text(provider, {rows_.begin(), rows_.end()}, schema);
    plan_.changes = rows_.size() != before_;
    plan_.kept = static_cast<std::int64_t>(before_) - std::ssize(touched_);
    return std::move(plan_);
  }

 private:
  using Rows = std::list<Price>;

  void put(Rows::const_iterator before, const Price& price) {
    const Rows::iterator row = rows_.insert(before, price);
    by_key_.emplace(price.key(), row);
    const auto [newest, fresh] = newest_.try_emplace(price.offer_key(), row);
    if (!fresh && day_number(price.as_of) >= day_number(newest->second->as_of))
      newest->second = row;
  }

  /// A row of the same day: it says the same, or one of the two is wrong.
  void meet(const Price& known, const Price& price) {
    if (known.usd_per_instance_hour == price.usd_per_instance_hour) {
      return said("unchanged", price, priced(known));
    }
    said("conflict", price, priced(known) + ", imported " + priced(price) + ": not merged");
  }

  void said(const std::string& kind, const Price& price, const std::string& what) {
    ++plan_.counts[kind];
    plan_.lines.push_back(kind + "\t" + price.offer_key() + "\t" + what);
  }

  Rows rows_;  ///< as in the file
  std::map<std::string, Rows::iterator> by_key_;
  std::map<std::string, Rows::iterator> newest_;  ///< of an offer
  std::size_t before_ = 0;
  std::set<std::string> touched_;
  MergePlan plan_;
};

}  // namespace

void add_import_prices(CLI::App& app, const Streams& streams, Command& chosen) {
  const auto& [command, options] =
      add_command(app, streams, chosen, "import-prices",
                  "Turn a CSV of prices into a price file of the catalog", run_import_prices);
  command.add_option("file", options.file, "The CSV file")->required();
  std::vector<std::string> formats{kOwnFormat, kFocusFormat};
  for (const PriceFeed& feed : kPriceFeeds) formats.emplace_back(feed.id);
  command
      .add_option("--format", options.format,
                  "sizesheet: the keys of a price row; focus: the prices.csv of an edition; "
                  "skypilot: a vms.csv of its catalog; gpuhunt: a provider's file of its catalog; "
                  "by default, the columns decide")
      ->check(CLI::IsMember(formats));
  command.add_option("--provider", options.provider,
                     "Provider; the file's name where left out, for vms.csv its folder's");
  add_day(command, "--as-of", options.as_of, "The day of the prices, YYYY-MM-DD");
  command.add_option("--source", options.source, "Where the prices were read");
  command.add_option("--accept", options.accept,
                     "Takes the row of this key, however odd its price looks; may be repeated");
  add_catalog(command, options.catalog);
  add_merge(command, "Show what the prices would change in the catalog", options);
  command
      .add_flag_callback(
          "--json", [] {}, "The price file is JSON already")
      ->excludes("--merge");
}

MergePlan plan_merge(const std::string& provider, const std::vector<Price>& prices,
                     const Catalog& catalog, const CatalogLayers& layers) {
  const auto [path, schema] = file_of(provider, layers_to_read(layers));
  Merger merger(layers.shown(path), catalog);
  for (const Price& price : prices) merger.merge(price);
  MergePlan plan = merger.finish(provider, schema);
  plan.file = layers.folders().back() / path;  // over the one of an earlier layer
  if (plan.text.size() > kMostCatalogBytes) {
    throw InputError(shown_path(plan.file) + ": would have " + std::to_string(plan.text.size()) +
                     " bytes, and a file of a catalog has at most " +
                     std::to_string(kMostCatalogBytes) + ": nothing is written");
  }
  return plan;
}

}  // namespace sizesheet
