// SPDX-License-Identifier: Apache-2.0
#include "support/json_parse.h"

#include <algorithm>
#include <boost/iterator/transform_iterator.hpp>
#include <cmath>
#include <utility>

#include "support/error.h"
#include "support/json.h"
#include "support/json_quick.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::size_t kDeepest = 200;

struct Position {
  std::size_t line = 1;
  std::size_t column = 1;
};

Position position_of(std::string_view text, std::size_t offset) {
  Position at;
  for (std::size_t i = 0; i < std::min(offset, text.size()); ++i) {
    if (text[i] == '\n') {
      ++at.line;
      at.column = 1;
    } else if (!continues_character(text[i])) {  // columns count characters, not bytes
      ++at.column;
    }
  }
  return at;
}

/// Builds the value event by event; the first refusal ends the parse.
class TreeBuilder final : public JsonEvents {
 public:
  explicit TreeBuilder(std::size_t most) : most_(most) {}
  /// Elements of the list under `key` of the root are handed over instead of kept, the first
  /// `known` of them to nobody.
  TreeBuilder(const std::string& key, const ElementSink& sink, std::size_t known)
      : list_key_(key), sink_(&sink), known_(known) {}

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t& text) override {
    if (!std::isfinite(value)) return refuse("the number " + text + " is out of range");
    return put(value);
  }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t&) override { return refuse("binary values are not JSON"); }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    const auto [member, fresh] =
        stack_.back()->get_ref<Json::object_t&>().try_emplace(std::move(name));
    members_.back() = &*member;
    if (fresh) return true;
    const std::string above = pointer();  // at the top the name is the whole pointer
    return refuse(
        "duplicate key " + in_quotes(member->first) +
        (above.empty() ? "" : " (at " + above + "/" + pointer_token(member->first) + ")"));
  }
  bool parse_error(std::size_t offset, const std::string& last_token,
                   const nlohmann::detail::exception& error) override {
    constexpr int kNumberOverflow = 406;
    offset_ = offset;
    // The message itself must stay UTF-8: it is often written out as JSON.
    constexpr std::size_t kMost = 40;
    const std::string near(beginning_of(last_token, kMost));
    if (error.id == kNumberOverflow) {
      problem = "the number " + near + " is out of range";
    } else if (!is_utf8(near)) {
      problem = "not JSON: the text is not UTF-8";
    } else {
      problem = near.empty() ? "not JSON: the text ends too early" : "not JSON near '" + near + "'";
    }
    return false;
  }

  Json take() { return std::move(root_); }
  std::size_t offset() const { return offset_; }
  std::size_t handed_over() const { return handed_over_; }
  std::string problem;

 private:
  Json* place(Json value) {
    if (stack_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Json& parent = *stack_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    Json& slot = members_.back()->second;
    slot = std::move(value);
    return &slot;
  }
  bool put(Json value) {
    if (++held_ > most_) return refuse_giant();
    place(std::move(value));
    return hand_over();
  }
  bool refuse_giant() {
    return refuse("more than " + std::to_string(most_) + " values in one document");
  }
  bool open(Json value) {
    if (stack_.size() >= kDeepest) return refuse("nested more than 200 levels deep");
    if (++held_ > most_) return refuse_giant();
    stack_.push_back(place(std::move(value)));
    members_.push_back(nullptr);
    if (in_streamed_list()) held_before_ = held_;
    return true;
  }
  bool close() {
    stack_.pop_back();
    members_.pop_back();
    return hand_over();
  }
  bool hand_over() {
    if (!in_streamed_list()) return true;
    auto& list = stack_.back()->get_ref<Json::array_t&>();
    // It counts before it is taken: who refuses it has had it.
    const std::size_t index = handed_over_++;
    if (index >= known_) (*sink_)(std::move(list.back()), index);
    list.pop_back();
    held_ = held_before_;
    return true;
  }
  bool in_streamed_list() const {
    return sink_ != nullptr && stack_.size() == 2 && stack_.back()->is_array() &&
           members_.front() != nullptr && members_.front()->first == list_key_;
  }
  /// JSON pointer of the innermost open container.
  std::string pointer() const {
    std::string text;
    for (std::size_t i = 0; i + 1 < stack_.size(); ++i) {
      const bool object = stack_[i]->is_object();
      const std::size_t gone = i == 1 ? handed_over_ : 0;
      text += "/" + (object ? pointer_token(members_[i]->first)
                            : std::to_string(stack_[i]->size() - 1 + gone));
    }
    return text;
  }
  bool refuse(std::string words) {
    problem = std::move(words);
    return false;
  }

  Json root_;
  std::vector<Json*> stack_;  ///< the containers around the next value, outermost first
  std::vector<Json::object_t::value_type*> members_;  ///< last begun in each; nullptr in a list
  std::size_t offset_ = 0;
  std::string list_key_;
  const ElementSink* sink_ = nullptr;
  std::size_t known_ = 0;
  std::size_t handed_over_ = 0;
  std::size_t most_ = kMostValues;
  std::size_t held_ = 0;         ///< values in memory
  std::size_t held_before_ = 0;  ///< before the first element of the streamed list
};

/// The byte order mark that some editors put first; some parsers pass over it.
bool begins_with_mark(std::string_view text) { return starts_with(text, "\xEF\xBB\xBF"); }

