// SPDX-License-Identifier: Apache-2.0
// The name of the proof of a row.
#pragma once

#include <string>

namespace sizesheet {

struct Row;
struct Sheet;

/// Fragment of the proof of a row on its model's page.
std::string proof_id(const Sheet& sheet, const Row& row);

}  // namespace sizesheet
