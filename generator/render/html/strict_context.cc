// SPDX-License-Identifier: Apache-2.0
#include "render/html/strict_context.h"

#include <stdexcept>
#include <utility>

#include "support/text.h"

namespace sizesheet {

namespace {

using Data = StrictContext::Data;

/// Numbers are refused: writers decide how a number reads, a template engine does not.
Data to_data(const Json& value) {
  if (value.is_string()) return Data(value.get<std::string>());
  if (value.is_boolean()) return Data(value.get<bool>());
  if (value.is_array()) {
    kainjow::mustache::list items;
    items.reserve(value.size());
    for (const Json& item : value) items.push_back(to_data(item));
    return Data(items);
  }
  if (value.is_object()) {
    kainjow::mustache::object members;
    for (const auto& [name, member] : value.items()) members.emplace(name, to_data(member));
    return Data(members);
  }
  throw std::logic_error("page values hold strings, flags, lists and objects, not " + shown(value));
}

/// The page's template, or the partial whose text holds the tag: the place to look for the mistake.
std::string template_with(const std::string& tag, const std::string& page,
                          const TemplateSet& templates) {
  const auto own = templates.find(page);
  if (own != templates.end() && own->second.find(tag + "}}") != std::string::npos) return page;
  for (const auto& [name, text] : templates) {
    if (text.find(tag + "}}") != std::string::npos) return name;
  }
  return page;
}

}  // namespace

StrictContext::StrictContext(const Data& page, std::string template_name,
                             const TemplateSet& templates)
    : template_name_(std::move(template_name)), levels_{&page}, templates_(templates) {
  for (const auto& [name, text] : templates) partials_.emplace(name, Data(text));
}

void StrictContext::push(const Data* data) { levels_.push_back(data); }

void StrictContext::pop() { levels_.pop_back(); }

const Data* StrictContext::find(const std::string& name) const {
  if (name == ".") return levels_.back();
  const std::vector<std::string> path = split(name, '.');
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
    const Data* value = *level;
    for (const std::string& part : path) {
      value = value->get(part);
      if (!value) break;
    }
    if (value) return value;
  }
  return nullptr;
}

const Data* StrictContext::get(const std::string& name) const {
  if (const Data* value = find(name)) return value;
  throw TemplateError("template '" + template_with(name, template_name_, templates_) +
                      "': no value named '" + name + "'");
}

const Data* StrictContext::get_partial(const std::string& name) const {
  const auto found = partials_.find(name + kTemplateSuffix);
  if (found != partials_.end()) return &found->second;
  throw TemplateError("template '" + template_with(name, template_name_, templates_) +
                      "': no partial named '" + name + "'");
}

std::string render_template(const TemplateSet& templates, const std::string& template_name,
                            const Json& values) {
  const auto found = templates.find(template_name);
  if (found == templates.end()) throw TemplateError("no template named '" + template_name + "'");
  const Data page = to_data(values);
  kainjow::mustache::mustache parsed(found->second);
  StrictContext context(page, template_name, templates);
  std::string out = parsed.is_valid() ? parsed.render(context) : "";
  // A broken partial is found only while rendering, so the check comes after it.
  if (!parsed.is_valid()) {
    throw TemplateError("template '" + template_name + "': " + parsed.error_message());
  }
  return out;
}

}  // namespace sizesheet
