// SPDX-License-Identifier: Apache-2.0
// What would help a pick, and what its choices cost: its request changed key by key, the stages of
// ZeRO side by side, adapters by rank. Plain values, all sized by the engine. Bytes are per GPU
// unless said otherwise; unknown is absent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sizing/answer.h"
#include "support/described.h"
#include "support/json.h"

namespace sizesheet {

/// A row's request with some of its keys changed, sized again on the row's own layout.
struct SheetResized {
  Json change;              ///< the keys and the values they take: {"optimizer": "adamw-8bit"}
  std::int64_t device = 0;  ///< bytes
  std::int64_t host = 0;    ///< pinned host memory a GPU, bytes
  std::string verdict;      ///< of `device`
  std::optional<std::int64_t> saved;     ///< device bytes that the lever saves; absent: none
  std::optional<std::int64_t> rentable;  ///< smallest rentable count that fits with the change
  std::optional<double> hours;           ///< of a run, on the row's layout
  /// What the lever adds to the hours of a run, as a share of them: 0.05 is 5 % more. Absent where
  /// the speed model does not know the key.
  std::optional<double> hours_added;

  static constexpr Key kKeys[] = {{"device", "device_bytes"},
                                  {"host", "host_bytes"},
                                  {"saved", "saved_bytes"},
                                  {"hours_added", "hours_added_share"}};
};
BOOST_DESCRIBE_STRUCT(SheetResized, (),
                      (change, device, host, verdict, saved, rentable, hours, hours_added))

/// One lever. Where the row pulls it already, `resized` is the row without it, and `saved` and
/// `hours_added` still say what the lever does.
struct SheetLever {
  std::string id;        ///< "optimizer"
  std::string title;     ///< "an 8-bit optimizer"
  std::string gives_up;  ///< what it costs beside time, in words
  std::string term;      ///< term of the bill that it shrinks most; "" where it saves nothing
  bool in_use = false;
  SheetResized resized;
};
BOOST_DESCRIBE_STRUCT(SheetLever, (), (id, title, gives_up, term, in_use, resized))

/// Several levers pulled in one request: their savings do not add up, so they are sized together.
struct SheetCombination {
  std::vector<std::string> levers;  ///< ids, in the order in which they were added
  SheetResized resized;
};
BOOST_DESCRIBE_STRUCT(SheetCombination, (), (levers, resized))

struct SheetWhatIf {
  std::string row_key;
  std::int64_t device = 0;  ///< of the row
  std::optional<double> hours;
  std::vector<SheetLever> levers;  ///< those not in use first; in each part most saved first
  std::optional<SheetCombination> combination;

  static constexpr Key kKeys[] = {{"device", "device_bytes"}};
};
BOOST_DESCRIBE_STRUCT(SheetWhatIf, (), (row_key, device, hours, levers, combination))

/// One stage of ZeRO.
struct SheetZeroStage {
  std::string shard;  ///< none | zero1 | zero2 | zero3
  MemoryBill memory;
  std::string verdict;
  std::optional<double> wire;   ///< bytes that one GPU sends in a step for weights and gradients
  std::optional<double> hours;  ///< of a run; absent where the verdict is "no"

  static constexpr Key kKeys[] = {{"wire", "wire_bytes_per_step"}};
};
BOOST_DESCRIBE_STRUCT(SheetZeroStage, (), (shard, memory, verdict, wire, hours))

/// Full fine-tuning of a model under every stage, on one layout.
struct SheetZeroStages {
  std::string model;
  std::string method;
  std::string gpu;
  bool of_pick = false;  ///< the layout is the rent pick's
  LayoutShape layout;
  std::vector<SheetZeroStage> stages;
};
BOOST_DESCRIBE_STRUCT(SheetZeroStages, (), (model, method, gpu, of_pick, layout, stages))

/// Adapters of one rank. Bytes are of the whole run, before any sharding, but for `device`.
struct SheetAdapterRank {
  std::int64_t rank = 0;
  std::int64_t trainable = 0;
  double share = 0;  ///< of the base's parameters
  std::int64_t weights = 0;
  std::int64_t gradients = 0;
  std::int64_t optimizer = 0;
  std::int64_t file = 0;
  std::optional<std::int64_t> device;  ///< bytes a GPU on the pick's layout
  std::string verdict;                 ///< of `device`

  static constexpr Key kKeys[] = {{"weights", "weights_bytes"},
                                  {"gradients", "gradients_bytes"},
                                  {"optimizer", "optimizer_bytes"},
                                  {"file", "file_bytes"},
                                  {"device", "device_bytes"}};
};
BOOST_DESCRIBE_STRUCT(SheetAdapterRank, (),
                      (rank, trainable, share, weights, gradients, optimizer, file, device,
                       verdict))

struct SheetAdapterRanks {
  std::string model;
  std::string method;
  std::string row_key;    ///< whose layout `device` is on; "" where the method has no pick
  std::int64_t rank = 0;  ///< of the method
  std::vector<SheetAdapterRank> ranks;
};
BOOST_DESCRIBE_STRUCT(SheetAdapterRanks, (), (model, method, row_key, rank, ranks))

}  // namespace sizesheet
