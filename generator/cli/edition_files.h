// SPDX-License-Identifier: Apache-2.0
// The files of an edition, and the place where one differs.
#pragma once

#include <functional>
#include <string>

#include "render/html/templates/templates.h"
#include "sheet/sheet.h"
#include "support/files.h"

namespace sizesheet {

/// The templates of the pages, and how an edition names them: "" for the built-in ones, else the
/// SHA-256 (64 hex digits) over names and texts of the whole set.
struct EditionTemplates {
  TemplateSet set;
  std::string id;
};

/// `directory` overrides built-in templates; "" takes them as they are. Throws InputError.
EditionTemplates edition_templates(const std::string& directory);

/// All writers run into memory, the manifest left out, beside the calculator's engine and facts
/// where there are some. What could not be printed as it is goes to `warn`, one sentence each.
/// Throws InputError for what cannot be drawn.
FileSet edition_files(const Sheet& sheet, const EditionTemplates& templates,
                      const std::function<void(const std::string&)>& warn, int jobs = 1,
                      FileSet calculator = {});

/// "" when equal; for text "line 3, column 14: expected "…", got "…"", columns in characters; else
/// "byte 1,234: expected 0x41, got 0x42" or "… got the end", counted from 1.
std::string first_difference(const std::string& expected, const std::string& got);

}  // namespace sizesheet
