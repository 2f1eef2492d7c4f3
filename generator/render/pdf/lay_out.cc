// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/lay_out.h"

#include <algorithm>
#include <functional>
#include <map>

#include "render/charts.h"
#include "render/pdf/drawing/document.h"
#include "render/pdf/drawing/sketch.h"
#include "render/pdf/fonts/faces.h"
#include "render/pdf/notes.h"
#include "render/pdf/page/page_layout.h"
#include "render/pdf/panels/panel_bars.h"
#include "render/pdf/panels/panel_findings.h"
#include "render/pdf/panels/panel_lines.h"
#include "render/pdf/panels/panel_plan.h"
#include "render/pdf/panels/panels.h"
#include "render/pdf/table/columns.h"
#include "render/pdf/table/page_rows.h"
#include "render/pdf/table/table.h"
#include "render/pdf/table/table_rows.h"
#include "render/pdf/table/table_text.h"
#include "render/phrases.h"
#include "render/run_charts.h"
#include "sheet/assemble/shown.h"
#include "sheet/logo.h"
#include "sheet/sheet.h"
#include "support/error.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet::pdf {
namespace {

constexpr double kTitle = 37.5;

constexpr double kSubtitle = 50.3;

constexpr double kAir = 12;  // between what stands left and right on a line

constexpr double kLogoHeight = 19;

constexpr double kMostLogoWidth = 120;

constexpr double kLogoDrop = 4;  // below the title's baseline

constexpr Style kHeadline = regular(9.2);

constexpr double kHeadlineLeading = 11.4;

constexpr double kHeadlineDrop = 14;  // from the subtitle

/// Left of the title, as high as that; how wide it is, with the air behind it.
double draw_logo(Sketch& sketch, const PageMetrics& metrics, const std::string& base64) {
  if (base64.empty()) return 0;
  Logo logo = logo_of(base64, "/options/logo");
  const double scale = std::min(kLogoHeight / logo.height, kMostLogoWidth / logo.width);
  const double width = scale * logo.width;
  const double height = scale * logo.height;
  sketch.put(Picture{{metrics.text.x0, kTitle + kLogoDrop - height, width, height},
                     logo.width,
                     logo.height,
                     std::move(logo.colors),
                     std::move(logo.alpha)});
  return width + kAir;
}

void draw_title(Sketch& sketch, const PageMetrics& metrics, const Sheet& sheet) {
  const Style large = bold(17);
  const double left = metrics.text.x0 + draw_logo(sketch, metrics, sheet.options.logo);
  const double right = metrics.text.x1;
  double taken = 5 + sketch.text_in(metrics.text.width() / 3, {right, kTitle}, Align::kRight, large,
                                    "edition", {sheet.meta.edition});
  taken += sketch.text({right - taken, kTitle}, Align::kRight, regular(8.6, kGrey), "Edition");
  const double title = sketch.text_in(right - left - taken - kAir, {left, kTitle}, Align::kLeft,
                                      large, "title", {sheet.meta.title});
  const double room = right - left - taken - title - 2 * kAir;
  if (!sheet.options.company.empty() && room > 0) {
    sketch.text_in(room, {left + title + kAir, kTitle}, Align::kLeft, regular(11, kGrey), "company",
                   {sheet.options.company});
  }

  const Style small = regular(metrics.sub_size, kGrey);
  const std::vector<std::string> workload = workload_sentences(sheet);
  const double most = metrics.text.width() - sketch.width(workload.back(), small) - kAir;
  const bool whole = sketch.width(provenance(sheet), small) <= most || !sheet.meta.exchange;
  if (!whole) sketch.warn("source of the rate of exchange: too long for its line; left out there");
  const double source =
      sketch.text({right, kSubtitle}, Align::kRight, small, provenance(sheet, whole));
  sketch.text_in(metrics.text.width() - source - kAir, {metrics.text.x0, kSubtitle}, Align::kLeft,
                 small, "workload", workload);
}

/// The answer in words, and the rule of the table below it.
void draw_headline(Sketch& sketch, PageMetrics& metrics, const Sheet& sheet) {
  double y = kSubtitle + kHeadlineDrop;
  for (const std::string& line :
       sketch.wrapped(join(sheet.headline, " "), kHeadline, metrics.text.width())) {
    sketch.text({metrics.text.x0, y}, Align::kLeft, kHeadline, line);
    metrics.table_top = y + 5;
    y += kHeadlineLeading;
  }
}

void draw_memory_panel(Sketch& sketch, const PanelFrame& frame, const Sheet& sheet,
                       const SheetModel& model) {
  const Chart chart = memory_bill_chart(sheet, model.id);
  const auto& bars = std::get<StackedBars>(chart.body);
  // A low panel has no line for the limit's label.
  const std::string limit = bars.limit ? "line: " + bars.limit_label : "lines: memory usable";
  draw_panel_title(sketch, frame,
                   {memory_title(sheet, model), model.size + ": memory per GPU", "Memory per GPU"},
                   true, frame.compact && !bars.bars.empty() ? limit : "");
  draw_bars_panel(sketch, frame, bars);
}

void draw_choice_panel(Sketch& sketch, const PanelFrame& frame, const Sheet& sheet,
                       const SheetModel& model) {
  const std::string words = "hours against dollars";
  const Row* row = shown_pick(sheet, model.id);
  if (!row) {
    draw_panel_title(sketch, frame, {model.size + ": " + words, sentence_case(words)}, true);
    draw_lines_panel(sketch, frame, {}, {"No set-up fits."});
    return;
  }
  const Chart chart = hours_against_usd_chart(sheet, *row);
  draw_panel_title(sketch, frame, {chart.title, sentence_case(words)}, true);
  draw_lines_panel(sketch, frame, std::get<Lines>(chart.body), {chart.conclusion, ""});
}

void draw_panels(Sketch& sketch, const PageMetrics& metrics, const PageFlow& flow,
                 const Sheet& sheet) {
  const SheetModel& model = shown_model(sheet);
  const auto frame = [&](std::size_t panel) {
    return PanelFrame{metrics.panels.at(panel), flow.panels_top, flow.panels_bottom,
                      flow.compact_panels};
  };
  draw_memory_panel(sketch, frame(0), sheet, model);
  draw_choice_panel(sketch, frame(1), sheet, model);
  sketch.bookmark("Memory, GiB", flow.panels_top);
  sketch.bookmark("Hours against dollars", flow.panels_top);
  const FindingsPage page =
      with_plan_first(sheet.changes ? changed_since(handout_changes(*sheet.changes, sheet), sheet)
                                    : findings_of(sheet, model),
                      sheet);
  draw_panel_title(sketch, frame(2), page.titles, false, page.aside);
  sketch.bookmark(page.titles.front(), flow.panels_top);
  draw_findings_panel(sketch, frame(2), page.findings);
}

/// As many GPU types as the table and its key have room for.
GpusOfPage gpus_that_fit(Sketch& sketch, const PageMetrics& metrics, const PageFlow& flow,
                         const Sheet& sheet) {
  GpusOfPage gpus = gpus_of_page(sheet, most_gpu_types(metrics, sheet.options.hidden_columns));
  const auto key_has_room = [&](const GpusOfPage& chosen) {
    const TableText table = table_text(sheet, chosen.shown);
    return key_fits(sketch, metrics, columns_for(sketch, metrics, flow.density, table), table);
  };
  while (gpus.shown.size() > 1 && !key_has_room(gpus)) {
    gpus = gpus_of_page(sheet, gpus.shown.size() - 1);
  }
  const auto chosen = static_cast<std::int64_t>(sheet.options.handout_gpus.size());
  const auto shown = std::ssize(gpus.shown);
  if (shown < chosen) {
    sketch.warn("handout/gpus: " + format_integer(shown) + " of " + format_integer(chosen) +
                " GPU types have room; the others are left to the site");
  }
  return gpus;
}

}  // namespace

