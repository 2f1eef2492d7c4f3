// SPDX-License-Identifier: Apache-2.0
#include "sheet/tables/worksheets.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "catalog/catalog.h"
#include "catalog/facts/gpu.h"
#include "catalog/files/loader.h"
#include "catalog/models/architecture.h"
#include "catalog/published/worksheet.h"
#include "cost/rent.h"
#include "sheet/rows/price_row.h"
#include "sheet/rows/size_row.h"
#include "sheet/sections.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "sheet/tables/frameworks.h"
#include "sizing/advice/limits.h"
#include "sizing/answer/estimate.h"
#include "sizing/job/job.h"
#include "sizing/memory/adapted_base.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/memory.h"
#include "sizing/memory/pieces.h"
#include "sizing/memory/verdict.h"
#include "sizing/request/question.h"
#include "sizing/time/clocks.h"
#include "sizing/time/exchange.h"
#include "support/error.h"
#include "support/json.h"
#include "support/money.h"
#include "support/named.h"
#include "support/parallel.h"
#include "support/text.h"
#include "support/whole_numbers.h"

namespace sizesheet {
namespace {

/// What every table of a sheet is worked out from.
struct Basis {
  const Catalog& catalog;
  const SheetSpec& spec;
  CurrentPrices prices;  ///< on demand
};

/// One row's question with its answer.
struct Measured {
  const Basis& basis;
  const Question& question;
  const Sizing& sizing;

