// SPDX-License-Identifier: Apache-2.0
// The measures of the page in points, and the builder of a PageLayout.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "render/pdf/fonts/faces.h"
#include "render/pdf/page/page_layout.h"

namespace sizesheet::pdf {

/// Whether two areas share more than an edge.
bool share_area(const Rect& a, const Rect& b);

/// The space a run takes: from its capitals' or accents' top to its descenders.
Rect extent(const TextRun& run);

// ---- One set of measures for each paper, and what depends on the number of rows.

struct Span {
  double x0 = 0;
  double x1 = 0;
  double width() const { return x1 - x0; }
  double middle() const { return (x0 + x1) / 2; }
};

/// How tightly the rows of the table stand.
struct Density {
  double row = 0;   ///< height
  double font = 0;  ///< size of its text
  double gap = 0;   ///< after a group
};

struct PageMetrics {
  double width = 0;
  double height = 0;
  Span text;  ///< between the margins
  double last_ink = 0;
  double notes_rule = 0;  ///< rule above the notes
  double qr_size = 0;
  std::vector<Density> densities;  ///< loosest first
  std::array<Span, 3> panels;
};

const PageMetrics& metrics_of(Paper paper);

// From the top of the page, on every paper.
inline constexpr double kTitleLine = 41;  ///< baseline
inline constexpr double kRunLine = 55;
inline constexpr double kTilesTop = 62;  ///< rule above them
inline constexpr double kTableTop = 113;

// Of the table, from the rule above it.
inline constexpr double kBandLine = 10.4;
inline constexpr double kBandRule = 13.4;
inline constexpr double kHeadLine = 22.6;  ///< of the first of two lines
inline constexpr double kHeadLeading = 9;
inline constexpr double kHeadsHeight = 36;

inline constexpr double kNoteLine = 9.8;     ///< from one line of the notes to the next
inline constexpr double kCapHeight = 0.711;  ///< of the em, of figures and capitals in every face

/// Where the parts below the table stand, and how tight everything is.
struct PageFlow {
  Density density;
  bool has_panels = true;  ///< where the table leaves them room
  double first_row = 0;    ///< its top
  double table_bottom = 0;
  double key = 0;  ///< baseline
  double panels_top = 0;
  double panels_bottom = 0;  ///< the last baseline
};

/// The loosest arrangement that fits. Throws InputError "table: 41 rows need …" when none does.
PageFlow flow_of(const PageMetrics& metrics, std::size_t rows, std::size_t groups);

/// The same page with a line more for the notes, taken from the panels; absent where the panels
/// would have to go for it, or the page is too full.
std::optional<PageMetrics> with_longer_notes(const PageMetrics& metrics, std::size_t rows,
                                             std::size_t groups);

enum class Align { kLeft, kMiddle, kRight };

/// Builds a PageLayout: the one place where text is checked against its font and measured.
class Sketch {
 public:
  /// What a text reads as in the end, before it is measured. What is handed out is quoted by it, so
  /// that it may be handed in again.
  using Words = std::function<std::string(const std::string& text)>;

  Sketch(double width, double height, GlyphWidth glyphs, Words words = {});

  /// Width of the text as it will be printed.
  double width(const std::string& text, const Style& style) const;
  std::vector<std::string> wrapped(const std::string& text, const Style& style, double width) const;

  /// The first form that fits; null when none does.
  const std::string* fitting(const std::vector<std::string>& forms, const Style& style,
                             double width) const;

  /// Puts a text at a baseline point; returns its width.
  double text(Point at, Align align, const Style& style, const std::string& text);
  /// The same of the first form that fits, else of the last one with an ellipsis, which is recorded
  /// as a warning about `what`.
  double text_in(double width, Point at, Align align, const Style& style, const std::string& what,
                 const std::vector<std::string>& forms);
  /// The same of numbers, which are never cut: throws InputError naming `what`, need and room.
  void number_in(double width, Point at, Align align, const Style& style, const std::string& what,
                 const std::vector<std::string>& forms);
  /// True when no text stands inside the area.
  bool free_of_text(const Rect& area) const;
  /// The space the text would take.
  Rect extent_of(Point at, Align align, const Style& style, const std::string& text) const;

  void rule(const Span& x, double y, double stroke_width, Color color) {
    line({x.x0, y}, {x.x1, y}, stroke_width, color);
  }
  void line(Point from, Point to, double stroke_width, Color color,
            std::vector<std::uint16_t> dash = {}) {
    put(Path{{from, to}, false, {{}, color, stroke_width}, std::move(dash)});
  }
  void fill(const Rect& area, Color color) { put(Box{area, 0, {color, {}, 0}}); }
  void put(Mark mark) { page_.marks.push_back(std::move(mark)); }
  void link(const Rect& area, const std::string& url) { page_.links.push_back({area, url}); }
  void bookmark(const std::string& title, double top) {
    page_.bookmarks.push_back({words_ ? words_(title) : title, top});
  }
  void warn(const std::string& warning);

  PageLayout take() { return std::move(page_); }

 private:
  Printable printed(const std::string& text, const Style& style) const;
  void warn_missing(const std::string& text, std::u32string_view missing);
  TextRun run(Point at, Align align, const Style& style, const std::string& printable) const;

  PageLayout page_;
  GlyphWidth glyphs_;
  Words words_;
  std::u32string warned_;  ///< lacking characters already told
};

}  // namespace sizesheet::pdf
