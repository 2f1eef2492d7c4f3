// SPDX-License-Identifier: Apache-2.0
#include "sizing/time/forward_flops.h"

#include <algorithm>
#include <map>
#include <string>

#include "catalog/models/architecture.h"
#include "sizing/job/job.h"
#include "sizing/model/adapters.h"
#include "sizing/model/parameters.h"
#include "support/whole_numbers.h"

namespace sizesheet {
namespace {

/// Width of scores and values together, halved: a * head_dim, for latent attention the mean of
/// both.
double mixing_width(const Attention& attention) {
  const double heads = as_double(attention.heads);
  if (!attention.latent) {
    return (heads * as_double(attention.head_dim) + as_double(attention.value_width())) / 2;
  }
  const LatentAttention& mla = *attention.latent;
  // On the positions that an indexer chose it runs on the latents themselves.
  if (attention.indexer) return heads * as_double(2 * mla.kv_rank + mla.rope_dim) / 2;
  return heads * as_double(mla.nope_dim + mla.rope_dim + mla.value_dim) / 2;
}

/// The state-space dual form: within chunks, chunk states, and the short convolution.
double scan_flops(const Mamba& mamba) {
  const double chunk = as_double(mamba.chunk);
  const double inner = as_double(mamba.heads * mamba.head_dim);
  const double states = as_double(mamba.groups * mamba.state);
  return chunk * states + chunk * inner + 4 * inner * as_double(mamba.state) +
         2 * as_double(mamba.conv_kernel) * (inner + 2 * states);
}

/// The rule in its recurrent form, a multiply and an add each of four products with the state, and
/// the short convolution.
double delta_flops(const LinearAttention& linear) {
  return 8 * as_double(linear.value_heads * linear.key_dim * linear.value_dim) +
         2 * as_double(linear.conv_kernel * (2 * linear.key_width() + linear.value_width()));
}

/// Positions of which a token attends to no more than `most`, on average, twice.
double at_most(double most, double s) {
  const double window = std::min(s, most);
  return 2 * window - window * window / s;
}

/// Forward only: the indexer's own projections, and its scores of all positions before.
double scoring_flops(const Architecture& model, const Block& block, double s) {
  const std::optional<Indexer>& indexer = block.attention->indexer;
  if (!indexer || !indexer->owned || !block.attention->latent) return 0;
  const double width = as_double(indexer->heads * indexer->head_dim);
  const double keys = as_double(model.hidden) * as_double(indexer->head_dim + indexer->heads);
  return 2 * (as_double(indexer->query_input) * width + keys) + width * s;
}

/// Positions a token attends to on average, twice: s under a causal mask, less with a window.
double attended_positions(const Architecture& model, const Attention& attention, double s) {
  if (attention.window > 0) return at_most(as_double(attention.window), s);
  if (attention.indexer && attention.latent) {
    return at_most(as_double(attention.indexer->positions), s);
  }
  // Share of the attention layers that look back no further than the model's window.
  if (!model.sliding_window) return s;
  const double share = model.windowed_layers
                           ? as_double(*model.windowed_layers) / as_double(model.layers())
                           : usual_windowed_share(model.model_type);
  return (1 - share) * s + share * at_most(as_double(*model.sliding_window), s);
}

}  // namespace

ForwardFlops forward_flops(const Job& job) {
  const Architecture& model = *job.model;
  ForwardFlops flops;
  flops.head = 2.0 * as_double(model.head_outputs()) * as_double(model.hidden) *
               as_double(1 + model.kept_predictions());
  const double length = as_double(job.sample_length.value_or(job.seq_len));
  flops.dense = 2 * as_double(model.hidden * model.per_layer_columns());
  for (const BlockRun& run : model.runs) {
    const double count = as_double(run.count);
    const SplitCounts split = split_parameters(model, run.block);
    double dense = as_double(split.matrix);
    if (run.block.moe) {
      const Moe& moe = *run.block.moe;
      dense += as_double(model.hidden) * as_double(moe.experts + 2 * moe.latent_size);
      flops.expert +=
          2 * count *
          (as_double(split.expert) * as_double(moe.experts_per_token) / as_double(moe.experts));
    }
    flops.dense += 2 * count * dense;
    if (run.block.attention) {
      const Attention& attention = *run.block.attention;
      const double positions = attended_positions(model, attention, length);
      flops.attention += count * 2.0 * positions * mixing_width(attention);
      flops.plain_attention += count * 2.0 * 2.0 * length * mixing_width(attention);
      flops.scoring += count * scoring_flops(model, run.block, length);
    }
    if (run.block.mamba) flops.scan += count * scan_flops(*run.block.mamba);
    if (run.block.linear) flops.scan += count * delta_flops(*run.block.linear);
    if (run.block.convolution) {
      flops.scan += count * 2 * as_double((run.block.convolution->kernel + 2) * model.hidden);
    }
  }
  if (job.full()) return flops;
  // As one token meets them: of the experts', one set.
  AdapterSpec spec = job.adapters;
  if (spec.experts == "per-expert") spec.experts = "shared";
  flops.adapters = 2 * as_double(count_adapters(model, spec).total());
  return flops;
}

}  // namespace sizesheet
