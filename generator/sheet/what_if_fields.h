// SPDX-License-Identifier: Apache-2.0
// The fields of what would help a pick, for fields.h.
#pragma once

#include <type_traits>

#include "sheet/what_if.h"

namespace sizesheet {

template <typename V, typename T>
void fields(V& v, T& item) requires std::is_same_v<std::remove_const_t<T>, SheetResized> {
  v("change", item.change);
  v("device_bytes", item.device);
  v("host_bytes", item.host);
  v("verdict", item.verdict);
  v("saved_bytes", item.saved);
  v("rentable", item.rentable);
  v("hours", item.hours);
  v("hours_added_share", item.hours_added);
}

template <typename V, typename T>
void fields(V& v, T& item) requires std::is_same_v<std::remove_const_t<T>, SheetLever> {
  v("id", item.id);
  v("title", item.title);
  v("gives_up", item.gives_up);
  v("term", item.term);
  v("in_use", item.in_use);
  v("resized", item.resized);
}

template <typename V, typename T>
void fields(V& v, T& item) requires std::is_same_v<std::remove_const_t<T>, SheetCombination> {
  v("levers", item.levers);
  v("resized", item.resized);
}

template <typename V, typename T>
void fields(V& v, T& item) requires std::is_same_v<std::remove_const_t<T>, SheetWhatIf> {
  v("row_key", item.row_key);
  v("device_bytes", item.device);
  v("hours", item.hours);
  v("levers", item.levers);
  v("combination", item.combination);
}

template <typename V, typename T>
void fields(V& v, T& item) requires std::is_same_v<std::remove_const_t<T>, SheetZeroStage> {
  v("shard", item.shard);
  v("memory", item.memory);
  v("verdict", item.verdict);
  v("wire_bytes_per_step", item.wire);
  v("hours", item.hours);
}

template <typename V, typename T>
void fields(V& v, T& item) requires std::is_same_v<std::remove_const_t<T>, SheetZeroStages> {
  v("model", item.model);
  v("method", item.method);
  v("gpu", item.gpu);
  v("of_pick", item.of_pick);
  v("layout", item.layout);
  v("stages", item.stages);
}

template <typename V, typename T>
void fields(V& v, T& item) requires std::is_same_v<std::remove_const_t<T>, SheetAdapterRank> {
  v("rank", item.rank);
  v("trainable", item.trainable);
  v("share", item.share);
  v("weights_bytes", item.weights);
  v("gradients_bytes", item.gradients);
  v("optimizer_bytes", item.optimizer);
  v("file_bytes", item.file);
  v("device_bytes", item.device);
  v("verdict", item.verdict);
}

template <typename V, typename T>
void fields(V& v, T& item) requires std::is_same_v<std::remove_const_t<T>, SheetAdapterRanks> {
  v("model", item.model);
  v("method", item.method);
  v("row_key", item.row_key);
  v("rank", item.rank);
  v("ranks", item.ranks);
}

}  // namespace sizesheet
