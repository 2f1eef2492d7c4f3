// SPDX-License-Identifier: Apache-2.0
#include "render/html/strict_context.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "render/html/templates_check.h"

namespace sizesheet {

namespace {

using Data = StrictContext::Data;

/// A page as it grows.
class PageText {
 public:
  PageText(const std::string& template_name, std::size_t most)
      : template_name_(template_name), most_(most) {}

  PageText& operator<<(const std::string& more) {
    if (text_.size() + more.size() > most_) {
      throw TemplateError("template '" + template_name_ + "': expected a page of at most " +
                          std::to_string(most_) + " bytes");
    }
    text_ += more;
    return *this;
  }
  std::string take() { return std::move(text_); }

 private:
  const std::string& template_name_;
  std::size_t most_;
  std::string text_;
};

/// Numbers are refused: writers decide how a number reads, a template engine does not.
Data made_from(const Json& value) {
  if (value.is_string()) return {value.get_ref<const std::string&>()};
  if (value.is_boolean()) return {value.get<bool>()};
  if (value.is_object()) return {Data::type::object};
  if (value.is_array()) {
    Data list(Data::type::list);
    for (const Json& item : value) list.push_back(made_from(item));
    return list;
  }
  throw std::logic_error("page values hold strings, flags, lists and objects, not " + shown(value));
}

/// The value under a dotted name, or nullptr.
const Json* below(const Json& level, const std::string& name) {
  const Json* value = &level;
  for (std::size_t from = 0; from <= name.size();) {
    const std::size_t dot = std::min(name.find('.', from), name.size());
    if (!value->is_object()) return nullptr;
    const auto member = value->find(std::string_view(name).substr(from, dot - from));
    if (member == value->end()) return nullptr;
    value = &*member;
    from = dot + 1;
  }
  return value;
}

bool has_tag(const std::string& text, const std::string& name) {
  const std::vector<std::string> tags = tags_of(text);
  return std::any_of(tags.begin(), tags.end(), [&](const std::string& tag) {
    const std::size_t first = tag.find_first_not_of("#^/&>{ \t\r\n");
    const std::size_t last = tag.find_last_not_of(" \t\r\n");
    return first != std::string::npos && tag.substr(first, last + 1 - first) == name;
  });
}

/// Where to look for the mistake in a tag: in the template that has it and is not as the program
/// has it, else in the page's own, else in a partial.
std::string template_with(const std::string& tag, const std::string& page,
                          const TemplateSet& templates) {
  const TemplateSet built_in = builtin_templates();
  std::string partial;
  for (const auto& [name, text] : templates) {
    if (!has_tag(text, tag)) continue;
    const auto as_built = built_in.find(name);
    if (as_built == built_in.end() || as_built->second != text) return name;
    if (partial.empty()) partial = name;
  }
  return partial.empty() || has_tag(templates.at(page), tag) ? page : partial;
}

}  // namespace

StrictContext::StrictContext(const Json& page, std::string template_name,
                             const TemplateSet& templates, std::int64_t most_parts)
    : template_name_(std::move(template_name)),
      levels_{&page},
      templates_(templates),
      most_parts_(most_parts) {}

void StrictContext::count_part() const {
  if (++parts_ <= most_parts_) return;
  throw TemplateError("template '" + template_name_ + "': expected at most " +
                      std::to_string(most_parts_) + " sections and partials on a page");
}

void StrictContext::push(const Data* data) {
  const Json* value = values_.at(data);
  count_part();
  if (items_.contains(value) && std::find(levels_.begin(), levels_.end(), value) != levels_.end()) {
    throw TemplateError("template '" + template_name_ +
                        "': goes through a list within the same list");
  }
  levels_.push_back(value);
}

void StrictContext::pop() { levels_.pop_back(); }

const Data* StrictContext::data_of(const Json& value) const {
  const auto known = data_.find(&value);
  if (known != data_.end()) return &known->second;
  const Data& data = data_.emplace(&value, made_from(value)).first->second;
  values_[&data] = &value;
  if (!data.is_list()) return &data;
  for (std::size_t i = 0; i < value.size(); ++i) {
    values_[&data.list_value()[i]] = &value[i];
    items_.insert(&value[i]);
  }
  return &data;
}

const Json* StrictContext::find(const std::string& name) const {
  if (name == ".") return levels_.back();
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
    if (const Json* value = below(**level, name)) return value;
  }
  return nullptr;
}

const Data* StrictContext::get(const std::string& name) const {
  if (const Json* value = find(name)) return data_of(*value);
  throw TemplateError("template '" + template_with(name, template_name_, templates_) +
                      "': no value named '" + name + "'");
}

const Data* StrictContext::get_partial(const std::string& name) const {
  count_part();
  const auto found = templates_.find(name + kTemplateSuffix);
  if (found != templates_.end()) return &partials_.try_emplace(name, found->second).first->second;
  throw TemplateError("template '" + template_with(name, template_name_, templates_) +
                      "': no partial named '" + name + "'");
}

std::string render_template(const TemplateSet& templates, const std::string& template_name,
                            const Json& values, const PageLimits& limits) {
  const auto found = templates.find(template_name);
  if (found == templates.end()) throw TemplateError("no template named '" + template_name + "'");
  kainjow::mustache::mustache parsed(found->second);
  StrictContext context(values, template_name, templates, limits.parts);
  PageText page(template_name, limits.bytes);
  if (parsed.is_valid()) parsed.render(context, page);
  // A broken partial is found only while rendering, so the check comes after it.
  if (!parsed.is_valid()) {
    throw TemplateError("template '" + template_name + "': " + parsed.error_message());
  }
  return page.take();
}

}  // namespace sizesheet
