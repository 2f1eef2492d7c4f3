// SPDX-License-Identifier: Apache-2.0
// The three panels under the table, each drawn into a frame, and what the third one tells.
#pragma once

#include <string>
#include <vector>

#include "render/charts.h"
#include "render/pdf/sketch.h"
#include "sheet/sheet.h"

namespace sizesheet::pdf {

struct PanelFrame {
  Span x;
  double top = 0;     ///< the rule over the title
  double bottom = 0;  ///< baseline of the tick labels
  bool compact = false;

  double title() const { return top + 11; }
  double first_line() const { return top + 22; }
  double axis() const { return bottom - 8.8; }
};

/// Rule and title; `bar`: the mark of the highlighted size. `aside` stands on the right.
void draw_panel_title(Sketch& sketch, const PanelFrame& frame,
                      const std::vector<std::string>& titles, bool bar,
                      const std::string& aside = "");

/// Stacked memory bills with the limit, the headroom before it and, below each bar, one count
/// fewer.
void draw_bars_panel(Sketch& sketch, const PanelFrame& frame, const StackedBars& bars);

/// Lines with discs, named beside the last of them. `conclusions`: longest form first.
void draw_lines_panel(Sketch& sketch, const PanelFrame& frame, const Lines& lines,
                      const std::vector<std::string>& conclusions);

/// One entry of the third panel: a bold figure or change, a subject, a line of detail, a word.
struct Finding {
  std::string before;  ///< "16", or the whole figure when `after` is empty
  std::string after;   ///< "24": an arrow stands between
  std::string subject;
  std::string detail;
  std::string word;
  std::string brief = {};  ///< of the detail, where that is too long; may be empty
};

void draw_findings_panel(Sketch& sketch, const PanelFrame& frame,
                         const std::vector<Finding>& findings);

/// Most telling first: the panel draws as many as it has room for.
struct FindingsPage {
  std::vector<std::string> titles;  ///< longest first
  std::string aside;
  std::vector<Finding> findings;
};

/// Without an earlier edition: the risks of its picks, and what the size's adapters take under the
/// fastest stack.
FindingsPage findings_of(const Sheet& sheet, const SheetModel& model);

/// The picks that moved most, the rows that broke, the inputs that moved, each with its cause. Only
/// what the comparison holds is said.
FindingsPage changed_since(const SheetChanges& changes, const Sheet& sheet);

/// The plan first, what it costs and has and what would change it, where the sheet has one.
FindingsPage with_plan_first(FindingsPage page, const Sheet& sheet);

// ---- One change of an edition in the words of the third panel.

/// "−12 %", "+0.4 %", "×12" from tenfold on; "0 %" when neither moved.
std::string moved_by(double old_value, double new_value);

/// "price", "GPU, engine", "several"; "–" when unknown.
std::string cause_words(const std::vector<std::string>& groups);

/// "70B full", for a row also "on H200".
std::string subject_of(const Change& change, const Sheet& sheet);

/// A pick or a row.
Finding change_finding(const Change& change, const Sheet& sheet);

/// An entry of the catalog or of the sheet's specification.
Finding input_finding(const MovedInput& input);

}  // namespace sizesheet::pdf
