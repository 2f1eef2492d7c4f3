// SPDX-License-Identifier: Apache-2.0
// Parameters, adapters, layers and methods of the page of frameworks.
#include "render/html/frameworks_page.h"
#include "render/html/proof.h"
#include "render/phrases.h"
#include "support/text.h"

namespace sizesheet {

namespace {

/// "93.0 %", "< 0.1 %".
std::string share_words(double share) {
  constexpr double kHundred = 100;
  constexpr double kLeast = 0.0005;
  if (share > 0 && share < kLeast) return "<\u00a00.1\u00a0%";
  return format_number(share * kHundred, 1) + "\u00a0%";
}

/// Two decimals under 10 GiB, one above; "0" for nothing, never for little.
std::string small_gib(std::int64_t bytes) {
  constexpr std::int64_t kTenGib = 10LL << 30;
  constexpr double kLeast = 0.005;
  if (bytes > 0 && static_cast<double>(bytes) < kLeast * kGiB) return "<\u00a00.01";
  return bytes == 0 ? "0" : format_gib(bytes, bytes < kTenGib ? 2 : 1);
}

Json component_row(const SheetComponent& component) {
  return {{"component_title", component.title},
          {"component_parameters", millions(component.parameters)},
          {"component_exact", format_integer(component.parameters)},
          {"component_gib", small_gib(component.bf16_bytes)},
          {"component_share", share_words(component.share)}};
}

/// "220,968,448 (tested)" for an exact count, "≈ 214 M (theoretical)" for a rounded one.
Json published_rows(const SheetAdapterCount& count) {
  Json rows = Json::array();
  for (const PublishedAdapters& one : count.published) {
    const std::string value =
        one.within == 0 ? format_integer(one.value) : "≈\u00a0" + format_parameters(one.value);
    Json row = {{"published_value", value},
                {"published_of", one.of == "experts" ? " on experts" : ""},
                {"published_evidence", one.evidence}};
    put_source(row, "source", one.source);
    rows.push_back(row);
  }
  return rows;
}

Json adapter_row(const SheetAdapterCount& count) {
  Json row = {
      {"adapter_rank", format_integer(count.rank)}, {"adapter_dense", millions(count.dense)},
      {"adapter_total", millions(count.total)},     {"adapter_gib", small_gib(count.bf16_bytes)},
      {"adapter_share", share_words(count.share)},  {"adapter_published", published_rows(count)}};
  row["adapter_expert"] = count.expert == 0 ? "0" : millions(count.expert);
  row["adapter_has_published"] = !row["adapter_published"].empty();
  return row;
}

Json layer_row(const SheetLayerRow& layer) {
  Json row = {{"layer_title", layer.title},
              {"layer_bytes", format_number(layer.bytes_per_token, 0)},
              {"layer_gib", format_gib(layer.kept, 1)},
              {"layer_share", share_words(layer.share)}};
  row["layer_count"] = layer.layers ? format_integer(*layer.layers) : std::string(kAbsent);
  row["layer_printed"] =
      layer.printed_gb ? format_number(*layer.printed_gb, 1) : std::string(kAbsent);
  return row;
}

Json comparison_row(const SheetMethodRow& method) {
  const MemoryBill& bill = method.memory;
  Json row = {{"method_title", method.title},
              {"method_trainable", millions(method.trainable)},
              {"method_weights", small_gib(bill.weights)},
              {"method_adapters", small_gib(bill.adapters)},
              {"method_gradients", small_gib(bill.gradients)},
              {"method_optimizer", small_gib(bill.optimizer)},
              {"method_activations", small_gib(bill.activations + bill.recompute)},
              {"method_logits", small_gib(bill.logits)},
              {"method_rest", small_gib(bill.device - bill.allocated + bill.working_set)},
              {"method_gib", format_gib(bill.device, 1)},
              {"method_peak", phase_words(bill.peak_phase)}};
  put_verdict(row, "method", method.verdict, bill.device, bill.capacity);
  return row;
}

}  // namespace

void put_components(Json& values, const SheetFrameworkSet& set) {
  constexpr std::int64_t kBf16Bytes = 2;
  values["component_rows"] = Json::array();
  for (const SheetComponent& component : set.parameters) {
    values["component_rows"].push_back(component_row(component));
  }
  values["total_parameters"] = millions(set.total_parameters);
  values["total_exact"] = format_integer(set.total_parameters);
  values["total_gib"] = format_gib(kBf16Bytes * set.total_parameters, 1);
  values["active_parameters"] = millions(set.active_parameters);
}

void put_adapters(Json& values, const SheetFrameworkSet& set) {
  values["adapter_modes"] = Json::array();
  for (const SheetAdapterMode& mode : set.adapters) {
    Json rows = Json::array();
    for (const SheetAdapterCount& count : mode.counts) rows.push_back(adapter_row(count));
    values["adapter_modes"].push_back(
        {{"mode_title", mode.title}, {"mode_words", mode.words}, {"adapter_rows", rows}});
  }
}

void put_layers(Json& values, const SheetFrameworkSet& set) {
  values["layers_words"] = set.layers.words;
  values["layers_tokens"] = format_integer(set.layers.tokens);
  values["layer_sets"] = Json::array();
  for (const SheetLayerSet& variant : set.layers.sets) {
    Json rows = Json::array();
    for (const SheetLayerRow& layer : variant.rows) rows.push_back(layer_row(layer));
    values["layer_sets"].push_back({{"layer_set_title", variant.title},
                                    {"layer_total", format_gib(variant.kept, 1)},
                                    {"layer_rows", rows}});
  }
}

void put_comparison(Json& values, const SheetFrameworkSet& set) {
  values["comparison_words"] = set.comparison.words;
  values["comparison_rows"] = Json::array();
  for (const SheetMethodRow& method : set.comparison.rows) {
    values["comparison_rows"].push_back(comparison_row(method));
  }
}

}  // namespace sizesheet
