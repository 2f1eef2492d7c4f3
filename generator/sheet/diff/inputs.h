// SPDX-License-Identifier: Apache-2.0
// The catalog and the specification that one edition was made from, out of its own sheet.json.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "sheet/diff/compare.h"
#include "sheet/spec.h"

namespace sizesheet {

/// Keys under "inputs" that a re-sizing needs and that are not there, in the order of the program;
/// an edition of an older program may lack some.
std::vector<std::string> missing_inputs(const Json& inputs);

/// The entries of one edition, read as the catalog's own files are; what rows and picks do not rest
/// on (measurements, guides, tables by framework, bare cards) is not in it. Throws InputError
/// `file:/inputs/…` with every fault.
Catalog catalog_from_inputs(const Json& inputs, const std::string& file);

/// The specification, with the day that the edition was made for. Throws InputError likewise.
SheetSpec spec_from_inputs(const Json& inputs, const std::string& file, const Catalog& catalog);

/// Inputs and what they read as.
struct EditionInputs {
  Json raw;
  Catalog catalog;
  SheetSpec spec;
};
/// Throws InputError.
EditionInputs read_inputs(Json inputs, const std::string& file);

// ---- The groups that inputs fall into, and inputs of which some groups are OLD's and some NEW's.

using Groups = std::set<std::string>;

/// prices, gpus, models, methods, workload, ownership, engine: the order of the page.
const std::vector<std::string>& input_groups();
/// engine, models, methods, gpus, workload, ownership, prices: the order in which they are
/// switched.
const std::vector<std::string>& switch_order();

/// Keys under "inputs", and under its "sheet", that a group is made of.
struct GroupKeys {
  std::vector<std::string> inputs;
  std::vector<std::string> sheet;
};
/// Throws std::out_of_range for a group that is none. What is in no group (title, edition, source)
/// moves no row.
const GroupKeys& keys_of_group(const std::string& group);

/// Groups whose inputs differ; prices and machines of a GPU that only one side sizes are no
/// difference but the GPU's. The program itself belongs to engine and is not looked at here.
Groups differing_groups(const Json& old_inputs, const Json& new_inputs);

/// OLD's inputs under NEW's ids: entries and every place that names one (the sheet's lists, a
/// scenario's methods, prices, machines, speeds of GPUs). So a renamed row keeps its key, NEW's,
/// through every mix. `was` is taken out: it has done its work. NEW's own go through with no
/// renames.
Json inputs_under_new_names(Json inputs, const Renames& renames);

/// OLD's inputs with the groups `from_new` of NEW; both under NEW's names. Prices and machines of
/// GPUs that are not in the mix are dropped, and methods of scenarios likewise; a scenario that
/// loses its last method goes too. Prices, machines and speed of a GPU that only one side sizes
/// come with the GPU, whichever side those groups are of: a new GPU is one cause, not three.
Json mixed_inputs(const Json& old_inputs, const Json& new_inputs, const Groups& from_new);

}  // namespace sizesheet
