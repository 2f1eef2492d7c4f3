// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/marks.h"

#include <qrcodegen/qrcodegen.hpp>

#include "render/pdf/palette.h"
#include "support/error.h"
#include "support/text.h"

namespace sizesheet::pdf {

namespace {

constexpr double kTriangleHeight = 3.6;
constexpr double kTriangleStroke = 0.55;
constexpr double kDiscRadius = 2.5;
constexpr double kDiscStroke = 0.8;
constexpr double kArrowHead = 3;
constexpr double kLeastModule = 0.85;  // 0.3 mm: below it phones fail on office paper

qrcodegen::QrCode code_of(const std::string& text) {
  try {
    return qrcodegen::QrCode::encodeText(text.c_str(), qrcodegen::QrCode::Ecc::MEDIUM);
  } catch (const qrcodegen::data_too_long&) {
    throw InputError("base URL: " + std::to_string(text.size()) +
                     " bytes are too long for a QR code");
  }
}

}  // namespace

void draw_triangle(Sketch& sketch, Point at, CountMark mark) {
  if (mark == CountMark::kNone) return;
  const Color fill = mark == CountMark::kOpen ? kWhite : kInk;
  // The stroke's half is kept inside, so that the sign ends where it says it ends.
  const double inset = kTriangleStroke / 2;
  sketch.path({{{at.x + inset, at.y - inset},
                {at.x + kTriangleWidth - inset, at.y - inset},
                {at.x + kTriangleWidth / 2, at.y - kTriangleHeight + inset}},
               true,
               {fill, kInk, kTriangleStroke},
               {}});
}

void draw_advice_disc(Sketch& sketch, Point center, Advice advice) {
  if (advice == Advice::kNone) return;
  const DiscFill fill = advice == Advice::kBuy     ? DiscFill::kFull
                        : advice == Advice::kClose ? DiscFill::kLeftHalf
                                                   : DiscFill::kEmpty;
  sketch.disc({center, kDiscRadius, kDiscStroke, kInk, fill});
}

std::string advice_word(Advice advice) {
  switch (advice) {
    case Advice::kBuy:
      return "buy";
    case Advice::kClose:
      return "close";
    case Advice::kRent:
      return "rent";
    case Advice::kNone:
      return "–";
  }
  return "";
}

void draw_arrow(Sketch& sketch, Point from, double length) {
  const double end = from.x + length;
  sketch.line(from, {end - kArrowHead, from.y}, 0.8, kInk);
  sketch.path({{{end, from.y}, {end - kArrowHead, from.y - 2}, {end - kArrowHead, from.y + 2}},
               true,
               {kInk, {}, 0},
               {}});
}

void draw_pick_frame(Sketch& sketch, const Rect& area) {
  sketch.box(area, {kPickFill, kBlue, 0.7}, 1.6);
}

void draw_qr(Sketch& sketch, const Rect& area, const std::string& text) {
  const qrcodegen::QrCode code = code_of(text);
  const int size = code.getSize();
  const double module = area.width / size;
  if (module < kLeastModule) {
    sketch.warn("base URL: the squares of its QR code are only " + format_number(module, 2) +
                " pt wide; a shorter one scans better");
  }
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      const int start = x;
      while (x < size && code.getModule(x, y)) ++x;
      if (x == start) continue;
      sketch.box({area.x + start * module, area.y + y * module, (x - start) * module, module},
                 {kInk, {}, 0});
    }
  }
}

}  // namespace sizesheet::pdf
