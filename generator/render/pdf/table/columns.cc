// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/table/columns.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "render/pdf/drawing/sketch.h"
#include "render/pdf/table/table.h"
#include "render/phrases.h"
#include "sheet/decision.h"
#include "sheet/measures.h"
#include "sheet/money.h"
#include "sheet/sheet.h"
#include "support/error.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet::pdf {
namespace {

constexpr double kNarrowestGpu = 25;  // a boxed count with its triangle
constexpr double kHeadRoom = 2.5;     // around a GPU's name
constexpr std::int64_t kDollar = 1'000'000;

struct Unit {
  std::int64_t size;
  const char* name;
};
constexpr Unit kUnits[] = {{1000, "k"}, {1'000'000, "M"}, {1'000'000'000, "bn"}};

/// The id of a measure, as an argument of a template.
template <std::size_t n>
struct Id {
  constexpr Id(const char (&id)[n]) { std::copy_n(id, n, text); }
  char text[n] = {};
};

/// Of a measure, with as many decimals.
template <Id id, int decimals>
Figure measured(const Shown& of) {
  return figure(measure(id.text).of(of.row), decimals);
}

Figure capex(const Shown& of) {
  return of.row.owned ? thousands(of.row.owned->capex_usd, 1) : absent();
}

/// The GPUs bought, those that stay idle among them.
Figure machine(const Shown& of) {
  if (!of.row.owned) return absent();
  const OwnPick& own = *of.row.owned;
  const SheetGpu& gpu = of.sheet.gpu(own.gpu);
  const std::string count = format_integer(own.gpus + own.unused_gpus) + " × ";
  return {count + gpu.short_name, count + gpu.tiny_name,
          format_integer(own.gpus + own.unused_gpus)};
}

Figure break_even(const Shown& of) {
  if (!of.row.owned || !of.row.owned->rent_usd_per_run) return absent();
  const auto& even = of.row.owned->break_even_runs_per_month;
  return even ? figure(*even, 1) : Figure{kNever};
}

Figure per_gpu(const Shown& of) {
  return {format_gib(of.row.memory.device, 1), format_gib(of.row.memory.device, 0)};
}

Figure hours(const Shown& of) {
  const Row& row = of.row;
  if (!row.hours_mid) return absent();
  Figure forms = figure(*row.hours_mid, *row.hours_mid < 1 ? 2 : 1);
  if (row.speed_measured != false) return forms;
  for (std::string& form : forms) form.insert(0, kGuessMark);
  return forms;
}

/// Dollars whose range is so wide are told with two digits.
constexpr double kWide = 0.5;

/// Of a run, marked where something stands behind its price.
Figure run(const Shown& of) {
  const auto usd = of.row.usd_per_run();
  if (!usd) return absent();
  Figure forms = figure(*usd, of.run_decimals);
  if (const RunCandidate* one = of.row.set_up()) {
    const bool wide = to_usd(one->usd.high) > (1 + kWide) * to_usd(*usd) ||
                      to_usd(one->usd.low) < (1 - kWide) * to_usd(*usd);
    if (wide) forms.insert(forms.begin(), format_usd_roughly(*usd));
  }
  if (behind_price(of.row, *of.row.rents[kOnDemand]).empty()) return forms;
  for (std::string& form : forms) form.insert(0, kLargerMark);
  return forms;
}

Figure range(const Shown& of) {
  const RunCandidate* one = of.row.set_up();
  if (one == nullptr) return absent();
  const auto& [low, mid, high] = one->usd;
  Figure forms{format_usd_roughly(low) + "–" + format_usd_roughly(high)};
  for (const Unit& unit : kUnits) {
    if (to_usd(high) < static_cast<double>(unit.size)) break;
    const auto end = [&](MicroUsd usd) {
      return format_usd_roughly(scaled(usd, 1, unit.size)) + unit.name;
    };
    forms.push_back(end(low) + "–" + end(high));
  }
  return forms;
}

/// The seller's name, as long as there is room.
Figure seller(const Shown& of) {
  const RunCandidate* one = of.row.set_up();
  if (one == nullptr) return absent();
  Figure forms{one->provider};
  for (const std::size_t most : {12U, 10U, 8U, 6U}) {
    if (one->provider.size() > most) {
      forms.push_back(std::string(beginning_of(one->provider, most)) + "…");
    }
  }
  return forms;
}

/// The best of another type from another seller, and how far its score is from the pick's.
Figure next_best(const Shown& of) {
  const Pick* pick = of.sheet.pick(of.row.model, of.row.method);
  if (pick == nullptr || !pick->runner_up || pick->rent_key != of.row.key()) return absent();
  const SheetGpu& gpu = of.sheet.gpu(runner_up_of(of.sheet, *pick)->gpu);
  const std::string away = " " + away_words(pick->runner_up->score_share);
  return {gpu.short_name + away, gpu.tiny_name + away, gpu.tiny_name};
}

constexpr Widths kNone{};

// A line an entry, and what it is called where it gave way.
// clang-format off
constexpr Column kColumns[] = {
    {"size", Band::kSize, kNone, {60, 52, 51}},
    {"method", Band::kMethod, {4, 3, 3}, {26, 29, 26}},
    {"per_gpu", Band::kMemory, {6, 5, 5}, {24, 22, 23}, Tone::kPlain, "per", "GPU", "GiB per GPU", per_gpu,
     1, "memory per GPU", "memory"},
    {"gpus", Band::kGpus, {12, 10, 9}, kNone},
    {"which", Band::kWhich, {10, 8.5, 9}, {61, 59, 55}, Tone::kPlain, "set-up", "to rent"},
    {"hours", Band::kRent, {12, 10, 9}, {29, 28, 25}, Tone::kPlain, "hours", "a run", "hours a run", hours,
     0, "hours", "hours"},
    {"per_run", Band::kRent, kNone, {34, 31, 28}, Tone::kLead, "$", "per run", "$ per run", run,
     0, "$ per run", "$/run"},
    {"range", Band::kRent, kNone, {52, 48, 46}, Tone::kPlain, "low–high,", "9 of 10", "range of $ per run", range,
     0, "range", "range"},
    {"seller", Band::kRent, kNone, {48, 42, 38}, Tone::kPlain, "", "from", "seller", seller,
     5, "sellers", "sellers"},
    {"next", Band::kRent, {8, 6, 4}, {56, 54, 48}, Tone::kQuiet, "next best,", "by score", "next best", next_best,
     3, "next best", "next"},
    {"machine", Band::kOwn, {12, 10, 9}, {45, 41, 38}, Tone::kPlain, "which", "GPUs", "GPUs to own", machine,
     0, "GPUs to own", "GPUs to own"},
    {"capex", Band::kOwn, kNone, {27, 25, 27}, Tone::kPlain, "capex", "$ 000", "capex", capex,
     4, "capex", "capex"},
    {"own", Band::kOwn, kNone, {31, 31, 30}, Tone::kPlain, "$ per", "month", "$ per month", measured<"buy_usd_per_month", 0>,
     2, "own $ per month", "own $/month"},
    {"break_even", Band::kOwn, kNone, {33, 30, 28}, Tone::kStrong, "from", "runs/mo", "break-even", break_even,
     0, "break-even", "break-even"},
    {"advice", Band::kAdvice, {9.5, 9.5, 9}, {43.39, 43.5, 40}, Tone::kPlain, "from h", "per month"},
};
// clang-format on

constexpr const Column* with_id(std::string_view id) {
  return std::ranges::find(kColumns, id,
                           [](const Column& one) { return std::string_view(one.id); });
}

// What a sheet may hide is there to be hidden.
static_assert(std::ranges::all_of(kHideableColumns, [](std::string_view id) {
  return with_id(id) != std::end(kColumns);
}));

using Names = std::vector<std::string>;

/// A column that is on the page.
struct Slot {
  const Column* column;
  double gap;
  double width;
};

/// What was decided before anything is placed.
struct Plan {
  std::vector<Slot> slots;
  std::vector<double> gpus;
  std::map<int, const Column*> gone;  ///< by the rank in which they give way

  double total() const {
    double sum = std::accumulate(gpus.begin(), gpus.end(), 0.0);
    for (const Slot& slot : slots) sum += slot.gap + slot.width;
    return sum;
  }
};

Plan without(const Names& hidden, std::size_t widths, int dropped) {
  Plan plan;
  for (const Column& column : kColumns) {
    if (contains(hidden, column.id)) continue;
    if (column.gives_way > 0 && column.gives_way <= dropped) {
      plan.gone[column.gives_way] = &column;
    } else {
      plan.slots.push_back({&column, column.gap[widths], column.width[widths]});
    }
  }
  return plan;
}

/// Gives room that is left to every column and gap alike, up to its natural width.
void loosen(Plan& plan, std::size_t natural, double room) {
  const auto lacks = [](double width, double wanted) {
    return width > 0 ? std::max(0.0, wanted - width) : 0.0;
  };
  double wanted = 0;
  for (const Slot& slot : plan.slots) {
    wanted += lacks(slot.gap, slot.column->gap[natural]);
    wanted += lacks(slot.width, slot.column->width[natural]);
  }
  if (wanted <= 0) return;
  const double share = std::min(1.0, room / wanted);
  for (Slot& slot : plan.slots) {
    slot.gap += share * lacks(slot.gap, slot.column->gap[natural]);
    slot.width += share * lacks(slot.width, slot.column->width[natural]);
  }
}

int last_to_give_way() {
  int last = 0;
  for (const Column& column : kColumns) last = std::max(last, column.gives_way);
  return last;
}

/// What is left for GPU types where every column that gives way has gone.
double room_for_gpus(const PageMetrics& metrics, const Names& hidden) {
  return metrics.text.width() - without(hidden, kTightWidths, last_to_give_way()).total();
}

/// Columns narrow before one gives way, and give way one by one; the first that suffices.
Plan plan_for(const PageMetrics& metrics, const std::vector<double>& heads, const Names& hidden) {
  std::vector<double> natural;
  for (const double head : heads) natural.push_back(std::max(kNarrowestGpu, head + kHeadRoom));
  const std::vector<double> narrow(heads.size(), kNarrowestGpu);
  const double room = metrics.text.width();
  const int most = last_to_give_way();
  for (int dropped = 0; dropped <= most; ++dropped) {
    const std::pair<std::size_t, const std::vector<double>*> tries[] = {
        {metrics.widths, &natural}, {kTightWidths, &natural}, {kTightWidths, &narrow}};
    for (const auto& [widths, gpus] : tries) {
      Plan plan = without(hidden, widths, dropped);
      plan.gpus = *gpus;
      const double left = room - plan.total();
      if (left < -1e-9) continue;
      loosen(plan, metrics.widths, left);
      return plan;
    }
  }
  const double left = room_for_gpus(metrics, hidden);
  throw InputError("table: " + std::to_string(heads.size()) + " GPU types need " +
                   format_number(kNarrowestGpu * static_cast<double>(heads.size()), 0) + " pt, " +
                   format_number(left, 0) + " pt free; " +
                   std::to_string(static_cast<int>(left / kNarrowestGpu)) + " types fit");
}

/// In units of `head`, as the head says: `decimals` places, then fewer; then in larger units, with
/// their names, as far as `whole` holds one. `words(size, places)`: in units of that size.
template <typename Words>
Figure forms_of(double whole, std::int64_t head, int decimals, Words words) {
  Figure forms;
  for (int places = decimals; places >= 0; --places) forms.push_back(words(head, places));
  for (const Unit& unit : kUnits) {
    if (whole < static_cast<double>(unit.size)) break;
    if (unit.size == head) continue;
    for (const int places : {1, 0}) {
      const std::string count = words(unit.size, places);
      forms.push_back(head == 1 ? count + "\u00a0" + unit.name : "$" + count + unit.name);
    }
  }
  return forms;
}

Figure dollars(MicroUsd usd, std::int64_t head, int decimals) {
  return forms_of(to_usd(usd), head, decimals, [&](std::int64_t size, int places) {
    return format_usd(scaled(usd, 1, size), places);
  });
}

}  // namespace

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

std::size_t most_gpu_types(const PageMetrics& metrics, const std::vector<std::string>& hidden) {
  const double types = room_for_gpus(metrics, hidden) / kNarrowestGpu;
  return static_cast<std::size_t>(std::max(1.0, std::floor(types + 1e-9)));
}

Columns place_columns(const PageMetrics& metrics, const std::vector<double>& head_widths,
                      const std::vector<std::string>& hidden) {
  const Plan plan = plan_for(metrics, head_widths, hidden);
  const double spare =
      (metrics.text.width() - plan.total()) / static_cast<double>(plan.gpus.size());
  Columns columns;
  columns.spans.resize(std::size(kColumns));
  for (const auto& [rank, column] : plan.gone) columns.left_out.push_back(column);
  double x = metrics.text.x0;
  for (const Slot& slot : plan.slots) {
    x += slot.gap;
    const double start = x;
    if (slot.column->band == Band::kGpus) {
      for (const double width : plan.gpus) {
        columns.gpus.push_back({x, x + width + spare});
        x = columns.gpus.back().x1;
      }
    }
    x += slot.width;
    columns.spans[column_index(slot.column->id)] = {start, x};
  }
  return columns;
}

Figure absent() { return {std::string(kAbsent)}; }

Figure figure(double value, int decimals) {
  return forms_of(value, 1, decimals, [&](std::int64_t size, int places) {
    return format_number(value / static_cast<double>(size), places);
  });
}

Figure figure(MicroUsd usd, int decimals) { return dollars(usd, 1, decimals); }

Figure thousands(MicroUsd usd, int decimals) { return dollars(usd, 1000, decimals); }

Figure figure(const std::optional<MicroUsd>& usd, int decimals) {
  return usd ? figure(*usd, decimals) : absent();
}

Figure figure(const FigureValue& value, int decimals) {
  struct Forms {
    int decimals;
    Figure operator()(std::monostate) const { return absent(); }
    Figure operator()(std::int64_t count) const { return figure(static_cast<double>(count), 0); }
    Figure operator()(Bytes bytes) const { return figure(gib(bytes.value), decimals); }
    Figure operator()(double number) const { return figure(number, decimals); }
    Figure operator()(MicroUsd usd) const { return figure(usd, decimals); }
    Figure operator()(bool flag) const { return {flag ? "yes" : "no"}; }
    Figure operator()(const std::string& text) const { return {text}; }
  };
  return std::visit(Forms{decimals}, value);
}

int run_decimals(const std::vector<MicroUsd>& prices) {
  int decimals = 0;
  for (const MicroUsd price : prices) {
    if (price.value < 10 * kDollar) decimals = std::max(decimals, 1);
    if (price.value < kDollar) decimals = 2;
  }
  return decimals;
}

}  // namespace sizesheet::pdf
