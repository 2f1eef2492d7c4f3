// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/lay_out.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "render/decision_words.h"
#include "render/pdf/drawing/document.h"
#include "render/pdf/drawing/sketch.h"
#include "render/pdf/fonts/faces.h"
#include "render/pdf/notes.h"
#include "render/pdf/page/page_layout.h"
#include "render/pdf/panels/panel_findings.h"
#include "render/pdf/panels/panel_ranges.h"
#include "render/pdf/panels/panel_use.h"
#include "render/pdf/panels/panels.h"
#include "render/pdf/table/columns.h"
#include "render/pdf/table/page_rows.h"
#include "render/pdf/table/table.h"
#include "render/pdf/table/table_rows.h"
#include "render/pdf/table/table_text.h"
#include "render/phrases.h"
#include "sheet/assemble/shown.h"
#include "sheet/logo.h"
#include "sheet/sheet.h"
#include "support/error.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet::pdf {
namespace {

constexpr double kAir = 12;  // between what is left and right on a line

constexpr double kLogoHeight = 19;

constexpr double kMostLogoWidth = 120;

constexpr double kLogoDrop = 4;  // below the title's baseline

constexpr std::size_t kMostGpuTypes = 16;

constexpr std::size_t kFewGpuTypes = 5;

constexpr double kTileGap = 14;

// From the rule above the tiles.
constexpr double kTileTitle = 10.2;
constexpr double kTileFigure = 25.4;
constexpr double kTileWords = 36;
constexpr std::size_t kTileLines = 2;

/// Left of the title, as high as that; how wide it is, with the air behind it.
double draw_logo(Sketch& sketch, const PageMetrics& metrics, const std::string& base64) {
  if (base64.empty()) return 0;
  Logo logo = logo_of(base64, "/options/logo");
  const double scale = std::min(kLogoHeight / logo.height, kMostLogoWidth / logo.width);
  const double width = scale * logo.width;
  const double height = scale * logo.height;
  sketch.put(Picture{{metrics.text.x0, kTitleLine + kLogoDrop - height, width, height},
                     logo.width,
                     logo.height,
                     std::move(logo.colors),
                     std::move(logo.alpha)});
  return width + kAir;
}

/// Sheet, company and edition at the right; how wide they are.
double draw_edition(Sketch& sketch, const PageMetrics& metrics, const Sheet& sheet) {
  const double right = metrics.text.x1;
  const double most = metrics.text.width() / 3;
  const double edition = sketch.text_in(most / 2, {right, kTitleLine}, Align::kRight, bold(13),
                                        "edition", {sheet.meta.edition});
  const std::string whose =
      sheet.options.company.empty() ? sheet.meta.title : sheet.options.company;
  const double title = sketch.text_in(most - edition - 5, {right - edition - 5, kTitleLine},
                                      Align::kRight, regular(9, kGrey), "title", {whose});
  return edition + 5 + title;
}

/// The decision, as large as there is room.
void draw_title(Sketch& sketch, const PageMetrics& metrics, const Sheet& sheet) {
  const double left = metrics.text.x0 + draw_logo(sketch, metrics, sheet.options.logo);
  const double room = metrics.text.x1 - left - draw_edition(sketch, metrics, sheet) - kAir;
  const std::vector<std::string> sentences = decision_sentences(sheet);
  double size = 18;
  while (size > 14 && sketch.fitting({sentences.front()}, bold(size), room) == nullptr) --size;
  sketch.text_in(room, {left, kTitleLine}, Align::kLeft, bold(size), "title", sentences);

  const Style small = regular(kSentenceText, kGrey);
  const bool whole =
      !sheet.meta.exchange || sketch.width(provenance(sheet), small) <= metrics.text.width() / 2;
  if (!whole) sketch.warn("source of the rate of exchange: too long for its line; left out there");
  const double source =
      sketch.text({metrics.text.x1, kRunLine}, Align::kRight, small, provenance(sheet, whole));
  sketch.text_in(metrics.text.width() - source - kAir, {metrics.text.x0, kRunLine}, Align::kLeft,
                 regular(kSentenceText), "run", run_sentences(sheet));
}

/// The longest sentences that a tile has lines for; the last ones cut, with a warning.
void draw_tile_words(Sketch& sketch, const DecisionTile& tile, const Span& x) {
  std::vector<std::string> lines;
  for (const std::string& words : tile.words) {
    lines = sketch.wrapped(words, kSentence, x.width());
    if (lines.size() <= kTileLines) break;
  }
  if (lines.size() > kTileLines) {
    sketch.warn("tile \"" + tile.title + "\": \"" + tile.words.back() + "\" is cut");
    lines.resize(kTileLines);
  }
  double y = kTilesTop + kTileWords;
  for (const std::string& line : lines) {
    sketch.text({x.x0, y}, Align::kLeft, kSentence, line);
    y += kNoteLine;
  }
}

void draw_tiles(Sketch& sketch, const PageMetrics& metrics, const Sheet& sheet) {
  const std::vector<DecisionTile> tiles = decision_tiles(sheet);
  if (tiles.empty()) return;
  const auto count = static_cast<double>(tiles.size());
  const double width = (metrics.text.width() - kTileGap * (count - 1)) / count;
  Span x{metrics.text.x0, metrics.text.x0 + width};
  for (const DecisionTile& tile : tiles) {
    sketch.rule(x, kTilesTop, 1.1, tile.warns ? kBrown : kInk);
    sketch.text_in(width, {x.x0, kTilesTop + kTileTitle}, Align::kLeft, kFineGrey, "tile",
                   {tile.title});
    const double y = kTilesTop + kTileFigure;
    const double figure =
        sketch.text_in(width, {x.x0, y}, Align::kLeft, bold(15, tile.warns ? kBrown : kInk), "tile",
                       {tile.figure});
    if (figure + 25 < width) {
      sketch.text_in(width - figure - 5, {x.x0 + figure + 5, y}, Align::kLeft, regular(9.5), "tile",
                     {tile.aside});
    }
    draw_tile_words(sketch, tile, x);
    x = {x.x1 + kTileGap, x.x1 + kTileGap + width};
  }
}

void draw_panels(Sketch& sketch, const PageMetrics& metrics, const PageFlow& flow,
                 const Sheet& sheet) {
  if (!flow.has_panels) return;
  const auto frame = [&](std::size_t panel) {
    return PanelFrame{metrics.panels.at(panel), flow.panels_top, flow.panels_bottom};
  };
  draw_ranges_panel(sketch, frame(0), sheet, shown_pick(sheet, shown_model(sheet).id));
  draw_use_panel(sketch, frame(1), use_splits(sheet));
  const FindingsPage page = sheet.changes
                                ? changed_since(handout_changes(*sheet.changes, sheet), sheet)
                                : findings_of(sheet);
  draw_panel_title(sketch, frame(2), page.titles);
  draw_findings_panel(sketch, frame(2), page.findings);
  sketch.bookmark("Dollars of a run, by card", flow.panels_top);
  sketch.bookmark("Rent or own, by hours of use", flow.panels_top);
  sketch.bookmark(page.titles.front(), flow.panels_top);
}

/// The table of as many GPU types as have room, and where its columns are.
struct PlacedTable {
  TableText text;
  Columns columns;
  std::vector<const SheetGpu*> elsewhere;
};

/// All GPU types of the page with all columns; else fewer columns and types, whichever a page
/// needs.
PlacedTable placed_table(Sketch& sketch, const PageMetrics& metrics, const PageFlow& flow,
                         const Sheet& sheet) {
  GpusOfPage gpus = gpus_of_page(sheet, kMostGpuTypes);
  for (;;) {
    TableText text = table_text(sheet, gpus.shown);
    std::optional<Columns> columns = columns_for(sketch, metrics, flow.density, text);
    const bool may_go = sheet.options.handout_gpus.empty() && gpus.shown.size() > kFewGpuTypes;
    if (columns && !(columns->gave_way && may_go)) {
      const auto chosen = std::ssize(sheet.options.handout_gpus);
      const auto shown = std::ssize(gpus.shown);
      if (shown < chosen) {
        sketch.warn("handout/gpus: " + format_integer(shown) + " of " + format_integer(chosen) +
                    " GPU types have room; the others are left to the site");
      }
      return {std::move(text), std::move(*columns), std::move(gpus.elsewhere)};
    }
    if (gpus.shown.size() == 1) throw InputError("table: its columns have no room on the page");
    gpus = gpus_of_page(sheet, gpus.shown.size() - 1);
  }
}

/// The page does not name a label that is too long for it: the one that has grown most is likely.
std::string longest_label(const SheetLabels& labels) {
  const auto grown = [](const auto& label) {
    return std::ssize(label.second) - 2 * std::ssize(label.first);
  };
  const auto most = std::ranges::max_element(labels.texts, {}, grown);
  if (most == labels.texts.end() || grown(*most) <= 0) return "";
  return "; of the labels, " + shown(Json(most->first)) +
         " is the longest against its English: " + format_integer(std::ssize(most->second)) +
         " bytes for " + format_integer(std::ssize(most->first));
}

PageLayout laid_out(const Sheet& sheet, Paper paper, const GlyphWidth& glyphs) {
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
  draw_tiles(sketch, metrics, sheet);
  const PlacedTable table = placed_table(sketch, metrics, flow_of(metrics, rows, groups), sheet);
  const std::vector<Note> notes = notes_of(sheet, table.elsewhere);
  while (!notes_fit(sketch, metrics, notes, sheet.meta.base_url)) {
    const auto longer = with_longer_notes(metrics, rows, groups);
    if (!longer) break;
    metrics = *longer;
  }
  const PageFlow flow = flow_of(metrics, rows, groups);
  sketch.bookmark("What to rent, from whom, or own", kTableTop);
  const auto columns = columns_for(sketch, metrics, flow.density, table.text);
  draw_table(sketch, metrics, flow, table.text, columns.value_or(table.columns));
  draw_panels(sketch, metrics, flow, sheet);
  sketch.bookmark("Method, accuracy, sources", metrics.notes_rule);
  draw_notes(sketch, metrics, notes, sheet.meta.base_url);
  return sketch.take();
}

}  // namespace

PageLayout lay_out(const Sheet& sheet, Paper paper, const GlyphWidth& glyphs) {
  try {
    return laid_out(sheet, paper, glyphs);
  } catch (const InputError& error) {
    if (!sheet.meta.labels) throw;
    throw InputError(error.what() + longest_label(*sheet.meta.labels));
  }
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
  const pdf::DocumentInfo info{
      worded(sheet.meta.title + " " + sheet.meta.edition, sheet.meta),
      "sizesheet " + sheet.meta.tool_version,
      worded(run_sentences(sheet).front() + " " + sentence_case(pdf::provenance(sheet)) + ".",
             sheet.meta),
      sheet.meta.as_of};
  return pdf::draw(layout, info, faces);
}

}  // namespace sizesheet