Json built(std::string_view text, const std::string& file, TreeBuilder builder,
           Comments comments = Comments::kRefused) {
  if (begins_with_mark(text)) {
    throw InputError(file + ":1:1: not JSON: the text begins with a byte order mark");
  }
  // Each byte is looked at once: so far was the parser when the builder refused.
  std::size_t read = 0;
  const auto counted = [&read](char byte) {
    ++read;
    return byte;
  };
  const bool whole =
      Json::sax_parse(boost::make_transform_iterator(text.begin(), counted),
                      boost::make_transform_iterator(text.end(), counted), &builder,
                      Json::input_format_t::json, true, comments == Comments::kSkipped);
  std::size_t offset = builder.offset() > 0 ? builder.offset() - 1 : (read > 0 ? read - 1 : 0);
  if (whole) {
    offset = text.find('\0');  // the parser takes a zero byte for the end of the text
    if (offset == std::string_view::npos) return builder.take();
    builder.problem = "not JSON: the text goes on after a zero byte";
  }
  const Position at = position_of(text, offset);
  throw InputError(file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " +
                   builder.problem);
}

using Visit = std::function<void(const std::string& pointer, const Json& leaf)>;

/// `pointer` grows and shrinks in place: a catalog has a hundred thousand leaves.
void visit_leaves(const Json& value, std::string& pointer, const Visit& visit) {
  if (value.empty() || !value.is_structured()) return visit(pointer, value);
  const std::size_t length = pointer.size();
  if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      pointer += "/" + std::to_string(i);
      visit_leaves(value[i], pointer, visit);
      pointer.resize(length);
    }
    return;
  }
  for (const auto& [key, inner] : value.get_ref<const Json::object_t&>()) {
    pointer += "/" + pointer_token(key);
    visit_leaves(inner, pointer, visit);
    pointer.resize(length);
  }
}

}  // namespace

Json parse_json(std::string_view text, const std::string& file, std::size_t most,
                Comments comments) {
  TreeBuilder builder(most);
  if (!begins_with_mark(text) && tell_quickly(text, builder)) return builder.take();
  return built(text, file, TreeBuilder(most), comments);
}

Json parse_json(std::string_view text, const std::string& file, const std::string& key,
                const ElementSink& sink) {
  TreeBuilder builder(key, sink, 0);
  if (!begins_with_mark(text) && tell_quickly(text, builder)) return builder.take();
  return built(text, file, TreeBuilder(key, sink, builder.handed_over()));
}

bool any_leaf(const Json& document, const std::function<bool(const std::string& key)>& is_key,
              const std::function<bool(const Json& leaf)>& is_leaf) {
  if (const auto* list = document.get_ptr<const Json::array_t*>(); list && !list->empty()) {
    return std::ranges::any_of(*list,
                               [&](const Json& value) { return any_leaf(value, is_key, is_leaf); });
  }
  if (const auto* object = document.get_ptr<const Json::object_t*>(); object && !object->empty()) {
    return std::ranges::any_of(*object, [&](const auto& member) {
      return is_key(member.first) || any_leaf(member.second, is_key, is_leaf);
    });
  }
  return is_leaf(document);
}

void refuse_unfit_texts(const Json& document, const std::string& file, const std::string& pointer) {
  const auto is_unfit = [](const std::string& text) { return !unfit_character(text).empty(); };
  const bool some = any_leaf(document, is_unfit, [&](const Json& leaf) {
    return leaf.is_string() && is_unfit(leaf.get_ref<const std::string&>());
  });
  if (!some) return;
  const auto refuse_unfit = [&](std::string_view text, std::string_view place) {
    const std::string unfit = unfit_character(text);
    if (unfit.empty()) return;
    throw InputError(
        to_text({file, std::string(place), "expected a text without the character " + unfit}));
  };
  for_each_leaf(document, pointer, [&](const std::string& place, const Json& leaf) {
    for (std::size_t key = pointer.size(); key < place.size();) {
      const std::size_t end = std::min(place.find('/', key + 1), place.size());
      refuse_unfit(std::string_view(place).substr(key + 1, end - key - 1), place.substr(0, key));
      key = end;
    }
    if (leaf.is_string()) refuse_unfit(leaf.get_ref<const std::string&>(), place);
  });
}

void for_each_leaf(const Json& document, std::string pointer, const Visit& visit) {
  visit_leaves(document, pointer, visit);
}

std::string pointer_token(std::string_view key) {
  if (key.find_first_of("~/") == std::string_view::npos) return std::string(key);
  std::string token;
  for (const char letter : key) {
    token += letter == '~' ? "~0" : letter == '/' ? "~1" : std::string(1, letter);
  }
  return token;
}

std::string without_limits(std::string_view text) {
  std::string plain(text);
  bool quoted = false;
  for (std::size_t at = 0; at < plain.size(); ++at) {
    if (plain[at] == '"') quoted = !quoted;
    if (plain[at] == '\\') ++at;  // what follows ends no text
    for (const std::string_view limit : {"-Infinity", "Infinity"}) {
      if (quoted || plain.compare(at, limit.size(), limit) != 0) continue;
      plain.replace(at, limit.size(), "null" + std::string(limit.size() - 4, ' '));  // same places
    }
  }
  return plain;
}

}  // namespace sizesheet
