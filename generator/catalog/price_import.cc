// SPDX-License-Identifier: Apache-2.0
#include "catalog/price_import.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "catalog/entry.h"
#include "catalog/price_warnings.h"
#include "support/printable.h"
#include "support/text.h"

namespace sizesheet {
namespace {

using Kind = ImportNote::Kind;

struct Taken {
  std::int64_t line = 0;
  std::string zone;
  std::string region;  ///< as the file has it
  Price price;
};

std::string dollars(MicroUsd amount) { return "$" + shortest(to_usd(amount)); }

class Importer {
 public:
  explicit Importer(const Catalog& catalog) : catalog_(catalog) {
    for (const auto& [id, gpu] : catalog.gpus) gpus_.push_back(id);
  }

  PriceImport run(PriceCandidates candidates) {
    result_.provider = candidates.provider;
    result_.notes = std::move(candidates.notes);
    result_.without_gpu = candidates.without_gpu;
    std::map<std::string, std::vector<Taken>> by_key;
    for (const PriceCandidate& candidate : candidates.rows) {
      if (auto taken = checked(candidate)) {
        by_key[taken->price.key()].push_back(std::move(*taken));
      }
    }
    for (const auto& [key, rows] : by_key) settle(rows);
    std::sort(kept_.begin(), kept_.end(),
              [](const Taken& a, const Taken& b) { return a.price.key() < b.price.key(); });
    for (const Taken& taken : kept_) result_.prices.push_back(taken.price);
    warn();
    std::stable_sort(result_.notes.begin(), result_.notes.end(),
                     [](const ImportNote& a, const ImportNote& b) { return a.line < b.line; });
    return std::move(result_);
  }

 private:
  void note(std::int64_t line, Kind kind, const std::string& text) {
    result_.notes.push_back({line, kind, text});
  }

  std::optional<Taken> checked(const PriceCandidate& candidate) {
    Faults faults;
    ObjectReader reader(candidate.row, "", "", faults);
    Taken taken{candidate.line, candidate.zone, "",
                read_price(reader, result_.provider, catalog_.exchange)};
    taken.region = taken.price.region;
    check_texts(candidate.row, "", faults);
    if (reader.sound("gpu") && !catalog_.gpus.contains(taken.price.gpu)) {
      reader.fault("gpu", "no GPU " + in_quotes(taken.price.gpu) + " in the catalog" +
                              did_you_mean(taken.price.gpu, gpus_));
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
    return std::all_of(rows.begin(), rows.end(), [&](const Taken& row) {
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
  std::vector<std::string> gpus_;
  std::vector<Taken> kept_;
  PriceImport result_;
};

}  // namespace

PriceImport take_prices(PriceCandidates candidates, const Catalog& catalog) {
  return Importer(catalog).run(std::move(candidates));
}

}  // namespace sizesheet
