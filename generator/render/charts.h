// SPDX-License-Identifier: Apache-2.0
// Charts as values, a closed set of kinds, drawn by SVG and PDF alike from the same value: what is
// drawn, in which units, and what it says.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "support/named.h"

namespace sizesheet {

struct MemoryBill;
struct Row;
struct Sheet;
struct SheetChanges;

/// Fixed meaning, fixed colour in each writer.
enum class SegmentKind { kWeights, kGradients, kOptimizer, kActivations, kOther };

/// In the order in which a bar shows them, with the class that colours each on a page.
inline constexpr NameTable<SegmentKind, 5> kSegments{{{SegmentKind::kWeights, "weights"},
                                                      {SegmentKind::kGradients, "gradients"},
                                                      {SegmentKind::kOptimizer, "optimizer"},
                                                      {SegmentKind::kActivations, "activations"},
                                                      {SegmentKind::kOther, "other"}}};
constexpr const auto& table_of(SegmentKind /*of*/) { return kSegments; }

struct Axis {
  std::string unit;  ///< "GiB", "thousand $ per month", "h per month"
  double low = 0;
  double high = 0;
  std::vector<double> ticks;
  bool logarithmic = false;             ///< `low` is above 0 then
  std::vector<std::string> names = {};  ///< of the ticks, where they are no numbers

  /// How far along a value lies: 0 at `low`, 1 at `high`.
  double share(double value) const;
  /// A tick with only as many decimals as the step between two needs, at most three.
  std::string words(double tick) const;
};

struct Segment {
  SegmentKind kind;
  double value = 0;
};

struct StackedBar {
  std::string label;              ///< "full"
  std::string sublabel;           ///< "16 GPUs"
  std::vector<Segment> segments;  ///< at most five
  double total = 0;
  double limit = 0;                ///< this bar's capacity
  std::string outline_label = {};  ///< one count fewer, in words; "" for none
  double outline = 0;              ///< its total
};

/// Stacked memory bills against the capacity line; `limit` is drawn for the whole chart when set.
struct StackedBars {
  Axis axis;
  std::vector<StackedBar> bars;
  std::optional<double> limit;
  double headroom = 0;  ///< that a limit is to be kept from, a share
  std::string limit_label;
};

enum class LineKind { kRent, kOwn, kMemory, kPick, kNext, kOther };

/// An upright range at one x of a line.
struct Whisker {
  double x = 0;
  double low = 0;
  double high = 0;
};

struct Line {
  std::string name;
  LineKind kind;
  std::vector<std::pair<double, double>> points;  ///< x ascending
  /// Words in a disc at a point, "" for no disc; one a point, or none at all. A line with discs has
  /// its name beside the last of them.
  std::vector<std::string> discs = {};
  std::optional<Whisker> range = {};
};

/// Lines with at most one marked crossing, an optional vertical mark and an optional horizontal
/// limit.
struct Lines {
  Axis x;
  Axis y;
  std::vector<Line> lines;
  std::optional<std::pair<double, double>> crossing;
  std::string crossing_label;
  std::optional<double> mark_x;  ///< planned hours
  std::string mark_label;
  std::optional<double> limit_y;  ///< capacity
  std::string limit_label;
};

/// From low to high on a common axis, with a mark in between.
struct Range {
  std::string label;     ///< "torchtune README"
  std::string sublabel;  ///< "8 figures, median 4.5 %"
  double low = 0;
  double mark = 0;
  double high = 0;
  std::string aside = {};           ///< goes on behind `sublabel`, where there is room
  std::vector<double> points = {};  ///< what lies in it, where that is shown
  std::vector<double> ringed = {};  ///< those of them that count
};

/// Ranges on one axis, with an upright line where 0 is a tick.
struct Ranges {
  Axis axis;
  int decimals = 0;  ///< of the ticks
  std::vector<Range> ranges;
};

/// An amount from zero on, with the words that stand beside its bar.
struct AmountBar {
  std::string label;  ///< "8 × H100"
  double value = 0;
  std::string words;               ///< "$1,234"
  bool marked = false;             ///< the one that counts; the sum of those before it
  std::vector<double> parts = {};  ///< of the value, where that is shown
  std::optional<double> limit = {};
};

/// Amounts on one scale that begins at zero.
struct AmountBars {
  std::vector<AmountBar> bars;
  std::vector<std::string> parts = {};  ///< what each part of a bar is, at most kMostParts
  bool above = false;                   ///< labels over the bars, which then take the whole width

  static constexpr std::size_t kMostParts = 5;
};

/// Signed amounts to the left and right of one zero line, on one scale.
struct SignedBars {
  std::vector<AmountBar> bars;
};

struct Chart {
  std::string id;  ///< unique on a page
  std::string title;
  std::string conclusion;   ///< one sentence, or ""
  std::string description;  ///< alternative text: one sentence with the numbers
  std::variant<StackedBars, Lines, Ranges, SignedBars, AmountBars> body;
};

/// The shown row of every method that has one.
std::vector<const Row*> shown_rows(const Sheet& sheet, const std::string& model);

/// What a segment is called in legends, heads and sentences: "optimizer states".
std::string segment_words(SegmentKind kind);

/// A bill folded into the five segments a bar may have; they sum to the device figure.
std::vector<Segment> five_segments(const MemoryBill& bill);

/// A bill without a count fewer.
StackedBar bill_bar(const std::string& label, const std::string& setup, const MemoryBill& bill);

/// The bars on an axis that holds them all, with one capacity line where all have the same.
StackedBars bills(std::vector<StackedBar> bars, double headroom);

/// Stacked memory bills of the model's picks, one bar a method, GiB per GPU.
/// No bar for a method that nothing fits.
Chart memory_bill_chart(const Sheet& sheet, const std::string& model);

/// Cost per month over hours of use of the machine to own: its runs rented, and the machine owned.
/// Lines only for what is known.
Chart rent_or_own_chart(const Sheet& sheet, const Row& row);

/// Share of the usable memory over sequence length, one line a pick, from Sheet::series.
Chart memory_by_sequence_chart(const Sheet& sheet, const std::string& model);

inline constexpr double kMostTicks = 5;  ///< steps on an axis; more crowd a 360 px screen

/// One of `factors`, or ten, times a power of ten, so that `high` takes at most `most` steps.
double nice_step(double high, double most = kMostTicks,
                 std::initializer_list<double> factors = {1, 2, 2.5, 5});

/// The multiples of `step` from `low` to `high`, at most a hundred of them.
std::vector<double> ticks_between(double low, double high, double step);

/// 0, step, 2·step … up to `high`, likewise.
std::vector<double> ticks_to(double high, double step);

/// With a nice step; at most six.
std::vector<double> nice_ticks(double high);

/// 1, 2 and 5 times the powers of ten that lie on the axis; over more than eight powers some of
/// these alone. None where `low` is not above 0.
std::vector<double> logarithmic_ticks(double low, double high);

/// Dollars of one run of every comparable pick: price, quantity, time, card and their total.
Chart effects_chart(const SheetChanges& changes);

}  // namespace sizesheet
