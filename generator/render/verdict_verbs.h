// SPDX-License-Identifier: Apache-2.0
// What rows or picks did whose answer changed, for sentences that count them.
#pragma once

#include <string>
#include <vector>

namespace sizesheet {

/// A kind of change as a verb: "1 row no longer fits", "3 rows no longer fit".
struct KindVerb {
  std::string kind;
  std::string one;
  std::string many;
};

/// Whether, and on how many GPUs, something fits; most severe first.
const std::vector<KindVerb>& verdict_verbs();

}  // namespace sizesheet
