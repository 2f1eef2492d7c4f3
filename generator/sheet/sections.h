// SPDX-License-Identifier: Apache-2.0
// What an edition shows beside its rows: advice, published guides, tables of others worked out, and
// what would help a pick.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "catalog/published/convention.h"
#include "catalog/published/worksheet.h"
#include "sizing/job/layout_shape.h"
#include "sizing/memory/bill.h"
#include "sizing/memory/verdict.h"
#include "support/described.h"
#include "support/json.h"
#include "support/money.h"

namespace sizesheet {

// ---- The memory of a pick at other lengths.

/// Device bytes against sequence length for one pick's layout: the third chart.
struct SequencePoint {
  std::int64_t seq_len = 0;
  std::int64_t device = 0;
  std::optional<double> hours = {};  ///< of a run of as many tokens; absent where it does not hold
  std::optional<MicroUsd> usd = {};  ///< those hours at the row's rent
};
BOOST_DESCRIBE_STRUCT(SequencePoint, (), (seq_len, device, hours, usd))
struct SequenceSeries {
  std::string row_key;
  std::int64_t capacity = 0;
  std::vector<SequencePoint> points;    ///< seq_len ascending
  std::optional<std::int64_t> longest;  ///< longest multiple of 1,024 that holds with headroom
};
BOOST_DESCRIBE_STRUCT(SequenceSeries, (), (row_key, capacity, points, longest))

// ---- What may move an edition's picks.

/// Something that `count` of `of` things have in common.
struct SheetRisk {
  std::string id;  ///< one-seller | not-measured | prices-rise | tie | old-price
  std::int64_t count = 0;
  std::int64_t of = 0;
  std::string title;   ///< "picks of one seller"
  std::string detail;  ///< what it comes to, in one sentence
};
BOOST_DESCRIBE_STRUCT(SheetRisk, (), (id, count, of, title, detail))

// ---- Advice as an edition shows it: topics of sentences, each with what it rests on, and beside
// them what this engine answers to the requests that show them.

/// One request and its answer; with a refusal nothing else is known.
struct SheetAdviceRun : AdviceRun, SizedLayout {
  std::string refusal = {};
  std::int64_t trainable = 0;
  std::optional<double> tokens_per_second_per_gpu = {};
  std::string note = {};  ///< the one that the entry is about
};
BOOST_DESCRIBE_STRUCT(SheetAdviceRun, (AdviceRun, SizedLayout),
                      (refusal, trainable, tokens_per_second_per_gpu, note))

struct SheetAdviceEntry : AdviceFacts {
  std::vector<SheetAdviceRun> runs;
};
BOOST_DESCRIBE_STRUCT(SheetAdviceEntry, (AdviceFacts), (runs))

struct SheetAdviceTopic : AdviceHead {
  std::vector<SheetAdviceEntry> entries;
};
BOOST_DESCRIBE_STRUCT(SheetAdviceTopic, (AdviceHead), (entries))

/// The largest model of the sheet that a method holds on some cards of one type.
struct SheetCardAnswer {
  std::string method;
  std::int64_t gpus = 0;
  std::string model = {};  ///< "" where none of the sheet's fits
  std::int64_t device = 0;
  std::int64_t device_high = 0;      ///< upper end of its range
  std::optional<bool> certain = {};  ///< it fits up to that end
  LayoutShape layout = {};

  static constexpr Key kKeys[] = {{"device", "device_bytes"}, {"device_high", "device_high_bytes"}};
};
BOOST_DESCRIBE_STRUCT(SheetCardAnswer, (),
                      (method, gpus, model, device, device_high, certain, layout))

struct SheetCard {
  std::string gpu;
  std::string name;
  double memory_gb = 0;
  std::int64_t capacity = 0;
  std::vector<SheetCardAnswer> answers;  ///< by count, then method

