// SPDX-License-Identifier: Apache-2.0
#include "cost/plan/solver.h"

#include <coin/Cbc_C_Interface.h>
#include <coin/Clp_C_Interface.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>

#include "support/text.h"

namespace sizesheet {
namespace {

/// From here on it pays to look for what can be left out, which leaks where there is no solution.
constexpr int kLeastColumnsToReduce = 2000;

/// A programme as the solvers take it.
struct PackedProgramme {
  std::vector<int> starts{0};
  std::vector<int> rows;
  std::vector<double> coefficients;
  std::vector<double> lower;
  std::vector<double> upper;
  std::vector<double> cost;
  std::vector<double> row_lower;
  std::vector<double> row_upper;

  explicit PackedProgramme(const LinearProgramme& programme) {
    for (const LinearColumn& column : programme.columns) {
      for (const auto& [row, coefficient] : column.entries) {
        rows.push_back(row);
        coefficients.push_back(coefficient);
      }
      starts.push_back(static_cast<int>(rows.size()));
      lower.push_back(column.lower);
      upper.push_back(column.upper);
      cost.push_back(column.cost);
    }
    for (const LinearRow& row : programme.rows) {
      row_lower.push_back(row.lower);
      row_upper.push_back(row.upper);
    }
  }
  int columns() const { return static_cast<int>(cost.size()); }
  int row_count() const { return static_cast<int>(row_lower.size()); }

  void load_into(auto* model, auto* load) const {
    load(model, columns(), row_count(), starts.data(), rows.data(), coefficients.data(),
         lower.data(), upper.data(), cost.data(), row_lower.data(), row_upper.data());
  }
};

template <typename Model>
using Owned = std::unique_ptr<Model, void (*)(Model*)>;

double cost_of(const PackedProgramme& packed, const std::vector<double>& values) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += packed.cost[i] * values[i];
  return sum;
}

/// Nodes of a search that does nothing but branch. Small programmes need no more, and are done in a
/// third of the time that cuts and heuristics take.
constexpr int kPlainNodes = 2000;
constexpr int kPlainColumns = 2000;  // beyond, a node takes too long

/// Columns times nodes of a search with cuts and heuristics, so that it ends on every machine at
/// the same node: about ten seconds.
constexpr std::int64_t kMostWork = 1'000'000;
constexpr std::int64_t kLeastNodes = 20;

/// Columns from which on the aids at the root take longer than the whole search may.
constexpr int kMostAidedColumns = 6000;

std::int64_t most_nodes(const PackedProgramme& packed, bool plain) {
  if (plain) return kPlainNodes;
  return std::max(kLeastNodes, kMostWork / std::max(1, packed.columns()));
}

void set_options(Cbc_Model* model, const PackedProgramme& packed, bool plain, double seconds) {
  const auto set = [&](const char* name, const std::string& value) {
    Cbc_setParameter(model, name, value.c_str());
  };
  if (plain || packed.columns() > kMostAidedColumns) {
    for (const char* aid : {"preprocess", "cutsOnOff", "heuristicsOnOff"}) set(aid, "off");
  }
  set("maxNodes", std::to_string(most_nodes(packed, plain)));
  set("log", "0");
  set("timeMode", "elapsed");
  set("seconds", shortest(seconds));
  set("threads", "0");
  set("randomSeed", "1");
  set("randomCbcSeed", "1");
  set("allowableGap", "1e-4");  // of a dollar
  set("ratioGap", "0");
  set("increment", "1e-4");
  set("integerTolerance", "1e-7");
}

/// The command line that the solver's interface goes through keeps its place in globals.
std::mutex& one_at_a_time() {
  static std::mutex mutex;
  return mutex;
}

/// When it is stopped early, it says "infeasible" and nothing of why: `stopped` decides.
SolverResult result_of(Cbc_Model* model, const PackedProgramme& packed, bool stopped) {
  SolverResult result;
  const double* const values = Cbc_bestSolution(model);
  if (values != nullptr) result.values.assign(values, values + packed.columns());
  if (values == nullptr) {
    result.status = stopped ? SolverStatus::kNothing : SolverStatus::kInfeasible;
    return result;
  }
  result.status = Cbc_isProvenOptimal(model) != 0 ? SolverStatus::kOptimal : SolverStatus::kStopped;
  result.bound = std::min(Cbc_getBestPossibleObjValue(model), cost_of(packed, result.values));
  return result;
}

/// nullopt where a plain search ended at its last node.
std::optional<SolverResult> search(const LinearProgramme& programme, const PackedProgramme& packed,
                                   bool plain, double seconds) {
  const Owned<Cbc_Model> model(Cbc_newModel(), Cbc_deleteModel);
  packed.load_into(model.get(), Cbc_loadProblem);
  for (int i = 0; i < packed.columns(); ++i) {
    if (programme.columns[static_cast<std::size_t>(i)].whole) Cbc_setInteger(model.get(), i);
  }
  set_options(model.get(), packed, plain, seconds);
  const auto start = std::chrono::steady_clock::now();
  // Meanwhile an interrupt would run the solver's own handler, which takes it for a wish to stop
  // searching. `watch_for_ends` keeps it from every thread.
  Cbc_solve(model.get());
  if (plain && Cbc_isNodeLimitReached(model.get()) != 0) return std::nullopt;
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  // At its last node without a solution it says "infeasible" too.
  const bool stopped = taken.count() > 0.9 * seconds || Cbc_isNodeLimitReached(model.get()) != 0;
  return result_of(model.get(), packed, stopped);
}

}  // namespace

