// SPDX-License-Identifier: Apache-2.0
#include "cli/edition_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <new>
#include <system_error>

#include "render/html/html_writer.h"
#include "render/html/templates/templates.h"
#include "render/pdf/lay_out.h"
#include "render/pdf/page/page_layout.h"
#include "render/table/csv.h"
#include "render/xlsx/sheets.h"
#include "sheet/assemble/shown.h"
#include "sheet/sheet.h"
#include "sheet/sheet_json.h"
#include "support/files.h"
#include "support/json.h"
#include "support/object_text.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// The rest of the line from a little before `at`, quoted and cut; "the end" after the last line.
std::string excerpt(std::string_view text, std::size_t at) {
  constexpr std::size_t kBefore = 12;
  if (at >= text.size()) return "the end";
  const std::size_t newline = text.rfind('\n', at == 0 ? 0 : at - 1);
  const std::size_t line = at == 0 || newline == std::string_view::npos ? 0 : newline + 1;
  std::size_t from = at - std::min(at - line, kBefore);
  while (from > line && continues_character(text[from])) --from;
  return shown(Json(text.substr(from, text.find('\n', at) - from)));
}

std::string byte_words(const std::string& text, std::size_t at) {
  if (at >= text.size()) return "the end";
  return fmt::format("0x{:02x}", static_cast<unsigned char>(text[at]));
}

/// Of the character that holds the byte at `at`.
std::string place_words(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t newline = before.rfind('\n');
  const std::string_view line =
      newline == std::string_view::npos ? before : before.substr(newline + 1);
  const auto letters = static_cast<std::int64_t>(width_of(line));
  return "line " + format_integer(lines + 1) + ", column " + format_integer(letters + 1);
}

}  // namespace

EditionTemplates edition_templates(const std::string& directory) {
  if (directory.empty()) return {builtin_templates(), ""};
  EditionTemplates templates{load_templates(directory), ""};
  if (templates.set != builtin_templates()) {
    templates.id = sha256_hex(json_text(Json(templates.set)));
  }
  return templates;
}

FileSet edition_files(const Sheet& sheet, const EditionTemplates& templates,
                      const std::function<void(const std::string&)>& warn, int jobs,
                      FileSet calculator) {
  const bool letter = sheet.meta.paper == "letter";
  const auto tell = [&warn](const std::string& words) { warn("sheet.pdf: " + words); };
  FileSet files = std::move(calculator);
  files["sheet.json"] = to_json_text(sheet);
  write_tables(sheet, files);
  std::optional<Sheet> converted;
  if (sheet.meta.exchange) converted = as_shown(sheet);
  const Sheet& shown = converted ? *converted : sheet;
  write_site(shown, templates.set, jobs, files);
  files["sheet.pdf"] = pdf_handout(shown, letter ? Paper::kLetter : Paper::kA4, tell);
  // Alone: an end from outside waits for its files to be removed in the thread that writes them.
  files["sheet.xlsx"] = xlsx_workbook(shown, letter);
  return files;
}

std::string first_difference(const std::string& expected, const std::string& got) {
  if (expected == got) return "";
  const auto [there, here] =
      std::mismatch(expected.begin(), expected.end(), got.begin(), got.end());
  auto at = static_cast<std::size_t>(there - expected.begin());
  if (!is_utf8(expected) || !is_utf8(got)) {
    return "byte " + format_integer(static_cast<std::int64_t>(at) + 1) + ": expected " +
           byte_words(expected, at) + ", got " + byte_words(got, at);
  }
  while (at > 0 && at < expected.size() && continues_character(expected[at])) --at;
  return place_words(expected, at) + ": expected " + excerpt(expected, at) + ", got " +
         excerpt(got, at);
}

}  // namespace sizesheet
