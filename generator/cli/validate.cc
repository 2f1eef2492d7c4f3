// SPDX-License-Identifier: Apache-2.0
#include "cli/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <ostream>
#include <utility>

#include "catalog/catalog.h"
#include "catalog/files/loader.h"
#include "catalog/published/measured.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "evidence/accuracy.h"
#include "evidence/totals.h"
#include "evidence/validation.h"
#include "sheet/rows/size_row.h"
#include "sheet/sheet_json.h"
#include "sizing/answer/team_corrections.h"
#include "support/durable.h"
#include "support/error.h"
#include "support/named.h"
#include "support/object_text.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Rows and bars of the held-out sources only.
void keep_held_out(Accuracy& accuracy, const ValidationRules& rules) {
  std::erase_if(accuracy.rows, [](const AccuracyRow& row) { return !row.held_out; });
  std::erase_if(accuracy.sources, [](const AccuracySource& source) {
    return !source.held_out && !source.speed_held_out;
  });
  accuracy.flagged = flagged_errors(accuracy.rows);
  std::erase_if(accuracy.speed.rows, [](const SpeedRow& row) { return !row.held_out; });
  accuracy.speed.flagged = flagged_errors(accuracy.speed.rows);
  accuracy.out_of_model = out_of_model(accuracy.rows, accuracy.speed.rows, rules);
  accuracy.bars = bar_results(accuracy, accuracy.held_out, accuracy.speed.held_out, rules);
}

std::string signed_percent(double share) { return fmt::format("{:+.1f} %", 100 * share); }
std::string signed_or_none(const std::optional<double>& share) {
  return share ? signed_percent(*share) : "-";
}
std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string gib(const std::optional<std::int64_t>& bytes) {
  return bytes ? format_gib(*bytes, 2) : std::string("-");
}

/// What the row shows: an error, a verdict against what happened, or the refusal.
std::string finding_of(const AccuracyRow& row) {
  if (!row.refusal.empty()) return "refused: " + row.refusal;
  std::string text = row.error ? signed_percent(*row.error) : id_of(row.verdict);
  for (const std::string& flag : row.flags) text += ", " + flag;
  return text;
}

/// "3.7 % in the median, 7.6 % at the 90th percentile (41)".
std::string error_words(std::int64_t n, double median, double p90) {
  return fmt::format("{} in the median, {} at the 90th percentile ({})", percent(median),
                     percent(p90), n);
}

/// Of the runs that we measured ourselves; "" without one.
std::string own_words(const ComparedPart& part) {
  for (const AccuracyGroup& group : part.by_source) {
    if (!group.name.starts_with("own-")) continue;
    const ErrorStats& errors = group.errors;
    return "; our own runs " + error_words(errors.n, errors.median, errors.p90);
  }
  return "";
}

/// A team's own runs, where it has some: without them, and corrected by the others of them.
void print_team(const TeamAccuracy& team, std::ostream& out) {
  out << "Your own runs, each against estimates that your other runs correct:\n";
  for (const auto& [what, errors] : {std::pair{"speed", &team.speed}, {"memory", &team.memory}}) {
    if (!errors->corrected || !errors->plain) continue;
    const ErrorStats& now = *errors->corrected;
    out << "  " << what << ": " << error_words(now.n, now.median, now.p90) << "; "
        << percent(errors->plain->median) << " in the median without them; in range "
        << percent(errors->within.value_or(0)) << '\n';
  }
  for (const TeamAccuracyRow& row : team.rows) {
    out << fmt::format("  {:<20} {:<10} {:>9.1f} {:>9} {:>9}  {}\n", row.id, row.figure,
                       row.measured, signed_or_none(row.plain), signed_or_none(row.corrected),
                       row.refusal.empty() ? row.setup : row.refusal);
  }
  out << "Columns: measured, error without your runs, error with the others.\n\n";
}

/// What a reader may expect of a run that nobody has seen stands first.
void print_lead(const Accuracy& accuracy, std::ostream& out) {
  const SpeedAccuracy& speed = accuracy.speed;
  if (speed.refitted) {
    out << "Speed, sources left out and every constant fitted again: "
        << error_words(speed.refitted->n, speed.refitted->median, speed.refitted->p90) << ".\n";
  }
  if (speed.tuned.errors) {
    const ErrorStats& errors = *speed.tuned.errors;
    out << "Speed, sources that served to fit: " << error_words(errors.n, errors.median, errors.p90)
        << own_words(speed.all) << ".\n";
  }
  if (accuracy.held_out.errors) {
    const ErrorStats& errors = *accuracy.held_out.errors;
    out << "Memory, sources that no constant is fitted to: "
        << error_words(errors.n, errors.median, errors.p90) << ".\n";
  }
  if (accuracy.tuned.errors) {
    const ErrorStats& errors = *accuracy.tuned.errors;
    out << "Memory, the other sources: " << error_words(errors.n, errors.median, errors.p90)
        << own_words(accuracy.all) << ".\n";
  }
  out << '\n';
}

