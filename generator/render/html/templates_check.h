// SPDX-License-Identifier: Apache-2.0
// What a set of templates may not do, whatever it is rendered with: end never.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "render/html/templates.h"

namespace sizesheet {

/// What stands between "{{" and "}}", one after the other.
std::vector<std::string> tags_of(std::string_view text);

/// Throws InputError, naming the file below `directory`, for a template that comes to itself
/// through `{{>…}}`, that nests sections deeper than 100 levels, that changes the delimiters, that
/// names a format which does not exist, or that is malformed.
void check_templates(const TemplateSet& templates, const std::string& directory);

}  // namespace sizesheet
