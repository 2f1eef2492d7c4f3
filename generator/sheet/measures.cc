// SPDX-License-Identifier: Apache-2.0
#include "sheet/measures.h"

#include <functional>
#include <stdexcept>

#include "catalog/prices/price.h"
#include "cost/ownership.h"
#include "cost/rent.h"
#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/services.h"
#include "sheet/sheet.h"
#include "sheet/spot.h"
#include "sizing/memory/bill.h"
#include "support/json.h"
#include "support/money.h"
#include "support/named.h"
#include "support/text.h"

namespace sizesheet {
namespace {

template <typename T>
FigureValue figure(const T& value) {
  return value;
}
template <typename T>
FigureValue figure(const std::optional<T>& value) {
  return value ? FigureValue(*value) : FigureValue();
}

/// The list under construction.
class Measures {
 public:
  /// A figure that the sweep has as well.
  void swept(std::string id, auto of) { add(std::move(id), of, true); }
  void sheet_only(std::string id, auto of) { add(std::move(id), of, false); }
  void sweep_only(const char* id, auto of) {
    add(id, of, true);
    all.back().in_sheet = false;
  }

  /// Of rows that could be sized only.
  void sized(std::string id, auto of) {
    swept(std::move(id),
          [of](const Row& row) { return row.modelled ? FigureValue(of(row)) : FigureValue(); });
  }
  void bytes(const char* id, std::int64_t MemoryBill::*term) {
    sized(id, [term](const Row& row) { return Bytes{row.memory.*term}; });
  }
  void file(const char* id, std::int64_t RunFiles::*size) {
    swept(id, [size](const Row& row) {
      return row.files ? FigureValue(Bytes{(*row.files).*size}) : FigureValue();
    });
  }
  void rent(const SheetTier& tier, const char* what, auto member, bool in_sweep = false) {
    const auto of = [&tier, member](const Row& row) {
      const auto& line = row.rents[tier];
      return line ? figure((*line).*member) : FigureValue();
    };
    add(std::string(tier.name) + what, of, in_sweep);
  }
  /// Of a run under a rule of rates.
  void spot(const SheetTier& tier, const char* what, std::optional<double> SpotLine::*member) {
    sheet_only(std::string(tier.name) + what, [&tier, member](const Row& row) {
      const auto& line = row.rents[tier];
      return line && line->spot ? figure((*line->spot).*member) : FigureValue();
    });
  }
  /// Of a part that not every row has.
  void of_part(const char* id, auto part, auto member) {
    sheet_only(id, [part, member](const Row& row) {
      return row.*part ? figure(std::invoke(member, *(row.*part))) : FigureValue();
    });
  }
  void own(const char* id, auto member) { of_part(id, &Row::own, member); }
  void owned(const char* id, auto member) { of_part(id, &Row::owned, member); }
  /// Of the candidate that the row shows.
  void candidate(const char* id, auto of) {
    swept(id, [of](const Row& row) {
      const RunCandidate* run = row.set_up();
      return run != nullptr ? figure(of(*run)) : FigureValue();
    });
  }

  /// Of what providers ask; only a diff looks at it.
  void spread(const char* id, auto PriceSpread::*figure_of) {
    sheet_only(id, [figure_of](const Row& row) {
      return row.spread ? figure((*row.spread).*figure_of) : FigureValue();
    });
    all.back().in_sheet = false;
    change_kind("spread_moved");
  }
  /// The kind of change that a move of the last figure is.
  void change_kind(const char* kind) { all.back().change = kind; }
  /// The last figure has a key of its own in sheet.json.
  void flat() { all.back().flat = true; }

  std::vector<Measure> all;

