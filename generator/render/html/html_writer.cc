// SPDX-License-Identifier: Apache-2.0
#include "render/html/html_writer.h"

#include <utility>

#include "render/html/accuracy_page.h"
#include "render/html/advice_page.h"
#include "render/html/changes_page.h"
#include "render/html/frameworks_page.h"
#include "render/html/glossary_page.h"
#include "render/html/gpu_page.h"
#include "render/html/gpus_page.h"
#include "render/html/guides_page.h"
#include "render/html/index_page.h"
#include "render/html/method_page.h"
#include "render/html/model_page.h"
#include "render/html/own_page.h"
#include "render/html/prices_page.h"
#include "render/html/rows_page.h"
#include "render/html/strict_context.h"
#include "support/error.h"

namespace sizesheet {

HtmlWriter::HtmlWriter(TemplateSet templates) : templates_(std::move(templates)) {}

void HtmlWriter::write(const Sheet& sheet, FileSet& files) const {
  if (sheet.scenarios.empty()) throw InputError("pages: the sheet has no scenario");
  const SheetValues under(sheet);
  const auto page = [&](const std::string& path, const char* name, const Json& values) {
    files[path] = render_template(templates_, name, values, {}, &under);
  };
  page("index.html", "index.mustache", index_values(sheet));
  page("rows.html", "rows.mustache", rows_values(sheet));
  page("prices.html", "prices.mustache", prices_values(sheet));
  if (sheet.ownership) page("own.html", "own.mustache", own_values(sheet, *sheet.ownership));
  page("method.html", "method.mustache", method_values(sheet));
  if (sheet.accuracy) {
    page("accuracy.html", "accuracy.mustache", accuracy_values(sheet, *sheet.accuracy));
  }
  page("guides.html", "guides.mustache", guides_values(sheet));
  if (!sheet.frameworks.empty()) {
    page("frameworks.html", "frameworks.mustache", frameworks_values(sheet));
  }
  if (sheet.advice) page("advice.html", "advice.mustache", advice_values(sheet, *sheet.advice));
  if (sheet.changes) page("changes.html", "changes.mustache", changes_values(sheet));
  for (const SheetModel& model : sheet.models) {
    page("models/" + model.id + ".html", "model.mustache", model_values(sheet, model));
  }
  page("gpus.html", "gpus.mustache", gpus_values(sheet));
  for (const SheetGpu& gpu : sheet.gpus) {
    page("gpus/" + gpu.id + ".html", "gpu.mustache", gpu_values(sheet, gpu));
  }
  page("glossary.html", "glossary.mustache", glossary_values(sheet));
  files["rows.js"] = rows_script(sheet);
  for (const char* asset : {"style.css", "table.js", "filters.js", "early.js"})
    files[asset] = templates_.at(asset);
}

}  // namespace sizesheet
