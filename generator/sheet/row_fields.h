// SPDX-License-Identifier: Apache-2.0
// The fields of a row of the Sheet: memory, layout, hours, money; see fields.h.
#pragma once

#include <type_traits>

#include "sheet/money_fields.h"
#include "sheet/sheet.h"
#include "sheet/tiers.h"

namespace sizesheet {

template <typename V, typename T>
void fields(V& v, T& bill) requires std::is_same_v<std::remove_const_t<T>, MemoryBill> {
  v("weights", bill.weights);
  v("adapters", bill.adapters);
  v("gradients", bill.gradients);
  v("optimizer", bill.optimizer);
  v("activations", bill.activations);
  v("recompute", bill.recompute);
  v("logits", bill.logits);
  v("working_set", bill.working_set);
  v("allocated", bill.allocated);
  v("reserved", bill.reserved);
  v("overhead", bill.overhead);
  v("device", bill.device);
  v("capacity", bill.capacity);
  v("host", bill.host);
  v("stage", bill.stage);
  v("peak_phase", bill.peak_phase);
  v("phases", bill.phases);
  v("phases_step1", bill.phases_step1);
}

template <typename V, typename T>
void fields(V& v, T& term) requires std::is_same_v<std::remove_const_t<T>, MemoryTerm> {
  v("name", term.name);
  v("title", term.title);
  v("bytes", term.bytes);
  v("formula", term.formula.text);
  v("inputs", term.formula.inputs);
  v("steps", term.formula.steps);
  v("source", term.source);
}

template <typename V, typename T>
void fields(V& v, T& shape) requires std::is_same_v<std::remove_const_t<T>, LayoutShape> {
  v("gpus", shape.gpus);
  v("dp", shape.dp);
  v("tp", shape.tp);
  v("pp", shape.pp);
  v("cp", shape.cp);
  v("ep", shape.ep);
  v("etp", shape.etp);
  v("vpp", shape.vpp);
  v("shard", shape.shard);
  v("offload", shape.offload);
  v("recompute", shape.recompute);
  v("loss", shape.loss);
}

template <typename V, typename T>
void fields(V& v, T& check) requires std::is_same_v<std::remove_const_t<T>, CountCheck> {
  v("gpus", check.gpus);
  v("verdict", check.verdict);
  v("device", check.device);
  v("over", check.over);
  v("peak_phase", check.peak_phase);
  v("largest_term", check.largest_term);
}

template <typename V, typename T>
void fields(V& v, T& clock) requires std::is_same_v<std::remove_const_t<T>, StepClock> {
  v("id", clock.id);
  v("title", clock.title);
  v("seconds", clock.seconds);
}

template <typename V, typename T>
void fields(V& v, T& row) requires std::is_same_v<std::remove_const_t<T>, Row> {
  v("model", row.model);
  v("method", row.method);
  v("gpu", row.gpu);
  v("scenario", row.scenario);
  v("modelled", row.modelled);
  v("refusal", row.refusal);
  v("verdict", row.verdict);
  v.group("minimum", [&](auto& group) {
    group("by_memory", row.by_memory);
    group("tight", row.tight);
    group("rentable", row.rentable);
  });
  v("parameters_trainable", row.parameters_trainable);
  v("layout", row.layout);
  v("memory", row.memory);
  v("terms", row.terms);
  v("binding", row.binding);
  v("counts", row.counts);
  v("fewer", row.fewer);
  v("fingerprint", row.fingerprint);
  v.group("interval", [&](auto& group) {
    group("device_low", row.device_low);
    group("device_high", row.device_high);
    group("grade", row.confidence);
  });
  v("warnings", row.warnings);
  v.group("throughput", [&](auto& group) {
    group("tokens_per_second_per_gpu", row.tokens_per_second_per_gpu);
    group("gpu_measured", row.speed_measured);
    group("mfu", row.mfu);
    group("clocks", row.clocks);
  });
  v.group("hours", [&](auto& group) {
    group("low", row.hours_low);
    group("mid", row.hours_mid);
    group("high", row.hours_high);
  });
  v("files", row.files);
  v("deadline_gpus", row.deadline_gpus);
  v.group("rent", [&](auto& group) {
    for (const RentTier& tier : kRentTiers) group(tier.name, row.*tier.line);
    group("spread", row.spread);
  });
  v("own", row.own);
  v("cost_terms", row.cost_terms);
  v("quantity_terms", row.quantity_terms);
}

}  // namespace sizesheet