  const Job& job() const { return sizing.plan.chosen.job; }
  const MemoryBill& bill() const { return sizing.plan.chosen.bill; }
  Verdict verdict() const { return sizing.plan.chosen.verdict; }
};

using Figure = std::optional<double>;
using Measure = Figure (*)(const Measured&);

constexpr double kGiga = 1e9;
constexpr double kMega = 1e6;

double as_double(std::int64_t count) { return static_cast<double>(count); }
double as_gib(std::int64_t bytes) { return as_double(bytes) / kGiB; }

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

Figure experts_per_gpu(const Measured& of) {
  for (const BlockRun& run : of.job().model->runs) {
    if (run.block.moe) return as_double(run.block.moe->experts) / as_double(of.job().layout.ep);
  }
  return std::nullopt;
}

/// 16-bit weights of the routed experts that stand whole on one GPU.
Figure experts_gib(const Measured& of) {
  if (of.sizing.parameters.experts == 0) return std::nullopt;
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

/// Two GB of host memory for each GB of the node's GPUs, as guides advise.
Figure host_rule_gb(const Measured& of) {
  const Gpu* gpu = of.question.gpu;
  if (gpu == nullptr) return std::nullopt;
  return 2 * gpu->memory_gb * as_double(std::min(of.job().layout.gpus(), gpu->gpus_per_node));
}

double sequences_per_step(const Measured& of) {
  return as_double(of.job().micro_batch * of.job().layout.dp * of.job().grad_accum);
}

/// The lowest current price of the answer's GPUs; nullopt where nobody rents them.
std::optional<MicroUsd> hourly(const Measured& of) {
  if (of.question.gpu == nullptr) return std::nullopt;
  const auto quote = cheapest_rent(of.basis.prices, *of.question.gpu, of.job().layout.gpus());
  return quote ? std::optional(quote->usd_per_hour) : std::nullopt;
}

/// Millions of tokens that a dollar of rent buys.
Figure m_tokens_per_usd(const Measured& of) {
  const auto usd = hourly(of);
  if (!usd || !of.sizing.speed || of.verdict() == Verdict::kNo) return std::nullopt;
  constexpr double kSecondsAnHour = 3600;
  const double gpus = as_double(of.job().layout.gpus());
  return of.sizing.speed->tokens_per_second_per_gpu * gpus * kSecondsAnHour / to_usd(*usd) / kMega;
}

template <Term... parts>
Figure parts_gib(const Measured& of) {
  return as_gib((of.bill().of(parts) + ...));
}

/// Every figure that a column may show, by its id.
constexpr std::pair<std::string_view, Measure> kFigures[] = {
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
    {"node_host_gib",
     [](const Measured& of) {
       return of.sizing.files ? Figure(as_gib(of.sizing.files->host_memory)) : std::nullopt;
     }},
    {"host_rule_gb", host_rule_gb},
    {"gpus", [](const Measured& of) -> Figure { return as_double(of.job().layout.gpus()); }},
    {"by_memory", [](const Measured& of) -> Figure { return of.sizing.plan.by_memory; }},
    {"rentable", [](const Measured& of) -> Figure { return of.sizing.plan.rentable; }},
    {"comfortable", [](const Measured& of) -> Figure { return of.sizing.comfortable; }},
    {"parameters_bn", [](const Measured& of) -> Figure { return parameters(of) / kGiga; }},
    {"trained_m",
     [](const Measured& of) -> Figure { return as_double(of.sizing.trainable) / kMega; }},
    {"trained_percent",
     [](const Measured& of) -> Figure {
       return 100 * as_double(of.sizing.trainable) / parameters(of);
     }},
    {"experts_per_gpu", experts_per_gpu},
    {"tokens_per_step",
     [](const Measured& of) -> Figure {
       return as_double(of.job().seq_len) * sequences_per_step(of);
     }},
    {"sequences_per_step", [](const Measured& of) -> Figure { return sequences_per_step(of); }},
    {"base_bytes", [](const Measured& of) -> Figure { return base_bytes(of.job()); }},
    {"bytes_weight", [](const Measured& of) -> Figure { return of.job().state.weight; }},
    {"bytes_gradient", [](const Measured& of) -> Figure { return of.job().state.gradient; }},
    {"bytes_master", [](const Measured& of) -> Figure { return of.job().state.master; }},
    {"bytes_moments", [](const Measured& of) -> Figure { return optimizer_bytes(of.job()); }},
    {"bytes_trained", [](const Measured& of) -> Figure { return trained_bytes(of.job()); }},
    {"sent_gb_per_step", sent_gb_per_step},
    {"tokens_per_second",
     [](const Measured& of) {
       return of.sizing.speed ? Figure(of.sizing.speed->tokens_per_second_per_gpu) : std::nullopt;
     }},
    {"mfu_percent",
     [](const Measured& of) {
       return of.sizing.speed ? Figure(100 * of.sizing.speed->mfu) : std::nullopt;
     }},
    {"hours",
     [](const Measured& of) {
       return of.sizing.hours ? Figure(to_hours(round_hours(of.sizing.hours->mid))) : std::nullopt;
     }},
    {"m_tokens_per_usd", m_tokens_per_usd},
};

/// "usd_per_hour" or "usd_per_run" at the lowest current price; nothing where it does not fit.
void put_rent(const Measured& of, const std::string& column, SheetWorksheetRow& row) {
  const auto usd = hourly(of);
  if (!usd || of.verdict() == Verdict::kNo) return;
  if (column == "usd_per_hour") {
    row.usd[column] = *usd;
  } else if (of.sizing.hours) {
    row.usd[column] = run_cost(*usd, round_hours(of.sizing.hours->mid));
  }
}

/// The smallest card of the catalog, of those that compute in bf16 and have a speed, that holds
/// what one GPU of the row has to, with the headroom.
void put_smallest_card(const Measured& of, const std::string& column, SheetWorksheetRow& row) {
  const Gpu* smallest = nullptr;
  for (const auto& [id, gpu] : of.basis.catalog.gpus) {
    const auto capacity = gpu.capacity_bytes();
    if (!capacity || gpu.unified_memory || !gpu.bf16) continue;
    if (!of.basis.catalog.engine.current.speeds.contains(id)) continue;
    if (smallest != nullptr && *capacity >= *smallest->capacity_bytes()) continue;
    if (verdict_of(of.bill().device, of.job().headroom, *capacity) == Verdict::kFits)
      smallest = &gpu;
  }
  if (smallest != nullptr) row.words[column] = smallest->short_name;
}

/// The GPUs of the sheet that cost least an hour and hold the row.
void put_cheapest_setup(const Measured& of, const std::string& column, SheetWorksheetRow& row) {
  const Catalog& catalog = of.basis.catalog;
  Json request = of.question.request;
  request.erase("layout");
  for (const std::string& id : of.basis.spec.gpus) {
    request["gpu"] = id;
    const Question question = read_whole_question(request, catalog, catalog.engine.current);
    const Sizing one = answer(question);
    const auto usd = hourly({of.basis, question, one});
    if (!usd || !one.plan.rentable) continue;
    const auto best = row.usd.find("setup_usd_per_hour");
    if (best != row.usd.end() && best->second <= *usd) continue;
    row.usd["setup_usd_per_hour"] = *usd;
    row.words[column] = question.gpu->short_name;
    row.figures["setup_gpus"] = static_cast<double>(*one.plan.rentable);
  }
}

/// Puts its column's dollars or words into a row, unless they are not known.
using Put = void (*)(const Measured&, const std::string& column, SheetWorksheetRow&);

constexpr auto kElsewhere = [](const Measured&, const std::string&, SheetWorksheetRow&) {};

/// Every column that shows no plain figure, by its id.
constexpr std::pair<std::string_view, Put> kOthers[] = {
    {"layout", kElsewhere},  // in every row
    {"setup", put_cheapest_setup},
    {"setup_usd_per_hour", kElsewhere},  // with "setup"
    {"smallest_card", put_smallest_card},
    {"usd_per_hour", put_rent},
    {"usd_per_run", put_rent},
    {"verdict",
     [](const Measured& of, const std::string& column, SheetWorksheetRow& row) {
       if (of.verdict() != Verdict::kUnknown) row.words[column] = id_of(of.verdict());
     }},
    {"binding",
     [](const Measured& of, const std::string& column, SheetWorksheetRow& row) {
       row.words[column] = binding_words(of.question, of.sizing.plan);
     }},
};

/// Adds what the column shows, unless it is not known or the column holds facts of the rows.
void put_measure(const Measured& of, const std::string& column, SheetWorksheetRow& row) {
  for (const auto& [id, figure_of] : kFigures) {
    if (id != column) continue;
    if (const Figure figure = figure_of(of)) row.figures[column] = *figure;
  }
  for (const auto& [id, put] : kOthers) {
    if (id == column) put(of, column, row);
  }
}

constexpr const char* kLargest = "largest_";  // then a method: the largest model that one GPU holds

/// The sheet's largest model that the request's GPU holds alone with a method.
void put_largest(const Basis& basis, const std::string& column, Json request,
                 SheetWorksheetRow& row) {
  request["method"] = column.substr(std::string(kLargest).size());
  request["layout"] = {{"gpus", 1}};
  std::int64_t most = 0;
  for (const SpecModel& model : basis.spec.models) {
    request["model"] = model.id;
    const Sizing one =
        answer(read_whole_question(request, basis.catalog, basis.catalog.engine.current));
    if (one.plan.chosen.verdict != Verdict::kFits || one.parameters.total() <= most) continue;
    most = one.parameters.total();
    row.words[column] = model.size;
  }
}

void put_answers(const Basis& basis, const Worksheet& table, const Json& request,
                 SheetWorksheetRow& row) {
  for (const WorksheetColumn& column : table.columns) {
    if (starts_with(column.id, kLargest)) put_largest(basis, column.id, request, row);
  }
  if (!request.contains("model")) return;
  const Question question = understood(basis.catalog, "worksheets/" + table.id, request);
  const Sizing sizing = answer(question);
  const Measured measured{basis, question, sizing};
  row.layout = shape_of(measured.job());
  row.device = measured.bill().device;
  row.device_high = measured.bill().device_high;
  row.capacity = measured.bill().capacity;
  row.certain = measured.bill().certain;
  for (const WorksheetColumn& column : table.columns) put_measure(measured, column.id, row);
}

/// A row under a group, with what it asks: the table's keys, the group's, its own, and what the
/// sheet holds for all.
struct Asked {
  const WorksheetGroup* group;
  const WorksheetRow* row;
  std::optional<Json> request;
};

std::vector<Asked> asked_of(const Worksheet& table, const SheetSpec& spec) {
  std::vector<Asked> all;
  for (const WorksheetGroup& group : table.groups) {
    for (const WorksheetRow& row : table.rows) {
      Asked& asked = all.emplace_back(Asked{&group, &row, {}});
      if (!row.request) continue;
      asked.request = {{"headroom", spec.headroom}};
      for (const Json* part : {&table.request, &group.request, &*row.request})
        asked.request->merge_patch(*part);
    }
  }
  return all;
}

SheetWorksheetRow worked_out(const Basis& basis, const Worksheet& table, const Asked& asked) {
  SheetWorksheetRow row;
  row.id = asked.group->id + (asked.group->id.empty() ? "" : "-") + asked.row->id;
  row.group = asked.group->title;
  row.title = asked.row->title;
  row.words = asked.row->facts;
  row.note = asked.row->note;
  if (asked.request) put_answers(basis, table, *asked.request, row);
  return row;
}

void check_columns(const Catalog& catalog, const Worksheet& table, const std::string& file,
                   Faults& faults) {
  std::vector<std::string> known;
  for (const auto& [id, unused] : kFigures) known.emplace_back(id);
  for (const auto& [id, unused] : kOthers) known.emplace_back(id);
  std::sort(known.begin(), known.end());
  for (const auto& [id, method] : catalog.methods) known.push_back(kLargest + id);
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const std::string& id = table.columns[i].id;
    const bool is_fact = std::ranges::any_of(
        table.rows, [&](const WorksheetRow& row) { return row.facts.contains(id); });
    if (is_fact || contains(known, id)) continue;
    faults.add(file, "/columns/" + std::to_string(i) + "/id",
               "no measure or fact " + in_quotes(id) + did_you_mean(id, known));
  }
}

}  // namespace

void add_worksheets(const Catalog& catalog, const SheetSpec& spec, int jobs, Sheet& sheet) {
  const Basis basis{
      catalog, spec, {catalog.prices, policy_of(spec, "on_demand"), catalog.price_age}};
  std::vector<const Worksheet*> tables;
  for (const auto& [id, table] : catalog.worksheets) tables.push_back(&table);
  std::ranges::stable_sort(
      tables, {}, [](const Worksheet* one) { return std::pair(one->page, one->position); });
  for (const Worksheet* table : tables) {
    SheetWorksheet& shown = sheet.worksheets.emplace_back();
    static_cast<WorksheetHead&>(shown) = *table;
    shown.columns = table->columns;
    const std::vector<Asked> asked = asked_of(*table, spec);
    shown.rows.resize(asked.size());
    for_each_index(asked.size(), jobs,
                   [&](std::size_t i) { shown.rows[i] = worked_out(basis, *table, asked[i]); });
  }
}

void check_worksheets(const Catalog& catalog, const CatalogLayers& layers, Faults& faults) {
  for (const auto& [id, table] : catalog.worksheets) {
    const std::string file = layers.shown("worksheets/" + id + ".json");
    check_columns(catalog, table, file, faults);
    for (const Asked& asked : asked_of(table, SheetSpec{})) {
      if (!asked.request || !asked.request->contains("model")) continue;
      Faults found;
      read_question(*asked.request, catalog, catalog.engine.current, found);
      if (found.empty()) continue;
      const std::string at = std::to_string(asked.row - table.rows.data());
      faults.add(file, "/rows/" + at, "asks what no request may: " + found.request_text());
    }
  }
}

}  // namespace sizesheet
