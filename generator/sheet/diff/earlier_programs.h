// SPDX-License-Identifier: Apache-2.0
// What earlier programs knew of entries by their names, and their editions therefore lack.
#pragma once

#include <string>

#include "support/json.h"

namespace sizesheet {

struct Catalog;

/// Gives the entries of an edition what its own program took for granted: number formats of cards,
/// and what a framework's state brings with it.
void complete_earlier(Catalog& catalog);

/// Gives the inputs of an edition that knew of no services those of the other, so that they are no
/// news. Either may be the earlier one.
void lend_services(Json& inputs, Json& others);

/// Whether a key that came is one of these, which is no news. `pointer` is into the entry.
bool was_known_by_name(const std::string& pointer);

}  // namespace sizesheet
