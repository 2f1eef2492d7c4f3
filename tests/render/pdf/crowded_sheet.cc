// SPDX-License-Identifier: Apache-2.0
// Random sheets use only the engine's raw numbers: distributions of the standard library differ
// from one library to the next.
#include "render/pdf/crowded_sheet.h"

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "render/sample_rows.h"
#include "render/sample_sheet.h"

namespace sizesheet::pdf {
namespace {

/// `all` repeated until there are `count`, the copies under ids of their own.
template <typename T>
std::vector<T> repeated(const std::vector<T>& all, std::size_t count) {
  std::vector<T> out;
  for (std::size_t i = 0; i < count; ++i) {
    out.push_back(all[i % all.size()]);
    if (i >= all.size()) out.back().id += "-" + std::to_string(i);
  }
  return out;
}

template <typename T>
const T& origin(const std::vector<T>& all, std::size_t i) {
  return all[i % all.size()];
}

/// The row of the sample that stands behind a cell, under the cell's ids.
void add_row(const Sheet& sample, Sheet& sheet, std::size_t model, std::size_t method,
             std::size_t gpu) {
  const std::string& scenario = sample.scenarios.front().id;
  const Row* row = sample.find(origin(sample.models, model).id, origin(sample.methods, method).id,
                               origin(sample.gpus, gpu).id, scenario);
  if (!row) return;
  sheet.rows.push_back(*row);
  sheet.rows.back().model = sheet.models[model].id;
  sheet.rows.back().method = sheet.methods[method].id;
  sheet.rows.back().gpu = sheet.gpus[gpu].id;
  auto& owned = sheet.rows.back().owned;
  if (!owned) return;
  owned->gpu = sheet.gpus[gpu].id;
  if (owned->rent_set_up) owned->rent_set_up->gpu = owned->gpu;
}

}  // namespace

Sheet crowded_sheet(std::size_t models, std::size_t methods, std::size_t gpus) {
  const Sheet& sample = sample_sheet();
  static const Sheet kWithoutRows = [&] {
    Sheet bare = sample;
    bare.scenarios.resize(1);
    bare.rows.clear();
    bare.picks.clear();
    return bare;
  }();
  Sheet sheet = kWithoutRows;
  sheet.models = repeated(sample.models, models);
  sheet.methods = repeated(sample.methods, methods);
  sheet.gpus = repeated(sample.gpus, gpus);
  for (std::size_t model = 0; model < models; ++model) {
    for (std::size_t method = 0; method < methods; ++method) {
      for (std::size_t gpu = 0; gpu < gpus; ++gpu) add_row(sample, sheet, model, method, gpu);
      sheet.picks.push_back(sample::pick_of(sheet, sheet.models[model], sheet.methods[method]));
    }
  }
  sheet.options.highlight_model = sheet.models.back().id;
  return sheet;
}

void magnify(Sheet& sheet, double factor) {
  const auto change = [&](std::optional<MicroUsd>& usd) {
    if (usd) usd->value = std::llround(static_cast<double>(usd->value) * factor);
  };
  const auto change_known = [&](MicroUsd& usd) {
    usd.value = std::llround(static_cast<double>(usd.value) * factor);
  };
  for (Row& row : sheet.rows) {
    for (auto* line : {&row.rents[kOnDemand], &row.rents[kSpot], &row.rents[kReserved1y]}) {
      if (!*line) continue;
      change_known((*line)->usd_per_hour);
      change((*line)->usd_per_run);
      change((*line)->usd_per_month);
    }
    for (std::optional<double>* hours : {&row.hours_low, &row.hours_mid, &row.hours_high}) {
      if (*hours) **hours *= factor;
    }
    if (!row.own) continue;
    for (MicroUsd* usd :
         {&row.own->capex_usd, &row.own->own_usd_per_month, &row.own->own_usd_per_gpu_hour,
          &row.own->fixed_usd_per_month, &row.own->full_use_usd_per_month}) {
      change_known(*usd);
    }
    change(row.own->own_usd_per_run);
  }
}

void take_prices(Sheet& sheet) {
  for (Row& row : sheet.rows) {
    row.rents = {};
    row.own.reset();
  }
  for (SheetGpu& gpu : sheet.gpus) gpu.list_usd_per_gpu_hour.reset();
  for (SheetPrice& price : sheet.prices) price.used = false;
  for (Pick& pick : sheet.picks) pick.rent_key = pick.buy_key = std::nullopt;
}

const SheetChanges& sample_changes() {
  static const SheetChanges kChanges =
      sample::value_from<SheetChanges>(sample::facts("changes.json").at("page"));
  return kChanges;
}

namespace {

constexpr std::size_t kMostRows = 36;
constexpr std::int64_t kGiBytes = 1LL << 30;

class Dice {
 public:
  explicit Dice(std::uint32_t number) : engine_(number) {}

