// SPDX-License-Identifier: Apache-2.0
// Tables that guides print, tables by framework and topics of advice, as data: requests that ask
// the engine, and words.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "support/json.h"

namespace sizesheet {

struct WorksheetColumn {
  std::string id;             ///< a measure of the answer, or a fact of the rows
  std::string title;          ///< with the unit
  std::int64_t decimals = 0;  ///< of a figure
};
BOOST_DESCRIBE_STRUCT(WorksheetColumn, (), (id, title, decimals))

/// Rows are repeated under each group; its keys are laid over the table's.
struct WorksheetGroup {
  std::string id;
  std::string title;
  Json request;
};
BOOST_DESCRIBE_STRUCT(WorksheetGroup, (), (id, title, request))

struct WorksheetRow {
  std::string id;
  std::string title;
  std::optional<Json> request;               ///< absent: the row holds facts only
  std::map<std::string, std::string> facts;  ///< by column
  std::string note;
};
BOOST_DESCRIBE_STRUCT(WorksheetRow, (), (id, title, request, note))

/// What an edition shows of a table as it stands.
struct WorksheetHead {
  std::string id;
  std::string page;  ///< where it is shown: frameworks | gpus | guides | method
  std::string title;
  std::string words;
  std::string source;
  std::string date;
  std::string rows_title;  ///< head of the first column
};
BOOST_DESCRIBE_STRUCT(WorksheetHead, (), (id, page, title, words, source, date, rows_title))

/// A table that guides print and this tool works out: rows that ask the engine, columns that name
/// what is to be shown of its answers. Requests are laid over each other.
struct Worksheet : WorksheetHead {
  std::int64_t position = 0;  ///< among the tables of its page
  Json request;
  std::vector<WorksheetColumn> columns;
  std::vector<WorksheetGroup> groups;  ///< at least one; the only one may be without a title
  std::vector<WorksheetRow> rows;
};
BOOST_DESCRIBE_STRUCT(Worksheet, (WorksheetHead), (position, request))

/// Faults are recorded; what the requests ask is checked by the room that reads them.
Worksheet read_worksheet(ObjectReader reader);

/// An `estimate` request to be shown with its answer; its topic's request lies under it.
struct AdviceRun {
  std::string title;
  Json request;
};
BOOST_DESCRIBE_STRUCT(AdviceRun, (), (title, request))

/// What an edition shows of an entry as it stands.
struct AdviceFacts {
  std::string id;
  std::string title;
  std::string words;
  std::string basis;    ///< rule | claim | reported: what the words rest on
  std::string acts_on;  ///< techniques: the bill that shrinks; targets: the layers
  std::string cause;    ///< symptoms
  std::string remedy;   ///< symptoms
  std::string setting;  ///< techniques and settings: what to write where
  std::string source;
  std::string date;
};
BOOST_DESCRIBE_STRUCT(AdviceFacts, (),
                      (id, title, words, basis, acts_on, cause, remedy, setting, source, date))

struct AdviceEntry : AdviceFacts {
  std::string prints;  ///< what a note or the refusal of the first run must hold, or ""
  std::vector<AdviceRun> runs;
};
/// Those that an entry of any kind has.
BOOST_DESCRIBE_STRUCT(AdviceEntry, (), (id, title, words, basis, source, date))

/// Cards by size, and what one and several of them hold.
struct AdviceCards {
  std::vector<std::int64_t> limits_gb;  ///< ascending; a card of exactly a limit is above it
  std::vector<std::int64_t> counts;
  std::vector<std::string> gpus;
};
BOOST_DESCRIBE_STRUCT(AdviceCards, (), (limits_gb, counts, gpus))

/// Sentences with source and date, beside them the requests that show what a sentence means. What
/// a request answers is never written here; the engine works it out.
struct AdviceHead {
  std::string id;
  std::string title;
  std::string words;
  std::string kind;  ///< cards | techniques | warnings | targets | symptoms | notes | settings
};
BOOST_DESCRIBE_STRUCT(AdviceHead, (), (id, title, words, kind))

struct AdviceTopic : AdviceHead {
  std::int64_t order = 0;
  Json request;
  AdviceCards cards;  ///< kind cards only
  std::vector<AdviceEntry> entries;
};
BOOST_DESCRIBE_STRUCT(AdviceTopic, (AdviceHead), (order, request))

/// Reads a topic; every fault is recorded, references to `gpus` included.
AdviceTopic read_advice_topic(ObjectReader reader, const std::vector<std::string>& gpus);

// ---- What is asked of several training frameworks for one model, and the launch recipes that they
// ship. Each request holds keys of an `estimate` request and is laid over its framework's.

/// computed | recipe | tested | theoretical: what a set-up or a figure rests on.
const std::vector<std::string>& evidence_labels();

struct TrainingFramework {
  std::string id;
  std::string title;
  std::string words;
  std::string source;
  std::string date;
  Json request;
};
BOOST_DESCRIBE_STRUCT(TrainingFramework, (), (id, title, words, source, date))

/// One job of the table at a glance. Without a layout in its request the engine searches one.
struct FrameworkRow {
  std::string id;
  std::string framework;
  std::string title;
  std::string evidence;  ///< of the set-up; its figures are computed
  std::string recipe;    ///< id of a launch recipe, or ""
  std::string words;
};
BOOST_DESCRIBE_STRUCT(FrameworkRow, (), (id, framework, title, evidence, recipe, words))

struct FrameworkQuestion : FrameworkRow {
  Json request;
};
BOOST_DESCRIBE_STRUCT(FrameworkQuestion, (FrameworkRow), (request))

/// A variant of a table: keys that hold for all of its rows.
struct RequestSet {
  std::string id;
  std::string title;
  Json request;
  std::map<std::string, double> printed_gb;  ///< by layer kind, where a guide prints it
};
BOOST_DESCRIBE_STRUCT(RequestSet, (), (id, title, request))

struct SequenceStep {
  std::int64_t seq_len = 0;
  std::int64_t gpus = 0;
  std::int64_t tp = 1;
  std::int64_t cp = 1;
  std::optional<double> printed_activations_gb;  ///< as a guide prints it
  std::optional<double> printed_total_gb;
};
BOOST_DESCRIBE_STRUCT(SequenceStep, (),
                      (seq_len, gpus, tp, cp, printed_activations_gb, printed_total_gb))

/// Every set is asked at every step.
struct SequenceTable {
  std::string framework;
  std::string evidence;  ///< of the layouts and of what is printed
  std::string words;
  Json request;
  std::vector<RequestSet> sets;
  std::vector<SequenceStep> rows;
};
BOOST_DESCRIBE_STRUCT(SequenceTable, (), (framework, evidence, words, request))

/// A count that somebody published, to hold beside ours.
struct PublishedAdapters {
  std::int64_t rank = 0;
  std::string of;  ///< all | experts
  std::int64_t value = 0;
  std::int64_t within = 0;  ///< half of its last digit; 0: exact
  std::string evidence;
  std::string source;
};
BOOST_DESCRIBE_STRUCT(PublishedAdapters, (), (of, value, within, evidence, source))

struct AdapterMode {
  std::string id;
  std::string title;
  std::string words;
  Json request;  ///< without a rank
  std::vector<PublishedAdapters> published;
};
BOOST_DESCRIBE_STRUCT(AdapterMode, (), (id, title, words, request))

/// Requests of one table that share a framework and a layout.
struct RequestTable {
  std::string framework;
  std::string words;
  Json request;
  std::vector<RequestSet> sets;
};
BOOST_DESCRIBE_STRUCT(RequestTable, (), (framework, words, request))

struct LaunchRecipe {
  std::string id;
  std::string framework;
  std::string title;
  std::string repository;  ///< "NVIDIA-NeMo/RL"
  std::string path;
  std::string commit;  ///< "" where the file itself was not seen
  std::string date;
  std::int64_t gpus = 0;
  std::int64_t nodes = 0;
  std::string hardware;
  std::string what;
  std::string command;
  std::string evidence;
  std::string source;
};
BOOST_DESCRIBE_STRUCT(LaunchRecipe, (),
                      (id, framework, title, repository, path, commit, date, gpus, nodes, hardware,
                       what, command, evidence, source))

struct FrameworkHead {
  std::string id;
  std::string title;
  std::string words;
  std::string model;
  std::string gpu;
  std::string source;
  std::string date;
};
BOOST_DESCRIBE_STRUCT(FrameworkHead, (), (id, title, words, model, gpu, source, date))

struct FrameworkSet : FrameworkHead {
  std::vector<TrainingFramework> frameworks;
  std::vector<FrameworkQuestion> questions;
  SequenceTable sequences;
  std::vector<std::int64_t> ranks;
  std::vector<AdapterMode> modes;
  RequestTable layers;
  RequestTable comparison;
  std::vector<LaunchRecipe> recipes;

  /// Must be one of `frameworks`; loading checks every reference.
  const TrainingFramework& framework(const std::string& framework_id) const;
};
BOOST_DESCRIBE_STRUCT(FrameworkSet, (FrameworkHead), ())

struct FrameworkNames {
  std::vector<std::string> models;
  std::vector<std::string> gpus;
};

/// Reads a set; every fault is recorded, references to `known` and within the file included.
FrameworkSet read_framework_set(ObjectReader reader, const FrameworkNames& known);

}  // namespace sizesheet
