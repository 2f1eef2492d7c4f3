// SPDX-License-Identifier: Apache-2.0
// Writes JSON text member by member, without building a document.
#pragma once

#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/described.h"
#include "support/json.h"
#include "support/named.h"

namespace sizesheet {

/// A whole value on one line, keys sorted, numbers as the shortest text that reads back. Finite
/// numbers only.
std::string json_text(const Json& value);

/// Appends a value as `json_text` prints it.
void append_text(const Json& value, std::string& text);
void append_text(std::string_view value, std::string& text);
void append_text(double value, std::string& text);
void append_text(std::int64_t value, std::string& text);
void append_text(const std::vector<std::string>& values, std::string& text);
inline void append_text(const std::string& value, std::string& text) {
  append_text(std::string_view(value), text);
}
inline void append_text(const char* value, std::string& text) {
  append_text(std::string_view(value), text);
}
inline void append_text(bool value, std::string& text) { text += value ? "true" : "false"; }
inline void append_text(std::nullptr_t, std::string& text) { text += "null"; }

template <Tabled Value>
void append_text(Value value, std::string& text) {
  append_text(std::string_view(facts_of(value).id), text);
}

/// Members in any order, each key once and without anything to escape; they come out sorted, as in
/// every JSON of ours.
class ObjectText {
 public:
  ObjectText();
  ObjectText(const Json& object) : ObjectText() {  // NOLINT(google-explicit-constructor): either
    add(object);                                   // is an answer
  }

  /// `value`: what `append_text` takes, another ObjectText, a described struct, or an optional one.
  template <typename T>
  void operator()(std::string_view key, const T& value) {
    begin(key);
    append(value);
    end();
  }
  /// Every member of an object.
  void add(const Json& object);
  void erase(std::string_view key);

  void append_to(std::string& text) const;
  /// The same as a document.
  Json json() const;

 private:
  /// Its key and value lie in the text: `"key":value`.
  struct Member {
    std::size_t begin = 0;
    std::size_t key_size = 0;
    std::size_t end = 0;
    std::uint64_t head = 0;  ///< its first eight characters, in their order
  };

  void begin(std::string_view key);
  void end();
  bool before(const Member& a, const Member& b) const {
    return a.head != b.head ? a.head < b.head : key_of_member(a) < key_of_member(b);
  }
  std::string_view key_of_member(const Member& member) const {
    return std::string_view(text_).substr(member.begin + 1, member.key_size);
  }
  void append(const ObjectText& value) { value.append_to(text_); }
  template <typename T>
  void append(const std::optional<T>& value) {
    value ? append(*value) : append_text(nullptr, text_);
  }
  template <typename T>
  void append(const T& value) {
    if constexpr (boost::describe::has_describe_members<T>::value) {
      ObjectText object;
      fields(object, value);
      object.append_to(text_);
    } else {
      append_text(value, text_);
    }
  }

  std::string text_;
  std::vector<Member> members_;  ///< sorted
};

}  // namespace sizesheet
