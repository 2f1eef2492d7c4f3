// SPDX-License-Identifier: Apache-2.0
// The page's sentences, and the notes at its foot with the QR code beside them.

#include "render/pdf/notes.h"

#include <optional>
#include <qrcodegen/qrcodegen.hpp>
#include <set>

#include "render/change_words.h"
#include "render/charts.h"
#include "render/pdf/drawing/sketch.h"
#include "render/pdf/page/page_layout.h"
#include "render/pdf/table/page_rows.h"
#include "render/phrases.h"
#include "render/xlsx/sheets.h"
#include "sheet/assemble/ownership.h"
#include "sheet/assemble/shown.h"
#include "sheet/money.h"
#include "sheet/sheet.h"
#include "sheet/sheet_options.h"
#include "support/error.h"
#include "support/text.h"

namespace sizesheet::pdf {
namespace {

/// "500 million", "1.5 billion", "800,000".
std::string count_words(std::int64_t count) {
  const auto as = [&](std::int64_t unit, const char* word) {
    const bool whole = count % unit == 0;
    return format_number(static_cast<double>(count) / static_cast<double>(unit), whole ? 0 : 1) +
           " " + word;
  };
  if (count >= 1'000'000'000 && count % 100'000'000 == 0) return as(1'000'000'000, "billion");
  if (count >= 1'000'000 && count % 100'000 == 0) return as(1'000'000, "million");
  return format_integer(count);
}

std::string ratio(std::int64_t part, std::int64_t whole) {
  return format_number(static_cast<double>(part) / static_cast<double>(whole), 2);
}

std::string own_assumptions(const Sheet& sheet) {
  std::string words = "Own: whole nodes";
  if (const auto* life = entry_with(sheet.rates, &SheetEstimate::id, "life-years")) {
    words += ", " + format_number(life->typical, 0) + " years";
  }
  if (const auto* capital = entry_with(sheet.rates, &SheetEstimate::id, "cost-of-capital")) {
    words += ", " + format_number(100 * capital->typical, 0) + "\u00a0% cost of capital";
  }
  std::vector<std::string> costs = running_costs(sheet);
  costs.insert(costs.begin(), {"power", "space"});
  return words + ", " + joined_words(costs) + ".";
}

/// Of the picks on the page that are far below the next offer, the first by name.
std::string far_below_sentence(const Sheet& sheet) {
  std::vector<const Pick*> picks;
  for (const Pick& pick : sheet.picks) {
    if (pick.far_below_next && sheet.on_handout(pick.model)) picks.push_back(&pick);
  }
  if (picks.empty()) return "";
  const Pick& first = *picks.front();
  std::string words = sheet.model(first.model).size + " " + sheet.method(first.method).short_title +
                      " from " + first.provider;
  if (picks.size() > 1) words += ", as one of " + std::to_string(picks.size()) + ",";
  return words + " " + far_below_words(first) + ".";
}

Note assumptions(const Sheet& sheet) {
  Note note{"Assumptions", {}, ""};
  if (std::string check = far_below_sentence(sheet); !check.empty()) {
    note.sentences.push_back(std::move(check));
  }
  if (!sheet.scenarios.empty()) note.sentences.push_back(sheet.scenarios.front().summary);
  note.sentences.push_back("A count fits when its peak ×\u00a0" +
                           format_number(1 + sheet.options.headroom, 2) +
                           " is within what the driver reports.");
  note.sentences.push_back("Rent: lowest on-demand " + join(sheet.options.price_offers, " or ") +
                           (sheet.options.price_offers.empty() ? "price" : " price") +
                           "; several nodes only where sold whole" +
                           (sheet.options.price_rules.connected() ? " and connected." : "."));
  note.sentences.push_back(own_assumptions(sheet));
  return note;
}

/// "4.0 %, 59 rows (held out: 2.8 %, 15)."
std::string error_words(const ErrorStats& all, const std::optional<ErrorStats>& held_out) {
  const auto words = [](const ErrorStats& errors) {
    return share_words(errors.median) + ", " + format_integer(errors.n);
  };
  return words(all) + " rows" + (held_out ? " (held out: " + words(*held_out) + ")" : "") + ".";
}

/// The range of the row the panels show; "" when none is known.
std::string range_words(const Sheet& sheet) {
  const SheetModel& model = shown_model(sheet);
  const Row* row = shown_pick(sheet, model.id);
  if (!row || row->device_low <= 0 || row->device_high <= 0 || row->memory.device <= 0) return "";
  return model.size + " " + sheet.method(row->method).short_title +
         ", nine in ten: memory ×\u00a0" + ratio(row->device_low, row->memory.device) + " to " +
         ratio(row->device_high, row->memory.device) + " (grade " + row->confidence +
         " of A to C).";
}

Note accuracy(const Sheet& sheet) {
  Note note{"Accuracy", {}, ""};
  if (!sheet.accuracy || !sheet.accuracy->all.errors) {
    note.sentences = {"Not yet checked against published measurements."};
    return note;
  }
  const Accuracy& known = *sheet.accuracy;
  note.sentences.push_back("Published measurements of memory: median error " +
                           error_words(*known.all.errors, known.held_out.errors));
  if (known.speed.all.errors) {
    note.sentences.push_back("Of speed: " +
                             error_words(*known.speed.all.errors, known.speed.held_out.errors));
  }
  if (const std::string range = range_words(sheet); !range.empty()) note.sentences.push_back(range);
  return note;
}

/// How many offers priced the sheet, and where each input's source stands.
std::string sources_words(const Sheet& sheet) {
  std::int64_t offers = 0;
  std::set<std::string> providers;
  for (const SheetPrice& price : sheet.prices) {
    if (!price.used) continue;
    ++offers;
    providers.insert(price.provider);
  }
  std::string words = "Sources: ";
  if (offers > 0) {
    const auto of = static_cast<std::int64_t>(providers.size());
    words +=
        counted(offers, "offer", "offers") + " of " + counted(of, "provider", "providers") + "; ";
  }
  return words + "each input with source and date " +
         (sheet.meta.base_url.empty() ? "in sheet.json." : "at");
}

Note not_included(const Sheet& sheet, const std::vector<const SheetGpu*>& gpus) {
  const std::vector<std::string> brief = each_of(left_out(sheet), &LeftOut::brief);
  Note note{"Not included, and sources",
            {sentence_case(joined_words(brief)) + ".", "For planning, not a quotation."},
            sheet.meta.base_url};
  if (!gpus.empty()) {
    std::vector<std::string> names;
    for (const SheetGpu* gpu : gpus) names.push_back(gpu->short_name);
    note.sentences.insert(note.sentences.begin(),
                          "GPU types on the site only: " + join(names, ", ") + ".");
  }
  const SheetOptions& options = sheet.options;
  if (!options.contact.empty()) note.sentences.push_back("Questions: " + options.contact + ".");
  if (!options.next_edition.empty()) {
    note.sentences.push_back("Next edition: " + options.next_edition + ".");
  }
  note.sentences.push_back(sources_words(sheet));
  return note;
}

constexpr double kGap = 14;          // between columns, and left of the QR code
constexpr double kNoteHead = 8.5;    // rule to the heads' baseline
constexpr double kFirstLine = 17.4;  // rule to the first line's baseline
constexpr double kNarrowest = 110;
constexpr double kStep = 2;  // of the search for column widths

constexpr Style kText = condensed(7.7, kGrey);
constexpr double kLeastModule = 0.85;  // 0.3 mm: below it phones fail on office paper

/// Where the notes stand.
struct NotesRoom {
  Span x;
  double rule;
  std::size_t lines;  ///< under each other

  /// For its sentences.
  std::size_t lines_of(const Note& note) const { return lines - (note.link.empty() ? 0 : 1); }
};

/// Narrowest width in which the note stands in the room; a huge one when none does.
double width_for(const Sketch& sketch, const Note& note, const NotesRoom& room, double most) {
  const std::string words = join(note.sentences, " ");
  // A wider column never needs more lines, so the steps can be halved.
  int low = 0;
  int high = 1 + static_cast<int>((most - kNarrowest) / kStep);
  while (low < high) {
    const int middle = (low + high) / 2;
    const bool enough =
        sketch.wrapped(words, kText, kNarrowest + middle * kStep).size() <= room.lines_of(note);
    (enough ? high : low) = enough ? middle : middle + 1;
  }
  const double width = kNarrowest + low * kStep;
  return width <= most ? width : 2 * most;
}

/// Widths in which all notes stand in the room, or none.
std::vector<double> widths_for(const Sketch& sketch, const std::vector<Note>& notes,
                               const NotesRoom& room) {
  const double most = room.x.width() - kGap * static_cast<double>(notes.size() - 1);
  std::vector<double> widths;
  double sum = 0;
  for (const Note& note : notes) {
    widths.push_back(width_for(sketch, note, room, most));
    sum += widths.back();
  }
  if (sum > most) return {};
  for (double& width : widths) width += (most - sum) / static_cast<double>(notes.size());
  return widths;
}

/// Takes the last sentence from the longest note that has one to spare.
bool shorten(Sketch& sketch, std::vector<Note>& notes) {
  Note* longest = nullptr;
  std::size_t length = 0;
  for (Note& note : notes) {
    const std::size_t size = join(note.sentences, " ").size();
    if (note.sentences.size() < 2 || size <= length) continue;
    longest = &note;
    length = size;
  }
  if (!longest) return false;
  sketch.warn("notes: \"" + longest->sentences.back() + "\" does not fit and is left out");
  longest->sentences.pop_back();
  return true;
}

void draw_note(Sketch& sketch, const Note& note, const Span& x, const NotesRoom& room) {
  sketch.text({x.x0, room.rule + kNoteHead}, Align::kLeft, bold(7.5), note.title);
  std::vector<std::string> lines = sketch.wrapped(join(note.sentences, " "), kText, x.width());
  const std::size_t most = room.lines_of(note);
  if (lines.size() > most) {  // only a single sentence can still be too long
    sketch.warn("notes: \"" + note.title + "\" is cut after " + std::to_string(most) + " lines");
    lines.resize(most);
  }
  double y = room.rule + kFirstLine;
  for (const std::string& line : lines) {
    sketch.text({x.x0, y}, Align::kLeft, kText, line);
    y += kNoteLine;
  }
  if (note.link.empty()) return;
  const double width = sketch.text_in(x.width(), {x.x0, y}, Align::kLeft,
                                      regular(kText.size, kBlue), "base URL", {note.link});
  sketch.link({x.x0, y - kText.size, width, kNoteLine}, note.link);
}

Rect code_area(const PageMetrics& metrics) {
  return {metrics.text.x1 - metrics.qr_size, metrics.last_ink - metrics.qr_size, metrics.qr_size,
          metrics.qr_size};
}

qrcodegen::QrCode code_of(const std::string& text) {
  try {
    return qrcodegen::QrCode::encodeText(text.c_str(), qrcodegen::QrCode::Ecc::MEDIUM);
  } catch (const qrcodegen::data_too_long&) {
    throw InputError("base URL: " + std::to_string(text.size()) +
                     " bytes are too long for a QR code");
  }
}

/// The QR code of a text as squares in `area`, runs of a row merged. Throws InputError when it is
/// too long.
void draw_qr(Sketch& sketch, const Rect& area, const std::string& text) {
  const qrcodegen::QrCode code = code_of(text);
  const int size = code.getSize();
  const double module = area.width / size;
  if (module < kLeastModule) {
    sketch.warn("base URL: the squares of its QR code are only " + format_number(module, 2) +
                " pt wide; a shorter one scans better");
  }
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      const int start = x;
      while (x < size && code.getModule(x, y)) ++x;
      if (x == start) continue;
      sketch.fill({area.x + start * module, area.y + y * module, (x - start) * module, module},
                  kInk);
    }
  }
}

NotesRoom room_of(const PageMetrics& metrics, const std::string& base_url) {
  const double height = metrics.last_ink - 1.4 - (metrics.notes_rule + kFirstLine);
  NotesRoom room{metrics.text, metrics.notes_rule,
                 1 + static_cast<std::size_t>(height / kNoteLine)};
  if (!base_url.empty()) room.x.x1 = code_area(metrics).x - kGap;
  return room;
}

}  // namespace

