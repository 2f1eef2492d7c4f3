// SPDX-License-Identifier: Apache-2.0
#include "render/xlsx/styles.h"

#include <new>

namespace sizesheet::xlsx {
namespace {

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
  switch (style) {
    case Style::kCount:
    case Style::kUsd:
    case Style::kInputUsd:
    case Style::kInputCount:
      return "#,##0";
    case Style::kTenths:
      return "#,##0.0";
    case Style::kUsdRun:
      return "[<100]#,##0.00;#,##0";
    case Style::kUsdCents:
    case Style::kInputUsdCents:
      return "#,##0.00";
    case Style::kUsdTenths:
      return "#,##0.000";
    case Style::kPercent:
    case Style::kInputPercent:
      return "0.0%";
    case Style::kDate:
    case Style::kInputDate:
      return "yyyy-mm-dd";
    case Style::kMonth:
    case Style::kInputMonth:
      return "yyyy-mm";
    case Style::kLine:
      return "0;-0;\"–\"";
    default:
      return "General";
  }
}

bool is_input(Style style) { return style >= Style::kInputText && style <= Style::kInputCount; }

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

void shape_input(lxw_format* format) {
  format_set_font_color(format, kInputInk);
  format_set_bg_color(format, kInputFill);
  format_set_border(format, LXW_BORDER_HAIR);
  format_set_border_color(format, kInputRule);
}

void shape_words(lxw_format* format, Style style) {
  if (style == Style::kTitle) format_set_font_size(format, kPoints + 4);
  if (style == Style::kSection) format_set_font_size(format, kPoints + 1);
  if (style == Style::kTitle || style == Style::kSection) format_set_bold(format);
  if (style == Style::kSubtitle || style == Style::kLine) format_set_font_color(format, kQuiet);
  if (style == Style::kText || style == Style::kWrapped || style == Style::kInputText) {
    format_set_indent(format, 1);  // else a text touches the figure before it
  }
  if (style == Style::kWrapped) {
    format_set_text_wrap(format);
  }
}

lxw_format* shaped(lxw_format* format, Style style) {
  if (style == Style::kBest) {
    format_set_bg_color(format, kBestFill);
    return format;
  }
  format_set_font_color(format, style == Style::kAside ? kAsideInk : kInk);
  if (style == Style::kAside) return format;
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
  if (is_input(style)) shape_input(format);
  return format;
}

}  // namespace

bool is_figure(Style style) {
  return !is_head(style) && !is_date(style) && style >= Style::kCount && style != Style::kInputText;
}

lxw_format* Styles::of(Style style) {
  lxw_format*& format = made_[style];
  if (format == nullptr) {
    format = workbook_add_format(book_);
    if (format == nullptr) throw std::bad_alloc();
    shaped(format, style);
  }
  return format;
}

}  // namespace sizesheet::xlsx
