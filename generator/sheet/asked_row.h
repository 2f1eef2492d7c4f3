// SPDX-License-Identifier: Apache-2.0
// A row's question, asked again: for what is worked out beside the rows themselves.
#pragma once

#include <optional>

#include "sheet/size_row.h"
#include "sizing/search.h"
#include "sizing/variation.h"

namespace sizesheet {

/// The cell of the spec that a row came from; it must be one of this spec's.
Cell cell_of(const SheetSpec& spec, const Row& row);

struct AskedRow {
  Question question;
  Candidate chosen;  ///< best layout on the count asked for
};

/// nullopt: the request is refused, or has no layout on so many GPUs.
std::optional<AskedRow> asked(const Catalog& catalog, const SheetSpec& spec, const Cell& cell,
                              std::int64_t gpus);

/// Middle of the hours of a run, whether or not the job holds; nullopt where the speed or the
/// length of the run is not known.
std::optional<double> mid_hours(const Question& question, const Job& job);

/// The first method of the spec of this kind ("full", "lora"); nullptr if there is none.
const Method* method_of_kind(const Catalog& catalog, const SheetSpec& spec, const char* kind);

/// The main scenario's cell of a model, a method and a GPU type; nullopt where it leaves the method
/// out.
std::optional<Cell> main_cell(const SheetSpec& spec, const std::string& model,
                              const std::string& method, const std::string& gpu);

}  // namespace sizesheet
