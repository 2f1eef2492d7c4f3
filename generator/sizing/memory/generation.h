// SPDX-License-Identifier: Apache-2.0
// GRPO on one card: what the generation engine (vLLM) holds, and its phases put together with those
// of the trainer.
#pragma once

#include <cstdint>
#include <vector>

#include "support/described.h"

namespace sizesheet {

struct Job;
struct MemoryTerm;

/// Integer bytes on one GPU of an engine: weights, workspace, graphs, and a cache of keys and
/// values that takes the rest of the fraction it was given.
struct GenerationBill {
  std::int64_t weights = 0;
  std::int64_t workspace = 0;  ///< activations of one prefill chunk, or logits while sampling
  std::int64_t cuda_graphs = 0;
  std::int64_t overhead = 0;               ///< libraries and communicators; a server's context
  std::int64_t kv_cache_per_sequence = 0;  ///< at full length: prompt and completion
  std::int64_t kv_cache = 0;               ///< the whole pool: what the fraction leaves
  std::int64_t device = 0;                 ///< the sum
  std::int64_t sequences_that_fit = 0;

  /// Weights and cache leave the card when the engine sleeps; graphs and libraries stay.
  std::int64_t asleep() const { return cuda_graphs + overhead; }
};
BOOST_DESCRIBE_STRUCT(GenerationBill, (),
                      (weights, workspace, cuda_graphs, overhead, kv_cache_per_sequence, kv_cache,
                       device, sequences_that_fit))

/// The bill of the job's engine on a card of `capacity` bytes; `job.grpo` is set. A fraction too
/// small for the rest leaves a cache below 0.
GenerationBill generation_bill(const Job& job, std::int64_t capacity);

/// Its terms with formulas and sources: they sum to `device`.
std::vector<MemoryTerm> generation_terms(const Job& job, std::int64_t capacity);

/// The cache of one sequence at full length, with its formula.
MemoryTerm sequence_cache_term(const Job& job);

/// What one step of decoding takes of a rank: bytes read, and parameters multiplied with.
struct DecodeWork {
  /// The routed experts of one kind of block. A batch reads those that it touches.
  struct Experts {
    double bytes = 0;  ///< of all of them
    double count = 0;
    double visited = 0;  ///< by one token
  };
  double weight_bytes = 0;  ///< all but routed experts and tables that are looked up
  std::vector<Experts> experts;
  double cache_bytes = 0;  ///< of one cached token
  double state_bytes = 0;  ///< of one sequence, whatever its length
  double parameters = 0;   ///< that a token meets
  double layers = 0;
  double exchanges = 0;  ///< of tensor parallelism
};

DecodeWork decode_work(const Job& job);

/// Smallest fraction in whole hundredths with which the engine starts; above 1 where none does.
double least_fraction(const Job& job, std::int64_t capacity);

}  // namespace sizesheet
