// SPDX-License-Identifier: Apache-2.0
// Builds the sample sheets by loops over made-up facts, with a small memory and money model of its
// own.

#include "render/sample_sheet.h"

#include <algorithm>
#include <cmath>

#include "render/sample_rows.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/memory.h"
#include "sizing/memory/verdict.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet {

namespace {

using sample::SampleCell;

constexpr double kHeadroom = 0.10;

void add_term(Row& row, const char* name, const char* title, const Traced& bytes,
              const char* source) {
  row.terms.push_back({name, title, std::llround(bytes.value()), formula_of(bytes), source});
}

/// The terms of one cell on n GPUs: shards over n, one sequence of activations, gathered units.
void add_terms(Row& row, const SampleCell& cell, std::int64_t n) {
  const bool full = cell.method.id == "full";
  const bool quantised = starts_with(cell.method.id, "qlora");
  const SheetModel& m = cell.model;
  const Traced parameters = Traced::input("P", static_cast<double>(m.parameters));
  const Traced gpus = Traced::input("n", static_cast<double>(n));
  const Traced trainable = Traced::input("p", static_cast<double>(row.parameters_trainable));
  const Traced layers = Traced::input("L", static_cast<double>(m.layers));
  const Traced tokens = Traced::input("s", static_cast<double>(cell.scenario.seq_len));
  const Traced width = Traced::input("d", static_cast<double>(m.hidden));
  const Traced per_weight = quantised ? Traced(0.5625) : Traced(full ? 4 : 2);
  add_term(row, "weights", "Weights", per_weight * parameters / gpus, "made-up, FSDP2 shard");
  add_term(row, "adapters", "Adapters", full ? Traced(0.0) : 4.0 * trainable / gpus,
           "made-up, PEFT");
  add_term(row, "gradients", "Gradients", 4.0 * trainable / gpus, "made-up");
  add_term(row, "optimizer", "Optimizer", 8.0 * trainable / gpus, "method.html#state");
  const Traced kept = cell.scenario.id == "main" ? Traced(2.0) : Traced(34.0);
  add_term(row, "activations", "Activations", kept * layers * tokens * width, "made-up");
  add_term(row, "recompute", "Recompute", 48.0 * tokens * width, "made-up");
  add_term(row, "logits", "Logits", 2.5 * tokens * Traced::input("V", static_cast<double>(m.vocab)),
           "method.html#loss");
  const Traced unit = Traced::step("unit", parameters / layers);
  add_term(row, "working_set", "Working set", n == 1 ? Traced(0.0) : 4.0 * unit, "made-up");
  double fixed = 0;
  double moving = 0;
  for (std::size_t i = 0; i < row.terms.size(); ++i) {
    (i < 4 ? fixed : moving) += static_cast<double>(row.terms[i].bytes);
  }
  add_term(row, "allocator_slack", "Allocator slack",
           0.1 * Traced::input("dynamic", moving) + 0.02 * Traced::input("static", fixed),
           "method.html#overheads");
  const Traced context = Traced::input("context", 0.55 * kGiB);
  add_term(row, "overhead", "Overhead",
           n == 1 ? context : context + Traced::input("communicator", 0.6 * kGiB),
           "measured, made-up");
}

void fill_phases(MemoryBill& bill) {
  const bool loss = bill.of(Term::kLogits) > bill.of(Term::kRecompute);
  bill.peak_phase = loss ? "loss_backward" : "block_backward";
  const std::map<Phase, std::int64_t> percent = {
      {Phase::kForward, 84},       {Phase::kLoss, 92},        {Phase::kLossBackward, 95},
      {Phase::kBlockBackward, 95}, {Phase::kEndBackward, 78}, {Phase::kOptimizerStep, 71}};
  for (const auto& [phase, share] : percent) {
    bill.phases.set(phase, bill.allocated * share / 100);
    bill.phases_step1.set(phase, bill.allocated * (share - 4) / 100);
  }
  bill.phases.set(phase_named(bill.peak_phase).value(), bill.allocated);
}

void size(Row& row, const SampleCell& cell, std::int64_t n) {
  row.terms.clear();
  add_terms(row, cell, n);
  MemoryBill& bill = row.memory;
  for (const TermFacts& one : kAllocatedTerms) {
    bill.terms[one.value] = row.terms[static_cast<std::size_t>(one.value)].bytes;
  }
  bill.allocated = bill.terms.sum();
  bill.reserved = bill.allocated + row.terms[8].bytes;
  bill.overhead = row.terms[9].bytes;
  bill.device = bill.reserved + bill.overhead;
  bill.capacity = cell.gpu.capacity_bytes;
  fill_phases(bill);
  row.verdict = verdict_of(bill.device, kHeadroom, bill.capacity);
  row.layout.gpus = n;
  row.layout.dp = n;
  row.layout.shard = n == 1 ? "none" : "zero3";
  row.layout.recompute = cell.scenario.id == "main" ? "full" : "none";
  row.layout.loss = "fused-linear";
  row.device_low = bill.device * 93 / 100;
  row.device_high = bill.device * 106 / 100;
  row.confidence = "B";
}

CountCheck check_of(const Row& row) {
  const MemoryBill& bill = row.memory;
  const auto largest =
      std::max_element(row.terms.begin(), row.terms.end(),
                       [](const MemoryTerm& a, const MemoryTerm& b) { return a.bytes < b.bytes; });
  return {row.layout.gpus,  row.verdict,  bill.device,
          bill.device_high, bill.certain, std::max<std::int64_t>(0, bill.device - bill.capacity),
          bill.peak_phase,  largest->name};
}

/// The smallest count that holds at all lies between the last one on offer that does not and the
/// first one that does.
void search_bare_minimum(Row& row, const SampleCell& cell) {
  if (!row.tight) return;
  std::int64_t below = 0;
  for (const std::int64_t n : cell.gpu.counts) {
    if (n < *row.tight) below = n;
  }
  for (std::int64_t n = below + 1; n <= *row.tight; ++n) {
    Row trial = row;
    size(trial, cell, n);
    if (trial.verdict == Verdict::kNo) continue;
    row.by_memory = n;
    return;
  }
}

void search(Row& row, const SampleCell& cell) {
  for (const std::int64_t n : cell.gpu.counts) {
    Row trial = row;
    size(trial, cell, n);
    row.counts.push_back(check_of(trial));
    if (trial.verdict != Verdict::kNo && !row.tight) row.tight = n;
    if (trial.verdict != Verdict::kFits) continue;
    row.rentable = n;
    break;
  }
  search_bare_minimum(row, cell);
  const std::int64_t chosen = row.rentable ? *row.rentable
                              : row.tight  ? *row.tight
                                           : cell.gpu.counts.back();
  size(row, cell, chosen);
  for (const CountCheck& check : row.counts) {
    if (check.gpus < chosen) row.fewer = check;
  }
  if (row.fewer) row.fingerprint = row.fewer->peak_phase;
  const std::string largest = check_of(row).largest_term;
  row.binding = row.verdict == Verdict::kNo ? largest + " bind; this card has no larger set-up"
                                            : largest + " bind; more GPUs help";
}

void time(Row& row, const SampleCell& cell, std::int64_t tokens) {
  if (row.verdict == Verdict::kNo) return;
  const double flops =
      (cell.method.id == "full" ? 8.0 : 6.0) * static_cast<double>(cell.model.parameters);
  const double efficiency = starts_with(cell.method.id, "qlora") ? 0.31 : 0.42;
  row.mfu = efficiency * 0.75;
  row.clocks = {{"matmul", "matrix products", 2.1}, {"memory", "memory traffic", 0.9}};
  row.speed_measured = cell.gpu.id != "gb10";
  row.tokens_per_second_per_gpu = cell.gpu.bf16_dense_tflops.value() * 1e12 * efficiency / flops;
  const double rate = *row.tokens_per_second_per_gpu * static_cast<double>(row.layout.gpus);
  const double hours = static_cast<double>(tokens) / rate / 3600;
  const auto rounded = [](double value) { return std::floor(value * 1e4 + 0.5) / 1e4; };
  row.hours_mid = rounded(hours);
  row.hours_low = rounded(hours * 0.82);
  row.hours_high = rounded(hours * 1.27);
}

Row refused(const SampleCell& cell, const std::string& why) {
  Row row;
  row.model = cell.model.id;
  row.method = cell.method.id;
  row.gpu = cell.gpu.id;
  row.scenario = cell.scenario.id;
  row.modelled = false;
  row.refusal = why;
  return row;
}

Row sized(const SampleCell& cell, const Sheet& sheet) {
  Row row = refused(cell, "");
  row.modelled = true;
  const double adapters = 0.006 * static_cast<double>(cell.model.parameters);
  row.parameters_trainable =
      cell.method.id == "full" ? cell.model.parameters : std::llround(adapters);
  search(row, cell);
  time(row, cell, sheet.options.tokens);
  if (row.hours_mid) row.files = sample::files_of(row);
  sample::add_rent(row, sheet);
  sample::add_own(row, cell, sheet);
  if (row.hours_mid && *row.hours_mid > 24 && row.rentable) row.deadline_gpus = *row.rentable * 2;
  if (cell.method.id == "qlora-r16" && row.layout.gpus > 1) {
    row.warnings.push_back("4-bit weights shard only with bf16 storage.");
  }
  return row;
}

Row row_of(const SampleCell& cell, const Sheet& sheet) {
  const bool quantised = cell.method.id == "qlora-r16";
  if (quantised && cell.scenario.id != "main") {
    return refused(cell, "qlora: Megatron Bridge loads no 4-bit base");
  }
  if (quantised && cell.gpu.id == "mi300x" && cell.model.size == "400B") {
    return refused(cell, "qlora: no tested 4-bit path on this card at this size");
  }
  return sized(cell, sheet);
}

SequenceSeries series_of(const Row& row) {
  SequenceSeries series;
  series.row_key = row.key();
  series.capacity = row.memory.capacity;
  const MemoryBill& bill = row.memory;
  const std::int64_t moving = bill.terms.sum(Term::kActivations, Term::kRecompute, Term::kLogits);
  for (std::int64_t length = 1024; length <= 32'768; length *= 2) {
    const std::int64_t device = bill.device - moving + moving * length / 4096;
    series.points.push_back({length, device});
    if (verdict_of(device, kHeadroom, bill.capacity) == Verdict::kFits) series.longest = length;
  }
  return series;
}

void add_rows(Sheet& sheet, const Scenario& scenario) {
  const bool main = scenario.id == sheet.scenarios.front().id;
  for (const SheetModel& model : sheet.models) {
    const bool both = model.id == "llama-3.1-70b" || model.id == "size-7b";
    for (const SheetMethod& method : sheet.methods) {
      for (const SheetGpu& gpu : sheet.gpus) {
        if (!main && (!both || gpu.id != "h100-sxm")) continue;
        sheet.rows.push_back(row_of({model, method, gpu, scenario}, sheet));
      }
    }
  }
}

void add_what_if(Sheet& sheet, const SheetModel& model, const Row& rented) {
  sheet.what_if.push_back(sample::what_if_of(rented));
  if (rented.method == "full") sheet.zero_stages.push_back(sample::zero_stages_of(rented));
  if (rented.method == "lora-r16") {
    sheet.adapter_ranks.push_back(sample::adapter_ranks_of(rented, model));
  }
}

/// Rows, picks and series for the models, methods, GPU types and scenarios already set.
void sweep(Sheet& sheet) {
  for (const Scenario& scenario : sheet.scenarios) add_rows(sheet, scenario);
  for (const SheetModel& model : sheet.models) {
    for (const SheetMethod& method : sheet.methods) {
      sheet.picks.push_back(sample::pick_of(sheet, model, method));
      const Pick& pick = sheet.picks.back();
      for (Row& row : sheet.rows) {
        if (row.model == model.id && row.method == method.id) row.owned = pick.own;
      }
      if (!pick.rent_key) continue;
      const Row& rented = *sheet.find(*pick.rent_key);
      sheet.series.push_back(series_of(rented));
      sheet.offers.push_back(sample::offers_of(sheet, rented));
      add_what_if(sheet, model, rented);
    }
  }
  sheet.ownership = sample::ownership_of(sheet);
}

}  // namespace

