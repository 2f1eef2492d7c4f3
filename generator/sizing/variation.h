// SPDX-License-Identifier: Apache-2.0
// The same job with one thing changed: what it would need then. Levers, lints and the search for
// what a measurement holds beside the estimate all ask this.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sizing/candidate.h"
#include "sizing/question.h"

namespace sizesheet {

/// One change to a request: dotted keys and the values they take.
struct Variation {
  std::string id;
  std::string words;  ///< "full recompute": what the change is called
  std::vector<std::pair<std::string, Json>> keys;
};

/// The request with the change, layout left as open as it was. What the search chose of the stack's
/// alternatives stays chosen.
Json varied_request(const Question& question, const Candidate& chosen, const Variation& variation);

/// The job on the layout of `chosen`, with the change. nullopt: model, stack or layout refuse it.
std::optional<Candidate> varied(const Question& question, const Candidate& chosen,
                                const Variation& variation);

}  // namespace sizesheet
