// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/table/columns.h"

#include <algorithm>
#include <stdexcept>
#include <variant>

#include "render/decision_words.h"
#include "render/pdf/drawing/sketch.h"
#include "render/pdf/table/table.h"
#include "render/phrases.h"
#include "sheet/decision.h"
#include "sheet/measures.h"
#include "sheet/money.h"
#include "sheet/seller_names.h"
#include "sheet/sheet.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet::pdf {
namespace {

Cell absent() { return {{std::string(kAbsent)}, true}; }

Cell word_cell(const char* text) { return {{text}, true}; }

/// Dollars in two or three digits; then in thousands, millions and billions.
Figure usd_forms(MicroUsd usd) { return {few_digits_usd(usd), machine_usd(usd)}; }

/// The id of a measure, as an argument of a template.
template <std::size_t n>
struct Id {
  constexpr Id(const char (&id)[n]) { std::copy_n(id, n, text); }
  char text[n] = {};
};

/// Of a measure in dollars.
template <Id id>
Cell dollars(const Shown& of) {
  const FigureValue value = measure(id.text).of(of.row);
  const auto* usd = std::get_if<MicroUsd>(&value);
  return usd != nullptr ? Cell{usd_forms(*usd)} : absent();
}

Cell guessed(Figure forms, bool measured) {
  if (!measured) {
    for (std::string& form : forms) form.insert(0, kGuessMark);
  }
  return {std::move(forms)};
}

/// "8 ×" and "B200" are two columns, so that counts line up.
Cell count_of(std::int64_t gpus) { return {{format_integer(gpus) + "\u00a0×"}}; }

Cell name_of(const Shown& of, const std::string& gpu) {
  const SheetGpu& facts = of.sheet.gpu(gpu);
  return {{facts.short_name, facts.tiny_name}};
}

const RunCandidate* run_of(const Shown& of) { return of.row.set_up(); }

Cell rent_count(const Shown& of) { return count_of(of.row.layout.gpus); }

Cell rent_gpu(const Shown& of) {
  Cell cell = name_of(of, of.row.gpu);
  cell.unsure = !of.row.certain().value_or(true);
  cell.one_seller = of.pick.exposed;
  return cell;
}

Cell seller(const Shown& of) {
  const RunCandidate* run = run_of(of);
  return run == nullptr ? absent() : Cell{{seller_name(of.sheet, run->provider)}};
}

Cell hours_cell(const Shown& of) {
  const auto& hours = of.row.hours_mid;
  if (!hours) return absent();
  Cell cell = guessed({few_digits_hours(*hours)}, of.row.speed_measured != false);
  if (*hours >= 1000)
    cell.forms.push_back(
        guessed({few_digits_hours(*hours / 1000) + "\u00a0k"}, of.row.speed_measured != false)
            .forms.front());
  return cell;
}

Cell expected(const Shown& of) {
  const auto usd = of.row.usd_per_run();
  return usd ? Cell{usd_forms(*usd)} : absent();
}

Cell range(const Shown& of) {
  const RunCandidate* run = run_of(of);
  if (run == nullptr) return absent();
  Figure forms{format_usd_roughly(run->usd.low) + "–" + format_usd_roughly(run->usd.high),
               machine_usd(run->usd.low) + "–" + machine_usd(run->usd.high)};
  return {std::move(forms)};
}

/// Of the second source, which need not be there.
const SecondSource* second_of(const Shown& of) {
  const auto& second = of.pick.second_source;
  return second && of.pick.rent_key == of.row.key() ? &*second : nullptr;
}

/// "8 × MI300X, Hot Aisle".
Cell second_cell(const Shown& of) {
  const SecondSource* second = second_of(of);
  if (second == nullptr) return word_cell("none");
  const std::string count = format_integer(second->gpus) + "\u00a0×\u00a0";
  const std::string from = ", " + seller_name(of.sheet, second->provider);
  const SheetGpu& gpu = of.sheet.gpu(second->gpu);
  Cell cell{{count + gpu.short_name + from, count + gpu.tiny_name + from}};
  cell.unsure = !second->certain.value_or(true);
  return cell;
}

/// Expected dollars over the pick's.
Cell second_away(const Shown& of) {
  const SecondSource* second = second_of(of);
  const auto usd = of.row.usd_per_run();
  if (second == nullptr || !usd || usd->value <= 0) return absent();
  const double share = to_usd(second->usd) / to_usd(*usd) - 1;
  Cell cell{{away_words(share)}};
  if (share >= 1) cell.forms.push_back("×\u00a0" + few_digits_hours(1 + share));
  return cell;
}

Cell own_count(const Shown& of) {
  return of.row.owned ? count_of(of.row.owned->gpus + of.row.owned->unused_gpus) : Cell{{""}};
}

Cell own_gpu(const Shown& of) {
  if (!of.row.owned) return word_cell(kNoQuote);
  Cell cell = name_of(of, of.row.owned->gpu);
  if (of.row.owned->used) {
    for (std::string& form : cell.forms) form += " used";
  }
  cell.unsure = !of.row.owned->certain.value_or(true);
  return cell;
}

Cell own_price(const Shown& of) {
  return of.row.owned ? Cell{{machine_usd(of.row.owned->capex_usd)}} : absent();
}

Cell own_run(const Shown& of) {
  if (!of.row.owned) return absent();
  return guessed(usd_forms(of.row.owned->usd_per_run), of.row.owned->measured);
}

Cell break_even(const Shown& of) {
  if (!of.row.owned || !of.row.owned->rent_usd_per_run) return absent();
  const auto& hours = of.row.owned->break_even_hours_per_month;
  if (!hours) return word_cell(kNever);
  return {{month_hours(*hours)}};
}

/// What the plan of a stated demand says; nothing without one.
Cell advice(const Shown& of) { return {{of.row.owned ? of.row.owned->word() : ""}}; }

constexpr Align kRight = Align::kRight;
constexpr Align kLeft = Align::kLeft;

// An entry a column, from left to right.
// clang-format off
constexpr Column kColumns[] = {
    {"size", Band::kJob},
    {"method", Band::kJob},
    {"counts", Band::kCounts},
    {"pick_count", Band::kRent, kRight, Tone::kStrong, "", "", "", rent_count},
    {"pick", Band::kRent, kLeft, Tone::kStrong, "", "GPUs", "GPUs to rent", rent_gpu, 78, true},
    {"seller", Band::kRent, kLeft, Tone::kPlain, "", "from", "seller", seller, 78, false, 6},
    {"per_run", Band::kRent, kRight, Tone::kStrong, "$ per", "run", "$ per run", expected},
    {"range", Band::kRent, kRight, Tone::kQuiet, "9 of 10", "runs, $", "range of $", range, 0, false, 5},
    {"hours", Band::kRent, kRight, Tone::kPlain, "", "hours", "hours", hours_cell},
    {"next", Band::kSecond, kLeft, Tone::kPlain, "", "second source", "second source", second_cell, 130, false, 3},
    {"next_away", Band::kSecond, kRight, Tone::kPlain, "", "diff. %", "difference", second_away, 0, false, 3, "next"},
    {"machine_count", Band::kOwn, kRight, Tone::kPlain, "", "", "", own_count, 0, false, 0, "machine"},
    {"machine", Band::kOwn, kLeft, Tone::kPlain, "", "machine", "machine to own", own_gpu, 92, true},
    {"capex", Band::kOwn, kRight, Tone::kPlain, "", "price $", "price of the machine", own_price, 0, false, 2},
    {"own", Band::kOwn, kRight, Tone::kPlain, "$ per run", nullptr, "owned $ per run", own_run, 0, false, 4},
    {"break_even", Band::kOwn, kRight, Tone::kStrong, "break-", "even, h", "break-even", break_even},
    {"advice", Band::kOwn, kLeft, Tone::kStrong, "", "plan", "the plan’s word", advice},
    {"service", Band::kService, kRight, Tone::kPlain, "", "$ per run", "service", dollars<"service_usd_per_run">, 0, false, 1},
};
// clang-format on

constexpr const Column* with_id(std::string_view id) {
  return std::ranges::find(kColumns, id,
                           [](const Column& one) { return std::string_view(one.id); });
}

constexpr double kJoined = 2.2;  // between "8 ×" and "B200"

/// Before a column, roomy and tight.
struct Gap {
  double roomy;
  double tight;
};

Gap gap_before(const Column& column, const Column* before) {
  if (before == nullptr) return {0, 0};
  if (column.joined) return {kJoined, kJoined};
  if (column.band != before->band) return {11, 7};
  return {7, 3.6};
}

using Needs = std::vector<std::optional<ColumnNeed>>;

/// Without those that give way at this rank or before.
Needs without(Needs needs, int rank) {
  for (std::size_t i = 0; i < std::size(kColumns); ++i) {
    const int own = kColumns[i].gives_way;
    if (own > 0 && own <= rank) needs[i].reset();
  }
  return needs;
}

struct Sums {
  double least = 0;
  double wanted = 0;  ///< more than that, to be as wide as it likes
};

template <typename Visit>
void each_slot(const Needs& needs, const std::vector<ColumnNeed>& gpus, Visit visit) {
  const Column* before = nullptr;
  for (std::size_t i = 0; i < std::size(kColumns); ++i) {
    if (!needs[i]) continue;
    const Column& column = kColumns[i];
    const Gap gap = gap_before(column, before);
    before = &column;
    if (column.band != Band::kCounts) {
      visit(i, gap, *needs[i]);
      continue;
    }
    for (std::size_t gpu = 0; gpu < gpus.size(); ++gpu) {
      visit(i, gpu == 0 ? gap : Gap{4, 1.6}, gpus[gpu]);
    }
  }
}

Sums sums_of(const Needs& needs, const std::vector<ColumnNeed>& gpus) {
  Sums sums;
  each_slot(needs, gpus, [&](std::size_t, Gap gap, const ColumnNeed& need) {
    sums.least += gap.tight + need.least;
    sums.wanted += gap.roomy - gap.tight + need.natural - need.least;
  });
  return sums;
}

Columns placed(const Span& room, const Needs& needs, const std::vector<ColumnNeed>& gpus) {
  const Sums sums = sums_of(needs, gpus);
  const double spare = room.width() - sums.least;
  const double share = sums.wanted > 0 ? std::min(1.0, spare / sums.wanted) : 1.0;
  std::size_t gaps = 0;
  each_slot(needs, gpus, [&](std::size_t i, Gap gap, const ColumnNeed&) {
    gaps += gap.roomy > 0 && !kColumns[i].joined ? 1 : 0;
  });
  const double more = gaps == 0 ? 0 : (spare - share * sums.wanted) / static_cast<double>(gaps);
  Columns columns;
  columns.spans.resize(std::size(kColumns));
  double x = room.x0;
  each_slot(needs, gpus, [&](std::size_t i, Gap gap, const ColumnNeed& need) {
    x += gap.tight + share * (gap.roomy - gap.tight);
    if (gap.roomy > 0 && !kColumns[i].joined) x += more;
    const Span span{x, x + need.least + share * (need.natural - need.least)};
    x = span.x1;
    auto& whole = columns.spans[i];
    whole = Span{whole ? whole->x0 : span.x0, span.x1};
    if (kColumns[i].band == Band::kCounts) columns.gpus.push_back(span);
  });
  return columns;
}

}  // namespace

