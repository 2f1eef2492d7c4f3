// SPDX-License-Identifier: Apache-2.0
// JSON out. The library's own number printing is not always the shortest that reads back, and money
// must keep to its six decimals, so numbers go through std::to_chars.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Most texts hold nothing to escape; the library does the others.
void append_quoted(const std::string& text, std::string& out) {
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
    return c >= ' ' && c <= '~' && c != '"' && c != '\\';
  });
  if (plain) {
    out.append(1, '"').append(text).append(1, '"');
  } else {
    out += Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  }
}

void append(const Json& value, std::string& text) {
  if (value.is_number_float()) {
    const double number = value.get<double>();
    if (!std::isfinite(number)) throw std::domain_error("JSON has no infinite numbers");
    text += shortest(number);
  } else if (value.is_string()) {
    append_quoted(value.get_ref<const std::string&>(), text);
  } else if (value.is_object()) {
    text += '{';
    for (auto entry = value.begin(); entry != value.end(); ++entry) {
      if (entry != value.begin()) text += ',';
      append_quoted(entry.key(), text);
      text += ':';
      append(*entry, text);
    }
    text += '}';
  } else if (value.is_array()) {
    text += '[';
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (i > 0) text += ',';
      append(value[i], text);
    }
    text += ']';
  } else {
    text += value.dump();
  }
}

}  // namespace

std::string json_text(const Json& value) {
  std::string text;
  append(value, text);
  return text;
}

}  // namespace sizesheet
