// SPDX-License-Identifier: Apache-2.0
#include "render/charts.h"

#include <algorithm>
#include <cmath>

#include "render/change_words.h"
#include "render/changes_words.h"
#include "render/phrases.h"
#include "sheet/changes.h"
#include "sheet/money.h"
#include "sheet/sections.h"
#include "sheet/sheet.h"
#include "support/money.h"
#include "support/named.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet {
namespace {

constexpr int kCents = 2;
constexpr double kTickNoise = 1e-9;      // of a step
constexpr double kMostTicksDrawn = 100;  // on any axis
constexpr int kMostPowers = 8;           // of ten, on a logarithmic one
constexpr double kHighestShare = 130;    // per cent of the card; above it nothing more is learnt

std::string one_decimal(double value) { return format_number(value, 1); }

StackedBar bar_of(const Sheet& sheet, const Row& row) {
  StackedBar bar = bill_bar(sheet.method(row.method).short_title, set_up(sheet, row), row.memory);
  if (row.fewer) {
    bar.outline = gib(row.fewer->device);
    bar.outline_label =
        "with " + gpu_count(row.fewer->gpus) + ": " + one_decimal(bar.outline) + ", ";
    bar.outline_label += row.fewer->verdict == Verdict::kTight
                             ? "holds but tight"
                             : "over by " + format_gib(row.fewer->over, 1);
  }
  return bar;
}

/// "Full on 8 × MI300X: optimizer states take the most, 93.7 of 149.8 GiB."
std::string bill_conclusion(const std::vector<StackedBar>& bars) {
  if (bars.empty()) return "";
  const auto& segments = bars.front().segments;
  const auto largest = std::ranges::max_element(segments, {}, &Segment::value);
  const bool plural = largest->kind != SegmentKind::kOther;
  return sentence_case(bars.front().label) + " on " + bars.front().sublabel + ": " +
         segment_words(largest->kind) + (plural ? " take" : " takes") + " the most, " +
         one_decimal(largest->value) + " of " + one_decimal(bars.front().total) + "\u00a0GiB.";
}

std::string bill_description(const std::vector<StackedBar>& bars) {
  std::vector<std::string> sentences;
  for (const StackedBar& bar : bars) {
    std::vector<std::string> parts;
    for (const Segment& segment : bar.segments) {
      parts.push_back(segment_words(segment.kind) + " " + one_decimal(segment.value));
    }
    sentences.push_back(bar.label + " on " + bar.sublabel + ": " + join(parts, ", ") +
                        ", together " + one_decimal(bar.total) + " of " + one_decimal(bar.limit) +
                        " GiB usable");
  }
  return sentences.empty() ? "No set-up fits." : join(sentences, "; ") + ".";
}

double largest_y(const std::vector<Line>& lines) {
  double largest = 0;
  for (const Line& line : lines) {
    for (const auto& [x, y] : line.points) largest = std::max(largest, y);
  }
  return largest;
}

/// What the machine to own would be rented for, an hour of its use: the runs that the hour holds.
double rent_of_hour(const OwnPick& own) { return to_usd(*own.rent_usd_per_run) / own.hours.mid; }

bool is_compared(const Row& row) {
  return row.owned && row.owned->rent_usd_per_run && row.owned->hours.mid > 0;
}

std::vector<Line> money_lines(const Row& row, double hours) {
  if (!row.owned) return {};
  std::vector<Line> lines;
  const OwnPick& own = *row.owned;
  if (is_compared(row)) {
    lines.push_back({"rent", LineKind::kRent, {{0, 0}, {hours, rent_of_hour(own) * hours}}});
  }
  lines.push_back(
      {"own",
       LineKind::kOwn,
       {{0, to_usd(own.fixed_usd_per_month)}, {hours, to_usd(own.full_use_usd_per_month)}}});
  return lines;
}

std::string machine_words(const Sheet& sheet, const OwnPick& own) {
  return set_up(sheet, own.gpu, own.gpus + own.unused_gpus) + (own.used ? ", used" : "");
}

std::string own_conclusion(const Sheet& sheet, const Row& row) {
  const std::string job =
      sentence_case(sheet.model(row.model).size + " " + sheet.method(row.method).short_title);
  if (!row.owned) return job + ": no machine on sale, so nothing to compare with.";
  const OwnPick& own = *row.owned;
  const std::string subject = job + " on " + machine_words(sheet, own) + ": ";
  if (!own.rent_usd_per_run) return subject + "no rental price, so nothing to compare with.";
  if (!own.break_even_hours_per_month) {
    return subject + "renting stays cheaper, even at " +
           month_hours(sheet.options.hours_per_month) + " hours per month.";
  }
  return subject + "owning is cheaper from " + month_hours(*own.break_even_hours_per_month) +
         " hours per month.";
}

std::string own_description(const Sheet& sheet, const Row& row) {
  std::vector<std::string> parts;
  if (is_compared(row)) {
    parts.push_back("renting costs " + run_usd(*row.owned->rent_usd_per_run) + " dollars per run");
  }
  if (row.owned) {
    parts.push_back("owning " + whole_usd(row.owned->fixed_usd_per_month) +
                    " dollars per month unused and " +
                    whole_usd(row.owned->full_use_usd_per_month) + " at " +
                    month_hours(sheet.options.hours_per_month) + " hours");
  }
  const std::string figures = parts.empty() ? "no price is known" : join(parts, ", ");
  return "Cost per month over hours used: " + figures + ". " + own_conclusion(sheet, row);
}

void mark_crossing(Lines& body, const Row& row, double scale) {
  if (!is_compared(row) || !row.owned->break_even_hours_per_month) return;
  const double hours = *row.owned->break_even_hours_per_month;
  body.crossing = {hours, rent_of_hour(*row.owned) * hours / scale};
  body.crossing_label = "own from " + month_hours(hours) + "\u00a0h";
}

/// A series as share of its capacity, cut where it leaves the picture.
Line share_line(const SequenceSeries& series, const std::string& name) {
  Line line{name, LineKind::kMemory, {}};
  for (const SequencePoint& point : series.points) {
    const double x = static_cast<double>(point.seq_len);
    const double y = 100.0 * gib(point.device) / gib(series.capacity);
    if (y <= kHighestShare || line.points.empty()) {
      line.points.emplace_back(x, std::min(y, kHighestShare));
      continue;
    }
    const auto [x0, y0] = line.points.back();
    if (y0 < kHighestShare) {
      line.points.emplace_back(x0 + (x - x0) * (kHighestShare - y0) / (y - y0), kHighestShare);
    }
    break;
  }
  return line;
}

Axis sequence_axis(const std::vector<Line>& lines) {
  Axis axis{"tokens per sequence", 0, 0, {}};
  for (const Line& line : lines) axis.high = std::max(axis.high, line.points.back().first);
  axis.high = std::ceil(axis.high / 1024) * 1024;
  double step = 1024;
  while (axis.high / step > kMostTicks) step *= 2;
  for (double tick = 0; tick <= axis.high; tick += step) axis.ticks.push_back(tick);
  return axis;
}

}  // namespace