// What a sheet may hide is there to be hidden; "per_gpu" has no column of its own any more.
static_assert(std::ranges::all_of(kHideableColumns, [](std::string_view id) {
  return id == "per_gpu" || with_id(id) != std::end(kColumns);
}));

std::span<const Column> table_columns() { return kColumns; }

std::size_t column_index(std::string_view id) {
  const auto found = with_id(id);
  if (found == std::end(kColumns)) throw std::out_of_range("no such column: " + std::string(id));
  return static_cast<std::size_t>(found - std::begin(kColumns));
}

std::optional<Span> Columns::band(Band band) const {
  std::optional<Span> all;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (table_columns()[i].band != band || !spans[i]) continue;
    all = {all ? all->x0 : spans[i]->x0, spans[i]->x1};
  }
  return all;
}

std::optional<Columns> place_columns(const Span& room, const Needs& needs,
                                     const std::vector<ColumnNeed>& gpus) {
  int last = 0;
  for (const Column& column : kColumns) last = std::max(last, column.gives_way);
  for (int rank = 0; rank <= last; ++rank) {
    const Needs kept = without(needs, rank);
    if (sums_of(kept, gpus).least > room.width() + 1e-9) continue;
    Columns columns = placed(room, kept, gpus);
    for (std::size_t i = 0; i < std::size(kColumns); ++i) {
      const bool gone = needs[i] && !kept[i] && *kColumns[i].what != '\0';
      if (gone) columns.left_out.push_back(&kColumns[i]);
    }
    columns.gave_way = !columns.left_out.empty();
    return columns;
  }
  return std::nullopt;
}

}  // namespace sizesheet::pdf
