// SPDX-License-Identifier: Apache-2.0
// Lines on the standard input of `estimate` and `cost`: every one gets one line of answer.
#include <algorithm>
#include <sstream>

#include "cli/command_parts.h"
#include "cost/ownership.h"
#include "fuzz/target.h"
#include "sizing/estimate.h"
#include "support/project_catalog.h"

namespace sizesheet::fuzz {
namespace {

Json sized(const Json& request, std::int64_t /*line_number*/) {
  const Catalog& catalog = project_catalog();
  return to_json(whole_answer(read_whole_question(request, catalog, catalog.engine.current)));
}

Json costed(const Json& request, std::int64_t /*line_number*/) {
  return answer_cost_request(request);
}

/// An answer is an object; where it is one to the question its bytes are counts.
void check_answer(const std::string& line) {
  const Json answer = Json::parse(line);
  if (!answer.at("ok").get<bool>()) {
    const std::string error = answer.at("error");
    // An error may quote the line, whatever that says.
    expect(!error.starts_with("internal error"), error);
    return;
  }
  if (answer.contains("memory") && answer["memory"].contains("device")) {
    expect(answer["memory"]["device"] >= 0, "bytes are not negative");
  }
}

}  // namespace

void request_lines(std::string_view bytes) {
  const bool costs = bytes.starts_with("cost\n");
  std::istringstream in{std::string(costs ? bytes.substr(5) : bytes)};
  std::ostringstream out;
  for_each_json_line(in, out, 1, costs ? costed : sized);
  std::istringstream answers(out.str());
  std::string line;
  while (std::getline(answers, line)) check_answer(line);
}

}  // namespace sizesheet::fuzz