double nice_step(double high, double most, std::initializer_list<double> factors) {
  // Beyond these a step is 0 or infinite.
  constexpr double kLeast = 1e-300;
  constexpr double kMost = 1e307;
  const double power = std::pow(10, std::floor(std::log10(std::clamp(high, kLeast, kMost) / most)));
  for (const double factor : factors) {
    if (high / (factor * power) <= most) return factor * power;
  }
  return 10 * power;
}

std::vector<double> ticks_between(double low, double high, double step) {
  const double first = std::ceil(low / step - kTickNoise);
  const double steps = std::floor(high / step + kTickNoise) - first;
  if (!(steps >= 0)) return {};
  const int last = static_cast<int>(std::min(steps, kMostTicksDrawn - 1));
  std::vector<double> ticks;
  for (int i = 0; i <= last; ++i) ticks.push_back((first + i) * step);
  return ticks;
}

std::vector<double> ticks_to(double high, double step) { return ticks_between(0, high, step); }

std::vector<double> nice_ticks(double high) {
  return high <= 0 ? std::vector<double>{0} : ticks_to(high, nice_step(high));
}

double Axis::share(double value) const {
  if (logarithmic) {
    if (!(value > 0) || !(low > 0)) return 0;  // has no place there
    return std::log(value / low) / std::max(1e-12, std::log(high / low));
  }
  return (value - low) / std::max(1e-12, high - low);
}

