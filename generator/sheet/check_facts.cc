// SPDX-License-Identifier: Apache-2.0
#include "sheet/check_facts.h"

#include "evidence/guides.h"
#include "sheet/advice_answers.h"
#include "sheet/check_practice.h"
#include "sheet/framework_requests.h"
#include "sheet/worksheets.h"

namespace sizesheet {

void check_facts(const Catalog& catalog, const std::string& directory, Faults& faults) {
  check_practice(catalog, directory, faults);
  check_guides(catalog, directory, faults);
  check_frameworks(catalog, directory, faults);
  check_advice(catalog, directory, faults);
  check_worksheets(catalog, directory, faults);
}

}  // namespace sizesheet
