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
    return first != std::string::npos && tag.substr(first) == name;
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
         {"terms", "counts", "candidates", "cost_terms", "quantity_terms", "warnings"}) {
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
  const auto item = items_.find(data);
  const Json* value = item == items_.end() ? latest_from_ : item->second;
  count_part();
  if (item != items_.end() && std::find(levels_.begin(), levels_.end(), value) != levels_.end()) {
    throw TemplateError("template '" + template_name_ +
                        "': goes through a list within the same list");
  }
  levels_.push_back(value);
}

void StrictContext::pop() { levels_.pop_back(); }

const Data* StrictContext::list_of(const Json& value) const {
  const auto known = lists_.find(&value);
  if (known != lists_.end()) return &known->second;
  const Data& list = lists_.emplace(&value, made_from(value)).first->second;
  for (std::size_t i = 0; i < value.size(); ++i) items_[&list.list_value()[i]] = &value[i];
  return &list;
}

const Json* StrictContext::below(const Json& level, std::string_view path) const {
  const std::size_t dot = path.find('.');
  const std::string_view name = path.substr(0, dot);
  const Json* value = at_path(level, name);
  if (value == nullptr || dot == path.npos || value->is_null()) return value;
  if (sheet_ != nullptr && value->is_string()) {
    // "gpu.short_name": an id that names an entry of the sheet stands for it.
    const Json* entry = sheet_->entry(name, value->get_ref<const std::string&>());
    if (entry == nullptr) return value;
    value = entry;
  }
  return below(*value, path.substr(dot + 1));
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
    latest_from_ = value;
    if (value->is_array()) return list_of(*value);
    latest_ = made_from(*value);
    return &latest_;
  }
  const std::string id = name.substr(bar + 1);
  const Format* format = format_of(id);
  if (format == nullptr)
    refuse(name, "no format named '" + id + "'" + did_you_mean(id, format_ids()));
  try {
    latest_ = made_from(formatted(*format, *value));
  } catch (const std::logic_error& misfit) {
    refuse(name, "'" + name + "' does not fit its value: " + misfit.what());
  } catch (const Json::exception&) {
    refuse(name, "'" + name + "' does not fit its value, " + shown(*value));
  }
  static const Json kFlag = true;  // what a format makes is no level to look names up in
  latest_from_ = &kFlag;
  return &latest_;
}

void StrictContext::take_in(const std::string& name, std::string& text) const {
  constexpr std::size_t kMostText = std::size_t{4} << 20U;  // every character may become a part
  const std::string& from = templates_.at(name);
  std::size_t at = 0;
  for (std::size_t open = from.find("{{"); open != from.npos; open = from.find("{{", at)) {
    const std::size_t close = from.find("}}", open);
    if (close == from.npos) break;
    const std::string partial =
        partial_of(kainjow::mustache::trim(from.substr(open + 2, close - open - 2)));
    text.append(from, at, (partial.empty() ? close + 2 : open) - at);
    at = close + 2;
    if (partial.empty()) continue;
    count_part();
    if (!templates_.contains(partial)) {
      throw TemplateError("template '" + name + "': no partial named '" +
                          partial.substr(0, partial.rfind('.')) + "'");
    }
    take_in(partial, text);
  }
  text.append(from, at);
  if (text.size() <= kMostText) return;
  throw TemplateError("template '" + template_name_ + "': expected at most " +
                      std::to_string(kMostText) + " bytes with its partials");
}

std::string render_template(const TemplateSet& templates, const std::string& template_name,
                            const Json& values, const PageLimits& limits,
                            const SheetValues* sheet) {
  if (!templates.contains(template_name)) {
    throw TemplateError("no template named '" + template_name + "'");
  }
  StrictContext context(values, template_name, templates, limits.parts, sheet);
  std::string text;
  context.take_in(template_name, text);
  kainjow::mustache::mustache parsed(text);
  if (!parsed.is_valid()) {
    throw TemplateError("template '" + template_name + "': " + parsed.error_message());
  }
  PageText page(template_name, limits.bytes);
  parsed.render(context, page);
  return page.take();
}

const Json* SheetValues::member(std::string_view key) const {
  const std::lock_guard lock(mutex_);
  return made(key);
}

const Json* SheetValues::made(std::string_view key) const {
  const auto known = members_.find(key);
  if (known != members_.end()) return &known->second;
  Json out = Json::object();
  MemberWriter writer{key, out};
  fields(writer, sheet_);
  if (!writer.found) return nullptr;
  return &members_.emplace(key, std::move(out[std::string(key)])).first->second;
}

const Json* SheetValues::entry(std::string_view kind, const std::string& id) const {
  const std::lock_guard lock(mutex_);
  auto entries = entries_.find(kind);
  if (entries == entries_.end()) {
    Entries by_id;
    for (const char* of : {"model", "method", "gpu", "scenario"}) {
      if (kind != of) continue;
      for (const Json& one : *made(std::string(kind) + "s")) by_id[one.at("id")] = &one;
    }
    entries = entries_.emplace(kind, std::move(by_id)).first;
  }
  const auto found = entries->second.find(id);
  return found == entries->second.end() ? nullptr : found->second;
}

Json row_json(const Sheet& sheet, const Row& row) {
  Json json = Json::object();
  RowWriter writer{FieldWriter(json)};
  fields(writer, row);
  put_flat_keys(json, row);
  json["bill"] = proof_id(sheet, row);
  json["set_up"] = set_up(sheet, row);
  json["run"] = row.set_up() != nullptr ? written(*row.set_up()) : Json();
  if (!row.modelled) json["memory"] = nullptr;
  for (const RentTier& tier : kRentTiers) {
    const auto& line = row.rents[tier];
    if (line) json["rent"][tier.name]["behind_price"] = behind_price(row, *line);
  }
  return json;
}

}  // namespace sizesheet