std::vector<double> logarithmic_ticks(double low, double high) {
  if (!(low > 0) || !(high >= low)) return {};
  const int first = static_cast<int>(std::floor(std::log10(low)));
  const int last = static_cast<int>(std::floor(std::log10(high)));
  // Over many powers of ten only some of them, and nothing between.
  const int every = 1 + (last - first) / kMostPowers;
  std::vector<double> ticks;
  for (int power = first; power <= last; power += every) {
    for (const double factor : {1, 2, 5}) {
      if (every > 1 && factor > 1) continue;
      const double tick = factor * std::pow(10, power);
      if (tick >= low && tick <= high) ticks.push_back(tick);
    }
  }
  return ticks;
}

std::string Axis::words(double tick) const {
  const auto place = static_cast<std::size_t>(std::ranges::find(ticks, tick) - ticks.begin());
  if (place < names.size()) return names[place];
  if (logarithmic) return format_number(tick, tick < 0.1 ? 2 : tick < 1 ? 1 : 0);
  const double step = ticks.size() < 2 ? 1 : ticks[1] - ticks[0];
  int decimals = 0;
  for (double scaled = step; decimals < 3; ++decimals, scaled = step * std::pow(10, decimals)) {
    if (std::abs(scaled - std::round(scaled)) < 1e-9) break;
  }
  return format_number(tick, decimals);
}

std::vector<const Row*> shown_rows(const Sheet& sheet, const std::string& model) {
  std::vector<const Row*> rows;
  for (const SheetMethod& method : sheet.methods) {
    if (const Row* row = shown_row(sheet, model, method.id)) rows.push_back(row);
  }
  return rows;
}

std::string segment_words(SegmentKind kind) {
  // A segment of activations holds what is worked out again, too.
  return kind == SegmentKind::kActivations ? "activations" : term_words(id_of(kind));
}

std::vector<Segment> five_segments(const MemoryBill& bill) {
  const std::int64_t weights = bill.terms.sum(Term::kWeights, Term::kAdapters);
  const std::int64_t states = bill.terms.sum(Term::kGradients, Term::kOptimizer);
  const std::int64_t kept = bill.terms.sum(Term::kActivations, Term::kRecompute);
  return {{SegmentKind::kWeights, gib(weights)},
          {SegmentKind::kGradients, gib(bill.of(Term::kGradients))},
          {SegmentKind::kOptimizer, gib(bill.of(Term::kOptimizer))},
          {SegmentKind::kActivations, gib(kept)},
          {SegmentKind::kOther, gib(bill.device - weights - states - kept)}};
}

StackedBar bill_bar(const std::string& label, const std::string& setup, const MemoryBill& bill) {
  return {label, setup, five_segments(bill), gib(bill.device), gib(bill.capacity)};
}

StackedBars bills(std::vector<StackedBar> bars, double headroom) {
  StackedBars body{{"GiB", 0, 0, {}}, std::move(bars), std::nullopt, headroom, ""};
  for (const StackedBar& bar : body.bars) {
    body.axis.high = std::max({body.axis.high, bar.total, bar.limit, bar.outline});
  }
  body.axis.ticks = nice_ticks(body.axis.high);
  const auto other = [&](const StackedBar& bar) { return bar.limit != body.bars.front().limit; };
  if (body.bars.empty() || std::ranges::any_of(body.bars, other)) return body;
  body.limit = body.bars.front().limit;
  body.limit_label = one_decimal(*body.limit) + "\u00a0GiB usable";
  return body;
}

