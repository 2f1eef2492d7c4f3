// SPDX-License-Identifier: Apache-2.0
// Mustache with misses made errors: a template may only use names, formats and partials that exist.
// A name is a path, with a format behind a bar: "own.capex_usd|whole".
#pragma once

#include <cstdint>
#include <kainjow/mustache.hpp>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "render/html/sheet_values.h"
#include "render/html/templates.h"
#include "support/error.h"
#include "support/json.h"

namespace sizesheet {

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

/// Looks names up from the innermost level outwards, then in the sheet, and throws TemplateError
/// when none has it. "." is the innermost value; an id before a dot stands for its entry of the
/// sheet, as in "gpu.short_name"; what lies below an absent part is absent. A number needs a
/// format. Values become the library's own where a template asks for them, lists without what their
/// items hold: the library copies whatever is put into another value. A template that goes through
/// a list within that list, or that enters more parts than a page may have, is refused.
class StrictContext final : public kainjow::mustache::basic_context<std::string> {
 public:
  using Data = kainjow::mustache::data;

  /// Page and templates must outlive it.
  StrictContext(const Json& page, std::string template_name, const TemplateSet& templates,
                std::int64_t most_parts, const SheetValues* sheet);

  /// Throws TemplateError.
  void push(const Data* data) override;
  void pop() override;
  const Data* get(const std::string& name) const override;
  const Data* get_partial(const std::string& name) const override;

 private:
  const Json* below(const Json& level, std::string_view path) const;
  const Json* find(std::string_view path) const;
  [[noreturn]] void refuse(const std::string& name, const std::string& words) const;
  const Data* data_of(const Json& value) const;
  void count_part() const;

  std::string template_name_;
  std::vector<const Json*> levels_;
  const TemplateSet& templates_;
  std::int64_t most_parts_;
  const SheetValues* sheet_;
  mutable Data words_;              ///< the latest that a format made
  mutable std::int64_t parts_ = 0;  ///< entered so far
  // Filled as the template asks; the nodes of these tables stay where they are.
  mutable std::unordered_map<const Json*, Data> data_;
  mutable std::unordered_map<const Data*, const Json*> values_;
  mutable std::unordered_set<const Json*> items_;  ///< of lists
  mutable std::map<std::string, Data> partials_;
};

/// Renders `template_name` of the set with `values`, and under them those of the sheet. Throws
/// TemplateError for a missing name, format or partial, for a number without a format, for a
/// malformed template and for a page that becomes too long.
std::string render_template(const TemplateSet& templates, const std::string& template_name,
                            const Json& values, const PageLimits& limits = {},
                            const SheetValues* sheet = nullptr);

}  // namespace sizesheet
