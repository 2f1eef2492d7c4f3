// SPDX-License-Identifier: Apache-2.0
// A Chart as inline SVG for the pages. No viewBox: x is in per cent and y in pixels, so that text
// keeps its size at every width while bars and lines stretch. Colours come from classes in
// style.css.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace sizesheet {

struct AmountBars;
struct Chart;
struct Lines;
struct Ranges;
struct SignedBars;
struct StackedBars;

// ---- Writes SVG elements. Every text and attribute value passes through one escaping function
// here; an attribute without a value is left out.

/// Text made safe for element content and for double-quoted attributes.
std::string escape_xml(std::string_view text);

/// A number of pixels or per cent: at most two decimals, no trailing zeros.
std::string svg_number(double value);
/// "12.5%".
std::string svg_percent(double value);

using SvgAttributes = std::initializer_list<std::pair<const char*, std::string>>;

/// `<name a="…"/>`.
std::string svg_element(const char* name, SvgAttributes attributes);
/// `<name a="…">text</name>`, the text escaped.
std::string svg_element(const char* name, SvgAttributes attributes, std::string_view text);
/// `<name a="…">markup</name>`, around elements made by these functions.
std::string svg_parent(const char* name, SvgAttributes attributes, const std::string& markup);

/// `x` in per cent, the rest in pixels.
std::string svg_circle(const std::string& shade, double x, double y, const char* radius);
/// A text at a baseline, `y` pixels down; `anchor` "" begins at `x`. `dx` shifts it by pixels.
std::string svg_text(const std::string& shade, const std::string& x, double y,
                     std::string_view text, const char* anchor = "", const char* dx = "");

// ---- The kinds of chart.

/// What stands inside an <svg>, and how many pixels high it is.
struct SvgBody {
  std::string markup;
  double height = 0;
};

/// Against their capacity lines, one block of three lines a bar.
SvgBody svg_body(const StackedBars& bars);

/// A label, a bar from zero on, and the figure at its end.
SvgBody svg_body(const AmountBars& bars);

/// On a common axis, one block of a label and a bar each.
SvgBody svg_body(const Ranges& ranges);

/// Less to the left of a zero line, more to the right, the figure beside each.
SvgBody svg_body(const SignedBars& bars);

/// Over an axis, with a marked crossing, an upright mark and a limit.
SvgBody svg_body(const Lines& lines);

/// A whole <svg> element with title and description; every id begins with the chart's id.
std::string svg(const Chart& chart);

}  // namespace sizesheet
