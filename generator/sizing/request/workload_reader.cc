// SPDX-License-Identifier: Apache-2.0
#include "sizing/request/workload_reader.h"

#include <algorithm>

#include "catalog/facts/engine_constants.h"
#include "sizing/job/job.h"
#include "sizing/job/lengths.h"
#include "sizing/request/job_basis.h"
#include "sizing/request/method_reader.h"
#include "sizing/request/question.h"
#include "support/json.h"
#include "support/named.h"
#include "support/text.h"
#include "support/whole_numbers.h"

namespace sizesheet {
namespace {

/// Whether the workload says of its samples more than how many tokens they are.
bool names_lengths(ObjectReader& reader) {
  return reader.has("length_cv") ||
         (reader.has("batching") && reader.raw("batching") != id_of(kBatchings, Batching::kPacked));
}

/// A run that generates is as long as its prompts.
void read_prompts(ObjectReader& reader, std::optional<std::int64_t> examples,
                  std::optional<double> epochs, WorkloadKeys& keys) {
  for (const char* key : {"tokens", "mean_length"}) {
    refuse_unless(reader, reader.raw(key).is_null(), key, [&] {
      return "a run with grpo is as long as its prompts: give examples, their number, and epochs; "
             "got " +
             shown(reader.raw(key));
    });
  }
  refuse_unless(reader, examples || !epochs, "examples", "examples and epochs go together");
  if (examples) keys.prompts = as_double(*examples) * epochs.value_or(1);
}

/// A run is so many tokens, or so many examples of a mean length. Batches of uneven samples need
/// the mean as well.
void read_tokens(ObjectReader& reader, std::optional<double> mean, bool generates,
                 WorkloadKeys& keys) {
  if (const auto tokens = reader.optional_integer("tokens", {1, 1LL << 53})) {
    keys.tokens = as_double(*tokens);
  }
  const auto examples = reader.optional_integer("examples", {1, 1LL << 53});
  const auto epochs = reader.optional_number("epochs", {1e-9, 1e6});
  if (keys.training) keys.training->epochs = std::max(1.0, epochs.value_or(1));
  if (generates) return read_prompts(reader, examples, epochs, keys);
  if (!examples && !epochs && (!mean || names_lengths(reader))) return;
  refuse_unless(reader, !keys.tokens, "examples", "give either tokens or examples, not both");
  refuse_unless(reader, examples && mean, "examples",
                "examples, mean_length and epochs go together");
  if (examples && mean) {
    keys.tokens = as_double(*examples * keys.sequences()) * *mean * epochs.value_or(1);
  }
}

/// How long samples are, where that decides what a batch computes.
void read_lengths(ObjectReader& reader, std::optional<double> mean, Batching batching,
                  const EngineConstants& constants, WorkloadKeys& keys) {
  const auto variation = reader.optional_number("length_cv", {0, 5});
  // Pairs are padded, said or not.
  if (!names_lengths(reader) && (keys.packs() || !mean)) return;
  const bool fixed = batching == Batching::kFixed;
  refuse_unless(reader, !variation || !fixed, "length_cv",
                "changes nothing where batching is \"fixed\": every sample takes seq_len tokens");
  refuse_unless(reader, mean || !variation, "length_cv",
                "says how lengths spread around mean_length, and there is none");
  refuse_unless(reader, mean || variation, "batching", [&] {
    return in_quotes(id_of(kBatchings, batching)) +
           " needs mean_length: what a batch computes follows from its samples' "
           "lengths";
  });
  if (!mean) return;
  const bool within = *mean >= 1 && *mean <= as_double(keys.seq_len);
  refuse_unless(reader, within, "mean_length", [&] {
    return "expected from 1 to workload.seq_len, " + std::to_string(keys.seq_len) + ", got " +
           shortest(*mean);
  });
  if (!within) return;
  const double spread = fixed ? 0 : variation.value_or(constants.value("batching.length_cv"));
  keys.samples = batches_of(batching, {*mean, as_double(keys.seq_len), spread},
                            keys.micro_batch * keys.sequences());
  if (keys.sample_length) keys.samples->cost.attended = as_double(*keys.sample_length);
}

/// How samples are put together; `packed` false is the older word for "padded".
Batching read_batching(ObjectReader& reader, AttentionKernel attention, WorkloadKeys& keys) {
  const bool packed = reader.flag_or("packed", keys.packs());
  const Batching alike = packed ? Batching::kPacked : Batching::kPadded;
  const Batching batching = read_named_or(reader, "batching", kBatchings, alike);
  const auto named = [&] { return in_quotes(id_of(kBatchings, batching)); };
  refuse_unless(reader, !reader.has("packed") || batching == alike, "batching", [&] {
    return named() + " contradicts packed " + (packed ? "true" : "false") + ", which means " +
           in_quotes(id_of(kBatchings, alike));
  });
  refuse_unless(reader, keys.packs() || batching != Batching::kPacked,
                reader.has("batching") ? "batching" : "packed", [&] {
                  return (reader.has("batching") ? named() : "true") +
                         " needs samples that stand alone, and objective.kind " +
                         in_quotes(keys.training->facts().id) + " compares whole sequences";
                });
  refuse_unless(reader, batching != Batching::kPaddingFree || attention != AttentionKernel::kEager,
                "batching",
                "\"padding-free\" needs a flash kernel, and kernels.attention is \"eager\"");
  keys.packed = batching == Batching::kPacked || batching == Batching::kFixed;
  keys.sample_length = reader.optional_integer("sample_length", {1, 100000000});
  if (keys.sample_length) {
    refuse_unless(reader, batching == Batching::kPacked, "sample_length", [&] {
      return "is the mean length of samples in a pack, and " +
             (reader.has("batching") ? "batching is " + named() : "packed is false");
    });
    refuse_unless(reader, *keys.sample_length <= keys.seq_len, "sample_length", [&] {
      return "expected at most workload.seq_len, " + std::to_string(keys.seq_len) + ", got " +
             std::to_string(*keys.sample_length);
    });
  }
  return batching;
}

}  // namespace

WorkloadKeys read_workload(std::optional<ObjectReader> reader, bool generates,
                           const JobBasis& basis, const ReadMethod& method,
                           const KernelKeys& kernels) {
  WorkloadKeys keys;
  keys.training = basis.training;
  keys.packed = keys.packs();
  keys.vision = method.vision;
  if (!reader) return keys;
  keys.seq_len = reader->integer_or("seq_len", 4096, {1, 100000000});
  keys.micro_batch = reader->integer_or("micro_batch", 1, {1, 1000000});
  keys.grad_accum = reader->integer_or("grad_accum", 1, {1, 1000000});
  keys.global_batch = reader->optional_integer("global_batch", {1, 1000000});
  refuse_unless(*reader, !keys.global_batch || keys.grad_accum == 1, "global_batch",
                "says how often micro-batches are accumulated, and so does grad_accum");
  const auto mean = reader->optional_number("mean_length", {1e-9, 1e9});
  read_tokens(*reader, mean, generates, keys);
  for (const char* key : {"batching", "length_cv"}) {
    refuse_unless(*reader, !generates || reader->raw(key).is_null(), key,
                  "is of a data set; how long completions are is said in grpo");
  }
  const Batching batching = read_batching(*reader, kernels.attention, keys);
  if (!generates) read_lengths(*reader, mean, batching, basis.constants, keys);
  keys.vision = read_images(*reader, generates, *basis.model, keys);
  // What a run takes beside its training steps; only where the length of the run is known.
  keys.startup_hours = reader->number_or("startup_hours", 0, {0, 10000});
  keys.startup_hours_per_node = reader->number_or("startup_hours_per_node", 0, {0, 100});
  keys.checkpoint_share = reader->number_or("checkpoint_share", 0, {0, 10});
  for (const auto& [key, value] : {std::pair{"startup_hours", keys.startup_hours},
                                   std::pair{"startup_hours_per_node", keys.startup_hours_per_node},
                                   std::pair{"checkpoint_share", keys.checkpoint_share}}) {
    refuse_unless(*reader, value == 0 || keys.tokens || keys.prompts, key,
                  "adds to the hours of a run, and neither tokens nor examples say how long it is");
  }
  reader->done();
  return keys;
}

}  // namespace sizesheet
