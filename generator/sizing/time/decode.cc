// SPDX-License-Identifier: Apache-2.0
// One engine that decodes: a step of it, and all its completions.

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <queue>
#include <utility>

#include "sizing/time/rollout.h"

namespace sizesheet {
namespace {

constexpr double kMicro = 1e-6;

/// Distinct experts that a batch visits, each token choosing on its own.
double touched(const DecodeWork::Experts& experts, double batch) {
  return experts.count * (1 - std::pow(1 - experts.visited / experts.count, batch));
}

/// Seconds in which a rank reads weights, touched experts, and what the sequences cached.
double reading(const Decoder& decoder, double batch, double context) {
  const EngineConstants& constants = *decoder.constants;
  const DecodeWork& work = decoder.work;
  const double rate = decoder.bytes_per_second;
  double experts = 0;
  for (const DecodeWork::Experts& kind : work.experts) {
    experts += kind.bytes * touched(kind, batch) / kind.count;
  }
  // The state of a sequence is written back as well.
  const double cached = batch * (context * work.cache_bytes + 2 * work.state_bytes);
  return work.weight_bytes / (rate * constants.value("rollout.stream_share")) +
         experts / (rate * constants.value("rollout.expert_stream_share")) +
         cached / (rate * constants.value("rollout.cache_share"));
}

/// Exchanges of tensor parallelism: a latency and both ways of every hidden state.
double exchanging(const Decoder& decoder, double batch) {
  if (decoder.tp == 1) return 0;
  const double sent = 2 * batch * decoder.hidden * 2;
  return decoder.work.exchanges * (decoder.constants->value("rollout.allreduce_us") * kMicro +
                                   sent / decoder.bus_bytes_per_second);
}

double hosting(const Decoder& decoder, double batch) {
  const EngineConstants& constants = *decoder.constants;
  const double each = constants.value("rollout.sequence_us") * batch;
  if (decoder.eager) {
    return (decoder.work.layers * constants.value("rollout.eager_layer_us") + each) * kMicro;
  }
  return constants.value("rollout.graph_ms") * 1e-3 +
         (decoder.work.layers * constants.value("rollout.graph_layer_us") + each) * kMicro;
}

/// Sequences under way: those that end first come first.
class Slots {
 public:
  void start(std::int64_t now, std::int64_t length) {
    running_.emplace(now + length, now);
    starts_ += now;
  }
  bool empty() const { return running_.empty(); }
  double count() const { return static_cast<double>(running_.size()); }
  std::int64_t next_end() const { return running_.top().first; }
  /// Tokens that each has so far, on average.
  double age(double now) const { return now - static_cast<double>(starts_) / count(); }
  void end_one() {
    starts_ -= running_.top().second;
    running_.pop();
  }

 private:
  using Run = std::pair<std::int64_t, std::int64_t>;  ///< end and start, in decode steps
  std::priority_queue<Run, std::vector<Run>, std::greater<>> running_;
  std::int64_t starts_ = 0;
};

double prefill_seconds(const Decoder& decoder, const EngineLoad& load) {
  return load.prompts * load.prompt_tokens * 2 * decoder.work.parameters /
         (decoder.peak_flops * decoder.constants->value("rollout.prefill_share"));
}

}  // namespace

double decode_seconds(const Decoder& decoder, double batch, double context) {
  const double computing = 2 * decoder.work.parameters * batch /
                           (decoder.peak_flops * decoder.constants->value("rollout.matmul_share"));
  const double device =
      std::max(reading(decoder, batch, context), computing) + exchanging(decoder, batch);
  return std::max(device, hosting(decoder, batch));
}

std::vector<std::int64_t> arriving_lengths(const LengthSpread& spread, std::int64_t count) {
  const std::vector<double> sorted = sorted_lengths(spread, count);
  const std::uint64_t places = std::bit_ceil(std::max<std::uint64_t>(2, sorted.size()));
  std::vector<std::int64_t> arriving;
  arriving.reserve(sorted.size());
  // Counting with carries to the right visits the ranks in the order of their reversed bits.
  for (std::uint64_t rank = 0, step = 0; step < places; ++step) {
    // A length that the search for the median left a hair above a whole number is that number.
    if (rank < sorted.size()) {
      arriving.push_back(static_cast<std::int64_t>(std::ceil(sorted[rank] - 1e-9)));
    }
    std::uint64_t bit = places / 2;
    while ((rank & bit) != 0) {
      rank ^= bit;
      bit /= 2;
    }
    rank |= bit;
  }
  return arriving;
}

Generation generate(const Decoder& decoder, const EngineLoad& load,
                    const std::vector<std::int64_t>& completions) {
  Generation result;
  result.slots = load.slots;
  result.prefill = prefill_seconds(decoder, load);
  Slots slots;
  auto next = completions.begin();
  const auto fill = [&](std::int64_t now) {
    while (next != completions.end() && slots.count() < static_cast<double>(load.slots)) {
      slots.start(now, *next++);
    }
  };
  std::int64_t now = 0;
  for (fill(now); !slots.empty(); fill(now)) {
    const std::int64_t end = slots.next_end();
    const double middle = static_cast<double>(now + end) / 2;
    const double context = std::max(1.0, load.prompt_tokens + slots.age(middle));
    result.decode +=
        static_cast<double>(end - now) * decode_seconds(decoder, slots.count(), context);
    now = end;
    while (!slots.empty() && slots.next_end() == now) slots.end_one();
  }
  result.decode_steps = now;
  return result;
}

Generation generate_ahead(const Decoder& decoder, const EngineLoad& load, double completions,
                          double mean) {
  Generation result;
  result.slots = load.slots;
  result.prefill = prefill_seconds(decoder, load);
  const double batch = static_cast<double>(load.slots);
  const double steps = completions * mean / batch;
  result.decode_steps = std::llround(steps);
  result.decode = steps * decode_seconds(decoder, batch, load.prompt_tokens + mean / 2);
  return result;
}

}  // namespace sizesheet
