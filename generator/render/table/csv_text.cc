// SPDX-License-Identifier: Apache-2.0
#include "render/table/csv_text.h"

#include <string_view>

#include "support/text.h"
#include "support/utf8.h"

namespace sizesheet {

std::string csv_cell(const std::string& text) {
  // Spreadsheets take these, wide ones included, for the beginning of a formula.
  constexpr std::u32string_view kFormula = U"=+-@＝＋－＠";
  std::size_t at = 0;
  const bool runs = !text.empty() && kFormula.find(next_character(text, at).value_or(' ')) !=
                                         std::u32string_view::npos;
  const std::string safe = runs ? "'" + text : text;
  if (safe.find_first_of(",\"\r\n") == std::string::npos) return safe;
  std::string quoted = "\"";
  for (const char c : safe) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) line += (i > 0 ? "," : "") + csv_cell(cells[i]);
  return line + "\n";
}

std::string csv_number(const std::optional<double>& value) { return value ? shortest(*value) : ""; }

std::string csv_usd(const std::optional<MicroUsd>& value) {
  return value ? shortest(to_usd(*value)) : "";
}

std::string csv_figure(const FigureValue& value) {
  struct Text {
    std::string operator()(std::monostate) const { return ""; }
    std::string operator()(std::int64_t count) const { return std::to_string(count); }
    std::string operator()(Bytes bytes) const { return std::to_string(bytes.value); }
    std::string operator()(double number) const { return csv_number(number); }
    std::string operator()(MicroUsd usd) const { return csv_usd(usd); }
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(const std::string& text) const { return text; }
  };
  return std::visit(Text{}, value);
}

}  // namespace sizesheet