  static constexpr Key kKeys[] = {{"capacity", "capacity_bytes"}};
};
BOOST_DESCRIBE_STRUCT(SheetCard, (), (gpu, name, memory_gb, capacity, answers))

struct SheetCardTier {
  std::optional<std::int64_t> from_gb;
  std::optional<std::int64_t> below_gb;
  std::vector<SheetCard> cards;  ///< by memory
};
BOOST_DESCRIBE_STRUCT(SheetCardTier, (), (from_gb, below_gb, cards))

/// What it means when a run dies in a phase.
struct SheetPhase {
  std::string phase;
  std::string when;  ///< "step 1" | "step 2 and later"
  std::string bill;
  std::string remedy;
};
BOOST_DESCRIBE_STRUCT(SheetPhase, (), (phase, when, bill, remedy))

struct SheetAdvice {
  std::vector<SheetAdviceTopic> topics;  ///< in their order
  std::vector<SheetCardTier> tiers;
  std::vector<SheetPhase> phases;
};
BOOST_DESCRIBE_STRUCT(SheetAdvice, (), (topics, tiers, phases))

/// One sentence of a guide's accounting.
struct SheetGuideRule {
  std::string part;  ///< "Sharding", "Activations" …
  std::string words;
  bool fitted = false;  ///< not stated by the guide, inferred from its figures
};
BOOST_DESCRIBE_STRUCT(SheetGuideRule, (), (part, words, fitted))

/// A figure that contradicts its guide's rules, or that they do not give.
struct SheetGuideFigure : PrintedFigure {
  GuideValue computed;  ///< empty where nothing can be derived
};
BOOST_DESCRIBE_STRUCT(SheetGuideFigure, (PrintedFigure), (computed))

struct SheetGuide : ConventionHead {
  std::vector<SheetGuideRule> rules = {};
  std::int64_t exact = 0;  ///< figures by what the guide's own rules make of them
  std::int64_t within_rounding = 0;
  std::int64_t inconsistent = 0;
  std::int64_t not_derivable = 0;
  std::vector<SheetGuideFigure> figures = {};  ///< those that do not agree, in the guide's order
};
BOOST_DESCRIBE_STRUCT(SheetGuide, (ConventionHead),
                      (rules, exact, within_rounding, inconsistent, not_derivable, figures))

/// What a row shows, by column; a column that is in none of the maps is not known.
struct SheetWorksheetRow {
  std::string id;
  std::string group;  ///< title, or ""
  std::string title;
  std::map<std::string, double> figures;
  std::map<std::string, MicroUsd> usd;
  std::map<std::string, std::string> words;
  std::optional<LayoutShape> layout;  ///< absent where nothing was sized
  std::int64_t device = 0;            ///< bytes on one GPU, and what the verdict holds them against
  std::int64_t device_high = 0;       ///< upper end of their range; 0: no range is known
  std::int64_t capacity = 0;          ///< 0: no GPU was named
  std::optional<bool> certain;        ///< is_certain
  std::string note;

  static constexpr Key kKeys[] = {{"device", "device_bytes"},
                                  {"device_high", "device_high_bytes"},
                                  {"capacity", "capacity_bytes"}};
};
BOOST_DESCRIBE_STRUCT(SheetWorksheetRow, (),
                      (id, group, title, figures, usd, words, layout, device, device_high, capacity,
                       certain, note))

struct SheetWorksheet : WorksheetHead {
  std::vector<WorksheetColumn> columns;
  std::vector<SheetWorksheetRow> rows;
};
BOOST_DESCRIBE_STRUCT(SheetWorksheet, (WorksheetHead), (columns, rows))

// ---- What would help a pick, and what its choices cost: its request changed key by key, the
// stages of ZeRO side by side, adapters by rank. Plain values, all sized by the engine. Bytes are
// per GPU unless said otherwise; unknown is absent.

/// A row's request with some of its keys changed, sized again on the row's own layout.
struct SheetResized {
  Json change;              ///< the keys and the values they take: {"optimizer": "adamw-8bit"}
  std::int64_t device = 0;  ///< bytes
  std::int64_t host = 0;    ///< pinned host memory a GPU, bytes
  Verdict verdict = Verdict::kUnknown;  ///< of `device`
  std::int64_t device_high = 0;         ///< upper end of its range
  std::int64_t capacity = 0;
  std::optional<bool> certain = {};      ///< is_certain
  std::optional<std::int64_t> saved;     ///< device bytes that the lever saves; absent: none
  std::optional<std::int64_t> rentable;  ///< smallest rentable count that fits with the change
  std::optional<double> hours;           ///< of a run, on the row's layout
  /// What the lever adds to the hours of a run, as a share of them: 0.05 is 5 % more. Absent where
  /// the speed model does not know the key.
  std::optional<double> hours_added;

