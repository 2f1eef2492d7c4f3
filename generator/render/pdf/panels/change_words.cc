// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/panels/change_words.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "render/change_words.h"
#include "render/changes_words.h"
#include "render/diff/remarks.h"
#include "render/pdf/panels/panels.h"
#include "render/phrases.h"
#include "sheet/changes.h"
#include "sheet/seller_names.h"
#include "sheet/sheet.h"
#include "support/money.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet::pdf {
namespace {

constexpr double kTenfold = 10;
constexpr std::size_t kMostCauses = 2;

/// Of an entry of `all` with this id; the id itself where it is gone from the new edition.
template <typename Entry, typename Name>
std::string name_of(const std::vector<Entry>& all, const std::string& id, Name name) {
  const Entry* entry = entry_with(all, &Entry::id, id);
  return entry == nullptr ? id : entry->*name;
}

}  // namespace

std::string subject_of(const Change& change, const Sheet& sheet) {
  std::string words = name_of(sheet.models, change.model, &SheetModel::size) + " " +
                      name_of(sheet.methods, change.method, &SheetMethod::short_title);
  if (!change.gpu.empty()) {
    words += " on " + name_of(sheet.gpus, change.gpu, &SheetGpu::short_name);
  }
  return words;
}

namespace {

/// Both sides of a change with a figure that both have.
template <typename Value>
bool both_have(const Change& change, std::optional<Value> ChangeSide::*figure) {
  return change.old_side && change.new_side && (*change.old_side).*figure &&
         (*change.new_side).*figure;
}

double number(MicroUsd usd) { return static_cast<double>(usd.value); }
double number(double value) { return value; }

/// How far it moved, and "484 per run, was 527"; "" and "" unless both sides have the figure.
template <typename Value, typename Words>
void fill_moved(const Change& change, std::optional<Value> ChangeSide::*figure, Words words,
                const std::string& per, Finding& finding) {
  finding.before = finding.brief = "";
  if (!both_have(change, figure)) return;
  const Value& before = *((*change.old_side).*figure);
  const Value& after = *((*change.new_side).*figure);
  finding.before = moved_by(number(before), number(after));
  finding.brief = words(after) + per + ", was " + words(before);
}

/// What moved, in the unit of its kind: the bold figure at the left, and the figures before and
/// after.
void fill_figures(const Change& change, Finding& finding) {
  static const std::map<std::string, std::string> kWords = {
      {"no_longer_fits", "no"},  {"headroom_low", "tight"}, {"now_fits", "fits"},
      {"headroom_back", "fits"}, {"vanished", "no price"},  {"appeared", "priced"},
      {"removed", "gone"},       {"added", "new"}};
  const std::string& kind = change.kind;
  const auto run = [](MicroUsd usd) { return "$" + run_usd(usd); };
  fill_moved(change, &ChangeSide::list_usd_per_run, run, " per run", finding);
  if (const auto word = kWords.find(kind); word != kWords.end()) finding.before = word->second;
  if ((kind == "no_longer_fits" || kind == "headroom_low") && change.new_side) {
    finding.brief = format_gib(change.new_side->device_bytes, 1) + " of " +
                    format_gib(change.new_side->capacity_bytes, 1) + " GiB per GPU";
  } else if ((kind == "needs_more" || kind == "needs_less" || kind == "count_changed") &&
             change.old_side && change.new_side) {
    finding.before = format_integer(change.old_side->gpus);
    finding.after = format_integer(change.new_side->gpus);
  } else if (kind == "advice_flipped" && both_have(change, &ChangeSide::decision)) {
    fill_moved(change, &ChangeSide::break_even_hours_per_month, month_hours, " h per month",
               finding);
    if (!finding.brief.empty()) finding.brief.insert(0, "break-even ");
    finding.before = *change.old_side->decision;
    finding.after = *change.new_side->decision;
  } else if (kind == "own_dearer" || kind == "own_cheaper") {
    const auto whole = [](MicroUsd usd) { return "$" + whole_usd(usd); };
    fill_moved(change, &ChangeSide::own_usd_per_month, whole, " per month", finding);
  } else if ((kind == "slower" || kind == "faster") && both_have(change, &ChangeSide::hours)) {
    const auto hours = [](double value) { return run_hours(value); };
    fill_moved(change, &ChangeSide::hours, hours, " h per run", finding);
  }
  if (finding.before.empty()) finding.before = "moved";
}

std::string detail_of(const Change& change, const std::string& figures) {
  std::vector<std::string> parts;
  if (!figures.empty()) parts.push_back(figures);
  const std::string before = change.old_side ? side_setup(*change.old_side) : "";
  const std::string after = change.new_side ? side_setup(*change.new_side) : "";
  if (after.empty()) {
    if (!before.empty()) parts.push_back("was " + before);
  } else {
    parts.push_back(before.empty() || before == after ? after : after + " instead of " + before);
  }
  return join(parts, "; ");
}

/// "H100 at RunPod, on demand" of a price; another input as it is named.
std::string input_words(const MovedInput& input, const Sheet& sheet) {
  const SheetGpu* gpu = gpu_of_price(input, sheet);
  if (gpu == nullptr) return phase_words(input.what);
  const std::size_t at = (" " + input.what + " ").find(" " + gpu->id + " ");
  if (at == 0) return phase_words(input.what);
  const std::string seller = seller_name(sheet, input.what.substr(0, at - 1));
  const std::string rest = input.what.substr(std::min(input.what.size(), at + gpu->id.size()));
  return gpu->short_name + " at " + seller +
         (rest.size() < 2 ? "" : ", " + phase_words(rest.substr(1)));
}

/// "$2.69/h" for 2.69 in "$/h", "80 GiB" for 80 in "GiB".
std::string with_unit(const std::string& value, const std::string& unit) {
  if (unit.starts_with("$")) return "$" + value + unit.substr(1);
  return unit.empty() ? value : value + " " + unit;
}

}  // namespace

