// SPDX-License-Identifier: Apache-2.0
// What training frameworks need for one model, as an edition shows it. Every figure of bytes and
// every verdict is computed here; `evidence` says what the set-up behind it, or a figure printed by
// others, rests on: computed, recipe, tested or theoretical.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalog/published/worksheet.h"
#include "sizing/job/layout_shape.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/verdict.h"
#include "support/described.h"

namespace sizesheet {

/// One job of the table at a glance.
struct SheetFrameworkRow : FrameworkRow, SizedLayout {
  std::int64_t seq_len = 0;
  std::int64_t micro_batch = 0;
  std::int64_t nodes = 0;
  std::int64_t trainable = 0;
  std::string binding = {};
};
BOOST_DESCRIBE_STRUCT(SheetFrameworkRow, (FrameworkRow, SizedLayout),
                      (seq_len, micro_batch, nodes, trainable, binding))

/// One length on one layout.
struct SheetSequenceRow : SizedLayout {
  std::int64_t seq_len = 0;
  std::int64_t nodes = 0;
  std::int64_t kept = 0;  ///< activations that wait for the backward pass
  std::optional<std::int64_t> largest_micro_batch = {};  ///< power of two that still fits
  std::string bound = {};  ///< "weights" | "activations": which of them takes more
  std::optional<double> printed_activations_gb = {};  ///< by the guide
  std::optional<double> printed_total_gb = {};

  static constexpr Key kKeys[] = {{"kept", "kept_bytes"},
                                  {"device", "device_bytes"},
                                  {"device_high", "device_high_bytes"},
                                  {"capacity", "capacity_bytes"}};
};
BOOST_DESCRIBE_STRUCT(SheetSequenceRow, (SizedLayout),
                      (seq_len, nodes, kept, largest_micro_batch, bound, printed_activations_gb,
                       printed_total_gb))

struct SheetSequenceSet {
  std::string id;
  std::string title;
  std::vector<SheetSequenceRow> rows;
};
BOOST_DESCRIBE_STRUCT(SheetSequenceSet, (), (id, title, rows))

struct SheetSequences {
  std::string framework;
  std::string evidence;  ///< of the layouts and of what the guide prints
  std::string words;
  std::vector<SheetSequenceSet> sets;
};
BOOST_DESCRIBE_STRUCT(SheetSequences, (), (framework, evidence, words, sets))

struct SheetComponent {
  std::string id;
  std::string title;
  std::int64_t parameters = 0;
  std::int64_t bf16_bytes = 0;
  double share = 0;
};
BOOST_DESCRIBE_STRUCT(SheetComponent, (), (id, title, parameters, bf16_bytes, share))

struct SheetAdapterCount {
  std::int64_t rank = 0;
  std::int64_t dense = 0;  ///< outside routed experts
  std::int64_t expert = 0;
  std::int64_t total = 0;
  std::int64_t bf16_bytes = 0;
  double share = 0;  ///< of the model
  std::vector<PublishedAdapters> published = {};
};
BOOST_DESCRIBE_STRUCT(SheetAdapterCount, (),
                      (rank, dense, expert, total, bf16_bytes, share, published))

struct SheetAdapterMode {
  std::string id;
  std::string title;
  std::string words;
  std::vector<SheetAdapterCount> counts;
};
BOOST_DESCRIBE_STRUCT(SheetAdapterMode, (), (id, title, words, counts))

/// What the layers of one kind keep.
struct SheetLayerRow {
  std::string id;  ///< "moe", "mamba", "attention", "attention-mlp" …, "ends"
  std::string title;
  std::optional<std::int64_t> layers;  ///< absent for what stands outside the layers
  double bytes_per_token = 0;          ///< of one layer, on one rank
  std::int64_t kept = 0;               ///< of all of them, for the table's tokens
  double share = 0;
  std::optional<double> printed_gb = {};

  static constexpr Key kKeys[] = {{"kept", "kept_bytes"}};
};
BOOST_DESCRIBE_STRUCT(SheetLayerRow, (),
                      (id, title, layers, bytes_per_token, kept, share, printed_gb))

struct SheetLayerSet {
  std::string id;
  std::string title;
  std::vector<SheetLayerRow> rows;
  std::int64_t kept = 0;

  static constexpr Key kKeys[] = {{"kept", "kept_bytes"}};
};
BOOST_DESCRIBE_STRUCT(SheetLayerSet, (), (id, title, rows, kept))

struct SheetLayers {
  std::string framework;
  std::string words;
  std::int64_t tokens = 0;  ///< on one GPU
  std::vector<SheetLayerSet> sets;
};
BOOST_DESCRIBE_STRUCT(SheetLayers, (), (framework, words, tokens, sets))

/// The bill of one method on the table's layout, in the peak phase.
struct SheetMethodRow {
  std::string id;
  std::string title;
  std::int64_t trainable = 0;
  LayoutShape layout;
  MemoryBill memory;
  Verdict verdict = Verdict::kUnknown;
};
BOOST_DESCRIBE_STRUCT(SheetMethodRow, (), (id, title, trainable, layout, memory, verdict))

struct SheetComparison {
  std::string framework;
  std::string words;
  std::vector<SheetMethodRow> rows;
};
BOOST_DESCRIBE_STRUCT(SheetComparison, (), (framework, words, rows))

struct SheetFrameworkSet : FrameworkHead {
  std::string model_title;
  std::string gpu_name;
  std::string evidence;  ///< of every figure that is not marked otherwise: "computed"
  std::vector<TrainingFramework> frameworks;
  std::vector<SheetFrameworkRow> rows;
  SheetSequences sequences;
  std::vector<SheetComponent> parameters;  ///< without the total
  std::int64_t total_parameters = 0;
  std::int64_t active_parameters = 0;
  std::vector<SheetAdapterMode> adapters;
  SheetLayers layers;
  SheetComparison comparison;
  std::vector<LaunchRecipe> recipes;
};
BOOST_DESCRIBE_STRUCT(SheetFrameworkSet, (FrameworkHead),
                      (model_title, gpu_name, evidence, frameworks, rows, sequences, parameters,
                       total_parameters, active_parameters, adapters, layers, comparison, recipes))

}  // namespace sizesheet
