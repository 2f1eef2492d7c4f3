// SPDX-License-Identifier: Apache-2.0
// A large sweep: every model with every method on every GPU type at every length, by the rules of a
// sheet. Cells are counted, never listed, so that any part of any grid is worked out alone and in
// little memory.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sheet/rent_row.h"
#include "sheet/size_row.h"

namespace sizesheet {

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
  /// Part `number` (from 1) of `of`: one stretch; the parts one after the other are the whole.
  GridRange part(std::int64_t number, std::int64_t of) const;

 private:
  const Catalog& catalog_;
  SheetSpec rules_;
  std::vector<SpecModel> models_;
  std::vector<std::string> methods_;
  std::vector<std::string> gpus_;
  std::vector<SpecScenario> lengths_;
  CurrentPrices on_demand_;
};

/// Makes the text of one row; called on several threads at once.
using GridLine = std::function<std::string(const Row&)>;
/// Takes texts in the order of the cells, and how many cells are done. False: stop.
using GridSink = std::function<bool(const std::string& text, std::int64_t done)>;

/// Works the range out on `jobs` threads; what reaches the sink does not depend on `jobs`.
void for_each_cell(const Grid& grid, GridRange range, int jobs, const GridLine& line,
                   const GridSink& sink);

}  // namespace sizesheet
