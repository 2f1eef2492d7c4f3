// SPDX-License-Identifier: Apache-2.0
// What one edition was made from, out of its own sheet.json, and mixtures of two editions' inputs.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/prices/price_age.h"
#include "catalog/prices/provider.h"
#include "sheet/changes.h"
#include "sheet/spec.h"
#include "support/json.h"

namespace sizesheet {

struct Renames;

/// Keys under "inputs" that a re-sizing needs and that are not there, in the order of the program;
/// an edition of an older program may lack some.
std::vector<std::string> missing_inputs(const Json& inputs);

/// Inputs and what they read as; what rows and picks do not rest on (measurements, guides, tables
/// by framework, bare cards) is not in it. The specification has the day the edition was made for.
struct EditionInputs {
  Json raw;
  Catalog catalog;
  SheetSpec spec;
};
/// Read as the catalog's own files are. Throws InputError `file:/inputs/…` with every fault.
EditionInputs read_inputs(Json inputs, const std::string& file);

/// How the prices of an edition age, and who asks them.
struct EditionAges {
  PriceAge age;
  std::vector<Provider> providers;
};
/// Nothing of what cannot be read.
EditionAges ages_of(const Json& inputs);

/// Which rows an input bears on.
enum class Affects {
  kNone,
  kAll,
  kOwned,
  kModel,
  kMethod,
  kGpu,
  kScenario,
  kStack,
  kMachine,
  kProvider,
  kOffer,
  kService
};

/// A part of the inputs, the group that it is in, and what is said of a difference in it.
struct InputPlace {
  const char* group;
  const char* place;  ///< JSON pointer under "inputs"
  const char* what;   ///< of a list: before the entry's id; nullptr where it is told elsewhere
  Affects bears;
  const char* prefix = nullptr;  ///< of a list of entries: of their ids in `MovedInput`
};
/// What stands in none of them (title, edition, source) moves no row.
const std::vector<InputPlace>& input_places();

using Groups = std::set<std::string>;

/// The group that bears on nothing but the plan.
inline constexpr const char* kDemandGroup = "demand";

/// The day of the sheet, and how prices move until then.
inline constexpr const char* kAgeGroup = "age";

/// Rates of fine-tuning services, which no row is rented or owned by.
inline constexpr const char* kServiceGroup = "services";

/// Runs that a team measured itself.
inline constexpr const char* kMeasuredGroup = "measured";

/// In the order of the page.
inline const std::vector<std::string> kInputGroups{
    "prices",    kAgeGroup,     "gpus",         "models", "methods",   "workload",
    "ownership", kServiceGroup, kMeasuredGroup, "engine", kDemandGroup};
/// In the order in which they are switched: prices grow older before new ones replace them.
inline const std::vector<std::string> kSwitchOrder{"engine", kMeasuredGroup, "models",    "methods",
                                                   "gpus",   "workload",     "ownership", kAgeGroup,
                                                   "prices", kServiceGroup,  kDemandGroup};

/// Whether the inputs of a group were seen on a day: NEW's come with NEW's day, since on OLD's some
/// of them were not seen yet.
inline bool comes_with_its_day(const std::string& group) {
  return group == "prices" || group == kServiceGroup;
}

/// The keys under "inputs" and under its "sheet" that a group is made of, as JSON pointers.
std::set<std::string> keys_of_group(const std::string& group);

/// What stands at a JSON pointer under "inputs"; null where nothing does.
const Json& input_at(const Json& inputs, const std::string& place);

/// Groups whose inputs differ; prices and machines of a GPU that only one side sizes are no
/// difference but the GPU's. The program itself belongs to engine and is not looked at here.
Groups differing_groups(const Json& old_inputs, const Json& new_inputs);

/// OLD's inputs under NEW's ids: entries and every place that names one (the sheet's lists, a
/// scenario's methods, prices, machines, speeds of GPUs). So a renamed row keeps its key, NEW's,
/// through every mix. `was` is taken out: it has done its work. NEW's own go through with no
/// renames.
Json inputs_under_new_names(Json inputs, const Renames& renames);

/// OLD's inputs with the groups `switched` to NEW's; both under NEW's names. Prices and machines of
/// GPUs that are not in the mix are dropped, and methods of scenarios likewise; a scenario that
/// loses its last method goes too. Prices, machines and speed of a GPU that only one side sizes
/// come with the GPU, whichever side those groups are of: a new GPU is one cause, not three. NEW's
/// prices and services come with NEW's day and ages. The demand keeps the runs, machines and
/// contracts that the mix knows; without runs it goes.
Json mixed_inputs(const Json& old_inputs, const Json& new_inputs, const Groups& switched);

/// What differs between the inputs of two editions.
struct TracedInput {
  MovedInput moved;
  Affects bears = Affects::kAll;
  std::string id;   ///< of the model, method … that it bears on; of a price its key without a day
  std::string gpu;  ///< of a price
  std::string tier;  ///< of a price
};

}  // namespace sizesheet
