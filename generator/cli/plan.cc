// SPDX-License-Identifier: Apache-2.0
#include "cli/plan.h"

#include "catalog/catalog.h"
#include "catalog/files/loader.h"
#include "cli/command_parts.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/sheet_choice.h"
#include "render/change_words.h"
#include "render/changes_words.h"
#include "render/choices.h"
#include "render/phrases.h"
#include "sheet/decision.h"
#include "sheet/fields.h"
#include "sheet/plan.h"
#include "sheet/plan/build_plan.h"
#include "sheet/spec.h"
#include "sizing/answer/team_corrections.h"
#include "sizing/search/search.h"
#include "sizing/time/throughput.h"
#include "support/error.h"
#include "support/money.h"
#include "support/object_text.h"
#include "support/text.h"

namespace sizesheet {
namespace {

struct PlanCommand : CommonOptions {
  std::string format = "text";
};

constexpr std::size_t kName = 46;  // columns of 80
constexpr std::size_t kFigure = 13;

/// What a line is about, cut where it is too long.
std::string named(const std::string& text, std::size_t columns = kName) {
  return padded_right(std::string(beginning_of(text, columns - 1)), columns);
}

std::string plan_usd_words(MicroUsd usd) { return "$" + whole_usd(usd); }
std::string percent_words(double share) { return format_number(100 * share, 0) + " %"; }

std::string moves_words(const std::vector<PlanUnitsMoved>& moves) {
  std::vector<std::string> words;
  for (const PlanUnitsMoved& move : moves) {
    words.push_back(move.pool + " " + std::to_string(move.from) + " -> " + std::to_string(move.to));
  }
  return words.empty() ? "the same" : join(words, ", ");
}

void print_pools(const SheetPlan& plan, std::ostream& out) {
  out << '\n'
      << named("What it runs on") << padded_left("units", 7) << padded_left("$ in all", kFigure)
      << padded_left("used", 8) << '\n';
  for (const PlanPoolLine& pool : plan.pools) {
    const bool by_hour = pool.gpus_per_unit == 0;
    const std::string from =
        pool.from_month > 0 ? ", from month " + std::to_string(pool.from_month + 1) : "";
    const std::string sellers = pool.providers.empty() ? "" : " from " + join(pool.providers, ", ");
    out << named(pool.title + from + sellers)
        << padded_left(by_hour ? "" : format_integer(pool.units), 7)
        << padded_left(whole_usd(pool.usd), kFigure)
        << padded_left(pool.used_share ? percent_words(*pool.used_share) : "", 8) << '\n';
  }
}

void print_kinds(const SheetPlan& plan, std::ostream& out) {
  out << '\n'
      << named("Runs") << padded_left("a month", 9) << padded_left("one more, $", kFigure) << '\n';
  for (const PlanKindLine& kind : plan.kinds) {
    out << named(kind.model + " by " + kind.method)
        << padded_left(format_number(kind.runs_per_month, 1), 9)
        << padded_left(or_absent(kind.one_more_usd, run_usd), kFigure) << '\n';
    for (const PlanPlaceLine& place : kind.places) {
      out << "  " << named(gpu_count(place.gpus) + ", " + place.title, kName - 2)
          << padded_left(percent_words(place.share), 9) << '\n'
          << "    " << choice_words(place.set_up.choices) << ", " << place.set_up.choices.stack
          << (place.set_up.certain.value_or(true)
                  ? ""
                  : "\n    fits, not certain; run two training steps first")
          << '\n';
    }
  }
}

void print_otherwise(const PlanOtherwise& one, std::ostream& out) {
  const std::string factor = one.factor ? " × " + format_number(*one.factor, 2) : "";
  out << "  " << named(one.what + factor, 22);
  if (!one.usd) {
    out << "cannot be: " << one.why << '\n';
    return;
  }
  out << padded_left(plan_usd_words(*one.usd), kFigure)
      << padded_left(or_absent(one.usd_share, delta_percent), 10) << "  " << moves_words(one.moves)
      << '\n';
}

void print_why(const SheetPlan& plan, std::ostream& out) {
  out << (plan.totals.ranked_by == kRankedByUpperEnd ? "\nOtherwise, at most\n" : "\nOtherwise\n");
  for (const PlanOtherwise* one : {&plan.all_rented, &plan.all_owned, &plan.nothing_new}) {
    print_otherwise(*one, out);
  }
  for (const PlanOtherwise& one : plan.sensitivity) print_otherwise(one, out);
  for (const PlanOtherwise& one : plan.flips) {
    out << "  flips at " << one.what << " × " << format_number(*one.factor, 3) << ": "
        << moves_words(one.moves) << '\n';
  }
  if (!plan.not_searched.empty()) out << "  " << plan.not_searched << '\n';
  for (const PlanLimitLine& limit : plan.limits) {
    out << "  " << limit.limit
        << (limit.model.empty() ? "" : " of " + limit.model + " by " + limit.method)
        << ": a tenth more saves " << plan_usd_words(limit.wider_usd) << ", none at all "
        << plan_usd_words(limit.without_usd) << '\n';
  }
  out << "\nRegret, $: what is bought for one demand when another comes\n"
      << named("", 24) << padded_left("low", kFigure) << padded_left("expected", kFigure)
      << padded_left("high", kFigure) << '\n';
  for (const PlanRegretLine& line : plan.regrets) {
    out << "  " << named(line.made_for, 22);
    for (const auto& usd : {line.low_usd, line.expected_usd, line.high_usd}) {
      out << padded_left(or_absent(usd, whole_usd), kFigure);
    }
    out << '\n';
  }
}

void print_plan(const SheetPlan& plan, const SheetSpec& spec, std::ostream& out) {
  const PlanTotals& totals = plan.totals;
  out << spec.title << ", " << counted(plan.demand.months, "month", "months")
      << (plan.demand.example ? ", an example demand" : "") << ", prices as of " << spec.as_of
      << '\n';
  if (!totals.why.empty()) {
    out << "No plan: " << totals.why << ".\n";
    return;
  }
  const bool upper = totals.ranked_by == kRankedByUpperEnd;
  out << (upper ? "At most " : "") << plan_usd_words(totals.usd) << ": "
      << plan_usd_words(totals.fixed_usd) << " fixed, " << plan_usd_words(totals.runs_usd)
      << " for the runs";
  if (totals.capex_usd.value > 0)
    out << "; machines for " << plan_usd_words(totals.capex_usd) << " are bought";
  out << ".\n";
  out << "The plan minimises the " << (upper ? "upper end of the cost" : "expected cost") << ".\n";
  if (upper && totals.usd_mid) {
    out << "In the middle of all hours " << plan_usd_words(*totals.usd_mid)
        << " with the same machines.\n";
  }
  if (!upper && totals.usd_high) {
    out << "At the upper ends of all hours " << plan_usd_words(*totals.usd_high)
        << " with the same machines.\n";
  }
  if (totals.status != "optimal") {
    out << "The search ended at its time limit: at most " << plan_usd_words(totals.gap_usd)
        << " cheaper is possible.\n";
  }
  print_pools(plan, out);
  print_kinds(plan, out);
  print_why(plan, out);
}

/// 0; 1 where no plan meets deadlines and limits.
int run_plan(const PlanCommand& options, const Streams& streams) {
  const Catalog catalog = load_catalog_to_ask(options.catalog, {CatalogPart::kMoney});
  const SheetSpec spec = sheet_asked_for(options, catalog);
  const std::optional<SheetPlan> plan = plan_of(catalog, spec, options.jobs);
  if (!plan) {
    throw InputError("--sheet: expected a sheet with a demand in \"plan\", got " +
                     in_quotes(options.sheet) + " without one");
  }
  if (options.format == "json") {
    streams.out << json_text(written(*plan)) << '\n';
  } else {
    print_plan(*plan, spec, streams.out);
  }
  return plan->totals.why.empty() ? 0 : 1;
}

}  // namespace

void add_plan(CLI::App& app, const Streams& streams, Command& chosen) {
  const auto& [command, options] = add_command(
      app, streams, chosen, "plan",
      "Say what to own, to reserve and to rent for a sheet's demand, and how sure that is",
      run_plan);
  add_sheet(command, options, "Sheet id or file");
  add_catalog(command, options.catalog);
  add_format(command, options.format, {"text", "json"});
  add_jobs(command, options.jobs);
  command.footer(
      "Exit codes: 0 there is a plan; 1 none meets deadlines and limits; 2 could not "
      "tell.");
}

}  // namespace sizesheet
