// SPDX-License-Identifier: Apache-2.0
#include "cli/price_merge.h"

#include <algorithm>
#include <list>
#include <set>

#include "catalog/catalog_files.h"
#include "catalog/price_file.h"
#include "support/dates.h"
#include "support/files.h"
#include "support/printable.h"
#include "support/text.h"

namespace sizesheet {
namespace {

namespace fs = std::filesystem;

std::string dollars(MicroUsd amount) { return "$" + shortest(to_usd(amount)); }

std::string priced(const Price& price) {
  return dollars(price.usd_per_instance_hour) + " (" + price.as_of + ")";
}

struct ProviderFile {
  fs::path path;
  Json schema;  ///< what it tells editors; null where it tells nothing, or is not there yet
};

/// The provider's file; a new provider gets one of its name.
ProviderFile file_of(const std::string& provider, const fs::path& catalog) {
  const CatalogFiles files = read_catalog_files(
      catalog, [](const std::string& path) { return starts_with(path, "prices/"); });
  for (const std::string& stem : stems_in(files, "prices")) {
    const std::string name = "prices/" + stem + ".json";
    const Json json = parse_json(files.at(name), shown_path(catalog / name));
    if (!json.is_object() || json.value("provider", "") != provider) continue;
    return {catalog / name, json.value("$schema", Json(nullptr))};
  }
  std::string stem = provider;
  std::replace(stem.begin(), stem.end(), '.', '-');
  return {catalog / "prices" / (stem + ".json"), nullptr};
}

class Merger {
 public:
  Merger(const std::string& provider, const Catalog& catalog) {
    for (const Price& price : catalog.prices) {
      if (price.provider == provider) put(rows_.end(), price);
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

  void finish(const std::string& provider, const Json& schema, MergePlan& plan) {
    plan.text = price_file_text(provider, {rows_.begin(), rows_.end()}, schema);
    plan.changes = rows_.size() != before_;
    plan.kept = static_cast<std::int64_t>(before_) - static_cast<std::int64_t>(touched_.size());
    plan.lines = std::move(lines_);
    plan.conflicts = std::move(conflicts_);
    plan.counts = counts_;
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
    conflicts_.push_back(price.key());
  }

  void said(const std::string& kind, const Price& price, const std::string& what) {
    ++counts_[kind];
    lines_.push_back(kind + "\t" + price.offer_key() + "\t" + what);
  }

  Rows rows_;  ///< as in the file
  std::map<std::string, Rows::iterator> by_key_;
  std::map<std::string, Rows::iterator> newest_;  ///< of an offer
  std::size_t before_ = 0;
  std::set<std::string> touched_;
  std::vector<std::string> lines_;
  std::vector<std::string> conflicts_;
  std::map<std::string, std::int64_t> counts_;
};

}  // namespace

MergePlan plan_merge(const std::string& provider, const std::vector<Price>& prices,
                     const Catalog& catalog, const fs::path& catalog_directory) {
  MergePlan plan;
  const ProviderFile known = file_of(provider, catalog_directory);
  plan.file = known.path;
  Merger merger(provider, catalog);
  for (const Price& price : prices) merger.merge(price);
  merger.finish(provider, known.schema, plan);
  if (plan.text.size() > kMostCatalogBytes) {
    throw InputError(shown_path(plan.file) + ": would have " + std::to_string(plan.text.size()) +
                     " bytes, and a file of a catalog has at most " +
                     std::to_string(kMostCatalogBytes) + ": nothing is written");
  }
  return plan;
}

}  // namespace sizesheet
