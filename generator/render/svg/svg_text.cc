// SPDX-License-Identifier: Apache-2.0
#include "render/svg/svg_text.h"

#include <cmath>

#include "support/text.h"

namespace sizesheet {

namespace {

std::string opening(const char* name, SvgAttributes attributes) {
  std::string out = std::string("<") + name;
  for (const auto& [key, value] : attributes) {
    out += std::string(" ") + key + "=\"" + escape_xml(value) + "\"";
  }
  return out;
}

}  // namespace

std::string escape_xml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string svg_number(double value) {
  const double rounded = std::floor(value * 100 + 0.5) / 100;
  return shortest(rounded == 0 ? 0.0 : rounded);  // never "-0"
}

std::string svg_percent(double value) { return svg_number(value) + "%"; }

std::string svg_element(const char* name, SvgAttributes attributes) {
  return opening(name, attributes) + "/>";
}

std::string svg_element(const char* name, SvgAttributes attributes, std::string_view text) {
  return opening(name, attributes) + ">" + escape_xml(text) + "</" + name + ">";
}

std::string svg_parent(const char* name, SvgAttributes attributes, const std::string& markup) {
  return opening(name, attributes) + ">" + markup + "</" + name + ">";
}

}  // namespace sizesheet
