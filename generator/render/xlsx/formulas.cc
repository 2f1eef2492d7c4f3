// SPDX-License-Identifier: Apache-2.0
#include "render/xlsx/formulas.h"

namespace sizesheet::xlsx {
namespace {

/// First position of the least `amount` where `condition` holds; both are arrays.
std::string line_of_least(const std::string& condition, const std::string& amount) {
  const std::string amounts = "IF(" + condition + "," + amount + ")";
  return "IF(SUM(" + condition + ")=0,0,MATCH(MIN(" + amounts + ")," + amounts + ",0))";
}

std::string instances(const std::string& line) {
  return "ROUNDUP({gpus}/INDEX(price_gpus," + line + "),0)";
}

}  // namespace

std::string unless_empty(const std::string& cell, const std::string& formula) {
  return "IF(" + cell + "=\"\",\"\"," + formula + ")";
}

std::string with_line(const std::string& line, const std::string& formula) {
  return "IF(" + line + "=0,\"\"," + formula + ")";
}

std::string cheapest_price_line(const std::string& tier) {
  return line_of_least("(price_gpu={gpu})*(price_tier=\"" + tier +
                           "\")*(price_ok=1)*((({gpus}<={node})+(price_gpus={node}))>0)",
                       "ROUND(ROUNDUP({gpus}/price_gpus,0)*price_usd,6)");
}

std::string usd_per_hour(const std::string& line) {
  const std::string key = "{" + line + "}";
  return with_line(key, "ROUND(" + instances(key) + "*INDEX(price_usd," + key + "),6)");
}

std::string gpus_paid(const std::string& line) {
  const std::string key = "{" + line + "}";
  return with_line(key, instances(key) + "*INDEX(price_gpus," + key + ")");
}

std::string cheapest_machine_line() {
  return line_of_least("(machine_gpu={gpu})*((({gpus}<=machine_gpus)+(machine_joins=\"yes\"))>0)",
                       "ROUNDUP({gpus}/machine_gpus,0)*machine_usd");
}

}  // namespace sizesheet::xlsx
