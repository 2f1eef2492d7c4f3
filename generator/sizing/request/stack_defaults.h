// SPDX-License-Identifier: Apache-2.0
// A stack's defaults under a request: what of it applies, what it leaves open, and where it lies.
#pragma once

#include <vector>

#include "sizing/request/question.h"
#include "support/json.h"

namespace sizesheet {

struct StackSetting;

/// A stack's defaults where it can apply: what it says of adapters, experts or its own optimizer is
/// nothing to a request that has none of them.
AppliedSettings applicable(const std::vector<StackSetting>& settings, const Json& request,
                           const Question& question);

/// The defaults with another recompute mode or loss path, where the stack lists some and the
/// request leaves them open: every recompute mode with every loss path, in the stack's order.
std::vector<AppliedSettings> alternatives_of(const AppliedSettings& defaults, const Json& request);

/// What a setting says under this way of spreading.
const Json& value_for(const AppliedSetting& applied, Spread spread);

/// What the defaults puts under a request; it points into the defaults.
std::vector<DefaultValue> defaults_for(const AppliedSettings& defaults, Spread spread);

/// What the defaults says of a key that the user leaves open; null otherwise.
const Json& default_value(const Json& user, const AppliedSetting& applied, Spread spread);

/// `user` with every absent key that the defaults names filled in; "layout.shard" style keys nest.
Json merge_stack(const Json& user, const AppliedSettings& defaults, Spread spread);

}  // namespace sizesheet
