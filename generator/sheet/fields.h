// SPDX-License-Identifier: Apache-2.0
// The one list of fields of every part of a Sheet: the JSON writer and the JSON reader both walk
// it, so that what is written reads back whole. A visitor is called with a key and a member.
#pragma once

#include "sheet/accuracy_fields.h"
#include "sheet/advice_fields.h"
#include "sheet/changes_fields.h"
#include "sheet/framework_fields.h"
#include "sheet/guide_fields.h"
#include "sheet/money_fields.h"
#include "sheet/row_fields.h"
#include "sheet/sheet.h"
#include "sheet/what_if_fields.h"
#include "sheet/worksheet_fields.h"

namespace sizesheet {

template <typename V, typename T>
void fields(V& v, T& meta) requires std::is_same_v<std::remove_const_t<T>, SheetMeta> {
  v("title", meta.title);
  v("edition", meta.edition);
  v("as_of", meta.as_of);
  v("price_as_of", meta.price_as_of);
  v("catalog_hash", meta.catalog_hash);
  v("tool_version", meta.tool_version);
  v("currency", meta.currency);
  v("base_url", meta.base_url);
  v("paper", meta.paper);
  v("templates", meta.templates);
}

template <typename V, typename T>
void fields(V& v, T& options) requires std::is_same_v<std::remove_const_t<T>, SheetOptions> {
  v("headroom", options.headroom);
  v("tokens_per_run", options.tokens);
  v("max_gpus", options.max_gpus);
  v("planned_hours_per_month", options.planned_hours_per_month);
  v("hours_per_month", options.hours_per_month);
  v("deadline_hours", options.deadline_hours);
  v("price_max_age_days", options.price_max_age_days);
  v("reserved_max_age_days", options.reserved_max_age_days);
  v("price_offers", options.price_offers);
  v("price_rules", options.price_rules);
  v("highlight_model", options.highlight_model);
  v("handout_models", options.handout_models);
}

template <typename V, typename T>
void fields(V& v, T& model) requires std::is_same_v<std::remove_const_t<T>, SheetModel> {
  v("id", model.id);
  v("title", model.title);
  v("size", model.size);
  v("short_note", model.short_note);
  v("parameters", model.parameters);
  v("layers", model.layers);
  v("hidden", model.hidden);
  v("heads", model.heads);
  v("kv_heads", model.kv_heads);
  v("vocab", model.vocab);
  v("repository", model.repository);
  v("source", model.source);
  v("date", model.date);
}

template <typename V, typename T>
void fields(V& v, T& method) requires std::is_same_v<std::remove_const_t<T>, SheetMethod> {
  v("id", method.id);
  v("title", method.title);
  v("short_title", method.short_title);
  v("description", method.description);
}

template <typename V, typename T>
void fields(V& v, T& gpu) requires std::is_same_v<std::remove_const_t<T>, SheetGpu> {
  v("id", gpu.id);
  v("name", gpu.name);
  v("short_name", gpu.short_name);
  v("tiny_name", gpu.tiny_name);
  v("memory_gb", gpu.memory_gb);
  v("capacity_bytes", gpu.capacity_bytes);
  v("gpus_per_node", gpu.gpus_per_node);
  v("counts", gpu.counts);
  v("list_usd_per_gpu_hour", gpu.list_usd_per_gpu_hour);
  v("vendor", gpu.vendor);
  v("unified_memory", gpu.unified_memory);
  v("bf16", gpu.bf16);
  v("bandwidth_gb_per_s", gpu.bandwidth_gb_per_s);
  v("bf16_dense_tflops", gpu.bf16_dense_tflops);
  v("fp16_dense_tflops", gpu.fp16_dense_tflops);
  v("fp8_dense_tflops", gpu.fp8_dense_tflops);
  v("tdp_w", gpu.tdp_w);
  v("interconnect", gpu.interconnect);
  v("note", gpu.note);
  v("source", gpu.source);
  v("date", gpu.date);
}

template <typename V, typename T>
void fields(V& v, T& scenario) requires std::is_same_v<std::remove_const_t<T>, Scenario> {
  v("id", scenario.id);
  v("title", scenario.title);
  v("stack", scenario.stack);
  v("stack_title", scenario.stack_title);
  v("summary", scenario.summary);
  v("seq_len", scenario.seq_len);
  v("micro_batch", scenario.micro_batch);
  v("grad_accum", scenario.grad_accum);
  v("warnings", scenario.warnings);
}

template <typename V, typename T>
void fields(V& v, T& price) requires std::is_same_v<std::remove_const_t<T>, SheetPrice> {
  v("key", price.key);
  v("provider", price.provider);
  v("region", price.region);
  v("instance", price.instance);
  v("gpu", price.gpu);
  v("tier", price.tier);
  v("offer", price.offer);
  v("gpus", price.gpus);
  v("usd_per_instance_hour", price.usd_per_instance_hour);
  v("usd_per_gpu_hour", price.usd_per_gpu_hour);
  v("as_of", price.as_of);
  v("jurisdiction", price.jurisdiction);
  v("location", price.location);
  v("tenancy", price.tenancy);
  v("source", price.source);
  v("note", price.note);
  v("used", price.used);
  v("excluded", price.excluded);
  v("barred", price.barred);
}

template <typename V, typename T>
void fields(V& v, T& item) requires std::is_same_v<std::remove_const_t<T>, SheetEstimate> {
  v("id", item.id);
  v("title", item.title);
  v("unit", item.unit);
  v("low", item.low);
  v("typical", item.typical);
  v("high", item.high);
  v("basis", item.basis);
  v("source", item.source);
  v("date", item.date);
  v("note", item.note);
  v("role", item.role);
  v("covers", item.covers);
}

template <typename V, typename T>
void fields(V& v, T& machine) requires std::is_same_v<std::remove_const_t<T>, SheetMachine> {
  v("id", machine.id);
  v("title", machine.title);
  v("gpu", machine.gpu);
  v("gpus", machine.gpus);
  v("multi_node", machine.multi_node);
}

template <typename V, typename T>
void fields(V& v, T& constant) requires std::is_same_v<std::remove_const_t<T>, SheetConstant> {
  v("id", constant.id);
  v("value", constant.value);
  v("unit", constant.unit);
  v("reason", constant.reason);
  v("source", constant.source);
}

template <typename V, typename T>
void fields(V& v, T& point) requires std::is_same_v<std::remove_const_t<T>, SequencePoint> {
  v("seq_len", point.seq_len);
  v("device", point.device);
}

template <typename V, typename T>
void fields(V& v, T& series) requires std::is_same_v<std::remove_const_t<T>, SequenceSeries> {
  v("row_key", series.row_key);
  v("capacity", series.capacity);
  v("points", series.points);
  v("longest", series.longest);
}

template <typename V, typename T>
void fields(V& v, T& sheet) requires std::is_same_v<std::remove_const_t<T>, Sheet> {
  v("meta", sheet.meta);
  v("options", sheet.options);
  v("models", sheet.models);
  v("methods", sheet.methods);
  v("gpus", sheet.gpus);
  v("scenarios", sheet.scenarios);
  v("rows", sheet.rows);
  v("picks", sheet.picks);
  v("offers", sheet.offers);
  v("ownership", sheet.ownership);
  v("prices", sheet.prices);
  v("purchase_nodes", sheet.purchase_nodes);
  v("machines", sheet.machines);
  v("rates", sheet.rates);
  v("constants", sheet.constants);
  v("series", sheet.series);
  v("what_if", sheet.what_if);
  v("zero_stages", sheet.zero_stages);
  v("adapter_ranks", sheet.adapter_ranks);
  v("accuracy", sheet.accuracy);
  v("guides", sheet.guides);
  v("guide_differences", sheet.guide_differences);
  v("frameworks", sheet.frameworks);
  v("advice", sheet.advice);
  v("worksheets", sheet.worksheets);
  v("changes", sheet.changes);
  v("inputs", sheet.inputs);
}

}  // namespace sizesheet
