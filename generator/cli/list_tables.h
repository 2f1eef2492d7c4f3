// SPDX-License-Identifier: Apache-2.0
// What `list` lists: a table of each kind of entry.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "catalog/files/loader.h"
#include "cli/common_options.h"
#include "support/json.h"

namespace sizesheet {

struct Catalog;

struct ListOptions : CommonOptions {
  std::string what;
  std::vector<std::string> words;  ///< that narrow the list without an option's name
  std::string search;
  std::string gpu;
  std::string tier;
  std::string provider;
  std::string region;
  std::optional<std::int64_t> gpus;    ///< of a machine that is named
  std::optional<double> least_memory;  ///< GB of a GPU, as marketed
  std::optional<double> least_parameters, most_parameters;
  bool json = false;
};

/// A figure or a text, and how a line shows it.
struct ListCell {
  Json value;
  std::string text;

  ListCell(std::string words)
      : value(words), text(std::move(words)) {}  // NOLINT(google-explicit-constructor)
  ListCell(Json figure, std::string shown) : value(std::move(figure)), text(std::move(shown)) {}
};

using ListCells = std::vector<ListCell>;

/// Entries under the heads of their columns, which are the keys in JSON.
struct ListTable {
  std::vector<std::string> heads;
  std::vector<ListCells> rows;
  std::vector<std::string> hidden = {};  ///< columns that a terminal does not show
  std::string foot = {};                 ///< told below the table
};

struct Listable {
  const char* what;
  ListTable (*listing)(const Catalog&, const ListOptions&);
  CatalogParts parts = {};  ///< that it is made of, beside what is always loaded
  bool narrows = false;     ///< --gpu, --tier and --provider may narrow it
};

/// Each thing that can be listed, in the order of the help.
std::span<const Listable> listables();

}  // namespace sizesheet
