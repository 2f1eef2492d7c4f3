// SPDX-License-Identifier: Apache-2.0
// What the fuzzer feeds: one function for each kind of bytes that strangers may hand to the
// program.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sizesheet::fuzz {

/// Takes any bytes. A refusal (InputError) ends it quietly; whatever else gets out is a finding.
using Target = void (*)(std::string_view bytes);

void catalog_entry(
    std::string_view bytes);  ///< "kind\n{…}": an entry of the catalog, then sized with
void sheet_json(std::string_view bytes);  ///< a sheet.json, or changes of a sound one; diffed too
void sheet_pair(std::string_view bytes);  ///< changes of an old one and, behind "\n---\n", of a new
void request_lines(std::string_view bytes);  ///< lines of `estimate`, or behind "cost\n" of `cost`
void hf_config(std::string_view bytes);      ///< a config.json for `import-model`
void price_csv(std::string_view bytes);      ///< "format\n…": a table for `import-prices`
void price_pair(std::string_view bytes);     ///< two such tables, "\n---\n" between them, merged
void command_line(std::string_view bytes);   ///< words, one a line
void page_template(std::string_view bytes);  ///< a page and, behind "\n---\n", a partial
void logo(std::string_view bytes);           ///< a picture file, decoded and read back
void labels(std::string_view bytes);         ///< labels of a sheet, which is then drawn with them
void currency(std::string_view bytes);       ///< the `currency` of a sheet, which is drawn in it
void training_config(std::string_view bytes);  ///< "name\n…": a config or a command of training
void pdf_text(std::string_view bytes);  ///< a text to be fitted, wrapped, drawn and found again

struct NamedTarget {
  const char* name;
  Target run;
};

inline const std::vector<NamedTarget>& targets() {
  static const std::vector<NamedTarget> kTargets{{"catalog_entry", catalog_entry},
                                                 {"sheet_json", sheet_json},
                                                 {"sheet_pair", sheet_pair},
                                                 {"request_lines", request_lines},
                                                 {"hf_config", hf_config},
                                                 {"price_csv", price_csv},
                                                 {"price_pair", price_pair},
                                                 {"command_line", command_line},
                                                 {"page_template", page_template},
                                                 {"logo", logo},
                                                 {"labels", labels},
                                                 {"currency", currency},
                                                 {"training_config", training_config},
                                                 {"pdf_text", pdf_text}};
  return kTargets;
}

/// What is before the first `mark` and what is behind it; all and nothing where there is none.
inline std::pair<std::string_view, std::string_view> cut(std::string_view bytes,
                                                         std::string_view mark) {
  const std::size_t at = bytes.find(mark);
  if (at == std::string_view::npos) return {bytes, {}};
  return {bytes.substr(0, at), bytes.substr(at + mark.size())};
}

/// A promise of the program that the input broke.
inline void expect(bool holds, const std::string& promise) {
  if (!holds) throw std::logic_error("broken promise: " + promise);
}

}  // namespace sizesheet::fuzz
