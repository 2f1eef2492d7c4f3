// SPDX-License-Identifier: Apache-2.0
// The Sheet: one edition as plain values. The sweep makes it, sheet.json stores it, writers draw
// it. Bytes are integers, money is micro-dollars, unknown is absent. Nothing here is formatted.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "catalog/facts/gpu.h"
#include "catalog/models/model.h"
#include "catalog/prices/price.h"
#include "catalog/prices/price_age.h"
#include "catalog/prices/purchase.h"
#include "catalog/published/convention.h"
#include "cost/cost_line.h"
#include "cost/ownership.h"
#include "cost/rent.h"
#include "evidence/accuracy.h"
#include "sheet/changes.h"
#include "sheet/decision.h"
#include "sheet/framework.h"
#include "sheet/money.h"
#include "sheet/plan.h"
#include "sheet/project.h"
#include "sheet/sections.h"
#include "sheet/services.h"
#include "sheet/sheet_options.h"
#include "sheet/spot.h"
#include "sizing/answer/team_mark.h"
#include "sizing/job/layout_shape.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/verdict.h"
#include "support/json.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {

/// What people read amounts in, where that is not dollars: those of a Sheet, and of sheet.json, are
/// in dollars until `as_shown` converts them.
struct ShownCurrency : ExchangeRate {
  std::string symbol;  ///< before an amount: "€"

  static constexpr bool kMayLack = true;
};
BOOST_DESCRIBE_STRUCT(ShownCurrency, (ExchangeRate), (symbol))

/// Labels of what people read in another language, by their English.
struct SheetLabels {
  std::map<std::string, std::string> texts;

  static constexpr bool kMayLack = true;
};
BOOST_DESCRIBE_STRUCT(SheetLabels, (), (texts))

struct SheetMeta : EditionLabel {
  std::string price_from;      ///< of the prices that the picks use the oldest day
  std::string currency;        ///< "USD": of the amounts here
  std::string base_url;        ///< "" when none was given: no link, no QR code
  std::string paper = "a4";    ///< of the PDF and the workbook: a4 | letter
  std::string templates = {};  ///< "" for the built-in ones, else the SHA-256 of the set
  std::optional<ShownCurrency> exchange = {};  ///< absent: people read dollars
  std::optional<SheetLabels> labels = {};      ///< absent: English
};
BOOST_DESCRIBE_STRUCT(SheetMeta, (EditionLabel),
                      (price_from, currency, base_url, paper, templates, exchange, labels))

/// Columns of the handout's table that a sheet may do without, as they stand there.
inline constexpr const char* kHideableColumns[] = {"per_gpu",    "hours",   "range", "seller",
                                                   "next",       "machine", "capex", "own",
                                                   "break_even", "advice"};

struct SheetModel : ModelIdentity {
  std::string size = {};        ///< "8B", the row label
  std::string short_note = {};  ///< "Llama 3.1 8B", "hypothetical": second line of the size block
  std::int64_t parameters = 0;
  std::int64_t layers = 0;
  std::int64_t hidden = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t vocab = 0;
};
BOOST_DESCRIBE_STRUCT(SheetModel, (ModelIdentity),
                      (size, short_note, parameters, layers, hidden, heads, kv_heads, vocab))

struct SheetMethod {
  std::string id;
  std::string title;        ///< "LoRA r16"
  std::string short_title;  ///< "LoRA"
  std::string description;
  bool adapters = false;    ///< trains these, not the weights
  std::int64_t tokens = 0;  ///< training tokens of one run of it
};
BOOST_DESCRIBE_STRUCT(SheetMethod, (), (id, title, short_title, description, adapters, tokens))

/// The lowest on-demand list price of one GPU of a type, among the best of every provider.
struct ListPrice {
  std::string provider;
  std::string as_of;
  bool old = false;  ///< past the sheet's age, and no newer one will do
  MicroUsd median_usd_per_gpu_hour;
  std::int64_t providers = 0;
};
BOOST_DESCRIBE_STRUCT(ListPrice, (), (provider, as_of, old, median_usd_per_gpu_hour, providers))

struct SheetGpu : GpuFacts {
  std::int64_t capacity_bytes = 0;
  std::vector<std::int64_t> counts = {};               ///< rentable counts up to the limit
  std::optional<MicroUsd> list_usd_per_gpu_hour = {};  ///< lowest by policy, one GPU's share
  std::optional<ListPrice> list_price = {};            ///< who asks that, and what others do
  std::string published_speeds = {};  ///< of which kinds of method, in words; "" none
};
BOOST_DESCRIBE_STRUCT(SheetGpu, (GpuFacts),
                      (capacity_bytes, counts, list_usd_per_gpu_hour, list_price, published_speeds))

