// SPDX-License-Identifier: Apache-2.0
// Templates of the pages: compiled in and replaceable, checked, fed from sheet.json by path; a miss
// is an error.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "sheet/sheet.h"
#include "support/error.h"
#include "support/json.h"

namespace sizesheet {

// ---- The templates of the pages: compiled in, and replaceable file by file from a directory.

inline constexpr const char* kTemplateSuffix = ".mustache";

/// File name -> text: pages and partials (*.mustache), style.css and the scripts.
using TemplateSet = std::map<std::string, std::string>;

/// The files of templates/, generated into the program by the build.
const std::map<std::string, std::string>& embedded_templates();

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

// ---- The JSON of a sheet as templates read it: the members of sheet.json, each made when a page
// first asks for it, and the entries that ids name.

/// Pages that are drawn at once share it.
class SheetValues {
 public:
  /// The sheet must outlive it.
  explicit SheetValues(const Sheet& sheet) : sheet_(sheet) {}

  /// "models", "meta" …; nullptr where sheet.json has no such member.
  const Json* member(std::string_view key) const;
  /// The entry of an id under "model", "method", "gpu" or "scenario"; nullptr where there is none.
  const Json* entry(std::string_view kind, const std::string& id) const;

 private:
  const Sheet& sheet_;
  mutable std::recursive_mutex mutex_;
  mutable std::map<std::string, Json, std::less<>> members_;
  mutable std::map<std::string, std::map<std::string, const Json*>> entries_;
};

/// One row as JSON for the tables: what sheet.json has of it but the parts of its bill (and no bill
/// where it was refused), with "key",
/// "set_up" in words, "bill", its fragment on its model's page, and "behind_price" in a rent.
Json row_json(const Sheet& sheet, const Row& row);

// ---- Mustache with misses made errors: a template may only use names, formats and partials that
// exist. A name is a path, with a format behind a bar: "own.capex_usd|whole".

/// A template asked for something that is not there. Names the template and the name.
class TemplateError : public InputError {
 public:
  using InputError::InputError;
};

/// What a page may become; far beyond a sheet of as many rows as a sheet may have.
struct PageLimits {
  std::int64_t parts = 20'000'000;  ///< sections and partials entered
  std::size_t bytes = std::size_t{256} << 20U;
};

/// Renders `template_name` of the set with `values`, and under them those of the sheet. Names are
/// looked up from the innermost level outwards, then in the sheet. "." is the innermost value; an
/// id before a dot stands for its entry of the sheet, as in "gpu.short_name"; what lies below an
/// absent part is absent. Throws TemplateError for a missing name, format or partial, for a number
/// without a format, for a malformed template, for one that goes through a list within that list,
/// and for a page that becomes too long.
std::string render_template(const TemplateSet& templates, const std::string& template_name,
                            const Json& values, const PageLimits& limits = {},
                            const SheetValues* sheet = nullptr);

/// `body` is rendered markup, `title` plain text.
std::string standalone_document(const std::string& title, const std::string& body,
                                const TemplateSet& templates);

/// 'sha256-…': how a policy names a text that it allows.
std::string policy_hash(const std::string& text);

}  // namespace sizesheet
