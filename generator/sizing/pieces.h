// SPDX-License-Identifier: Apache-2.0
// The pieces of the memory bill of one rank, before they are put together phase by phase.
// Every piece is written once, for `double` and for `Traced` (support/trace.h).
#pragma once

#include "sizing/job.h"
#include "sizing/parameters.h"
#include "support/trace.h"

namespace sizesheet {

/// Sums over the model that the pieces share; independent of the layout.
struct ModelSums {
  double matrix = 0;  ///< projections and biases of all blocks
  double matrix_bias = 0;
  double replicated = 0;     ///< block norms and the final norm
  double root = 0;           ///< embedding and, untied, the head
  double root_matrices = 0;  ///< 1 tied, 2 untied
  double largest_matrix = 0;
  double rows = 0;     ///< summed output sizes of the projections
  double columns = 0;  ///< summed input sizes
  AdapterCounts adapters;
  double unit_matrix = 0;  ///< the largest block, for gathering
  double unit_replicated = 0;
};

ModelSums sum_model(const Job& job);

/// Bytes on one rank.
template <typename N>
struct Pieces {
  N weights = 0.0;  ///< resident base, or the trained shard
  N adapters = 0.0;
  N master = 0.0;
  N moments = 0.0;
  N gradients = 0.0;        ///< of this rank's share, when all are alive
  N gradients_final = 0.0;  ///< at the end of backward, with DDP buckets
  N head_gradient = 0.0;
  N autocast_cache = 0.0;
  N buckets = 0.0;
  N unit = 0.0;      ///< one gathered block
  N gathered = 0.0;  ///< gathered blocks alive while a block runs
  N unsharded_gradients = 0.0;
  N root = 0.0;  ///< embedding and head that stay gathered
  N root_gradients = 0.0;
  N head_gather = 0.0;  ///< head gathered for the loss only
  N dequantised = 0.0;
  N kept = 0.0;   ///< activations kept from forward
  N block = 0.0;  ///< the one rebuilt block
  N temporaries = 0.0;
  N loss_forward = 0.0;
  N loss_backward = 0.0;
  N loss_left = 0.0;
  N step_transient = 0.0;
  bool gradients_persist = false;        ///< alive in forward from the second step on
  bool gradients_persist_step1 = false;  ///< and in the first
};

template <typename N>
Pieces<N> memory_pieces(const Job& job, const ModelSums& sums);

/// Trainable parameters whose state this rank holds before sharding (per rank under tp).
double trainable_per_rank(const Job& job, const ModelSums& sums);

/// Trainable parameters of the whole job.
std::int64_t trainable_parameters(const Job& job);

/// Pinned host memory per rank for offloaded state, bytes.
double host_bytes(const Job& job, const ModelSums& sums);

/// Bytes per NF4 parameter with its block scales (bitsandbytes: block 64, nested block 256).
double nf4_bytes(const EngineConstants& constants, bool double_quant);

extern template Pieces<double> memory_pieces<double>(const Job&, const ModelSums&);
extern template Pieces<Traced> memory_pieces<Traced>(const Job&, const ModelSums&);

}  // namespace sizesheet
