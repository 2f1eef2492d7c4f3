// SPDX-License-Identifier: Apache-2.0
// The names in a training config that the catalog knows otherwise: models beside the one that it
// trains, and modules that the trained model does not have.
#pragma once

#include <string>

#include "config/reading.h"

namespace sizesheet {

class ModelNames;
struct Architecture;
struct Catalog;

/// Puts the catalog's ids in the place of the names of a teacher, a value model and a reward model,
/// and says so. A name that the catalog does not know stays, for the request's reader to refuse.
void take_other_models(const ModelNames& names, ConfigReading& reading);

/// Leaves out the targets that the model does not have where it has others of them, and says so:
/// PEFT does the same without a word. Where it has none, all stay, to be refused.
void meet_targets(const Architecture& model, ConfigReading& reading);

}  // namespace sizesheet
