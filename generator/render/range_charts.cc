// SPDX-License-Identifier: Apache-2.0
#include "render/range_charts.h"

#include <algorithm>
#include <cmath>

#include "render/change_words.h"
#include "render/charts.h"
#include "render/phrases.h"
#include "sheet/money.h"
#include "sheet/sections.h"
#include "sheet/sheet.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr double kTickStep = 10;  // per cent
constexpr double kMostErrorTicks = 20;
constexpr double kNoise = 1e-9;  // 10.000000000000009 % ends at the tick of 10 %

Range range_of(const Accuracy& accuracy, const AccuracyGroup& group, bool AccuracySource::*out) {
  const AccuracySource* source = entry_with(accuracy.sources, &AccuracySource::id, group.name);
  const ErrorStats& errors = group.errors;
  return {source != nullptr ? source->title : group.name,
          (source != nullptr && source->*out ? "held out, " : "") +
              counted(errors.n, "figure", "figures") + ", median " + share_words(errors.median),
          100 * errors.low, 100 * errors.bias, 100 * errors.high};
}

Axis error_axis(const std::vector<Range>& ranges) {
  Axis axis{"estimate ÷ measured − 1, %", -kTickStep, kTickStep, {}};
  for (const Range& range : ranges) {
    axis.low = std::min(axis.low, kTickStep * std::floor(range.low / kTickStep + kNoise));
    axis.high = std::max(axis.high, kTickStep * std::ceil(range.high / kTickStep - kNoise));
  }
  const double span = axis.high - axis.low;
  const double wide = std::max(5 * kTickStep, nice_step(span, kMostErrorTicks));
  axis.ticks = ticks_between(axis.low, axis.high, span > 100 ? wide : kTickStep);
  return axis;
}

std::string description_of(const std::vector<Range>& ranges) {
  std::vector<std::string> parts;
  for (const Range& range : ranges) {
    parts.push_back(range.label + ": " + format_number(range.low, 1) + " to " +
                    format_number(range.high, 1) + " %, " + range.sublabel);
  }
  return parts.empty() ? "No figure to compare." : join(parts, "; ") + ".";
}

/// `out`: whether a source is held out.
Chart ranges_chart(const char* id, const char* title, const Accuracy& accuracy,
                   const std::vector<AccuracyGroup>& groups, bool AccuracySource::*out) {
  Ranges body;
  for (const AccuracyGroup& group : groups) body.ranges.push_back(range_of(accuracy, group, out));
  body.axis = error_axis(body.ranges);
  return {id, title, "", description_of(body.ranges), body};
}

constexpr std::size_t kMostBars = 8;
constexpr std::int64_t kCent = 10'000;  // micro-dollars

MicroUsd lower(const Sensitivity& bar) {
  return std::min(bar.own_usd_per_gpu_hour_low, bar.own_usd_per_gpu_hour_high);
}
MicroUsd upper(const Sensitivity& bar) {
  return std::max(bar.own_usd_per_gpu_hour_low, bar.own_usd_per_gpu_hour_high);
}

Range range_of(const Sensitivity& bar, MicroUsd base) {
  // The unit stands once, behind the high end, but for the sign of money.
  const std::string low_unit = starts_with(bar.unit, "USD")     ? "USD"
                               : starts_with(bar.unit, "share") ? bar.unit
                                                                : "";
  return {bar.title,
          input_value(bar.low, low_unit) + " to " + input_value(bar.high, bar.unit) + ": $" +
              hourly_usd(bar.own_usd_per_gpu_hour_low) + " to $" +
              hourly_usd(bar.own_usd_per_gpu_hour_high),
          to_usd(lower(bar)), to_usd(base), to_usd(upper(bar))};
}

