// SPDX-License-Identifier: Apache-2.0
#include "support/json_quick.h"

#include <simdjson.h>

namespace sizesheet {
namespace {

namespace dom = simdjson::dom;

constexpr auto kUnknown = static_cast<std::size_t>(-1);  // how many there are

bool tell(const dom::element& value, JsonEvents& events) {
  switch (value.type()) {
    case dom::element_type::OBJECT: {
      const dom::object object = value.get_object().value_unsafe();
      if (!events.start_object(kUnknown)) return false;
      for (const auto& [name, member] : object) {
        std::string key(name);
        if (!events.key(key) || !tell(member, events)) return false;
      }
      return events.end_object();
    }
    case dom::element_type::ARRAY: {
      const dom::array array = value.get_array().value_unsafe();
      if (!events.start_array(kUnknown)) return false;
      for (const dom::element& element : array) {
        if (!tell(element, events)) return false;
      }
      return events.end_array();
    }
    case dom::element_type::STRING: {
      std::string text(value.get_string().value_unsafe());
      return events.string(text);
    }
    case dom::element_type::INT64: {
      const std::int64_t whole = value.get_int64().value_unsafe();
      return whole < 0 ? events.number_integer(whole)
                       : events.number_unsigned(static_cast<std::uint64_t>(whole));
    }
    case dom::element_type::UINT64:
      return events.number_unsigned(value.get_uint64().value_unsafe());
    case dom::element_type::DOUBLE:
      return events.number_float(value.get_double().value_unsafe(), "");
    case dom::element_type::BOOL:
      return events.boolean(value.get_bool().value_unsafe());
    case dom::element_type::NULL_VALUE:
      return events.null();
    default:  // what later releases may tell apart
      return false;
  }
}

}  // namespace

bool tell_quickly(std::string_view text, JsonEvents& events) {
  if (text.empty())
    return false;  // an empty text may have no address, and the parser copies from it
  dom::parser parser;
  dom::element whole;
  return !parser.parse(text.data(), text.size()).get(whole) && tell(whole, events);
}

}  // namespace sizesheet
