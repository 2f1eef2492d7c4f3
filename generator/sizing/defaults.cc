// SPDX-License-Identifier: Apache-2.0
#include "sizing/defaults.h"

#include <string>
#include <utility>
#include <vector>

#include "sizing/stack_merge.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// What every job has, whoever said it. The search may have chosen another recomputation or loss
/// than the stack's first.
std::vector<std::pair<std::string, Json>> facts_of(const Job& job) {
  std::vector<std::pair<std::string, Json>> facts = {
      {"kernels.loss", job.loss},
      {"kernels.recompute",
       job.recompute_modules.empty() ? Json(recompute_name(job)) : Json(job.recompute_modules)},
      {"state", job.state.id},
      {"workload.grad_accum", job.grad_accum},
      {"workload.micro_batch", job.micro_batch}};
  if (job.grpo) return facts;  // lengths are those of what is generated
  facts.emplace_back("workload.packed", job.packed);
  facts.emplace_back("workload.seq_len", job.seq_len);
  return facts;
}

}  // namespace

Json defaults_of(const Question& question, const Candidate& chosen) {
  const Json& asked = question.request;
  const Json merged = merge_stack(asked, question.practice, spread_of(chosen.job.layout)).request;
  Json taken = Json::object();
  for (const AppliedSetting& applied : question.practice) {
    const std::string& key = applied.setting->key;
    const Json& value = at_dotted(merged, key);
    const bool open = at_dotted(asked, key).is_null() && !value.is_null();
    if (open && !starts_with(key, "layout.")) taken[key] = value;
  }
  for (const auto& [key, value] : facts_of(chosen.job)) {
    if (at_dotted(asked, key).is_null()) taken[key] = value;
  }
  return {{"stack", question.stack != nullptr ? Json(question.stack->id) : Json()},
          {"taken", std::move(taken)}};
}

}  // namespace sizesheet
