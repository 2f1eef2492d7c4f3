// SPDX-License-Identifier: Apache-2.0
// The published guides of the catalog, judged.

#include "evidence/guides.h"

#include <set>
#include <utility>

#include "sheet/tables/tables.h"

namespace sizesheet {
namespace {

using Rules = std::vector<SheetGuideRule>;
using Named = std::pair<const char*, const char*>;

/// The rules in reading order, by key and as people call them.
const std::vector<Named>& rule_parts() {
  static const std::vector<Named> parts = {
      {"capacity", "Capacity"},
      {"shard", "Sharding"},
      {"trainable", "What is trained"},
      {"adapter", "Adapters"},
      {"placement", "Adapters on a GPU"},
      {"activations", "Activations"},
      {"shape_activations", "Activations by shape"},
      {"display", "Digits"},
  };
  return parts;
}

/// Constants, counts and headroom as a reader asks for them; what is not listed follows.
const std::vector<std::string>& reading_order() {
  static const std::vector<std::string> order = {"weights",
                                                 "weights_4bit",
                                                 "scratch_4bit",
                                                 "gradients",
                                                 "optimizer",
                                                 "optimizer_4bit",
                                                 "optimizer_8bit",
                                                 "master",
                                                 "adapter_percent",
                                                 "adapter_bytes",
                                                 "token_bytes",
                                                 "token_bytes_not_split",
                                                 "activations_full",
                                                 "activations_peft",
                                                 "minimum",
                                                 "low",
                                                 "high",
                                                 "high-in-nodes",
                                                 "lora-low",
                                                 "lora-high",
                                                 "table",
                                                 "prose",
                                                 "cautious",
                                                 "generous"};
  return order;
}

/// Every sentence once, so that variants add only what they change.
class Sentences {
 public:
  void add(const std::string& part, const std::string& words, bool fitted) {
    if (told_.insert(words).second) rules_.push_back({part, words, fitted});
  }
  template <typename T>
  void add_all(const std::string& part, const std::map<std::string, T>& named) {
    for (const std::string& name : reading_order()) {
      const auto rule = named.find(name);
      if (rule != named.end()) add(part, rule->second.words, rule->second.fitted);
    }
    for (const auto& [unused, rule] : named) add(part, rule.words, rule.fitted);
  }
  Rules take() { return std::move(rules_); }

 private:
  Rules rules_;
  std::set<std::string> told_;
};

Rules rules_of(const Convention& convention) {
  std::vector<const ConventionRules*> all = {&convention.rules};
  for (const auto& [unused, variant] : convention.variants) all.push_back(&variant);
  Sentences sentences;
  for (const auto& [key, part] : rule_parts()) {
    for (const ConventionRules* rules : all) {
      const auto rule = rules->rules.find(key);
      if (rule != rules->rules.end()) sentences.add(part, rule->second.words, rule->second.fitted);
    }
  }
  for (const ConventionRules* rules : all)
    sentences.add_all("Bytes and constants", rules->constants);
  sentences.add_all("Activations by layer", convention.rules.layer_activations);
  for (const ConventionRules* rules : all) sentences.add_all("Counts", rules->rounding);
  for (const ConventionRules* rules : all) sentences.add_all("Headroom", rules->headroom);
  return sentences.take();
}

void add_figure(const JudgedFigure& judged, SheetGuide& guide) {
  const std::string& status = judged.status;
  if (status == "exact") ++guide.exact;
  if (status == "within-rounding") ++guide.within_rounding;
  if (status == "inconsistent") ++guide.inconsistent;
  if (status == "not-derivable") ++guide.not_derivable;
  if (status == "exact" || status == "within-rounding") return;
  guide.figures.push_back({*judged.figure, judged.computed});
  guide.figures.back().status = status;
}

SheetGuide guide_facts(const Convention& convention) {
  SheetGuide guide{convention};
  guide.rules = rules_of(convention);
  for (const JudgedFigure& judged : judge_all(convention)) add_figure(judged, guide);
  return guide;
}

}  // namespace

void add_guides(const Catalog& catalog, Sheet& sheet) {
  for (const auto& [unused, convention] : catalog.conventions) {
    sheet.guides.push_back(guide_facts(convention));
  }
  sheet.guide_differences = catalog.guide_differences;
}

}  // namespace sizesheet
