// SPDX-License-Identifier: Apache-2.0
// Mustache with misses made errors, over the JSON of a sheet.

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "render/html/pages.h"
#include "render/html/templates/templates.h"
#include "render/phrases.h"
#include "sheet/fields.h"
#include "sheet/money.h"
#include "sheet/sheet_json.h"

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

/// Numbers are refused by whoever asks for one: a format decides how a number reads. Within a list
/// they stand until a template prints them.
Data made_from(const Json& value) {
  if (value.is_null() || value.is_number()) return {false};
  if (value.is_string()) return {value.get_ref<const std::string&>()};
  if (value.is_boolean()) return {value.get<bool>()};
  if (value.is_object()) return {Data::type::object};
  if (value.is_array()) {
    Data list(Data::type::list);
    for (const Json& item : value) list.push_back(made_from(item));
    return list;
  }
  throw std::logic_error("a page holds no " + shown(value));
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

/// Writes the one member that is asked for.
struct MemberWriter {
  std::string_view key;
  Json& out;
  bool found = false;

  template <typename T>
  void operator()(const char* name, const T& value) {
    if (key != name) return;
    found = true;
    FieldWriter writer(out);
    writer(name, value);
  }
};

/// Writes a row without the long lists behind its figures.
struct RowWriter {
  FieldWriter writer;

  template <typename T>
  void operator()(const char* name, const T& value) {
    for (const std::string_view list :
         {"terms", "counts", "cost_terms", "quantity_terms", "warnings"}) {
      if (list == name) return;
    }
    writer(name, value);
  }
  template <typename F>
  void group(const char* name, F&& walk) {
    writer.group(name, walk);
  }
};

}  // namespace

StrictContext::StrictContext(const Json& page, std::string template_name,
                             const TemplateSet& templates, std::int64_t most_parts,
                             const SheetValues* sheet)
    : template_name_(std::move(template_name)),
      levels_{&page},
      templates_(templates),
      most_parts_(most_parts),
      sheet_(sheet) {}

void StrictContext::count_part() const {
  if (++parts_ <= most_parts_) return;
  throw TemplateError("template '" + template_name_ + "': expected at most " +
                      std::to_string(most_parts_) + " sections and partials on a page");
}

void StrictContext::push(const Data* data) {
  static const Json kFlag = true;  // what a format makes is no level to look names up in
  const auto known = values_.find(data);
  const Json* value = known == values_.end() ? &kFlag : known->second;
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

const Json* StrictContext::below(const Json& level, std::string_view path) const {
  for (std::size_t dot = path.find('.'); sheet_ != nullptr && dot != path.npos;
       dot = path.find('.', dot + 1)) {
    // "gpu.short_name": an id that names an entry of the sheet stands for it.
    const Json* id = at_path(level, path.substr(0, dot));
    if (id == nullptr) return nullptr;
    if (!id->is_string()) continue;
    const std::size_t before = path.substr(0, dot).rfind('.');
    const std::string_view last = path.substr(0, dot).substr(before == path.npos ? 0 : before + 1);
    const Json* entry = sheet_->entry(last, id->get_ref<const std::string&>());
    return entry == nullptr ? id : below(*entry, path.substr(dot + 1));
  }
  return at_path(level, path);
}

const Json* StrictContext::find(std::string_view path) const {
  if (path == ".") {
    return *std::find_if(levels_.rbegin(), levels_.rend(),
                         [](const Json* level) { return !level->is_boolean(); });
  }
  for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
    if (const Json* value = below(**level, path)) return value;
  }
  const Json* member = sheet_ == nullptr ? nullptr : sheet_->member(path.substr(0, path.find('.')));
  if (member == nullptr || path.find('.') == path.npos) return member;
  return below(*member, path.substr(path.find('.') + 1));
}

void StrictContext::refuse(const std::string& name, const std::string& words) const {
  throw TemplateError("template '" + template_with(name, template_name_, templates_) +
                      "': " + words);
}

const Data* StrictContext::get(const std::string& name) const {
  const std::size_t bar = name.find('|');
  const Json* value = find(std::string_view(name).substr(0, bar));
  if (value == nullptr) refuse(name, "no value named '" + name.substr(0, bar) + "'");
  if (bar == name.npos) {
    if (value->is_number()) refuse(name, "'" + name + "' is a number: say its format behind a bar");
    return data_of(*value);
  }
  const std::string id = name.substr(bar + 1);
  const Format* format = format_of(id);
  if (format == nullptr)
    refuse(name, "no format named '" + id + "'" + did_you_mean(id, format_ids()));
  try {
    words_ = made_from(formatted(*format, *value));
  } catch (const std::logic_error& misfit) {
    refuse(name, "'" + name + "' does not fit its value: " + misfit.what());
  } catch (const Json::exception&) {
    refuse(name, "'" + name + "' does not fit its value, " + shown(*value));
  }
  return &words_;
}

const Data* StrictContext::get_partial(const std::string& name) const {
  count_part();
  const auto found = templates_.find(name + kTemplateSuffix);
  if (found != templates_.end()) return &partials_.try_emplace(name, found->second).first->second;
  throw TemplateError("template '" + template_with(name, template_name_, templates_) +
                      "': no partial named '" + name + "'");
}

std::string render_template(const TemplateSet& templates, const std::string& template_name,
                            const Json& values, const PageLimits& limits,
                            const SheetValues* sheet) {
  const auto found = templates.find(template_name);
  if (found == templates.end()) throw TemplateError("no template named '" + template_name + "'");
  kainjow::mustache::mustache parsed(found->second);
  StrictContext context(values, template_name, templates, limits.parts, sheet);
  PageText page(template_name, limits.bytes);
  if (parsed.is_valid()) parsed.render(context, page);
  // A broken partial is found only while rendering, so the check comes after it.
  if (!parsed.is_valid()) {
    throw TemplateError("template '" + template_name + "': " + parsed.error_message());
  }
  return page.take();
}

const Json* SheetValues::member(std::string_view key) const {
  const auto made = members_.find(key);
  if (made != members_.end()) return &made->second;
  Json out = Json::object();
  MemberWriter writer{key, out};
  fields(writer, sheet_);
  if (!writer.found) return nullptr;
  return &members_.emplace(key, std::move(out[std::string(key)])).first->second;
}

const Json* SheetValues::entry(std::string_view kind, const std::string& id) const {
  auto entries = entries_.find(kind);
  if (entries == entries_.end()) {
    Entries made;
    for (const char* of : {"model", "method", "gpu", "scenario"}) {
      if (kind != of) continue;
      for (const Json& one : *member(std::string(kind) + "s")) made[one.at("id")] = &one;
    }
    entries = entries_.emplace(kind, std::move(made)).first;
  }
  const auto found = entries->second.find(id);
  return found == entries->second.end() ? nullptr : found->second;
}

Json row_json(const Sheet& sheet, const Row& row) {
  Json json = Json::object();
  RowWriter writer{FieldWriter(json)};
  fields(writer, row);
  put_flat_keys(json, row);
  json["href"] = proof_href(sheet, row);
  json["set_up"] = set_up(sheet, row);
  if (!row.modelled) json["memory"] = nullptr;
  for (const RentTier& tier : kRentTiers) {
    const auto& line = row.rents[tier];
    if (line) json["rent"][tier.name]["behind_price"] = behind_price(row, *line);
  }
  return json;
}

}  // namespace sizesheet
