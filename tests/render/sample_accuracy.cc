// SPDX-License-Identifier: Apache-2.0
#include "render/sample_accuracy.h"

#include "catalog/published/measured.h"
#include "evidence/validation.h"
#include "render/sample_facts.h"

namespace sizesheet::sample {

namespace {

AccuracyRow row(const char* id, const char* source, const char* kind, const char* relation) {
  AccuracyRow one;
  one.id = id;
  one.source = source;
  one.framework = "made-up";
  one.method = "lora";
  one.setup = "small, lora, 2 × h100-sxm, 1 × 4,096 tokens";
  one.kind = kind;
  one.relation = relation;
  one.held_out = one.source == "bench-b";
  one.verdict = Verdict::kFits;
  one.interval_class = "any";
  one.link = "https://example.org/" + one.source + "#" + one.id;
  one.evidence = "small | " + one.id;
  return one;
}

AccuracyRow figure(const char* id, const char* source, const char* kind, const char* relation,
                   std::int64_t measured, std::int64_t predicted) {
  AccuracyRow one = row(id, source, kind, relation);
  one.measured = measured;
  one.predicted = predicted;
  if (one.relation == "equal") {
    one.error = static_cast<double>(predicted) / static_cast<double>(measured) - 1;
  }
  return one;
}

std::vector<AccuracyRow> accuracy_rows() {
  AccuracyRow flagged = figure("a-4", "bench-a", "reserved", "equal", 20 * kGib, 15 * kGib);
  flagged.flags = {"near-capacity"};
  AccuracyRow ran = row("a-5", "bench-a", "device", "fits");
  ran.predicted = 90 * kGib;
  ran.verdict = Verdict::kNo;
  AccuracyRow oom = row("b-2", "bench-b", "device", "oom");
  oom.predicted = 79 * kGib;
  oom.verdict = Verdict::kTight;
  AccuracyRow refused = row("b-3", "bench-b", "device", "fits");
  refused.refusal = "layout.pp: not modelled";
  refused.verdict = Verdict::kUnknown;
  refused.interval_class = "";
  return {figure("a-1", "bench-a", "allocated", "equal", 10 * kGib, 11 * kGib),
          figure("a-2", "bench-a", "allocated", "equal", 20 * kGib, 19 * kGib),
          figure("a-3", "bench-a", "reserved", "lower_bound", 16 * kGib, 12 * kGib),
          flagged,
          ran,
          figure("b-1", "bench-b", "device", "equal", 40 * kGib, 41 * kGib),
          oom,
          refused};
}

ValidationRules rules() {
  return {"Every other source.",
          {{"refused", "Refused"}, {"near-capacity", "Close to the card"}},
          {{"all-median", "Median of all", 0.06, "r"},
           {"oom-fits", "False fits, a count", 0, "r"},
           {"undercut-share", "Undercut", 0.1, "r"}}};
}

std::vector<AccuracyRow> part(bool held_out) {
  std::vector<AccuracyRow> all = accuracy_rows();
  std::erase_if(all, [&](const AccuracyRow& one) { return one.held_out != held_out; });
  return all;
}

}  // namespace

Accuracy accuracy() {
  Accuracy made;
  made.rows = accuracy_rows();
  made.held_out_rule = rules().held_out;
  made.sources = {
      {{"bench-a", "Bench A", "somebody/a @1", "https://example.org/bench-a", "2026-10", false}, 5},
      {{"bench-b", "Bench B", "somebody/b @2", "https://example.org/bench-b", "2026-09", true}, 3}};
  made.all = totals_of(made.rows);
  made.tuned = totals_of(part(false));
  made.held_out = totals_of(part(true));
  made.flagged = flagged_errors(made.rows);
  made.out_of_model = out_of_model(made.rows, made.speed.rows, rules());
  made.intervals = {
      {{"any", "Any run", 0.9, 1.2, 9, 2, "B", "9 figures from 2 sources."}, 9, 0.9, 0.8}};
  made.coverage = {1, 1.0, 0.15};
  made.left_out = {9, 0.8, 0.15};
  made.bars = bar_results(made, made.all, made.speed.all, rules());
  return made;
}

}  // namespace sizesheet::sample
