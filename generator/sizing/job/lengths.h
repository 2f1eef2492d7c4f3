// SPDX-License-Identifier: Apache-2.0
// How long samples and completions are: a distribution of lengths, and what batches of such samples
// cost beside their own tokens.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "support/named.h"

namespace sizesheet {

/// Tokens of samples drawn from a lognormal distribution that is cut at a longest length.
struct LengthSpread {
  double mean = 0;       ///< after the cut
  double longest = 0;    ///< the cut
  double variation = 0;  ///< coefficient of variation before the cut; 0: all alike
};

/// `count` lengths in ascending order, real numbers: the quantiles (i + 1/2) / count of the
/// distribution, whose median is solved for so that their mean is the given one. `mean` is at most
/// `longest` and `count` at least 1.
std::vector<double> sorted_lengths(const LengthSpread& spread, std::int64_t count);

/// How the samples of a micro-batch are put together. kPadded: to the longest of those drawn
/// together; kGrouped: samples of like length are drawn together; kPaddingFree: one behind the
/// other in one row; kFixed: all padded to the sequence.
enum class Batching { kPacked, kPadded, kGrouped, kPaddingFree, kFixed };
inline constexpr NameTable<Batching, 5> kBatchings{{{Batching::kPacked, "packed"},
                                                    {Batching::kPadded, "padded"},
                                                    {Batching::kGrouped, "grouped"},
                                                    {Batching::kPaddingFree, "padding-free"},
                                                    {Batching::kFixed, "fixed"}}};

/// What a micro-batch computes, on average.
struct BatchCost {
  double row = 0;       ///< tokens computed of each of its rows
  double attended = 0;  ///< tokens of what attends to itself, as a token meets them
  double computed = 1;  ///< tokens computed for each that is trained
};

/// What was worked out for a number of ranks: a search asks for the same ones thousands of times.
class KnownByRanks {
 public:
  double of(std::int64_t ranks, const std::function<double()>& work_out);

 private:
  std::mutex mutex_;
  std::map<std::int64_t, double> known_;
};

/// Samples as they lie in micro-batches of so many rows.
struct SampleBatches {
  Batching batching = Batching::kPacked;
  LengthSpread spread;
  std::int64_t rows = 1;
  std::shared_ptr<const std::vector<double>> lengths;  ///< whole tokens, ascending
  BatchCost cost;
  std::shared_ptr<KnownByRanks> known;  ///< of this object and its copies

  /// How many times as long a micro-batch takes where `ranks` wait for the one with most tokens. An
  /// upper bound: rows of several samples, and steps of several micro-batches, even out.
  double waiting(std::int64_t ranks) const;
};

SampleBatches batches_of(Batching batching, const LengthSpread& spread, std::int64_t rows);

/// Mean of the longest of `drawn` samples, or of another power of it.
double expected_longest(const std::vector<double>& lengths, double drawn, double power = 1);

/// Tokens that stay free in each pack when samples, longest first, go into the fullest pack that
/// has room.
std::vector<double> free_after_packing(const std::vector<double>& lengths, double size);

}  // namespace sizesheet
