// SPDX-License-Identifier: Apache-2.0
#include "render/html/templates/strict_context.h"

#include <algorithm>
#include <kainjow/mustache.hpp>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "render/formats.h"
#include "render/html/templates/proof_id.h"
#include "render/html/templates/templates.h"
#include "render/phrases.h"
#include "sheet/fields.h"
#include "sheet/money.h"
#include "sheet/money_words.h"
#include "sheet/seller_names.h"
#include "sheet/sheet.h"
#include "sheet/sheet_json.h"
#include "support/described.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

using Data = kainjow::mustache::data;

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
  return std::ranges::any_of(tags_of(text), [&](const std::string& tag) {
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

/// A page of one template: what the renderer asks for, and what it has written so far. Values
/// become the library's own where a template asks for them, lists without what their items hold:
/// the library copies whatever is put into another value.
class Page final : public kainjow::mustache::basic_context<std::string> {
 public:
  /// All must outlive it.
  Page(const Json& values, const std::string& name, const TemplateSet& templates,
       const PageLimits& limits, const SheetValues* sheet)
      : name_(name), levels_{&values}, templates_(templates), limits_(limits), sheet_(sheet) {}

  std::string drawn() {
    std::string text;
    take_in(name_, text);
    kainjow::mustache::mustache parsed(text);
    if (!parsed.is_valid()) refuse_in(name_, parsed.error_message());
    parsed.render(*this, *this);
    return std::move(text_);
  }

  Page& operator<<(const std::string& more) {
    text_ += more;
    if (text_.size() <= limits_.bytes) return *this;
    refuse_in(name_, "expected a page of at most " + std::to_string(limits_.bytes) + " bytes");
  }

  void push(const Data* data) override {
    const auto item = items_.find(data);
    const Json* value = item == items_.end() ? latest_from_ : item->second;
    count_part();
    if (item != items_.end() && contains(levels_, value)) {
      refuse_in(name_, "goes through a list within the same list");
    }
    levels_.push_back(value);
  }

  void pop() override { levels_.pop_back(); }

  const Data* get(const std::string& tag) const override {
    const std::size_t bar = tag.find('|');
    const Json* value = find(std::string_view(tag).substr(0, bar));
    if (value == nullptr) refuse(tag, "no value named '" + tag.substr(0, bar) + "'");
    if (bar == tag.npos) {
      if (value->is_number()) refuse(tag, "'" + tag + "' is a number: say its format behind a bar");
      latest_from_ = value;
      if (value->is_array()) return list_of(*value);
      latest_ = made_from(*value);
      return &latest_;
    }
    const std::string format = tag.substr(bar + 1);
    if (const std::string fault = format_fault(format); !fault.empty()) refuse(tag, fault);
    try {
      latest_ = made_from(formatted(format, *value));
    } catch (const std::logic_error& misfit) {
      refuse(tag, "'" + tag + "' does not fit its value: " + misfit.what());
    } catch (const Json::exception&) {
      refuse(tag, "'" + tag + "' does not fit its value, " + shown(*value));
    }
    static const Json kFlag = true;  // what a format makes is no level to look names up in
    latest_from_ = &kFlag;
    return &latest_;
  }

  const Data* get_partial(const std::string&) const override { return nullptr; }  // none is left

 private:
  [[noreturn]] static void refuse_in(const std::string& name, const std::string& words) {
    throw TemplateError("template '" + name + "': " + words);
  }
  [[noreturn]] void refuse(const std::string& tag, const std::string& words) const {
    refuse_in(template_with(tag, name_, templates_), words);
  }

  void count_part() const {
    if (++parts_ <= limits_.parts) return;
    refuse_in(name_, "expected at most " + std::to_string(limits_.parts) +
                         " sections and partials on a page");
  }

  const Data* list_of(const Json& value) const {
    const auto known = lists_.find(&value);
    if (known != lists_.end()) return &known->second;
    const Data& list = lists_.emplace(&value, made_from(value)).first->second;
    for (std::size_t i = 0; i < value.size(); ++i) items_[&list.list_value()[i]] = &value[i];
    return &list;
  }

  const Json* below(const Json& level, std::string_view path) const {
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

  const Json* find(std::string_view path) const {
    if (path == ".") {
      return *std::find_if(levels_.rbegin(), levels_.rend(),
                           [](const Json* level) { return !level->is_boolean(); });
    }
    for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
      if (const Json* value = below(**level, path)) return value;
    }
    const std::size_t dot = path.find('.');
    const Json* member = sheet_ == nullptr ? nullptr : sheet_->member(path.substr(0, dot));
    if (member == nullptr || dot == path.npos) return member;
    return below(*member, path.substr(dot + 1));
  }

  /// Adds a template to `text`, its partials where their tags stand: the library would parse each
  /// again wherever it comes.
  void take_in(const std::string& name, std::string& text) const {
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
        refuse_in(name, "no partial named '" + partial.substr(0, partial.rfind('.')) + "'");
      }
      take_in(partial, text);
    }
    text.append(from, at);
    if (text.size() <= kMostText) return;
    refuse_in(name_, "expected at most " + std::to_string(kMostText) + " bytes with its partials");
  }

  const std::string& name_;
  std::vector<const Json*> levels_;
  const TemplateSet& templates_;
  const PageLimits& limits_;
  const SheetValues* sheet_;
  std::string text_;
  mutable Data latest_;  ///< what was asked for last, unless that is a list
  mutable const Json* latest_from_ = nullptr;
  mutable std::int64_t parts_ = 0;  ///< entered so far
  // Filled as the template asks; the nodes of these tables stay where they are.
  mutable std::unordered_map<const Json*, Data> lists_;
  mutable std::unordered_map<const Data*, const Json*> items_;
};

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
    if (contains({"terms", "counts", "candidates", "smaller_counts", "cost_terms", "quantity_terms",
                  "warnings"},
                 name)) {
      return;
    }
    writer(name, value);
  }
  template <typename F>
  void group(const char* name, F&& walk) {
    writer.group(name, walk);
  }
};

}  // namespace

