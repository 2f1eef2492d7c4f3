// SPDX-License-Identifier: Apache-2.0
// Builds a PageLayout: the one place where text is checked against its font and measured.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "render/pdf/faces.h"
#include "render/pdf/page_layout.h"

namespace sizesheet::pdf {

enum class Align { kLeft, kMiddle, kRight };

class Sketch {
 public:
  Sketch(double width, double height, GlyphWidth glyphs);

  /// Width of the text as it will be printed.
  double width(const std::string& text, const Style& style) const;
  std::vector<std::string> wrapped(const std::string& text, const Style& style, double width) const;

  /// Puts a text at a baseline point; returns its width. Text under 6.5 pt is a logic error.
  double text(Point at, Align align, const Style& style, const std::string& text);
  /// The first form that fits, else the last one with an ellipsis, which is recorded as a warning
  /// about `what`.
  std::string fitted(const std::string& what, const std::vector<std::string>& forms,
                     const Style& style, double width);
  /// The first form that fits. Numbers are never cut: throws InputError naming `what`, need and
  /// room.
  std::string fitted_number(const std::string& what, const std::vector<std::string>& forms,
                            const Style& style, double width) const;
  /// True when no text stands inside the area.
  bool free_of_text(const Rect& area) const;
  /// The space the text would take.
  Rect extent_of(Point at, Align align, const Style& style, const std::string& text) const;

  void rule(double x0, double x1, double y, double stroke_width, Color color);
  void line(Point from, Point to, double stroke_width, Color color,
            std::vector<std::uint16_t> dash = {});
  void box(const Rect& area, const Paint& paint, double radius = 0);
  void path(Path path);
  void disc(Disc disc);
  void link(const Rect& area, const std::string& url);
  void bookmark(const std::string& title, double top);
  void warn(const std::string& warning);

  PageLayout take() { return std::move(page_); }

 private:
  void warn_missing(const std::string& text, std::u32string_view missing);
  TextRun run(Point at, Align align, const Style& style, const std::string& printable) const;

  PageLayout page_;
  GlyphWidth glyphs_;
  std::u32string warned_;  ///< lacking characters already told
};

}  // namespace sizesheet::pdf
