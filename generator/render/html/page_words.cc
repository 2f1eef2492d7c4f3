// SPDX-License-Identifier: Apache-2.0
#include "render/html/page_words.h"

#include <algorithm>
#include <array>
#include <boost/algorithm/string/replace.hpp>
#include <string_view>

#include "render/svg/svg.h"
#include "sheet/assemble/shown.h"
#include "sheet/sheet.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::size_t kLongestLabel = 300;
constexpr std::array<std::string_view, 4> kRead = {" placeholder=\"", " aria-label=\"",
                                                   " data-name=\"", " title=\""};
/// Elements whose text is no label.
constexpr std::array<std::string_view, 4> kVerbatim = {"script", "style", "code", "pre"};

/// Characters for the entities that templates and values have.
std::string plain_markup(std::string text) {
  static constexpr std::pair<std::string_view, std::string_view> kEntities[] = {
      {"&nbsp;", "\u00a0"}, {"&lt;", "<"},  {"&gt;", ">"}, {"&quot;", "\""},
      {"&apos;", "'"},      {"&#39;", "'"}, {"&amp;", "&"}};
  for (const auto& [entity, character] : kEntities) boost::replace_all(text, entity, character);
  return text;
}

/// The text with its label in the place of the English one; blanks around it stay.
void put_label(std::string_view text, const SheetMeta& meta, std::string& out) {
  const std::size_t first = text.find_first_not_of(" \n");
  if (first != text.npos && text.size() < kLongestLabel) {
    const std::size_t end = text.find_last_not_of(" \n") + 1;
    const std::string english = plain_markup(std::string(text.substr(first, end - first)));
    const std::string label = labelled(english, meta);
    if (label != english) {
      out.append(text.substr(0, first)).append(escape_xml(label)).append(text.substr(end));
      return;
    }
  }
  out.append(text);
}

/// A tag, with the labels of those of its attributes that people read.
void put_tag(std::string_view tag, const SheetMeta& meta, std::string& out) {
  while (true) {
    std::size_t from = tag.npos;
    for (const std::string_view attribute : kRead) {
      const std::size_t at = tag.find(attribute);
      if (at != tag.npos) from = std::min(from, at + attribute.size());
    }
    const std::size_t end = tag.find('"', from);
    if (end == tag.npos) break;
    out.append(tag.substr(0, from));
    put_label(tag.substr(from, end - from), meta, out);
    tag.remove_prefix(end);
  }
  out.append(tag);
}

}  // namespace

std::string worded_page(const std::string& page, const SheetMeta& meta) {
  if (!meta.labels) return in_money(page, meta);
  const std::string_view whole = page;
  std::string out;
  std::size_t at = 0;
  for (std::size_t open = whole.find('<'); open != whole.npos; open = whole.find('<', at)) {
    put_label(whole.substr(at, open - at), meta, out);
    at = std::min(whole.find('>', open), whole.size() - 1) + 1;
    put_tag(whole.substr(open, at - open), meta, out);
    for (const std::string_view name : kVerbatim) {
      const std::size_t after = open + 1 + name.size();
      if (whole.substr(open + 1, name.size()) != name || after >= whole.size()) continue;
      if (whole[after] != '>' && whole[after] != ' ') continue;
      const std::size_t end = std::min(whole.find("</" + std::string(name), at), whole.size());
      out.append(whole.substr(at, end - at));
      at = end;
    }
  }
  return in_money(out.append(whole.substr(at)), meta);
}

std::string worded_script(std::string script, const SheetMeta& meta) {
  if (!meta.labels) return script;
  for (const auto& [english, label] : meta.labels->texts) {
    if (english.empty() || !is_capital(english.front()) || label.find_first_of("'\\") != label.npos)
      continue;
    boost::replace_all(script, "'" + english + "'", "'" + label + "'");
  }
  return script;
}

}  // namespace sizesheet
