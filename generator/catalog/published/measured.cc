// SPDX-License-Identifier: Apache-2.0
#include "catalog/published/measured.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "catalog/facts/method.h"
#include "catalog/files/entry.h"
#include "catalog/files/loader.h"
#include "support/described.h"
#include "support/error.h"
#include "support/json.h"
#include "support/named.h"
#include "support/text.h"

namespace sizesheet {
namespace {

std::vector<std::string> read_filled_texts(ObjectReader& reader, const std::string& key) {
  if (!reader.mentions(key)) return {};
  std::vector<std::string> texts = reader.texts(key);
  if (reader.sound(key) && texts.empty()) {
    reader.fault(key, "expected at least one text or no such key, got []");
  }
  return texts;
}

MeasuredFigure read_figure(ObjectReader reader) {
  constexpr std::int64_t kMost = std::int64_t{1} << 50;  // of one GPU
  auto figure = read_members<MeasuredFigure>(
      reader, {.counts = {1, kMost},
               .choices = {{"kind", {"allocated", "reserved", "device"}},
                           {"relation", {"equal", "lower_bound", "fits", "oom"}}}});
  figure.last_stage = reader.one_of_or("stage", {"worst", "last"}, "worst") == "last";
  const bool needs_figure = figure.relation == "equal" || figure.relation == "lower_bound";
  if (reader.sound("") && needs_figure != figure.bytes.has_value()) {
    reader.fault("bytes", needs_figure
                              ? "expected the measured bytes, got nothing"
                              : "expected no bytes beside relation " + in_quotes(figure.relation));
  }
  reader.done();
  return figure;
}

/// What all rows of a source have in common.
struct CommonKeys {
  Json request;
  Json models;  ///< configurations by a name of this file
};

/// The row's own keys over the common ones; a model named in the file is put in whole.
void put_request(const CommonKeys& shared, const Json& own, MeasuredRow& row) {
  row.request = shared.request;
  row.request.merge_patch(own);
  row.request["id"] = row.id;
  const auto model = row.request.find("model");
  if (model == row.request.end() || !model->is_string()) return;
  row.model = model->get<std::string>();
  const auto known = shared.models.find(row.model);
  if (known != shared.models.end()) *model = Json(*known);
}

/// All of a row but its figure.
MeasuredRow read_run(ObjectReader& reader, const MeasuredSource& source, const CommonKeys& shared,
                     const std::string& framework) {
  MeasuredRow row;
  row.id = read_id(reader, "id");
  row.framework = framework;
  if (reader.mentions("framework")) row.framework = read_id(reader, "framework");
  const Json& own = reader.raw("request");
  if (!own.is_object()) reader.mismatch("request", "an object", own);
  if (own.is_object()) put_request(shared, own, row);
  row.confidence = reader.one_of("confidence", {"high", "medium", "low"});
  row.flags = read_filled_texts(reader, "flags");
  row.assumptions = read_filled_texts(reader, "assumptions");
  const std::string place = read_note(reader, "provenance");
  row.link = place.empty() ? source.url : source.url + "/" + place;
  row.evidence = read_filled_text(reader, "evidence");
  return row;
}

/// An object under `key`; {} when there is none.
Json read_object(ObjectReader& reader, const std::string& key) {
  if (!reader.mentions(key)) return Json::object();
  const Json& value = reader.raw(key);
  if (value.is_object()) return value;
  reader.mismatch(key, "an object", value);
  return Json::object();
}

/// Rows of speed, which share a request and assumptions of their own.
void read_speeds(ObjectReader reader, const Json& models, const std::string& framework,
                 MeasuredSource& source) {
  source.speed_held_out = reader.flag("held_out");
  const std::vector<std::string> common = read_filled_texts(reader, "assumptions");
  const CommonKeys shared{read_object(reader, "request"), models};
  for (ObjectReader& row : read_rows(reader, "rows")) {
    MeasuredSpeed speed;
    speed.run = read_run(row, source, shared, framework);
    speed.run.assumptions.insert(speed.run.assumptions.begin(), common.begin(), common.end());
    speed.tokens_per_s_per_gpu = row.number("tokens_per_s_per_gpu", {1e-9, 1e9});
    speed.derived = row.flag_or("derived", false);
    row.done();
    source.speeds.push_back(speed);
  }
  reader.done();
}

}  // namespace

MeasuredSource read_measured_source(ObjectReader reader) {
  auto source = read_members<MeasuredSource>(reader, {.may_lack = {"url"}});
  const std::string framework = read_id(reader, "framework");
  if (reader.mentions("url") && reader.sound("url") && !is_address(source.url)) {
    reader.mismatch("url", "an address that begins with https://", source.url);
  }
  source.assumptions = read_filled_texts(reader, "assumptions");
  const CommonKeys shared{read_object(reader, "request"), read_object(reader, "models")};
  const bool only_speeds = reader.mentions("speeds") && !reader.mentions("rows");
  if (!only_speeds) {
    for (ObjectReader& row : read_rows(reader, "rows")) {
      source.rows.push_back(read_run(row, source, shared, framework));
      source.rows.back().measured = read_figure(row.object("measured"));
      row.done();
    }
  }
  if (reader.mentions("speeds")) {
    read_speeds(reader.object("speeds"), shared.models, framework, source);
  }
  reader.done();
  return source;
}

void check_measured(const MeasuredSource& source, const std::string& file,
                    const MeasuredNames& known, std::set<std::string>& seen, Faults& faults) {
  const auto check_run = [&](const MeasuredRow& row, const std::string& place) {
    if (row.request.is_object()) {
      ObjectReader request(row.request, file, place + "/request", faults);
      check_reference(request, "model", "model", known.models);
      check_reference(request, "gpu", "GPU", known.gpus);
    }
    for (const std::string& flag : row.flags) {
      if (contains(known.reasons, flag)) continue;
      faults.add(file, place + "/flags", not_in_catalog("reason", flag, known.reasons));
    }
    if (!row.id.empty() && !seen.insert(row.id).second) {
      faults.add(file, place + "/id",
                 "expected an id of one source only, got " + shown(row.id) + " again");
    }
  };
  for (std::size_t i = 0; i < source.rows.size(); ++i) {
    check_run(source.rows[i], "/rows/" + std::to_string(i));
  }
  for (std::size_t i = 0; i < source.speeds.size(); ++i) {
    check_run(source.speeds[i].run, "/speeds/rows/" + std::to_string(i));
  }
}

/// Every figure that can have a bar.
const std::vector<std::string> kBars = {
    "allocated-median",   "allocated-p90",       "all-median",         "all-p90",
    "ran-called-no",      "tight-share",         "oom-fits",           "undercut-share",
    "held-out-uncovered", "held-out-half-width", "speed-median",       "speed-p90",
    "speed-uncovered",    "speed-range",         "left-out-uncovered", "speed-left-out-uncovered"};

ValidationRules read_validation_rules(ObjectReader reader) {
  ValidationRules rules;
  rules.held_out = read_filled_text(reader, "held_out");
  rules.reasons = read_list(reader, "reasons", [](ObjectReader& row) {
    return read_entry<OutOfModelReason>(
        row, {.choices = {{"fits", {"memory", "speed"}}}, .may_lack = {"fits"}});
  });
  const bool has_refused = std::ranges::any_of(
      rules.reasons, [](const OutOfModelReason& reason) { return reason.id == kRefusedRequest; });
  if (reader.sound("reasons") && !has_refused) {
    reader.fault("reasons", "expected a reason \"refused\" among them, got none");
  }
  rules.bars = read_list(reader, "bars", [](ObjectReader& row) {
    return read_entry<Bar>(row, {.numbers = {0, 1000}, .choices = {{"id", kBars}}});
  });
  if (auto refitted = reader.optional_object("refitted_speed")) {
    RefittedErrors errors;
    errors.n = refitted->integer("n", {1, 1'000'000});
    errors.median = refitted->number("median", {0, 1000});
    errors.p90 = refitted->number("p90", {0, 1000});
    errors.date = read_date(*refitted, "date");
    refitted->done();
    rules.refitted_speed = errors;
  }
  reader.done();
  return rules;
}

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
                                                       {"class_coverage", kCoverage},
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

bool IntervalWhen::covers(const IntervalWhen& narrow) const {
  const auto asked_too = [&](const std::string& one) { return contains(kind, one); };
  bool all = kind.empty() || (!narrow.kind.empty() && std::ranges::all_of(narrow.kind, asked_too));
  for_each_named(*this, narrow, [&](const auto& asked, const auto& also) {
    if constexpr (requires { *asked; }) all = all && (!asked || asked == also);
  });
  return all;
}

IntervalRange Intervals::of(const IntervalFacts& facts) const {
  std::vector<const IntervalClass*> held;
  for (const IntervalClass& one : classes) {
    const auto covered = [&](const IntervalClass* before) { return one.when.covers(before->when); };
    if (!one.when.holds(facts) || std::ranges::any_of(held, covered)) continue;
    std::erase_if(held, [&](const IntervalClass* before) { return before->when.covers(one.when); });
    held.push_back(&one);
  }
  if (held.empty()) throw std::logic_error("intervals: no class for every run");
  const IntervalClass& first = *held.front();
  IntervalRange found{&first, first.low, first.high, first.grade};
  for (const IntervalClass* one : held) {
    found.low = std::min(found.low, one->low);
    found.high = std::max(found.high, one->high);
    found.grade = std::max(found.grade, one->grade);
  }
  if (team.empty()) return found;
  const TeamCorrection correction = team_correction(team, facts);
  if (correction.runs == 0) return found;
  found.team_runs = correction.runs;
  found.factor = std::exp(correction.ln_factor);
  found.low = std::exp(-correction.narrowed(-std::log(found.low)));
  found.high = std::exp(correction.narrowed(std::log(found.high)));
  return found;
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
