// SPDX-License-Identifier: Apache-2.0
// What a sheet is asked for, read and held against the catalog; and which purchase rates the cost
// of owning in it rests on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/models/model_names.h"
#include "catalog/prices/purchase.h"
#include "cost/ownership.h"
#include "sheet/plan/plan.h"
#include "sheet/sheet.h"
#include "support/json.h"

namespace sizesheet {

/// Ids of purchase rates. What is optional is "" where it is left out, and counts for nothing then.
struct SpecOwnership {
  double planned_hours_per_month = 0;
  std::string life;
  std::string residual;     ///< a share of the purchase; either this or value_decay
  std::string value_decay;  ///< orders of magnitude a year
  std::string cost_of_capital;
  std::string idle_power;
  std::string pue;
  std::string electricity;
  std::string colocation;
  std::string support;
  std::string network;
  std::string hours_per_month;
  std::string utilisation;         ///< optional: how far the planned hours may be off
  std::string cabling;             ///< optional: a share of the nodes' price
  std::string staff_fte_per_node;  ///< optional, with the next one
  std::string usd_per_fte_year;
  std::string licence;  ///< optional: a year and GPU

  /// Every rate in use, in the order of the page: its key of a rent-or-buy question, and its id.
  std::vector<std::pair<std::string, std::string>> rates() const;
};

/// Reads `ownership` of a spec; every rate is looked up, and one that covers what another rate in
/// use counts is refused. Faults are recorded.
SpecOwnership read_spec_ownership(ObjectReader reader, const Purchase& purchase);

struct SpecModel {
  std::string id;
  std::string size;  ///< row label, "70B"
  std::string note;  ///< second line of the label
};

struct SpecScenario {
  std::string id;
  std::string title;
  std::string stack;
  std::string summary;
  Json request;  ///< keys of `estimate` that hold for every row (workload, kernels …)
  std::vector<std::string> methods;  ///< empty: all of the sheet
  std::vector<std::string> was;      ///< ids that it had before
};

/// The options as the sheet shows them, but for the hours of a month, which `ownership` has: those
/// planned as they are, the other as the id of a rate.
struct SheetSpec : SheetOptions {
  std::string id;
  std::string title;
  std::string edition;
  std::string as_of;
  std::optional<ShownCurrency> exchange;  ///< of the pages, the handout and the workbook
  std::optional<SheetLabels> labels;      ///< likewise
  std::vector<SpecModel> models;
  std::string base_url;  ///< where the pages will stand; "" for nowhere
  std::vector<std::string> methods;
  std::vector<std::string> gpus;
  std::vector<SpecScenario> scenarios;
  SpecOwnership ownership;
  std::optional<PlanDemand> plan;
  std::vector<std::int64_t> series_seq_lens;
  Json raw;  ///< the file whole; `as_of` above may be another day, asked for on the command line
};

/// Training tokens of a run by a method of the catalog.
std::int64_t tokens_of(const SheetSpec& spec, const Method& method);

/// Whether the providers and regions of a price policy must stand in the catalog. An edition keeps
/// the price rows of its own GPUs only, and a name it was made with may be in none of them.
enum class PriceOrigins { kChecked, kTrusted };

/// Reads a spec; every reference is checked against the catalog. Faults are recorded.
SheetSpec read_sheet_spec(ObjectReader reader, const Catalog& catalog,
                          PriceOrigins origins = PriceOrigins::kChecked);

/// Adds a fault for each GPU type of the spec whose usable memory is not known: nothing can be
/// sized on it.
void refuse_unknown_memory(const SheetSpec& spec, const Catalog& catalog, const std::string& file,
                           Faults& faults);

/// The spec in `file`. A file that cannot be read and malformed JSON throw InputError.
SheetSpec read_sheet_file(const std::filesystem::path& file, const Catalog& catalog,
                          Faults& faults);

/// What `catalog/labels/en.json` is in a catalog: every label there is.
inline constexpr const char* kEnglishLabels = "labels/en.json";

/// `currency` of a spec: nothing for "USD", else another one with its rate and sign.
std::optional<ShownCurrency> read_currency(ObjectReader& reader);

/// The labels in `file`; one that no form of the sheet has is a fault.
SheetLabels read_labels(const std::filesystem::path& file, const SheetSpec& spec,
                        const Catalog& catalog, Faults& faults);

/// Takes in the logo and the labels that the spec in `file` names: a file beside it, or of the
/// catalog that is compiled in.
void read_named_files(const Json& json, const std::filesystem::path& file, const Catalog& catalog,
                      SheetSpec& spec, Faults& faults);

/// Holds a sound spec against a sound catalog: rates that cannot have the role that it gives them,
/// scenarios of which no row can be asked.
void check_sheet_spec(const SheetSpec& spec, const std::filesystem::path& file,
                      const CatalogLayers& layers, const Catalog& catalog, Faults& faults);

/// `id_or_file`: an id of catalog/sheets, or a path to a JSON file. Throws InputError for an id
/// that no sheet has.
std::filesystem::path sheet_file(const std::string& id_or_file, const CatalogLayers& layers,
                                 const Catalog& catalog);

/// The spec in `sheet_file`. Any fault throws InputError.
SheetSpec load_sheet_spec(const std::string& id_or_file, const CatalogLayers& layers,
                          const Catalog& catalog);

/// What a bare size means in this sheet: the size and the model of each of its rows. Reads nothing
/// else of it. Throws InputError for a sheet that cannot be read.
std::vector<SizeRow> sheet_sizes(const std::string& id_or_file, const CatalogLayers& layers);

// ---- Every figure that the ownership of a machine rests on, and where it enters the arithmetic:
// the one list behind the terms, the printed assumptions and the sensitivities.

inline constexpr const char* kUsdPerNode = "usd_per_node";
inline constexpr const char* kKwPerNode = "kw_per_node";
inline constexpr const char* kPlannedHours = "planned-hours-per-month";

/// What a rate that a sheet names is for: the one list of them, in the order of the page.
struct OwnershipRole {
  enum class Named { kAlways, kAtWill, kWithStaff };

