// SPDX-License-Identifier: Apache-2.0
// From catalog and spec to rows, to a large sweep, and to a whole Sheet.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cost/rent.h"
#include "sheet/rows/candidates.h"
#include "sheet/rows/size_row.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "support/json.h"

namespace sizesheet {

struct Catalog;

// ---- The sweep: every cell of a sheet spec, sized and priced, handed to a sink in a fixed order.

/// Takes rows one by one: model-major, then method, GPU, scenario. A Sheet is one sink, a stream
/// another.
using RowSink = std::function<void(Row&&)>;

/// Told after each batch how many of all cells are done.
using Progress = std::function<void(std::size_t done, std::size_t all)>;

/// Sizes and prices all cells on `jobs` threads; what reaches the sink does not depend on `jobs`.
void sweep(const Catalog& catalog, const SheetSpec& spec, int jobs, const RowSink& sink,
           const Progress& progress);

// ---- A large sweep: every model with every method on every GPU type at every length, by the rules
// of a sheet. Cells are counted, never listed, so that any part of any grid is worked out alone and
// in little memory.

/// What is crossed. The first scenario of `rules` gives the stack and all keys of the request but
/// the length; its models, methods, GPUs and further scenarios do not count here.
struct GridAxes {
  SheetSpec rules;
  std::vector<std::string> models;
  std::vector<std::string> methods;
  std::vector<std::string> gpus;
  std::vector<std::int64_t> seq_lens;
};

/// Cells [from, to).
struct GridRange {
  std::int64_t from = 0;
  std::int64_t to = 0;
};

class Grid {
 public:
  /// The catalog must outlive it.
  Grid(const Catalog& catalog, GridAxes axes);

  /// Models x methods x GPUs x lengths.
  std::int64_t cells() const;
  /// Cells go model by model, in it method by method, in it GPU by GPU, in it by length. A row has
  /// no proofs, its lowest rent on demand, and the length for its scenario.
  Row row(std::int64_t cell) const;
  /// The same on exactly as many GPUs as the rules allow.
  FixedRow fixed_row(std::int64_t cell) const;
  /// Part `number` (from 1) of `of`: one stretch; the parts one after the other are the whole.
  GridRange part(std::int64_t number, std::int64_t of) const;

 private:
  Cell cell_at(std::int64_t cell) const;
  void add_rent(Row& row) const;

  const Catalog& catalog_;
  SheetSpec rules_;
  std::vector<SpecModel> models_;
  std::vector<std::string> methods_;
  std::vector<std::string> gpus_;
  std::vector<SpecScenario> lengths_;
  CurrentPrices on_demand_;
  Offers offers_;
};

/// Makes the text of one row; called on several threads at once.
using GridLine = std::function<std::string(const Row&)>;
/// Takes texts in the order of the cells, and how many cells are done. False: stop.
using GridSink = std::function<bool(const std::string& text, std::int64_t done)>;

/// Works the range out on `jobs` threads; what reaches the sink does not depend on `jobs`.
void for_each_cell(const Grid& grid, GridRange range, int jobs, const GridLine& line,
                   const GridSink& sink);

// ---- From catalog and spec to a whole Sheet.

struct EditionLabels {
  std::string tool_version;
  std::string base_url;
  std::string paper = "a4";    ///< a4 | letter
  std::string templates = {};  ///< "" or the SHA-256 of a set of one's own
};

/// Sees a row before the sheet keeps it, and may take from it what nobody needs any more.
using RowEdit = std::function<void(Row& row)>;

/// The part of a sheet that a comparison looks at: facts, rows and picks; without offers, series,
/// levers, accuracy, guides, frameworks and advice. The same inputs give the same rows for any
/// `jobs`.
Sheet sized_sheet(const Catalog& catalog, const SheetSpec& spec, const EditionLabels& labels,
                  int jobs, const RowEdit& edit, const Progress& progress);

/// Sweeps every cell, picks, draws the series. The same inputs give the same Sheet for any `jobs`.
Sheet build_sheet(const Catalog& catalog, const SheetSpec& spec, const EditionLabels& labels,
                  int jobs, const Progress& progress);

/// `inputs` of sheet.json: every catalog entry that the spec's rows rest on, whole; price rows name
/// their provider; "sheet" is the spec with the day it was made for.
Json inputs_of(const Catalog& catalog, const SheetSpec& spec);

}  // namespace sizesheet
