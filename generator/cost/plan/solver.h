// SPDX-License-Identifier: Apache-2.0
// Linear programmes solved: CLP for those of any numbers, CBC for those with whole ones.
#pragma once

#include <limits>
#include <utility>
#include <vector>

namespace sizesheet {

struct LinearColumn {
  double lower = 0;
  double upper = std::numeric_limits<double>::max();
  double cost = 0;
  bool whole = false;
  std::vector<std::pair<int, double>> entries;  ///< row and coefficient
};

struct LinearRow {
  double lower = -std::numeric_limits<double>::max();
  double upper = std::numeric_limits<double>::max();
};

/// The sum of cost times value over the columns is to be least.
struct LinearProgramme {
  std::vector<LinearColumn> columns;
  std::vector<LinearRow> rows;

  int add(LinearColumn column);
  int add(LinearRow row);
  void put(int row, int column, double coefficient);
  bool has_choice() const;  ///< a whole column that is not fixed
};

enum class SolverStatus {
  kOptimal,     ///< nothing is cheaper by more than a hundredth of a cent
  kStopped,     ///< out of time with a solution
  kInfeasible,  ///< proven to have none
  kNothing,     ///< out of time without one
};

struct SolverResult {
  SolverStatus status = SolverStatus::kNothing;
  std::vector<double> values;      ///< by column; empty without a solution
  std::vector<double> row_prices;  ///< of solve_linear: what one more on the right costs
  double bound = -std::numeric_limits<double>::max();  ///< no solution costs less
};

/// Whole columns count as any others. Throws std::runtime_error when the solver gives up; after
/// `seconds` there is nothing.
SolverResult solve_linear(const LinearProgramme& programme,
                          double seconds = std::numeric_limits<double>::max());

/// Whole columns are whole, to within a ten-millionth. The time is looked at between steps, of
/// which the first is the linear programme: some 50,000 columns take seconds. One call at a time,
/// others wait.
SolverResult solve_whole(const LinearProgramme& programme, double seconds);

}  // namespace sizesheet
