// SPDX-License-Identifier: Apache-2.0
// The notes at the foot of the page, and the QR code beside them.
#pragma once

#include <vector>

#include "render/pdf/page_metrics.h"
#include "render/pdf/page_words.h"
#include "render/pdf/sketch.h"

namespace sizesheet::pdf {

/// True when all sentences stand at the type's normal size.
bool notes_fit(const Sketch& sketch, const PageMetrics& metrics, const std::vector<Note>& notes,
               const std::string& base_url);

/// Notes in columns as wide as their texts need. When they are too long, they are set smaller, then
/// lose sentences from the end, with a warning.
void draw_notes(Sketch& sketch, const PageMetrics& metrics, std::vector<Note> notes,
                const std::string& base_url);

}  // namespace sizesheet::pdf
