// SPDX-License-Identifier: Apache-2.0
// Which layouts are possible, and the faults of a request's own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/error.h"
#include "support/json.h"

namespace sizesheet {

struct Architecture;
struct Dimension;
struct Layout;
struct Question;

/// The first rule this layout breaks, under the key to mend; every dimension must be set (dp
/// included).
std::optional<Fault> layout_fault(const Question& question, const Layout& layout);

/// Whether the dimensions may stand together, each of which breaks no rule alone.
bool mesh_holds(const Question& question, const Layout& layout);

/// Why tensor parallelism over `tp` ranks cannot divide this model; "" where it can.
std::string tensor_split_fault(const Architecture& model, std::int64_t tp);

/// Values of a dimension worth trying on `gpus` GPUs, ascending: those that break no rule, whatever
/// the other dimensions are; of one that the request fixes that value alone.
std::vector<std::int64_t> degrees(const Question& question, const Dimension& dimension,
                                  std::int64_t gpus);

/// Records every fault of the layout that `request`, as the user wrote it, asks for, beyond the
/// type of each key: what cannot be, and what would be ignored.
void check_layout(const Json& request, const Question& question, Faults& faults);

/// The stack trains this method on one GPU only.
bool refuses_several(const Question& question);

}  // namespace sizesheet
