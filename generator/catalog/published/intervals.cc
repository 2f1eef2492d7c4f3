// SPDX-License-Identifier: Apache-2.0
#include "catalog/published/intervals.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "catalog/loader.h"
#include "catalog/method.h"

namespace sizesheet {
namespace {

constexpr Bounds<double> kCoverage{0.001, 1};
constexpr Bounds<std::int64_t> kMany{0, 1'000'000};

IntervalWhen read_when(ObjectReader reader) {
  auto when =
      read_members<IntervalWhen>(reader, {.choices = {{"spread", {"one", "data", "model"}},
                                                      {"evidence", {"exact", "related", "none"}}},
                                          .ids = {"stack"},
                                          .may_lack = {"kind"}});
  for (const std::string& kind : when.kind) {
    if (value_of(kMethodKinds, kind)) continue;
    reader.fault("kind", "expected some of " + join(ids(kMethodKinds), ", ") + ", got " +
                             shown(kind) + did_you_mean(kind, ids(kMethodKinds)));
  }
  reader.done();
  return when;
}

IntervalClass read_class(ObjectReader& reader) {
  auto one =
      read_members<IntervalClass>(reader, {.counts = kMany,
                                           .bounds = {{"low", kCoverage}, {"high", {1, 1000}}},
                                           .choices = {{"grade", {"A", "B", "C"}}}});
  one.when = read_when(reader.object("when"));
  reader.done();
  return one;
}

/// Rules that a file may lack.
const std::set<std::string> kRareRules = {"related_card_share", "new_card_share"};

IntervalRules read_rules(ObjectReader reader) {
  return read_entry<IntervalRules>(reader, {.numbers = {0, 10},
                                            .counts = {1, kMany.high},
                                            .bounds = {{"coverage", kCoverage},
                                                       {"unseen_coverage", kCoverage},
                                                       {"related_card_share", {0, 0.9}},
                                                       {"new_card_share", {0, 0.9}}},
                                            .may_lack = kRareRules});
}

Json when_json(const IntervalWhen& when) {
  Json json = Json::object();
  const auto put = [&](const char* key, const auto& asked) {
    if constexpr (requires { *asked; }) {
      if (asked) json[key] = *asked;
    } else if (!asked.empty()) {
      json[key] = asked;
    }
  };
  fields(put, when);
  return json;
}

template <typename T>
Members members_of(const T& value) {
  Members members;
  const auto put = [&](const char* key, const auto& member) { members.emplace_back(key, member); };
  fields(put, value);
  return members;
}

std::string object_text(const Members& members) { return "{" + members_text(members, ", ") + "}"; }

}  // namespace

bool IntervalWhen::holds(const IntervalFacts& facts) const {
  bool all = true;
  for_each_named(*this, facts, [&](const auto& asked, const auto& fact) {
    if constexpr (requires { *asked; }) {
      all = all && (!asked || *asked == fact);
    } else {
      all = all && (asked.empty() || contains(asked, fact));
    }
  });
  return all;
}

const IntervalClass& Intervals::of(const IntervalFacts& facts) const {
  for (const IntervalClass& one : classes) {
    if (one.when.holds(facts)) return one;
  }
  throw std::logic_error("intervals: no class for every run");
}

Intervals read_intervals(ObjectReader reader) {
  Intervals intervals;
  intervals.raw = reader.whole();
  intervals.rules = read_rules(reader.object("rules"));
  intervals.classes = read_list(reader, "classes", read_class);
  if (reader.sound("classes") && !when_json(intervals.classes.back().when).empty()) {
    reader.fault("classes", "expected the last class to hold for every run: \"when\": {}");
  }
  reader.done();
  return intervals;
}

std::string to_json_text(const Intervals& intervals) {
  Members rules = members_of(intervals.rules);
  std::erase_if(rules,
                [](const auto& one) { return kRareRules.contains(one.first) && one.second == 0; });
  std::string text = "{\n  \"rules\": " + object_text(rules) + ",\n  \"classes\": [\n";
  for (const IntervalClass& one : intervals.classes) {
    Members members = members_of(one);
    members.insert(members.begin() + 2, {"when", when_json(one.when)});  // behind id and title
    text += (&one == &intervals.classes.front() ? "    " : ",\n    ") + object_text(members);
  }
  return text + "\n  ]\n}\n";
}

}  // namespace sizesheet
