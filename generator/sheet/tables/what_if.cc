// SPDX-License-Identifier: Apache-2.0
#include "sheet/tables/what_if.h"

#include <algorithm>
#include <stdexcept>

#include "catalog/catalog.h"
#include "catalog/facts/method.h"
#include "sheet/rows/size_row.h"
#include "sheet/sections.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "sizing/advice/levers.h"
#include "sizing/answer/estimate.h"
#include "sizing/memory/adapted_base.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/memory.h"
#include "sizing/memory/pieces.h"
#include "sizing/memory/verdict.h"
#include "sizing/model/parameters.h"
#include "sizing/request/question.h"
#include "sizing/search/candidate.h"
#include "sizing/search/search.h"
#include "sizing/time/exchange.h"
#include "support/error.h"
#include "support/json.h"
#include "support/parallel.h"

namespace sizesheet {
namespace {

/// A lever of a combination may add this share to the hours of a run, not more.
constexpr double kMostHoursAdded = 0.10;

/// The row that the levers are of.
struct Pulled {
  const AskedRow& asked;
  std::optional<double> hours;

  const MemoryBill& bill() const { return asked.chosen.bill; }
};

/// A hundredth of the bill.
bool worth_it(std::int64_t saved, const Pulled& from) { return saved * 100 >= from.bill().device; }

/// The part that is most smaller in `less` than in `more`.
const char* shrunk_term(const MemoryBill& more, const MemoryBill& less) {
  const auto shrunk = [&](const TermFacts& one) { return more.of(one.value) - less.of(one.value); };
  return std::ranges::max_element(kTerms, {}, shrunk)->id;
}

/// The smallest count with the change, where one below the row's fits. The change may move ranks
/// from data parallelism; how many are left of those follows from the count.
std::int64_t count_with(const Pulled& from, Variation variation) {
  const std::int64_t gpus = from.asked.chosen.job.layout.gpus();
  if (gpus == 1) return gpus;
  std::erase_if(variation.keys, [](const auto& key) { return key.first == "layout.dp"; });
  const Question& question = from.asked.question;
  Faults faults;
  const Question changed =
      read_question(varied_request(question, from.asked.chosen, variation), *question.catalog,
                    *from.asked.chosen.job.constants, faults);
  if (!faults.empty()) return gpus;
  return smallest_that_fits(changed, gpus - 1).value_or(gpus);
}

/// What a changed request comes to; `undone`: the row is the side with the lever.
SheetResized resized(const Pulled& from, const LeverChange& lever, const Candidate& with) {
  SheetResized result;
  for (const auto& [key, value] : lever.change.keys) result.change[key] = value;
  result.device = with.bill.device;
  result.host = with.bill.host;
  result.verdict = with.verdict;
  result.device_high = with.bill.device_high;
  result.capacity = with.bill.capacity;
  result.certain = with.certain();
  const std::int64_t fewer = from.bill().device - with.bill.device;
  const std::int64_t saved = lever.in_use ? -fewer : fewer;
  if (saved > 0) result.saved = saved;
  const auto hours = mid_hours(from.asked.question, with.job);
  if (hours && with.verdict != Verdict::kNo) result.hours = hours;
  // A lever that changes nothing here costs its time on the smaller count that it allows.
  if (hours && from.hours && lever.timed && result.saved) {
    result.hours_added = lever.in_use ? *from.hours / *hours - 1 : *hours / *from.hours - 1;
  }
  if (!lever.in_use && with.verdict != Verdict::kNo)
    result.rentable = count_with(from, lever.change);
  return result;
}

std::optional<SheetLever> lever_of(const Pulled& from, const LeverChange& change) {
  const auto with = varied(from.asked.question, from.asked.chosen, change.change);
  if (!with) return std::nullopt;
  SheetLever lever{change.change.id, change.change.words, change.gives_up, "", change.in_use, {}};
  lever.resized = resized(from, change, *with);
  const SheetResized& result = lever.resized;
  const bool fewer_gpus = result.rentable && *result.rentable < from.asked.chosen.job.layout.gpus();
  if (!result.saved && !fewer_gpus) return std::nullopt;
  if (result.saved) {
    lever.term =
        change.in_use ? shrunk_term(with->bill, from.bill()) : shrunk_term(from.bill(), with->bill);
  }
  return lever;
}

bool combines(const Pulled& from, const SheetLever& lever) {
  const SheetResized& alone = lever.resized;
  return !lever.in_use && alone.saved && worth_it(*alone.saved, from) && alone.hours_added &&
         *alone.hours_added <= kMostHoursAdded;
}

/// Some key is set by both.
bool collide(const Variation& a, const Variation& b) {
  return std::ranges::any_of(a.keys, [&](const auto& one) {
    return std::ranges::find(b.keys, one.first, &std::pair<std::string, Json>::first) !=
           b.keys.end();
  });
}

/// From the lever that saves most on, every further one that saves a hundredth more beside those
/// before it; only levers that leave the run as it is and whose time is known and small.
std::optional<SheetCombination> combination_of(const Pulled& from,
                                               const std::vector<LeverChange>& changes,
                                               const std::vector<SheetLever>& levers) {
  SheetCombination found;
  LeverChange all;
  std::optional<Candidate> best;
  for (const SheetLever& lever : levers) {
    const auto of = [](const LeverChange& one) { return one.change.id; };
    const LeverChange& one = *std::ranges::find(changes, lever.id, of);
    if (!one.same_run || !combines(from, lever) || collide(all.change, one.change)) continue;
    LeverChange more = all;
    more.change.keys.insert(more.change.keys.end(), one.change.keys.begin(), one.change.keys.end());
    auto with = varied(from.asked.question, from.asked.chosen, more.change);
    const std::int64_t before = best ? best->bill.device : from.bill().device;
    if (!with || !worth_it(before - with->bill.device, from)) continue;
    found.levers.push_back(lever.id);
    all = std::move(more);
    best = std::move(with);
  }
  if (found.levers.size() < 2) return std::nullopt;
  found.resized = resized(from, all, *best);
  return found;
}

/// Largest count on offer inside a node.
std::int64_t node_count(const SheetGpu& gpu) {
  std::int64_t most = 1;
  for (const std::int64_t count : gpu.counts) {
    if (count <= gpu.gpus_per_node) most = std::max(most, count);
  }
  return most;
}

const SheetGpu* server_card(const Sheet& sheet) {
  for (const SheetGpu& gpu : sheet.gpus) {
    if (!gpu.counts.empty() && gpu.counts.back() > gpu.gpus_per_node) return &gpu;
  }
  return nullptr;
}

void add_stages(const AskedRow& again, SheetZeroStages& found) {
  for (const char* shard : {"none", "zero1", "zero2", "zero3"}) {
    const auto with = varied(again.question, again.chosen,
                             {"zero",
                              "",
                              {{"layout.gpus", found.layout.gpus},
                               {"layout.dp", found.layout.dp},
                               {"layout.tp", found.layout.tp},
                               {"layout.pp", found.layout.pp},
                               {"layout.cp", found.layout.cp},
                               {"layout.shard", shard}}});
    if (!with) continue;
    SheetZeroStage stage{shard, with->bill, with->verdict, data_parallel_bytes(with->job), {}};
    if (with->verdict != Verdict::kNo) stage.hours = mid_hours(again.question, with->job);
    found.stages.push_back(std::move(stage));
  }
}

/// Without stages where the model has no layout that could be sharded.
SheetZeroStages zero_stages(const Catalog& catalog, const SheetSpec& spec, const Sheet& sheet,
                            const std::string& model, const std::string& method) {
  SheetZeroStages found{.model = model, .method = method};
  const Row* row = rent_pick_row(sheet, model, method);
  const SheetGpu* gpu = row != nullptr ? &sheet.gpu(row->gpu) : server_card(sheet);
  if (gpu == nullptr) return found;
  found.gpu = gpu->id;
  found.of_pick = row != nullptr && row->layout.dp * row->layout.cp > 1;
  const std::int64_t gpus = found.of_pick ? row->layout.gpus : node_count(*gpu);
  const auto cell = main_cell(spec, model, method, gpu->id);
  if (!cell || gpus == 1) return found;
  const auto again = asked(catalog, spec, *cell, gpus);
  if (!again) return found;
  found.layout = shape_of(again->chosen.job);
  if (!found.of_pick) {
    found.layout.dp = gpus;
    found.layout.tp = found.layout.pp = found.layout.cp = 1;
  }
  add_stages(*again, found);
  return found;
}

constexpr std::int64_t kRanks[] = {4, 8, 16, 32, 64, 128, 256};

std::optional<SheetAdapterRank> of_rank(const AskedRow& again, std::int64_t rank, bool of_pick) {
  const Variation variation{"rank", "", {{"method.rank", rank}}};
  const auto with = varied(again.question, again.chosen, variation);
  if (!with) return std::nullopt;
  const AdapterState state = adapter_state(with->job);
  const std::int64_t trainable = trainable_parameters(with->job);
  const std::int64_t all = count_parameters(*again.question.model).total();
  SheetAdapterRank found{.rank = rank,
                         .trainable = trainable,
                         .share = static_cast<double>(trainable) / static_cast<double>(all),
                         .weights = state.weights,
                         .gradients = state.gradients,
                         .optimizer = state.optimizer,
                         .file = run_files(with->job, 0, 1).adapter};
  if (of_pick) {
    found.device = with->bill.device;
    found.verdict = with->verdict;
    found.certain = with->certain();
  }
  return found;
}

SheetAdapterRanks adapter_ranks(const Catalog& catalog, const SheetSpec& spec, const Sheet& sheet,
                                const std::string& model, const Method& method) {
  SheetAdapterRanks found{.model = model, .method = method.id};
  const Row* row = rent_pick_row(sheet, model, method.id);
  const bool of_pick = row != nullptr;
  if (of_pick) {
    found.row_key = row->key();
  } else {
    const auto modelled = std::ranges::find_if(sheet.rows, [&](const Row& one) {
      return one.model == model && one.method == method.id && one.modelled;
    });
    if (modelled == sheet.rows.end()) return found;
    row = &*modelled;
  }
  const auto again = asked(catalog, spec, cell_of(spec, *row), row->layout.gpus);
  if (!again) return found;
  found.rank = again->chosen.job.adapters.rank;
  for (const std::int64_t rank : kRanks) {
    if (auto one = of_rank(*again, rank, of_pick)) found.ranks.push_back(*one);
  }
  return found;
}

}  // namespace

SheetWhatIf what_if(const Catalog& catalog, const SheetSpec& spec, const Row& row) {
  const auto again = asked(catalog, spec, cell_of(spec, row), row.layout.gpus);
  if (!again) throw std::logic_error("row " + row.key() + " cannot be asked again");
  const Pulled from{*again, row.hours_mid};
  const std::vector<LeverChange> changes = lever_changes(again->question, again->chosen.job);
  SheetWhatIf found{.row_key = row.key(), .device = row.memory.device, .hours = row.hours_mid};
  for (const LeverChange& change : changes) {
    if (auto lever = lever_of(from, change)) found.levers.push_back(std::move(*lever));
  }
  std::ranges::stable_sort(found.levers, [](const SheetLever& a, const SheetLever& b) {
    if (a.in_use != b.in_use) return b.in_use;
    return a.resized.saved.value_or(0) > b.resized.saved.value_or(0);
  });
  found.combination = combination_of(from, changes, found.levers);
  return found;
}

void add_what_if(const Catalog& catalog, const SheetSpec& spec, int jobs, Sheet& sheet) {
  const std::vector<const Row*> rows = rent_pick_rows(sheet);
  sheet.what_if.resize(rows.size());
  for_each_index(rows.size(), jobs,
                 [&](std::size_t i) { sheet.what_if[i] = what_if(catalog, spec, *rows[i]); });
}

void add_zero_stages(const Catalog& catalog, const SheetSpec& spec, int jobs, Sheet& sheet) {
  const Method* method = method_of_kind(catalog, spec, "full");
  if (method == nullptr) return;
  sheet.zero_stages.resize(spec.models.size());
  for_each_index(spec.models.size(), jobs, [&](std::size_t i) {
    sheet.zero_stages[i] = zero_stages(catalog, spec, sheet, spec.models[i].id, method->id);
  });
  std::erase_if(sheet.zero_stages, [](const SheetZeroStages& one) { return one.stages.empty(); });
}

void add_adapter_ranks(const Catalog& catalog, const SheetSpec& spec, int jobs, Sheet& sheet) {
  const Method* method = method_of_kind(catalog, spec, "lora");
  if (method == nullptr) return;
  sheet.adapter_ranks.resize(spec.models.size());
  for_each_index(spec.models.size(), jobs, [&](std::size_t i) {
    sheet.adapter_ranks[i] = adapter_ranks(catalog, spec, sheet, spec.models[i].id, *method);
  });
  std::erase_if(sheet.adapter_ranks,
                [](const SheetAdapterRanks& one) { return one.ranks.empty(); });
}

}  // namespace sizesheet
