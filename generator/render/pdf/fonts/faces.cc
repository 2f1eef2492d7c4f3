// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/fonts/faces.h"

#include <unicode/uchar.h>

#include <cstdio>
#include <system_error>

#include "render/pdf/fonts/fonts.h"
#include "render/pdf/fonts/ttf.h"
#include "render/pdf/page/page_layout.h"
#include "support/error.h"
#include "support/files.h"
#include "support/text.h"

namespace sizesheet::pdf {
namespace {

/// libharu takes two fonts of one PostScript name for one font.
struct FontName {
  const char* family;
  const char* postscript;  ///< and the file's, before ".ttf"
};

/// In the order of Face.
constexpr FontName kNames[] = {{"Roboto", "Roboto-Regular"},
                               {"Roboto", "Roboto-Bold"},
                               {"Roboto Condensed", "RobotoCondensed-Regular"},
                               {"Roboto Condensed", "RobotoCondensed-Bold"}};

/// The first file of that name under a directory in the order of paths, or "".
std::filesystem::path file_under(const std::filesystem::path& directory, const std::string& name) {
  std::error_code error;
  if (!std::filesystem::is_directory(directory, error)) return {};
  std::set<std::filesystem::path> found;
  for (std::filesystem::recursive_directory_iterator at(
           directory, std::filesystem::directory_options::skip_permission_denied, error);
       !error && at != std::filesystem::recursive_directory_iterator(); at.increment(error)) {
    if (at->path().filename() == name && at->is_regular_file(error)) found.insert(at->path());
  }
  return found.empty() ? std::filesystem::path() : *found.begin();
}

std::string find_font(const std::vector<std::filesystem::path>& directories,
                      const std::string& name) {
  std::vector<std::string> places;
  for (const std::filesystem::path& directory : directories) {
    const std::filesystem::path path = file_under(directory, name);
    if (!path.empty()) return path.string();
    places.push_back(directory.string());
  }
  throw InputError(name + ": the font is missing (looked in " + join(places, ", ") +
                   "); install the Debian package fonts-roboto-unhinted");
}

/// What was cut must still have every character, as wide as before.
void check_cut(const EmbeddedFont& font, Face face, const GlyphWidth& widths) {
  const TtfFont cut(font.bytes, font.file);
  for (const char32_t c : font.characters) {
    if (!cut.width(c) || cut.width(c) != widths(face, c)) {
      throw InputError(font.file + ": no glyph for " + code_names(std::u32string(1, c)) +
                       " that can be embedded");
    }
  }
}

constexpr char32_t kMalformed = 0xFFFD;
constexpr char32_t kBlank = 0x20;
constexpr char32_t kComma = 0x2C;
constexpr char32_t kQuestionMark = 0x3F;
constexpr std::size_t kQuoted = 60;  // characters of a text that a message repeats
constexpr std::size_t kNamed = 4;    // lacking characters that a message names

bool is_blank(char32_t c) { return c <= 0x20 || c == 0x7F || c == 0x2028 || c == 0x2029; }

std::u32string collapsed(std::u32string_view characters) {
  std::u32string out;
  for (const char32_t c : characters) {
    // Marks without a width of their own that steer other systems: nothing is lost without them.
    if (u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_DEFAULT_IGNORABLE_CODE_POINT)) continue;
    if (!is_blank(c)) {
      out += c;
    } else if (!out.empty() && out.back() != kBlank) {
      out += kBlank;
    }
  }
  if (!out.empty() && out.back() == kBlank) out.pop_back();
  return out;
}

/// Splits a word that is wider than a line; the last piece may be narrower.
std::vector<std::string> pieces_of(const std::string& word, const Style& style, double width,
                                   const GlyphWidth& glyphs) {
  std::vector<std::string> pieces;
  std::u32string piece;
  for (const char32_t c : decode(word)) {
    if (!piece.empty() && text_width(encode(piece + c), style, glyphs) > width + kWidthTolerance) {
      pieces.push_back(encode(piece));
      piece.clear();
    }
    piece += c;
  }
  if (!piece.empty()) pieces.push_back(encode(piece));
  return pieces;
}

}  // namespace

