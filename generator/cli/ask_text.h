// SPDX-License-Identifier: Apache-2.0
// The answer of `ask` as a person reads it.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "sizing/answer/estimate.h"

namespace sizesheet {

class TakenNames;
struct AskOptions;
struct Catalog;
struct MethodAnswer;
struct Sheet;

/// A GPU type that no method is answered for.
struct CardLeftOut {
  std::string gpu;
  std::string why;
};

/// Those of which every row is refused, for the reason of the first. None where no row is answered.
std::vector<CardLeftOut> left_out_of(const Sheet& sheet);

/// Where a method stands, with the doubt about what is rented, in one line.
std::string whole_standing(const Sheet& sheet, const MethodAnswer& answer,
                           const AskOptions& options);

void print_text(const Catalog& catalog, const Sheet& sheet,
                const std::vector<MethodAnswer>& answers, const AskOptions& options,
                const TakenNames& taken, std::ostream& out);

}  // namespace sizesheet