int LinearProgramme::add(LinearColumn column) {
  columns.push_back(std::move(column));
  return static_cast<int>(columns.size()) - 1;
}

int LinearProgramme::add(LinearRow row) {
  rows.push_back(row);
  return static_cast<int>(rows.size()) - 1;
}

void LinearProgramme::put(int row, int column, double coefficient) {
  columns[static_cast<std::size_t>(column)].entries.emplace_back(row, coefficient);
}

bool LinearProgramme::has_choice() const {
  return std::any_of(columns.begin(), columns.end(), [](const LinearColumn& column) {
    return column.whole && column.lower < column.upper;
  });
}

SolverResult solve_linear(const LinearProgramme& programme, double seconds) {
  const PackedProgramme packed(programme);
  const Owned<Clp_Simplex> model(Clp_newModel(), Clp_deleteModel);
  Clp_setLogLevel(model.get(), 0);
  packed.load_into(model.get(), Clp_loadProblem);
  Clp_setMaximumSeconds(model.get(), seconds);
  const Owned<Clp_Solve> how(ClpSolve_new(), ClpSolve_delete);
  ClpSolve_setSpecialOption(how.get(), 2, 1, -1);  // else it takes the interrupts of the process
  if (packed.columns() < kLeastColumnsToReduce) ClpSolve_setPresolveType(how.get(), 1, -1);
  Clp_initialSolveWithOptions(model.get(), how.get());
  SolverResult result;
  const int status = Clp_status(model.get());
  if (status == 1) {
    result.status = SolverStatus::kInfeasible;
    return result;
  }
  if (status == 3) return result;
  if (status != 0) throw std::runtime_error("the solver of the plan gave up");
  result.status = SolverStatus::kOptimal;
  const double* const values = Clp_primalColumnSolution(model.get());
  const double* const prices = Clp_dualRowSolution(model.get());
  result.values.assign(values, values + packed.columns());
  result.row_prices.assign(prices, prices + packed.row_count());
  result.bound = cost_of(packed, result.values);
  return result;
}

SolverResult solve_whole(const LinearProgramme& programme, double seconds) {
  const PackedProgramme packed(programme);
  const std::lock_guard<std::mutex> alone(one_at_a_time());
  // The nodes and not the clock end the first search, so that every machine finds the same.
  if (packed.columns() <= kPlainColumns) {
    if (auto found = search(programme, packed, true, seconds)) return *std::move(found);
  }
  return *search(programme, packed, false, seconds);
}

}  // namespace sizesheet
