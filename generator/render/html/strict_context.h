// SPDX-License-Identifier: Apache-2.0
// Mustache with misses made errors: a template may only use names and partials that exist.
#pragma once

#include <cstdint>
#include <kainjow/mustache.hpp>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

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

/// Looks names up from the innermost level outwards and throws TemplateError when none has it.
/// Values become the library's own where a template asks for them, lists without what their items
/// hold: the library copies whatever is put into another value. A template that goes through a list
/// within that list, or that enters more parts than a page may have, is refused.
class StrictContext final : public kainjow::mustache::basic_context<std::string> {
 public:
  using Data = kainjow::mustache::data;

  /// Page and templates must outlive it.
  StrictContext(const Json& page, std::string template_name, const TemplateSet& templates,
                std::int64_t most_parts);

  /// Throws TemplateError.
  void push(const Data* data) override;
  void pop() override;
  const Data* get(const std::string& name) const override;
  const Data* get_partial(const std::string& name) const override;

 private:
  const Json* find(const std::string& name) const;
  const Data* data_of(const Json& value) const;
  void count_part() const;

  std::string template_name_;
  std::vector<const Json*> levels_;
  const TemplateSet& templates_;
  std::int64_t most_parts_;
  mutable std::int64_t parts_ = 0;  ///< entered so far
  // Filled as the template asks; the nodes of these tables stay where they are.
  mutable std::unordered_map<const Json*, Data> data_;
  mutable std::unordered_map<const Data*, const Json*> values_;
  mutable std::unordered_set<const Json*> items_;  ///< of lists
  mutable std::map<std::string, Data> partials_;
};

/// Renders `template_name` of the set with `values`: objects, arrays, strings and booleans only.
/// Throws TemplateError for a missing name or partial, for a malformed template and for a page that
/// becomes too long, std::logic_error for a value of another type.
std::string render_template(const TemplateSet& templates, const std::string& template_name,
                            const Json& values, const PageLimits& limits = {});

}  // namespace sizesheet
