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

/// A page of which a site has one. A new page is an entry of the list and a template.
struct SitePage {
  const char* file;  ///< "own" of own.html, drawn with own.mustache
  const char* name;  ///< in the bar, and the page's title before the sheet's
  bool in_bar;
  bool filtered;  ///< has a table that filters.js filters
  bool (*is_in)(const Sheet& sheet);
  Json (*values)(const Sheet& sheet);
};
std::span<const SitePage> site_pages();
Json accuracy_values(const Accuracy& accuracy);

/// "chart_title", "chart_conclusion" and "chart_svg", the drawing.
Json chart_json(const Chart& chart);

/// Adds the pages, drawn on `jobs` threads, and their scripts. Where `files` has the engine
/// already, the calculator's page uses it, else it says what to type.
void write_site(const Sheet& sheet, const TemplateSet& templates, int jobs, FileSet& files);

}  // namespace sizesheet
