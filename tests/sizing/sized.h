// SPDX-License-Identifier: Apache-2.0
// Requests as `estimate` answers them, by the project's catalog and today's constants.
#pragma once

#include <string>

#include "catalog/catalog.h"
#include "sizing/answer/estimate.h"
#include "sizing/request/question.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/project_catalog.h"
#include "support/refusal.h"

namespace sizesheet {

/// Throws InputError where the program would refuse.
inline Sizing sized(const Json& request) {
  const Catalog& catalog = project_catalog();
  return whole_answer(read_whole_question(request, catalog, catalog.engine.current));
}

/// The same of a request as text.
inline Sizing ask(const std::string& request) { return sized(parse_json(request, "request")); }

/// The words of the refusal, or "no refusal".
inline std::string refusal(const std::string& request) {
  return refusal_of([&] { ask(request); });
}

/// The request read, but not answered. Throws InputError with its faults.
inline Question question_of(const std::string& request) {
  return read_whole_question(parse_json(request, "request"), project_catalog(),
                             project_catalog().engine.current);
}

}  // namespace sizesheet