/// A named stack + workload + kernels. The first scenario is the sheet's main one.
struct Scenario {
  std::string id;
  std::string title;
  std::string stack;
  std::string stack_title;
  std::string writer;   ///< what `ask --write` calls it, or "" where no config is written
  std::string summary;  ///< one sentence: what is assumed
  std::int64_t seq_len = 0;
  std::optional<std::int64_t> micro_batch;  ///< absent where it is searched for each row
  std::int64_t grad_accum = 0;
  std::vector<std::string> warnings;
};
BOOST_DESCRIBE_STRUCT(Scenario, (),
                      (id, title, stack, stack_title, writer, summary, seq_len, micro_batch,
                       grad_accum, warnings))

/// A part of the time of one optimizer step.
struct StepClock {
  std::string id;     ///< "matmul"
  std::string title;  ///< "matrix products"
  double seconds = 0;
};
BOOST_DESCRIBE_STRUCT(StepClock, (), (id, title, seconds))

/// One cell of the sheet: a model, a method, a GPU type, a scenario.
struct Row {
  std::string model;
  std::string method;
  std::string gpu;
  std::string scenario;

  bool modelled = true;  ///< false: refused, `refusal` says why
  std::string refusal;
  Verdict verdict = Verdict::kUnknown;    ///< of `layout`
  std::optional<std::int64_t> by_memory;  ///< smallest n that holds at all (fits or tight)
  std::optional<std::int64_t> tight;      ///< smallest rentable n that holds
  std::optional<std::int64_t> rentable;   ///< smallest rentable n that fits with headroom
  /// Smallest rentable n with a set-up that fits up to the upper end of its range.
  std::optional<std::int64_t> certain_from;
  std::int64_t parameters_trainable = 0;
  /// Of the candidate chosen; without one of `rentable`, else `tight`, else the least device bytes.
  LayoutShape layout;
  JobChoices choices;
  MemoryBill memory;
  std::vector<MemoryTerm> terms;    ///< sum to memory.device
  std::string binding;              ///< the binding constraint in words
  std::vector<CountCheck> counts;   ///< rentable counts up to the answer, and the answer
  std::optional<CountCheck> fewer;  ///< next smaller rentable count
  std::string fingerprint;          ///< first phase to fail on the next smaller count
  std::int64_t device_low = 0;      ///< 90 % interval of memory.device
  std::int64_t device_high = 0;
  std::string confidence;  ///< A | B | C: how well published measurements bear the interval out
  std::vector<std::string> warnings;
  /// Of QLoRA: why it needs as much memory as LoRA, or fewer hours; "" where it does not.
  std::string beside_lora;

  std::optional<double> tokens_per_second_per_gpu;
  std::optional<TeamMark> team;        ///< how a team's own runs moved the row's figures
  std::optional<bool> speed_measured;  ///< some published speed is of this GPU type
  std::optional<double> mfu;
  std::vector<StepClock> clocks;    ///< of one optimizer step, those that take time; they add up
  std::optional<double> hours_low;  ///< rounded to 0.0001 h, as stored and printed
  std::optional<double> hours_mid;
  std::optional<double> hours_high;
  std::optional<RunFiles> files;
  /// Smallest rentable count whose upper end of hours meets the deadline.
  std::optional<std::int64_t> deadline_gpus;
  std::vector<RunCandidate> candidates;  ///< on the frontier, the longest hours first
  std::optional<std::int64_t> chosen;    ///< of them, the one that the row shows as its set-up
  /// Counts below the set-up's that fit, the fewest GPUs first.
  std::vector<SmallerCount> smaller_counts;
  /// The best of every seller. Only while a sheet is made: no form shows it.
  std::vector<RunCandidate> by_seller;
  /// The same with offers of any stock, the best alone.
  std::optional<RunCandidate> of_any_stock;
  bool rent_pick = false;  ///< of all GPU types, this is what is rented

  std::optional<StackRun> fastest_stack;  ///< of a rent pick that trains adapters, where faster

  Rents rents;
  std::optional<PriceSpread> spread;
  std::optional<OwnLine> own;    ///< machines for the row's own set-up, against its own rent
  std::optional<OwnPick> owned;  ///< what is owned for the row's model and method, as its pick says
  std::optional<ProjectCost> project;  ///< of its set-up, where the sheet asks for one
  std::optional<RowService> service;   ///< in the main scenario; absent where none trains it
  std::vector<CostLine> cost_terms;
  std::vector<QuantityLine> quantity_terms;  ///< what is no money: break-even, hours on spot

  /// What the card's file lacks, so that hours are not known. Only while a sheet is made: no form
  /// shows it.
  std::string no_speed = {};

