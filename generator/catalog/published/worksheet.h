// SPDX-License-Identifier: Apache-2.0
// Tables that guides print and topics of advice, as data: requests that ask the engine, and words.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "support/described.h"
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

struct AdviceEntry {
  std::string id;
  std::string title;
  std::string words;
  std::string basis;    ///< rule | claim | reported: what the words rest on
  std::string acts_on;  ///< techniques: the bill that shrinks; targets: the layers
  std::string prints;   ///< what a note or the refusal of the first run must hold, or ""
  std::string cause;    ///< symptoms
  std::string remedy;   ///< symptoms
  std::string setting;  ///< techniques and settings: what to write where
  std::vector<AdviceRun> runs;
  std::string source;
  std::string date;
};
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
struct AdviceTopic {
  std::string id;
  std::string title;
  std::string words;
  std::string kind;  ///< cards | techniques | warnings | targets | symptoms | notes | settings
  std::int64_t order = 0;
  Json request;
  AdviceCards cards;  ///< kind cards only
  std::vector<AdviceEntry> entries;
};
BOOST_DESCRIBE_STRUCT(AdviceTopic, (), (id, title, words, kind, order, request))

/// Reads a topic; every fault is recorded, references to `gpus` included.
AdviceTopic read_advice_topic(ObjectReader reader, const std::vector<std::string>& gpus);

}  // namespace sizesheet
