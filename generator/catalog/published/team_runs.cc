// SPDX-License-Identifier: Apache-2.0
#include "catalog/published/team_runs.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "catalog/published/measured.h"

namespace sizesheet {
namespace {

constexpr double kEndOfRange = 1.6449;  ///< standard deviations: 90 % lie between both ends

bool says_something(const TeamRun& run, const IntervalFacts& facts) {
  return run.stack == facts.stack && run.gpu == facts.gpu && run.kind == facts.kind &&
         run.routed == facts.routed && run.fp8 == facts.fp8;
}

struct Weighted {
  double value = 0;
  double weight = 0;
};

/// Half of the weight lies on either side; the mean of both neighbours where no value is there.
double median(std::vector<Weighted> values) {
  std::ranges::sort(values, {}, &Weighted::value);
  double all = 0;
  for (const Weighted& one : values) all += one.weight;
  double before = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    before += values[i].weight;
    if (before > all / 2) return values[i].value;
    if (before == all / 2) return (values[i].value + values[i + 1].value) / 2;
  }
  return 0;
}

}  // namespace

double TeamCorrection::narrowed(double ln_end) const {
  const double noise = ln_end * ln_end * kPriorRuns / (1 + kPriorRuns);
  const double variance = (kPriorSpreadRuns * noise + kEndOfRange * kEndOfRange * near_squares) /
                          (kPriorSpreadRuns + near_runs);
  return std::sqrt(variance * (1 + 1 / (near_runs + kPriorRuns)));
}

TeamCorrection team_correction(const std::vector<TeamRun>& runs, const IntervalFacts& facts) {
  TeamCorrection found;
  std::vector<Weighted> ratios, bytes, near;
  double all = 0;
  for (const TeamRun& run : runs) {
    if (!says_something(run, facts)) continue;
    const double weight = run.optimizer == facts.optimizer ? 1 : TeamCorrection::kOtherOptimizer;
    ++found.runs;
    all += weight;
    ratios.push_back({run.ln_ratio, weight});
    bytes.push_back({static_cast<double>(run.bytes), weight});
    if (run.spread == facts.spread) near.push_back({run.ln_ratio, weight});
  }
  if (found.runs == 0) return found;
  const double share = all / (all + TeamCorrection::kPriorRuns);
  const double middle = median(ratios);
  found.ln_factor = share * middle;
  found.bytes = share * median(bytes);
  for (const Weighted& one : near) {
    found.near_runs += one.weight;
    found.near_squares += one.weight * (one.value - middle) * (one.value - middle);
  }
  return found;
}

IntervalFacts facts_of(const TeamRun& run) {
  IntervalFacts facts;
  facts.stack = run.stack;
  facts.kind = run.kind;
  facts.spread = run.spread;
  facts.routed = run.routed;
  facts.fp8 = run.fp8;
  facts.gpu = run.gpu;
  facts.optimizer = run.optimizer;
  return facts;
}

Json as_json(const TeamRun& run) {
  Json json = Json::object();
  auto put = [&](const char* key, const auto& value) { json[key] = value; };
  fields(put, run);
  return json;
}

TeamRun read_team_run(ObjectReader& reader) {
  constexpr double kMost = 1e16;
  TeamRun run;
  run.id = reader.text("id");
  run.stack = reader.text("stack");
  run.gpu = reader.text("gpu");
  run.kind = reader.text("kind");
  run.spread = reader.text("spread");
  run.optimizer = reader.text("optimizer");
  run.routed = reader.flag("routed");
  run.fp8 = reader.flag("fp8");
  run.ln_ratio = reader.number("ln_ratio", {-50, 50});
  run.bytes = static_cast<std::int64_t>(reader.number("bytes", {-kMost, kMost}));
  reader.done();
  return run;
}

}  // namespace sizesheet
