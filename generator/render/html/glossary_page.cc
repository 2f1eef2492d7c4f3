// SPDX-License-Identifier: Apache-2.0
#include "render/html/glossary_page.h"

#include "render/html/frame.h"
#include "render/html/notes.h"
#include "render/phrases.h"
#include "support/text.h"

namespace sizesheet {

Json glossary_values(const Sheet& sheet) {
  Json values = frame_values(sheet, SitePage::kGlossary, "Glossary · " + sheet.meta.title, "");
  values["headroom_rule"] = headroom_rule(sheet);
  values["run_words"] = run_words(sheet);
  values["month_hours"] = month_hours(sheet.options.hours_per_month);
  values["planned_hours"] = month_hours(sheet.options.planned_hours_per_month);
  return values;
}

}  // namespace sizesheet