  static constexpr Key kKeys[] = {
      {"device", "device_bytes"},     {"device_high", "device_high_bytes"},
      {"capacity", "capacity_bytes"}, {"host", "host_bytes"},
      {"saved", "saved_bytes"},       {"hours_added", "hours_added_share"}};
};
BOOST_DESCRIBE_STRUCT(SheetResized, (),
                      (change, device, host, verdict, device_high, capacity, certain, saved,
                       rentable, hours, hours_added))

/// One lever. Where the row pulls it already, `resized` is the row without it, and `saved` and
/// `hours_added` still say what the lever does.
struct SheetLever {
  std::string id;        ///< "optimizer"
  std::string title;     ///< "an 8-bit optimizer"
  std::string gives_up;  ///< what it costs beside time, in words
  std::string term;      ///< term of the bill that it shrinks most; "" where it saves nothing
  bool in_use = false;
  SheetResized resized;
};
BOOST_DESCRIBE_STRUCT(SheetLever, (), (id, title, gives_up, term, in_use, resized))

/// Several levers pulled in one request: their savings do not add up, so they are sized together.
struct SheetCombination {
  std::vector<std::string> levers;  ///< ids, in the order in which they were added
  SheetResized resized;
};
BOOST_DESCRIBE_STRUCT(SheetCombination, (), (levers, resized))

struct SheetWhatIf {
  std::string row_key;
  std::int64_t device = 0;  ///< of the row
  std::optional<double> hours;
  std::vector<SheetLever> levers = {};  ///< those not in use first; in each part most saved first
  std::optional<SheetCombination> combination = {};

  static constexpr Key kKeys[] = {{"device", "device_bytes"}};
};
BOOST_DESCRIBE_STRUCT(SheetWhatIf, (), (row_key, device, hours, levers, combination))

/// One stage of ZeRO.
struct SheetZeroStage {
  std::string shard;  ///< none | zero1 | zero2 | zero3
  MemoryBill memory;
  Verdict verdict = Verdict::kUnknown;
  std::optional<double> wire;   ///< bytes that one GPU sends in a step for weights and gradients
  std::optional<double> hours;  ///< of a run; absent where the verdict is "no"

  static constexpr Key kKeys[] = {{"wire", "wire_bytes_per_step"}};
};
BOOST_DESCRIBE_STRUCT(SheetZeroStage, (), (shard, memory, verdict, wire, hours))

/// Full fine-tuning of a model under every stage, on one layout.
struct SheetZeroStages {
  std::string model;
  std::string method;
  std::string gpu = {};
  bool of_pick = false;  ///< the layout is the rent pick's
  LayoutShape layout = {};
  std::vector<SheetZeroStage> stages = {};
};
BOOST_DESCRIBE_STRUCT(SheetZeroStages, (), (model, method, gpu, of_pick, layout, stages))

/// Adapters of one rank. Bytes are of the whole run, before any sharding, but for `device`.
struct SheetAdapterRank {
  std::int64_t rank = 0;
  std::int64_t trainable = 0;
  double share = 0;  ///< of the base's parameters
  std::int64_t weights = 0;
  std::int64_t gradients = 0;
  std::int64_t optimizer = 0;
  std::int64_t file = 0;
  std::optional<std::int64_t> device = {};  ///< bytes a GPU on the pick's layout
  Verdict verdict = Verdict::kUnknown;      ///< of `device`
  std::optional<bool> certain = {};         ///< is_certain of it

  static constexpr Key kKeys[] = {{"weights", "weights_bytes"},
                                  {"gradients", "gradients_bytes"},
                                  {"optimizer", "optimizer_bytes"},
                                  {"file", "file_bytes"},
                                  {"device", "device_bytes"}};
};
BOOST_DESCRIBE_STRUCT(SheetAdapterRank, (),
                      (rank, trainable, share, weights, gradients, optimizer, file, device, verdict,
                       certain))

struct SheetAdapterRanks {
  std::string model;
  std::string method;
  std::string row_key = {};  ///< whose layout `device` is on; "" where the method has no pick
  std::int64_t rank = 0;     ///< of the method
  std::vector<SheetAdapterRank> ranks = {};
};
BOOST_DESCRIBE_STRUCT(SheetAdapterRanks, (), (model, method, row_key, rank, ranks))

}  // namespace sizesheet