  std::string key() const { return model + "/" + method + "/" + gpu + "/" + scenario; }
  Verdict standing() const { return modelled ? verdict : Verdict::kNotModelled; }
  /// is_certain of its set-up; nullopt where nothing was sized.
  std::optional<bool> certain() const { return is_certain(device_high, memory.capacity); }
  /// The same of a count of GPUs: of the set-up that has as many, else as certain_from says.
  std::optional<bool> certain_on(std::int64_t gpus) const;
  /// nullptr where the row has none.
  const RunCandidate* set_up() const {
    return chosen ? &candidates.at(static_cast<std::size_t>(*chosen)) : nullptr;
  }
  /// Rented on demand; nullopt without a price or hours.
  std::optional<MicroUsd> usd_per_run() const {
    return rents[kOnDemand] ? rents[kOnDemand]->usd_per_run : std::nullopt;
  }
};

/// Its note also says what was asked, and the rate of exchange, where that was not in dollars.
struct SheetPrice : PriceFacts {
  std::string key = {};
  MicroUsd usd_per_gpu_hour = {};  ///< rounded half up
  std::string age_kind = {};       ///< the kind of price that it ages as, or ""
  std::int64_t age_days = 0;       ///< on the sheet's day
  double drift_per_day = 0;        ///< natural logarithm; 0 where the card's price does not rise
  double age_factor = 1;           ///< of the price expected on the sheet's day over this
  double ln_width = 0;             ///< natural logarithm: it may be higher by so much
  MicroUsd expected_usd_per_instance_hour = {};  ///< on the sheet's day
  MicroUsd expected_usd_per_gpu_hour = {};       ///< likewise
  bool used = false;                             ///< some row of the sheet is priced by it
  bool old = false;                              ///< counts, but only where no newer row will do
  std::string excluded = {};                     ///< why the policy does not admit it, or ""
  std::string barred = {};                       ///< why it would not at any date, or ""
  std::optional<SpotRate> spot = {};             ///< of a spot price, under a rule of rates
};
BOOST_DESCRIBE_STRUCT(SheetPrice, (PriceFacts),
                      (key, usd_per_gpu_hour, age_kind, age_days, drift_per_day, age_factor,
                       ln_width, expected_usd_per_instance_hour, expected_usd_per_gpu_hour, used,
                       old, excluded, barred, spot))

/// How prices of a kind age: measured drift and widths.
struct SheetPriceAge {
  std::string id;
  std::string title;         ///< "List prices of specialised clouds"
  double drift_per_day = 0;  ///< natural logarithm, of cards whose price rises
  std::vector<AgeWidth> widths;
  std::vector<std::string> rising;  ///< the sheet's GPU types whose price rises
  std::string measured;
  std::string source;
  std::string date;
  std::string note;
};
BOOST_DESCRIBE_STRUCT(SheetPriceAge, (),
                      (id, title, drift_per_day, widths, rising, measured, source, date, note))

struct SheetEstimate : Estimate {
  std::string id;
  std::string title;
  std::string unit;
  std::string role = {};  ///< of a rate: its key in a rent-or-buy question, "usd_per_kwh"
  std::vector<std::string> covers = {};  ///< of a rate: what it counts within itself, "staff"
};
BOOST_DESCRIBE_STRUCT(SheetEstimate, (Estimate), (id, title, unit, role, covers))

struct SheetConstant {
  std::string id;
  double value = 0;
  std::string unit;
  std::string reason;
  std::string source;
};
BOOST_DESCRIBE_STRUCT(SheetConstant, (), (id, value, unit, reason, source))

/// The parts that name a sheet's rows, and what those were made from: all that is read of an
/// edition whose rows are taken one by one.
struct SheetHead {
  SheetMeta meta;
  std::vector<SheetModel> models;  ///< in sheet order (smallest first)
  std::vector<SheetMethod> methods;
  std::vector<SheetGpu> gpus;
  std::vector<Scenario> scenarios;
  std::vector<Pick> picks;
  std::optional<SheetPlan> plan;  ///< absent without a demand
  Json inputs;                    ///< catalog entries used, whole
};
BOOST_DESCRIBE_STRUCT(SheetHead, (), (meta, models, methods, gpus, scenarios, picks, plan, inputs))

