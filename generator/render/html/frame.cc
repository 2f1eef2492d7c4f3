// SPDX-License-Identifier: Apache-2.0
#include "render/html/frame.h"

#include "sheet/scope.h"
#include "support/text.h"

namespace sizesheet {

namespace {

Json nav_link(const std::string& href, const char* name, bool current) {
  return {{"nav_href", href}, {"nav_name", name}, {"nav_current", current}};
}

std::string token_words(std::int64_t tokens) {
  constexpr std::int64_t kMillion = 1'000'000;
  if (tokens >= kMillion && tokens % kMillion == 0) {
    return format_integer(tokens / kMillion) + "\u00a0M";
  }
  return format_integer(tokens);
}

}  // namespace

std::string run_words(const Sheet& sheet) {
  return token_words(sheet.options.tokens) + " tokens in sequences of " +
         format_integer(sheet.scenarios.front().seq_len);
}

std::string not_included(const Sheet& sheet) {
  std::vector<std::string> words;
  for (const LeftOut& out : left_out(sheet)) words.push_back(out.words);
  return joined_words(words);
}

Json frame_values(const Sheet& sheet, SitePage page, const std::string& title,
                  const std::string& root) {
  Json values;
  values["root"] = root;
  values["page_title"] = title;
  values["has_filters"] = page == SitePage::kMatrix || page == SitePage::kRows;
  values["sheet_title"] = sheet.meta.title;
  values["edition"] = sheet.meta.edition;
  values["sheet_as_of"] = sheet.meta.as_of;
  values["price_as_of"] = sheet.meta.price_as_of;
  values["catalog_short"] = sheet.meta.catalog_hash.substr(0, kShortHash);
  values["tool_version"] = sheet.meta.tool_version;
  values["currency"] = sheet.meta.currency;
  values["not_included"] = not_included(sheet);
  const std::string running = running_costs_words(sheet);
  values["running_costs"] = running.empty() ? "" : running + " ";
  Json nav = Json::array({
      nav_link(root + "index.html", "Matrix", page == SitePage::kMatrix),
  });
  nav.push_back(nav_link(root + "gpus.html", "GPUs", page == SitePage::kGpus));
  if (sheet.ownership) {
    nav.push_back(nav_link(root + "own.html", "Rent or buy", page == SitePage::kOwn));
  }
  nav.push_back(nav_link(root + "prices.html", "Prices", page == SitePage::kPrices));
  nav.push_back(nav_link(root + "guides.html", "Guides", page == SitePage::kGuides));
  if (!sheet.frameworks.empty()) {
    nav.push_back(nav_link(root + "frameworks.html", "Frameworks", page == SitePage::kFrameworks));
  }
  if (sheet.advice) {
    nav.push_back(nav_link(root + "advice.html", "Advice", page == SitePage::kAdvice));
  }
  if (sheet.accuracy) {
    nav.push_back(nav_link(root + "accuracy.html", "Accuracy", page == SitePage::kAccuracy));
  }
  nav.push_back(nav_link(root + "method.html", "Method", page == SitePage::kMethod));
  if (sheet.changes) {
    nav.push_back(nav_link(root + "changes.html", "Changes", page == SitePage::kChanges));
  }
  nav.push_back(nav_link(root + "glossary.html", "Glossary", page == SitePage::kGlossary));
  values["nav"] = nav;
  return values;
}

}  // namespace sizesheet
