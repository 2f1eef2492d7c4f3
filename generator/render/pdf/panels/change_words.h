// SPDX-License-Identifier: Apache-2.0
// One change of an edition in the words of the third panel.
#pragma once

#include <string>
#include <vector>

#include "render/pdf/panels/panels.h"
#include "support/trace.h"

namespace sizesheet {

struct Change;
struct MovedInput;
struct Sheet;
struct SheetGpu;

}  // namespace sizesheet

namespace sizesheet::pdf {

/// "−12 %", "+0.4 %", "×12" from tenfold on; "0 %" when neither moved.
std::string moved_by(double old_value, double new_value);

/// "price", "GPU, engine", "several"; "–" when unknown.
std::string cause_words(const std::vector<std::string>& groups);

/// "70B full", for a row also "on H200".
std::string subject_of(const Change& change, const Sheet& sheet);

/// A pick or a row.
Finding change_finding(const Change& change, const Sheet& sheet);

/// The GPU type that an input is a price of; nullptr for another input, or a type that went.
const SheetGpu* gpu_of_price(const MovedInput& input, const Sheet& sheet);

/// An entry of the catalog or of the sheet's specification.
Finding input_finding(const MovedInput& input, const Sheet& sheet);

}  // namespace sizesheet::pdf
