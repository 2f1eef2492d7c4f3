// SPDX-License-Identifier: Apache-2.0
// A training config as a question: its model, its method and the scenario that it describes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/files/loader.h"
#include "config/reading.h"
#include "support/json.h"

namespace sizesheet {

class ModelNames;
class TakenNames;
struct Catalog;
struct QuestionOptions;
struct SheetSpec;

/// What the files of `options` say, where the first is a training config, and nullopt where it is
/// none. Sets the model and the method of `options`; `catalog` gains the method. `taken` hears how
/// each key was understood. Throws InputError for what is refused, or has to be said beside it.
std::optional<ConfigReading> take_training_config(QuestionOptions& options, Catalog& catalog,
                                                  TakenNames& taken);

/// Asks the first scenario of the sheet as the config has it. Options of the command line are laid
/// over it later; `options` gain the examples of a run whose steps the config limits.
void put_training_config(const ConfigReading& reading, QuestionOptions& options, SheetSpec& sheet,
                         TakenNames& taken);

/// The config of an `estimate` request, an object of keys or the text of a file: read into the
/// request, whose own keys count. nullopt where the request has none. What was understood goes into
/// `said`. Throws InputError.
std::optional<Json> request_of_config(const Json& request, const ConfigFormats& formats,
                                      const Catalog& catalog, const ModelNames& names, Json& said);

/// What the files of a run say that was written for `request`: a whole request, whose model and
/// GPUs are known. `format` is an id, `trainer` what starts the run. Throws InputError.
ConfigReading read_written(std::vector<ConfigTree> files, const ConfigFormats& formats,
                           const std::string& format, const std::string& trainer,
                           const Json& request, const Catalog& catalog);

/// The formats of the catalog. Throws InputError for a fault in one.
ConfigFormats sound_config_formats(const CatalogLayers& layers);

}  // namespace sizesheet