std::string moved_by(double old_value, double new_value) {
  if (old_value == new_value) return "0\u00a0%";
  if (old_value <= 0) return "";
  const double ratio = new_value / old_value;
  if (ratio >= kTenfold) return "×" + format_number(ratio, 0);
  const double percent = 100 * std::abs(ratio - 1);
  if (percent < 0.05) return "0\u00a0%";
  return (ratio < 1 ? "−" : "+") + format_number(percent, percent < 0.95 ? 1 : 0) + "\u00a0%";
}

std::string cause_words(const std::vector<std::string>& groups) {
  if (groups.empty()) return std::string(kAbsent);
  if (groups.size() > kMostCauses) return "several";
  std::vector<std::string> words;
  for (const std::string& group : groups) {
    words.push_back(group == "gpus" ? "GPU" : group);
    if (group.ends_with('s') && group != "gpus") words.back().pop_back();  // one of "prices"
  }
  return join(words, ", ");
}

Finding change_finding(const Change& change, const Sheet& sheet) {
  Finding finding;
  fill_figures(change, finding);
  finding.subject = subject_of(change, sheet) + ": " + change_kind(change.kind).words;
  finding.detail = detail_of(change, finding.brief);
  finding.word = cause_words(change.cause);
  return finding;
}

const SheetGpu* gpu_of_price(const MovedInput& input, const Sheet& sheet) {
  if (input.group != "prices") return nullptr;
  const std::string words = " " + input.what + " ";
  const auto found = std::ranges::find_if(sheet.gpus, [&](const SheetGpu& gpu) {
    return words.find(" " + gpu.id + " ") != words.npos;
  });
  return found == sheet.gpus.end() ? nullptr : &*found;
}

Finding input_finding(const MovedInput& input, const Sheet& sheet) {
  Finding finding;
  finding.subject = input_words(input, sheet);
  finding.word = cause_words({input.group});
  const auto before = number_in(input.old_value);
  const auto after = number_in(input.new_value);
  if (input.how != "changed") {
    finding.before = input.how == "added" ? "new" : "gone";
  } else if (before && after) {
    finding.before = moved_by(*before, *after);
  }
  if (finding.before.empty()) finding.before = "moved";
  std::vector<std::string> parts;
  if (!input.new_value.empty() && !input.old_value.empty()) {
    parts.push_back(with_unit(bare_value(input.new_value), input.unit) + ", was " +
                    with_unit(bare_value(input.old_value), input.unit));
  }
  parts.push_back("moves " + moved_count_words(input));
  finding.detail = join(parts, "; ");
  finding.brief = parts.front();
  return finding;
}

}  // namespace sizesheet::pdf
