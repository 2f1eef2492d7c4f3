// SPDX-License-Identifier: Apache-2.0
// What a sheet is asked for, read and held against the catalog; and which purchase rates the cost
// of owning in it rests on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "sheet/plan.h"
#include "sheet/project.h"
#include "sheet/sheet.h"
#include "sheet/sheet_options.h"
#include "sheet/spec_ownership.h"
#include "support/error.h"
#include "support/json.h"

namespace sizesheet {

class CatalogLayers;
struct Method;
struct SizeRow;

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
  std::optional<ProjectSpec> project;
  std::vector<std::int64_t> series_seq_lens;  ///< at which memory is drawn
  std::vector<std::int64_t> pick_seq_lens;    ///< at which the picks are made anew
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

/// `id_or_file`: an id of catalog/sheets, or a path to a JSON file. Throws InputError for an id
/// that no sheet has.
std::filesystem::path sheet_file(const std::string& id_or_file, const CatalogLayers& layers,
                                 const Catalog& catalog);

/// What a bare size means in this sheet: the size and the model of each of its rows. Reads nothing
/// else of it. Throws InputError for a sheet that cannot be read.
std::vector<SizeRow> sheet_sizes(const std::string& id_or_file, const CatalogLayers& layers);

/// Which of several methods and GPU types that a name fits is meant: the one of a sheet.
struct UsualNames {
  std::vector<std::string> methods;
  std::vector<std::string> gpus;
};

/// Those of a sheet, without the rest of it.
UsualNames usual_names(const std::string& id_or_file, const CatalogLayers& layers);

// ---- Every figure that the ownership of a machine rests on, and where it enters the arithmetic:
// the one list behind the terms, the printed assumptions and the sensitivities.

inline constexpr const char* kUsdPerNode = "usd_per_node";
inline constexpr const char* kKwPerNode = "kw_per_node";
inline constexpr const char* kPlannedHours = "planned-hours-per-month";

}  // namespace sizesheet
