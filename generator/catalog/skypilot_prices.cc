// SPDX-License-Identifier: Apache-2.0
// SkyPilot's vms.csv: a line for each machine, region and zone, with two prices.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "catalog/price_import.h"
#include "support/printable.h"
#include "support/text.h"

namespace sizesheet {
namespace {

using Kind = ImportNote::Kind;

constexpr double kMostUsd = 1e6;
constexpr double kMostGpus = 65536;

std::optional<double> number_in(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::size_t required_column(const CsvTable& table, const std::string& file,
                            const std::string& name) {
  if (const auto place = table.column(name)) return *place;
  throw InputError(file + ": expected a column " + in_quotes(name) + ", got " +
                   column_names(table) + did_you_mean(name, table.header));
}

/// Columns by name; the order varies from provider to provider.
struct Columns {
  Columns(const CsvTable& table, const std::string& file)
      : instance(required_column(table, file, "InstanceType")),
        accelerator(required_column(table, file, "AcceleratorName")),
        count(required_column(table, file, "AcceleratorCount")),
        price(required_column(table, file, "Price")),
        region(required_column(table, file, "Region")),
        spot(table.column("SpotPrice")),
        zone(table.column("AvailabilityZone")),
        described(table.column("GpuInfo")) {}

  std::size_t instance, accelerator, count, price, region;
  std::optional<std::size_t> spot, zone, described;
};

class SkyPilotReader {
 public:
  SkyPilotReader(const CsvTable& table, const std::string& file, const std::string& provider,
                 const AcceleratorNames& names, Json shared)
      : table_(table), columns_(table, file), names_(names), shared_(std::move(shared)) {
    result_.provider = provider;
  }

  PriceCandidates run() {
    for (const CsvRow& row : table_.rows) {
      row_ = &row;
      if (row.cells.size() != table_.header.size()) {
        refuse("expected " + std::to_string(table_.header.size()) + " fields, got " +
               std::to_string(row.cells.size()));
      } else {
        read_row();
      }
    }
    return std::move(result_);
  }

 private:
  const std::string& cell(std::size_t column) const { return row_->cells[column]; }
  std::string cell(std::optional<std::size_t> column) const {
    return column ? row_->cells[*column] : "";
  }
  void note(Kind kind, const std::string& text) {
    result_.notes.push_back({row_->line, kind, text});
  }
  void refuse(const std::string& text) { note(Kind::kRefuse, text); }

  void read_row() {
    const std::string& instance = cell(columns_.instance);
    const std::string& name = cell(columns_.accelerator);
    if (name.empty()) return read_row_without_gpu(instance);
    if (instance.empty()) {
      return refuse(in_quotes(name) +
                    ": expected the price of a whole instance, got a GPU without its host");
    }
    const AcceleratorName* known = names_.find(name);
    if (known == nullptr) return refuse(why_unknown(name));
    const auto count = number_in(cell(columns_.count));
    if (!count || !(*count >= 1 && *count <= kMostGpus) || *count != std::floor(*count)) {
      return refuse("AcceleratorCount: expected a whole number from 1 to " + shortest(kMostGpus) +
                    ", got " + in_quotes(cell(columns_.count)));
    }
    add_prices(*known, static_cast<std::int64_t>(*count));
  }

  void read_row_without_gpu(const std::string& instance) {
    for (const std::string& prefix : names_.priced_without_gpus) {
      if (!starts_with(instance, prefix)) continue;
      return refuse(in_quotes(instance) +
                    ": expected the price of a whole instance, got a host without its GPUs");
    }
    const std::string& count = cell(columns_.count);
    if (!count.empty() && number_in(count) != 0.0) {
      return refuse("AcceleratorName: expected a name beside an AcceleratorCount of " + count +
                    ", got nothing");
    }
    ++result_.without_gpu;
  }

  std::string why_unknown(const std::string& name) const {
    const auto& others = names_.not_in_catalog;
    if (std::find(others.begin(), others.end(), name) != others.end()) {
      return "AcceleratorName: " + in_quotes(name) + " is not in the catalog";
    }
    return "AcceleratorName: expected a known name, got " + in_quotes(name) +
           did_you_mean(name, names_.known());
  }

  void add_prices(const AcceleratorName& name, std::int64_t count) {
    const std::string list = cell(columns_.price);
    const std::string spot = cell(columns_.spot);
    if (list.empty() && spot.empty()) {
      return refuse("Price: expected a price in Price or SpotPrice, got nothing");
    }
    if (!is_price(list) || !is_price(spot)) {
      return refuse(std::string(is_price(list) ? "SpotPrice" : "Price") +
                    ": expected US dollars above 0 and at most " + shortest(kMostUsd) + ", got " +
                    in_quotes(is_price(list) ? spot : list));
    }
    const ResolvedGpu gpu =
        resolve(name, result_.provider, cell(columns_.instance) + " " + cell(columns_.described));
    if (gpu.guessed) {
      note(Kind::kWarn, in_quotes(name.name) + " may be " + name.unclear + ": taken as " + gpu.gpu);
    }
    if (!list.empty()) add(gpu.gpu, count, "on_demand", *number_in(list));
    if (!spot.empty()) add(gpu.gpu, count, "spot", *number_in(spot));
  }

  /// Also where there is none: that a price is missing is told apart.
  static bool is_price(const std::string& text) {
    if (text.empty()) return true;
    const auto number = number_in(text);
    return number && *number > 0 && *number <= kMostUsd && rounded_usd(*number) > MicroUsd{};
  }

  void add(const std::string& gpu, std::int64_t count, const char* tier, double usd) {
    Json row = shared_;
    row["gpu"] = gpu;
    row["region"] = cell(columns_.region).empty() ? "unstated" : cell(columns_.region);
    row["instance"] = cell(columns_.instance);
    row["gpus"] = count;
    row["tier"] = tier;
    row["usd_per_instance_hour"] = to_usd(rounded_usd(usd));
    result_.rows.push_back({row_->line, cell(columns_.zone), std::move(row)});
  }

  const CsvTable& table_;
  Columns columns_;
  const AcceleratorNames& names_;
  Json shared_;
  const CsvRow* row_ = nullptr;
  PriceCandidates result_;
};

}  // namespace

PriceCandidates read_skypilot_prices(const CsvTable& table, const std::string& file,
                                     const std::string& provider, const std::string& as_of,
                                     const std::string& source, const AcceleratorNames& names) {
  const auto offer = names.offers.find(provider);
  const Json shared = {{"offer", offer == names.offers.end() ? "list" : offer->second},
                       {"as_of", as_of},
                       {"source", source}};
  return SkyPilotReader(table, file, provider, names, shared).run();
}

}  // namespace sizesheet
