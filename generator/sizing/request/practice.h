// SPDX-License-Identifier: Apache-2.0
// A stack's practice under a request: what of it applies, what it leaves open, and where it lies.
#pragma once

#include <vector>

#include "sizing/request/question.h"
#include "support/json.h"

namespace sizesheet {

struct StackSetting;

/// A stack's practice where it can apply: what it says of adapters, experts or its own optimizer is
/// nothing to a request that has none of them.
AppliedSettings applicable(const std::vector<StackSetting>& settings, const Json& request,
                           const Question& question);

/// The practice with another recompute mode or loss path, where the stack lists some and the
/// request leaves them open: every recompute mode with every loss path, in the stack's order.
std::vector<AppliedSettings> alternatives_of(const AppliedSettings& practice, const Json& request);

/// What a setting says under this way of spreading.
const Json& value_for(const AppliedSetting& applied, Spread spread);

/// What the practice puts under a request; it points into the practice.
std::vector<Underlaid> laid_under(const AppliedSettings& practice, Spread spread);

/// What the practice says of a key that the user leaves open; null otherwise.
const Json& practised_value(const Json& user, const AppliedSetting& applied, Spread spread);

/// `user` with every absent key that the practice names filled in; "layout.shard" style keys nest.
Json merge_stack(const Json& user, const AppliedSettings& practice, Spread spread);

}  // namespace sizesheet
