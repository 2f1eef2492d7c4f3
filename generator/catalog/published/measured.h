// SPDX-License-Identifier: Apache-2.0
// Published measurements of memory and speed, and what the comparison with them is held to.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "support/described.h"
#include "support/json.h"

namespace sizesheet {

/// What was published. Without a figure the run itself is the finding: it ran, or it did not.
struct MeasuredFigure {
  std::optional<std::int64_t> bytes;  ///< per GPU
  std::string kind;                   ///< allocated | reserved | device
  bool kind_stated = false;           ///< the source names the counter; else it is inferred
  std::string unit_as_published;      ///< "GB", "GiB", "bytes"
  std::string relation;  ///< equal | lower_bound (the run was at most as large as the request says)
                         ///< | fits | oom
  bool last_stage = false;  ///< of the last pipeline stage; else of the one that needs most
};
BOOST_DESCRIBE_STRUCT(MeasuredFigure, (), (kind, kind_stated, unit_as_published, relation, bytes))

struct MeasuredRow {
  std::string id;
  std::string framework;  ///< a stack's id where it is that stack
  std::string model;      ///< its name in the file or the catalog
  Json request;           ///< whole, as `estimate` takes it
  MeasuredFigure measured;
  std::string confidence;          ///< high | medium | low: of the mapping to a request
  std::vector<std::string> flags;  ///< why no request can describe the run; outside the totals
  std::vector<std::string> assumptions;
  std::string link;      ///< where the figure stands
  std::string evidence;  ///< the line of the table
};

/// A run whose speed was published; `run.measured` says nothing.
struct MeasuredSpeed {
  MeasuredRow run;
  double tokens_per_s_per_gpu = 0;
  bool derived = false;  ///< from seconds or samples, which is what was published
};

/// One publication: its rows share tools and habits, so that it also counts as one vote.
struct PublishedSource {
  std::string id;
  std::string title;
  std::string source;
  std::string url;
  std::string date;
  bool held_out = false;        ///< no constant may be fitted to it
  bool speed_held_out = false;  ///< no constant of speed may be fitted to it
};
BOOST_DESCRIBE_STRUCT(PublishedSource, (), (id, title, source, url, date, held_out))

struct MeasuredSource : PublishedSource {
  std::vector<std::string> assumptions;  ///< that hold for every row
  std::vector<MeasuredRow> rows;         ///< of memory
  std::vector<MeasuredSpeed> speeds;
};
BOOST_DESCRIBE_STRUCT(MeasuredSource, (PublishedSource), ())

MeasuredSource read_measured_source(ObjectReader reader);

/// Ids that rows may name.
struct MeasuredNames {
  std::vector<std::string> models;
  std::vector<std::string> gpus;
  std::vector<std::string> reasons;  ///< flags
};

/// Faults names that are not known and row ids in `seen`, to which it adds the source's own.
void check_measured(const MeasuredSource& source, const std::string& file,
                    const MeasuredNames& known, std::set<std::string>& seen, Faults& faults);

/// A figure of the comparison and the most it may be. `id` is of a closed set.
struct Bar {
  std::string id;
  std::string title;
  double limit = 0;  ///< a share, or a count or a ratio where the title says so
  std::string reason;
};
BOOST_DESCRIBE_STRUCT(Bar, (), (id, title, limit, reason))

/// A reason for which a published run is outside what a request can say.
struct OutOfModelReason {
  std::string id;  ///< a row's flag, or "refused"
  std::string title;
};
BOOST_DESCRIBE_STRUCT(OutOfModelReason, (), (id, title))

/// What the comparison with measurements is held to.
struct ValidationRules {
  std::string held_out;  ///< how the held-out sources were chosen, one sentence
  std::vector<OutOfModelReason> reasons;
  std::vector<Bar> bars;
};

/// What the engine itself refuses is counted under this reason; no row may be flagged with it.
inline constexpr const char* kRefused = "refused";

ValidationRules read_validation_rules(ObjectReader reader);

}  // namespace sizesheet