 private:
  void add(std::string id, auto of, bool in_sweep) {
    all.push_back(
        {std::move(id), [of](const Row& row) { return figure(of(row)); }, true, in_sweep});
  }
};

void add_answer(Measures& put) {
  put.swept("model_id", [](const Row& row) { return row.model; });
  put.swept("method_id", [](const Row& row) { return row.method; });
  put.swept("gpu_id", [](const Row& row) { return row.gpu; });
  put.sheet_only("scenario_id", [](const Row& row) { return row.scenario; });
  put.sweep_only("sequence_tokens", [](const Row& row) {
    return static_cast<std::int64_t>(std::stoll(row.scenario));
  });
  put.swept("verdict", [](const Row& row) { return std::string(facts_of(row.standing()).answer); });
  put.swept("certain", [](const Row& row) { return row.certain(); });
  put.swept("gpus_by_memory", [](const Row& row) { return row.by_memory; });
  put.swept("gpus_tight", [](const Row& row) { return row.tight; });
  put.swept("gpus_rentable", [](const Row& row) { return row.rentable; });
  put.swept("gpus_certain", [](const Row& row) { return row.certain_from; });
  put.sheet_only("gpus_for_deadline", [](const Row& row) { return row.deadline_gpus; });
  put.sized("gpus", [](const Row& row) { return row.layout.gpus; });
  put.sized("data_parallel", [](const Row& row) { return row.layout.dp; });
  put.sized("tensor_parallel", [](const Row& row) { return row.layout.tp; });
  put.sized("pipeline_parallel", [](const Row& row) { return row.layout.pp; });
  put.sized("context_parallel", [](const Row& row) { return row.layout.cp; });
  put.sized("expert_parallel", [](const Row& row) { return row.layout.ep; });
  put.sized("shard", [](const Row& row) { return row.layout.shard; });
  put.sized("offload", [](const Row& row) { return row.layout.offload; });
  put.sized("stack", [](const Row& row) { return row.choices.stack; });
  put.sized("micro_batch", [](const Row& row) { return row.choices.micro_batch; });
  put.sized("grad_accum", [](const Row& row) { return row.choices.grad_accum; });
  put.sized("recompute", [](const Row& row) { return row.choices.recompute; });
  put.sized("loss", [](const Row& row) { return row.choices.loss; });
  put.sized("optimizer", [](const Row& row) { return row.choices.optimizer; });
  put.swept("lora_rank", [](const Row& row) { return row.choices.lora_rank; });
  put.swept("lora_targets", [](const Row& row) { return row.choices.lora_targets; });
  put.sized("trainable_parameters", [](const Row& row) { return row.parameters_trainable; });
}

void add_memory(Measures& put) {
  for (const TermFacts& one : kAllocatedTerms) {
    put.sized(std::string(one.id) + "_bytes",
              [&one](const Row& row) { return Bytes{row.memory.terms[one.value]}; });
  }
  put.bytes("allocated_bytes", &MemoryBill::allocated);
  put.bytes("reserved_bytes", &MemoryBill::reserved);
  put.bytes("overhead_bytes", &MemoryBill::overhead);
  put.bytes("device_bytes", &MemoryBill::device);
  put.sized("device_low_bytes", [](const Row& row) { return Bytes{row.device_low}; });
  put.sized("device_high_bytes", [](const Row& row) { return Bytes{row.device_high}; });
  put.swept("confidence", [](const Row& row) { return row.confidence; });
  put.change_kind("confidence_changed");
  put.bytes("capacity_bytes", &MemoryBill::capacity);
  put.swept("peak_phase", [](const Row& row) { return row.memory.peak_phase; });
}

void add_time(Measures& put) {
  put.swept("tokens_per_second_per_gpu",
            [](const Row& row) { return row.tokens_per_second_per_gpu; });
  put.swept("gpu_measured", [](const Row& row) { return row.speed_measured; });
  put.swept("hours_low", [](const Row& row) { return row.hours_low; });
  put.swept("hours_mid", [](const Row& row) { return row.hours_mid; });
  put.swept("hours_high", [](const Row& row) { return row.hours_high; });
  put.of_part("fastest_stack", &Row::fastest_stack, &StackRun::stack);
  put.of_part("fastest_stack_hours_mid", &Row::fastest_stack,
              [](const StackRun& run) { return run.hours.mid; });
  put.of_part("fastest_stack_usd_per_run", &Row::fastest_stack,
              [](const StackRun& run) { return run.usd.mid; });
  put.file("adapter_bytes", &RunFiles::adapter);
  put.file("checkpoint_bytes", &RunFiles::checkpoint);
  put.file("host_memory_bytes", &RunFiles::host_memory);
  put.file("disk_bytes", &RunFiles::disk);
}

void add_rent(Measures& put) {
  for (const SheetTier& tier : kRentTiers) {
    const bool first = &tier == &kOnDemand;
    put.rent(tier, "_usd_per_hour", &RentLine::usd_per_hour, first);
    put.flat();
    if (!first) put.change_kind("other_rent_moved");
    if (tier.by_month()) {
      put.rent(tier, "_usd_per_month", &RentLine::usd_per_month);
      put.rent(tier, "_break_even_hours_per_month", &RentLine::break_even_hours_per_month);
    }
    put.rent(tier, "_usd_per_run", &RentLine::usd_per_run, first);
    put.flat();
    put.all.back().in_sheet = !tier.by_month();
    if (first) {
      put.rent(tier, "_usd_per_million_tokens", &RentLine::usd_per_million_tokens, true);
      put.rent(tier, "_usd_per_3_days", &RentLine::usd_per_3_days);
      put.rent(tier, "_usd_per_weekend", &RentLine::usd_per_weekend);
      put.rent(tier, "_usd_per_month", &RentLine::usd_per_full_month);
    } else if (tier.interrupted) {
      put.rent(tier, "_usd_per_run_interrupted", &RentLine::usd_per_run_interrupted);
      put.spot(tier, "_hours_expected", &SpotLine::hours);
      put.spot(tier, "_interruptions_expected", &SpotLine::interruptions);
    }
  }
  put.candidate("list_usd_per_run_low", [](const RunCandidate& run) { return run.usd.low; });
  put.flat();
  put.candidate("list_usd_per_run_high", [](const RunCandidate& run) { return run.usd.high; });
  put.flat();
  put.candidate("provider", [](const RunCandidate& run) { return run.provider; });
  put.flat();
  put.candidate("price_as_of", [](const RunCandidate& run) { return run.price_as_of; });
  put.candidate("providers", [](const RunCandidate& run) { return run.offers; });
  put.candidate("one_seller", [](const RunCandidate& run) { return run.exposed; });
  put.swept("price_key", [](const Row& row) {
    return row.rents[kOnDemand] ? row.rents[kOnDemand]->price_key : std::string();
  });
  for (const SheetTier& tier : kRentTiers) put.rent(tier, "_gpus_paid", &RentLine::gpus_paid);
  put.spread("spread_low_usd_per_gpu_hour", &PriceSpread::low);
  put.spread("spread_median_usd_per_gpu_hour", &PriceSpread::median);
  put.spread("spread_high_usd_per_gpu_hour", &PriceSpread::high);
  put.spread("spread_providers", &PriceSpread::providers);
}

/// Of the cheapest fine-tuning service, which no pick is.
void add_service(Measures& put) {
  put.of_part("service_provider", &Row::service, &RowService::provider);
  put.of_part("service_usd_per_run", &Row::service, &RowService::usd_per_run);
}

void add_own(Measures& put) {
  put.own("nodes_bought", &OwnLine::nodes);
  put.own("unused_gpus", &OwnLine::unused_gpus);
  put.own("unused_usd_per_month", &OwnLine::unused_usd_per_month);
  put.own("capex_usd", &OwnLine::capex_usd);
  put.flat();
  put.own("own_usd_per_month", &OwnLine::own_usd_per_month);
  put.flat();
  put.own("own_usd_per_gpu_hour", &OwnLine::own_usd_per_gpu_hour);
  put.flat();
  put.own("own_usd_per_run", &OwnLine::own_usd_per_run);
  put.flat();
  put.own("break_even_utilisation", &OwnLine::break_even_utilisation);
  put.own("break_even_hours_per_month", &OwnLine::break_even_hours_per_month);
  put.flat();
  put.own("break_even_runs_per_month", &OwnLine::break_even_runs_per_month);
  put.own("payback_month", &OwnLine::payback_month);
  put.own("payback_month_cash", &OwnLine::payback_month_cash);
  put.own("savings_usd_over_life", &OwnLine::savings_usd_over_life);
  put.own("npv_usd", &OwnLine::npv_usd);
  put.owned("buy_machine", &OwnPick::machine);
  put.owned("buy_machines", &OwnPick::machines);
  put.owned("buy_unused_gpus", &OwnPick::unused_gpus);
  put.owned("buy_capex_usd", &OwnPick::capex_usd);
  put.owned("buy_usd_per_month", &OwnPick::usd_per_month);
  put.owned("buy_usd_per_run", &OwnPick::usd_per_run);
  put.owned("buy_against_usd_per_run", &OwnPick::rent_usd_per_run);
  put.owned("buy_from_runs_per_month", &OwnPick::break_even_runs_per_month);
  put.owned("buy_from_hours_per_month", &OwnPick::break_even_hours_per_month);
  put.owned("planned_runs_per_month", &OwnPick::planned_runs_per_month);
  put.owned("advice", &OwnPick::advice);
  put.flat();
  put.owned("advice_at_hours", &OwnPick::advice_at_hours);
  put.owned("close", &OwnPick::close);
  put.owned("decision", &OwnPick::word);
  put.sheet_only("rent_pick", [](const Row& row) {
    return row.modelled ? FigureValue(row.rent_pick) : FigureValue();
  });
}

std::vector<Measure> all_measures() {
  Measures put;
  add_answer(put);
  add_memory(put);
  add_time(put);
  add_rent(put);
  add_own(put);
  add_service(put);
  put.sweep_only("refusal", [](const Row& row) { return row.refusal; });
  return std::move(put.all);
}

}  // namespace

Json json_of(const FigureValue& value) {
  struct Written {
    Json operator()(std::monostate) const { return nullptr; }
    Json operator()(Bytes bytes) const { return bytes.value; }
    Json operator()(MicroUsd usd) const { return to_usd(usd); }
    Json operator()(std::int64_t count) const { return count; }
    Json operator()(double number) const { return number; }
    Json operator()(bool flag) const { return flag; }
    Json operator()(const std::string& text) const { return text; }
  };
  return std::visit(Written{}, value);
}

const std::vector<Measure>& measures() {
  static const std::vector<Measure> kMeasures = all_measures();
  return kMeasures;
}

const Measure& measure(std::string_view id) {
  if (const auto* known = entry_with(measures(), &Measure::id, id)) return *known;
  throw std::out_of_range("no such measure: " + std::string(id));
}

std::int64_t floor_bytes(const MemoryBill& bill) {
  return bill.phases.known() ? bill.phases.in(Phase::kOptimizerStep) + bill.overhead : 0;
}

std::string offer_of(const std::string& price_key) {
  return price_key.substr(0, price_key.rfind('/'));
}

}  // namespace sizesheet
