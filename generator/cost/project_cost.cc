// SPDX-License-Identifier: Apache-2.0
#include "cost/project_cost.h"

#include <stdexcept>
#include <string>

#include "support/trace.h"

namespace sizesheet {
namespace {

void check_project_terms(const ProjectTerms& t) {
  for (const double value :
       {t.runs, t.failed_share, t.evaluation_tokens, t.forward_share, t.stored_gib,
        t.storage_months, t.egress_gib, t.engineering_hours, to_usd(t.usd_per_run),
        to_usd(t.usd_per_gib_month), to_usd(t.usd_per_gib), to_usd(t.usd_per_engineering_hour)}) {
    if (!(value >= 0)) throw std::invalid_argument("project: expected numbers at least 0");
  }
  if (t.failed_share >= 1) throw std::invalid_argument("project: expected a failed share below 1");
  if (t.evaluation_tokens > 0 && t.tokens_per_run < 1) {
    throw std::invalid_argument("project: expected the tokens of a run beside those of evaluation");
  }
}

/// Written once: `double` computes, `Traced` also records the formula.
template <typename N>
struct ProjectFigures {
  explicit ProjectFigures(const ProjectTerms& terms) : t(terms) {}

  N runs() const {
    const N finished =
        step("runs_started", runs_finished() / (N(1.0) - share("failed_share", t.failed_share)));
    return finished * usd("usd_per_run", t.usd_per_run);
  }
  N evaluation() const {
    if (t.evaluation_tokens == 0) return N(0.0);
    const N per_token = step("usd_per_token",
                             usd("usd_per_run", t.usd_per_run) /
                                 input<N>("tokens_per_run", static_cast<double>(t.tokens_per_run)));
    return runs_finished() * input<N>("evaluation_tokens", t.evaluation_tokens) * per_token *
           input<N>("forward_share", t.forward_share);
  }
  N storage() const {
    return input<N>("stored_gib", t.stored_gib) * input<N>("storage_months", t.storage_months) *
           usd("usd_per_gib_month", t.usd_per_gib_month);
  }
  N egress() const {
    return input<N>("egress_gib", t.egress_gib) * usd("usd_per_gib", t.usd_per_gib);
  }
  N people() const {
    return input<N>("engineering_hours", t.engineering_hours) *
           usd("usd_per_engineering_hour", t.usd_per_engineering_hour);
  }

 private:
  N runs_finished() const { return input<N>("runs", t.runs); }
  static N usd(const char* name, MicroUsd value) { return input<N>(name, to_usd(value)); }
  /// What is off leaves no trace in a formula.
  static N share(const char* name, double value) {
    return value == 0 ? N(0.0) : input<N>(name, value);
  }

  const ProjectTerms& t;
};

MicroUsd rounded_part(double usd) {
  constexpr double kMost = 9e12;
  if (!(usd < kMost)) throw std::overflow_error("project: too many dollars");
  return rounded_usd(usd);
}

}  // namespace

ProjectDollars project_cost(const ProjectTerms& terms) {
  check_project_terms(terms);
  const ProjectFigures<double> figures(terms);
  ProjectDollars cost;
  cost.runs_usd = rounded_part(figures.runs());
  cost.evaluation_usd = rounded_part(figures.evaluation());
  cost.storage_usd = rounded_part(figures.storage());
  cost.egress_usd = rounded_part(figures.egress());
  cost.people_usd = rounded_part(figures.people());
  cost.total_usd =
      cost.runs_usd + cost.evaluation_usd + cost.storage_usd + cost.egress_usd + cost.people_usd;
  return cost;
}

std::vector<CostLine> explain_project(const ProjectTerms& terms) {
  const ProjectDollars cost = project_cost(terms);
  const ProjectFigures<Traced> figures(terms);
  std::vector<CostLine> lines;
  Traced total;
  const auto add = [&](const char* name, const char* title, MicroUsd usd, const Traced& amount) {
    if (usd.value == 0) return;
    lines.push_back({name, title, usd, "$", formula_of(amount), kDefinition});
    total = total + Traced::input(name, to_usd(usd));
  };
  add("project_usd_runs", "Project, all runs started", cost.runs_usd, figures.runs());
  add("project_usd_evaluation", "Project, evaluation", cost.evaluation_usd, figures.evaluation());
  add("project_usd_storage", "Project, storage", cost.storage_usd, figures.storage());
  add("project_usd_egress", "Project, transfer out", cost.egress_usd, figures.egress());
  add("project_usd_people", "Project, engineering", cost.people_usd, figures.people());
  lines.push_back({"project_usd_total", "The whole project", cost.total_usd, "$", formula_of(total),
                   kDefinition});
  return lines;
}

}  // namespace sizesheet
