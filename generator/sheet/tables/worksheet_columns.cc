// SPDX-License-Identifier: Apache-2.0
// What a column of a worksheet can show of an answer, and of what lies beyond the row.

#include <algorithm>
#include <map>

#include "cost/rent.h"
#include "sheet/build/rows.h"
#include "sheet/tables/tables.h"
#include "sizing/memory/memory.h"
#include "sizing/memory/pieces.h"
#include "sizing/search/remarks.h"
#include "sizing/time/clocks.h"
#include "support/text.h"

namespace sizesheet {
namespace {

using Figure = std::optional<double>;
using Measure = Figure (*)(const Measured&);

constexpr double kGiga = 1e9;
constexpr double kMega = 1e6;

double as_double(std::int64_t count) { return static_cast<double>(count); }
double as_gib(std::int64_t bytes) { return as_double(bytes) / kGiB; }

Figure as_double(const std::optional<std::int64_t>& count) {
  return count ? Figure(as_double(*count)) : std::nullopt;
}

double optimizer_bytes(const Job& job) {
  return job.state.bf16_moments ? job.optimizer.matrix_bf16 : job.optimizer.matrix;
}

double trained_bytes(const Job& job) {
  return job.state.weight + job.state.gradient + job.state.master + optimizer_bytes(job);
}

double parameters(const Measured& of) { return as_double(of.sizing.parameters.total()); }

/// The rule of thumb: so many bytes a trained parameter, and the frozen base beside the adapters.
double thumb_gib(const Measured& of, double bytes) {
  const double frozen = of.job().full() ? 0 : parameters(of) * (of.job().nf4() ? 0.5 : 2);
  return (frozen + bytes * as_double(of.sizing.trainable)) / kGiB;
}

const Moe* experts_of(const Architecture& model) {
  for (const BlockRun& run : model.runs) {
    if (run.block.moe) return &*run.block.moe;
  }
  return nullptr;
}

Figure experts_per_gpu(const Measured& of) {
  const Moe* moe = experts_of(*of.job().model);
  if (moe == nullptr) return std::nullopt;
  return as_double(moe->experts) / as_double(of.job().layout.ep);
}

/// 16-bit weights of the routed experts that stand whole on one GPU.
Figure experts_gib(const Measured& of) {
  if (experts_of(*of.job().model) == nullptr) return std::nullopt;
  const Layout& layout = of.job().layout;
  return 2 * as_double(of.sizing.parameters.experts) /
         as_double(layout.expert_split() * layout.pp) / kGiB;
}

/// What one GPU sends in a step for data parallelism, by the seconds and the rate of its links.
Figure sent_gb_per_step(const Measured& of) {
  const Gpu* gpu = of.question.gpu;
  if (gpu == nullptr) return std::nullopt;
  const auto speed = of.job().constants->speeds.find(gpu->id);
  if (speed == of.job().constants->speeds.end() || !(speed->second.bus_gb_per_s > 0)) {
    return std::nullopt;
  }
  const Layout& layout = of.job().layout;
  const LinkTimes found = exchange_of(of.job(), *gpu, speed->second, rank_parameters(of.job()));
  const double group = ring_rate(of.job(), *gpu, speed->second, layout.shard_ranks(), layout.tp);
  const double all = ring_rate(of.job(), *gpu, speed->second, layout.replicas(), layout.tp);
  return (found.gather * as_double(of.job().grad_accum) * group + found.reduce * all) / kGiga;
}

/// Host memory of a node, what is loaded and what is pinned.
Figure node_host_gib(const Measured& of) {
  if (!of.sizing.files) return std::nullopt;
  return as_gib(of.sizing.files->host_memory);
}

/// Two GB of host memory for each GB of the node's GPUs, as guides advise.
Figure host_rule_gb(const Measured& of) {
  const Gpu* gpu = of.question.gpu;
  if (gpu == nullptr) return std::nullopt;
  return 2 * gpu->memory_gb * as_double(std::min(of.job().layout.gpus(), gpu->gpus_per_node));
}

Figure tokens_per_step(const Measured& of) {
  const Job& job = of.job();
  return as_double(job.micro_batch * job.seq_len * job.layout.dp * job.grad_accum);
}

/// The lowest current price of the answer's GPUs; nullopt where nobody rents them.
std::optional<MicroUsd> hourly(const Measured& of) {
  if (of.question.gpu == nullptr) return std::nullopt;
  const auto quote = cheapest_rent(of.prices, *of.question.gpu, of.job().layout.gpus());
  return quote ? std::optional(quote->usd_per_hour) : std::nullopt;
}

std::optional<double> run_hours(const Measured& of) {
  if (!of.sizing.hours) return std::nullopt;
  return to_hours(round_hours(of.sizing.hours->mid));
}

/// Millions of tokens that a dollar of rent buys.
std::optional<double> m_tokens_per_usd(const Measured& of) {
  const auto usd = hourly(of);
  if (!usd || !of.sizing.speed || of.sizing.plan.chosen.verdict == Verdict::kNo)
    return std::nullopt;
  constexpr double kSecondsAnHour = 3600;
  const double gpus = static_cast<double>(of.job().layout.gpus());
  return of.sizing.speed->tokens_per_second_per_gpu * gpus * kSecondsAnHour / to_usd(*usd) / 1e6;
}

template <Term... parts>
Figure parts_gib(const Measured& of) {
  return as_gib((of.bill().of(parts) + ...));
}

const std::map<std::string, Measure>& memory_measures() {
  static const std::map<std::string, Measure> all = {
      {"weights_gib", parts_gib<Term::kWeights>},
      {"adapters_gib", parts_gib<Term::kAdapters>},
      {"gradients_gib", parts_gib<Term::kGradients>},
      {"optimizer_gib", parts_gib<Term::kOptimizer>},
      {"logits_gib", parts_gib<Term::kLogits>},
      {"working_gib", parts_gib<Term::kWorkingSet>},
      {"activations_gib", parts_gib<Term::kActivations, Term::kRecompute, Term::kLogits>},
      {"host_gib", [](const Measured& of) -> Figure { return as_gib(of.bill().host); }},
      {"device_gib", [](const Measured& of) -> Figure { return as_gib(of.bill().device); }},
      {"kept_gib",
       [](const Measured& of) -> Figure {
         return memory_pieces<double>(of.job(), of.sizing.plan.chosen.worst_stage()).kept / kGiB;
       }},
      {"other_gib", parts_gib<Term::kWorkingSet, Term::kSlack, Term::kOverhead>},
      {"all_gpus_gib",
       [](const Measured& of) -> Figure {
         return as_gib(of.bill().device) * as_double(of.job().layout.gpus());
       }},
      {"spare_gib",
       [](const Measured& of) -> Figure {
         if (of.bill().capacity == 0) return std::nullopt;
         return as_gib(of.bill().capacity - of.bill().device);
       }},
      {"state_gib",
       [](const Measured& of) -> Figure {
         return trained_bytes(of.job()) * as_double(of.sizing.trainable) / kGiB;
       }},
      {"thumb_16_gib", [](const Measured& of) -> Figure { return thumb_gib(of, 16); }},
      {"thumb_12_gib", [](const Measured& of) -> Figure { return thumb_gib(of, 12); }},
      {"experts_gib", experts_gib},
      {"node_host_gib", node_host_gib},
      {"host_rule_gb", host_rule_gb},
  };
  return all;
}

const std::map<std::string, Measure>& count_measures() {
  static const std::map<std::string, Measure> all = {
      {"gpus", [](const Measured& of) -> Figure { return as_double(of.job().layout.gpus()); }},
      {"by_memory", [](const Measured& of) { return as_double(of.sizing.plan.by_memory); }},
      {"rentable", [](const Measured& of) { return as_double(of.sizing.plan.rentable); }},
      {"comfortable", [](const Measured& of) { return as_double(of.sizing.comfortable); }},
      {"parameters_bn", [](const Measured& of) -> Figure { return parameters(of) / kGiga; }},
      {"trained_m",
       [](const Measured& of) -> Figure { return as_double(of.sizing.trainable) / kMega; }},
      {"trained_percent",
       [](const Measured& of) -> Figure {
         return 100 * as_double(of.sizing.trainable) / parameters(of);
       }},
      {"experts_per_gpu", experts_per_gpu},
      {"tokens_per_step", tokens_per_step},
      {"sequences_per_step",
       [](const Measured& of) -> Figure {
         return as_double(of.job().micro_batch * of.job().layout.dp * of.job().grad_accum);
       }},
      {"base_bytes", [](const Measured& of) -> Figure { return base_bytes(of.job()); }},
      {"bytes_weight", [](const Measured& of) -> Figure { return of.job().state.weight; }},
      {"bytes_gradient", [](const Measured& of) -> Figure { return of.job().state.gradient; }},
      {"bytes_master", [](const Measured& of) -> Figure { return of.job().state.master; }},
      {"bytes_moments", [](const Measured& of) -> Figure { return optimizer_bytes(of.job()); }},
      {"bytes_trained", [](const Measured& of) -> Figure { return trained_bytes(of.job()); }},
      {"sent_gb_per_step", sent_gb_per_step},
      {"tokens_per_second",
       [](const Measured& of) -> Figure {
         if (!of.sizing.speed) return std::nullopt;
         return of.sizing.speed->tokens_per_second_per_gpu;
       }},
      {"mfu_percent",
       [](const Measured& of) -> Figure {
         if (!of.sizing.speed) return std::nullopt;
         return 100 * of.sizing.speed->mfu;
       }},
      {"hours", run_hours},
      {"m_tokens_per_usd", m_tokens_per_usd},
  };
  return all;
}

/// "usd_per_hour" or "usd_per_run" at the lowest current price; nothing where it does not fit.
void put_rent(const Measured& of, const std::string& column, SheetWorksheetRow& row) {
  const auto usd = hourly(of);
  if (!usd || of.sizing.plan.chosen.verdict == Verdict::kNo) return;
  if (column == "usd_per_hour") {
    row.usd[column] = *usd;
  } else if (of.sizing.hours) {
    row.usd[column] = run_cost(*usd, round_hours(of.sizing.hours->mid));
  }
}

/// The smallest card of the catalog, of those that compute in bf16, that holds what one GPU of the
/// row has to, with the headroom.
void put_smallest_card(const Measured& of, SheetWorksheetRow& row) {
  const Gpu* smallest = nullptr;
  for (const auto& [id, gpu] : of.catalog.gpus) {
    const auto capacity = gpu.capacity_bytes();
    if (!capacity || gpu.unified_memory || !gpu.bf16) continue;
    if (smallest != nullptr && *capacity >= *smallest->capacity_bytes()) continue;
    if (verdict_of(of.bill().device, of.job().headroom, *capacity) == Verdict::kFits)
      smallest = &gpu;
  }
  if (smallest != nullptr) row.words["smallest_card"] = smallest->short_name;
}

/// The GPUs of the sheet that cost least an hour and hold the row.
void put_cheapest_setup(const Measured& of, SheetWorksheetRow& row) {
  Json request = of.question.request;
  request.erase("layout");
  for (const std::string& id : of.spec.gpus) {
    request["gpu"] = id;
    const Question question = read_whole_question(request, of.catalog, of.catalog.engine.current);
    const Sizing one = answer(question);
    const auto usd = hourly({of.catalog, of.spec, of.prices, question, one});
    if (!usd || !one.plan.rentable) continue;
    const auto best = row.usd.find("setup_usd_per_hour");
    if (best != row.usd.end() && best->second <= *usd) continue;
    row.usd["setup_usd_per_hour"] = *usd;
    row.words["setup"] = question.gpu->short_name;
    row.figures["setup_gpus"] = static_cast<double>(*one.plan.rentable);
  }
}

}  // namespace

std::vector<std::string> worksheet_measures() {
  std::vector<std::string> ids = {
      "layout",      "setup",   "smallest_card", "usd_per_hour", "setup_usd_per_hour",
      "usd_per_run", "verdict", "binding"};
  for (const auto& [id, unused] : memory_measures()) ids.push_back(id);
  for (const auto& [id, unused] : count_measures()) ids.push_back(id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

void put_measure(const Measured& measured, const std::string& column, SheetWorksheetRow& row) {
  const Verdict verdict = measured.sizing.plan.chosen.verdict;
  if (column == "verdict") {
    if (verdict != Verdict::kUnknown) row.words[column] = id_of(verdict);
    return;
  }
  if (column == "usd_per_hour" || column == "usd_per_run") return put_rent(measured, column, row);
  if (column == "smallest_card") return put_smallest_card(measured, row);
  if (column == "setup") return put_cheapest_setup(measured, row);
  if (column == "setup_usd_per_hour" || column == "layout") return;  // with "setup"; in every row
  if (column == "binding") {
    row.words[column] = binding_words(measured.question, measured.sizing.plan);
    return;
  }
  const auto memory = memory_measures().find(column);
  const Measure measure =
      memory != memory_measures().end() ? memory->second : count_measures().at(column);
  if (const Figure figure = measure(measured)) row.figures[column] = *figure;
}

}  // namespace sizesheet