struct Sheet : SheetHead {
  SheetOptions options;
  std::vector<std::string> headline;    ///< the edition's answer, at most three sentences
  std::vector<SheetRisk> risks;         ///< of the handout's picks, and of the prices they rest on
  std::vector<Row> rows;                ///< model-major, then method, GPU, scenario
  std::vector<RowOffers> offers;        ///< everywhere that a pick can be rented
  std::vector<SheetService> services;   ///< by model and method, the cheapest run first
  std::optional<SheetProject> project;  ///< where the specification asks for one
  std::optional<SheetOwnership> ownership;    ///< absent where nothing of the sheet can be bought
  std::vector<SheetPrice> prices;             ///< every catalog row for the sheet's GPUs
  std::vector<SheetPriceAge> price_ages;      ///< of the kinds of those prices
  std::vector<PriceHistory> price_histories;  ///< of those of the sheet's GPU types that have one
  std::vector<SheetEstimate> purchase_nodes;  ///< of each machine its price, and as `id`/kw power
  std::vector<SoldMachine> machines;
  std::vector<SheetEstimate> rates;      ///< the rates the ownership figures used
  std::vector<SheetConstant> constants;  ///< engine constants in use
  std::vector<SequenceSeries> series;
  std::vector<SheetWhatIf> what_if;              ///< of the rent picks, in their order
  std::vector<SheetZeroStages> zero_stages;      ///< one a model that is fine-tuned in full
  std::vector<SheetAdapterRanks> adapter_ranks;  ///< one a model that is trained with LoRA
  std::optional<Accuracy> accuracy;              ///< absent in a catalog without measurements
  std::vector<SheetGuide> guides;  ///< published guides held against their own arithmetic
  std::vector<GuideDifference> guide_differences;
  std::vector<SheetFrameworkSet> frameworks;  ///< tables by framework, one model each
  std::optional<SheetAdvice> advice;          ///< absent in a catalog without
  std::vector<SheetWorksheet> worksheets;     ///< tables that guides print, worked out here
  std::optional<SheetChanges> changes;        ///< against a baseline; absent without one

  const Row* find(const std::string& key) const;  ///< nullptr when absent
  const Row* find(const std::string& model, const std::string& method, const std::string& gpu,
                  const std::string& scenario) const;
  const Pick* pick(const std::string& model, const std::string& method) const;
  /// Of the first scenario, which picks and pages are about.
  bool is_main(const Row& row) const { return row.scenario == scenarios.front().id; }
  const Row* main_row(const std::string& model, const std::string& method,
                      const std::string& gpu) const;  ///< nullptr when absent
  const SheetGpu& gpu(const std::string& id) const;
  const SheetModel& model(const std::string& id) const;
  const SheetMethod& method(const std::string& id) const;
  /// Whether a model is among those of the one-page PDF.
  bool on_handout(const std::string& model) const {
    return options.handout_models.empty() || contains(options.handout_models, model);
  }
};
BOOST_DESCRIBE_STRUCT(Sheet, (SheetHead),
                      (options, headline, risks, rows, offers, services, project, ownership, prices,
                       price_ages, price_histories, purchase_nodes, machines, rates, constants,
                       series, what_if, zero_stages, adapter_ranks, accuracy, guides,
                       guide_differences, frameworks, advice, worksheets, changes))

// ---- Which of a sheet's rows is best at what.

/// The row that a model and method are rented as; nullptr where none fits and has a price.
const Row* rent_pick_row(const Sheet& sheet, const std::string& model, const std::string& method);
/// What a pick's runner-up is; nullptr without one.
const RunCandidate* runner_up_of(const Sheet& sheet, const Pick& pick);
/// The sentence that every form has for a pick far below the next offer; "" for another pick.
std::string far_below_words(const Pick& pick);
/// Whether a demand that somebody states decides between renting and buying for some job.
bool has_decision(const Sheet& sheet);
/// The rent pick's row, else the one to buy; nullptr without either.
const Row* shown_row(const Sheet& sheet, const std::string& model, const std::string& method);
/// The rows that are picks to rent, in the order of the picks.
std::vector<const Row*> rent_pick_rows(const Sheet& sheet);
/// The rent pick with the lowest $/run of all methods; else the first row shown; else nullptr.
const Row* best_row(const Sheet& sheet, const std::string& model);
/// Of all GPU types, the row with the fewest on offer that fit; the cheaper run on a tie.
const Row* smallest_row(const Sheet& sheet, const Row& like);
/// The rows of the main scenario: the rent pick, then by what they are ranked by, then what fits
/// without a price, tight, no, not modelled.
std::vector<const Row*> rows_by_price(const Sheet& sheet, const std::string& model,
                                      const std::string& method);
/// What services ask for a model and method, the cheapest run first.
std::vector<SheetService> services_for(const Sheet& sheet, const std::string& model,
                                       const std::string& method);
/// The largest model that one GPU of the type holds with a method, headroom kept; or nullptr.
const SheetModel* largest_on_one(const Sheet& sheet, const SheetGpu& gpu,
                                 const SheetMethod& method);

}  // namespace sizesheet