Pick sample::pick_of(const Sheet& sheet, const SheetModel& model, const SheetMethod& method) {
  Pick pick;
  pick.model = model.id;
  pick.method = method.id;
  pick.scenario = sheet.scenarios.front().id;
  const Row* rented = nullptr;
  const Row* owned = nullptr;
  for (const Row& row : sheet.rows) {
    if (row.model != model.id || row.method != method.id || row.scenario != pick.scenario) continue;
    if (row.rents[kOnDemand] &&
        (!rented || *row.rents[kOnDemand]->usd_per_run < *rented->rents[kOnDemand]->usd_per_run))
      rented = &row;
    if (row.own && (!owned || *row.own->own_usd_per_run < *owned->own->own_usd_per_run))
      owned = &row;
  }
  pick.rent_why =
      rented ? "lowest $/run of the GPU types that fit and have a price" : "nothing fits";
  pick.buy_why = owned ? "lowest own $/run" : "nothing fits";
  if (rented) pick.rent_key = rented->key();
  if (owned) pick.buy_key = owned->key();
  if (owned && owned->hours_mid) pick.own = owned_of(*owned, rented);
  return pick;
}

const Sheet& sample_sheet() {
  static const Sheet kSheet = [] {
    Sheet sheet = sample::parts();
    sweep(sheet);
    return sheet;
  }();
  return kSheet;
}

const Sheet& tiny_sheet() {
  static const Sheet kSheet = [] {
    Sheet sheet = sample::parts();
    sheet.models = {sheet.models[2], sheet.models[6]};
    sheet.methods = {sheet.methods[0], sheet.methods[2]};
    sheet.gpus = {sheet.gpus[4], sheet.gpus[8]};
    sheet.scenarios.resize(1);
    sheet.options.highlight_model = "llama-3.1-8b";
    sheet.purchase_nodes = {sheet.purchase_nodes[3], sheet.purchase_nodes[7]};
    std::erase_if(sheet.prices, [](const SheetPrice& row) { return row.gpu != "h100-sxm"; });
    sheet.constants.resize(2);
    sheet.rates.resize(3);
    sweep(sheet);
    return sheet;
  }();
  return kSheet;
}

}  // namespace sizesheet