  std::size_t up_to(std::size_t most) { return engine_() % (most + 1); }
  std::size_t between(std::size_t least, std::size_t most) { return least + up_to(most - least); }
  bool one_in(std::size_t n) { return up_to(n - 1) == 0; }
  /// Every power of ten is as likely.
  double magnitude(double least, double most) {
    const double share = static_cast<double>(engine_()) / 4294967295.0;
    return least * std::pow(most / least, share);
  }
  /// Now and then a millionth of a dollar, or nearly ten thousand million.
  MicroUsd usd(double least, double most) {
    if (one_in(60)) return {1};
    if (one_in(60)) return {9'990'000'000'000'000};
    return {std::llround(1e6 * magnitude(least, most))};
  }
  /// Mostly Latin letters; else those of one other script, or what no font has.
  std::string word(std::size_t most) {
    static const std::vector<std::vector<std::string>> kScripts{
        {"日", "本", "語", "한", "국", "中"},
        {"ש", "ל", "ו", "ם", "ع", "ر"},
        {"\U0001F600", "\U0001F9EE", "\U0001F468\u200D\U0001F4BB", "x"},
        {"Ä", "é", "ß", "ł", "Ж", "λ"},
        {"W", "\u202E", "\u200B", "\t", "|", "<"}};
    static const std::string kLetters = "aeionrstlABCMWX012-. ";
    const bool latin = !one_in(4);
    const std::vector<std::string>& script = kScripts[up_to(kScripts.size() - 1)];
    std::string text;
    for (std::size_t i = between(1, most); i > 0; --i) {
      text += latin ? std::string(1, kLetters[up_to(kLetters.size() - 1)])
                    : script[up_to(script.size() - 1)];
    }
    return text;
  }

 private:
  std::mt19937 engine_;
};

std::int64_t random_count(Dice& dice) { return std::int64_t{1} << dice.up_to(9); }

void fill_counts(Dice& dice, Row& row) {
  row.modelled = !dice.one_in(20);
  row.rentable.reset();
  row.tight.reset();
  if (!dice.one_in(6)) row.tight = random_count(dice);
  if (row.tight && !dice.one_in(6)) row.rentable = *row.tight * (dice.one_in(4) ? 2 : 1);
  row.layout.gpus = row.rentable.value_or(row.tight.value_or(1));
}

void fill_memory(Dice& dice, Row& row) {
  const double scale = dice.magnitude(0.05, 2);
  MemoryBill& bill = row.memory;
  auto& terms = bill.terms;
  for (std::int64_t* term : {&terms[Term::kWeights], &terms[Term::kGradients],
                             &terms[Term::kOptimizer], &terms[Term::kActivations], &bill.device}) {
    *term = std::llround(static_cast<double>(*term) * scale);
  }
  bill.capacity = static_cast<std::int64_t>(dice.between(24, 288)) * kGiBytes;
  if (dice.one_in(3)) row.fewer.reset();
}

RentLine line_of(Dice& dice) {
  RentLine line;
  line.usd_per_hour = dice.usd(0.05, 2000);
  if (!dice.one_in(8)) line.usd_per_run = dice.usd(0.05, 3e6);
  line.usd_per_month = dice.usd(20, 2e6);
  return line;
}

void fill_money(Dice& dice, Row& row) {
  row.hours_mid.reset();
  if (!dice.one_in(8)) row.hours_mid = dice.magnitude(0.02, 20'000);
  row.rents[kOnDemand] = dice.one_in(5) ? std::nullopt : std::optional<RentLine>(line_of(dice));
  row.rents[kSpot] = dice.one_in(3) ? std::nullopt : std::optional<RentLine>(line_of(dice));
  row.rents[kReserved1y] = dice.one_in(2) ? std::nullopt : std::optional<RentLine>(line_of(dice));
  if (dice.one_in(5)) row.own.reset();
  if (!row.own) return;
  row.own->capex_usd = dice.usd(2000, 5e8);
  row.own->own_usd_per_month = dice.usd(50, 2e7);
  row.own->fixed_usd_per_month = row.own->own_usd_per_month;
  row.own->full_use_usd_per_month = row.own->own_usd_per_month;
  row.own->own_usd_per_gpu_hour = dice.usd(0.05, 900);
  row.own->own_usd_per_run = dice.usd(0.05, 3e6);
  row.own->break_even_hours_per_month.reset();
  if (row.rents[kOnDemand] && !dice.one_in(3)) {
    row.own->break_even_hours_per_month = static_cast<double>(dice.up_to(730));
  }
  row.own->close = dice.one_in(4);
}

void fill_words(Dice& dice, Sheet& sheet) {
  for (SheetModel& model : sheet.models) {
    if (dice.one_in(5)) model.size = dice.word(12);
    if (dice.one_in(5)) model.short_note = dice.word(40);
  }
  for (SheetMethod& method : sheet.methods) {
    if (dice.one_in(5)) method.short_title = dice.word(16);
  }
  for (SheetGpu& gpu : sheet.gpus) {
    if (dice.one_in(5)) gpu.short_name = dice.word(24);
    if (dice.one_in(9)) gpu.tiny_name = dice.word(12);
    if (dice.one_in(4)) gpu.list_usd_per_gpu_hour.reset();
  }
  if (dice.one_in(4)) sheet.meta.title = dice.word(120);
  if (dice.one_in(4)) sheet.scenarios.front().summary = dice.word(400);
  if (dice.one_in(2))
    sheet.meta.base_url = "https://" + std::string(dice.between(5, 90), 'x') + "/";
}

}  // namespace

Sheet random_sheet(std::uint32_t number) {
  Dice dice(number);
  const std::size_t methods = dice.between(1, 5);
  std::size_t models = dice.between(1, std::min<std::size_t>(12, kMostRows / methods));
  const bool none = dice.one_in(50);
  if (dice.one_in(50)) models = kMostRows / methods + 1;
  Sheet sheet = crowded_sheet(models, methods, dice.between(1, 10));
  for (Row& row : sheet.rows) {
    fill_counts(dice, row);
    fill_memory(dice, row);
    fill_money(dice, row);
  }
  for (Pick& pick : sheet.picks) {
    pick.rent_key.reset();
    if (dice.one_in(8)) continue;
    const SheetGpu& gpu = sheet.gpus[dice.up_to(sheet.gpus.size() - 1)];
    const Row* row = sheet.find(pick.model, pick.method, gpu.id, pick.scenario);
    if (row && row->tight) pick.rent_key = row->key();
  }
  fill_words(dice, sheet);
  sheet.options.highlight_model = sheet.models[dice.up_to(models - 1)].id;
  if (dice.one_in(2)) sheet.changes = sample_changes();
  if (dice.one_in(4)) sheet.accuracy.reset();
  if (none) {
    sheet.models.clear();
    sheet.rows.clear();
    sheet.picks.clear();
  }
  return sheet;
}

}  // namespace sizesheet::pdf