std::string render_template(const TemplateSet& templates, const std::string& template_name,
                            const Json& values, const PageLimits& limits,
                            const SheetValues* sheet) {
  if (!templates.contains(template_name)) {
    throw TemplateError("no template named '" + template_name + "'");
  }
  return Page(values, template_name, templates, limits, sheet).drawn();
}

const Json* SheetValues::member(std::string_view key) const {
  const std::lock_guard lock(mutex_);
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
  if (kind == "provider") {
    const auto [seller, is_new] = sellers_.try_emplace(id);
    if (is_new) seller->second = {{"name", seller_name(sheet_, id)}};
    return &seller->second;
  }
  if (!contains({"model", "method", "gpu", "scenario"}, kind)) return nullptr;
  const auto [entries, first] = entries_.try_emplace(std::string(kind));
  if (first) {
    for (const Json& one : *member(entries->first + "s")) entries->second[one.at("id")] = &one;
  }
  const auto found = entries->second.find(id);
  return found == entries->second.end() ? nullptr : found->second;
}

namespace {

/// What is known of the machine that a row buys: its price's kind and day, and its lead time.
Json order_of(const Sheet& sheet, const OwnLine& own) {
  const auto* machine = entry_with(sheet.machines, &SoldMachine::id, own.node);
  const auto* price = entry_with(sheet.purchase_nodes, &SheetEstimate::id, own.node);
  if (machine == nullptr || price == nullptr) return nullptr;
  return order_words(machine->price_kind, price->date, machine->lead_time_weeks);
}

/// "8 × MI300X, runpod": what the machine to own is compared with; null without a rent.
Json against_words(const Sheet& sheet, const Row& row) {
  if (!row.owned || !row.owned->rent_set_up) return nullptr;
  const RentSetUp& rented = *row.owned->rent_set_up;
  return set_up(sheet, rented.gpu, rented.gpus) + ", " + seller_name(sheet, rented.provider);
}

/// Whether machines with a row's GPUs are sold and none of them has a quote.
bool lacks_quote(const Sheet& sheet, const Row& row) {
  if (!row.modelled || row.verdict == Verdict::kNo || row.own) return false;
  const auto sold = [&](bool quoted) {
    return std::ranges::any_of(sheet.machines, [&](const SoldMachine& machine) {
      return machine.gpu == row.gpu && machine.quoted == quoted;
    });
  };
  return sold(false) && !sold(true);
}

}  // namespace

Json row_json(const Sheet& sheet, const Row& row) {
  Json json = Json::object();
  RowWriter writer{FieldWriter(json)};
  fields(writer, row);
  put_flat_keys(json, row);
  json["bill"] = proof_id(sheet, row);
  json["set_up"] = set_up(sheet, row);
  json["run"] = row.set_up() != nullptr ? written(*row.set_up()) : Json();
  if (!row.modelled) json["memory"] = nullptr;
  json["own_order"] = row.own ? order_of(sheet, *row.own) : Json();
  json["no_quote"] = lacks_quote(sheet, row);
  json["against"] = against_words(sheet, row);
  for (const SheetTier& tier : kRentTiers) {
    const auto& line = row.rents[tier];
    if (line) json["rent"][tier.name]["behind_price"] = behind_price(row, *line);
  }
  return json;
}

}  // namespace sizesheet
