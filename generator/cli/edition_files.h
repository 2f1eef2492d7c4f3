// SPDX-License-Identifier: Apache-2.0
// Every file of an edition from its Sheet: what `build` publishes and `verify` expects.
#pragma once

#include <functional>
#include <string>

#include "render/html/templates.h"
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

/// All writers run into memory, the manifest left out. What could not be printed as it is goes to
/// `warn`, one sentence each. Throws InputError for what cannot be drawn.
FileSet edition_files(const Sheet& sheet, const EditionTemplates& templates,
                      const std::function<void(const std::string&)>& warn);

}  // namespace sizesheet
