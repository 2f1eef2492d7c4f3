// SPDX-License-Identifier: Apache-2.0
// The fields of the frameworks' part of a Sheet, for fields.h.
#pragma once

#include <type_traits>

#include "sheet/framework.h"

namespace sizesheet {

template <typename V, typename T>
void fields(V& v, T& item) requires std::is_same_v<std::remove_const_t<T>, SheetFramework> {
  v("id", item.id);
  v("title", item.title);
  v("words", item.words);
  v("source", item.source);
  v("date", item.date);
}

template <typename V, typename T>
void fields(V& v, T& item) requires std::is_same_v<std::remove_const_t<T>, SheetFrameworkRow> {
  v("id", item.id);
  v("framework", item.framework);
  v("title", item.title);
  v("evidence", item.evidence);
  v("recipe", item.recipe);
  v("words", item.words);
  v("seq_len", item.seq_len);
  v("micro_batch", item.micro_batch);
  v("layout", item.layout);
  v("nodes", item.nodes);
  v("trainable", item.trainable);
  v("device_bytes", item.device);
  v("capacity_bytes", item.capacity);
  v("verdict", item.verdict);
  v("binding", item.binding);
}

template <typename V, typename T>
void fields(V& v, T& item) requires std::is_same_v<std::remove_const_t<T>, SheetSequenceRow> {
  v("seq_len", item.seq_len);
  v("layout", item.layout);
  v("nodes", item.nodes);
  v("kept_bytes", item.kept);
  v("device_bytes", item.device);
  v("capacity_bytes", item.capacity);
  v("verdict", item.verdict);
  v("largest_micro_batch", item.largest_micro_batch);
  v("bound", item.bound);
  v("printed_activations_gb", item.printed_activations_gb);
  v("printed_total_gb", item.printed_total_gb);
}

template <typename V, typename T>
void fields(V& v, T& item) requires std::is_same_v<std::remove_const_t<T>, SheetSequenceSet> {
  v("id", item.id);
  v("title", item.title);
  v("rows", item.rows);
}

template <typename V, typename T>
void fields(V& v, T& item) requires std::is_same_v<std::remove_const_t<T>, SheetSequences> {
  v("framework", item.framework);
  v("evidence", item.evidence);
  v("words", item.words);
  v("sets", item.sets);
}

template <typename V, typename T>
void fields(V& v, T& item) requires std::is_same_v<std::remove_const_t<T>, SheetComponent> {
  v("id", item.id);
  v("title", item.title);
  v("parameters", item.parameters);
  v("bf16_bytes", item.bf16_bytes);
  v("share", item.share);
}

template <typename V, typename T>
void fields(V& v, T& item) requires std::is_same_v<std::remove_const_t<T>, SheetPublishedAdapters> {
  v("of", item.of);
  v("value", item.value);
  v("within", item.within);
  v("evidence", item.evidence);
  v("source", item.source);
}

template <typename V, typename T>
void fields(V& v, T& item) requires std::is_same_v<std::remove_const_t<T>, SheetAdapterCount> {
  v("rank", item.rank);
  v("dense", item.dense);
  v("expert", item.expert);
  v("total", item.total);
  v("bf16_bytes", item.bf16_bytes);
  v("share", item.share);
  v("published", item.published);
}

template <typename V, typename T>
void fields(V& v, T& item) requires std::is_same_v<std::remove_const_t<T>, SheetAdapterMode> {
  v("id", item.id);
  v("title", item.title);
  v("words", item.words);
  v("counts", item.counts);
}

template <typename V, typename T>
void fields(V& v, T& item) requires std::is_same_v<std::remove_const_t<T>, SheetLayerRow> {
  v("id", item.id);
  v("title", item.title);
  v("layers", item.layers);
  v("bytes_per_token", item.bytes_per_token);
  v("kept_bytes", item.kept);
  v("share", item.share);
  v("printed_gb", item.printed_gb);
}

template <typename V, typename T>
void fields(V& v, T& item) requires std::is_same_v<std::remove_const_t<T>, SheetLayerSet> {
  v("id", item.id);
  v("title", item.title);
  v("rows", item.rows);
  v("kept_bytes", item.kept);
}

template <typename V, typename T>
void fields(V& v, T& item) requires std::is_same_v<std::remove_const_t<T>, SheetLayers> {
  v("framework", item.framework);
  v("words", item.words);
  v("tokens", item.tokens);
  v("sets", item.sets);
}

template <typename V, typename T>
void fields(V& v, T& item) requires std::is_same_v<std::remove_const_t<T>, SheetMethodRow> {
  v("id", item.id);
  v("title", item.title);
  v("trainable", item.trainable);
  v("layout", item.layout);
  v("memory", item.memory);
  v("verdict", item.verdict);
}

template <typename V, typename T>
void fields(V& v, T& item) requires std::is_same_v<std::remove_const_t<T>, SheetComparison> {
  v("framework", item.framework);
  v("words", item.words);
  v("rows", item.rows);
}

template <typename V, typename T>
void fields(V& v, T& item) requires std::is_same_v<std::remove_const_t<T>, SheetLaunchRecipe> {
  v("id", item.id);
  v("framework", item.framework);
  v("title", item.title);
  v("repository", item.repository);
  v("path", item.path);
  v("commit", item.commit);
  v("date", item.date);
  v("gpus", item.gpus);
  v("nodes", item.nodes);
  v("hardware", item.hardware);
  v("what", item.what);
  v("command", item.command);
  v("evidence", item.evidence);
  v("source", item.source);
}

template <typename V, typename T>
void fields(V& v, T& item) requires std::is_same_v<std::remove_const_t<T>, SheetFrameworkSet> {
  v("id", item.id);
  v("title", item.title);
  v("words", item.words);
  v("model", item.model);
  v("model_title", item.model_title);
  v("gpu", item.gpu);
  v("gpu_name", item.gpu_name);
  v("source", item.source);
  v("date", item.date);
  v("evidence", item.evidence);
  v("frameworks", item.frameworks);
  v("rows", item.rows);
  v("sequences", item.sequences);
  v("parameters", item.parameters);
  v("total_parameters", item.total_parameters);
  v("active_parameters", item.active_parameters);
  v("adapters", item.adapters);
  v("layers", item.layers);
  v("comparison", item.comparison);
  v("recipes", item.recipes);
}

}  // namespace sizesheet
