// SPDX-License-Identifier: Apache-2.0
#include "cli/price_merge.h"

#include <algorithm>
#include <set>

#include "catalog/catalog_files.h"
#include "catalog/price_file.h"
#include "support/dates.h"
#include "support/files.h"
#include "support/text.h"

namespace sizesheet {
namespace {

namespace fs = std::filesystem;

std::string dollars(MicroUsd amount) { return "$" + shortest(to_usd(amount)); }

std::string priced(const Price& price) {
  return dollars(price.usd_per_instance_hour) + " (" + price.as_of + ")";
}

/// The provider's file; a new provider gets one of its name.
fs::path file_of(const std::string& provider, const fs::path& catalog) {
  const fs::path folder = catalog / "prices";
  for (const std::string& name : list_files(folder)) {
    if (!is_catalog_file(name) || name.find('/') != std::string::npos) continue;
    const Json json = parse_json(read_file(folder / name), (folder / name).string());
    if (json.is_object() && json.value("provider", "") == provider) return folder / name;
  }
  std::string stem = provider;
  std::replace(stem.begin(), stem.end(), '.', '-');
  return folder / (stem + ".json");
}

/// What the file tells editors; null where it tells nothing, or is not there yet.
Json schema_of(const fs::path& file) {
  if (!fs::exists(file)) return nullptr;
  return parse_json(read_file(file), file.string()).value("$schema", Json(nullptr));
}

class Merger {
 public:
  Merger(const std::string& provider, const Catalog& catalog) {
    for (const Price& price : catalog.prices) {
      if (price.provider == provider) rows_.push_back(price);
    }
    before_ = rows_.size();
  }

  void merge(const Price& price) {
    const auto last = newest_of(price);
    if (last == rows_.end()) {
      rows_.push_back(price);
      return said("added", price, dollars(price.usd_per_instance_hour));
    }
    touched_.insert(last->key());
    for (const Price& row : rows_) {
      if (row.key() == price.key()) return meet(row, price);
    }
    const Price known = *last;
    rows_.insert(last + 1, price);
    if (day_number(price.as_of) < day_number(known.as_of)) {
      return said("older", price, priced(price) + ", kept beside " + priced(known));
    }
    const bool same = known.usd_per_instance_hour == price.usd_per_instance_hour;
    said(same ? "again" : "changed", price, priced(known) + " -> " + priced(price));
  }

  void finish(const std::string& provider, const Json& schema, MergePlan& plan) {
    std::vector<Json> rows;
    for (const Price& row : rows_) rows.push_back(*row.raw);
    plan.text = price_file_text(provider, rows, schema);
    plan.changes = rows_.size() != before_;
    plan.kept = static_cast<std::int64_t>(before_) - static_cast<std::int64_t>(touched_.size());
    plan.lines = std::move(lines_);
    plan.conflicts = std::move(conflicts_);
    plan.counts = counts_;
  }

 private:
  /// The newest row of this offer.
  std::vector<Price>::iterator newest_of(const Price& price) {
    auto newest = rows_.end();
    for (auto row = rows_.begin(); row != rows_.end(); ++row) {
      if (row->offer_key() != price.offer_key()) continue;
      if (newest == rows_.end() || day_number(row->as_of) >= day_number(newest->as_of))
        newest = row;
    }
    return newest;
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

  std::vector<Price> rows_;
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
  plan.file = file_of(provider, catalog_directory);
  Merger merger(provider, catalog);
  for (const Price& price : prices) merger.merge(price);
  merger.finish(provider, schema_of(plan.file), plan);
  if (plan.text.size() > kMostCatalogBytes) {
    throw InputError(plan.file.string() + ": would have " + std::to_string(plan.text.size()) +
                     " bytes, and a file of a catalog has at most " +
                     std::to_string(kMostCatalogBytes) + ": nothing is written");
  }
  return plan;
}

}  // namespace sizesheet
