// SPDX-License-Identifier: Apache-2.0
// A laid-out page as plain values in points: origin top left, y down, text by its baseline.
// Everything is decided here; drawing only copies it into a PDF.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sizesheet::pdf {

struct Point {
  double x = 0;
  double y = 0;
};

/// 0xRRGGBB.
struct Color {
  std::uint32_t rgb = 0;
  bool operator==(const Color&) const = default;
};

enum class Face { kRegular, kBold, kCondensed, kCondensedBold };

struct Style {
  Face face = Face::kRegular;
  double size = 0;
  Color color;
};

struct Paint {
  std::optional<Color> fill;
  std::optional<Color> stroke;
  double stroke_width = 0;
};

struct Rect {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

struct Box {
  Rect area;
  double radius = 0;
  Paint paint;
};

/// Points joined by straight lines.
struct Path {
  std::vector<Point> points;
  bool closed = false;
  Paint paint;
  std::vector<std::uint16_t> dash;  ///< empty: solid
};

enum class DiscFill { kEmpty, kLeftHalf, kFull };

struct Disc {
  Point center;
  double radius = 0;
  double stroke_width = 0;
  Color ink;
  DiscFill fill = DiscFill::kEmpty;
};

struct TextRun {
  Point start;  ///< left end of the baseline
  double width = 0;
  Style style;
  std::string text;  ///< only characters its face has
};

/// A picture that fills an area.
struct Picture {
  Rect area;
  int width = 0;  ///< pixels
  int height = 0;
  std::string colors;  ///< red, green, blue: three bytes a pixel
  std::string alpha;   ///< a byte a pixel; "" where every pixel is opaque
};

using Mark = std::variant<Box, Path, Disc, TextRun, Picture>;

struct Link {
  Rect area;
  std::string url;
};

/// An entry of the outline.
struct Bookmark {
  std::string title;
  double top = 0;
};

struct PageLayout {
  double width = 0;
  double height = 0;
  std::vector<Mark> marks;  ///< in drawing order
  std::vector<Link> links;
  std::vector<Bookmark> bookmarks;    ///< from top to bottom
  std::vector<std::string> warnings;  ///< what could not be printed as it is
};

// ---- The page's colours and text styles. Nothing is told by colour alone: neighbours differ in
// grey, too.

inline constexpr Color kInk{0x15181e};
inline constexpr Color kWhite{0xffffff};
inline constexpr Color kGrey{0x555c69};
inline constexpr Color kAxis{0x9ba1ab};
inline constexpr Color kPlanned{0x8b919c};
inline constexpr Color kHairline{0xd3d6dc};
inline constexpr Color kTint{0xeaf0f7};
inline constexpr Color kPickFill{0xcfdcea};
inline constexpr Color kBlue{0x1f4e79};
inline constexpr Color kBrown{0xa54a08};
inline constexpr Color kRange{0xb4c0d0};
inline constexpr Color kOwned{0xf2a541};

inline constexpr double kSmallestText = 8.5;
/// Of whole sentences, which no list of labels has.
inline constexpr double kSentenceText = 8.6;

constexpr Style regular(double size, Color color = kInk) { return {Face::kRegular, size, color}; }
constexpr Style bold(double size, Color color = kInk) { return {Face::kBold, size, color}; }
constexpr Style condensed(double size, Color color = kInk) {
  return {Face::kCondensed, size, color};
}
constexpr Style condensed_bold(double size, Color color = kInk) {
  return {Face::kCondensedBold, size, color};
}

// The smallest of the page, in which most of it stands.
inline constexpr Style kFine = condensed(kSmallestText);
inline constexpr Style kFineGrey = condensed(kSmallestText, kGrey);
inline constexpr Style kFineBold = condensed_bold(kSmallestText);
inline constexpr Style kSentence = condensed(kSentenceText);
inline constexpr Style kSentenceGrey = condensed(kSentenceText, kGrey);

}  // namespace sizesheet::pdf

namespace sizesheet {

enum class Paper { kA4, kLetter };  ///< landscape

}  // namespace sizesheet
