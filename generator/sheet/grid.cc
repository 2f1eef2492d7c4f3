// SPDX-License-Identifier: Apache-2.0
#include "sheet/grid.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "support/error.h"
#include "support/parallel.h"

namespace sizesheet {
namespace {

/// Rows in memory at once.
constexpr std::int64_t kCellsAtOnce = 256;

std::int64_t size_of(const auto& axis) { return static_cast<std::int64_t>(axis.size()); }

/// Position on the last of the axes that `cell` still counts; `cell` counts the others then.
std::size_t take(std::int64_t& cell, std::int64_t size) {
  const std::int64_t position = cell % size;
  cell /= size;
  return static_cast<std::size_t>(position);
}

}  // namespace

Grid::Grid(const Catalog& catalog, GridAxes axes)
    : catalog_(catalog),
      rules_(std::move(axes.rules)),
      methods_(std::move(axes.methods)),
      gpus_(std::move(axes.gpus)),
      on_demand_(catalog.prices, policy_of(rules_, "on_demand")) {
  for (const std::string& id : axes.models) models_.push_back({id, "", ""});
  for (const std::int64_t seq_len : axes.seq_lens) {
    SpecScenario scenario = rules_.scenarios.at(0);
    scenario.id = std::to_string(seq_len);
    scenario.request["workload"]["seq_len"] = seq_len;
    lengths_.push_back(std::move(scenario));
  }
}

std::int64_t Grid::cells() const {
  return size_of(models_) * size_of(methods_) * size_of(gpus_) * size_of(lengths_);
}

Row Grid::row(std::int64_t cell) const {
  const std::size_t length = take(cell, size_of(lengths_));
  const std::size_t gpu = take(cell, size_of(gpus_));
  const std::size_t method = take(cell, size_of(methods_));
  const SpecModel& model = models_.at(static_cast<std::size_t>(cell));
  const Cell asked{&model, methods_[method], gpus_[gpu], &lengths_[length]};
  Row found = bare_row(catalog_, rules_, asked);
  if (!found.modelled || found.verdict == "no") return found;
  try {
    found.rents[kOnDemand] = lowest_rent(catalog_, rules_, on_demand_, found);
  } catch (const std::overflow_error&) {
    throw InputError(found.key() +
                     ": the rent is too large to count in micro-dollars: prices or the sheet's "
                     "tokens are out of proportion");
  }
  return found;
}

GridRange Grid::part(std::int64_t number, std::int64_t of) const {
  const auto start = [&](std::int64_t before) {
    return static_cast<std::int64_t>(static_cast<__int128>(cells()) * before / of);
  };
  return {start(number - 1), start(number)};
}

void for_each_cell(const Grid& grid, GridRange range, int jobs, const GridLine& line,
                   const GridSink& sink) {
  for (std::int64_t from = range.from; from < range.to; from += kCellsAtOnce) {
    const std::int64_t count = std::min(kCellsAtOnce, range.to - from);
    std::vector<std::string> lines(static_cast<std::size_t>(count));
    for_each_index(lines.size(), jobs, [&](std::size_t i) {
      lines[i] = line(grid.row(from + static_cast<std::int64_t>(i)));
    });
    std::string text;
    for (const std::string& one : lines) text += one;
    if (!sink(text, from + count - range.from)) return;
  }
}

}  // namespace sizesheet
