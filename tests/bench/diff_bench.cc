// SPDX-License-Identifier: Apache-2.0
// How long a comparison of two editions of 100,000 rows takes, a tenth of the rows changed, and how
// long reading them takes. `peak_mib` is that of the process so far: run one at a time by its
// filter.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "cost/rent.h"
#include "render/diff/markdown.h"
#include "render/diff/text.h"
#include "sheet/changes.h"
#include "sheet/diff/compare.h"
#include "sheet/diff/edition.h"
#include "sheet/diff/read_edition.h"
#include "sheet/money.h"
#include "sheet/sheet.h"
#include "sheet/sheet_json.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/verdict.h"
#include "support/json.h"
#include "support/money.h"
#include "support/object_text.h"
#include "support/parallel.h"
#include "support/temp_dir.h"

namespace sizesheet {
namespace {

constexpr std::int64_t kModels = 500;
constexpr std::int64_t kGpus = 200;  // with kModels: 100,000 rows

std::string numbered(const char* name, std::int64_t number) {
  return name + std::to_string(number);
}

Row big_row(std::int64_t model, std::int64_t gpu, std::int64_t usd) {
  Row row;
  row.model = numbered("model-", model);
  row.method = "lora-r16";
  row.gpu = numbered("gpu-", gpu);
  row.scenario = "s";
  row.verdict = Verdict::kFits;
  row.layout.gpus = 2;
  row.memory.device = 60LL << 30;
  row.memory.capacity = 80LL << 30;
  for (const char* term : {"weights", "adapters", "gradients", "optimizer", "activations",
                           "recompute", "logits", "working_set", "slack", "overhead"}) {
    row.terms.push_back({term, term, 6LL << 30, {}, ""});
  }
  row.hours_mid = 10;
  row.rents[kOnDemand].emplace();
  row.rents[kOnDemand]->price_key = "p/any//g/on_demand/1/2026-10-01";
  row.rents[kOnDemand]->tier = "on_demand";
  row.rents[kOnDemand]->instances = 2;
  row.rents[kOnDemand]->usd_per_hour = MicroUsd{usd * 1'000'000};
  row.rents[kOnDemand]->usd_per_run = row.rents[kOnDemand]->usd_per_hour * 10;
  row.spread = PriceSpread{MicroUsd{1}, MicroUsd{2}, MicroUsd{3}, 3};
  row.confidence = "A";
  return row;
}

/// The parts that name the rows.
Sheet big_head(bool changed) {
  Sheet sheet;
  sheet.meta.edition = changed ? "new" : "old";
  sheet.scenarios.emplace_back().id = "s";
  sheet.methods.emplace_back().id = "lora-r16";
  for (std::int64_t gpu = 0; gpu < kGpus; ++gpu)
    sheet.gpus.emplace_back().id = numbered("gpu-", gpu);
  for (std::int64_t model = 0; model < kModels; ++model) {
    sheet.models.emplace_back().id = numbered("model-", model);
    Pick& pick = sheet.picks.emplace_back();
    pick.model = sheet.models.back().id;
    pick.method = "lora-r16";
    pick.scenario = "s";
    pick.rent_key = pick.model + "/lora-r16/gpu-0/s";
  }
  sheet.inputs = Json::object();
  return sheet;
}

/// Calls `take` with each of the 100,000 rows; a tenth is dearer where `changed`.
void each_row(bool changed, const std::function<void(const Row&)>& take) {
  for (std::int64_t model = 0; model < kModels; ++model) {
    for (std::int64_t gpu = 0; gpu < kGpus; ++gpu) {
      take(big_row(model, gpu, changed && gpu % 10 == 0 ? 5 : 4));
    }
  }
}

Edition big_edition(bool changed) {
  Edition edition = edition_of(big_head(changed), changed ? "new" : "old");
  each_row(changed, [&](const Row& row) { edition.rows.push_back(edition_row(row)); });
  return edition;
}

/// The row without what is null or empty: a reader takes that for absent.
Json slim_json(const Row& row) {
  Sheet one;
  one.rows = {row};
  const Json whole = to_json(one).at("rows").at(0);
  Json slim = Json::object();
  for (const auto& [key, value] : whole.items()) {
    if (!value.is_null() && !value.empty()) slim[key] = value;
  }
  slim["terms"] = Json::array();
  for (const MemoryTerm& term : row.terms) {
    slim["terms"].push_back({{"name", term.name}, {"title", term.title}, {"bytes", term.bytes}});
  }
  return slim;
}

/// Row by row, so that the benchmark itself needs no memory that counts.
void write_big_sheet(bool changed, const std::filesystem::path& path) {
  std::ofstream file(path, std::ios::binary);
  std::string text = to_json_text(big_head(changed));
  const std::string empty = "\"rows\": []";
  const std::size_t place = text.find(empty);
  file << text.substr(0, place) << "\"rows\": [";
  bool first = true;
  each_row(changed, [&](const Row& row) {
    file << (first ? "\n  " : ",\n  ") << json_text(slim_json(row));
    first = false;
  });
  file << "\n ]" << text.substr(place + empty.size());
}

double peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void compare_100000(benchmark::State& state) {
  const Edition old_edition = big_edition(false);
  const Edition new_edition = big_edition(true);
  for (auto step : state) {
    benchmark::DoNotOptimize(compare_editions(old_edition, new_edition, {}));
  }
  state.counters["peak_mib"] = peak_mib();
}

void write_100000(benchmark::State& state) {
  const SheetChanges changes = compare_editions(big_edition(false), big_edition(true), {});
  for (auto step : state) {
    benchmark::DoNotOptimize(diff_text(changes, {}));
    benchmark::DoNotOptimize(diff_markdown(changes, false));
    benchmark::DoNotOptimize(to_json_text(changes));
  }
  state.counters["peak_mib"] = peak_mib();
}

void read_100000(benchmark::State& state) {
  const TempDir dir;
  const auto path = [&](bool changed) { return dir.path() / (changed ? "new.json" : "old.json"); };
  for (const bool changed : {false, true}) write_big_sheet(changed, path(changed));
  for (auto step : state) {
    Edition editions[2];
    for_each_index(2, static_cast<int>(state.range(0)),
                   [&](std::size_t i) { editions[i] = read_edition(path(i == 1)); });
    benchmark::DoNotOptimize(editions);
  }
  state.counters["mib_of_one_file"] =
      static_cast<double>(std::filesystem::file_size(path(true))) / (1 << 20);
  state.counters["peak_mib"] = peak_mib();
}

BENCHMARK(compare_100000)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(write_100000)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(read_100000)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace sizesheet