std::vector<std::string> workload_sentences(const Sheet& sheet) {
  const std::string run =
      "One run = one fine-tune on " + run_length(sheet, count_words, " training tokens");
  if (sheet.scenarios.empty()) return {run + "."};
  const Scenario& main = sheet.scenarios.front();
  const std::string sequences = run + ", " + format_integer(main.seq_len) + "-token sequences";
  return {sequences + "; " + main.stack_title + ".", sequences + "; " + main.title + ".",
          sequences + ".", run + "."};
}

std::string provenance(const Sheet& sheet, bool with_source) {
  std::string money = exchange_words(sheet.meta);
  if (money.empty()) money = sheet.meta.currency;
  if (!with_source) money = money.substr(0, money.find(" ("));
  const std::string choice = shown_models_words(sheet);
  return (choice.empty() ? "" : choice + " · ") + "prices seen " + price_days(sheet.meta) + " · " +
         money + ", tax excluded · " + sheet.meta.catalog_hash.substr(0, 12);
}

const SheetModel& shown_model(const Sheet& sheet) {
  const std::vector<const SheetModel*> models = handout_models(sheet);
  for (const SheetModel* model : models) {
    if (model->id == sheet.options.highlight_model) return *model;
  }
  return *models.back();
}

const Row* shown_pick(const Sheet& sheet, const std::string& model) {
  const std::vector<const Row*> rows = shown_rows(sheet, model);
  return rows.empty() ? nullptr : rows.front();
}

