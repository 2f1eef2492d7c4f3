// SPDX-License-Identifier: Apache-2.0
#include "sizing/variation.h"

#include "sizing/layout_rules.h"
#include "support/text.h"

namespace sizesheet {
namespace {

void set_dotted(Json& request, const std::string& key, const Json& value) {
  Json* place = &request;
  for (const std::string& part : split(key, '.')) place = &(*place)[part];
  *place = value;
}

/// The layout as it was, but for what the variation itself says of it.
Layout layout_of(const Layout& chosen, const Variation& variation, const LayoutPins& pins) {
  Layout layout = chosen;
  for (const auto& [key, value] : variation.keys) {
    if (key == "layout.tp") layout.tp = pins.tp.value_or(layout.tp);
    if (key == "layout.dp") layout.dp = pins.dp.value_or(layout.dp);
    if (key == "layout.shard") layout.shard = pins.shard.value_or(layout.shard);
  }
  return layout;
}

}  // namespace

std::optional<Candidate> varied(const Question& question, const Candidate& chosen,
                                const Variation& variation) {
  Json request = question.request;
  for (const auto& [key, value] : variation.keys) set_dotted(request, key, value);
  Faults faults;
  const Question changed = read_question(request, *question.catalog, *chosen.job.constants, faults);
  if (!faults.empty()) return std::nullopt;
  const Layout layout = layout_of(chosen.job.layout, variation, changed.pins());
  if (layout.gpus() > 1 && refuses_several(changed)) return std::nullopt;
  if (layout_fault(changed, layout)) return std::nullopt;
  return evaluate(job_with_layout(changed, layout), question.gpu);
}

}  // namespace sizesheet
