// SPDX-License-Identifier: Apache-2.0
// The site written: the frame of every page, with the pages on how figures come about and how
// well they hold.
#pragma once

#include <span>

#include "render/html/templates/templates.h"
#include "sheet/sheet.h"
#include "support/files.h"
#include "support/json.h"

namespace sizesheet {

struct Accuracy;
struct Chart;

/// Where readers find a page: the bar has six entries at most, and one menu.
enum class PagePlace { kBar, kMenu, kLinked };

/// A page of which a site has one. A new page is an entry of the list and a template.
struct SitePage {
  const char* file;  ///< "own" of own.html, drawn with own.mustache
  const char* name;  ///< in the bar or the menu, and the page's title before the sheet's
  PagePlace place;
  bool filtered;  ///< has a table that filters.js filters
  bool (*is_in)(const Sheet& sheet);
  Json (*values)(const Sheet& sheet);
};
std::span<const SitePage> site_pages();
Json accuracy_values(const Accuracy& accuracy);

/// "chart_title", "chart_conclusion" and "chart_svg", the drawing.
Json chart_json(const Chart& chart);

/// Adds the pages, drawn on `jobs` threads, and their scripts. Where `files` has the engine
/// already, the bar leads to the calculator's page, else that page says what to type and stands
/// alone.
void write_site(const Sheet& sheet, const TemplateSet& templates, int jobs, FileSet& files);

}  // namespace sizesheet
