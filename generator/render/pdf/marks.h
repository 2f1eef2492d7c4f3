// SPDX-License-Identifier: Apache-2.0
// The page's signs, all drawn: no font here has arrows, triangles or half discs, and each sign is
// told apart by its shape.
#pragma once

#include <string>

#include "render/pdf/sketch.h"
#include "render/pdf/table_text.h"

namespace sizesheet::pdf {

inline constexpr double kTriangleWidth = 3.9;

/// A triangle on the baseline, its left corner at `at`.
void draw_triangle(Sketch& sketch, Point at, CountMark mark);

/// The disc of an advice: full to buy, half when close, empty to rent.
void draw_advice_disc(Sketch& sketch, Point center, Advice advice);
std::string advice_word(Advice advice);

/// An arrow to the right along `from`.
void draw_arrow(Sketch& sketch, Point from, double length);

/// The frame behind the pick's number.
void draw_pick_frame(Sketch& sketch, const Rect& area);

/// The QR code of a text as squares in `area`, runs of a row merged. Throws InputError when it is
/// too long.
void draw_qr(Sketch& sketch, const Rect& area, const std::string& text);

}  // namespace sizesheet::pdf
