// SPDX-License-Identifier: Apache-2.0
// One chart model for every writer: a closed set of kinds, drawn by SVG and PDF from the same
// value.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sizesheet {

/// Fixed meaning, fixed colour in each writer.
enum class SegmentKind { kWeights, kGradients, kOptimizer, kActivations, kOther };

/// In the order in which a bar shows them.
inline constexpr std::array<SegmentKind, 5> kSegments = {
    SegmentKind::kWeights, SegmentKind::kGradients, SegmentKind::kOptimizer,
    SegmentKind::kActivations, SegmentKind::kOther};

struct Axis {
  std::string unit;  ///< "GiB", "$ 000 a month", "h a month"
  double low = 0;
  double high = 0;
  std::vector<double> ticks;
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
  double limit = 0;           ///< this bar's capacity
  std::string outline_label;  ///< one count fewer, in words; "" for none
  double outline = 0;         ///< its total
};

/// Stacked memory bills against the capacity line; `limit` is drawn for the whole chart when set.
struct StackedBars {
  Axis axis;
  std::vector<StackedBar> bars;
  std::optional<double> limit;
  std::optional<double> headroom_from;  ///< start of the headroom band
  std::string limit_label;
};

enum class LineKind { kRent, kOwn, kSpotRent, kReservedRent, kMemory };

struct Line {
  std::string name;
  LineKind kind;
  std::vector<std::pair<double, double>> points;  ///< x ascending
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
  std::string left_area_label;   ///< "renting is cheaper"
  std::string right_area_label;  ///< "owning is cheaper"
};

/// From low to high on a common axis, with a mark in between.
struct Range {
  std::string label;     ///< "torchtune README"
  std::string sublabel;  ///< "8 figures, median 4.5 %"
  double low = 0;
  double mark = 0;
  double high = 0;
};

/// Ranges on one axis, with an upright line where 0 is a tick.
struct Ranges {
  Axis axis;
  int decimals = 0;  ///< of the ticks
  std::vector<Range> ranges;
};

/// A signed amount, with the words that stand beside its bar.
struct SignedBar {
  std::string label;  ///< "Price"
  double value = 0;
  std::string words;   ///< "−715"
  bool total = false;  ///< the sum of those before it
};

/// Signed amounts to the left and right of one zero line, on one scale.
struct SignedBars {
  std::vector<SignedBar> bars;
};

/// An amount from zero on, with the words that stand beside its bar.
struct AmountBar {
  std::string label;  ///< "8 × H100"
  double value = 0;
  std::string words;    ///< "$1,234"
  bool marked = false;  ///< the one that counts
};

/// Amounts on one scale that begins at zero.
struct AmountBars {
  std::vector<AmountBar> bars;
};

struct Chart {
  std::string id;  ///< unique on a page
  std::string title;
  std::string conclusion;   ///< one sentence, or ""
  std::string description;  ///< alternative text: one sentence with the numbers
  std::variant<StackedBars, Lines, Ranges, SignedBars, AmountBars> body;
};

}  // namespace sizesheet