/// From a tick below the lowest to a tick above the highest.
Axis price_axis(const std::vector<Range>& ranges) {
  Axis axis{"$ per GPU-hour of use, owned", 0, 0, {}};
  if (ranges.empty()) return axis;
  axis.low = ranges.front().low;
  for (const Range& range : ranges) {
    axis.low = std::min(axis.low, range.low);
    axis.high = std::max(axis.high, range.high);
  }
  const double step = nice_step(std::max(axis.high - axis.low, 0.01));
  axis.low = step * std::floor(axis.low / step);
  axis.high = step * std::ceil(axis.high / step);
  const auto count = static_cast<int>(std::lround((axis.high - axis.low) / step));  // a few
  for (int i = 0; i <= count; ++i) axis.ticks.push_back(axis.low + i * step);
  return axis;
}

std::string gib_words(std::int64_t bytes, int decimals = 1) {
  return format_gib(bytes, decimals) + "\u00a0GiB";
}

/// "ZeRO-3 is the first stage that fits on 8 × H100: 61.2 GiB per GPU, where DDP needs 1,051.3."
std::string stages_conclusion(const SheetZeroStages& zero, const std::string& setup) {
  const SheetZeroStage& plain = zero.stages.front();
  const auto* fits = entry_with(zero.stages, &SheetZeroStage::verdict, Verdict::kFits);
  if (fits == nullptr) {
    const SheetZeroStage& last = zero.stages.back();
    return "No stage fits on " + setup + ": even " + stage_words(last.shard) + " needs " +
           gib_words(last.memory.device) + " per GPU.";
  }
  const std::string doubt =
      doubt_words(fits->verdict, fits->memory.device_high, fits->memory.capacity);
  const std::string needs = gib_words(fits->memory.device) + " per GPU";
  const std::string end = doubt.empty() ? "." : ". It is " + doubt + ".";
  if (fits == &plain) return stage_words(fits->shard) + " fits on " + setup + ": " + needs + end;
  return stage_words(fits->shard) + " is the first stage that fits on " + setup + ": " + needs +
         ", where " + stage_words(plain.shard) + " needs " + format_gib(plain.memory.device, 1) +
         end;
}

std::string rank_name(std::int64_t rank) { return "rank " + std::to_string(rank); }

std::string rank_sentence(const SheetAdapterRank& rank) {
  return rank_name(rank.rank) + " trains " + format_number(100 * rank.share, 2) +
         "\u00a0% of the model in " + gib_words(state_bytes(rank), 2);
}

std::string ranks_conclusion(const SheetAdapterRanks& adapters) {
  const auto* own = entry_with(adapters.ranks, &SheetAdapterRank::rank, adapters.rank);
  const SheetAdapterRank& last = adapters.ranks.back();
  if (own == nullptr) own = &adapters.ranks.front();
  const std::string first = sentence_case(rank_sentence(*own));
  return own->rank == last.rank ? first + "." : first + ", " + rank_sentence(last) + ".";
}

}  // namespace

Chart error_ranges_chart(const Accuracy& accuracy) {
  return ranges_chart("error-ranges", "Errors of the estimates by source, %", accuracy,
                      accuracy.all.by_source, &AccuracySource::held_out);
}

Chart speed_ranges_chart(const Accuracy& accuracy) {
  return ranges_chart("speed-ranges", "Errors of the speeds by source, %", accuracy,
                      accuracy.speed.all.by_source, &AccuracySource::speed_held_out);
}

std::string input_value(double value, const std::string& unit) {
  const auto plain = [](double number) {
    return std::abs(number) >= 1000 ? format_number(number, 0) : shortest(number);
  };
  if (starts_with(unit, "share")) return shortest(std::round(value * 1e6) / 1e4) + "\u00a0%";
  if (starts_with(unit, "USD")) return "$" + plain(value) + unit.substr(3);
  if (unit.empty() || unit == "ratio") return plain(value);
  return plain(value) + "\u00a0" + unit;
}