Chart memory_bill_chart(const Sheet& sheet, const std::string& model) {
  std::vector<StackedBar> bars;
  for (const Row* row : shown_rows(sheet, model)) bars.push_back(bar_of(sheet, *row));
  const std::string conclusion = bill_conclusion(bars);
  const std::string description = bill_description(bars);
  return {"memory-bill", sheet.model(model).title + ": memory per GPU, GiB", conclusion,
          description, bills(std::move(bars), sheet.options.headroom)};
}

Chart rent_or_own_chart(const Sheet& sheet, const Row& row) {
  Lines body;
  const double month = sheet.options.hours_per_month;
  body.x = {"hours used per month", 0, month, {}};
  for (double tick = 0; tick <= month - 100; tick += 200) body.x.ticks.push_back(tick);
  body.x.ticks.push_back(month);
  body.lines = money_lines(row, sheet.options.hours_per_month);
  // Dollars under 5,000 per month stay dollars, above they become thousands.
  const double scale = largest_y(body.lines) < 5000 ? 1 : 1000;
  for (Line& line : body.lines) {
    for (auto& [x, y] : line.points) y /= scale;
  }
  const double highest = largest_y(body.lines);
  body.y = {scale > 1 ? "thousand $ per month" : "$ per month", 0, highest, nice_ticks(highest)};
  mark_crossing(body, row, scale);
  if (sheet.options.planned_hours_per_month > 0) {
    body.mark_x = sheet.options.planned_hours_per_month;
    body.mark_label = "planned";
  }
  return {"rent-or-own-" + row.method,
          row.owned ? "Rent, or own " + machine_words(sheet, *row.owned) + ": cost per month"
                    : "Rent or own: cost per month",
          own_conclusion(sheet, row), own_description(sheet, row), std::move(body)};
}

Chart memory_by_sequence_chart(const Sheet& sheet, const std::string& model) {
  Lines body;
  std::vector<std::string> longest;
  for (const SequenceSeries& series : sheet.series) {
    const Row* row = sheet.find(series.row_key);
    if (!row || row->model != model || series.points.empty()) continue;
    body.lines.push_back(share_line(series, sheet.method(row->method).short_title));
    longest.push_back(
        (series.longest ? format_integer(*series.longest) : "none of the lengths tried") + " for " +
        sheet.method(row->method).short_title + " on " + set_up(sheet, *row));
  }
  body.x = sequence_axis(body.lines);
  body.y = {"per cent of usable memory", 0, kHighestShare, {0, 25, 50, 75, 100, 125}};
  body.limit_y = 100;
  body.limit_label = "usable";
  const std::string words =
      longest.empty()
          ? ""
          : "Longest sequence that fits with the headroom, tokens: " + join(longest, ", ") + ".";
  return {"memory-by-sequence", sheet.model(model).title + ": memory against sequence length",
          words, words.empty() ? "No series." : words, std::move(body)};
}

Chart effects_chart(const SheetChanges& changes) {
  const ChangeTotals& totals = changes.pick_totals;
  const ChangeEffects effects = printed_effects(totals.old_usd, totals.effects, kCents);
  SignedBars body;
  std::vector<std::string> words;
  for (const EffectPart& part : effect_parts(effects)) {
    body.bars.push_back({part.title, to_usd(part.usd), delta_usd(part.usd, kCents), false});
    words.push_back(part.words + " " + body.bars.back().words);
  }
  body.bars.push_back({"Total", to_usd(effects.total), delta_usd(effects.total, kCents), true});
  return {"effects-chart", "Dollars of one run of every comparable pick, by effect", "",
          "Dollars that moved: " + join(words, ", ") + ", together " + body.bars.back().words + ".",
          std::move(body)};
}

}  // namespace sizesheet
