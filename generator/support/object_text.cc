// SPDX-License-Identifier: Apache-2.0
// JSON out. The library's own number printing is not always the shortest that reads back, and
// money must keep to its six decimals, so numbers go through std::to_chars.

#include "support/object_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "support/json.h"
#include "support/json_parse.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::size_t kUsualText = 512;
constexpr std::size_t kUsualMembers = 16;

template <typename List>
void append_list(const List& values, std::string& text) {
  text += '[';
  const char* before = "";
  for (const auto& value : values) {
    text += std::exchange(before, ",");
    append_text(value, text);
  }
  text += ']';
}

template <typename Whole>
void append_digits(Whole value, std::string& text) {
  constexpr std::size_t kMost = 24;
  char digits[kMost];
  text.append(digits, std::to_chars(digits, digits + kMost, value).ptr);
}

}  // namespace

/// Most texts hold nothing to escape; the library does the others.
void append_text(std::string_view value, std::string& text) {
  const bool plain = std::ranges::all_of(
      value, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
  if (!plain) {
    text += Json(value).dump(-1, ' ', false, Json::error_handler_t::replace);
    return;
  }
  text += '"';
  text += value;
  text += '"';
}

void append_text(double value, std::string& text) {
  if (!std::isfinite(value)) throw std::domain_error("JSON has no infinite numbers");
  append_shortest(value, text);
}

void append_text(std::int64_t value, std::string& text) { append_digits(value, text); }

void append_text(const std::vector<std::string>& values, std::string& text) {
  append_list(values, text);
}

void append_text(const Json& value, std::string& text) {
  if (value.is_number_float()) {
    append_text(value.get<double>(), text);
  } else if (value.is_string()) {
    append_text(value.get_ref<const std::string&>(), text);
  } else if (value.is_object()) {
    const char* before = "";
    text += '{';
    for (const auto& [key, inner] : value.get_ref<const Json::object_t&>()) {
      text += std::exchange(before, ",");
      append_text(key, text);
      text += ':';
      append_text(inner, text);
    }
    text += '}';
  } else if (value.is_array()) {
    append_list(value.get_ref<const Json::array_t&>(), text);
  } else if (value.is_number_unsigned()) {
    append_digits(value.get<std::uint64_t>(), text);
  } else if (value.is_number_integer()) {
    append_digits(value.get<std::int64_t>(), text);
  } else {
    text += value.dump();
  }
}

std::string json_text(const Json& value) {
  std::string text;
  append_text(value, text);
  return text;
}

ObjectText::ObjectText() {
  text_.reserve(kUsualText);
  members_.reserve(kUsualMembers);
}

void ObjectText::add(const Json& object) {
  for (const auto& [key, value] : object.get_ref<const Json::object_t&>()) {
    (*this)(key, value);
  }
}

void ObjectText::begin(std::string_view key) {
  std::array<unsigned char, sizeof(Member::head)> first{};
  std::copy_n(key.begin(), std::min(key.size(), first.size()), first.begin());
  std::uint64_t head = 0;
  for (const unsigned char letter : first) head = (head << 8U) | letter;
  members_.push_back({text_.size(), key.size(), 0, head});
  text_ += '"';
  text_.append(key).append("\":", 2);
}

void ObjectText::end() {
  members_.back().end = text_.size();
  for (std::size_t i = members_.size() - 1; i > 0; --i) {
    if (before(members_[i - 1], members_[i])) return;
    std::swap(members_[i - 1], members_[i]);
  }
}

void ObjectText::erase(std::string_view key) {
  std::erase_if(members_, [&](const Member& member) { return key_of_member(member) == key; });
}

void ObjectText::append_to(std::string& text) const {
  text += '{';
  const char* before = "";
  for (const Member& member : members_) {
    text += std::exchange(before, ",");
    text.append(text_, member.begin, member.end - member.begin);
  }
  text += '}';
}

Json ObjectText::json() const {
  std::string text;
  append_to(text);
  return parse_json(text, "answer");
}

}  // namespace sizesheet
