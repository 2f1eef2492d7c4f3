// SPDX-License-Identifier: Apache-2.0
// What a set of templates may not do, whatever it is rendered with: end never.
#pragma once

#include <string>

#include "render/html/templates.h"

namespace sizesheet {

/// Throws InputError, naming the file below `directory`, for a template that comes to itself
/// through
/// `{{>…}}`, that nests sections deeper than 100 levels, or that changes the delimiters.
void check_templates(const TemplateSet& templates, const std::string& directory);

}  // namespace sizesheet