void print_rows(const Accuracy& accuracy, std::ostream& out) {
  out << fmt::format("{:<38} {:<10} {:<11} {:>9} {:>9}  {}\n", "row", "memory", "relation",
                     "measured", "predicted", "finding");
  for (const AccuracyRow& row : accuracy.rows) {
    out << fmt::format("{:<38} {:<10} {:<11} {:>9} {:>9}  {}\n", row.id, row.kind, row.relation,
                       gib(row.measured), gib(row.predicted), finding_of(row));
  }
  out << "Memory in GiB per GPU; the error is predicted ÷ measured − 1.\n";
}

void print_stats(const std::string& name, const ErrorStats& errors, std::ostream& out) {
  out << fmt::format("  {:<38} {:>4} {:>8} {:>8} {:>8} {:>9} {:>9}\n", name, errors.n,
                     percent(errors.median), percent(errors.mean), percent(errors.p90),
                     signed_percent(errors.worst), signed_percent(errors.bias));
}

void print_groups(const char* title, const std::vector<AccuracyGroup>& groups, std::ostream& out) {
  if (groups.empty()) return;
  out << ' ' << title << '\n';
  for (const AccuracyGroup& group : groups) print_stats(group.name, group.errors, out);
}

using NamedGroups =
    std::initializer_list<std::pair<const char*, const std::vector<AccuracyGroup>&>>;

/// What parts of both kinds say.
void print_compared(const char* title, const char* all, const ComparedPart& part,
                    NamedGroups groups, std::ostream& out) {
  out << fmt::format("\n{:<40} {:>4} {:>8} {:>8} {:>8} {:>9} {:>9}\n", title, "n", "median", "mean",
                     "p90", "worst", "bias");
  if (part.errors) print_stats(all, *part.errors, out);
  for (const auto& [by, those] : groups) print_groups(by, those, out);
  if (!part.one_vote_median) return;
  out << " each source one vote: median " << percent(*part.one_vote_median) << " of "
      << part.sources << " sources\n";
}

void print_part(const char* title, const AccuracyPart& part, std::ostream& out) {
  print_compared(title, "all figures", part,
                 {{"by memory", part.by_kind},
                  {"by method", part.by_method},
                  {"by framework", part.by_framework},
                  {"by source", part.by_source}},
                 out);
  const Confusion& seen = part.confusion;
  out << fmt::format(" ran {}: fits {}, tight {}, no {}\n", seen.ran(), seen.ran_fits,
                     seen.ran_tight, seen.ran_no);
  out << fmt::format(" out of memory {}: fits {}, tight {}, no {}\n", seen.oom(), seen.oom_fits,
                     seen.oom_tight, seen.oom_no);
  out << fmt::format(" lower bounds {}: undercut {}\n", part.lower_bounds, part.undercut);
  out << fmt::format(" refused {}\n", part.refused);
}

std::string figure(const std::optional<double>& value) {
  return value ? fmt::format("{:.0f}", *value) : std::string("-");
}

void print_speed_rows(const SpeedAccuracy& speed, std::ostream& out) {
  out << fmt::format("\n{:<40} {:>9} {:>9} {:>9} {:>9}  {}\n", "speed", "measured", "predicted",
                     "low", "high", "finding");
  for (const SpeedRow& row : speed.rows) {
    std::string finding = row.error ? signed_percent(*row.error) : "refused: " + row.refusal;
    for (const std::string& flag : row.flags) finding += ", " + flag;
    out << fmt::format("{:<40} {:>9.0f} {:>9} {:>9} {:>9}  {}\n", row.id, row.measured,
                       figure(row.predicted), figure(row.low), figure(row.high), finding);
  }
  out << "Tokens per second and GPU.\n";
}

void print_speed_part(const char* title, const SpeedPart& part, std::ostream& out) {
  print_compared(
      title, "all speeds", part,
      {{"by class", part.by_class}, {"by method", part.by_method}, {"by source", part.by_source}},
      out);
  if (part.covered) {
    out << " within the range: " << percent(*part.covered)
        << fmt::format(", median high over low {:.2f}\n", *part.median_range);
  }
  out << fmt::format(" refused {}\n", part.refused);
}

void print_coverage(const char* which, const char* of, const HeldOutCoverage& coverage,
                    std::ostream& out) {
  if (!coverage.share) return;
  out << fmt::format("  {} they hold {} {} {} figures, median half-width {}\n", which,
                     percent(*coverage.share), of, coverage.n,
                     percent(coverage.median_half_width.value_or(0)));
}

