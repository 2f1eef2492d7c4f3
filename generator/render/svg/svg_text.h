// SPDX-License-Identifier: Apache-2.0
// Writes SVG elements. Every text and attribute value passes through one escaping function here.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace sizesheet {

/// Text made safe for element content and for double-quoted attributes.
std::string escape_xml(std::string_view text);

/// A number of pixels or per cent: at most two decimals, no trailing zeros.
std::string svg_number(double value);
/// "12.5%".
std::string svg_percent(double value);

using SvgAttributes = std::initializer_list<std::pair<const char*, std::string>>;

/// `<name a="…"/>`.
std::string svg_element(const char* name, SvgAttributes attributes);
/// `<name a="…">text</name>`, the text escaped.
std::string svg_element(const char* name, SvgAttributes attributes, std::string_view text);
/// `<name a="…">markup</name>`, around elements made by these functions.
std::string svg_parent(const char* name, SvgAttributes attributes, const std::string& markup);

}  // namespace sizesheet