Faces::Faces(const std::vector<std::filesystem::path>& directories) {
  for (const FontName& name : kNames) {
    const std::string path = find_font(directories, name.postscript + std::string(".ttf"));
    const std::string bytes = read_file(path);
    faces_.push_back({path, bytes, TtfFont(bytes, path)});
  }
}

GlyphWidth Faces::widths() const {
  return [this](Face face, char32_t character) { return of(face).font.width(character); };
}

UsedCharacters used_characters(const PageLayout& layout) {
  UsedCharacters used;
  for (const Mark& mark : layout.marks) {
    const auto* run = std::get_if<TextRun>(&mark);
    if (!run) continue;
    for (const char32_t c : decode(run->text)) used[run->style.face].insert(c);
  }
  return used;
}

EmbeddedFonts embedded_fonts(const Faces& faces, const UsedCharacters& used) {
  EmbeddedFonts fonts;
  const GlyphWidth widths = faces.widths();
  for (const auto& [face, characters] : used) {
    const auto& [family, postscript] = kNames[static_cast<std::size_t>(face)];
    const std::string& file = faces.path(face);
    EmbeddedFont font{file, subset_font(faces.bytes(face), file, characters, family, postscript),
                      characters};
    check_cut(font, face, widths);
    fonts.emplace(face, std::move(font));
  }
  return fonts;
}

Printable printable(std::string_view text, Face face, const GlyphWidth& glyphs) {
  std::u32string kept;
  Printable out;
  for (const char32_t c : collapsed(decode(text))) {
    const bool lacking = c == kMalformed || !glyphs(face, c);
    kept += lacking ? kQuestionMark : c;
    if (lacking && out.missing.find(c) == std::u32string::npos) out.missing += c;
  }
  out.text = encode(kept);
  return out;
}

std::string code_names(std::u32string_view characters) {
  std::vector<std::string> names;
  for (const char32_t c : characters.substr(0, kNamed)) {
    char name[16];
    std::snprintf(name, sizeof name, "U+%04X", static_cast<unsigned>(c));
    names.emplace_back(name);
  }
  if (characters.size() > kNamed) names.emplace_back("…");
  return join(names, ", ");
}

std::string excerpt(std::string_view text) {
  const std::u32string characters = decode(text);
  if (characters.size() <= kQuoted) return encode(characters);
  return encode(characters.substr(0, kQuoted)) + "…";
}

double text_width(std::string_view text, const Style& style, const GlyphWidth& glyphs) {
  std::int64_t thousandths = 0;
  for (const char32_t c : decode(text)) thousandths += glyphs(style.face, c).value_or(0);
  return static_cast<double>(thousandths) * style.size / 1000;
}

std::string ellipsized(const std::string& text, const Style& style, double width,
                       const GlyphWidth& glyphs) {
  if (text_width(text, style, glyphs) <= width + kWidthTolerance) return text;
  std::u32string kept = decode(text);
  while (!kept.empty()) {
    kept.pop_back();
    while (!kept.empty() && (kept.back() == kBlank || kept.back() == kComma)) kept.pop_back();
    std::string cut = encode(kept) + "…";
    if (text_width(cut, style, glyphs) <= width + kWidthTolerance) return kept.empty() ? "" : cut;
  }
  return "";
}

std::vector<std::string> wrapped(const std::string& text, const Style& style, double width,
                                 const GlyphWidth& glyphs) {
  std::vector<std::string> lines;
  std::string line;
  for (const std::string& word : split(text, ' ')) {
    if (word.empty()) continue;
    const std::string longer = line.empty() ? word : line + " " + word;
    if (text_width(longer, style, glyphs) <= width + kWidthTolerance) {
      line = longer;
      continue;
    }
    if (!line.empty()) lines.push_back(line);
    const std::vector<std::string> pieces = pieces_of(word, style, width, glyphs);
    lines.insert(lines.end(), pieces.begin(), pieces.end() - 1);
    line = pieces.back();
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

}  // namespace sizesheet::pdf
