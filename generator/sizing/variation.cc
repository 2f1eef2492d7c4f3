// SPDX-License-Identifier: Apache-2.0
#include "sizing/variation.h"

#include "sizing/layout_rules.h"
#include "sizing/layout_search.h"
#include "sizing/stack_merge.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// What the search chose beyond the stack's first practice: the change is one to this job.
void keep_choices(const Question& question, const Job& chosen, Json& request) {
  if (question.alternatives.empty()) return;
  Json& kernels = request["kernels"];
  kernels["loss"] = chosen.loss;
  kernels["recompute"] = chosen.recompute_modules.empty() ? Json(recompute_name(chosen))
                                                          : Json(chosen.recompute_modules);
}

/// The layout as it was, but for what the variation itself says of it.
Layout layout_of(const Layout& chosen, const Variation& variation, const LayoutPins& pins) {
  Layout layout = chosen;
  for (const auto& [key, value] : variation.keys) {
    if (key == "layout.tp") layout.tp = pins.tp.value_or(layout.tp);
    if (key == "layout.pp") layout.pp = pins.pp.value_or(layout.pp);
    if (key == "layout.cp") layout.cp = pins.cp.value_or(layout.cp);
    if (key == "layout.dp") layout.dp = pins.dp.value_or(layout.dp);
    if (key == "layout.shard") layout.shard = pins.shard.value_or(layout.shard);
  }
  return layout;
}

}  // namespace

Json varied_request(const Question& question, const Candidate& chosen, const Variation& variation) {
  Json request = question.request;
  keep_choices(question, chosen.job, request);
  for (const auto& [key, value] : variation.keys) set_dotted(request, key, value);
  return request;
}

std::optional<Candidate> varied(const Question& question, const Candidate& chosen,
                                const Variation& variation) {
  const Json request = varied_request(question, chosen, variation);
  Faults faults;
  const Question changed = read_question(request, *question.catalog, *chosen.job.constants, faults);
  if (!faults.empty()) return std::nullopt;
  const Layout layout = layout_of(chosen.job.layout, variation, changed.pins());
  if (layout.gpus() > 1 && refuses_several(changed)) return std::nullopt;
  if (layout_fault(changed, layout)) return std::nullopt;
  return evaluate(job_with_layout(changed, layout), question.gpu);
}

}  // namespace sizesheet
