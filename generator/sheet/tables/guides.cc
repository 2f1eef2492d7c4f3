// SPDX-License-Identifier: Apache-2.0
#include "sheet/tables/guides.h"

#include <set>
#include <utility>

#include "catalog/catalog.h"
#include "catalog/published/convention.h"
#include "evidence/guides.h"
#include "sheet/sections.h"
#include "sheet/sheet.h"
#include "sizing/time/throughput.h"

namespace sizesheet {
namespace {

/// The rules in reading order, by key and as people call them.
constexpr std::pair<const char*, const char*> kRuleParts[] = {
    {"capacity", "Capacity"},
    {"shard", "Sharding"},
    {"trainable", "What is trained"},
    {"adapter", "Adapters"},
    {"placement", "Adapters on a GPU"},
    {"activations", "Activations"},
    {"shape_activations", "Activations by shape"},
    {"display", "Digits"},
};

/// Constants, counts and headroom as a reader asks for them; what is not listed follows.
constexpr const char* kReadingOrder[] = {"weights",
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

std::vector<SheetGuideRule> rules_of(const Convention& convention) {
  std::vector<const ConventionRules*> all = {&convention.rules};
  for (const auto& [unused, variant] : convention.variants) all.push_back(&variant);
  std::vector<SheetGuideRule> rules;
  std::set<std::string> told;  // every sentence once, so that variants add only what they change
  const auto add = [&](const char* part, const auto& rule) {
    if (told.insert(rule.words).second) rules.push_back({part, rule.words, rule.fitted});
  };
  const auto add_all = [&](const char* part, const auto& named) {
    for (const char* name : kReadingOrder) {
      if (const auto rule = named.find(name); rule != named.end()) add(part, rule->second);
    }
    for (const auto& [unused, rule] : named) add(part, rule);
  };
  for (const auto& [key, part] : kRuleParts) {
    for (const ConventionRules* one : all) {
      if (const auto rule = one->rules.find(key); rule != one->rules.end()) add(part, rule->second);
    }
  }
  for (const ConventionRules* one : all) add_all("Bytes and constants", one->constants);
  add_all("Activations by layer", convention.rules.layer_activations);
  for (const ConventionRules* one : all) add_all("Counts", one->rounding);
  for (const ConventionRules* one : all) add_all("Headroom", one->headroom);
  return rules;
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