void print_intervals(const char* of_what, const std::vector<AccuracyInterval>& intervals,
                     const HeldOutCoverage& left_out, std::ostream& out) {
  out << "\nIntervals, factors on the predicted " << of_what << '\n';
  for (const AccuracyInterval& one : intervals) {
    const std::string kept = one.left_out
                                 ? fmt::format(" Holds {}, of sources left out {}.",
                                               percent(*one.within), percent(*one.left_out))
                                 : "";
    out << fmt::format("  {:<24} {:.3f} to {:.3f}  {}  {}{}\n", one.id, one.low, one.high,
                       one.grade, one.basis, kept);
  }
  print_coverage("of sources left out of the fit one at a time", "of", left_out, out);
}

void print_speeds(const SpeedAccuracy& speed, bool held_out_only, std::ostream& out) {
  print_speed_rows(speed, out);
  if (!held_out_only) {
    print_speed_part("SPEED, ALL SOURCES", speed.all, out);
    print_speed_part("SPEED, TUNED SOURCES", speed.tuned, out);
  }
  print_speed_part("SPEED, HELD-OUT SOURCES", speed.held_out, out);
  print_groups("errors of flagged speeds, by source", speed.flagged, out);
  print_intervals("speed", speed.intervals, speed.left_out, out);
}

void print_outside(const Accuracy& accuracy, std::ostream& out) {
  out << "\nOutside the totals\n";
  for (const OutOfModel& reason : accuracy.out_of_model) {
    out << fmt::format("  {:>4}  {} ({})\n", reason.rows, reason.title, reason.id);
  }
  print_groups("errors of flagged rows, by source", accuracy.flagged, out);
}

std::string bar_figure(const BarResult& bar, double value) {
  if (bar.id == "speed-range") return fmt::format("{:.2f}", value);
  const bool count = bar.id == "ran-called-no" || bar.id == "oom-fits";
  return count ? fmt::format("{:.0f}", value) : percent(value);
}

void print_bars(const Accuracy& accuracy, std::ostream& out) {
  out << "\nBars\n";
  for (const BarResult& bar : accuracy.bars) {
    out << fmt::format("  {:<8} {:<52} {:>8}, at most {}\n", bar.missed ? "missed" : "cleared",
                       bar.title, bar.value ? bar_figure(bar, *bar.value) : "no row",
                       bar_figure(bar, bar.limit));
  }
}

}  // namespace

int run_validate(const ValidateOptions& options, std::ostream& out) {
  const Catalog catalog = load_catalog_to_ask(options.catalog, {CatalogPart::kMeasured});
  if (catalog.measured.empty()) {
    throw InputError(options.catalog.shown("measured") +
                     ": expected at least one .json file to compare");
  }
  Validation validation = validate(catalog, options.jobs);
  if (!options.write_intervals.empty()) {
    replace_file(options.write_intervals, to_json_text(validation.intervals));
  }
  if (!options.write_speed_intervals.empty()) {
    replace_file(options.write_speed_intervals, to_json_text(validation.speed_intervals));
  }
  Accuracy& accuracy = validation.accuracy;
  if (options.held_out) keep_held_out(accuracy, catalog.validation);
  if (options.format == "json") {
    out << json_text(to_json(accuracy)) << '\n';
  } else {
    print_accuracy(accuracy, options.held_out, out);
  }
  const bool missed =
      std::ranges::any_of(accuracy.bars, [](const BarResult& bar) { return bar.missed; });
  return missed ? 1 : 0;
}

void add_validate(CLI::App& app, const Streams& streams, Command& chosen) {
  const auto& [command, options] = add_command<ValidateOptions>(
      app, streams, chosen, "validate", "Compare the engine with published measurements",
      [](const ValidateOptions& asked, const Streams& to) { return run_validate(asked, to.out); });
  add_catalog(command, options.catalog);
  add_format(command, options.format, {"text", "json"});
  command.add_flag("--held-out", options.held_out, "Only the sources no constant is fitted to");
  command.add_option("--write-intervals", options.write_intervals,
                     "Fit the intervals of memory again and write them to this file");
  command.add_option("--write-speed-intervals", options.write_speed_intervals,
                     "The same for those of speed");
  add_jobs(command, options.jobs);
}

void print_accuracy(const Accuracy& accuracy, bool held_out_only, std::ostream& out) {
  if (!held_out_only && accuracy.team) print_team(*accuracy.team, out);
  if (!held_out_only) print_lead(accuracy, out);
  print_rows(accuracy, out);
  if (!held_out_only) {
    print_part("ALL SOURCES", accuracy.all, out);
    print_part("TUNED SOURCES", accuracy.tuned, out);
  }
  print_part("HELD-OUT SOURCES", accuracy.held_out, out);
  print_outside(accuracy, out);
  print_intervals("bytes", accuracy.intervals, accuracy.left_out, out);
  print_coverage("fitted without the held-out sources", "of their", accuracy.coverage, out);
  if (!accuracy.speed.rows.empty()) print_speeds(accuracy.speed, held_out_only, out);
  print_bars(accuracy, out);
}

}  // namespace sizesheet
