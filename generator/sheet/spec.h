// SPDX-License-Identifier: Apache-2.0
// A sheet specification: which models, methods, GPUs and scenarios a sheet sweeps, and under which
// rules.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "sheet/money.h"
#include "sheet/spec_ownership.h"
#include "support/json.h"

namespace sizesheet {

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

struct SheetSpec {
  std::string id;
  std::string title;
  std::string edition;
  std::string as_of;
  std::string currency;
  std::string highlight_model;
  std::vector<SpecModel> models;
  std::vector<std::string> handout_models;  ///< of `models`, in their order; empty: all
  std::vector<std::string> methods;
  std::vector<std::string> gpus;
  std::vector<SpecScenario> scenarios;
  std::int64_t tokens = 0;
  double headroom = 0.10;
  std::int64_t max_gpus = 512;
  std::optional<double> deadline_hours;
  std::vector<std::string> price_offers;
  std::int64_t price_max_age_days = 400;     ///< on demand and spot
  std::int64_t reserved_max_age_days = 400;  ///< terms of a year and more move slowly
  PriceRules price_rules;                    ///< `stale` stays empty
  SpecOwnership ownership;
  std::vector<std::int64_t> series_seq_lens;
  Json raw;  ///< the file whole; `as_of` above may be another day, asked for on the command line
};

/// Whether the providers and regions of a price policy must stand in the catalog. An edition keeps
/// the price rows of its own GPUs only, and a name it was made with may be in none of them.
enum class PriceOrigins { kChecked, kTrusted };

/// Reads a spec; every reference is checked against the catalog. Faults are recorded.
SheetSpec read_sheet_spec(ObjectReader reader, const Catalog& catalog,
                          PriceOrigins origins = PriceOrigins::kChecked);

/// The spec in `file`. A file that cannot be read and malformed JSON throw InputError.
SheetSpec read_sheet_file(const std::filesystem::path& file, const Catalog& catalog,
                          Faults& faults);

/// Holds a sound spec against a sound catalog: rates that cannot have the role that it gives them,
/// scenarios of which no row can be asked.
void check_sheet_spec(const SheetSpec& spec, const std::filesystem::path& file,
                      const std::filesystem::path& catalog_directory, const Catalog& catalog,
                      Faults& faults);

/// `id_or_file`: an id of catalog/sheets, or a path to a JSON file. Any fault throws InputError.
SheetSpec load_sheet_spec(const std::string& id_or_file,
                          const std::filesystem::path& catalog_directory, const Catalog& catalog);

}  // namespace sizesheet