std::string memory_title(const Sheet& sheet, const SheetModel& model) {
  std::set<std::string> gpus;
  for (const Row* row : shown_rows(sheet, model.id)) gpus.insert(row->gpu);
  const bool one = gpus.size() == 1;
  return model.size + ": memory " +
         (one ? "on each " + sheet.gpu(*gpus.begin()).short_name : "per GPU") + ", by method";
}

std::vector<Note> notes_of(const Sheet& sheet, const std::vector<const SheetGpu*>& elsewhere) {
  return {assumptions(sheet), accuracy(sheet), not_included(sheet, elsewhere)};
}

bool notes_fit(const Sketch& sketch, const PageMetrics& metrics, const std::vector<Note>& notes,
               const std::string& base_url) {
  return !widths_for(sketch, notes, room_of(metrics, base_url)).empty();
}

void draw_notes(Sketch& sketch, const PageMetrics& metrics, std::vector<Note> notes,
                const std::string& base_url) {
  sketch.rule(metrics.text, metrics.notes_rule, 0.6, kInk);
  const NotesRoom room = room_of(metrics, base_url);
  if (!base_url.empty()) {
    const Rect code = code_area(metrics);
    draw_qr(sketch, code, base_url);
    sketch.link(code, base_url);
  }
  std::vector<double> widths = widths_for(sketch, notes, room);
  while (widths.empty() && shorten(sketch, notes)) widths = widths_for(sketch, notes, room);
  const auto count = static_cast<double>(notes.size());
  if (widths.empty()) widths.assign(notes.size(), (room.x.width() - kGap * (count - 1)) / count);
  double x = room.x.x0;
  for (std::size_t i = 0; i < notes.size(); ++i) {
    draw_note(sketch, notes[i], {x, x + widths[i]}, room);
    x += widths[i] + kGap;
  }
}

}  // namespace sizesheet::pdf
