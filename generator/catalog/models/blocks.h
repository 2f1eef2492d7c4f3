// SPDX-License-Identifier: Apache-2.0
// From the parts that a config.json names to the row of blocks they make.
#pragma once

#include <vector>

namespace sizesheet {

class FamilyKeys;
struct BlockRun;
struct Parts;

/// The blocks, first one first, equal neighbours joined. Reads hybrid_pattern, blocks and their
/// spellings in published configs; without any of them all layers follow `parts`, and the family's
/// rule where it has one.
std::vector<BlockRun> read_blocks(FamilyKeys& keys, const Parts& parts);

}  // namespace sizesheet
