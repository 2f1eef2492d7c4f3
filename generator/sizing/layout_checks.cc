// SPDX-License-Identifier: Apache-2.0
#include "sizing/layout_checks.h"

#include <algorithm>
#include <initializer_list>

#include "sizing/layout_rules.h"

namespace sizesheet {
namespace {

std::string product_words(const Layout& layout) {
  return "dp * tp * pp * cp = " + std::to_string(layout.dp) + " * " + std::to_string(layout.tp) +
         " * " + std::to_string(layout.pp) + " * " + std::to_string(layout.cp);
}

/// Faults that need every dimension: the product, and the rules between dimensions.
void check_given_layout(Faults& faults, const Question& question) {
  const Layout layout = question.given_layout();
  const auto fault = [&](const std::string& key, const std::string& words) {
    faults.add("", "/layout/" + key, words);
  };
  const LayoutPins& pins = question.pins();
  if (pins.gpus && *pins.gpus != layout.gpus()) {
    fault("gpus", std::to_string(*pins.gpus) + " is not " + product_words(layout));
    return;
  }
  if (const auto broken = layout_fault(question, layout)) fault(broken->key, broken->words);
}

/// Faults of the dimensions a request fixes while it leaves others to the search.
void check_pinned_dimensions(Faults& faults, const Question& question) {
  const LayoutPins& pins = question.pins();
  const std::pair<const char*, std::optional<std::int64_t>> dimensions[] = {
      {"tp", pins.tp}, {"pp", pins.pp}, {"cp", pins.cp}, {"ep", pins.ep}};
  for (const auto& [key, ranks] : dimensions) {
    if (!ranks) continue;
    const std::string words = dimension_fault(question, key, *ranks);
    if (!words.empty()) faults.add("", std::string("/layout/") + key, words);
  }
  const Layout& layout = question.jobs.at(Spread::kSingle).job.layout;
  if (layout.vpp > 1 && pins.pp == 1) {
    faults.add("", "/layout/vpp", "interleaving needs pipeline stages, and layout.pp is 1");
  }
  const std::int64_t known =
      pins.dp.value_or(1) * pins.tp.value_or(1) * pins.pp.value_or(1) * pins.cp.value_or(1);
  if (pins.gpus && *pins.gpus % known != 0) {
    faults.add("", "/layout/gpus",
               std::to_string(*pins.gpus) +
                   " is not divisible by dp * tp * pp * cp = " + std::to_string(known));
  }
  const std::string engines = pins.gpus ? engines_fault(question, *pins.gpus) : "";
  if (!engines.empty()) faults.add("", "/layout/gpus", engines);
}

void check_offload(const Question& question, Faults& faults) {
  const LayoutPins& pins = question.pins();
  const Job& job = question.jobs.at(Spread::kSingle).job;
  const bool shard_known = pins.shard || question.layout_given();
  const Shard shard = pins.shard.value_or(Shard::kNone);
  if (job.layout.offload_params && shard_known && shard != Shard::kZero3) {
    faults.add("", "/layout/offload",
               std::string("offloading parameters needs layout.shard \"zero3\", got \"") +
                   name_of(shard) + "\"");
  }
  if (job.state.id == "deepspeed" && pins.pp.value_or(1) > 1 && shard >= Shard::kZero2) {
    faults.add("", "/layout/shard",
               std::string("DeepSpeed's pipeline (layout.pp) works with zero1 at most, got \"") +
                   name_of(shard) + "\"");
  }
}

/// What describes sharding is ignored without it, so the user who writes both is told. A stack may
/// leave such keys in its practice.
void check_idle_keys(const Json& request, const Question& question, Faults& faults) {
  const Json& written = at_dotted(request, "layout");
  const std::optional<Shard>& shard = question.pins().shard;
  if (!written.is_object() || !shard || *shard == Shard::kZero3) return;
  const auto idle = [&](const char* key, std::initializer_list<Json> neutral) {
    if (!written.contains(key) || written.at(key).is_null()) return;
    if (std::find(neutral.begin(), neutral.end(), written.at(key)) != neutral.end()) return;
    faults.add("", std::string("/layout/") + key,
               std::string("describes what layout.shard \"zero3\" gathers; shard is \"") +
                   name_of(*shard) + "\"");
  };
  idle("root_unsharded", {true, false, 0});  // nothing is gathered
  idle("gather_units", {2});
  if (*shard == Shard::kNone && written.contains("shard_group") && written.at("shard_group") != 0) {
    faults.add("", "/layout/shard_group", "groups ranks that shard; layout.shard is \"none\"");
  }
}

}  // namespace

void check_layout(const Json& request, const Question& question, Faults& faults) {
  if (question.layout_given()) {
    check_given_layout(faults, question);
  } else {
    check_pinned_dimensions(faults, question);
  }
  if (question.gpu == nullptr && !question.layout_given()) {
    faults.add("", "/layout", "without a gpu the layout must be given (gpus and tp, or dp and tp)");
  }
  check_offload(question, faults);
  check_idle_keys(request, question, faults);
}

}  // namespace sizesheet