PageLayout lay_out(const Sheet& sheet, Paper paper, const GlyphWidth& glyphs) {
  if (handout_models(sheet).empty()) throw InputError("sheet: no model to draw");
  if (sheet.methods.empty()) throw InputError("sheet: no method to draw");
  if (sheet.gpus.empty()) throw InputError("sheet: no GPU type to draw");
  PageMetrics metrics = metrics_of(paper);
  const std::size_t groups = handout_models(sheet).size();
  const std::size_t rows = groups * sheet.methods.size();
  Sketch::Words words;
  if (sheet.meta.exchange || sheet.meta.labels) {
    words = [&sheet](const std::string& text) { return worded(text, sheet.meta); };
  }
  Sketch sketch(metrics.width, metrics.height, glyphs, std::move(words));
  draw_title(sketch, metrics, sheet);
  draw_headline(sketch, metrics, sheet);
  const GpusOfPage gpus = gpus_that_fit(sketch, metrics, flow_of(metrics, rows, groups), sheet);
  const std::vector<Note> notes = notes_of(sheet, gpus.elsewhere);
  while (!notes_fit(sketch, metrics, notes, sheet.meta.base_url)) {
    const auto longer = with_longer_notes(metrics, rows, groups);
    if (!longer) break;
    metrics = *longer;
  }
  const PageFlow flow = flow_of(metrics, rows, groups);
  sketch.bookmark("Sizes, GPUs and prices", kSubtitle);
  draw_table(sketch, metrics, flow, table_text(sheet, gpus.shown));
  draw_panels(sketch, metrics, flow, sheet);
  sketch.bookmark("Assumptions, accuracy, sources", metrics.notes_rule);
  draw_notes(sketch, metrics, notes, sheet.meta.base_url);
  return sketch.take();
}

}  // namespace sizesheet::pdf

namespace sizesheet {

std::string pdf_handout(const Sheet& sheet, Paper paper,
                        const std::function<void(const std::string&)>& warn) {
  const pdf::Faces faces;
  const pdf::PageLayout layout = pdf::lay_out(sheet, paper, faces.widths());
  if (warn) {
    for (const std::string& warning : layout.warnings) warn(in_money(warning, sheet.meta));
  }
  const pdf::DocumentInfo info{worded(sheet.meta.title + " " + sheet.meta.edition, sheet.meta),
                               "sizesheet " + sheet.meta.tool_version,
                               worded(pdf::workload_sentences(sheet).front() + " " +
                                          sentence_case(pdf::provenance(sheet)) + ".",
                                      sheet.meta),
                               sheet.meta.as_of};
  return pdf::draw(layout, info, faces);
}

}  // namespace sizesheet