  const char* key;   ///< in `ownership` of a sheet, or in its `staff`
  const char* name;  ///< its key of a rent-or-buy question
  std::string SpecOwnership::*rate;
  Named named;
  const char* unit;  ///< of rate_unit; the rate must have it
  const char* words;
  void (*set)(OwnershipTerms& terms, double value);  ///< nullptr: only the range of planned hours
};

std::span<const OwnershipRole> ownership_roles();

/// Its basis may also be "choice".
struct OwnershipInput : Estimate {
  std::string id;    ///< rate id, kUsdPerNode, kKwPerNode or kPlannedHours
  std::string role;  ///< what it does
  std::string title;
  std::string unit;
  bool varies = true;  ///< false: a convention, no uncertainty
  void (*set)(OwnershipTerms& terms, double value) = nullptr;
};
BOOST_DESCRIBE_STRUCT(OwnershipInput, (Estimate), (id, role, title, unit))

/// The inputs of owning these machines; `joined`: several of them, behind a network. The planned
/// hours come last, since they need the hours of a month.
std::vector<OwnershipInput> ownership_inputs(const Purchase& purchase, const SpecOwnership& own,
                                             const PurchaseNode& node, bool joined);

/// The terms with every input at its typical value.
OwnershipTerms typical_terms(const std::vector<OwnershipInput>& inputs, const PurchaseNode& node,
                             std::int64_t gpus);

// ---- What a sound catalog must hold beyond each entry for itself: against arithmetic, against the
// engine, and against what a sheet asks of it.

/// Holds guides, frameworks, advice and worksheets of the catalog read from `layers` against what
/// the engine says of them. Faults are recorded under their files.
void check_facts(const Catalog& catalog, const CatalogLayers& layers, Faults& faults);

/// Faults each method of which no model of the catalog can be asked, and each value of a stack that
/// no model can have, in the files of `layers`.
void check_practice(const Catalog& catalog, const CatalogLayers& layers, Faults& faults);

/// Faults every low, typical or high value that its role in `own` cannot have. The rates stand in
/// `file` under the pointer `list`, in the order of `purchase.rates`.
void check_rates(const SpecOwnership& own, const Purchase& purchase, const std::string& file,
                 const std::string& list, Faults& faults);

/// Faults each scenario of which no cell can be asked, at the key of its request that the engine
/// names where there is one.
void check_requests(const SheetSpec& spec, const Catalog& catalog, const std::string& file,
                    Faults& faults);

}  // namespace sizesheet
