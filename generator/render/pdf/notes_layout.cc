// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/notes_layout.h"

#include <algorithm>

#include "render/pdf/marks.h"
#include "render/pdf/palette.h"
#include "support/text.h"

namespace sizesheet::pdf {

namespace {

constexpr double kGap = 14;          // between columns, and left of the QR code
constexpr double kNoteHead = 8.5;    // rule to the heads' baseline
constexpr double kFirstLine = 17.4;  // rule to the first line's baseline
constexpr double kNarrowest = 110;
constexpr double kStep = 2;  // of the search for column widths

struct Type {
  double size;
  double leading;
};
constexpr Type kNormal{6.8, 8.2};
constexpr Type kSmall{6.5, 7.6};

struct NotesRoom {
  Span x;
  double rule;
  double last_ink;

  std::size_t lines(const Type& type) const {
    const double height = last_ink - 1.4 - (rule + kFirstLine);
    return 1 + static_cast<std::size_t>(height / type.leading);
  }
};

Style style_of(const Type& type) { return regular(type.size, kGrey); }

std::size_t line_count(const Sketch& sketch, const Note& note, const Type& type, double width) {
  const std::size_t link = note.link.empty() ? 0 : 1;
  return sketch.wrapped(join(note.sentences, " "), style_of(type), width).size() + link;
}

/// Narrowest width in which the note stands in `lines`; a huge one when none does.
double width_for(const Sketch& sketch, const Note& note, const Type& type, std::size_t lines,
                 double most) {
  // A wider column never needs more lines, so the steps can be halved.
  int low = 0;
  int high = 1 + static_cast<int>((most - kNarrowest) / kStep);
  while (low < high) {
    const int middle = (low + high) / 2;
    const bool enough = line_count(sketch, note, type, kNarrowest + middle * kStep) <= lines;
    (enough ? high : low) = enough ? middle : middle + 1;
  }
  const double width = kNarrowest + low * kStep;
  return width <= most ? width : 2 * most;
}

/// Widths in which all notes stand in the room, or none.
std::vector<double> widths_for(const Sketch& sketch, const std::vector<Note>& notes,
                               const Type& type, const NotesRoom& room) {
  const double most = room.x.width() - kGap * static_cast<double>(notes.size() - 1);
  std::vector<double> widths;
  double sum = 0;
  for (const Note& note : notes) {
    widths.push_back(width_for(sketch, note, type, room.lines(type), most));
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

void draw_note(Sketch& sketch, const Note& note, const Type& type, const Span& x,
               const NotesRoom& room) {
  sketch.text({x.x0, room.rule + kNoteHead}, Align::kLeft, bold(7.4), note.title);
  std::vector<std::string> lines =
      sketch.wrapped(join(note.sentences, " "), style_of(type), x.width());
  const std::size_t most = room.lines(type) - (note.link.empty() ? 0 : 1);
  if (lines.size() > most) {  // only a single sentence can still be too long
    sketch.warn("notes: \"" + note.title + "\" is cut after " + std::to_string(most) + " lines");
    lines.resize(most);
  }
  double y = room.rule + kFirstLine;
  for (const std::string& line : lines) {
    sketch.text({x.x0, y}, Align::kLeft, style_of(type), line);
    y += type.leading;
  }
  if (note.link.empty()) return;
  const Style style = regular(type.size, kBlue);
  const double width = sketch.text({x.x0, y}, Align::kLeft, style,
                                   sketch.fitted("base URL", {note.link}, style, x.width()));
  sketch.link({x.x0, y - type.size, width, type.leading}, note.link);
}

Rect code_area(const PageMetrics& metrics) {
  return {metrics.text.x1 - metrics.qr_size, metrics.last_ink - metrics.qr_size, metrics.qr_size,
          metrics.qr_size};
}

NotesRoom room_of(const PageMetrics& metrics, const std::string& base_url) {
  NotesRoom room{metrics.text, metrics.notes_rule, metrics.last_ink};
  if (!base_url.empty()) room.x.x1 = code_area(metrics).x - kGap;
  return room;
}

}  // namespace

bool notes_fit(const Sketch& sketch, const PageMetrics& metrics, const std::vector<Note>& notes,
               const std::string& base_url) {
  return !widths_for(sketch, notes, kNormal, room_of(metrics, base_url)).empty();
}

void draw_notes(Sketch& sketch, const PageMetrics& metrics, std::vector<Note> notes,
                const std::string& base_url) {
  sketch.rule(metrics.text.x0, metrics.text.x1, metrics.notes_rule, 0.6, kInk);
  const NotesRoom room = room_of(metrics, base_url);
  if (!base_url.empty()) {
    const Rect code = code_area(metrics);
    draw_qr(sketch, code, base_url);
    sketch.link(code, base_url);
  }
  Type type = kNormal;
  std::vector<double> widths = widths_for(sketch, notes, type, room);
  if (widths.empty()) type = kSmall;
  while (widths.empty()) {
    widths = widths_for(sketch, notes, type, room);
    if (widths.empty() && !shorten(sketch, notes)) break;
  }
  const auto count = static_cast<double>(notes.size());
  if (widths.empty()) widths.assign(notes.size(), (room.x.width() - kGap * (count - 1)) / count);
  double x = room.x.x0;
  for (std::size_t i = 0; i < notes.size(); ++i) {
    draw_note(sketch, notes[i], type, {x, x + widths[i]}, room);
    x += widths[i] + kGap;
  }
}

}  // namespace sizesheet::pdf
