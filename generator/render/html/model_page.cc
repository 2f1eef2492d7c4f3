// SPDX-License-Identifier: Apache-2.0
#include "render/html/model_page.h"

#include "render/html/cells.h"
#include "render/html/frame.h"
#include "render/html/model_cards.h"
#include "render/html/model_choices.h"
#include "render/html/model_levers.h"
#include "render/html/model_memory.h"
#include "render/html/model_money.h"
#include "render/html/model_offers.h"
#include "render/html/model_what_if.h"
#include "render/html/proof.h"
#include "render/phrases.h"
#include "support/text.h"

namespace sizesheet {

namespace {

void put_facts(Json& values, const SheetModel& model) {
  values["model_title"] = model.title;
  values["model_size"] = model.size;
  values["model_facts"] =
      format_parameters(model.parameters) + " parameters (" + format_integer(model.parameters) +
      "), " + format_integer(model.layers) + " layers, width " + format_integer(model.hidden) +
      ", " + format_integer(model.heads) + " query and " + format_integer(model.kv_heads) +
      " key-value heads, vocabulary " + format_integer(model.vocab);
  put_source(values, "model_source", model.source);
  values["model_date"] = model.date;
}

/// The proofs: the best method's in full, the other picks' and every other row's folded.
void put_proofs(Json& values, const Sheet& sheet, const SheetModel& model, const Row* best) {
  Json first = Json::array();
  Json picks = Json::array();
  Json others = Json::array();
  for (const Row& row : sheet.rows) {
    if (row.model != model.id) continue;
    const bool main = row.scenario == sheet.scenarios.front().id;
    const bool pick = main && &row == shown_row(sheet, row.model, row.method);
    (&row == best ? first : pick ? picks : others).push_back(proof_values(sheet, row));
  }
  values["first_proof"] = first;
  values["pick_proofs"] = picks;
  values["other_proofs"] = others;
  values["has_first_proof"] = !first.empty();
  values["has_other_proofs"] = !others.empty();
  values["other_proof_count"] = std::to_string(others.size());
}

void put_assumptions(Json& values, const Sheet& sheet) {
  const Scenario& main = sheet.scenarios.front();
  values["scenario_summary"] = main.summary;
  values["scenario_title"] = main.stack_title;
  Json warnings = Json::array();
  for (const std::string& warning : main.warnings) {
    warnings.push_back({{"assumption_warning", warning}});
  }
  values["assumption_warnings"] = warnings;
}

}  // namespace

Json model_values(const Sheet& sheet, const SheetModel& model) {
  Json values =
      frame_values(sheet, SitePage::kModel, model.title + " · " + sheet.meta.title, "../");
  const Row* best = best_row(sheet, model.id);
  put_facts(values, model);
  values["run_words"] = run_words(sheet);
  values["planned_hours"] = month_hours(sheet.options.planned_hours_per_month);
  values["cards"] = card_list(sheet, model.id, best);
  put_memory(values, sheet, model.id, best);
  put_proofs(values, sheet, model, best);
  values["choices"] = choice_list(sheet, model.id, best);
  values["stacks"] = stack_list(sheet, model.id);
  values["has_stacks"] = !values["stacks"].empty();
  values["stack_summaries"] = stack_summaries(sheet);
  put_run_costs(values, sheet, model.id);
  put_levers(values, sheet, model.id, best);
  put_zero_stages(values, sheet, model.id);
  put_adapter_ranks(values, sheet, model.id);
  put_rent_or_buy(values, sheet, model.id, best);
  put_offers(values, sheet, model.id);
  put_assumptions(values, sheet);
  return values;
}

}  // namespace sizesheet
