// SPDX-License-Identifier: Apache-2.0
// Templates of the pages: compiled in and replaceable, checked, fed from sheet.json by path; a miss
// is an error.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace sizesheet {

// ---- The templates of the pages: compiled in, and replaceable file by file from a directory.

inline constexpr const char* kTemplateSuffix = ".mustache";

/// File name -> text: pages and partials (*.mustache), style.css and the scripts.
using TemplateSet = std::map<std::string, std::string>;

/// The files of templates/, generated into the program by the build.
const std::map<std::string, std::string_view>& embedded_templates();

TemplateSet builtin_templates();

/// The built-in set overlaid by the files of `directory`. Throws InputError for a file whose name
/// the pages do not know, so that a misspelt override is not silently without effect.
TemplateSet load_templates(const std::filesystem::path& directory);

/// What stands between "{{" and "}}", one after the other, without blanks around.
std::vector<std::string> tags_of(const std::string& text);

/// The file that a tag such as "> head" takes in; "" for any other tag.
std::string partial_of(const std::string& tag);

/// Throws InputError, naming the file below `directory`, for a template that comes to itself
/// through `{{>…}}`, that nests sections deeper than 100 levels, that changes the delimiters, that
/// names a format which does not exist, or that is malformed.
void check_templates(const TemplateSet& templates, const std::string& directory);

// ---- Mustache with misses made errors: a template may only use names, formats and partials that
// exist. A name is a path, with a format behind a bar: "own.capex_usd|whole".

/// A template asked for something that is not there. Names the template and the name.
class TemplateError : public InputError {
 public:
  using InputError::InputError;
};

/// `body` is rendered markup, `title` plain text.
std::string standalone_document(const std::string& title, const std::string& body,
                                const TemplateSet& templates);

/// 'sha256-…': how a policy names a text that it allows.
std::string policy_hash(const std::string& text);

}  // namespace sizesheet
