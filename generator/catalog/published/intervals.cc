// SPDX-License-Identifier: Apache-2.0
#include "catalog/published/intervals.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "catalog/loader.h"
#include "catalog/method.h"

namespace sizesheet {
namespace {

constexpr Bounds<double> kCoverage{0.001, 1};
constexpr Bounds<double> kHalfWidth{0, 10};
constexpr Bounds<std::int64_t> kMany{0, 1'000'000};

IntervalWhen read_when(ObjectReader reader) {
  IntervalWhen when;
  if (reader.has("stack")) when.stack = read_id(reader, "stack");
  if (reader.has("kind")) when.kind = reader.texts("kind");
  for (const std::string& kind : when.kind) {
    if (value_of(kMethodKinds, kind)) continue;
    reader.fault("kind", "expected some of full, lora, qlora, dora, got " + shown(kind) +
                             did_you_mean(kind, ids(kMethodKinds)));
  }
  if (reader.has("spread")) when.spread = reader.one_of("spread", {"one", "data", "model"});
  if (reader.has("packed")) when.packed = reader.flag("packed");
  if (reader.has("routed")) when.routed = reader.flag("routed");
  if (reader.has("desktop")) when.desktop = reader.flag("desktop");
  if (reader.has("fp8")) when.fp8 = reader.flag("fp8");
  if (reader.has("measured")) when.measured = reader.flag("measured");
  reader.done();
  return when;
}

IntervalClass read_class(ObjectReader& reader) {
  IntervalClass one;
  one.id = read_id(reader, "id");
  one.title = read_filled_text(reader, "title");
  one.when = read_when(reader.object("when"));
  one.low = reader.number("low", kCoverage);
  one.high = reader.number("high", {1, 1000});
  one.n = reader.integer("n", kMany);
  one.sources = reader.integer("sources", kMany);
  one.grade = reader.one_of("grade", {"A", "B", "C"});
  one.basis = read_filled_text(reader, "basis");
  reader.done();
  return one;
}

IntervalRules read_rules(ObjectReader reader) {
  IntervalRules rules;
  rules.coverage = reader.number("coverage", kCoverage);
  rules.minimum_rows = reader.integer("minimum_rows", {1, kMany.high});
  rules.minimum_sources = reader.integer("minimum_sources", {1, kMany.high});
  rules.grade_a = reader.number("grade_a_half_width", kHalfWidth);
  rules.grade_b = reader.number("grade_b_half_width", kHalfWidth);
  rules.new_source = reader.number_or("new_source_share", 0, {0, 0.9});
  rules.new_card = reader.number_or("new_card_share", 0, {0, 0.9});
  reader.done();
  return rules;
}

Json when_json(const IntervalWhen& when) {
  Json json = Json::object();
  if (when.stack) json["stack"] = *when.stack;
  if (!when.kind.empty()) json["kind"] = when.kind;
  if (when.spread) json["spread"] = *when.spread;
  if (when.packed) json["packed"] = *when.packed;
  if (when.routed) json["routed"] = *when.routed;
  if (when.desktop) json["desktop"] = *when.desktop;
  if (when.fp8) json["fp8"] = *when.fp8;
  if (when.measured) json["measured"] = *when.measured;
  return json;
}

using Member = std::pair<const char*, Json>;

/// An object with its keys in this order, for a file that people read.
std::string object_text(const std::vector<Member>& members) {
  std::string text;
  for (const auto& [key, value] : members) {
    text += (text.empty() ? "{" : ", ") + json_text(key) + ": " + json_text(value);
  }
  return text + "}";
}

}  // namespace

bool IntervalWhen::holds(const IntervalFacts& facts) const {
  const bool kind_holds =
      kind.empty() || std::find(kind.begin(), kind.end(), facts.kind) != kind.end();
  return kind_holds && (!stack || *stack == facts.stack) && (!spread || *spread == facts.spread) &&
         (!packed || *packed == facts.packed) && (!routed || *routed == facts.routed) &&
         (!desktop || *desktop == facts.desktop) && (!fp8 || *fp8 == facts.fp8) &&
         (!measured || *measured == facts.measured);
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
  std::vector<ObjectReader> classes = read_rows(reader, "classes");
  check_unique(classes, "id", "an id");
  for (ObjectReader& one : classes) intervals.classes.push_back(read_class(one));
  if (reader.sound("classes") && !when_json(intervals.classes.back().when).empty()) {
    reader.fault("classes", "expected the last class to hold for every run: \"when\": {}");
  }
  reader.done();
  return intervals;
}

std::string to_json_text(const Intervals& intervals) {
  const IntervalRules& rules = intervals.rules;
  std::vector<Member> stated = {{"coverage", rules.coverage},
                                {"minimum_rows", rules.minimum_rows},
                                {"minimum_sources", rules.minimum_sources},
                                {"grade_a_half_width", rules.grade_a},
                                {"grade_b_half_width", rules.grade_b}};
  if (rules.new_source > 0) stated.emplace_back("new_source_share", rules.new_source);
  if (rules.new_card > 0) stated.emplace_back("new_card_share", rules.new_card);
  std::string text = "{\n  \"rules\": " + object_text(stated);
  text += ",\n  \"classes\": [\n";
  for (const IntervalClass& one : intervals.classes) {
    text += &one == &intervals.classes.front() ? "    " : ",\n    ";
    text += object_text({{"id", one.id},
                         {"title", one.title},
                         {"when", when_json(one.when)},
                         {"low", one.low},
                         {"high", one.high},
                         {"n", one.n},
                         {"sources", one.sources},
                         {"grade", one.grade},
                         {"basis", one.basis}});
  }
  return text + "\n  ]\n}\n";
}

}  // namespace sizesheet
