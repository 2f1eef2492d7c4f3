// SPDX-License-Identifier: Apache-2.0
#include "render/xlsx/workbook_file.h"

#include <cstdlib>
#include <new>
#include <system_error>

#include "sheet/assemble/shown.h"
#include "sheet/sheet.h"
#include "support/durable.h"
#include "support/error.h"
#include "support/files.h"
#include "support/text.h"

namespace sizesheet::xlsx {
namespace {

constexpr std::int64_t kSecondsPerDay = 86400;

/// libxlsxwriter collects in files what it writes.
std::filesystem::path collecting_folder(std::optional<ScratchFolder>& scratch) {
  const auto refusal = [](const std::string& why) {
    return InputError("sheet.xlsx: no folder for temporary files (TMPDIR): " + why);
  };
  std::error_code error;
  const char* named = std::getenv("TMPDIR");
  const bool blank = named != nullptr && *named == '\0';  // as good as not set
  const std::filesystem::path parent =
      blank ? std::filesystem::path("/tmp") : std::filesystem::temp_directory_path(error);
  if (error) throw refusal(error.message());
  try {
    return scratch.emplace(parent).folder();
  } catch (const InputError& fault) {
    throw refusal(fault.what());
  }
}

lxw_workbook* open_book(const std::filesystem::path& path, const std::filesystem::path& folder) {
  std::string temporary = folder.string();
  lxw_workbook_options options = {};
  options.tmpdir = temporary.data();
  lxw_workbook* book = workbook_new_opt(path.c_str(), &options);
  if (book == nullptr) throw InputError("sheet.xlsx: no memory for the workbook");
  return book;
}

/// Dates of making come from the sheet's day: libxlsxwriter would else take the clock's.
void set_properties(lxw_workbook* book, const SheetMeta& meta) {
  std::string title = in_money(meta.title + " " + meta.edition, meta);
  std::string author = "sizesheet " + meta.tool_version;
  std::string comments = "Catalog " + meta.catalog_hash + ", as of " + meta.as_of;
  lxw_doc_properties properties = {};
  properties.title = title.data();
  properties.author = author.data();
  properties.comments = comments.data();
  properties.created = static_cast<time_t>(day_number(meta.as_of).value_or(0) * kSecondsPerDay);
  if (properties.created == 0) properties.created = 1;  // 0 would mean now
  require(workbook_set_properties(book, &properties), "properties");
}

constexpr lxw_color_t kInk = 0x1B2733;
constexpr lxw_color_t kQuiet = 0x5A6B7B;
constexpr lxw_color_t kHeadFill = 0xE8EDF2;
constexpr lxw_color_t kRule = 0xB8C4CF;
constexpr lxw_color_t kInputInk = 0x0B3FB5;
constexpr lxw_color_t kInputFill = 0xFFF8DC;
constexpr lxw_color_t kInputRule = 0xE3D9A8;
constexpr lxw_color_t kBestFill = 0xDDF1E0;
constexpr lxw_color_t kAsideInk = 0x6B7885;

constexpr double kPoints = 10;

const char* number_format(Style style) {
  static const std::pair<const char*, std::set<Style>> kFormats[] = {
      {"#,##0", {Style::kCount, Style::kInputCount, Style::kUsd, Style::kInputUsd}},
      {"#,##0.0", {Style::kTenths, Style::kInputTenths}},
      {"[<100]#,##0.00;#,##0", {Style::kUsdRun}},
      {"#,##0.00", {Style::kUsdCents, Style::kInputUsdCents}},
      {"#,##0.000", {Style::kUsdTenths}},
      {"0.0%", {Style::kPercent, Style::kInputPercent}},
      {"+0.0%;-0.0%;0.0%", {Style::kAway}},
      {"yyyy-mm-dd", {Style::kDate, Style::kInputDate}},
      {"yyyy-mm", {Style::kMonth, Style::kInputMonth}},
      {"0;-0;\"–\"", {Style::kLine}}};
  for (const auto& [format, styles] : kFormats) {
    if (styles.contains(style)) return format;
  }
  return "General";
}

bool is_head(Style style) { return style >= Style::kGroup && style <= Style::kHeadNoteRight; }

bool is_date(Style style) {
  return style == Style::kDate || style == Style::kMonth || style == Style::kInputDate ||
         style == Style::kInputMonth;
}

void shape_heading(lxw_format* format, Style style) {
  format_set_bg_color(format, kHeadFill);
  format_set_text_wrap(format);
  format_set_align(format, LXW_ALIGN_VERTICAL_BOTTOM);
  if (style == Style::kHeadRight || style == Style::kHeadNoteRight) {
    format_set_align(format, LXW_ALIGN_RIGHT);
  } else if (style != Style::kGroup) {
    format_set_indent(format, 1);
  }
  if (style == Style::kHeadNote || style == Style::kHeadNoteRight) {
    format_set_font_size(format, kPoints - 1);
    format_set_font_color(format, kQuiet);
    format_set_bottom(format, LXW_BORDER_THIN);
    format_set_bottom_color(format, kRule);
  } else {
    format_set_bold(format);
  }
  if (style == Style::kGroup) {
    format_set_align(format, LXW_ALIGN_CENTER);
    format_set_left(format, LXW_BORDER_THIN);
    format_set_left_color(format, kRule);
  }
}

void shape_words(lxw_format* format, Style style) {
  if (style == Style::kTitle) format_set_font_size(format, kPoints + 4);
  if (style == Style::kSection) format_set_font_size(format, kPoints + 1);
  if (style == Style::kTitle || style == Style::kSection) format_set_bold(format);
  if (style == Style::kSubtitle || style == Style::kLine) format_set_font_color(format, kQuiet);
  if (style == Style::kText || style == Style::kWrapped || style == Style::kInputText) {
    format_set_indent(format, 1);  // else a text touches the figure before it
  }
  if (style == Style::kWrapped) format_set_text_wrap(format);
}

void shape(lxw_format* format, Style style) {
  if (style == Style::kBest) return format_set_bg_color(format, kBestFill);
  format_set_font_color(format, style == Style::kAside ? kAsideInk : kInk);
  if (style == Style::kAside) return;
  format_set_font_size(format, kPoints);
  format_set_num_format(format, number_format(style));
  if (is_date(style)) {
    format_set_align(format, LXW_ALIGN_LEFT);
    format_set_indent(format, 1);
  }
  if (is_head(style)) {
    shape_heading(format, style);
  } else {
    format_set_align(format, LXW_ALIGN_VERTICAL_TOP);
  }
  shape_words(format, style);
  if (style < Style::kInputText || style > Style::kInputCount) return;
  format_set_font_color(format, kInputInk);
  format_set_bg_color(format, kInputFill);
  format_set_border(format, LXW_BORDER_HAIR);
  format_set_border_color(format, kInputRule);
}

}  // namespace

void require(lxw_error result, const std::string& what) {
  if (result == LXW_NO_ERROR) return;
  throw InputError("sheet.xlsx: " + what + ": " + lxw_strerror(result));
}

WorkbookFile::WorkbookFile(const SheetMeta& meta)
    : folder_(collecting_folder(scratch_)),
      path_(folder_ / "sheet.xlsx"),
      book_(open_book(path_, folder_)),
      meta_(meta) {
  set_properties(book_, meta);
}

WorkbookFile::~WorkbookFile() {
  if (book_ != nullptr) lxw_workbook_free(book_);
}

lxw_worksheet* WorkbookFile::add_sheet(const std::string& name) {
  lxw_worksheet* sheet = workbook_add_worksheet(book_, name.c_str());
  if (sheet == nullptr) throw InputError("sheet.xlsx: cannot add a sheet named \"" + name + "\"");
  return sheet;
}

void WorkbookFile::define_name(const std::string& name, const std::string& cells) {
  require(workbook_define_name(book_, name.c_str(), ("=" + cells).c_str()), "name " + name);
}

lxw_chart* WorkbookFile::chart(lxw_chart_type type) {
  lxw_chart* chart = workbook_add_chart(book_, static_cast<std::uint8_t>(type));
  if (chart == nullptr) throw std::bad_alloc();
  return chart;
}

std::string WorkbookFile::bytes() {
  lxw_workbook* book = book_;
  book_ = nullptr;  // closing frees it, also when it fails
  require(workbook_close(book), "cannot be written");
  return read_file(path_);
}

bool is_heading(Style style) {
  return is_head(style) || style == Style::kTitle || style == Style::kSection;
}

bool is_figure(Style style) {
  return !is_head(style) && !is_date(style) && style >= Style::kCount && style != Style::kInputText;
}

lxw_format* WorkbookFile::style(Style style) {
  lxw_format*& format = styles_[style];
  if (format == nullptr) {
    format = workbook_add_format(book_);
    if (format == nullptr) throw std::bad_alloc();
    shape(format, style);
  }
  return format;
}

}  // namespace sizesheet::xlsx
