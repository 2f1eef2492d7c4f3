// SPDX-License-Identifier: Apache-2.0
// Copies a laid-out page into a PDF. Nothing is decided here.
#pragma once

#include <string>

#include "render/pdf/document.h"
#include "render/pdf/page_layout.h"

namespace sizesheet::pdf {

/// The PDF of one page.
std::string draw(const PageLayout& layout, const DocumentInfo& info, const Faces& faces);

}  // namespace sizesheet::pdf