namespace {

/// ", because 7 GPUs of the machine are not used"; "" where all are.
std::string idle_words(const Row& row) {
  const std::int64_t unused = row.own ? row.own->unused_gpus : 0;
  if (unused == 0) return "";
  return ", because " + gpu_count(unused) + " of the machine " + (unused == 1 ? "is" : "are") +
         " not used";
}

}  // namespace

std::string tornado_conclusion(const Sheet& sheet, const Tornado& tornado) {
  const Row* row = sheet.find(tornado.row_key);
  if (row == nullptr || tornado.bars.empty()) return "";
  const Sensitivity& first = tornado.bars.front();
  return "At " + month_hours(sheet.options.planned_hours_per_month) +
         " hours per month, one owned GPU-hour of " + set_up(sheet, *row) + " costs $" +
         hourly_usd(tornado.own_usd_per_gpu_hour) + idle_words(*row) + ". “" + first.title +
         "” changes this most: from $" + hourly_usd(lower(first)) + " to $" +
         hourly_usd(upper(first)) + ".";
}

Chart tornado_chart(const Sheet& sheet, const Tornado& tornado) {
  Ranges body;
  body.decimals = 2;
  std::vector<std::string> parts;
  for (const Sensitivity& bar : tornado.bars) {
    if (body.ranges.size() == kMostBars || (upper(bar) - lower(bar)).value < kCent) continue;
    body.ranges.push_back(range_of(bar, tornado.own_usd_per_gpu_hour));
    parts.push_back(bar.title + " " + body.ranges.back().sublabel);
  }
  body.axis = price_axis(body.ranges);
  return {
      "tornado", "What moves the price of an owned GPU-hour", tornado_conclusion(sheet, tornado),
      parts.empty() ? "No input moves it by a cent." : join(parts, ". ") + ".", std::move(body)};
}

std::string stage_words(const std::string& shard) {
  if (shard == "none") return "DDP";
  return starts_with(shard, "zero") ? "ZeRO-" + shard.substr(4) : shard;
}

Chart zero_stages_chart(const Sheet& sheet, const SheetZeroStages& zero) {
  const std::string setup = set_up(sheet, zero.gpu, zero.layout.gpus);
  std::vector<StackedBar> bars;
  std::vector<std::string> sentences;
  for (const SheetZeroStage& stage : zero.stages) {
    bars.push_back(bill_bar(stage_words(stage.shard), setup, stage.memory));
    const std::int64_t over = stage.memory.device - stage.memory.capacity;
    sentences.push_back(stage_words(stage.shard) + " " + gib_words(stage.memory.device) + ", " +
                        (over > 0 ? "over by " + format_gib(over, 1)
                                  : standing_facts(stage.verdict, stage.memory.certain).words));
  }
  return {"zero-stages", sheet.model(zero.model).title + ": memory per GPU by stage of ZeRO, GiB",
          stages_conclusion(zero, setup),
          "Full fine-tuning on " + setup + ", GiB per GPU of " +
              gib_words(zero.stages.front().memory.capacity) + " usable: " + join(sentences, "; ") +
              ".",
          bills(std::move(bars), sheet.options.headroom)};
}

std::int64_t state_bytes(const SheetAdapterRank& rank) {
  return rank.weights + rank.gradients + rank.optimizer;
}

Chart adapter_ranks_chart(const Sheet& sheet, const SheetAdapterRanks& adapters) {
  AmountBars body;
  std::vector<std::string> sentences;
  for (const SheetAdapterRank& rank : adapters.ranks) {
    const std::int64_t bytes = state_bytes(rank);
    body.bars.push_back(
        {rank_name(rank.rank), gib(bytes), gib_words(bytes, 2), rank.rank == adapters.rank});
    sentences.push_back(rank_sentence(rank));
  }
  return {"adapter-ranks",
          sheet.model(adapters.model).title +
              ": adapter weights, gradients and optimizer states by rank, GiB",
          ranks_conclusion(adapters), sentence_case(join(sentences, "; ")) + ".", std::move(body)};
}

}  // namespace sizesheet
