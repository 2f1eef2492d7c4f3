// SPDX-License-Identifier: Apache-2.0
// Sellers as people call them.
#pragma once

#include <string>

namespace sizesheet {

struct Sheet;

/// "Hyperstack" of a seller's id: the short title of its entry in the catalog, else its title; the
/// id where the edition has no such entry.
std::string seller_name(const Sheet& sheet, const std::string& provider);

}  // namespace sizesheet
