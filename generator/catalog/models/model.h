// SPDX-License-Identifier: Apache-2.0
// A model entry: its names, its architecture and its published parameter counts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "catalog/models/architecture.h"
#include "support/json.h"

namespace sizesheet {

/// A published parameter count and what it covers beside the text model.
struct PublishedCount {
  std::int64_t value = 0;
  std::vector<std::string> covers;
  std::string source;
};
BOOST_DESCRIBE_STRUCT(PublishedCount, (), (value, covers, source))

/// Parts of a checkpoint that no run holds, by name (inv_freq_buffers, audio, mtp …).
struct ExtraCount {
  std::string name;
  std::int64_t value = 0;
  std::string source;
};
BOOST_DESCRIBE_STRUCT(ExtraCount, (), (name, value, source))

struct ModelIdentity {
  std::string id;
  std::string title;       ///< "Llama 3.1 8B"
  std::string repository;  ///< "meta-llama/Llama-3.1-8B", or "" for a hypothetical shape
  std::string source;
  std::string date;
};
BOOST_DESCRIBE_STRUCT(ModelIdentity, (), (id, title, repository, source, date))

struct Model : ModelIdentity {
  std::string family;
  std::string note;
  Architecture architecture;
  std::vector<PublishedCount> published;
  std::vector<ExtraCount> extras;
  std::vector<std::string> was;  ///< ids that it had before
  Json raw;                      ///< the entry whole, as sheet.json keeps it
};
/// In the order in which an entry is read, and its faults are told.
BOOST_DESCRIBE_STRUCT(Model, (), (id, title, family, repository, was, note, source, date))

/// Reads a catalog entry (keys of a Hugging Face config.json plus id, title, source, date,
/// published …).
Model read_model(ObjectReader reader);

}  // namespace sizesheet
