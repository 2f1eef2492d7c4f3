// SPDX-License-Identifier: Apache-2.0
// From a family's defaults and a document's keys to what this model has, and the refusal of keys
// that would make it another kind of model than is counted here.
#pragma once

#include <string>

#include "catalog/family.h"
#include "catalog/family_keys.h"
#include "support/json.h"

namespace sizesheet {

/// The family of the document's model_type. One that is not known is a fault, unless the document
/// spells out every trait in the catalog's own keys.
Family read_family(ObjectReader& reader);

/// The family's traits after the document's flags; the catalog's own keys come last.
Traits read_traits(FamilyKeys& keys);

/// Faults every key whose value makes the model one that is not counted here.
void refuse_other_shapes(FamilyKeys& keys);

/// The activation function that the document names, or the family's.
std::string read_activation(FamilyKeys& keys);

}  // namespace sizesheet
