// SPDX-License-Identifier: Apache-2.0
// The page's sentences, and the notes at its foot with the QR code beside them.

#include "render/pdf/notes.h"

#include <optional>
#include <qrcodegen/qrcodegen.hpp>
#include <set>
#include <utility>

#include "render/change_words.h"
#include "render/charts.h"
#include "render/pdf/drawing/sketch.h"
#include "render/pdf/page/page_layout.h"
#include "render/pdf/table/page_rows.h"
#include "render/phrases.h"
#include "render/project_words.h"
#include "render/xlsx/sheets.h"
#include "sheet/assemble/ownership.h"
#include "sheet/assemble/shown.h"
#include "sheet/money.h"
#include "sheet/project.h"
#include "sheet/sheet.h"
#include "sheet/sheet_options.h"
#include "support/error.h"
#include "support/text.h"

namespace sizesheet::pdf {
namespace {

/// "10 Oct 2026", "10 Oct" of a day, "Oct 2026" of a month; the text itself where it is neither.
std::string day_words(const std::string& date, bool with_year) {
  static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  if (date.size() < 7) return date;
  const int month = 10 * (date[5] - '0') + date[6] - '0';
  if (month < 1 || month > 12) return date;
  std::string words = kMonths[month - 1];
  if (date.size() >= 10) words = date.substr(date[8] == '0' ? 9 : 8) + "\u00a0" + words;
  return with_year ? words + "\u00a0" + date.substr(0, 4) : words;
}

/// "22 Aug to 24 Oct 2026": the years only where they differ.
std::string days_words(const std::string& from, const std::string& to) {
  if (from.empty() || from == to) return to.empty() ? "" : day_words(to, true);
  return day_words(from, from.substr(0, 4) != to.substr(0, 4)) + " to " + day_words(to, true);
}

/// "2 more models"; "" where the page shows every model.
std::string more_models_words(const Sheet& sheet) {
  const auto more = std::ssize(sheet.models) - std::ssize(handout_models(sheet));
  return more == 0 ? "" : counted(more, "more model", "more models");
}

std::string own_assumptions(const Sheet& sheet) {
  std::string words = "Owning pays for whole machines";
  if (const auto* life = entry_with(sheet.rates, &SheetEstimate::id, "life-years")) {
    words += " over " + format_number(life->typical, 0) + " years";
    const auto* used = entry_with(sheet.rates, &SheetEstimate::role, "used_life_years");
    if (used != nullptr) words += " (second-hand: " + format_number(used->typical, 0) + ")";
  }
  if (const auto* capital = entry_with(sheet.rates, &SheetEstimate::id, "cost-of-capital")) {
    words += ", " + format_number(100 * capital->typical, 0) + "\u00a0% cost of capital";
  }
  std::vector<std::string> costs = running_costs(sheet);
  costs.insert(costs.begin(), {"power", "space"});
  return words + ", " + joined_words(costs) + ".";
}

/// "Service: the lowest of Fireworks, Tinker and Together."; "" where no job has one.
std::string services_words(const Sheet& sheet) {
  std::set<std::string> names;
  bool assumed = false;
  for (const Pick& pick : sheet.picks) {
    const Row* row = shown_row(sheet, pick.model, pick.method);
    if (row == nullptr || !row->service || !sheet.on_handout(pick.model)) continue;
    const auto* offer = entry_with(sheet.services, &SheetService::key, row->service->key);
    names.insert(offer == nullptr ? row->service->provider : offer->title);
    assumed |= offer != nullptr && offer->basis == "assumption";
  }
  if (names.empty()) return "";
  return "Service: the lowest of " + joined_words({names.begin(), names.end()}) +
         (assumed ? "; some rates are assumed." : ".");
}

/// By what a set-up is chosen, and at which prices.
std::string rent_rule(const Sheet& sheet) {
  const auto& rules = sheet.options.pick_rules;
  const std::string offers = join(sheet.options.price_offers, " or ");
  const std::string prices = "on-demand " + (offers.empty() ? "" : offers + " ") +
                             "prices expected on " + sheet.meta.as_of;
  const double weight = rules.weight();
  const std::string by = weight > 0 ? "score: expected $ + " + format_number(100 * weight, 0) +
                                          "\u00a0% of (upper end − expected $)"
                                    : "expected $ per run";
  return "We choose the lowest " + by + ", at " + prices + ".";
}

Note method(const Sheet& sheet) {
  Note note{"Method", {}, ""};
  if (!sheet.scenarios.empty()) {
    note.sentences.push_back(sheet.scenarios.front().stack_title + ". Memory plus " +
                             format_number(100 * sheet.options.headroom, 0) + "\u00a0% must fit.");
  }
  note.sentences.push_back(rent_rule(sheet));
  note.sentences.push_back(own_assumptions(sheet));
  if (std::string services = services_words(sheet); !services.empty()) {
    note.sentences.push_back(std::move(services));
  }
  return note;
}

/// "1.7 % (19 runs)".
std::string off_words(const ErrorStats& errors) {
  return share_words(errors.median) + " (" + counted(errors.n, "run", "runs") + ")";
}

/// Of runs that no constant of the engine was fitted to, where there are some.
std::optional<std::string> unfitted_words(const Accuracy& known) {
  const auto& memory = known.held_out.errors;
  const auto& held_out = known.speed.held_out.errors;
  const auto& refitted = known.speed.refitted;
  const bool speed = held_out || refitted;
  if (!memory && !speed) return std::nullopt;
  std::string words = "Median error on runs left out of the calibration: ";
  if (memory) words += "memory " + off_words(*memory);
  if (memory && speed) words += ", ";
  if (refitted) {
    words += "speed " + share_words(refitted->median) + " (" + format_integer(refitted->n) +
             " runs, each source left out in turn)";
  } else if (held_out) {
    words += "speed " + off_words(*held_out);
  }
  return words + ".";
}

Note accuracy(const Sheet& sheet) {
  Note note{"Accuracy", {}, ""};
  if (!sheet.accuracy || !sheet.accuracy->all.errors) {
    note.sentences = {"Not yet checked against published measurements."};
    return note;
  }
  const Accuracy& known = *sheet.accuracy;
  if (const auto words = unfitted_words(known)) note.sentences.push_back(*words);
  // Their numbers are other ones: runs that the engine does not model are left out here alone.
  std::string all = "On all published runs: memory " + share_words(known.all.errors->median);
  if (known.speed.all.errors) all += ", speed " + share_words(known.speed.all.errors->median);
  note.sentences.push_back(all + ".");
  return note;
}

Note not_included(const Sheet& sheet) {
  const std::vector<std::string> brief = each_of(left_out(sheet), &LeftOut::brief);
  Note note{"Not included", {sentence_case(joined_words(brief)) + "."}, ""};
  if (contains(running_costs(sheet), "staff")) note.sentences.push_back("Rent includes no staff.");
  note.sentences.push_back("For planning, not a quotation.");
  return note;
}

/// Of the pick that the sheet's project is of; nothing where the sheet asks for none.
std::optional<Note> project_note(const Sheet& sheet) {
  if (!sheet.project) return std::nullopt;
  const Pick* pick = sheet.pick(sheet.project->model, sheet.project->method);
  if (pick == nullptr || !pick->project) return std::nullopt;
  const std::string job =
      sheet.model(pick->model).size + " " + sheet.method(pick->method).short_title;
  return Note{"The whole project",
              {job + ": " + project_amount(*pick->project) + ".",
               sentence_case(project_parts(*pick->project)) + "."},
              ""};
}

/// Whom to ask, what the site has besides, and where each input's source is.
Note owner(const Sheet& sheet, const std::vector<const SheetGpu*>& gpus) {
  const SheetOptions& options = sheet.options;
  Note note{options.contact.empty() ? "Edition" : "Owner", {}, sheet.meta.base_url};
  if (!options.contact.empty()) note.sentences.push_back("Questions: " + options.contact + ".");
  if (!options.next_edition.empty()) {
    note.sentences.push_back("Next edition: " + options.next_edition + ".");
  }
  std::vector<std::string> more;
  if (const std::string models = more_models_words(sheet); !models.empty()) more.push_back(models);
  std::vector<std::string> types;
  for (const SheetGpu* gpu : gpus) types.push_back(gpu->short_name);
  if (!types.empty()) more.push_back("GPU counts for " + joined_words(types));
  if (!more.empty()) note.sentences.push_back("The site also has " + joined_words(more) + ".");
  const std::string place = sheet.meta.base_url.empty() ? "sheet.json" : "at the link";
  note.sentences.push_back("Source and date of every input: " + place + " (catalog " +
                           sheet.meta.catalog_hash.substr(0, 12) + ").");
  return note;
}

constexpr double kGap = 14;        // between columns, and left of the QR code
constexpr double kNoteHead = 10;   // rule to the heads' baseline
constexpr double kFirstLine = 20;  // rule to the first line's baseline
constexpr double kNarrowest = 90;
constexpr double kStep = 2;  // of the search for column widths

constexpr Style kNoteText = kSentenceGrey;
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
        sketch.wrapped(words, kNoteText, kNarrowest + middle * kStep).size() <= room.lines_of(note);
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
  sketch.text({x.x0, room.rule + kNoteHead}, Align::kLeft, bold(kSmallestText), note.title);
  std::vector<std::string> lines = sketch.wrapped(join(note.sentences, " "), kNoteText, x.width());
  const std::size_t most = room.lines_of(note);
  if (lines.size() > most) {  // only a single sentence can still be too long
    sketch.warn("notes: \"" + note.title + "\" is cut after " + std::to_string(most) + " lines");
    lines.resize(most);
  }
  double y = room.rule + kFirstLine;
  for (const std::string& line : lines) {
    sketch.text({x.x0, y}, Align::kLeft, kNoteText, line);
    y += kNoteLine;
  }
  if (note.link.empty()) return;
  const double width = sketch.text_in(x.width(), {x.x0, y}, Align::kLeft,
                                      regular(kNoteText.size, kBlue), "base URL", {note.link});
  sketch.link({x.x0, y - kNoteText.size, width, kNoteLine}, note.link);
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
  const double height = metrics.last_ink - 2 - (metrics.notes_rule + kFirstLine);
  NotesRoom room{metrics.text, metrics.notes_rule,
                 1 + static_cast<std::size_t>(height / kNoteLine)};
  if (!base_url.empty()) room.x.x1 = code_area(metrics).x - kGap;
  return room;
}

}  // namespace

std::string provenance(const Sheet& sheet, bool with_source) {
  std::string money = exchange_words(sheet.meta);
  if (money.empty()) money = sheet.meta.currency;
  if (!with_source) money = money.substr(0, money.find(" ("));
  const std::string days = days_words(sheet.meta.price_from, sheet.meta.price_as_of);
  return (days.empty() ? "" : "prices seen " + days + " · ") + money + " before tax";
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

std::vector<Note> notes_of(const Sheet& sheet, const std::vector<const SheetGpu*>& elsewhere) {
  std::vector<Note> notes = {method(sheet), accuracy(sheet), not_included(sheet)};
  if (auto project = project_note(sheet)) notes.push_back(std::move(*project));
  notes.push_back(owner(sheet, elsewhere));
  return notes;
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
